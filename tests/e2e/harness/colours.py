"""A camera and a microphone as files: fields of known colours below a moving pattern, a tone."""

import subprocess
from pathlib import Path

from harness.ffmpeg import CLIPS, ENCODERS, Clip

# As parts of width and height: a red, a green and a blue field.
CAMERA_PLACES = [[1 / 6, 3 / 4], [1 / 2, 3 / 4], [5 / 6, 3 / 4]]
RED, GREEN, BLUE = (255, 0, 0), (0, 255, 0), (0, 0, 255)
TOLERANCE = 60  # of encoders and of the conversion to RGB


def is_colour(pixel: list[int], wanted: tuple[int, int, int]) -> bool:
    return all(abs(have - want) < TOLERANCE for have, want in zip(pixel, wanted))


def is_camera(colours: list[list[int]]) -> bool:
    """Whether these three pixels are red, green and blue."""
    return all(map(is_colour, colours, (RED, GREEN, BLUE)))


def is_red(colours: list[list[int]]) -> bool:
    return all(is_colour(pixel, RED) for pixel in colours)


def _made(name: str, *arguments: str) -> Path:
    path = CLIPS / name
    if not path.exists():
        CLIPS.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_name(f"unfinished-{name}")
        command = ["ffmpeg", "-nostdin", "-v", "error", "-y", *arguments, unfinished]
        subprocess.run(command, check=True)
        unfinished.rename(path)
    return path


FIELDS = ",".join(
    f"drawbox=x=iw*{index}/3:y=ih/2:w=iw/3:h=ih/2:color={colour}:t=fill"
    for index, colour in enumerate(("0xff0000", "0x00ff00", "0x0000ff"))
)


def camera(size: str = "1280x720") -> Path:
    """MJPEG, two seconds, which browsers repeat."""
    source = f"testsrc2=s={size}:r=30,{FIELDS}"
    return _made(
        f"camera-{size}.mjpeg",
        *f"-f lavfi -i {source} -t 2 -c:v mjpeg -q:v 3 -pix_fmt yuvj420p -f mjpeg".split(),
    )


def microphone(hertz: int = 1000) -> Path:
    source = f"sine=f={hertz}:r=48000"
    return _made(f"tone-{hertz}.wav", *f"-f lavfi -i {source} -t 4 -ac 2 -c:a pcm_s16le".split())


def encoded_camera() -> Clip:
    """Camera and microphone in VP8 and Opus."""
    sources = f"-i {camera('640x360')} -stream_loop -1 -i {microphone()} -t 4".split()
    encoder = f"-map 0:v -map 1:a {ENCODERS['VP8']} -g 30 -c:a libopus -b:a 48k -frame_duration 20"
    loop = ["-stream_loop", "-1"]
    return Clip("VP8", _made("camera.mkv", *loop, *sources, *encoder.split()))


def red() -> Clip:
    """Without sound."""
    source = "-f lavfi -i color=red:s=640x360:r=30 -t 4".split()
    return Clip("VP8", _made("red.mkv", *source, *f"{ENCODERS['VP8']} -g 30".split()))
