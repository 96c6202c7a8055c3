"""Which files the project consists of."""

import os
import subprocess
from pathlib import Path

CPP_SUFFIXES = {".h", ".cpp"}


def project_files(root: Path) -> list[Path]:
    """All files, relative to root: what git knows or would add; without git, what lies there."""
    listing = subprocess.run(
        ["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        capture_output=True,
        text=True,
    )
    if (root / ".git").exists() and listing.returncode == 0:
        found = [Path(name) for name in listing.stdout.split("\0") if name]
    else:
        found = [
            Path(folder, name).relative_to(root)
            for folder, subfolders, names in os.walk(root)
            for name in names
            if not {".git", "build", ".cache", "__pycache__"}
            & set(Path(folder).relative_to(root).parts)
        ]
    return sorted(path for path in found if (root / path).is_file())


def cpp_files(root: Path) -> list[Path]:
    return [path for path in project_files(root) if path.suffix in CPP_SUFFIXES]


def is_script(root: Path, path: Path) -> bool:
    with open(root / path, "rb") as file:
        return file.read(2) == b"#!"


def written_files(root: Path) -> list[Path]:
    """Files that people write and read as code, and descriptions of build and deployment."""
    suffixes = CPP_SUFFIXES | {".js", ".css", ".py", ".cmake", ".yaml", ".yml", ".service", ".conf"}
    return [
        path
        for path in project_files(root)
        if path.parts[:2] != ("tests", "vectors")
        and "corpus" not in path.parts
        and (
            path.suffix in suffixes
            or path.name in {"CMakeLists.txt", "Dockerfile"}
            or is_script(root, path)
        )
    ]


def lines_of(root: Path, path: Path) -> list[str]:
    return (root / path).read_text(encoding="utf-8").splitlines()
