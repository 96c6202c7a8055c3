"""runneld under test, and the parts of its configuration."""

import json
import os
import re
import signal
import tempfile
import unittest
from pathlib import Path

from harness.children import Child
from harness.ffmpeg import AUDIO_PAYLOAD_TYPE, VIDEO_PAYLOAD_TYPE, Address
from harness.keys import Key
from harness.ports import free_port_pair, free_tcp_port

BINARY = os.environ.get("RUNNELD", "build/release/daemon/runneld")


def leg(key: Key | None, *media: dict, **settings) -> dict:
    """SRTP under `key`, or plain RTP."""
    if key is None:
        return {"rtp": {"media": list(media), **settings}}
    return {"srtp": {"suite": key.suite, "key": key.base64, "media": list(media), **settings}}


def video_from(codec: str, address: Address, **settings) -> dict:
    fmtp = {"fmtp": "packetization-mode=1"} if codec == "H264" else {}
    return {
        "kind": "video",
        "payload_type": VIDEO_PAYLOAD_TYPE,
        "codec": f"{codec}/90000",
        "listen": str(address),
        **fmtp,
        **settings,
    }


def audio_from(address: Address, **settings) -> dict:
    return {
        "kind": "audio",
        "payload_type": AUDIO_PAYLOAD_TYPE,
        "codec": "opus/48000/2",
        "listen": str(address),
        **settings,
    }


def video_to(address: Address, **settings) -> dict:
    return {"kind": "video", "send": str(address), **settings}


def audio_to(address: Address, **settings) -> dict:
    return {"kind": "audio", "send": str(address), **settings}


def relay(source: dict, *receivers: dict, stream: str = "camera") -> dict:
    return {"stream": stream, "from": source, "to": list(receivers)}


class Runneld:
    """Started with the relays, and ready when the constructor returns."""

    def __init__(
        self,
        test: unittest.TestCase,
        *relays: dict,
        host: str = "127.0.0.1",
        signalling_host: str = "127.0.0.1",
        prefix: tuple[str, ...] = (),
        **settings,
    ):
        """Media is received at `host`, and told to come there. `prefix` is a command that runs it,
        such as in a network namespace."""
        folder = tempfile.TemporaryDirectory()
        test.addCleanup(folder.cleanup)
        self.media_port = free_port_pair()
        self.signalling_port = free_tcp_port()
        self.signalling_at = str(Address(self.signalling_port, signalling_host))
        media = {str(Address(self.media_port, address)) for address in (host, "::1")}
        self.config = Path(folder.name) / "runnel.yaml"
        # JSON is YAML.
        self.config.write_text(
            json.dumps(
                {
                    "listen": {
                        "media": sorted(media),
                        "signalling": [self.signalling_at],
                    },
                    "announce": [host],
                    "relays": list(relays),
                    **settings,
                },
                indent=1,
            )
        )
        self.child = Child(test, *prefix, BINARY, "--config", self.config)
        self.child.await_line(r"\bready\b")

    @classmethod
    def in_network(cls, test: unittest.TestCase, network) -> "Runneld":
        """In the server's namespace of it, open to pages and clients of the others."""
        return cls(
            test,
            host=network.address,
            signalling_host=network.address,
            prefix=network.server.prefix,
            signalling={"origins": ["*"]},
            auth={"open": True},
        )

    def url(self, path: str) -> str:
        """Of signalling: "whip/studio"."""
        return f"http://{self.signalling_at}/{path}"

    def statistics(self) -> list[str]:
        """The lines that SIGUSR1 asks for."""
        start = len(self.child.lines)
        self.child.send_signal(signal.SIGUSR1)
        self.child.await_line(r"; (out|no receiver)\b", start=start)
        return self.child.lines[start:]

    def forget_peak_memory(self):
        self._process_file("clear_refs").write_text("5")

    def peak_memory(self) -> int:
        """Bytes of main memory that it has had at a time, since the start or since forgotten."""
        return self._memory("VmHWM")

    def resident_memory(self) -> int:
        """Bytes of main memory that it has now."""
        return self._memory("VmRSS")

    def _memory(self, field: str) -> int:
        status = self._process_file("status").read_text()
        return int(re.search(rf"{field}:\s+(\d+) kB", status)[1]) << 10

    def cpu_time(self) -> float:
        """Seconds so far, of user and system."""
        words = self._process_file("stat").read_text().rpartition(")")[2].split()
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")

    def _process_file(self, name: str) -> Path:
        return Path(f"/proc/{self.child.process.pid}/{name}")

    def stop(self) -> int:
        self.child.send_signal(signal.SIGTERM)
        return self.child.await_exit()
