# SPDX-License-Identifier: Apache-2.0
"""Asks a program what it is: kind, version, targets, linker. Answers are remembered on disk."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable
from pathlib import Path

from fkl_toolchain._memo import remembered
from fkl_toolchain._model import Candidate, Compiler, Kind
from fkl_toolchain._run import run
from fkl_toolchain._system import conda_arguments, zig_arguments
from fkl_toolchain._versions import Version, parse_version

PROBE_SECONDS = 60.0
GNU = "Free Software Foundation"
# GNU's other programs print the same words, so the name counts.
_GCC = re.compile(r"(?:\S*[-/])?(?:g\+\+|c\+\+|gcc|cc)(?:-[\d.]+)? (\(.*)")
_GCC_VERBOSE = re.compile(r"^gcc version (\d+(?:\.\d+)*)", re.MULTILINE)

Say = Callable[..., str]


def ask(argv: tuple[str, ...]) -> str:
    """Return what a program prints, "" when it fails."""
    with tempfile.TemporaryDirectory(prefix="fkl-probe-") as folder:
        done = run(argv, Path(folder), PROBE_SECONDS)
    return done.output if done.returncode == 0 else ""


def identify(candidate: Candidate, cache: Path) -> Compiler | str:
    """Return the compiler behind a candidate, or the reason why it is none."""
    if os.path.isdir(candidate.path):
        return "it is a directory, and not a compiler's file"
    if not os.path.isfile(candidate.path):
        return "no such file"
    if not os.access(candidate.path, os.X_OK):
        return "not executable"
    if os.path.basename(os.path.realpath(candidate.path)) == "ccache":
        return "a ccache wrapper, which keeps its own cache under our hands"
    facts = remembered(cache, candidate.path, "compiler", lambda: _question(candidate.path), _holds)
    if not facts.get("kind"):
        said = next(iter(facts.get("text", "").strip().splitlines()), "")
        heard = f"its --version says {said[:200]}" if said else "its --version failed"
        return f"it is no C++ compiler that fkl knows: {heard}"
    return _compiler(candidate, facts)


def _compiler(candidate: Candidate, facts: dict[str, str]) -> Compiler:
    kinds: dict[str, Kind] = {"gcc": "gcc", "clang": "clang", "zig": "zig", "nvcc": "nvcc"}
    kind = kinds[facts["kind"]]
    extra: tuple[str, ...] = ()
    if kind == "zig":
        extra = zig_arguments(candidate.path)
    elif kind == "clang" and "Configuration file" not in facts["text"]:
        extra = conda_arguments(candidate.path)
    return Compiler(
        path=candidate.path,
        kind=kind,
        version=parse_version(facts["version"]),
        version_text=facts["text"],
        found_via=candidate.found_via,
        nvptx=facts.get("nvptx") == "yes",
        linker=tuple(facts.get("linker", "").split("\n")) if facts.get("linker") else (),
        support=facts.get("support", ""),
        runtime=facts.get("runtime", ""),
        extra=extra,
    )


def _holds(facts: dict[str, str]) -> bool:
    """Whether every question was answered, and the files in the answers are there."""
    files = (facts.get(name, "").partition("\n")[0] for name in ("linker", "support", "runtime"))
    return facts.get("whole") == "yes" and all(not file or os.path.isfile(file) for file in files)


def _question(path: str) -> dict[str, str]:
    heard: list[str] = []

    def say(*arguments: str) -> str:
        heard.append(ask((path, *arguments)))
        return heard[-1]

    facts = _zig(path, say) if _is_zig(path) else _driver(path, say)
    # A compiler has something to say to each question: without a word it failed, perhaps just now.
    whole = bool(facts["kind"]) and all(heard)
    return facts | {"whole": "yes" if whole else "no"}


def _is_zig(path: str) -> bool:
    return os.path.basename(os.path.realpath(path)).startswith("zig")


def _driver(path: str, say: Say) -> dict[str, str]:
    text = say("--version")
    kind, version = classify(text)
    if not kind and GNU in text and (match := _GCC_VERBOSE.search(say("-v"))):
        # A renamed gcc calls itself by its new name.
        kind, version = "gcc", parse_version(match[1])
    if not kind:
        return {"kind": "", "text": text}
    facts = {"kind": kind, "version": ".".join(map(str, version)), "text": text.strip()}
    if kind != "nvcc":
        facts["linker"] = _linker(path, say)
        facts["support"] = _file(say("-print-libgcc-file-name"))
        facts["runtime"] = _file(say("-print-file-name=libstdc++.so.6"))
    if kind == "clang":
        facts["nvptx"] = "yes" if "nvptx64" in say("--print-targets") else "no"
    return facts


def classify(text: str) -> tuple[str, Version]:
    """Return (kind, version) from what a compiler prints for --version."""
    if match := re.search(r"\bclang version (\d+(?:\.\d+)*)", text):
        return "clang", parse_version(match[1])
    if match := re.search(r"Cuda compilation tools, release [\d.]+, V(\d+(?:\.\d+)*)", text):
        return "nvcc", parse_version(match[1])
    if GNU in text and (match := _GCC.match(text)):
        # "g++-12 (Debian 12.2.0-14) 12.2.0": after the name, the first number outside parentheses.
        return "gcc", parse_version(re.sub(r"\([^)]*\)", "", match[1]))
    return "", ()


def _zig(path: str, say: Say) -> dict[str, str]:
    text = say("clang", "--version")
    kind, version = classify(text)
    if kind != "clang":
        return {"kind": "", "text": text}
    targets = say("clang", "--print-targets")
    return {
        "kind": "zig",
        "version": ".".join(map(str, version)),
        "text": f"zig {say('version').strip()}: {text.strip()}",
        "nvptx": "yes" if "nvptx64" in targets else "no",
        "linker": f"{path}\nld.lld",
    }


def _file(answer: str) -> str:
    # A compiler that does not know the file answers with its bare name.
    path = answer.strip()
    return os.path.realpath(path) if os.path.isabs(path) and os.path.isfile(path) else ""


def _linker(path: str, say: Say) -> str:
    # bfd, called directly, links one object fastest; the driver's own look-up comes first since
    # a conda compiler answers with the linker of its own prefix.
    for name in ("ld", "ld.lld"):
        answer = say(f"-print-prog-name={name}").strip()
        for folder in ("", os.path.dirname(path), "/usr/bin", "/bin", "/usr/local/bin"):
            found = os.path.join(folder, answer)
            if answer and os.path.isabs(found) and os.access(found, os.X_OK):
                return os.path.abspath(found)
    return ""
