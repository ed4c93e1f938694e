#!/usr/bin/env python3
"""Random MATLAB programs with Octave as the oracle: results of compiled code must be Octave's.

  programs.py SEED COUNT [--parts] > PROBES.txt       then record_answers.m and `vrmat probes` (run does all three)

With --parts each program has statements that are not compiled, in its body or within loops, so that only parts of it are.

A program is a function of arguments of several classes and shapes, and perhaps subfunctions. Each variable has a class and a shape
that expressions are made for (expressions.py), so that most programs have results; about one in eight has a place where it may fail.
What a program does with its variables is in this file: assignments, stores, growth, deletion, branches, loops, calls.
"""
import random
import sys

import expressions
from expressions import INTEGERS, Expressions

ARGUMENTS = [("a", "double", (1, 1)), ("n", "double", (1, 1)), ("x", "single", (1, 1)), ("p", None, (1, 1)), ("t", "logical", (1, 1)),
             ("u", "double", (1, 4)), ("v", "double", (3, 1)), ("A", "double", (2, 3)), ("q", None, (1, 4)), ("z", "complex", (1, 1)),
             ("w", "complex", (1, 4)), ("y", "single", (1, 4)), ("B", "double", (3, 3)), ("m", "logical", (1, 4))]


class Program(Expressions):
    def __init__(self, r, parts=False):
        super().__init__(r)
        self.parts = parts
        self.counter = 0
        self.subfunctions = []
        self.fixed = set()  # variables of counting loops
        self.temporaries = set()  # of parallel loops
        self.loops = []
        self.integer = r.choice(INTEGERS)

    def fresh(self, stem):
        self.counter += 1
        return f"{stem}{self.counter}"

    # ---- statements: lists of lines
    def assignment(self, pad, depth):
        r = self.r
        keep = depth > 0 and r.random() < 0.85
        if self.names and (keep or r.random() < 0.5):
            name = r.choice([n for n in self.names if n not in self.fixed])
            cls, shape = self.names[name]
            if r.random() < (0.03 if depth else 0.15):
                cls = r.choice(expressions.CLASSES + [self.integer])
            if depth == 0 and r.random() < 0.2:
                shape = self.any_shape()
        else:
            name, cls, shape = self.fresh("k"), r.choice(expressions.CLASSES + [self.integer]), self.any_shape()
        text = self.of(cls, shape)
        if depth == 0 or name in self.names:
            self.names[name] = (cls, shape)
        return [f"{pad}{name} = {text};"]

    def update(self, pad, depth):
        name = self.pick(lambda n, c, s: n not in self.fixed and c != "logical")
        if not name:
            return []
        cls, shape = self.names[name]
        return [f"{pad}{name} {self.r.choice(['+=', '-=', '*=' if shape == (1, 1) else '-='])} {self.beside(cls, self.r.choice([shape, (1, 1)]))};"]

    def store(self, pad, depth):
        r = self.r
        name = self.pick(lambda n, c, s: n not in self.fixed and s != (1, 1) and s[0] * s[1] > 0)
        if not name:
            return []
        cls, (rows, columns) = self.names[name]
        total = rows * columns
        one = lambda: self.of(r.choice([cls, cls, cls, "double"]), (1, 1))
        where, value = r.choice([
            lambda: (self.position(total), one()), lambda: ("end", one()), lambda: (":", one()),
            lambda: (f"{self.position(rows)}, {self.position(columns)}", one()),
            lambda: (f"{self.position(rows)}, :", self.of(cls, r.choice([(1, columns), (1, 1)]))),
            lambda: (f":, {self.position(columns)}", self.of(cls, r.choice([(rows, 1), (1, 1)]))),
            lambda: (f"{name} {r.choice('<>')} {self.of('double', (1, 1), 2)}" if cls != "complex" else "1", one()),
            lambda: (f"1:{min(2, total)}", one()), lambda: ("[1 1]" if total else "1", one()),
            lambda: (self.of("logical", (rows, columns), 2), one())])()
        return [f"{pad}{name}({where}) = {value};"]

    def growth(self, pad, depth):
        name = self.pick(lambda n, c, s: n not in self.fixed and s[0] == 1 and s[1] != 1)
        if not name:
            return []
        cls, (rows, columns) = self.names[name]
        if depth == 0:
            self.names[name] = (cls, (1, columns + 1))
            return [f"{pad}{name}(end+1) = {self.of(cls, (1, 1))};"]
        return [f"{pad}{name} = [{name}(2:end), {self.of(cls, (1, 1))}];"]

    def deletion(self, pad, depth):
        r = self.r
        name = self.pick(lambda n, c, s: n not in self.fixed and s[0] * s[1] > 1)
        if not name or depth:
            return []
        cls, (rows, columns) = self.names[name]
        if rows == 1 or columns == 1:
            shape = (1, columns - 1) if rows == 1 else (rows - 1, 1)
            self.names[name] = (cls, shape)
            return [f"{pad}{name}({r.choice(['1', 'end', str(rows * columns)])}) = [];"]
        along = r.choice([0, 1])
        self.names[name] = (cls, (rows - 1, columns) if along == 0 else (rows, columns - 1))
        return [f"{pad}{name}({'1, :' if along == 0 else ':, end'}) = [];"]

    def several(self, pad, depth):
        r = self.r
        name = self.pick(lambda n, c, s: c not in ("complex", "logical") and s[0] == 1 and s[1] > 1)
        a, b = self.fresh("r"), self.fresh("r")
        if not name or depth:
            return []
        cls, shape = self.names[name]
        kind = r.choice(["max", "min", "sort", "size", "find", "g"])
        if kind == "size":
            text = self.of("double", self.any_shape())
            self.names[a] = self.names[b] = ("double", (1, 1))
            return [f"{pad}[{a}, {b}] = size({text});"]
        if kind == "sort":
            self.names[a], self.names[b] = (cls, shape), ("double", shape)
            mode = r.choice(["", ", 'descend'"])
            return [f"{pad}[{a}, {b}] = sort({name}{mode});"]
        if kind == "find":
            return [f"{pad}[{a}, {b}] = find({self.of('logical', (2, 3))});", f"{pad}{a} = sum({a}(:)) + sum({b}(:));"] + (
                self.names.__setitem__(a, ("double", (1, 1))) or [])
        if kind == "g" and self.subfunctions:
            f, results = r.choice(self.subfunctions)
            text = f"{f}({self.of('double', (1, 1))}, {self.of('double', (1, 4))})"
            self.names[a], self.names[b] = results
            return [f"{pad}[{a}, {b}] = {text};"]
        self.names[a], self.names[b] = (cls, (1, 1)), ("double", (1, 1))
        return [f"{pad}[{a}, {b}] = {'max' if kind == 'g' else kind}({name});"]

    def branch(self, pad, depth):
        r = self.r
        lines = [f"{pad}if {self.condition()}"] + self.block(depth + 1)
        while r.random() < 0.3:
            lines += [f"{pad}elseif {self.condition()}"] + self.block(depth + 1)
        if r.random() < 0.6:
            lines += [f"{pad}else"] + self.block(depth + 1)
        return lines + [f"{pad}end"]

    def switch(self, pad, depth):
        r = self.r
        if r.random() < 0.4:
            lines = [f"{pad}switch class({self.any_name()})"]
            cases = ["'double'", "'single'", "{'int8', 'int32'}", "'logical'"]
        else:
            lines = [f"{pad}switch {self.of(r.choice(['double', self.integer]), (1, 1), 2)}"]
            cases = ["0", "1", "{2, 3}", "-1", "[]"]
        for case in r.sample(cases, 2):
            lines += [f"{pad}  case {case}"] + self.block(depth + 1)
        if r.random() < 0.7:
            lines += [f"{pad}  otherwise"] + self.block(depth + 1)
        return lines + [f"{pad}end"]

    def counted(self, pad, depth):
        r = self.r
        i = self.fresh("i")
        over, cls, shape = r.choice([
            ("1:3", "double", (1, 1)), ("3:-1:1", "double", (1, 1)), ("1:0", "double", (1, 1)), ("0:0.25:1", "double", (1, 1)),
            ("1:n", "double", (1, 1)), ("u", "double", (1, 1)), ("A", "double", (2, 1)), ("single(1):3", "single", (1, 1)),
            (f"{self.integer}(1):{self.integer}(3)", self.integer, (1, 1)), (f"{self.integer}(5):-2:1", self.integer, (1, 1)),
            ("numel(u):-1:2", "double", (1, 1)), ("[1 NaN 3]", "double", (1, 1)), ("m", "logical", (1, 1)), ("a:a+2", "double", (1, 1)),
            ("[]", "double", (0, 0)), ("7", "double", (1, 1)), ("w", "complex", (1, 1))])
        before = dict(self.names)
        self.names[i] = (cls, shape)
        self.fixed.add(i)
        self.loops.append(i)
        lines = [f"{pad}for {i} = {over}"] + self.block(depth + 1) + [f"{pad}end"]
        self.loops.pop()
        self.names = {k: v for k, v in self.names.items() if k in before or (k == i and r.random() < 0.3 and over not in ("1:0", "[]"))}
        return lines

    def conditional(self, pad, depth):
        r = self.r
        i = self.fresh("j")
        self.names[i] = ("double", (1, 1))
        self.fixed.add(i)
        self.loops.append(i)
        if r.random() < 0.3:
            lines = [f"{pad}{i} = 0;", f"{pad}do", f"{pad}  {i}++;"] + self.block(depth + 1) + [
                f"{pad}until {i} >= {r.choice('123')} || {self.condition()}"]
        else:
            lines = [f"{pad}{i} = 0;", f"{pad}while {i} < {r.choice('123')} && {self.condition()}", f"{pad}  {i} += 1;"]
            lines += self.block(depth + 1) + [f"{pad}end"]
        self.loops.pop()
        return lines

    def parallel(self, pad, depth):
        i, s, o = self.fresh("i"), self.fresh("s"), self.fresh("o")
        self.temporaries |= {i, "c"}
        lines = [f"{pad}{s} = {self.r.choice('0123')}; {o} = zeros(1, 5);", f"{pad}parfor {i} = 1:5",
                 f"{pad}  c = {i} * {self.of('double', (1, 1), 2)};", f"{pad}  {s} = {s} + c;",
                 f"{pad}  {o}({i}) = c - {self.of('double', (1, 1), 2)};", f"{pad}end"]
        self.names[s], self.names[o] = ("double", (1, 1)), ("double", (1, 5))
        return lines

    def handle(self, pad, depth):
        name, result = self.fresh("h"), self.fresh("k")
        if depth:
            return []
        shape = self.any_shape()
        lines = [f"{pad}{name} = @(e) e {self.r.choice(['+', '-', '.*'])} {self.of('double', (1, 1), 2)};",
                 f"{pad}{result} = {name}({self.of('double', shape, 1)});"]
        self.names[result] = ("double", shape)
        return lines

    def nested(self, pad, depth):
        a, b = self.fresh("k"), self.fresh("k")
        if depth:
            return []
        shape = self.any_shape()
        lines = [f"{pad}{a} = {b} = {self.of('double', shape)};"]
        self.names[a] = self.names[b] = ("double", shape)
        return lines

    def uncompiled(self, pad, depth):
        r = self.r
        name = self.pick(lambda n, c, s: n not in self.fixed)
        cls, shape = self.names[name]
        text = self.of(cls, shape, 2)
        return [pad + r.choice([
            lambda: f"cc{{end+1}} = {text};", lambda: f"ss.f = {text};", lambda: f"{name} = [cc{{end}}(:); 1](1) * 0 + {text};",
            lambda: f"try, {name} = {text}; catch, cc{{1}} = 2; end", lambda: f"eval('{name} = {name};');",
            lambda: f"if {self.condition()}, cc{{end+1}} = {name}; end", lambda: f"gg(end+1) = numel ({name});",
            lambda: f"{name} = feval(@(e) e, {name});", lambda: "clear missing"])()]

    def statement(self, depth):
        r = self.r
        if self.parts and not self.plain and r.random() < 0.2:
            return self.uncompiled("  " * (depth + 1), depth)
        kinds = [self.assignment] * 6 + [self.update, self.store, self.store, self.growth, self.deletion, self.several, self.handle, self.nested]
        if depth < 2:
            kinds += [self.branch, self.branch, self.switch, self.counted, self.counted, self.conditional]
        if depth == 0:
            kinds += [self.parallel]
        return r.choice(kinds)("  " * (depth + 1), depth)

    def block(self, depth):
        r = self.r
        known = dict(self.names)
        lines = []
        for _ in range(r.randint(1, 2)):
            lines += self.statement(depth)
        if self.loops and r.random() < 0.2:
            lines += ["  " * (depth + 1) + f"if {self.condition()}, {r.choice(['break', 'continue', 'continue'])}; end"]
        if r.random() < 0.02:
            end = r.choice(["return", "error ('my:id', 'text')"])
            lines += ["  " * (depth + 1) + f"if {self.condition()}, {end}; end"]
        # After the block, variables that only the block assigns may be undefined.
        self.names = {k: known[k] for k in known}
        return lines

    def subfunction(self):
        outer = self.names, self.fixed, self.loops
        name = self.fresh("f")
        self.names, self.fixed, self.loops = {"a": ("double", (1, 1)), "u": ("double", (1, 4)), "n": ("double", (1, 1))}, set(), []
        self.plain = True
        lines = ["  n = 2;"]
        if self.r.random() < 0.3:
            lines += ["  if nargout < 2, a = -a; end", "  if nargin > 1 && a > 100, b2 = 1; end"]
        for _ in range(self.r.randint(1, 2)):
            lines += self.assignment("  ", 0) if self.r.random() < 0.6 else self.branch("  ", 0)
        results = [self.r.choice(list(self.names)) for _ in range(2)]
        types = [self.names[k] for k in results]
        text = f"function [b1, b2] = {name}(a, u)\n" + "\n".join(lines) + f"\n  b1 = {results[0]};\n  b2 = {results[1]};\nend\n"
        self.names, self.fixed, self.loops = outer
        self.plain = False
        return name, types, text

    def text(self):
        r = self.r
        subfunctions = []
        if r.random() < 0.3:
            name, types, text = self.subfunction()
            self.subfunctions.append((name, types))
            subfunctions.append(text)
        chosen = r.sample(ARGUMENTS, 8)
        needed = {"a", "n", "u", "A", "m", "w"}  # loops need these
        arguments = [x for x in ARGUMENTS if x in chosen or x[0] in needed]
        values = []
        for name, cls, shape in arguments:
            cls = cls or self.integer
            self.names[name] = (cls, shape)
            values.append(self.value(cls, shape))
        self.names["n"] = ("double", (1, 1))
        values[[x[0] for x in arguments].index("n")] = r.choice(["2", "3", "1"])
        self.fixed |= {"n"}
        lines = ["  cc = {1}; ss.f = 1; global gg", "  gg = 0;"] if self.parts else []
        for _ in range(r.randint(3, 7)):
            lines += self.statement(0)
        results = r.sample(list(self.names), min(6, len(self.names)))
        head = f"function [{', '.join('o_%d' % k for k in range(len(results)))}] = f({', '.join(x[0] for x in arguments)})\n"
        tail = "".join(f"  o_{k} = {name};\n" for k, name in enumerate(results))
        if self.parts:
            hidden = ", ".join(f"'{name}'" for name in sorted(self.temporaries))
            tail += f"  o_0 = {{o_0, cc, ss, gg, setdiff(who(), {{{hidden}}})}};\n"
        return values, len(results), head + "\n".join(lines) + "\n" + tail + "end\n" + "".join(subfunctions)


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    for k in range(count):
        values, results, text = Program(random.Random(seed * 1000003 + k), "--parts" in sys.argv).text()
        print(f"== random {seed}.{k}\nargs: {', '.join(values)}\nnargout: {results}\n{text}")


if __name__ == "__main__":
    main()
