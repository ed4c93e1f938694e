#!/usr/bin/env python3
"""scripts/wheel_contents.py check: a correct wheel passes, and each defect is found in a wheel that has it.  contents_test.py CC"""
import contextlib
import copy
import io
import json
import pathlib
import subprocess
import sys
import tempfile
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import wheel_contents  # noqa: E402

OURS = "#include <stdio.h>\nint vr_f(int n) { char b[64]; sprintf(b, \"%d\", n); return b[0]; }\n"
HARD = ["-O2", "-shared", "-fPIC", "-fstack-protector-strong", "-Wl,-z,relro,-z,now,-z,noexecstack"]
MODULE, LIBRARY = "pyraptor/_native.cpython-311-x86_64-linux-gnu.so", "pyraptor/libvelociraptor.so.0.1"
TBB = "pyraptor.libs/libtbb-0123abcd.so.12"
MIT = {"name": "oneTBB", "licenseConcluded": "Apache-2.0"}


class Wheel:
    def __init__(self, cc, folder):
        self.cc, self.folder, self.files = cc, folder, {}
        self.library(TBB, "int tbb_f(void) { return 1; }", soname="libtbb-0123abcd.so.12")
        self.library(LIBRARY, OURS, "-Wl,-rpath,$ORIGIN/../pyraptor.libs")
        self.library(MODULE, "int PyInit__native(void) { return 0; }", "-Wl,-rpath,$ORIGIN")
        self.licences([MIT])

    def library(self, name, text, *flags, soname=None, needs=()):
        (self.folder / "a.c").write_text(text)
        for needed in needs:
            (self.folder / "b.c").write_text("int b(void) { return 2; }")
            subprocess.run([self.cc, *HARD, "b.c", "-o", needed, f"-Wl,-soname,{needed}"], check=True, cwd=self.folder)
        cet = ["-fcf-protection"] if subprocess.run([self.cc, "-fcf-protection", "-E", "-x", "c", "/dev/null"], capture_output=True).returncode == 0 else []
        subprocess.run([self.cc, *HARD, *cet, "a.c", "-o", "a.so", f"-Wl,-soname,{soname or name.split('/')[-1]}", "-Wl,--no-as-needed",
                        *needs, *flags], check=True, cwd=self.folder)
        self.files[name] = (self.folder / "a.so").read_bytes()

    def licences(self, packages, told=None):
        info = "pyraptor-0.1.0.dist-info"
        self.files[f"{info}/sboms/pyraptor.spdx.json"] = json.dumps({"packages": packages}).encode()
        self.files[f"{info}/licenses/third_party/OVERVIEW.txt"] = ("Parts\n" + "\n".join(told or [p["name"] for p in packages])).encode()

    def faults(self):
        path = self.folder / "pyraptor.whl"
        with zipfile.ZipFile(path, "w") as z:
            for name, data in self.files.items():
                z.writestr(name, data)
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            status = wheel_contents.check(str(path))
        return said.getvalue() if status else ""


def leak(w): w.library(LIBRARY, OURS + "int cblas_dgemm(void) { return 3; }")
def leak_of_module(w): w.library(MODULE, "int PyInit__native(void) { return 0; }\nint vr_helper(void) { return 1; }")
def common_name(w): w.library("pyraptor.libs/libfmt.so.9", "int f(void) { return 1; }")
def common_soname(w): w.library(TBB, "int tbb_f(void) { return 1; }", soname="libtbb.so.12")
def current_folder(w): w.library(LIBRARY, OURS, "-Wl,-rpath,$ORIGIN:")
def own_folder(w): w.library(LIBRARY, OURS, "-Wl,-rpath,/usr/local/lib")
def others_folder(w): w.library(LIBRARY, OURS, "-Wl,-rpath,$ORIGIN/../lib")
def missing(w): w.library(LIBRARY, OURS, needs=["libopenblas.so.0"])
def gpl(w): w.library(LIBRARY, OURS, needs=["libreadline.so.8"])
def gpl_inside(w): w.licences([MIT, {"name": "GLPK", "licenseConcluded": "GPL-3.0-or-later"}])
def unknown_licence(w): w.licences([MIT, {"name": "zlib", "licenseConcluded": "Zlib"}], told=["oneTBB"])
def unlisted(w): w.licences([{"name": "zlib", "licenseConcluded": "Zlib"}])
def static_storage(w): w.library(LIBRARY, OURS + '__thread int t __attribute__((tls_model("initial-exec"))); int vr_t(void) { return ++t; }')
def lazy(w): w.library(LIBRARY, OURS, "-Wl,-z,lazy")


FAULTS = [(leak, "exports cblas_dgemm"), (leak_of_module, "exports vr_helper"), (common_name, "may look for"), (common_soname, "may look for"),
          (current_folder, "empty entry"), (own_folder, "looks for libraries in /usr/local/lib"),
          (others_folder, "looks for libraries in $ORIGIN/../lib"), (missing, "needs libopenblas.so.0"),
          (gpl, "under the GPL"), (gpl_inside, "GLPK is under"), (unknown_licence, "zlib: its licence is missing"),
          (unlisted, "not in the bill of materials"), (static_storage, "static thread storage"), (lazy, "BIND_NOW")]


def main(cc):
    bad = []
    with tempfile.TemporaryDirectory() as folder:
        good = Wheel(cc, pathlib.Path(folder))
        if said := good.faults():
            bad.append(f"a good wheel is blamed: {said}")
        for spoil, says in FAULTS:
            wheel = copy.copy(good)
            wheel.files = dict(good.files)
            spoil(wheel)
            if says not in (said := wheel.faults()):
                bad.append(f"{spoil.__name__}: '{says}' is not what it says: {said}")
        limit, wheel_contents.MEGABYTES = wheel_contents.MEGABYTES, 0.001
        if "more than" not in good.faults():
            bad.append("a wheel that is too large is not seen")
        wheel_contents.MEGABYTES = limit
    print("\n".join(bad) or "each fault is found")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
