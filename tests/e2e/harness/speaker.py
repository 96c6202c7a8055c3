"""A publisher of sound over the WebSocket, each of whose packets says its number."""

import struct

from harness.legs import channel_in, websocket
from harness.media_message import RTP, MediaMessage
from harness.signalling import SignallingClient

SAMPLES = 960  # of Opus at 48 kHz in 20 ms
PAYLOAD_TYPE, SSRC = 111, 0x33333333


def rtp_packet(number: int, payload: bytes, *, payload_type=PAYLOAD_TYPE, ssrc=SSRC) -> bytes:
    sequence, timestamp = number & 0xFFFF, number * SAMPLES & 0xFFFFFFFF
    return struct.pack("!BBHII", 0x80, payload_type, sequence, timestamp, ssrc) + payload


class Speaker:
    """Publishes one track of Opus; `say` sends its next packets."""

    def __init__(self, client: SignallingClient, stream: str, voice: bytes = b"", **fields):
        self.client, self.voice, self.said = client, voice, 0
        track = {"codec": "opus/48000/2", "payload_type": PAYLOAD_TYPE, "ssrc": SSRC}
        self.answer = client.request(
            "publish", stream=stream, tracks=[track], leg=websocket(), **fields
        )
        self.leg = self.answer["leg"]

    def say(self, count: int = 1, client: SignallingClient | None = None) -> list[bytes]:
        """Over another connection of the session where one is given. Answers the payloads."""
        payloads = [self.voice + b"%d" % n for n in range(self.said, self.said + count)]
        for payload in payloads:
            packet = rtp_packet(self.said, payload)
            message = MediaMessage(RTP, channel_in(self.answer), packet)
            (client or self.client).send_media(message)
            self.said += 1
        return payloads


def heard(client: SignallingClient, answer: dict) -> list[bytes]:
    """What has come to a subscription over the WebSocket: the payloads."""
    return [message.payload[12:] for message in client.media(channel_in(answer))]
