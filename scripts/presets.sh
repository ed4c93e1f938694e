#!/bin/sh
# Builds presets and runs the tests that suit each; prints a line for each preset, exit status 0 when none failed.
#   scripts/presets.sh [PRESET ...] [CTEST-OPTION ...]
# Without names: asan (addresses and undefined behaviour), tsan, dev; ubsan is undefined behaviour alone. The first argument that
# begins with a dash, and all after it, are passed to ctest: `scripts/presets.sh asan -R engine`. Logs, and the report of each test, are in build/PRESET.
set -u
cd "$(dirname "$0")/.."

presets=
while [ $# -gt 0 ]; do
  case $1 in
    -*) break ;;
    asan|ubsan|tsan|dev|release) presets="$presets $1"; shift ;;
    *) echo "no preset is named '$1'" >&2; exit 2 ;;
  esac
done
[ -n "$presets" ] || presets="asan tsan dev"

# Tests that a preset cannot run, and why:
unsuited() {
  # benchmarks, packages and documentation are the same programs in each preset: dev runs them
  same='^(package|docs|bench|raijincl\.package|rules|library)'
  case $1 in
    # PoCL and oclgrind load an LLVM without instrumentation and map memory where the sanitizers keep theirs
    asan) echo "$same|oclgrind|debugger" ;;
    ubsan) echo "$same|debugger" ;;
    # forked children may not start threads under it; gdb cannot follow it
    tsan) echo "$same|oclgrind|debugger|Forked|fuzz" ;;
    *) echo '^fuzz\.text$' ;;
  esac
}

jobs=$(sh scripts/jobs.sh)
tools=
if command -v ccache >/dev/null 2>&1; then
  tools="-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache"
fi
if command -v mold >/dev/null 2>&1; then
  tools="$tools -DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=mold -DCMAKE_SHARED_LINKER_FLAGS=-fuse-ld=mold"
fi
export VR_CACHE_DIR=

failed=0
for preset in $presets; do
  start=$(date +%s)
  mkdir -p "build/$preset"
  log=build/$preset/presets.log
  : >"$log"
  minutes() { echo "$((($(date +%s) - start) / 60)) min"; }
  if [ ! -f "build/$preset/build.ninja" ] || ! grep -q '^VR_BUILD_TESTS:BOOL=ON' "build/$preset/CMakeCache.txt"; then
    # shellcheck disable=SC2086 # the tools are several words
    cmake --preset "$preset" -DVR_BUILD_TESTS=ON -DVR_BUILD_BENCH=OFF $tools >>"$log" 2>&1 ||
      { echo "$preset: cannot be configured ($log)"; failed=1; continue; }
  fi
  cmake --build "build/$preset" --parallel "$jobs" ${VR_PRESET_TARGETS:+--target $VR_PRESET_TARGETS} >>"$log" 2>&1 ||
    { echo "$preset: does not build ($log)"; failed=1; continue; }
  report=$PWD/build/$preset/test-report.xml
  rm -f "$report"
  ctest --preset "$preset" -j"$jobs" --no-tests=error --timeout 900 --output-junit "$report" \
    -E "$(unsuited "$preset")" "$@" >>"$log" 2>&1
  outcome=$(python3 scripts/summary.py "$report")
  status=$?
  echo "$preset: $(echo "$outcome" | tail -1) ($(minutes))"
  if [ $status -ne 0 ]; then
    failed=1
    echo "$outcome" | sed -n 's/^failed: /  failed: /p'
  fi
done
exit $failed
