#!/bin/sh
# Makes build/venv, a Python environment for building, testing and measuring PyRaptor. A second call reuses it.
#   scripts/python_env.sh [--numpy | --bench | --peers]
# --numpy: only what is needed to run it. --bench: also what bench/run python measures against. --peers: besides Numba also the
# peers that are optional (Cython, Pythran and JAX; 0.5 GB). If packages cannot be installed it prints a message, and PyRaptor is not built.
set -eu
cd "$(dirname "$0")/.."

# Ranges, not single versions: each of these is tried with what NumPy 1.24 to 2.x and Python 3.9 to 3.13 offer.
packages="numpy>=1.24,<3"
test_packages="$packages pytest>=7,<10 hypothesis>=6,<7 cloudpickle>=2,<4 dask[array,distributed]>=2023.1"
bench_packages="numba>=0.57 pyyaml>=6 scipy>=1.9 opencv-python-headless>=4.6"
peer_packages="cython>=3 pythran>=0.15 jax>=0.4"

case "${1:-}" in
  --numpy) wanted="$packages" ;;
  --bench) wanted="$test_packages $bench_packages" ;;
  --peers) wanted="$test_packages $bench_packages $peer_packages" ;;
  *) wanted="$test_packages" ;;
esac
python=build/venv/bin/python
# The environment may contain more than was requested.
case "$(cat build/venv/packages 2>/dev/null || true)" in "$wanted"*) [ -x "$python" ] && exit 0 ;; esac

mkdir -p build
if ! [ -x "$python" ]; then
  for candidate in /usr/bin/python3 python3; do
    "$candidate" -m venv build/venv 2>/dev/null && break || rm -rf build/venv
  done
fi
if ! [ -x "$python" ]; then
  echo "PyRaptor is left out: no Python makes a virtual environment here (Debian: python3-venv)." >&2
  exit 0
fi
set -f
IFS=' '
# shellcheck disable=SC2086
if "$python" -m pip install --quiet --disable-pip-version-check $wanted; then
  echo "$wanted" > build/venv/packages
  # A build tree that was configured without it is configured again.
  [ -f build/release/build.ninja ] && cmake build/release >/dev/null || true
else
  echo "PyRaptor's tests are left out or use what is there: pip could not install $wanted" >&2
fi
