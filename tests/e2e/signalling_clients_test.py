"""Clients of other people: browsers, npm's ws, websockets and autobahn of Debian, curl."""

import json
import subprocess
import tempfile
import unittest
from pathlib import Path

from harness.certificates import Certificates
from harness.children import Child, await_condition
from harness.ffmpeg import Address, Clip, Receiver, publish, session_description
from harness.keys import Key
from harness.legs import (
    SSRC,
    address_in,
    channel_in,
    key_in,
    play_frames,
    srtp,
    video_track,
    websocket,
)
from harness.pages import SCRIPTS, Pages, node
from harness.ports import free_port_pair
from harness.runneld import Runneld
from harness.signalling import signalled_client
from harness.speaker import Speaker, heard
from harness.tokens import static_token

PARROTS = SCRIPTS.parent / "parrots"
PYTHON = ["/usr/bin/python3", "-B"]


class SignallingClients(unittest.TestCase):
    def is_repeated(self, runneld: Runneld, parrot: Child, **options):
        """What is said on one stream is heard on the other: the client subscribes and publishes."""
        client = signalled_client(self, runneld, **options)
        waiting = client.start("subscribe", stream="said", leg=websocket(), wait_ms=60_000)
        parrot.await_line("^ready$", seconds=60)
        speaker, answer = self.speaker, waiting.result()
        payloads = speaker.say(200)
        await_condition(lambda: len(heard(client, answer)) >= 200, "200 packets")
        self.assertEqual(heard(client, answer), payloads)

    def speak(self, runneld: Runneld, **options):
        self.speaker = Speaker(signalled_client(self, runneld, **options), "heard", b"\0\xff")

    @staticmethod
    def url(runneld: Runneld, scheme: str = "ws", host: str = "127.0.0.1") -> str:
        return f"{scheme}://{host}:{runneld.signalling_port}/v1/signal"

    def test_chromium_subscribes_and_publishes(self):
        pages = Pages(self)
        runneld = Runneld(self, signalling={"origins": [pages.origin]})
        self.speak(runneld)
        wish = {"server": self.url(runneld), "heard": "heard", "said": "said"}
        self.is_repeated(runneld, node(self, "open_page.js", "chrome", pages.url(**wish)))

    def test_firefox_subscribes_and_publishes(self):
        pages = Pages(self)
        runneld = Runneld(self, signalling={"origins": [pages.origin]})
        self.speak(runneld)
        wish = {"server": self.url(runneld), "heard": "heard", "said": "said"}
        self.is_repeated(runneld, node(self, "open_page.js", "firefox", pages.url(**wish)))

    def test_a_page_of_an_origin_that_is_not_listed_is_refused(self):
        good, evil = Pages(self), Pages(self)
        runneld = Runneld(self, signalling={"origins": [good.origin]})
        wish = {"server": self.url(runneld), "heard": "heard", "said": "said"}
        node(self, "open_page.js", "chrome", evil.url(**wish)).await_line("^refused ", seconds=60)

    def test_chromium_over_tls_with_a_token(self):
        pages, certificates, secret = Pages(self), Certificates(self), static_token()
        may = ["publish", "subscribe"]
        runneld = Runneld(
            self,
            signalling={"origins": [pages.origin]},
            tls=certificates.configuration,
            auth={"tokens": [{"name": "page", "token": secret, "may": may}]},
        )
        options = {"tls": certificates.client_context, "token": secret}
        self.speak(runneld, **options)
        wish = {"server": self.url(runneld, "wss"), "heard": "heard", "said": "said"}
        page = node(self, "open_page.js", "chrome", pages.url(**wish, token=secret))
        self.is_repeated(runneld, page, **options)

    def test_chromium_decodes_a_stream_by_webcodecs(self):
        """Red is red: a decoded pixel, and the time of each picture."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        clip = Clip("VP8", Path(folder.name) / "red.mkv")
        subprocess.run(
            "ffmpeg -nostdin -v error -f lavfi -i color=red:s=320x240:r=30 -t 4 -c:v libvpx"
            f" -deadline realtime -cpu-used 8 -g 30 -auto-alt-ref 0 {clip.path}".split(),
            check=True,
        )
        pages = Pages(self)
        runneld = Runneld(self, signalling={"origins": [pages.origin]})
        client = signalled_client(self, runneld)
        published = client.request(
            "publish", stream="red", tracks=[video_track("VP8")], leg=websocket("frame")
        )
        wish = {"server": self.url(runneld), "view": "red", "codec": "vp8"}
        page = node(self, "open_page.js", "chrome", pages.url(**wish))
        page.await_line("^ready$", seconds=60)

        play_frames(client, clip, channel_in(published))

        page.await_line("^picture 60 ")
        pictures = [line.split()[1:] for line in page.lines if line.startswith("picture ")]
        for _, pixel, _ in pictures:
            red, green, blue = map(int, pixel.split(","))
            self.assertGreater(red, 220)
            self.assertLess(max(green, blue), 40)
        times = sorted(float(time) for _, _, time in pictures)
        for number, time in enumerate(times):
            self.assertAlmostEqual(time - times[0], number * 1000 / 30, delta=2)
        self.assertNotIn("error", page.output)

    def test_npm_ws(self):
        runneld = Runneld(self)
        self.speak(runneld)
        parrot = node(self, "ws_parrot.js", self.url(runneld), "heard", "said")
        self.is_repeated(runneld, parrot)

    def test_npm_ws_over_tls(self):
        certificates = Certificates(self)
        runneld = Runneld(self, tls=certificates.configuration)
        tls = {"tls": certificates.client_context}
        self.speak(runneld, **tls)
        url = self.url(runneld, "wss", "localhost")
        parrot = node(self, "ws_parrot.js", url, "heard", "said", certificates.authority)
        self.is_repeated(runneld, parrot, **tls)

    def test_python_websockets(self):
        runneld = Runneld(self)
        self.speak(runneld)
        script = PARROTS / "websockets_parrot.py"
        parrot = Child(self, *PYTHON, script, self.url(runneld), "heard", "said")
        self.is_repeated(runneld, parrot)

    def test_python_websockets_over_tls(self):
        certificates = Certificates(self)
        runneld = Runneld(self, tls=certificates.configuration)
        tls = {"tls": certificates.client_context}
        self.speak(runneld, **tls)
        script, url = PARROTS / "websockets_parrot.py", self.url(runneld, "wss", "localhost")
        parrot = Child(self, *PYTHON, script, url, "heard", "said", certificates.authority)
        self.is_repeated(runneld, parrot, **tls)

    def test_python_autobahn(self):
        runneld = Runneld(self)
        self.speak(runneld)
        script = PARROTS / "autobahn_parrot.py"
        port = runneld.signalling_port
        parrot = Child(self, *PYTHON, script, "127.0.0.1", port, "heard", "said")
        self.is_repeated(runneld, parrot)

    def test_curl_makes_a_relay_of_two_ffmpegs(self):
        """Over TLS, with a token: no WebSocket is involved."""
        clip, certificates, secret = Clip.of("VP8"), Certificates(self), static_token()
        runneld = Runneld(
            self,
            tls=certificates.configuration,
            auth={"tokens": [{"name": "curl", "token": secret, "may": ["admin"]}]},
        )
        base = f"https://localhost:{runneld.signalling_port}"

        def curl(method: str, path: str, body: dict | None = None) -> str:
            command = ["curl", "--silent", "--show-error", "--fail", "--max-time", "10"]
            command += ["--cacert", certificates.authority, "--request", method]
            command += ["--header", f"Authorization: Bearer {secret}"]
            if body:
                command += ["--json", json.dumps(body)]
            done = subprocess.run([*command, base + path], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            return done.stdout

        offer = {"tracks": [video_track("VP8", ssrc=SSRC)], "leg": srtp()}
        published = json.loads(curl("POST", "/v1/streams/camera/publication", offer))
        key, at = Key.fresh(), Address(free_port_pair())
        receiver = Receiver(self, session_description("VP8", key, at), [at.port])
        leg = srtp(key=key.base64, to=str(at))
        path = "/v1/streams/camera/subscriptions"
        subscribed = json.loads(curl("POST", path, {"leg": leg}))

        publish(self, clip, key_in(published), address_in(published), ssrc=SSRC, rtcp_mux=True)

        self.assertEqual(receiver.video_hashes(), clip.video_hashes()[:60])
        statistics = json.loads(curl("GET", f"{path}/{subscribed['leg']}"))
        self.assertGreaterEqual(statistics["to"][0]["tracks"][0]["packets"], 60)
        curl("DELETE", f"{path}/{subscribed['leg']}")
        curl("DELETE", "/v1/streams/camera/publication")
        self.assertEqual(json.loads(curl("GET", "/v1/streams")), {"streams": []})


if __name__ == "__main__":
    unittest.main()
