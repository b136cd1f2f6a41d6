# SPDX-License-Identifier: Apache-2.0
"""Build recipe/recipe.yaml with py-rattler-build, against local channels and nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rattler_build import Package, RenderConfig, Stage0Recipe, ToolConfiguration, VariantConfig
from rattler_build.render import RenderedVariant
from rattler_build.tool_config import PlatformConfig

RECIPE = Path(__file__).parents[2] / "recipe"


class Log:
    """rattler-build's progress, kept to be shown when something fails."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def on_log(self, event: object) -> None:
        self.lines.append(str(getattr(event, "message", event)))

    def on_build_step(self, event: object) -> None:
        self.lines.append(str(event))

    def on_download_start(self, event: object) -> None:
        self.lines.append(f"download {getattr(event, 'url', event)}")

    def on_download_progress(self, event: object) -> None:
        """Nothing to keep."""

    def on_download_complete(self, event: object) -> None:
        """Nothing to keep."""


@dataclass(frozen=True)
class Output:
    name: str
    build: str
    number: int
    variant: dict[str, str]
    rendered: RenderedVariant


def render() -> list[Output]:
    """Every output once; the two that ignore the variants are rendered for each of them."""
    config = RenderConfig(
        platform=PlatformConfig(target_platform="linux-64"),
        # a path that holds for the recipe inside a package too, from where it is rebuilt
        extra_context={"tree": str(RECIPE.parent)},
    )
    variants = VariantConfig.from_file(RECIPE / "variants.yaml")
    outputs: dict[tuple[str, str], Output] = {}
    for variant in Stage0Recipe.from_file(RECIPE / "recipe.yaml").render(variants, config):
        recipe = variant.recipe
        keys = {k: str(v) for k, v in variant.variant.items()}
        output = Output(
            recipe.package.name, str(recipe.build.string), recipe.build.number, keys, variant
        )
        outputs.setdefault((output.name, output.build), output)
    return list(outputs.values())


def build(output: Output, folder: Path, channels: list[Path]) -> Package:
    """Build one output into a folder channel; its own tests are run apart, with `run_tests`."""
    log = Log()
    try:
        result = output.rendered.run_build(
            ToolConfiguration(test_strategy="skip"),
            output_dir=folder,
            channels=[c.as_uri() for c in (folder, *channels)],
            progress_callback=log,
        )
    except Exception as error:
        raise RuntimeError(f"{output.name} {output.build}: {error}\n{log_tail(log)}") from error
    path = Path(result.packages[0])
    path.chmod(0o644)  # made for the owner alone, which would not do for a channel that is shared
    return Package.from_file(path)


def run_tests(package: Package, channels: list[Path]) -> list[str]:
    """Run a package's stored tests in fresh environments; returns what failed, with its output."""
    failures = []
    for index in range(package.test_count):
        log = Log()
        result = package.run_test(
            index, channel=[c.as_uri() for c in channels], progress_callback=log
        )
        if not result.success:
            output = "\n".join(result.output[-60:])
            failures.append(f"{package.filename} test {index}:\n{output}\n{log_tail(log)}")
    return failures


def log_tail(log: Log) -> str:
    return "\n".join(log.lines[-60:])
