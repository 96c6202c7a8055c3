#!/usr/bin/env python3
"""The main job before one's eyes: ffmpeg publishes a test pattern with a tone as SRTP, runneld relays it, ffmpeg plays it.

Started by daemon/run --demo. Ends by Ctrl-C, or by itself after --seconds.
"""

import argparse
import base64
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from processes import Child, DemoError

STREAM = "demo"
SUITE_IN, SUITE_OUT = "AES_CM_128_HMAC_SHA1_80", "AES_CM_128_HMAC_SHA1_32"
HOST = "127.0.0.1"

DIAGRAM = """
  ffmpeg      moving test pattern (H.264, 640x360, 30 fps) and a 440 Hz tone (Opus)
    |
    |  SRTP {suite_in} under key A
    v  video to {host}:{video_in}, audio to {host}:{audio_in}
  runneld     checks and decrypts each packet, encrypts it again
    |
    |  SRTP {suite_out} under key B
    v  video to {host}:{video_out}, audio to {host}:{audio_out}
  ffmpeg      decodes every frame
"""


class Stopped(Exception):
    """Ctrl-C, or its time is over."""


def free_port_pair(taken: set[int]) -> int:
    """An even port, free with the odd one above it, which is for RTCP."""
    while True:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.bind((HOST, 0))
            port = probe.getsockname()[1] & ~1
        try:
            for candidate in (port, port + 1):
                with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
                    probe.bind((HOST, candidate))
        except OSError:
            continue
        if port not in taken:
            taken.add(port)
            return port


def configuration(ports: dict[str, int], key_in: str, key_out: str) -> str:
    """The YAML that runneld gets. (JSON is YAML; config/runnel.yaml shows how people write it.)"""
    return json.dumps({
        "listen": {"media": f"{HOST}:{ports['media']}", "signalling": f"{HOST}:{ports['signalling']}"},
        "relays": [{
            "stream": STREAM,
            "from": {"srtp": {"suite": SUITE_IN, "key": key_in, "media": [
                {"kind": "video", "payload_type": 96, "codec": "H264/90000", "fmtp": "packetization-mode=1",
                 "listen": f"{HOST}:{ports['video_in']}"},
                {"kind": "audio", "payload_type": 111, "codec": "opus/48000/2",
                 "listen": f"{HOST}:{ports['audio_in']}"}]}},
            "to": [{"srtp": {"suite": SUITE_OUT, "key": key_out, "media": [
                {"kind": "video", "send": f"{HOST}:{ports['video_out']}"},
                {"kind": "audio", "send": f"{HOST}:{ports['audio_out']}"}]}}],
        }],
    }, indent=2)


def receiver_command(session_description: Path) -> list:
    return ["ffmpeg", "-nostdin", "-v", "error", "-protocol_whitelist", "file,srtp,rtp,udp,crypto",
            "-analyzeduration", "1000000", "-threads", "1", "-i", session_description, "-map", "0:v", "-map", "0:a",
            "-fps_mode", "passthrough", "-f", "null", "-progress", "pipe:1", "-stats_period", "0.5", "-"]


def publisher_command(ports: dict[str, int], key: str) -> list:
    def output(medium: str, payload_type: int) -> list:
        return ["-payload_type", payload_type, "-f", "rtp", "-srtp_out_suite", SUITE_IN, "-srtp_out_params", key,
                f"srtp://{HOST}:{ports[medium]}?pkt_size=1200"]

    return ["ffmpeg", "-nostdin", "-v", "error", "-progress", "pipe:1", "-stats_period", "0.5",
            "-re", "-f", "lavfi", "-i", "testsrc2=s=640x360:r=30", "-re", "-f", "lavfi", "-i", "sine=f=440:r=48000",
            "-map", "1:a", "-c:a", "libopus", "-b:a", "48k", "-frame_duration", "20", *output("audio_in", 111),
            "-map", "0:v", "-c:v", "libx264", "-preset", "ultrafast", "-tune", "zerolatency",
            "-profile:v", "baseline", "-b:v", "1500k", "-g", "30", *output("video_in", 96)]


def is_bound(port: int) -> bool:
    with open("/proc/net/udp", encoding="ascii") as table:
        return any(line.split()[1].endswith(f":{port:04X}") for line in list(table)[1:])


def await_bound(child: Child, port: int, seconds: float = 10):
    deadline = time.monotonic() + seconds
    while not is_bound(port):
        child.check_alive()
        if time.monotonic() > deadline:
            raise DemoError(f"{child.name} does not listen on port {port}:\n{child.last_words()}")
        time.sleep(0.02)


class Demo:
    """The three processes, started in the order in which they depend on each other."""

    def __init__(self):
        self.children: list[Child] = []

    def start(self, runneld: str, folder: Path):
        taken: set[int] = set()
        ports = {name: free_port_pair(taken) for name in (
            "video_in", "audio_in", "video_out", "audio_out", "media", "signalling")}
        key_in, key_out = (base64.b64encode(secrets.token_bytes(30)).decode() for _ in range(2))
        config = folder / "demo.yaml"
        config.write_text(configuration(ports, key_in, key_out))
        print(DIAGRAM.format(host=HOST, suite_in=SUITE_IN, suite_out=SUITE_OUT, **ports), flush=True)

        self.runneld = self.child("runneld", [runneld, "--config", config])
        self.runneld.await_line("ready", 10)
        description = folder / "demo.sdp"
        description.write_text(self.describe(runneld, config))
        self.receiver = self.child("the receiving ffmpeg", receiver_command(description))
        await_bound(self.receiver, ports["video_out"])
        self.publisher = self.child("the publishing ffmpeg", publisher_command(ports, key_in))

    def child(self, name: str, command: list) -> Child:
        self.children.append(Child(name, command))
        return self.children[-1]

    @staticmethod
    def describe(runneld: str, config: Path) -> str:
        """What the receiver has to know: ports, codecs and its key."""
        done = subprocess.run([runneld, "--config", config, "--sdp", STREAM], capture_output=True, text=True)
        if done.returncode != 0:
            raise DemoError(f"runneld --sdp {STREAM} has failed:\n{done.stderr}")
        return done.stdout

    def show_progress(self, seconds: float | None):
        """A line each second, until the time is over."""
        begin = time.monotonic()
        while seconds is None or time.monotonic() - begin < seconds:
            time.sleep(1)
            for child in self.children:
                child.check_alive()
            print(f"{time.monotonic() - begin:5.0f} s   {self.figures()}", flush=True)

    def figures(self) -> str:
        return f"frames in {self.frames_in:6}   frames out {self.frames_out:6}"

    @property
    def frames_in(self) -> int:
        return self.publisher.progress("frame")

    @property
    def frames_out(self) -> int:
        return self.receiver.progress("frame")

    def finish(self):
        """Ends the source, and lets what is under way arrive."""
        self.publisher.end(signal.SIGTERM)
        deadline = time.monotonic() + 2
        while self.frames_out < self.frames_in and time.monotonic() < deadline:
            time.sleep(0.05)
        print(f"\nIn all, {self.frames_in} frames went in and {self.frames_out} were decoded.", flush=True)

    def end(self):
        for child in reversed(self.children):
            child.end(signal.SIGTERM)


def stop(_number, _frame):
    """Once; whoever is impatient does not keep the demo from ending its children."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise Stopped


def main() -> int:
    parser = argparse.ArgumentParser(prog="daemon/run --demo", description=__doc__.splitlines()[0])
    parser.add_argument("--runneld", required=True, help="the binary to show")
    parser.add_argument("--seconds", type=float, help="end by itself after so many seconds")
    options = parser.parse_args()
    signal.signal(signal.SIGINT, stop)
    signal.signal(signal.SIGTERM, stop)
    os.umask(0o077)  # the folder holds keys
    demo = Demo()
    with tempfile.TemporaryDirectory(prefix="runnel-demo-") as folder:
        try:
            demo.start(options.runneld, Path(folder))
            try:
                demo.show_progress(options.seconds)
            except Stopped:
                pass
            demo.finish()
            return 0 if demo.frames_out > 0 else 1
        except Stopped:
            return 0
        except DemoError as error:
            print(f"The demo has failed: {error}", file=sys.stderr)
            return 1
        finally:
            demo.end()


if __name__ == "__main__":
    sys.exit(main())
