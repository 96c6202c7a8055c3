"""The voice dialect over real sockets: mu-law passes bit for bit, at the pace of speech."""

import random
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from harness import rest
from harness.children import Child, await_condition
from harness.legs import address_in, audio_track, key_in, srtp, websocket
from harness.runneld import Runneld
from harness.signalling import signalled_client
from harness.udp import RtpHeader, Sink
from harness.voice import PACKET_TIME, SAMPLES, Agent, Caller
from harness.websocket import Refused

RANDOM = random.Random(8)
PCMU = {"name": "audio", "codec": "PCMU/8000", "payload_type": 0}


def mu_law(packets: int) -> bytes:
    """Noise, in which each of the 256 values occurs."""
    return bytes(range(256)) + RANDOM.randbytes(packets * SAMPLES - 256)


class Voice(unittest.TestCase):
    def await_listeners(self, runneld: Runneld, stream: str, count: int = 1):
        """What is said before anybody listens, nobody hears."""

        def has_listeners():
            listed = rest.call(runneld.signalling_port, "GET", "/v1/streams").json["streams"]
            return [s for s in listed if s["stream"] == stream and s["subscribers"] >= count]

        await_condition(has_listeners, f"{count} listeners of {stream}")

    def test_caller_and_agent_hear_each_other_bit_by_bit(self):
        runneld = Runneld(self)
        agent = Agent(self, runneld, "call")
        self.assertEqual(agent.start["mediaFormat"]["encoding"], "audio/x-mulaw")
        self.assertEqual(agent.start["customParameters"]["stream"], "call")
        caller = Caller(self, runneld, "call")
        question, reply = mu_law(50), mu_law(50)

        caller.say_in_packets(question)
        agent.say(reply)  # all at once

        self.assertEqual(agent.await_audio(len(question)), question)
        self.assertEqual(caller.await_audio(len(reply)), reply)
        self.assertEqual({len(part) for part, _ in caller.heard()}, {SAMPLES})

    def test_an_agent_is_heard_no_faster_than_it_speaks(self):
        """However fast it sends; and its mark comes back when it has been heard, not before."""
        runneld = Runneld(self)
        caller, agent = Caller(self, runneld, "call"), Agent(self, runneld, "call")
        speech = mu_law(75)

        began = time.monotonic()
        agent.say(speech)
        agent.mark("said")

        self.assertEqual(caller.await_audio(len(speech)), speech)
        for number, (_, at) in enumerate(caller.heard()):
            self.assertGreaterEqual(at - began, number * PACKET_TIME - 0.005)
        self.assertGreaterEqual(agent.await_mark("said") - began, 75 * PACKET_TIME - 0.005)
        caller.await_mark("said")

    def test_clear_silences_an_agent_and_returns_its_marks(self):
        runneld = Runneld(self)
        caller, agent = Caller(self, runneld, "call"), Agent(self, runneld, "call")
        began = time.monotonic()
        agent.say(mu_law(1000))
        agent.mark("never heard")
        caller.await_audio(SAMPLES)

        agent.send("clear", streamSid=agent.stream_sid)

        self.assertLess(agent.await_mark("never heard") - began, 1000 * PACKET_TIME)
        caller.await_event("clear")
        after = mu_law(5)
        agent.say(after)
        await_condition(
            lambda: b"".join(part for part, _ in caller.heard()).endswith(after),
            "what was said after the clear",
        )
        self.assertLess(len(caller.heard()), 1000)

    def test_keys_and_the_end_of_a_call_reach_the_agent(self):
        runneld = Runneld(self)
        agent, caller = Agent(self, runneld, "call"), Caller(self, runneld, "call")
        caller.say_in_packets(mu_law(2))
        agent.await_audio(2 * SAMPLES)
        caller.send("dtmf", streamSid=caller.stream_sid, dtmf={"track": "inbound", "digit": "7"})
        self.assertEqual(agent.await_event("dtmf")[0]["dtmf"]["digit"], "7")
        caller.send("stop", streamSid=caller.stream_sid, stop={"accountSid": "AC", "callSid": "CA"})
        self.assertEqual(caller.socket.await_close(), 1000)

    def test_a_stream_of_another_codec_is_refused_with_a_sentence(self):
        runneld = Runneld(self)
        client = signalled_client(self, runneld)
        client.request("publish", stream="music", tracks=[audio_track()], leg=websocket())
        with self.assertRaises(Refused) as caught:
            Agent(self, runneld, "music")
        self.assertEqual(caught.exception.status, 400)
        self.assertIn("unsupported_codec", caught.exception.body)
        self.assertIn("opus", caught.exception.body)
        waiting = Agent(self, runneld, "later")
        client.request("publish", stream="later", tracks=[audio_track()], leg=websocket())
        self.assertEqual(waiting.socket.await_close(), 1003)
        self.assertIn("opus", waiting.socket.close_reason)
        wrong = Caller(self, runneld, "call", encoding="audio/x-l16")
        self.assertEqual(wrong.socket.await_close(), 1003)
        self.assertTrue(wrong.socket.close_reason)

    def test_an_agent_hears_ffmpeg(self):
        """PCMU by SRTP, on a leg made by signalling; the agent's reply leaves as RTP."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        tone = Path(folder.name) / "tone.mulaw"
        subprocess.run(
            f"ffmpeg -nostdin -v error -f lavfi -i sine=f=440:r=8000 -t 2 -f mulaw {tone}".split(),
            check=True,
        )
        runneld = Runneld(self, signalling={"rtp_networks": ["127.0.0.0/8"]})
        client, sink = signalled_client(self, runneld), Sink(self)
        track = {**PCMU, "ssrc": 0x44444444}
        published = client.request("publish", stream="call", tracks=[track], leg=srtp())
        agent = Agent(self, runneld, "call")
        self.await_listeners(runneld, "call")

        address, key = address_in(published), key_in(published)
        Child(
            self,
            *"ffmpeg -nostdin -v error -re -f mulaw -ar 8000 -ac 1 -i".split(),
            tone,
            *"-c copy -ssrc 0x44444444 -payload_type 0 -f rtp -srtp_out_suite".split(),
            key.ffmpeg_suite,
            "-srtp_out_params",
            key.base64,
            f"srtp://{address}?pkt_size=172&rtcpport={address.port}",
        )

        samples = tone.read_bytes()
        heard = agent.await_audio(len(samples) - SAMPLES)
        self.assertEqual(heard, samples[: len(heard)])
        reply = mu_law(10)
        agent.say(reply[:SAMPLES])
        to_sink = {"rtp": {"to": f"127.0.0.1:{sink.port}"}}
        answer = client.request("subscribe", stream="call-reply", leg=to_sink, wait_ms=10_000)
        agent.say(reply)
        sink.await_rtp(10)
        arrived = b"".join(d[12:] for d in sink.datagrams if d[1] & 0x7F == 0)
        self.assertTrue(arrived.endswith(reply))
        ssrc = answer["tracks"][0]["ssrc"]
        self.assertEqual({h.ssrc for h in sink.rtp_headers()}, {ssrc})

    def test_a_signalling_client_takes_part_in_a_call(self):
        """Voice streams are streams: they are listed, and a recorder subscribes to them."""
        runneld = Runneld(self)
        recorder = signalled_client(self, runneld)
        caller = Caller(self, runneld, "call")
        waiting = recorder.start("subscribe", stream="call", leg=websocket(), wait_ms=30_000)
        speech = mu_law(20)
        caller.say_in_packets(speech[:SAMPLES])
        answer = waiting.result()
        self.assertEqual(answer["tracks"][0]["codec"], "PCMU/8000")
        caller.say_in_packets(speech, begin=1)

        def recorded():
            return b"".join(message.payload[12:] for message in recorder.media()).endswith(speech)

        await_condition(recorded, "the speech is recorded")
        headers = [RtpHeader.of(message.payload) for message in recorder.media()]
        steps = {b.timestamp - a.timestamp & 0xFFFFFFFF for a, b in zip(headers, headers[1:])}
        self.assertEqual(steps, {SAMPLES})


if __name__ == "__main__":
    unittest.main()
