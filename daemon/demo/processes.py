"""Child processes of the demo: their output is kept, and none of them outlives the demo."""

import collections
import ctypes
import signal
import subprocess
import threading
import time

PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None)


class DemoError(Exception):
    """The demo cannot go on; the text says why."""


def _die_with_parent():
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


class Child:
    def __init__(self, name: str, command: list, env: dict | None = None):
        self.name = name
        self.lines: collections.deque[str] = collections.deque(maxlen=500)
        # A session of its own: Ctrl-C in the terminal reaches the demo alone, which ends its children in order.
        self.process = subprocess.Popen(
            [str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, errors="replace", env=env,
            start_new_session=True, preexec_fn=_die_with_parent)
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.append(line.rstrip("\n"))

    def await_line(self, text: str, seconds: float):
        deadline = time.monotonic() + seconds
        while not any(text in line for line in list(self.lines)):
            self.check_alive()
            if time.monotonic() > deadline:
                raise DemoError(f"{self.name} has not said '{text}' within {seconds:.0f} s:\n{self.last_words()}")
            time.sleep(0.02)

    def check_alive(self):
        if self.process.poll() is not None:
            raise DemoError(f"{self.name} has ended by itself:\n{self.last_words()}")

    def last_words(self) -> str:
        return "\n".join(list(self.lines)[-15:])

    def progress(self, key: str) -> int:
        """The newest value of a key in the output of ffmpeg -progress."""
        for line in reversed(list(self.lines)):
            name, _, value = line.partition("=")
            if name == key and value.strip().isdigit():
                return int(value)
        return 0

    def end(self, number: signal.Signals, seconds: float = 5) -> int:
        """Asks the process to end, and makes it end when it does not."""
        if self.process.poll() is None:
            self.process.send_signal(number)
            try:
                self.process.wait(seconds)
            except subprocess.TimeoutExpired:
                self.process.kill()
        return self.process.wait()
