#!/bin/sh
# collected.sh VRIR FOLDER WORK [OPTION...]: the file tests of FOLDER once more with `:memory boehm`, which changes no results, and a
# collection at almost every array. WORK takes the changed files. Accelerated sections run on the CPU then, which the report
# says: OpenCL is left out.
set -eu
vrir=$1 folder=$2 work=$3
shift 3
rm -rf "$work"
mkdir -p "$work"
cp -R "$folder/." "$work"
for file in "$work"/*.vrir; do
  sed -e '1s/,opencl//' -e '/^; report opencl: everything/d' -e '0,/(module/s//(module :memory boehm/' "$file" >"$file.new"
  grep -q ':memory boehm' "$file.new" || { echo "$file: no module"; exit 1; }
  mv "$file.new" "$file"
done
VR_COLLECT_EVERY=3 exec "$vrir" test "$work" "$@"
