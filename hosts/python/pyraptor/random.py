"""Counter-based random numbers, for compiled code (including parallel loops and devices) and for plain Python.

A number is a function of a key and a counter. It is the same on every machine, target and number of threads, in any order of calls. There is no
state: a program derives the key from a seed, and uses for instance iteration numbers as counters. Numbers with different keys, counters or functions
are independent. Key and counter are integers, taken modulo 2**64; arguments may also be arrays, which broadcast. docs/vrir-library.md, "Random
numbers", defines the numbers (functions random_bits, random_uniform ...).

    @pyraptor.jit(parallel=True)
    def estimate(seed, n):
        inside = 0
        for i in pyraptor.prange(n):
            x = pyraptor.random.uniform(seed, 2 * i)
            y = pyraptor.random.uniform(seed, 2 * i + 1)
            inside += x * x + y * y < 1
        return 4 * inside / n

The functions of np.random and NumPy's generators are also compiled, outside of parallel loops: docs/python.md, "Random numbers".
"""
from __future__ import annotations

import functools

from ._jit import jit

__all__ = ["bits", "uniform", "integer", "normal", "exponential", "gamma", "permutation"]


def bits(key, counter):
    """64 random bits, as a uint64."""
    return _compiled("bits")(key, counter)


def uniform(key, counter):
    """A uniformly distributed multiple of 2**-53 in [0, 1)."""
    return _compiled("uniform")(key, counter)


def integer(key, counter, count):
    """A uniformly distributed integer (int64) in [0, count). ValueError if count is below 1."""
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


# The compiler handles calls of the functions above (_numpy_random.py). The functions below serve calls from plain Python.
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
