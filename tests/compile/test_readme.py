# SPDX-License-Identifier: Apache-2.0
"""What the prose says is run: every code block, every command, every file and function it names."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest

from fkl import _config, ops

ROOT = Path(__file__).parents[2]
FOLDERS = ("docs/*.md", "skills/*/*.md")
PAGES = [
    "README.md",
    "CONTRIBUTING.md",
    *sorted(str(path.relative_to(ROOT)) for folder in FOLDERS for path in ROOT.glob(folder)),
]
# Commands that change the machine or need a network; what can be checked of them is checked.
NOT_RUN = {"cd", "conda", "conda-pack", "git", "mkdir", "module", "scp"}


@dataclass(frozen=True)
class Block:
    """A fenced block: its language and the word after it, its text, where it starts."""

    page: str
    line: int
    language: str
    needs: str
    text: str

    @property
    def place(self) -> str:
        return f"{self.page}:{self.line}"

    @property
    def quoted_file(self) -> str | None:
        """The file that a block says it shows, in a comment on its first line."""
        found = re.match(r"(?:#|//) (\S+/\S+\.\w+)\n", self.text)
        return found.group(1) if found else None


def blocks_of(page: str) -> list[Block]:
    found, opened, start, held = [], None, 0, []
    for number, line in enumerate((ROOT / page).read_text().splitlines(), 1):
        fence = re.match(r"```(\S*) ?(\S*)$", line)
        if fence and opened is None:
            opened, start, held = fence, number, []
        elif fence:
            found.append(Block(page, start, *opened.groups(), "\n".join(held) + "\n"))
            opened = None
        else:
            held.append(line)
    assert opened is None, f"{page}:{start}: this block never ends"
    return found


def blocks(language: str) -> list[Block]:
    return [block for page in PAGES for block in blocks_of(page) if block.language == language]


def commands() -> list[tuple[str, str]]:
    """Every `$ command` of a console block, with its place."""
    return [
        (block.place, re.split(r"\s+# ", line.partition("$ ")[2])[0])
        for block in blocks("console")
        for line in block.text.splitlines()
        if re.match(r"\w*\$ ", line)
    ]


def test_every_block_has_a_language_that_these_tests_know():
    known = {"python", "text", "console", "cpp"}
    unknown = [b.place for page in PAGES for b in blocks_of(page) if b.language not in known]
    assert unknown == []


def run_blocks(page: str, device: bool) -> None:
    """Run a page's Python in order, one namespace, and compare what it prints with the page."""
    namespace: dict[str, object] = {"__name__": page}
    found: list[Block | None] = [b for b in blocks_of(page) if b.quoted_file is None]
    for block, following in pairwise([*found, None]):
        if block is None or block.language != "python" or (block.needs == "device" and not device):
            continue
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(block.text, block.place, "exec"), namespace)
        if following is not None and following.language == "text":
            assert printed.getvalue() == following.text, following.place


@pytest.mark.parametrize("page", PAGES)
def test_python_blocks_run_in_order_and_print_what_the_page_shows(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run_blocks(page, device=False)


@pytest.mark.device
@pytest.mark.parametrize("page", PAGES)
def test_python_blocks_for_gpus_print_what_the_page_shows(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run_blocks(page, device=True)


def test_every_shown_output_follows_the_python_that_prints_it():
    for page in PAGES:
        found: list[Block | None] = [*blocks_of(page)]
        for before, block in pairwise([None, *found]):
            if block is not None and block.language == "text":
                assert before is not None and before.language == "python", block.place


QUOTES = [block for page in PAGES for block in blocks_of(page) if block.quoted_file]


@pytest.mark.parametrize("block", QUOTES, ids=lambda block: block.place)
def test_a_quoted_piece_of_code_is_what_the_file_holds(block):
    assert block.text.partition("\n")[2] in (ROOT / block.quoted_file).read_text()


@pytest.mark.parametrize(("place", "command"), commands())
def test_a_command_runs_or_names_what_exists(place, command):
    words = shlex.split(command)
    if words[0] == "make":
        targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
        assert set(words[1:]) <= set(targets), place
    elif words[0] == "pip":
        extras = re.findall(r"\[([\w,-]+)\]", command)
        project = (ROOT / "pyproject.toml").read_text()
        for extra in ",".join(extras).split(",") if extras else []:
            assert re.search(rf"^{extra} = \[", project, re.MULTILINE), f"{place}: {extra}"
    elif words[:2] == ["python", "-m"] and words[2] in ("fkl", "fkl_toolchain"):
        harmless = [word for word in words[1:] if word != "clear"]
        done = subprocess.run([sys.executable, *harmless], capture_output=True, text=True)
        assert done.returncode == 0, f"{place}: {done.stderr}"
    elif words[0] == "python" and Path(words[1]).suffix == ".py":
        assert (ROOT / words[1]).is_file(), place
    else:
        assert words[0] in NOT_RUN or "/" in words[0] or "=" in words[0], f"{place}: {command}"


def call_flow() -> list[tuple[str, str]]:
    """File and function of the README's numbered lines."""
    text = (ROOT / "README.md").read_text()
    return re.findall(r"^\d\. `([\w/]+\.py)` → `(\w+)`", text, re.MULTILINE)


def test_the_call_flow_has_nine_lines():
    assert len(call_flow()) == 9


@pytest.mark.parametrize(("file", "function"), call_flow())
def test_each_line_of_the_call_flow_names_a_function_of_its_file(file, function):
    assert re.search(rf"^def {function}\(", (ROOT / file).read_text(), re.MULTILINE)


def test_the_table_of_variables_is_the_one_that_the_code_reads():
    text = (ROOT / "README.md").read_text()
    shown = re.findall(r"^\| `(FKL_\w+)` \| (.*) \| (.*) \|$", text, re.MULTILINE)
    assert shown == [(row.name, row.default, row.meaning) for row in _config.VARIABLES]


def test_the_readme_counts_the_operations():
    assert f"- {len(ops.__all__)} [operations]" in (ROOT / "README.md").read_text()


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_to_files_and_headings_that_exist(page):
    for target in re.findall(r"\]\(([^)]+)\)", (ROOT / page).read_text()):
        if target.startswith("http"):
            continue
        file, _, heading = target.partition("#")
        there = (ROOT / page).parent / file if file else ROOT / page
        assert there.exists(), f"{page}: {target}"
        if heading:
            titles = re.findall(r"^#+ (.*)$", there.read_text(), re.MULTILINE)
            slugs = {re.sub(r"[^\w -]", "", t.lower()).replace(" ", "-") for t in titles}
            assert heading in slugs, f"{page}: {target}"
