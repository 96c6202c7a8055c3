"""Network namespaces of a test's own, joined by cables, with a NAT or a firewall between them."""

import itertools
import os
import shutil
import subprocess
import unittest
from functools import partial

from harness.children import await_condition

SERVER = "198.18.0.1"  # networks for tests (RFC 2544)
_numbers = itertools.count(1)


def run(*words: str):
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(words)}: {done.stderr}")


def needs(test: unittest.TestCase, *tools: str):
    for tool in tools:
        if not shutil.which(tool):
            test.skipTest(f"there is no {tool}")


class Namespace:
    """Has loopback alone."""

    def __init__(self, test: unittest.TestCase, name: str):
        self.name = f"runnel-{os.getpid()}-{name}"
        if subprocess.run(["ip", "netns", "add", self.name], capture_output=True).returncode != 0:
            test.skipTest("this user may not make a network namespace")
        test.addCleanup(run, "ip", "netns", "delete", self.name)
        self.ip("link", "set", "lo", "up")

    @property
    def prefix(self) -> tuple[str, ...]:
        """Of a command that is to run in it."""
        return ("ip", "netns", "exec", self.name)

    def run(self, *words: str):
        run(*self.prefix, *words)

    def ip(self, *words: str):
        run("ip", "-n", self.name, *words)

    def add_address(self, interface: str, address: str):
        """IPv6 without the second in which nobody may use it."""
        options = ["nodad"] if ":" in address else []
        self.ip("address", "add", address, "dev", interface, *options)

    def is_up(self, interface: str) -> bool:
        """And every address of it can be bound."""
        show = ["ip", "-n", self.name, "-oneline"]
        link = subprocess.run([*show, "link", "show", "dev", interface], capture_output=True)
        waiting = subprocess.run(
            [*show, "-6", "address", "show", "dev", interface, "tentative"], capture_output=True
        )
        return b"state UP" in link.stdout and not waiting.stdout

    def route_by(self, gateway: str):
        self.ip("route", "add", "default", "via", gateway)

    def nft(self, rules: str):
        self.run("nft", rules)


def cable(one: Namespace, other: Namespace, one_address: str, other_address: str):
    """Between two namespaces, with these addresses ("198.18.0.1/24") at its ends."""
    number = next(_numbers)
    ends = [f"net{number}a", f"net{number}b"]  # libnice does not use what is called veth
    peer = ["peer", "name", ends[1], "netns", other.name]
    run("ip", "link", "add", ends[0], "netns", one.name, "type", "veth", *peer)
    for namespace, end, address in zip((one, other), ends, (one_address, other_address)):
        namespace.add_address(end, address)
        namespace.ip("link", "set", end, "up")
    # Libnice finds no address on what is not up, which it is up to a second later.
    for namespace, end in zip((one, other), ends):
        await_condition(partial(namespace.is_up, end), f"{end} is up")


class Neighbours:
    """A server and a client, each with an address and a default route to the other."""

    def __init__(self, test: unittest.TestCase, server: str = SERVER, client: str = "198.18.0.2"):
        size = 64 if ":" in server else 24
        self.address = server
        self.server, self.client = Namespace(test, "server"), Namespace(test, "client")
        cable(self.server, self.client, f"{server}/{size}", f"{client}/{size}")
        self.client.route_by(server)
        self.server.route_by(client)


class BehindNat:
    """A client whose packets reach the server from an address and a port that a NAT chooses, anew
    for each flow (`masquerade fully-random`: a symmetric NAT)."""

    def __init__(self, test: unittest.TestCase):
        needs(test, "nft", "conntrack")
        self.address = SERVER
        self.server, self.nat, self.client = (
            Namespace(test, name) for name in ("server", "nat", "client")
        )
        cable(self.server, self.nat, f"{SERVER}/24", "198.18.0.2/24")
        cable(self.nat, self.client, "198.19.0.1/24", "198.19.0.2/24")
        self.client.route_by("198.19.0.1")
        self.nat.run("sysctl", "-q", "-w", "net.ipv4.ip_forward=1")
        self.nat.nft(
            "table ip nat { chain out { type nat hook postrouting priority srcnat;"
            " ip saddr 198.19.0.0/24 masquerade fully-random; }; }"
        )

    def rebind(self):
        """The NAT forgets all flows by UDP, and chooses other ports for what comes next."""
        self.nat.run("conntrack", "-D", "-p", "udp")
