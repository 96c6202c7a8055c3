"""A WebSocket client of the tests' own, so that it can also do what no well-behaved one does."""

import base64
import contextlib
import hashlib
import secrets
import select
import socket
import ssl
import struct
import threading
import time
import unittest
from dataclasses import dataclass

from harness.children import await_condition
from harness.websocket_frame import (
    BINARY,
    CLOSE,
    CONTINUATION,
    PING,
    PONG,
    TEXT,
    Frame,
    frame,
    take_frame,
)

GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"  # RFC 6455 §1.3
NO_CLOSE_CODE = 1006  # what RFC 6455 §7.1.5 calls a connection that ended without a Close frame


class Refused(Exception):
    """The opening handshake was answered by something else than 101."""

    def __init__(self, status: int, headers: dict[str, str], body: str):
        super().__init__(f"{status}: {body}")
        self.status, self.headers, self.body = status, headers, body


@dataclass(frozen=True)
class Message:
    payload: str | bytes
    at: float  # of time.monotonic(), when its last frame had arrived


class WebSocket:
    """Open when the constructor returns. A thread keeps all that arrives, and answers pings."""

    def __init__(
        self,
        test: unittest.TestCase,
        port: int,
        target: str,
        *,
        protocol: str | None = None,
        headers: dict[str, str] | None = None,
        tls: ssl.SSLContext | None = None,
        host: str = "127.0.0.1",
        source: str | None = None,
        reads: bool = True,
        receive_buffer: int | None = None,
    ):
        """`source` is the address that it comes from. Without `reads` nothing is read behind the
        handshake."""
        self.texts: list[Message] = []
        self.binaries: list[Message] = []
        self.pongs: list[bytes] = []
        self.close_code: int | None = None
        self.close_reason = ""
        self.has_ended = threading.Event()
        self._lock = threading.Lock()
        self._fragments: list[Frame] = []
        self._buffer = bytearray()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self.socket = self._connect(host, port, tls, source, receive_buffer)
        test.addCleanup(self.cut)
        self._open(f"{host}:{port}", target, protocol, headers or {})
        if reads:
            self._thread.start()

    @staticmethod
    def _connect(host, port, tls, source, receive_buffer) -> socket.socket:
        connected = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
        if receive_buffer:
            connected.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        if source:
            connected.bind((source, 0))
        connected.settimeout(20)
        connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connected.connect((host, port))
        return tls.wrap_socket(connected, server_hostname="localhost") if tls else connected

    def _open(self, host: str, target: str, protocol: str | None, headers: dict[str, str]):
        key = base64.b64encode(secrets.token_bytes(16)).decode()
        fields = {
            "Host": host,
            "Upgrade": "websocket",
            "Connection": "Upgrade",
            "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": key,
            **({"Sec-WebSocket-Protocol": protocol} if protocol else {}),
            **headers,
        }
        head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        self.socket.sendall(f"GET {target} HTTP/1.1\r\n{head}\r\n".encode())
        while b"\r\n\r\n" not in self._buffer:
            self._receive_some()
        head, _, rest = bytes(self._buffer).partition(b"\r\n\r\n")
        self._buffer[:] = rest
        status_line, *lines = head.decode().split("\r\n")
        answered = {n.lower(): v.strip() for n, _, v in (line.partition(":") for line in lines)}
        status = int(status_line.split()[1])
        if status != 101:
            while len(self._buffer) < int(answered.get("content-length", 0)):
                self._receive_some()
            raise Refused(status, answered, self._buffer.decode())
        digest = hashlib.sha1((key + GUID).encode()).digest()
        assert answered["sec-websocket-accept"] == base64.b64encode(digest).decode()
        assert answered.get("sec-websocket-protocol") == protocol
        self.extensions = answered.get("sec-websocket-extensions", "")

    def _receive_some(self):
        received = self.socket.recv(65536)
        if not received:
            raise ConnectionError("the server has closed the connection in the handshake")
        self._buffer += received

    def _run(self):
        try:
            while self._take_frames() and self._wait_and_read():
                pass
        except (OSError, ValueError):
            pass  # cut, by us or by the server
        if self.close_code is None:
            self.close_code = NO_CLOSE_CODE
        self.has_ended.set()

    def _wait_and_read(self) -> bool:
        """A TLS connection must not be read and written at the same time."""
        is_tls = isinstance(self.socket, ssl.SSLSocket)
        if not (is_tls and self.socket.pending()):
            poll = select.poll()
            poll.register(self.socket, select.POLLIN)
            poll.poll()
        with self._lock if is_tls else contextlib.nullcontext():
            received = self.socket.recv(65536)
        self._buffer += received
        return bool(received)

    def _take_frames(self) -> bool:
        """False behind a Close frame."""
        while taken := take_frame(self._buffer):
            if taken.opcode == PING:
                self.send_frame(PONG, taken.payload)
            elif taken.opcode == PONG:
                self.pongs.append(taken.payload)
            elif taken.opcode == CLOSE:
                self._take_close(taken.payload)
                return False
            else:
                self._take_data(taken)
        return True

    def _take_data(self, taken: Frame):
        assert (taken.opcode == CONTINUATION) == bool(self._fragments), "fragments out of order"
        self._fragments.append(taken)
        if not taken.final:
            return
        payload = b"".join(fragment.payload for fragment in self._fragments)
        kind = self._fragments[0].opcode
        self._fragments.clear()
        if kind == TEXT:
            self.texts.append(Message(payload.decode(), time.monotonic()))
        else:
            self.binaries.append(Message(payload, time.monotonic()))

    def _take_close(self, payload: bytes):
        self.close_code = struct.unpack_from("!H", payload)[0] if payload else 1005
        self.close_reason = payload[2:].decode()
        try:
            self.send_frame(CLOSE, payload[:2])
            self.socket.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # the server did not wait for it

    def send_bytes(self, data: bytes):
        with self._lock:
            self.socket.sendall(data)

    def send_frame(self, opcode: int, payload: bytes, **how):
        self.send_bytes(frame(opcode, payload, **how))

    def send_text(self, text: str):
        self.send_frame(TEXT, text.encode())

    def send_binary(self, payload: bytes):
        self.send_frame(BINARY, payload)

    def send_fragments(self, opcode: int, payloads: list[bytes]):
        last = len(payloads) - 1
        for number, payload in enumerate(payloads):
            kind = CONTINUATION if number else opcode
            self.send_frame(kind, payload, final=number == last)

    def start_reading(self):
        self._thread.start()

    def close(self, code: int = 1000) -> int:
        """Closes as RFC 6455 §7.1.2 wants it, and answers the server's code."""
        self.send_frame(CLOSE, struct.pack("!H", code))
        return self.await_close()

    def await_close(self, seconds: float = 20) -> int:
        await_condition(self.has_ended.is_set, "the WebSocket ends", seconds)
        return self.close_code

    def cut(self):
        """Ends the connection without a word, as a network does that is gone."""
        try:
            self.socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        if self._thread.is_alive():
            self._thread.join()
        self.socket.close()
