#!/bin/sh
# Installs dist/*.whl (scripts/wheel.sh) on minimal systems that contain only Python, and runs PyRaptor's tests there.
#   scripts/wheel_check.sh [--quick] [SUITE ...]
# SUITE: a Debian release that debootstrap makes in build/roots, as a rule bookworm; trixie and sid have later Pythons;
# bookworm+opencl has PoCL too, an OpenCL device. --quick: no tests, only calls. Needs root, Debian's archive and PyPI. Ends with a line for each suite.
set -eu
cd "$(dirname "$0")/.."
quick=no
if [ "${1:-}" = "--quick" ]; then quick=yes; shift; fi
[ $# -gt 0 ] || set -- bookworm
wheel=$(echo dist/*.whl) sdist=$(echo dist/*.tar.gz)
[ -f "$wheel" ] || { echo "scripts/wheel_check.sh: no wheel, or several, in dist (scripts/wheel.sh)" >&2; exit 1; }
[ "$(id -u)" = 0 ] || { echo "scripts/wheel_check.sh: only root can change to another root" >&2; exit 1; }

results="" status=0
for suite in "$@"; do
  bare=$PWD/build/roots/$suite more="" device=no
  case $suite in *+opencl) more=,pocl-opencl-icd device=yes ;; esac
  if ! [ -f "$bare/complete" ]; then
    rm -rf --one-file-system "$bare"
    mkdir -p "$bare"
    echo "debootstrap $suite"
    debootstrap --variant=minbase --include="python3,python3-venv$more" "${suite%+opencl}" "$bare" > "build/roots/$suite.log" 2>&1 ||
      { tail -n 5 "build/roots/$suite.log" >&2; exit 1; }
    touch "$bare/complete"
  fi
  # What this machine needs to reach PyPI.
  cp /etc/resolv.conf "$bare/etc/"
  for file in "${PIP_CERT:-}" /etc/pip.conf; do
    [ -f "$file" ] && mkdir -p "$bare/$(dirname "$file")" && cp "$file" "$bare$file"
  done
  rm -rf --one-file-system "$bare/check"
  mkdir "$bare/check"
  cp "$wheel" tests/wheel/inside.sh "$bare/check/"
  tar -xzf "$sdist" -C "$bare/check"
  mv "$bare"/check/pyraptor-*/ "$bare/check/source"
  log=build/roots/$suite.check.log outcome=passed
  echo "$suite: $log grows meanwhile"
  # shellcheck disable=SC2016
  unshare --mount sh -c 'mount --rbind /dev "$0/dev" && mount -t proc proc "$0/proc" && mount -t sysfs sys "$0/sys" &&
    exec chroot "$0" \
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 $3 sh /check/inside.sh "$1" "$2"' \
    "$bare" $quick $device "${PIP_CERT:+PIP_CERT=$PIP_CERT}" > "$log" 2>&1 || outcome=FAILED status=1
  grep -v '^$' "$log"
  results="$results$suite: $outcome, $(tail -n 1 "$log")
"
done
printf '%s' "$results"
exit $status
