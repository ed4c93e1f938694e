"""Pickling of compiled functions: by name where the function can be imported, else by its source and what it refers to."""
from __future__ import annotations

import importlib
import linecache
import sys
import types
import zlib

from ._source import Source


def reduce(jitted):
    f = jitted.function
    module = sys.modules.get(f.__module__)
    found = module
    for part in f.__qualname__.split("."):
        found = getattr(found, part, None)
    if f.__module__ != "__main__":
        if found is jitted.dispatcher:
            return _by_name, (f.__module__, f.__qualname__)
        for name, o in vars(module).items() if module is not None else ():
            if o is jitted.dispatcher:
                return _by_name, (f.__module__, name)
    return _by_source, (describe(f, {}), jitted.options, jitted.signatures)


def describe(f, seen):
    """A picklable description, from which another process can define the function."""
    if f in seen:
        return ("again", seen[f])
    seen[f] = len(seen)
    source = Source(f)
    names = {}
    for name in _names(f.__code__):
        try:
            o = source.lookup(name)
        except NameError:
            continue
        if isinstance(o, types.ModuleType):
            names[name] = ("module", o.__name__)
        elif hasattr(o, "_impl"):
            names[name] = ("jit", describe(o._impl.function, seen), o._impl.options)
        elif isinstance(o, types.FunctionType) and o.__module__ in ("__main__", f.__module__):
            names[name] = ("function", describe(o, seen))
        elif f.__globals__.get("__builtins__") is not o and name not in dir(__builtins__ if isinstance(
                __builtins__, types.ModuleType) else types.SimpleNamespace(**__builtins__)):
            names[name] = ("value", o)
    return ("source", f.__name__, source.text, source.filename, f.__code__.co_firstlineno, f.__defaults__,
            f.__kwdefaults__, f.__module__, names)


def _names(code):
    names = set(code.co_names) | set(code.co_freevars)
    for c in code.co_consts:
        if isinstance(c, types.CodeType):
            names |= _names(c)
    return names


def define(description, made):
    if description[0] == "again":
        return made[description[1]]
    _, name, text, filename, first, defaults, kwdefaults, module, names = description
    from ._jit import jit
    slot = len(made)
    made.append(None)
    anonymous = name == "<lambda>"
    if anonymous:  # several lambdas may be on one line: each gets its own virtual file
        text = f"({text})"
        filename = f"{filename.removesuffix(' (unpickled)')} lambda {zlib.crc32(text.encode()):08x}"
    lines = text.splitlines(True)
    start = next(k for k, line in enumerate(lines) if anonymous or line.lstrip().startswith(("def ", "async def ")))
    filename = f"{filename} (unpickled)" if not filename.endswith("(unpickled)") else filename
    # Several functions of one file: each at its original line numbers.
    known = list(linecache.cache[filename][2]) if filename in linecache.cache else []
    known += ["\n"] * (first - 1 + len(lines) - len(known))
    known[first - 1:first - 1 + len(lines)] = lines
    linecache.cache[filename] = (sum(map(len, known)), None, known, filename)
    scope = {"__name__": module, "__builtins__": __builtins__}
    code = compile("\n" * (first - 1 + start) + "".join(lines[start:]), filename, "eval" if anonymous else "exec")
    f = eval(code, scope) if anonymous else exec(code, scope) or scope[name]
    f.__defaults__, f.__kwdefaults__ = defaults, kwdefaults
    made[slot] = f
    for key, (what, *value) in names.items():
        if what == "module":
            scope[key] = importlib.import_module(value[0])
        elif what == "function":
            scope[key] = define(value[0], made)
        elif what == "jit":
            scope[key] = jit(define(value[0], made), **value[1])
        else:
            scope[key] = value[0]
    return f


def _by_name(module, qualname):
    found = importlib.import_module(module)
    for part in qualname.split("."):
        found = getattr(found, part)
    return found


def _by_source(description, options, signatures=()):
    from ._jit import jit
    f = define(description, [])
    return jit(list(signatures), **options)(f) if signatures else jit(f, **options)
