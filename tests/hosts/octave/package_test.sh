#!/bin/sh
# The package as a user installs it: package_test.sh OCTAVE PREFIX, where PREFIX has an installed Velociraptor. Makes the
# tarball, installs it into a folder of its own with `pkg install`, loads it, runs a compiled function and the blocks.
set -eu
octave=$1 prefix=$2
root=$(cd "$(dirname "$0")/../../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sh "$root/hosts/octave/package" "$work/velociraptor.tar.gz" > /dev/null
pc=$(dirname "$(find "$prefix" -name velociraptor.pc | head -n 1)")
HOME="$work" PKG_CONFIG_PATH="$pc" MAKEFLAGS=-j2 OPTIMISE=-O0 "$octave" --norc --no-history --eval "
  pkg prefix $work/packages $work/packages
  pkg local_list $work/list
  pkg install $work/velociraptor.tar.gz
  pkg load velociraptor
  g = vr.jit (@(x) sum (x .^ 2));
  assert (g (1:3), 14);
  r = vr.report ();
  assert (r.state, 'compiled');
" > "$work/log" 2>&1 || { cat "$work/log"; exit 1; }
oct=$(find "$work/packages" -name __vr__.oct)
[ -n "$oct" ] || { echo "no oct-file was installed"; cat "$work/log"; exit 1; }
# Where the library is looked for: one absolute folder, no empty entry.
runpath=$(readelf -d "$oct" | sed -n 's/.*R\(UN\)*PATH.*\[\(.*\)\].*/\2/p')
case ":$runpath:" in
  *::* | ":::") echo "the oct-file's RUNPATH has an empty entry: '$runpath'"; exit 1 ;;
esac
for folder in $(echo "$runpath" | tr : ' '); do
  case "$folder" in
    /*) ;;
    *) echo "the oct-file's RUNPATH has an entry that is not absolute: '$folder'"; exit 1 ;;
  esac
done
echo "installed, loaded and run; RUNPATH $runpath"
