"""Two hundred viewers by WHEP, each with ICE, DTLS and SRTP of its own (tests/load)."""

import json
import os
import unittest

from harness.children import Child
from harness.ffmpeg import Clip
from harness.live_clip import publish_clip
from harness.rest import call
from harness.runneld import Runneld

LOAD = os.environ.get("WHEP_LOAD", "build/release/tests/load/whep_load")
VIEWERS, SECONDS = 200, 5


class ManyViewers(unittest.TestCase):
    def sent(self, runneld: Runneld) -> int:
        """Packets to all viewers so far."""
        answer = call(runneld.signalling_port, "GET", "/v1/streams/studio")
        self.assertEqual(answer.status, 200, answer.text)
        present = sum(t["packets"] for leg in answer.json["to"] for t in leg["tracks"])
        return present + answer.json["departed"]["packets"]

    def test_all_receive_the_same_stream(self):
        runneld = Runneld(self)
        publish_clip(self, runneld, "studio", Clip.of("VP8"), sounds=True)
        options = f"--stream studio --subscribers {VIEWERS} --seconds {SECONDS}".split()
        load = Child(self, LOAD, "--server", f"http://{runneld.signalling_at}", *options)
        load.await_line("^joined$", seconds=60)
        packets, cpu = self.sent(runneld), runneld.cpu_time()
        outcome = json.loads(load.await_line(r"^\{.*\}$")[0])
        packets, cpu = self.sent(runneld) - packets, runneld.cpu_time() - cpu
        print(f"{outcome}\n{cpu / packets * 1e6:.2f} µs of CPU time for each of {packets} packets")

        self.assertEqual(outcome["connected"], VIEWERS, outcome)
        self.assertEqual(outcome["receiving"], VIEWERS, outcome)
        self.assertEqual(outcome["faults"], 0, outcome)
        # 30 frames and 50 packets of sound each second.
        self.assertGreater(outcome["fewest_packets"], SECONDS * 60, outcome)
        self.assertLess(outcome["missing"], outcome["packets"] / 100, outcome)


if __name__ == "__main__":
    unittest.main()
