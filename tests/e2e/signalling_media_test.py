"""Media between SRTP and the WebSocket, on legs that signalling has made: equal bit for bit."""

import unittest

from harness.encoded_clip import IN_SRTP, frame_hashes, md5, payload_hashes, rtp_packets
from harness.ffmpeg import Address, Clip, Receiver, publish, session_description
from harness.keys import Key
from harness.legs import (
    SSRC,
    address_in,
    audio_track,
    channel_in,
    key_in,
    play_frames,
    play_packets,
    srtp,
    video_track,
    websocket,
)
from harness.ports import free_port_pair
from harness.runneld import Runneld
from harness.signalling import signalled_client
from harness.udp import RtpHeader

PICTURES = 60


class SignallingMedia(unittest.TestCase):
    def publish_by_srtp(self, client, codec: str, **fields) -> dict:
        """The leg that ffmpeg sends to, under an SSRC of its own choice."""
        tracks = [video_track(codec, ssrc=SSRC), audio_track(ssrc=SSRC + 1)]
        return client.request("publish", stream="camera", tracks=tracks, leg=srtp(), **fields)

    def start_ffmpeg(self, clip: Clip, published: dict):
        address = address_in(published)
        publish(self, clip, key_in(published), address, address, ssrc=SSRC, rtcp_mux=True)

    def receive_by_srtp(self, client, codec: str) -> Receiver:
        """An ffmpeg that decodes what a leg made by signalling sends to it."""
        key, at = Key.fresh(), Address(free_port_pair())
        receiver = Receiver(self, session_description(codec, key, at), [at.port], frames=PICTURES)
        leg = srtp(key=key.base64, to=str(at))
        answer = client.request("subscribe", stream="camera", tracks=[{"name": "video"}], leg=leg)
        self.assertEqual(key_in(answer), key)
        return receiver

    def packets_arrive(self, codec: str):
        clip, runneld = Clip.of(codec), Runneld(self)
        publisher, subscriber = signalled_client(self, runneld), signalled_client(self, runneld)
        published = self.publish_by_srtp(publisher, codec)
        answer = subscriber.request("subscribe", stream="camera", leg=websocket())
        self.assertEqual([t["name"] for t in answer["tracks"]], ["video", "audio"])

        self.start_ffmpeg(clip, published)

        sent = payload_hashes(rtp_packets(clip, SSRC, IN_SRTP))
        arrived = subscriber.await_media(len(sent), channel_in(answer))
        headers = [RtpHeader.of(message.payload) for message in arrived]
        self.assertEqual(payload_hashes(message.payload for message in arrived), sent)
        self.assertEqual({h.ssrc for h in headers}, {answer["tracks"][0]["ssrc"]})
        first = headers[0].sequence
        self.assertEqual(
            [h.sequence for h in headers], [first + n & 0xFFFF for n in range(len(sent))]
        )
        self.assertTrue(arrived[0].is_key_frame)
        self.assertFalse(any(message.is_discontinuous for message in arrived[1:]))
        sounds = subscriber.await_media(199, channel_in(answer, track=1))[:199]
        self.assertEqual(
            payload_hashes(message.payload for message in sounds), clip.audio_hashes()[:199]
        )

    def frames_arrive(self, codec: str):
        clip, runneld = Clip.of(codec), Runneld(self)
        client = signalled_client(self, runneld)
        published = self.publish_by_srtp(client, codec)
        answer = client.request("subscribe", stream="camera", leg=websocket("frame"))

        self.start_ffmpeg(clip, published)

        hashes = frame_hashes(clip)
        arrived = client.await_media(len(hashes) - 1, channel_in(answer))
        self.assertEqual(md5(message.payload for message in arrived), hashes[: len(arrived)])
        keys = [n for n, message in enumerate(arrived) if message.is_key_frame]
        self.assertEqual(keys, [0, 30, 60, 90])
        times = [message.timestamp_us for message in arrived]
        for n, time in enumerate(times):
            self.assertAlmostEqual(time - times[0], n * 1_000_000 / 30, delta=1000)
        sounds = client.await_media(150, channel_in(answer, track=1))[:150]
        self.assertEqual(md5(message.payload for message in sounds), clip.audio_hashes()[:150])

    def packets_are_published(self, codec: str):
        clip, runneld = Clip.of(codec), Runneld(self)
        client = signalled_client(self, runneld)
        published = client.request(
            "publish", stream="camera", tracks=[video_track(codec, ssrc=SSRC)], leg=websocket()
        )
        receiver = self.receive_by_srtp(client, codec)

        play_packets(client, clip, channel_in(published), SSRC)

        self.assertEqual(receiver.video_hashes(), clip.video_hashes()[:PICTURES])

    def frames_are_published(self, codec: str):
        clip, runneld = Clip.of(codec), Runneld(self)
        client = signalled_client(self, runneld)
        published = client.request(
            "publish", stream="camera", tracks=[video_track(codec)], leg=websocket("frame")
        )
        receiver = self.receive_by_srtp(client, codec)

        play_frames(client, clip, channel_in(published))

        self.assertEqual(receiver.video_hashes(), clip.video_hashes()[:PICTURES])

    def test_vp8_packets_arrive(self):
        self.packets_arrive("VP8")

    def test_h264_packets_arrive(self):
        self.packets_arrive("H264")

    def test_vp8_frames_arrive(self):
        self.frames_arrive("VP8")

    def test_h264_frames_arrive(self):
        self.frames_arrive("H264")

    def test_vp8_packets_are_published(self):
        self.packets_are_published("VP8")

    def test_h264_packets_are_published(self):
        self.packets_are_published("H264")

    def test_vp8_frames_are_published(self):
        self.frames_are_published("VP8")

    def test_h264_frames_are_published(self):
        self.frames_are_published("H264")

    def test_srtp_to_srtp_and_the_websocket_at_once(self):
        """One publication, three kinds of subscription; nobody has edited a file."""
        clip, runneld = Clip.of("VP8"), Runneld(self)
        client = signalled_client(self, runneld)
        published = self.publish_by_srtp(client, "VP8")
        receiver = self.receive_by_srtp(client, "VP8")
        packets = client.request("subscribe", stream="camera", leg=websocket())
        frames = client.request("subscribe", stream="camera", leg=websocket("frame"))

        self.start_ffmpeg(clip, published)

        self.assertEqual(receiver.video_hashes(), clip.video_hashes()[:PICTURES])
        sent = payload_hashes(rtp_packets(clip, SSRC, IN_SRTP))
        arrived = client.await_media(len(sent), channel_in(packets))
        self.assertEqual(payload_hashes(message.payload for message in arrived), sent)
        whole = client.await_media(119, channel_in(frames))
        self.assertEqual(
            md5(message.payload for message in whole), frame_hashes(clip)[: len(whole)]
        )

    def test_gcm_between_legs_made_by_signalling(self):
        """Runnel chooses the suite that the receiver likes best, and the key."""
        runneld = Runneld(self)
        client = signalled_client(self, runneld)
        self.publish_by_srtp(client, "VP8")
        leg = {
            "srtp": {
                "suites": ["AEAD_AES_256_GCM", "AES_CM_128_HMAC_SHA1_80"],
                "to": str(Address(free_port_pair())),
            }
        }
        answer = client.request("subscribe", stream="camera", leg=leg)
        self.assertEqual(answer["srtp"]["suite"], "AEAD_AES_256_GCM")
        self.assertEqual(len(key_in(answer).material), 44)


if __name__ == "__main__":
    unittest.main()
