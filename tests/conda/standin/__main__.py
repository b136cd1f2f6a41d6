# SPDX-License-Identifier: Apache-2.0
"""Build the stand-in channel:  python -m standin WORK [--cache DIR] [--cuda 13.5] [--clang 22]

The channel is WORK/channel; downloads stay in the cache.  Needs pip, apt-get, dpkg-deb, readelf.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import time
from pathlib import Path

from . import clang, cuda, host, interpreter
from .channel import Channel

CUDA_PYTHON = "13.4.4"  # the newest whose bindings and metapackage agree


def default_cache() -> Path:
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(os.environ.get("FKL_CONDA_CACHE") or Path(home) / "fkl-conda")


def build(
    channel: Channel, *, clang_major: str, cuda_minor: str, pure: tuple[str, ...] = ()
) -> None:
    channel.downloads.fetch_debs((*host.DEBS, *clang.debs(clang_major)))
    interpreter.pack_python(channel)
    channel.index()  # the generated recipes below install this python
    interpreter.pack_build_tools(channel)
    interpreter.pack_pure_dependencies(channel, pure)
    interpreter.pack_numpy(channel)
    host.pack_sysroot(channel)
    host.pack_gcc_files(channel)
    host.pack_libstdcxx(channel)
    host.pack_gcc_names(channel)
    clang.pack_clang(channel, clang_major)
    if cuda_minor:
        cuda.pack_cuda(channel, cuda_minor)
        interpreter.pack_cuda_python(channel, CUDA_PYTHON, cuda_minor)
    channel.index()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("work", type=Path)
    parser.add_argument("--cache", type=Path, default=default_cache() / "downloads")
    parser.add_argument("--clang", default="22", help="a major of Debian's clang-N")
    parser.add_argument("--cuda", default="13.5", help="a minor of the unified wheels; empty: none")
    parser.add_argument(
        "--pure", default="", help="further pure-Python dependencies of fkl, by commas"
    )
    options = parser.parse_args()
    began = time.monotonic()
    channel = Channel(options.work.resolve(), options.cache)
    pure = tuple(filter(None, options.pure.split(",")))
    build(channel, clang_major=options.clang, cuda_minor=options.cuda, pure=pure)
    for row in channel.report:
        print(
            f"{row.name:28}{row.version:>14}{row.raw:9.1f}{row.packed:9.1f} MB{row.seconds:7.1f} s"
        )
    raw, packed = sum(r.raw for r in channel.report), sum(r.packed for r in channel.report)
    seconds = time.monotonic() - began
    print(f"{len(channel.report)} packages, {raw:.0f} MB, packed {packed:.0f} MB, {seconds:.0f} s")
    for folder in ("deb", "stage"):
        shutil.rmtree(options.work / folder, ignore_errors=True)


if __name__ == "__main__":
    main()
    sys.stdout.flush()
    os._exit(0)  # py-rattler's threads can abort the interpreter while it shuts down
