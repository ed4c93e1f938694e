#!/usr/bin/env python3
"""Adds licences and a bill of materials to PyRaptor's wheel, and checks its contents.

  scripts/wheel_contents.py finish WHEEL LINK_MAP FOLDER   writes WHEEL to FOLDER with the licences of all components (from
                                Debian's packages), a bill of materials (SPDX, PEP 770), and tags for all Python versions
                                for which it has a module
  scripts/wheel_contents.py check WHEEL    exit status 1 unless: Velociraptor's libraries export only its own symbols; other
                                libraries have unique names; no library is searched for outside of the wheel; none has
                                static thread storage; every component has its licence, none of them the GPL; the size is
                                at most 60 MB
  scripts/wheel_contents.py list WHEEL     prints the components
"""
import base64
import csv
import hashlib
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile

import sbom
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests" / "package"))
from elf import elf_files  # noqa: E402
from elf_rules import GPL, hardening_faults, linking_faults, runpath_faults  # noqa: E402
from exported_symbols import exported, is_ours  # noqa: E402

MEGABYTES = 60
ROOT = pathlib.Path(__file__).resolve().parent.parent
MODULE = re.compile(r"pyraptor/_native\.(?:cpython-3(\d+)-.*|abi3)\.so$")
VENDORED = re.compile(r"pyraptor\.libs/(lib[^/]+?)-[0-9a-f]{8}(\.so[^/]*)$")


class Part:
    """A third-party component of the wheel. `kind` is STATIC_LINK or DYNAMIC_LINK; `file` is its path on this machine."""

    def __init__(self, file, kind, name, licence, home):
        self.file, self.kind, self.name, self.licence, self.home = file, kind, name, licence, home
        owner = subprocess.run(["dpkg-query", "-S", os.path.realpath(file)], capture_output=True, text=True).stdout
        self.package = owner.split(":")[0] if owner else ""
        self.version = sbom.package_version(file)


def find_parts(link_map, names):
    """The archives from which the linker took members, the libraries that auditwheel copied, and the libraries that consist of headers."""
    sources = sorted({a for a in re.findall(r"^(/\S+\.a)\(", link_map.read_text(), re.M)})
    # libc_nonshared.a is part of linking the shared C library.
    files = [(f, "STATIC_LINK") for f in sources if f.startswith("/usr/") and not f.endswith("/libc_nonshared.a")]
    for name in names:
        if m := VENDORED.match(name):
            found = subprocess.run(["ldconfig", "-p"], capture_output=True, text=True, env={"PATH": "/sbin:/usr/sbin"}).stdout
            soname = m[1] + re.sub(r"(\.so\.\d+).*", r"\1", m[2])
            paths = [line.split("=> ")[1] for line in found.splitlines() if "=> " in line and line.split()[0].startswith(soname)]
            if not paths:
                sys.exit(f"{name}: no {soname} is installed here")
            files.append((paths[0], "DYNAMIC_LINK"))
    parts, unknown = {}, []
    for file, kind in files:
        known = sbom.component(os.path.basename(file))
        if not known:
            unknown.append(f"{file}: say its licence in COMPONENTS of scripts/sbom.py")
        elif known[0] not in parts:
            parts[known[0]] = Part(file, kind, *known)
    if unknown:
        sys.exit("\n".join(unknown))
    for header, name, licence, home, into in sbom.HEADERS:
        if "libvelociraptor" in into:
            file = ROOT / header if (ROOT / header).exists() else pathlib.Path("/usr/include") / header
            parts[name] = Part(str(file), "STATIC_LINK", name, licence, home)
    return [parts[name] for name in sorted(parts)]


def licence_texts(part):
    """File name -> text. Debian's licence files refer to common licences by path, so those texts are added."""
    source = ROOT / "third_party" / part.name / "LICENSE.md"
    if source.exists():
        return {f"{part.name}.txt": source.read_text()}
    own = pathlib.Path("/usr/share/doc") / part.package / "copyright"
    if not part.package or not own.exists():
        sys.exit(f"{part.file}: its licence is not to be had ({own})")
    texts = {f"{part.package}.txt": own.read_text(errors="replace")}
    for name in set(re.findall(r"/usr/share/common-licenses/([\w.+-]*\w)", texts[f"{part.package}.txt"])):
        texts[f"common/{name}.txt"] = (pathlib.Path("/usr/share/common-licenses") / name).read_text()
    return texts


def bill(version, parts):
    def package(name, licence, home, v):
        return {"SPDXID": sbom.identifier(name), "name": name, "versionInfo": v or "NOASSERTION", "downloadLocation": home,
                "filesAnalyzed": False, "licenseConcluded": licence, "licenseDeclared": licence, "copyrightText": "NOASSERTION"}
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-pyraptor")]
    relations += [("SPDXRef-pyraptor", p.kind, sbom.identifier(p.name)) for p in parts]
    return sbom.spdx(f"pyraptor-{version}", [package("pyraptor", "Apache-2.0", "NOASSERTION", version)] +
                     [package(p.name, p.licence, p.home, p.version) for p in parts], relations)


def overview(parts):
    how = {"STATIC_LINK": "inside of libvelociraptor", "DYNAMIC_LINK": "library in pyraptor.libs"}
    lines = ["Parts of this wheel that others have written, with their licences; the texts lie beside this file.", ""]
    for p in parts:
        version = f" {p.version}" if p.version else ""
        lines.append(f"{p.name}{version}: {p.licence}; {how[p.kind]}; {p.home}; {p.package or p.name}.txt")
    return "\n".join(lines) + "\n"


def finish(wheel, link_map, folder):
    with zipfile.ZipFile(wheel) as z:
        files = {i.filename: (z.read(i), i.external_attr) for i in z.infolist() if not i.is_dir()}
    info = next(n for n in files if n.endswith(".dist-info/METADATA")).rsplit("/", 1)[0]
    name, version = info[:-len(".dist-info")].split("-")
    parts = find_parts(link_map, files)
    texts = {"OVERVIEW.txt": overview(parts)}
    for part in parts:
        texts.update(licence_texts(part))
    for file, text in texts.items():
        files[f"{info}/licenses/third_party/{file}"] = (text.encode(), 0o644 << 16)
    files[f"{info}/sboms/pyraptor.spdx.json"] = (json.dumps(bill(version, parts), indent=1).encode() + b"\n", 0o644 << 16)
    # A module for one Python version, or the module with the stable ABI of 3.12.
    modules = sorted((int(m[1] or 12), "abi3" if m[1] is None else f"cp3{m[1]}") for n in files if (m := MODULE.match(n)))
    pythons = ".".join(dict.fromkeys(f"cp3{minor}" for minor, _ in modules))
    abis = ".".join(abi for _, abi in modules)
    platform = pathlib.Path(wheel).stem.rsplit("-", 1)[1]
    head = [line for line in files[f"{info}/WHEEL"][0].decode().splitlines() if line and not line.startswith("Tag:")]
    head += [f"Tag: {p}-{a}-{where}" for p in pythons.split(".") for a in abis.split(".") for where in platform.split(".")]
    files[f"{info}/WHEEL"] = ("\n".join(head).encode() + b"\n", 0o644 << 16)
    record = io.StringIO()
    rows = csv.writer(record, lineterminator="\n")
    for file, (data, _) in files.items():
        if not file.endswith("/RECORD"):
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            rows.writerow([file, f"sha256={digest}", len(data)])
    rows.writerow([f"{info}/RECORD", "", ""])
    files[f"{info}/RECORD"] = (record.getvalue().encode(), 0o644 << 16)
    out = pathlib.Path(folder) / f"{name}-{version}-{pythons}-{abis}-{platform}.whl"
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as z:
        for file, (data, attributes) in files.items():
            entry = zipfile.ZipInfo(file, (1980, 1, 1, 0, 0, 0))
            entry.external_attr, entry.compress_type = attributes, zipfile.ZIP_DEFLATED
            z.writestr(entry, data)
    print(out)


def symbol_faults(elf, file):
    """Faults of exported symbols: Velociraptor's libraries may export only its own symbols, and no other library may export those."""
    names = list(exported("nm", elf.path))
    if file.startswith("pyraptor.libs/"):
        if not VENDORED.match(file) or elf.soname != os.path.basename(file):
            yield f"{file}: others in the process may look for '{elf.soname}' and find this one"
        return
    if MODULE.match(file):
        yield from (f"{file}: exports {n}" for n in names if not n.startswith("PyInit__native"))
    else:
        yield from (f"{file}: exports {n}, which is not ours" for n in names if not is_ours(n))
    yield from linking_faults(elf) if MODULE.match(file) else hardening_faults(elf)


def check(wheel):
    faults, count = [], 0
    size = os.path.getsize(wheel) / 1e6
    if size > MEGABYTES:
        faults.append(f"{wheel}: {size:.1f} MB, more than {MEGABYTES}")
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(wheel) as z:
        z.extractall(folder)
        inside = {os.path.basename(n) for n in z.namelist()}
        for elf in elf_files(folder):
            count += 1
            file = os.path.relpath(elf.path, folder)
            faults += [*symbol_faults(elf, file), *runpath_faults(elf)]
            if elf.static_tls:
                faults.append(f"{file}: has static thread storage, for which a running process may have no room")
            faults += [f"{file}: needs {n}, which is under the GPL" for n in elf.needed if GPL.match(n)]
            for needed in elf.needed:
                if needed not in inside and not sbom.is_system(needed):
                    faults.append(f"{file}: needs {needed}, which neither the wheel nor every system has")
            for entry in (elf.rpath or elf.runpath or "").split(":"):
                if entry and entry not in ("$ORIGIN", "$ORIGIN/../pyraptor.libs"):
                    faults.append(f"{file}: looks for libraries in {entry}")
        document = json.loads(next(z.read(n) for n in z.namelist() if n.endswith("/sboms/pyraptor.spdx.json")))
        told = next(z.read(n).decode() for n in z.namelist() if n.endswith("/licenses/third_party/OVERVIEW.txt"))
        for p in document["packages"]:
            if re.match(r"A?GPL", p["licenseConcluded"]) and " WITH " not in p["licenseConcluded"]:
                faults.append(f"{p['name']} is under {p['licenseConcluded']}")
            if p["name"] != "pyraptor" and f"\n{p['name']}" not in told:
                faults.append(f"{p['name']}: its licence is missing")
        vendored = {sbom.component(m[1] + m[2])[0] for n in z.namelist() if (m := VENDORED.match(n)) and sbom.component(m[1] + m[2])}
        faults += [f"{name}: not in the bill of materials" for name in vendored - {p["name"] for p in document["packages"]}]
    print("\n".join(faults) or f"{os.path.basename(wheel)}: {size:.1f} MB, {count} libraries, all well")
    return 1 if faults else 0


def show(wheel):
    with zipfile.ZipFile(wheel) as z:
        for i in sorted(z.infolist(), key=lambda i: -i.compress_size)[:12]:
            print(f"{i.file_size / 1e6:8.1f} MB {i.compress_size / 1e6:8.1f} MB packed  {i.filename}")
        print(next(z.read(n).decode() for n in z.namelist() if n.endswith("/OVERVIEW.txt")), end="")
    return 0


def main(args):
    if len(args) == 4 and args[0] == "finish":
        return finish(args[1], pathlib.Path(args[2]), args[3])
    if len(args) == 2 and args[0] in ("check", "list"):
        return {"check": check, "list": show}[args[0]](args[1])
    print(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
