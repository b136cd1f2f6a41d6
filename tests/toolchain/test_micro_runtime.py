# SPDX-License-Identifier: Apache-2.0
"""What the micro runtime asks of a driver, told by a driver that only takes notes."""

from __future__ import annotations

import ctypes
from pathlib import Path

import pytest
from fkl_toolchain import Config, find
from fkl_toolchain._build_cpu import LEAN
from fkl_toolchain._ptx import short_name

NAME = "_Z6kernelIN2fk5ChainEEvT_"
SOURCE = """
#include "{runtime}"
#define SHOWN __attribute__((visibility("default")))
SHOWN char asked[200];
static int agree(void) {{ return 0; }}
static int context(void **current) {{ return *current = asked, 0; }}
static int function(void **found, void *module, const char *name) {{
  (void)found, (void)module;
  snprintf(asked + __builtin_strlen(asked), 99, "%s ", name);
  return 500;
}}
void *dlopen(const char *name, int how) {{ return (void)name, (void)how, (void *)asked; }}
void *dlsym(void *library, const char *name) {{
  (void)library;
  if (!__builtin_strcmp(name, "cuCtxGetCurrent")) return (void *)context;
  if (!__builtin_strcmp(name, "cuModuleGetFunction")) return (void *)function;
  return (void *)agree;
}}
{image}
SHOWN int launched(void) {{
  struct {{ int magic, version; const void *data; void *unused; }} wrapper = {{0, 1, asked, 0}};
  void **image = __cudaRegisterFatBinary(&wrapper);
  __cudaRegisterFunction(image, asked, 0, "{name}", 0, 0, 0, 0, 0, 0);
  return cudaLaunchKernel(asked, (dim3_){{1, 1, 1}}, (dim3_){{1, 1, 1}}, 0, 0, 0);
}}
"""


@pytest.mark.parametrize(
    ("image", "names"),
    [
        ("", [NAME]),
        ("const char fkl_fatbin_image[4] = {0};", [short_name(NAME.encode()).decode(), NAME]),
    ],
)
def test_only_images_of_our_own_are_asked_for_a_shortened_name(
    image: str, names: list[str], session_cache: Path, tmp_path: Path
) -> None:
    source = tmp_path / "driver.c"
    source.write_text(SOURCE.format(runtime=LEAN / "micro_runtime.c", image=image, name=NAME))
    toolchain = find("cpu", config=Config(compiler="g++", cache_dir=session_cache))
    toolchain.build_c(source, tmp_path / "driver.so")
    library = ctypes.CDLL(str(tmp_path / "driver.so"))
    assert library.launched() == 500
    text = (ctypes.c_char * 200).in_dll(library, "asked").value
    assert text.decode().split() == names
