#!/usr/bin/env python3
"""The main job before one's eyes: ffmpeg publishes, runneld relays under another key, ffmpeg plays.

Started by daemon/run --demo. Ends by Ctrl-C, or by itself after --seconds.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from processes import Child, DemoError
from streams import STREAM, Streams, is_bound


class Stopped(Exception):
    """Ctrl-C, or the like."""


def stop(_number, _frame):
    """Once: whoever is impatient does not keep the demo from ending its children."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise Stopped


def describe(runneld: str, config: Path) -> str:
    """What the receiver has to know: ports, codecs and its key."""
    command = [runneld, "--config", config, "--sdp", STREAM]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise DemoError(f"runneld --sdp {STREAM} has failed:\n{done.stderr}")
    return done.stdout


class Demo:
    """The three processes, started in the order in which they depend on each other."""

    def __init__(self):
        self.children: list[Child] = []

    def start(self, runneld: str, folder: Path):
        streams = Streams()
        config, description = folder / "demo.yaml", folder / "demo.sdp"
        config.write_text(streams.configuration())
        print(streams.diagram(), flush=True)

        self.runneld = self.child("runneld", [runneld, "--config", config])
        self.runneld.await_true("ready", lambda: self.runneld.says("ready"))
        description.write_text(describe(runneld, config))
        self.receiver = self.child("the receiver", streams.receiver_command(description))
        port = streams.ports["video_out"]
        self.receiver.await_true(f"listening on port {port}", lambda: is_bound(port))
        self.publisher = self.child("the publisher", streams.publisher_command())

    def child(self, name: str, command: list) -> Child:
        self.children.append(Child(name, command))
        return self.children[-1]

    @property
    def frames_in(self) -> int:
        return self.publisher.progress("frame")

    @property
    def frames_out(self) -> int:
        return self.receiver.progress("frame")

    def statistics(self) -> dict:
        """The newest that runneld has logged; asks for the next."""
        self.runneld.process.send_signal(signal.SIGUSR1)
        lines = (json.loads(line) for line in reversed(self.runneld.lines) if line.startswith("{"))
        return next((line for line in lines if line.get("event") == "statistics"), {})

    def show_progress(self, seconds: float | None):
        """A line each second, until the time is over."""
        begin = time.monotonic()
        while seconds is None or time.monotonic() - begin < seconds:
            time.sleep(1)
            for child in self.children:
                child.check_alive()
            statistics = self.statistics()
            lost = statistics.get("video.lost", 0) + statistics.get("audio.lost", 0)
            kbit_per_second = statistics.get("video.bits_per_second", 0) // 1000
            print(
                f"{time.monotonic() - begin:4.0f} s   frames in {self.frames_in:6}"
                f"   frames out {self.frames_out:6}   packets lost {lost}"
                f"   video {kbit_per_second:4} kbit/s",
                flush=True,
            )

    def finish(self):
        """In the order of the flow: what is under way arrives, and runneld says goodbye."""
        for child in (self.publisher, self.runneld):
            child.end(signal.SIGTERM)
        self.receiver.await_end()
        print(f"\nIn all, {self.frames_in} frames went in and {self.frames_out} were decoded.")

    def end(self):
        for child in reversed(self.children):
            child.end(signal.SIGTERM)


def main() -> int:
    parser = argparse.ArgumentParser(prog="daemon/run --demo", description=__doc__)
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
