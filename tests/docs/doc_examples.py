#!/usr/bin/env python3
"""The programs in docs/*.md are tests.

    doc_examples.py run VRIR PAGE...     every ```vrir block of the pages
    doc_examples.py tables SOURCE_DIR    the manual against the tables of the sources
    doc_examples.py --self-test VRIR     that the checks above can fail

A block ```vrir is a whole file test (CONTRIBUTING.md, "Tests"): first line `; RUN: COMMAND`, below `; EXPECT` what it prints.
A block ```vrir KIND, with KIND one of module, function, stmt, expr, type, is put where its kind belongs in a module and must
print and parse; `mclab` behind the kind names the dialect. VR_BLESS=1 writes into the pages what the programs print.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

FRAME = {
    "module": "{}",
    "function": "(module :name m (fns {}))",
    "stmt": "(module :name m (fns (function f (functype (intypes) (outtypes (void))) (arglist) (body {}) (symtable))))",
    "expr": "(module :name m (fns (function f (functype (intypes) (outtypes (void))) (arglist)"
    " (body (exprstmt {})) (symtable))))",
    "type": "(module :name m (fns (function f (functype (intypes) (outtypes (void))) (arglist)"
    " (body) (symtable (sym :id 0 :name x {})))))",
}


class Block:
    def __init__(self, page, line, info, text):
        self.page, self.line, self.info, self.text = page, line, info, text

    def place(self):
        return f"{self.page}:{self.line}"


def blocks_of(page, text):
    """The ```vrir blocks. `line`: that of the block's first line of content."""
    blocks, lines, at = [], text.split("\n"), 0
    while at < len(lines):
        match = re.match(r"```vrir\b ?(.*)$", lines[at])
        if not match:
            at += 1
            continue
        end = at + 1
        while end < len(lines) and lines[end] != "```":
            end += 1
        blocks.append(Block(page, at + 2, match.group(1).split(), "\n".join(lines[at + 1 : end]) + "\n"))
        at = end + 1
    return blocks


def run_page(vrir, page, bless):
    """Errors of the page, as strings."""
    text = Path(page).read_text()
    blocks = blocks_of(page, text)
    faults = []
    if not blocks:
        faults.append(f"{page}: no ```vrir block")
    with tempfile.TemporaryDirectory() as folder:
        tests = []
        for number, block in enumerate(blocks):
            if block.info:
                faults += parse_fragment(vrir, block, folder)
            else:
                # Messages contain the file name, so every program has the same name in a folder of its own.
                path = Path(folder) / f"{number:04}" / "program.vrir"
                path.parent.mkdir()
                path.write_text(block.text)
                tests.append((block, path))
        if not tests:
            return faults
        environment = dict(os.environ, VR_BLESS="1" if bless else "0")
        command = [vrir, "test"] + [str(path) for _, path in tests]
        result = subprocess.run(command, capture_output=True, text=True, env=environment)
        for block, path in tests:
            match = re.search(rf"^FAILED {re.escape(str(path))}\n((?:    .*\n)*)", result.stdout, re.M)
            if match:
                faults.append(f"{block.place()}: the program prints something else\n{match.group(1).rstrip()}")
        if result.returncode != 0 and not any("prints something else" in f for f in faults):
            faults.append(f"{page}: vrir test ended with {result.returncode}\n{result.stdout}{result.stderr}")
        if bless:
            new = text
            for block, path in reversed(tests):
                start = sum(len(l) + 1 for l in text.split("\n")[: block.line - 1])
                new = new[:start] + path.read_text() + new[start + len(block.text) :]
            if new != text:
                Path(page).write_text(new)
    return faults


def parse_fragment(vrir, block, folder):
    kind, rest = block.info[0], block.info[1:]
    if kind not in FRAME or rest not in ([], ["mclab"]):
        return [f"{block.place()}: unknown kind of block '{' '.join(block.info)}'"]
    path = Path(folder) / "fragment.vrir"
    path.write_text(FRAME[kind].format(block.text))
    command = [vrir, "cat", str(path)] + (["--dialect", "mclab"] if rest else [])
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode == 0:
        return []
    return [f"{block.place()}: the {kind} does not parse\n{result.stdout}{result.stderr}".rstrip()]


# ---------------------------------------------------------------- the manual against the sources


def headings(text):
    """Titles outside of code blocks."""
    out, code = [], False
    for line in text.split("\n"):
        code ^= line.startswith("```")
        if not code and line.startswith("#"):
            out.append(line.lstrip("#").strip())
    return out


def slug(title):
    """The anchor that GitHub makes for a heading."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def compare(what, wanted, found):
    faults = [f"{what}: '{name}' is missing" for name in sorted(wanted - found)]
    return faults + [f"{what}: '{name}' does not exist" for name in sorted(found - wanted)]


def first_column(text, heading):
    """The names in backticks in the first column of the tables below the heading with this title."""
    section = re.search(rf"^#+ {re.escape(heading)}$(.*?)(?=^#+ |\Z)", text, re.M | re.S)
    if not section:
        return set()
    rows = re.findall(r"^\|([^|\n]*)\|", section.group(1), re.M)
    return {name for row in rows for name in re.findall(r"`([^`]+)`", row)}


def check_tables(source, pages):
    """`pages` maps the names of the pages below docs/ to their text."""
    read = lambda name: (source / name).read_text()
    manual, faults = pages["vrir.md"], []
    anchors = {name: set(re.findall(r'<a id="([^"]+)">', text)) for name, text in pages.items()}

    kinds = set(re.findall(r"^VR_(?:EXPR|STMT)\((\w+),", read("include/velociraptor/ir/nodes.def"), re.M))
    faults += [f"vrir.md: no section for node kind '{k}' (<a id=\"{k}\">)" for k in sorted(kinds - anchors["vrir.md"])]

    attributes = set(re.findall(r"^Attr\w+: '(:\w+)';", read("vrir-grammar/Vrir.g4"), re.M))
    faults += [f"vrir.md: attribute '{a}' is not explained" for a in sorted(attributes) if not re.search(a + r"\b", manual)]

    codes = set(re.findall(r"^\s*VR_(\w+) = \d+,?$", read("include/velociraptor/descriptor.h").split("/* Status codes")[1], re.M)) - {"OK"}
    faults += compare("vrir.md, error codes", codes, first_column(manual, "Error codes"))

    rules = {"syntax"}
    for path in sorted((source / "src/ir").glob("*.cpp")):
        if path.name.startswith(("verify", "typing")):
            code = re.sub(r"//.*", "", path.read_text())
            rules |= set(re.findall(r'report\(\s*"([a-z-]+)"', code))
            rules |= set(re.findall(r'"((?!did-)[a-z]+(?:-[a-z]+)+|arity|rank|dimension)"\s*[,):]', code))
    faults += compare("vrir.md, rules of the verifier", rules, first_column(manual, "Rules of the verifier"))

    library = set(re.findall(r'^VR_LIB\w*\(\w+, "(\w+)"', read("src/ir/library.def"), flags=re.M))
    table = {n for h in headings(pages["vrir-library.md"]) for n in first_column(pages["vrir-library.md"], h)}
    faults += compare("vrir-library.md", library, table)

    listed = re.search(r"^Keywords are .*?`([^`]*)`", pages["short-syntax.md"], re.M | re.S)
    keywords = re.search(r"keywords\[\] = \{(.*?)\}", read("src/text/short/tokens.cpp"), re.S)[1]
    faults += compare("short-syntax.md, keywords", set(re.findall(r'"(\w+)"', keywords)), set(listed[1].split() if listed else []))

    for name, text in pages.items():
        text = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
        for target in re.findall(r"\]\(([^)\s]+)\)", text):
            file, _, anchor = target.partition("#")
            if "://" in target:
                continue
            path = os.path.normpath(os.path.join("docs", os.path.dirname(name), file))
            if file and not (source / path).exists():
                faults.append(f"{name}: the link to {target} leads nowhere")
            page = os.path.relpath(path, "docs") if file else name
            if anchor and page in pages:
                if anchor not in anchors[page] and anchor not in {slug(h) for h in headings(pages[page])}:
                    faults.append(f"{name}: the link to {target} leads nowhere")
    return faults


def read_pages(source):
    docs = source / "docs"
    return {p.relative_to(docs).as_posix(): p.read_text() for p in sorted(docs.rglob("*.md"))}


def self_test(vrir):
    """A wrong expectation, a fragment that does not parse, and a manual without contents must all be reported."""
    program = "```vrir\n; RUN: cat\n(module :name m (fns))\n; EXPECT\n; something else\n```\n"
    cases = [program, program.replace("; EXPECT\n; something else\n", ""), "```vrir expr\n(plus)\n```\n", "no block\n"]
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.md"
        for text in cases:
            page.write_text(text)
            if len(run_page(vrir, str(page), False)) != 1:
                print(f"not found:\n{text}")
                return 1
    source = Path(__file__).resolve().parents[2]
    pages = read_pages(source)
    whole = check_tables(source, pages)
    for old, new in [('<a id="Plus">', ""), (":negative", "negative"), ("| `rank`", "| rank"), ("(#", "(#no-such-")]:
        broken = dict(pages, **{"vrir.md": pages["vrir.md"].replace(old, new)})
        if len(check_tables(source, broken)) <= len(whole):
            print(f"not found: {old} -> {new}")
            return 1
    broken = dict(pages, **{"short-syntax.md": pages["short-syntax.md"].replace(" extern var ", " ")})
    if len(check_tables(source, broken)) < len(whole) + 2:
        print("not found: a keyword that is missing")
        return 1
    broken = dict(pages, **{"vrir-library.md": pages["vrir-library.md"].replace("`sum`", "`sums`")})
    if len(check_tables(source, broken)) < len(whole) + 2:
        print("not found: a library function that is missing, and one that does not exist")
        return 1
    return 0


def main(args):
    if len(args) == 2 and args[0] == "--self-test":
        return self_test(args[1])
    if len(args) >= 3 and args[0] == "run":
        bless = os.environ.get("VR_BLESS", "0") not in ("", "0")
        faults = [f for page in args[2:] for f in run_page(args[1], page, bless)]
    elif len(args) == 2 and args[0] == "tables":
        faults = check_tables(Path(args[1]), read_pages(Path(args[1])))
    else:
        print(__doc__)
        return 2
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
