"""Guard: the rooms of the house are where the architecture says, and nothing else stands there."""

from pathlib import Path

from include_edges import EDGES
from source_tree import project_files

TOP = {
    "core",
    "config",
    "daemon",
    "tests",
    "systemd",
    "docker",
    ".ci",
    "CMakeLists.txt",
    "CMakePresets.json",
    "LICENSE",
    "README.md",
    ".clang-format",
    ".clang-tidy",
    ".gitignore",
    ".dockerignore",
}
TESTS = {
    "unit",
    "vectors",
    "peer",
    "simulation",
    "allocations",
    "fuzz",
    "load",
    "e2e",
    "conformance",
    "websocket_echo_server",
    "bench",
    "architecture",
    "checks",
    "run",
    "packages.txt",
    "CMakeLists.txt",
}


def violations(root: Path) -> list[str]:
    files = project_files(root)
    found = []
    for name in sorted({path.parts[0] for path in files} - TOP):
        found.append(f"{name}: has no place at the top of the tree")
    for name in sorted({path.parts[1] for path in files if path.parts[0] == "tests"} - TESTS):
        found.append(f"tests/{name}: has no place in tests/")
    for required in ("README.md", "LICENSE", "daemon/run", "tests/run", ".ci/run"):
        if Path(required) not in files:
            found.append(f"{required}: is missing")
    for path in files:
        if path.parts[:2] == ("tests", "unit") and len(path.parts) > 3:
            room = "/".join(path.parts[2:4]) if path.parts[2] == "core" else path.parts[2]
            if room not in EDGES:
                found.append(f"{path}: tests/unit mirrors the tree, and there is no room {room}")
    return found
