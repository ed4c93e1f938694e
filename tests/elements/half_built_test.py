"""Conversions of float16 and bfloat16 in libraries that are built ahead of time: for a processor without F16C, for this one, and as C99. Every
float16, and floats between any two neighbours, have the same bits as in NumPy.
"""
import ctypes as ct
import os
import subprocess

import numpy as np
import pytest

VRIR = os.environ.get("VRIR")
INCLUDES = os.environ.get("BUILT_INCLUDES", "").split(":")
RUNTIME = os.environ.get("BUILT_RUNTIME", "")
pytestmark = pytest.mark.skipif(not VRIR, reason="VRIR names no program vrir")
CODES = {"float16": 11, "float32": 3, "float64": 4, "bfloat16": 12}
MAX_RANK = 16


class VrArray(ct.Structure):
    _fields_ = [("data", ct.c_void_p), ("owner", ct.c_void_p), ("elem", ct.c_int32), ("rank", ct.c_int32), ("flags", ct.c_int32),
                ("reserved", ct.c_int32), ("extent", ct.c_int64 * MAX_RANK), ("stride", ct.c_int64 * MAX_RANK)]


def conversion(name, source, to):
    s, t = (f"(arraytype :layout rowmajor :ndims 1 ({e}))" for e in (source, to))
    return (f"(function :name {name} (functype (intypes {s}) (outtypes {t})) (arglist 0) "
            f"(body (returnstmt (exprs (cast {t} (name :id 0 {s}))))) (symtable (sym :id 0 :name a {s})))")


FUNCTIONS = {"widen": ("float16", "float32"), "narrow": ("float32", "float16"), "narrow_double": ("float64", "float16"),
             "to_bfloat": ("float32", "bfloat16"), "of_bfloat": ("bfloat16", "float32")}


@pytest.fixture(scope="module", params=["generic", "native", "c"])
def library(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("built")
    text = "(module :name m (fns " + " ".join(conversion(n, *p) for n, p in FUNCTIONS.items()) + "))"
    (folder / "h.vrir").write_text(text)
    out = folder / "libh.so"
    if request.param == "c":
        subprocess.run([VRIR, "build", folder / "h.vrir", "--c", "-o", folder / "h.c", "--header", folder / "h.h"], check=True)
        subprocess.run(["cc", "-std=c99", "-O2", "-Wall", "-Werror", "-fPIC", "-shared", *(f"-I{i}" for i in INCLUDES), f"-I{folder}",
                        folder / "h.c", "-o", out, f"-L{RUNTIME}", "-lvrrt", f"-Wl,-rpath,{RUNTIME}", "-lm"], check=True)
    else:
        subprocess.run([VRIR, "build", folder / "h.vrir", "-o", out, "--target", request.param, "--static", "--header", folder / "h.h"],
                       check=True)
    return ct.CDLL(str(out))


def call(library, name, x, dtype):
    a, r, error = VrArray(), VrArray(), ct.create_string_buffer(1024)
    a.data, a.elem, a.rank = x.ctypes.data, CODES[FUNCTIONS[name][0]], 1
    a.extent[0], a.stride[0] = x.size, x.itemsize
    assert getattr(library, name)(ct.byref(a), ct.byref(r), error) == 0, error.raw
    assert r.extent[0] == x.size and r.elem == CODES[FUNCTIONS[name][1]]
    return np.frombuffer(ct.string_at(r.data, x.size * np.dtype(dtype).itemsize), dtype)  # the owner is not released: the test ends


def numbers(dtype):
    halves = np.arange(31744, dtype=np.uint16).view(np.float16).astype(dtype)
    middle = np.append((halves[1:] + halves[:-1]) / 2, dtype(65520))
    eps = np.finfo(dtype).eps
    all_ = np.concatenate([halves, middle, middle * dtype(1 + eps), middle * dtype(1 - eps), [dtype(1e30), np.inf, np.nan]])
    return np.ascontiguousarray(np.concatenate([all_, -all_]), dtype)


def test_conversions(library):
    bits = np.arange(65536, dtype=np.uint16)
    got = call(library, "widen", bits.view(np.float16), np.float32)
    want = bits.view(np.float16).astype(np.float32)
    assert np.array_equal(got, want, equal_nan=True) and np.array_equal(np.signbit(got), np.signbit(want))
    for name, dtype in (("narrow", np.float32), ("narrow_double", np.float64)):
        x = numbers(dtype)
        with np.errstate(all="ignore"):
            want = x.astype(np.float16)
        got = call(library, name, x, np.float16)
        same = (got.view(np.uint16) == want.view(np.uint16)) | (np.isnan(got) & np.isnan(want))
        assert same.all(), (name, x[~same][:3], got[~same][:3], want[~same][:3])
    wide = call(library, "of_bfloat", bits, np.float32)
    assert np.array_equal(wide.view(np.uint32) >> 16, bits)
    back = call(library, "to_bfloat", wide, np.uint16)
    assert np.array_equal(back[~np.isnan(wide)], bits[~np.isnan(wide)])
    x = np.array([1 + 2.0**-8, 1 + 2.0**-8 + 2.0**-20, 1 + 3 * 2.0**-8, np.nan, 3.4e38], np.float32)
    assert list(call(library, "to_bfloat", x, np.uint16)) == [0x3F80, 0x3F81, 0x3F82, 0x7FC0, 0x7F80]
