"""Browsers publish by WHIP and watch by WHEP: what is decoded has the right colours and tone."""

import unittest

from harness.browser import Browser, Tab
from harness.colours import camera, microphone
from harness.namespaces import Neighbours
from harness.runneld import Runneld

GCM = "SRTP_AEAD_AES_128_GCM"


class WebRtcBrowsers(unittest.TestCase):
    def plays_well(self, viewer: Tab):
        viewer.await_camera()
        viewer.await_tone()
        before = viewer.statistics()["framesDecoded"]
        viewer.await_frames(20)
        self.assertGreater(viewer.statistics()["framesDecoded"], before)

    def test_chromium_publishes_each_codec_and_watches(self):
        runneld = Runneld(self, signalling={"origins": ["*"]})
        browser = Browser(self, camera=camera(), microphone=microphone())
        for codec in ("VP8", "VP9", "H264", "AV1"):
            with self.subTest(codec):
                publisher, viewer = browser.tab(f"{codec} out"), browser.tab(f"{codec} in")
                publisher.publish(runneld.url(f"whip/{codec}"), codec=codec)
                viewer.watch(runneld.url(f"whep/{codec}"))
                self.plays_well(viewer)
                statistics = viewer.statistics()
                self.assertEqual(statistics["codec"], f"video/{codec}")
                self.assertEqual(statistics["srtpCipher"], GCM)
                self.assertEqual(viewer.leave(), 200)
                self.assertEqual(publisher.leave(), 200)
                publisher.close()
                viewer.close()

    def test_a_viewer_lets_the_server_offer(self):
        runneld = Runneld(self, signalling={"origins": ["*"]})
        browser = Browser(self, camera=camera(), microphone=microphone())
        browser.tab("publisher").publish(runneld.url("whip/studio"))
        runneld.child.await_line("studio: video has started")
        viewer = browser.tab("viewer")
        status = viewer.call("watchWhatIsOffered", runneld.url("whep/studio"))
        self.assertEqual(status, 204)
        self.plays_well(viewer)

    def test_sound_alone(self):
        """The viewer asks for pictures too, and is told that there are none."""
        runneld = Runneld(self, signalling={"origins": ["*"]})
        browser = Browser(self, microphone=microphone())
        browser.tab("publisher").publish(runneld.url("whip/radio"), source="microphone")
        runneld.child.await_line("radio: audio has started")
        listener = browser.tab("listener")
        answer = listener.watch(runneld.url("whep/radio"))
        self.assertRegex(answer, r"(?s)m=video .*a=inactive")
        listener.await_tone()

    def test_firefox_and_chromium_watch_each_other(self):
        """Between namespaces, since Firefox does not connect to loopback."""
        network = Neighbours(self)
        runneld = Runneld.in_network(self, network)
        firefox = Browser(self, "firefox", prefix=network.client.prefix)
        chromium = Browser(
            self, camera=camera(), microphone=microphone(), prefix=network.client.prefix
        )
        for publisher, viewer, source in (
            (chromium.tab("publisher"), firefox.tab("viewer"), "camera"),
            (firefox.tab("publisher"), chromium.tab("viewer"), "canvas"),
        ):
            with self.subTest(source):
                publisher.publish(runneld.url(f"whip/{source}"), codec="VP8", source=source)
                viewer.watch(runneld.url(f"whep/{source}"))
                self.plays_well(viewer)


if __name__ == "__main__":
    unittest.main()
