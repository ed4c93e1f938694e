#!/usr/bin/env python3
"""An endless stream of random bits, for statistical test suites that read standard input.

    random_stream.py [--key K] [--across] [--of uniform] | dieharder -a -g 200
    random_stream.py | RNG_test stdin64

The stream consists of the 64-bit words random_bits(K, 0), random_bits(K, 1), ...; with --across of the first word of each key 0, 1, ...; with --of
uniform of the upper 32 bits of uniform numbers. docs/decisions/15-random-numbers-without-state.md lists the tests that were run. Needs PyRaptor.
"""
import argparse
import sys

import numpy as np

import pyraptor

BLOCK = 1 << 18


@pyraptor.jit
def words(key, first, n):
    return pyraptor.random.bits(key, np.arange(first, first + n))


@pyraptor.jit
def across(first, n):
    return pyraptor.random.bits(np.arange(first, first + n), 0)


@pyraptor.jit
def halves(key, first, n):
    return (pyraptor.random.uniform(key, np.arange(first, first + n)) * 4294967296.0).astype(np.uint32)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--key", type=int, default=0)
    parser.add_argument("--across", action="store_true")
    parser.add_argument("--of", choices=["bits", "uniform"], default="bits")
    parser.add_argument("--bytes", type=int, default=None, help="stop after so many bytes")
    o = parser.parse_args()
    first = written = 0
    try:
        while o.bytes is None or written < o.bytes:
            block = across(first, BLOCK) if o.across else words(o.key, first, BLOCK) if o.of == "bits" else halves(o.key, first, BLOCK)
            data = block.tobytes()
            if o.bytes is not None:
                data = data[:o.bytes - written]
            sys.stdout.buffer.write(data)
            first += BLOCK
            written += len(data)
    except BrokenPipeError:
        sys.stderr.close()


if __name__ == "__main__":
    main()
