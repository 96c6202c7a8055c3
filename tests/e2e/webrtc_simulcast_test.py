"""Simulcast of browsers: three encodings arrive, and a viewer goes down and up without a freeze."""

import unittest

from harness.browser import Browser, Tab
from harness.children import await_condition
from harness.colours import camera, microphone
from harness.ports import outer_address
from harness.rest import call
from harness.runneld import Runneld

HEIGHTS = {"l": 180, "m": 360, "h": 720}  # of the camera
CANVAS_HEIGHTS = {"l": 90, "m": 180, "h": 360}


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
        self.goes_down_and_up(runneld, viewer, codec, HEIGHTS)
        publisher.leave()
        publisher.close()
        viewer.close()

    def test_firefox_sends_three_encodings(self):
        """It has no dealings with loopback."""
        host = outer_address()
        if host is None:
            self.skipTest("this machine has no address besides loopback")
        runneld = Runneld(self, host=host, signalling={"origins": ["*"]})
        firefox, chromium = Browser(self, "firefox"), Browser(self)
        firefox.tab("publisher").publish(
            runneld.url("whip/fox"), codec="VP8", source="canvas", simulcast=True
        )
        self.goes_down_and_up(runneld, chromium.tab("viewer"), "fox", CANVAS_HEIGHTS)

    def goes_down_and_up(self, runneld: Runneld, viewer: Tab, stream: str, heights: dict[str, int]):
        runneld.child.await_line(f"{stream}: video has started", seconds=40)
        await_condition(
            lambda: self.encodings(runneld, stream) == heights, "three encodings", seconds=40
        )
        viewer.watch(runneld.url(f"whep/{stream}"))
        low, middle, high = heights.values()
        self.shows(viewer, high)
        viewer.call("forgetFrames")
        for wish, height in (({"rid": "l"}, low), ({"maxHeight": middle + 40}, middle), ({}, high)):
            self.assertEqual(viewer.call("chooseLayer", wish), 200)
            self.shows(viewer, height)
            viewer.await_frames(30)
            viewer.await_camera()
        frames = viewer.call("frames")
        print(f"{stream}: {frames['count']} frames, the longest gap {frames['longestGap']:.0f} ms")
        self.assertLess(frames["longestGap"], 500)

    def shows(self, viewer, height: int):
        await_condition(
            lambda: viewer.call("size")[1] == height, f"a height of {height}", seconds=30
        )


if __name__ == "__main__":
    unittest.main()
