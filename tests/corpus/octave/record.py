#!/usr/bin/env python3
"""Writes SIGNATURE.vrir and SIGNATURE.cases.json beside this file: library functions of the `mclab` dialect at special values,
with GNU Octave's results. There is one function with many parameters and results for each list of argument classes.

    python3 tests/corpus/octave/record.py [SIGNATURE ...]     # needs NumPy, octave-cli and build/release/bin/vrir (or VRIR_TOOL)

The expected results are Octave's, or those that differs.py states. vrir is used only to find out whether a call compiles; calls that
it refuses are left out, and listed in the file's head, and so are real arguments with a complex result (the dialect's result has
a single type: NaN). Prints differences, and exits with 1 if a result is neither Octave's nor explained by differs.py.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.insert(0, str(ROOT / "scripts/foreign"))

import differs
import suite_octave as octave

REALS = ("[0 -0 1 -1 0.5 -0.5 1.5 2 -3 2.5 -2.5 7 1e-3 Inf -Inf NaN 0.1 realmin(C) -realmin(C) eps(C) realmax(C) -realmax(C) "
         "16777217 1e30 -1e-30 2^31 -2^31-1 2^53+2 2^63]")
GRIDS = {
    "double": f"double ({REALS})".replace("(C)", "('double')"),
    "single": f"single ({REALS})".replace("(C)", "('single')"),
    "int32": "int32 ([0 1 -1 2 -2 3 -7 5 10 100 46341 -46341 65536 2147483647 -2147483648 2147483646])",
    "logical": "[true false]",
    "complex": "grid ([0 1 -1 0.5 -3 2.5 Inf -Inf NaN 1e-3])",
    "single-complex": "single (grid ([0 1 -1 0.5 -3 Inf -Inf NaN]))",
}
FEW = {"double": "[0 -0 1 -1 0.5 2 -3 -2.5 7 Inf -Inf NaN 1e300 1e-300]", "single": "single ([0 -0 1 -1 0.5 2 -3 -2.5 7 Inf -Inf NaN 1e30])",
       "int32": "int32 ([0 1 -1 2 -2 3 -7 10 46341 2147483647 -2147483648])", "logical": "[true false]",
       "complex": "grid ([0 1 -0.5 3 Inf NaN])", "single-complex": "single (grid ([0 1 -0.5 3]))"}
UNARY = """sqrt exp expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh erf abs floor ceil round fix sign conj real imag
arg isnan isinf isfinite uminus not sec csc cot double single int32 logical""".split()
FOLDS = "sum prod mean any all cumsum cumprod min max sort numel isempty".split()
BINARY = """plus minus times rdivide ldivide power atan2 hypot mod rem min max and or xor eq ne lt le gt ge bitand bitor bitxor""".split()
PAIRS = [("double", "double"), ("single", "single"), ("double", "single"), ("single", "double"), ("int32", "int32"), ("int32", "double"), ("single", "int32"),
         ("logical", "double"), ("logical", "logical"), ("logical", "int32"), ("logical", "single"), ("complex", "complex"),
         ("double", "complex"), ("complex", "double"), ("single-complex", "single"), ("single-complex", "single-complex")]
# Rows without NaN, with NaN, of one element, without elements, and matrices; the limits of integers in order.
ROWS = ["{0}(1:6)", "{0}", "{0}(end)", "{0}([])", "[{0}(3:5); {0}(1:3)]", "{0}(end-2:end)", "{0}([end-1 end-1 end end])"]
# NaN alone and among zeros, for the classes that have it.
NANS = {"double": ["NaN", "[NaN 0 NaN]", "[0 NaN; 1 NaN]"], "single": ["single (NaN)", "single ([NaN 0 NaN])"],
        "complex": ["complex (NaN, 0)", "complex ([0 NaN], [NaN 0])", "complex ([0 NaN], [NaN Inf])"],
        "single-complex": ["single (complex ([0 NaN], [NaN 0]))"]}

HELPERS = r"""
1;
function v = grid (parts)
  [x, y] = meshgrid (parts, parts);
  v = complex (x(:).', y(:).');
endfunction
function v = same (v)
endfunction
function r = keeps (name, varargin)  # whether the result is as real as the arguments
  r = true;
  if (all (cellfun (@isreal, varargin)))
    r = isreal (feval (name, varargin{:}));
  endif
endfunction
function v = kept (name, v)
  v = v(arrayfun (@(x) keeps (name, x), v));
endfunction
function r = pairs (name, which, a, b)
  [x, y] = meshgrid (1:numel (a), 1:numel (b));
  x = a(x(:).'); y = b(y(:).');
  if ((isinteger (x) || isinteger (y)) && any (strcmp (name, {"mod", "rem"})))  # the processor's fault, over and over
    ok = ! (int32 (x) == intmin ("int32") & int32 (y) == -1);
    x = x(ok); y = y(ok);
  endif
  ok = arrayfun (@(k) keeps (name, x(k), y(k)), 1:numel (x));
  if (which == 1) r = x(ok); else r = y(ok); endif
endfunction
function r = one_by_one (name, x, y)
  # A power of real numbers by itself: one of an array's elements whose power is complex takes all of them to other formulas.
  if (! isreal (x) || ! isreal (y) || isempty (x)) r = feval (name, x, y); return; endif
  r = arrayfun (@(k) feval (name, x(k), y(k)), 1:numel (x), "UniformOutput", false);
  r = [r{:}];
endfunction
"""


def signatures():
    """name -> (function, arguments in Octave's language) of each call."""
    found = {}
    for c in GRIDS:
        calls = [(f, [f"kept ('{f}', {GRIDS[c]})"]) for f in UNARY]
        calls += [(f, [r.format(f"same ({FEW[c]})")]) for f in FOLDS for r in ROWS]
        calls += [(f, [r]) for f in FOLDS for r in NANS.get(c, [])]
        found[c] = calls
    for a, b in PAIRS:
        found[f"{a}_{b}"] = [(f, [f"pairs ('{f}', {k}, {FEW[a]}, {FEW[b]})" for k in (1, 2)]) for f in BINARY]
    return found


def evaluate(calls):
    """Octave's results, by number: {"args": ..., "wanted": ...}; no entry if Octave raises an error."""
    driver = HELPERS + octave.DRIVER.lstrip().removeprefix("1;").replace("assert (feval (name_, args_{:}), wanted_, tol_);", "")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        rows = [(str(k), name, "", ", ".join(args), f"{'one_by_one' if len(args) == 2 else 'feval'} ('{name}', args_{{:}})", "0")
                for k, (name, args) in enumerate(calls)]
        (folder / "in").write_text("\x01".join("\x01".join(r) for r in rows) + "\x01")
        (folder / "driver.m").write_text(driver)
        subprocess.run(["octave-cli", "--no-history", "--no-init-file", "--quiet", str(folder / "driver.m")], check=True, stdin=subprocess.DEVNULL,
                       env=dict(os.environ, FOREIGN_IN=str(folder / "in"), FOREIGN_OUT=str(folder / "out")), capture_output=True)
        values = [json.loads(line) for line in (folder / "out").read_text().splitlines()]
    values = {v["id"]: v for v in values if "failed" not in v}
    return {k: v for k, v in values.items() if all(x["class"] in octave.CLASSES for x in [*v["args"], v["wanted"]])}


class Program:
    """All calls in one function: a parameter for each distinct argument, a result and a line for each call."""

    def __init__(self, calls, values):
        self.args, self.results, lines = [], [v["wanted"] for v in values], []
        numbers = {}
        for (name, _), v in zip(calls, values):
            ids = []
            for a in v["args"]:
                key = json.dumps(a)
                if key not in numbers:
                    numbers[key] = len(self.args)
                    self.args.append(a)
                ids.append(numbers[key])
            args = " ".join(f"(name :id {k} {octave.type_text(a)})" for k, a in zip(ids, v["args"]))
            lines.append((f"(fncall :fnname {name} {{}} (args {args}))", octave.type_text(v["wanted"])))
        parameters = [octave.type_text(a) for a in self.args]
        types = parameters + [t for _, t in lines]
        named = [f"(name :id {len(parameters) + k} {t})" for k, (_, t) in enumerate(lines)]
        newline = "\n"
        before = (f"(module :name octave :indexing 1\n (fns\n  (function f\n   (functype (intypes {' '.join(parameters)})\n"
                  f"    (outtypes {' '.join(t for _, t in lines)}))\n"
                  f"   (arglist {' '.join(f'(arg :id {k})' for k in range(len(parameters)))})\n   (body\n")
        self.first_line = before.count("\n") + 1
        statements = [f"    (assignstmt (lhs {name}) (rhs {text.format(t)}))" for name, (text, t) in zip(named, lines)]
        self.text = (f"{before}{newline.join(statements)}\n    (returnstmt (exprs {' '.join(named)})))\n"
                     f"   (symtable\n{newline.join(f'    (sym :id {k} :name x{k} {t})' for k, t in enumerate(types))}))))\n")
        self.cases = json.dumps({"function": "f", "cases": [{"args": self.args, "results": self.results}]}) + "\n"

    def run(self):
        """(results of the interpreter or None, the output of vrir)"""
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "p.vrir").write_text(self.text)
            (folder / "p.json").write_text(self.cases)
            done = subprocess.run([octave._tool, "run", str(folder / "p.vrir"), "--dialect", "mclab", "--on", "interp", "--case", f"{folder}/p.json#1",
                                   "--out", f"{folder}/r%d.npy"], capture_output=True, text=True, env=dict(os.environ, VR_CACHE_DIR=""))
            if done.returncode:
                return None, done.stdout + done.stderr
            return [np.load(folder / f"r{k + 1}.npy") for k in range(len(self.results))], done.stdout + done.stderr


def compiled(calls, values):
    """(the calls that vrir compiles and runs, their values and results, the names of the refused ones, and classes that differ from Octave's)"""
    refused = []
    while True:
        program = Program(calls, values)
        results, said = program.run()
        if results is not None:
            return calls, values, results, refused, re.findall(r"remark: (.*) \[retyped\]", said)
        lines = {int(n) - program.first_line for n in re.findall(r"p\.vrir:(\d+):\d+: error:", said)} & set(range(len(calls)))
        if not lines:
            raise SystemExit(f"vrir: {said[:2000]}")
        refused += [calls[k][0] for k in lines]
        calls = [c for k, c in enumerate(calls) if k not in lines]
        values = [v for k, v in enumerate(values) if k not in lines]


def number(x):
    """A number as the cases file stores it."""
    x = x.item()
    return "nan" if x != x else "inf" if x == np.inf else "-inf" if x == -np.inf else x


def near(a, b, rtol):
    """Element by element: the same NaN, infinity or zero, or near."""
    with np.errstate(all="ignore"):
        if a.dtype.kind != "c":
            return (a == b) | (np.isnan(a) & np.isnan(b)) | (np.isfinite(a) & np.isfinite(b) & (np.abs(a - b) <= rtol * np.abs(a)))
        size = np.maximum(*(np.where(np.isfinite(p), np.abs(p), 0) for p in (a.real, a.imag)))
        return np.logical_and.reduce([(p == q) | (np.isnan(p) & np.isnan(q)) | (np.isfinite(p) & np.isfinite(q) & (np.abs(p - q) <= rtol * size))
                                      for p, q in ((a.real, b.real), (a.imag, b.imag))])


def judged(name, value, got):
    """A description of the difference from Octave if no rule explains it. If a rule does, the explained value becomes the expected one."""
    wanted = octave.as_array(value["wanted"])
    args = [octave.as_array(a) for a in value["args"]]
    wide = np.complex128 if wanted.dtype.kind == "c" or got.dtype.kind == "c" else np.float64
    if got.size != wanted.size:
        return [f"{got.shape} for {wanted.shape}"]
    a, b = wanted.astype(wide), got.reshape(wanted.shape, order="F").astype(wide)
    unexplained = []
    good = near(a, b, 1e-5 if wanted.dtype in (np.float32, np.complex64) else 1e-12)
    for k in np.ndindex(*wanted.shape):
        if good[k]:
            continue
        given = [x[k] for x in args] if all(x.shape == wanted.shape for x in args) else [x.ravel() for x in args]
        if differs.explained(name, given, wanted[k], b[k]):
            at = int(np.ravel_multi_index(k, wanted.shape, order="F"))
            value["wanted"]["re"][at] = number(b[k].real)
            if "im" in value["wanted"]:
                value["wanted"]["im"][at] = number(b[k].imag)
        else:
            unexplained.append(f"{', '.join(map(str, given))}: {b[k]}, and Octave {wanted[k]}")
    return unexplained


def main():
    wrong = 0
    for signature, calls in signatures().items():
        if sys.argv[1:] and signature not in sys.argv[1:]:
            continue
        found = evaluate(calls)
        good = [k for k in range(len(calls)) if k in found]
        chosen, values, results, refused, classes = compiled([calls[k] for k in good], [found[k] for k in good])
        for text in sorted(set(classes)):
            if "it is complex" in text or "colmajor complex" in text:
                continue  # Octave narrows complex numbers without imaginary parts
            wrong += 1
            print(f"{signature}: {text}")
        for (name, _), value, got in zip(chosen, values, results):
            for text in judged(name, value, got):
                wrong += 1
                print(f"{signature}: {name}: {text}")
        left = f"; Left out, for vrir refuses them: {' '.join(sorted(set(refused)))}.\n" if refused else ""
        head = f"; Written by record.py: GNU Octave {octave.version()}, arguments of class {signature.replace('_', ' and ')}.\n{left}"
        program = Program(chosen, values)
        (HERE / f"{signature}.vrir").write_text(head + program.text)
        (HERE / f"{signature}.cases.json").write_text(program.cases)
        print(f"{signature}: {len(chosen)} of {len(calls)} calls, {sum(len(v['wanted']['re']) for v in values)} numbers", flush=True)
    print(f"{wrong} unexplained differences")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
