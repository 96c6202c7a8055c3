"""What strangers may do to the ports of WebRTC: memory stays small, and others are served."""

import http.client
import secrets
import socket
import struct
import unittest
from pathlib import Path

from harness.children import await_condition
from harness.rest import call
from harness.runneld import Runneld
from harness.unharmed import MIB, SLACK, UnharmedTestCase

OFFERS = Path(__file__).parents[1] / "vectors" / "sdp"
OFFER = (OFFERS / "chromium-sendonly-VP8.sdp").read_text()
HALF_OPEN = 10_000
# Tables of small numbers keep their size, and so do pages that something has been put into since.
LEFT_BY_A_CROWD = 16 * MIB
MAGIC_COOKIE = 0x2112A442  # RFC 8489 §5
BINDING_REQUEST, USERNAME, USE_CANDIDATE, MESSAGE_INTEGRITY = 0x0001, 0x0006, 0x0025, 0x0008


def check(username: bytes) -> bytes:
    """A connectivity check as it would come, of nobody who is known."""
    padded = username + bytes(-len(username) % 4)
    attributes = struct.pack("!HH", USERNAME, len(username)) + padded
    attributes += struct.pack("!HH", USE_CANDIDATE, 0)
    attributes += struct.pack("!HH", MESSAGE_INTEGRITY, 20) + secrets.token_bytes(20)
    head = struct.pack("!HHI", BINDING_REQUEST, len(attributes), MAGIC_COOKIE)
    return head + secrets.token_bytes(12) + attributes


class Poster:
    """Offers on a connection that goes on."""

    def __init__(self, test: UnharmedTestCase, runneld: Runneld):
        self._connection = http.client.HTTPConnection(
            "127.0.0.1", runneld.signalling_port, timeout=60
        )
        test.addCleanup(self._connection.close)

    def post(self, path: str, body: str = OFFER) -> http.client.HTTPResponse:
        self._connection.request("POST", path, body, {"Content-Type": "application/sdp"})
        response = self._connection.getresponse()
        response.text = response.read().decode()
        return response


class WebRtcAttacks(UnharmedTestCase):
    def test_ten_thousand_sessions_that_never_connect(self):
        """One more is told to come later; all are gone in time, and so is their memory."""
        runneld = Runneld(
            self,
            limits={
                "streams": 2 * HALF_OPEN,
                "sessions": 2 * HALF_OPEN,
                "sessions_per_client": 2 * HALF_OPEN,
                "peers": HALF_OPEN,
                "connect_timeout": "15s",
                "requests_per_second": 100_000,
                "client_requests_per_second": 1_000_000,
            },
        )
        poster = Poster(self, runneld)
        before = self.memory(runneld)

        self.fill(poster)
        first = runneld.resident_memory()
        self.assertLess(first - before, HALF_OPEN * 48 * 1024)
        last = f"/v1/streams/half-open-{HALF_OPEN - 1}"
        await_condition(
            lambda: call(runneld.signalling_port, "GET", last).status == 404,
            "the last has timed out",
            seconds=60,
        )
        print(f"{(first - before) / HALF_OPEN / 1024:.1f} KiB for each of {HALF_OPEN} sessions")
        await_condition(
            lambda: runneld.resident_memory() - before < LEFT_BY_A_CROWD,
            "the memory of the crowd has gone back to the machine",
            seconds=30,
        )
        print(f"{(runneld.resident_memory() - before) / MIB:.1f} MiB stay when they are gone")
        self.fill(poster)
        self.assertLess(runneld.resident_memory() - first, SLACK)

    def fill(self, poster: Poster):
        for number in range(HALF_OPEN):
            answer = poster.post(f"/whip/half-open-{number}")
            self.assertEqual(answer.status, 201, answer.text)
        refused = poster.post("/whip/one-more")
        self.assertEqual(refused.status, 503)
        self.assertGreater(int(refused.headers["Retry-After"]), 0)

    def test_a_session_description_of_a_megabyte(self):
        runneld = Runneld(self)
        before = self.memory(runneld)
        for _ in range(20):
            large = OFFER + "a=x-filler:" + "y" * MIB + "\r\n"
            answer = Poster(self, runneld).post("/whip/large", large)
            self.assertEqual(answer.status, 413)
        lines = OFFER + "a=x-filler\r\n" * 15_000
        self.assertEqual(Poster(self, runneld).post("/whip/lines", lines).status, 400)
        self.stays_small(runneld, before, SLACK)
        self.still_relays(runneld)

    def test_checks_of_strangers_are_not_answered_and_leave_nothing(self):
        runneld = Runneld(self)
        before = self.memory(runneld)
        lines = len(runneld.child.lines)
        stranger = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.addCleanup(stranger.close)
        stranger.connect(("127.0.0.1", runneld.media_port))
        for number in range(50_000):
            stranger.send(check(f"{number:08}:them".encode()))
        self.stays_small(runneld, before, SLACK)
        self.still_relays(runneld)  # it has looked at all of them
        stranger.setblocking(False)
        with self.assertRaises((BlockingIOError, ConnectionRefusedError)):
            stranger.recv(2048)
        self.assertLess(len(runneld.child.lines), lines + 50)


if __name__ == "__main__":
    unittest.main()
