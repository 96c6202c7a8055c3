"""Browsers on one side, SRTP by ffmpeg or frames over a WebSocket on the other."""

import struct
import subprocess
import tempfile
import unittest
from pathlib import Path

from harness.browser import Browser
from harness.children import Child, await_condition
from harness.colours import CAMERA_PLACES, camera, encoded_camera, is_camera, microphone
from harness.ffmpeg import VIDEO_PAYLOAD_TYPE, Address, session_description
from harness.keys import Key
from harness.legs import srtp, websocket
from harness.live_clip import publish_clip
from harness.media_message import MediaMessage
from harness.ports import await_bound, free_port_pair
from harness.rest import call
from harness.runneld import Runneld
from harness.signalling import signalled_client

WIDTH, HEIGHT = 96, 54  # to which pictures are scaled before they are looked at
RAW = f"-vf scale={WIDTH}:{HEIGHT}:flags=area -pix_fmt rgb24 -f rawvideo".split()


def last_colours(raw: bytes) -> list[list[int]]:
    """At the places of the camera, in the last picture."""
    size = WIDTH * HEIGHT * 3
    picture = raw[len(raw) // size * size - size :]
    starts = [(int(y * HEIGHT) * WIDTH + int(x * WIDTH)) * 3 for x, y in CAMERA_PLACES]
    return [list(picture[start : start + 3]) for start in starts]


def ivf(frames: list[MediaMessage]) -> bytes:
    """VP8 as a file."""
    head = struct.pack("<4sHH4sHHIIII", b"DKIF", 0, 32, b"VP80", 640, 360, 1_000_000, 1, 0, 0)
    return head + b"".join(
        struct.pack("<IQ", len(frame.payload), frame.timestamp_us) + frame.payload
        for frame in frames
    )


class WebRtcBridges(unittest.TestCase):
    def setUp(self):
        self.runneld = Runneld(self, signalling={"origins": ["*"]})
        self.browser = Browser(self, camera=camera("640x360"), microphone=microphone())
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def post(self, path: str, wish: dict) -> dict:
        answer = call(self.runneld.signalling_port, "POST", f"/v1/streams/{path}", wish)
        self.assertIn(answer.status, (200, 201), answer.text)
        return answer.json

    def test_a_browser_watches_what_ffmpeg_sends_by_srtp(self):
        publish_clip(self, self.runneld, "studio", encoded_camera(), sounds=True)
        viewer = self.browser.tab("viewer")
        viewer.watch(self.runneld.url("whep/studio"))
        viewer.await_camera()
        viewer.await_tone()
        viewer.await_frames(30)

    def test_ffmpeg_and_a_websocket_get_what_a_browser_publishes(self):
        self.browser.tab("publisher").publish(self.runneld.url("whip/studio"), codec="VP8")
        self.runneld.child.await_line("studio: video has started")
        self.ffmpeg_decodes()
        self.frames_of_a_websocket_decode()

    def ffmpeg_decodes(self):
        key, at = Key.fresh(), Address(free_port_pair())
        description, raw = self.folder / "session.sdp", self.folder / "raw"
        description.write_text(session_description("VP8", key, at))
        command = "ffmpeg -nostdin -v warning -protocol_whitelist file,srtp,rtp,udp,crypto".split()
        command += ["-analyzeduration", "1000000", "-i", description, "-frames:v", "45", *RAW, raw]
        receiver = Child(self, *command)
        await_bound(at.port)
        leg = srtp(key=key.base64, to=str(at))
        tracks = [{"name": "video", "payload_type": VIDEO_PAYLOAD_TYPE}]
        self.post("studio/subscriptions", {"leg": leg, "tracks": tracks})
        self.assertEqual(receiver.await_exit(), 0, receiver)
        self.assertTrue(is_camera(last_colours(raw.read_bytes())), receiver)

    def frames_of_a_websocket_decode(self):
        client = signalled_client(self, self.runneld)
        answer = client.request(
            "subscribe", stream="studio", tracks=[{"name": "video"}], leg=websocket("frame")
        )
        channel = answer["tracks"][0]["channel"]
        frames = client.await_media(45, channel)
        self.assertTrue(frames[0].is_key_frame)
        command = "ffmpeg -v error -f ivf -i - -fps_mode passthrough".split()
        decoder = subprocess.run(
            [*command, *RAW, "-"], input=ivf(frames), capture_output=True, check=True
        )
        self.assertEqual(decoder.stderr, b"")
        self.assertEqual(len(decoder.stdout), len(frames) * WIDTH * HEIGHT * 3)
        self.assertTrue(is_camera(last_colours(decoder.stdout)))


if __name__ == "__main__":
    unittest.main()
