"""`with objmode(y="float64[:]"):` marks a block of a compiled function that the interpreter executes.

The block becomes a Python function. Its parameters are the variables that the block reads, and it returns those that `objmode` names. Compiled code
calls it as a pycall function, so the block holds the GIL and gets copies of arrays.
"""
from __future__ import annotations

import ast
import copy
import types

from ._trees import all_nodes


class ObjectMode:
    """`with objmode(name=type, ...):` in a compiled function. In plain Python it has no effect on the block."""

    def __call__(self, **types):
        return self

    def __enter__(self):
        return None

    def __exit__(self, *_):
        return False

    def __repr__(self):
        return "pyraptor.objmode"


objmode = ObjectMode()

_LEAVES = {ast.Return: "'return'", ast.Yield: "'yield'", ast.YieldFrom: "'yield'", ast.Await: "'await'", ast.Global: "'global'", ast.Nonlocal: "'nonlocal'"}
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def result_type(t, node):
    """The type of a named variable: a string as in signatures, or an annotation."""
    from . import _signatures
    from ._pycall import _type
    try:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return _type(_signatures.type_of(node.value), objmode)
        hint = t.source.annotation(node)
        if hint is None:
            raise TypeError("the annotation is empty")
        return _type(hint, objmode)
    except (TypeError, ValueError) as e:
        t.refuse(node, f"this is not a type for objmode: {e}", "write 'float64', 'int64[:, :]', or a tuple type of these: 'Tuple((f8, i8))'")


def check_leaves(t, statements):
    """Checks that control leaves the block at its end only."""
    def look(s, loops):
        for kind, word in _LEAVES.items():
            if isinstance(s, kind):
                t.refuse(s, f"{word} in an objmode block is not compiled", "assign a variable in the block, and continue after the block")
        if isinstance(s, (ast.Break, ast.Continue)) and not loops:
            t.refuse(s, "'break' or 'continue' that leaves an objmode block is not compiled", "assign a variable in the block, and test it after it")
        inside = isinstance(s, (ast.For, ast.While, ast.AsyncFor))
        for field, value in ast.iter_fields(s):
            for x in value if isinstance(value, list) else [value]:
                if isinstance(x, ast.AST) and not isinstance(s, _FUNCTIONS):
                    look(x, loops or inside and field == "body")
    for s in statements:
        look(s, False)


def names_read(statements, own):
    """The function's variables that the block may read before it assigns them, in order."""
    assigned, read = set(), []

    def reads(node):
        for x in all_nodes(node):
            if isinstance(x, ast.Name) and x.id in own and x.id not in assigned and x.id not in read:
                if isinstance(x.ctx, ast.Load) or isinstance(node, ast.AugAssign) and x is node.target:
                    read.append(x.id)

    for s in statements:
        reads(s)
        if isinstance(s, (ast.Assign, ast.AnnAssign)):
            targets = s.targets if isinstance(s, ast.Assign) else [s.target] if s.value is not None else []
            assigned |= {x.id for target in targets for x in all_nodes(target) if isinstance(x, ast.Name) and isinstance(x.ctx, ast.Store)}
        elif isinstance(s, (ast.Import, ast.ImportFrom)):
            assigned |= {a.asname or a.name.split(".")[0] for a in s.names}
        elif isinstance(s, (ast.FunctionDef, ast.ClassDef)):
            assigned.add(s.name)
    return read


def is_objmode(t, item):
    e = item.context_expr
    return t.lookup_path(e.func if isinstance(e, ast.Call) else e) is objmode


def block(t, s):
    """Translates the block. Returns True: control always reaches the end."""
    [item] = s.items
    call = item.context_expr
    if item.optional_vars is not None or isinstance(call, ast.Call) and (call.args or any(k.arg is None for k in call.keywords)):
        t.refuse(s, "objmode takes names with types: with objmode(y='float64[:]')")
    results = {k.arg: result_type(t, k.value) for k in call.keywords} if isinstance(call, ast.Call) else {}
    check_leaves(t, s.body)
    keys = {}  # name -> keys of the variables that the block assigns
    for x in (x for st in s.body for x in all_nodes(st)):
        if isinstance(x, ast.Name) and not isinstance(x.ctx, ast.Load) and id(x) in t.names.keys:
            keys.setdefault(x.id, {})[t.names.keys[id(x)]] = x
    for name in results:
        if name not in keys:
            t.refuse(call, f"'{name}' is not assigned in the objmode block")
    inside = {id(x) for st in s.body for x in all_nodes(st)}
    unnamed = {key: name for name, found in keys.items() if name not in results for key in found}
    before = set()
    for x in all_nodes(t.tree):
        if isinstance(x, ast.Name) and id(x) not in inside:
            key = t.names.keys.get(id(x))
            if not isinstance(x.ctx, ast.Load):
                before.add(key)
            elif key in unnamed and key not in before and key not in t.parameter_keys:
                t.refuse(x, f"'{x.id}' gets its value in an objmode block that does not name it", f"name it and its type: with objmode({x.id}='float64')")
    for name, found in keys.items():
        if name not in results and any(key in before or key in t.parameter_keys for key in found):
            t.refuse(s, f"'{name}' is assigned in an objmode block that does not name it", f"name it and its type: with objmode({name}='float64')")
    arguments, values, constants, unpacked = [], [], {}, []
    for name in names_read(s.body, t.source.own_names):
        val = t.expr(ast.copy_location(_load(t, s, name), s))
        if val.is_numeric:
            arguments.append(name)
            values.append(val)
        elif val.is_const and not val.is_group():
            constants[name] = val.const
        elif val.is_group("tuple") and all(i.is_numeric for i in val.items):
            parts = [f"{name}__{k}" for k in range(len(val.items))]
            unpacked.append((name, parts))
            arguments += parts
            values += val.items
        else:
            t.refuse(s, f"the objmode block reads '{name}', a {val.type!r}", "it may read numbers, arrays, tuples of these, and constants")
    host = made(t, s, tuple(arguments), unpacked, constants, results)
    val = t.call_host(host, values, {}, s)
    parts = [val] if len(results) == 1 else val.items if results else []
    for name, part in zip(results, parts):
        part = t.keep(part, s) if part.is_numeric else part
        for key, target in keys[name].items():
            t.store(key, name, part, target)
    return True


def _load(t, s, name):
    """A node that reads the variable as at the beginning of the block."""
    found = []
    for x in (x for st in s.body for x in all_nodes(st)):
        if isinstance(x, ast.Name) and x.id == name and isinstance(x.ctx, ast.Load):
            found.append(x)
        elif isinstance(x, ast.AugAssign) and isinstance(x.target, ast.Name) and x.target.id == name:
            found.append(x.target)
    first = min(found, key=lambda x: (x.lineno, x.col_offset))
    if isinstance(first.ctx, ast.Load):
        return first
    load = ast.copy_location(ast.Name(name, ast.Load()), first)
    t.names.keys[id(load)] = t.names.keys[id(first)]
    t.loads[id(first)] = load  # keeps the node alive, so that its id stays unique
    return load


def made(t, s, arguments, unpacked, constants, results):
    """The Python function of the block; the same object in all rounds."""
    from ._pycall import PyCall
    from ._types import NONE, Group
    key = ("objmode", id(s), arguments, tuple((name, id(o)) for name, o in constants.items()))
    if key not in t.program.through:
        function = t.source.function
        cells = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
        outer = {**{name: c.cell_contents for name, c in cells.items() if _is_set(c)}, **constants}
        names = [ast.arg(a, None) for a in arguments]
        plain = [ast.Assign([ast.Name(name, ast.Store())], ast.Tuple([ast.Name(p, ast.Load()) for p in parts], ast.Load())) for name, parts in unpacked]
        given = [ast.Name(r, ast.Load()) for r in results]
        if len(given) > 1:  # the call expects the components of tuples as separate values
            given = [ast.Starred(g, ast.Load()) if isinstance(r, Group) else g for g, r in zip(given, results.values())]
        value = given[0] if len(given) == 1 else ast.Tuple(given, ast.Load()) if given else None
        body = [*plain, *copy.deepcopy(s.body), ast.Return(value)]
        inner = _definition("objmode_block", names, body)
        module = ast.Module([_definition("around", [ast.arg(name, None) for name in outer], [inner, ast.Return(ast.Name("objmode_block", ast.Load()))])], [])
        for x in (*plain, body[-1], inner, module.body[0], module.body[0].body[1]):
            ast.copy_location(x, s)
        scope = {}
        exec(compile(ast.fix_missing_locations(module), t.source.filename, "exec"), scope)
        around = types.FunctionType(scope["around"].__code__, function.__globals__)
        host = PyCall(around(*outer.values()), None)
        types_ = list(results.values())
        host.result = types_[0] if len(types_) == 1 else Group("tuple", types_) if types_ else NONE
        t.program.through[key] = host, s, list(constants.values())  # keeps the objects alive whose ids are in the key
    return t.program.through[key][0]


def _is_set(cell):
    try:
        cell.cell_contents
    except ValueError:
        return False
    return True


def _definition(name, parameters, body):
    tree = ast.parse(f"def {name}(): pass").body[0]
    tree.args.args, tree.body = parameters, body
    return tree
