#!/usr/bin/env python3
"""Writes the outcome counts of runs (the files of run.py --json) into docs/foreign-suites.md, between its two markers.

    scripts/foreign/page.py build/foreign/*.json     # several samples of a suite (run.py --offset) are added up

The counts of suites without a file are left as they are.
"""
import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import reasons

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/foreign-suites.md"
BEGIN, END = "<!-- counts: scripts/foreign/page.py -->", "<!-- end of counts -->"
MOST = 25  # the largest number of reasons listed for a suite


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


def text(runs, before=""):
    """The counts as Markdown: of these runs, and of the suites that only the old section `before` has."""
    ours = {run["title"] for run in runs}
    rows = [line for line in before.split("\n") if line.startswith("| ") and not line.startswith("| suite ") and title_of(line, "| ", " |") not in ours]
    paragraphs = [line for line in before.split("\n") if line.startswith("**") and title_of(line, "**", ".**") not in ours]
    kept = [line for line in before.split("\n") if re.match(r"- .*, (wrong|crashed|hung): ", line) and title_of(line, "- ", ", ") not in ours]
    lines = [BEGIN, "", *table(runs), *rows, "", "### Refused, by reason"]
    for run in runs:
        lines += refused(run)
    for p in paragraphs:
        lines += ["", p]
    bad = [line for run in runs for line in faults(run)] + kept
    if bad:
        lines += ["", "### Faults that are open", "", *bad]
    return "\n".join([*lines, "", END])


def title_of(line, begin, end):
    return line[len(begin):].split(end)[0]


def joined(runs):
    """Merges the samples of each suite into one run. For a case that ran twice the later outcome counts."""
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
    old, behind = rest.split(END)
    PAGE.write_text(before + text(runs, old) + behind)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
