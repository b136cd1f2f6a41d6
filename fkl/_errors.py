# SPDX-License-Identifier: Apache-2.0
"""The exceptions of fkl, and the text that shows a chain with its failing step.

    FklError
    ├── ComposeError (ValueError)         a chain that can never work
    │   ├── DTypeError (TypeError)        an element type or a value that does not fit it
    │   ├── ExtentError                   sizes, rectangles, counts of planes
    │   └── LayoutError                   axes, strides, an unusable `out`
    ├── SettingError (ValueError)         an environment variable that makes no sense
    ├── ArgumentError (TypeError)         a missing, unknown or superfluous input or `Arg`
    ├── ToolchainError (RuntimeError)     no usable compiler, with every candidate and reason
    ├── CompileError (RuntimeError)       .command .log .directory .toolchain
    ├── DeviceError (RuntimeError)        no driver, no GPU, no device memory
    └── LaunchError (RuntimeError)        .status plus the library's message

Every message says what was attempted, what was found and what to do. Inner code raises short
facts; the pipeline adds the chain.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar


class FklError(Exception):
    """Base of everything that fkl raises on purpose."""


class ComposeError(FklError, ValueError):
    """A chain that can never work, whatever the values."""


class DTypeError(ComposeError, TypeError):
    """An element type that an operation does not take, or a value that does not fit its element."""


class ExtentError(ComposeError):
    """Sizes, rectangles or numbers of planes that do not go together."""


class LayoutError(ComposeError):
    """Axes, strides or an `out` that cannot be used as given."""


class SettingError(FklError, ValueError):
    """An environment variable of fkl whose value makes no sense; the text names it."""


class ArgumentError(FklError, TypeError):
    """A call with a missing, unknown or superfluous input or `Arg`."""


class ToolchainError(FklError, RuntimeError):
    """No compiler that could build the chain; the text lists every candidate and its reason."""


class CompileError(FklError, RuntimeError):
    """The compiler refused a generated source.

    Attributes: `command` (the argv that failed), `log` (its whole output), `directory` (where the
    source was kept), `toolchain` (one paragraph: what was chosen and why).
    """

    def __init__(
        self,
        text: str,
        *,
        command: Sequence[str] = (),
        log: str = "",
        directory: Path | None = None,
        toolchain: str = "",
    ) -> None:
        super().__init__(text)
        self.command = tuple(command)
        self.log = log
        self.directory = directory
        self.toolchain = toolchain


class DeviceError(FklError, RuntimeError):
    """The CUDA driver, a GPU or its memory is missing or failed."""


class LaunchError(FklError, RuntimeError):
    """A compiled chain reported a failure; `status` is its code."""

    def __init__(self, text: str, *, status: int = 0) -> None:
        super().__init__(text)
        self.status = status


AnyChainError = TypeVar("AnyChainError", bound=ComposeError)


NEIGHBOURS = 8  # steps shown on each side of the failing one, besides the first and the last


def in_chain(
    error: AnyChainError, step: int, labels: Sequence[str], types: Sequence[str]
) -> AnyChainError:
    """The same kind of error, with the chain, the types between its steps, and the failing step
    marked.

    `labels` are the operations as written; `types[i]` is the element after step i, as far as it is
    known.
    """
    title = f"step {step}, {labels[step]}"
    if step:
        title += f", cannot follow step {step - 1}"
    shown: list[str] = []
    for index, label in enumerate(labels):
        if index and abs(index - step) > NEIGHBOURS and index < len(labels) - 1:
            if shown[-1] != "…":
                shown.append("…")
            continue
        name = label.partition("(")[0]
        if index == step:
            name = f">> {name} <<"
        elif index < len(types):
            name = f"{name} {types[index]}"
        shown.append(name)
    chain = " → ".join(shown)
    return type(error)(f"{title}\n  {chain}\n  {error}")
