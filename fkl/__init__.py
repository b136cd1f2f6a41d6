# SPDX-License-Identifier: Apache-2.0
"""fkl: chains of image and array operations as one fused kernel.

    pipe = fkl.compose(fkl.TensorRead(), fkl.Resize(224, 224), fkl.Div(255.0), fkl.TensorSplit())
    out = pipe(image)

Importing it starts no process and opens no driver; a chain is compiled at its first call and
cached on disk.
"""

from . import ops
from ._archive import load, save
from ._bound import BoundCall
from ._buffer import DeviceBuffer
from ._cache import include_dir
from ._errors import (
    ArgumentError,
    CompileError,
    ComposeError,
    DeviceError,
    DTypeError,
    ExtentError,
    FklError,
    LaunchError,
    LayoutError,
    SettingError,
    ToolchainError,
)
from ._extents import Placement
from ._op import Operation
from ._pipeline import OutputSpec, Pipeline, compose
from ._values import Arg, each
from .ops import *

__version__ = "0.1.0"

__all__ = [
    "Arg",
    "ArgumentError",
    "BoundCall",
    "CompileError",
    "ComposeError",
    "DTypeError",
    "DeviceBuffer",
    "DeviceError",
    "ExtentError",
    "FklError",
    "LaunchError",
    "SettingError",
    "LayoutError",
    "Operation",
    "OutputSpec",
    "Pipeline",
    "Placement",
    "ToolchainError",
    "compose",
    "each",
    "include_dir",
    "load",
    "save",
]
__all__ += ops.__all__
