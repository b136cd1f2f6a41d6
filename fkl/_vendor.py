# SPDX-License-Identifier: Apache-2.0
"""`python -m fkl vendor` (experimental): an FKL header tree into a package that brings its own.

Headers and licence files alone are copied; VENDOR_INFO.txt says which commit they are and their
digest, which `cd FOLDER && find fused_kernel -type f | LC_ALL=C sort | xargs sha256sum | sha256sum`
gives again.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from ._errors import ArgumentError
from ._tree import FOLDER, headers_of, missing_entrance, tree_digest

INFO = "VENDOR_INFO.txt"
LICENCES = re.compile(r"(LICEN[CS]E|NOTICE|COPYING)([.-].*)?", re.IGNORECASE)
COMMIT = re.compile(r"[0-9a-f]{40}([0-9a-f]{24})?")


def vendor(source: Path, target: Path, commit: str | None = None) -> str:
    """Copy the FKL tree in or below `source` into `target`, and return what VENDOR_INFO.txt says.

    Args:
        source: a folder with fused_kernel, or with include/fused_kernel, such as a clone.
        target: made if it is missing; what an earlier run put there is replaced.
        commit: what the tree is, where its .git does not say so.

    Raises:
        ArgumentError: no FKL tree, no commit, no licence, or a target that holds something else.
    """
    source, target = source.absolute(), target.absolute()
    folders = (source, source / "include")
    tree = next((folder for folder in folders if not missing_entrance(folder)), None)
    if tree is None:
        raise ArgumentError(f"{source} holds no FKL: it has no {missing_entrance(source)}")
    roots = _roots(tree)
    found = _commit_of(roots[-1] / ".git")
    if found and commit and found != commit:
        raise ArgumentError(f"--commit says {commit}, and {roots[-1] / '.git'} says {found}")
    named = found or commit
    if not named:
        raise ArgumentError(f"no .git says which commit {tree} is: give --commit TEXT")
    licences = _licences(roots)
    if not licences:
        raise ArgumentError(
            f"neither LICENSE nor NOTICE lies in {', '.join(map(str, roots))}: "
            "headers must not be passed on without"
        )
    if (target / FOLDER).exists() and not (target / INFO).is_file():
        raise ArgumentError(f"{target / FOLDER} exists, and no {INFO} says that it may be replaced")
    shutil.rmtree(target / FOLDER, ignore_errors=True)
    headers = headers_of(tree)
    for path in headers:
        copied = target / path.relative_to(tree)
        copied.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copied)
    for path in licences:
        shutil.copyfile(path, target / path.name)
    text = f"commit: {named}\nsha256: {tree_digest(target)}\nheaders: {len(headers)}\n"
    (target / INFO).write_text(text)
    return text


def _roots(tree: Path) -> list[Path]:
    """The tree and what is above it, up to the clone; without one, the folder above."""
    above = [tree, *tree.parents]
    for count, folder in enumerate(above, 1):
        if (folder / ".git").exists():
            return above[:count]
    return above[:2]


def _licences(roots: list[Path]) -> list[Path]:
    """Those of the nearest folder that has any."""
    for folder in roots:
        found = sorted(
            path for path in folder.iterdir() if path.is_file() and LICENCES.fullmatch(path.name)
        )
        if found:
            return found
    return []


def _commit_of(git: Path) -> str:
    """The commit of a clone, read off its files; empty where they do not say."""
    try:
        if git.is_file():  # a worktree or a submodule
            git = git.parent / git.read_text().removeprefix("gitdir:").strip()
        head = (git / "HEAD").read_text().strip()
        if not head.startswith("ref:"):
            return head if COMMIT.fullmatch(head) else ""
        name = head.removeprefix("ref:").strip()
        shared = git / "commondir"
        folders = [git, git / shared.read_text().strip()] if shared.is_file() else [git]
        for folder in folders:
            if (folder / name).is_file():
                found = (folder / name).read_text().strip()
                return found if COMMIT.fullmatch(found) else ""
        for folder in folders:
            packed = folder / "packed-refs"
            for line in packed.read_text().splitlines() if packed.is_file() else ():
                value, _, ref = line.partition(" ")
                if ref == name and COMMIT.fullmatch(value):
                    return value
    except (OSError, UnicodeDecodeError):
        return ""
    return ""
