"""Tracks and legs of signalling requests for what ffmpeg sends and receives."""

import base64
import time

from harness.encoded_clip import encoded_frames, rtp_packets
from harness.ffmpeg import AUDIO_PAYLOAD_TYPE, VIDEO_PAYLOAD_TYPE, Address, Clip
from harness.keys import Key
from harness.media_message import FRAME, RTP, MediaMessage
from harness.signalling import SignallingClient
from harness.udp import RtpHeader

SSRC = 0x22222222
FRAME_TIME = 1 / 30


def video_track(codec: str, **fields) -> dict:
    fmtp = {"fmtp": "packetization-mode=1"} if codec == "H264" else {}
    track = {"name": "video", "codec": f"{codec}/90000", "payload_type": VIDEO_PAYLOAD_TYPE}
    return {**track, **fmtp, **fields}


def audio_track(**fields) -> dict:
    return {
        "name": "audio",
        "codec": "opus/48000/2",
        "payload_type": AUDIO_PAYLOAD_TYPE,
        **fields,
    }


def srtp(suite: str = "AES_CM_128_HMAC_SHA1_80", **fields) -> dict:
    return {"srtp": {"suites": [suite], **fields}}


def websocket(media_format: str = "rtp") -> dict:
    return {"websocket": {"format": media_format}}


def key_in(answer: dict) -> Key:
    """What the media of an srtp leg is encrypted with."""
    leg = answer["srtp"]
    return Key(leg["suite"], base64.b64decode(leg["key"]))


def address_in(answer: dict) -> Address:
    leg = answer.get("srtp") or answer["rtp"]
    return Address(leg["port"], leg["addresses"][0])


def channel_in(answer: dict, track: int = 0) -> int:
    return answer["tracks"][track]["channel"]


def play_packets(
    client: SignallingClient, clip: Clip, channel: int, ssrc: int, begin: int = 0, frames: int = 120
):
    """Sends packets of the clip over the WebSocket, four times as fast as in real time.

    They are those of the frames from `begin` to `frames`."""
    packets = rtp_packets(clip, ssrc)
    started, first = time.monotonic(), RtpHeader.of(packets[0]).timestamp
    for packet in packets:
        due = (RtpHeader.of(packet).timestamp - first & 0xFFFFFFFF) / 90000
        if begin <= round(due / FRAME_TIME) < frames:
            time.sleep(max(0, started + (due - begin * FRAME_TIME) / 4 - time.monotonic()))
            client.send_media(MediaMessage(RTP, channel, packet))


def play_frames(client: SignallingClient, clip: Clip, channel: int, frames: int = 120):
    """Sends the clip's frames over the WebSocket, four times as fast as in real time."""
    began = time.monotonic()
    for number, frame in enumerate(encoded_frames(clip)[:frames]):
        time.sleep(max(0, began + number * FRAME_TIME / 4 - time.monotonic()))
        flags = 1 if number % 30 == 0 else 0  # as the clip was encoded
        timestamp = round(number * FRAME_TIME * 1e6)
        client.send_media(MediaMessage(FRAME, channel, frame, flags, timestamp))
