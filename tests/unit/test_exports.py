# SPDX-License-Identifier: Apache-2.0
"""The public names are exactly `fkl.__all__`."""

from __future__ import annotations

import types

import fkl


def test_all_is_what_can_be_seen() -> None:
    visible = {
        name
        for name, value in vars(fkl).items()
        if not name.startswith("_") and not isinstance(value, types.ModuleType)
    }
    assert visible == set(fkl.__all__)


def test_every_public_thing_is_documented() -> None:
    bare = [name for name in fkl.__all__ if not (getattr(fkl, name).__doc__ or "").strip()]
    assert bare == []
