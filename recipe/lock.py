#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write an explicit package list: one address a line, each with its sha256.

What an environment holds, or what a solve gives:

    python recipe/lock.py --prefix /opt/conda/envs/fkl > fkl.txt
    python recipe/lock.py --channel conda-forge --cuda 13.0 fkl-cuda > fkl.txt

`conda create -n fkl --file fkl.txt` installs such a list without solving and without asking for
a driver: it serves a login node that has no GPU, and with file addresses a cluster that has no
network.  The first form needs nothing but Python; the second one needs py-rattler (`pip install
py-rattler`) and runs on a machine of any kind: the driver and the C library of the machine that
will run are given as options.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rattler import GenericVirtualPackage, RepoDataRecord

PLATFORM = "linux-64"


def explicit_list(packages: Iterable[tuple[str, str]]) -> str:
    """The text of a list of (address, sha256)."""
    lines = [f"{url}#{sha256}" for url, sha256 in packages]
    return "\n".join([f"# platform: {PLATFORM}", "@EXPLICIT", *lines]) + "\n"


def installed(prefix: Path) -> list[tuple[str, str]]:
    """(address, sha256) of every package of an environment, dependencies first."""
    records = {}
    for file in sorted((prefix / "conda-meta").glob("*.json")):
        record = json.loads(file.read_text())
        if not record.get("sha256"):
            raise SystemExit(f"{file} has no sha256: reinstall {record['name']}, then list again")
        records[record["name"]] = record
    if not records:
        raise SystemExit(f"{prefix} is no conda environment: {prefix / 'conda-meta'} is empty")
    return [(records[n]["url"], records[n]["sha256"]) for n in _dependencies_first(records)]


def _dependencies_first(records: dict[str, dict[str, object]]) -> list[str]:
    order: dict[str, None] = {}

    def visit(name: str, above: frozenset[str]) -> None:
        if name not in records or name in order or name in above:
            return
        depends = records[name].get("depends") or []
        for spec in depends if isinstance(depends, list) else []:
            visit(str(spec).split()[0], above | {name})
        order[name] = None

    for name in sorted(records):
        visit(name, frozenset())
    return list(order)


def virtual_packages(cuda: str | None, glibc: str) -> list[GenericVirtualPackage]:
    """The machine that the list is for, as conda's virtual packages describe one."""
    from rattler import GenericVirtualPackage, PackageName, Version
    from rattler.package.build_string import BuildString

    machine = {"__unix": "0", "__linux": "5.10", "__glibc": glibc, "__archspec": "1"}
    if cuda:
        machine["__cuda"] = cuda
    builds = {"__archspec": "x86_64_v2"}
    return [
        GenericVirtualPackage(
            PackageName(name), Version(version), BuildString(builds.get(name, "0"))
        )
        for name, version in machine.items()
    ]


def solve(
    channels: Sequence[str], specs: Sequence[str], *, cuda: str | None, glibc: str
) -> list[RepoDataRecord]:
    """What conda would install, dependencies first."""
    import rattler
    from rattler.platform import Subdir

    records = asyncio.run(
        rattler.solve(
            [rattler.Channel(channel) for channel in channels],
            [rattler.MatchSpec(spec) for spec in specs],
            platforms=[Subdir(PLATFORM), Subdir("noarch")],
            virtual_packages=virtual_packages(cuda, glibc),
        )
    )
    by_name = {record.name.normalized: record for record in records}
    ordered = rattler.RepoDataRecord.sort_topologically(records)
    return [by_name[record.name.normalized] for record in ordered]


def solved(records: Iterable[RepoDataRecord]) -> list[tuple[str, str]]:
    pairs = []
    for record in records:
        if record.sha256 is None:
            raise SystemExit(f"the channel gives no sha256 for {record.url}")
        pairs.append((record.url, record.sha256.hex()))
    return pairs


def _channel(text: str) -> str:
    return Path(text).resolve().as_uri() if Path(text).is_dir() else text


def _this_glibc() -> str:
    return platform.libc_ver()[1] or "2.28"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("specs", nargs="*", help="what to ask for, e.g. fkl-cuda 'python 3.12.*'")
    parser.add_argument("--prefix", type=Path, help="list this environment instead of solving")
    parser.add_argument(
        "--channel", action="append", help="a name, an address or a folder; may be given again"
    )
    parser.add_argument("--cuda", help="the driver's CUDA version on the machines that will run")
    parser.add_argument(
        "--glibc", default=_this_glibc(), help="their C library (default: this one's)"
    )
    options = parser.parse_args()
    if bool(options.prefix) == bool(options.specs):
        parser.error("give either --prefix or what to solve for")
    if options.prefix:
        packages = installed(options.prefix)
    else:
        channels = [_channel(c) for c in options.channel or ["conda-forge"]]
        packages = solved(solve(channels, options.specs, cuda=options.cuda, glibc=options.glibc))
    sys.stdout.write(explicit_list(packages))


if __name__ == "__main__":
    main()
    sys.stdout.flush()
    if "rattler" in sys.modules:
        os._exit(0)  # its threads can abort the interpreter while it shuts down
