"""Simulcast of Chromium: three encodings arrive, and a viewer goes down and up without a freeze."""

import unittest

from harness.browser import Browser
from harness.children import await_condition
from harness.colours import camera, microphone
from harness.rest import call
from harness.runneld import Runneld

HEIGHTS = {"l": 180, "m": 360, "h": 720}


class WebRtcSimulcast(unittest.TestCase):
    def encodings(self, runneld: Runneld, stream: str) -> dict[str, int]:
        """RID and height of those that flow."""
        answer = call(runneld.signalling_port, "GET", f"/v1/streams/{stream}").json
        video = next(track for track in answer["from"] if track["track"] == "video")
        return {e["rid"]: e.get("height") for e in video["encodings"] if e["flowing"]}

    def test_a_viewer_switches_between_three_encodings(self):
        runneld = Runneld(self, signalling={"origins": ["*"]})
        browser = Browser(self, camera=camera(), microphone=microphone())
        for codec in ("VP8", "VP9", "H264", "AV1"):
            with self.subTest(codec):
                self.switches(runneld, browser, codec)

    def switches(self, runneld: Runneld, browser: Browser, codec: str):
        publisher, viewer = browser.tab(f"{codec} out"), browser.tab(f"{codec} in")
        publisher.publish(runneld.url(f"whip/{codec}"), codec=codec, simulcast=True)
        runneld.child.await_line(f"{codec}: video has started")
        await_condition(
            lambda: self.encodings(runneld, codec) == HEIGHTS, "three encodings", seconds=40
        )
        viewer.watch(runneld.url(f"whep/{codec}"))
        self.shows(viewer, 720)
        viewer.call("forgetFrames")
        for wish, height in (({"rid": "l"}, 180), ({"maxHeight": 400}, 360), ({}, 720)):
            self.assertEqual(viewer.call("chooseLayer", wish), 200)
            self.shows(viewer, height)
            viewer.await_frames(30)
            viewer.await_camera()
        frames = viewer.call("frames")
        print(f"{codec}: {frames['count']} frames, the longest gap {frames['longestGap']:.0f} ms")
        self.assertLess(frames["longestGap"], 500)
        publisher.leave()
        publisher.close()
        viewer.close()

    def shows(self, viewer, height: int):
        await_condition(
            lambda: viewer.call("size")[1] == height, f"a height of {height}", seconds=30
        )


if __name__ == "__main__":
    unittest.main()
