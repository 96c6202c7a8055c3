"""Guard: a file says its idea in its first line, stays short, and knows nothing of the machine it was written on."""

import re
from pathlib import Path

from source_tree import lines_of, written_files

LONG_FILE, TOO_LONG_FILE = 300, 500
LONG_FUNCTION = 60

COMMENT = {".h": r"//", ".cpp": r"//", ".py": r'"""|#'}
# Python's only other home for the idea is the docstring, which stands below the #! line.
MACHINE_PATHS = re.compile(r"/(?:home|Users)/\w|/root/\w|/tmp/build")


def says_its_idea(root: Path, path: Path, lines: list[str]) -> bool:
    if path.suffix == ".cpp" and (root / path).with_suffix(".h").exists():
        return True  # the header says it
    if lines and lines[0].startswith("#!"):
        lines = lines[1:]
    return bool(lines and re.match(COMMENT.get(path.suffix, "#"), lines[0]))


def function_lengths(lines: list[str]):
    """(line, length, first line) of each function that begins at the margin, as clang-format lays them out."""
    start = None
    for number, line in enumerate(lines, 1):
        if start is None:
            opens = re.match(r"[A-Za-z_~\[].*\{$|    .*\{$", line)
            if opens and not re.match(r"(inline )?namespace|(typedef |template.*)?(struct|class|enum|union)\b|extern \"C\"", line):
                start = number
        elif re.match(r"\}[;)]*", line):
            yield start, number - start + 1, lines[start - 1].strip()
            start = None


def violations(root: Path) -> list[str]:
    found = []
    here = str(root.resolve()) + "/"
    for path in written_files(root):
        lines = lines_of(root, path)
        if not says_its_idea(root, path, lines):
            found.append(f"{path}:1: the first line is no comment that says the file's idea")
        if len(lines) > TOO_LONG_FILE:
            found.append(f"{path}: {len(lines)} lines; at most {TOO_LONG_FILE}, and {LONG_FILE} are meant")
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
            found += [f"{path}:{number}: {length} lines in {text}"
                      for number, length, text in function_lengths(lines) if length > LONG_FUNCTION]
    return found
