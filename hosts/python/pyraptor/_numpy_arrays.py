"""Array creation and conversion."""
from __future__ import annotations

import ast

import numpy as np

from . import _nodes as n
from . import _through, library, library_more
from ._numpy import function
from ._numpy_elementwise import into, like, numeric, strong, to_int
from ._types import BOOL, INT, Array, Const, Scalar, elem_name, is_float, is_int, numpy_dtype, promote
from ._value import Val, constant, group, number

INT64 = Scalar("int64")
#: Maximum number of elements of a constant array.
MOST_ELEMENTS = 64


def extents(t, node, shape):
    """The extents that a shape argument specifies, as VRIR expressions."""
    items = shape.items if shape.is_group("tuple", "list") else [shape]
    for i in items:
        if not (i.is_scalar and is_int(i.type.elem)):
            t.refuse(node, f"a shape must consist of integers, not of {i.type!r}")
    if not items:
        t.refuse(node, "0-d arrays are not compiled here", "use a number")
    return [t.cast(i, "int64") for i in items]


def made(t, node, how, shape, elem, complex, layout="rowmajor"):
    if shape.is_group("tuple", "list") and not shape.items:
        return number_of(how, elem, complex)
    texts = extents(t, node, shape)
    texts, tested = t.checked_extents(texts, node)
    to = Array(elem, complex, len(texts), layout if len(texts) > 1 else "rowmajor")
    val = Val(to, n.alloc(how, to, texts))
    return t.cannot_fault(val) if tested else val


def number_of(how, elem, complex):
    """A 0-d array, which is a number in compiled code."""
    to = Scalar(elem, complex)
    return Val(to, n.const(1 if how == "ones" else 0, to), low=0 if is_int(elem) else None)


def layout_of(t, node, order):
    if order is None:
        return "rowmajor"
    return "colmajor" if t.static_choice(order, node, "the order", ("C", "F")) == "F" else "rowmajor"


def _makers():
    for f, how in ((np.zeros, "zeros"), (np.ones, "ones"), (np.empty, "empty"), (np.ndarray, "empty")):
        def handler(t, node, shape, dtype=None, order=None, how=how):
            elem, complex = t.dtype_of(dtype, node) or ("float64", False)
            return made(t, node, how, shape, elem, complex, layout_of(t, node, order))
        function(f)(handler)
    for f, how in ((np.zeros_like, "zeros"), (np.ones_like, "ones"), (np.empty_like, "empty")):
        def handler(t, node, a, dtype=None, how=how):
            a = t.keep(numeric(t, node, a), node)
            elem, complex = t.dtype_of(dtype, node) or (a.type.elem, a.type.complex)
            if a.is_scalar:
                return number_of(how, elem, complex)
            layout = "colmajor" if a.type.layout == "colmajor" else "rowmajor"
            to = Array(elem, complex, a.type.rank, layout)
            return Val(to, n.alloc(how, to, t.shape(a, node)))
        function(f)(handler)


_makers()


@function(np.full)
def np_full(t, node, shape, fill_value, dtype=None, order=None):
    fill = numeric(t, node, fill_value)
    elem, complex = t.dtype_of(dtype, node) or (fill.type.elem, fill.type.complex)
    if is_int(elem) and is_float(fill.type.elem) and not fill.type.complex:  # converts as astype does, without an exception
        fill = Val(like(fill, elem), t.cast(fill, elem))
    fill = t.once(fill, node)
    if shape.is_group("tuple", "list") and not shape.items:
        return without_dimensions(t, node, fill, (elem, complex))
    a = t.keep(made(t, node, "empty", shape, elem, complex, layout_of(t, node, order)), node)
    return filled(t, node, a, fill)


@function(np.full_like)
def np_full_like(t, node, a, fill_value, dtype=None):
    from ._numpy import TABLE
    fill = t.once(numeric(t, node, fill_value), node)
    if a.is_scalar:
        return without_dimensions(t, node, fill, t.dtype_of(dtype, node) or (a.type.elem, a.type.complex))
    a = t.keep(TABLE[id(np.empty_like)][1](t, node, a, dtype), node)
    return filled(t, node, a, fill)


def without_dimensions(t, node, val, wanted=None):
    """np.array of a number: a NumPy scalar."""
    if not val.is_scalar:
        t.refuse(node, f"a 0-d array of {val.type!r} is not compiled")
    elem, complex = wanted or (val.type.elem, val.type.complex)
    if val.type.weak and wanted is not None:
        val = t.fits(val, elem, node)
    if val.type.complex and not complex and elem != "bool":
        t.refuse(node, "a complex number cannot become a real one", "take .real")
    return Val(Scalar(elem, complex), t.cast(val, elem, complex), low=val.low if elem == val.type.elem else None)


def filled(t, node, a, value):
    t.store_whole(a, value, node)
    t.stores = [s for s in t.stores if s[0] != a.var]
    return a


@function(np.eye, np.identity)
def np_eye(t, node, N, M=None, dtype=None):
    elem, complex = t.dtype_of(dtype, node) or ("float64", False)
    to = Array(elem, complex, 2)
    args = [t.whole(N, node)] + ([t.whole(M, node)] if M is not None and not M.is_none() else [])
    return Val(to, n.lib("eye", to, *args))


@function(np.arange)
def np_arange(t, node, start, stop=None, step=None, dtype=None):
    if stop is None or stop.is_none():
        start, stop = number(0), start
    step = number(1) if step is None or step.is_none() else step
    parts = numeric(t, node, start, stop, step)
    if any(p.is_array or p.type.complex for p in parts):
        t.refuse(node, "np.arange is compiled for real numbers")
    start, stop, step = parts = [Val(INT, t.cast(p, "int64"), low=0) if p.type.elem == "bool" else p for p in parts]
    elems = [p.type.elem for p in parts]
    wanted = t.dtype_of(dtype, node)
    if all(is_int(e) for e in elems) and (wanted is None or is_int(wanted[0])):
        if "uint64" in elems:
            t.refuse(node, "np.arange of uint64 is not compiled", "convert to int")
        elem = wanted[0] if wanted else "int64"
        to = Array(elem, False, 1)
        if step.is_const and step.const == 0:
            t.raise_(node, ZeroDivisionError, "division by zero")
            step = number(1)
        if not step.is_const:
            step = t.once(step, node)
            t.guard(node, n.binary("eq", Scalar("bool"), step.code, n.ZERO), ZeroDivisionError, "division by zero")
        texts = [t.cast(start, "int64"), t.cast(stop, "int64")] + ([] if step.is_const and step.const == 1 else
                                                                  [t.cast(step, "int64")])
        return Val(to, n.lib("range", to, *texts))
    val = t.call_python(library.arange_float, [strong_float(t, p) for p in parts], {}, node)
    return astype(t, node, val, wanted) if wanted else val


def strong_float(t, v):
    return Val(Scalar("float64"), t.cast(v, "float64"))


def astype(t, node, val, wanted):
    elem, complex = wanted
    if (val.type.elem, val.type.complex) == wanted:
        return val
    if val.is_scalar:
        return Val(Scalar(elem, complex), t.cast(val, elem, complex))
    val = t.plain(val, node)
    layout = "colmajor" if val.type.layout == "colmajor" else "rowmajor"
    to = Array(elem, complex, val.type.rank, layout)
    return Val(to, f"(cast {to.vrir()} {val.code})")


#: True from NumPy 2 on.
_LINSPACE_OF_SINGLE = np.linspace(np.float32(0), np.float32(1), 2).dtype == np.float32


@function(np.linspace)
def np_linspace(t, node, start, stop, num=None, endpoint=None, dtype=None):
    num = number(50) if num is None else num
    last = endpoint is None or bool(t.static(endpoint, node, "endpoint"))
    start, stop = numeric(t, node, start, stop)
    if start.type.complex or stop.type.complex or start.is_array or stop.is_array:
        t.refuse(node, "np.linspace is compiled for real numbers")
    f = library.linspace if last else library.linspace_open
    val = t.call_python(f, [strong_float(t, start), strong_float(t, stop), Val(INT, t.whole(num, node), low=num.low)],
                        {}, node)
    wanted = t.dtype_of(dtype, node)
    if wanted is None and _LINSPACE_OF_SINGLE and promote(start.type, stop.type)[0] == "float32":
        wanted = "float32", False
    return astype(t, node, val, wanted) if wanted else val


_COPY_NONE = np.lib.NumpyVersion(np.__version__) >= "2.0.0"


def _array_makers():
    for f in (np.array, np.asarray, np.asanyarray, np.ascontiguousarray):
        def handler(t, node, a, dtype=None, copy=None, order=None, f=f):
            wanted = t.dtype_of(dtype, node)
            if order is not None and not order.is_none():
                t.static_choice(order, node, "the order", ("C", "F", "A", "K"))
            if a.is_group("list", "tuple"):
                return t.array_of(a, node, wanted)
            if a.is_scalar and f is not np.ascontiguousarray:
                return without_dimensions(t, node, a, wanted)
            a = numeric_array(t, node, a)
            if wanted is not None and wanted != (a.type.elem, a.type.complex):
                if copy is not None and t.static(copy, node, "copy") is False:
                    t.refuse(node, "copy=False with another dtype is a ValueError in NumPy", "use np.asarray")
                return astype(t, node, a, wanted)
            if copy is not None and not isinstance(t.static(copy, node, "copy"), (bool, type(None)) if _COPY_NONE else bool):
                t.refuse(node, "copy must be True or False, and from NumPy 2 on may be None")
            always = f is np.array if copy is None or copy.is_none() and f is np.asarray else bool(t.static(copy, node, "copy"))
            if always:
                return copied(t, node, a)
            if f is np.ascontiguousarray and not t.in_rows(t.keep(a, node)):
                kept = t.keep(a, node)
                return t.stands_for(copied(t, node, kept), kept, t.recipe("contiguous", kept, maybe=True, node=node))
            return a
        function(f)(handler)


_array_makers()


def numeric_array(t, node, a):
    if a.is_group("list", "tuple"):
        a = t.array_of(a, node)
    if not a.is_array:
        t.refuse(node, f"an array is needed, not {a.type!r}")
    return a


@function(np.fromiter)
def np_fromiter(t, node, iter, dtype, count=None):
    if count is not None and not (count.is_const and count.const == -1):
        t.refuse(node, "np.fromiter with a count is not compiled", "take a slice of the result")
    wanted = t.dtype_of(dtype, node)
    items = t.listed(t.list_from(iter, node), node)
    if wanted is None or not items.type.kind == "empty" and (not isinstance(items.type.item, Scalar) or is_float(items.type.item.elem) and not is_float(wanted[0]) or
                                                             items.type.item.complex and not wanted[1]):
        t.refuse(node, f"np.fromiter of a {items.type!r} with this dtype is not compiled", "the items must be numbers that the dtype contains")
    return t.call(np.array, [items, dtype], {}, node)


@function(np.copy)
def np_copy(t, node, a, order=None):
    if a.is_scalar and order is not None:
        t.static_choice(order, node, "the order", ("C", "F", "A", "K"))
    return without_dimensions(t, node, a) if a.is_scalar else copied(t, node, a, order)


@function(method="copy")
def copied(t, node, a, order=None):
    if order is not None:
        t.static_choice(order, node, "the order", ("C", "F", "A", "K"))
    if a.is_scalar:
        return a
    a = t.plain(numeric_array(t, node, a), node)
    layout = "colmajor" if a.type.layout == "colmajor" else "rowmajor"
    to = Array(a.type.elem, a.type.complex, a.type.rank, layout)
    return Val(to, n.lib("copy", to, a.code))


@function(method="astype")
def method_astype(t, node, a, dtype, copy=None):
    wanted = t.dtype_of(dtype, node) or ("float64", False)  # NumPy takes None as float64
    if a.is_array and wanted == (a.type.elem, a.type.complex):
        return a if copy is not None and not t.static(copy, node, "copy") else copied(t, node, a)
    return strong(astype(t, node, a, wanted))


@function(getattr(np, "astype", None))
def np_astype(t, node, x, dtype, copy=None):
    return method_astype(t, node, numeric_array(t, node, x), dtype, copy)


@function(np.asfortranarray)
def np_asfortranarray(t, node, a, dtype=None):
    wanted = t.dtype_of(dtype, node)
    a = t.keep(numeric_array(t, node, a), node)
    if wanted is not None and wanted != (a.type.elem, a.type.complex):
        return astype(t, node, a, wanted)
    if a.type.rank == 1 and t.in_rows(a):
        return a
    return t.stands_for(copied(t, node, a), a, t.recipe("fortran", a, maybe=True, node=node))


@function(method="view")
def method_view(t, node, a, dtype=None):
    wanted = t.dtype_of(dtype, node) if dtype is not None else None
    if dtype is None and a.is_array:
        return t.element(t.keep(a, node), [group("slice", [t.none()] * 3)], node)
    if wanted is None or a.type.weak if a.is_scalar else wanted is None:
        t.refuse(node, f"'.view' of {a.type!r} is not compiled", "pass a dtype")
    to = numpy_dtype(Scalar(*wanted))
    if a.is_scalar:
        if to.itemsize != numpy_dtype(a.type).itemsize:
            t.refuse(node, f"'.view' of {a.type!r} as {to} is not compiled: it has another size", "use a type of the same size")
        return _through.call(t, node, viewed, [a, constant(to)], {}, "'.view'")
    a = t.keep(a, node)
    made = _through.call(t, node, viewed, [Val(a.type, a.code, var=a.var), constant(to)], {}, "'.view'")
    return t.stands_for(t.keep(made, node), a, t.recipe("view", a, fixed=to, node=node))


def viewed(a, dtype):
    return a.view(dtype)


@function(np.copyto)
def np_copyto(t, node, dst, src):
    dst, src = t.keep(numeric_array(t, node, dst), node), numeric(t, node, src)
    if not np.can_cast(numpy_dtype(src.type), numpy_dtype(dst.type), "same_kind"):
        t.refuse(node, f"np.copyto does not store {src.type!r} into {dst.type!r}", "convert with .astype, or write dst[...] = src")
    t.store_whole(dst, src, node)


@function(method="fill")
def method_fill(t, node, a, value):
    a = numeric_array(t, node, a)
    t.store_whole(t.keep(a, node), value, node)


@function(np.frombuffer)
def np_frombuffer(t, node, buffer, dtype=None, count=None, offset=None):
    elem, complex = t.dtype_of(dtype, node) or ("float64", False)
    if isinstance(buffer.type, Const) and isinstance(buffer.type.value, bytes):
        how = [t.static_int(v, node, what) if v is not None else usual for v, what, usual in ((count, "count", -1), (offset, "offset", 0))]
        try:
            made = np.frombuffer(buffer.type.value, numpy_dtype(Scalar(elem, complex)), *how)
        except ValueError as e:
            t.raise_(node, ValueError, str(e))
            made = np.zeros(1, numpy_dtype(Scalar(elem, complex)))
        if len(made) > MOST_ELEMENTS:
            t.refuse(node, f"a constant array of more than {MOST_ELEMENTS} elements is not compiled", "create it outside of the compiled function")
        items = [number(k.item(), Scalar(elem, complex)) for k in made]
        return t.locked(t.keep(t.array_of(group("list", items), node, (elem, complex)), node), node)
    a = buffer.items[0] if buffer.is_group("buffer") else buffer
    if not a.is_array or count is not None or offset is not None:
        t.refuse(node, f"np.frombuffer of {buffer.type!r} in this form is not compiled", "take a slice of the array of all elements")
    if (elem, complex) != (a.type.elem, a.type.complex) or a.type.rank != 1 or a.type.layout != "rowmajor":
        t.refuse(node, f"np.frombuffer of {buffer.type!r} as {elem_name(elem, complex)} is not compiled: it would reinterpret the bytes as another type",
                 "create the array outside of the compiled function")
    return a


@function(method="bit_length")
def method_bit_length(t, node, x):
    if not x.is_scalar or not x.type.weak or x.type.complex or not is_int(x.type.elem):
        t.refuse(node, f"'.bit_length' of {x.type!r} is not compiled", "it is compiled for Python's ints")
    val = t.call_python(library_more.bit_length, [x], {}, node)
    return Val(INT, val.code, var=val.var, low=0)


@function(method="bit_count")
def method_bit_count(t, node, x):
    if not x.is_scalar or x.type.complex or not is_int(x.type.elem):
        t.refuse(node, f"'.bit_count' of {x.type!r} is not compiled", "it is compiled for integers")
    return Val(INT, t.cast(Val(x.type, n.lib("bit_count", x.type, x.code)), "int64"), low=0)


def bitwise_count(t, node, x, out=None):
    x = numeric(t, node, x)
    if x.type.complex or not (is_int(x.type.elem) or x.type.elem == "bool"):
        t.raise_(node, TypeError, "ufunc 'bitwise_count' not supported for the input types, and the inputs could not be safely coerced to any "
                 "supported types according to the casting rule ''safe''")
        return x
    elem = "int32" if x.type.elem == "bool" else x.type.elem
    ones = Val(like(x, elem), n.lib("bit_count", like(x, elem), x.code))
    return into(t, node, out, Val(like(x, "uint8"), t.cast(ones, "uint8")))


if hasattr(np, "bitwise_count"):
    function(np.bitwise_count)(bitwise_count)


@function(method="is_integer")
def method_is_integer(t, node, x):
    if not x.is_scalar or x.type.complex or x.type.elem not in ("float32", "float64"):
        t.refuse(node, f"'.is_integer' of {x.type!r} is not compiled")
    rest = t.operate(ast.Mod(), x, number(1.0, Scalar(x.type.elem, False, True)), node)  # NaN if x is not finite
    test = t.compare(ast.Eq(), rest, number(0.0, Scalar("float64", False, True)), node)
    return number(bool(test.const)) if test.is_const else Val(BOOL, test.code)


@function(method="item")
def method_item(t, node, a, *index):
    if len(index) == 1 and index[0].is_group("tuple"):
        index = tuple(index[0].items)
    for k in index:
        t.whole(k, node)
    if a.is_scalar:
        if any(not k.is_const or k.const not in (0, -1) for k in index) or len(index) > 1:
            t.refuse(node, ".item() of a number takes no index")
        v = a
    elif not index:
        v = Val(a.type.element(), n.lib("scalar", a.type.element(), t.plain(a, node).code))
    else:
        a = t.keep(a, node)
        if len(index) == 1 and a.type.rank > 1:
            index = unravelled(t, node, a, index[0])
        elif len(index) != a.type.rank:
            t.refuse(node, "incorrect number of indices for array")
        v = t.element(a, index, node)
    if is_int(v.type.elem):
        return to_int(t, node, v)
    elem = "float64" if is_float(v.type.elem) else v.type.elem
    return Val(Scalar(elem, v.type.complex, True), t.cast(v, elem, v.type.complex))


def unravelled(t, node, a, k):
    """The subscripts of the k-th element in row-major order. Raises IndexError if k is out of bounds."""
    size, k = t.keep(t.size(a, node), node), t.keep(Val(INT, t.whole(k, node), low=k.low), node)
    below = n.binary("lt", Scalar("bool"), t.operate(ast.Add(), k, size, node).code, n.ZERO)
    beyond = n.binary("geq", Scalar("bool"), k.code, size.code)
    t.guard(node, n.binary("or", Scalar("bool"), below, beyond), IndexError, "index is out of bounds for the array")
    if k.low is None or k.low < 0:
        negative = Val(Scalar("bool"), n.binary("lt", Scalar("bool"), k.code, n.ZERO))
        k = t.choose(negative, lambda: t.operate(ast.Add(), k, size, node), lambda: k, node)
    rest, subscripts = Val(INT, k.code, var=k.var, low=0), []
    for axis in reversed(range(a.type.rank)):
        extent = t.extent_value(a, axis, node)
        extent = extent if extent.is_const else Val(INT, extent.code, low=1)  # an empty array has raised the IndexError above
        subscripts.append(t.operate(ast.Mod(), rest, extent, node))
        rest = t.keep(t.operate(ast.FloorDiv(), rest, extent, node), node)
    return subscripts[::-1]


@function(method="tolist")
def method_tolist(t, node, a):
    if not a.is_array:
        t.refuse(node, "'.tolist' of a number is not compiled", "use int() or float()")
    elem = "float64" if is_float(a.type.elem) or a.type.complex else "bool" if a.type.elem == "bool" else "int64"
    if a.type.elem == "uint64":
        t.refuse(node, "'.tolist' of uint64 is not compiled: ints of compiled code are int64", "use .astype(np.int64)")
    to = Array(elem, a.type.complex, a.type.rank)
    plain = t.plain(a, node)
    text = n.lib("copy", to, plain.code) if a.type.elem == elem else t.cast(plain, elem, a.type.complex)
    return t.array_as_list(Val(to, text), Scalar(elem, a.type.complex, True), node)


def _common_dtype(t, node, f, items):
    try:
        return constant(f(*items))
    except (TypeError, ValueError) as e:
        t.refuse(node, f"no dtype is known for these: {e}")


@function(np.result_type)
def np_result_type(t, node, *items):
    def given(i):
        if not i.is_numeric:
            return t.static(i, node, "the type")
        if i.is_scalar and i.type.weak:  # Python numbers take the type of the other operands
            return 0j if i.type.complex else {"bool": True, "int64": 0}.get(i.type.elem, 0.0)
        return np.dtype(elem_name(i.type.elem, i.type.complex))

    return _common_dtype(t, node, np.result_type, [given(i) for i in items])


@function(np.promote_types)
def np_promote_types(t, node, type1, type2):
    if type1.is_numeric or type2.is_numeric:
        t.refuse(node, "np.promote_types takes types, not values")
    return _common_dtype(t, node, np.promote_types, [t.static(i, node, "the type") for i in (type1, type2)])