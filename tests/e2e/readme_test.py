"""What the README tells people to copy works when it is copied."""

import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

from harness.children import Child
from harness.ports import await_bound
from harness.runneld import BINARY

README = Path(__file__).parents[2] / "README.md"


def blocks(language: str, heading: str) -> list[str]:
    """The code blocks of one language below a heading."""
    section = re.search(rf"^#+ {heading}\n(.*?)(?=^#+ |\Z)", README.read_text(), re.M | re.S).group(
        1
    )
    return re.findall(rf"^```{language}\n(.*?)^```", section, re.M | re.S)


class Readme(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "camera.yaml").write_text(blocks("yaml", "A relay")[0])
        (self.folder / "bin").mkdir()
        (self.folder / "bin/runneld").symlink_to(Path(BINARY).resolve())
        self.env = {**os.environ, "PATH": f"{self.folder}/bin:{os.environ['PATH']}"}

    def start(self, lines: str) -> Child:
        """The last of the lines becomes the process itself, so that it gets the signals."""
        *before, last = lines.replace("\\\n", " ").strip().splitlines()
        return Child(
            self,
            "bash",
            "-ec",
            "\n".join([f"cd {self.folder}", *before, f"exec {last}"]),
            env=self.env,
        )

    def start_relay(self):
        check, run = blocks("sh", "A relay")[0].strip().splitlines()
        checked = self.start(check)
        self.assertEqual(checked.await_exit(), 0, checked)
        self.start(run).await_line(r"\bready\b")

    def start_screen(self) -> Child:
        """The GStreamer receiver, with a counter of 60 frames in the place of a window."""
        screen = self.start(
            blocks("sh", "Receive")[1].replace("autovideosink", "identity eos-after=60 ! fakesink")
        )
        await_bound(6010)
        return screen

    def test_what_ffmpeg_publishes_reaches_both_receivers(self):
        self.start_relay()
        screen = self.start_screen()
        recorder = self.start(blocks("sh", "Receive")[0])
        await_bound(6004, 6006)

        self.start(blocks("sh", "Publish")[0])

        self.assertEqual(recorder.await_exit(), 0, recorder)
        self.assertGreater(self.frames_in("received.mkv"), 100)
        self.assertEqual(screen.await_exit(), 0, screen)

    def test_what_gstreamer_publishes_reaches_the_screen(self):
        self.start_relay()
        screen = self.start_screen()

        self.start(blocks("sh", "Publish")[1])

        self.assertEqual(screen.await_exit(), 0, screen)

    def test_what_is_published_by_signalling_reaches_the_python_program(self):
        start, publish = blocks("sh", "Signalling")
        (self.folder / "watch.py").write_text(blocks("python", "Signalling")[0])
        self.start(start).await_line(r"\bready\b")
        program = self.start("/usr/bin/python3 watch.py")

        self.start(publish)

        self.assertEqual(program.await_exit(), 0, program)
        self.assertIn("key frame", str(program))

    def frames_in(self, recording: str) -> int:
        counted = subprocess.run(
            [
                "ffprobe",
                "-v",
                "error",
                "-count_packets",
                "-select_streams",
                "v",
                "-show_entries",
                "stream=nb_read_packets",
                "-of",
                "csv=p=0",
                self.folder / recording,
            ],
            capture_output=True,
            text=True,
            check=True,
        )
        return int(counted.stdout.strip().rstrip(","))


if __name__ == "__main__":
    unittest.main()
