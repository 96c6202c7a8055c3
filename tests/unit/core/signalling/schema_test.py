"""schema.json is a schema, takes every example of PROTOCOL.md, and refuses what the code refuses."""

import json
import re
import sys
import unittest
from pathlib import Path

from jsonschema import Draft202012Validator

ROOM = Path(__file__).resolve().parents[4] / "core/signalling"
SCHEMA = json.loads((ROOM / "schema.json").read_text(encoding="utf-8"))
DOCUMENT = (ROOM / "PROTOCOL.md").read_text(encoding="utf-8")

# Of the requests in this list, each breaks one rule.
BAD_REQUESTS = [
    {"do": "bye"},
    {"id": -1, "do": "bye"},
    {"id": 2**53, "do": "bye"},
    {"id": 1, "do": "shout"},
    {"id": 1, "do": "hello", "token": None},
    {"id": 1, "do": "update", "leg": 0},
    {"id": 1, "do": "stats"},
    {"id": 1, "do": "stats", "stream": "s", "leg": 1},
    {"id": 1, "do": "stats", "stream": "s", "interval_ms": 199},
    {"id": 1, "do": "watch", "prefix": "*"},
    {"id": 1, "do": "report", "leg": 1, "track": "a", "fraction_lost": 1.5},
    {"id": 1, "do": "publish", "stream": "a/b", "tracks": [{"payload_type": 0}], "leg": {"rtp": {}}},
    {"id": 1, "do": "publish", "stream": "s", "tracks": [], "leg": {"rtp": {}}},
    {"id": 1, "do": "publish", "stream": "s", "tracks": [{"payload_type": 64}], "leg": {"rtp": {}}},
    {"id": 1, "do": "publish", "stream": "s", "tracks": [{"codec": "VP8"}], "leg": {"rtp": {}}},
    {"id": 1, "do": "publish", "stream": "s", "tracks": [{"payload_type": 0}], "leg": {}},
    {"id": 1, "do": "publish", "stream": "s", "tracks": [{"payload_type": 0}], "leg": {"webrtc": {}}},
    {"id": 1, "do": "publish", "stream": "s", "tracks": [{"payload_type": 0}], "leg": {"srtp": {}}},
    {"id": 1, "do": "publish", "stream": "s", "tracks": [{"ssrc": 0}], "leg": {"webrtc": {"offer": "v"}}},
    {"id": 1, "do": "publish", "stream": "s", "leg": {"rtp": {}}},
    {"id": 1, "do": "subscribe", "stream": "s", "leg": {"webrtc": {"offer": "v", "peer": 1}}},
    {"id": 1, "do": "update", "leg": 1, "layers": {"rid": "h", "max_height": 1}},
    {"id": 1, "do": "update", "leg": 1, "track": "video"},
    {"id": 1, "do": "answer", "peer": 1, "sdp": "v"},
    {"id": 1, "do": "restart", "offer": "v"},
    {"id": 1, "do": "subscribe", "stream": "s", "leg": {"rtp": {"latch": True}}},
    {"id": 1, "do": "subscribe", "stream": "s", "leg": {"rtp": {"to": "example.org:5"}}},
    {"id": 1, "do": "subscribe", "stream": "s", "leg": {"websocket": {"format": "json"}}},
]


def validator(definition: str | None = None) -> Draft202012Validator:
    if definition is None:
        return Draft202012Validator(SCHEMA)
    return Draft202012Validator({"$ref": f"#/$defs/{definition}", "$defs": SCHEMA["$defs"]})


class Schema(unittest.TestCase):
    def test_is_a_schema(self) -> None:
        Draft202012Validator.check_schema(SCHEMA)

    def test_takes_every_example(self) -> None:
        examples = [json.loads(text) for text in re.findall(r"```json\n(.*?)\n```", DOCUMENT, re.S)]
        self.assertGreater(len(examples), 35)
        for example in examples:
            with self.subTest(example=example):
                validator("problem" if "title" in example else None).validate(example)

    def test_shows_every_verb_answer_and_event(self) -> None:
        verbs = {entry["properties"]["do"]["const"] for entry in SCHEMA["$defs"]["request"]["oneOf"]}
        events = {
            entry["properties"]["event"]["const"] for entry in SCHEMA["$defs"]["event"]["oneOf"]
        }
        for verb in verbs:
            self.assertIn(f'"do": "{verb}"', DOCUMENT)
        for event in events:
            self.assertIn(f'"event": "{event}"', DOCUMENT)

    def test_refuses_what_the_code_refuses(self) -> None:
        for request in BAD_REQUESTS:
            with self.subTest(request=request):
                self.assertFalse(validator().is_valid(request))

    def test_ignores_fields_that_are_not_known(self) -> None:
        validator().validate({"id": 1, "do": "bye", "later": {"a": [1]}})


if __name__ == "__main__":
    sys.exit(unittest.main())
