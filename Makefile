# SPDX-License-Identifier: Apache-2.0
# Every target sets up what it needs in .venv; python3 (>= 3.10) and make are enough to begin with.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
HEADERS := $(shell find fkl/include tests/cpp benchmarks examples -name '*.h' -o -name '*.cpp' -o -name '*.cu' -o -name '*.c' 2>/dev/null)

.PHONY: demo test test-full test-device test-conda bench bench-device lint format clean

demo: $(VENV)/.demo
	$(BIN)/python examples/demo.py

test: lint
	$(BIN)/python -m pytest -m "not device and not slow"

test-full: lint
	$(BIN)/python -m pytest -m "not device"

# on a machine with an NVIDIA GPU; PYTHON may name the interpreter that has torch or cupy
test-device:
	PYTHONPATH=.:toolchain $(PYTHON) -m pytest -m device tests/device tests/toolchain

test-conda:
	$(PYTHON) -m tests.conda

bench: $(VENV)/.bench
	$(BIN)/python -m benchmarks

bench-device:
	PYTHONPATH=.:toolchain $(PYTHON) -m benchmarks.device

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/clang-format --dry-run --Werror $(HEADERS)

format: $(VENV)/.test
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $(HEADERS)

$(VENV)/.venv:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || { echo "fkl needs Python 3.10 or newer"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { echo "python3 cannot make a virtual environment; on Debian and Ubuntu: apt install python3-venv"; exit 1; }
	$(BIN)/python -m pip install -q --disable-pip-version-check --upgrade "pip>=25.1"
	@touch $@

$(VENV)/.fkl: $(VENV)/.venv pyproject.toml
	$(BIN)/python -m pip install -q --disable-pip-version-check --editable ".[compiler,cli]"
	@touch $@

$(VENV)/.demo: $(VENV)/.fkl
	$(BIN)/python -m pip install -q --disable-pip-version-check scikit-image opencv-python-headless
	@touch $@

$(VENV)/.test: $(VENV)/.fkl
	$(BIN)/python -m pip install -q --disable-pip-version-check --group test --group lint
	@touch $@

$(VENV)/.bench: $(VENV)/.test
	$(BIN)/python -m pip install -q --disable-pip-version-check numba scikit-image threadpoolctl
	@touch $@

clean:
	rm -rf $(VENV) .venv-* build dist out
