"""Says again what it hears, with Debian's autobahn: autobahn_parrot.py HOST PORT HEARD SAID"""

import asyncio
import json
import sys

from autobahn.asyncio.websocket import WebSocketClientFactory, WebSocketClientProtocol

SSRC = 0x70617272
HOST, PORT, HEARD, SAID = sys.argv[1:]
LEG = {"websocket": {}}
TRACKS = [{"codec": "opus/48000/2", "payload_type": 111, "ssrc": SSRC}]
REQUESTS = [
    {"id": 1, "do": "hello"},
    {"id": 2, "do": "publish", "stream": SAID, "tracks": TRACKS, "leg": LEG},
    {"id": 3, "do": "subscribe", "stream": HEARD, "leg": LEG},
]


class Parrot(WebSocketClientProtocol):
    def onOpen(self):
        for request in REQUESTS:
            self.sendMessage(json.dumps(request).encode())

    def onMessage(self, payload: bytes, isBinary: bool):
        if isBinary:
            packet = payload[4:12] + SSRC.to_bytes(4, "big") + payload[16:]
            head = bytes([0x10, 0]) + self.channel.to_bytes(2, "big")
            self.sendMessage(head + packet, isBinary=True)
            return
        message = json.loads(payload)
        if message.get("re") == 2:
            self.channel = message["ok"]["tracks"][0]["channel"]
        if message.get("re") == 3:
            print("ready" if "ok" in message else message, flush=True)

    def onClose(self, wasClean: bool, code: int, reason: str):
        loop.stop()


loop = asyncio.new_event_loop()
asyncio.set_event_loop(loop)
factory = WebSocketClientFactory(
    f"ws://{HOST}:{PORT}/v1/signal", protocols=["runnel.v1"], loop=loop
)
factory.protocol = Parrot
loop.run_until_complete(loop.create_connection(factory, HOST, int(PORT)))
loop.run_forever()
