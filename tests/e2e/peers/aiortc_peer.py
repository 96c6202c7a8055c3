"""aiortc as a client of WHIP or WHEP: aiortc_peer.py publish|watch URL

Now and then it prints "STATE VIDEO AUDIO COLOUR": of its connection, how many frames it has
decoded, and a pixel of the last picture."""

import asyncio
import sys
import urllib.request

import numpy
from aiortc import MediaStreamTrack, RTCPeerConnection, RTCSessionDescription, VideoStreamTrack
from av import VideoFrame


class Red(VideoStreamTrack):
    async def recv(self):
        picture = numpy.full((240, 320, 3), (255, 0, 0), numpy.uint8)
        frame = VideoFrame.from_ndarray(picture, format="rgb24")
        frame.pts, frame.time_base = await self.next_timestamp()
        return frame


def post(url: str, sdp: str) -> str:
    request = urllib.request.Request(url, sdp.encode(), {"Content-Type": "application/sdp"})
    with urllib.request.urlopen(request, timeout=20) as response:
        return response.read().decode()


async def main(role: str, url: str):
    connection = RTCPeerConnection()
    decoded = {"video": 0, "audio": 0}
    pixel = ""

    async def decode(track: MediaStreamTrack):
        nonlocal pixel
        while True:
            frame = await track.recv()
            decoded[track.kind] += 1
            if track.kind == "video":
                picture = frame.to_ndarray(format="rgb24")
                height, width, _ = picture.shape
                pixel = ",".join(str(part) for part in picture[height * 3 // 4, width // 6])

    @connection.on("track")
    def on_track(track):
        asyncio.ensure_future(decode(track))

    if role == "publish":
        connection.addTransceiver(Red(), direction="sendonly")
    else:
        connection.addTransceiver("audio", direction="recvonly")
        connection.addTransceiver("video", direction="recvonly")
    await connection.setLocalDescription(await connection.createOffer())
    answer = await asyncio.to_thread(post, url, connection.localDescription.sdp)
    await connection.setRemoteDescription(RTCSessionDescription(answer, "answer"))
    while True:
        await asyncio.sleep(0.5)
        print(connection.connectionState, decoded["video"], decoded["audio"], pixel, flush=True)


asyncio.run(main(*sys.argv[1:]))
