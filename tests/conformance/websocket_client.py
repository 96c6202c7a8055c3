"""A WebSocket client that writes whatever a test wants, right or wrong, cut at random."""

import base64
import hashlib
import os
import random
import socket
import struct
import subprocess
import threading
import zlib
from typing import NamedTuple

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
TAIL = b"\x00\x00\xff\xff"
PATIENCE = 20  # seconds


class Frame(NamedTuple):
    opcode: int
    payload: bytes
    fin: bool = True
    rsv: int = 0


class EchoServer:
    """websocket_echo_server on a port of its own."""

    def __init__(self, *options: str):
        program = os.environ["WEBSOCKET_ECHO_SERVER"]
        self.child = subprocess.Popen([program, "0", *options], stdout=subprocess.PIPE, text=True)
        self.port = int(self.child.stdout.readline())

    def stop(self):
        self.child.kill()
        self.child.wait()
        self.child.stdout.close()


def xor(data: bytes, key: bytes) -> bytes:
    mask = (key * (len(data) // 4 + 1))[: len(data)]
    return (int.from_bytes(data, "big") ^ int.from_bytes(mask, "big")).to_bytes(len(data), "big")


def frame(opcode: int, payload: bytes = b"", fin=True, rsv=0, masked=True) -> bytes:
    mask_bit = 0x80 if masked else 0
    head = bytes([(0x80 if fin else 0) | rsv << 4 | opcode])
    if len(payload) < 126:
        head += bytes([mask_bit | len(payload)])
    elif len(payload) < 1 << 16:
        head += struct.pack("!BH", mask_bit | 126, len(payload))
    else:
        head += struct.pack("!BQ", mask_bit | 127, len(payload))
    if not masked:
        return head + payload
    key = os.urandom(4)
    return head + key + xor(payload, key)


def fragments(opcode: int, payload: bytes, size: int) -> list[bytes]:
    """A message in frames of `size` bytes."""
    pieces = [payload[i : i + size] for i in range(0, len(payload), size)] or [b""]
    return [
        frame(CONTINUATION if i else opcode, piece, fin=i == len(pieces) - 1)
        for i, piece in enumerate(pieces)
    ]


def close_payload(code: int, reason: bytes = b"") -> bytes:
    return struct.pack("!H", code) + reason


class Client:
    def __init__(self, server: EchoServer, extensions: str = ""):
        self.socket = socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer = b""
        self.sender = None
        self.fields = self._shake_hands(extensions)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.sender:
            self.sender.join(PATIENCE)
        self.socket.close()

    def _shake_hands(self, extensions: str) -> dict[str, str]:
        key = base64.b64encode(os.urandom(16))
        request = (
            b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " + key + b"\r\n"
        )
        if extensions:
            request += b"Sec-WebSocket-Extensions: " + extensions.encode() + b"\r\n"
        self.send(request + b"\r\n")
        while b"\r\n\r\n" not in self.buffer:
            self._receive()
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        status, *lines = head.decode().split("\r\n")
        fields = dict(line.split(": ", 1) for line in lines)
        accept = base64.b64encode(hashlib.sha1(key + GUID).digest()).decode()
        if " 101 " not in status or fields["Sec-WebSocket-Accept"] != accept:
            raise AssertionError(f"no WebSocket: {head!r}")
        return fields

    def _receive(self):
        more = self.socket.recv(1 << 20)
        if not more:
            raise EOFError
        self.buffer += more

    def send(self, data: bytes, most: int = 0):
        """Cut at random into pieces of at most `most` bytes, or of about a hundredth."""
        most = most or max(20, len(data) // 50)
        view = memoryview(data)
        while view:
            size = random.randint(1, most)
            self.socket.sendall(view[:size])
            view = view[size:]

    def send_beside(self, data: bytes, most: int = 1 << 18):
        """While answers are read, so that neither side waits for the other."""
        self.sender = threading.Thread(target=self.send, args=(data, most), daemon=True)
        self.sender.start()

    def _need(self, size: int):
        pieces = [self.buffer]
        have = len(self.buffer)
        while have < size:
            pieces.append(self.socket.recv(1 << 20))
            have += len(pieces[-1])
            if not pieces[-1]:
                self.buffer = b"".join(pieces)
                raise EOFError
        self.buffer = b"".join(pieces)

    def read_frame(self) -> Frame:
        self._need(2)
        first, second = self.buffer[:2]
        if second & 0x80:
            raise AssertionError("a server masked its frame")
        size, header = second & 0x7F, 2
        if size >= 126:
            header = 4 if size == 126 else 10
            self._need(header)
            size = int.from_bytes(self.buffer[2:header], "big")
        self._need(header + size)
        payload = self.buffer[header : header + size]
        self.buffer = self.buffer[header + size :]
        return Frame(first & 0x0F, payload, bool(first & 0x80), first >> 4 & 7)

    def rest(self) -> list[Frame]:
        """All frames up to the end of the connection, which the server has to end in good order."""
        frames = []
        try:
            while True:
                frames.append(self.read_frame())
        except EOFError:
            pass
        if self.buffer:
            raise AssertionError(f"part of a frame: {self.buffer!r}")
        return frames


class Deflate:
    """The client's half of permessage-deflate, with what the server has agreed to."""

    def __init__(self, agreed: str):
        parts = [part.strip() for part in agreed.split(";")]
        if parts[0] != "permessage-deflate":
            raise AssertionError(f"not agreed: {agreed!r}")
        self.parameters = dict((part.split("=") + [""])[:2] for part in parts[1:])
        self.bits_up = int(self.parameters.get("client_max_window_bits") or 15)
        self.bits_down = int(self.parameters.get("server_max_window_bits") or 15)
        self._start_up()
        self._start_down()

    def _start_up(self):
        self.up = zlib.compressobj(6, zlib.DEFLATED, -max(9, self.bits_up))

    def _start_down(self):
        self.down = zlib.decompressobj(-self.bits_down)

    def compress(self, payload: bytes) -> bytes:
        data = self.up.compress(payload) + self.up.flush(zlib.Z_SYNC_FLUSH)
        if "client_no_context_takeover" in self.parameters:
            self._start_up()
        return data[: -len(TAIL)] or b"\x00"

    def decompress(self, payload: bytes) -> bytes:
        data = self.down.decompress(payload + TAIL)
        if "server_no_context_takeover" in self.parameters:
            self._start_down()
        return data
