"""Guard: the compiled core needs no socket, clock, thread, file, output, environment or entropy."""

import re
import subprocess
from pathlib import Path

from source_tree import cpp_files, lines_of

# What no object file of the core may leave undefined, by kind; patterns of names as nm prints them.
FORBIDDEN = {
    "socket": r"""socket bind connect listen accept4? send(to|msg|mmsg)? recv(from|msg|mmsg)?
                  [gs]etsockopt getaddrinfo p?poll select epoll_\w+ ioctl""",
    "clock": r"""clock_gettime time gettimeofday (clock_)?nanosleep u?sleep timerfd_\w+
                 _ZNSt6chrono3_V2\d+(system|steady)_clock3nowEv""",
    "thread": r"pthread_\w+ fork _ZNSt6thread\w* _ZNSt18condition_variable\w*",
    "file": r"""f?open(at)?(64)? fdopen close p?read(64|v)? p?write(64|v)? mmap(64)? f?stat(64)?
                unlink rename _ZNSt13basic_filebuf\w* _ZNSt14basic_[io]fstream\w*
                _ZNSt10filesystem\w*""",
    "output": r"""v?[fd]?printf __v?[fd]?printf_chk f?puts fputc putchar fwrite syslog perror
                  _ZSt4c(out|err|log) _ZNSt8ios_base4InitC1Ev""",
    "environment": r"(secure_)?getenv setenv setlocale",
    "entropy": r"getrandom getentropy arc4random\w* s?rand(om)? RAND_\w+ _ZNSt13random_device\w*",
    "library": r"uv_\w+ _ZNK?6spdlog\w* _ZNK?4YAML\w* _ZNK?8nlohmann\w*",
}

# What may be said: which bug ends the process. And a certificate of ours has a random number, from
# where OpenSSL has its keys.
EXCEPTIONS = {
    "check.cpp.o": r"(__)?fprintf(_chk)?|fwrite|fputs",
    "certificate.cpp.o": r"RAND_bytes",
}

# Inline code of headers that nobody instantiates yet leaves no symbol; its text is looked at.
FORBIDDEN_TEXT = re.compile(
    r"_clock::now|std::thread|std::jthread|std::[io]fstream|std::random_device|std::getenv"
)


def undefined_symbols(archive: Path) -> list[tuple[str, str]]:
    """(object file, symbol) of everything that the archive expects from elsewhere."""
    listing = subprocess.run(
        ["nm", "--undefined-only", archive], capture_output=True, text=True, check=True
    )
    found, member = [], archive.name
    for line in listing.stdout.splitlines():
        if line.endswith(":"):
            member = line[:-1]
        elif line.strip():
            found.append((member, line.split()[-1].split("@")[0]))
    return found


def kind_of(symbol: str) -> str | None:
    for kind, patterns in FORBIDDEN.items():
        if any(re.fullmatch(pattern, symbol) for pattern in patterns.split()):
            return kind
    return None


def violations(root: Path, archives: list[Path]) -> list[str]:
    found = []
    for archive in archives:
        for member, symbol in undefined_symbols(archive):
            allowed = EXCEPTIONS.get(member)
            if (kind := kind_of(symbol)) and not (allowed and re.fullmatch(allowed, symbol)):
                found.append(
                    f"{archive.name}({member}): {symbol} ({kind}) has no place in the core"
                )
    for path in cpp_files(root):
        if path.parts[0] != "core":
            continue
        for number, line in enumerate(lines_of(root, path), 1):
            if match := FORBIDDEN_TEXT.search(line.split("//")[0]):
                found.append(f"{path}:{number}: {match.group(0)} has no place in the core")
    return found
