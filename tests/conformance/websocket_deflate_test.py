"""permessage-deflate over real sockets, by the groups of cases of the Autobahn test suite."""

import random
import unittest

from websocket_cases import FAREWELL, GOODBYE, INVALID_PAYLOAD, MIB, PROTOCOL_ERROR, TOO_BIG, Cases
from websocket_client import (
    BINARY,
    CONTINUATION,
    PING,
    TEXT,
    Client,
    Deflate,
    close_payload,
    frame,
)


class DeflateCases(Cases):
    options = ("--deflate",)

    def check_compressed_echo(self, offer: str, payloads: list[bytes], fragment: int = 0):
        """Each is echoed as one compressed message that says the same."""
        with Client(self.server, offer) as client:
            deflate = Deflate(client.fields.get("Sec-WebSocket-Extensions", ""))
            for payload in payloads:
                data = deflate.compress(payload)
                size = fragment or len(data)
                pieces = [data[i : i + size] for i in range(0, len(data), size)]
                sent = b"".join(
                    frame(
                        CONTINUATION if i else BINARY,
                        piece,
                        fin=i == len(pieces) - 1,
                        rsv=0 if i else 4,
                    )
                    for i, piece in enumerate(pieces)
                )
                client.send_beside(sent, max(1, len(sent) // 5))
                answer = client.read_frame()
                self.assertEqual((answer.opcode, answer.fin, answer.rsv), (BINARY, True, 4))
                self.assertEqual(deflate.decompress(answer.payload), payload)
                client.sender.join()
            client.send(GOODBYE)
            self.assertEqual(client.rest(), [FAREWELL])


class Group12DeflatePayloadCases(DeflateCases):
    def test_payloads_of_all_sizes_and_kinds_are_echoed(self):
        text = b"".join(b"%d: the quick brown fox, " % i for i in range(8000))
        noise = random.randbytes(131072)
        for size in (0, 1, 16, 64, 256, 1024, 4096, 8192, 16384, 32768, 65536, 131072):
            for source in (text, noise, bytes(131072)):
                payloads = [source[i : i + size] for i in range(20)]
                with self.subTest(size=size):
                    self.check_compressed_echo("permessage-deflate", payloads)
                    self.check_compressed_echo("permessage-deflate", payloads[:3], fragment=100)

    def test_broken_data_fails(self):
        for data in (b"\xff\xff\xff", b"\xf2\x48\xcd", b"\x06"):
            with Client(self.server, "permessage-deflate") as client:
                client.send(frame(BINARY, data, rsv=4) + frame(PING))
                (close,) = client.rest()
                self.assertEqual(close.payload[:2], close_payload(INVALID_PAYLOAD))

    def test_a_bomb_fails(self):
        with Client(self.server, "permessage-deflate") as client:
            data = Deflate("permessage-deflate").compress(bytes(64 * MIB))
            client.send_beside(frame(BINARY, data, rsv=4))
            (close,) = client.rest()
            self.assertEqual(close.payload[:2], close_payload(TOO_BIG))

    def test_text_is_checked_when_decompressed(self):
        with Client(self.server, "permessage-deflate") as client:
            data = Deflate("permessage-deflate").compress(b"fine \xff")
            client.send(frame(TEXT, data, rsv=4))
            (close,) = client.rest()
            self.assertEqual(close.payload[:2], close_payload(INVALID_PAYLOAD))


class Group13DeflateParameterCases(DeflateCases):
    TEXT = b"".join(b"%d, the quick brown fox jumps over the lazy dog; " % i for i in range(1000))

    def test_every_combination_of_parameters_works(self):
        for takeover in ("", "; server_no_context_takeover", "; client_no_context_takeover"):
            for down in ("", *(f"; server_max_window_bits={bits}" for bits in range(9, 16))):
                for up in ("", "; client_max_window_bits", "; client_max_window_bits=9"):
                    offer = "permessage-deflate" + takeover + down + up
                    with self.subTest(offer=offer):
                        payloads = [self.TEXT[i : i + 9000] for i in range(0, 30_000, 3000)]
                        self.check_compressed_echo(offer, payloads)

    def test_offers_are_answered(self):
        bad = "permessage-deflate; server_max_window_bits=7"
        for offer, answer in (
            ("permessage-deflate", "permessage-deflate"),
            ("x-other, permessage-deflate; client_max_window_bits", "permessage-deflate"),
            (f"{bad}, permessage-deflate", "permessage-deflate"),
            (bad, None),
            ("permessage-deflate; unknown", None),
            ("permessage-deflate; server_max_window_bits=10; server_max_window_bits=10", None),
            (
                "permessage-deflate; server_max_window_bits=8",
                "permessage-deflate; server_max_window_bits=8",
            ),
        ):
            with self.subTest(offer=offer), Client(self.server, offer) as client:
                self.assertEqual(client.fields.get("Sec-WebSocket-Extensions"), answer)

    def test_rsv1_is_still_reserved_where_it_means_nothing(self):
        for bad in (
            frame(PING, b"", rsv=4),
            frame(TEXT, b"a", fin=False) + frame(CONTINUATION, b"b", rsv=4),
            frame(TEXT, b"a", rsv=2),
        ):
            with Client(self.server, "permessage-deflate") as client:
                client.send(bad)
                (close,) = client.rest()
                self.assertEqual(close.payload[:2], close_payload(PROTOCOL_ERROR))


if __name__ == "__main__":
    unittest.main()
