"""Clients that mean harm, or are broken: what they cost is bounded, and others do not notice."""

import contextlib
import json
import resource
import socket
import time
import unittest
import zlib

from harness.children import await_condition
from harness.legs import channel_in, websocket
from harness.media_message import RTP, MediaMessage
from harness.runneld import Runneld
from harness.signalling import signalled_client
from harness.speaker import Speaker, heard, rtp_packet
from harness.unharmed import MIB, SLACK, UnharmedTestCase
from harness.websocket_frame import BINARY, CONTINUATION, PING, TEXT, frame

IDLE = 5000

# Each is text that a client can send, and no request.
BROKEN_JSON = {
    "nothing": "",
    "spaces": "   ",
    "half an object": '{"id": 1, "do": "watch"',
    "a rest behind it": '{"id": 1, "do": "watch"} x',
    "two of them": '{"id": 1, "do": "watch"}{"id": 2, "do": "watch"}',
    "a list": "[]",
    "a text": '"watch"',
    "a number": "7",
    "null": "null",
    "a comma too many": '{"id": 1, "do": "watch",}',
    "single quotes": "{'id': 1, 'do': 'watch'}",
    "a comment": '{"id": 1, /* */ "do": "watch"}',
    "a key without quotes": '{id: 1, "do": "watch"}',
    "a raw line feed": '{"id": 1, "do": "wa\ntch"}',
    "half a surrogate pair": '{"id": 1, "do": "watch", "prefix": "\\ud800"}',
    "an unknown escape": '{"id": 1, "do": "watch", "prefix": "\\x41"}',
    "not a number": '{"id": NaN, "do": "watch"}',
    "no end of digits": '{"id": 1' + "0" * 5000 + ', "do": "watch"}',
    "a leading zero": '{"id": 01, "do": "watch"}',
    "a name twice": '{"id": 1, "id": 2, "do": "watch"}',
    "too deep": '{"id": 1, "do": "watch", "x": ' + "[" * 100_000 + "]" * 100_000 + "}",
    "too deep without an end": "[" * 100_000,
    "too many values": '{"id": 1, "do": "watch", "x": [' + "1," * 100_000 + "1]}",
    "a negative id": '{"id": -1, "do": "watch"}',
    "a text as id": '{"id": "1", "do": "watch"}',
    "a fraction as id": '{"id": 1.5, "do": "watch"}',
    "no id": '{"do": "watch"}',
    "no verb": '{"id": 1}',
    "an unknown verb": '{"id": 1, "do": "fly"}',
    "a number as verb": '{"id": 1, "do": 7}',
    "null as a field": '{"id": 1, "do": "watch", "prefix": null}',
    "an object as prefix": '{"id": 1, "do": "watch", "prefix": {}}',
    "a list as leg": '{"id": 1, "do": "subscribe", "stream": "a", "leg": []}',
    "two kinds of leg": '{"id": 1, "do": "subscribe", "stream": "a", "leg": {"rtp": {}, "x": {}}}',
    "no tracks": '{"id": 1, "do": "publish", "stream": "a", "tracks": [], "leg": {"rtp": {}}}',
    "a leg that is none": '{"id": 1, "do": "unsubscribe", "leg": 4294967296}',
    "a name that is none": '{"id": 1, "do": "stats", "stream": "../../etc/passwd"}',
}


class Abuse(UnharmedTestCase):
    def test_slow_headers(self):
        """A byte now and then; others are answered meanwhile, and the slow ones are sent away."""
        runneld = Runneld(self, limits={"header_timeout": "1s"})
        slow = [
            socket.create_connection(("127.0.0.1", runneld.signalling_port)) for _ in range(200)
        ]
        waiting = set(slow)
        for connection in slow:
            self.addCleanup(connection.close)
            connection.sendall(b"GET /v1/signal HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")
            connection.setblocking(False)

        def drip_until_all_have_ended():
            client = signalled_client(self, runneld)
            client.request("bye")
            for connection in list(waiting):
                try:
                    connection.send(b"a")
                    answer = connection.recv(4096)
                    self.assertTrue(not answer or answer.startswith(b"HTTP/1.1 408 "), answer)
                    waiting.discard(connection)
                except BlockingIOError:
                    pass
                except OSError:
                    waiting.discard(connection)
            return not waiting

        await_condition(drip_until_all_have_ended, "the slow ones are sent away")
        self.still_relays(runneld)

    def test_a_flood_of_pings(self):
        """Some may go without a pong (RFC 6455 §5.5.3), the last may not."""
        runneld = Runneld(self)
        flooding, stuck = self.connect(runneld), self.connect(runneld, reads=False)
        before = self.memory(runneld)
        pings = b"".join(frame(PING, b"%0100d" % n) for n in range(200))
        stuck.socket.settimeout(1)
        for _ in range(100):
            flooding.send_bytes(pings)
        with contextlib.suppress(OSError):
            for _ in range(500):
                stuck.send_bytes(pings)
        flooding.send_frame(PING, b"the last")
        await_condition(lambda: b"the last" in flooding.pongs, "a pong for the last ping")
        self.stays_small(runneld, before, 2 * MIB + SLACK)
        self.still_relays(runneld)

    def test_a_flood_of_fragments(self):
        runneld = Runneld(self)
        before = self.memory(runneld)
        for empty in (b"", b"x"):
            flooding = self.connect(runneld)
            piece = frame(CONTINUATION, empty, final=False) * 1000
            flooding.send_frame(BINARY, empty, final=False)
            with contextlib.suppress(OSError):
                for _ in range(200):
                    flooding.send_bytes(piece)
            self.assertIn(flooding.await_close(), (1008, 1009))
        large = self.connect(runneld)
        with contextlib.suppress(OSError):
            large.send_fragments(TEXT, [b"x" * 65536] * 64)
        self.assertEqual(large.await_close(), 1009)
        self.stays_small(runneld, before, 2 * MIB + SLACK)
        self.still_relays(runneld)

    def test_a_flood_of_opens_and_closes(self):
        """In the middle of everything: of the handshake, of a session, of the closing."""
        runneld = Runneld(self)
        signalled_client(self, runneld)
        before = self.memory(runneld)
        for turn in range(500):
            with socket.create_connection(("127.0.0.1", runneld.signalling_port)) as half:
                half.sendall(b"GET /v1/sig")
            self.connect(runneld).cut()
            client = signalled_client(self, runneld)
            if turn % 2:
                client.socket.close()
            else:
                client.start("watch")
                client.socket.cut()
        self.stays_small(runneld, before, SLACK)
        self.still_relays(runneld)

    def test_a_compression_bomb(self):
        """A gibibyte of zeros in a mebibyte: it is not inflated further than a message may be."""
        runneld = Runneld(self)
        bomb = zlib.compressobj(9, wbits=-15)
        packed = bomb.compress(bytes(512 * MIB)) + bomb.flush(zlib.Z_SYNC_FLUSH)[:-4]
        self.assertLess(len(packed), MIB)
        extension = {"Sec-WebSocket-Extensions": "permessage-deflate"}
        before = self.memory(runneld)
        for kind in (TEXT, BINARY):
            client = self.connect(runneld, headers=extension)
            self.assertIn("permessage-deflate", client.extensions)
            with contextlib.suppress(OSError):
                client.send_frame(kind, packed, compressed=True)
            self.assertEqual(client.await_close(), 1009)
        self.stays_small(runneld, before, 4 * MIB + SLACK)
        self.still_relays(runneld)

    def test_broken_json_of_every_kind(self):
        """Each is answered, and the connection is as good as before."""
        runneld = Runneld(self, limits={"requests_per_second": 1000})
        client = signalled_client(self, runneld)
        for number, (name, text) in enumerate(BROKEN_JSON.items()):
            with self.subTest(name):
                already = len(client.messages)
                client.socket.send_text(text)
                await_condition(lambda: len(client.messages) > already, f"an answer to {name}")
                answer = client.messages[already]
                self.assertIn("error", answer)
                self.assertIn(answer["re"], (None, 1))
                self.assertIn(answer["error"]["status"], (400, 404))
                self.assertLess(len(json.dumps(answer)), 1000)
                client.request("watch", prefix=f"still-usable-{number % 3}")
        self.still_relays(runneld)

    def test_text_that_is_no_utf_8_ends_the_connection(self):
        runneld = Runneld(self)
        for broken in (
            b"\xff",
            b"\xc0\x80",
            b"\xed\xa0\x80",
            b"\xf4\x90\x80\x80",
            b'{"id":1\xe2\x82',
        ):
            client = self.connect(runneld)
            client.send_frame(TEXT, broken)
            self.assertEqual(client.await_close(), 1007)
        self.still_relays(runneld)

    def test_media_of_others_cannot_be_forged(self):
        """Rubbish on one's own channel is dropped; what is no media message ends its connection."""
        runneld = Runneld(self)
        publisher, attacker = signalled_client(self, runneld), signalled_client(self, runneld)
        listener = signalled_client(self, runneld)
        speaker = Speaker(publisher, "talk")
        answer = listener.request("subscribe", stream="talk", leg=websocket())
        channel = channel_in(speaker.answer)
        said = speaker.say(3)
        attacker.send_media(MediaMessage(RTP, channel, rtp_packet(100, b"forged")))
        attacker.request("watch")
        for size in (1, 11, 12, 200, 1500, 70_000):
            publisher.send_media(MediaMessage(RTP, channel, b"\x7f" * size))
            publisher.send_media(MediaMessage(RTP, channel ^ 0xFFFF, rtp_packet(200, b"nowhere")))
        said += speaker.say(3)
        await_condition(lambda: len(heard(listener, answer)) >= 6, "six packets")
        self.assertEqual(heard(listener, answer), said)
        for rubbish in (
            b"",
            b"\x10",
            b"\x10\0\0",
            b"\x20\0\0\1",
            b"\x1f\0\0\1",
            b"\x11\0\0\1frame",
        ):
            rude = signalled_client(self, runneld)
            rude.socket.send_binary(rubbish)
            self.assertEqual(rude.socket.await_close(), 1003)
        self.still_relays(runneld)

    def test_five_thousand_idle_connections(self):
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        many = {"connections": IDLE + 100, "connections_per_address": IDLE + 100}
        runneld = Runneld(self, limits=many)
        signalled_client(self, runneld)
        before = self.memory(runneld)
        began = time.monotonic()
        # An address has its limits too.
        idle = [self.connect(runneld, reads=False, source=f"127.0.1.{n % 20}") for n in range(IDLE)]
        hello = frame(TEXT, b'{"id": 1, "do": "hello"}')
        for connection in idle:
            connection.send_bytes(hello)
        for connection in idle:
            self.assertIn(b'"session"', connection.socket.recv(4096))
        grown = runneld.peak_memory() - before
        took = time.monotonic() - began
        print(f"{IDLE} connections in {took:.1f} s, each of {grown / IDLE / 1024:.1f} KiB")
        self.assertLess(grown / IDLE, 32 << 10)
        for connection in idle[:: IDLE // 10]:
            connection.send_frame(PING, b"there?")
            self.assertTrue(connection.socket.recv(100).endswith(b"there?"))
        self.still_relays(runneld)


if __name__ == "__main__":
    unittest.main()
