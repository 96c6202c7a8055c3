"""A browser whose tabs do what the test says: publish by WHIP, watch by WHEP, look and listen."""

import itertools
import json
import subprocess
import unittest
from pathlib import Path

from harness.children import await_condition
from harness.colours import CAMERA_PLACES, is_camera
from harness.pages import node

TONE = 1000  # Hz, of all that is published


class TabError(Exception):
    """What went wrong in a tab."""


class Browser:
    """`camera` and `microphone` are files that Chromium's fake devices play."""

    def __init__(
        self,
        test: unittest.TestCase,
        name: str = "chrome",
        *args: str,
        camera: Path | None = None,
        microphone: Path | None = None,
        prefix: tuple[str, ...] = (),
    ):
        """`prefix` is a command that runs it, such as in a network namespace."""
        options = []
        if name == "chrome":
            options = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]
        if camera:
            options.append(f"--use-file-for-fake-video-capture={camera}")
        if microphone:
            options.append(f"--use-file-for-fake-audio-capture={microphone}")
        self.child = node(
            test, "directed.js", name, *options, *args, prefix=prefix, stdin=subprocess.PIPE
        )
        self._numbers = itertools.count(1)
        self._answers: dict[int, dict] = {}
        self._seen = 0
        self.child.await_line("^ready$", seconds=60)

    def tab(self, name: str) -> "Tab":
        return Tab(self, name)

    def start(self, **order) -> int:
        number = next(self._numbers)
        self.child.process.stdin.write(json.dumps({"id": number, **order}) + "\n")
        self.child.process.stdin.flush()
        return number

    def answer(self, number: int, seconds: float):
        def look():
            if self.child.process.poll() is not None:
                raise AssertionError(f"the browser has ended:\n{self.child}")
            lines = self.child.lines[self._seen :]
            self._seen += len(lines)
            for line in lines:
                if line.startswith("answer "):
                    answer = json.loads(line.removeprefix("answer "))
                    self._answers[answer["id"]] = answer
            return self._answers.get(number)

        answer = await_condition(look, f"an answer of the browser:\n{self.child}", seconds)
        if "error" in answer:
            raise TabError(answer["error"])
        return answer.get("value")


class Tab:
    def __init__(self, browser: Browser, name: str):
        self._browser, self._name = browser, name

    def start(self, function: str, *values) -> int:
        return self._browser.start(tab=self._name, call=function, **{"with": values})

    def call(self, function: str, *values, seconds: float = 40):
        return self._browser.answer(self.start(function, *values), seconds)

    def publish(self, url: str, **options) -> str:
        return self.call("publish", url, options)

    def watch(self, url: str) -> str:
        return self.call("watch", url)

    def leave(self) -> int:
        return self.call("leave")

    def statistics(self) -> dict:
        return self.call("statistics")

    def await_frames(self, count: int, seconds: float = 30) -> dict:
        """As many more as now have been shown."""
        start = self.call("frames")["count"]
        return await_condition(
            lambda: (now := self.call("frames"))["count"] >= start + count and now,
            f"{count} more frames in {self._name}",
            seconds,
        )

    def await_camera(self, seconds: float = 30):
        """The picture has the colours of the camera in their places."""
        await_condition(
            lambda: is_camera(self.colours()), f"the colours of the camera in {self._name}", seconds
        )

    def colours(self) -> list:
        return self.call("colours", CAMERA_PLACES)

    def await_tone(self, hertz: float = TONE, seconds: float = 30):
        heard: list[dict] = []

        def look():
            heard.append(self.call("tone"))
            return heard[-1]["decibels"] > -60 and abs(heard[-1]["hertz"] - hertz) < 12

        try:
            await_condition(look, f"a tone of {hertz} Hz", seconds)
        except AssertionError as error:
            raise AssertionError(f"{error}; heard {heard[-3:]}") from None

    def bring_to_front(self):
        """Chromium shows no frames in tabs behind others."""
        self._browser.answer(self._browser.start(tab=self._name, front=True), 20)

    def close(self):
        self._browser.answer(self._browser.start(tab=self._name, close=True), 20)
