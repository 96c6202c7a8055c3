#!/usr/bin/python3
"""The unit starts under a real systemd, becomes ready, relays, survives a crash, and stops cleanly.

Usage: systemd_test.py RUNNELD
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

from base_system import base_system
from skip import need_root_and, skip
from waiting import TimedOut, wait_until

HERE = pathlib.Path(__file__).resolve().parent
PROJECT = HERE.parents[2]
PACKAGES = ("systemd", "systemd-sysv", "dbus", "procps", "iproute2", "libuv1", "libssl3",
            "libspdlog1.10", "libyaml-cpp0.7", "zlib1g", "libjwt0")


def check_the_unit_file(root, runneld):
    """What needs no running manager: the unit's words, its hardening, the account, the folder."""
    with tempfile.TemporaryDirectory() as folder:
        unit = pathlib.Path(folder, "runnel.service")
        text = (PROJECT / "systemd/runnel.service").read_text()
        unit.write_text(text.replace("/usr/bin/runneld", str(runneld)))
        subprocess.run(["systemd-analyze", "verify", "--recursive-errors=yes", str(unit)], check=True)
        subprocess.run(["systemd-analyze", "security", "--offline=true", "--threshold=15", str(unit)],
                       check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["systemd-sysusers", f"--root={root}", str(PROJECT / "systemd/runnel.sysusers.conf")],
                   check=True)
    assert "runnel:" in (root / "etc/passwd").read_text()
    print("the unit verifies, its exposure is at most 1.5, the account is made", flush=True)


def install(root, runneld):
    def put(origin, target, mode):
        path = root / target
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(origin, path)
        path.chmod(mode)

    put(runneld, "usr/bin/runneld", 0o755)
    put(PROJECT / "systemd/runnel.service", "etc/systemd/system/runnel.service", 0o644)
    put(PROJECT / "systemd/runnel.tmpfiles.conf", "usr/lib/tmpfiles.d/runnel.conf", 0o644)
    put(HERE / "relay.yaml", "etc/runnel/runnel.yaml", 0o600)
    subprocess.run(["systemd-tmpfiles", f"--root={root}", "--create",
                    str(PROJECT / "systemd/runnel.tmpfiles.conf")], check=True)


class Machine:
    """A booted systemd in a container without network."""

    def __init__(self, root):
        self.log = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            ["systemd-nspawn", "-q", "-D", str(root), "-M", "runnel-test", "--register=no",
             "--keep-unit", "--private-network", "--volatile=overlay", "-b"],
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=subprocess.STDOUT)
        try:
            self.leader = wait_until("the container has a first process", self.find_leader)
            wait_until("systemd has booted", self.booted, 60)
        except TimedOut:
            self.stop()
            self.log.seek(0)
            skip("systemd does not boot here: " + (self.log.read().strip().splitlines() or ["?"])[-1])

    def find_leader(self):
        path = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        children = path.read_text().split() if path.exists() else []
        return children[0] if children else None

    def booted(self):
        state = self.run("systemctl", "is-system-running", check=False).stdout.strip()
        return state in ("running", "degraded")

    def run(self, *command, check=True, timeout=60):
        done = subprocess.run(["nsenter", "-t", self.leader, "-a", *command], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=timeout)
        if check and done.returncode != 0:
            raise RuntimeError(f"{' '.join(command)} ended with {done.returncode}: {done.stdout}")
        return done

    def property(self, name):
        return self.run("systemctl", "show", "-P", name, "runnel").stdout.strip()

    def media_passes(self):
        """The probe is the host's program in the container's network."""
        return subprocess.run(["nsenter", "-t", self.leader, "-n", sys.executable,
                               str(HERE / "rtp_probe.py"), "17004", "17006"]).returncode == 0

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def check_the_service(machine):
    machine.run("systemctl", "start", "runnel")
    assert machine.property("ActiveState") == "active"
    assert machine.property("User") == "runnel"
    assert machine.media_passes(), "no media passes"
    print("ready by notification, media passes", flush=True)

    first = machine.property("MainPID")
    machine.run("kill", "-9", first)
    wait_until("another process is ready after kill -9",
               lambda: machine.property("MainPID") not in ("0", first)
               and machine.property("ActiveState") == "active")
    assert machine.media_passes(), "no media passes after the restart"
    print("restarted after a crash, media passes", flush=True)

    hung = machine.property("MainPID")
    machine.run("kill", "-STOP", hung)
    wait_until("the watchdog replaces a process that hangs",
               lambda: machine.property("MainPID") not in ("0", hung)
               and machine.property("ActiveState") == "active", 90)
    assert machine.media_passes(), "no media passes after the watchdog's restart"
    print("replaced by the watchdog when it hung", flush=True)

    machine.run("systemctl", "stop", "runnel")
    assert machine.property("Result") == "success", machine.property("Result")
    assert machine.property("ExecMainStatus") == "0"
    print("stopped cleanly", flush=True)


def main():
    need_root_and("systemd-nspawn", "systemd-analyze", "debootstrap", "nsenter")
    runneld = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory(prefix="runnel-systemd-") as folder:
        root = pathlib.Path(folder, "root")
        subprocess.run(["cp", "-a", str(base_system("bookworm-systemd", PACKAGES)), str(root)], check=True)
        check_the_unit_file(root, runneld)
        install(root, runneld)
        machine = Machine(root)
        try:
            check_the_service(machine)
        except BaseException:
            print(machine.run("journalctl", "-u", "runnel", "--no-pager", check=False).stdout[-6000:])
            raise
        finally:
            machine.stop()


if __name__ == "__main__":
    sys.exit(main())
