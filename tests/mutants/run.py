#!/usr/bin/env python3
"""Plants the table's faults into a copy of the tree, and tells for each which test finds it.

  run.py check            every row of the table still has its line (a test of ./check)
  run.py plant            copy of the tree with all faults in, behind one switch, built in build/mutants/tree
  run.py reach            which tests come to which faults: each test once, no fault switched on
  run.py try [NAME ...]   each fault by itself: the tests that come to it until one fails; found.tsv says which
  run.py all              plant, reach and try

Options: --jobs N (processes at once), --tests REGEX and --without REGEX (of ctest names), --targets "T ..."
(build these alone, to try a part of the table), --least PERCENT (95).
README.md beside this file says how the table is written.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

import table

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
WORK = ROOT / "build" / "mutants"
TREE = WORK / "tree"
REACH = WORK / "reach.json"
FOUND = HERE / "found.tsv"
# What reads the sources or the build and not what the code does; fuzz.text compiles the parser for itself.
WITHOUT = r"^(rules|package|docs\.tables|mutants|fuzz\.text|debugger)"


def plant(faults, targets):
    """The tree's own files, so that uncommitted work is tried too; what has not changed keeps its time stamp."""
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


class Test:
    def __init__(self, entry):
        properties = {p["name"]: p["value"] for p in entry.get("properties", [])}
        self.name = entry["name"]
        self.command = entry.get("command")
        self.where = properties.get("WORKING_DIRECTORY", str(TREE))
        self.skip = properties.get("SKIP_RETURN_CODE")
        self.environment = dict(v.split("=", 1) for v in properties.get("ENVIRONMENT", []))
        self.limit = float(properties.get("TIMEOUT", 300))
        self.judged_by_text = "PASS_REGULAR_EXPRESSION" in properties or "WILL_FAIL" in properties

    def run(self, limit, **extra):
        """(passed or skipped, seconds). A test that takes longer than `limit` has failed."""
        environment = {**os.environ, "VR_CACHE_DIR": "", **self.environment, **extra}
        start = time.monotonic()
        process = subprocess.Popen(self.command, cwd=self.where, env=environment, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            status = process.wait(limit)
        except subprocess.TimeoutExpired:
            status = None
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()
        return status in (0, self.skip), time.monotonic() - start


def all_tests(options):
    # A test that is not built has no command.
    listed = subprocess.run(["ctest", "--test-dir", str(TREE / "build/release"), "--show-only=json-v1"], check=True,
                            capture_output=True, text=True).stdout
    tests = [Test(entry) for entry in json.loads(listed)["tests"]]
    return [t for t in tests if t.command and not t.judged_by_text and re.search(options.tests, t.name)
            and not re.search(options.without, t.name)]


def reach(faults, options):
    tests = all_tests(options)
    by_number = {f.number: f.name for f in faults}
    result = json.loads(REACH.read_text()) if REACH.exists() else {}

    def one(number, test):  # names of tests may be longer than those of files
        log = WORK / "logs" / str(number)
        log.parent.mkdir(parents=True, exist_ok=True)
        log.unlink(missing_ok=True)
        passed, seconds = test.run(3 * test.limit, PLANTED_FAULT_LOG=str(log))
        numbers = sorted({int(n) for n in log.read_text().split()}) if log.exists() else []
        return test.name, {"passed": passed, "seconds": round(seconds, 3), "faults": [by_number[n] for n in numbers]}

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for k, (name, entry) in enumerate(pool.map(one, range(len(tests)), tests), 1):
            result[name] = entry
            if not entry["passed"]:
                print(f"fails without any fault: {name}")
            if k % 50 == 0:
                print(f"{k} of {len(tests)} tests", flush=True)
    REACH.write_text(json.dumps(result, indent=0))
    reached = {name for entry in result.values() if entry["passed"] for name in entry["faults"]}
    for f in faults:
        if f.name not in reached:
            print(f"no test comes to {f.name}: {f.described()}")


def read_found():
    rows = [line.split("\t") for line in FOUND.read_text().splitlines()[1:]] if FOUND.exists() else []
    return {row[0]: row[1] for row in rows}


def try_all(faults, options):
    reached = json.loads(REACH.read_text())
    tests = {t.name: t for t in all_tests(options)}
    before, found = read_found(), {}
    if options.names:
        unknown = set(options.names) - {f.name for f in faults}
        if unknown:
            raise table.TableError(f"no fault is called {', '.join(sorted(unknown))}")
        found, faults = dict(before), [f for f in faults if f.name in options.names]

    def one(fault):
        candidates = [(e["seconds"], n) for n, e in reached.items()
                      if e["passed"] and fault.name in e["faults"] and n in tests]
        # The one that found it the last time first.
        for seconds, name in sorted(candidates, key=lambda c: (c[1] != before.get(fault.name), c)):
            passed, _ = tests[name].run(max(30, 5 * seconds), PLANTED_FAULT=str(fault.number))
            if not passed:
                return fault, name, len(candidates)
        return fault, "-", len(candidates)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for fault, name, count in pool.map(one, faults):
            found[fault.name] = name
            if name == "-":
                print(f"not found by {count} tests that come to it: {fault.name}: {fault.described()}", flush=True)
    if not options.tests:  # a part of the tests says nothing of what all of them find
        lines = ["fault\tfound by"] + [f"{name}\t{found[name]}" for name in sorted(found)]
        FOUND.write_text("\n".join(lines) + "\n")
    good = sum(name != "-" for name in found.values())
    print(f"{good} found, {len(found) - good} not found of {len(found)} planted faults: {100 * good / len(found):.1f} %")
    return 0 if 100 * good >= options.least * len(found) else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["check", "plant", "reach", "try", "all"])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--targets", default="", help="build these alone (`unit_runtime vrir`), to try a part of the table")
    parser.add_argument("--tests", default="")
    parser.add_argument("--without", default=WITHOUT)
    parser.add_argument("--least", type=float, default=95)
    options = parser.parse_args()
    faults = table.read_table()
    if options.what == "check":
        wrong = table.misplaced(ROOT, faults)
        for line in wrong:
            print(line)
        print(f"{len(faults)} planted faults, {len(wrong)} without their line")
        return 1 if wrong else 0
    WORK.mkdir(parents=True, exist_ok=True)
    if options.what in ("plant", "all"):
        plant(faults, options.targets.split())
    if options.what in ("reach", "all"):
        reach(faults, options)
    return try_all(faults, options) if options.what in ("try", "all") else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except table.TableError as e:
        sys.exit(f"tests/mutants: {e}")
