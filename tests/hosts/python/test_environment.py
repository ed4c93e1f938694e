"""Environment variables in a host: at most one warning, no code of other users, no writable code pages."""
import os
import stat
import subprocess
import sys
import tempfile

import pytest

PROGRAM = """
import pyraptor
def f(x):
    return x + {number}
for level in (0, 1, 2):
    pyraptor.config.opt_level, pyraptor.config.tiered = level, False
    print(pyraptor.jit(f)(1.0))
{after}
"""


def run(after="", number=1234.5, before="", **env):
    base = {k: v for k, v in os.environ.items() if not k.startswith("VR_")}
    with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
        file.write(before + PROGRAM.format(after=after, number=number))
        file.flush()
        done = subprocess.run([sys.executable, file.name], capture_output=True, text=True, timeout=120,
                              env={**base, "VR_CACHE_DIR": "", **{k: str(v) for k, v in env.items()}})
    assert done.returncode == 0, done.stderr
    return done.stdout.split(), done.stderr


@pytest.mark.parametrize("env, says", [
    ({"VR_NUM_THREADS": "abc"}, "VR_NUM_THREADS='abc'"), ({"VR_NUM_THREADS": "99999999999999"}, "0 to 4096"),
    ({"VR_SKIP": "nosuch"}, "no pass 'nosuch'"), ({"VR_CACHE_BYTES": "1e3"}, "VR_CACHE_BYTES='1e3'"), ({"VR_NOSUCH": "1"}, "VR_NOSUCH"),
    ({"VR_CACHE_DIR": "relative"}, "absolute"), ({"VR_CACHE_DIR": "/proc/none/x"}, "cannot be created"), ({"VR_QUEUES": "x", "VR_SKIP": "y"}, "VR_QUEUES")])
def test_a_bad_setting_is_one_warning_and_is_left_out(env, says):
    out, err = run(**env)
    assert out == ["1235.5"] * 3
    assert err.count("velociraptor: warning:") == 1 and err.count("\n") == 1 and says in err, err


def test_good_settings_are_silent():
    assert run(VR_NUM_THREADS="2", VR_SKIP="simplify", VR_QUEUES="3") == (["1235.5"] * 3, "")


def one_more(x):
    return x + 1.0


def test_too_many_threads_are_an_error():
    import pyraptor
    before = pyraptor.config.threads
    try:
        pyraptor.config.threads = 5000
        with pytest.raises(Exception, match="5000 threads are more than 4096"):
            pyraptor.jit(one_more)(1.0)
    finally:
        pyraptor.config.threads = before


def test_the_cache_is_this_users_alone(tmp_path):
    cache = tmp_path / "cache"
    assert run(before="import os; os.umask(0)\n", number=7.0, VR_CACHE_DIR=cache) == (["8.0"] * 3, "")
    files = list(cache.iterdir())
    assert files and stat.S_IMODE(cache.stat().st_mode) == 0o700 and all(stat.S_IMODE(f.stat().st_mode) == 0o600 for f in files)
    # Now others may write it: nothing is read or stored, one warning.
    os.chmod(cache, 0o777)
    before = sorted((f.name, f.stat().st_mtime_ns) for f in files)
    out, err = run(number=8.0, VR_CACHE_DIR=cache)
    assert out == ["9.0"] * 3 and err.count("warning:") == 1 and "others may write it" in err, err
    assert sorted((f.name, f.stat().st_mtime_ns) for f in cache.iterdir()) == before


def test_no_page_is_written_and_executed():
    out, _ = run("print([l for l in open('/proc/self/maps') if l.split()[1].startswith('rwx')])")
    assert out[3:] == ["[]"]


def test_info_shows_the_settings():
    base = {k: v for k, v in os.environ.items() if not k.startswith("VR_")}
    text = subprocess.run([sys.executable, "-m", "pyraptor", "info"], env={**base, "VR_CACHE_DIR": "", "VR_NUM_THREADS": "2"}, check=True,
                          capture_output=True, text=True).stdout
    # Columns are as wide as the longest name, so spaces are ignored.
    lines = {" ".join(line.split()) for line in text.splitlines()}
    assert {"VR_NUM_THREADS = '2'", "VR_CACHE_DIR = ''"} <= lines, text


def test_the_front_end_comes_with_the_first_compilation():
    text = ("import sys, pyraptor\n"
            "print('pyraptor._function' in sys.modules, 'pyraptor._statements' in sys.modules)")
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.split() == ["False", "False"]


SECTION = """
import numpy as np, pyraptor
from pyraptor import prange
@pyraptor.jit(gpu=True)
def f(x):
    out = np.zeros(len(x))
    for i in prange(len(x)):
        out[i] = 2 * x[i]
    return out
try:
    assert (f(np.arange(9.0)) == 2 * np.arange(9.0)).all()
    with pyraptor.on_device(np.ones(3)):
        pass
    r = f.report()[0]
    print(r["target"], repr(r["device"]), r["not_where_asked"][:1])
except pyraptor.CompileError as e:
    print("refused:", e)
"""


def test_sections_run_on_the_cpu_without_a_device(tmp_path):
    # The loader looks for drivers in the folder that OCL_ICD_VENDORS names.
    file = tmp_path / "program.py"
    file.write_text(SECTION)
    base = {k: v for k, v in os.environ.items() if not k.startswith("VR_")}

    def said(**env):
        return subprocess.run([sys.executable, str(file)], capture_output=True, text=True, timeout=120, check=True,
                              env={**base, "VR_CACHE_DIR": "", "OCL_ICD_VENDORS": str(tmp_path), **env}).stdout
    assert said().startswith("cpu-par '' ['accelerated sections run on the CPU: no OpenCL device on this machine")
    # A device that is named explicitly must exist.
    assert said(VR_DEVICE="nosuch").startswith("refused: no OpenCL device on this machine")
