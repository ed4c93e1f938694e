#!/usr/bin/env python3
"""The solver is a plug-in: the library links none of GLPK and works without it.

  solver_test.py PREFIX LIBDIR      looks at an install prefix, and at a copy of it without the plug-in
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

from elf import Elf

# Only a system that neither intervals nor elimination decide needs the plug-in; all other programs must work without it.
PROGRAM = """(module :name m (fns (function :name f (functype (intypes (int64)) (outtypes (float64))) (arglist 0)
 (body
  (assignstmt (lhs (name :id 1 (arraytype :layout rowmajor :ndims 1 (float64)))) (rhs (libcall :libfunc ones
    (arraytype :layout rowmajor :ndims 1 (float64)) (args (name :id 0 (int64))))))
  (returnstmt (exprs (libcall :libfunc sum (float64) (args (name :id 1 (arraytype :layout rowmajor :ndims 1 (float64))))))))
 (symtable (sym :id 0 :name n (int64)) (sym :id 1 :name a (arraytype :layout rowmajor :ndims 1 (float64)))))))
"""


def main(prefix, libdir):
    bad = []
    library = next(pathlib.Path(prefix, libdir).glob("libvelociraptor.so.*.*.*"))
    for file in (library, pathlib.Path(prefix, "bin", "vrir")):
        if any("glpk" in n for n in Elf(file).needed):
            bad.append(f"{file} links GLPK")
        if b"glp_" in pathlib.Path(file).read_bytes():
            bad.append(f"{file} holds names of GLPK")
    plugin = pathlib.Path(prefix, libdir, "velociraptor", "libvr_solver_glpk.so")
    with tempfile.TemporaryDirectory() as t:
        copy = pathlib.Path(t, "prefix")
        shutil.copytree(prefix, copy, symlinks=True)
        program = pathlib.Path(t, "p.vrir")
        program.write_text(PROGRAM)

        def vrir(*args):
            done = subprocess.run([copy / "bin" / "vrir", *args], capture_output=True, text=True, env={"VR_CACHE_DIR": "", "PATH": "/usr/bin:/bin"})
            return done.returncode, done.stdout + done.stderr

        def solver():
            code, text = vrir("--version")
            lines = [line for line in text.splitlines() if line.startswith("solver: ")]
            return lines[0] if code == 0 and len(lines) == 1 else f"no line about it: {text}"

        moved = copy / libdir / "velociraptor" / plugin.name
        if plugin.exists():
            if not (solver().startswith("solver: GLPK ") and str(moved) in solver().replace("/bin/../", "/")):
                bad.append(f"the installed plug-in is found: {solver()}")
            moved.write_bytes(b"no library")
            if "none:" not in solver():
                bad.append(f"a file that is no library: {solver()}")
            if vrir("run", str(program), "--regions", "sync", "--args", "5")[0] != 0:
                bad.append("with a plug-in that cannot be loaded programs do not run")
            moved.unlink()
        if "none is installed" not in solver():
            bad.append(f"without the plug-in: {solver()}")
        code, text = vrir("run", str(program), "--args", "5")
        if code != 0 or "5" not in text:
            bad.append(f"without the plug-in programs run: {text}")
    print("\n".join(bad) or "the library works with and without its solver")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) if len(sys.argv) == 3 else (print(__doc__), 2)[1])
