"""The demo shows frames in and frames out, and leaves nothing behind."""

import re
import signal
import unittest
from pathlib import Path

from harness.children import Child, await_condition
from harness.runneld import BINARY

DEMO = Path(__file__).parents[2] / "daemon/demo/demo.py"


def children_of(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


class Demo(unittest.TestCase):
    def start(self, *options: object) -> Child:
        return Child(self, "/usr/bin/python3", "-B", DEMO, "--runneld", BINARY, *options)

    def test_every_frame_that_goes_in_comes_out(self):
        demo = self.start("--seconds", 5)

        self.assertEqual(demo.await_exit(60), 0, demo)
        total = re.search(r"(\d+) frames went in and (\d+) were decoded", demo.output)
        frames_in, frames_out = map(int, total.groups())
        self.assertGreater(frames_in, 100)
        self.assertEqual(frames_out, frames_in)

    def test_a_line_each_second_and_a_clean_end_by_ctrl_c(self):
        demo = self.start()
        demo.await_line(r"^ +3 s .*frames in +\d+ .*frames out +\d+ .*lost 0 ", 60)
        processes = children_of(demo.process.pid)
        self.assertEqual(len(processes), 3)

        demo.send_signal(signal.SIGINT)

        self.assertEqual(demo.await_exit(20), 0, demo)
        for process in processes:
            self.assertFalse(Path(f"/proc/{process}").exists())

    def test_nothing_is_left_when_the_demo_is_killed(self):
        demo = self.start()
        demo.await_line(r"^ +2 s ", 60)
        processes = children_of(demo.process.pid)

        demo.send_signal(signal.SIGKILL)

        await_condition(
            lambda: not any(Path(f"/proc/{process}").exists() for process in processes),
            "all processes of the demo have ended",
        )


if __name__ == "__main__":
    unittest.main()
