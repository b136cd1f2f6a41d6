# SPDX-License-Identifier: Apache-2.0
"""Several devices in one process, told by a driver that has three and only takes notes."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from pathlib import Path

import pytest
from fkl_toolchain import Config, find
from fkl_toolchain._build_cpu import LEAN

SOURCE = """
#include "{runtime}"
#define SHOWN __attribute__((visibility("default")))
#define NOTE(...) snprintf(notes + __builtin_strlen(notes), 99, __VA_ARGS__)
SHOWN char notes[4000];
static char contexts[3], modules[3];
static void *held[9];  // the current context is the last one
static int depth_;
static int number(void *context) {{ return context ? (int)((char *)context - contexts) : -1; }}
static int agree(void) {{ return 0; }}
static int get(void **current) {{ return *current = depth_ ? held[depth_ - 1] : 0, 0; }}
static int set(void *context) {{
  NOTE("set %d,", number(context));
  if (!depth_) depth_ = 1;
  return held[depth_ - 1] = context, 0;
}}
static int device(int *found, int wanted) {{
  if (wanted > 2) return 101;
  return *found = wanted, 0;
}}
static int retain(void **context, int device) {{
  NOTE("retain %d,", device);
  return *context = contexts + device, 0;
}}
static int which(int *found) {{
  if (!depth_ || !held[depth_ - 1]) return 201;
  return *found = number(held[depth_ - 1]), 0;
}}
static int push(void *context) {{
  NOTE("push %d,", number(context));
  return held[depth_++] = context, 0;
}}
static int pop(void **context) {{
  NOTE("pop %d,", number(*context = held[--depth_]));
  return 0;
}}
static int load(void **module) {{
  int device;
  which(&device);
  NOTE("load %d,", device);
  return *module = modules + device, 0;
}}
static int function(void **found, void *module, const char *name) {{
  (void)name;
  return *found = module, 0;
}}
static int run(void *function) {{
  int device;
  which(&device);
  NOTE("launch %d with the module of %d,", device, (int)((char *)function - modules));
  return 0;
}}
void *dlopen(const char *name, int how) {{ return (void)name, (void)how, (void *)notes; }}
void *dlsym(void *library, const char *name) {{
  (void)library;
  static const struct {{ const char *name; void *function; }} known[] = {{
      {{"cuCtxGetCurrent", (void *)get}},          {{"cuCtxSetCurrent", (void *)set}},
      {{"cuDeviceGet", (void *)device}},           {{"cuDevicePrimaryCtxRetain", (void *)retain}},
      {{"cuCtxGetDevice", (void *)which}},         {{"cuCtxPushCurrent_v2", (void *)push}},
      {{"cuCtxPopCurrent_v2", (void *)pop}},       {{"cuModuleLoadDataEx", (void *)load}},
      {{"cuModuleGetFunction", (void *)function}}, {{"cuLaunchKernel", (void *)run}},
  }};
  for (unsigned i = 0; i < sizeof known / sizeof *known; ++i)
    if (!__builtin_strcmp(name, known[i].name)) return known[i].function;
  return (void *)agree;
}}
SHOWN void current(int device) {{ depth_ = device >= 0, held[0] = contexts + device; }}
SHOWN int launched(int device) {{
  static void **image;
  if (!image) {{
    static struct {{ int magic, version; const void *data; void *unused; }} wrapper;
    wrapper.data = notes;
    image = __cudaRegisterFatBinary(&wrapper);
    __cudaRegisterFunction(image, notes, 0, "kernel", 0, 0, 0, 0, 0, 0);
  }}
  const int entered = fkl_device_enter(device);
  if (entered < 0) return entered;
  const int status = cudaLaunchKernel(notes, (dim3_){{1, 1, 1}}, (dim3_){{1, 1, 1}}, 0, 0, 0);
  if (entered) fkl_device_leave();
  return status;
}}
"""


@pytest.fixture
def driver(session_cache: Path, tmp_path: Path) -> Callable[..., tuple[int, list[str]]]:
    """`driver(1, current=0)`: a launch on device 1 while device 0 is current, and what it asked."""
    (tmp_path / "driver.c").write_text(SOURCE.format(runtime=LEAN / "micro_runtime.c"))
    toolchain = find("cpu", config=Config(compiler="g++", cache_dir=session_cache))
    toolchain.build_c(tmp_path / "driver.c", tmp_path / "driver.so")
    library = ctypes.CDLL(str(tmp_path / "driver.so"))
    notes = (ctypes.c_char * 4000).in_dll(library, "notes")

    def launch(device: int, *, current: int) -> tuple[int, list[str]]:
        library.current(current)
        notes.value = b""
        status = library.launched(device)
        return status, notes.value.decode().split(",")[:-1]

    return launch


def test_a_launch_goes_to_its_device_and_leaves_the_current_one_as_it_was(
    driver: Callable[..., tuple[int, list[str]]],
) -> None:
    for device in (1, 2):
        first = driver(device, current=0)
        launch = f"launch {device} with the module of {device}"
        around = [f"push {device}", launch, f"pop {device}"]
        assert first == (0, [f"retain {device}", around[0], f"load {device}", *around[1:]])
        assert driver(device, current=0) == (0, around)
        assert driver(device, current=device) == (0, [launch])


def test_every_device_has_a_module_of_its_own_loaded_once(
    driver: Callable[..., tuple[int, list[str]]],
) -> None:
    asked = [
        note
        for _ in range(3)
        for device in (0, 1, 2)
        for current in (0, 1, 2)
        for note in driver(device, current=current)[1]
    ]
    assert sorted(note for note in asked if note.startswith("load")) == [
        "load 0",
        "load 1",
        "load 2",
    ]
    assert sorted(note for note in asked if note.startswith("retain")) == [
        "retain 0", "retain 1", "retain 2",
    ]  # fmt: skip
    launches = [note for note in asked if note.startswith("launch")]
    assert launches == 3 * [
        f"launch {d} with the module of {d}" for d in (0, 1, 2) for _ in range(3)
    ]


def test_a_thread_without_a_context_gets_none_for_good(
    driver: Callable[..., tuple[int, list[str]]],
) -> None:
    launch = ["push 1", "load 1", "launch 1 with the module of 1", "pop 1"]
    assert driver(1, current=-1) == (0, ["retain 1", *launch])


def test_a_device_that_is_not_there_is_the_drivers_error(
    driver: Callable[..., tuple[int, list[str]]],
) -> None:
    assert driver(7, current=0) == (-101, [])
    assert driver(64, current=0) == (-1, [])
    assert driver(0, current=0)[0] == 0
