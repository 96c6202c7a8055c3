"""What WebRTC lives through: packets that get lost, publishers that go and come back."""

import unittest

from harness.browser import Browser, Tab
from harness.colours import camera, microphone
from harness.namespaces import Neighbours, needs
from harness.rest import call
from harness.runneld import Runneld


class WebRtcLosses(unittest.TestCase):
    def test_lost_packets_are_sent_again(self):
        """One packet in twenty is lost on the way to each viewer and on the way from the publisher;
        both ask for them, and the picture goes on."""
        needs(self, "nft")
        network = Neighbours(self)
        runneld = Runneld.in_network(self, network)
        browser = Browser(
            self,
            camera=camera("640x360"),
            microphone=microphone(),
            prefix=network.client.prefix,
        )
        publisher, viewer = browser.tab("publisher"), browser.tab("viewer")
        publisher.publish(runneld.url("whip/studio"), codec="VP8")
        viewer.watch(runneld.url("whep/studio"))
        viewer.await_camera()
        for namespace in (network.server, network.client):
            namespace.nft(
                "table ip loss { chain in { type filter hook input priority 0;"
                " meta l4proto udp numgen random mod 20 == 0 drop; }; }"
            )
        viewer.call("forgetFrames")
        viewer.await_frames(150)
        viewer.await_camera()
        shown = viewer.call("frames")
        print(f"{shown['count']} frames, the longest gap {shown['longestGap']:.0f} ms")
        self.assertLess(shown["longestGap"], 1500)
        self.assertGreater(viewer.statistics()["repaired"], 0)
        self.assertGreater(publisher.statistics()["sentAgain"], 0)

    def test_viewers_stay_while_the_publisher_is_away(self):
        """It ends its session and comes again; then its tab is gone without a word."""
        runneld = Runneld(self, signalling={"origins": ["*"]})
        browser = Browser(self, camera=camera("640x360"), microphone=microphone())
        publisher, viewer = browser.tab("publisher"), browser.tab("viewer")
        publisher.publish(runneld.url("whip/studio"), codec="VP8")
        viewer.watch(runneld.url("whep/studio"))
        viewer.await_frames(20)

        self.assertEqual(publisher.leave(), 200)
        publisher = browser.tab("second")
        publisher.publish(runneld.url("whip/studio"), codec="VP8")
        self.goes_on(viewer)

        publisher.close()
        browser.tab("third").publish(runneld.url("whip/studio?take_over=true"), codec="VP8")
        self.goes_on(viewer)

    def goes_on(self, viewer: Tab):
        viewer.bring_to_front()
        viewer.await_frames(30)
        viewer.await_camera()
        viewer.await_tone()


if __name__ == "__main__":
    unittest.main()
