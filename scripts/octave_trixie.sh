#!/bin/sh
# Builds and tests hosts/octave with the Octave of Debian trixie (9.4), in a minimal system that debootstrap creates.
# Needs root, the network, debootstrap (scripts/setup.sh wheel) and 6 GB; the first call takes as long as a whole build.
#   scripts/octave_trixie.sh ROOT            creates the system in ROOT if it does not exist; builds, and runs the tests
#   scripts/octave_trixie.sh ROOT --compile  only compiles the host against Octave's headers, which takes minutes
# VR_DEBIAN_MIRROR: where Debian's packages are; by default http://deb.debian.org/debian.
set -eu
cd "$(dirname "$0")/.."
root=${1:?usage: scripts/octave_trixie.sh ROOT [--compile]}
mirror=${VR_DEBIAN_MIRROR:-http://deb.debian.org/debian}

inside() { chroot "$root" env DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"; }

if [ ! -e "$root/made" ]; then
  mkdir -p "$root"
  debootstrap --variant=minbase trixie "$root" "$mirror"
  inside apt-get update -q
  inside apt-get install -qy --no-install-recommends octave-dev g++ make
  touch "$root/made"
fi
inside octave-cli --version | head -1

# Copies the tree without the files that git ignores, to the same path each time, so that a second build is short.
mkdir -p "$root/velociraptor"
git ls-files -z --cached --others --exclude-standard | tar --null -T - -c --ignore-failed-read 2>/dev/null | tar -x -C "$root/velociraptor"

if [ "${2:-}" = --compile ]; then
  inside sh -c 'cd /velociraptor/hosts/octave && for f in *.cpp; do
    echo "$f"
    g++ -std=c++20 -fsyntax-only -Wall -Wextra -I../../include -I../matlab -isystem "$(mkoctfile -p OCTINCLUDEDIR)/.." \
      -isystem "$(mkoctfile -p OCTINCLUDEDIR)" "$f" || exit 1
  done'
  exit 0
fi
# shellcheck disable=SC2016
unshare --mount sh -c 'mount --rbind /dev "$0/dev" && mount -t proc proc "$0/proc" && mount -t sysfs sys "$0/sys" &&
  exec chroot "$0" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 HOME=/root DEBIAN_FRONTEND=noninteractive sh -c "
    cd /velociraptor && scripts/setup.sh test && scripts/build.sh --tests &&
    ctest --test-dir build/release --output-on-failure -R \"^(matlab|octave_host|docs.example_octave)\""' "$root"
