"""What the demo sets up: ports and keys, the YAML of runneld, the command lines of ffmpeg."""

import base64
import secrets
import socket
from pathlib import Path

STREAM = "demo"
SUITE = "AES_CM_128_HMAC_SHA1_80"
HOST = "127.0.0.1"

CONFIGURATION = """
listen:
  media: "{HOST}:{media}"
  signalling: []
log: {{format: json, statistics_interval: 0}}
relays:
  - stream: {STREAM}
    from:
      srtp:
        suite: {SUITE}
        key: "{key_in}"
        media:
          - {{kind: video, payload_type: 96, codec: H264/90000, fmtp: "packetization-mode=1",
             listen: "{HOST}:{video_in}"}}
          - {{kind: audio, payload_type: 111, codec: opus/48000/2, listen: "{HOST}:{audio_in}"}}
    to:
      - srtp:
          suite: {SUITE}
          key: "{key_out}"
          media:
            - {{kind: video, send: "{HOST}:{video_out}"}}
            - {{kind: audio, send: "{HOST}:{audio_out}"}}
"""

DIAGRAM = """
  ffmpeg      publishes a moving test pattern (H.264, 640x360, 30 fps) and a tone (Opus)
     |
     |        SRTP {SUITE} under key A
     |        video to {HOST}:{video_in}, audio to {HOST}:{audio_in}
     v
  runneld     checks and decrypts each packet, encrypts it again
     |
     |        SRTP {SUITE} under key B
     |        video to {HOST}:{video_out}, audio to {HOST}:{audio_out}
     v
  ffmpeg      decodes each frame
"""

PROGRESS = "-v error -progress pipe:1 -stats_period 0.5"


def free_port_pair(taken: set[int]) -> int:
    """An even port, free with the odd one above it, which is for RTCP."""
    while True:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.bind((HOST, 0))
            port = probe.getsockname()[1] & ~1
        try:
            for candidate in (port, port + 1):
                with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
                    probe.bind((HOST, candidate))
        except OSError:
            continue
        if port not in taken:
            taken.add(port)
            return port


def is_bound(port: int) -> bool:
    with open("/proc/net/udp", encoding="ascii") as table:
        return any(line.split()[1].endswith(f":{port:04X}") for line in list(table)[1:])


class Streams:
    """Two legs on free ports of this machine, under fresh keys."""

    def __init__(self):
        taken: set[int] = set()
        self.ports = {
            name: free_port_pair(taken)
            for name in ("video_in", "audio_in", "video_out", "audio_out", "media")
        }
        self.key_in, self.key_out = (
            base64.b64encode(secrets.token_bytes(30)).decode() for _ in range(2)
        )

    def _fill(self, text: str) -> str:
        return text.format(**self.ports, **globals(), key_in=self.key_in, key_out=self.key_out)

    def diagram(self) -> str:
        return self._fill(DIAGRAM)

    def configuration(self) -> str:
        return self._fill(CONFIGURATION)

    def receiver_command(self, session_description: Path) -> list:
        return [
            *f"ffmpeg -nostdin {PROGRESS} -protocol_whitelist file,srtp,rtp,udp,crypto".split(),
            *"-analyzeduration 1000000 -threads 1 -i".split(),
            session_description,
            *"-map 0:v -map 0:a -fps_mode passthrough -f null -".split(),
        ]

    def publisher_command(self) -> list:
        def output(medium: str, payload_type: int) -> str:
            return (
                f"-payload_type {payload_type} -f rtp -rtpflags send_bye -srtp_out_suite {SUITE}"
                f" -srtp_out_params {self.key_in} srtp://{HOST}:{self.ports[medium]}?pkt_size=1200"
            )

        return (
            f"ffmpeg -nostdin {PROGRESS}"
            " -re -f lavfi -i testsrc2=s=640x360:r=30 -re -f lavfi -i sine=f=440:r=48000"
            f" -map 1:a -c:a libopus -b:a 48k -frame_duration 20 {output('audio_in', 111)}"
            " -map 0:v -c:v libx264 -preset ultrafast -tune zerolatency -profile:v baseline"
            f" -b:v 1500k -g 30 {output('video_in', 96)}"
        ).split()
