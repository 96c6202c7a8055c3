"""What runneld says and answers on the command line, and how it starts and ends."""

import json
import re
import signal
import socket
import subprocess
import tempfile
import unittest
from pathlib import Path

from harness.children import Child, await_condition
from harness.ffmpeg import Address, Clip, Receiver, publish
from harness.keys import Key
from harness.ports import free_port_pair
from harness.runneld import BINARY, Runneld, audio_from, audio_to, leg, relay, video_from, video_to
from harness.udp import GOODBYE, Sink, is_rtcp, rtcp_packet_types

CONFIG_ERROR, PORT_IN_USE = 78, 71


def run(*arguments: object) -> subprocess.CompletedProcess:
    return subprocess.run(
        [BINARY, *map(str, arguments)], capture_output=True, text=True, timeout=20
    )


class CommandLine(unittest.TestCase):
    def file(self, text: str) -> Path:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = Path(folder.name) / "runnel.yaml"
        path.write_text(text)
        return path

    def test_help_names_every_option(self):
        done = run("--help")
        self.assertEqual(done.returncode, 0)
        for option in ("--config", "--check", "--sdp", "--version", "--help"):
            self.assertIn(option, done.stdout)

    def test_version(self):
        done = run("--version")
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stdout, r"^runneld \d+\.\d+\.\d+")

    def test_an_unknown_option_is_refused(self):
        done = run("--confg")
        self.assertEqual(done.returncode, 64)
        self.assertIn("--confg", done.stderr)

    def test_check_prints_the_relays_and_no_secret(self):
        key = Key.fresh()
        done = run(
            "--check",
            self.file(
                json.dumps(
                    {
                        "relays": [
                            relay(
                                leg(key, video_from("VP8", Address(5004))),
                                leg(None, video_to(Address(6004))),
                            )
                        ]
                    }
                )
            ),
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        for part in ("camera", "AES_CM_128_HMAC_SHA1_80", "127.0.0.1:5004", "127.0.0.1:6004"):
            self.assertIn(part, done.stdout)
        self.assertNotIn(key.base64[:8], done.stdout + done.stderr)

    def test_every_error_names_file_line_and_key_at_once(self):
        path = self.file(
            "relays:\n"
            "  - stream: camera\n"
            "    from:\n"
            "      srtp:\n"
            "        suite: AES_CM_128_HMAC_SHA1_81\n"
            "        key: dG9vIHNob3J0\n"
            "        media: {kind: video, payload_typ: 96, codec: VP8, listen: '[::1]:5004'}\n"
            "    to: []\n"
        )
        for arguments in (["--check", path], ["--config", path]):
            with self.subTest(arguments[0]):
                done = run(*arguments)
                self.assertEqual(done.returncode, CONFIG_ERROR)
                self.assertRegex(
                    done.stderr, rf"{re.escape(str(path))}:5: .*suite.*AES_CM_128_HMAC_SHA1_80"
                )
                self.assertRegex(
                    done.stderr,
                    rf"{re.escape(str(path))}:7: .*payload_typ.*did you mean 'payload_type'",
                )
                self.assertNotIn("dG9vIHNob3J0", done.stderr)

    def test_a_file_that_is_not_there(self):
        done = run("--config", "/nowhere/runnel.yaml")
        self.assertEqual(done.returncode, CONFIG_ERROR)
        self.assertIn("/nowhere/runnel.yaml", done.stderr)

    def test_a_port_in_use_is_said_in_a_sentence(self):
        occupied = free_port_pair()
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as occupant:
            occupant.bind(("127.0.0.1", occupied))
            done = run(
                "--config",
                self.file(
                    json.dumps(
                        {
                            "listen": {
                                "media": f"127.0.0.1:{free_port_pair()}",
                                "signalling": f"127.0.0.1:{free_port_pair()}",
                            },
                            "relays": [
                                relay(
                                    leg(Key.fresh(), video_from("VP8", Address(occupied))),
                                    leg(None, video_to(Address(free_port_pair()))),
                                )
                            ],
                        }
                    )
                ),
            )
        self.assertEqual(done.returncode, PORT_IN_USE)
        self.assertRegex(done.stderr + done.stdout, rf"127\.0\.0\.1:{occupied}.*in use")

    def test_a_receiver_needs_only_the_printed_session_description(self):
        clip, source_key, key = Clip.of("H264"), Key.fresh(), Key.fresh("AES_CM_128_HMAC_SHA1_32")
        video, audio, to_video, to_audio = (Address(free_port_pair()) for _ in range(4))
        runneld = Runneld(
            self,
            relay(
                leg(source_key, video_from("H264", video), audio_from(audio)),
                leg(key, video_to(to_video), audio_to(to_audio)),
            ),
        )
        printed = run("--config", runneld.config, "--sdp", "camera")
        self.assertEqual(printed.returncode, 0, printed.stderr)
        receiver = Receiver(self, printed.stdout, [to_video.port, to_audio.port], audio_packets=75)

        publish(self, clip, source_key, video, audio)

        self.assertEqual(receiver.video_hashes(), clip.video_hashes()[:60])
        self.assertEqual(receiver.audio_hashes(), clip.audio_hashes()[:75])


class Ending(unittest.TestCase):
    def ends_with_goodbye(self, number: signal.Signals):
        listen, sink = Address(free_port_pair()), None
        rtp_port = free_port_pair()
        media, control = Sink(self, rtp_port), Sink(self, rtp_port + 1)
        runneld = Runneld(
            self,
            relay(leg(None, video_from("VP8", listen)), leg(None, video_to(Address(rtp_port)))),
        )
        publish(self, Clip.of("VP8"), None, listen, loops=-1)
        media.await_rtp(30)

        runneld.child.send_signal(number)

        self.assertEqual(runneld.child.await_exit(), 0)
        await_condition(
            lambda: any(GOODBYE in rtcp_packet_types(d) for d in control.datagrams), "BYE"
        )

    def test_sigterm_says_goodbye_to_the_receivers(self):
        self.ends_with_goodbye(signal.SIGTERM)

    def test_sigint_says_goodbye_to_the_receivers(self):
        self.ends_with_goodbye(signal.SIGINT)


if __name__ == "__main__":
    unittest.main()
