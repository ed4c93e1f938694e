#!/bin/sh
# `cmake --install` of a build folder in which not all is built, as ./demo leaves one: what is missing is built.
#   install_missing.sh CMAKE BUILD PREFIX
set -eu
cmake=$1 build=$2 prefix=$3
rm -rf "$prefix"
kept="$build/bin/raijincl-tune.kept"
trap '[ ! -e "$kept" ] || mv "$kept" "$build/bin/raijincl-tune"' EXIT
[ ! -e "$build/bin/raijincl-tune" ] || mv "$build/bin/raijincl-tune" "$kept"
"$cmake" --install "$build" --prefix "$prefix" > "$prefix.log" 2>&1 || { cat "$prefix.log"; exit 1; }
grep -q "Building what is not built yet: .*raijincl-tune" "$prefix.log"
for f in bin/vrir bin/raijincl-tune; do
  [ -x "$prefix/$f" ] || { echo "$f was not installed"; exit 1; }
done
rm -f "$kept"
# Nothing is missing now, and nothing is built.
"$cmake" --install "$build" --prefix "$prefix" > "$prefix.log" 2>&1
! grep -q "Building" "$prefix.log"
# Another user than the folder's owner builds nothing in it: a message says what to do.
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null && setpriv --reuid 65534 --clear-groups test -r "$build/cmake_install.cmake"; then
  mv "$build/bin/raijincl-tune" "$kept"
  if setpriv --reuid 65534 --clear-groups "$cmake" --install "$build" --prefix "$prefix" > "$prefix.log" 2>&1; then
    echo "another user could install what is not built"; exit 1
  fi
  grep -q "not built yet: .*raijincl-tune" "$prefix.log" || { cat "$prefix.log"; exit 1; }
fi
