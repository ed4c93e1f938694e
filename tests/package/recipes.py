#!/usr/bin/env python3
"""The recipes in debian/ and packaging/ fit the build: versions, CMake options, the form of the manifest, installed files.

    recipes.py ROOT        checks
    recipes.py --self-test checks that a wrong version and an unknown option are found
"""
import json
import re
import sys
from pathlib import Path

RECIPES = ["debian/rules", "packaging/conan/conanfile.py", "packaging/vcpkg/ports/velociraptor/portfile.cmake"]


def faults_of(texts):
    """`texts`: the contents of each file, by path."""
    faults = []
    cmake = texts["CMakeLists.txt"]
    version = re.search(r"project\(Velociraptor VERSION ([0-9.]+)", cmake)[1]
    options = set(re.findall(r"^option\((VR_\w+)", cmake, re.M))
    for path in RECIPES:
        for name in set(re.findall(r"VR_(?:WITH|BUILD)_[A-Z]+", texts[path])) - options:
            faults.append(f"{path}: CMakeLists.txt has no option {name}")
    manifest = json.loads(texts["packaging/vcpkg/ports/velociraptor/vcpkg.json"])
    if manifest.get("version-semver") != version:
        faults.append(f"vcpkg.json: version {manifest.get('version-semver')}, not {version}")
    for key in ("name", "description", "license", "supports", "dependencies"):
        if key not in manifest:
            faults.append(f"vcpkg.json: '{key}' is missing")
    for feature in manifest.get("default-features", []):
        if feature not in manifest.get("features", {}):
            faults.append(f"vcpkg.json: there is no feature '{feature}'")
    newest = re.match(r"velociraptor \(([0-9.]+)\)", texts["debian/changelog"])
    if not newest or newest[1] != version:
        faults.append(f"debian/changelog: its newest entry is not version {version}")
    minor = ".".join(version.split(".")[:2])
    if f"Package: libvelociraptor{minor}\n" not in texts["debian/control"]:
        faults.append(f"debian/control: there is no package libvelociraptor{minor}, as the library's SONAME asks for")
    return faults


def read(root):
    paths = RECIPES + ["CMakeLists.txt", "packaging/vcpkg/ports/velociraptor/vcpkg.json", "debian/changelog", "debian/control"]
    return {p: (root / p).read_text() for p in paths}


def self_test(root):
    good = read(root)
    if faults_of(good):
        print("found in the recipes:", faults_of(good))
        return 1
    for path, old, new in [("debian/rules", "VR_WITH_GLPK", "VR_WITH_GLPX"), ("debian/changelog", "(0.", "(9."),
                           ("debian/control", "Package: libvelociraptor0", "Package: libvelociraptor9"),
                           ("packaging/vcpkg/ports/velociraptor/vcpkg.json", '"version-semver": "0', '"version-semver": "9'),
                           ("packaging/vcpkg/ports/velociraptor/vcpkg.json", '["opencl"]', '["cuda"]')]:
        if not faults_of({**good, path: good[path].replace(old, new, 1)}):
            print(f"not found: {path}: {old} -> {new}")
            return 1
    return 0


if __name__ == "__main__":
    root = Path(__file__).resolve().parents[2]
    if sys.argv[1:] == ["--self-test"]:
        sys.exit(self_test(root))
    found = faults_of(read(Path(sys.argv[1])))
    print("\n".join(found), end="\n" if found else "")
    sys.exit(1 if found else 0)
