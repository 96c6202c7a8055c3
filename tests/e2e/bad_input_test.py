"""Hostile datagrams on every port while a stream passes: counted, not answered, without effect."""

import random
import socket
import struct
import unittest

from harness.ffmpeg import Address, Clip, Receiver, publish, session_description
from harness.keys import Key
from harness.ports import free_port_pair
from harness.runneld import Runneld, leg, relay, video_from, video_to
from harness.udp import GOODBYE, Proxy, RtpHeader

SSRC = 0x22222222
RANDOM = random.Random(20)


def rtp(payload_type: int = 96, version: int = 2, ssrc: int = SSRC, size: int = 200) -> bytes:
    header = struct.pack(
        "!BBHII", version << 6, payload_type, RANDOM.randrange(65536), RANDOM.getrandbits(32), ssrc
    )
    return header + RANDOM.randbytes(size)


def rtcp_goodbye() -> bytes:
    """A BYE in clear; with random bytes behind it, it looks like SRTCP."""
    return struct.pack("!BBHI", 0x81, GOODBYE, 1, SSRC)


def hostile_datagrams() -> list[bytes]:
    stun_binding_request = struct.pack("!HHI", 1, 0, 0x2112A442) + RANDOM.randbytes(12)
    dtls_handshake = b"\x16\xfe\xfd" + RANDOM.randbytes(100)
    return [
        b"",
        b"\x80",
        RANDOM.randbytes(11),
        RANDOM.randbytes(200),
        RANDOM.randbytes(1400),
        *(rtp(version=version) for version in (0, 1, 3)),
        rtp(),
        rtp()[:12],
        rtp()[:20],
        rtp(ssrc=1),
        rtp(payload_type=3),
        rtp(size=3000),
        rtp(size=9000),
        rtp(size=65000),
        b"\x9f" + rtp()[1:14],  # 15 contributing sources announced, none there
        b"\x90" + rtp(size=8)[1:],  # a header extension that is longer than the packet
        b"\xa0" + rtp()[1:-1] + b"\xff",  # more padding than packet
        rtcp_goodbye(),
        rtcp_goodbye() + RANDOM.randbytes(14),
        struct.pack("!BBHI", 0x80, 200, 0xFFFF, SSRC),  # a sender report that claims 256 KiB
        stun_binding_request,
        dtls_handshake,
    ]


class BadInput(unittest.TestCase):
    def test_a_stream_passes_unharmed_through_hostile_datagrams(self):
        clip, source_key, key = Clip.of("VP8"), Key.fresh(), Key.fresh()
        listen, receiver_at = Address(free_port_pair()), Address(free_port_pair())
        runneld = Runneld(
            self, relay(leg(source_key, video_from("VP8", listen)), leg(key, video_to(receiver_at)))
        )
        receiver = Receiver(self, session_description("VP8", key, receiver_at), [receiver_at.port])
        attacker = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        attacker.bind(("127.0.0.1", 0))
        self.addCleanup(attacker.close)
        ports = [listen.port, listen.port + 1, runneld.media_port]
        lines_before = len(runneld.child.lines)
        attacks = 0

        def between_hostile_ones(datagram: bytes) -> list[bytes]:
            """Each packet also comes forged before it, and replayed, re-tagged and cut after it."""
            nonlocal attacks
            for port in ports:
                for hostile in hostile_datagrams():
                    attacker.sendto(hostile, ("127.0.0.1", port))
                    attacks += 1
            forged_later = (
                datagram[:2]
                + struct.pack("!H", RtpHeader.of(datagram).sequence + 5 & 0xFFFF)
                + datagram[4:]
            )
            retagged = datagram[:-1] + bytes([datagram[-1] ^ 1])
            return [forged_later, retagged, datagram, datagram, retagged, datagram[:-4]]

        proxy = Proxy(self, listen.port, between_hostile_ones)
        publish(self, clip, source_key, Address(proxy.port), ssrc=SSRC)

        self.assertEqual(receiver.video_hashes(), clip.video_hashes()[:60])
        self.assertGreater(attacks, 5000)
        statistics = "\n".join(runneld.statistics())
        for reason in ("authentication_failed", "replayed", "malformed", "not_rtp", "oversized"):
            self.assertIn(reason, statistics)
        attacker.setblocking(False)
        self.assertRaises(BlockingIOError, attacker.recv, 65536)
        self.assertLess(len(runneld.child.lines) - lines_before, 50)
        self.assertEqual(runneld.stop(), 0)

    def test_a_wrong_key_is_said_in_one_line(self):
        listen, receiver_at = Address(free_port_pair()), Address(free_port_pair())
        runneld = Runneld(
            self,
            relay(
                leg(Key.fresh(), video_from("VP8", listen)), leg(Key.fresh(), video_to(receiver_at))
            ),
        )
        lines_before = len(runneld.child.lines)

        publish(self, Clip.of("VP8"), Key.fresh(), listen).await_exit()

        said = [
            line for line in runneld.child.lines[lines_before:] if "fail authentication" in line
        ]
        self.assertEqual(len(said), 1, runneld.child)
        self.assertIn("camera", said[0])
        self.assertIn("authentication_failed", "\n".join(runneld.statistics()))


if __name__ == "__main__":
    unittest.main()
