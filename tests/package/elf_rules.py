#!/usr/bin/env python3
"""What the headers of our programs and libraries must say.

  elf_rules.py runpath FOLDER...      no entry of a RUNPATH is empty or relative: that would be the current directory
  elf_rules.py linked FILE...         position-independent, read-only after loading, no executable stack
  elf_rules.py hardened FILE...       that, and canaries, checked functions, CET
  elf_rules.py licences FILE...       nothing under the GPL is linked, directly or through others; but for the solver plug-in
  elf_rules.py --self-test CC         each rule finds a file that breaks it (made with the C compiler CC)
"""
import pathlib
import re
import stat
import subprocess
import sys
import tempfile

from elf import Elf, elf_files

ENDBR64 = b"\xf3\x0f\x1e\xfa"
# Libraries under the GPL, without an exception for users that link them, that numerical programs often use.
GPL = re.compile(r"^lib(glpk|readline|gsl|gslcblas|fftw3\w*|cln|ginac|bfd|opcodes|magma\w*|umfpack|cholmod|spqr|pari|ntl_gpl)\b")


def runpath_faults(elf):
    for kind, value in (("RPATH", elf.rpath), ("RUNPATH", elf.runpath)):
        if value is None:
            continue
        for entry in value.split(":"):
            if not entry:
                yield f"{elf.path}: {kind} '{value}' has an empty entry: the current directory"
            elif not entry.startswith(("/", "$ORIGIN/", "${ORIGIN}/")) and entry not in ("$ORIGIN", "${ORIGIN}"):
                yield f"{elf.path}: {kind} '{value}' has the relative entry '{entry}'"
            elif entry.startswith("/") and (p := pathlib.Path(entry)).exists() and p.stat().st_mode & stat.S_IWOTH:
                yield f"{elf.path}: {kind} '{value}' names {entry}, which anybody may write"
    for name in elf.needed:
        if "/" in name and not name.startswith("/"):
            yield f"{elf.path}: needs '{name}', relative to the current directory"


def linking_faults(elf):
    def rule(good, what):
        if not good:
            yield f"{elf.path}: {what}"
    yield from rule(elf.type == 3, "has a fixed address (no PIE)")
    yield from rule(elf.relro, "has no part that becomes read-only (RELRO)")
    yield from rule(elf.bind_now, "binds functions when they are first called (no BIND_NOW)")
    yield from rule(not elf.executable_stack, "asks for a stack that can be executed")
    yield from rule(not elf.text_relocations, "has code that is written while loading")


def hardening_faults(elf):
    yield from linking_faults(elf)
    if "__stack_chk_fail" not in elf.imports:
        yield f"{elf.path}: has no canaries (-fstack-protector-strong)"
    if elf.machine == 62 and not elf.interpreter:  # x86-64; a program exports nothing that could be checked
        bare = [n for n, code in elf.exports.items() if n.startswith("vr_") and code != ENDBR64]
        if bare:
            yield f"{elf.path}: functions that are no marked target of jumps (-fcf-protection): {bare[:3]}"


def fortified(elf):
    return any(re.fullmatch(r"__\w+_chk", n) and n != "__stack_chk_fail" for n in elf.imports)


def closure(path):
    """The names of all libraries that the loader loads together with this one."""
    text = subprocess.run(["ldd", path], check=True, capture_output=True, text=True).stdout
    return [line.split()[0] for line in text.splitlines() if line.strip()]


def licence_faults(path):
    for name in closure(path):
        if GPL.match(pathlib.Path(name).name):
            yield f"{path}: brings in {name}, which is under the GPL"


def self_test(cc):
    bad = []
    with tempfile.TemporaryDirectory() as t:
        t = pathlib.Path(t)
        (t / "a.c").write_text("#include <stdio.h>\nint vr_f(int n) { char b[64]; sprintf(b, \"%d\", n); return b[0]; }\n"
                               "int main(int n, char** v) { (void)v; return vr_f(n); }\n")

        def build(name, *flags):
            out = t / name
            subprocess.run([cc, "-O2", str(t / "a.c"), "-o", str(out), *flags], check=True, capture_output=True)
            return Elf(out)

        good = ["-fPIC", "-fstack-protector-strong", "-fcf-protection", "-Wl,-z,relro,-z,now,-z,noexecstack"]
        library = build("good.so", "-shared", *good)
        if found := [*runpath_faults(library), *hardening_faults(library)]:
            bad.append(f"a good library is blamed: {found}")
        for name, what, flags in [
                ("empty", "empty entry", ["-Wl,-rpath,/usr/lib:"]), ("middle", "empty entry", ["-Wl,-rpath,/usr/lib::/lib"]),
                ("dot", "relative entry", ["-Wl,-rpath,."]), ("relative", "relative entry", ["-Wl,-rpath,lib"]),
                ("old", "relative entry", ["-Wl,--disable-new-dtags,-rpath,lib"]), ("world", "anybody", ["-Wl,-rpath,/tmp"]),
                ("origin", "relative entry", ["-Wl,-rpath,$ORIGINAL/lib"])]:
            if not any(what in f for f in runpath_faults(build(name, *flags))):
                bad.append(f"{name}: no '{what}' is found")
        fine = build("fine", "-Wl,-rpath,$ORIGIN:$ORIGIN/../lib:/usr/lib")
        bad += [f"blamed without reason: {f}" for f in runpath_faults(fine)]
        for name, what, flags in [
                ("lazy", "BIND_NOW", ["-Wl,-z,lazy"]), ("norelro", "RELRO", ["-Wl,-z,norelro"]),
                ("stack", "stack that can be executed", ["-Wl,-z,execstack"]), ("canary", "canaries", ["-fno-stack-protector"]),
                ("branch", "marked target", ["-fcf-protection=none"])]:
            elf = build(name + ".so", "-shared", *good, *flags)
            if not any(what in f for f in hardening_faults(elf)) and not (name == "branch" and elf.machine != 62):
                bad.append(f"{name}: no '{what}' is found")
        if not any("PIE" in f for f in hardening_faults(build("fixed", "-no-pie", *good[1:]))):
            bad.append("a fixed address is not found")
        if fortified(build("plain.so", "-shared", "-fPIC", "-U_FORTIFY_SOURCE")):
            bad.append("functions pass for checked")
        if not fortified(build("checked.so", "-shared", "-fPIC", "-U_FORTIFY_SOURCE", "-D_FORTIFY_SOURCE=2")):
            bad.append("checked functions are not seen")
    for name, is_gpl in [("libglpk.so.40", True), ("libreadline.so.8", True), ("libgcc_s.so.1", False), ("libopenblas.so.0", False),
                         ("libgslang.so", False)]:
        if bool(GPL.match(name)) != is_gpl:
            bad.append(f"{name}: taken for {'no ' * is_gpl}GPL")
    print("\n".join(bad) or "each rule finds what breaks it")
    return not bad


def main(args):
    if len(args) == 2 and args[0] == "--self-test":
        return 0 if self_test(args[1]) else 1
    if len(args) < 2 or args[0] not in ("runpath", "linked", "hardened", "licences"):
        print(__doc__)
        return 2
    faults, count = [], 0
    if args[0] == "runpath":
        for folder in args[1:]:
            for elf in elf_files(folder):
                count += 1
                faults += runpath_faults(elf)
        if count == 0:
            faults.append("there is nothing to look at")
    elif args[0] in ("linked", "hardened"):
        elves = [Elf(f) for f in args[1:]]
        count = len(elves)
        for elf in elves:
            faults += linking_faults(elf) if args[0] == "linked" else hardening_faults(elf)
        if args[0] == "hardened" and not any(fortified(e) for e in elves):
            faults.append("no file calls checked functions (_FORTIFY_SOURCE)")
    else:
        for path in args[1:]:
            count += 1
            faults += licence_faults(path)
    print("\n".join(faults) or f"{count} files, all well")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
