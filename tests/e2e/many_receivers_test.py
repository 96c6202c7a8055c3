"""Receivers in numbers, and receivers that are not there, beside ones that must not notice."""

import collections
import socket
import struct
import threading
import unittest

from harness.ffmpeg import Address, Clip, Receiver, publish, session_description
from harness.keys import Key
from harness.ports import free_port_pair
from harness.runneld import Runneld, audio_from, audio_to, leg, relay, video_from, video_to
from harness.udp import RECEIVER_REPORT, Sink

RECEIVERS = 1000
EMPTY_REPORT = struct.pack("!BBHI", 0x80, RECEIVER_REPORT, 1, 0x44444444)
IP_PKTINFO, PKTINFO_SIZE = 8, 12  # of Linux; the socket module has no name for them


class Audience:
    """One socket on all of 127.0.0.0/8 that counts the datagrams to each of its addresses."""

    def __init__(self, test: unittest.TestCase):
        self.port = free_port_pair()
        self.received = collections.Counter()
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8 << 20)
        self._socket.setsockopt(socket.IPPROTO_IP, IP_PKTINFO, 1)
        self._socket.bind(("0.0.0.0", self.port))
        self._socket.settimeout(0.1)
        self._is_open = True
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        test.addCleanup(self._close)

    def _run(self):
        while self._is_open:
            try:
                _, ancillary, _, _ = self._socket.recvmsg(2048, socket.CMSG_SPACE(PKTINFO_SIZE))
            except TimeoutError:
                continue
            self.received[ancillary[0][2][8:12]] += 1

    def _close(self):
        self._is_open = False
        self._thread.join()
        self._socket.close()


class ManyReceivers(unittest.TestCase):
    def test_a_thousand_receivers_in_the_file(self):
        clip, source_key = Clip.of("VP8"), Key.fresh()
        video, audio = Address(free_port_pair()), Address(free_port_pair())
        audience = Audience(self)
        hosts = [f"127.1.{n // 250}.{n % 250 + 1}" for n in range(RECEIVERS - 2)]
        keys = [Key.fresh(), Key.fresh()]
        ends = [(Address(free_port_pair()), Address(free_port_pair())) for _ in keys]
        first, last = (leg(key, video_to(v), audio_to(a)) for key, (v, a) in zip(keys, ends))
        Runneld(
            self,
            relay(
                leg(source_key, video_from("VP8", video), audio_from(audio)),
                first,
                *(leg(Key.fresh(), audio_to(Address(audience.port, host))) for host in hosts),
                last,
            ),
        )
        receivers = [
            Receiver(
                self, session_description("VP8", key, v, a), [v.port, a.port], audio_packets=75
            )
            for key, (v, a) in zip(keys, ends)
        ]

        publish(self, clip, source_key, video, audio)

        for receiver in receivers:
            self.assertEqual(receiver.video_hashes(), clip.video_hashes()[:60])
            self.assertEqual(receiver.audio_hashes(), clip.audio_hashes()[:75])
        self.assertEqual(len(audience.received), len(hosts))

    def test_a_receiver_without_configured_address_shows_where_it_is(self):
        """Its first packet is an empty receiver report; from then on the stream goes there."""
        clip, source_key = Clip.of("VP8"), Key.fresh()
        listen, meeting_point = Address(free_port_pair()), Address(free_port_pair())
        medium = {"kind": "video", "listen": str(meeting_point), "rtcp_mux": True}
        Runneld(
            self,
            relay(
                leg(source_key, video_from("VP8", listen)),
                leg(None, medium, latch="first", allow=["127.0.0.0/8"]),
            ),
        )
        receiver = Sink(self)
        receiver.socket.sendto(EMPTY_REPORT, (meeting_point.host, meeting_point.port))

        publish(self, clip, source_key, listen)

        receiver.await_rtp(60)

    def test_an_unreachable_receiver_harms_nobody(self):
        """Nobody listens at one of them, so that each packet to it is answered by an ICMP error."""
        clip, source_key, key = Clip.of("VP8"), Key.fresh(), Key.fresh()
        listen, receiver_at, nobody = (Address(free_port_pair()) for _ in range(3))
        runneld = Runneld(
            self,
            relay(
                leg(source_key, video_from("VP8", listen)),
                leg(Key.fresh(), video_to(nobody)),
                leg(key, video_to(receiver_at)),
            ),
        )
        receiver = Receiver(self, session_description("VP8", key, receiver_at), [receiver_at.port])

        publish(self, clip, source_key, listen)

        self.assertEqual(receiver.video_hashes(), clip.video_hashes()[:60])
        lines = runneld.child.lines
        said = [line for line in lines if "cannot reach" in line and str(nobody) in line]
        self.assertEqual(len(said), 1, runneld.child)


if __name__ == "__main__":
    unittest.main()
