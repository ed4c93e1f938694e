"""Forked and spawned processes after OpenCL was used, small stacks, calls that take long or never end."""
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import pyraptor
from pyraptor import config, jit, prange

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")


@jit(gpu=True)
def squares(a):
    for i in prange(len(a)):
        a[i] = i * i
    return a


@jit
def triple(a):
    return a * 3.0


def plus_one(a):
    return a + 1.0


@jit
def depth(n):
    if n <= 0:
        return 0
    return 1 + depth(n - 1)


def has_device():
    from pyraptor._jit import engine_for
    try:
        return bool(engine_for("opencl").device_name())
    except RuntimeError:
        return False


def run_section(n):
    try:
        return squares(np.zeros(n)).tolist()
    except RuntimeError as e:
        return f"{type(e).__name__}: {e}"


def run_on_device(n):
    try:
        with pyraptor.on_device(np.zeros(n)):
            return "entered"
    except RuntimeError as e:
        return f"{type(e).__name__}: {e}"


def run_cpu(n):
    return triple(np.ones(n)).tolist()


@needs_fork
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_opencl_in_a_forked_child_is_an_error():
    if not has_device():
        pytest.skip("no OpenCL device")
    assert run_section(4) == [0, 1, 4, 9]
    assert run_cpu(2) == [3, 3]
    with multiprocessing.get_context("fork").Pool(1) as pool:
        for job in (run_section, run_on_device, run_section):
            told = pool.map_async(job, [4]).get(timeout=60)[0]
            assert told.startswith("RuntimeError") and "forked" in told and "spawn" in told, told
        # Everything else works, including compilation in the child.
        assert pool.map_async(run_cpu, [2, 3]).get(timeout=60) == [[3, 3], [3, 3, 3]]
    assert run_section(3) == [0, 1, 4]


def test_a_spawned_child_uses_the_device():
    if not has_device():
        pytest.skip("no OpenCL device")
    assert run_section(3) == [0, 1, 4]
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map_async(run_section, [4]).get(timeout=120) == [[0, 1, 4, 9]]


FIRST_IN_THE_CHILD = """
import multiprocessing, sys
sys.path.insert(0, {folder!r})
import test_processes as t
if __name__ == "__main__":
    with multiprocessing.get_context("fork").Pool(1) as pool:
        print(pool.map_async(t.run_section, [4]).get(timeout=60))
    print(t.run_section(3))
"""


@needs_fork
def test_a_child_forked_before_opencl_was_used_uses_it():
    if not has_device():
        pytest.skip("no OpenCL device")
    text = FIRST_IN_THE_CHILD.format(folder=os.path.dirname(__file__))
    out = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=120)
    assert out.stdout.splitlines() == ["[[0.0, 1.0, 4.0, 9.0]]", "[0.0, 1.0, 4.0]"], out.stderr


@needs_fork
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_fork_while_another_thread_compiles():
    """No lock of PyRaptor is held in the child, whatever the parent's threads were doing."""
    stop = threading.Event()

    def compile_all_the_time():
        while not stop.is_set():
            jit(plus_one)(np.ones(2))
            triple.compile(np.ones(2))

    threads = [threading.Thread(target=compile_all_the_time) for _ in range(2)]
    for t in threads:
        t.start()
    try:
        for _ in range(10):
            pid = os.fork()
            if pid == 0:
                signal.alarm(60)
                try:
                    ok = run_cpu(2) == [3, 3] and jit(plus_one)(np.ones(2)).tolist() == [2, 2]
                finally:
                    os._exit(0 if ok else 1)
            assert os.waitpid(pid, 0)[1] == 0
    finally:
        stop.set()
        for t in threads:
            t.join()


# ---- stacks
@pytest.mark.parametrize("kib", [64, 128, 256, 512, 1024, 8192])
def test_recursion_ends_on_threads_of_any_size(kib):
    depth(3)  # compiled here, where the stack is large enough for Python's compiler
    seen = []

    def body():
        seen.append(depth(20))
        for n in (10**9, 10**5):
            try:
                seen.append(depth(n))
            except RecursionError:
                seen.append("RecursionError")

    before = threading.stack_size(kib * 1024)
    try:
        thread = threading.Thread(target=body)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(before)
    assert seen[:2] == [20, "RecursionError"] and seen[2] in ("RecursionError", 10**5)


def test_compiling_on_a_small_thread():
    seen = []

    def body():
        seen.append(jit(plus_one)(np.ones(2)).tolist())

    before = threading.stack_size(256 * 1024)
    try:
        thread = threading.Thread(target=body)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(before)
    assert seen == [[2, 2]]


# ---- calls that take long or never end (docs/python.md, "Stopping a call")
ENDLESS = """
import sys
from pyraptor import jit

@jit
def endless(x):
    while x > 0:
        x = x * 1.0
    return x

endless(-1.0)
print("begins", flush=True)
endless(1.0)
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_an_endless_call_ends_with_the_process(number, tmp_path):
    script = tmp_path / "endless.py"
    script.write_text(ENDLESS)
    process = subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "begins\n"
    time.sleep(0.5)  # from the line that it prints into the native code
    process.send_signal(number)
    assert process.wait(timeout=60) == -number


def endless_child(x):
    @jit
    def endless(y):
        while y > 0:
            y = y * 1.0
        return y
    return endless(x)


def test_an_endless_call_in_a_child_process_is_stopped():
    process = multiprocessing.get_context("spawn").Process(target=endless_child, args=(1.0,))
    process.start()
    time.sleep(1.5)
    assert process.is_alive()
    process.terminate()
    process.join(60)
    assert process.exitcode == -signal.SIGTERM


def test_other_threads_run_during_a_long_call():
    @jit
    def spin(n):
        x = 1.0
        for i in range(n):
            x = x * 0.999999 + 1e-6 / (x + 1.0)
        return x

    spin(1)
    thread = threading.Thread(target=spin, args=(10**8,))
    thread.start()
    ticks = 0
    while thread.is_alive() and ticks < 20:
        time.sleep(0.005)
        ticks += 1
    assert ticks > 1
    thread.join()
