"""Who may do what: tokens of the file and JWTs, where they may stand; none is ever told."""

import base64
import json
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from harness import rest
from harness.keys import Key
from harness.legs import audio_track, srtp, websocket
from harness.runneld import BINARY, Runneld
from harness.signalling import SignallingClient, SignallingError
from harness.speaker import Speaker
from harness.tokens import Issuer, static_token
from harness.websocket import Refused, WebSocket


def token(name: str, *may: str, **fields) -> dict:
    return {"name": name, "token": static_token(), "may": list(may), **fields}


class SignallingAuth(unittest.TestCase):
    def hello(self, runneld: Runneld, bearer: str | None, **options) -> SignallingClient:
        client = SignallingClient(self, runneld, token=bearer, **options)
        client.hello()
        return client

    def refused(self, code: str, client: SignallingClient, verb: str, **fields) -> SignallingError:
        with self.assertRaises(SignallingError) as caught:
            client.request(verb, **fields)
        self.assertEqual(caught.exception.code, code, caught.exception)
        return caught.exception

    def not_let_in(self, runneld: Runneld, bearer: str | None, code="not_authorized", **options):
        """Be it at the opening handshake, or at hello."""
        try:
            client = SignallingClient(self, runneld, token=bearer, **options)
        except Refused as refusal:
            self.assertEqual(json.loads(refusal.body)["code"], code)
            self.assertEqual(refusal.status, 429 if code == "rate_limited" else 401)
            return
        self.refused(code, client, "hello")

    def publish(self, client: SignallingClient, stream: str, **fields) -> dict:
        return client.request(
            "publish", stream=stream, tracks=[audio_track()], leg=websocket(), **fields
        )

    def test_each_token_may_do_what_the_file_says(self):
        camera = token("camera", "publish", streams=["cam-*"])
        backup = token("backup", "publish", take_over=True)
        viewer = token("viewer", "subscribe", "watch", streams=["cam-*"])
        runneld = Runneld(self, auth={"tokens": [camera, backup, viewer]})
        sender = self.hello(runneld, camera["token"])
        reader = self.hello(runneld, viewer["token"])
        other = self.hello(runneld, backup["token"])
        offer = {"tracks": [audio_track()], "leg": websocket()}

        published = self.publish(sender, "cam-1")

        self.refused("forbidden", sender, "publish", stream="door", **offer)
        self.refused("forbidden", sender, "subscribe", stream="cam-1", leg=websocket())
        self.refused("forbidden", reader, "publish", stream="cam-2", **offer)
        reader.request("subscribe", stream="cam-1", leg=websocket())
        self.publish(other, "door")
        watched = reader.request("watch")["streams"]
        self.assertEqual([stream["stream"] for stream in watched], ["cam-1"])
        error = self.refused(
            "forbidden", sender, "publish", stream="cam-1", take_over=True, **offer
        )
        self.assertNotIn(camera["token"], error.text)
        self.publish(other, "cam-1", take_over=True)
        sender.await_event("leg_ended", leg=published["leg"], reason="taken_over")

    def test_a_token_stands_in_the_header_in_hello_or_where_allowed_in_the_query(self):
        viewer = token("viewer", "watch")
        secret = viewer["token"]
        strict = Runneld(self, auth={"tokens": [viewer]})
        self.hello(strict, secret)
        SignallingClient(self, strict).hello(token=secret)
        wrong_header = {"headers": {"Authorization": "Basic " + secret}}
        self.not_let_in(strict, None)
        self.not_let_in(strict, None, query=f"?token={secret}")
        self.not_let_in(strict, None, **wrong_header)
        self.not_let_in(strict, secret[:-1] + ("0" if secret[-1] != "0" else "1"))
        self.assertEqual(rest.call(strict.signalling_port, "GET", "/v1/streams").status, 401)
        listed = rest.call(strict.signalling_port, "GET", "/v1/streams", token=secret)
        self.assertEqual((listed.status, listed.json), (200, {"streams": []}))
        lenient = Runneld(self, auth={"tokens": [viewer], "query": True})
        self.hello(lenient, None, query=f"?token={secret}")

    def test_an_expired_token_is_refused(self):
        expired = token("old", "watch", expires="2020-01-01")
        good = token("new", "watch", expires="2199-01-01")
        runneld = Runneld(self, auth={"tokens": [expired, good]})
        self.not_let_in(runneld, expired["token"])
        self.hello(runneld, good["token"])

    def jwt_is_accepted(self, algorithm: str):
        """With the permissions of its claim; and not when anything about it is wrong."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        issuer, stranger = (Issuer(self.folder(folder, n), algorithm) for n in ("a", "b"))
        settings = {"issuer": "https://id.example", "audience": ["runnel"]}
        keys = [{"kid": "one", **issuer.configuration}]
        runneld = Runneld(self, auth={"jwt": {"keys": keys, **settings}})
        claims = {
            "sub": "alice",
            "iss": "https://id.example",
            "aud": "runnel",
            "exp": int(time.time()) + 3600,
            "runnel": {"publish": ["cam-*"]},
        }
        alice = self.hello(runneld, issuer.sign(claims, kid="one"))
        self.publish(alice, "cam-1")
        self.refused("forbidden", alice, "subscribe", stream="cam-1", leg=websocket())
        self.refused(
            "forbidden", alice, "publish", stream="door", tracks=[audio_track()], leg=websocket()
        )
        self.not_let_in(runneld, stranger.sign(claims, kid="one"))
        self.not_let_in(runneld, issuer.sign(claims, kid="two"))
        self.not_let_in(runneld, issuer.sign({**claims, "exp": 1_600_000_000}, kid="one"))
        self.not_let_in(runneld, issuer.sign({**claims, "iss": "https://evil.example"}, kid="one"))
        self.not_let_in(runneld, issuer.sign({**claims, "aud": "other"}, kid="one"))
        head, body, signature = issuer.sign(claims, kid="one").split(".")
        nobody = base64.urlsafe_b64encode(b'{"alg":"none"}').decode().rstrip("=")
        self.not_let_in(runneld, f"{nobody}.{body}.")
        self.not_let_in(runneld, f"{nobody}.{body}.{signature}")

    @staticmethod
    def folder(parent: tempfile.TemporaryDirectory, name: str) -> Path:
        path = Path(parent.name) / name
        path.mkdir()
        return path

    def test_jwt_hs256(self):
        self.jwt_is_accepted("HS256")

    def test_jwt_rs256(self):
        self.jwt_is_accepted("RS256")

    def test_jwt_es256(self):
        self.jwt_is_accepted("ES256")

    def test_who_fails_too_often_is_told_to_wait(self):
        """Those with a right token are served as before, from that address and from others."""
        viewer = token("viewer", "watch")
        runneld = Runneld(self, auth={"tokens": [viewer]}, limits={"failed_tries": 3})

        def status(bearer: str, source: str = "127.0.0.1") -> int:
            answer = rest.call(
                runneld.signalling_port, "GET", "/v1/streams", token=bearer, source=source
            )
            return answer.status

        self.assertEqual([status(static_token()) for _ in range(4)], [401, 401, 401, 429])
        self.not_let_in(runneld, static_token(), code="rate_limited")
        self.assertEqual(status(viewer["token"]), 200)
        self.assertEqual(status(viewer["token"], source="127.0.0.2"), 200)

    def test_a_session_is_resumed_by_its_own_token_alone(self):
        """Of another session it is not even said that it exists."""
        one, two = token("one", "publish"), token("two", "publish")
        runneld = Runneld(self, auth={"tokens": [one, two]})
        client = SignallingClient(self, runneld, token=one["token"])
        session = client.hello()["session"]
        self.publish(client, "talk")
        client.socket.cut()
        thief = SignallingClient(self, runneld, token=two["token"])
        self.refused("unknown_session", thief, "hello", resume=session)
        owner = SignallingClient(self, runneld, token=one["token"])
        self.assertTrue(owner.hello(resume=session)["resumed"])

    def test_requests_come_no_faster_than_allowed(self):
        runneld = Runneld(self, limits={"requests_per_second": 5})
        client = SignallingClient(self, runneld)
        client.hello()
        pending = [client.start("watch", prefix="a") for _ in range(40)]
        codes = set()
        for request in pending:
            try:
                request.result()
                codes.add("ok")
            except SignallingError as error:
                codes.add(error.code)
                self.assertGreater(error.retry_ms, 0)
        self.assertEqual(codes, {"ok", "rate_limited"})

    def test_streams_are_for_this_machine_alone_without_auth(self):
        """A page that reaches loopback by a name of its own is refused, as is another origin."""
        runneld = Runneld(self)

        def status(**headers) -> int:
            return rest.call(runneld.signalling_port, "GET", "/v1/streams", headers=headers).status

        self.assertEqual(status(), 200)
        self.assertEqual(status(Host="rebound.example"), 403)
        self.assertEqual(status(Origin="https://page.example"), 403)
        with self.assertRaises(Refused) as caught:
            SignallingClient(self, runneld, headers={"Origin": "https://page.example"})
        self.assertEqual(caught.exception.status, 403)

    def test_secrets_are_in_no_log_no_error_and_no_check(self):
        """At the most talkative level, through refusals, publications and the end."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        issuer = Issuer(Path(folder.name), "HS256")
        both = token("both", "publish", "subscribe", "watch")
        in_file = Path(folder.name) / "viewer.token"
        in_file.write_text(static_token())
        in_file.chmod(0o600)
        viewer = {"name": "viewer", "token_file": str(in_file), "may": ["watch"]}
        runneld = Runneld(
            self,
            auth={
                "tokens": [both, viewer],
                "query": True,
                "jwt": {"keys": [issuer.configuration]},
            },
            log={"level": "trace"},
        )
        own, reply, wrong = Key.fresh(), Key.fresh(), static_token()
        jwt = issuer.sign({"sub": "alice", "runnel": {"watch": True}})
        client = SignallingClient(self, runneld, token=both["token"])
        session = client.hello()["session"]
        published = client.request(
            "publish",
            stream="a",
            tracks=[audio_track()],
            leg=srtp(key=own.base64, reply_key=reply.base64),
        )
        subscribed = client.request("subscribe", stream="a", leg=srtp(to="127.0.0.1:9"))
        Speaker(client, "b").say(3)
        self.hello(runneld, in_file.read_text())
        self.hello(runneld, None, query=f"?token={jwt}")
        self.not_let_in(runneld, wrong)
        self.not_let_in(runneld, None, query=f"?token={wrong}")
        error = self.refused("bad_request", client, "hello", token=wrong[:8] + "\x00")
        voice = f"/v1/voice/call?token={wrong}"
        self.assertRaises(Refused, WebSocket, self, runneld.signalling_port, voice)
        short = {"srtp": {"suites": ["AEAD_AES_128_GCM"], "key": own.base64}}
        bad_key = self.refused(
            "bad_key", client, "publish", stream="c", tracks=[audio_track()], leg=short
        )
        client.socket.cut()
        self.assertEqual(runneld.stop(), 0)

        check = subprocess.run(
            [BINARY, "--check", runneld.config], capture_output=True, text=True, check=True
        )
        told = "\n".join(
            [runneld.child.output, check.stdout, check.stderr, error.text, bad_key.text]
        )
        self.assertIn("both", check.stdout)
        secrets = [both["token"], in_file.read_text(), wrong, jwt, session, issuer.secret]
        secrets += [own.base64, reply.base64, own.hex, reply.hex]
        secrets += [subscribed["srtp"]["key"], subscribed["srtp"]["reply_key"]]
        self.assertEqual(published["srtp"]["key"], own.base64)
        for secret in secrets:
            self.assertNotIn(secret, told)
            self.assertNotIn(secret[:12], told)

    def test_a_mistake_in_a_token_is_said_without_the_token(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        file = Path(folder.name) / "runnel.yaml"
        secret = "short-secret"
        file.write_text(json.dumps({"auth": {"tokens": [{"name": "a", "token": secret}]}}))
        check = subprocess.run([BINARY, "--check", file], capture_output=True, text=True)
        self.assertEqual(check.returncode, 78)
        self.assertIn("auth.tokens", check.stdout + check.stderr)
        self.assertNotIn(secret, check.stdout + check.stderr)


if __name__ == "__main__":
    unittest.main()
