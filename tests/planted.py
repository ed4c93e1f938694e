"""Common parts of the rules of this folder (`*_rules.py`, `library_names.py`, `element_types.py`): their command line, and a self-test that plants
files which each rule must report or must accept.

A rule is a function check(root) that returns lines FILE:LINE: WHY.
"""
import pathlib
import sys
import tempfile


def found_as_wanted(check, planted, base=None):
    """True if check reports exactly those files of `planted` that it must report; prints the differences."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        texts = {path: f"{text}\n" for path, (text, _) in planted.items()}
        for path, text in {**texts, **(base or {})}.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text)
        found = {f.split(":")[0] for f in check(root)}
    wanted = {path for path, (_, reported) in planted.items() if reported}
    for path in sorted(wanted - found):
        print(f"not found: {path}: {planted[path][0][:120]}")
    for path in sorted(found - wanted):
        print(f"reported though allowed: {path}: {planted.get(path, ('a file not planted',))[0][:120]}")
    return wanted == found


def main(usage, check, planted, nothing_found, base=None):
    """Runs `RULE ROOT` or `RULE --self-test`; returns the exit status."""
    args = sys.argv[1:]
    if args == ["--self-test"]:
        return 0 if found_as_wanted(check, planted, base) else 1
    if len(args) != 1:
        print(usage)
        return 2
    findings = list(check(pathlib.Path(args[0])))
    print("\n".join(findings) or nothing_found)
    return 1 if findings else 0
