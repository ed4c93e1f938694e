#!/bin/sh
# Configures and builds the release preset in build/release; a second call finds nothing to do.
#   scripts/build.sh [--tests] [--unity] [TARGET ...]
# --tests: with tests and benchmarks, which need more packages. Once they are in, they stay.
# --unity: if nothing is configured yet, with VR_UNITY (cmake/Unity.cmake): the build from nothing takes less than half of the
#          time, a build after an edit more. cmake build/release -DVR_UNITY=OFF switches it off again.
set -eu
cd "$(dirname "$0")/.."

tests=OFF
unity=
if [ "${1:-}" = "--tests" ]; then tests=ON; shift; fi
if [ "${1:-}" = "--unity" ]; then
  shift
  if [ ! -f build/release/build.ninja ]; then unity=-DVR_UNITY=ON; fi
fi

configured() {
  [ -f build/release/build.ninja ] && { [ $tests = OFF ] || grep -q '^VR_BUILD_TESTS:BOOL=ON' build/release/CMakeCache.txt; }
}
if ! configured; then
  options="-DVR_BUILD_TESTS=$tests -DVR_BUILD_BENCH=$tests $unity"
  if command -v ccache >/dev/null 2>&1; then
    options="$options -DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache"
  fi
  if command -v mold >/dev/null 2>&1; then
    options="$options -DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=mold -DCMAKE_SHARED_LINKER_FLAGS=-fuse-ld=mold"
  fi
  cmake --preset release $options
fi

# Paths are hashed relative to this checkout, so that another checkout of the same sources finds what this one compiled.
export CCACHE_BASEDIR="$PWD" CCACHE_NOHASHDIR=1
cmake --build build/release --parallel "$(sh scripts/jobs.sh)" ${1:+--target "$@"}
