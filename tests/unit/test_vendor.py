# SPDX-License-Identifier: Apache-2.0
"""`python -m fkl vendor`: what is copied, what is recorded, what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from fkl import _tree
from fkl.__main__ import main

COMMIT = "0123456789abcdef" * 2 + "01234567"


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A clone of an FKL, as far as this command looks."""
    root = tmp_path / "clone"
    folder = root / "include" / "fused_kernel"
    (folder / "algorithms").mkdir(parents=True)
    (folder / "fused_kernel.h").write_text("// one\n")
    (folder / "algorithms" / "algorithms.h").write_text("// two\n")
    (folder / "README.md").write_text("not a header\n")
    (root / "LICENSE").write_text("a licence\n")
    (root / "LICENSES.txt").write_text("another thing\n")
    (root / "NOTICE.txt").write_text("a notice\n")
    (root / ".git" / "refs" / "heads").mkdir(parents=True)
    (root / ".git" / "HEAD").write_text("ref: refs/heads/lts\n")
    (root / ".git" / "refs" / "heads" / "lts").write_text(COMMIT + "\n")
    return root


def vendor(*arguments: object) -> int:
    return main(["vendor", *map(str, arguments)])


def test_headers_and_licences_are_copied_and_their_origin_is_recorded(
    clone: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "package"
    assert vendor("--from", clone, "--to", target) == 0
    copied = {str(path.relative_to(target)) for path in target.rglob("*") if path.is_file()}
    headers = {"fused_kernel/fused_kernel.h", "fused_kernel/algorithms/algorithms.h"}
    assert copied == headers | {"LICENSE", "NOTICE.txt", "VENDOR_INFO.txt"}
    digest = _tree.tree_digest(clone / "include")
    text = (target / "VENDOR_INFO.txt").read_text()
    assert text == f"commit: {COMMIT}\nsha256: {digest}\nheaders: 2\n" == capsys.readouterr().out
    assert _tree.tree_digest(target) == digest


def test_a_second_run_replaces_what_the_first_one_wrote(clone: Path, tmp_path: Path) -> None:
    target = tmp_path / "package"
    assert vendor("--from", clone / "include", "--to", target) == 0
    (clone / "include/fused_kernel/more.h").write_text("// three\n")
    (target / "fused_kernel" / "stale.h").write_text("// old\n")
    assert vendor("--from", clone, "--to", target) == 0
    assert (target / "fused_kernel/more.h").is_file()
    assert not (target / "fused_kernel/stale.h").exists()


def test_a_packed_ref_a_detached_head_and_a_worktree_are_read(clone: Path, tmp_path: Path) -> None:
    git, info = clone / ".git", tmp_path / "package" / "VENDOR_INFO.txt"

    def recorded() -> str:
        assert vendor("--from", clone, "--to", info.parent) == 0
        return info.read_text().splitlines()[0].removeprefix("commit: ")

    (git / "refs/heads/lts").unlink()
    (git / "packed-refs").write_text(f"# pack-refs\n{COMMIT[::-1]} refs/heads/lts\n")
    assert recorded() == COMMIT[::-1]
    (git / "HEAD").write_text(COMMIT + "\n")
    assert recorded() == COMMIT
    own = tmp_path / "main.git" / "worktrees" / "clone"
    own.mkdir(parents=True)
    git.rename(tmp_path / "moved")
    (own / "HEAD").write_text("ref: refs/heads/other\n")
    (own / "commondir").write_text("../..\n")
    heads = tmp_path / "main.git" / "refs" / "heads"
    heads.mkdir(parents=True)
    (heads / "other").write_text(COMMIT[::-1] + "\n")
    git.write_text(f"gitdir: {own}\n")
    assert recorded() == COMMIT[::-1]


def refusal(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    assert vendor(*arguments) == 1
    return capsys.readouterr().err


def test_what_cannot_be_recorded_or_passed_on_is_refused(
    clone: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "package"
    arguments = ("--from", clone, "--to", target)
    assert "holds no FKL" in refusal(capsys, "--from", tmp_path, "--to", target)
    assert "--commit says v1" in refusal(capsys, *arguments, "--commit", "v1")
    (clone / ".git").rename(tmp_path / "moved")
    assert "give --commit TEXT" in refusal(capsys, *arguments)
    assert vendor(*arguments, "--commit", "v1") == 0
    assert (target / "VENDOR_INFO.txt").read_text().startswith("commit: v1\n")
    (target / "VENDOR_INFO.txt").unlink()
    assert "exists, and no VENDOR_INFO.txt" in refusal(capsys, *arguments, "--commit", "v1")
    for name in ("LICENSE", "NOTICE.txt"):
        (clone / name).unlink()
    assert "neither LICENSE nor NOTICE" in refusal(capsys, *arguments, "--commit", "v1")
