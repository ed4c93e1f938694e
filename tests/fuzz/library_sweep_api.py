"""The part of the C API (include/velociraptor/velociraptor.h) that library_sweep.py needs, through ctypes."""
import ctypes as ct
import math
import struct

BOOL, INT32, INT64, FLOAT32, FLOAT64, COMPLEX = 0, 1, 2, 3, 4, 16
INT8, INT16, UINT8, UINT16, UINT32, UINT64, FLOAT16, BFLOAT16 = 5, 6, 7, 8, 9, 10, 11, 12
ROW, COL, STRIDED = 0, 1, 2
INTERP, CPU, CPU_PAR = 0, 1, 2
CODES = {0: "OK", 1: "OUT_OF_BOUNDS", 2: "SHAPE_MISMATCH", 3: "SIZE", 4: "DIV_BY_ZERO", 5: "OUT_OF_MEMORY", 6: "STACK", 14: "OVERFLOW",
         7: "TYPE", 21: "VERIFY", 22: "UNSUPPORTED", 24: "USAGE", 25: "INTERNAL"}
NAMES = {BOOL: "bool", INT32: "i32", INT64: "i64", FLOAT32: "f32", FLOAT64: "f64", INT8: "i8", INT16: "i16", UINT8: "u8",
         UINT16: "u16", UINT32: "u32", UINT64: "u64", FLOAT16: "f16", BFLOAT16: "bf16"}
FORMATS = {BOOL: "B", INT32: "i", INT64: "q", FLOAT32: "f", FLOAT64: "d", INT8: "b", INT16: "h", UINT8: "B", UINT16: "H",
           UINT32: "I", UINT64: "Q", FLOAT16: "e", BFLOAT16: "H"}
WIDTHS = {e: struct.calcsize(f) for e, f in FORMATS.items()}
ATTRS = dict(indexing=1, exclude=2, flatten=3, grow=4, assign=5, slices=6, nan=7, mindims=9, fastmath=10, broadcast=11)


def elem_name(e):
    return ("c" if e & COMPLEX else "") + NAMES[e & 15]


def width(e):
    return WIDTHS[e & 15] * (2 if e & COMPLEX else 1)


def stored(elem, value):
    """The number that struct packs for an element, for types that struct cannot round to."""
    base = elem & 15
    if base == FLOAT16 and abs(value) >= 65520:
        return math.copysign(math.inf, value)
    if base == BFLOAT16:
        bits, = struct.unpack("I", struct.pack("f", value))
        return 0x7fc0 if value != value else (bits + 0x7fff + (bits >> 16 & 1)) >> 16
    return value


class Raw(ct.Union):
    _fields_ = [("pair", ct.c_int64 * 2), ("p", ct.c_void_p), ("bytes", ct.c_char * 16)]


class Datum(ct.Structure):
    _fields_ = [("kind", ct.c_int32), ("elem", ct.c_int32), ("value", Raw)]


class Attr(ct.Structure):
    _fields_ = [("attr", ct.c_int32), ("value", ct.c_int32)]


class Api:
    def __init__(self, path):
        self.lib = ct.CDLL(path, ct.RTLD_GLOBAL)
        p, i32, s = ct.c_void_p, ct.c_int32, ct.c_char_p
        for name in ("vr_type_scalar vr_type_array vr_type_tuple vr_type_part vr_builder_function vr_fn_parameter vr_fn_variable "
                     "vr_expr_type vr_expr_int_const vr_expr_float_const vr_expr_libcall vr_expr_as vr_ndarray_data "
                     "vr_expr_cast vr_expr_name").split():
            getattr(self.lib, name).restype = p
        for name in "vr_failure_text vr_failure_message".split():
            getattr(self.lib, name).restype = s
        for name in "vr_type_part_count vr_function_result_count".split():
            getattr(self.lib, name).restype = ct.c_size_t
        self.lib.vr_ndarray_extent.restype = ct.c_int64
        self.lib.vr_ndarray_size.restype = ct.c_int64

    def check(self, status, failure):
        """Raises the failure as an exception and frees it."""
        if status != 0:
            text = self.lib.vr_failure_text(failure).decode()
            self.lib.vr_failure_free(failure)
            raise RuntimeError(f"{CODES.get(status, status)}: {text}")

    def made(self, function, *args):
        """The object that `function` stores in its `out` parameter."""
        out, failure = ct.c_void_p(), ct.c_void_p()
        self.check(function(*args, ct.byref(out), ct.byref(failure)), failure)
        return out

    def engine(self, target, opt_level):
        options = self.made(self.lib.vr_options_create)
        self.lib.vr_options_set_target(options, target, None)
        self.lib.vr_options_set_opt_level(options, opt_level, None)
        self.lib.vr_options_set_threads(options, 2 if target == CPU_PAR else 1, None)
        e = self.made(self.lib.vr_engine_create, options, None)
        self.lib.vr_options_free(options)
        return e

    def builder(self, attrs):
        list_ = (Attr * len(attrs))(*[Attr(ATTRS[k], v) for k, v in attrs.items()])
        return self.made(self.lib.vr_builder_create, b"m", ct.c_size_t(len(attrs)), list_, None)

    def array(self, elem, extents, layout, values):
        """An array over a buffer, which must stay alive: (array, buffer). `strided`: every stride is negative and leaves gaps."""
        rank, w = len(extents), width(elem)
        strides, step = [0] * rank, w if layout != STRIDED else 2 * w
        for k in range(rank) if layout != ROW else reversed(range(rank)):
            strides[k] = step
            step *= max(extents[k], 1)
        buffer = ct.create_string_buffer(max(step, 16) + 16)
        first = 0
        if layout == STRIDED:
            first = sum((max(n, 1) - 1) * s for n, s in zip(extents, strides))
            strides = [-s for s in strides]
        pack = struct.Struct(("2" if elem & COMPLEX else "") + FORMATS[elem & 15])
        index = [0] * rank
        for v in values:
            at = first + sum(i * s for i, s in zip(index, strides))
            pack.pack_into(buffer, at, *(v if elem & COMPLEX else (stored(elem, v),)))
            for k in reversed(range(rank)):
                index[k] += 1
                if index[k] < extents[k]:
                    break
                index[k] = 0
        many = ct.c_int64 * rank
        a = self.made(self.lib.vr_ndarray_borrow, ct.c_void_p(ct.addressof(buffer) + first), elem, rank, many(*extents),
                      many(*strides))
        return a, buffer

    def scalar(self, elem, value):
        d = Datum()
        d.kind, d.elem = 1, elem
        raw = struct.pack(("2" if elem & COMPLEX else "") + FORMATS[elem & 15],
                          *(value if elem & COMPLEX else (stored(elem, value),)))
        ct.memmove(ct.addressof(d.value), raw, len(raw))
        return d

    def call(self, function, data, results):
        """(code, message) of a fault, or a list of (elem, extents or None, bytes in row-major order)."""
        args = (Datum * max(1, len(data)))(*data)
        out = (Datum * results)()
        failure = ct.c_void_p()
        status = self.lib.vr_function_call(function, ct.c_size_t(len(data)), args, ct.c_size_t(results), out,
                                           ct.byref(failure))
        if status != 0:
            text = self.lib.vr_failure_message(failure).decode()
            self.lib.vr_failure_free(failure)
            return CODES.get(status, str(status)), text
        answers = []
        for d in out:
            if d.kind == 1:
                answers.append((d.elem, None, ct.string_at(ct.addressof(d.value), width(d.elem))))
                continue
            a = ct.c_void_p(d.value.p)
            elem, rank = self.lib.vr_ndarray_elem(a), self.lib.vr_ndarray_rank(a)
            extents = tuple(self.lib.vr_ndarray_extent(a, k) for k in range(rank))
            row = self.made(self.lib.vr_ndarray_copy, a, ROW)
            size = self.lib.vr_ndarray_size(row)
            answers.append((elem, extents, ct.string_at(self.lib.vr_ndarray_data(row), size * width(elem)) if size else b""))
            self.lib.vr_ndarray_release(row)
        self.lib.vr_datum_release(out, ct.c_size_t(results))
        return answers


def decode(elem, raw):
    """The elements, complex ones as pairs one after another."""
    f = FORMATS[elem & 15]
    numbers = struct.unpack(f"{len(raw) // WIDTHS[elem & 15]}{f}", raw)
    if elem & 15 == BFLOAT16:
        return struct.unpack(f"{len(numbers)}f", b"".join(struct.pack("I", n << 16) for n in numbers))
    return numbers
