"""Translates the programs to C99: arrays are `double a[restrict n][m]`, integers `int` where the elements and numbers fit, as a C
programmer writes them. Divisions of integers are C's: no program divides a negative number."""
import ast

ELEMENTS = {"f": "double", "g": "float", "i": "int64_t", "j": "int32_t", "b": "uint8_t"}
NUMBERS = {"n": "int64_t", "x": "double", "c": "float"}
# Their numbers do not fit in 32 bits.
WIDE = {"sieve", "lcgpi", "crc", "collatz", "popcount", "floyd", "nussinov", "knapsack"}
RANKS = [None, "int", "int64_t", "float", "double"]
OPERATORS = {"Add": "+", "Sub": "-", "Mult": "*", "Div": "/", "FloorDiv": "/", "Mod": "%", "BitAnd": "&", "BitXor": "^", "RShift": ">>",
             "Lt": "<", "Gt": ">", "LtE": "<=", "GtE": ">=", "Eq": "==", "NotEq": "!=", "And": "&&", "Or": "||"}
HEAD = "#include <math.h>\n#include <stdint.h>\n#include <stdlib.h>\n" + "".join(
    f"static inline {t} {name}_{t}({t} a, {t} b) {{ return a {op} b ? a : b; }}\n"
    for t in RANKS[1:] for name, op in (("min", "<"), ("max", ">")))


def widest(types):
    return max((t for t in types if t), key=RANKS.index, default=None)


class InC:
    def __init__(self, tree):
        self.tree = tree
        self.int = "int64_t" if tree.name in WIDE else "int"
        self.kinds = {a.arg: a.annotation.value for a in tree.args.args}
        self.types = {}
        for _ in range(3):  # until the types of variables that depend on each other are known
            for n in ast.walk(tree):
                if isinstance(n, ast.Assign) and isinstance(n.targets[0], ast.Name):
                    self.assign(n.targets[0].id, self.type(n.value))
                elif isinstance(n, ast.AugAssign) and isinstance(n.target, ast.Name):
                    self.assign(n.target.id, "double" if isinstance(n.op, ast.Div) else self.type(n.value))
                elif isinstance(n, ast.For):
                    self.assign(n.target.id, self.int)

    def assign(self, name, t):
        self.types[name] = widest([self.types.get(name), t])

    def type(self, e):
        if isinstance(e, ast.Constant):
            return "double" if isinstance(e.value, float) else self.int
        if isinstance(e, ast.Name):
            kind = self.kinds.get(e.id)
            return self.int if kind == "n" else NUMBERS.get(kind) or self.types.get(e.id)
        if isinstance(e, ast.Subscript):
            if isinstance(e.value, ast.Attribute):  # a.shape[0]
                return self.int
            t = ELEMENTS[self.kinds[e.value.id][0]]
            return t if t in RANKS else self.int
        if isinstance(e, ast.BinOp):
            t = widest([self.type(e.left), self.type(e.right)])
            return t if not isinstance(e.op, ast.Div) or t == "float" else "double"
        if isinstance(e, ast.UnaryOp):
            return self.type(e.operand)
        if isinstance(e, ast.IfExp):
            return self.type(e.body)
        if isinstance(e, (ast.Compare, ast.BoolOp)):
            return self.int
        if e.func.id in ("min", "max", "abs"):
            return widest(map(self.type, e.args))
        return self.int if e.func.id == "int" else "double"

    def text(self, e):
        if isinstance(e, ast.Constant):
            return repr(e.value) + ("LL" if isinstance(e.value, int) and abs(e.value) >= 2**31 else "")
        if isinstance(e, ast.Name):
            return e.id
        if isinstance(e, ast.Subscript):
            if isinstance(e.value, ast.Attribute):
                return f"{e.value.value.id}_{e.slice.value}"
            return e.value.id + "".join(f"[{self.text(i)}]" for i in getattr(e.slice, "elts", [e.slice]))
        if isinstance(e, ast.BinOp):
            left = self.text(e.left)
            if isinstance(e.op, ast.Div) and self.type(e.left) not in ("float", "double"):
                left = "(double)" + left
            return f"({left} {self.operator(e.op)} {self.text(e.right)})"
        if isinstance(e, ast.UnaryOp):
            return f"(-{self.text(e.operand)})"
        if isinstance(e, ast.IfExp):
            return f"({self.text(e.test)} ? {self.text(e.body)} : {self.text(e.orelse)})"
        if isinstance(e, ast.Compare):
            return f"({self.text(e.left)} {self.operator(e.ops[0])} {self.text(e.comparators[0])})"
        if isinstance(e, ast.BoolOp):
            return "(" + f" {self.operator(e.op)} ".join(map(self.text, e.values)) + ")"
        name, args = e.func.id, ", ".join(map(self.text, e.args))
        if name in ("min", "max"):
            return f"{name}_{self.type(e)}({args})"
        return f"(({self.int}){args})" if name == "int" else f"((double){args})" if name == "float" else f"{name}({args})"

    @staticmethod
    def operator(op):
        return OPERATORS[type(op).__name__]

    def block(self, statements, indent):
        for n in statements:
            if isinstance(n, ast.Assign):
                yield f"{indent}{self.text(n.targets[0])} = {self.text(n.value)};"
            elif isinstance(n, ast.AugAssign):
                yield f"{indent}{self.text(n.target)} {self.operator(n.op)}= {self.text(n.value)};"
            elif isinstance(n, ast.For):
                bounds = [self.text(a) for a in n.iter.args]
                first, end = bounds[:2] if len(bounds) > 1 else ("0", bounds[0])
                step = ast.literal_eval(n.iter.args[2]) if len(bounds) > 2 else 1
                v = n.target.id
                yield f"{indent}for ({self.int} {v} = {first}, {v}_end = {end}; {v} {'<' if step > 0 else '>'} {v}_end; {v} += {step}) {{"
                yield from self.block(n.body, indent + "  ")
                yield indent + "}"
            elif isinstance(n, (ast.While, ast.If)):
                yield f"{indent}{'while' if isinstance(n, ast.While) else 'if'} ({self.text(n.test)}) {{"
                yield from self.block(n.body, indent + "  ")
                yield indent + "}"
                if n.orelse:
                    yield indent + "else {"
                    yield from self.block(n.orelse, indent + "  ")
                    yield indent + "}"
            else:
                raise TypeError(ast.dump(n))

    def function(self):
        params = []
        for name, kind in self.kinds.items():
            if kind in NUMBERS:
                params.append(f"{NUMBERS[kind]} {name}")
                continue
            params += [f"int64_t {name}_{d}" for d in range(int(kind[1]))]
            inner = "".join(f"[{name}_{d}]" for d in range(1, int(kind[1])))
            params.append(f"{ELEMENTS[kind[0]]} {name}[restrict {name}_0]{inner}")
        loops = {n.target.id for n in ast.walk(self.tree) if isinstance(n, ast.For)}
        variables = [f"  {t} {v};" for v, t in self.types.items() if v not in loops]
        return "\n".join([f"void {self.tree.name}({', '.join(params)}) {{", *variables, *self.block(self.tree.body, "  "), "}"]) + "\n"


def functions(path):
    """The program's functions in the file, as syntax trees by name."""
    return {f.name: f for f in ast.parse(path.read_text()).body if isinstance(f, ast.FunctionDef)}


def in_c(trees):
    """C99 text with one function for each tree. An array becomes its extents and its address, in the order of the arguments."""
    return HEAD + "".join(InC(t).function() for t in trees)
