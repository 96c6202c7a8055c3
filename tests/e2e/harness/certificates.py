"""A certificate authority of the test, and a server's certificate of it."""

import ssl
import subprocess
import tempfile
import unittest
from pathlib import Path


class Certificates:
    """For localhost and 127.0.0.1."""

    def __init__(self, test: unittest.TestCase):
        folder = tempfile.TemporaryDirectory()
        test.addCleanup(folder.cleanup)
        self._folder = Path(folder.name)
        self.authority = self._folder / "ca.pem"
        names = "subjectAltName=DNS:localhost,IP:127.0.0.1"
        new = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2".split()
        self._openssl(*new, "-subj", "/CN=Test CA", "-keyout", "ca.key", "-out", "ca.pem")
        self._openssl(
            *new,
            *"-CA ca.pem -CAkey ca.key -subj /CN=localhost -keyout server.key".split(),
            *["-out", "server.pem", "-addext", names, "-addext", "basicConstraints=CA:FALSE"],
        )

    def _openssl(self, *arguments: str):
        subprocess.run(
            ["openssl", *arguments], cwd=self._folder, check=True, stderr=subprocess.DEVNULL
        )

    @property
    def configuration(self) -> dict:
        """What stands under `tls`."""
        return {
            "certificate": str(self._folder / "server.pem"),
            "key": str(self._folder / "server.key"),
        }

    @property
    def client_context(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=str(self.authority))
