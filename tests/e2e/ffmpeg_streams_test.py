"""Streams of ffmpeg through runneld to ffmpeg: what is decoded equals the source bit for bit."""

import unittest

from harness.ffmpeg import Address, Clip, Receiver, publish, session_description
from harness.keys import Key
from harness.ports import free_port_pair
from harness.runneld import Runneld, audio_from, audio_to, leg, relay, video_from, video_to

TAG_80, TAG_32 = "AES_CM_128_HMAC_SHA1_80", "AES_CM_128_HMAC_SHA1_32"
PICTURES, SOUNDS = 60, 75


class FfmpegStreams(unittest.TestCase):
    def relayed(
        self,
        codec: str,
        source_key: Key | None,
        receiver_keys: list[Key | None],
        host: str = "127.0.0.1",
    ):
        """Publishes a clip; runneld sends it to one ffmpeg for each key; compares every frame."""
        clip = Clip.of(codec)

        def addresses() -> tuple[Address, Address]:
            return Address(free_port_pair(), host), Address(free_port_pair(), host)

        video, audio = addresses()
        outputs = [(key, *addresses()) for key in receiver_keys]
        runneld = Runneld(
            self,
            relay(
                leg(source_key, video_from(codec, video), audio_from(audio)),
                *(
                    leg(key, video_to(to_video), audio_to(to_audio))
                    for key, to_video, to_audio in outputs
                ),
            ),
        )
        receivers = [
            Receiver(
                self,
                session_description(codec, key, to_video, to_audio),
                [to_video.port, to_audio.port],
                frames=PICTURES,
                audio_packets=SOUNDS,
            )
            for key, to_video, to_audio in outputs
        ]

        publish(self, clip, source_key, video, audio)

        for receiver in receivers:
            self.assertEqual(receiver.video_hashes(), clip.video_hashes()[:PICTURES])
            self.assertEqual(receiver.audio_hashes(), clip.audio_hashes()[:SOUNDS])
            self.assertNotIn("HMAC mismatch", receiver.child.output)
        self.assertNotIn("authentication_failed", "\n".join(runneld.statistics()))

    def test_vp8_with_80_bit_tags_to_two_receivers(self):
        self.relayed("VP8", Key.fresh(TAG_80), [Key.fresh(TAG_80), Key.fresh(TAG_80)])

    def test_vp8_with_32_bit_tags_to_two_receivers(self):
        self.relayed("VP8", Key.fresh(TAG_32), [Key.fresh(TAG_32), Key.fresh(TAG_32)])

    def test_h264_with_80_bit_tags_to_two_receivers(self):
        self.relayed("H264", Key.fresh(TAG_80), [Key.fresh(TAG_80), Key.fresh(TAG_80)])

    def test_h264_with_32_bit_tags_to_two_receivers(self):
        self.relayed("H264", Key.fresh(TAG_32), [Key.fresh(TAG_32), Key.fresh(TAG_32)])

    def test_each_receiver_has_its_own_suite(self):
        self.relayed("VP8", Key.fresh(TAG_80), [Key.fresh(TAG_32), Key.fresh(TAG_80)])

    def test_one_receiver_gets_srtp_and_another_plain_rtp(self):
        self.relayed("VP8", Key.fresh(TAG_80), [Key.fresh(TAG_80), None])

    def test_plain_rtp_from_the_source_is_encrypted_for_the_receiver(self):
        self.relayed("H264", None, [Key.fresh(TAG_80)])

    def test_ipv6(self):
        self.relayed("VP8", Key.fresh(TAG_80), [Key.fresh(TAG_80)], host="::1")


if __name__ == "__main__":
    unittest.main()
