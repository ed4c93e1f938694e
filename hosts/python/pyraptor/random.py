"""Random numbers of counter-based streams, for compiled code (parallel loops and devices included) and for plain Python.

A number is a function of a key and a counter: the same on every machine, target and number of threads, in any order of calls. There is
no state: a program takes the key from a seed and counts, for instance with the numbers of its iterations. Numbers of different keys,
counters or functions are independent. Key and counter are integers, taken modulo 2**64; arguments may also be arrays, which broadcast.
docs/vrir-library.md, "Random numbers", defines the numbers (functions random_bits, random_uniform ...).

    @pyraptor.jit(parallel=True)
    def estimate(seed, n):
        inside = 0
        for i in pyraptor.prange(n):
            x = pyraptor.random.uniform(seed, 2 * i)
            y = pyraptor.random.uniform(seed, 2 * i + 1)
            inside += x * x + y * y < 1
        return 4 * inside / n

The functions of np.random and NumPy's generators are compiled as well, outside of parallel loops: docs/python.md, "Random numbers".
"""
from __future__ import annotations

import functools

from ._jit import jit

__all__ = ["bits", "uniform", "integer", "normal", "exponential", "gamma", "permutation"]


def bits(key, counter):
    """64 random bits, as a uint64."""
    return _compiled("bits")(key, counter)


def uniform(key, counter):
    """A multiple of 2**-53 in [0, 1), each equally likely."""
    return _compiled("uniform")(key, counter)


def integer(key, counter, count):
    """A whole number (int64) in [0, count), each equally likely. ValueError for a count below 1."""
    return _compiled("integer")(key, counter, count)


def normal(key, counter):
    """Normally distributed: mean 0, variance 1."""
    return _compiled("normal")(key, counter)


def exponential(key, counter):
    """Exponentially distributed: mean 1."""
    return _compiled("exponential")(key, counter)


def gamma(key, counter, shape):
    """Gamma distributed, scale 1. 0 for shape 0, inf for shape inf, NaN for other shapes that are not positive."""
    return _compiled("gamma")(key, counter, shape)


def permutation(key, n):
    """The numbers 0 to n - 1 in random order, as an int64 array. ValueError for n below 0."""
    return _compiled("permutation")(key, n)


# In compiled code the functions above are known to the compiler (_numpy_random.py); these are what plain Python calls.
def _bits(key, counter):
    return bits(key, counter)


def _uniform(key, counter):
    return uniform(key, counter)


def _integer(key, counter, count):
    return integer(key, counter, count)


def _normal(key, counter):
    return normal(key, counter)


def _exponential(key, counter):
    return exponential(key, counter)


def _gamma(key, counter, shape):
    return gamma(key, counter, shape)


def _permutation(key, n):
    return permutation(key, n)


@functools.lru_cache(maxsize=None)
def _compiled(name):
    return jit(globals()[f"_{name}"])
