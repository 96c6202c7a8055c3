"""Browsers with a page of tests/e2e/browser, which is served from loopback."""

import functools
import http.server
import signal
import subprocess
import threading
import unittest
from pathlib import Path
from urllib.parse import urlencode

from harness.children import Child

SCRIPTS = Path(__file__).parent.parent / "browser"


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class Pages:
    """A web server of its own origin."""

    def __init__(self, test: unittest.TestCase):
        handler = functools.partial(_Quiet, directory=SCRIPTS)
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()
        test.addCleanup(self._stop)

    def _stop(self):
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def url(self, **wish: str) -> str:
        return f"{self.origin}/page.html?{urlencode(wish)}"


def node(
    test: unittest.TestCase,
    script: str,
    *arguments: object,
    prefix: tuple[str, ...] = (),
    **options,
) -> Child:
    """Ends with the test, together with the browser that it has started."""
    child = Child(test, *prefix, "node", SCRIPTS / script, *arguments, **options)

    def end():
        child.send_signal(signal.SIGTERM)
        try:
            child.process.wait(10)
        except subprocess.TimeoutExpired:
            pass  # it is killed after this

    test.addCleanup(end)
    return child
