#!/usr/bin/python3
"""An SRTP peer of GStreamer: VP8 and RTCP over one UDP socket, both ways under one key.

  gstreamer_peer.py send LOCAL_PORT REMOTE_PORT SUITE HEX_KEY
  gstreamer_peer.py receive LOCAL_PORT REMOTE_PORT SUITE HEX_KEY

Prints "ready". The receiver then prints "frames N" for each decoded frame; the sender, which makes
no key frame but the first by itself, "key frame requested" for each request. Runs until SIGTERM.
"""

import signal
import sys

import gi

gi.require_version("Gst", "1.0")
from gi.repository import GLib, Gst  # noqa: E402

# SDES name -> cipher and authentication as GStreamer calls them.
SUITES = {
    "AES_CM_128_HMAC_SHA1_80": ("aes-128-icm", "hmac-sha1-80"),
    "AES_CM_128_HMAC_SHA1_32": ("aes-128-icm", "hmac-sha1-32"),
    "AES_256_CM_HMAC_SHA1_80": ("aes-256-icm", "hmac-sha1-80"),
    "AEAD_AES_128_GCM": ("aes-128-gcm", "null"),
    "AEAD_AES_256_GCM": ("aes-256-gcm", "null"),
}
SSRC = 1234567
MEDIUM = (
    "media=(string)video,clock-rate=(int)90000,encoding-name=(string)VP8,payload=(int)96,"
    "rtcp-fb-nack-pli=(boolean)true,rtcp-fb-nack=(boolean)true"
)


class Peer:
    def __init__(self, local_port: str, remote_port: str, suite: str, key: str):
        self.remote_port, self.key = remote_port, key
        self.cipher, self.authentication = SUITES[suite]
        self.local_port = local_port

    def encryptor(self) -> str:
        cipher, tag = self.cipher, self.authentication
        return (
            f"srtpenc name=encryptor key={self.key} rtp-cipher={cipher} rtp-auth={tag}"
            f" rtcp-cipher={cipher} rtcp-auth={tag.replace('32', '80')}"
        )

    def key_of_ssrc(self, _decryptor, _ssrc) -> Gst.Caps:
        cipher, tag = self.cipher, self.authentication
        return Gst.Caps.from_string(
            f"application/x-srtp,srtp-key=(buffer){self.key},"
            f"srtp-cipher=(string){cipher},srtp-auth=(string){tag},"
            f"srtcp-cipher=(string){cipher},srtcp-auth=(string){tag.replace('32', '80')}"
        )

    def receiving_socket(self, caps: str) -> str:
        return f'udpsrc name=socket address=127.0.0.1 port={self.local_port} caps="{caps}"'

    def sink(self, name: str) -> str:
        return f"udpsink name={name} host=127.0.0.1 port={self.remote_port} sync=false async=false"

    def run(self, description: str, prepare):
        pipeline = Gst.parse_launch(description)
        pipeline.get_by_name("decryptor").connect("request-key", self.key_of_ssrc)
        prepare(pipeline)
        # The socket that receives also sends, so that the other side sees one address.
        pipeline.set_state(Gst.State.READY)
        source = pipeline.get_by_name("socket")
        pipeline.set_state(Gst.State.PAUSED)
        for name in ("rtp_out", "rtcp_out"):
            if sink := pipeline.get_by_name(name):
                sink.set_state(Gst.State.NULL)
                sink.set_property("socket", source.get_property("used-socket"))
                sink.set_property("close-socket", False)
        pipeline.set_state(Gst.State.PLAYING)

        loop = GLib.MainLoop()
        bus = pipeline.get_bus()
        bus.add_signal_watch()
        bus.connect(
            "message::error", lambda _bus, message: (say(message.parse_error()), loop.quit())
        )
        GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, signal.SIGTERM, loop.quit)
        say("ready")
        loop.run()
        pipeline.set_state(Gst.State.NULL)

    def send(self):
        def count_requests(_pad, info):
            structure = info.get_event().get_structure()
            if structure and structure.get_name() == "GstForceKeyUnit":
                say("key frame requested")
            return Gst.PadProbeReturn.OK

        self.run(
            "rtpbin name=session rtp-profile=avpf videotestsrc is-live=true pattern=ball"
            " ! video/x-raw,width=320,height=240,framerate=30/1"
            " ! vp8enc name=coder deadline=1 cpu-used=8 keyframe-max-dist=100000 error-resilient=1"
            f" ! rtpvp8pay pt=96 ssrc={SSRC} mtu=1200 picture-id-mode=15-bit"
            f" ! application/x-rtp,{MEDIUM},ssrc=(uint){SSRC} ! session.send_rtp_sink_0"
            f" {self.encryptor()} session.send_rtp_src_0 ! encryptor.rtp_sink_0"
            f" encryptor.rtp_src_0 ! {self.sink('rtp_out')}"
            " session.send_rtcp_src_0 ! encryptor.rtcp_sink_0"
            f" encryptor.rtcp_src_0 ! {self.sink('rtcp_out')}"
            f" {self.receiving_socket('application/x-srtcp')} ! decryptor.rtcp_sink"
            " srtpdec name=decryptor decryptor.rtcp_src ! session.recv_rtcp_sink_0",
            lambda pipeline: pipeline.get_by_name("coder")
            .get_static_pad("src")
            .add_probe(Gst.PadProbeType.EVENT_UPSTREAM, count_requests),
        )

    def receive(self):
        frames = 0

        def count_frame(_pad, _info):
            nonlocal frames
            frames += 1
            say(f"frames {frames}")
            return Gst.PadProbeReturn.OK

        def decode(pipeline, pad):
            if not pad.get_name().startswith("recv_rtp_src"):
                return
            decoder = Gst.parse_bin_from_description(
                "rtpvp8depay request-keyframe=true wait-for-keyframe=true ! vp8dec"
                " ! fakesink name=screen sync=false",
                True,
            )
            decoder.get_by_name("screen").get_static_pad("sink").add_probe(
                Gst.PadProbeType.BUFFER, count_frame
            )
            pipeline.add(decoder)
            decoder.sync_state_with_parent()
            pad.link(decoder.get_static_pad("sink"))

        self.run(
            f"rtpbin name=session rtp-profile=avpf latency=60 {self.encryptor()}"
            f" {self.receiving_socket(f'application/x-srtp,{MEDIUM}')} ! decryptor.rtp_sink"
            " srtpdec name=decryptor decryptor.rtp_src ! session.recv_rtp_sink_0"
            " decryptor.rtcp_src ! session.recv_rtcp_sink_0"
            " session.send_rtcp_src_0 ! encryptor.rtcp_sink_0"
            f" encryptor.rtcp_src_0 ! {self.sink('rtcp_out')}",
            lambda pipeline: pipeline.get_by_name("session").connect(
                "pad-added", lambda _session, pad: decode(pipeline, pad)
            ),
        )


def say(text: object):
    print(text, flush=True)


if __name__ == "__main__":
    Gst.init(None)
    mode, *rest = sys.argv[1:]
    {"send": Peer.send, "receive": Peer.receive}[mode](Peer(*rest))
