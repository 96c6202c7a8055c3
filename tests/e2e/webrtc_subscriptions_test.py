"""One RTCPeerConnection of a browser with several subscriptions, which the server offers."""

import re
import unittest

from harness.browser import Browser
from harness.children import await_condition
from harness.colours import encoded_camera, is_camera, is_red, red
from harness.live_clip import publish_clip
from harness.runneld import Runneld
from harness.signalling import SignallingError, signalled_client


class WebRtcSubscriptions(unittest.TestCase):
    def setUp(self):
        self.runneld = Runneld(self)
        publish_clip(self, self.runneld, "camera", encoded_camera(), sounds=True)
        publish_clip(self, self.runneld, "red", red(), sounds=False)
        self.client = signalled_client(self, self.runneld)
        self.viewer = Browser(self).tab("viewer")

    def subscribe(self, stream: str, **peer) -> dict:
        answer = self.client.request("subscribe", stream=stream, leg={"webrtc": peer})
        self.take(answer["webrtc"])
        return answer

    def take(self, offer: dict):
        sdp = self.viewer.call("answer", offer["sdp"] if "sdp" in offer else offer["offer"])
        names = {name: offer[name] for name in ("peer", "generation")}
        self.client.request("answer", **names, sdp=sdp)

    def sees(self, subscribed: dict, is_right):
        """The stream of this subscription shows what it should, and goes on."""
        name = f"{subscribed['stream']}-{subscribed['leg']}"
        await_condition(lambda: self.viewer.call("lookAt", name), f"the stream {name}")
        await_condition(lambda: is_right(self.viewer.colours()), f"the colours of {name}")
        self.viewer.await_frames(15)

    def test_they_come_and_go(self):
        camera = self.subscribe("camera")
        peer = camera["webrtc"]["peer"]
        self.sees(camera, is_camera)
        self.viewer.await_tone()

        beside = self.subscribe("red", peer=peer)
        self.assertEqual(beside["webrtc"]["peer"], peer)
        self.sees(beside, is_red)
        self.sees(camera, is_camera)
        with self.assertRaises(SignallingError) as refused:
            stale = {"peer": peer, "generation": 1, "sdp": "v=0\r\n"}
            self.client.request("answer", **stale)
        self.assertEqual(refused.exception.code, "stale_answer")

        self.client.request("unsubscribe", leg=beside["leg"])
        self.take(self.client.await_event("offer", generation=3))
        self.sees(camera, is_camera)

        again = self.subscribe("red", peer=peer)
        self.sees(again, is_red)
        media = [re.findall("^m=", leg["webrtc"]["offer"], re.M) for leg in (beside, again)]
        self.assertEqual(*media)  # the m-line of the one that went is used again

        self.client.request("unsubscribe", leg=camera["leg"])
        self.client.request("unsubscribe", leg=again["leg"])
        self.client.await_event("peer_state", peer=peer, state="ended")


if __name__ == "__main__":
    unittest.main()
