# SPDX-License-Identifier: Apache-2.0
"""The two ways this package fails: nothing suitable was found, or a compiler said no."""

from __future__ import annotations


class ToolchainError(Exception):
    """Nothing on this machine can build for the target; the text lists every candidate and why."""


class BuildError(Exception):
    """A tool failed: the command, its log and the first real error are attributes.

    Attributes:
        command: the argv that failed.
        log: everything the tools printed, in order.
        returncode: its exit status; negative is a signal.
        row: the pairing rows that were in force, in words.
        first_error: the first line that reads like an error.
    """

    def __init__(
        self, command: tuple[str, ...], log: str, returncode: int, row: str, first_error: str
    ) -> None:
        self.command = command
        self.log = log
        self.returncode = returncode
        self.row = row
        self.first_error = first_error
        ended = f"signal {-returncode}" if returncode < 0 else f"exit status {returncode}"
        super().__init__(
            f"{command[0] if command else '?'} failed ({ended}): {first_error}\n"
            f"  command: {' '.join(command)}\n  toolchain: {row}"
        )

    def __reduce__(self) -> tuple[type[BuildError], tuple[object, ...]]:
        return type(self), (self.command, self.log, self.returncode, self.row, self.first_error)
