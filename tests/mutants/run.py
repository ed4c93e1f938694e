#!/usr/bin/env python3
"""Plants the table's faults into a copy of the tree, and tells for each which test finds it.

  run.py check            every row of the table still has its line (a test of ./check)
  run.py plant [NAME ...] copy of the tree with all faults (or these, or those of these areas) in, behind one switch, built in
                          build/mutants/tree
  run.py reach            which tests come to which faults: each test once, no fault switched on
  run.py try [NAME ...]   each fault (of these names or areas) by itself: the tests that come to it until one fails
  run.py all              plant, reach and try

Options: --jobs N (processes at once), --go-on (where a run was cut off: no test and no fault twice), --again (those that were
not found), --budget SECONDS (of tests for a fault, 600), --longest SECONDS (a test that takes longer is left out),
--tests REGEX and --without REGEX (of tests' names), --targets "T ..." (build these alone, to try a part of the table),
--least PERCENT (95). What was seen is kept in build/mutants/tried.json; found.tsv is written when every fault was tried.
README.md beside this file says how the table is written.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys

import suite
import table

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
WORK = ROOT / "build" / "mutants"
TREE = WORK / "tree"
REACH = WORK / "reach.json"
TRIED = WORK / "tried.json"
FOUND = HERE / "found.tsv"


def plant(faults, targets):
    """Copies the tree's files, so that uncommitted changes are included; unchanged files keep their time stamps."""
    names = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, check=True, capture_output=True,
                           text=True).stdout.splitlines()
    files = {n: (ROOT / n).read_bytes() for n in names if (ROOT / n).is_file()}
    files["planted_fault.hpp"] = (HERE / "planted_fault.hpp").read_bytes()
    files["hosts/python/pyraptor/_planted_fault.py"] = table.PYTHON_SWITCH.encode()
    files.update(table.planted(files, faults))
    for path in TREE.rglob("*"):
        inside = path.relative_to(TREE)
        if path.is_file() and inside.parts[0] != "build" and str(inside) not in files:
            path.unlink()
    for name, content in files.items():
        path = TREE / name
        if path.is_file() and path.read_bytes() == content:
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        if name in names:
            path.chmod((ROOT / name).stat().st_mode)
    (TREE / "build").mkdir(exist_ok=True)
    if (ROOT / "build/venv").exists() and not (TREE / "build/venv").exists():
        (TREE / "build/venv").symlink_to((ROOT / "build/venv").resolve())
    subprocess.run(["sh", "scripts/build.sh", "--tests", *targets], cwd=TREE, check=True)


def store(path, value):
    """Writes the file completely or not at all, because a run may be ended at any time."""
    path.with_suffix(".new").write_text(json.dumps(value, indent=0))
    path.with_suffix(".new").replace(path)


def load(path):
    return json.loads(path.read_text()) if path.exists() else {}


def reach(faults, options):
    tests = suite.all_tests(TREE, options.tests, options.without)
    by_number = {f.number: f.name for f in faults}
    result = load(REACH)
    if options.go_on:
        tests = [t for t in tests if t.name not in result]

    def one(number, test):  # names of tests may be longer than file names may be
        log = WORK / "logs" / str(number)
        log.parent.mkdir(parents=True, exist_ok=True)
        log.unlink(missing_ok=True)
        passed, seconds = test.run(min(3 * test.limit, options.longest), PLANTED_FAULT_LOG=str(log))
        numbers = sorted({int(n) for n in log.read_text().split()}) if log.exists() else []
        return test.name, {"passed": passed, "seconds": round(seconds, 3), "faults": [by_number[n] for n in numbers if n in by_number]}

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for k, (name, entry) in enumerate(pool.map(one, range(len(tests)), tests), 1):
            result[name] = entry
            if not entry["passed"]:
                too_long = entry["seconds"] >= options.longest
                print(f"left out, {'takes too long' if too_long else 'fails without any fault'}: {name}", flush=True)
            if k % 50 == 0:
                store(REACH, result)
                print(f"{k} of {len(tests)} tests", flush=True)
    store(REACH, result)
    reached = {name for entry in result.values() if entry["passed"] for name in entry["faults"]}
    for f in faults:
        if f.name not in reached:
            print(f"no test comes to {f.name}: {f.described()}")


def read_found():
    rows = [line.split("\t") for line in FOUND.read_text().splitlines()[1:]] if FOUND.exists() else []
    return {row[0]: row[1] for row in rows}


class Order:
    """The order of tests: fast tests that reach few faults first, and those that have found many in the fault's file."""

    def __init__(self, reached, before):
        self.reached, self.before, self.wins = reached, before, collections.Counter()

    def candidates(self, fault, tests):
        # The test that found it the last time comes first.
        def cost(name):
            entry = self.reached[name]
            wins = self.wins[fault.file, name] + self.wins[fault.file, name.split("/")[0]]
            return name != self.before.get(fault.name), (entry["seconds"] + 0.05) * (20 + len(entry["faults"])) / (1 + wins)

        return sorted((n for n, e in self.reached.items() if e["passed"] and fault.name in e["faults"] and n in tests),
                      key=cost)

    def won(self, fault, name):
        for part in {name, name.split("/")[0]}:
            self.wins[fault.file, part] += 1


def try_all(faults, options):
    reached = load(REACH)
    tests = {t.name: t for t in suite.all_tests(TREE, options.tests, options.without)}
    before, rows = read_found(), {f.name: f.text for f in faults}
    # Results for rows that have not changed since.
    tried = {name: entry for name, entry in load(TRIED).items() if rows.get(name) == entry["row"]}
    before.update({name: entry["test"] for name, entry in tried.items() if entry["test"] != "-"})
    selected = faults
    if options.names:
        unknown = set(options.names) - set(rows) - {f.area for f in faults}
        if unknown:
            raise table.TableError(f"no fault and no area is called {', '.join(sorted(unknown))}")
        selected = [f for f in faults if f.name in options.names or f.area in options.names]
    if options.go_on:
        selected = [f for f in selected if f.name not in tried]
    if options.again:
        selected = [f for f in selected if tried.get(f.name, {}).get("test", "-") == "-"]
    order = Order(reached, before)

    def one(fault):
        candidates, spent = order.candidates(fault, tests), 0.0
        for k, name in enumerate(candidates):
            seconds = reached[name]["seconds"]
            if spent > 0 and spent + seconds > options.budget:
                continue
            passed, took = tests[name].run(max(30, 5 * seconds), PLANTED_FAULT=str(fault.number))
            spent += took
            if not passed:
                order.won(fault, name)
                return fault, name, f"{k + 1} of {len(candidates)}"
        return fault, "-", f"{len(candidates)}, {spent:.0f} s"

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for fault, name, count in pool.map(one, selected):
            tried[fault.name] = {"test": name, "row": fault.text}
            if name == "-":
                print(f"not found by ({count}) tests that come to it: {fault.name}: {fault.described()}", flush=True)
            if not options.tests:
                store(TRIED, tried)
    if not options.tests:  # a subset of the tests does not show what all of them find
        write_found(faults, tried)
    good = {f.name for f in faults if tried.get(f.name, {}).get("test", "-") != "-"}
    for area in sorted({f.area for f in faults}):
        own = [f.name for f in faults if f.area == area and f.name in tried]
        if own:
            print(f"{area}: {len(good.intersection(own))} of {len(own)}")
    print(f"{len(good)} found, {len(tried) - len(good)} not found of {len(tried)} planted faults tried, {len(faults)} in all: "
          f"{100 * len(good) / max(1, len(tried)):.1f} %")
    return 0 if 100 * len(good) >= options.least * len(tried) else 1


def write_found(faults, tried):
    left = [f.name for f in faults if f.name not in tried]
    if left:
        print(f"{len(left)} faults were not tried yet: {FOUND.name} stays as it is")
        return
    lines = ["fault\tfound by"] + [f"{name}\t{tried[name]['test']}" for name in sorted(tried)]
    FOUND.write_text("\n".join(lines) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["check", "plant", "reach", "try", "all"])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--targets", default="", help="build these alone (`unit_runtime vrir`), to try a part of the table")
    parser.add_argument("--tests", default="")
    parser.add_argument("--without", default=suite.WITHOUT)
    parser.add_argument("--longest", type=float, default=1000)
    parser.add_argument("--budget", type=float, default=600)
    parser.add_argument("--go-on", action="store_true")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--least", type=float, default=95)
    options = parser.parse_intermixed_args()
    faults = table.read_table()
    if options.what == "check":
        wrong = table.misplaced(ROOT, faults)
        for line in wrong:
            print(line)
        print(f"{len(faults)} planted faults, {len(wrong)} without their line")
        return 1 if wrong else 0
    WORK.mkdir(parents=True, exist_ok=True)
    if options.what in ("plant", "all"):
        chosen = [f for f in faults if f.name in options.names or f.area in options.names] if options.what == "plant" else []
        plant(chosen or faults, options.targets.split())
    if options.what in ("reach", "all"):
        reach(faults, options)
    return try_all(faults, options) if options.what in ("try", "all") else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except table.TableError as e:
        sys.exit(f"tests/mutants: {e}")
