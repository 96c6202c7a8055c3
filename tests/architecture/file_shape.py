"""Guard: a file says its idea in its first line, stays short, and names no machine."""

import re
from pathlib import Path

from source_tree import lines_of, written_files

LONG_FILE, TOO_LONG_FILE = 300, 500
LONG_FUNCTION = 60

# In scripts below the #! line, as a docstring where they are Python.
COMMENT = {".h": r"//", ".cpp": r"//", ".js": r"//", ".css": r"/\*"}
COMMENT_IN_SCRIPTS = r'"""|#'
MACHINE_PATHS = re.compile(r"/(?:home|Users)/\w|/root/\w|/tmp/build")


def header_of(root: Path, path: Path) -> Path:
    """The header that speaks for a source: its own, or the one that a unit test is about."""
    if path.parts[:2] == ("tests", "unit"):
        path = Path(*path.parts[2:]).with_name(path.name.replace("_test.cpp", ".cpp"))
    return (root / path).with_suffix(".h")


def says_its_idea(root: Path, path: Path, lines: list[str]) -> bool:
    if path.suffix == ".cpp" and header_of(root, path).exists():
        return True
    if lines and lines[0].startswith("#!"):
        lines = lines[1:]
    return bool(lines and re.match(COMMENT.get(path.suffix, COMMENT_IN_SCRIPTS), lines[0]))


def function_lengths(lines: list[str]):
    """(line, length, first line) of each function at the margin, as clang-format lays them out."""
    no_function = re.compile(r"(inline )?namespace\b|(struct|class|enum|union)\b|extern \"C\"|#|//")
    start, in_body = None, False
    for number, line in enumerate(lines, 1):
        if not in_body:
            if re.match(r"[A-Za-z_~\[]", line):
                start = None if no_function.match(line) else number
            if start and line.endswith("{"):
                in_body = True
            elif line.endswith((";", "}")):
                start = None
        elif line.startswith("}"):
            yield start, number - start + 1, lines[start - 1].strip()
            start, in_body = None, False


def violations(root: Path) -> list[str]:
    found = []
    here = str(root.resolve()) + "/"
    for path in written_files(root):
        lines = lines_of(root, path)
        if not says_its_idea(root, path, lines):
            found.append(f"{path}:1: the first line is no comment that says the file's idea")
        if len(lines) > TOO_LONG_FILE:
            found.append(
                f"{path}: {len(lines)} lines; at most {TOO_LONG_FILE}, and {LONG_FILE} are meant"
            )
        for number, line in enumerate(lines, 1):
            if here in line or (path.name != Path(__file__).name and MACHINE_PATHS.search(line)):
                found.append(f"{path}:{number}: names a place on one particular machine")
    return found


def remarks(root: Path) -> list[str]:
    """What is worth splitting; no reason to fail."""
    found = []
    for path in written_files(root):
        lines = lines_of(root, path)
        if len(lines) > LONG_FILE:
            found.append(f"{path}: {len(lines)} lines")
        if path.suffix == ".cpp":
            found += [
                f"{path}:{number}: {length} lines in {text}"
                for number, length, text in function_lengths(lines)
                if length > LONG_FUNCTION
            ]
    return found
