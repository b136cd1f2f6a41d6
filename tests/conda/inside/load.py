# SPDX-License-Identifier: Apache-2.0
"""Where nothing can be compiled:  python load.py FILE     runs a saved job, compares its numbers.

With a GPU and torch, on the GPU too: the file has to hold machine code for it.
"""

import sys

import check_install

import fkl


def on_gpu(pipe: fkl.Pipeline) -> None:
    try:
        import torch
    except ImportError:
        return
    if torch.cuda.is_available():
        result = pipe(torch.from_numpy(check_install.FRAME).cuda(), rects=check_install.BOXES)
        check_install.compare(result.cpu().numpy(), "numbers on the GPU")


if __name__ == "__main__":
    pipe = fkl.load(sys.argv[1])
    check_install.compare(pipe(check_install.FRAME, rects=check_install.BOXES), "saved numbers")
    on_gpu(pipe)
