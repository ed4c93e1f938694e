#!/bin/sh
# Builds and tests one configuration of .github/workflows, or all that this machine has the compilers for.
#   scripts/ci_matrix.sh compiler NAME LLVM   gcc-13 18: with this compiler and LLVM (build/ci/NAME-LLVM)
#   scripts/ci_matrix.sh without OPTION       with the CMake option off (build/ci/without-OPTION)
#   scripts/ci_matrix.sh preset NAME          scripts/presets.sh
#   scripts/ci_matrix.sh random PART COUNT    COUNT seeds of random programs from PART * COUNT on, beginning with the day
#   scripts/ci_matrix.sh all                  each compiler and LLVM that is installed, and each option
# CTEST_FILTER limits the tests (-R). Exit status 0 when nothing failed; `all` prints a line for each configuration, with
# `skipped` for those that the machine cannot build.
set -eu
cd "$(dirname "$0")/.."
compilers="gcc-12:19 gcc-13:18 gcc-14:20 clang-16:19 clang-17:19 clang-18:18 clang-19:19"
options="VR_WITH_GLPK VR_WITH_OPENCL VR_WITH_BOEHM VR_BUILD_PYTHON VR_BUILD_MATLAB"

build_and_test() {  # FOLDER CMAKE-OPTION...
  folder=build/ci/$1
  shift
  launcher=
  if command -v ccache >/dev/null 2>&1; then
    launcher="-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache"
  fi
  cmake -S . -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release -DVR_BUILD_TESTS=ON -DVR_BUILD_BENCH=OFF $launcher "$@"
  cmake --build "$folder" --parallel "$(sh scripts/jobs.sh)"
  VR_CACHE_DIR='' ctest --test-dir "$folder" --output-on-failure --no-tests=error --timeout 600 \
    ${CTEST_FILTER:+-R "$CTEST_FILTER"}
}

cxx_of() {  # gcc-13 -> g++-13, clang-19 -> clang++-19
  case $1 in
    gcc-*) echo "g++-${1#gcc-}" ;;
    clang-*) echo "clang++-${1#clang-}" ;;
    *) echo "unknown compiler '$1'" >&2; exit 2 ;;
  esac
}
llvm_folder() { echo "/usr/lib/llvm-$1/lib/cmake/llvm"; }

case "${1:-}" in
  compiler)
    cxx=$(cxx_of "$2")
    build_and_test "$2-$3" -DCMAKE_C_COMPILER="$2" -DCMAKE_CXX_COMPILER="$cxx" -DLLVM_DIR="$(llvm_folder "$3")" ;;
  # As a unity build, which is faster. The builds above check that each file compiles alone.
  without) build_and_test "without-$2" "-D$2=OFF" -DVR_UNITY=ON ;;
  preset) exec sh scripts/presets.sh "$2" ;;
  random)
    sh scripts/build.sh --tests vrsmith
    first=$(( $(date +%j | sed 's/^0*//') * 1000000 + $2 * $3 ))
    exec build/release/bin/vrsmith --seed "$first" --count "$3" ;;
  all)
    failed=0
    one() {  # NAME ARGUMENT...
      name=$1
      shift
      mkdir -p build/ci
      if sh scripts/ci_matrix.sh "$@" >"build/ci/$name.log" 2>&1; then
        echo "passed  $name"
      else
        echo "FAILED  $name (build/ci/$name.log)"
        failed=1
      fi
    }
    for pair in $compilers; do
      compiler=${pair%:*} llvm=${pair#*:}
      if command -v "$(cxx_of "$compiler")" >/dev/null 2>&1 && [ -d "$(llvm_folder "$llvm")" ]; then
        one "$compiler-$llvm" compiler "$compiler" "$llvm"
      else
        echo "skipped $compiler-$llvm"
      fi
    done
    for option in $options; do one "without-$option" without "$option"; done
    exit $failed ;;
  *) sed -n '2,10s/^# \{0,1\}//p' "$0"; exit 2 ;;
esac
