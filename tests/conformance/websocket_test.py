"""The WebSocket codec over real sockets, by the groups of cases of the Autobahn test suite."""

import struct
import unittest

from websocket_cases import (
    FAREWELL,
    GOODBYE,
    INVALID_PAYLOAD,
    MIB,
    PROTOCOL_ERROR,
    TOO_BIG,
    Cases,
)
from websocket_client import (
    BINARY,
    CLOSE,
    CONTINUATION,
    PING,
    PONG,
    TEXT,
    Client,
    Frame,
    close_payload,
    fragments,
    frame,
)


class Group01FramingCases(Cases):
    def test_messages_of_all_sizes_are_echoed(self):
        for opcode, filling in ((TEXT, b"*"), (BINARY, b"\xfe")):
            for size in (0, 1, 125, 126, 127, 128, 65535, 65536):
                for most in (0, 1 if size < 300 else 997):
                    with self.subTest(opcode=opcode, size=size, most=most):
                        payload = filling * size
                        self.check_echo(frame(opcode, payload), opcode, payload, most)


class Group02PingCases(Cases):
    def test_a_ping_is_answered_with_its_payload(self):
        for payload in (b"", b"Hello, world!", bytes([0, 255, 254, 253, 0, 255]), b"\xfe" * 125):
            for most in (0, 1):
                with self.subTest(payload=payload, most=most):
                    self.check_echo(frame(PING, payload), PONG, payload, most)

    def test_a_ping_that_is_too_long_fails(self):
        self.check_failure(frame(PING, b"\xfe" * 126), PROTOCOL_ERROR)

    def test_an_unsolicited_pong_is_ignored(self):
        for payload in (b"", b"unsolicited pong payload"):
            self.check_frames(frame(PONG, payload) + GOODBYE, [FAREWELL])
            sent = frame(PONG, payload) + frame(PING, b"ping")
            self.check_echo(sent, PONG, b"ping")

    def test_ten_pings_are_answered_in_order(self):
        payloads = [b"payload-%d" % i for i in range(10)]
        sent = b"".join(frame(PING, payload) for payload in payloads)
        expected = [Frame(PONG, payload) for payload in payloads]
        for most in (len(sent), 1):
            self.check_frames(sent + GOODBYE, expected + [FAREWELL], most)


class Group03ReservedBitCases(Cases):
    def test_reserved_bits_fail(self):
        for rsv in range(1, 8):
            for opcode in (TEXT, BINARY, PING, CLOSE):
                for most in (0, 1):
                    with self.subTest(rsv=rsv, opcode=opcode, most=most):
                        bad = frame(opcode, b"small", rsv=rsv)
                        self.check_failure(bad + frame(PING), PROTOCOL_ERROR, most=most)
                        hello = Frame(TEXT, b"Hello")
                        sent = frame(TEXT, b"Hello") + bad + frame(PING)
                        self.check_failure(sent, PROTOCOL_ERROR, (hello,), most)


class Group04OpcodeCases(Cases):
    def test_reserved_opcodes_fail(self):
        for opcode in (3, 4, 5, 6, 7, 11, 12, 13, 14, 15):
            for payload in (b"", b"reserved opcode payload"):
                with self.subTest(opcode=opcode, payload=payload):
                    bad = frame(opcode, payload)
                    self.check_failure(bad + frame(PING), PROTOCOL_ERROR)
                    sent = frame(TEXT, b"Hello") + bad + frame(PING)
                    self.check_failure(sent, PROTOCOL_ERROR, (Frame(TEXT, b"Hello"),))


class Group05FragmentationCases(Cases):
    FIRST = frame(TEXT, b"fragment1", fin=False)
    LAST = frame(CONTINUATION, b"fragment2")
    JOINED = Frame(TEXT, b"fragment1fragment2")

    def test_control_frames_are_not_fragmented(self):
        for opcode in (PING, PONG):
            sent = frame(opcode, b"fragment1", fin=False) + self.LAST
            self.check_failure(sent, PROTOCOL_ERROR)

    def test_fragments_are_joined_and_pings_between_answered(self):
        pong = Frame(PONG, b"ping payload")
        ping = frame(PING, b"ping payload")
        for most in (0, 1, 1000):
            self.check_frames(self.FIRST + self.LAST + GOODBYE, [self.JOINED, FAREWELL], most)
            sent = self.FIRST + ping + self.LAST + GOODBYE
            self.check_frames(sent, [pong, self.JOINED, FAREWELL], most)
            middle = frame(CONTINUATION, b"", fin=False)
            sent = self.FIRST + ping + middle + ping + middle + self.LAST + GOODBYE
            self.check_frames(sent, [pong, pong, self.JOINED, FAREWELL], most)

    def test_continuations_of_nothing_fail(self):
        for fin in (True, False):
            lone = frame(CONTINUATION, b"non-continuation payload", fin=fin)
            self.check_failure(lone + frame(TEXT, b"Hello"), PROTOCOL_ERROR)
            sent = self.FIRST + self.LAST + lone + frame(TEXT, b"Hello")
            self.check_failure(sent, PROTOCOL_ERROR, (self.JOINED,))

    def test_a_message_within_a_message_fails(self):
        for opcode in (TEXT, BINARY):
            self.check_failure(self.FIRST + frame(opcode, b"fragment2"), PROTOCOL_ERROR)
            sent = self.FIRST + frame(opcode, b"fragment2", fin=False) + self.LAST
            self.check_failure(sent, PROTOCOL_ERROR)

    def test_a_long_row_of_fragments_is_joined(self):
        payload = bytes(range(256)) * 4
        self.check_echo(b"".join(fragments(BINARY, payload, 1)), BINARY, payload)


class Group06Utf8Cases(Cases):
    GREEK = "Hello-µ@ßöäüàá-UTF-8!!".encode()
    VALID = [
        b"",
        GREEK,
        "κόσμε".encode(),
        *(chr(code).encode() for code in (0, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFD)),
        *(chr(code).encode() for code in (0xFFFE, 0xFFFF, 0x10000, 0x1FFFE, 0x10FFFE, 0x10FFFF)),
    ]
    # What is right at the beginning, and the first byte with which it cannot become right.
    INVALID = [
        (b"", b"\x80"),
        (b"", b"\xbf"),
        (b"", b"\xc0"),
        (b"", b"\xc1"),
        (b"", b"\xf5"),
        (b"", b"\xf8"),
        (b"", b"\xfc"),
        (b"", b"\xfe"),
        (b"", b"\xff"),
        (b"\xc2", b" "),
        (b"\xc3", b"\xc3"),
        (b"\xe0", b"\x80"),
        (b"\xe0", b"\x9f"),
        (b"\xe2\x82", b"a"),
        (b"\xed", b"\xa0"),
        (b"\xed", b"\xbf"),
        (b"\xf0", b"\x80"),
        (b"\xf0", b"\x8f"),
        (b"\xf1\x80\x80", b"\xc0"),
        (b"\xf4", b"\x90"),
    ]

    def test_valid_text_is_echoed_however_it_is_cut(self):
        for text in self.VALID:
            with self.subTest(text=text):
                for most in (0, 1):
                    self.check_echo(frame(TEXT, text), TEXT, text, most)
                for size in (1, 2, 3):
                    self.check_echo(b"".join(fragments(TEXT, text, size)), TEXT, text)

    def test_invalid_text_fails(self):
        for start, bad in self.INVALID:
            with self.subTest(text=start + bad):
                text = self.GREEK + start + bad + b"edited"
                self.check_failure(frame(TEXT, text), INVALID_PAYLOAD)
                self.check_failure(frame(TEXT, text), INVALID_PAYLOAD, most=1)
                self.check_failure(b"".join(fragments(TEXT, text, 1)), INVALID_PAYLOAD)

    def test_text_that_ends_within_a_character_fails(self):
        for text in (b"\xc2", b"\xe2\x82", b"\xf0\x9f\x98", self.GREEK + b"\xf4\x8f\xbf"):
            self.check_failure(frame(TEXT, text), INVALID_PAYLOAD)
            self.check_failure(b"".join(fragments(TEXT, text, 1)), INVALID_PAYLOAD)

    def test_invalid_text_fails_at_its_first_wrong_byte(self):
        for start, bad in self.INVALID:
            with self.subTest(text=start + bad):
                begin = self.GREEK + start
                unfinished = frame(TEXT, begin + bad + b"never sent")[: 6 + len(begin) + 1]
                self.check_failure(unfinished, INVALID_PAYLOAD)
                first = frame(TEXT, begin, fin=False)
                second = frame(CONTINUATION, bad, fin=False)
                self.check_failure(first + second, INVALID_PAYLOAD)


class Group07CloseCases(Cases):
    def test_a_close_is_echoed_exactly_and_ends_the_connection(self):
        codes = (1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014)
        payloads = [close_payload(code) for code in (*codes, 3000, 3999, 4000, 4999)]
        payloads += [b"", close_payload(1000, b"Hello"), close_payload(1000, b"*" * 123)]
        payloads += [close_payload(1000, "κόσμε".encode())]
        for payload in payloads:
            for most in (0, 1):
                with self.subTest(payload=payload, most=most):
                    self.check_frames(frame(CLOSE, payload), [Frame(CLOSE, payload)], most)

    def test_nothing_behind_a_close_is_answered(self):
        for behind in (GOODBYE, frame(PING, b"late"), frame(TEXT, b"late"), b"\xff" * 300_000):
            self.check_frames(GOODBYE + behind, [FAREWELL])
        begun = frame(TEXT, b"fragment1", fin=False)
        self.check_frames(begun + GOODBYE + frame(CONTINUATION, b"2"), [FAREWELL])

    def test_a_message_before_the_close_is_echoed(self):
        for size in (5, 256 * 1024):
            sent = frame(TEXT, b"*" * size)
            self.check_echo(sent, TEXT, b"*" * size, most=1 << 16)

    def test_malformed_closes_fail(self):
        self.check_failure(frame(CLOSE, b"a"), PROTOCOL_ERROR)
        self.check_failure(frame(CLOSE, close_payload(1000, b"*" * 124)), PROTOCOL_ERROR)
        self.check_failure(frame(CLOSE, close_payload(1000, b"\xce\xba\xff")), INVALID_PAYLOAD)
        self.check_failure(frame(CLOSE, close_payload(1000, b"\xed\xa0\x80")), INVALID_PAYLOAD)

    def test_codes_that_may_not_be_sent_fail(self):
        for code in (0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65535):
            with self.subTest(code=code):
                self.check_failure(frame(CLOSE, close_payload(code)), PROTOCOL_ERROR)


class Group09LimitCases(Cases):
    options = ("--max-message", str(16 * MIB))

    def check_large(self, opcode: int, payload: bytes, sent: bytes, most: int = 1 << 18):
        with Client(self.server) as client:
            client.send_beside(sent + GOODBYE, most)
            self.assertEqual(client.rest(), [Frame(opcode, payload), FAREWELL])

    def test_large_messages_are_echoed(self):
        for size in (64 << 10, 256 << 10, MIB, 4 * MIB, 16 * MIB):
            for opcode in (TEXT, BINARY):
                payload = b"*" * size
                self.check_large(opcode, payload, frame(opcode, payload))

    def test_large_messages_in_fragments_are_echoed(self):
        payload = bytes(range(256)) * (4 * MIB // 256)
        for size in (64, 256, 1 << 10, 4 << 10, 64 << 10, MIB):
            self.check_large(BINARY, payload, b"".join(fragments(BINARY, payload, size)))

    def test_large_messages_in_small_writes_are_echoed(self):
        payload = b"*" * MIB
        for most in (64, 1024):
            self.check_large(TEXT, payload, frame(TEXT, payload), most)

    def test_many_small_messages_are_echoed_in_order(self):
        for size in (0, 16, 64, 1024):
            payloads = [struct.pack("!I", i) * (size // 4) for i in range(1000)]
            sent = b"".join(frame(BINARY, payload) for payload in payloads)
            with Client(self.server) as client:
                client.send_beside(sent + GOODBYE)
                expected = [Frame(BINARY, payload) for payload in payloads] + [FAREWELL]
                self.assertEqual(client.rest(), expected)

    def test_more_than_the_limit_fails(self):
        announced = b"\x82\xff" + struct.pack("!Q", 16 * MIB + 1) + b"mask"
        self.check_failure(announced, TOO_BIG)
        half = bytes(8 * MIB)
        halves = frame(BINARY, half, fin=False) + frame(CONTINUATION, half, fin=False)
        self.check_failure(halves + frame(CONTINUATION, b"1"), TOO_BIG, most=1 << 18)


class Group10AutoFragmentationCases(Cases):
    def test_a_message_in_frames_of_1300_bytes_is_echoed(self):
        payload = b"*" * 65536
        for size in (1300, 1, 4096):
            self.check_echo(b"".join(fragments(TEXT, payload, size)), TEXT, payload)


if __name__ == "__main__":
    unittest.main()
