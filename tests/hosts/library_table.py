#!/usr/bin/env python3
"""Compares the table of library functions (src/ir/library.def) with the hosts. library_table.txt has a row for each function: an expression of each
host that calls it, or why there is none.

    library_table.py matlab ROOT VRMAT   the MATLAB front end: each expression compiles to a call of the function; builtins that
                                         docs/matlab.md lists exist, and those of the tables of the front end are listed
    library_table.py --self-test         plants differences, each of which must be found

tests/hosts/python/test_library_table.py does the same for PyRaptor.
"""
import concurrent.futures
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import library_names

MATLAB_TYPES = {"x": "double:1x?", "y": "double:1x?", "m": "double:?x3", "k": "int32:1x?", "z": "complex-double:1x?", "s": "double:1x1"}
UNKNOWN = "is no variable, and no function that is compiled"


def read(text):
    """{function: (Python, MATLAB)}"""
    rows = {}
    for line in text.splitlines():
        if line and not line.startswith("#"):
            name, rest = line.split(" | ", 1)
            python, matlab = rest.rsplit(" | ", 1)
            assert name not in rows, f"two rows for {name}"
            rows[name] = (python, matlab)
    return rows


def faults_of_rows(rows, definitions):
    functions = {name for name, _ in library_names.functions(definitions)}
    return [f"library_table.txt: no row for {f}" for f in sorted(functions - set(rows))] + \
           [f"library_table.txt: {f} is no library function" for f in sorted(set(rows) - functions)]


def reason(cell):
    """Why no expression calls the function, or None."""
    return cell[2:] if cell.startswith("- ") else None


def matlab_program(expression):
    statement = expression if expression.startswith("[r,") else f"r = {expression}"
    used = [v for v in MATLAB_TYPES if re.search(rf"\b{v}\b", statement.split("=", 1)[1])]
    return f"function r = f({', '.join(used)})\n  {statement};\nend\n", [MATLAB_TYPES[v] for v in used]


def emitted(vrmat, text, types):
    with tempfile.NamedTemporaryFile("w", suffix=".m") as file:
        file.write(text)
        file.flush()
        done = subprocess.run([vrmat, "emit", file.name, *(["--args", *types] if types else [])], capture_output=True, text=True, timeout=60)
    return done.stdout + done.stderr


def matlab_row(vrmat, name, cell):
    text = emitted(vrmat, *matlab_program(cell))
    return [] if f":libfunc {name} " in text else [f"library_table.txt: '{cell}' does not call {name}: {text.strip().splitlines()[-1]}"]


def listed_builtins(page):
    """The names in docs/matlab.md between "Builtins" and the next item; those of the prelude among them."""
    text = page[page.index("- **Builtins:**"):page.index("- **Parts:**")].split("On constant text")[0]
    names = set()
    for block in re.findall(r"`([^`]*)`", text):
        if not block.startswith("hosts/"):
            names |= set(re.findall(r"[A-Za-z]\w*", block))
    return names


def defined_builtins(root):
    """Names in the front end's tables and in its prelude."""
    names = set(re.findall(r'^VR_MATLAB\("(\w+)"', (root / "include/velociraptor/ir/matlab.def").read_text(), re.M))
    for file in ("emit_builtin_called.cpp", "emit_builtin_matrices.cpp"):
        names |= set(re.findall(r'\{"(\w+)", \d', (root / "hosts/matlab" / file).read_text()))
    for file in (root / "hosts/matlab").glob("prelude_*.cpp"):
        names |= set(re.findall(r"^function (?:\S+|\[.*?\]) = (?!vr__)(\w+)\(", file.read_text(), re.M))
    return names


def is_builtin(vrmat, name):
    """Whether some call of it is compiled, or refused for another reason than its name."""
    return any(f"'{name}' {UNKNOWN}" not in emitted(vrmat, f"function r = f()\n  r = {name}{arguments};\nend\n", [])
               for arguments in ("(1, 2)", "(1)", "", "(1, 'double')"))


def faults_of_page(vrmat, listed, defined, pool):
    faults = [f"docs/matlab.md: the builtin {n} is not listed" for n in sorted(defined - listed)]
    known = pool.map(lambda n: is_builtin(vrmat, n), sorted(listed))
    return faults + [f"docs/matlab.md: {n} is no builtin" for n, yes in zip(sorted(listed), known) if not yes]


def matlab(root, vrmat):
    rows = read((root / "tests/hosts/library_table.txt").read_text())
    faults = faults_of_rows(rows, (root / "src/ir/library.def").read_text())
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        reached = [(n, cell) for n, (_, cell) in rows.items() if not reason(cell)]
        for found in pool.map(lambda r: matlab_row(vrmat, *r), reached):
            faults += found
        faults += faults_of_page(vrmat, listed_builtins((root / "docs/matlab.md").read_text()), defined_builtins(root), pool)
    print("\n".join(faults) or f"{len(rows)} functions, {len(reached)} of them reached from MATLAB")
    return 1 if faults else 0


def self_test():
    rows, definitions = read("# a comment\nsum | np.sum(x) | sum(x)\n"), 'VR_LIB(Sum, "sum", Reduce, 1)\nVR_LIB(Max, "max", Reduce, 1)\n'
    assert faults_of_rows(rows, definitions) == ["library_table.txt: no row for max"]
    assert faults_of_rows({**rows, "max": ("", ""), "most": ("", "")}, definitions) == ["library_table.txt: most is no library function"]
    assert read("bitor | k | l | bitor(k, k)") == {"bitor": ("k | l", "bitor(k, k)")}
    assert listed_builtins("- **Builtins:** by name; `a b` in `hosts/x`: `c`. On constant text: `d`.\n- **Parts:**") == {"a", "b", "c"}
    assert reason("- loops") == "loops" and reason("-x") is None
    assert matlab_program("[r, i] = min(x)") == ("function r = f(x)\n  [r, i] = min(x);\nend\n", ["double:1x?"])
    return 0


if __name__ == "__main__":
    sys.exit(self_test() if sys.argv[1] == "--self-test" else matlab(pathlib.Path(sys.argv[2]), sys.argv[3]))
