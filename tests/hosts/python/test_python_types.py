"""type(), getattr and other queries of types; sets and dictionaries changed in place; operator; None combined with numbers; shifts."""
import numpy as np
import pyraptor

from tables import cases, refusal, run

I, F = np.arange(12).reshape(3, 4), np.array([1, np.nan, np.inf, -np.inf, -0.0])


@cases(("a", "isinstance(a, (int, float)), type(a) is int, type(a)(3), type(a) == float", 3, 2.5, True, np.float32(2)), ("a", "type(a) is list, type((a, )) is tuple", 3),
       ("a", "getattr(a, 'shape'), hasattr(a, 'foo'), getattr(a, 'zz', 3)", I), ("a", "getattr(a, 'zz')", I), ("a", "issubclass(a, float), callable(a)", int, np.float64),
       ("a", "np.finfo(a.dtype).eps, np.finfo(np.float64).max", F, F.astype(np.float32)), ("a", "np.iinfo(a.dtype).max", I), ("a", "np.dtype(a).itemsize", np.float64, "int32"),
       ("a", "np.issubdtype(a.dtype, np.integer), np.isscalar(a), np.iscomplexobj(a), np.isrealobj(a)", I, F), ("a", "np.isscalar(a), np.isrealobj(a)", 3, 1j),
       ("a", "tuple(range(3)), tuple(x * a for x in (1, 2))", 2), ("a", "a == None, a != None, a == 'x'", 3, 2.5), ("a, b", "a is b, a is not b", (None, None), ("x", "x")),
       ("a", "np.asarray(a) is a, np.array(a) is a, a.T is a", I), ("a", "np.float64(2) == a, np.float64(2) == 2", 2))
def test_types(arguments, text, call):
    run(arguments, text, call)


@cases(*((("a", f"s = {{1, 2, a}}\ns.{m}([2, 3])\nreturn sorted(s)", 3, 5)) for m in ("difference_update", "intersection_update", "symmetric_difference_update")),
       *((("a", f"s = {{1, 2, a}}\nt = s\ns {o}= {{2, 3}}\nreturn s, t", 3, 5)) for o in "-&^|"), ("a", "s = {1}\ns -= {a}\ns.add(a)\nreturn s", 1, 2),
       ("a", "s = {a, 2}\ns.difference_update([1], [2])\nreturn s", 1, 7),
       ("a", "d = dict.fromkeys(a, 0)\nd[7] = 1\nreturn d", [1, 2, 1], []), ("a", "d = {1: a, 2: 3}\nx = d.popitem()\nreturn x, d", 4), ("a", "d = {a: 1}\nd.clear()\nreturn d.popitem()", 4))
def test_sets_and_dictionaries(arguments, text, call):
    run(arguments, text, call)


def empty_set():
    return set()


def nothing():
    return None, []


@cases(("a", "s = empty_set()\ns.add(a)\nreturn s", 3), ("a", "x, y = nothing()\ny.append(a)\nreturn x, y", 3))
def test_empty_ones_of_functions(arguments, text, call):
    run(arguments, text, call, empty_set=empty_set, nothing=nothing)


@cases(("b", "operator.iadd([], b)", [3]), ("a, b", "operator.iadd(a, b)", (I, 1), (3, 4), ([1], [2])), ("a, b", "operator.ior(a, b)\nreturn a", (I, 4)),
       ("a", "operator.getitem(a, 1)", [1, 2], I, (1, 2), "xy"), ("a", "operator.itemgetter(1)(a), operator.itemgetter(0, 1)(a)", [1, 2], (3.5, 2)),
       ("a", "operator.indexOf(a, 2), operator.countOf(a, 2)", [1, 2, 2], (2, 1)), ("a", "operator.setitem(a, 0, 5)\nreturn a", [1, 2], I), ("a", "operator.delitem(a, 0)\nreturn a", [1, 2]),
       ("a", "operator.index(a)", 3, np.int8(4)), ("a", "sorted([(1, a), (2, 0)], key=operator.itemgetter(1))", 3))
def test_operator(arguments, text, call):
    run(arguments, text, call)


@cases(("a, b", "a << b, a >> b", *((np.array([1, 2, 3], t), np.array([1, 7, 9], t)) for t in (np.int8, np.uint8, np.int16, np.int32, np.uint32, np.int64, np.uint64))),
       ("a, b", "a << b, a >> b", (np.array([-5, 7]), np.array([70, 63])), (I, np.arange(4)), (I, 2)))
def test_shifts_of_arrays(arguments, text, call):
    run(arguments, text, call)


SOME = np.array([1j, 2, 1 + 1j, complex(np.nan, 1), complex(1, np.nan), 1 - 1j, complex(np.inf, 0)])


@cases(("a, b", "a < b, a >= b, a > b, a <= b, np.less(a, b), np.maximum(a, b)", (SOME[:, None], SOME), (SOME[:, None].astype(np.complex64), SOME), (SOME, 1.0), (SOME, np.arange(7))),
       ("a, b", "a < b, a >= b", (np.complex128(1j), np.complex128(2))), ("a, b", "a == b", (1j, 2j)))
def test_order_of_complex_numbers(arguments, text, call):
    run(arguments, text, call)


@cases(*((("a, k, m", f"np.{f}(a, k, m)", (4, -1, 3), (3, 2, 5), (0, 0, 0))) for f in ("triu_indices", "tril_indices")),
       *((("a, k", f"np.{f}(a, k)", (I, 1), (I.T, -1), )) for f in ("triu_indices_from", "tril_indices_from")), ("a", "np.diag_indices(a), np.tri(a), np.tri(a, 2, -1)", 3, 0, -1),
       ("a", "np.trim_zeros(a), np.trim_zeros(a, 'f'), np.trim_zeros(a, 'b')", np.array([0, 0, 1, 2, 0]), np.array([0.0, 0])),
       *((("a, b", f"np.{f}(a, b)", (F, F[::-1].copy()), (F, 2.0), (1, 2), (F.astype(np.float32), F), (np.array([True, False]), np.array([True, True])))) for f in ("fmax", "fmin")),
       *((("a", f"np.{f}(a)", F, 2.5, 3, I, np.array([True]))) for f in ("isposinf", "isneginf", "nan_to_num", "isreal", "iscomplex")), ("a", "np.cbrt(a)", F, -8.0, I),
       ("a", "np.nan_to_num(a), np.isreal(a), np.iscomplex(a)", np.array([1j, 2, complex(np.nan, np.inf)])), ("a", "np.nan_to_num(a, nan=1.0, posinf=2.0, neginf=-3.0)", F),
       ("a, b", "np.digitize(a, b)", (np.arange(4.0), np.array([1.5, 2.5, np.nan])), (np.arange(4.0), np.array([np.nan, 2.5, 1])), (np.arange(4.0), np.array([2.0, 2, 2])),
        (np.arange(4.0), np.array([1.0, 3, 2]))))
def test_indices_and_special_values(arguments, text, call):
    run(arguments, text, call)


def test_refusals():
    assert "NaN between numbers" in str(_fault("np.digitize(a, b)", np.arange(4.0), np.array([1.5, np.nan])))
    assert "may be views" in refusal("a", "b = a[:]\nreturn a is b", I)
    assert "of a list is not compiled" in refusal("a", "np.trim_zeros(a)", [0, 1])
    assert "sets all values to None" in refusal("a", "dict.fromkeys(a)", [0, 1])


@cases(("k, a, b", "r = range(2, k, 3)[a:b]\nreturn list(r), r, len(r), sum(range(k)[a:]), 5 in range(k)[1:], [x * 2 for x in range(k)[:b]]", (20, 1, 4), (20, -3, -1), (0, 0, 0), (7, 2, 100),
        (7, -100, 2), (1, 5, 2)),
       ("k, a, b", "return list(range(k)[::2]), range(k)[::-1], list(range(k, 0, -2)[1:a]), range(10)[2:5][1], range(k)[b:a:-2], range(k)[b::-1]", (20, 1, 4), (9, -4, -1), (0, 0, 0), (3, 9, -9)),
       ("k", "r = range(k)[2:]\nn = 0\nfor i in r[::3]:\n    n = n * 10 + i\nreturn n, r[0]", 9, 3, 2))
def test_parts_of_ranges(arguments, text, call):
    run(arguments, text, call)


def test_parts_of_ranges_that_are_refused():
    assert "start and stop" in refusal("k", "for i in range(9)[::k // len(np.ones(k))]:\n    pass\nreturn 1", 2)
    assert "other than 0" in refusal("k", "return range(9)[::0]", 2)
    assert "must be integers" in refusal("k", "return range(9)[k:]", 2.5)
    assert "is not compiled" in refusal("k", "return range(9)['a']", 2)


@cases(("z", "np.angle(z, True), np.angle(z, deg=False), np.angle(z[0], 1), np.angle(z.real, deg=True)", np.array([1 + 2j, -3 - 1j, 0j, -1]), np.array([1 + 2j, -1], np.complex64)))
def test_angles_in_degrees(arguments, text, call):
    run(arguments, text, call)


def test_the_unit_of_angles_must_be_known():
    assert "deg" in refusal("z", "np.angle(z, deg=z[0] > 1)", np.ones(2))


def _fault(text, *args):
    from conftest import function
    try:
        return pyraptor.jit(function("a, b", text))(*args)
    except pyraptor.UnsupportedError as e:
        return e
