"""A clip as its encoded frames, and as the RTP packets that ffmpeg makes of them."""

import functools
import hashlib
import os
import socket
import subprocess
import tempfile
from pathlib import Path

from harness.ffmpeg import VIDEO_PAYLOAD_TYPE, Clip, parse_frame_hashes
from harness.udp import is_rtcp

START_CODE = b"\0\0\0\1"
IN_CLEAR, IN_SRTP = 1200, 1186  # the largest packet: ffmpeg leaves room for what SRTP adds


def md5(parts) -> list[str]:
    """Of each: what differs can be shown then."""
    return [hashlib.md5(part).hexdigest() for part in parts]


def _selection(clip: Clip) -> list:
    """Annex B is what RTP and decoders of pages get, and not what is stored in Matroska."""
    filters = ["-bsf:v", "h264_mp4toannexb"] if clip.codec == "H264" else []
    return ["-i", clip.path, "-map", "0:v", "-c", "copy", *filters]


@functools.cache
def encoded_frames(clip: Clip) -> list[bytes]:
    """Of the video, one by one: what `-f framemd5` of ffmpeg hashes."""
    with tempfile.TemporaryDirectory() as folder:
        whole, table = Path(folder) / "whole", Path(folder) / "table"
        subprocess.run(
            ["ffmpeg", "-nostdin", "-v", "error"]
            + [*_selection(clip), "-f", "data", whole]
            + [*_selection(clip)[2:], "-f", "framemd5", table],
            check=True,
        )
        data, text = whole.read_bytes(), table.read_text()
    sizes = [int(line.split(",")[4]) for line in text.splitlines() if line[:1].isdigit()]
    ends = [sum(sizes[: n + 1]) for n in range(len(sizes))]
    frames = [data[end - size : end] for end, size in zip(ends, sizes)]
    assert md5(frames) == parse_frame_hashes(text)
    return frames


def with_long_start_codes(frame: bytes) -> bytes:
    """H.264, each NAL unit behind four bytes, where ffmpeg writes three or four."""
    units = frame.replace(b"\0\0\0\1", b"\0\0\1").split(b"\0\0\1")
    return b"".join(START_CODE + unit for unit in units if unit)


def frame_hashes(clip: Clip) -> list[str]:
    """Of each encoded frame, as the frame format of Runnel has them."""
    frames = encoded_frames(clip)
    if clip.codec == "H264":
        frames = [with_long_start_codes(frame) for frame in frames]
    return md5(frames)


def payload_hashes(packets) -> list[str]:
    """Of RTP packets without extension, contributing sources and padding."""
    return md5(packet[12:] for packet in packets)


@functools.cache
def rtp_packets(clip: Clip, ssrc: int, size: int = IN_CLEAR) -> list[bytes]:
    """Of the video, as ffmpeg packetizes it. Nothing is lost on a Unix socket."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "rtp")
        receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        receiver.bind(path)
        receiver.settimeout(0.05)
        rtp = f"-ssrc {ssrc} -payload_type {VIDEO_PAYLOAD_TYPE} -f rtp -packetsize {size}"
        ffmpeg = subprocess.Popen(
            ["ffmpeg", "-nostdin", "-v", "error", *_selection(clip), *rtp.split()]
            + ["-type", "datagram", f"unix:{path}"],
            stdout=subprocess.DEVNULL,
        )
        packets = []
        while True:
            has_ended = ffmpeg.poll() is not None
            try:
                packets.append(receiver.recv(2048))
            except TimeoutError:
                if has_ended:
                    break
        receiver.close()
        assert ffmpeg.returncode == 0, "ffmpeg could not make RTP packets of the clip"
    return [packet for packet in packets if not is_rtcp(packet)]
