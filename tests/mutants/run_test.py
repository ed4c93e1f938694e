#!/usr/bin/env python3
"""Tests run.py with artificial tests that do or do not detect faults: which are tried, what is stored, and what is written."""
import contextlib
import io
import pathlib
import tempfile
import unittest
import zlib
from types import SimpleNamespace

import run
import suite
import table

ROWS = "src/a.cpp\n  one: x({{1 => 2}});\n  two: y({{1 => 2}});\n  three: z({{1 => 2}});\n"


def test(name, reaches, notices):
    """A test that reaches these faults and fails for those that it `notices`."""
    numbers = {row.split(":")[0].strip(): zlib.crc32(row.split(":")[0].strip().encode()) % (1 << 24) + 1 for row in ROWS.splitlines()[1:]}
    reaches, notices = ([numbers[n] for n in names] for names in (reaches, notices))
    script = "".join(f'[ -z "$PLANTED_FAULT_LOG" ] || echo {n} >> "$PLANTED_FAULT_LOG"; ' for n in reaches)
    script += "".join(f'[ "$PLANTED_FAULT" != {n} ] || exit 1; ' for n in notices)
    return suite.Test(name, ["sh", "-c", script], {})


class Run(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        root = pathlib.Path(folder.name)
        (root / "faults").mkdir()
        (root / "faults/area.txt").write_text(ROWS)
        self.faults = table.read_table(root / "faults")
        for name, value in {"WORK": root, "REACH": root / "reach.json", "TRIED": root / "tried.json", "FOUND": root / "found.tsv"}.items():
            self.addCleanup(setattr, run, name, getattr(run, name))
            setattr(run, name, value)
        self.addCleanup(setattr, suite, "all_tests", suite.all_tests)
        self.started = []
        self.tests = [test("a", ["one", "two"], ["two"]), test("b", ["one"], ["one"]), test("c", ["two", "three"], [])]
        suite.all_tests = lambda *_: self.tests
        for t in self.tests:
            whole = t.run
            t.run = lambda limit, t=t, whole=whole, **extra: (self.started.append(t.name), whole(limit, **extra))[1]

    def go(self, what, **more):
        options = {"jobs": 1, "tests": "", "without": "^$", "go_on": False, "again": False, "budget": 100, "longest": 100,
                   "least": 60, "names": []}
        out = io.StringIO()
        self.started.clear()
        with contextlib.redirect_stdout(out):
            status = what(self.faults, SimpleNamespace(**{**options, **more}))
        return status, out.getvalue()

    def test_the_tests_that_find_each_fault(self):
        self.go(run.reach)
        status, out = self.go(run.try_all)
        self.assertEqual(run.FOUND.read_text(), "fault\tfound by\none\tb\nthree\t-\ntwo\ta\n")
        self.assertIn("not found by (1, 0 s) tests that come to it: three", out)
        self.assertIn("2 found, 1 not found of 3", out)
        self.assertEqual(status, 0)
        self.assertEqual(self.go(run.try_all, least=95)[0], 1)

    def test_the_program_continues(self):
        self.go(run.reach)
        self.go(run.reach, go_on=True)
        self.assertEqual(self.started, [])
        self.go(run.try_all, names=["one"])
        self.assertFalse(run.FOUND.exists(), "two faults are left")
        self.go(run.try_all, go_on=True)
        self.assertNotIn("b", self.started)
        self.assertTrue(run.FOUND.exists())
        self.go(run.try_all, again=True)
        self.assertEqual(self.started, ["c"], "the one that was not found")

    def test_a_changed_row_is_tried_again(self):
        self.go(run.reach)
        self.go(run.try_all)
        self.faults[0].text = "x({{1 => 3}});"
        self.go(run.try_all, go_on=True)
        self.assertEqual(self.started, ["b"], "the test that found it, and nothing else")

    def test_a_baseline_failure_does_not_count_as_found(self):
        self.tests.append(suite.Test("d", ["false"], {}))
        self.go(run.reach)
        self.go(run.try_all)
        self.assertNotIn("\td\n", run.FOUND.read_text())

    def test_a_subset_of_the_tests_does_not_count_as_all(self):
        self.go(run.reach)
        self.go(run.try_all, tests="a")
        self.assertFalse(run.FOUND.exists() or run.TRIED.exists())

    def test_a_test_that_does_not_end_has_failed(self):
        for properties in ({}, {"SKIP_RETURN_CODE": 4}):
            self.assertFalse(suite.Test("d", ["sleep", "100"], properties).run(0.1)[0])
        self.assertTrue(suite.Test("d", ["sh", "-c", "exit 4"], {"SKIP_RETURN_CODE": 4}).run(30)[0], "skipped")

    def test_the_budget_ends_a_search(self):
        self.go(run.reach)
        times = run.load(run.REACH)
        times["b"]["seconds"] = times["a"]["seconds"] = 70
        run.store(run.REACH, times)
        # The first test may take any time: then there is no room for another one of that length.
        self.tests[0].run = lambda *_, **__: (True, 70)
        self.tests[1].run = lambda *_, **__: (True, 70)
        _, out = self.go(run.try_all, names=["one"])
        self.assertIn("not found by (2, 70 s)", out)

    def test_file_tests_go_file_by_file(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("b.vrir", "a.loops", "README.md"):
                (pathlib.Path(folder) / name).touch()
            parts = suite.Test("filetests.x", ["vrir", "test", folder], {}).parts()
        self.assertEqual([p.name for p in parts], ["filetests.x/a.loops", "filetests.x/b.vrir"])


if __name__ == "__main__":
    unittest.main()
