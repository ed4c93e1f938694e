"""Generates the C source of an extension module that calls functions built ahead of time (aot.extension). It converts arguments through the buffer
protocol, results to NumPy objects, and error records to exceptions."""
from __future__ import annotations

import builtins
import pathlib
import re

from ._errors import _LINEAR, UnsupportedError
from ._messages import Message, Number
from ._types import CODES, COMPLEX_BIT, LAYOUTS, Array, Const, Group, is_float, is_unsigned

#: C code that all modules contain: conversions and errors. It declares the structures of descriptor.h, whose layout is frozen.
_SUPPORT = pathlib.Path(__file__).with_name("extension_support.c")

_C = {"bool": "bool", "float32": "float", "float64": "double"}


def text_of(s):
    """A C string literal."""
    return '"' + "".join(c if 32 <= ord(c) < 127 and c not in '"\\?' else "".join(f"\\{b:03o}" for b in c.encode()) for c in s) + '"'


def source(name, entries, header):
    """(C source, names of the runtime's libraries for the linker) of the module. `header`: the C header that was generated for the functions."""
    libraries = re.findall(r"-l(vrrt\w*)", header[:header.index("*/")])
    libraries = [x for k, x in enumerate(libraries) if x not in libraries[:k]]
    begin, end = _SUPPORT.read_text().split("/* An exception of a raise")
    linear = f"static const char* const linear_faults[] = {{{', '.join(map(text_of, sorted(_LINEAR)))}}};\n\n"
    body = [begin + linear + "/* An exception of a raise" + end, *re.findall(r"^int32_t \w+\(.*?\);$", header, re.M | re.S)]
    methods = []
    for e in entries:
        body += [_raises(e), _function(e)]
        methods.append(f"    {{{text_of(e.name)}, (PyCFunction)(void*)call_{e.name}, METH_FASTCALL, {text_of(_doc(e))}}},\n")
    body.append(f"""static PyMethodDef methods[] = {{
{''.join(methods)}    {{NULL, NULL, 0, NULL}}}};
static struct PyModuleDef definition = {{PyModuleDef_HEAD_INIT, {text_of(name)}, "Compiled by PyRaptor.", -1, methods, NULL, NULL, NULL, NULL}};

PyMODINIT_FUNC PyInit_{name}(void);
__attribute__((visibility("default"))) PyMODINIT_FUNC PyInit_{name}(void) {{
  if (!prepare({'true' if any(_needs_numpy(e.program.main.result) for e in entries) else 'false'})) return NULL;
  return PyModule_Create(&definition);
}}
""")
    return "\n".join(body), libraries


def _doc(e):
    return f"{e.name}({', '.join(f'{p}: {t!r}' for p, t in zip(e.parameters, e.program.main.arg_types))}) -> {e.program.main.result!r}"


def _needs_numpy(t):
    if isinstance(t, Group):
        return any(map(_needs_numpy, t.items))
    return isinstance(t, Array) or not isinstance(t, Const) and not t.weak


def _raises(e):
    """C code that raises the exceptions of the function's raise statements."""
    rows = []
    for kind, args in e.program.raises:
        if vars(builtins).get(kind.__name__) is not kind:
            raise UnsupportedError(f"{e.name}() raises {kind.__name__}, which is not a built-in exception", hint="raise ValueError, for example")
        if len(args) > 1 or args and not isinstance(args[0], (str, Message)):
            raise UnsupportedError(f"{e.name}() raises {kind.__name__} with arguments other than a single string", hint="pass a single string")
        template, kinds = "NULL", "nn"
        if args:
            template, kinds = _template(e, args[0])
        rows.append(f"    {{&PyExc_{kind.__name__}, {template}, {text_of(kinds)}}},\n")
    return f"static const Raised raises_{e.name}[] = {{\n{''.join(rows)}    {{NULL, NULL, NULL}}}};\n"


def _template(e, arg):
    """(C literal for str.format, kinds of the two numbers: 'n' none, 'i' int, 'u' unsigned, 'f' float, 'b' bool)"""
    if isinstance(arg, str):
        return text_of(arg.replace("{", "{{").replace("}", "}}")), "nn"
    if not arg.is_text:
        raise UnsupportedError(f"{e.name}() raises an exception with a number as its argument", hint="pass a single string: an f-string")
    kinds, text = ["n", "n"], ""
    for p in arg.parts:
        if isinstance(p, Number):
            kinds[p.place] = "f" if is_float(p.type.elem) else "b" if p.type.elem == "bool" else "u" if is_unsigned(p.type.elem) else "i"
            text += "{" + str(p.place) + ("" if p.conversion == -1 else "!" + chr(p.conversion)) + (":" + p.spec if p.spec else "") + "}"
        else:
            text += p.replace("{", "{{").replace("}", "}}")
    return text_of(text), "".join(kinds)


def _code(t):
    return CODES[t.elem] + (COMPLEX_BIT if t.complex else 0)


def _c_type(t):
    return f"vr_complex{128 if t.elem == 'float64' else 64}" if t.complex else _C.get(t.elem, t.elem + "_t")


def _function(e):
    types, result = e.program.main.arg_types, e.program.main.result
    inputs = [k for k, t in enumerate(types) if isinstance(t, Array)]
    declared, taken, passed = [], [], []
    for k, (p, t) in enumerate(zip(e.parameters, types)):
        if isinstance(t, Array):
            at = inputs.index(k)
            taken.append(f"take_array(&in[{at}], args[{k}], {text_of(p)}, {_code(t)}, {t.rank}, {LAYOUTS.index(t.layout)})")
            passed.append(f"&in[{at}].array")
            continue
        declared.append(f"  {_c_type(t)} a{k};")
        kind = "complex" if t.complex else "float" if is_float(t.elem) else "bool" if t.elem == "bool" else "int"
        taken.append(f"take_{kind}(&a{k}, {_code(t)}, args[{k}], {text_of(p)})")
        passed.append(f"&a{k}" if t.complex else f"a{k}")
    leaves = _leaves(result)
    gives, releases = [], []
    for k, t in enumerate(leaves):
        if isinstance(t, Const):
            gives.append(f"give_none(&leaf[{k}])")
            continue
        declared.append(f"  {'vr_array' if isinstance(t, Array) else _c_type(t)} r{k};")
        passed.append(f"&r{k}")
        if isinstance(t, Array):
            gives.append(f"give_array(&leaf[{k}], &r{k}, in, {len(inputs)})")
            releases.append(f"    vr_aot_release(&r{k});\n")
        else:
            gives.append(f"give_number(&leaf[{k}], &r{k}, {_code(t)}, {int(t.weak)})")
    declared += [f"  memset(&r{k}, 0, sizeof r{k});" for k, t in enumerate(leaves) if not isinstance(t, Const)]
    count = len(leaves)
    built = ", ".join([text_of(_format(result)), *(f"leaf[{k}]" for k in range(count))])
    return f"""static PyObject* call_{e.name}(PyObject* self, PyObject* const* args, Py_ssize_t count) {{
  Input in[{max(len(inputs), 1)}];
  PyObject *leaf[{max(count, 1)}], *out = NULL;
  vr_error error;
  int32_t status;
  bool good;
{chr(10).join(declared)}
  (void)self, (void)args;
  memset(in, 0, sizeof in);
  memset(leaf, 0, sizeof leaf);
  if (count != {len(types)}) {{
    PyErr_Format(PyExc_TypeError, "{e.name}() takes {len(types)} arguments by position, %zd are given", count);
    return NULL;
  }}
  if ({' && '.join(taken) or 'true'}) {{
    Py_BEGIN_ALLOW_THREADS
    status = {e.program.main.name}({', '.join([*passed, '&error'])});
    Py_END_ALLOW_THREADS
    if (status != 0) {{
      set_error(&error, raises_{e.name});
    }} else {{
      good = {' && '.join(gives) or 'true'};
{''.join(releases)}      if (good) out = Py_BuildValue({built});
      if (!good) drop(leaf, {count});
    }}
  }}
  release(in, {len(inputs)});
  return out;
}}
"""


def _leaves(t):
    return [x for i in t.items for x in _leaves(i)] if isinstance(t, Group) else [t]


def _format(t):
    """The Py_BuildValue format of a result. 'N' transfers the references of its parts."""
    return "(" + "".join(_format(i) for i in t.items) + ")" if isinstance(t, Group) else "N"
