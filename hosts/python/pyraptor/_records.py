"""Named tuples and frozen dataclasses.

Each field is a variable, as for tuples. The Python object is made when a value leaves compiled code. Otherwise a named tuple is treated as a tuple.
For a dataclass, its fields, properties and methods are supported.
"""
from __future__ import annotations

import dataclasses
import inspect
import types

from ._types import Group
from ._value import constant, group, of_type


class Record(Group):
    """The type of a named tuple (kind "tuple") or a dataclass (kind "record"). `cls`: the Python class."""

    __slots__ = ("cls",)

    def __init__(self, cls, items):
        super().__init__("tuple" if issubclass(cls, tuple) else "record", items)
        self.cls = cls

    def _key(self):
        return self.cls, self.items

    def with_items(self, items):
        return Record(self.cls, items)

    @property
    def fields(self):
        return field_names(self.cls)

    def __repr__(self):
        return f"{self.cls.__name__}({', '.join(f'{f}: {i!r}' for f, i in zip(self.fields, self.items))})"

    def make(self, *parts):
        """The Python object with these field values."""
        return self.cls._make(parts) if self.kind == "tuple" else self.cls(*parts)


class Bound:
    """A bound method of a record."""

    def __init__(self, base, function):
        self.base, self.function = base, function

    def __repr__(self):
        return f"the method '{self.function.__name__}'"


#: Attributes that a class of named tuples must inherit from tuple unchanged.
_AS_TUPLES = """__init__ __eq__ __ne__ __lt__ __le__ __gt__ __ge__ __len__ __iter__ __getitem__ __contains__ __add__ __mul__ __rmul__ __bool__
__getattribute__ __getattr__ __radd__""".split()


def is_record_class(o):
    """Whether instances of the class are completely described by their fields."""
    if not isinstance(o, type):
        return False
    if issubclass(o, tuple):
        # Classes made by collections.namedtuple, and classes derived from them that do not override the construction.
        make = getattr(o, "__new__", None)
        scope = getattr(make, "__globals__", {}).get("__name__", "")
        return hasattr(o, "_fields") and scope.startswith("namedtuple_") and all(
            getattr(o, name, None) is getattr(tuple, name, None) for name in _AS_TUPLES)
    params = o.__dict__.get("__dataclass_params__")
    return params is not None and params.init and params.frozen and not hasattr(o, "__post_init__") and "__getattribute__" not in vars(o) and \
        all(f.init for f in dataclasses.fields(o))


def field_names(cls):
    return cls._fields if issubclass(cls, tuple) else tuple(f.name for f in dataclasses.fields(cls))


def parts_of(o):
    """The values of a record's fields."""
    return tuple(o) if isinstance(o, tuple) else tuple(getattr(o, name) for name in field_names(type(o)))


def named(result_of, sample, items):
    """The tuple that a NumPy function returns. Some versions of NumPy return a named tuple; a call with the arguments `sample` shows its class."""
    cls = type(result_of(*sample))
    made = group("tuple", items)
    return of_type(Record(cls, [i.type for i in made.items]), made.items) if is_record_class(cls) else made


def construct(t, cls, args, kwargs, node):
    """A call of the class, which makes an instance."""
    names, given = field_names(cls), {}
    if len(args) > len(names):
        t.refuse(node, f"{cls.__name__} has {len(names)} fields, but {len(args)} values are given")
    given.update(zip(names, args))
    for k, v in kwargs.items():
        if k not in names:
            t.refuse(node, f"{cls.__name__} has no field '{k}'")
        if k in given:
            t.refuse(node, f"field '{k}' of {cls.__name__} is given twice")
        given[k] = v
    for k in names:
        if k not in given:
            given[k] = _default(t, cls, k, node)
    items = [given[k] for k in names]
    return of_type(Record(cls, [i.type for i in items]), items)


def _default(t, cls, name, node):
    if issubclass(cls, tuple):
        if name in cls._field_defaults:
            return t.value_of(cls._field_defaults[name], node, name)
    else:
        field = next(f for f in dataclasses.fields(cls) if f.name == name)
        if field.default is not dataclasses.MISSING:
            return t.value_of(field.default, node, name)
        if field.default_factory is not dataclasses.MISSING:
            return t.call(field.default_factory, [], {}, node)
    t.refuse(node, f"field '{name}' of {cls.__name__} is not given")


def attribute(t, base, name, node):
    """A field, method, property or constant of a record; None if its class has no such attribute."""
    cls = base.type.cls
    if name in base.type.fields:
        return base.items[base.type.fields.index(name)]
    if base.type.kind == "tuple" and name == "_replace":
        return constant(Bound(base, _replace))
    found = inspect.getattr_static(cls, name, None)
    if isinstance(found, property):
        return t.call(found.fget, [base], {}, node)
    if isinstance(found, staticmethod):
        return constant(found.__func__)
    if isinstance(found, types.FunctionType) and found.__globals__.get("__name__") == "collections":  # _asdict and other methods that namedtuple generates
        return None
    if isinstance(found, types.FunctionType):
        return constant(Bound(base, found))
    if found is None or callable(found) or hasattr(found, "__get__"):
        return None
    return t.value_of(found, node, name)


def call_bound(t, bound, args, kwargs, node):
    if bound.function is _replace:
        return _replace(t, bound.base, args, kwargs, node)
    return t.call(bound.function, [bound.base, *args], kwargs, node)


def _replace(t, base, args, kwargs, node):
    cls = base.type.cls
    if args:
        t.refuse(node, "_replace takes fields by name")
    given = dict(zip(base.type.fields, base.items))
    for k in kwargs:
        if k not in given:
            t.refuse(node, f"{cls.__name__} has no field '{k}'")
    return construct(t, cls, [], {**given, **kwargs}, node)
