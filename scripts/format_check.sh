#!/bin/sh
# Checks the layout of C++ files with clang-format 19 (.clang-format). Another version formats differently, so without exactly
# that one the check is skipped with a message.
#   scripts/format_check.sh              the lines that differ from the branch main (on main itself: from HEAD)
#   scripts/format_check.sh FILE ...     the lines of these files that differ
#   scripts/format_check.sh --all        all lines of the repository
# CLANG_FORMAT names the program. Exit status 1: a file is laid out differently; `clang-format-19 -i FILE` corrects it.
set -eu
cd "$(dirname "$0")/.."

program=
for candidate in "${CLANG_FORMAT:-}" clang-format-19 clang-format; do
  [ -n "$candidate" ] || continue
  case "$("$candidate" --version 2>/dev/null)" in
    *"clang-format version 19."*) program=$candidate; break ;;
  esac
done
if [ -z "$program" ]; then
  echo "skipped: clang-format 19 is not installed (Debian: clang-format-19; or pip install clang-format==19.1.7)"
  exit 0
fi

base=$(git merge-base HEAD main 2>/dev/null || git rev-parse HEAD)
whole=no
case "${1:-}" in
  --all) whole=yes files=$(git ls-files '*.cpp' '*.hpp') ;;
  '') files=$(git diff --name-only --diff-filter=d "$base" -- '*.cpp' '*.hpp') ;;
  *) files=$* ;;
esac
# The lines of a file that differ, as options of clang-format.
changed_lines() {
  git diff -U0 "$base" -- "$1" | sed -n 's/^@@ [^+]*+\([0-9]*\)\(,\([0-9]*\)\)\{0,1\} @@.*/\1 \3/p' |
    while read -r first count; do
      [ "${count:-1}" = 0 ] || echo "--lines=$first:$((first + ${count:-1} - 1))"
    done
}
status=0 count=0
for file in $files; do
  case $file in
    third_party/*|vrir-grammar/generated/*) continue ;;
  esac
  count=$((count + 1))
  lines=
  if [ $whole = no ]; then
    lines=$(changed_lines "$file")
    [ -n "$lines" ] || continue
  fi
  if ! "$program" --dry-run -Werror $lines "$file" >/dev/null 2>&1; then
    echo "$file: the layout is not that of clang-format 19"
    status=1
  fi
done
echo "$count files checked"
exit $status
