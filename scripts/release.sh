#!/bin/sh
# Makes a release: version, change log, tag, source archive and bill of materials, in dist/.
#   scripts/release.sh VERSION [--dry-run]
# VERSION is that of CMakeLists.txt, or a greater one, which is then written there. Without --dry-run it commits and tags
# vVERSION; it never pushes. The working tree must be clean, and the section "VERSION (not released)" of CHANGELOG.md must
# exist and not be empty. --dry-run checks, prints what would change, and leaves everything as it is.
set -eu
cd "$(dirname "$0")/.."

version=${1:-} mode=${2:-}
case $version in
  *[!0-9.]*|''|.*|*.) echo "usage: scripts/release.sh MAJOR.MINOR.PATCH [--dry-run]" >&2; exit 2 ;;
esac
case $mode in ''|--dry-run) ;; *) echo "unknown option '$mode'" >&2; exit 2 ;; esac

fail() { echo "error: $*" >&2; exit 1; }
[ -z "$(git status --porcelain)" ] || fail "the working tree has changes"
git rev-parse -q --verify "refs/tags/v$version" >/dev/null && fail "the tag v$version exists"
present=$(sed -n 's/^project(Velociraptor VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
[ -n "$present" ] || fail "CMakeLists.txt states no version"
newest=$(printf '%s\n%s\n' "$present" "$version" | sort -V | tail -1)
[ "$newest" = "$version" ] || fail "version $version is older than $present"
heading="## $version (not released)"
grep -qxF "$heading" CHANGELOG.md || fail "CHANGELOG.md has no section '$heading'"
notes=$(sed -n "/^## $version (not released)\$/,/^## /p" CHANGELOG.md | sed '1d;/^## /d')
[ -n "$(printf '%s' "$notes" | tr -d '[:space:]')" ] || fail "the section '$heading' is empty"
[ -f build/release/lib/libvelociraptor.so ] || fail "build first: scripts/build.sh"

if [ "$mode" = --dry-run ]; then
  echo "version   $present -> $version"
  echo "changes   $(printf '%s\n' "$notes" | grep -c '^- ') entries"
  echo "tag       v$version"
  echo "archive   dist/velociraptor-$version.tar.gz, .sha256, .spdx.json"
  exit 0
fi

sed -i "s/^project(Velociraptor VERSION $present/project(Velociraptor VERSION $version/" CMakeLists.txt
sed -i "s/^## $version (not released)\$/## $version ($(date -u +%Y-%m-%d))/" CHANGELOG.md
sed -i "s/\"version-semver\": \"[0-9.]*\"/\"version-semver\": \"$version\"/" packaging/vcpkg/ports/velociraptor/vcpkg.json
if [ "$version" != "$(sed -n '1s/^velociraptor (\([0-9.]*\)).*/\1/p' debian/changelog)" ]; then
  {
    printf 'velociraptor (%s) unstable; urgency=medium\n\n  * CHANGELOG.md has the changes.\n\n' "$version"
    printf ' -- Velociraptor developers <maintainers@velociraptor.invalid>  %s\n\n' "$(date -uR)"
    cat debian/changelog
  } > debian/changelog.new
  mv debian/changelog.new debian/changelog
fi
python3 scripts/sbom.py build/release --write sbom.spdx.json
git commit -q -m "Release $version" CMakeLists.txt CHANGELOG.md sbom.spdx.json packaging/vcpkg debian/changelog
git tag -a "v$version" -m "Velociraptor $version"
mkdir -p dist
# git archive takes the times of the commit, and gzip -n writes none: the same commit gives the same bytes.
git archive --format=tar --prefix="velociraptor-$version/" "v$version" | gzip -n9 > "dist/velociraptor-$version.tar.gz"
(cd dist && sha256sum "velociraptor-$version.tar.gz" > "velociraptor-$version.tar.gz.sha256")
cp sbom.spdx.json "dist/velociraptor-$version.spdx.json"
echo "dist/velociraptor-$version.tar.gz; push with: git push origin main v$version"
