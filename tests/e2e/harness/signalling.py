"""A client of the signalling protocol (core/signalling/PROTOCOL.md)."""

import itertools
import json
import ssl
import unittest

from harness.children import await_condition
from harness.media_message import MediaMessage
from harness.runneld import Runneld
from harness.websocket import WebSocket

TARGET, PROTOCOL = "/v1/signal", "runnel.v1"


class SignallingError(Exception):
    """An answer that holds `error`."""

    def __init__(self, error: dict):
        super().__init__(f"{error['code']}: {error['text']}")
        self.code, self.status, self.text = error["code"], error["status"], error["text"]
        self.retry_ms = error.get("retry_ms")


class Pending:
    """A request whose answer may come later than others."""

    def __init__(self, client: "SignallingClient", number: int):
        self._client, self._number = client, number

    @property
    def is_answered(self) -> bool:
        return self._client.answer_to(self._number) is not None

    def result(self) -> dict:
        answer = await_condition(
            lambda: self._client.answer_to(self._number), f"an answer to {self._number}"
        )
        if "error" in answer:
            raise SignallingError(answer["error"])
        return answer["ok"]


class SignallingClient:
    """Connected, but without hello, when the constructor returns."""

    def __init__(
        self,
        test: unittest.TestCase,
        runneld: Runneld,
        *,
        token: str | None = None,
        query: str = "",
        headers: dict[str, str] | None = None,
        tls: ssl.SSLContext | None = None,
        **socket_options,
    ):
        """`token` travels in the header of the opening handshake."""
        bearer = {"Authorization": f"Bearer {token}"} if token else {}
        self.socket = WebSocket(
            test,
            runneld.signalling_port,
            TARGET + query,
            protocol=PROTOCOL,
            headers={**bearer, **(headers or {})},
            tls=tls,
            **socket_options,
        )
        self._numbers = itertools.count(1)
        self._parsed: list[dict] = []

    @property
    def messages(self) -> list[dict]:
        """All texts so far."""
        for message in self.socket.texts[len(self._parsed) :]:
            self._parsed.append(json.loads(message.payload))
        return self._parsed

    def answer_to(self, number: int | None) -> dict | None:
        return next((m for m in self.messages if "re" in m and m["re"] == number), None)

    def start(self, verb: str, **fields) -> Pending:
        number = next(self._numbers)
        self.socket.send_text(json.dumps({"id": number, "do": verb, **fields}))
        return Pending(self, number)

    def request(self, verb: str, **fields) -> dict:
        """What stands behind `ok`; a SignallingError otherwise."""
        return self.start(verb, **fields).result()

    def hello(self, **fields) -> dict:
        return self.request("hello", versions=[1], **fields)

    def events(self, name: str, **fields) -> list[dict]:
        """Those so far, in which the fields have these values."""
        return [
            message
            for message in self.messages
            if message.get("event") == name
            and all(message.get(field) == value for field, value in fields.items())
        ]

    def await_event(self, name: str, **fields) -> dict:
        return await_condition(
            lambda: self.events(name, **fields), f"the event {name} with {fields}"
        )[0]

    def media(self, channel: int | None = None) -> list[MediaMessage]:
        """Of one channel or all, so far."""
        messages = [MediaMessage.of(message.payload) for message in self.socket.binaries]
        return [m for m in messages if channel in (None, m.channel)]

    def await_media(self, count: int, channel: int | None = None) -> list[MediaMessage]:
        """At least `count` messages."""
        await_condition(
            lambda: len(self.media(channel)) >= count, f"{count} messages of media", seconds=30
        )
        return self.media(channel)

    def send_media(self, message: MediaMessage):
        self.socket.send_binary(bytes(message))


def signalled_client(test: unittest.TestCase, runneld: Runneld, **options) -> SignallingClient:
    """A client that has said hello."""
    client = SignallingClient(test, runneld, **options)
    client.hello()
    return client
