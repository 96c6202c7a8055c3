#!/usr/bin/env python3
"""Runs a guard: guard.py NAME ROOT [ARCHIVE...]; a line for each violation, and exit code 1."""

import importlib
import sys
from pathlib import Path


def main() -> int:
    name, root, *archives = sys.argv[1:]
    guard = importlib.import_module(name)
    arguments = [[Path(archive) for archive in archives]] if archives else []
    for remark in getattr(guard, "remarks", lambda root: [])(Path(root)):
        print(f"remark: {remark}")
    found = guard.violations(Path(root), *arguments)
    for violation in found:
        print(violation)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
