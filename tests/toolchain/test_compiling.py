# SPDX-License-Identifier: Apache-2.0
"""What fkl says of a failed compile when there is no room for its log."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from fkl_toolchain import BuildError

from fkl._compiling import compile_error


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (errno.ENOSPC, "the disk is full"),
        (errno.EFBIG, "the disk is full"),
        (errno.EACCES, "Permission denied"),
    ],
)
def test_a_log_that_cannot_be_written_does_not_hide_the_compile_error(
    number: int, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_arguments: object, **_options: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(Path, "write_text", refuse)
    failure = BuildError(("g++", "x.cpp"), "x.cpp:1: error: no", 1, "a row", "x.cpp:1: error: no")
    text = str(compile_error(failure, tmp_path, "", "the chain", "gcc"))
    assert "failed: x.cpp:1: error: no" in text
    assert f"compiler.log could not be written: {said}" in text
