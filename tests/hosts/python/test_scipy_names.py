"""Functions of SciPy that the library computes (pyraptor/_scipy.py), compared with SciPy's results; and others, which are called through Python."""
import numpy as np
import pytest

import pyraptor
from conftest import function

try:
    import scipy.fft
    import scipy.linalg
    import scipy.special
except ImportError:
    scipy = None

pytestmark = pytest.mark.skipif(scipy is None, reason="needs SciPy")

X = np.array([0.5, 1.0, 2.5, 7.0, 1e-9, 40.0, 0.0])
SPECIAL = np.array([np.nan, np.inf, -np.inf, -0.0, -1.0, -2.5])
ONE = "erf erfc erfinv erfcinv gamma gammaln cbrt expm1 log1p expit ndtr ndtri j0 j1 y0 y1 i0 i1 k0 k1".split()


def compiled(text, *args, native=True):
    f = function("x, y, z, m", f"return {text}")
    f.__globals__.update(scipy=scipy)
    jitted = pyraptor.jit(f)
    got, want = jitted(*args), f(*args)
    assert bool(jitted.report()[0]["calls_python"]) != native, text
    if not isinstance(want, tuple):
        got, want = (got, ), (want, )
    for g, w in zip(got, want):
        assert type(g) is type(w) and np.asarray(g).dtype == np.asarray(w).dtype, (text, type(g), type(w))
        single = np.asarray(w).dtype in (np.float32, np.complex64)
        np.testing.assert_allclose(g, w, rtol=5e-6 if single else 5e-13, atol=1e-6 if single else 1e-13, err_msg=text)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ONE)
def test_functions_of_one_argument(name):
    z, m = X[:4] + 1j, np.eye(3)
    for x in (X, X.astype(np.float32), X.astype(np.int64), X.astype(np.uint8), X > 1, SPECIAL, X.reshape(7, 1)[::-2], X[:0], 0.75, 1, np.float32(0.5)):
        compiled(f"scipy.special.{name}(x)", x, X, z, m)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", "jv jn yv yn iv kv kn".split())
def test_bessel_functions(name):
    for order in (0, 1, -3, 7):
        for x in (X, X.astype(np.float32), X.astype(int), 2.5):
            compiled(f"scipy.special.{name}({order}, x)", x, X, X, X)
    compiled(f"scipy.special.{name}(y, x)", X, 2, X, X)
    if name in ("jv", "kv"):
        compiled(f"scipy.special.{name}(0.5, x)", X, X, X, X, native=False)


@pytest.mark.parametrize("name", ["gammainc", "gammaincc"])
def test_incomplete_gamma(name):
    rng = np.random.default_rng(5)
    a, x = rng.gamma(1, 20, 500), rng.gamma(1, 20, 500)
    compiled(f"scipy.special.{name}(x, y)", a, x, x, x)
    compiled(f"scipy.special.{name}(x, 2.5)", a, x, x, x)
    compiled(f"scipy.special.{name}(2.5, x)", a, x, x, x)
    compiled(f"scipy.special.{name}(x, y)", a[:5].reshape(5, 1), x[:3], x, x)
    compiled(f"scipy.special.{name}(x, y)", 1.5, 2.5, x, x)
    compiled(f"scipy.special.{name}(x, y)", a.astype(np.float32), x.astype(np.float32), x, x)
    compiled(f"scipy.special.{name}(x, y)", rng.gamma(0.1, 0.1, 300), rng.gamma(0.3, 1, 300), x, x)


@pytest.mark.parametrize("name", "fft ifft rfft irfft hfft ihfft fft2 ifft2 rfft2 irfft2 fftn ifftn rfftn irfftn".split())
def test_transforms(name):
    rng = np.random.default_rng(6)
    a = rng.normal(size=(4, 13))
    z = a if name in ("rfft", "ihfft", "rfft2", "rfftn") else a + 1j * rng.normal(size=a.shape)
    for x in (a, z, a.astype(np.float32), (9 * a).astype(np.int16)):
        compiled(f"scipy.fft.{name}(x)", x, a, z, a)
    compiled(f"scipy.fft.{name}(z, norm='ortho', workers=1)", a, a, z, a)


def test_matrix_exponential():
    m = np.random.default_rng(7).normal(size=(2, 5, 5))
    compiled("scipy.linalg.expm(m)", X, X, X, m)
    compiled("scipy.linalg.expm(m)", X, X, X, m[0] * 1j)


def test_through_python():
    m = np.random.default_rng(8).normal(size=(4, 4))
    for text in ("scipy.special.erf(z)", "scipy.special.logit(x)", "scipy.linalg.lu(m)", "scipy.fft.dct(x)"):
        compiled(text, X[:3] / 9, X, X[:4] + 1j, m, native=False)


def test_names():
    assert {"scipy.special.erfinv", "scipy.fft.rfft", "scipy.linalg.expm"} <= set(pyraptor.supported())
