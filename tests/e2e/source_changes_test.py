"""Sources that restart, wrap around and lose packets, and receivers that go on decoding."""

import signal
import unittest

from harness.ffmpeg import Address, Clip, Receiver, publish, session_description
from harness.keys import Key
from harness.ports import free_port_pair
from harness.runneld import Runneld, leg, relay, video_from, video_to
from harness.udp import Proxy, RtpHeader, Sink


class SourceChanges(unittest.TestCase):
    def setUp(self):
        self.clip = Clip.of("VP8")
        self.source_key, self.key = Key.fresh(), Key.fresh()
        self.listen, self.receiver_at = Address(free_port_pair()), Address(free_port_pair())

    def start(self, frames: int) -> tuple[Sink, Receiver]:
        """runneld with an observer of plain RTP and a receiver of SRTP."""
        observer = Sink(self)
        Runneld(
            self,
            relay(
                leg(self.source_key, video_from("VP8", self.listen)),
                leg(self.key, video_to(self.receiver_at)),
                leg(None, video_to(Address(observer.port))),
            ),
        )
        receiver = Receiver(
            self,
            session_description("VP8", self.key, self.receiver_at),
            [self.receiver_at.port],
            frames=frames,
        )
        return observer, receiver

    def test_a_source_restarts_under_a_new_ssrc(self):
        hashes = self.clip.video_hashes()
        observer, receiver = self.start(frames=120)
        first = publish(self, self.clip, self.source_key, self.listen, ssrc=0x11111111)
        observer.await_rtp(100)
        first.send_signal(signal.SIGKILL)  # no BYE: the source was torn away
        first.await_exit()

        publish(self, self.clip, self.source_key, self.listen, ssrc=0x33333333)

        received = receiver.video_hashes()
        self.assertEqual(received[:20], hashes[:20])
        self.assertTrue(
            any(received[k:] == hashes[: len(received) - k] for k in range(20, 61)),
            "from the restart on, every frame is decoded",
        )
        headers = observer.rtp_headers()
        self.assertEqual(len({header.ssrc for header in headers}), 1)
        self.assert_continuous(headers)

    def assert_continuous(self, headers: list[RtpHeader]):
        """Sequence numbers run on without gap or repetition, and time never runs back."""
        for before, after in zip(headers, headers[1:]):
            self.assertEqual(after.sequence, (before.sequence + 1) & 0xFFFF)
            self.assertLess((after.timestamp - before.timestamp) & 0xFFFFFFFF, 1 << 31)

    def starts_before_the_wrap(self, is_lost):
        """The source starts at 65500, and its packets that is_lost names never arrive."""
        hashes = self.clip.video_hashes()
        observer, receiver = self.start(frames=75)
        proxy = Proxy(
            self,
            self.listen.port,
            lambda datagram: [] if is_lost(RtpHeader.of(datagram).sequence) else [datagram],
        )

        publish(self, self.clip, self.source_key, Address(proxy.port), sequence=65500)

        received = receiver.video_hashes()
        second_group = hashes[30:60]
        self.assertTrue(
            any(received[k : k + 30] == second_group for k in range(len(received))),
            "the first group of pictures without loss is decoded whole",
        )
        sequences = [header.sequence for header in proxy.rtp_headers()]
        self.assertEqual(sequences[0], 65500)
        self.assertIn(0, sequences)
        self.assertLess(observer.rtp_headers()[0].sequence, 1 << 15)

    def test_the_first_packets_after_the_wrap_are_lost(self):
        self.starts_before_the_wrap(lambda sequence: sequence < 8)

    def test_everything_before_the_wrap_is_lost(self):
        """The first packet that arrives belongs to rollover counter 1, and nothing has said so."""
        self.starts_before_the_wrap(lambda sequence: sequence >= 65500 or sequence < 3)


if __name__ == "__main__":
    unittest.main()
