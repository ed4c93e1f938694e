"""Signals while compiled code runs: their handlers run, and an exception that they raise ends the call."""
import os
import signal
import subprocess
import sys
import tempfile
import textwrap

import pytest

#: A script that hangs is killed by its own watchdog, ten seconds after the signal. Compilation happens before the signal, without a limit.
PRELUDE = """\
import faulthandler, os, signal, sys, threading, time
import numpy as np
import pyraptor
from pyraptor import gpu, jit, prange

pyraptor.config.disk_cache, pyraptor.config.tiered = False, TIERED

def signal_soon(number=signal.SIGINT, after=0.2, times=1):
    def send():
        faulthandler.dump_traceback_later(10, exit=True)
        for _ in range(times):
            time.sleep(after)
            os.kill(os.getpid(), number)
    threading.Thread(target=send, daemon=True).start()

@jit
def total(x):
    s = 0.0
    for i in range(len(x)):
        s += x[i]
    return s

def still_right():
    faulthandler.cancel_dump_traceback_later()
    assert total(np.arange(1000.0)) == 499500.0
    print("right")
"""


def script(text, tiered=False):
    program = PRELUDE.replace("TIERED", str(tiered)) + textwrap.dedent(text)
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path), VR_NUM_THREADS="2", VR_CACHE_DIR="")
    with tempfile.TemporaryDirectory() as folder:  # the compiler reads sources
        file = os.path.join(folder, "script.py")
        with open(file, "w") as out:
            out.write(program)
        done = subprocess.run([sys.executable, file], capture_output=True, text=True, env=environment, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


LOOPS = {
    "endless": """
        def f(x, n):
            s = 0.0
            while n > 0:
                s += x[0]
            return s
        """,
    "innermost": """
        def f(x, n):
            s = 0
            for i in range(n * 10**17):
                s ^= i
            return s
        """,
    "nest": """
        def f(x, n):
            for k in range(n * 10**17):
                for i in range(len(x)):
                    x[i] += 1.0
            return x
        """,
    "parallel": """
        def f(x, n):
            for i in prange(2):
                k = 0
                while i < n * i:
                    k += i
                    x[i] = k
            return x
        """,
    "recursive": """
        def f(x, n):
            return 0 if n == 0 else f(x, n) if n > 40 else g(n * 0 + 60)
        @jit
        def g(n):
            if n == 0:
                return 0
            return (g(n - 1) + g(n - 1)) % 7
        """,
    "arrays": """
        def f(x, n):
            while n > 0:
                y = np.cumsum(x[::2]) + x.sum()
                x = np.concatenate((y, y))[: len(x)] / 2
            return x
        """,
}


@pytest.mark.parametrize("name", list(LOOPS))
def test_keyboard_interrupt(name):
    text = textwrap.dedent(LOOPS[name])
    assert script(text + textwrap.dedent("""
        f = jit(f)
        x = np.ones(64)
        held = sys.getrefcount(x)
        signal_soon()
        try:
            f(x, 2)
            print("ended")
        except KeyboardInterrupt:
            print("interrupted")
        assert sys.getrefcount(x) == held
        still_right()
        """)) == ["interrupted", "right"]


def test_in_code_that_waits_for_better():
    assert script(textwrap.dedent(LOOPS["endless"]) + textwrap.dedent("""
        f = jit(f)
        signal_soon()
        try:
            f(np.ones(3), 2)
        except KeyboardInterrupt:
            print("interrupted")
        still_right()
        """), tiered=True) == ["interrupted", "right"]


def test_in_a_section():
    """Between launches; the results of kernels are copied back."""
    assert script("""
        @jit
        def f(x, n):
            with gpu():
                while n > 0:
                    for i in prange(len(x)):
                        x[i] = x[i] + 1
            return x

        x = np.zeros(100)
        f(x, 0)
        signal_soon(after=2)  # the kernel is built at its first launch
        try:
            f(x, 2)
        except KeyboardInterrupt:
            print("interrupted", x[0] > 1 and np.all(x == x[0]))
        still_right()
        """) == ["interrupted", "True", "right"]


def test_handlers_decide():
    """If a handler raises nothing, the code continues. Handlers may call compiled functions. Other signals work, too."""
    assert script(textwrap.dedent(LOOPS["endless"]) + textwrap.dedent("""
        f = jit(f)
        seen = []

        class Enough(Exception):
            pass

        def handler(number, frame):
            seen.append(float(total(np.ones(10))))
            if len(seen) == 3:
                raise Enough("three")

        signal.signal(signal.SIGUSR1, handler)
        signal_soon(signal.SIGUSR1, times=3)
        try:
            f(np.ones(3), 2)
        except Enough as e:
            print(e, seen)
        still_right()
        """)) == ["three", "[10.0,", "10.0,", "10.0]", "right"]


def test_other_threads_go_on():
    """Python runs handlers in its main thread; a call in another thread ends normally."""
    assert script("""
        @jit
        def count(n):
            k = 0
            while k < n:
                k += 1
            return k

        count(10)
        got = []
        other = threading.Thread(target=lambda: got.append(count(4 * 10**8)))
        other.start()
        signal_soon(after=0.05)
        try:
            while True:
                count(10**9)
        except KeyboardInterrupt:
            print("interrupted")
        other.join()
        print(got == [4 * 10**8])
        still_right()
        """) == ["interrupted", "True", "right"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_after_fork():
    assert script(textwrap.dedent(LOOPS["endless"]) + textwrap.dedent("""
        f = jit(f)
        total(np.ones(3))
        child = os.fork()
        if child == 0:
            signal_soon()
            try:
                f(np.ones(3), 2)
            except KeyboardInterrupt:
                os._exit(7)
            os._exit(1)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        still_right()
        """)) == ["7", "right"]
