# SPDX-License-Identifier: Apache-2.0
"""An owner-only folder in which one build happens, with its deadline and its record of commands."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from fkl_toolchain._errors import BuildError
from fkl_toolchain._run import checked

# nvcc hands its arguments to a shell in double quotes: spaces are safe there, dollars are not.
_PLAIN = re.compile(r"[\w@%+=:,./ -]+", re.ASCII)


@dataclass
class Workshop:
    folder: Path
    row: str
    deadline: float
    commands: list[tuple[str, ...]] = field(default_factory=list)
    log: list[str] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _links: int = 0

    def path(self, name: str) -> str:
        return str(self.folder / name)

    def without_shell_characters(self, path: str) -> str:
        """Return a path that a shell reads as it stands: the path itself, or a link to it here."""
        if _PLAIN.fullmatch(path):
            return path
        with self._lock:
            self._links += 1
            link = self.path(f"link{self._links}{os.path.splitext(path)[1]}")
        os.symlink(path, link)
        return link

    def run(self, argv: tuple[str, ...]) -> None:
        """Run a tool within what is left of the time; raises BuildError when it fails."""
        with self._lock:
            self.commands.append(argv)
        done = checked(argv, self.folder, max(0.1, self.deadline - time.monotonic()), self.row)
        with self._lock:
            self.log.append(done.output)
        place = argv.index("-o") + 1 if "-o" in argv else len(argv)
        if (
            place < len(argv)
            and not argv[place].startswith("-")
            and not os.path.exists(argv[place])
        ):
            raise BuildError(
                argv,
                done.output,
                0,
                self.row,
                f"it said that all went well and wrote no {os.path.basename(argv[place])}",
            )

    def publish(self, made: Path, out: Path) -> None:
        """Move a finished file to its place so that nobody sees half of it."""
        out.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=out.parent, prefix=f".{out.name}-")
        os.close(handle)
        try:
            shutil.copyfile(made, name)
            os.chmod(name, 0o755)
            os.replace(name, out)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(name)
            raise


@contextlib.contextmanager
def workshop(row: str, timeout: float) -> Iterator[Workshop]:
    # mkdtemp makes the folder for its owner alone.
    with tempfile.TemporaryDirectory(prefix="fkl-build-") as folder:
        yield Workshop(Path(folder), row, time.monotonic() + timeout)
