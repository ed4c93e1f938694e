"""Expressions of a class and a shape, for programs.py."""

INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
CLASSES = ["double", "double", "double", "single", "logical", "complex"]
SHAPES = [(1, 1), (1, 1), (1, 1), (1, 4), (1, 3), (3, 1), (2, 3), (3, 3), (2, 2), (1, 0)]


class Expressions:
    def __init__(self, r):
        self.r = r
        self.names = {}  # class and shape
        self.plain = False
        self.integer = "int32"
        self.fault = 0.01

    def any_shape(self):
        return self.r.choice(SHAPES)

    def any_name(self):
        return self.r.choice(list(self.names))

    def pick(self, fits):
        have = [n for n, (c, s) in self.names.items() if fits(n, c, s)]
        return self.r.choice(have) if have else None

    def variable(self, cls, shape):
        return self.pick(lambda n, c, s: c == cls and s == shape)

    # ---- values without variables
    def number(self, cls):
        r = self.r
        if cls == "logical":
            return r.choice(["true", "false"])
        if cls == "complex":
            return f"({r.choice(['1', '-2', '0.5', '3'])} {r.choice('+-')} {r.choice(['1', '2', '0.25'])}i)"
        if cls == "single":
            return f"single({r.choice(['1', '-2', '0.5', '3.25', '7', '0'])})"
        if cls in INTEGERS:
            whole = r.choice(["0", "1", "2", "3", "5", "7", "-4", "100", "2.5", "-0.5", "1e9"])
            return r.choice([f"{cls}({whole})"] * 4 + [f"intmax(\"{cls}\")", f"intmin(\"{cls}\")"])
        return r.choice(["0", "1", "2", "3", "-1", "0.5", "2.5", "-2", "4", "10", "1e3"] + ["Inf", "NaN"] * (r.random() < 0.1))

    def value(self, cls, shape):
        rows, columns = shape
        if shape == (1, 1):
            return self.number(cls)
        if rows * columns == 0:
            return f"zeros({rows}, {columns}, \"{cls}\")" if cls in INTEGERS + ["single"] else f"zeros({rows}, {columns})"
        return "[" + "; ".join(" ".join(self.number(cls) for _ in range(columns)) for _ in range(rows)) + "]"

    def position(self, n):
        if self.r.random() < self.fault or n == 0:
            return self.r.choice(["0", "9", "1.5", "-1"])
        choices = ["1", "end", str(n), str(max(1, n - 1))]
        if n > 1:
            choices += ["end - 1", "2", "min(2, end)"]
        if "n" in self.names and n >= 3:
            choices += ["n", "end - n + 1"]
        return self.r.choice(choices)

    # ---- an expression of this class and shape; depth limits nesting
    def of(self, cls, shape, depth=0):
        r = self.r
        if r.random() < self.fault:
            shape = self.any_shape()
        if depth >= 3 or r.random() < 0.15:
            return self.variable(cls, shape) or self.value(cls, shape)
        if shape != (1, 1) and r.random() < 0.45:
            return self.shaped(cls, shape, depth + 1)
        if cls == "logical":
            return self.truth(shape, depth + 1)
        if cls == "complex":
            return self.complex(shape, depth + 1)
        if cls in INTEGERS:
            return self.integral(cls, shape, depth + 1)
        return self.real(cls, shape, depth + 1)

    def beside(self, cls, shape, depth=2):
        """An operand that does not change the class of the other one."""
        other = {"double": ["double", "logical"], "single": ["single", "double"], "complex": ["complex", "double"], "logical": ["logical"]}
        return self.of(self.r.choice(other.get(cls, [cls, "double", "logical"])), shape, depth)

    def pair(self, cls, shape, depth):
        """Two operands whose result has the class and the shape."""
        shapes = self.r.choice([(shape, shape), (shape, (1, 1)), ((1, 1), shape)])
        if shape[0] > 1 and shape[1] > 1 and self.r.random() < 0.2:
            shapes = self.r.choice([((shape[0], 1), (1, shape[1])), (shape, (1, shape[1])), ((shape[0], 1), shape)])
        texts = [self.of(cls, shapes[0], depth), self.beside(cls, shapes[1], depth)]
        return texts if self.r.random() < 0.7 else texts[::-1]

    def real(self, cls, shape, depth):
        r = self.r
        a = lambda: self.of(cls, shape, depth)

        def operation():
            x, y = self.pair(cls, shape, depth)
            return f"({x} {r.choice(['+', '-', '.*', '+', '-', './'])} {y})"

        choices = [operation] * 4 + [
            # Elementary functions of singles may differ in the last digit, which a conversion to double shows.
            lambda: f"{r.choice(['abs', 'floor', 'ceil', 'round', 'fix', 'sign'] + ['sin', 'cos', 'exp', 'atan'] * (cls == 'double'))}({a()})",
            lambda: f"sqrt(abs({a()}))", lambda: f"sqrt({a()})" if r.random() < 0.1 else f"-({a()})",
            lambda: f"{r.choice(['max', 'min'])}({a()}, {self.of(cls, r.choice([shape, (1, 1)]), depth)})",
            lambda: f"({a()}) .^ 2", lambda: f"{r.choice(['mod', 'rem'])}({a()}, {r.choice(['2', '3', '2.5', '-3', '7'])})",
            lambda: f"{r.choice(['real', 'imag', 'abs'])}({self.of('complex', shape, depth)})" if cls == "double" else a(),
            lambda: f"{cls}({self.of(r.choice(['double', 'single', 'logical', self.integer]), shape, depth)})"]
        if shape == (1, 1):
            choices += [lambda: self.reduced(cls, depth), lambda: self.element(cls)] * 3
            if cls == "double":
                choices += [lambda: f"{r.choice(['numel', 'length', 'rows', 'columns', 'ndims', 'isempty'])}({self.any_name()})" + " * 1",
                            lambda: f"size({self.any_name()}, {r.choice('12')})", lambda: f"nnz({self.of('logical', self.any_shape(), depth)})",
                            lambda: f"('{r.choice('abZ')}' {r.choice('+-')} {a()})", lambda: f"({self.of('double', (1, 3), depth)} * {self.of('double', (3, 1), depth)})",
                            lambda: f"({self.of('logical', (1, 1), depth)} + {self.of('logical', (1, 1), depth)})"]
        return r.choice(choices)()

    def reduced(self, cls, depth):
        r = self.r
        shape = r.choice([(1, 4), (3, 1), (1, 3), (2, 3), (1, 0)])
        name = r.choice(["sum", "prod", "max", "min", "mean", "norm", "sumsq", "median"])
        if shape == (2, 3):
            return f"{r.choice(['sum', 'max', 'min', 'prod', 'mean'])}({r.choice(['sum', 'max', 'min', 'mean'])}({self.of(cls, shape, depth)}))"
        if shape == (1, 0):
            return f"{r.choice(['sum', 'prod'])}({self.of(cls, shape, depth)})"
        return f"{name}({self.of(cls, shape, depth)})"

    def element(self, cls):
        name = self.pick(lambda n, c, s: c == cls and s != (1, 1) and s[0] * s[1] > 0)
        if not name:
            return self.number(cls)
        rows, columns = self.names[name][1]
        if self.r.random() < 0.5:
            return f"{name}({self.position(rows * columns)})"
        return f"{name}({self.position(rows)}, {self.position(columns)})"

    def integral(self, cls, shape, depth):
        r = self.r
        a = lambda: self.of(cls, shape, depth)

        def operation():
            x, y = self.pair(cls, shape, depth)
            return f"({x} {r.choice(['+', '-', '.*', './'])} {y})"

        choices = [operation] * 5 + [
            lambda: f"{cls}({self.of(r.choice(['double', 'single', 'logical', r.choice(INTEGERS)]), shape, depth)})",
            lambda: f"-({a()})", lambda: f"abs({a()})", lambda: f"{r.choice(['max', 'min'])}({a()}, {self.beside(cls, shape)})",
            lambda: f"mod({a()}, {r.choice(['2', '3', '5'])})", lambda: f"({a()}) .^ {r.choice('23')}",
            lambda: f"{r.choice(['bitand', 'bitor', 'bitxor'])}({a()}, {r.choice(['1', '6', a()])})",
            lambda: f"{r.choice(['floor', 'round', 'sign'])}({a()})"]
        if shape == (1, 1):
            choices += [lambda: self.element(cls), lambda: f"{r.choice(['max', 'min'])}({self.of(cls, (1, 4), depth)})"]
        return r.choice(choices)()

    def complex(self, shape, depth):
        r = self.r
        a = lambda: self.of("complex", shape, depth)

        def operation():
            x, y = self.pair("complex", shape, depth)
            return f"({x} {r.choice(['+', '-', '.*', './'])} {y})"

        choices = [operation] * 3 + [lambda: f"({self.of('double', shape, depth)} + {self.of('double', shape, depth)} * {r.choice('ij')})",
                                     lambda: f"conj({a()})", lambda: f"-({a()})", lambda: f"({a()}) .^ 2", lambda: f"exp({a()} / 10)"]
        if shape == (1, 1):
            choices += [lambda: self.element("complex"), lambda: f"sum({self.of('complex', (1, 4), depth)})"]
        return r.choice(choices)()

    def truth(self, shape, depth):
        r = self.r

        def comparison():
            cls = r.choice(["double", "double", "single", self.integer, self.integer, "logical"])
            x, y = self.pair(cls, shape, depth)
            return f"({x} {r.choice(['<', '>', '<=', '>=', '==', '!='])} {y})"

        def logic():
            x, y = self.pair("logical", shape, depth)
            return f"({x} {r.choice('&|')} {y})"

        choices = [comparison] * 4 + [logic, lambda: f"!({self.of('logical', shape, depth)})", lambda: f"isnan({self.of('double', shape, depth)})",
                                      lambda: f"xor({self.of('logical', shape, depth)}, {self.of('logical', shape, depth)})",
                                      lambda: f"({self.of('complex', shape, depth)} {r.choice(['==', '!='])} {self.beside('complex', shape)})"]
        if shape == (1, 1):
            choices += [lambda: f"{r.choice(['any', 'all'])}({self.of(r.choice(['logical', 'double', self.integer]), (1, 4), depth)})",
                        lambda: f"({self.of('logical', (1, 1), depth)} {r.choice(['&&', '||'])} {self.of('logical', (1, 1), depth)})",
                        lambda: f"isempty({self.any_name()})", lambda: f"isa({self.any_name()}, '{r.choice(['double', 'float', 'integer', 'single'])}')",
                        lambda: f"isequal({self.any_name()}, {self.any_name()})", lambda: f"isreal({self.any_name()})",
                        lambda: f"strcmp(class({self.any_name()}), '{r.choice(['double', 'int8'])}')", lambda: f"isscalar({self.any_name()})",
                        lambda: f"isvector({self.any_name()})", lambda: f"isrow({self.any_name()})"]
        return r.choice(choices)()

    def condition(self):
        return self.r.choice([lambda: self.of("logical", (1, 1)), lambda: self.of("logical", (1, 1), 1),
                              lambda: self.of(self.r.choice(["double", self.integer]), self.any_shape(), 2)])()

    # ---- arrays made of other arrays, whatever their class
    def shaped(self, cls, shape, depth):
        r = self.r
        rows, columns = shape
        a = lambda s: self.of(cls, s, depth)
        floating = cls in ("double", "single", "complex")
        choices = [lambda: f"{a((columns, rows))}{r.choice([chr(39), '.' + chr(39)])}", lambda: f"reshape({a((1, rows * columns))}, {rows}, {columns})",
                   lambda: f"repmat({a((1, 1))}, {rows}, {columns})"]
        if cls in ("double", "single") or cls in INTEGERS:
            kind = f", \"{cls}\"" if cls != "double" else ""
            choices += [lambda: f"{r.choice(['zeros', 'ones'])}({rows}, {columns}{kind})"]
        if floating and rows * columns > 0:
            inner = r.choice([1, 2, 3])
            choices += [lambda: f"({a((rows, inner))} * {a((inner, columns))})"]
        if columns > 1:
            k = r.randint(1, columns - 1)
            choices += [lambda: f"[{a((rows, k))}, {a((rows, columns - k))}]"] * 2
        if rows > 1:
            k = r.randint(1, rows - 1)
            choices += [lambda: f"[{a((k, columns))}; {a((rows - k, columns))}]"] * 2
        if rows * columns > 1 and cls != "complex":
            choices += [lambda: f"{r.choice(['sort', 'fliplr', 'flipud'])}({a(shape)})"]
        if floating or cls in INTEGERS:
            choices += [lambda: f"{r.choice(['cumsum', 'cumprod'])}({a(shape)})" if floating else f"sort({a(shape)}, 'descend')"]
        if rows == 1 and columns > 0:
            name = self.pick(lambda n, c, s: c == cls and s[0] == 1 and s[1] >= columns)
            if name:
                size = self.names[name][1][1]
                index = [f"1:{columns}", f"{columns}:-1:1", f"end-{columns - 1}:end", "[" + " ".join(str(r.randint(1, size)) for _ in range(columns)) + "]"]
                choices += [lambda: f"{name}({r.choice(index)})"] * 3
            matrix = self.pick(lambda n, c, s: c == cls and s[0] > 1 and s[1] == columns)
            if matrix:
                choices += [lambda: f"{matrix}({self.position(self.names[matrix][1][0])}, :)"] * 3
                if floating and cls != "complex":
                    choices += [lambda: f"{r.choice(['sum', 'max', 'min', 'mean', 'any', 'prod'])}({matrix})".replace("any", "sum")]
            if cls == "double":
                choices += [lambda: f"(1:{columns})", lambda: f"(0:0.5:{(columns - 1) / 2})", lambda: f"linspace(0, 1, {columns})", lambda: f"diff({a((1, columns + 1))})"]
            if cls in INTEGERS:
                choices += [lambda: f"({cls}(1):{cls}({columns}))"]
        if columns == 1 and rows > 1:
            matrix = self.pick(lambda n, c, s: c == cls and s[1] > 1 and s[0] == rows)
            if matrix:
                choices += [lambda: f"{matrix}(:, {self.position(self.names[matrix][1][1])})"] * 3
            flat = self.pick(lambda n, c, s: c == cls and s[0] * s[1] == rows)
            if flat:
                choices += [lambda: f"{flat}(:)"] * 2
        return r.choice(choices)()
