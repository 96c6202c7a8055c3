"""What the groups of cases share: an echo server for each, and looks at all that comes back."""

import random
import struct
import unittest

from websocket_client import CLOSE, Client, EchoServer, Frame, close_payload, frame

NORMAL, PROTOCOL_ERROR, INVALID_PAYLOAD, TOO_BIG = 1000, 1002, 1007, 1009
GOODBYE = frame(CLOSE, close_payload(NORMAL))
FAREWELL = Frame(CLOSE, close_payload(NORMAL))
MIB = 1 << 20


class Cases(unittest.TestCase):
    options: tuple[str, ...] = ()

    @classmethod
    def setUpClass(cls):
        random.seed(cls.__name__)
        cls.server = EchoServer(*cls.options)

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()

    def check_frames(self, sent: bytes, expected: list[Frame], most: int = 0):
        """Everything that comes back, up to the end of the connection, in this order."""
        with Client(self.server) as client:
            client.send(sent, most)
            self.assertEqual(client.rest(), expected)

    def check_echo(self, sent: bytes, opcode: int, payload: bytes, most: int = 0):
        self.check_frames(sent + GOODBYE, [Frame(opcode, payload), FAREWELL], most)

    def check_failure(self, sent: bytes, code: int, before: tuple[Frame, ...] = (), most: int = 0):
        """The connection fails with this code, and what comes behind is not answered."""
        with Client(self.server) as client:
            client.send(sent, most)
            *answers, close = client.rest()
            self.assertEqual(answers, list(before))
            self.assertEqual(close.opcode, CLOSE)
            self.assertEqual(struct.unpack("!H", close.payload[:2])[0], code)
