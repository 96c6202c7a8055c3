"""GStreamer as publisher and receiver of VP8 with real RTCP; see gstreamer_peer.py."""

import unittest
from pathlib import Path

from harness.children import Child
from harness.keys import Key

PEER = Path(__file__).parent.parent / "gstreamer_peer.py"


def _start(
    test: unittest.TestCase, mode: str, local_port: int, remote_port: int, key: Key
) -> Child:
    # Debian's interpreter has the bindings; another python3 may come first in PATH.
    peer = Child(
        test, "/usr/bin/python3", "-B", PEER, mode, local_port, remote_port, key.suite, key.hex
    )
    peer.await_line("^ready$")
    return peer


def publish(test: unittest.TestCase, local_port: int, remote_port: int, key: Key) -> Child:
    return _start(test, "send", local_port, remote_port, key)


def receive(test: unittest.TestCase, local_port: int, remote_port: int, key: Key) -> Child:
    return _start(test, "receive", local_port, remote_port, key)


def frames(receiver: Child) -> int:
    return sum(line.startswith("frames ") for line in receiver.lines)


def key_frame_requests(sender: Child) -> int:
    return sender.lines.count("key frame requested")
