#!/bin/sh
# Installs what Velociraptor needs and this machine lacks (Debian 12, Ubuntu 24.04). Used by ./demo and ./check.
#   scripts/setup.sh build   what building and running needs
#   scripts/setup.sh test    that and what the tests need
#   scripts/setup.sh wheel   that and what scripts/wheel.sh needs
#   scripts/setup.sh --list [build|test|wheel]   only prints the missing packages
# Without root and without sudo it names the missing packages and stops with status 1.
set -eu

# compiler and build tools; LLVM; the text front end (Debian's ANTLR says that it links libuuid, and does not depend on it);
# OpenCL loader, headers and a CPU device; libraries (libmd: SHA-512, BSD; Debian's and Ubuntu's dpkg has its library already)
build_packages="g++ cmake ninja-build pkg-config
  llvm-19-dev libantlr4-runtime-dev uuid-dev
  ocl-icd-opencl-dev opencl-headers pocl-opencl-icd
  libtbb-dev libopenblas-dev liblapacke-dev libfmt-dev libcli11-dev nlohmann-json3-dev libpng-dev libgc-dev libglpk-dev
  libmd-dev"
# antlr4 and Java: the generated parser is compared with what the grammar gives today
# clang: libFuzzer and its sanitizers
# universal-ctags: tests/class_rules.py counts the members of classes with it
# isl: the oracle of the regions that kernels access (MIT; only tests link it)
# python3-dev, python3-venv: PyRaptor is built and tested with what scripts/python_env.sh installs
test_packages="python3-dev python3-venv libgtest-dev libgmock-dev python3 antlr4 default-jre-headless clang-19 libclang-rt-19-dev
  universal-ctags libisl-dev"
# LLVM's static libraries want zstd's; debootstrap makes the bare systems of scripts/wheel_check.sh
wheel_packages="python3-dev python3-venv libzstd-dev zlib1g-dev debootstrap"
# wanted for tests but not needed: a simulator that sees every access of an OpenCL kernel; the debugger that line tables are
# for; Octave with its headers (84 MB to fetch, 290 MB on disk), without which hosts/octave is left out; a cross compiler and an
# emulator, with which libraries for aarch64 are built and run; tcc, which compiles most of the emitted C in tests (LGPL); Lua's headers, for the host in C of docs/new-host.md;
# a fast linker; the programs that check the layout of C++ files and the spelling
optional_test_packages="oclgrind gdb octave-dev liblua5.4-dev g++-aarch64-linux-gnu gcc-aarch64-linux-gnu qemu-user tcc mold
  clang-format-19 codespell"

list_only=no
if [ "${1:-}" = "--list" ]; then list_only=yes; shift; fi
case "${1:-build}" in
  build) wanted="$build_packages" optional="" ;;
  test) wanted="$build_packages $test_packages" optional="$optional_test_packages" ;;
  wheel) wanted="$build_packages $wheel_packages" optional="" ;;
  *) echo "usage: scripts/setup.sh [--list] [build|test|wheel]" >&2; exit 2 ;;
esac

if ! command -v dpkg-query >/dev/null 2>&1; then
  [ "$list_only" = yes ] && exit 0
  echo "This system has no dpkg: make sure that the counterparts of these Debian packages are there:" >&2
  echo $wanted >&2
  exit 0
fi

installed() {
  case "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null || true)" in
    installed*) return 0 ;;
    *) return 1 ;;
  esac
}
known() {  # whether apt has heard of every one of these packages
  for k in "$@"; do
    apt-cache policy "$k" 2>/dev/null | grep -q 'Candidate: [^(]' || return 1
  done
}

missing=""
for p in $wanted; do
  installed "$p" || missing="$missing $p"
done
if [ "$list_only" = yes ]; then
  [ -z "$missing" ] || echo $missing
  exit 0
fi
[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ]; then
  as_root=""
elif command -v sudo >/dev/null 2>&1 && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
  as_root="sudo"
else
  echo "These packages are missing and this user may not install them. Ask somebody who may to run:" >&2
  echo "  apt-get install --no-install-recommends$missing" >&2
  exit 1
fi

install() {
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing
}
echo "Installing:$missing"
if ! known $missing || ! install; then
  # The package lists are absent or too old: fetch them and try once more.
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get update
  install
fi

for p in $optional; do
  if ! installed "$p" && known "$p"; then
    missing=" $p"
    install || echo "Going on without $p."
  fi
done
