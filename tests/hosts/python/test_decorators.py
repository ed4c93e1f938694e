"""The interface for programs written for Numba: njit, its keywords, signatures, vectorize, guvectorize."""
import numpy as np
import pyraptor
import pytest
from pyraptor import UnsupportedError, f32, f64, guvectorize, i64, jit, njit, prange, vectorize, void

I = np.arange(6).reshape(2, 3)


def test_keywords():
    @njit(parallel=True, cache=True, nogil=True, fastmath={"nnan", "contract"}, error_model="python", inline="always", boundscheck=None)
    def total(x):
        t = 0.0
        for k in prange(len(x)):
            t += x[k]
        return t

    @njit
    def plus(x):
        return x + 1

    assert total(np.ones(5)) == 5.0 and plus(1) == 2 and plus.py_func(1) == 2
    for wrong in (dict(forceobj=True), dict(error_model="numpy"), dict(locals={"x": f64})):
        with pytest.raises(ValueError):
            njit(**wrong)
    with pytest.raises(TypeError):
        njit(nopythn=True)


@pytest.mark.parametrize("signature", [f64(f64[:], i64), "float64(float64[:], int64)", "f8(f8[:], i8)", [f64(f64[:], i64)], ["double(double[:], intp)"]])
def test_one_signature(signature):
    @njit(signature)
    def f(x, k):
        return k

    assert len(f.report()) == 1  # compiled immediately
    assert type(f(np.ones(2), 3)) is float and type(f(np.ones(2), np.int32(3))) is float and len(f.report()) == 1
    for wrong in ((np.ones(2, np.float32), 3), (np.ones(2), 2.5), (np.ones((2, 2)), 3)):
        with pytest.raises(TypeError, match="no signature"):
            f(*wrong)


def test_several_signatures():
    @njit([f64(f64), i64(i64), (f64[:], )])
    def twice(x):
        return x * 2

    assert type(twice(2)) is int and type(twice(2.0)) is float and type(twice(np.float32(2))) is float and twice(np.ones(2)).sum() == 4
    with pytest.raises(TypeError, match="no signature"):
        twice(1j)
    with pytest.raises(TypeError, match="the result is"):
        njit([f64(i64), f64(f64)])(lambda x: x)
    with pytest.raises(TypeError, match="arguments"):
        njit(f64(f64, f64))(lambda x: x)
    with pytest.raises(TypeError, match="not a signature"):
        njit("float65(float64)")


def test_tuples_and_none():
    @njit("Tuple((f8, i8))(UniTuple(f8, 2), i8)")
    def f(p, k):
        return p[0] + p[1], k

    @njit(void(f64[:]))
    def g(x):
        x[0] = 1

    a = np.zeros(2)
    assert f((1.0, 2.0), 3) == (3.0, 3) and g(a) is None and a[0] == 1


def test_names_of_numbers():
    assert pyraptor.float64 is f64 and pyraptor.boolean(1) == np.True_ and type(f32(1.5)) is np.float32


# ---- vectorize
@vectorize
def mixed(a, b):
    return a + b * 2 if a < b else a - b


def reference(a, b):
    return np.where(a < b, a + b * 2, a - b)


@pytest.mark.parametrize("a, b", [(1, 2), (2.5, 1), (I, 2), (I, I), (I, I[0]), (I[:, :1], I[0]), (I.T, I.T), (I.T, I[:, 0]), (I[:0], I[:0]), (I.astype(np.float32), 1),
                                  (np.ones((2, 1, 3)), I[:, :, None][:, :1, 0])])
def test_broadcasting(a, b):
    a_, b_ = (x if isinstance(x, np.ndarray) else np.asarray(x)[()] for x in (a, b))
    wanted = reference(a_, b_)
    got = mixed(a, b)
    assert np.shape(got) == np.shape(wanted) and isinstance(got, np.generic) == (not np.shape(wanted)) and np.array_equal(got, wanted)


def test_types_and_out():
    assert mixed(I, I).dtype == np.int64 and mixed(I.astype(np.float32), I.astype(np.float32)).dtype == np.float32
    out = np.empty((2, 3))
    assert mixed(I, 1.5, out=out) is out and mixed(I, 1.5, out) is out and np.array_equal(out, reference(I, 1.5))
    with pytest.raises(ValueError):
        mixed(I, 1.5, out=np.empty(3))
    with pytest.raises(TypeError):
        mixed(I, 1.5, out=np.empty((2, 3), np.int64))
    with pytest.raises(TypeError):
        mixed(I)


def test_methods():
    @vectorize
    def add(a, b):
        return a + b

    assert np.array_equal(add.reduce(I), np.add.reduce(I)) and np.array_equal(add.reduce(I, axis=1), np.add.reduce(I, 1))
    assert np.array_equal(add.accumulate(I, axis=1), np.add.accumulate(I, 1)) and np.array_equal(add.outer(I[0], I[1]), np.add.outer(I[0], I[1]))
    assert (add.nin, add.nout, add.__name__) == (2, 1, "add")
    with pytest.raises(ValueError):
        vectorize(lambda a: a).reduce(I)


@pytest.mark.parametrize("target", ["cpu", "parallel"])
def test_signatures_of_vectorize(target):
    @vectorize([f32(f32, f32), "float64(float64, float64)"], target=target, nopython=True, cache=True)
    def product(a, b):
        return a * b

    assert product(np.float32(2), np.float32(3)).dtype == np.float32 and product(I, 2).dtype == np.float64 and np.array_equal(product(I, I), I * I)
    with pytest.raises(TypeError, match="no signature"):
        product(1j, 2)
    with pytest.raises(ValueError):
        vectorize(target="cuda")
    with pytest.raises(TypeError, match="guvectorize"):
        vectorize([f64(f64[:])])


def test_called_by_compiled_code():
    @jit
    def user(x, y):
        return mixed(x, y), mixed(2, 3), mixed(x, 1.5), mixed(x[:0], y)

    one, two, three, none = user(I, I[0])
    assert np.array_equal(one, reference(I, I[0])) and two == 8 and type(two) is np.int64 and np.array_equal(three, reference(I, 1.5)) and none.shape == (0, 3)


def test_numpys_vectorize():
    squares = np.vectorize(lambda x: x * x + 1)

    @jit
    def user(x):
        return squares(x), np.vectorize(lambda v, w: v + w)(x, 2)

    for a in (I, I * 1.5, I.astype(np.float32)):
        for got, wanted in zip(user(a), user.__wrapped__(a)):
            assert got.dtype == wanted.dtype and np.array_equal(got, wanted)
    with pytest.raises(ValueError):
        user(I[:0])
    branches = np.vectorize(lambda x: x if x > 1 else 0.5)
    with pytest.raises(UnsupportedError, match="branches"):
        jit(lambda x: branches(x))(I)


# ---- guvectorize
@guvectorize([(f64[:], f64, f64[:])], "(n),()->(n)")
def plus(x, y, out):
    for k in range(len(x)):
        out[k] = x[k] + y


def test_generalized():
    assert np.array_equal(plus(np.arange(3), 2), [2, 3, 4]) and np.array_equal(plus(I, np.array([1, 2])), I + [[1], [2]])
    assert plus(np.ones((4, 1, 3)), np.arange(5)).shape == (4, 5, 3)
    out = np.zeros((2, 3))
    plus(I, 1.0, out)
    assert np.array_equal(out, I + 1.0)
    with pytest.raises(TypeError):
        plus(1j * I, 2)
    with pytest.raises(ValueError, match="dimensions"):
        plus(1.0, 2)


@pytest.mark.parametrize("target", ["cpu", "parallel"])
def test_matrices_and_numbers(target):
    @guvectorize(["void(f8[:, :], f8[:, :], f8[:, :])"], "(m,n),(n,p)->(m,p)", target=target)
    def product(a, b, c):
        c[:, :] = a @ b

    @guvectorize([(f64[:], f64[:], f64[:])], "(n)->(),()")
    def ends(x, low, high):
        low[0] = x.min()
        high[0] = x.max()

    a, b = np.random.default_rng(1).random((5, 2, 3)), np.random.default_rng(2).random((3, 4))
    assert np.allclose(product(a, b), a @ b) and np.allclose(product(a[0], b), a[0] @ b)
    low, high = ends(I)
    assert np.array_equal(low, [0, 3]) and np.array_equal(high, [2, 5]) and ends(I[0]) == (0.0, 2.0)
    with pytest.raises(ValueError, match="dimension n"):
        product(a, b[:2])
    with pytest.raises(ValueError, match="is not a layout"):
        guvectorize([(f64[:], )], "(n")(lambda x: None)


# ---- pickles
by_name = vectorize([f64(f64)])(lambda x: x + 1)


@vectorize
def added(a, b):
    return a + b


def test_pickles():
    import pickle

    def again(o):
        return pickle.loads(pickle.dumps(o))

    assert again(added) is added and again(plus) is plus
    local = again(by_name)
    assert local(1) == 2.0 and local.signatures[0].arguments[0].dtype == np.float64

    @njit("f8(f8)")
    def half(x):
        return x / 2

    f = again(half)
    assert type(f(3)) is float and f(3) == 1.5
    with pytest.raises(TypeError, match="no signature"):
        f(1j)
    g = again(guvectorize([(f64[:], f64[:])], "(n)->()")(lambda x, out: None))
    assert g.signature == "(n)->()"
