"""A network interface that goes away and comes back, in a network namespace of the test's own."""

import ctypes
import subprocess
import unittest

from harness.ffmpeg import Address, Clip, Receiver, publish, session_description
from harness.keys import Key
from harness.ports import free_port_pair
from harness.runneld import Runneld, leg, relay, video_from, video_to
from harness.udp import Sink

CLONE_NEWNET = 0x40000000
INTERFACE, HOST = "veth-test", "198.18.0.1"  # a network for tests (RFC 2544)


def ip(*words: str):
    subprocess.run(["ip", *words], check=True)


def add_interface():
    ip("link", "add", INTERFACE, "type", "veth", "peer", "name", "veth-other")
    ip("address", "add", f"{HOST}/24", "dev", INTERFACE)
    ip("link", "set", INTERFACE, "up")


class Interface(unittest.TestCase):
    def setUp(self):
        if ctypes.CDLL(None).unshare(CLONE_NEWNET) != 0:
            self.skipTest("this user may not make a network namespace")
        ip("link", "set", "lo", "up")
        add_interface()

    def test_a_receiver_behind_it_returns_and_the_others_do_not_notice(self):
        clip, source_key, key = Clip.of("VP8"), Key.fresh(), Key.fresh()
        listen, steady = Address(free_port_pair()), Address(free_port_pair())
        behind = Sink(self, host="0.0.0.0")
        runneld = Runneld(
            self,
            relay(
                leg(source_key, video_from("VP8", listen)),
                leg(None, video_to(Address(behind.port, HOST))),
                leg(key, video_to(steady)),
            ),
            listen={"media": f"0.0.0.0:{free_port_pair()}", "signalling": []},
        )
        description = session_description("VP8", key, steady)
        receiver = Receiver(self, description, [steady.port], frames=90)
        publish(self, clip, source_key, listen)
        behind.await_rtp(30)

        ip("link", "delete", INTERFACE)
        runneld.child.await_line(rf"cannot reach .*{HOST}")
        received = len(behind.rtp_headers())
        add_interface()

        behind.await_rtp(received + 30)
        self.assertEqual(receiver.video_hashes(), clip.video_hashes()[:90])


if __name__ == "__main__":
    unittest.main()
