# SPDX-License-Identifier: Apache-2.0
"""Compiled chains as one file, for machines without a compiler: `save` and `load`, and the cache
as such a file.

A file is a zip of libraries and a manifest with the SHA-256 of each. What is loaded from one is
published in the cache
and verified there again like any other entry.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import pickle
import zipfile
import zlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from . import _arrays, _build, _cache
from ._binding import bind
from ._chain import Chain
from ._codegen import emit
from ._dtypes import ELEMENTS, DType
from ._errors import ArgumentError, DTypeError
from ._op import Operation
from ._pipeline import Pipeline, _from_recipe
from ._plan import NOTHING, Source
from ._sizes import DeviceRects
from ._tree import PREFIX

MANIFEST, RECIPE, FORMAT = "manifest.json", "recipe.pickle", 1
ON_DEVICE = "on the device"
LIBRARIES = ("kernel.so", "runtime.so")
ROW = ("identity", "target", "library", "sha256", "toolchain")
BROKEN = (zipfile.BadZipFile, zlib.error)


def save(
    pipeline: Pipeline,
    path: str | Path,
    *,
    inputs: Sequence[Any] = (),
    targets: Sequence[str],
    **args: Any,
) -> None:
    """Compile a pipeline for other machines and write it, with its libraries, to one file.

    Args:
        pipeline: what `load` gives back.
        path: the file; an existing one is replaced when all is built.
        inputs: one example for each kind of input to serve: an array, a list of images, or the
        name of a pixel such as
            "uint8x3" ("[uint8x3]" for lists of images). Sizes do not matter.
        targets: for whom: "cpu:x86-64-v3" (or -v2, -v4), "sm_80", "sm_90", ... or "cpu" for
        this machine's own level.
        args: an example for each `Arg` that is not a plain value: `each([...])`, or "float32 on
        the device" for rects
            that will lie on a GPU (int32, int64, float32, float64).

    Raises:
        ToolchainError, CompileError: a target that cannot be built for here.
        DTypeError, LayoutError, ComposeError: an input that the chain cannot take.
    """
    if not isinstance(pipeline, Pipeline):
        raise ArgumentError(f"save takes a pipeline first, not {type(pipeline).__name__}")
    if isinstance(inputs, str) or isinstance(targets, str) or not targets:
        raise ArgumentError(
            f"inputs={inputs!r}, targets={targets!r}: give a list of each, and at least one target"
        )
    if pipeline.chain_for("CPU").spec.tree:
        raise ArgumentError(
            f"{PREFIX}: a chain for another FKL tree is not saved: unset FKL_INCLUDE, compose again"
        )
    entries: dict[str, _Entry] = {}
    for target in targets:
        wanted = _build.canonical_target(target)
        for source in sources_of(pipeline, wanted, inputs, args):
            built = _build.build(source, fp=pipeline.fp, target=wanted, what="the chain to save")
            _add(entries, _build.identity("kernel", source, pipeline.fp), wanted, built)
        if wanted.startswith("cpu"):
            runtime = _build.identity("runtime", _build.runtime_source(), "")
            _add(entries, runtime, wanted, _build.build_runtime(wanted))
    _write(Path(path), entries.values(), pickle.dumps(pipeline))


def load(path: str | Path) -> Pipeline:
    """The pipeline of a file that `save` wrote, ready to run without a compiler.

    The file contains machine code: load only what you would run.

    Raises:
        ArgumentError: no such file, a damaged or foreign one, or one that holds only a cache.
    """
    recipe = _take(Path(path))
    if recipe is None:
        raise ArgumentError(
            f"{path} holds compiled chains without a pipeline: use `fkl cache import`"
        )
    found = _Recipe(io.BytesIO(recipe)).load()
    if not isinstance(found, Pipeline):
        raise ArgumentError(f"{path} holds no pipeline")
    return found


def export_cache(path: str | Path) -> int:
    """Write every valid entry of the cache to one file; returns how many."""
    entries: dict[str, _Entry] = {}
    for folder in _cache.entries():
        for library in LIBRARIES:
            hit = _cache.find(folder.name, library)
            if hit is not None and "identity" in hit[1]:
                artifact = _build.Artifact(hit[0], str(hit[1].get("toolchain", "")), 0.0, True)
                _add(entries, hit[1]["identity"], hit[1]["target"], artifact)
    _write(Path(path), entries.values(), None)
    return len(entries)


def import_cache(path: str | Path) -> int:
    """Take the libraries of a file into the cache; returns how many.

    Raises:
        ArgumentError: as `load`.
    """
    before = {entry.name for entry in _cache.entries()}
    _take(Path(path))
    return len({entry.name for entry in _cache.entries()} - before)


def sources_of(
    pipeline: Pipeline, target: str, inputs: Sequence[Any], args: Mapping[str, Any]
) -> list[str]:
    """The generated sources that a target needs for these examples."""
    chain = pipeline.chain_for("CPU" if target.startswith("cpu") else "GPU_NVIDIA")
    forms = {name: _example(args.get(name, 0)) for name in chain.names}
    unknown = sorted(set(args) - chain.names)
    if unknown:
        raise ArgumentError(f"{chain.text} has no Arg {unknown[0]!r}")
    if chain.takes_input and not inputs:
        raise ArgumentError(
            'inputs=[]: give an example array, or the name of a pixel such as "uint8x3"'
        )
    sources = [_source(chain, example) for example in inputs] if chain.takes_input else [NOTHING]
    return list(dict.fromkeys(emit(chain.plan(source, forms)[0]) for source in sources))


def _example(value: Any) -> Any:
    if isinstance(value, str) and value.endswith(ON_DEVICE):
        name = value.removesuffix(ON_DEVICE).strip()
        if name not in ELEMENTS:
            raise DTypeError(f"{value!r}: {name!r} is no element type")
        return DeviceRects(None, 0, 1, ELEMENTS[name])
    return value


def _source(chain: Chain, example: Any) -> Source:
    if not isinstance(example, str):
        images = isinstance(example, (list, tuple))
        given = (
            [_arrays.to_ndarray(each) for each in example]
            if images
            else _arrays.to_ndarray(example)
        )
        return bind(chain, (given,)).source
    listed = example.startswith("[") and example.endswith("]")
    name, _, channels = example.strip("[]").partition("x")
    if name not in ELEMENTS or (channels and channels not in ("1", "2", "3", "4")):
        raise DTypeError(
            f"{example!r} is no pixel: write an element and its channels, such as uint8x3"
        )
    return Source(DType(ELEMENTS[name], int(channels or 1)), listed)


class _Entry:
    """One library of a file."""

    def __init__(self, name: str, target: str, artifact: _build.Artifact) -> None:
        self.data = artifact.library.read_bytes()
        self.row = {
            "identity": name,
            "target": target,
            "library": artifact.library.name,
            "sha256": hashlib.sha256(self.data).hexdigest(),
            "toolchain": artifact.toolchain,
        }


def _add(entries: dict[str, _Entry], name: str, target: str, artifact: _build.Artifact) -> None:
    entries[f"{name} {target}"] = _Entry(name, target, artifact)


def _write(path: Path, entries: Iterable[_Entry], recipe: bytes | None) -> None:
    """Build the file aside and rename it; an ArgumentError for a place that cannot be written."""
    aside = path.with_name(f".{path.name}.part")
    try:
        with zipfile.ZipFile(aside, "w", zipfile.ZIP_DEFLATED) as file:
            _fill(file, entries, recipe)
        aside.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            aside.unlink()
        raise ArgumentError(f"{path} cannot be written: {error}") from error


def _fill(file: zipfile.ZipFile, entries: Iterable[_Entry], recipe: bytes | None) -> None:
    rows = []
    for entry in entries:
        rows.append(entry.row)
        if _member(entry.row) not in file.namelist():
            file.writestr(_member(entry.row), entry.data)
    manifest: dict[str, Any] = {
        "format": FORMAT,
        "headers": _cache.headers_digest(),
        "entries": rows,
    }
    if recipe is not None:
        manifest["recipe"] = hashlib.sha256(recipe).hexdigest()
        file.writestr(RECIPE, recipe)
    file.writestr(MANIFEST, json.dumps(manifest, indent=1))


def _take(path: Path) -> bytes | None:
    """Check a whole file, then publish its libraries; returns the recipe."""
    known = {"format": FORMAT, "headers": _cache.headers_digest()}
    try:
        with zipfile.ZipFile(path) as file:
            manifest = json.loads(file.read(MANIFEST))
            if any(manifest[name] != value for name, value in known.items()):
                manifest = None
            else:
                rows = [(_checked(row), file.read(_member(row))) for row in manifest["entries"]]
                recipe = file.read(RECIPE) if "recipe" in manifest else None
    except (OSError, EOFError, LookupError, RuntimeError, TypeError, ValueError, *BROKEN) as error:
        raise ArgumentError(
            f"{path} is no file of compiled chains, or a damaged one: {error}"
        ) from None
    if manifest is None:
        raise ArgumentError(
            f"{path} was saved by another version of fkl: save it again with this one"
        )
    damaged = [
        row["sha256"] for row, data in rows if hashlib.sha256(data).hexdigest() != row["sha256"]
    ]
    if damaged or (recipe is not None and hashlib.sha256(recipe).hexdigest() != manifest["recipe"]):
        raise ArgumentError(f"{path} is damaged: its contents are not what its manifest says")
    for row, data in rows:
        _publish(row, data)
    return recipe


def _checked(row: Any) -> dict[str, str]:
    """The row of a manifest; a ValueError if it lacks something, or names what `save` never writes:
    a library's name becomes a path.
    """
    if not all(isinstance(row[name], str) for name in ROW) or row["library"] not in LIBRARIES:
        raise ValueError(f"{row} is no entry of it")
    return {name: row[name] for name in ROW}


def _member(row: Mapping[str, str]) -> str:
    return f"{row['sha256']}.so"


def _publish(row: Mapping[str, str], data: bytes) -> None:
    key = _cache.key_of("imported", row["identity"], row["target"])
    if _cache.find(key, row["library"]) is not None:
        return
    folder = _cache.private_folder()
    (folder / row["library"]).write_bytes(data)
    manifest = {name: row[name] for name in ("identity", "target", "toolchain")}
    kept = _cache.publish(key, folder, manifest)
    _cache.forget(folder, at_exit=kept == folder)


class _Recipe(pickle.Unpickler):
    """Gives back operations and their values, and nothing that could run."""

    def find_class(self, module: str, name: str) -> Any:
        known = {("fkl._pipeline", "_from_recipe"): _from_recipe}
        if (module, name) in known:
            return known[module, name]
        if (module, name) in (("fkl._values", "Arg"), ("fkl._values", "Each")):
            return super().find_class(module, name)
        if module.startswith("fkl.ops."):
            # A dotted name would reach through a module's imports: only operations pass.
            found = super().find_class(module, name)
            if isinstance(found, type) and issubclass(found, Operation):
                return found
        raise ArgumentError(
            f"the file's recipe names {module}.{name}, which is no operation of fkl"
        )
