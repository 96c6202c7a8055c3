"""The life of streams as signalling tells it: waiting, taking over, coming back, ending."""

import unittest

from harness.children import await_condition
from harness.encoded_clip import IN_SRTP, payload_hashes, rtp_packets
from harness.ffmpeg import Address, Clip, publish
from harness.keys import Key
from harness.legs import SSRC, channel_in, play_packets, srtp, video_track, websocket
from harness.ports import free_port_pair
from harness.runneld import Runneld, leg, relay, video_from, video_to
from harness.signalling import SignallingClient, SignallingError, signalled_client
from harness.speaker import Speaker, heard
from harness.udp import RtpHeader, Sink

SHORT_HOLD = {"signalling": {"hold": "1s"}}


class SignallingStreams(unittest.TestCase):
    def await_heard(self, client: SignallingClient, answer: dict, payloads: list[bytes]):
        """All of them, in this order, and nothing else."""
        await_condition(
            lambda: len(heard(client, answer)) >= len(payloads), f"{len(payloads)} packets"
        )
        self.assertEqual(heard(client, answer), payloads)

    def refused(self, code: str, client: SignallingClient, verb: str, **fields) -> SignallingError:
        with self.assertRaises(SignallingError) as caught:
            client.request(verb, **fields)
        self.assertEqual(caught.exception.code, code, caught.exception)
        return caught.exception

    def test_a_configured_stream_is_subscribed_to(self):
        """Statistics and events tell what has happened, and the file's own receivers are there."""
        clip, key = Clip.of("VP8"), Key.fresh()
        listen, receiver = Address(free_port_pair()), Sink(self)
        source = leg(key, video_from("VP8", listen))
        to_sink = leg(None, video_to(Address(receiver.port)))
        runneld = Runneld(self, relay(source, to_sink), limits={"stall": "500ms", "hold": "2s"})
        watcher, viewer = signalled_client(self, runneld), signalled_client(self, runneld)
        (listed,) = watcher.request("watch", prefix="cam")["streams"]
        self.assertEqual((listed["stream"], listed["state"]), ("camera", "waiting"))
        before = listed["subscribers"]
        answer = viewer.request("subscribe", stream="camera", leg=websocket())
        watcher.await_event("stream", what="subscribers", subscribers=before + 1)
        self.assertEqual(answer["tracks"][0]["codec"], "VP8/90000")

        publish(self, clip, key, listen, ssrc=SSRC)

        watcher.await_event("stream", what="started", stream="camera", state="live")
        viewer.await_event("leg_state", leg=answer["leg"], state="live")
        sent = rtp_packets(clip, SSRC, IN_SRTP)
        arrived = viewer.await_media(len(sent))
        self.assertEqual(payload_hashes(m.payload for m in arrived), payload_hashes(sent))
        receiver.await_rtp(len(sent))
        watcher.await_event("stream", what="stalled", stream="camera", state="stalled")
        viewer.await_event("leg_state", leg=answer["leg"], state="stalled")
        (source_statistics,) = watcher.request("stats", stream="camera")["from"]
        self.assertEqual(source_statistics["packets"], len(sent))
        self.assertEqual((source_statistics["ssrc"], source_statistics["lost"]), (SSRC, 0))
        (mine,) = viewer.request("stats", leg=answer["leg"])["to"]
        self.assertEqual(mine["tracks"][0]["packets"], len(sent))
        self.assertEqual(mine["tracks"][0]["ssrc"], answer["tracks"][0]["ssrc"])
        watcher.await_event("stream", what="ended", stream="camera", state="ended")

    def test_statistics_come_at_an_interval_until_they_are_stopped(self):
        runneld = Runneld(self)
        client = signalled_client(self, runneld)
        speaker = Speaker(client, "talk")
        client.request("stats", stream="talk", interval_ms=200)
        speaker.say(7)

        def has_counted():
            return [
                e for e in client.events("stats", stream="talk") if e["from"][0]["packets"] == 7
            ]

        await_condition(has_counted, "statistics with seven packets")
        client.request("stats", stream="talk", interval_ms=0)
        before = len(client.events("stats"))
        client.request("stats", stream="talk")
        self.assertEqual(len(client.events("stats")), before)

    def test_another_publisher_is_refused_or_takes_over(self):
        """The subscribers keep their legs, and hear one stream that goes on."""
        runneld = Runneld(self)
        listener, first, second = (signalled_client(self, runneld) for _ in range(3))
        one = Speaker(first, "talk", b"one ")
        answer = listener.request("subscribe", stream="talk", leg=websocket())
        said = one.say(5)
        self.await_heard(listener, answer, said)
        error = self.refused(
            "stream_busy",
            second,
            "publish",
            stream="talk",
            tracks=[{"codec": "opus/48000/2"}],
            leg=websocket(),
        )
        self.assertEqual(error.status, 409)

        two = Speaker(second, "talk", b"two ", take_over=True)

        first.await_event("leg_ended", leg=one.leg, reason="taken_over")
        said += two.say(5)
        self.await_heard(listener, answer, said)
        one.say(3)  # of a channel that means nothing any more
        said += two.say(1)
        self.await_heard(listener, answer, said)
        headers = [RtpHeader.of(m.payload) for m in listener.media()]
        self.assertEqual({h.ssrc for h in headers}, {answer["tracks"][0]["ssrc"]})
        self.assertEqual([h.sequence - headers[0].sequence & 0xFFFF for h in headers], [*range(11)])
        self.assertFalse(listener.events("leg_ended"))

    def test_a_session_is_resumed_after_its_socket_was_cut(self):
        """Meanwhile its SRTP goes on; afterwards its WebSocket legs do."""
        runneld = Runneld(self)
        publisher, sink = signalled_client(self, runneld), Sink(self)
        client = SignallingClient(self, runneld)
        session = client.hello()["session"]
        speaker = Speaker(publisher, "talk")
        to_sink = srtp(to=f"127.0.0.1:{sink.port}")
        by_srtp = client.request("subscribe", stream="talk", leg=to_sink)
        by_socket = client.request("subscribe", stream="talk", leg=websocket())
        self.await_heard(client, by_socket, speaker.say(3))
        sink.await_rtp(3)

        client.socket.cut()
        speaker.say(4)
        sink.await_rtp(7)

        resumed = SignallingClient(self, runneld)
        answer = resumed.hello(resume=session)
        self.assertTrue(answer["resumed"])
        self.assertEqual(answer["session"], session)
        legs = {leg["leg"]: leg for leg in answer["legs"]}
        self.assertEqual(set(legs), {by_srtp["leg"], by_socket["leg"]})
        self.assertNotIn(by_srtp["srtp"]["key"], str(answer))
        self.await_heard(resumed, legs[by_socket["leg"]], speaker.say(3))
        sink.await_rtp(10)
        resumed.request("unsubscribe", leg=by_srtp["leg"])

    def test_a_publisher_that_lost_its_socket_goes_on_where_it_was(self):
        runneld = Runneld(self)
        listener, lost = signalled_client(self, runneld), SignallingClient(self, runneld)
        session = lost.hello()["session"]
        speaker = Speaker(lost, "talk")
        answer = listener.request("subscribe", stream="talk", leg=websocket())
        said = speaker.say(3)
        self.await_heard(listener, answer, said)
        lost.socket.cut()
        back = SignallingClient(self, runneld)
        back.hello(resume=session)
        said += speaker.say(3, client=back)
        self.await_heard(listener, answer, said)
        self.assertFalse(listener.events("leg_ended"))

    def test_an_open_connection_can_be_resumed_elsewhere(self):
        runneld = Runneld(self)
        client = SignallingClient(self, runneld)
        session = client.hello()["session"]
        SignallingClient(self, runneld).hello(resume=session)
        self.assertEqual(client.socket.await_close(), 1008)

    def test_a_session_is_over_after_hold(self):
        runneld = Runneld(self, **SHORT_HOLD)
        watcher, client = signalled_client(self, runneld), SignallingClient(self, runneld)
        session = client.hello()["session"]
        watcher.request("watch")
        Speaker(client, "talk").say(1)
        watcher.await_event("stream", what="started", stream="talk")
        client.socket.cut()
        watcher.await_event("stream", what="ended", stream="talk")
        late = SignallingClient(self, runneld)
        self.refused("unknown_session", late, "hello", resume=session)
        self.assertFalse(late.hello()["resumed"])

    def test_subscribers_wait_for_a_publisher_that_comes_back(self):
        runneld = Runneld(self)
        listener, publisher = signalled_client(self, runneld), signalled_client(self, runneld)
        first = Speaker(publisher, "talk", b"before ")
        answer = listener.request("subscribe", stream="talk", leg=websocket())
        said = first.say(3)
        self.await_heard(listener, answer, said)
        publisher.request("unpublish", leg=first.leg)
        listener.await_event("leg_state", leg=answer["leg"], state="ended")
        second = Speaker(signalled_client(self, runneld), "talk", b"after ")
        said += second.say(3)
        self.await_heard(listener, answer, said)

    def test_a_publisher_that_comes_back_with_other_tracks_is_subscribed_to_anew(self):
        runneld = Runneld(self)
        listener, publisher = signalled_client(self, runneld), signalled_client(self, runneld)
        speaker = Speaker(publisher, "talk")
        answer = listener.request("subscribe", stream="talk", leg=websocket())
        publisher.request("unpublish", leg=speaker.leg)
        publisher.request("publish", stream="talk", tracks=[video_track("VP8")], leg=websocket())
        listener.await_event("leg_ended", leg=answer["leg"], reason="tracks_changed")
        again = listener.request("subscribe", stream="talk", leg=websocket())
        self.assertEqual([t["name"] for t in again["tracks"]], ["video"])

    def test_a_stream_whose_publisher_stays_away_has_ended(self):
        runneld = Runneld(self, **SHORT_HOLD)
        listener, publisher = signalled_client(self, runneld), signalled_client(self, runneld)
        speaker = Speaker(publisher, "talk")
        answer = listener.request("subscribe", stream="talk", leg=websocket())
        self.await_heard(listener, answer, speaker.say(1))
        publisher.request("bye")
        self.assertEqual(publisher.socket.await_close(), 1000)
        listener.await_event("leg_ended", leg=answer["leg"], reason="stream_ended")
        self.refused("stream_not_live", listener, "subscribe", stream="talk", leg=websocket())

    def test_a_subscriber_waits_for_a_stream_that_is_not_there_yet(self):
        runneld = Runneld(self)
        listener, publisher = signalled_client(self, runneld), signalled_client(self, runneld)
        self.refused("stream_not_live", listener, "subscribe", stream="talk", leg=websocket())
        waiting = listener.start("subscribe", stream="talk", leg=websocket(), wait_ms=30_000)
        self.assertEqual(listener.request("watch")["streams"], [])  # nothing is held up
        self.assertFalse(waiting.is_answered)
        speaker = Speaker(publisher, "talk")
        answer = waiting.result()
        self.await_heard(listener, answer, speaker.say(3))

    def test_waiting_has_an_end(self):
        client = signalled_client(self, Runneld(self))
        error = self.refused(
            "stream_not_live", client, "subscribe", stream="talk", leg=websocket(), wait_ms=100
        )
        self.assertEqual(error.status, 409)

    def test_a_subscription_pauses_and_asks_for_key_frames(self):
        runneld = Runneld(self)
        publisher, viewer = signalled_client(self, runneld), signalled_client(self, runneld)
        published = publisher.request(
            "publish", stream="camera", tracks=[video_track("VP8", ssrc=SSRC)], leg=websocket()
        )
        answer = viewer.request("subscribe", stream="camera", leg=websocket(), paused=True)
        self.assertTrue(answer["paused"])
        clip, channel = Clip.of("VP8"), channel_in(published)
        play_packets(publisher, clip, channel, SSRC, frames=10)
        viewer.request("stats", leg=answer["leg"])
        self.assertEqual(viewer.media(), [])
        asked = len(publisher.events("key_frame"))
        viewer.request("update", leg=answer["leg"], paused=False, key_frame=True)
        await_condition(
            lambda: len(publisher.events("key_frame", leg=published["leg"], track="video")) > asked,
            "the publisher is asked for a key frame",
        )
        play_packets(publisher, clip, channel, SSRC, begin=30, frames=60)
        self.assertTrue(viewer.await_media(1)[0].is_key_frame)

    def test_clocks_and_reports_travel_beside_the_media(self):
        runneld = Runneld(self)
        publisher, listener = signalled_client(self, runneld), signalled_client(self, runneld)
        speaker = Speaker(publisher, "talk")
        answer = listener.request("subscribe", stream="talk", leg=websocket())
        self.await_heard(listener, answer, speaker.say(2))
        clock = {"rtp_timestamp": 0, "unix_us": 1_790_000_000_000_000}
        publisher.request("report", leg=speaker.leg, track="audio", clock=clock)
        speaker.say(1)
        told = listener.await_event("clock", leg=answer["leg"], track="audio")
        stamp = RtpHeader.of(listener.media(channel_in(answer))[0].payload).timestamp
        ahead = (told["rtp_timestamp"] - stamp + 0x80000000 & 0xFFFFFFFF) - 0x80000000
        self.assertAlmostEqual(told["unix_us"] - clock["unix_us"], ahead / 0.048, delta=2000)
        publisher.await_event("report", leg=speaker.leg, track="audio", lost=0)
        fields = {"fraction_lost": 0.25, "jitter_ms": 4.5, "round_trip_ms": 62}
        listener.request("report", leg=answer["leg"], track="audio", **fields)
        (mine,) = listener.request("stats", leg=answer["leg"])["to"]
        self.assertAlmostEqual(mine["tracks"][0]["fraction_lost"], 0.25, delta=0.01)
        self.assertAlmostEqual(mine["tracks"][0]["round_trip_ms"], 62, delta=1)


if __name__ == "__main__":
    unittest.main()
