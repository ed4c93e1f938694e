#!/usr/bin/env python3
"""Pages use the terms that docs/glossary.md defines, and are spelled right.

    words.py ROOT          prints a line FILE:LINE: for each word of WORDS or MISSPELLED in the pages; exit status 1 if there is any
    words.py --self-test   checks that each of them is found

Code blocks, code in backticks and the glossary's own table of older words are not read.
"""
import re
import sys
import tempfile
from pathlib import Path

# Older words for which the glossary has a term.
WORDS = {
    r"the way of (a|the) program": "the compilation pipeline",
    r"\bjudges?\b": "oracle",
    r"\b(lie|lies|lying) apart\b": "are disjoint",
    r"\bside by side\b": "unit stride, contiguous; at the same time",
    r"\bput(s|ting)? off\b": "defer",
    r"\bhabits?\b": "convention",
    r"\bat home\b": "in the host's memory",
    r"\bnobody (wants|asks|looks|needs)\b": "dead; not accessed",
    r"\bthe number of points\b": "the number of iterations",
    r"\bwhoever\b": "a caller, a user, a process that",
}
MISSPELLED = {
    "recieve": "receive", "seperate": "separate", "occured": "occurred", "accross": "across", "dependancy": "dependency",
    "existance": "existence", "paramater": "parameter", "neccessary": "necessary", "succesful": "successful",
    "adress": "address", "arguement": "argument", "independant": "independent", "initalise": "initialise",
    "lenght": "length", "heigth": "height", "retreive": "retrieve", "consistant": "consistent", "refered": "referred",
    "occurence": "occurrence", "transfered": "transferred", "teh": "the", "wich": "which", "recursivly": "recursively",
    "maintainance": "maintenance", "compatability": "compatibility", "guarentee": "guarantee", "alignement": "alignment",
    "arithmatic": "arithmetic", "algoritm": "algorithm", "elemnt": "element", "varible": "variable", "intial": "initial",
    "doubled the the": "doubled the", "the the": "the", "of of": "of", "is is": "is", "and and": "and", "to to": "to",
}


def prose(text):
    """The text with code replaced by blanks, so that line numbers stay the same."""
    blank = lambda m: re.sub(r"[^\n]", " ", m[0])
    text = re.sub(r"^```.*?^```$", blank, text, flags=re.M | re.S)
    text = re.sub(r"^## Older words in comments$.*?(?=^## |\Z)", blank, text, flags=re.M | re.S)
    return re.sub(r"`[^`\n]*`|\]\([^)\n]*\)", blank, text)


def findings(name, text):
    text = prose(text)
    rules = [(p, t) for p, t in WORDS.items()] + [(rf"\b{w}\b", t) for w, t in MISSPELLED.items()]
    for pattern, term in rules:
        for m in re.finditer(pattern, text, re.I):
            yield f"{name}:{text.count(chr(10), 0, m.start()) + 1}: '{m[0]}': write {term}"


def check(root):
    pages = sorted((root / "docs").rglob("*.md")) + sorted(root.glob("*.md"))
    return [f for p in pages for f in findings(p.relative_to(root).as_posix(), p.read_text())]


def self_test():
    examples = ["the way of a program", "a judge", "they lie apart", "side by side", "put off", "habits", "at home",
                "nobody wants", "the number of points", "whoever", *MISSPELLED]
    for text in examples:
        if not list(findings("p.md", f"So {text} here.\n")):
            print(f"not found: {text}")
            return 1
    for text in ["`judge`", "```\nside by side\n```", "judgement", "[x](habits.md)"]:
        if list(findings("p.md", text + "\n")):
            print(f"found: {text}")
            return 1
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "docs").mkdir()
        (Path(folder) / "docs/a.md").write_text("fine\n\nthe judge\n")
        if check(Path(folder)) != ["docs/a.md:3: 'judge': write oracle"]:
            print(check(Path(folder)))
            return 1
    return 0


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        sys.exit(self_test())
    found = check(Path(sys.argv[1]))
    print("\n".join(found))
    sys.exit(1 if found else 0)
