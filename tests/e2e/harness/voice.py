"""Both ends of the dialect of Twilio Media Streams: a caller, as Twilio is, and a voice program."""

import base64
import json
import unittest

from harness.children import await_condition
from harness.runneld import Runneld
from harness.websocket import WebSocket

STREAM_SID = "MZ00112233445566778899aabbccddeeff"
SAMPLES = 160  # of 20 ms
PACKET_TIME = 0.020


class VoiceClient:
    """What is the same for both."""

    def __init__(self, test: unittest.TestCase, runneld: Runneld, stream: str, query: str = ""):
        target = f"/v1/voice/{stream}{query}"
        self.socket = WebSocket(test, runneld.signalling_port, target)
        self.stream_sid = ""

    def send(self, event: str, **fields):
        self.socket.send_text(json.dumps({"event": event, **fields}))

    def say(self, audio: bytes, **fields):
        media = {"payload": base64.b64encode(audio).decode(), **fields}
        self.send("media", streamSid=self.stream_sid, media=media)

    def mark(self, name: str):
        self.send("mark", streamSid=self.stream_sid, mark={"name": name})

    def events(self, name: str) -> list[tuple[dict, float]]:
        """Those so far, each with the time of its arrival."""
        messages = [(json.loads(text.payload), text.at) for text in self.socket.texts]
        return [(message, at) for message, at in messages if message["event"] == name]

    def await_event(self, name: str) -> tuple[dict, float]:
        return await_condition(lambda: self.events(name), f"the event {name}")[0]

    def await_mark(self, name: str) -> float:
        """When it came."""

        def look():
            return [at for event, at in self.events("mark") if event["mark"]["name"] == name]

        return await_condition(look, f"the mark {name}")[0]

    def heard(self) -> list[tuple[bytes, float]]:
        """The audio of each message so far, with the time of its arrival."""
        return [
            (base64.b64decode(event["media"]["payload"]), at) for event, at in self.events("media")
        ]

    def await_audio(self, size: int) -> bytes:
        """At least so many bytes, from the first one on."""

        def listen():
            audio = b"".join(part for part, _ in self.heard())
            return audio if len(audio) >= size else None

        return await_condition(listen, f"{size} bytes of audio", seconds=30)


class Caller(VoiceClient):
    """Publishes the stream, and hears its reply."""

    def __init__(self, test: unittest.TestCase, runneld: Runneld, stream: str, **media_format):
        super().__init__(test, runneld, stream)
        self.stream_sid = STREAM_SID
        known = {"encoding": "audio/x-mulaw", "sampleRate": 8000, "channels": 1}
        self.send("connected", protocol="Call", version="1.0.0")
        self.send(
            "start",
            sequenceNumber="1",
            streamSid=STREAM_SID,
            start={
                "accountSid": "AC00",
                "streamSid": STREAM_SID,
                "callSid": "CA00",
                "tracks": ["inbound"],
                "mediaFormat": {**known, **media_format},
                "customParameters": {},
            },
        )

    def say_in_packets(self, audio: bytes, begin: int = 0):
        """As Twilio does; `begin` is where in the stream it begins, in packets."""
        for at in range(0, len(audio), SAMPLES):
            number = begin + at // SAMPLES
            fields = {"track": "inbound", "chunk": str(number + 1), "timestamp": str(number * 20)}
            self.say(audio[at : at + SAMPLES], **fields)


class Agent(VoiceClient):
    """Hears the stream, and publishes its reply."""

    def __init__(self, test: unittest.TestCase, runneld: Runneld, stream: str):
        super().__init__(test, runneld, stream, "?role=agent")
        start, _ = self.await_event("start")
        self.stream_sid = start["streamSid"]
        self.start = start["start"]
