#!/usr/bin/env python3
"""Random MATLAB programs with Octave as the oracle: results of compiled code must be Octave's.

  programs.py SEED COUNT > PROBES.txt       then record_answers.m and `vrmat probes` (run does all three)

A program is one function of a few arguments of several classes and shapes, with assignments, stores, growth, branches and bounded loops
from a small grammar. Values stay small: operators that grow are kept apart from loops.
"""
import random
import sys

SCALARS = ["a", "b", "c"]
ROWS = ["u", "v", "w"]
MATRICES = ["A", "B"]
INTS = ["p", "q"]
TRUTHS = ["s", "t"]
ARGS = {
    "a": lambda r: r.choice(["0", "1", "-2", "3", "0.5", "2.75", "-1.5", "7"]),
    "b": lambda r: r.choice(["1", "2", "3", "4"]),
    "u": lambda r: r.choice(["[1 2 3]", "[4 -1 0 2]", "[0.5 2]", "[3 1 2 5 4]", "zeros(1, 0)", "9"]),
    "v": lambda r: r.choice(["[1 0 2]", "[-1 3 3 1]", "[2 2]", "[1; 2; 3]"]),
    "A": lambda r: r.choice(["[1 2; 3 4]", "[2 0 1; -1 3 2]", "magic(3)", "[1 2 3]", "[1 0; 0 1]"]),
    "p": lambda r: r.choice(["int32(5)", "int32(-7)", "int32(2147483647)", "int32([1 2 3])"]),
    "s": lambda r: r.choice(["true", "false", "[true false true]"]),
}


class Program:
    def __init__(self, r):
        self.r = r
        self.known = set(ARGS)
        self.loops = 0

    def pick(self, names):
        have = [n for n in names if n in self.known]
        return self.r.choice(have) if have else None

    # ---- expressions by what they are likely to be; nothing promises a shape
    def scalar(self, d=0):
        r = self.r
        choices = [lambda: r.choice(["0", "1", "2", "3", "-1", "0.5", "2.5", "10"]), lambda: self.pick(SCALARS) or "1"]
        if d < 3:
            choices += [
                lambda: f"({self.scalar(d + 1)} {r.choice('+-*')} {self.scalar(d + 1)})",
                lambda: f"{self.pick(ROWS)}({self.position()})",
                lambda: f"{self.pick(ROWS)}(end)",
                lambda: f"{self.pick(MATRICES)}({self.position()}, {self.position()})",
                lambda: f"numel({self.array(d + 1)})",
                lambda: f"{r.choice(['sum', 'max', 'min', 'prod'])}({self.pick(ROWS)})",
                lambda: f"size({self.pick(MATRICES)}, {r.choice('12')})",
                lambda: f"{r.choice(['floor', 'ceil', 'round', 'fix', 'abs', 'sign', 'cos', 'exp'])}({self.scalar(2)})",
                lambda: f"mod({self.scalar(d + 1)}, {r.choice('2357')})",
                lambda: f"sqrt({self.scalar(d + 1)})",
                lambda: f"{self.scalar(d + 1)} / {self.scalar(d + 1)}",
                lambda: f"({self.truth(d + 1)})",
                lambda: f"({self.scalar(d + 1)})^{r.choice('23')}",
                lambda: f"-{self.scalar(d + 1)}",
            ]
        return r.choice(choices)()

    def position(self):
        return self.r.choice(["1", "2", "end", "1", "b", "end - 1", "min(2, end)"])

    def truth(self, d=0):
        r = self.r
        choices = [
            lambda: f"{self.scalar(2)} {r.choice(['<', '>', '<=', '==', '~='])} {self.scalar(2)}",
            lambda: f"isempty({self.array(2)})",
            lambda: r.choice(["true", "false"]),
        ]
        if d < 2:
            choices += [lambda: f"({self.truth(d + 1)} {r.choice(['&&', '||'])} {self.truth(d + 1)})", lambda: f"!({self.truth(d + 1)})",
                        lambda: f"any({self.pick(ROWS)} > {self.scalar(2)})", lambda: f"all({self.pick(TRUTHS)})"]
        return r.choice(choices)()

    def array(self, d=0):
        r = self.r
        choices = [lambda: self.pick(ROWS), lambda: self.pick(MATRICES), lambda: self.pick(ROWS)]
        if d < 3:
            choices += [
                lambda: f"({self.array(d + 1)} {r.choice(['+', '-', '.*', './', '.^'])} {self.scalar(d + 1)})",
                lambda: f"({self.array(d + 1)} {r.choice(['+', '-', '.*'])} {self.array(d + 1)})",
                lambda: f"({self.array(d + 1)} {r.choice(['<', '>', '==', '&', '|'])} {self.scalar(d + 1)})",
                lambda: f"{self.array(d + 1)}'" if r.random() < 0.5 else f"({self.array(d + 1)} * {self.array(d + 1)})",
                lambda: f"[{self.array(d + 1)}, {self.scalar(d + 1)}]",
                lambda: f"[{self.array(d + 1)}; {self.array(d + 1)}]",
                lambda: f"{self.pick(ROWS)}({r.choice(['1:end', '2:end', 'end:-1:1', '[1 1]', ':', '[]'])})",
                lambda: f"{self.pick(MATRICES)}({r.choice(['1, :', ':, 1', ':, end', ':', '1:2, 1', 'end, :'])})",
                lambda: f"{(n := self.pick(ROWS))}({n} > {self.scalar(2)})",
                lambda: f"{(n := self.pick(MATRICES))}({n} > {self.scalar(2)})",
                lambda: f"{r.choice(['sum', 'cumsum', 'max', 'min', 'sort', 'any', 'all', 'mean', 'prod'])}({self.array(d + 1)})",
                lambda: f"sum({self.array(d + 1)}, {r.choice('12')})",
                lambda: f"{r.choice(['abs', 'floor', 'round', 'sin', 'exp', 'sqrt', 'isnan'])}({self.array(d + 1)})",
                lambda: f"{r.choice(['zeros', 'ones'])}({r.choice(['2', '1, 3', '3, 1', 'size(' + self.pick(MATRICES) + ')', 'b, 2'])})",
                lambda: f"{self.scalar(2)}:{self.scalar(2)}",
                lambda: f"find({self.array(d + 1)})",
                lambda: f"max({self.array(d + 1)}, {self.scalar(2)})",
                lambda: f"mod({self.array(d + 1)}, 3)",
                lambda: f"repmat({self.pick(ROWS)}, {r.choice(['2, 1', '1, 2'])})",
                lambda: f"reshape({self.pick(MATRICES)}, {r.choice(['[]', '1'])}, {r.choice(['1', '2'])})".replace("reshape(A, 1, 2)", "A(:)'"),
            ]
        return r.choice(choices)()

    def integer(self):
        r = self.r
        return r.choice([lambda: f"{self.pick(INTS)} {r.choice(['+', '-', '.*', './'])} {self.scalar(2)}", lambda: f"int32({self.scalar(1)})",
                         lambda: f"int32({self.array(2)})", lambda: f"-{self.pick(INTS)}", lambda: f"abs({self.pick(INTS)})",
                         lambda: f"{self.pick(INTS)} {r.choice(['+', '-'])} {self.pick(INTS)}", lambda: f"max({self.pick(INTS)}, {self.scalar(2)})"])()

    # ---- statements
    def assign(self, names, value):
        name = self.r.choice(names)
        text = f"{name} = {value};"
        self.new = name
        return text

    def statement(self, depth):
        r = self.r
        kinds = ["scalar", "scalar", "array", "array", "matrix", "int", "truth", "store", "store", "grow", "update"]
        if depth < 2:
            kinds += ["if", "if", "for", "while", "delete", "switch"]
        k = r.choice(kinds)
        pad = "  " * (depth + 1)
        if k == "scalar":
            line = self.assign(SCALARS, self.scalar())
        elif k == "array":
            line = self.assign(ROWS, self.array())
        elif k == "matrix":
            line = self.assign(MATRICES, self.array())
        elif k == "int":
            line = self.assign(INTS, self.integer())
        elif k == "truth":
            line = self.assign(TRUTHS, r.choice([self.truth(), f"{self.array(2)} > {self.scalar(2)}"]))
        elif k == "store":
            n = self.pick(ROWS + MATRICES + INTS)
            where = r.choice(["1", "end", "2", ":", "1:2", "1, 1", "end, 1", "1, :", ":, 1", "[1 2]", f"{n} > 1"])
            return [f"{pad}{n}({where}) = {r.choice([self.scalar(1), self.scalar(1), self.array(2)])};"]
        elif k == "grow":
            n = self.pick(ROWS)
            return [f"{pad}{n}(end+1) = {self.scalar(1)};"]
        elif k == "update":
            n = self.pick(SCALARS + ROWS)
            return [f"{pad}{n} {r.choice(['+=', '-=', '*='])} {self.scalar(2)};"]
        elif k == "delete":
            n = self.pick(ROWS)
            return [f"{pad}{n}({r.choice(['1', 'end', n + ' < 1'])}) = [];"]
        elif k == "if":
            lines = [f"{pad}if {r.choice([self.truth(), self.truth(), self.array(2)])}"] + self.block(depth + 1)
            if r.random() < 0.3:
                lines += [f"{pad}elseif {self.truth()}"] + self.block(depth + 1)
            if r.random() < 0.5:
                lines += [f"{pad}else"] + self.block(depth + 1)
            return lines + [f"{pad}end"]
        elif k == "switch":
            lines = [f"{pad}switch {self.pick(SCALARS)}", f"{pad}  case {self.r.choice('0123')}"] + self.block(depth + 1)
            return lines + [f"{pad}  otherwise"] + self.block(depth + 1) + [f"{pad}end"]
        elif k == "for":
            self.loops += 1
            i = f"k{self.loops}"
            over = r.choice(["1:3", "1:b", "2:numel(u)", "3:-1:1", "0:0.5:1", "u", "A", "1:0", "a:2"])
            known = set(self.known)
            self.known.add(i)
            SCALARS.append(i)
            lines = [f"{pad}for {i} = {over}"] + self.block(depth + 1, jumps=True) + [f"{pad}end"]
            if r.random() < 0.8:
                SCALARS.remove(i)
            self.known = known | {i}
            return lines
        else:
            self.loops += 1
            n = f"n{self.loops}"
            lines = [f"{pad}{n} = 0;", f"{pad}while {n} < {r.choice('123')} && {self.truth()}", f"{pad}  {n}++;"]
            return lines + self.block(depth + 1, jumps=True) + [f"{pad}end"]
        self.known.add(self.new)
        return [pad + line]

    def block(self, depth, jumps=False):
        lines = []
        for _ in range(self.r.randint(1, 3)):
            lines += self.statement(depth)
        if jumps and self.r.random() < 0.25:
            lines += ["  " * (depth + 1) + f"if {self.truth()}, {self.r.choice(['break', 'continue'])}; end"]
        return lines

    def text(self):
        lines = []
        for _ in range(self.r.randint(3, 8)):
            lines += self.statement(0)
        results = self.r.sample([n for n in ["a", "b", "c", "u", "v", "w", "A", "B", "p", "q", "s", "t"] if n in self.known], 4)
        return f"function [{', '.join('r%d' % k for k in range(1, 5))}] = f({', '.join(ARGS)})\n" + "\n".join(lines) + "\n" + "".join(
            f"  r{k} = {n};\n" for k, n in enumerate(results, 1)) + "end\n"


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    for k in range(count):
        r = random.Random(seed * 1000003 + k)
        for name in list(SCALARS):
            if name.startswith("k"):
                SCALARS.remove(name)
        text = Program(r).text()
        print(f"== random {seed}.{k}\nargs: {', '.join(make(r) for make in ARGS.values())}\nnargout: 4\n{text}")


if __name__ == "__main__":
    main()
