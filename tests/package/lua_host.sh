#!/bin/sh
# Builds the host for Lua against an install prefix with pkg-config alone, and runs its tests.
#   lua_host.sh PREFIX BUILD_FOLDER
set -eu
prefix=$1 build=$2
libdir="$prefix/${LIBDIR:-lib}"
sources="$prefix/${DATADIR:-share}/doc/velociraptor/examples/lua"

rm -rf "$build"
mkdir -p "$build"
PKG_CONFIG_PATH="$libdir/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}"
export PKG_CONFIG_PATH
flags=$(pkg-config --cflags --libs velociraptor lua5.4)
# shellcheck disable=SC2086
"${CC:-cc}" -std=gnu11 ${SANITIZE:+-fsanitize=$SANITIZE} "$sources"/arrays.c "$sources"/host.c "$sources"/test.c $flags \
  -Wl,-rpath,"$libdir" -lpthread -o "$build/lua_host"
"$build/lua_host" "$sources/demo.lua" > "$build/output.txt"
diff "$sources/expected.txt" "$build/output.txt"
"$build/lua_host" "$sources/test.lua" cpu-par
