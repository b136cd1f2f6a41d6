# SPDX-License-Identifier: Apache-2.0
"""Install packages as conda would, and run programs of a prefix in the jail."""

from __future__ import annotations

import asyncio
import json
import subprocess
from collections.abc import Sequence
from pathlib import Path

import rattler
from rattler.explicit_environment.environment import ExplicitEnvironmentSpec

HERE = Path(__file__).parent


def install(records: Sequence[rattler.RepoDataRecord], prefix: Path, cache: Path) -> Path:
    asyncio.run(
        rattler.install(list(records), target_prefix=prefix, cache_dir=cache, show_progress=False)
    )
    return prefix


def explicit_records(listing: str, channels: Sequence[Path]) -> list[rattler.RepoDataRecord]:
    """The records of an explicit list: nothing is solved, and each sha256 is compared."""
    known = {}
    for channel in channels:
        for subdir in ("linux-64", "noarch"):
            index = channel / subdir / "repodata.json"
            if index.exists():
                known |= json.loads(index.read_text()).get("packages.conda", {})
    records = []
    for entry in ExplicitEnvironmentSpec.from_str(listing).packages:
        url, _, digest = entry.url.partition("#")
        path = Path(url.removeprefix("file://"))
        record = asyncio.run(rattler.RepoDataRecord.from_package_archive(path))
        if record.sha256 is None or record.sha256.hex() != digest.removeprefix("sha256:"):
            raise ValueError(f"{path.name} is not the file that was listed: its sha256 differs")
        records.append(record)
    return records


def jail(
    prefix: Path,
    *command: str,
    variables: dict[str, str] | None = None,
    flags: Sequence[str] = (),
) -> subprocess.CompletedProcess[str]:
    options = [word for item in (variables or {}).items() for word in ("-e", "=".join(item))]
    return subprocess.run(
        ["sh", str(HERE / "jail.sh"), *flags, *options, str(prefix), *command],
        check=False,
        capture_output=True,
        text=True,
        timeout=300,
    )
