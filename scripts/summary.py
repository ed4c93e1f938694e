#!/usr/bin/env python3
"""Counts the test cases of a CTest JUnit report. Prints the names of failed and skipped tests, with the last lines that a failed test printed, and
ends with `N passed, N failed`.

The exit status is 0 only when at least one passed and none failed. A test that CTest could not start counts as failed.
"""
import sys
import xml.etree.ElementTree as xml


def outcome(case):
    status = case.get("status")
    if status == "run":
        return "passed"
    if status == "fail":
        return "failed"
    skipped = case.find("skipped")
    # CTest's message says whether a test skipped itself (SKIP_RETURN_CODE, SKIP_REGULAR_EXPRESSION_MATCHED). Any other test that did not run was not
    # found.
    asked = skipped is not None and "SKIP" in skipped.get("message", "")
    return "skipped" if asked or status == "disabled" else "failed"


LINES = 40  # the number of lines shown of a failed test's output


def ending(case):
    lines = (case.findtext("system-out") or "").rstrip().splitlines()
    left = [f"({len(lines) - LINES} lines before)"] if len(lines) > LINES else []
    return "\n".join("    " + line for line in left + lines[-LINES:])


def main(path):
    try:
        cases = [(outcome(c), c) for c in xml.parse(path).getroot().iter("testcase")]
    except (OSError, xml.ParseError) as e:
        cases = []
        print(f"no test report: {e}")
    for what, case in cases:
        if what != "passed":
            print(f"{what}: {case.get('name')}")
    for what, case in cases:
        if what == "failed" and (text := ending(case)):
            print(f"--- {case.get('name')} printed:\n{text}")
    count = {what: sum(o == what for o, _ in cases) for what in ("passed", "failed")}
    if not cases:
        count["failed"] = 1
    print(f"{count['passed']} passed, {count['failed']} failed")
    return 0 if count["passed"] and not count["failed"] else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
