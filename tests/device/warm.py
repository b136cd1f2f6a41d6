# SPDX-License-Identifier: Apache-2.0
"""Compile chains on all cores before the tests, in a process of its own: a fault on the device
stays there.

python -m tests.device.warm [--cpu] SLUG... (fkl's variables choose compiler and cache)
"""

from __future__ import annotations

import argparse
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tests.device import arrays, cases
from tests.device.chains import Chain


def prepared(chain: Chain, kind: arrays.Kind) -> tuple[Any, tuple[Any, ...], dict[str, Any]]:
    """Everything but the call, so that an array is never made on a device that a call has left
    broken.
    """
    on_host = isinstance(kind, arrays.Numpy)
    args = chain.host_args() if on_host else kind.args(dict(chain.args))
    return chain.pipeline(), kind.given(chain.host_inputs()), args


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("slugs", nargs="*", help="chains; all if none is named")
    parser.add_argument("--cpu", action="store_true", help="compile for the CPU")
    options = parser.parse_args()
    kind: arrays.Kind = arrays.Numpy() if options.cpu else arrays.Torch()
    wanted = set(options.slugs) or {chain.slug for chain in cases.ALL}
    calls = []
    for chain in cases.ALL:
        if chain.slug in wanted and not (options.cpu and chain.device_only):
            try:
                calls.append(prepared(chain, kind))
            except Exception as error:
                print(f"{chain.slug}: {error}", file=sys.stderr)

    def call(item: tuple[Any, tuple[Any, ...], dict[str, Any]]) -> None:
        pipeline, inputs, args = item
        try:
            pipeline(*inputs, **args)
        except Exception as error:  # the test of this chain will say it again
            print(f"{pipeline!r}: {str(error)[:500]}", file=sys.stderr)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(call, calls))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
