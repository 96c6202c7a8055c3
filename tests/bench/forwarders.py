"""Starts runneld and the yardsticks with one task, and puts load on them; see relay/ for the programs."""
import base64
import contextlib
import json
import os
import secrets
import signal
import socket
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

KEY_SIZES = {"AES_CM_128_HMAC_SHA1_80": 30, "AEAD_AES_128_GCM": 28}
TAG_SIZES = {"AES_CM_128_HMAC_SHA1_80": 10, "AEAD_AES_128_GCM": 16}
READY_WITHIN = 60  # seconds; ten thousand receivers take a moment


class BenchError(Exception):
    """Something could not be measured, and why."""


@dataclass
class Task:
    """One source and its receivers with all their keys."""
    suite: str
    receivers: int
    sink_port: int
    source_key: str = ""
    receiver_keys: list = field(default_factory=list)

    def __post_init__(self):
        self.source_key = self.new_key()
        self.receiver_keys = [self.new_key() for _ in range(self.receivers)]

    def new_key(self):
        return base64.b64encode(secrets.token_bytes(KEY_SIZES[self.suite])).decode()

    def address(self, number):
        """Every receiver has a loopback address of its own, all on the sink's port."""
        return f"127.1.{number // 250}.{number % 250 + 1}"

    def setup(self, listen_port):
        """For the yardsticks; see relay/setup.h."""
        lines = [f"suite {self.suite}", f"listen 127.0.0.1 {listen_port}", f"source {self.source_key}"]
        for number, key in enumerate(self.receiver_keys):
            lines.append(f"receiver {self.address(number)} {self.sink_port} {key}")
        return "\n".join(lines) + "\n"

    def yaml(self, listen_port, shared_port):
        """For runneld."""
        lines = [
            "listen:",
            f'  media: ["0.0.0.0:{shared_port}"]',
            "  signalling: []",
            "log: {statistics_interval: 0}",
            "relays:",
            "  - stream: bench",
            "    from:",
            "      srtp:",
            f"        suite: {self.suite}",
            f'        key: "{self.source_key}"',
            "        media:",
            "          - {kind: video, payload_type: 96, codec: H264/90000, "
            f'listen: "127.0.0.1:{listen_port}", rtcp_mux: true}}',
            "    to:",
        ]
        for number, key in enumerate(self.receiver_keys):
            lines.append(
                f'      - srtp: {{suite: {self.suite}, key: "{key}", media: {{kind: video, '
                f'send: "{self.address(number)}:{self.sink_port}", rtcp_mux: true}}}}')
        return "\n".join(lines) + "\n"


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("", 0))
        return probe.getsockname()[1]


def pinned(core):
    """For subprocess: keeps the child on one core, ahead of what else the machine does, where that is allowed."""
    cores = sorted(os.sched_getaffinity(0))

    def apply():
        os.sched_setaffinity(0, {cores[core % len(cores)]})
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, 0, -20)
            os.setsid()  # a scheduling group of its own, which has a priority of its own
            Path("/proc/self/autogroup").write_text("-20")
    return apply


class Forwarder:
    """A running forwarder: runneld or a yardstick. Use as a context manager."""

    def __init__(self, name, command, setup_file, log_file):
        self.name = name
        self.setup_file = setup_file
        self.log_file = log_file
        if not Path(command[0]).exists():
            raise BenchError(f"{command[0]} is not built")
        with open(log_file, "wb") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log, preexec_fn=pinned(0))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def await_ready(self):
        """Both kinds end their first words with the line 'ready'."""
        deadline = time.monotonic() + READY_WITHIN
        while "ready\n" not in self.said():
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise BenchError(f"{self.name} does not start: {self.said()[-800:]}")
            time.sleep(0.01)

    def said(self):
        return Path(self.log_file).read_text(errors="replace")

    def argument(self):
        return f"{self.name}={self.process.pid}={self.setup_file}"

    def resident_bytes(self):
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) * 1024
        raise BenchError(f"{self.name} has no resident size")


class Bench:
    """The programs of one build, and a folder for their files. Use as a context manager."""

    def __init__(self, build):
        self.build = Path(build)
        self.folder = tempfile.TemporaryDirectory(prefix="runnel-bench-")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.folder.cleanup()

    def start(self, task, name):
        """`name` is "runneld", or crypto and io of a yardstick such as "evp-batch"; "floor" is none-segment."""
        folder = Path(self.folder.name)
        port = free_port()
        setup_file = folder / f"{name}-{port}.setup"
        setup_file.write_text(task.setup(port))
        if name == "runneld":
            yaml_file = folder / f"{port}.yaml"
            yaml_file.write_text(task.yaml(port, free_port()))
            yaml_file.chmod(0o600)
            command = [self.build / "daemon" / "runneld", "--config", yaml_file]
        else:
            crypto, io = ("none", "segment") if name == "floor" else name.split("-")
            command = [self.build / "tests" / "bench" / "bench_forwarder", crypto, io, setup_file]
        return Forwarder(name, [str(part) for part in command], setup_file, folder / f"{name}-{port}.log")

    def load(self, forwarders, sink_port, *options):
        """What bench_relay_load prints about forwarders that are ready."""
        command = [self.build / "tests" / "bench" / "bench_relay_load", "--sink", sink_port, *options]
        command += [forwarder.argument() for forwarder in forwarders]
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True,
                              preexec_fn=pinned(1), check=False)
        if done.returncode != 0:
            raise BenchError(done.stderr.strip() or f"bench_relay_load ended with {done.returncode}")
        return json.loads(done.stdout)
