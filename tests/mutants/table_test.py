#!/usr/bin/env python3
"""Tests table.py on artificial tables and sources: what is written into the tree, and what is refused."""
import pathlib
import tempfile
import unittest

import table


def read(text):
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "area.txt").write_text(text)
        return table.read_table(folder)


def planted(text, source, name="src/a.cpp"):
    files = {name: source.encode()}
    faults = read(text)
    made = table.planted(files, faults)[name].decode()
    for k, fault in enumerate(faults, 1):  # numbers are computed from names
        made = made.replace(f"fault<{fault.number}>()", f"fault({k})").replace(f"fault({fault.number})", f"fault({k})")
    return made


class Table(unittest.TestCase):
    def test_expression(self):
        self.assertEqual(planted("src/a.cpp\n  f: return {{a < b => a <= b}};\n", "  return a < b;\n"),
                         '#include "../planted_fault.hpp"\n  return (::planted::fault(1) ? (a <= b) : (a < b));\n')

    def test_piece_is_widened_to_its_expression(self):
        for row, line in {
            "f: int x = {{a || => }} b;": "int x = (::planted::fault(1) ? (b) : (a || b));",
            "f: g(1, n{{ => - 1}});": "g(1, (::planted::fault(1) ? (n - 1) : (n)));",
            "f: if (a == 1 {{|| b => }}) c();": "if ((::planted::fault(1) ? (a == 1) : (a == 1 || b))) c();",
            "f: g(a {{< => >}} b);": "g((::planted::fault(1) ? (a > b) : (a < b)));",
            "f: s {{|= t => |= 0}};": "if (::planted::fault(1)) { s |= 0; } else { s |= t; }",
        }.items():
            source = table.CHANGE.sub(lambda m: m.group(1), row[3:])
            made = planted(f"src/a.cpp\n  {row}\n", source + "\n").splitlines()[1]
            self.assertEqual("".join(made.split()), "".join(line.split()))

    def test_change_within_a_string(self):
        source = 'const char* a = R"(\n  x = 0;  // it\'s\n)";\nint n = 1\'000; auto b = "y = 0;" + c;\n'
        for row in ('f: x = {{0 => 1}};  // it\'s', 'f: int n = 1\'000; auto b = "y = {{0 => 1}};" + c;'):
            with self.assertRaisesRegex(table.TableError, "within a string"):
                planted(f"src/a.cpp\n  {row}\n", source)
        for row in ('{{"y = 0;" => "y = 1;"}} + c;', '"y = 0;" + {{c => d}};'):
            self.assertIn("fault(1)", planted(f"src/a.cpp\n  f: int n = 1'000; auto b = {row}\n", source))

    def test_statements(self):
        self.assertIn("if (::planted::fault(1)) {  } else { free(p); }", planted("src/a.cpp\n  f: {{free(p); => }}\n", "free(p);\n"))

    def test_python(self):
        made = planted("a.py\n  f: if {{x > 0 => x >= 0}}:\n  g: {{y() => }}\n", "import os\nif x > 0:\n    y()\n", "a.py")
        self.assertIn("if ((x >= 0) if planted_fault(1) else (x > 0)):", made)
        self.assertIn("    if planted_fault(2): pass\n    else: y()", made)
        compile(made, "a.py", "exec")

    def test_second_of_equal_lines(self):
        made = planted("src/a.cpp\n  f #2: {{x(); => }}\n", "x();\nx();\n").splitlines()
        self.assertEqual(made[1], "x();")
        self.assertNotEqual(made[2], "x();")

    def test_refused(self):
        for rows, why in {"src/a.cpp\n  f: y({{1 => 2}});\n": "no line",
                          "src/a.cpp\n  f: x({{1 => 2}});\n": "say which",
                          "src/a.cpp\n  f #1: x({{1 => 2}});\n  f #2: x({{1 => 2}});\n": "second fault",
                          "src/a.cpp\n  f #1: x({{1 => 2}});\n  g #1: {{x(1); => }}\n": "two faults",
                          "src/a.cpp\n  f: x(1);\n": "needed",
                          "  f: x({{1 => 2}});\n": "below a file",
                          "src/b.cpp\n  f: x({{1 => 2}});\n": "no file"}.items():
            with self.assertRaisesRegex(table.TableError, why):
                planted(rows, "x(1);\nx(1);\n")

    def test_misplaced_rows_are_named(self):
        with tempfile.TemporaryDirectory() as root:
            (pathlib.Path(root) / "a.cpp").write_text("x(1);\n")
            wrong = table.misplaced(root, read("a.cpp\n  f: x({{1 => 2}});\n  g: y({{1 => 2}});\n"))
        self.assertEqual(len(wrong), 1)
        self.assertIn("g: no line of a.cpp", wrong[0])


if __name__ == "__main__":
    unittest.main()
