"""ffmpeg as publisher and receiver: what it decodes is compared with the clip bit for bit."""

import os
import subprocess
import tempfile
import unittest
from dataclasses import dataclass
from pathlib import Path

from harness.children import Child
from harness.keys import Key
from harness.ports import await_bound

CLIPS = Path(os.environ.get("RUNNEL_CLIPS", tempfile.gettempdir() + "/runnel-clips"))
VIDEO_PAYLOAD_TYPE, AUDIO_PAYLOAD_TYPE = 96, 111

ENCODERS = {
    "VP8": "-c:v libvpx -deadline realtime -cpu-used 8 -b:v 600k -auto-alt-ref 0",
    "H264": "-c:v libx264 -preset ultrafast -tune zerolatency -profile:v baseline -bf 0 -b:v 600k",
}


@dataclass(frozen=True)
class Clip:
    """Four seconds of a moving pattern with a tone, encoded once for all tests."""

    codec: str  # VP8 or H264
    path: Path

    @staticmethod
    def of(codec: str) -> "Clip":
        path = CLIPS / f"{codec}.mkv"
        if not path.exists():
            CLIPS.mkdir(parents=True, exist_ok=True)
            unfinished = CLIPS / f"{codec}.{os.getpid()}.mkv"
            subprocess.run(
                "ffmpeg -nostdin -v error -y -f lavfi -i testsrc2=s=320x240:r=30"
                f" -f lavfi -i sine=f=440:r=48000 -t 4 {ENCODERS[codec]} -g 30 -keyint_min 30"
                f" -c:a libopus -b:a 48k -frame_duration 20 {unfinished}",
                shell=True,
                check=True,
            )
            unfinished.rename(path)
        return Clip(codec, path)

    def video_hashes(self) -> list[str]:
        """Of each decoded picture."""
        return self._hashes("-map", "0:v")

    def audio_hashes(self) -> list[str]:
        """Of each encoded packet: what a decoder makes of Opus depends on where it began."""
        return self._hashes("-map", "0:a", "-c", "copy")

    def _hashes(self, *selection: str) -> list[str]:
        done = subprocess.run(
            [
                "ffmpeg",
                "-nostdin",
                "-v",
                "error",
                "-i",
                self.path,
                *selection,
                "-f",
                "framemd5",
                "-",
            ],
            capture_output=True,
            text=True,
            check=True,
        )
        return parse_frame_hashes(done.stdout)


def parse_frame_hashes(text: str) -> list[str]:
    """The column after stream, dts, pts, duration and size; side data has columns behind it."""
    return [line.split(",")[5].strip() for line in text.splitlines() if line[:1].isdigit()]


@dataclass(frozen=True)
class Address:
    """Where one medium of one side is sent: RTP on the port, RTCP on the next one."""

    port: int
    host: str = "127.0.0.1"

    @property
    def in_url(self) -> str:
        return f"[{self.host}]" if ":" in self.host else self.host

    @property
    def in_sdp(self) -> str:
        return f"IN IP{6 if ':' in self.host else 4} {self.host}"

    def __str__(self):
        return f"{self.in_url}:{self.port}"


def publish(
    test: unittest.TestCase,
    clip: Clip,
    key: Key | None,
    video: Address,
    audio: Address | None = None,
    *,
    ssrc: int = 0x22222222,
    sequence: int = 1,
    loops: int = 0,
    rtcp_mux: bool = False,
) -> Child:
    """Plays the clip in real time, not encoding it again; audio has begun when video does.

    With `rtcp_mux` RTCP goes to the port of RTP, though from a port of its own."""

    def output(address: Address, payload_type: int, medium_ssrc: int) -> list[str]:
        rtp = f"-c copy -ssrc {medium_ssrc} -payload_type {payload_type} -seq {sequence} -f rtp"
        srtp = f"-srtp_out_suite {key.ffmpeg_suite} -srtp_out_params {key.base64}" if key else ""
        rtcp = f"&rtcpport={address.port}" if rtcp_mux else ""
        url = f"{'srtp' if key else 'rtp'}://{address}?pkt_size=1200{rtcp}"
        return [*rtp.split(), *srtp.split(), url]

    command = f"ffmpeg -nostdin -v error -re -stream_loop {loops} -i".split() + [clip.path]
    if audio:
        command += ["-map", "0:a", *output(audio, AUDIO_PAYLOAD_TYPE, ssrc + 1)]
    command += ["-map", "0:v"]
    if clip.codec == "H264":
        command += ["-bsf:v", "h264_mp4toannexb"]
    return Child(test, *command, *output(video, VIDEO_PAYLOAD_TYPE, ssrc))


def session_description(
    codec: str, key: Key | None, video: Address, audio: Address | None = None
) -> str:
    """SDP written by the test itself; command_line_test.py tries what runneld writes."""

    def medium(kind: str, address: Address, payload_type: int, rtpmap: str, *more: str) -> list:
        lines = [
            f"m={kind} {address.port} RTP/{'SAVP' if key else 'AVP'} {payload_type}",
            f"c={address.in_sdp}",
            f"a=rtpmap:{payload_type} {rtpmap}",
            *more,
        ]
        return lines + ([f"a=crypto:1 {key.ffmpeg_suite} inline:{key.base64}"] if key else [])

    fmtp = [f"a=fmtp:{VIDEO_PAYLOAD_TYPE} packetization-mode=1"] if codec == "H264" else []
    lines = ["v=0", f"o=- 0 0 {video.in_sdp}", "s=-", "t=0 0"]
    lines += medium("video", video, VIDEO_PAYLOAD_TYPE, f"{codec}/90000", *fmtp)
    if audio:
        lines += medium("audio", audio, AUDIO_PAYLOAD_TYPE, "opus/48000/2")
    return "\r\n".join(lines) + "\r\n"


class Receiver:
    """Decodes a number of frames and hashes each of them."""

    def __init__(
        self,
        test: unittest.TestCase,
        description: str,
        ports: list[int],
        *,
        frames: int = 60,
        audio_packets: int = 0,
    ):
        folder = tempfile.TemporaryDirectory()
        test.addCleanup(folder.cleanup)
        self._folder = Path(folder.name)
        (self._folder / "session.sdp").write_text(description)
        whitelist = "-protocol_whitelist file,srtp,rtp,udp,crypto"
        command = f"ffmpeg -nostdin -v warning {whitelist} -analyzeduration 1000000 -i".split()
        command += [self._folder / "session.sdp"]
        command += f"-map 0:v -fps_mode passthrough -frames:v {frames} -f framemd5".split()
        command += [self._folder / "video"]
        if audio_packets:
            command += f"-map 0:a -c:a copy -frames:a {audio_packets} -f framemd5".split()
            command += [self._folder / "audio"]
        self.child = Child(test, *command)
        await_bound(*ports)

    def video_hashes(self) -> list[str]:
        """Waits until the receiver has all that it was to receive."""
        return self._hashes("video")

    def audio_hashes(self) -> list[str]:
        return self._hashes("audio")

    def _hashes(self, medium: str) -> list[str]:
        code = self.child.await_exit()
        if code != 0:
            raise AssertionError(f"ffmpeg ended with {code}:\n{self.child}")
        return parse_frame_hashes((self._folder / medium).read_text())
