"""WebRTC over other networks than loopback: IPv6 alone, TCP alone, a NAT that changes its mind."""

import unittest

from harness.browser import Browser, Tab
from harness.colours import camera, microphone
from harness.namespaces import BehindNat, Neighbours, needs
from harness.runneld import Runneld


class WebRtcNetworks(unittest.TestCase):
    def start(self, network) -> tuple[Tab, Tab]:
        """A stream from one tab to another, by a server in the other namespace."""
        self.runneld = Runneld.in_network(self, network)
        browser = Browser(
            self,
            camera=camera("640x360"),
            microphone=microphone(),
            prefix=network.client.prefix,
        )
        publisher, viewer = browser.tab("publisher"), browser.tab("viewer")
        publisher.publish(self.runneld.url("whip/studio"))
        viewer.watch(self.runneld.url("whep/studio"))
        viewer.await_camera()
        viewer.await_frames(20)
        return publisher, viewer

    def goes_by(self, network, *tabs: Tab, protocol: str = "udp"):
        for tab in tabs:
            statistics = tab.statistics()
            self.assertEqual(statistics["remote"], network.address)
            self.assertEqual(statistics["protocol"], protocol)

    def test_ipv6_alone(self):
        network = Neighbours(self, "fd00:198:18::1", "fd00:198:18::2")
        self.goes_by(network, *self.start(network))

    def start_by_tcp(self) -> Neighbours:
        needs(self, "nft")
        network = Neighbours(self)
        network.server.nft(
            "table ip filter { chain in { type filter hook input priority 0;"
            " meta l4proto udp drop; }; }"
        )
        self.goes_by(network, *self.start(network), protocol="tcp")
        return network

    def test_udp_is_dropped_and_media_goes_by_tcp(self):
        self.start_by_tcp()

    def test_a_connection_by_tcp_that_is_reset_is_told_as_that(self):
        network = self.start_by_tcp()
        network.server.nft(
            "table ip resets { chain in { type filter hook input priority -1;"
            f" tcp dport {self.runneld.signalling_port} tcp flags & rst == 0"
            " reject with tcp reset; }; }"
        )
        for peer in (1, 2):
            self.runneld.child.await_line(rf"\bpeer {peer}\b.* has lost its way: .* was closed")
        self.assertIsNone(self.runneld.child.find("cannot reach"))

    def test_a_symmetric_nat_that_rebinds_in_the_middle(self):
        """Both tabs are behind it; they go on by the next check of each, every few seconds."""
        network = BehindNat(self)
        publisher, viewer = self.start(network)
        network.rebind()
        for peer in (1, 2):
            self.runneld.child.await_line(rf"\bpeer {peer}\b.* has moved")
        viewer.await_frames(30)
        viewer.await_camera()
        self.goes_by(network, publisher, viewer)


if __name__ == "__main__":
    unittest.main()
