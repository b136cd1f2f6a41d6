# SPDX-License-Identifier: Apache-2.0
"""Wheels and Debian packages, fetched once into a folder outside the source tree."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory


def run(*command: object, cwd: Path | None = None) -> str:
    """Run a program; its output on success, its complaint in the exception otherwise."""
    words = [str(word) for word in command]
    done = subprocess.run(words, check=False, cwd=cwd, text=True, capture_output=True)
    if done.returncode:
        raise RuntimeError(f"{' '.join(words)}\n{done.stdout}{done.stderr}")
    return done.stdout


@dataclass(frozen=True)
class Wheel:
    path: Path
    version: str

    def unpack(self, target: Path, place: Callable[[str], str | None] = lambda name: name) -> None:
        """Extract the files that `place` gives a name; None leaves one out."""
        with zipfile.ZipFile(self.path) as archive:
            for info in archive.infolist():
                name = None if info.is_dir() else place(info.filename)
                if not name:
                    continue
                file = target / name
                file.parent.mkdir(parents=True, exist_ok=True)
                with archive.open(info) as source, file.open("wb") as sink:
                    shutil.copyfileobj(source, sink, 1 << 20)
                file.chmod(((info.external_attr >> 16) & 0o777) | 0o644)


@dataclass(frozen=True)
class Deb:
    """An unpacked Debian package."""

    tree: Path
    version: str

    @property
    def libraries(self) -> list[Path]:
        folders = ("usr/lib/x86_64-linux-gnu", "lib/x86_64-linux-gnu")
        return [
            p for f in folders for p in sorted((self.tree / f).glob("lib*.so.*")) if p.is_file()
        ]


class Downloads:
    def __init__(self, cache: Path, scratch: Path) -> None:
        self.cache, self.scratch = cache, scratch
        cache.mkdir(parents=True, exist_ok=True)

    def wheel(self, requirement: str) -> Wheel:
        folder = self.cache / ("wheel-" + re.sub(r"[^a-z0-9.]+", "_", requirement.lower()))
        if not list(folder.glob("*.whl")):
            options = ("-q", "--no-deps", "--only-binary=:all:", "--disable-pip-version-check")
            run(sys.executable, "-m", "pip", "download", *options, "-d", folder, requirement)
        path = next(folder.glob("*.whl"))
        return Wheel(path, path.name.split("-")[1])

    def fetch_debs(self, names: Iterable[str]) -> None:
        """Fetch many at once: apt reads its lists, which takes a second or two, once instead of a
        time for each."""
        missing = [n for n in names if not list((self.cache / f"deb-{n}").glob("*.deb"))]
        if not missing:
            return
        with TemporaryDirectory(dir=self.cache) as folder:
            run("apt-get", "download", *missing, cwd=Path(folder))
            for file in Path(folder).glob("*.deb"):
                target = self.cache / f"deb-{file.name.split('_')[0]}"
                target.mkdir(exist_ok=True)
                file.rename(target / file.name)

    def deb(self, name: str) -> Deb:
        self.fetch_debs([name])
        file = next((self.cache / f"deb-{name}").glob("*.deb"))
        tree = self.scratch / "deb" / name
        if not tree.exists():
            tree.mkdir(parents=True)
            run("dpkg-deb", "-x", file, tree)
        version = run("dpkg-deb", "-f", file, "Version").strip()
        return Deb(tree, re.sub(r"^\d+:", "", version).split("-")[0].split("+")[0])
