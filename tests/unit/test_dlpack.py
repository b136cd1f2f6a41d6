# SPDX-License-Identifier: Apache-2.0
"""DLPack capsules keep what they describe alive, for exactly as long as somebody may look at it."""

from __future__ import annotations

import gc
import weakref

import pytest

from fkl import ArgumentError, _dlpack


class Owner:
    """Stands for an array."""


@pytest.mark.parametrize("versioned", [True, False])
def test_a_capsule_that_nobody_takes_lets_go_of_its_array(versioned: bool) -> None:
    for _ in range(100):
        owner = Owner()
        seen = weakref.ref(owner)
        capsule = _dlpack.write(owner, 4096, 0, (2, 3), "f", 4, versioned)
        del owner
        gc.collect(0)
        assert seen() is not None
        del capsule
        gc.collect(0)
        assert seen() is None


@pytest.mark.parametrize("versioned", [True, False])
def test_a_capsule_that_is_taken_lets_go_with_its_taker(versioned: bool) -> None:
    owner = Owner()
    seen = weakref.ref(owner)
    capsule = _dlpack.write(owner, 4096, 1, (2, 3), "f", 4, versioned)
    taken = _dlpack.read(capsule)
    del owner, capsule
    gc.collect()
    assert seen() is not None
    assert (taken.address, taken.device, taken.shape, taken.strides) == (4096, 1, (2, 3), (3, 1))
    del taken
    gc.collect()
    assert seen() is None


def test_a_capsule_is_taken_once() -> None:
    capsule = _dlpack.write(Owner(), 4096, 0, (2,), "f", 4, True)
    first = _dlpack.read(capsule)
    with pytest.raises(ArgumentError, match="used before"):
        _dlpack.read(capsule)
    assert first.size == 4


def test_what_is_no_capsule_is_refused() -> None:
    with pytest.raises(ArgumentError, match="no DLPack capsule"):
        _dlpack.read(object())
