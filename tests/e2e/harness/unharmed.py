"""What must hold whatever one client does: memory stays small, and others are served."""

import unittest

from harness.children import await_condition
from harness.legs import websocket
from harness.runneld import Runneld
from harness.signalling import PROTOCOL, TARGET, signalled_client
from harness.speaker import Speaker, heard
from harness.websocket import WebSocket

MIB = 1 << 20
# Of what is measured here, the allocator's own needs are a part.
SLACK = 8 * MIB


class UnharmedTestCase(unittest.TestCase):
    def connect(self, runneld: Runneld, **options) -> WebSocket:
        return WebSocket(self, runneld.signalling_port, TARGET, protocol=PROTOCOL, **options)

    def still_relays(self, runneld: Runneld):
        """A stream from one newcomer to another; and the daemon ends as it should."""
        publisher, listener = signalled_client(self, runneld), signalled_client(self, runneld)
        speaker = Speaker(publisher, "afterwards")
        answer = listener.request("subscribe", stream="afterwards", leg=websocket())
        said = speaker.say(50)
        await_condition(lambda: len(heard(listener, answer)) >= 50, "50 packets")
        self.assertEqual(heard(listener, answer), said)
        self.assertEqual(runneld.stop(), 0)

    @staticmethod
    def memory(runneld: Runneld) -> int:
        """Now, in bytes; stays_small looks at the peak from now on."""
        runneld.forget_peak_memory()
        return runneld.peak_memory()

    def stays_small(self, runneld: Runneld, before: int, bound: int):
        grown = runneld.peak_memory() - before
        print(f"memory grew by {grown / MIB:.1f} MiB at most")
        self.assertLess(grown, bound)
