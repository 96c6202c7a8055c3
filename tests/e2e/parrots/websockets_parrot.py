"""Says again what it hears, with Debian's websockets: websockets_parrot.py URL HEARD SAID [CA]"""

import asyncio
import json
import ssl
import sys

import websockets

SSRC = 0x70617272


async def request(socket, number: int, verb: str, **fields) -> dict:
    await socket.send(json.dumps({"id": number, "do": verb, **fields}))
    while True:
        answer = json.loads(await socket.recv())
        if answer.get("re") == number:
            return answer["ok"]


async def main(url: str, heard: str, said: str, certificate: str | None = None):
    tls = ssl.create_default_context(cafile=certificate) if certificate else None
    async with websockets.connect(url, subprotocols=["runnel.v1"], ssl=tls) as socket:
        leg = {"websocket": {}}
        tracks = [{"codec": "opus/48000/2", "payload_type": 111, "ssrc": SSRC}]
        await request(socket, 1, "hello")
        published = await request(socket, 2, "publish", stream=said, tracks=tracks, leg=leg)
        await request(socket, 3, "subscribe", stream=heard, leg=leg)
        print("ready", flush=True)
        head = bytes([0x10, 0]) + published["tracks"][0]["channel"].to_bytes(2, "big")
        async for message in socket:
            if isinstance(message, bytes):
                packet = message[4:12] + SSRC.to_bytes(4, "big") + message[16:]
                await socket.send(head + packet)


asyncio.run(main(*sys.argv[1:]))
