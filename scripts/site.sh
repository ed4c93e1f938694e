#!/bin/sh
# Builds the documentation as a site into build/site, with offline search; a broken link or anchor is an error.
#   scripts/site.sh          build; open build/site/index.html
#   scripts/site.sh serve    build and serve on http://127.0.0.1:8000, again after each change
#   scripts/site.sh check    build; prints a line and succeeds if MkDocs cannot be installed (a part of ./check)
# MkDocs is installed into a virtual environment of its own, build/site-venv, by the first run (pip, network). The pages load
# nothing from the network.
# Links and anchors are tested by docs.tables as well, without MkDocs.
set -eu
cd "$(dirname "$0")/.."
venv=build/site-venv
material=9.8.1
mkdocs=1.6.1
if [ "$("$venv/bin/python" -c 'from importlib.metadata import version as v; print(v("mkdocs"), v("mkdocs-material"))' 2>/dev/null)" != "$mkdocs $material" ]; then
  if ! "${PYTHON:-python3}" -m venv "$venv" ||
    ! "$venv/bin/pip" install --quiet --disable-pip-version-check "mkdocs==$mkdocs" "mkdocs-material==$material"; then
    [ "${1:-build}" = check ] || exit 1
    echo "skipped: pip cannot install MkDocs"
    exit 0
  fi
fi
NO_MKDOCS_2_WARNING=1
export NO_MKDOCS_2_WARNING
if [ "${1:-build}" = serve ]; then
  exec "$venv/bin/mkdocs" serve
fi
"$venv/bin/mkdocs" build --strict --clean
echo "build/site/index.html"
