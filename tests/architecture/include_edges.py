"""Guard: a room includes only what lies below it, and foreign libraries stay where they belong."""

import re
from pathlib import Path

from source_tree import cpp_files, lines_of

# Room -> the rooms that it may see. A room that is not listed here does not exist.
EDGES = {
    "core/base": set(),
    "core/crypto": {"core/base"},
    "core/rtp": {"core/base"},
    "core/frames": {"core/base", "core/rtp"},
    "core/srtp": {"core/base", "core/crypto", "core/rtp"},
    "core/stun": {"core/base", "core/crypto"},
    "core/ice": {"core/base", "core/crypto", "core/stun"},
    "core/dtls": {"core/base", "core/crypto", "core/srtp"},
    "core/transport": {
        "core/base",
        "core/crypto",
        "core/rtp",
        "core/srtp",
        "core/stun",
        "core/ice",
        "core/dtls",
    },
    "core/relay": {
        "core/base",
        "core/rtp",
        "core/frames",
        "core/srtp",
        "core/ice",
        "core/dtls",
        "core/transport",
    },
    "core/sdp": {"core/base"},
    "core/negotiation": {"core/base", "core/rtp", "core/sdp"},
    "core/websocket": {"core/base", "core/crypto"},
    "core/http": {"core/base"},
    "core/tls": {"core/base"},
    "core/auth": {"core/base", "core/crypto"},
    "core/voice": {"core/base", "core/rtp"},
    "core/signalling": {"core/base", "core/rtp", "core/srtp", "core/relay"},
    "core/session": {
        "core/base",
        "core/rtp",
        "core/frames",
        "core/srtp",
        "core/ice",
        "core/dtls",
        "core/transport",
        "core/relay",
        "core/sdp",
        "core/negotiation",
        "core/http",
        "core/auth",
        "core/voice",
        "core/signalling",
    },
    "core/whip": {
        "core/base",
        "core/http",
        "core/sdp",
        "core/negotiation",
        "core/signalling",
        "core/session",
    },
    "config": {"core/base", "core/rtp", "core/srtp", "core/auth"},
}
EDGES["daemon"] = set(EDGES)

# Headers of a foreign library -> the rooms that may include them. Tests may include any.
LIBRARIES = {
    r"openssl/.*": {"core/crypto", "core/dtls", "core/tls"},
    r"zlib\.h": {"core/websocket"},
    r"boost/beast/.*|boost/asio/buffer\.hpp|boost/system/.*": {"core/http"},
    r"jwt\.h": {"core/auth"},
    r"nlohmann/.*": {"core/auth", "core/http", "core/signalling", "core/voice"},
    r"immintrin\.h|cpuid\.h": {"core/crypto"},
    r"uv\.h|spdlog/.*|fmt/.*|systemd/.*": {"daemon"},
    r"yaml-cpp/.*": {"config"},
    r"gtest/.*|gmock/.*|benchmark/.*|srtp2?/.*": set(),
    # The operating system. Addresses are converted by inet_ntop and inet_pton, which touch nothing.
    r"arpa/inet\.h": {"core/base", "config", "daemon"},
    r"(sys|linux|netinet|net)/.*": {"daemon"},
    r"(unistd|malloc|getopt|fcntl|netdb|signal|pthread|errno|time|poll|sched|ifaddrs)\.h": {"daemon"},
    # What the standard library offers of threads, entropy, files and streams.
    r"thread|mutex|shared_mutex|condition_variable|future|stop_token": {"daemon"},
    r"semaphore|latch|barrier|random": {"daemon"},
    r"iostream|ostream|istream|fstream|sstream|filesystem|syncstream": {"config", "daemon"},
}

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)')


def room_of(path: str) -> str | None:
    """The room in which a source file or an included header lies; None outside of the product."""
    parts = path.split("/")
    if parts[0] == "core":
        return "/".join(parts[:2])
    return parts[0] if parts[0] in {"config", "daemon"} else None


def complaint(room: str, own: str | None, foreign: str | None) -> str | None:
    if own is not None:
        target = room_of(own)
        if target is None:
            return f'"{own}" is not a path from the root into a room'
        if target != room and target not in EDGES[room]:
            return f"{room} must not see {target}"
        return None
    for pattern, rooms in LIBRARIES.items():
        if re.fullmatch(pattern, foreign):
            return None if room in rooms else f"{room} must not include <{foreign}>"
    is_standard = "/" not in foreign and not foreign.endswith(".h")
    return None if is_standard else f"<{foreign}> is in no line of the table of libraries"


def violations(root: Path) -> list[str]:
    found = []
    for path in cpp_files(root):
        room = room_of(path.as_posix())
        if room is None:
            continue
        if room not in EDGES:
            found.append(f"{path}: the room {room} is not in the table of edges")
            continue
        for number, line in enumerate(lines_of(root, path), 1):
            if (match := INCLUDE.match(line)) and (text := complaint(room, *match.groups())):
                found.append(f"{path}:{number}: {text}")
    return found
