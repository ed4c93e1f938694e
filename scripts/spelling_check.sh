#!/bin/sh
# Checks the spelling of pages, messages and comments with codespell (.codespellrc); without it the check is skipped with a message.
set -eu
cd "$(dirname "$0")/.."
if ! command -v codespell >/dev/null 2>&1; then
  echo "skipped: codespell is not installed"
  exit 0
fi
exec codespell docs README.md CONTRIBUTING.md CHANGELOG.md SECURITY.md src include runtime hosts tests/unit scripts
