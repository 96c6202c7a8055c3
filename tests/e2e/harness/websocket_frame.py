"""WebSocket frames (RFC 6455 §5.2): written as clients do, or must not; read as servers send."""

import secrets
import struct
from dataclasses import dataclass

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10


def mask(payload: bytes, key: bytes) -> bytes:
    """XOR as one large number, since a loop over bytes would be slow."""
    repeated = (key * (len(payload) // 4 + 1))[: len(payload)]
    number = int.from_bytes(payload, "big") ^ int.from_bytes(repeated, "big")
    return number.to_bytes(len(payload), "big")


def frame(opcode: int, payload: bytes, *, final: bool = True, compressed: bool = False) -> bytes:
    first = opcode | (0x80 if final else 0) | (0x40 if compressed else 0)
    if len(payload) < 126:
        head = struct.pack("!BB", first, 0x80 | len(payload))
    elif len(payload) < 65536:
        head = struct.pack("!BBH", first, 0x80 | 126, len(payload))
    else:
        head = struct.pack("!BBQ", first, 0x80 | 127, len(payload))
    key = secrets.token_bytes(4)
    return head + key + mask(payload, key)


@dataclass(frozen=True)
class Frame:
    opcode: int
    payload: bytes
    final: bool


def take_frame(buffer: bytearray) -> Frame | None:
    """Removes the first frame from the buffer, when all of it is there."""
    if len(buffer) < 2:
        return None
    first, second = buffer[0], buffer[1]
    if first & 0x70 or second & 0x80:
        raise AssertionError(f"a server must not send a frame that begins with {buffer[:2].hex()}")
    size, begin = second, 2
    if second in (126, 127):
        begin = 4 if second == 126 else 10
        if len(buffer) < begin:
            return None
        size = int.from_bytes(buffer[2:begin], "big")
    if len(buffer) < begin + size:
        return None
    payload = bytes(buffer[begin : begin + size])
    del buffer[: begin + size]
    return Frame(first & 0x0F, payload, bool(first & 0x80))
