#!/usr/bin/env python3
"""Tries ways in which other users could get their code run by this user; none may work.

    doors_test.py VRIR PROGRAM CC [PYTHON PYRAPTOR_FOLDER]

Some parts need root to act as another user, `nobody` (changing the owner of files, a process of another user, set-uid); without root they are skipped
with a message.
"""
import hashlib
import os
import pathlib
import shutil
import stat
import struct
import subprocess
import sys
import tempfile

NOBODY = 65534
ROOT = os.geteuid() == 0
HONEST, FORGED = "1235.5", "667."


class Doors:
    def __init__(self, vrir, program, cc, python=None, pyraptor=None):
        self.vrir, self.cc, self.python, self.pyraptor = map(lambda p: p and os.path.abspath(p), (vrir, shutil.which(cc), python, pyraptor))
        self.python = python and os.path.join(os.path.abspath(os.path.dirname(python)), os.path.basename(python))
        self.failed = []
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="vr-doors-"))
        os.chmod(self.folder, 0o755)
        self.program = self.folder / "program.vrir"
        shutil.copy(program, self.program)
        os.chmod(self.program, 0o644)

    def expect(self, good, what, *about):
        if not good:
            self.failed.append(what + "".join(f"\n    {a}" for a in about))

    def run(self, args=None, user=None, cwd=None, timeout=60, **env):
        """(the program's standard output, its status, its standard error)"""
        base = {k: v for k, v in os.environ.items() if not k.startswith(("VR_", "XDG_", "HOME"))}
        base.update({k: str(v) for k, v in env.items()})

        def become():
            os.umask(0)
            if user is not None:
                os.setgroups([])
                os.setgid(user)
                os.setuid(user)
        command = args or [self.vrir, "run", str(self.program), "--on", "cpu", "--args", "1"]
        try:
            done = subprocess.run(command, env=base, cwd=cwd or self.folder, capture_output=True, text=True, timeout=timeout, preexec_fn=become)
        except subprocess.TimeoutExpired:
            return "hangs", None, ""
        return done.stdout.strip().split(" ")[-1], done.returncode, done.stderr

    def value(self, **kw):
        return self.run(**kw)[0]

    def fresh_cache(self, name, user=None):
        """Makes a cache directory with one entry of the program; returns the entry's path."""
        cache = self.folder / name
        if user is not None:
            parent = self.folder / f"of-{user}-{name}"
            parent.mkdir()
            os.chown(parent, user, user)
            cache = parent / name
        out = self.run(VR_CACHE_DIR=cache, user=user)
        self.expect(out[:2] == (HONEST, 0), f"{name}: the program runs", out)
        entries = list(cache.iterdir())
        self.expect(len(entries) == 1, f"{name}: one entry is kept", entries)
        self.expect(stat.S_IMODE(cache.stat().st_mode) == 0o700, f"{name}: the directory is 0700 whatever umask says", oct(cache.stat().st_mode))
        self.expect(stat.S_IMODE(entries[0].stat().st_mode) == 0o600, f"{name}: entries are 0600", oct(entries[0].stat().st_mode))
        return entries[0]

    def forge(self, entry):
        """Changes a constant in the machine code, with a valid checksum. Writes a new file, since the file in the cache is hard-linked."""
        text = entry.read_bytes()
        body = text[:-32]
        self.expect(hashlib.sha512(body).digest()[:32] == text[-32:], "the check sum is the first half of SHA-512")
        evil = body.replace(struct.pack("<d", 1234.5), struct.pack("<d", 666.0))
        self.expect(evil != body, "the constant lies in the entry")
        mode = stat.S_IMODE(entry.stat().st_mode)
        os.remove(entry)
        entry.write_bytes(evil + hashlib.sha512(evil).digest()[:32])
        os.chmod(entry, mode)

    # ---- the attacks, one function each
    def hostile_current_directory(self):
        """Libraries with the names of those that ours load, in the current directory of the program."""
        here = self.folder / "hostile"
        here.mkdir()
        (here / "evil.c").write_text('#include <unistd.h>\n__attribute__((constructor)) static void go(void) { _exit(42); }\n')
        subprocess.run([self.cc, "-shared", "-fPIC", "-o", here / "evil.so", here / "evil.c"], check=True)
        ours = [self.vrir] + ([str(p) for p in pathlib.Path(self.pyraptor, "pyraptor").glob("_native*.so")] if self.pyraptor else [])
        names = {line.split()[0] for f in ours for line in subprocess.run(["ldd", f], capture_output=True, text=True).stdout.splitlines() if line.strip()}
        names = {n for n in names if n.startswith("lib")} | {"libvr_solver_glpk.so", "libglpk.so.40"}
        for n in names:
            shutil.copy(here / "evil.so", here / n)
        (here / "velociraptor").mkdir()
        shutil.copy(here / "evil.so", here / "velociraptor" / "libvr_solver_glpk.so")
        out = self.run([self.vrir, "--version"], cwd=here)
        self.expect(out[1] == 0, "vrir in a folder with libraries of other people", out)
        out = self.run(cwd=here, VR_CACHE_DIR="")
        self.expect(out[0] == HONEST, "vrir run in a folder with libraries of other people", out)
        if self.pyraptor:
            code = "import sys; sys.path.remove(''); import pyraptor; print(pyraptor.__version__)"
            out = self.run([self.python, "-c", code], cwd=here, PYTHONPATH=self.pyraptor, VR_CACHE_DIR="")
            self.expect(out[1] == 0, "import pyraptor in a folder with libraries of other people", out)
        # The test itself: the trap works if the folder is searched.
        out = self.run([self.vrir, "--version"], cwd=here, LD_LIBRARY_PATH=here)
        self.expect(out[1] not in (0, None), "the trap works", out)

    def entries_that_are_wrong(self):
        entry = self.fresh_cache("wrong")
        cache, good = entry.parent, entry.read_bytes()

        def refused(what, said):
            out = self.run(VR_CACHE_DIR=cache)
            self.expect(out[0] == HONEST, f"{what}: compiled instead", out)
            self.expect(out[2].count("warning:") == 1 and said in out[2], f"{what}: one warning says why", out)

        self.forge(entry)
        self.expect(self.value(VR_CACHE_DIR=cache) == FORGED, "entries are used at all: a forged one of our own is")
        entry.write_bytes(good[:-1] + bytes([good[-1] ^ 1]))
        refused("corrupted", "is damaged")
        for cut in (len(good) // 2, 9):
            entry.write_bytes(good[:cut])
            refused(f"cut to {cut}", "is damaged")
        entry.write_bytes(b"")
        self.expect(self.value(VR_CACHE_DIR=cache) == HONEST, "empty: compiled instead")
        os.remove(entry)
        os.mkfifo(entry)
        refused("a FIFO", "not a regular file")  # a FIFO in place of the file
        self.expect(stat.S_ISREG(os.lstat(entry).st_mode), "a FIFO is replaced by an entry")
        self.forge(entry)
        moved = self.folder / "elsewhere"
        os.rename(entry, moved)
        os.symlink(moved, entry)
        refused("a link", "symbolic link")
        self.expect(stat.S_ISREG(os.lstat(entry).st_mode), "a link is replaced by an entry")
        for mode in (0o620, 0o602, 0o666):
            self.forge(entry)
            os.chmod(entry, mode)
            refused(f"mode {mode:o}", "others may write it")
            self.expect(stat.S_IMODE(entry.stat().st_mode) == 0o600, f"mode {mode:o}: replaced by an entry of 0600")
        os.remove(entry)
        entry.mkdir()
        refused("a folder", "not a regular file")

    def folders_that_are_wrong(self):
        entry = self.fresh_cache("open")
        self.forge(entry)
        for mode in (0o770, 0o702, 0o777, 0o1777):
            os.chmod(entry.parent, mode)
            out = self.run(VR_CACHE_DIR=entry.parent)
            self.expect(out[1] == 2 and "others may write it" in out[2] and out[2].count("\n") == 1, f"folder {mode:o}: an error of the tool", out)
        # The directory is not named by the user: one warning, and nothing is read or stored.
        home = self.folder / "home"
        cache = home / ".cache" / "velociraptor"
        cache.parent.mkdir(parents=True)
        shutil.copytree(entry.parent, cache)
        os.chmod(cache, 0o777)
        out = self.run(HOME=home)
        self.expect(out[:2] == (HONEST, 0) and out[2].count("warning:") == 1, "~/.cache that others may write", out)
        os.chmod(cache, 0o700)
        self.expect(self.value(HOME=home) == FORGED, "~/.cache of our own is used")
        os.chmod(home, 0o777)
        out = self.run(HOME=home)
        self.expect(out[:2] == (HONEST, 0) and str(home) + ": others may write" in out[2], "a home that others may write", out)
        for bad in ("relative/cache", "."):
            out = self.run(VR_CACHE_DIR=bad)
            self.expect(out[1] == 2 and "not an absolute path" in out[2], f"VR_CACHE_DIR={bad}", out)
        self.expect(not (self.folder / "relative").exists(), "no relative folder is made")
        out = self.run(HOME="/nonexistent/home", user=NOBODY if ROOT else None)
        self.expect(out == (out[0], 0, ""), "no home, no cache, no complaint", out)

    def other_users(self):
        entry = self.fresh_cache("given")
        self.forge(entry)
        cache = entry.parent
        os.chown(entry, NOBODY, NOBODY)
        out = self.run(VR_CACHE_DIR=cache)
        self.expect(out[0] == HONEST and "belongs to user 65534" in out[2], "an entry of another user", out)
        self.forge(entry)
        os.chown(cache, NOBODY, NOBODY)
        out = self.run(VR_CACHE_DIR=cache)
        self.expect(out[1] == 2 and "belongs to user 65534" in out[2], "a folder of another user", out)
        # sudo that keeps HOME
        home = self.folder / "nobodys-home"
        (home / ".cache").mkdir(parents=True)
        shutil.copytree(cache, home / ".cache" / "velociraptor")
        for f in [home, *home.rglob("*")]:
            os.chown(f, NOBODY, NOBODY)
        self.expect(self.value(HOME=home, user=NOBODY) == FORGED, "the home's owner uses what is there")
        out = self.run(HOME=home)
        self.expect(out[0] == HONEST and "belongs to user 65534" in out[2], "root with another user's HOME", out)
        # That user's own process trusts files of root and its own, but not of a third user.
        own = self.fresh_cache("own", user=NOBODY)
        self.forge(own)
        os.chown(own, NOBODY, NOBODY)
        self.expect(self.value(VR_CACHE_DIR=own.parent, user=NOBODY) == FORGED, "nobody's own entry is used by nobody")
        os.chown(own, 12345, 12345)
        os.chmod(own, 0o644)
        out = self.run(VR_CACHE_DIR=own.parent, user=NOBODY)
        self.expect(out[0] == HONEST and "belongs to user 12345" in out[2], "a third user's entry", out)
        warm = self.fresh_cache("warm")
        self.forge(warm)
        os.chmod(warm.parent, 0o755)
        os.chmod(warm, 0o644)
        out = self.run(VR_CACHE_DIR=warm.parent, user=NOBODY)
        self.expect(out == (FORGED, 0, ""), "a warm cache of root's, which nobody may only read, is used", out)
        self.expect(len(list(warm.parent.iterdir())) == 1, "and nothing is added")

    def set_uid(self):
        """A set-uid host must ignore its caller's environment."""
        program = self.folder / "set-uid"
        shutil.copy(self.vrir, program)
        os.chmod(program, 0o4755)
        with open("/proc/self/status") as f:
            bound = "NoNewPrivs:\t1" in f.read()
        if bound or os.statvfs(self.folder).f_flag & os.ST_NOSUID:
            print("left out: set-uid programs have no effect here")
            return
        trace, cache = self.folder / "sub" / "trace.json", self.folder / "set-uid-cache"
        trace.parent.mkdir()
        command = [program, "run", str(self.program), "--on", "cpu", "--args", "1"]
        out = self.run(command, user=NOBODY, VR_TRACE=trace, VR_CACHE_DIR=cache, HOME=self.folder / "set-uid-home")
        self.expect(out[0] == HONEST, "a set-uid host runs", out)
        self.expect(not trace.exists(), "a set-uid host writes no file that its caller names")
        self.expect(not cache.exists() and not (self.folder / "set-uid-home").exists(), "a set-uid host has no cache")
        os.chmod(program, 0o755)
        self.run(command, VR_TRACE=trace)
        self.expect(trace.exists(), "without the bit the variable counts")

    def everything(self):
        try:
            self.hostile_current_directory()
            self.entries_that_are_wrong()
            self.folders_that_are_wrong()
            if ROOT:
                self.other_users()
                self.set_uid()
            else:
                print("left out: what other users do (needs root)")
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)
        print("\n".join(self.failed) or "all doors are closed")
        return 1 if self.failed else 0


if __name__ == "__main__":
    if len(sys.argv) not in (4, 6):
        print(__doc__)
        sys.exit(2)
    sys.exit(Doors(*sys.argv[1:]).everything())
