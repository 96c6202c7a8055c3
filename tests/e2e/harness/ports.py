"""Ports that are free, those of UDP as pairs for RTP and RTCP, when they are bound, and where."""

import socket

from harness.children import await_condition

_given: set[int] = set()


def _is_free(port: int) -> bool:
    with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as probe:
        probe.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        try:
            probe.bind(("::", port))
        except OSError:
            return False
        return True


def free_port_pair() -> int:
    """An even port that the kernel proposed, free together with the odd one above it."""
    while True:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.bind(("0.0.0.0", 0))
            port = probe.getsockname()[1] & ~1
        if port not in _given and _is_free(port) and _is_free(port + 1):
            _given.add(port)
            return port


def free_tcp_port() -> int:
    """Nobody else is given it soon, as the kernel goes through all of them first."""
    with socket.socket(socket.AF_INET6, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        probe.bind(("::", 0))
        return probe.getsockname()[1]


def outer_address() -> str | None:
    """This machine's IPv4 address towards others, if it has one; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        return probe.getsockname()[0]


def _bound_ports() -> set[int]:
    ports = set()
    for table in ("/proc/net/udp", "/proc/net/udp6"):
        with open(table, encoding="ascii") as file:
            for line in list(file)[1:]:
                ports.add(int(line.split()[1].rsplit(":", 1)[1], 16))
    return ports


def await_bound(*ports: int):
    await_condition(lambda: set(ports) <= _bound_ports(), f"ports {ports} are bound")
