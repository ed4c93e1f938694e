"""Computed subscripts: the sign that the compiler infers must be right, or an element counted from the end would be confused with one out of bounds.
All short expressions over numbers with known and unknown sign; plain Python is the oracle."""
import itertools

import numpy as np
import pytest

import pyraptor
from conftest import NUMPY_1, compare, function
from pyraptor import _jit

SIZE, AT_ONCE = 40, 50
# i and m can be negative, j and k cannot; n is an argument, and negative.
LOOPS = {"i": range(-3, 4), "m": range(-2, 2), "j": range(1, 4), "k": range(0, 3)}
PARTS = ["i", "m", "j", "k", "n", "2", "-3", "(i + 3)", "(m - 1)", "len(x)"]
OPERATORS = ["{} + {}", "{} - {}", "{} * {}", "{} & {}", "{} | {}", "{} ^ {}", "{} // {}", "{} % {}", "min({}, {})", "max({}, {})",
             "abs({}) - {}", "-{} + {}", "{} >> abs({})", "int(np.sign({})) * {}"]
N = -2


def expressions():
    """The expressions that are in bounds for all values of the loop variables; by the loops that they need."""
    by_loops = {}
    for form, a, b, more in itertools.product(OPERATORS, PARTS, PARTS, ("", " - 4", " + 9")):
        text = form.format(a, b)
        text = f"({text}){more}" if more else text
        loops = tuple(v for v in LOOPS if v in (a + b).replace("len(x)", "").replace("min", ""))
        if not loops or "len(x)" in (a, b) and more:
            continue
        code = compile(text, "<subscript>", "eval")
        names = {"abs": abs, "np": np, "min": min, "max": max, "int": int, "len": len, "x": range(SIZE), "n": N}
        try:
            values = [eval(code, names, dict(zip(loops, at))) for at in itertools.product(*(LOOPS[v] for v in loops))]
        except (ZeroDivisionError, ValueError):
            continue
        if all(-SIZE <= v < SIZE for v in values) and min(values) < 0:
            by_loops.setdefault(loops, []).append(text)
    return by_loops


def programs():
    for loops, texts in expressions().items():
        for start in range(0, len(texts), AT_ONCE):
            some = texts[start:start + AT_ONCE]
            lines, depth = [f"r = np.zeros({len(some)})"], 0
            for v in loops:
                r = LOOPS[v]
                lines.append("    " * depth + f"for {v} in range({r.start}, {r.stop}):")
                depth += 1
            weight = " + ".join(f"{w} * {v}" for w, v in zip((1, 10), loops)) + " + 50"
            lines += ["    " * depth + f"r[{k}] += x[{text}] * ({weight})" for k, text in enumerate(some)]
            yield "\n".join([*lines, "return r"]), some


def test_elements_from_the_end(monkeypatch):
    # Only the front end is tested: the interpreter runs its output, without compiling.
    make = _jit.engine_for
    monkeypatch.setattr(_jit, "engine_for", lambda target: make("interp"))
    x, wrong, count = np.arange(SIZE) + 1.0, [], 0
    for body, texts in programs():
        f = function("x, n", body)
        count += len(texts)
        try:
            got = pyraptor.jit(f)(x, N)
        except IndexError as e:
            wrong.append(f"{e!r} in one of {texts}")
            continue
        wrong += [t for t, a, b in zip(texts, f(x, N), got) if a != b]
    assert not wrong, "\n".join(wrong)
    assert count > 1000


def test_elements_from_the_end_natively():
    for body, _ in itertools.islice(programs(), 0, None, 8):
        compare(function("x, n", body), np.arange(SIZE) + 1.0, N)


@pytest.mark.parametrize("text", ["2**62 * 2", "(1 << 62) * 2", "2**62 + 2**62", "-(2**62) * 2 - 1", "2**63", "(2**62 - 1) * 2 + 2", "-(2**63) - 1"])
def test_numbers_past_the_ends_of_int64(text):
    f = pyraptor.jit(function("x", f"x + ({text})"))
    with pytest.raises(pyraptor.UnsupportedError, match="64 bits"):
        f(1)
    for x in (1.5, np.ones(2)):
        compare(f, x)


@pytest.mark.parametrize("text", ["(2**62 - 1) * 2 + 1", "2**62 - 1 + 2**62", "-(2**62) * 2", "-(2**62) - 2**62"])
def test_numbers_at_the_ends_of_int64_are_exact(text):
    compare(function("x", f"({text}) // x"), 3)
    compare(function("x", f"x + ({text})"), np.array([0, -1] if text[0] == "(" or text[0] == "2" else [0, 1]), types=not NUMPY_1)


def test_slices_of_wrong_counts(check):
    for body in ("a[slice()]", "a[slice(1, 2, 3, 4)]", "a[slice(*())]"):
        assert isinstance(check(function("a", body), np.arange(5)), TypeError)
