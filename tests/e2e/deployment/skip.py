"""Ends a test as skipped, with the reason, where the machine cannot run it."""
import os
import shutil
import sys

SKIPPED = 77  # SKIP_RETURN_CODE in CMakeLists.txt


def skip(reason):
    print(f"skipped: {reason}", flush=True)
    sys.exit(SKIPPED)


def need_root_and(*programs):
    if os.geteuid() != 0:
        skip("needs root")
    for program in programs:
        if shutil.which(program) is None:
            skip(f"needs the program {program}")
