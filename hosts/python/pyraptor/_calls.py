"""Calls of Python functions (compiled together with the caller), of NumPy functions, of methods, and of types."""
from __future__ import annotations

import ast
import inspect
import operator

import numpy as np

from . import _nodes as n
from . import _big_ints, _buffers, _choices, _dicts, _fields, _functional, _generators, _grown, _numpy, _random, _records, _sets, _texts, _through, library, library_ufuncs
from ._closures import Closure, definition_of
from ._errors import NeedsValues, UnsupportedError
from ._pycall import PyCall
from ._rows import compares_items, contains_rows, is_rows
from ._source import is_plain_function
from ._lists import ELSEWHERE, LENGTH_CHANGES
from ._numpy_elementwise import into
from ._trees import all_nodes
from ._types import Array, Const, Group, List, NotNumeric, Ragged, Rank0, Scalar, is_numeric, leaves, number_type, numpy_dtype, promote
from ._value import Unknown, Val, constant, group, like, number, of_type
from ._views import again, is_view


#: NumPy functions whose results never share elements with their arguments.
_NEW = frozenset("sum prod mean std var min max amin amax argmin argmax any all dot median cumsum cumprod sort argsort unique searchsorted "
                 "array ptp average count_nonzero diff inner outer vdot cross bincount linspace full zeros_like ones_like empty_like "
                 "full_like concatenate stack vstack hstack column_stack repeat tile where isclose allclose".split())


#: Methods of groups, by the group's kind.
_OF_KINDS = {"buffer": _buffers.METHODS, "fields": _fields.METHODS}


class Method:
    """A bound method: the value of `a.sum` before the call."""

    def __init__(self, base, name):
        self.base, self.name = base, name

    def __repr__(self):
        return f"the method '{self.name}'"


def without_numbers(t):
    """The value of a type that has no run-time parts (numbers or arrays)."""
    if isinstance(t, Const):
        return constant(t.value)
    if isinstance(t, List):
        return Val(t, items=[])
    return of_type(t, [without_numbers(i) for i in t.items])


def _vectorized():
    from ._vectorize import Vectorized
    return Vectorized


#: Functions that raise a TypeError for None.
_OF_NUMBERS = (abs, int, float, complex, round, range, pow, divmod, min, max)
#: Statements that can make the type of a function's result depend on the values of its arguments.
_BRANCHES = (ast.If, ast.IfExp, ast.BoolOp, ast.While, ast.For, ast.Try)


class Mapped:
    """np.vectorize(pyfunc), where pyfunc is a function that can be compiled."""

    otypes = signature = excluded = None

    def __init__(self, pyfunc):
        self.pyfunc, self.__name__ = pyfunc, "vectorize"


@_numpy.function(np.vectorize)
def np_vectorize(t, node, pyfunc):
    return constant(Mapped(t.static(pyfunc, node, "the function")))


class Calls:
    def method(self, base, name):
        return Method(base, name) if name in _numpy.METHODS else None

    def expr_Call(self, node):
        f = self.expr(node.func)
        if not isinstance(f.type, Const):
            self.refuse(node, f"{f.type!r} is not a function")
        if any(isinstance(a, ast.Starred) for a in node.args) or any(k.arg is None for k in node.keywords):
            return self.call_spread(f.type.value, node)
        if f.type.value in (any, all, sum) and node.args and isinstance(node.args[0], ast.GeneratorExp) and not node.keywords:
            val = self.consumed(f.type.value, node)
            if val is not None:
                return val
        values = self.operands([*node.args, *(k.value for k in node.keywords)])
        kwargs = dict(zip((k.arg for k in node.keywords), values[len(node.args):]))
        return self.call(f.type.value, values[:len(node.args)], kwargs, node)

    def call_spread(self, f, node):
        args = []
        for a in node.args:
            if isinstance(a, ast.Starred):
                val = self.expr(a.value)
                if not val.is_group("tuple", "list"):
                    self.refuse(a, f"'*' of {val.type!r} is not compiled: how many values there are must be known when the function is "
                                "compiled")
                args += val.items
            else:
                args.append(self.expr(a))
        if any(k.arg is None for k in node.keywords):
            self.refuse(node, "'**' is not compiled")
        return self.call(f, args, {k.arg: self.expr(k.value) for k in node.keywords}, node)

    def call(self, f, args, kwargs, node):
        """f(*args, **kwargs)"""
        if _big_ints.is_involved(f, args, kwargs):
            made = _big_ints.call(self, f, args, kwargs, node)
            if made is not None:
                return made
        if compares_items(f, kwargs) and any(contains_rows(a, len(args) > 1) for a in args):
            self.refuse(node, f"{_name(f)} of lists of lists or of strings is not compiled: it compares them", "compare numbers: key=len, or key=lambda row: row[0]")
        if isinstance(f, PyCall):
            return self.call_host(f, args, kwargs, node)
        if hasattr(type(f), "call_compiled"):  # a stencil
            return f.call_compiled(self, args, kwargs, node)
        if _random.find(f) is not None:
            return _random.call(self, f, args, kwargs, node)
        if isinstance(f, (_functional.Getter, operator.itemgetter)):
            items = f.items if isinstance(f, _functional.Getter) else f.__reduce__()[1]
            found = [self.item_of_value(args[0], self.value_of(i, node, "item"), node) for i in items]
            return found[0] if len(found) == 1 else group("tuple", found)
        if isinstance(f, _records.Bound):
            return _records.call_bound(self, f, args, kwargs, node)
        if _records.is_record_class(f):
            return _records.construct(self, f, args, kwargs, node)
        if f is dict and kwargs and not args and not any(self.lists_in(v) for v in kwargs.values()):
            return _fields.made(kwargs, kwargs.values())
        if isinstance(f, Method) and _choices.is_choice(f.base):
            return _choices.call_method(self, node, f.name, f.base, args, kwargs)
        if isinstance(f, Method) and _grown.is_made(f.base):
            return _grown.method(self, node, f.base, f.name, args, kwargs)
        if isinstance(f, Method) and f.base.row is not None and f.base.is_list and f.name in LENGTH_CHANGES:
            return self.row_method(f.name, f.base, args, kwargs, node)
        if isinstance(f, Method):
            listed = f.base.is_listed or f.base.is_group()
            handler, args = _OF_KINDS[f.base.type.kind][f.name] if f.base.is_group("buffer", "fields") else _sets.METHODS[f.name] if f.base.is_group("set") else _dicts.METHODS[
                f.name] if f.base.is_group("dict") else self.list_method(f.name) if listed else _numpy.METHODS[f.name], [f.base, *args]
        else:
            handler = _numpy.find(f)
        if handler is not None:
            other = _through.beside(f, args, kwargs)
            if other is None:
                return self.call_handler(f, handler, args, kwargs, node)
            before = len(self.out)
            try:
                return self.call_handler(f, handler, args, kwargs, node)
            except NeedsValues:
                raise
            except UnsupportedError as e:
                del self.out[before:]
                try:
                    return _through.call(self, node, other, args, kwargs, _name(other), e.reason)
                except UnsupportedError:
                    raise e from None
        if isinstance(getattr(f, "__self__", None), (str, bytes)):
            return _texts.call_method(self, node, f, args, kwargs)
        if isinstance(f, np.ufunc) and _through.has(f) and _through._stores(f, args, kwargs) and len(args) <= f.nin + f.nout:
            return self.call_storing(f, args, kwargs, node)
        if _through.has(f) and not _through._stores(f, args, kwargs):
            return _through.call(self, node, f, args, kwargs, _name(f))
        if isinstance(f, (_vectorized(), np.vectorize, Mapped)):
            return self.call_vectorized(f, args, kwargs, node)
        inner = getattr(f, "_impl", None)
        if inner is not None:
            f = inner.function
        if is_plain_function(f) or isinstance(f, Closure):
            if _generators.is_generator(f):
                return _generators.call(self, f, args, kwargs, node)
            if not _numpy.owns(f):
                return self.call_python(f, args, kwargs, node)
            try:  # this may be inside of NumPy's own Python code, which is also compiled
                return self.call_python(f, args, kwargs, node)
            except NeedsValues:
                raise
            except UnsupportedError:
                pass
        self.refuse(node, f"{_name(f)} is not compiled", _numpy.hint(f))

    def call_storing(self, f, args, kwargs, node):
        """A call with `out=` of a ufunc that the interpreter computes: the results are stored to the given arrays."""
        rest = {k: v for k, v in kwargs.items() if k != "out"}
        outs = args[f.nin:] or [kwargs["out"]]
        if f.nout > 1 and len(outs) == 1 and outs[0].is_group("tuple"):
            outs = outs[0].items
        val = _through.call(self, node, f, args[:f.nin], rest, _name(f))
        if f.nout == 1:
            return into(self, node, outs[0], val)
        outs = [*outs, *[None] * (f.nout - len(outs))]
        return group("tuple", [part if out is None or out.is_none() else into(self, node, out, part) for out, part in zip(outs, val.items)])

    def call_handler(self, f, handler, args, kwargs, node):
        """A call of a function that has a handler (_numpy.TABLE)."""
        if f in (np.concatenate, np.hstack) and len(args) == 1 and not kwargs and is_rows(args[0]) and args[0].type.item.form == "array":
            return self.joined_rows(args[0], node)
        if isinstance(f, np.ufunc) or getattr(f, "__module__", "") in ("math", "cmath") or f in _OF_NUMBERS:
            args = [self.present(a, node) for a in args]
        if _numpy.of_arrays(f) and f not in (np.frombuffer, np.nditer):
            shares = isinstance(f, np.ufunc) or getattr(f, "__name__", "") in _NEW
            args = [self.as_numpy(a, node, shares) for a in args]
            kwargs = {k: self.as_numpy(a, node, shares) for k, a in kwargs.items()}
        halves = any(a.is_numeric and a.type.elem == "float16" for a in (*args, *kwargs.values()))
        if halves and not _numpy.takes_float16(f, handler):
            self.refuse(node, f"{_name(f)} of float16 is not compiled", "pass .astype(np.float32)")
        rounds = halves and isinstance(f, np.ufunc) and "out" not in kwargs and len(args) <= f.nin
        if rounds:
            args, rounds = self.computed_in_single(args, node)
        try:
            bound = _numpy.parameters(handler).bind(self, node, *args, **kwargs)
        except TypeError as e:
            self.refuse(node, f"{_name(f)}: {str(e) or 'other arguments'} (as it is compiled)")
        known = None if isinstance(f, Method) or f in (sorted, list, min, max) else _numpy.keywords(f)
        for k in kwargs if known is not None else ():
            if k not in known:
                self.refuse(node, f"{_name(f)} takes no argument named '{k}'")
        if isinstance(f, np.ufunc):
            self.operands_of(f, args, node)
        spread = any(p.kind is p.VAR_POSITIONAL for p in bound.signature.parameters.values())
        try:
            result = handler(*bound.args, **bound.kwargs) if spread else handler(**bound.arguments)
        except NotNumeric as e:
            self.refuse(node, f"{_name(f)} of {e.type!r} is not compiled", "pass numbers and arrays")
        if f is np.linalg.matrix_power and result.var is not None and result.var == args[0].var:
            return result
        if rounds and result.is_numeric and result.type.elem == "float32":
            result = self.as_float(self.plain(result, node), "float16")
        if result is None or isinstance(result.type, Const) or getattr(f, "__module__", "") == "_operator":
            return result
        out = bound.arguments.get("out")
        return self.of_call(f.name if isinstance(f, Method) else f, args, kwargs,
                            out.items[0] if out is not None and out.is_group("tuple") and out.items else out, result, node)

    def computed_in_single(self, args, node):
        """The operands of a ufunc, with float16 converted to float32: NumPy computes in float32 and rounds the result. Also whether the result is
        rounded to float16, which is not so if another operand is wider."""
        common = None
        for t in (a.type.element() if a.is_array else a.type for a in args if a.is_numeric):
            common = t if common is None else Scalar(*promote(common, t))
        elem, complex = common.elem, common.complex
        if elem != "float16" or complex:
            return args, False
        wide = []
        for a in args:
            if a.is_numeric and a.type.elem not in ("bool", "float16"):
                a = self.as_float(a, "float16")  # a Python number takes the type float16 of the other operand
            wide.append(self.as_float(self.plain(a, node), "float32") if a.is_numeric and a.type.elem == "float16" else a)
        return wide, True

    def operands_of(self, f, args, node):
        """Checks that the operands of a ufunc are given by position, and are numbers or arrays."""
        if len(args) < f.nin:
            self.refuse(node, f"'{f.__name__}' takes {f.nin} operands by position, {len(args)} are given")
        for a in args[:f.nin]:
            if isinstance(a.type, Const):
                self.refuse(node, f"'{f.__name__}' of {a.type!r} is not compiled", "pass numbers and arrays")

    def call_vectorized(self, f, args, kwargs, node):
        """Applies a function of numbers to all elements. One from `vectorize` gets NumPy scalars, one from np.vectorize Python numbers."""
        if kwargs:
            self.refuse(node, f"{_name(f)} is called with a keyword argument", "pass its operands by position")
        numpys = not isinstance(f, _vectorized())
        g = f.pyfunc if numpys else f.function
        if numpys and (f.otypes is not None or f.signature is not None or f.excluded):
            self.refuse(node, "np.vectorize with otypes, excluded or signature is not compiled", "use pyraptor.vectorize")
        if numpys and is_plain_function(g) | isinstance(g, Closure) and any(isinstance(x, _BRANCHES) for x in all_nodes(self.program.source(g).tree)):
            self.refuse(node, "np.vectorize of a function with branches is not compiled: NumPy takes the type of all results from the first one",
                        "use pyraptor.vectorize")
        if not numpys and f.signatures:
            self.refuse(node, f"{_name(f)} has signatures, so it cannot be called in compiled code", "remove the signatures")
        args = [self.keep(self.plain(v, node), node) if v.is_array else v for v in (
            self.array_of(a, node) if a.is_group("list", "tuple") or a.is_list else a for a in args)]
        for v in args:
            if not v.is_numeric:
                self.refuse(node, f"{_name(f)} of {v.type!r} is not compiled", "pass numbers and arrays")
        strong = [Val(Scalar(v.type.elem, v.type.complex), v.code, low=v.low) if v.is_scalar else v for v in args]
        before = len(self.out)
        result = self.call(g, [Val(Scalar(v.type.elem, v.type.complex), n.const(1, Scalar(v.type.elem, v.type.complex))) for v in strong], {}, node)
        del self.out[before:]  # only the type of the result was needed: delete the emitted code
        if not result.is_scalar:
            self.refuse(node, f"{_name(f)} returns {result.type!r} for numbers", "return a single number")
        if all(v.is_scalar for v in args):
            val = self.call(g, args if numpys else strong, {}, node)
            elem, complex = result.type.elem, result.type.complex
            return Val(Scalar(elem, complex), self.fit(val, Scalar(elem, complex)), low=val.low if val.type.elem == elem else None)
        kinds = tuple("c" if v.type.complex else np.dtype(v.type.elem).kind for v in args) if numpys else None
        text = library_ufuncs.vectorized(g, tuple(v.type.rank for v in args), kinds)
        return self.call_python(text, [*(args if numpys else strong), constant(numpy_dtype(result.type))], {}, node)

    def call_numpy(self, f, args, kwargs, node):
        return self.call(f, args, kwargs, node)

    def outer_operands(self, a, b, node):
        """Inserts axes so that an elementwise operator combines all pairs of elements: a[..., None] and b."""
        a, b = self.keep(self.array_of(a, node), node), self.array_of(b, node)
        none = self.none()
        items = [group("slice", [none] * 3) for _ in range(a.type.rank)] + [none] * b.type.rank
        return self.element(a, items, node), b

    def call_numpy_map(self, name, args, elem, node):
        """Applies an elementwise library function."""
        args = [self.once(self.plain(a, node), node) if a.is_array else a for a in args]
        for k, a in enumerate(args[1:], 1):
            for other in args[:k]:
                self.checked_pair(other, a, node)
        rank = max(a.type.rank for a in args)
        args = [Val(Array(elem, False, a.type.rank), self.cast(a, elem)) if a.is_array else
                Val(Scalar(elem), self.cast(a, elem)) for a in args]
        return self.call_python(library.elementwise(name, rank), args, {}, node)

    # ---- Python functions
    def bind_call(self, f, source, args, kwargs, node):
        signature = inspect.signature(f)
        try:
            bound = signature.bind(*args, **kwargs)
        except TypeError as e:
            self.refuse(node, f"{f.__name__}(): {e}")
        values = []
        for name, parameter in signature.parameters.items():
            if parameter.kind is parameter.VAR_POSITIONAL:
                values.append(group("tuple", bound.arguments.get(name, ())))
                continue
            if name in bound.arguments:
                values.append(bound.arguments[name])
            elif isinstance(f, Closure):
                values.append(self.default_value(f, name, node))
            else:
                values.append(self.value_of(parameter.default, node, name))
            values[-1] = self.promised(values[-1], source.annotations.get(name), f"argument '{name}' of {f.__name__}()", node)
        assigned = {x.id for x in all_nodes(source.tree) if isinstance(x, ast.Name) and isinstance(x.ctx, ast.Store)}
        for k in self.program.by_value.get(definition_of(f), ()):
            if k < len(values):
                values[k] = self.by_value(values[k], node, f"argument '{[*signature.parameters][k]}' of {f.__name__}()")
        for k, name in enumerate(signature.parameters):
            if name not in assigned and values[k].is_const and values[k].is_scalar and isinstance(values[k].const, bool) and values[k].type.weak:
                values[k] = constant(values[k].const)
        return values + (self.captured_values(f, node) if isinstance(f, Closure) else [])

    def by_value(self, val, node, what):
        """An argument whose value the callee must know at compile time."""
        if val.is_group():
            return like(val, [self.by_value(i, node, what) for i in val.items])
        if val.is_scalar and val.is_const and val.type.weak and not val.type.complex:
            return constant(val.const)
        if val.is_scalar:
            self.static(val, node, what)
        return val

    def call_python(self, f, args, kwargs, node):
        source = self.program.source(f)
        if (getattr(f, "__module__", None) or "").startswith(library.__name__):  # PyRaptor's library functions expect numbers, and change none in place
            args = [Val(number_type(a.type), a.code, low=a.low) if isinstance(a.type, Rank0) else a for a in args]
        values = self.bind_call(f, source, args, kwargs, node)
        values = [self.keep_arrays(self.out_of_rows(v, node), node) for v in values]
        context, arrays = self.context_of(f, values, node, source)
        caught = self.classes_caught() if self.traps and not getattr(f, "writes", ()) else ()
        callee = self.program.function(f, tuple(_parameter_type(v) for v in values), self, node, context, caught)
        callee.called = True
        if callee.result is None and not callee.busy:
            callee.translate()
        if self.wanted_lists(callee, values, node):
            context, arrays = self.context_of(f, values, node, source)
            callee = self.program.function(f, tuple(_parameter_type(v) for v in values), self, node, context, caught)
            callee.called = True
            if callee.result is None and not callee.busy:
                callee.translate()
        self.lists_of_call(callee, values, node, f.__name__)
        self.program.calls += 1
        self.has_loop = True
        for key, need in callee.needs.items():
            self.needs.setdefault(key, need)
            self.argument_ids.setdefault(self.symbol(("global", key), (), need[2]), ("global", key))
        if context is not None:
            self.call_updates(callee, arrays, node)
        if callee.result is None:
            raise Unknown
        texts = [p for v, t in zip(values, callee.arg_types) for p in self.parts(v, t)]
        if callee.stored:
            changed = {self.root(v.var) for k in callee.stored if not isinstance(k, tuple) for v in self.arrays_in(values[k])}
            for v in (a for value in values for a in self.arrays_in(value)):
                if v.snapshot is not None and self.root(v.snapshot) in changed:
                    self.refuse(node, f"'{f.__name__}' stores to an array of which another argument is a copy here, but a "
                                "view in NumPy", "add .copy()")
        for k, j in callee.apart:
            self.keep_apart(self.passed(values, k), self.passed(values, j), node, f.__name__)
        for k in callee.stored:
            if isinstance(k, tuple):  # a global array
                self.stored_to(self.symbol(k, (), self.needs[k[1]][2]), node)
                continue
            for v in self.arrays_in(values[k]):
                self.stored_to(v.var, node)
                if v.snapshot is not None:
                    self.refuse(node, f"'{f.__name__}' stores to an argument that is a copy here, but a view in NumPy",
                                "pass the array itself, or a copy: add .copy()")
        for key, (name, _, t) in callee.needs.items():
            texts.append(n.name(self.symbol(("global", key), (), t), t))
        result = self.call_vrir(callee, values, texts, node)
        return self.assign_nonlocals(f, result, node) if getattr(f, "writes", ()) else result

    def call_host(self, f, args, kwargs, node):
        """A call that the interpreter executes. It may have any effect, such as stores to the arrays that it is given."""
        if kwargs:
            self.refuse(node, f"{_name(f)} is called with a keyword argument", "pycall functions take all arguments by position")
        values = [self.keep_arrays(self.plain(v, node) if v.is_array else v, node) for v in args]
        for v in values:
            if not v.is_numeric or isinstance(v.type, Rank0):
                self.refuse(node, f"{_name(f)} gets {v.type!r}", "pycall functions take numbers and arrays")
            if v.is_array and v.snapshot is not None:
                self.refuse(node, f"{_name(f)} gets an array that is a copy here, but a view in NumPy", "add .copy()")
            if v.is_array:
                self.stored_to(v.var, node)
        self.has_loop = True  # the interpreter may run for long: the code must poll for interrupts
        types = [v.type for v in values]
        callee = self.program.host_function(f, types, self.loc(node))
        return self.call_vrir(callee, values, [self.fit(v, t) for v, t in zip(values, types)], node)

    def passed(self, values, k):
        """The variables of the arrays in argument k; if k is a tuple, of a global array that the callee uses."""
        if isinstance(k, tuple):
            return [self.symbol(k, (), self.needs[k[1]][2])]
        return [v.var for v in self.arrays_in(values[k])]

    def keep_apart(self, ones, others, node, name):
        """Requires that the arrays of `ones` and `others` do not overlap. The callee copies one where NumPy has a view, and stores to the other, so
        the copy would differ from the view if they did."""
        arguments = self.argument_roots()
        for a in map(self.root, ones):
            for b in map(self.root, others):
                if a == b:
                    self.refuse(node, f"'{name}' gets an array twice, and copies one where NumPy has a view",
                                "pass a copy")
                self.apart |= {(k, j) for k in arguments.get(a, ()) for j in arguments.get(b, ())}

    def call_vrir(self, callee, values, texts, node):
        hidden = callee.hidden()
        outs = leaves(callee.result) + [t for t, _ in hidden]
        types = [t.vrir() for t in outs]
        kind = "(void)" if not outs else types[0] if len(outs) == 1 else f"(tupletype {' '.join(types)})"
        code = f"(fncall :fnname {n.word(callee.name)} {kind} (args {' '.join(texts)}))"
        if not outs:
            self.emit(f"(exprstmt{self.loc(node)} {code})")
            return without_numbers(callee.result)
        ids = [self.temporary(t) for t in outs]
        names = [n.name(i, t.base() if isinstance(t, Array) else t) for i, t in zip(ids, outs)]
        self.emit(n.assign(names, code, self.loc(node)))
        copied = {}  # variable of a result -> the array that it may be a copy of, where NumPy has a view: an argument was such a copy
        for id, t in zip(ids, outs):
            if isinstance(t, Array) and t.layout == "strided" or callee.returns_arguments:
                for a in (a for v in values for a in self.arrays_in(v) if isinstance(t, Array) and a.type.elem == t.elem):
                    self.alias(id, a.var)
                    if a.snapshot is not None:
                        copied[id] = int(a.snapshot)  # int(): the result may also be another array, so it is not known to be read-only
        parts = iter(zip(ids, outs, names))
        given = {h for k in callee.given_back for v in self.lists_in(values[k]) for h in v.held}
        held = frozenset(given | {ELSEWHERE}) if callee.given_back else frozenset()

        def result(t):
            if isinstance(t, List):
                items = [Val(i, text, var=id, low=0 if isinstance(i, Scalar) else None) for i, (id, _, text) in zip(t.items, parts)]
                self.list_ids.update(i.var for i in items if i.is_array)
                if t.kind != "growing":
                    return Val(t, items=items, held=held)
                theirs, items[-1] = items[-1], self.own_number(node)
                for k in sorted(callee.given_back):  # the callee numbers the lists among its arguments 1, 2, ...
                    for v in self.lists_in(values[k]):
                        if v.is_list and v.type.kind == "growing":
                            same = n.binary("eq", n.Scalar("bool"), theirs.code, n.const(k + 1, n.INT64))
                            self.emit(n.if_(same, [n.assign([items[-1].code], v.items[-1].code, self.loc(node))], [], self.loc(node)))
                return Val(t, items=items, held=frozenset(given))
            if t.__class__.__name__ in ("Zipped", "TextList"):
                self.refuse(node, f"the result of this function, a {t!r}, is compiled for calls from Python only", "return the parts as lists of their own")
            if isinstance(t, Ragged):
                if any(isinstance(v.type, Ragged) for v in values):
                    self.refuse(node, "a function with lists of lists of different lengths among its arguments and its result is not compiled here", "return copies of the rows, as arrays")
                return self.from_ragged(Val(t, items=[result(i) for i in t.items]), node)
            if isinstance(t, Group):
                items = [result(i) for i in t.items]
                made = again(self, t.kind, items[0], items[1:], node) if is_view(t) else of_type(t, items)
                if t.kind == "list":
                    made.held = held
                return made
            if not is_numeric(t):
                return constant(t.value)
            id, _, text = next(parts)
            return Val(t, text, var=id, snapshot=copied.get(id))

        val = result(callee.result)
        if getattr(callee, "told", None) is not None:
            *names, flag = names
            hidden = hidden[:-1]
        else:
            flag = None
        self.lists_after_call(callee, values, [(t, text) for (t, _), text in zip(hidden, names[len(names) - len(hidden):])], node)
        if flag is not None:
            self.raise_again_after(callee, flag, node)
        return val

    def keep_arrays(self, val, node):
        if val.is_group():
            return like(val, [self.keep_arrays(i, node) for i in val.items])
        return self.keep(val, node) if val.is_array else val

    def arrays_in(self, val):
        if val.is_group():
            return [a for i in val.items for a in self.arrays_in(i)]
        return [val] if val.is_array else []

    # ---- arrays of literals
    def array_of(self, val, node, dtype=None):
        """Converts a list or tuple of numbers and arrays to an array."""
        val = self.as_numpy(val, node)
        if val.is_array:
            return val
        if not val.is_group("list", "tuple"):
            self.refuse(node, f"{val.type!r} is not an array")
        shape, items = self.flat_items(val, node)
        if not items:
            elem, complex = dtype or ("float64", False)
            t = Array(elem, complex, len(shape))
            return Val(t, n.alloc("empty", t, [n.const(s, n.INT64) for s in shape]))
        elem, complex, _ = items[0].type.elem, items[0].type.complex, None
        for i in items[1:]:
            elem, complex, _ = promote(Scalar(elem, complex), Scalar(i.type.elem, i.type.complex))
        if dtype is not None:
            elem, complex = dtype
        inner = items[0].type.rank
        t = Array(elem, complex, len(shape) + inner)
        items = [self.once(i, node) for i in items]
        extents = [n.const(s, n.INT64) for s in shape] + (self.shape(items[0], node) if inner else [])
        result = self.keep(Val(t, n.alloc("empty", t, extents)), node)
        for at, item in zip(np.ndindex(*shape), items):
            self.store_place(self.place_of(result, [number(k) for k in at], node), item, node)
        self.stores = [s for s in self.stores if s[0] != result.var]
        return result

    def flat_items(self, val, node):
        if not val.is_group("list", "tuple"):
            if not val.is_numeric:
                self.refuse(node, f"{val.type!r} in an array is not compiled")
            return (), [val]
        parts = [self.flat_items(i, node) for i in val.items]
        if any(p[0] != parts[0][0] for p in parts[1:]) or any(
                i.type.rank != parts[0][1][0].type.rank for p in parts for i in p[1]):
            self.refuse(node, "the rows have different lengths")
        return (len(parts), *(parts[0][0] if parts else ())), [i for p in parts for i in p[1]]

    def grid(self, o, index, node):
        slices = index.items if index.is_group("tuple") else [index]
        if not all(s.is_group("slice") for s in slices) or len(slices) > 3:
            self.refuse(node, "np.mgrid takes up to three slices")
        parts = []
        for s in slices:
            start, stop, step = s.items
            if not step.is_none():
                self.refuse(node, "np.mgrid with a step is not compiled")
            parts += [number(0) if start.is_none() else start, stop]
        if o is np.ogrid or not all(p.is_scalar and p.type.elem == "int64" for p in parts):
            self.refuse(node, "np.mgrid is compiled for integers")
        grids = self.call_python(library.mgrid[len(slices)], parts, {}, node)
        # In NumPy these are the rows of one array. Programs only take them apart again, so a tuple of arrays will do.
        return group("grid", grids.items) if len(slices) > 1 else grids


def _parameter_type(val):
    """The type of the callee's parameter: for a constant number, the type of numbers without the value."""
    return val.type


def _name(f):
    if isinstance(f, Method):
        return f"'.{f.name}'"
    module = getattr(f, "__module__", None)
    name = getattr(f, "__name__", None) or repr(f)
    short = {"numpy": "np.", "math": "math.", "cmath": "cmath."}.get(module, "")
    return f"'{short}{name}'"
