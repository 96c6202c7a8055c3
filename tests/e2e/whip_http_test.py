"""WHIP and WHEP as HTTP: what runneld answers to offers of real clients, without any media."""

import json
import unittest
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from harness.ports import free_port_pair, free_tcp_port
from harness.runneld import Runneld

OFFERS = Path(__file__).parents[1] / "vectors" / "sdp"
SDP = {"Content-Type": "application/sdp"}
FRAGMENT = {"Content-Type": "application/trickle-ice-sdpfrag"}
RESTART = (
    "m=audio 9 UDP/TLS/RTP/SAVPF 111\r\na=mid:0\r\n"
    "a=ice-ufrag:ysXw\r\na=ice-pwd:vw5LmwG4y/e6dPP/zAP9Gp5k\r\n"
)


def offer(name: str) -> str:
    return (OFFERS / f"{name}.sdp").read_text()


class Answered:
    """A response, whatever its status."""

    def __init__(self, response):
        self.status = response.status
        self.headers = response.headers
        self.body = response.read().decode()


class WhipHttp(unittest.TestCase):
    def setUp(self):
        port = free_tcp_port()
        self.base = f"http://127.0.0.1:{port}"
        listen = {"media": f"127.0.0.1:{free_port_pair()}", "signalling": f"127.0.0.1:{port}"}
        Runneld(self, listen=listen, signalling={"origins": ["https://app.example"]})

    def ask(self, method: str, path: str, headers=None, body: str = "") -> Answered:
        request = Request(
            self.base + path, method=method, headers=headers or {}, data=body.encode() or None
        )
        try:
            with urlopen(request, timeout=10) as response:
                return Answered(response)
        except HTTPError as error:
            with error:
                return Answered(error)

    def publish(self) -> Answered:
        made = self.ask("POST", "/whip/cam", SDP, offer("chromium-sendonly-VP8"))
        self.assertEqual(made.status, 201, made.body)
        return made

    def test_publication_from_offer_to_delete(self):
        made = self.publish()
        path, tag = made.headers["Location"], made.headers["ETag"]
        self.assertRegex(path, r"^/whip/cam/[\w-]{22}$")
        self.assertIn("a=candidate:", made.body)
        match = FRAGMENT | {"If-Match": tag}
        self.assertEqual(self.ask("PATCH", path, match, "a=end-of-candidates\r\n").status, 204)
        self.assertEqual(self.ask("PATCH", path, FRAGMENT, RESTART).status, 428)
        restarted = self.ask("PATCH", path, FRAGMENT | {"If-Match": "*"}, RESTART)
        self.assertEqual(restarted.status, 200, restarted.body)
        self.assertNotEqual(restarted.headers["ETag"], tag)
        self.assertEqual(self.ask("PATCH", path, match, "a=end-of-candidates\r\n").status, 412)
        self.assertEqual(self.ask("DELETE", path).status, 200)
        self.assertEqual(self.ask("DELETE", path).status, 404)

    def test_refusals_say_why(self):
        self.assertEqual(self.ask("POST", "/whip/cam", {}, offer("obs-whip")).status, 415)
        broken = self.ask("POST", "/whip/cam", SDP, "v=0\r\nrubbish\r\n")
        self.assertEqual(broken.status, 400)
        self.assertEqual(json.loads(broken.body)["code"], "bad_sdp")
        self.assertIn("line 2", broken.body)
        idle = self.ask("POST", "/whep/cam", SDP, offer("chromium-recvonly"))
        self.assertEqual(idle.status, 409)
        self.assertTrue(idle.headers["Retry-After"])
        huge = self.ask("POST", "/whip/cam", SDP, "v=0\r\n" + "a=x\r\n" * 200_000)
        self.assertEqual(huge.status, 413)

    def test_pages_of_listed_origins_may_use_it(self):
        page = {"Origin": "https://app.example"}
        asked = page | {"Access-Control-Request-Method": "PATCH"}
        preflight = self.ask("OPTIONS", "/whip/cam", asked)
        self.assertEqual(preflight.status, 204)
        self.assertIn("If-Match", preflight.headers["Access-Control-Allow-Headers"])
        made = self.ask("POST", "/whip/cam", SDP | page, offer("firefox-sendonly-VP8"))
        self.assertEqual(made.status, 201, made.body)
        for name in ("Location", "ETag", "Link"):
            self.assertIn(name, made.headers["Access-Control-Expose-Headers"])
        stranger = {"Origin": "https://elsewhere.example"}
        self.assertEqual(self.ask("POST", "/whip/other", SDP | stranger).status, 403)

    def test_viewer_reads_events_until_its_session_ends(self):
        self.publish()
        made = self.ask("POST", "/whep/cam", SDP, offer("chromium-recvonly"))
        self.assertEqual(made.status, 201, made.body)
        session = made.headers["Location"]
        events = self.ask("POST", session + "/events").headers["Location"]
        with urlopen(self.base + events, timeout=10) as stream:
            self.assertEqual(stream.headers["Content-Type"], "text/event-stream")
            lines = []
            while '"viewercount":1' not in (lines[-1] if lines else ""):
                lines.append(stream.readline().decode())
            self.assertIn("event: viewercount\n", lines)
            self.assertEqual(self.ask("DELETE", session).status, 200)
            stream.read()
        self.assertEqual(self.ask("GET", events).status, 404)

    def test_server_offers_to_an_empty_request(self):
        self.publish()
        made = self.ask("POST", "/whep/cam", {"Accept": "application/sdp"})
        self.assertEqual(made.status, 201, made.body)
        self.assertEqual(made.headers["Content-Type"], "application/sdp")
        self.assertIn("a=setup:actpass", made.body)
        self.assertEqual(self.ask("PATCH", made.headers["Location"], SDP, "v=0\r\n").status, 400)


if __name__ == "__main__":
    unittest.main()
