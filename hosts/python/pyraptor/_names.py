"""Reaching definitions on the syntax tree: which assignments each use of a name may see. One Python name can become several variables.

In `x = 0 ... x = zeros(3)`, x becomes two variables if no use can see both assignments. The analysis follows the structure: branches are joined, and
loops are visited until nothing changes. The same sets tell which names carry values from one iteration of a parallel loop to the next, or out of the
loop.
"""
from __future__ import annotations

import ast
import copy

from . import _closures
from ._places import Places
from ._trees import all_nodes, children

UNBOUND = 0


def imported_as(alias):
    """The name that an import binds: `import a.b` binds a."""
    return alias.asname or alias.name.split(".")[0]


class Names:
    """`keys`: id of a Name or arg node -> the variable's key. `unbound`: ids of loads that may be reached without an assignment; `never`: ids of
    loads that no assignment reaches. `flagged`: keys of the variables in `unbound`. `single`: keys with one assignment. `one_array`: keys with one
    assignment besides `x += ...`, which does not rebind an array. `carried`, `escaping`: id of a parallel loop -> names whose values pass to the next
    iteration, or out of the loop. `captured`, `assigned_inside`: id of an inner function -> the captured names that it reads, and those that it may
    assign. `changed`: all names that calls may assign."""

    def __init__(self, tree, is_parallel, changed=()):
        """`changed`: names of parameters that calls may assign."""
        self.is_parallel = is_parallel
        self.defs, self.name_of, self.uses = {}, [None], {}
        self.jumps, self.parallel, self.augmented = [], [], set()
        self.heads = {}  # id of a loop -> the state at its head, of the last visit. Later visits begin with more definitions, never with fewer.
        self.arguments = _closures.parameters(tree)
        self.locals = _closures.own_names(tree)
        self.captured = _closures.captured(tree, self.locals)
        self.assigned_inside = _closures.assigned_inside(tree, self.locals) if self.captured else {}
        self.changed = set(changed).union(*self.assigned_inside.values())
        env = {name: frozenset([UNBOUND]) for name in self.locals}
        for a in _closures.parameter_nodes(tree):
            env[a.arg] = self._define(a, a.arg)
        self._block(tree.body, env)
        self._finish()

    def copy(self):
        """The same results, of which `keys` and `unbound` may be changed."""
        other = copy.copy(self)
        other.keys, other.unbound = dict(self.keys), set(self.unbound)
        return other

    # ---- sets of reaching definitions
    def _define(self, node, name):
        if id(node) not in self.defs:
            self.defs[id(node)] = len(self.name_of)
            self.name_of.append(name)
        return frozenset([self.defs[id(node)]])

    @staticmethod
    def _merge(*envs):
        envs = [e for e in envs if e is not None]
        if not envs:
            return None
        out = dict(envs[0])
        for e in envs[1:]:
            for name, reaching in e.items():
                out[name] = out[name] | reaching
        return out

    # ---- statements. Each method takes the state before the statement and returns the state after it, or None if the end is not reached
    def _block(self, statements, env):
        for s in statements:
            if env is None:
                return None
            env = getattr(self, "_" + type(s).__name__, self._other)(s, env)
        return env

    def _other(self, s, env):
        env = dict(env)
        self._expr(s, env)
        return env

    def _Import(self, s, env):
        return {**env, **{imported_as(a): self._define(a, imported_as(a)) for a in s.names}}

    _ImportFrom = _Import

    def _FunctionDef(self, s, env):
        env = dict(env)
        self._expr(s, env)
        env[s.name] = self._define(s, s.name)
        return env

    def _Return(self, s, env):
        self._other(s, env)
        return None

    def _Raise(self, s, env):
        self._other(s, env)
        return None

    def _Break(self, s, env):
        if self.jumps:
            self.jumps[-1][0].append(env)
        return None

    def _Continue(self, s, env):
        if self.jumps:
            self.jumps[-1][1].append(env)
        return None

    def _If(self, s, env):
        env = self._other(s.test, env)
        return self._merge(self._block(s.body, env), self._block(s.orelse, env))

    def _With(self, s, env):
        env = dict(env)
        for item in s.items:
            self._expr(item.context_expr, env)
        return self._block(s.body, env)

    def _Match(self, s, env):
        env = self._other(s.subject, env)
        ends = [env]  # no case may match
        for case in s.cases:
            inner = dict(env)
            for p in all_nodes(case.pattern):
                if getattr(p, "name", None) and type(p).__name__ in ("MatchAs", "MatchStar"):
                    inner[p.name] = self._define(p, p.name)
                elif isinstance(p, ast.Name):
                    self._expr(p, inner)
            if case.guard is not None:
                self._expr(case.guard, inner)
            for name in inner:  # if the guard fails, the names that the pattern bound keep their values
                env = {**env, name: env[name] | inner[name]}
            ends.append(self._block(case.body, inner))
        return self._merge(env, *ends)

    def _assigned_in(self, statements, env):
        """The state in which control may leave the statements at any point."""
        env = dict(env)
        for s in statements:
            for node in all_nodes(s):
                d = self.defs.get(id(node))
                if d is not None:
                    env[self.name_of[d]] = env[self.name_of[d]] | {d}
        return env

    def _Try(self, s, env):
        end = self._block(s.body, env)
        inside = self._assigned_in(s.body, env)
        ends = [self._block(s.orelse, end)]
        for h in s.handlers:
            inner = dict(inside)
            if h.type is not None:
                self._expr(h.type, inner)
            if h.name:
                inner[h.name] = self._define(h, h.name)
            left = self._block(h.body, inner)
            ends.append({**left, h.name: frozenset([UNBOUND])} if left is not None and h.name else left)
        end = self._merge(*ends)
        if not s.finalbody:
            return end
        every = self._assigned_in([*s.body, *s.orelse, *(x for h in s.handlers for x in h.body)], self._merge(env, inside))
        last = self._block(s.finalbody, self._merge(end, every))
        return None if end is None else last

    def _AugAssign(self, s, env):
        env = dict(env)
        self._expr(s.value, env)
        if isinstance(s.target, ast.Name) and s.target.id in self.locals:
            name = s.target.id
            # `x += ...` does not rebind an array: the definition before and after it must be one variable.
            self.uses[id(s)] = self.uses.get(id(s), frozenset()) | env[name]
            self.uses[id(s.target)] = self.uses.get(id(s.target), frozenset()) | env[name]
            env[name] = self._define(s.target, name)
            self.augmented |= env[name]
        else:
            self._expr(s.target, env)
        return env

    def _AnnAssign(self, s, env):
        env = dict(env)
        if s.value is not None:
            self._expr(s.value, env)
            self._bind(s.target, env)
        return env

    def _Assign(self, s, env):
        env = dict(env)
        self._expr(s.value, env)
        for target in s.targets:
            self._bind(target, env)
        return env

    def _For(self, s, env):
        env = self._other(s.iter, env)

        def body(head):
            inner = dict(head)
            self._bind(s.target, inner)
            return self._block(s.body, inner)

        if not self.is_parallel(s):
            return self._loop(s, env, body)
        outer, self.uses = self.uses, {}
        heads, self.heads = self.heads, {}
        self.jumps.append(([], []))
        end = body(env)
        end = self._merge(end, *self.jumps.pop()[1])
        # Visit the body again, with the previous iteration's definitions as negative numbers: uses that see those are loop-carried.
        nodes = {id(n) for x in s.body for n in all_nodes(x)}
        own = {d for node, d in self.defs.items() if node in nodes}
        self.uses, self.heads = {}, {}
        self.jumps.append(([], []))
        body({name: seen | {-d for d in (end or env)[name] & own} for name, seen in env.items()})
        self.jumps.pop()
        carried = {-d for seen in self.uses.values() for d in seen if d < 0}
        self.uses, self.heads = outer, heads
        after = self._loop(s, env, body)
        self.parallel.append((s, nodes, own, carried))
        return after

    def _While(self, s, env):
        def body(head):
            return self._block(s.body, self._other(s.test, head))

        return self._loop(s, env, body)

    def _loop(self, s, env, body):
        head = self._merge(env, self.heads.get(id(s)))
        while True:
            self.jumps.append(([], []))
            end = body(head)
            breaks, continues = self.jumps.pop()
            again = self._merge(env, head, end, *continues)
            if again == head:
                break
            head = again
        self.heads[id(s)] = head
        if isinstance(s, ast.While):
            head = self._other(s.test, head)
            if isinstance(s.test, ast.Constant) and s.test.value:
                return self._merge(*breaks)
        return self._merge(self._block(s.orelse, head), *breaks)

    # ---- expressions
    def _bind(self, target, env):
        if isinstance(target, ast.Name):
            env[target.id] = self._define(target, target.id)
        elif isinstance(target, (ast.Tuple, ast.List)):
            for t in target.elts:
                self._bind(t, env)
        elif isinstance(target, ast.Starred):
            self._bind(target.value, env)
        else:
            self._expr(target, env)

    def _expr(self, node, env):
        if isinstance(node, ast.Name):
            if node.id in self.locals and isinstance(node.ctx, ast.Load):
                self.uses[id(node)] = self.uses.get(id(node), frozenset()) | env[node.id]
            return
        if isinstance(node, (ast.Lambda, ast.FunctionDef)):  # an inner function reads captured names when it is called
            for default in (*node.args.defaults, *node.args.kw_defaults):
                if default is not None:
                    self._expr(default, env)
            return
        if isinstance(node, ast.NamedExpr):
            self._expr(node.value, env)
            self._bind(node.target, env)
            return
        if isinstance(node, (ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp)):
            env = dict(env)
            for g in node.generators:
                self._expr(g.iter, env)
                self._bind(g.target, env)
                for test in g.ifs:
                    self._expr(test, env)
            for part in (getattr(node, f, None) for f in ("elt", "key", "value")):
                if part is not None:
                    self._expr(part, env)
            return
        for child in children(node):
            self._expr(child, env)

    # ---- results
    def _finish(self):
        parent = list(range(len(self.name_of)))

        def find(k):
            while parent[k] != k:
                parent[k] = k = parent[parent[k]]
            return k

        for node, reaching in self.uses.items():
            own = self.defs.get(node)
            ids = [d for d in reaching if d != UNBOUND] + ([own] if own else [])
            for d in ids[1:]:
                parent[find(d)] = find(ids[0])
        inner = {name for names in self.captured.values() for name in names} | self.changed
        for name in inner:  # an inner function may see any of the name's definitions when it is called
            own = [d for d in range(1, len(self.name_of)) if self.name_of[d] == name]
            for d in own[1:]:
                parent[find(d)] = find(own[0])
        roots, count, plain = {}, {}, {}
        for d in range(1, len(self.name_of)):
            roots.setdefault(self.name_of[d], {}).setdefault(find(d), None)
            count[find(d)] = count.get(find(d), 0) + 1
            plain[find(d)] = plain.get(find(d), 0) + (d not in self.augmented)

        def key(d):
            name = self.name_of[d]
            which = list(roots[name]).index(find(d))
            return name if which == 0 else f"{name}.{which}"

        self.keys = {node: key(d) for node, d in self.defs.items()}
        self.unbound, self.never = set(), set()
        for node, reaching in self.uses.items():
            real = [d for d in reaching if d != UNBOUND]
            if real:
                self.keys.setdefault(node, key(real[0]))
            if UNBOUND in reaching:
                (self.unbound if real else self.never).add(node)
        self.captured_keys = {self.name_of[d]: key(d) for d in range(1, len(self.name_of)) if self.name_of[d] in inner}
        self.flagged = {self.keys[node] for node in self.unbound} | {
            k for name, k in self.captured_keys.items() if name not in self.arguments}
        several = {self.captured_keys[name] for name in self.changed if name in self.captured_keys}
        self.single = {key(d) for d in range(1, len(self.name_of)) if count[find(d)] == 1} - several
        self.one_array = {key(d) for d in range(1, len(self.name_of)) if plain[find(d)] == 1} - several
        self.carried, self.escaping = {}, {}
        for loop, nodes, own, carried in self.parallel:
            self.carried[id(loop)] = {self.name_of[d] for d in carried}
            target = {id(n) for n in all_nodes(loop.target)}
            own = own | {self.defs[n] for n in target if n in self.defs}
            self.escaping[id(loop)] = {self.name_of[d] for node, seen in self.uses.items() if node not in nodes | target
                                       for d in seen & own}


def analyses(source, is_parallel):
    """(Places, Names) of the source's tree, which are made once; the Names may be changed."""
    if not hasattr(source, "analysed"):
        source.analysed = Places(source.tree), Names(source.tree, is_parallel, getattr(source.function, "writes", ()))
    places, names = source.analysed
    return places, names.copy()
