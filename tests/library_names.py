#!/usr/bin/env python3
"""No source distinguishes functions of the standard library by their names: src/ir/library.def has a record for each, and code uses the record, or
switches over its properties. Exceptions for other languages: MATLAB's names (src/ir/mclab*), the text of the lowered form
(src/loop/text/parse_exprs.cpp).

  library_names.py ROOT         checks the repository; a line FILE:LINE: per comparison, exit 1 when there is any
  library_names.py --self-test  plants comparisons in a temporary tree and expects each to be found
"""
import pathlib
import re
import sys

import planted

TABLE = "src/ir/library.def"
ROW = re.compile(r'^VR_LIB(_FLOAT)?(?:_MAP)?\((\w+), "(\w+)", (\w+)', re.M)
CALLED = re.compile(r'^VR_LIB_CALLED\(\w+, "(\w+)", "([^"]*)", "([^"]*)"\)', re.M)
FOLDERS = ("src", "runtime", "include")
OTHER_LANGUAGE = re.compile(r"^src/ir/mclab|^src/loop/text/parse_exprs\.cpp$")
# Here a list of words may belong to the text format (:assign copy, atomic min) or to the tool's arguments (zeros:f64:5).
WORDS = re.compile(r"^src/(text|tool)/|^runtime/gpu/")
ASKS = re.compile(r"\b(is|is_one_of|count|contains|find|compare|starts_with|find_library|library_type)\s*\($")
TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)


def functions(table):
    """(name, sort) of every function; of a computed one the sort is (parameters, words of results)."""
    named = [(name, "FloatMap" if real else sort) for real, _, name, sort in ROW.findall(table)]
    return named + [(name, (params, results.split())) for name, params, results in CALLED.findall(table)]


def comparisons(text, names, words):
    """(offset, name) of each string literal with which a name is compared."""
    plain = list(text)  # without comments and literals, so that brackets can be counted
    literals = []
    for m in TOKEN.finditer(text):
        if m[0].startswith('"') and m[0][1:-1] in names:
            literals.append(m)
        for k in range(m.start(), m.end()):
            plain[k] = "\n" if text[k] == "\n" else " "
    for m in literals:
        plain[m.start()] = '"'
    plain = "".join(plain)
    open_ = []  # the open brackets at each offset
    around = {}
    starts = {m.start() for m in literals}
    for k, c in enumerate(plain):
        if k in starts:
            around[k] = open_[-1] if open_ else ""
        elif c in "({[":
            open_.append(c)
        elif c in ")}]" and open_:
            open_.pop()
    for m in literals:
        before, behind = plain[: m.start()].rstrip(), plain[m.end():].lstrip()
        listed = around[m.start()] == "{" and before[-1:] in "{," and behind[:1] in ",}"
        if before.endswith(("==", "!=")) or behind.startswith(("==", "!=")) or ASKS.search(before) or (listed and not words):
            yield m.start(), m[0][1:-1]


def check(root):
    names = {name for name, _ in functions((root / TABLE).read_text())}
    findings = [] if names else [f"{TABLE}: no function found"]
    for folder in FOLDERS:
        for file in sorted((root / folder).rglob("*")):
            path = file.relative_to(root).as_posix()
            if file.suffix not in (".cpp", ".hpp", ".h", ".c") or OTHER_LANGUAGE.match(path):
                continue
            text = file.read_text(errors="replace")
            for at, name in comparisons(text, names, bool(WORDS.match(path))):
                findings.append(f"{path}:{text.count(chr(10), 0, at) + 1}: '{name}' is told apart by its name; "
                                f"ask the record ({TABLE})")
    return findings


PLANTED = {  # file: (line, whether it must be refused)
    "src/lower/a.cpp": ('if (name == "sum") return;', True),
    "src/lower/b.cpp": ('if ("sum" != name) return;', True),
    "src/interp/c.cpp": ('if (c.is("sqrt")) return;', True),
    "src/analysis/d.cpp": ('static const std::set<std::string> exact = {"min2",\n  "other"};', True),
    "src/lower/e.cpp": ('MapFn table[] = {{"sqrt", MathFn::Sqrt}};', True),
    "src/transform/f.cpp": ('return exact.count("min2");', True),
    "src/text/g.cpp": ('if (call.func == "sum") return;', True),
    "src/text/h.cpp": ('words = {{"min2", Word::Min}};', False),
    "src/lower/i.cpp": ('f.out.keep(x, "sum"); new_slot(f.out, "sum", t);  // name == "sum"', False),
    "src/lower/j.cpp": ('if (name == "total") return "sum";', False),
    "src/ir/mclab_k.cpp": ('if (name == "sum") return;', False),
}


if __name__ == "__main__":
    sys.exit(planted.main(__doc__, check, PLANTED, "no function of the library is told apart by its name", {
        TABLE: 'VR_LIB(Sum, "sum", Reduce, 1)\nVR_LIB_FLOAT(Sqrt, "sqrt", Kept)\nVR_LIB_MAP(Min2, "min2", Arith)\n'}))
