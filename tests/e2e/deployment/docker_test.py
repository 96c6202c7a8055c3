#!/usr/bin/python3
"""The compose file builds the image, runs a healthy relay without root, restarts it after a crash and stops it cleanly."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from base_system import base_system
from rtp_probe import probe
from skip import need_root_and, skip
from waiting import TimedOut, wait_until

HERE = pathlib.Path(__file__).resolve().parent
PROJECT = HERE.parents[2]
BASE_IMAGE = "debian:bookworm-slim"


class Engine:
    """A Docker engine of our own, in a temporary folder, that leaves the host's network alone."""

    def __init__(self, folder):
        self.folder = folder
        self.socket = f"unix://{folder}/docker.sock"
        self.log = open(f"{folder}/dockerd.log", "w+")
        self.process = subprocess.Popen(
            ["dockerd", f"--data-root={folder}/data", f"--exec-root={folder}/exec",
             f"--pidfile={folder}/pid", "-H", self.socket, "--iptables=false",
             "--ip6tables=false", "--ip-forward=false", "--ip-masq=false", "--bridge=none"],
            stdout=self.log, stderr=subprocess.STDOUT)
        try:
            wait_until("dockerd answers", self.answers)
        except TimedOut:
            self.stop()
            self.log.seek(0)
            skip("dockerd does not start here: " + (self.log.read().strip().splitlines() or ["?"])[-1])

    def answers(self):
        return self.run("docker", "info", check=False).returncode == 0

    def run(self, *command, check=True, timeout=1200, **options):
        environment = dict(os.environ, DOCKER_HOST=self.socket, DOCKER_BUILDKIT="0",
                           COMPOSE_DOCKER_CLI_BUILD="0")
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=timeout, **options)
        if check and done.returncode != 0:
            print(done.stdout[-4000:])
            raise RuntimeError(f"{' '.join(command)} ended with {done.returncode}")
        return done

    def inspect(self, container):
        return json.loads(self.run("docker", "inspect", container).stdout)[0]

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=30)
        # A network namespace stays mounted where a container could not be removed; the folder could not be deleted.
        for line in pathlib.Path("/proc/mounts").read_text().splitlines():
            if line.split()[1].startswith(self.folder):
                subprocess.run(["umount", "-l", line.split()[1]])


def import_base_image(engine):
    root = base_system("bookworm")
    tar = subprocess.Popen(["tar", "-C", root, "-c", "."], stdout=subprocess.PIPE)
    engine.run("docker", "import", "--change", 'CMD ["bash"]', "-", BASE_IMAGE, stdin=tar.stdout)
    tar.wait()


def healthy(engine, container):
    return engine.inspect(container)["State"].get("Health", {}).get("Status") == "healthy"


def check_the_deployment(engine, folder):
    configuration = pathlib.Path(folder, "config")
    configuration.mkdir(mode=0o755)
    shutil.copy(HERE / "relay.yaml", configuration / "runnel.yaml")
    os.environ["RUNNEL_CONFIG"] = str(configuration)
    compose = ("docker-compose", "-f", str(PROJECT / "docker/compose.yaml"), "-p", "runnel-test")

    container = None
    try:
        engine.run(*compose, "up", "-d", "--build")
        container = engine.run(*compose, "ps", "-q").stdout.split()[-1]
        wait_until("the container is healthy", lambda: healthy(engine, container), 90)
        state = engine.inspect(container)
        assert state["Config"]["User"] not in ("", "root", "0"), "runs as root"
        assert state["HostConfig"]["ReadonlyRootfs"], "the root file system is writable"
        assert probe(17004, 17006), "no media passes"
        print("built, healthy, not root, media passes", flush=True)

        first = state["State"]["Pid"]
        os.kill(first, 9)
        wait_until("another process runs after kill -9",
                   lambda: engine.inspect(container)["State"]["Pid"] not in (0, first))
        wait_until("the container is healthy again", lambda: healthy(engine, container), 90)
        assert probe(17004, 17006), "no media passes after the restart"
        print("restarted after a crash, media passes", flush=True)

        engine.run(*compose, "stop")
        code = engine.inspect(container)["State"]["ExitCode"]
        assert code == 0, f"exit code {code} after stop"
        print("stopped cleanly", flush=True)
    except BaseException:
        if container:
            print(engine.run("docker", "logs", container, check=False).stdout[-4000:])
        raise
    finally:
        engine.run(*compose, "down", check=False)


def main():
    need_root_and("dockerd", "docker-compose", "debootstrap", "runc")
    with tempfile.TemporaryDirectory(prefix="runnel-docker-") as folder:
        engine = Engine(folder)
        try:
            import_base_image(engine)
            check_the_deployment(engine, folder)
        finally:
            engine.stop()


if __name__ == "__main__":
    sys.exit(main())
