# SPDX-License-Identifier: Apache-2.0
"""The channel on disk: a staging folder a package, the archive, the index."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import time
from dataclasses import dataclass
from pathlib import Path

from rattler.index import index_fs
from rattler_build import (
    RenderConfig,
    Stage0Recipe,
    ToolConfiguration,
    VariantConfig,
    assemble_package,
)
from rattler_build.tool_config import PlatformConfig

from .downloads import Downloads, Wheel
from .names import edges, fill, rows


@dataclass(frozen=True)
class Packed:
    name: str
    version: str
    raw: float
    packed: float
    seconds: float


class Channel:
    """`level` is the compression's: 1 is quick, and nobody downloads a stand-in."""

    def __init__(self, work: Path, cache: Path, level: int = 1) -> None:
        self.folder, self.level = work / "channel", level
        self.stages = work / "stage"
        self.downloads = Downloads(cache, work)
        self.rows, self.report = rows(), list[Packed]()
        self.owners: dict[str, str] = {}
        for subdir in ("noarch", "linux-64"):
            (self.folder / subdir).mkdir(parents=True, exist_ok=True)

    def stage(self, name: str) -> Path:
        folder = self.stages / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        return folder

    def pack(
        self,
        key: str,
        version: str,
        files: Path | None = None,
        *,
        cuda: str = "",
        noarch: bool = False,
        build: str = "standin_0",
    ) -> None:
        """Make a package of a row of names.toml; without files it is an empty one."""
        began, row = time.monotonic(), self.rows[key]
        name, edge = fill(row.name, version, cuda), edges(row, version, cuda)
        subdir = "noarch" if noarch else "linux-64"
        if files:
            self._claim(name, files)
        out = assemble_package(
            name,
            version,
            subdir,
            build,
            self.folder,
            files_dir=files or self.stage(name),
            depends=edge.depends,
            constrains=edge.constrains,
            noarch="generic" if noarch else None,
            license="LicenseRef-standin",
            summary=f"stand-in for conda-forge's {name}",
            compression_level=self.level,
            detect_prefix=False,
        )
        self._file(Path(out.path), subdir, name, version, began)

    def _claim(self, name: str, files: Path) -> None:
        """Two packages with one file would overwrite each other in whichever order they install."""
        for file in files.rglob("*"):
            path = str(file.relative_to(files))
            owner = self.owners.setdefault(path, name)
            if owner != name and (file.is_symlink() or not file.is_dir()):
                raise ValueError(f"{path} is in {owner} and in {name}")

    def pack_pure(self, key: str, wheel: Wheel, *, cuda: str = "") -> None:
        """A pure-Python wheel, through a generated recipe.

        Unlike assemble_package that writes info/link.json (noarch: python), which conda-pack and
        conda look at.
        """
        began, row = time.monotonic(), self.rows[key]
        folder = self.stage(key)
        wheel.unpack(folder / "src", lambda name: None if ".data/" in name else name)
        recipe = _pure_recipe(
            key, wheel.version, folder / "src", edges(row, wheel.version, cuda).depends
        )
        (folder / "recipe.yaml").write_text(json.dumps(recipe))
        config = RenderConfig(platform=PlatformConfig(target_platform="linux-64"))
        variant = Stage0Recipe.from_file(folder / "recipe.yaml").render(VariantConfig(), config)[0]
        out = variant.run_build(
            ToolConfiguration(test_strategy="skip"),
            output_dir=folder / "out",
            channels=[self.folder.as_uri()],
            no_include_recipe=True,
        )
        self._file(Path(out.packages[0]), "noarch", key, wheel.version, began)

    def _file(self, made: Path, subdir: str, name: str, version: str, began: float) -> None:
        final = self.folder / subdir / made.name
        if made != final:
            shutil.move(made, final)
        final.chmod(0o644)
        raw = _size(self.stages / name) if (self.stages / name).exists() else 0.0
        packed = final.stat().st_size / 1e6
        self.report.append(Packed(name, version, raw, packed, time.monotonic() - began))
        shutil.rmtree(self.stages / name, ignore_errors=True)

    def index(self) -> None:
        asyncio.run(index_fs(self.folder, write_shards=False))


def _pure_recipe(name: str, version: str, source: Path, depends: list[str]) -> dict[str, object]:
    return {
        "package": {"name": name, "version": version},
        "source": {"path": "src"},
        "build": {
            "noarch": "python",
            "string": "pyh_standin_0",
            "script": "cp -r . $SP_DIR/",
            "python": {"entry_points": _console_scripts(source)},
        },
        "requirements": {"host": ["python"], "run": depends},
        "about": {"license": "LicenseRef-standin", "summary": f"stand-in for conda-forge's {name}"},
    }


def _console_scripts(source: Path) -> list[str]:
    listing = next(source.glob("*.dist-info/entry_points.txt"), None)
    section = listing and re.search(r"\[console_scripts\]\n((?:[^\[].*\n?)*)", listing.read_text())
    return [line.strip() for line in section[1].splitlines() if "=" in line] if section else []


def _size(folder: Path) -> float:
    return (
        sum(f.lstat().st_size for f in folder.rglob("*") if f.is_file() and not f.is_symlink())
        / 1e6
    )


def link(path: Path, target: str) -> None:
    """Make `path` a link, whatever was there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    path.symlink_to(target)
