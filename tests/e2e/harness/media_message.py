"""Media over the WebSocket: the binary messages of core/signalling/PROTOCOL.md."""

import struct
from dataclasses import dataclass

VERSION, RTP, FRAME = 1, 0, 1
KEY_FRAME, DISCONTINUITY = 0x01, 0x02


@dataclass(frozen=True)
class MediaMessage:
    kind: int
    channel: int
    payload: bytes
    flags: int = 0
    timestamp_us: int = 0

    @staticmethod
    def of(message: bytes) -> "MediaMessage":
        first, flags, channel = struct.unpack_from("!BBH", message)
        assert first >> 4 == VERSION, message[:4].hex()
        if first & 0x0F == RTP:
            return MediaMessage(RTP, channel, message[4:], flags)
        (timestamp,) = struct.unpack_from("!Q", message, 4)
        return MediaMessage(FRAME, channel, message[12:], flags, timestamp)

    @property
    def is_key_frame(self) -> bool:
        return bool(self.flags & KEY_FRAME)

    @property
    def is_discontinuous(self) -> bool:
        return bool(self.flags & DISCONTINUITY)

    def __bytes__(self):
        head = struct.pack("!BBH", VERSION << 4 | self.kind, self.flags, self.channel)
        if self.kind == FRAME:
            head += struct.pack("!Q", self.timestamp_us)
        return head + self.payload
