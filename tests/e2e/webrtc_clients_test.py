"""WebRTC clients that are no browsers: webrtcbin of GStreamer, aiortc. They know no GCM."""

import re
import unittest

from harness.browser import Browser
from harness.children import Child, await_condition
from harness.colours import camera, is_red, microphone
from harness.namespaces import Neighbours
from harness.pages import SCRIPTS
from harness.runneld import Runneld

PEERS = SCRIPTS.parent / "peers"
CM = "AES_CM_128_HMAC_SHA1_80"


class WebRtcClients(unittest.TestCase):
    def setUp(self):
        """Between namespaces, since libnice does not connect to loopback."""
        self.network = Neighbours(self)
        address = self.network.address
        self.runneld = Runneld(
            self,
            host=address,
            signalling_host=address,
            prefix=self.network.server.prefix,
            signalling={"origins": ["*"]},
            auth={"open": True},
        )
        self.browser = Browser(
            self,
            camera=camera("640x360"),
            microphone=microphone(),
            prefix=self.network.client.prefix,
        )

    def peer(self, script: str, role: str, path: str) -> Child:
        command = ["/usr/bin/python3", "-B", PEERS / script, role, self.runneld.url(path)]
        return Child(self, *self.network.client.prefix, *command)

    def watches(self, script: str):
        """Chromium is what it sees and hears."""
        self.browser.tab("publisher").publish(self.runneld.url("whip/studio"), codec="VP8")
        peer = self.peer(script, "watch", "whep/studio")
        pattern = r"^connected (\d{2,}) (\d{2,}) (\d+),(\d+),(\d+)$"

        def sees_red():
            found = [match for line in peer.lines if (match := re.match(pattern, line))]
            return found and is_red([[int(part) for part in found[-1].groups()[2:]]])

        await_condition(sees_red, f"red pictures and sound:\n{peer}", seconds=40)
        self.runneld.child.await_line(rf"\bpeer 2\b.* is connected .*{CM}")

    def publishes(self, script: str, *, sounds: bool):
        """Chromium sees what it sends: everything is red."""
        self.peer(script, "publish", "whip/test")
        viewer = self.browser.tab("viewer")
        await_condition(lambda: self.is_live("test"), "a live stream", seconds=30)
        viewer.watch(self.runneld.url("whep/test"))
        await_condition(lambda: is_red(viewer.colours()), "a red picture", seconds=30)
        viewer.await_frames(20)
        if sounds:
            viewer.await_tone()
        self.runneld.child.await_line(rf"\bpeer 1\b.* is connected .*{CM}")

    def is_live(self, stream: str) -> bool:
        return bool(self.runneld.child.find(f"{stream}: video has started"))

    def test_webrtcbin_watches(self):
        self.watches("webrtcbin_peer.py")

    def test_webrtcbin_publishes(self):
        self.publishes("webrtcbin_peer.py", sounds=True)

    def test_aiortc_watches(self):
        self.watches("aiortc_peer.py")

    def test_aiortc_publishes(self):
        self.publishes("aiortc_peer.py", sounds=False)


if __name__ == "__main__":
    unittest.main()
