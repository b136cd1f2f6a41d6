# SPDX-License-Identifier: Apache-2.0
"""DLPack capsules of GPU arrays, both ways: https://dmlc.github.io/dlpack/latest/.

Reads the versioned and the older form, writes either as the consumer asks. No array is copied.
"""

from __future__ import annotations

import ctypes
import weakref
from dataclasses import dataclass
from typing import Any

from ._errors import ArgumentError, DTypeError

CUDA, CUDA_HOST, CUDA_MANAGED = 2, 3, 13
KINDS = {"i": 0, "u": 1, "f": 2, "b": 6}
BFLOAT = 4
READ_ONLY = 1


class _Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class _Managed(ctypes.Structure):
    _fields_ = [("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


class _Versioned(ctypes.Structure):
    _fields_ = [
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("tensor", _Tensor),
    ]


_Deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_Destructor = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_python = ctypes.pythonapi
_get_pointer = _python.PyCapsule_GetPointer
_get_pointer.restype, _get_pointer.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
_is_valid = _python.PyCapsule_IsValid
_is_valid.restype, _is_valid.argtypes = ctypes.c_int, (ctypes.py_object, ctypes.c_char_p)
_set_name = _python.PyCapsule_SetName
_set_name.restype, _set_name.argtypes = ctypes.c_int, (ctypes.py_object, ctypes.c_char_p)
_new = _python.PyCapsule_New
_new.restype, _new.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)

# A capsule that is being destroyed is only an address: holding it would destroy it once more.
_dying_is_valid = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)(
    ("PyCapsule_IsValid", _python)
)
_dying_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", _python)
)

FORMS = (
    (b"dltensor_versioned", b"used_dltensor_versioned", _Versioned),
    (b"dltensor", b"used_dltensor", _Managed),
)


@dataclass(eq=False)
class Imported:
    """A consumed capsule: where the array lies. Its producer's memory lives as long as this
    object.
    """

    address: int
    device: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]  # in elements
    kind: str  # NumPy's letter, or "bf"
    size: int  # bytes of an element
    writeable: bool


def read(capsule: Any) -> Imported:
    """Consume a capsule of a GPU array.

    Raises:
        ArgumentError: no DLPack capsule, a used one, memory that a GPU cannot reach, or an
        element type of lanes.
    """
    for name, used, form in FORMS:
        if not _is_valid(capsule, name):
            continue
        managed = form.from_address(_get_pointer(capsule, name))
        found = _describe(managed.tensor, bool(getattr(managed, "flags", 0) & READ_ONLY))
        # the name lives as long as the module: a capsule keeps the pointer
        _set_name(capsule, used)
        if managed.deleter:
            weakref.finalize(found, _Deleter(managed.deleter), ctypes.addressof(managed))
        return found
    raise ArgumentError("__dlpack__ gave no DLPack capsule, or one that was used before")


def _describe(tensor: _Tensor, read_only: bool) -> Imported:
    if tensor.device_type not in (CUDA, CUDA_MANAGED):
        raise ArgumentError(f"DLPack device {tensor.device_type} is no CUDA device")
    kinds = {code: kind for kind, code in KINDS.items()} | {BFLOAT: "bf"}
    if tensor.lanes != 1 or tensor.code not in kinds or tensor.bits % 8:
        raise DTypeError(
            f"DLPack element (code {tensor.code}, {tensor.bits} bits, {tensor.lanes} lanes) "
            "is not served"
        )
    shape = tuple(tensor.shape[: tensor.ndim])
    strides = tuple(tensor.strides[: tensor.ndim]) if tensor.strides else dense_strides(shape)
    return Imported(
        (tensor.data or 0) + tensor.byte_offset,
        tensor.device,
        shape,
        strides,
        kinds[tensor.code],
        tensor.bits // 8,
        not read_only,
    )


def dense_strides(shape: tuple[int, ...]) -> tuple[int, ...]:
    """C order, in elements."""
    strides, step = [], 1
    for count in reversed(shape):
        strides.append(step)
        step *= count
    return tuple(reversed(strides))


_exported: dict[int, tuple[Any, ...]] = {}


def _forget(managed: int) -> None:
    _exported.pop(managed, None)


_release = _Deleter(_forget)


def _destroy(name: bytes) -> Any:
    """What a capsule does that nobody consumed: its array is let go."""

    def destroy(capsule: int) -> None:
        if _dying_is_valid(capsule, name):
            _forget(_dying_pointer(capsule, name))

    return _Destructor(destroy)


_destroyers = {name: _destroy(name) for name, _, _ in FORMS}


def write(
    owner: Any,
    address: int,
    device: int,
    shape: tuple[int, ...],
    kind: str,
    size: int,
    versioned: bool,
) -> Any:
    """A capsule of a dense array; `owner` lives until the consumer is done."""
    name, _, form = FORMS[0 if versioned else 1]
    dims = (ctypes.c_int64 * max(len(shape), 1))(*shape)
    steps = (ctypes.c_int64 * max(len(shape), 1))(*dense_strides(shape))
    managed = form()
    code = BFLOAT if kind == "bf" else KINDS[kind]
    pointer = ctypes.POINTER(ctypes.c_int64)
    managed.tensor = _Tensor(
        address,
        CUDA,
        device,
        len(shape),
        code,
        8 * size,
        1,
        ctypes.cast(dims, pointer),
        ctypes.cast(steps, pointer),
        0,
    )
    managed.deleter = ctypes.cast(_release, ctypes.c_void_p)
    if versioned:
        managed.major = 1
    where = ctypes.addressof(managed)
    _exported[where] = (managed, dims, steps, owner)
    return _new(where, name, ctypes.cast(_destroyers[name], ctypes.c_void_p))
