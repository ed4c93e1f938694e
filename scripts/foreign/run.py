#!/usr/bin/env python3
"""Runs the tests of another project against compiled code and counts the calls that are right, refused, wrong, crashed or hung.

    PYTHONPATH=build/release/python python scripts/foreign/run.py SUITE [--at DIR] [--json FILE] [--only TEXT] ...

SUITE is one of: pythran numba npbench octave array-api pyccel features programs. Nothing is downloaded: the suite is an installed package, or is in DIR.
docs/foreign-suites.md lists what each suite needs, and the counts. The exit status is 1 when a call is wrong, crashes or hangs.
"""
import argparse
import gc
import importlib
import json
import os
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
os.environ.setdefault("VR_CACHE_DIR", "")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import pool
import reasons

SUITES = {"pythran": "suite_pythran", "numba": "suite_numba", "npbench": "suite_npbench", "octave": "suite_octave", "pyccel": "suite_pyccel",
          "array-api": "suite_array_api", "features": "suite_features", "programs": "suite_programs"}


def summary(records, limit=30):
    counts = reasons.counts(records)
    lines = [", ".join(f"{counts.get(o, 0)} {o}" for o in reasons.ORDER)]
    bad = [r for r in records if r["outcome"] in reasons.FAULTS]
    for r in bad[:limit]:
        lines.append(f"{r['outcome']}: {r['case']}: {r['call']}: {r['detail'][:300]}")
    if len(bad) > limit:
        lines.append(f"... and {len(bad) - limit} more")
    return "\n".join(lines), bad


def main(argv=None):
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("suite", choices=SUITES)
    p.add_argument("--at", type=pathlib.Path, help="where the suite lies; without it an installed package is used")
    p.add_argument("--json", type=pathlib.Path, help="writes every call's outcome to this file")
    p.add_argument("--only", action="append", help="cases whose name contains this text")
    p.add_argument("--again", action="store_true", help="only the cases with faults in the file of --json, whose outcomes are replaced")
    p.add_argument("--sample", type=int, default=1, metavar="N", help="every Nth case only")
    p.add_argument("--offset", type=int, default=0, metavar="K", help="of a sample: the cases K, K + N, ... (from 0)")
    p.add_argument("--seed", type=int, default=1, help="of the suites that make their arguments up (array-api)")
    p.add_argument("--jobs", type=int, default=os.cpu_count())
    p.add_argument("--limit", type=float, help="seconds of processor time that a call may take (60, of Octave's files 1200)")
    p.add_argument("--opt", type=int, default=2, help="optimisation level of compiled code")
    p.add_argument("--gpu", action="store_true", help="every function is an accelerated section (not octave and programs)")
    p.add_argument("--quiet", action="store_true", help="no progress")
    a = p.parse_args(argv)
    a.json = a.json and a.json.resolve()

    suite = importlib.import_module(SUITES[a.suite])
    suite.SEED = a.seed
    if a.suite not in ("octave", "programs"):
        import target
        target.configure(a.opt, gpu=a.gpu)
    cases = suite.cases(a.at.resolve() if a.at else None)
    if a.only:
        cases = [c for c in cases if any(t in c.name for t in a.only)]
    whole, count, before = len(cases), len(cases[a.offset::a.sample]), []
    if a.again:
        old = json.loads(a.json.read_text())
        faulty = {r["case"] for r in old["records"] if r["outcome"] in reasons.FAULTS}
        count, before = old["cases"], [r for r in old["records"] if r["case"] not in faulty]
        cases = [c for c in cases if c.name in faulty]
    else:
        cases = cases[a.offset::a.sample]
    if not cases:
        print("no cases found", file=sys.stderr)
        return 2
    gc.freeze()  # keeps garbage collections of tests from visiting all objects that the suites have loaded
    start, last = time.monotonic(), [0.0]

    def told(done, total, counts):
        now = time.monotonic()
        if not a.quiet and (now - last[0] > 5 or done == total):
            last[0] = now
            print(f"{done}/{total} cases, {now - start:.0f} s: {counts}", file=sys.stderr, flush=True)

    records = before
    for r in pool.run(cases, a.jobs, a.limit or getattr(suite, "LIMIT", 60), told):
        records.append(r)
        if r["outcome"] in reasons.FAULTS and not a.quiet:
            print(f"{r['outcome']}: {r['case']}: {r['call']}: {r['detail'][:300]}", file=sys.stderr, flush=True)
    if a.json:
        a.json.parent.mkdir(parents=True, exist_ok=True)
        a.json.write_text(json.dumps({"suite": a.suite, "title": suite.TITLE, "version": suite.version(), "cases": count,
                                      "of": whole, "records": records}, indent=0))
    text, bad = summary(records)
    print(f"{suite.TITLE} {suite.version()}: {text}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
