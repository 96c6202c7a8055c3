"""Streams of GStreamer through runneld: the suites that ffmpeg lacks, and key frames on request."""

import unittest

from harness import gstreamer
from harness.children import await_condition
from harness.ffmpeg import Address
from harness.keys import Key
from harness.ports import free_port_pair
from harness.runneld import Runneld, leg, relay, video_from, video_to


class GStreamerStreams(unittest.TestCase):
    def late_joiner_is_served(self, source_suite: str, receiver_suite: str):
        """The source makes no key frame but the first unless it is asked for one."""
        source_key = Key.fresh(source_suite)
        first_key, late_key = Key.fresh(receiver_suite), Key.fresh(receiver_suite)
        source_port, listen, first_port, late_port = (free_port_pair() for _ in range(4))
        runneld = Runneld(
            self,
            relay(
                leg(source_key, video_from("VP8", Address(listen), rtcp_mux=True)),
                leg(first_key, video_to(Address(first_port), rtcp_mux=True)),
                leg(late_key, video_to(Address(late_port), rtcp_mux=True)),
            ),
        )
        first = gstreamer.receive(self, first_port, runneld.media_port, first_key)
        sender = gstreamer.publish(self, source_port, listen, source_key)
        first.await_line("^frames 30$")
        requests_before = gstreamer.key_frame_requests(sender)

        late = gstreamer.receive(self, late_port, runneld.media_port, late_key)

        late.await_line("^frames 30$")
        self.assertGreater(gstreamer.key_frame_requests(sender), requests_before)
        frames_now = gstreamer.frames(first)
        await_condition(
            lambda: gstreamer.frames(first) >= frames_now + 15, "the first receiver goes on"
        )

    def test_late_joiner_with_aes_128_gcm(self):
        self.late_joiner_is_served("AEAD_AES_128_GCM", "AEAD_AES_128_GCM")

    def test_late_joiner_with_aes_256_gcm(self):
        self.late_joiner_is_served("AEAD_AES_256_GCM", "AEAD_AES_256_GCM")

    def test_late_joiner_with_aes_256_cm(self):
        self.late_joiner_is_served("AES_256_CM_HMAC_SHA1_80", "AES_256_CM_HMAC_SHA1_80")

    def test_late_joiner_with_another_suite_than_the_source(self):
        self.late_joiner_is_served("AES_CM_128_HMAC_SHA1_80", "AEAD_AES_256_GCM")


if __name__ == "__main__":
    unittest.main()
