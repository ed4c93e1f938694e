"""GNU Octave's own tests (`%!assert`, `%!test` blocks) of functions that the `mclab` dialect has.

Needs octave-cli and its files (Debian: octave) and build/release/bin/vrir (or VRIR_TOOL). Only assertions of the form `assert (NAME (ARGUMENTS),
EXPECTED, TOLERANCE)` are mapped. Octave evaluates the arguments, the expected value and the tolerance; the call becomes a VRIR function in the
dialect, `vrir run` calls it, and the result is compared with the expected value. All other tests are counted as refused, by reason.
"""
import json
import os
import pathlib
import re
import subprocess
import tempfile

import numpy as np

NAME, TITLE = "octave", "GNU Octave's tests"

#: Functions of the dialect that have the same meaning and the same name in MATLAB.
MAPPED = set("""sqrt exp expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh erf abs floor ceil round fix sign conj real imag
angle arg isnan isinf isfinite plus minus times rdivide power mpower mtimes mldivide mrdivide transpose ctranspose uminus uplus not and or xor
eq ne lt le gt ge min max mod rem bitand bitor bitxor atan2 hypot dot norm sum prod mean any all cumsum cumprod size numel length ndims
reshape horzcat vertcat zeros ones eye linspace colon sort find repmat isempty double single int32 logical sec csc cot complex isequal
ldivide""".split())
# (int64 in the dialect is a double that is known to be an integer, not MATLAB's class int64.)
CLASSES = {"double": "float64", "single": "float32", "int32": "int32", "logical": "bool"}
PLAIN = {"float64": "double", "float32": "single", "int32": "int32", "int64": "int64", "bool": "logical"}
RTOL = {"float64": 1e-13, "float32": 1e-6}

TRUTH = "true"  # the expected value of an assertion that states none: all elements are true
LIMIT = 1200  # seconds for a file: some contain 700 assertions, and each of them starts a process

_tool = os.environ.get("VRIR_TOOL") or str(pathlib.Path(__file__).resolve().parents[2] / "build/release/bin/vrir")

# The Octave program that evaluates the expressions of each file of snippets and writes the values as JSON.
DRIVER = r"""
1;
function put_value (fid, v)
  if (! (isnumeric (v) || islogical (v)) || issparse (v))
    fprintf (fid, '{"class": "%s%s"}', ifelse_ (issparse (v), "sparse ", ""), class (v));
    return
  endif
  fprintf (fid, '{"class": "%s", "dims": [%s], "re": [%s]', class (v), strjoin (arrayfun (@(n) sprintf ("%d", n), size (v), ...
           "UniformOutput", false), ", "), numbers (real (v)));
  if (iscomplex (v))
    fprintf (fid, ', "im": [%s]', numbers (imag (v)));
  endif
  fprintf (fid, "}");
endfunction
function r = ifelse_ (c, a, b)
  if (c) r = a; else r = b; endif
endfunction
function t = numbers (v)
  v = v(:).';
  if (isempty (v)) t = ""; return; endif
  if (isinteger (v)) one = @(x) sprintf ("%d", x);
  elseif (islogical (v)) one = @(x) sprintf ("%d", x);
  else one = @(x) number (x); endif
  t = strjoin (arrayfun (one, v, "UniformOutput", false), ", ");
endfunction
function t = number (x)
  if (isnan (x)) t = '"nan"'; elseif (x == Inf) t = '"inf"'; elseif (x == -Inf) t = '"-inf"';
  else t = sprintf ("%.17g", x); endif
  if (strcmp (t, "-0")) t = "-0.0"; endif
endfunction
function put_case (fid, k, args, wanted, tol)
  fprintf (fid, '{"id": %d, "args": [', k);
  for n = 1:numel (args)
    if (n > 1) fprintf (fid, ", "); endif
    put_value (fid, args{n});
  endfor
  fprintf (fid, '], "wanted": ');
  put_value (fid, wanted);
  fprintf (fid, ', "tol": ');
  put_value (fid, tol);
  fprintf (fid, "}\n");
endfunction
function r = collect (varargin)
  r = varargin;
endfunction
function run_case (fid_, k_, name_, prefix_, args_, wanted_, tol_)
  try
    eval (prefix_);
    eval (["args_ = collect (", args_, ");"]);
    wanted_text_ = wanted_;
    eval (["wanted_ = ", wanted_, ";"]);
    eval (["tol_ = ", tol_, ";"]);
    if (strcmp (wanted_text_, "true"))
      assert (all (feval (name_, args_{:})(:)));
    else
      assert (feval (name_, args_{:}), wanted_, tol_);
    endif
    put_case (fid_, k_, args_, wanted_, tol_);
  catch e
    fprintf (fid_, "{\"id\": %d, \"failed\": \"%s\"}\n", k_, regexprep (e.message, "[^a-zA-Z0-9 _.,:()]", " "));
  end_try_catch
endfunction
warning ("off", "all");
parts_ = strsplit (fileread (getenv ("FOREIGN_IN")), "\x01", "CollapseDelimiters", false);
fid_ = fopen (getenv ("FOREIGN_OUT"), "w");
for p_ = 1:6:numel (parts_) - 5
  run_case (fid_, str2double (parts_{p_}), parts_{p_ + 1:p_ + 5});
endfor
fclose (fid_);
"""


def version():
    done = subprocess.run(["octave-cli", "--version"], capture_output=True, text=True)
    return done.stdout.split("\n")[0].replace("GNU Octave, version ", "")


# ---- parsing the tests

def split_arguments(text):
    """Splits the source of an argument list at its commas; None when brackets or quotes do not match."""
    parts, depth, start, k, quote = [], 0, 0, 0, None
    while k < len(text):
        c = text[k]
        if quote:
            if quote == '"' and c == "\\":
                k += 1
            elif c == quote:
                quote = None
        elif c == '"' or (c == "'" and not re.search(r"[\w)\]}.']\s*$", text[:k])):
            quote = c
        elif c in "([{":
            depth += 1
        elif c in ")]}":
            depth -= 1
            if depth < 0:
                return None
        elif c == "," and depth == 0:
            parts.append(text[start:k].strip())
            start = k + 1
        k += 1
    if depth or quote:
        return None
    return parts + [text[start:].strip()]


def call_of(text):
    """('name', 'arguments') if the source is a single call, else None."""
    m = re.match(r"([A-Za-z]\w*)\s*\(", text)
    if not m or not text.endswith(")") or text[-2:-1] == ".":
        return None
    inner = text[m.end():-1]
    return (m[1], inner) if split_arguments(inner) is not None else None


def statements(text):
    """The statements of a test block; continuation lines are joined."""
    out, held = [], ""
    for line in text.split("\n"):
        line = re.sub(r"(^|\s)[#%](?![^\"']*[\"'][^\"']*$).*$", "", line).rstrip()
        if not line.strip():
            continue
        held += line
        if held.endswith("..."):
            held = held[:-3] + " "
            continue
        opened = re.sub(r"\"(?:\\.|[^\"\\])*\"|(?<![\w)\]}.'])'[^']*'", "", held)
        if sum(opened.count(c) for c in "([{") > sum(opened.count(c) for c in ")]}"):
            held += "\n"
            continue
        out.append(held.strip())
        held = ""
    return out + ([held.strip()] if held else [])


def blocks(text):
    """(kind, source) of the `%!` blocks of a file."""
    held = None
    for line in text.split("\n"):
        if line.startswith("%!") or line.startswith("##!"):
            m = re.match(r"%!(\w+)(.*)", line)
            if m and not line.startswith("%! "):
                if held:
                    yield held[0], "\n".join(held[1])
                held = (m[1], [m[2]])
            elif held:
                held[1].append(line[2:])
        elif held:
            yield held[0], "\n".join(held[1])
            held = None
    if held:
        yield held[0], "\n".join(held[1])


def assertions(text):
    """(statement, prefix, call, wanted, tolerance) or (statement, reason) for each assertion of a file."""
    common = []  # the statements of `shared` blocks, which set up the blocks that follow
    for kind, body in blocks(text):
        if kind == "shared":
            common += statements(body.partition("\n")[2])
        if kind in ("shared", "function", "endfunction", "demo"):
            continue
        if kind in ("error", "fail", "warning"):
            yield f"%!{kind}{body.splitlines()[0] if body else ''}", "expects an error or warning of Octave's"
            continue
        if kind not in ("assert", "test", "testif"):
            continue
        body = re.sub(r"^\s*<[^>]*>", "", body)
        lines = statements("assert " + body) if kind == "assert" else statements(body)
        prefix = list(common)
        for line in lines:
            m = re.match(r"assert\s*\((.*)\)\s*;?$", line, re.S)
            if not m:
                prefix.append(line)
                continue
            parts = split_arguments(m[1])
            call = call_of(parts[0]) if parts else None
            if not parts or any(re.match(r"(for|while|if|unwind|try|switch|do)\b", p) for p in prefix):
                yield line, "an assertion within control statements"
            elif not call:
                yield line, "an expression of operators, or a variable" if len(parts) > 1 else "an expression that must be true"
            elif call[0] not in MAPPED:
                yield line, f"function '{call[0]}'"
            elif len(parts) == 1:
                yield line, "\n".join(prefix), call, TRUTH, "0"
            elif parts[1].strip()[:1] in "\"'":
                yield line, "an expectation by condition"
            else:
                yield line, "\n".join(prefix), call, parts[1], parts[2] if len(parts) > 2 else "0"


# ---- the VRIR function of a call

def type_text(value):
    element = f"({CLASSES[value['class']]} :ctype {int('im' in value)})"
    if value["dims"] == [1, 1]:
        return element
    return f"(arraytype :layout colmajor :ndims {len(value['dims'])} {element})"


def program(name, args, wanted):
    types = [type_text(a) for a in args]
    result = type_text(wanted)
    names = " ".join(f"(name :id {k} {t})" for k, t in enumerate(types))
    out = len(types)
    return (f"(module :name octave :indexing 1\n (fns\n  (function :name f\n   (functype (intypes {' '.join(types)}) (outtypes {result}))\n"
            f"   (arglist {' '.join(f'(arg :id {k})' for k in range(out))})\n   (body\n    (assignstmt (lhs (name :id {out} {result}))\n"
            f"     (rhs (fncall :fnname {name} {result} (args {names}))))\n    (returnstmt (exprs (name :id {out} {result}))))\n"
            f"   (symtable {' '.join(f'(sym :id {k} :name x{k} {t})' for k, t in enumerate([*types, result]))}))))\n")


def as_array(value):
    special = {"nan": np.nan, "inf": np.inf, "-inf": -np.inf}
    dtype = CLASSES[value["class"]]
    wide = np.int64 if "int" in dtype else np.float64

    def part(name):
        return np.array([special.get(x, x) for x in value[name]], wide).reshape(value["dims"], order="F")
    if "im" in value:
        z = part("re").astype(np.complex128)
        z.imag = part("im")
        return z.astype(np.complex64 if dtype == "float32" else np.complex128)
    return part("re").astype(dtype)


def differs(wanted, tol, got):
    """None, or how a result differs from the expected value of Octave's assertion (a positive tolerance is absolute, a negative one relative)."""
    got = np.asarray(got)
    shape = got.shape if got.ndim > 1 else (1, 1) if got.ndim == 0 else (got.shape[0], 1)
    while len(shape) > 2 and shape[-1] == 1:
        shape = shape[:-1]
    want_class, got_class = wanted.dtype.name.replace("complex128", "float64").replace("complex64", "float32"), got.dtype.name
    got_class = got_class.replace("complex128", "float64").replace("complex64", "float32")
    if tuple(wanted.shape) != tuple(shape):
        return f"size {tuple(wanted.shape)} wanted, {tuple(shape)} found"
    if want_class != got_class:
        return f"class {PLAIN[want_class]} wanted, {PLAIN.get(got_class, got_class)} found"
    a, b = wanted.astype(np.complex128), got.reshape(wanted.shape, order="F").astype(np.complex128)
    rtol = RTOL.get(want_class, 0.0)
    with np.errstate(all="ignore"):
        bound = np.where(tol < 0, np.abs(tol) * np.abs(a), np.abs(tol)) + rtol * np.abs(a)

        def near(x, y):
            return (x == y) | (np.isnan(x) & np.isnan(y)) | (np.isfinite(x) & np.isfinite(y) & (np.abs(x - y) <= bound))
        good = near(a.real, b.real) & near(a.imag, b.imag) | (np.abs(a - b) <= bound) | (np.isnan(a) & np.isnan(b))
    if np.all(good):
        return None
    k = np.unravel_index(int(np.argmin(good)), good.shape)
    return f"{wanted[k]} wanted at {tuple(int(i) + 1 for i in k)}, {b[k] if np.iscomplexobj(got) else b[k].real} found"


# ---- cases: one per file

class Case:
    def __init__(self, path, root):
        self.path, self.name = path, str(path.relative_to(root))

    def run(self, record):
        found = list(assertions(self.path.read_text(errors="replace")))
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            values = self.evaluate(folder, found)
            for k, item in enumerate(found):
                record.begin(item[0][:160])
                if len(item) == 2:
                    record.end("refused", item[1])
                else:
                    self.one(record, folder, item, values.get(k))

    def evaluate(self, folder, found):
        mapped = [(k, i) for k, i in enumerate(found) if len(i) > 2]
        if not mapped:
            return {}
        (folder / "in").write_text("\x01".join("\x01".join((str(k), i[2][0], i[1], i[2][1], i[3], i[4])) for k, i in mapped) + "\x01")
        (folder / "driver.m").write_text(DRIVER)
        env = dict(os.environ, FOREIGN_IN=str(folder / "in"), FOREIGN_OUT=str(folder / "out"))
        subprocess.run(["octave-cli", "--no-history", "--no-init-file", "--quiet", str(folder / "driver.m")], env=env, capture_output=True,
                       stdin=subprocess.DEVNULL)
        values = {}
        for line in (folder / "out").read_text().splitlines() if (folder / "out").exists() else ():
            try:
                value = json.loads(line)
                values[value["id"]] = value
            except ValueError:
                pass
        return values

    def one(self, record, folder, item, value):
        _, _, (name, _), expected, _ = item
        if value is None or "failed" in value:
            record.end("not applicable", "Octave itself does not evaluate the parts alone, or not to that (shared variables, say)")
            return
        for v in [*value["args"], value["wanted"]]:
            if v["class"] not in CLASSES:
                record.end("refused", f"values of class {v['class']}")
                return
        if any(len(v["dims"]) > 16 or int(np.prod(v["dims"])) > 100000 for v in [*value["args"], value["wanted"]]):
            record.end("not applicable", "very large arrays")
            return
        (folder / "case.vrir").write_text(program(name, value["args"], value["wanted"]))
        (folder / "case.json").write_text(json.dumps({"function": "f", "cases": [{"args": value["args"], "results": [value["wanted"]]}]}))
        (folder / "r1.npy").unlink(missing_ok=True)
        record.phase("compiled")
        done = subprocess.run([_tool, "run", "--dialect", "mclab", "--fn", "f", "--case", f"{folder}/case.json#1", "--on", "interp,cpu", "--out",
                               f"{folder}/r%d.npy", str(folder / "case.vrir")], capture_output=True, text=True, errors="replace",
                              env=dict(os.environ, VR_CACHE_DIR=""))
        record.phase("plain")
        said = (done.stderr + done.stdout).strip()
        if done.returncode < 0 or "internal error" in said:
            record.end("crashed", f"{name}: status {done.returncode}: {said[-300:]}")
            return
        if not (folder / "r1.npy").exists():
            error = next((line for line in said.split("\n") if "error" in line), said[:200])
            if "differ" in said or "disagree" in said:
                record.end("wrong", f"interpreter and native code: {said[:300]}")
                return
            fault = re.search(r"error: (?:.*?)(SHAPE_MISMATCH|OUT_OF_BOUNDS|SIZE|TYPE|DIV_BY_ZERO|UNSUPPORTED|OUT_OF_MEMORY)?[: ](.*)$", error)
            text = re.sub(r"^.*?error: ", "", error)
            record.end("refused", f"{name}: {text}" if fault else error[:200], args=json.dumps(value)[:400])
            return
        wanted, got = as_array(value["wanted"]), np.load(folder / "r1.npy")
        tolerance = as_array(value["tol"]).ravel() if value["tol"]["class"] in CLASSES else np.zeros(1)
        tol = float(tolerance[0].real) if tolerance.size else 0.0
        if expected == TRUTH:
            found = None if got.size and np.all(got) else f"true wanted, {got.tolist()} found"
        else:
            found = differs(wanted, tol, got)
        if found and np.any(np.imag(wanted)) and not np.any(np.imag(got)) and not any("im" in a for a in value["args"]):
            record.end("refused", "a complex result of real arguments (the page of the library: NaN)")
        elif found:
            record.end("wrong", f"{name}: {found}", args=json.dumps(value)[:600])
        else:
            record.end("right")


def cases(at):
    """Files with tests below `at`, or of Octave's installation if `at` is empty."""
    if at is None:
        home = subprocess.run(["octave-cli", "--no-history", "--eval", "disp (OCTAVE_HOME); disp (version)"], capture_output=True, text=True)
        prefix, number = home.stdout.split("\n")[:2]
        at = pathlib.Path(prefix) / "share/octave" / number
    root = pathlib.Path(at)
    return [Case(p, root) for p in sorted(p for pattern in ("*.m", "*.tst", "*-tst") for p in root.rglob(pattern))
            if re.search(r"^%!(assert|test|testif)", p.read_text(errors="replace"), re.M)]
