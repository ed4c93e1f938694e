"""A Python process for scripts/soak.sh: functions are compiled, called with changing shapes, released, and used in forked and spawned children; NumPy
is the oracle. soak.py SECONDS: prints a line per minute; exit status 1 if a result is wrong or memory use keeps growing."""
import gc
import linecache
import multiprocessing
import os
import random
import sys
import threading
import time

import numpy as np

import pyraptor
from pyraptor import jit, prange


@jit
def kept(x, y):
    total = 0.0
    for i in prange(x.shape[0]):
        total += x[i] * y[i]
    return total


def make(k):
    """A new function each time: compiled, called, released."""
    scope = {"np": np, "prange": prange}
    text = f"def f{k}(x, n):\n    for i in range(n):\n        x = x * 0.5 + {k % 97}.0\n    return x\n"
    exec(compile(text, f"soak-{k}", "exec"), scope)
    linecache.cache[f"soak-{k}"] = (len(text), None, text.splitlines(True), f"soak-{k}")
    return jit(scope[f"f{k}"]), scope[f"f{k}"]


def child(n):
    x = np.arange(float(n))
    return float(kept(x, x)) == float((x * x).sum())


def rss():
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * os.sysconf("SC_PAGESIZE") / 2**20


def main(seconds):
    pyraptor.config.threads = 2
    begin, minute, k = time.time(), 0, 0
    wrong, samples, lock = [], [], threading.Lock()
    rng = random.Random(3)

    def call(n):
        x, y = np.full(n, 2.0), np.arange(float(n))
        if kept(x, y) != 2.0 * y.sum():
            with lock:
                wrong.append(f"kept({n})")

    while time.time() - begin < seconds:
        k += 1
        threads = [threading.Thread(target=call, args=(rng.randrange(0, 500),)) for _ in range(3)]
        for t in threads:
            t.start()
        try:
            f, python = make(k)
        except Exception as e:
            wrong.append(f"make({k}): {e!r}")
            break
        x = np.arange(float(rng.randrange(1, 50)))
        if not np.array_equal(f(x, 3), python(x, 3)):
            wrong.append(f"function {k}")
        try:
            f(x, "no number")
            wrong.append("a text passes for a number")
        except TypeError:
            pass
        del linecache.cache[f"soak-{k}"]  # the source was read at the first call
        for t in threads:
            t.join()
        if k % 200 == 0:
            with multiprocessing.get_context("fork").Pool(2) as pool:
                if pool.map_async(child, [10, 20]).get(timeout=120) != [True, True]:
                    wrong.append("forked children")
        if time.time() - begin > minute * 60:
            minute += 1
            gc.collect()
            samples.append(rss())
            print(f"python {(time.time() - begin) / 60:5.1f} min: RSS {samples[-1]:.1f} MiB, {k} functions, {len(wrong)} mismatches",
                  flush=True)
    half = np.array(samples[len(samples) // 2:])
    growth = 0.0 if len(half) < 3 else np.polyfit(np.arange(len(half)), half, 1)[0] * (len(half) - 1) / half.mean() * 100
    for w in wrong[:10]:
        print("MISMATCH", w)
    print(f"python soak: {k} functions, {len(wrong)} mismatches, RSS of the last half {growth:+.2f} %")
    return 1 if wrong or growth > 1 else 0


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1])))
