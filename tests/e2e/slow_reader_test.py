"""Clients that never read what is sent to them: it is left out, or their connection ends."""

import contextlib
import unittest

from harness.children import await_condition
from harness.legs import audio_track, websocket
from harness.runneld import Runneld
from harness.signalling import SignallingClient, signalled_client
from harness.speaker import Speaker, heard
from harness.unharmed import MIB, SLACK, UnharmedTestCase
from harness.websocket import NO_CLOSE_CODE

# What is said about it has 8 KiB, and said so often it is more than the kernel takes for a reader.
WIDE_STREAM = {
    "stream": "wide",
    "tracks": [audio_track(name=f"a{n}", payload_type=96 + n, fmtp="x" * 450) for n in range(16)],
    "leg": websocket(),
}
REPETITIONS = 900

# Who reads in time to hear it is told so.
TOO_SLOW = (1013, NO_CLOSE_CODE)


def rtp_number(packet: bytes) -> int:
    """Which packet of a Speaker's with a voice of 1000 bytes it is."""
    return int(packet[12 + 1000 :])


class SlowReader(UnharmedTestCase):
    def test_a_reader_that_never_reads_its_media(self):
        """Ten thousand packets for it, and for one beside it that misses none."""
        runneld = Runneld(self)
        publisher, good = signalled_client(self, runneld), signalled_client(self, runneld)
        speaker = Speaker(publisher, "talk", b"x" * 1000)
        stuck = SignallingClient(self, runneld, reads=False, receive_buffer=65536)
        stuck.start("hello")
        stuck.start("subscribe", stream="talk", leg=websocket())
        await_condition(
            lambda: good.request("watch")["streams"][0]["subscribers"] == 1, "a subscription"
        )
        good_leg = good.request("subscribe", stream="talk", leg=websocket())
        before = self.memory(runneld)

        said = []
        for _ in range(100):
            said += speaker.say(100)
            await_condition(lambda: len(good.socket.binaries) == len(said), "packets")

        self.assertEqual(heard(good, good_leg), said)
        self.stays_small(runneld, before, 1 * MIB + SLACK)
        stuck.socket.start_reading()
        now = speaker.said

        def is_heard_and_told():
            """That it has missed something, a second after it was told so before."""
            speaker.say(1)
            told = [event["dropped_packets"] for event in stuck.events("slow_reader")]
            arrived = [message for message in stuck.media() if rtp_number(message.payload) >= now]
            return arrived and max(told, default=0) > 1000

        await_condition(is_heard_and_told, "what is said now, and how much it has missed")
        self.assertTrue(any(message.is_discontinuous for message in stuck.media()))
        self.still_relays(runneld)

    def test_a_reader_that_never_reads_its_answers(self):
        """They cannot be left out: its connection ends."""
        runneld = Runneld(self, limits={"requests_per_second": 100_000})
        signalled_client(self, runneld).request("publish", **WIDE_STREAM)
        stuck = SignallingClient(self, runneld, reads=False, receive_buffer=65536)
        stuck.start("hello")
        before = self.memory(runneld)
        with contextlib.suppress(OSError):
            for _ in range(REPETITIONS):
                stuck.start("watch", prefix="wide")
        signalled_client(self, runneld)
        self.stays_small(runneld, before, 1 * MIB + SLACK)
        stuck.socket.start_reading()
        self.assertIn(stuck.socket.await_close(), TOO_SLOW)
        self.still_relays(runneld)

    def test_a_reader_that_never_reads_its_events(self):
        """Likewise; another one with the same events beside it does not notice."""
        runneld = Runneld(self, limits={"requests_per_second": 100_000})
        stuck = SignallingClient(self, runneld, reads=False, receive_buffer=65536)
        stuck.start("hello")
        stuck.start("watch")
        watcher, publisher = signalled_client(self, runneld), signalled_client(self, runneld)
        watcher.request("watch")
        before = self.memory(runneld)
        for leg in range(1, REPETITIONS + 1):
            publisher.start("publish", **WIDE_STREAM)
            last = publisher.start("unpublish", leg=leg)
            if leg % 20 == 0:
                last.result()
        self.stays_small(runneld, before, 1 * MIB + SLACK)
        stuck.socket.start_reading()
        self.assertIn(stuck.socket.await_close(), TOO_SLOW)
        await_condition(
            lambda: len(watcher.events("stream", what="ended")) == REPETITIONS,
            "the other's events",
        )
        self.still_relays(runneld)


if __name__ == "__main__":
    unittest.main()
