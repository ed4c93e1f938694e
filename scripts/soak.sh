#!/bin/sh
# A soak test: hours of random work in one long-lived process (tests/soak/soak.cpp: threads, loading and unloading, shapes, small
# caches), with other processes beside it: a second one with accelerated sections, PyRaptor, and vrsmith. Prints a line per
# minute with the memory use of the first process, the number of programs and of wrong results. Exit status 1 on a wrong result, or
# if the memory use grows by more than 1 % in the second half. The process with a device may grow: PoCL leaks 20 KiB and more for
# each program that it has built (tests/soak/driver_memory.c shows it). tests/device/faults checks that all objects are released.
# Before that, the random runs of ./check with their full numbers of programs and texts, of which the check takes a part (an hour).
#   scripts/soak.sh [HOURS] [SEED]      default: 2 hours, a seed from the date
# Logs of the other processes are in build/soak.
set -u
cd "$(dirname "$0")/.."
hours=${1:-2}
seed=${2:-$(date +%Y%m%d)000000}
seconds=$(awk -v h="$hours" 'BEGIN { printf "%d", h * 3600 }')
[ "$seconds" -gt 0 ] || { echo "usage: scripts/soak.sh [HOURS] [SEED]" >&2; exit 2; }

sh scripts/build.sh --tests vrsoak vrsmith vrir raijincl_tests pyraptor_native >/dev/null || { echo "it does not build"; exit 2; }
logs=build/soak
mkdir -p "$logs"
bin=build/release/bin
echo "soak: $hours hours, seed $seed"

# The seeds of tests/fuzz/vrsmith/CMakeLists.txt.
fixed=0
: >"$logs/fixed.log"
fixed_run() { VR_CACHE_DIR= "$bin/vrsmith" "$@" >>"$logs/fixed.log" 2>&1 || { echo "failed: vrsmith $*"; fixed=1; }; }
fixed_run --seed 1 --count 2000 --gpu-share 0
fixed_run --seed 100001 --count 2000 --gpu-share 0 --guard
fixed_run --seed 1 --count 2500 --gpu-share 5 --passes
fixed_run --seed 200001 --count 1500 --gpu-share 0 --regions
fixed_run --seed 300001 --count 1500 --gpu-share 0 --regions --guard
fixed_run --seed 1 --count 1000 --gpu-share 3 --targets aot-object
fixed_run --seed 1 --count 1000 --gpu-share 3 --targets aot-c
fixed_run --seed 1 --count 600 --gpu-share 0 --targets specialise:guard:cpu-O0
# On the device, if there is one: as it is, made to copy with kernels of tiles, and without room.
fixed_run --seed 400001 --count 300 --gpu-share 100 --guard
fixed_run --seed 600001 --count 200 --gpu-share 100 --targets aot-opencl
export VR_ZERO_COPY=0 VR_DEVICE_MEMORY=1
fixed_run --seed 70001 --count 200 --gpu-share 100
unset VR_DEVICE_MEMORY
export VR_KERNEL_TILES=1 VR_KERNEL_LANES=1 VR_KERNEL_LOCAL=12000
fixed_run --seed 1 --count 300 --gpu-share 100
fixed_run --seed 700001 --count 150 --gpu-share 100 --targets aot-opencl
unset VR_ZERO_COPY VR_KERNEL_TILES VR_KERNEL_LANES VR_KERNEL_LOCAL
# What ./check leaves out of tests that compile much; the values of RaijinCL and of host code at more levels.
long_run() { VR_TEST_LONG=1 VR_CACHE_DIR= "$@" >>"$logs/fixed.log" 2>&1 || { echo "failed: $*"; fixed=1; }; }
long_run "$bin/raijincl_tests"
long_run "$bin/vrir" test tests/filetests/run --with=-O3
long_run "$bin/vrir" test tests/filetests/gpu --with=-O0
sh tests/fuzz/run 300000 >"$logs/fuzz.log" 2>&1 || { echo "failed: tests/fuzz/run 300000"; fixed=1; }
tail -1 "$logs/fuzz.log"

nice -n 10 "$bin/vrsmith" --seed "$((seed + 50000000))" --count 1000000000 --time "$seconds" --gpu-share 5 --keep "$logs/programs" \
  >"$logs/vrsmith.log" 2>&1 &
smith=$!
python=
if [ -x build/venv/bin/python ]; then
  PYTHONPATH=build/release/python VR_CACHE_DIR= nice -n 10 build/venv/bin/python tests/soak/soak.py "$seconds" \
    >"$logs/python.log" 2>&1 &
  python=$!
fi
nice -n 8 "$bin/vrsoak" --hours "$hours" --seed "$((seed + 70000000))" --device --growth 1000 >"$logs/device.log" 2>&1 &
device=$!
trap 'kill $smith $python $device 2>/dev/null' INT TERM
nice -n 5 "$bin/vrsoak" --hours "$hours" --seed "$seed"
status=$?
[ $fixed -eq 0 ] || status=1
wait "$device"
case $? in
  0) ;;
  2) echo "no device: no accelerated sections" ;;
  *) status=1 ;;
esac
grep MISMATCH "$logs/device.log"
tail -1 "$logs/device.log"
wait "$smith" || status=1
grep MISMATCH "$logs/vrsmith.log"
tail -1 "$logs/vrsmith.log"
if [ -n "$python" ]; then
  wait "$python" || status=1
  grep MISMATCH "$logs/python.log"
  tail -1 "$logs/python.log"
fi
if [ $status -eq 0 ]; then echo "soak: passed"; else echo "soak: FAILED (logs: $logs)"; fi
exit $status
