"""The page of runneld in real browsers: publishing and watching, by hand and by link."""

import os
import signal
import unittest
from pathlib import Path

from harness.children import Child
from harness.pages import node
from harness.ports import free_port_pair, free_tcp_port, outer_address
from harness.runneld import Runneld
from harness.tokens import static_token

SCREENSHOTS = os.environ.get("RUNNEL_SCREENSHOTS")


class Page(unittest.TestCase):
    def plays(
        self, scenario: str, *, browser: str = "chrome", env: dict | None = None, **settings
    ) -> Child:
        runneld = Runneld(self, **settings)
        place = f"127.0.0.1:{runneld.signalling_port}"
        visit = self.visit(place, scenario, browser, env)
        self.ends_well(visit, runneld)
        return visit

    def ends_well(self, visit: Child, runneld: Runneld):
        outcome = visit.await_line("^(done|failed: .*)$", seconds=110)[1]
        said = "\n".join([visit.output, *runneld.child.lines[-30:]])
        self.assertEqual(outcome, "done", said)

    def visit(self, place: str, scenario: str, browser: str, env: dict | None) -> Child:
        """Of the page that is served at `place`."""
        pictures = Path(SCREENSHOTS) / browser if SCREENSHOTS else ""
        environment = {**os.environ, **(env or {})}
        url = f"http://{place}/"
        return node(self, "visit.js", scenario, url, pictures, browser, env=environment)

    def test_chromium_publishes_in_one_tab_and_watches_in_another(self):
        self.plays("publish_and_watch")

    def test_firefox_publishes_in_one_tab_and_watches_in_another(self):
        """It has no dealings with loopback."""
        host = outer_address()
        if host is None:
            self.skipTest("this machine has no address besides loopback")
        self.plays("publish_and_watch", browser="firefox", host=host)

    def test_is_accessible_in_all_its_states(self):
        self.plays("accessibility")

    def test_needs_no_mouse(self):
        self.plays("keyboard")

    def test_says_what_is_wrong(self):
        self.plays("trouble")

    def test_claims_no_limit_that_is_none_and_takes_no_name_for_markup(self):
        self.plays("modules")

    def test_asks_for_a_token(self):
        secret = static_token()
        tokens = [{"name": "visitor", "token": secret, "may": ["publish", "subscribe", "watch"]}]
        self.plays("token", env={"TOKEN": secret}, auth={"tokens": tokens})

    def test_other_sites_embed_the_player(self):
        self.plays("embedded")

    def test_publishes_every_codec_of_chromium(self):
        offered = self.plays("codecs").find("^codecs (.*)$")[1].split(",")
        self.assertEqual(set(offered), {"VP8", "VP9", "H264", "AV1"})

    def test_a_viewer_chooses_a_layer(self):
        self.plays("layers")

    def test_the_module_needs_nothing_but_whip_and_whep(self):
        self.plays("whep")

    def test_outlives_the_server(self):
        places = {
            "media": f"127.0.0.1:{free_port_pair()}",
            "signalling": f"127.0.0.1:{free_tcp_port()}",
        }
        first = Runneld(self, listen=places)
        visit = self.visit(places["signalling"], "server_returns", "chrome", None)
        visit.await_line("^live$", seconds=60)
        first.child.kill()
        visit.await_line("^lost$", seconds=60)
        self.ends_well(visit, Runneld(self, listen=places))

    def test_restarts_ice_when_the_server_was_silent(self):
        runneld = Runneld(self)
        place = f"127.0.0.1:{runneld.signalling_port}"
        visit = self.visit(place, "server_pauses", "chrome", None)
        visit.await_line("^live$", seconds=60)
        runneld.child.send_signal(signal.SIGSTOP)
        visit.await_line("^lost$", seconds=60)
        runneld.child.send_signal(signal.SIGCONT)
        self.ends_well(visit, runneld)

    def test_the_lines_to_copy_publish(self):
        self.plays("recipes")


if __name__ == "__main__":
    unittest.main()
