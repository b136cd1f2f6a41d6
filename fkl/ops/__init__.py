# SPDX-License-Identifier: Apache-2.0
"""The catalogue: one module a family, one row an operation, in documentation order."""

from . import arithmetic, cast, channels, color, geometry, memory
from .arithmetic import *
from .cast import *
from .channels import *
from .color import *
from .geometry import *
from .memory import *

__all__: list[str] = []
__all__ += memory.__all__
__all__ += geometry.__all__
__all__ += color.__all__
__all__ += arithmetic.__all__
__all__ += cast.__all__
__all__ += channels.__all__
