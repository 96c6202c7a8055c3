"""Datagrams in the hands of the test: a sink that keeps them, a proxy that alters their flow."""

import socket
import struct
import threading
import unittest
from dataclasses import dataclass

from harness.children import await_condition
from harness.ports import free_port_pair

RECEIVER_REPORT, GOODBYE = 201, 203


def is_rtcp(datagram: bytes) -> bool:
    """RFC 5761 §4."""
    return len(datagram) >= 8 and 192 <= datagram[1] <= 223


@dataclass(frozen=True)
class RtpHeader:
    payload_type: int
    sequence: int
    timestamp: int
    ssrc: int

    @staticmethod
    def of(datagram: bytes) -> "RtpHeader":
        _, second, sequence, timestamp, ssrc = struct.unpack_from("!BBHII", datagram)
        return RtpHeader(second & 0x7F, sequence, timestamp, ssrc)


def rtcp_packet_types(datagram: bytes) -> list[int]:
    """Of each packet of a compound that is not encrypted."""
    types = []
    while len(datagram) >= 4:
        types.append(datagram[1])
        datagram = datagram[4 * (1 + struct.unpack_from("!H", datagram, 2)[0]) :]
    return types


class Sink:
    """A bound socket that keeps all that arrives, each with its sender."""

    def __init__(self, test: unittest.TestCase, port: int | None = None, host: str = "127.0.0.1"):
        self.port = free_port_pair() if port is None else port
        self.socket = socket.socket(
            socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_DGRAM
        )
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 << 20)
        self.socket.bind((host, self.port))
        self.received: list[tuple[bytes, tuple]] = []
        self._is_open = True
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        test.addCleanup(self.close)

    def _run(self):
        self.socket.settimeout(0.1)
        while self._is_open:
            try:
                datagram, sender = self.socket.recvfrom(65536)
            except TimeoutError:
                continue
            except ConnectionRefusedError:
                continue
            self.take(datagram, sender)

    def take(self, datagram: bytes, sender: tuple):
        self.received.append((datagram, sender))

    @property
    def datagrams(self) -> list[bytes]:
        return [datagram for datagram, _ in self.received]

    def rtp_headers(self) -> list[RtpHeader]:
        return [RtpHeader.of(d) for d in self.datagrams if len(d) >= 12 and not is_rtcp(d)]

    def await_rtp(self, count: int):
        await_condition(
            lambda: len(self.rtp_headers()) >= count, f"{count} RTP packets on port {self.port}"
        )

    def close(self):
        self._is_open = False
        self._thread.join()
        self.socket.close()


class Proxy(Sink):
    """Passes on to `target` what `decide` makes of each RTP packet; RTCP passes as it is."""

    def __init__(self, test: unittest.TestCase, target: int, decide, host: str = "127.0.0.1"):
        self._target, self._decide = (host, target), decide
        super().__init__(test, host=host)

    def take(self, datagram: bytes, sender: tuple):
        super().take(datagram, sender)
        for copy in [datagram] if is_rtcp(datagram) else self._decide(datagram):
            self.socket.sendto(copy, self._target)
