"""A clip that ffmpeg publishes by SRTP, for as long as the test lasts."""

import itertools
import unittest

from harness.ffmpeg import Clip, publish
from harness.legs import SSRC, address_in, audio_track, key_in, srtp, video_track
from harness.rest import call
from harness.runneld import Runneld

_ssrcs = itertools.count(SSRC, 2)  # all come to one port


def publish_clip(
    test: unittest.TestCase, runneld: Runneld, stream: str, clip: Clip, *, sounds: bool
):
    """The stream is live when this returns."""
    ssrc = next(_ssrcs)
    tracks = [video_track(clip.codec, ssrc=ssrc)] + sounds * [audio_track(ssrc=ssrc + 1)]
    path = f"/v1/streams/{stream}/publication"
    answer = call(runneld.signalling_port, "POST", path, {"tracks": tracks, "leg": srtp()})
    test.assertIn(answer.status, (200, 201), answer.text)
    key, at = key_in(answer.json), address_in(answer.json)
    publish(test, clip, key, at, at if sounds else None, ssrc=ssrc, loops=-1, rtcp_mux=True)
    runneld.child.await_line(f"{stream}: video has started")
