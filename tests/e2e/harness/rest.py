"""The same operations as plain HTTP requests."""

import http.client
import json
from dataclasses import dataclass


@dataclass(frozen=True)
class Answer:
    status: int
    headers: dict[str, str]
    text: str

    @property
    def json(self) -> dict:
        return json.loads(self.text)


def call(
    port: int,
    method: str,
    path: str,
    body: dict | None = None,
    *,
    token: str | None = None,
    source: str = "127.0.0.1",
    headers: dict[str, str] | None = None,
) -> Answer:
    """From the loopback address `source`, on a connection of its own."""
    connection = http.client.HTTPConnection(
        "127.0.0.1", port, timeout=20, source_address=(source, 0)
    )
    bearer = {"Authorization": f"Bearer {token}"} if token else {}
    content = json.dumps(body) if body is not None else None
    kind = {"Content-Type": "application/json"} if content else {}
    try:
        connection.request(method, path, content, {**bearer, **kind, **(headers or {})})
        response = connection.getresponse()
        text = response.read().decode()
    finally:
        connection.close()
    return Answer(response.status, {k.lower(): v for k, v in response.getheaders()}, text)
