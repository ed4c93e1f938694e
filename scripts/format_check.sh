#!/bin/sh
# Checks the layout of C++ files with clang-format 19 (.clang-format). Another version formats differently, so without exactly
# that one the check is skipped with a message.
#   scripts/format_check.sh              files that differ from the branch main, or from HEAD on main itself
#   scripts/format_check.sh FILE ...     these files
#   scripts/format_check.sh --all        all files of the repository
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

case "${1:-}" in
  --all) files=$(git ls-files '*.cpp' '*.hpp') ;;
  '')
    base=$(git merge-base HEAD main 2>/dev/null || git rev-parse HEAD)
    files=$(git diff --name-only --diff-filter=d "$base" -- '*.cpp' '*.hpp') ;;
  *) files=$* ;;
esac
status=0 count=0
for file in $files; do
  case $file in
    third_party/*|vrir-grammar/generated/*) continue ;;
  esac
  count=$((count + 1))
  if ! "$program" --dry-run -Werror "$file" >/dev/null 2>&1; then
    echo "$file: the layout is not that of clang-format 19"
    status=1
  fi
done
echo "$count files checked"
exit $status
