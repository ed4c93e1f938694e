"""Library functions with odd arguments: empty, one element, NaN, infinities, zeros, other types, strided and reversed arrays. Values, types and classes of
exceptions are compared with NumPy's. Refused calls are not counted as right or wrong; DIFFERENT lists what is meant to differ, and why."""
import re
import warnings

import numpy as np
import pytest

import pyraptor
from conftest import function

RNG = np.random.default_rng(1)
M = RNG.normal(size=(4, 4))
ARRAYS = {"a": RNG.normal(size=(4, 5)), "x": RNG.normal(size=12), "y": RNG.normal(size=12), "m": M, "p": M @ M.T + 4 * np.eye(4),
          "k": np.array([1, 2, 2, 0, 3, 5, 1]), "q": np.array([1, 3, 2, 3, 9]), "b": RNG.normal(size=4), "z": RNG.normal(size=12) + 1j,
          "s": RNG.normal(size=(3, 4, 4)), "v": np.array([0.3, 0.2, 0.9]), "t": np.array([[1, np.nan, 3], [2, np.nan, -1.0]])}
FORMS = {
    "linear algebra": """np.linalg.cholesky(p) np.linalg.qr(a) np.linalg.qr(s)[1] np.linalg.svd(a)[1] np.linalg.svd(s,compute_uv=False)
        np.linalg.eigvalsh(p) np.linalg.det(s) np.linalg.slogdet(s) np.linalg.inv(s) np.linalg.pinv(s) np.linalg.solve(s,s) np.linalg.solve(m,a)
        np.linalg.lstsq(a.T,v,None) np.linalg.matrix_power(m,-3) np.linalg.matrix_power(s,3) np.linalg.matrix_rank(m) np.linalg.cond(m)
        np.linalg.norm(a) np.linalg.norm(a,1) np.linalg.norm(a,2) np.linalg.norm(x,3) np.linalg.norm(a,axis=1) np.linalg.multi_dot([a,a.T,a])
        np.kron(a,m) np.inner(a,a) np.outer(x,y) np.vdot(x,y) np.matmul(s,s) np.trace(m,1) np.tensordot(a,a,2) np.tensordot(a,a,([0],[0]))
        np.einsum('ij,jk->ik',a.T,a) np.einsum('bij,bjk->bik',s,s) np.einsum('ii',m)""",
    "transforms": """np.fft.fft(x) np.fft.ifft(z) np.fft.rfft(x) np.fft.irfft(z) np.fft.hfft(z) np.fft.ihfft(x) np.fft.fft2(a) np.fft.ifftn(a)
        np.fft.rfftn(a) np.fft.irfftn(a) np.fft.fftshift(a)""",
    "sets and order": """np.unique(k) np.unique(x) np.unique(k,return_index=True,return_inverse=True,return_counts=True) np.median(x) np.median(a,axis=1)
        np.percentile(a,[30,60],axis=1) np.nanmedian(x) np.nanpercentile(x,40) np.isin(k,q) np.intersect1d(k,q) np.union1d(k,q) np.setdiff1d(k,q)
        np.setxor1d(k,q) np.searchsorted(np.sort(x),y) np.sort(x) np.sort(a,axis=0) np.argsort(x) np.argsort(a)""",
    "counting": """np.bincount(k) np.bincount(k,minlength=9) np.histogram(x,5) np.digitize(x,np.array([-1.0,0.0,1.0])) np.interp(x,np.arange(5.0),np.arange(5.0))
        np.convolve(x,b) np.convolve(x,b,'same') np.correlate(x,b,'full') np.gradient(x) np.gradient(a) np.trapezoid(x) np.diff(x,2) np.ediff1d(x)""",
    "scans and NaN": """np.cumsum(a,axis=1) np.cumprod(x) np.maximum.accumulate(x) np.minimum.accumulate(a,axis=1) np.nansum(t) np.nansum(t,axis=0)
        np.nanmean(t,axis=1) np.nanstd(t) np.nanmin(x) np.nanmax(x) np.nanargmin(x) np.nanprod(t) np.nancumsum(t,axis=1) np.nan_to_num(t)""",
    "arrangement": """np.take(x,k) np.take(a,[0,2],axis=1) np.take_along_axis(a,np.argsort(a,axis=1),axis=1) np.select([x>1,x<0],[x,y],0.0) np.repeat(x,2)
        np.repeat(a,[1,2,0,1],axis=0) np.tile(a,(2,3)) np.roll(x,3) np.roll(a,(1,2),axis=(0,1)) np.rot90(a) np.insert(x,3,9.0) np.insert(a,1,7.0,axis=1)
        np.delete(x,2) np.delete(a,[0,2],axis=1) np.append(x,y) np.split(x,3) np.array_split(x,5) np.hsplit(a,[2]) np.stack([x,y]) np.hstack([a,a])
        np.vstack([x,y]) np.column_stack([x,y]) np.concatenate([a,a],axis=1) np.diag(x) np.diag(m,1) np.diagonal(a,1) np.diagflat(a) np.tril(a)
        np.triu(a,-1) np.transpose(s,(2,0,1)) np.meshgrid(x,y) np.flip(a)""",
    "special functions": """np.arcsinh(x) np.arccosh(x*x+1) np.arctanh(x/9) np.arcsinh(z) np.arccosh(z) np.arctanh(z) np.sinc(x) np.cbrt(x)""",
}
if not hasattr(np, "trapezoid"):  # NumPy 1
    FORMS["counting"] = FORMS["counting"].replace("trapezoid", "trapz")
KINDS = "empty one strided reversed columns nan infinite zero float32 int64 int8 bool negative uint32".split()
DIFFERENT = [  # text, kind: why
    ("linalg", "nan|infinite", "results of LAPACK for these depend on its version; NumPy's svd does not always end"),
    ("cond", "bool", "the matrix is singular: its least singular value is a rounding error, which depends on the processor"),
    ("percentile|gradient", "bool", "NumPy subtracts bools, which it refuses"),
    ("percentile|median", "empty", "NumPy's error, or NaN, depends on its version"),
    ("arcsinh|arccosh|arctanh|cbrt|sinc", "bool|int8", "bools give float64 (docs/python.md); NumPy computes sinc in float64"),
    ("argsort", "int64|int8|bool|zero", "equal elements keep their order; in NumPy they need not"),
    ("fft", "infinite|nan", "infinities and NaN spread in another way"),
    ("accumulate|cumsum|cumprod|nan|diff|trapez", "bool", "NumPy's types for bools"),
]


def variants(v):
    """Arrays like v, by kind."""
    last = (slice(None), ) * (v.ndim - 1)
    yield "empty", v[:0]
    yield "one", v[(slice(0, 1), ) * v.ndim]
    yield "strided", np.repeat(v, 2, axis=-1)[(*last, slice(None, None, 2))]
    yield "reversed", v[..., ::-1]
    yield "columns", np.asfortranarray(v)
    if v.dtype.kind == "f":
        for kind, value in (("nan", np.nan), ("infinite", np.inf)):
            w = v.copy()
            w.flat[v.size // 2], w.flat[-1] = value, -value
            yield kind, w
        yield from (("zero", v * 0), ("float32", v.astype(np.float32)), ("int64", (v * 9).astype(np.int64)), ("int8", (v * 9).astype(np.int8)),
                    ("bool", v > 0))
    if v.dtype.kind == "i":
        yield from (("negative", -v), ("int8", v.astype(np.int8)), ("uint32", v.astype(np.uint32)))


def flat(v):
    return [w for u in v for w in flat(u)] if isinstance(v, (tuple, list)) else [v]


def outcome(f, args):
    try:
        return flat(f(*args))
    except pyraptor.UnsupportedError:
        return None
    except Exception as e:
        return e


def difference(want, got):
    """What differs; "" if nothing does."""
    if isinstance(want, Exception) or isinstance(got, Exception):
        alike = isinstance(want, Exception) and isinstance(got, Exception) and (isinstance(got, type(want)) or isinstance(want, type(got)))
        return "" if alike else f"{want!r:.100} / {got!r:.100}"
    if len(want) != len(got):
        return f"{len(want)} / {len(got)} results"
    for u, v in zip(want, got):
        if u is None or v is None:
            continue
        u, v = np.asarray(u), np.asarray(v)
        if u.shape != v.shape or u.dtype != v.dtype:
            return f"{u.dtype}{u.shape} / {v.dtype}{v.shape}"
        greatest = np.abs(u[np.isfinite(u)]).max(initial=1e-300) if u.dtype.kind in "fc" else 1
        tolerance = 1e-4 if u.dtype in (np.float32, np.complex64) else 1e-8
        if not np.allclose(u, v, equal_nan=True, rtol=tolerance, atol=tolerance * max(greatest, 1)):
            return f"{u.ravel()[:4]} / {v.ravel()[:4]}"
    return ""


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("group", FORMS)
def test_odd_arguments(group):
    wrong, right = [], 0
    for text in FORMS[group].split():
        names = [n for n in ARRAYS if re.search(rf"(?<![\w.'\"]){n}\b(?!['=])", text)]
        f = function(", ".join(names), f"return {text}")
        jitted = pyraptor.jit(f)
        for kind in KINDS:
            args = [dict(variants(ARRAYS[n])).get(kind, ARRAYS[n]) for n in names]
            if all(a is ARRAYS[n] for a, n in zip(args, names)):
                continue
            if any(re.search(words, text) and re.fullmatch(kinds, kind) for words, kinds, _ in DIFFERENT):
                continue
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                want, got = outcome(f, args), outcome(jitted, args)
            if got is None:
                continue
            found = difference(want, got)
            right += not found
            if found:
                wrong.append(f"{text} {kind}: {found}")
    assert not wrong, "\n" + "\n".join(wrong)
    assert right > 20  # most calls are compiled
