#!/bin/sh
# Runs PyRaptor's tests under other interpreters and NumPy versions, with the library of build/release.
#   scripts/python_matrix.sh [PYTHON=NUMPY ...]     for instance: python3.9=1.26.* python3.13=2.*
# Each pair gets an environment in build/matrix; the extension is compiled for it alone. Ends with a line for each pair.
set -eu
root="$(cd "$(dirname "$0")/.." && pwd)"
cd "$root"
[ -f build/release/libvelociraptor.so ] || [ -f build/release/lib/libvelociraptor.so ] || {
  echo "scripts/python_matrix.sh: build/release is missing (scripts/build.sh)" >&2; exit 1; }
library=$(find build/release -maxdepth 2 -name libvelociraptor.so | head -n 1)
[ $# -gt 0 ] || set -- "python3=1.26.*" "python3=2.*"
results="" status=0
for pair in "$@"; do
  python=${pair%%=*} numpy=${pair#*=}
  place="build/matrix/$(basename "$python")-$(printf %s "$numpy" | tr -c '0-9.\n' x)"
  mkdir -p "$place/pyraptor"
  if ! { [ -x "$place/venv/bin/python" ] || "$python" -m venv "$place/venv"; } ||
     ! "$place/venv/bin/python" -m pip install --quiet --disable-pip-version-check "numpy==$numpy" "pytest>=7" "hypothesis>=6" \
       "cloudpickle>=2" "dask[array,distributed]>=2023.1"; then
    results="$results$pair: no environment
" status=1
    continue
  fi
  here="$place/venv/bin/python"
  includes=$("$here" -c 'import numpy, sysconfig; print("-I" + numpy.get_include(), "-I" + sysconfig.get_path("include"))')
  suffix=$("$here" -c 'import sysconfig; print(sysconfig.get_config_var("EXT_SUFFIX"))')
  # shellcheck disable=SC2086
  c++ -std=c++20 -O2 -shared -fPIC -fvisibility=hidden -DPYRAPTOR_VERSION='"matrix"' $includes -Iinclude -Ihosts/python/native \
    -Ibuild/release/include hosts/python/native/*.cpp "$library" "-Wl,-rpath,$root/$(dirname "$library")" \
    -o "$place/pyraptor/_native$suffix"
  for file in hosts/python/pyraptor/*.py* hosts/python/pyraptor/py.typed; do
    [ -d "$file" ] || ln -sf "$root/$file" "$place/pyraptor/"
  done
  said=$(PYTHONPATH="$place" PYTHONDONTWRITEBYTECODE=1 HYPOTHESIS_STORAGE_DIRECTORY="$place/hypothesis" \
    "$here" -m pytest -q -p no:cacheprovider tests/hosts/python 2>&1) || status=1
  printf '%s\n' "$said" | grep -E '^(FAILED|ERROR)' || true
  results="$results$("$here" -c 'import sys, numpy; print("Python", sys.version.split()[0], "NumPy", numpy.__version__)'): $(printf '%s\n' "$said" | tail -n 1)
"
done
printf '%s' "$results"
exit $status
