#!/usr/bin/env python3
"""Makes the bill of materials, SPDX 2.3 as JSON: the libraries that Velociraptor's programs and libraries link, read from the files themselves.

  scripts/sbom.py BUILD_FOLDER                  prints it
  scripts/sbom.py BUILD_FOLDER --write FILE     writes it (sbom.spdx.json of the repository)
  scripts/sbom.py BUILD_FOLDER --check FILE     exit 1 when FILE names other components, licences or relations; versions are
                                                those of the machine it was written on and may differ

Fails on a library that is not in COMPONENTS: a new dependency is added there with its licence.
"""
import argparse
import datetime
import functools
import json
import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests" / "package"))
from elf import Elf  # noqa: E402

# soname, or the name of the archive if wheels link it statically (scripts/wheel_contents.py): (name, licence as an SPDX expression, home page)
COMPONENTS = {
    r"libLLVM.*": ("LLVM", "Apache-2.0 WITH LLVM-exception", "https://llvm.org"),
    r"libantlr4-runtime\.so.*": ("ANTLR 4 C++ runtime", "BSD-3-Clause", "https://www.antlr.org"),
    r"libfmt\.so.*": ("fmt", "MIT", "https://fmt.dev"),
    r"libtbb\.so.*": ("oneTBB", "Apache-2.0", "https://github.com/uxlfoundation/oneTBB"),
    r"libopenblas.*\.(so.*|a)": ("OpenBLAS", "BSD-3-Clause", "https://www.openblas.net"),
    r"libc?blas\.so.*": ("BLAS", "BSD-3-Clause-Open-MPI", "https://www.netlib.org/blas"),
    r"liblapacke\.(so.*|a)": ("LAPACKE", "BSD-3-Clause-Open-MPI", "https://www.netlib.org/lapack"),
    r"libOpenCL\.so.*": ("OCL-ICD", "BSD-2-Clause", "https://github.com/OCL-dev/ocl-icd"),
    r"libgc\.so.*": ("Boehm-Demers-Weiser collector", "MIT", "https://www.hboehm.info/gc"),
    r"libmd\.(so.*|a)": ("libmd", "BSD-3-Clause AND BSD-2-Clause AND ISC AND Beerware", "https://www.hadrons.org/software/libmd"),
    r"libz\.(so.*|a)": ("zlib", "Zlib", "https://zlib.net"),
    r"libzstd\.(so.*|a)": ("Zstandard", "BSD-3-Clause", "https://facebook.github.io/zstd"),
    r"libglpk\.so.*": ("GLPK", "GPL-3.0-or-later", "https://www.gnu.org/software/glpk"),
    r"libstdc\+\+\.so.*": ("GNU C++ library", "GPL-3.0-or-later WITH GCC-exception-3.1", "https://gcc.gnu.org"),
    r"libgcc(_s\.so.*|(_eh)?\.a)": ("GCC runtime", "GPL-3.0-or-later WITH GCC-exception-3.1", "https://gcc.gnu.org"),
    r"(libc|libm|libdl|libpthread|librt|ld-linux.*)\.so.*": ("GNU C library", "LGPL-2.1-or-later", "https://www.gnu.org/software/libc"),
}
# Libraries that consist of headers only, so that no linked file shows them: (a file of the headers' package, name, licence, home page, the components
# that contain it)
HEADERS = [
    ("nlohmann/json.hpp", "JSON for Modern C++", "MIT", "https://json.nlohmann.me", ["libvelociraptor", "vrir", "raijincl-tune"]),
    ("third_party/pocketfft", "pocketfft", "BSD-3-Clause", "https://github.com/mreineck/pocketfft", ["libvelociraptor", "vrir"]),
    ("CLI/CLI.hpp", "CLI11", "BSD-3-Clause", "https://github.com/CLIUtils/CLI11", ["vrir"]),
]
# name in the document: (file below the build folder, licence, whether it is built only where an optional dependency is found)
OURS = {
    "libvelociraptor": ("lib/libvelociraptor.so", "Apache-2.0", False),
    "vrir": ("bin/vrir", "Apache-2.0", False),
    "raijincl-tune": ("bin/raijincl-tune", "Apache-2.0", False),
    "libvr_solver_glpk": ("lib/velociraptor/libvr_solver_glpk.so", "GPL-3.0-or-later", True),
    "pyraptor": ("python/pyraptor/_native.*.so", "Apache-2.0", True),
}


@functools.lru_cache(None)
def package_version(path):
    """The version of the Debian package that the file belongs to; empty if it is not known. Slow: dpkg reads all its lists."""
    for p in dict.fromkeys((str(path), os.path.realpath(path), re.sub("^/usr", "", str(path)), "/usr" + str(path))):
        owner = subprocess.run(["dpkg-query", "-S", p], capture_output=True, text=True) if os.path.exists("/usr/bin/dpkg-query") else None
        if owner and owner.returncode == 0:
            name = owner.stdout.split(": ")[0].split(",")[0]
            return subprocess.run(["dpkg-query", "-W", "-f=${Version}", name], capture_output=True, text=True).stdout
    return ""


def places(path):
    text = subprocess.run(["ldd", path], check=True, capture_output=True, text=True).stdout
    return {f[0]: f[2] for f in (line.split() for line in text.splitlines()) if len(f) > 2 and f[1] == "=>"}


def component(file):
    """(name, licence, home page) of a library or an archive; None if COMPONENTS does not list it."""
    return next((v for k, v in COMPONENTS.items() if re.fullmatch(k, file)), None)


def is_system(soname):
    """Whether every system that supports the wheel has the library: the C library's and GCC's."""
    return (component(soname) or [""])[0] in ("GNU C library", "GNU C++ library", "GCC runtime")


def identifier(name):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.]+", "-", name).strip("-")


def document(build, with_versions):
    version = re.search(r"project\(Velociraptor VERSION ([\d.]+)", (pathlib.Path(__file__).resolve().parent.parent / "CMakeLists.txt").read_text())[1]
    version_of = package_version if with_versions else lambda path: ""
    packages, relations, unknown = {}, [("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-Velociraptor")], []

    def add(name, licence, home, package_version):
        packages.setdefault(name, {
            "SPDXID": identifier(name), "name": name, "versionInfo": package_version or "NOASSERTION", "downloadLocation": home,
            "filesAnalyzed": False, "licenseConcluded": licence, "licenseDeclared": licence, "copyrightText": "NOASSERTION"})

    add("Velociraptor", "Apache-2.0", "NOASSERTION", version)
    built = []
    for name, (pattern, licence, optional) in OURS.items():
        found = sorted(build.glob(pattern))
        if not found:
            if not optional:
                sys.exit(f"{build / pattern}: not built")
            continue
        built.append(name)
        add(name, licence, "NOASSERTION", version)
        relations.append(("SPDXRef-Velociraptor", "CONTAINS", identifier(name)))
        where = places(found[0])
        for soname in Elf(found[0]).needed:
            if soname.startswith("libvelociraptor.so"):
                relations.append((identifier(name), "DYNAMIC_LINK", identifier("libvelociraptor")))
                continue
            known = component(soname)
            if not known:
                unknown.append(f"{found[0]} links {soname}: say its licence in COMPONENTS")
                continue
            add(*known, version_of(where.get(soname, "/" + soname)))
            relations.append((identifier(name), "DYNAMIC_LINK", identifier(known[0])))
    for header, name, licence, home, into in HEADERS:
        add(name, licence, home, version_of("/usr/include/" + header))
        relations += [(identifier(i), "STATIC_LINK", identifier(name)) for i in into if i in built]
    if unknown:
        sys.exit("\n".join(unknown))
    # libvelociraptor must not link a library whose licence would then apply to it.
    for a, kind, b in relations:
        licence = next(p["licenseConcluded"] for p in packages.values() if p["SPDXID"] == b)
        if kind.endswith("LINK") and re.match(r"A?GPL", licence) and " WITH " not in licence and a != identifier("libvr_solver_glpk"):
            sys.exit(f"{a} links {b}, which is under {licence}")
    return spdx(f"velociraptor-{version}", packages.values(), relations)


def spdx(name, packages, relations):
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    now = datetime.datetime.fromtimestamp(int(epoch), datetime.timezone.utc) if epoch else datetime.datetime.now(datetime.timezone.utc)
    return {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": name,
        "documentNamespace": f"https://spdx.org/spdxdocs/{name}",
        "creationInfo": {"created": now.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Tool: scripts/sbom.py"]},
        "packages": sorted(packages, key=lambda p: p["SPDXID"]),
        "relationships": [{"spdxElementId": a, "relationshipType": k, "relatedSpdxElement": b} for a, k, b in sorted(set(relations))]}


def comparable(d):
    return ({(p["name"], p["licenseConcluded"], p["downloadLocation"]) for p in d["packages"]},
            {(r["spdxElementId"], r["relationshipType"], r["relatedSpdxElement"]) for r in d["relationships"]})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--write", type=pathlib.Path)
    parser.add_argument("--check", type=pathlib.Path)
    o = parser.parse_args()
    made = document(o.build, with_versions=not o.check)
    text = json.dumps(made, indent=1) + "\n"
    if o.check:
        kept = comparable(json.loads(o.check.read_text()))
        differences = [f"{'missing' if i in new else 'no longer linked'}: {i}"
                       for old, new in zip(kept, comparable(made)) for i in sorted(old ^ new)]
        # A component that was not built here (for instance without GLPK or Python) may still be listed in the file.
        absent = {n for n, (pattern, _, optional) in OURS.items() if optional and not list(o.build.glob(pattern))}
        if absent:
            differences = [d for d in differences if d.startswith("missing")]
        print("\n".join(differences + ["scripts/sbom.py BUILD --write " + str(o.check)] if differences else [f"{o.check}: current"]))
        return 1 if differences else 0
    if o.write:
        o.write.write_text(text)
    else:
        print(text, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
