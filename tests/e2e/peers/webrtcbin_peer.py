"""GStreamer's webrtcbin as a client of WHIP or WHEP: webrtcbin_peer.py publish|watch URL

Now and then it prints "STATE VIDEO AUDIO COLOUR": of its connection, how many buffers it has
decoded, and a pixel of the last picture."""

import sys
import urllib.request

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstWebRTC", "1.0")
gi.require_version("GstSdp", "1.0")
from gi.repository import GLib, Gst, GstSdp, GstWebRTC  # noqa: E402

SOURCES = """
  webrtcbin name=peer bundle-policy=max-bundle
  videotestsrc is-live=true pattern=red ! video/x-raw,width=320,height=240,framerate=30/1
    ! vp8enc deadline=1 cpu-used=8 keyframe-max-dist=60 ! rtpvp8pay picture-id-mode=15-bit mtu=1200
    ! application/x-rtp,media=video,encoding-name=VP8,payload=96,rtcp-fb-nack-pli=true ! peer.
  audiotestsrc is-live=true freq=1000 ! audioconvert ! audioresample ! opusenc ! rtpopuspay
    ! application/x-rtp,media=audio,encoding-name=OPUS,payload=111 ! peer.
"""
WISHES = (
    "application/x-rtp,media=audio,encoding-name=OPUS,payload=111,clock-rate=48000,"
    "encoding-params=(string)2",
    "application/x-rtp,media=video,encoding-name=VP8,payload=96,clock-rate=90000,"
    "rtcp-fb-nack-pli=true,rtcp-fb-nack=true",
)
DECODERS = {
    "video": "rtpvp8depay ! vp8dec ! videoconvert ! video/x-raw,format=RGB"
    " ! fakesink name=sink sync=false",
    "audio": "rtpopusdepay ! opusdec ! fakesink name=sink sync=false",
}


class Peer:
    def __init__(self, role: str, url: str):
        self._url = url
        self._kept = []  # what GStreamer goes on using after Python has let go of it
        self._decoded = {"video": 0, "audio": 0}
        self._pixel = ""
        if role == "publish":
            self._pipeline = Gst.parse_launch(SOURCES)
            self._peer = self._pipeline.get_by_name("peer")
        else:
            self._pipeline = Gst.Pipeline()
            self._peer = Gst.ElementFactory.make("webrtcbin", "peer")
            self._peer.set_property("bundle-policy", GstWebRTC.WebRTCBundlePolicy.MAX_BUNDLE)
            self._pipeline.add(self._peer)
            direction = GstWebRTC.WebRTCRTPTransceiverDirection.RECVONLY
            for wish in WISHES:
                self._peer.emit("add-transceiver", direction, Gst.Caps.from_string(wish))
        self._peer.connect("pad-added", self._decode)
        self._peer.connect("on-negotiation-needed", self._offer)

    def run(self):
        loop = GLib.MainLoop()
        self._pipeline.set_state(Gst.State.PLAYING)
        GLib.timeout_add(500, self._tell)
        loop.run()

    def _tell(self) -> bool:
        state = self._peer.get_property("connection-state").value_nick
        print(state, self._decoded["video"], self._decoded["audio"], self._pixel, flush=True)
        return True

    def _offer(self, _):
        promise = Gst.Promise.new_with_change_func(self._exchange, None)
        self._kept.append(promise)
        self._peer.emit("create-offer", None, promise)

    def _exchange(self, promise, _):
        promise.wait()
        reply = promise.get_reply()
        offer = reply.get_value("offer")
        self._kept += [promise, reply, offer]
        self._peer.emit("set-local-description", offer, None)
        request = urllib.request.Request(
            self._url, offer.sdp.as_text().encode(), {"Content-Type": "application/sdp"}
        )
        with urllib.request.urlopen(request, timeout=20) as response:
            text = response.read().decode()
        _, sdp = GstSdp.SDPMessage.new_from_text(text)
        answer = GstWebRTC.WebRTCSessionDescription.new(GstWebRTC.WebRTCSDPType.ANSWER, sdp)
        self._kept += [sdp, answer]
        self._peer.emit("set-remote-description", answer, None)

    def _decode(self, _, pad):
        if pad.direction != Gst.PadDirection.SRC:
            return
        kind = pad.get_current_caps().get_structure(0).get_string("media")
        decoder = Gst.parse_bin_from_description(DECODERS[kind], True)
        self._pipeline.add(decoder)
        decoder.sync_state_with_parent()
        pad.link(decoder.get_static_pad("sink"))
        sink = decoder.get_by_name("sink").get_static_pad("sink")
        sink.add_probe(Gst.PadProbeType.BUFFER, self._count, kind)

    def _count(self, _, info, kind: str):
        self._decoded[kind] += 1
        if kind == "video":
            # Near the left lower corner.
            buffer = info.get_buffer()
            at = buffer.get_size() * 7 // 8 // 3 * 3
            self._pixel = ",".join(str(part) for part in buffer.extract_dup(at, 3))
        return Gst.PadProbeReturn.OK


Gst.init(None)
Peer(*sys.argv[1:]).run()
