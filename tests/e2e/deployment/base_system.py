"""A minimal Debian 12 in a folder, made once by debootstrap and kept between runs."""
import os
import pathlib
import shutil
import subprocess

from skip import skip

MIRROR = os.environ.get("RUNNEL_DEBIAN_MIRROR", "http://deb.debian.org/debian")
CACHE = pathlib.Path(
    os.environ.get("RUNNEL_TEST_CACHE", "/var/cache/runnel-tests"))


def base_system(name, packages=()):
    """The folder of a Debian 12 with `packages`; skips the test when no mirror answers."""
    root = CACHE / name
    complete = root / ".complete"
    if complete.exists() and complete.read_text() == " ".join(packages):
        return root
    shutil.rmtree(root, ignore_errors=True)
    root.parent.mkdir(parents=True, exist_ok=True)
    include = [f"--include={','.join(packages)}"] if packages else []
    made = subprocess.run(
        ["debootstrap", "--variant=minbase", *include, "bookworm", str(root), MIRROR],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if made.returncode != 0:
        last = (made.stdout.strip().splitlines() or ["debootstrap said nothing"])[-1]
        shutil.rmtree(root, ignore_errors=True)
        skip(f"debootstrap cannot make a base system: {last}")
    complete.write_text(" ".join(packages))
    return root
