#!/bin/sh
# Tests the JIT on aarch64 under qemu-user: builds the tool with Debian's cross compiler and Debian's arm64 packages,
# and runs the file tests of `run` on the interpreter and on one and many threads; there is no OpenCL. Takes half an
# hour on two processors, so it is not part of ./check. Nothing is installed: the packages are downloaded with separate
# package lists, and unpacked.
#   scripts/aarch64.sh sysroot|build|test     each does what comes before it if that is missing; without a word: test
# VR_DEBIAN_MIRROR: where Debian's packages are; by default http://deb.debian.org/debian.
# Needs: Debian 12, g++-aarch64-linux-gnu, qemu-user, a network for the packages (180 MB). All files are in build/aarch64.
set -eu
cd "$(dirname "$0")/.."
work=$PWD/build/aarch64
root=$work/sysroot
bin=$work/release/bin
packages="llvm-19-dev libantlr4-runtime-dev uuid-dev libtbb-dev libopenblas-dev liblapacke-dev libfmt-dev libcli11-dev
  nlohmann-json3-dev libpng-dev libmd-dev libc6-dev libstdc++-12-dev libgc-dev"

for program in aarch64-linux-gnu-g++ qemu-aarch64 dpkg-deb apt-get; do
  if ! command -v $program >/dev/null 2>&1; then
    echo "scripts/aarch64.sh needs $program (Debian: g++-aarch64-linux-gnu, qemu-user)" >&2
    exit 1
  fi
done

make_sysroot() {
  [ ! -e "$root/made" ] || return 0
  rm -rf "$root" "$work/apt"
  mkdir -p "$work/apt/state/lists/partial" "$work/apt/cache/archives/partial" "$root/usr/lib" "$root/usr/bin"
  : > "$work/apt/status"
  keys=/usr/share/keyrings/debian-archive-keyring.gpg
  suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
  mirror=${VR_DEBIAN_MIRROR:-http://deb.debian.org/debian}
  echo "deb [signed-by=$keys] $mirror $suite main" > "$work/apt/sources.list"
  cat > "$work/apt/apt.conf" <<END
APT::Architecture "arm64";
APT::Architectures { "arm64"; };
APT::Install-Recommends "false";
Dir::State "$work/apt/state";
Dir::State::status "$work/apt/status";
Dir::Cache "$work/apt/cache";
Dir::Etc::sourcelist "$work/apt/sources.list";
Dir::Etc::sourceparts "$work/apt/none";
END
  APT_CONFIG=$work/apt/apt.conf apt-get -q update
  # shellcheck disable=SC2086
  APT_CONFIG=$work/apt/apt.conf apt-get -q install -y --download-only $packages
  # As on an installed system: one folder for /lib and /usr/lib.
  ln -s usr/lib "$root/lib"
  ln -s usr/bin "$root/bin"
  for package in "$work"/apt/cache/archives/*.deb; do
    dpkg-deb --fsys-tarfile "$package" | tar -x -C "$root" --keep-directory-symlink
  done
  # What update-alternatives would do.
  for l in "$root"/usr/lib/aarch64-linux-gnu/openblas-pthread/*.so*; do
    ln -sf "openblas-pthread/$(basename "$l")" "$root/usr/lib/aarch64-linux-gnu/$(basename "$l")"
  done
  # Absolute symbolic links would lead out of $root; make them relative.
  find "$root" -type l -lname '/*' | while read -r l; do
    ln -sfr "$root$(readlink "$l")" "$l"
  done
  rm -rf "$work/apt"
  : > "$root/made"
}

build() {
  make_sysroot
  launcher=""
  if command -v ccache >/dev/null 2>&1; then launcher=ccache; fi
  cmake -S . -B "$work/release" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_TOOLCHAIN_FILE="$PWD/runtime/aot/other_target/toolchain.cmake" \
    -DVR_SYSROOT="$root" -DCMAKE_CXX_FLAGS_RELEASE="-O1 -DNDEBUG" -DCMAKE_CXX_COMPILER_LAUNCHER="$launcher" -DVR_WITH_OPENCL=OFF \
    -DVR_WITH_GLPK=OFF -DVR_BUILD_TESTS=OFF -DVR_BUILD_BENCH=OFF -DVR_BUILD_EXAMPLES=OFF -DVR_BUILD_PYTHON=OFF -DVR_BUILD_MATLAB=OFF
  cmake --build "$work/release" --parallel "$(sh scripts/jobs.sh)" --target vrir
}

case "${1:-test}" in
  sysroot) make_sysroot ;;
  build) build ;;
  test)
    build
    rm -rf "$work/run"
    cp -r tests/filetests/run "$work/run"
    sed -i '1s/,opencl//' "$work"/run/*.vrir
    VR_CACHE_DIR=
    export VR_CACHE_DIR
    # One process for some files, so that there is progress to see.
    grep -LE '^; RUN:.*opencl|report opencl' "$work"/run/*.vrir | xargs -n 10 qemu-aarch64 -L "$root" "$bin/vrir" test
    ;;
  *)
    echo "usage: scripts/aarch64.sh [sysroot|build|test]" >&2
    exit 2
    ;;
esac
