"""Child processes whose output can be awaited, and which never outlive the test."""

import ctypes
import re
import signal
import subprocess
import threading
import time
import unittest

PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None)


def await_condition(condition, what: str, seconds: float = 20):
    """Returns the first true value of condition(); fails the test when there is none in time."""
    deadline = time.monotonic() + seconds
    while not (value := condition()):
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {seconds} s: {what}")
        time.sleep(0.01)
    return value


class Child:
    """A process of which every line of output is kept."""

    def __init__(
        self,
        test: unittest.TestCase,
        *command: object,
        env: dict | None = None,
        stdin: int = subprocess.DEVNULL,
    ):
        self.command = [str(word) for word in command]
        self.process = subprocess.Popen(
            self.command,
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            env=env,
            preexec_fn=lambda: LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL),
        )
        self.lines: list[str] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        test.addCleanup(self.kill)

    def _read(self):
        for line in self.process.stdout:
            self.lines.append(line.rstrip("\n"))

    @property
    def output(self) -> str:
        return "\n".join(self.lines)

    def find(self, pattern: str, start: int = 0) -> re.Match | None:
        """The first match in the lines from `start` on."""
        return next((m for line in self.lines[start:] if (m := re.search(pattern, line))), None)

    def await_line(self, pattern: str, seconds: float = 20, start: int = 0) -> re.Match:
        def look():
            has_ended = self.process.poll() is not None
            if has_ended:
                self._reader.join()
            match = self.find(pattern, start)
            if not match and has_ended:
                raise AssertionError(f"ended without the line {pattern!r}:\n{self}")
            return match

        try:
            return await_condition(look, f"the line {pattern!r}", seconds)
        except AssertionError as error:
            raise AssertionError(f"{error}\n{self}") from None

    def send_signal(self, number: signal.Signals):
        self.process.send_signal(number)

    def await_exit(self, seconds: float = 30) -> int:
        try:
            code = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"has not ended within {seconds} s:\n{self}") from None
        self._reader.join()
        return code

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self._reader.join()
        self.process.stdout.close()
        if self.process.stdin:
            self.process.stdin.close()

    def __str__(self):
        return f"$ {' '.join(self.command)}\n{self.output}"
