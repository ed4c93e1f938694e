#!/usr/bin/env python3
"""The listings of docs/ are files that are compiled and run, and the commands print what the pages say.

    listings.py check ROOT [NAME=PROGRAM...]    every listing and console block of docs/**/*.md
    listings.py output EXPECTED PROGRAM ARG...  the program prints what the file EXPECTED holds
    listings.py --self-test                     that the checks above can fail

A comment <!-- listing: PATH --> stands before a block that is the file PATH; <!-- listing: PATH [PART] --> before one that is
a part of it, from the line "// ---- [PART] ..." (in Python "# ---- [PART]") to the next such line. A block of C, C++, MATLAB or shell output that has no
such comment is a fault in the pages of STRICT. In a block ```console each line "$ build/release/bin/NAME ..." is run in ROOT,
where NAME is given; the lines below it are what it prints. Between <!-- output: NAME ARGS --> and <!-- end of output --> stands what the
program NAME prints with these arguments. VR_BLESS=1 writes files and output into the pages.
"""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

STRICT = re.compile(r"^docs/(start/.*|tutorial|new-host|octave)\.md$")
LISTED = {"cpp", "c", "matlab", "text"}
BLOCK = re.compile(r"(?:<!-- listing: (\S+?)(?: \[(\w+)\])? -->\n)?^```(\w*)\n(.*?)^```$", re.M | re.S)
OUTPUT = re.compile(r"^<!-- output: (\w+) ([^\n]*?) -->\n(.*?)^<!-- end of output -->$", re.M | re.S)
PART = re.compile(r"^\s*(?://|#) ---- \[(\w+)\]")


def part_of(text, name):
    """The lines of a part, without its first line, the blank lines around it and the common indentation."""
    lines, inside = [], False
    for line in text.split("\n"):
        match = PART.match(line)
        if match:
            inside = match[1] == name
        elif inside:
            lines.append(line)
    while lines and not lines[0].strip():
        lines.pop(0)
    while lines and not lines[-1].strip():
        lines.pop()
    indent = min((len(l) - len(l.lstrip()) for l in lines if l.strip()), default=0)
    return "".join(l[indent:] + "\n" for l in lines)


def console(root, text, programs, faults):
    """The block with the current output of its commands. A command that a signal ends is a fault."""
    out, lines = [], text.rstrip("\n").split("\n")
    at = 0
    while at < len(lines):
        out.append(lines[at])
        command = re.match(r"\$ build/release/bin/(\w+) ?(.*)$", lines[at])
        at += 1
        below = at
        while below < len(lines) and not lines[below].startswith("$ "):
            below += 1
        if command and command[1] in programs:
            run = subprocess.run(f"{programs[command[1]]} {command[2]}", shell=True, cwd=root, capture_output=True, text=True)
            if run.returncode < 0 or run.returncode > 128 and run.returncode != 130:
                faults.append(f"'{command[1]} {command[2]}' ended with {run.returncode}: {run.stderr}")
            printed = (run.stdout + run.stderr).rstrip("\n")
            out += printed.split("\n") if printed else []
        else:
            out += lines[at:below]
        at = below
    return "\n".join(out) + "\n"


def check_page(root, page, programs, bless):
    text = (root / page).read_text()
    faults = []

    def block(match):
        path, name, language, content = match.groups()
        line = text.count("\n", 0, match.start()) + 1
        wanted = content
        if path:
            file = root / path
            if not file.is_file():
                faults.append(f"{page}:{line}: there is no file {path}")
                return match[0]
            wanted = part_of(file.read_text(), name) if name else file.read_text()
            if not wanted:
                faults.append(f"{page}:{line}: {path} has no part [{name}]")
                return match[0]
        elif language == "console":
            crashes = []
            wanted = console(root, content, programs, crashes)
            if crashes:
                faults.extend(f"{page}:{line}: {c}" for c in crashes)
                return match[0]
        elif language in LISTED and STRICT.match(page):
            faults.append(f"{page}:{line}: this listing is no file (<!-- listing: PATH -->)")
        if wanted != content:
            if bless:
                return match[0].replace(content, wanted) if content else match[0][:-3] + wanted + "```"
            faults.append(f"{page}:{line}: the listing differs from {path or 'what the commands print'}:\n{wanted}")
        return match[0]

    def printed(match):
        if match[1] not in programs:
            return match[0]
        run = subprocess.run([programs[match[1]]] + match[2].split(), cwd=root, capture_output=True, text=True)
        if run.returncode == 0 and run.stdout == match[3]:
            return match[0]
        if bless and run.returncode == 0:
            return match[0].replace(match[3], run.stdout, 1) if match[3] else match[0].replace("-->\n", "-->\n" + run.stdout, 1)
        faults.append(f"{page}: '{match[1]} {match[2]}' prints something else:\n{run.stdout}{run.stderr}")
        return match[0]

    new = OUTPUT.sub(printed, BLOCK.sub(block, text))
    if bless and new != text:
        (root / page).write_text(new)
    return faults


def check(root, programs, bless):
    faults, blocks = [], 0
    for path in sorted((root / "docs").rglob("*.md")):
        page = path.relative_to(root).as_posix()
        blocks += len(re.findall(r"^<!-- listing:", path.read_text(), re.M))
        faults += check_page(root, page, programs, bless)
    return faults if blocks else faults + ["no listing found"]


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "docs/start").mkdir(parents=True)
        (root / "a.cpp").write_text("// ---- [one]\n  int x;\n// ---- [two]\nint y;\n")
        page = root / "docs/start/p.md"
        good = ("<!-- listing: a.cpp [one] -->\n```cpp\nint x;\n```\n\n<!-- listing: a.cpp [two] -->\n```cpp\nint y;\n```\n\n"
                "```console\n$ build/release/bin/say hello\nhello\n```\n<!-- output: say good day -->\ngood day\n<!-- end of output -->\n")
        page.write_text(good)
        if check(root, {"say": "echo"}, False):
            print("found in a good page:", check(root, {"say": "echo"}, False))
            return 1
        for old, new in [("int x", "int z"), ("[two]", "[six]"), ("a.cpp", "b.cpp"), ("\nhello\n", "\nhullo\n"), ("\ngood day\n", "\ngood night\n"),
                         ("<!-- listing: a.cpp [one] -->\n", "")]:
            page.write_text(good.replace(old, new, 1))
            if not check(root, {"say": "echo"}, False):
                print(f"not found: {old} -> {new}")
                return 1
        page.write_text(good.replace("int x", "int z"))
        check(root, {"say": "echo"}, True)
        if page.read_text() != good:
            print("blessing a page does not restore it")
            return 1
        (root / "expected").write_text("hello\n")
        if output(root / "expected", ["echo", "hello"]) or not output(root / "expected", ["echo", "hullo"]):
            print("output of programs is not compared")
            return 1
    return 0


def output(expected, command):
    run = subprocess.run(command, capture_output=True, text=True)
    wanted = Path(expected).read_text()
    if run.returncode == 0 and run.stdout == wanted:
        return []
    return [f"{' '.join(command)} ended with {run.returncode} and printed\n{run.stdout}{run.stderr}not\n{wanted}"]


def main(args):
    if args == ["--self-test"]:
        return self_test()
    if len(args) >= 2 and args[0] == "check":
        programs = dict(a.split("=", 1) for a in args[2:])
        faults = check(Path(args[1]), programs, os.environ.get("VR_BLESS", "0") not in ("", "0"))
    elif len(args) >= 3 and args[0] == "output":
        faults = output(args[1], args[2:])
    else:
        print(__doc__)
        return 2
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
