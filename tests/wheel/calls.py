"""Twenty calls of compiled code, each compared with plain Python: whether an installed PyRaptor works.

    python calls.py [--before NAME] [--after NAME]   NAME (numba, jax) is imported and compiles something in the same process,
                                                     before PyRaptor is imported or after its calls, which are then repeated
    python calls.py --device yes|no                  whether sections must run on an OpenCL device; by default either is accepted
"""
import argparse
import math
import pickle
import sys

import numpy as np

x = np.linspace(-1.0, 2.0, 12)
a = np.arange(12.0).reshape(3, 4) + 1
square = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 2.0]])
z = x + 1j * x[::-1]


def total(v):
    s = 0.0
    for i in range(v.shape[0]):
        s += v[i] ** 2
    return s


def smooth(v):
    out = v.copy()
    out[1:-1] = (v[:-2] + v[2:]) / 2
    return out


def parallel(v):
    out = np.zeros(v.shape[0])
    for i in pyraptor.prange(v.shape[0]):
        out[i] = math.sin(v[i]) * 2.0
    return out


def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def safe(v, i):
    try:
        return v[i]
    except IndexError:
        return -1.0


def histogram(v):
    counts = {0: 0, 1: 0}
    for e in v:
        if e in counts:
            counts[e] += 1
    return counts[0], counts[1]


def products(m):
    return m @ m.T, m.sum(axis=0), m.T + 1, np.exp(m) / np.sqrt(m)


def solutions(m):
    return np.linalg.solve(m, m[0]), np.linalg.inv(m), np.linalg.lstsq(m, m[:, 0])[0]


def spectra(m):
    return np.linalg.svd(m)[1], np.linalg.eigvalsh(m), np.linalg.qr(m)[1]


def waves(v):
    return np.fft.fft(v), np.abs(v)


def orders(v):
    return np.sort(v)[::-1], np.cumsum(v), np.where(v > 0, v, -v)


CALLS = [(total, x), (total, np.arange(7)), (smooth, x), (smooth, a[:, 1]), (parallel, x), (parallel, x[::2]),
         (collatz, 27), (collatz, 1), (safe, x, 3), (safe, x, 99), (histogram, [1, 0, 1, 7]), (products, a),
         (products, np.asfortranarray(a)), (solutions, square), (solutions, square.T.copy()), (spectra, square),
         (spectra, square[:2, :2]), (waves, z), (orders, x), (orders, x[::-1])]


def numba_works():
    import numba

    @numba.njit(parallel=True)
    def f(v):
        s = 0.0
        for i in numba.prange(v.size):
            s += math.exp(v[i])
        return s
    assert math.isclose(f(x), float(np.exp(x).sum()))
    return "numba " + numba.__version__


def jax_works():
    import jax
    f = jax.jit(lambda v: (v * v).sum())
    assert math.isclose(float(f(x)), float((x * x).sum()), rel_tol=1e-5)
    return "jax " + jax.__version__


def same(p, q):
    if isinstance(p, tuple):
        return all(map(same, p, q))
    return np.allclose(np.abs(p), np.abs(q), rtol=1e-10)  # LAPACK may choose the signs of a factor's rows


def all_calls():
    for f, *args in CALLS:
        wanted, got = f(*args), pyraptor.jit(f)(*args)
        assert same(wanted, got), f"{args}: {wanted} and {got}"
    jitted = pyraptor.jit(total)
    assert pickle.loads(pickle.dumps(jitted))(x) == jitted(x)
    # compiled by LLVM, not run by the interpreter
    assert "define" in jitted.inspect("llvm", x)
    return len(CALLS)


def section(m, v):
    out = np.zeros(m.shape[0])
    for i in pyraptor.prange(m.shape[0]):
        for k in range(m.shape[1]):
            out[i] += m[i, k] * v[k]
    return out


def section_runs():
    """Whether sections run on a device."""
    m, v = np.random.default_rng(1).random((300, 200)), np.linspace(-1, 1, 200)
    before = pyraptor.device_use()["launches"]
    assert np.allclose(pyraptor.jit(section, gpu=True)(m, v), m @ v)
    return pyraptor.device_use()["launches"] > before


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--before", choices=["numba", "jax"])
    parser.add_argument("--after", choices=["numba", "jax"])
    parser.add_argument("--device", choices=["yes", "no"])
    options, said = parser.parse_args(), []
    if options.before:
        said.append(globals()[options.before + "_works"]() + " before")
    import pyraptor
    count, on_device = all_calls(), section_runs()
    if options.device:
        assert on_device == (options.device == "yes"), "a device" if on_device else "no device"
        said.append("a section on a device" if on_device else "a section without a device")
    if options.after:
        said.append(globals()[options.after + "_works"]() + " after")
        count += all_calls()
    if options.before:
        globals()[options.before + "_works"]()
    print(f"{count} calls of PyRaptor {pyraptor.__version__}, Python {sys.version.split()[0]}, NumPy {np.__version__}" +
          "".join(", " + s for s in said))
