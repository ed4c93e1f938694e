#!/bin/sh
# Builds the C++ example of the README against an install prefix, the way a host would, and runs it.
#   consumer.sh find_package|pkg_config PREFIX BUILD_FOLDER
set -eu
way=$1 prefix=$2 build=$3
here=$(cd "$(dirname "$0")" && pwd)
readme="$here/../../README.md"
libdir="$prefix/${LIBDIR:-lib}"
sanitize=${SANITIZE:+-fsanitize=$SANITIZE}

rm -rf "$build"
mkdir -p "$build"
# The README is the source: its first ```cpp block is the program, its first ``` block after "prints" what it prints.
awk '/^```cpp$/ { inside = 1; next } /^```$/ && inside { exit } inside' "$readme" > "$build/main.cpp"
awk '/^It prints:$/ { due = 1; next } /^```/ && due { if (inside) exit; inside = 1; next } inside' "$readme" > "$build/expected.txt"
lines=$(wc -l < "$build/main.cpp")
if [ "$lines" -lt 5 ] || [ "$lines" -ge 25 ]; then
  echo "the README's example has $lines lines, not 5 to 24" >&2
  exit 1
fi
[ -s "$build/expected.txt" ]

case $way in
  find_package)
    cp "$here/consumer/CMakeLists.txt" "$build/"
    "${CMAKE:-cmake}" -S "$build" -B "$build/build" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_COMPILER="${CXX:-c++}" \
      -DCMAKE_CXX_FLAGS="$sanitize"
    "${CMAKE:-cmake}" --build "$build/build"
    program="$build/build/consumer"
    ;;
  pkg_config)
    PKG_CONFIG_PATH="$libdir/pkgconfig"
    export PKG_CONFIG_PATH
    flags=$(pkg-config --cflags --libs velociraptor)
    # shellcheck disable=SC2086
    "${CXX:-c++}" -std=c++20 $sanitize "$build/main.cpp" $flags -Wl,-rpath,"$libdir" -o "$build/consumer"
    program="$build/consumer"
    ;;
esac
"$program" > "$build/output.txt"
diff "$build/expected.txt" "$build/output.txt"

# The installed tool works away from the build tree.
"$prefix/bin/vrir" --version
