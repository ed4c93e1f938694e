#!/usr/bin/env python3
"""Writes the counts of runs (the files of run.py --json) into docs/foreign-suites.md, between its two markers.

    scripts/foreign/page.py build/foreign/*.json     # several samples of a suite (run.py --offset) count together
"""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import reasons

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/foreign-suites.md"
BEGIN, END = "<!-- counts: scripts/foreign/page.py -->", "<!-- end of counts -->"
MOST = 25  #: reasons a suite


def table(runs):
    lines = ["| suite | version | cases | calls | " + " | ".join(reasons.ORDER) + " |", "|---|---|" + "--:|" * (2 + len(reasons.ORDER))]
    for run in runs:
        counts = reasons.counts(run["records"])
        numbers = [len(run["records"]), *[counts.get(o, 0) for o in reasons.ORDER]]
        lines.append(f"| {run['title']} | {run['version']} | {run['cases']:,}"
                     + (f" of {run['of']:,}" if run.get("of", run["cases"]) != run["cases"] else "") + " | "
                     + " | ".join(f"{n:,}" for n in numbers) + " |")
    return lines


def refused(run):
    found = reasons.by_reason(run["records"])
    if not found:
        return []
    cell = lambda text: text.replace("|", "\\|").replace("<", "&lt;")  # noqa: E731
    listed = " · ".join(f"{cell(name)} {n:,}" for name, n in found[:MOST])
    rest = sum(n for _, n in found[MOST:])
    return ["", f"**{run['title']}.** {listed}" + (f" · {len(found) - MOST} other reasons {rest:,}" if rest else "")]


def faults(run):
    bad = [r for r in run["records"] if r["outcome"] in reasons.FAULTS]
    return [f"- {run['title']}, {r['outcome']}: `{r['case']}`: {r['detail'][:160]}" for r in bad[:40]]


def text(runs):
    lines = [BEGIN, "", *table(runs), "", "### Refused, by reason"]
    for run in runs:
        lines += refused(run)
    bad = [line for run in runs for line in faults(run)]
    if bad:
        lines += ["", "### Faults that are open", "", *bad]
    return "\n".join([*lines, "", END])


def joined(runs):
    """One run of each suite, of all its samples; of a case that ran twice the later outcomes."""
    suites = {}
    for run in runs:
        whole = suites.setdefault(run["suite"], {**run, "records": [], "cases": 0})
        again = {r["case"] for r in run["records"]}
        old = {r["case"] for r in whole["records"]}
        whole["cases"] += run["cases"] - len(again & old)
        whole["records"] = [r for r in whole["records"] if r["case"] not in again] + run["records"]
    return list(suites.values())


def main(paths):
    runs = joined([json.loads(pathlib.Path(p).read_text()) for p in paths])
    page = PAGE.read_text()
    before, rest = page.split(BEGIN)
    PAGE.write_text(before + text(runs) + rest.split(END)[1])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
