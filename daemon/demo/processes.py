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


class Child:
    def __init__(self, name: str, command: list):
        self.name = name
        self._lines: collections.deque[str] = collections.deque(maxlen=500)
        # In a session of its own: Ctrl-C reaches the demo alone, which ends its children in order.
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
            preexec_fn=lambda: LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL),
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        for line in self.process.stdout:
            self._lines.append(line.rstrip("\n"))

    @property
    def lines(self) -> list[str]:
        return list(self._lines)

    def says(self, text: str) -> bool:
        return any(text in line for line in self.lines)

    def progress(self, key: str) -> int:
        """The newest value of a key in the output of ffmpeg -progress."""
        for line in reversed(self.lines):
            name, _, value = line.partition("=")
            if name == key and value.strip().isdigit():
                return int(value)
        return 0

    def check_alive(self):
        if self.process.poll() is not None:
            last_words = "\n".join(self.lines[-15:])
            raise DemoError(f"{self.name} has ended by itself.\n{last_words}")

    def await_true(self, what: str, condition, seconds: float = 10):
        deadline = time.monotonic() + seconds
        while not condition():
            self.check_alive()
            if time.monotonic() > deadline:
                last_words = "\n".join(self.lines[-15:])
                raise DemoError(f"{self.name} is not {what} in {seconds:.0f} s.\n{last_words}")
            time.sleep(0.02)

    def await_end(self, seconds: float = 3):
        """Makes the process end when it does not do so by itself."""
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._reader.join()

    def end(self, number: signal.Signals):
        if self.process.poll() is None:
            self.process.send_signal(number)
        self.await_end()
