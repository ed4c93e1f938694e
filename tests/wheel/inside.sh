#!/bin/sh
# Runs as root of a bare system (scripts/wheel_check.sh): installs the wheel in /check and uses it under adverse conditions.
#   inside.sh QUICK DEVICE     yes: calls only; yes: with an OpenCL device
set -eu
quick=$1 device=$2
cd /check
fail() { echo "inside.sh: $*"; exit 1; }
# Drivers of devices come with compilers and an LLVM of their own; whoever has one may have the loader too.
[ $device = yes ] || for tool in cc gcc clang ld llc; do
  ! command -v $tool >/dev/null || fail "the system is not bare: it has $tool"
done
[ $device = yes ] || for library in LLVM tbb openblas lapacke antlr4 fmt OpenCL gfortran; do
  ! ls /usr/lib/*/lib$library* >/dev/null 2>&1 || fail "the system is not bare: it has lib$library"
done
pip="/check/venv/bin/python -m pip --disable-pip-version-check --no-cache-dir"
python3 -m venv venv
$pip install --quiet --only-binary=:all: ./pyraptor-*.whl
$pip list 2>/dev/null | tail -n +3 | tr -s '\n ' ' '; echo

# An ordinary user whose home may not be written, in a folder that holds a trap for each library: where the loader looks
# there, it finds no ELF file and gives up.
user=65534
mkdir -p trap home
chmod 555 home
site=$(echo venv/lib/python3.*/site-packages)
for library in "$site"/pyraptor.libs/* "$site"/pyraptor/lib* "$site"/pyraptor/_native*; do
  echo trap > "trap/$(basename "$library")"
  echo trap > "trap/$(basename "$library" | sed 's/-[0-9a-f]\{8\}\(\.so\.[0-9]*\).*/\1/')"
done
as_user() { chroot --userspec=$user:$user / env HOME=/check/home TMPDIR=/tmp POCL_CACHE_DIR=/tmp/pocl "$@"; }
calls=/check/source/tests/wheel/calls.py
in_trap() { as_user sh -c 'cd /check/trap && exec "$@"' sh "$@"; }
in_trap /check/venv/bin/python -c 'import pyraptor'
in_trap /check/venv/bin/python $calls --device $device
in_trap env LD_LIBRARY_PATH= /check/venv/bin/python $calls
in_trap /check/venv/bin/python -m pyraptor info

# What the import costs beside NumPy's, in CPU time of a process whose files are in memory.
in_trap /check/venv/bin/python - <<'P'
import statistics, subprocess, sys
def cost(text):
    program = f"import time, numpy; a = time.process_time(); {text}; print(time.process_time() - a)"
    return statistics.median(float(subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout) for _ in range(9))
print(f"import pyraptor: {1000 * cost('import pyraptor'):.0f} ms of CPU over import numpy")
P

if [ $quick = yes ]; then exit 0; fi
# Others with an LLVM or a BLAS of their own in the same process, before and after; where PyPI has them for this Python.
for neighbour in numba jax; do
  if $pip install --quiet --only-binary=:all: $neighbour 2>/dev/null; then
    for order in --before --after "--before $neighbour --after"; do
      # shellcheck disable=SC2086
      in_trap env NUMBA_CACHE_DIR=/tmp/numba /check/venv/bin/python $calls $order $neighbour
    done
  else
    echo "$neighbour: PyPI has none for this Python"
  fi
done

$pip install --quiet --only-binary=:all: pytest hypothesis cloudpickle 'dask[array,distributed]'
chown -R $user:$user source
# Left out: test_foreign, which is of scripts/foreign and wants git. What asks for a device or for vrir skips itself.
as_user sh -c 'cd /check/source && exec /check/venv/bin/python -m pytest -q -p no:cacheprovider -rsf --tb=short \
  --ignore=tests/hosts/python/test_foreign.py tests/hosts/python' > tests.log 2>&1 || { cat tests.log; fail "tests failed"; }
grep -E "^(SKIPPED|[0-9]+ passed)" tests.log | sort -r
