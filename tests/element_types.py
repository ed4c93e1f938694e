#!/usr/bin/env python3
"""Element types are defined in one table, include/velociraptor/ir/elements.def. No source may list them again in a switch, or compare their codes for
order or class: visit_elem, is_float, common_elem, int_limits and others exist for that.

  element_types.py ROOT         checks the repository; a line FILE:LINE: per finding, exit 1 when there is any
  element_types.py --self-test  plants such lines in a temporary tree and expects each to be found
"""
import pathlib
import re
import sys

import planted

TABLE = "include/velociraptor/ir/elements.def"
FOLDERS = ("src", "runtime", "include", "raijincl", "hosts", "tests/device", "tests/fuzz")
COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.S)


def rules(table):
    names = re.findall(r"^VR_ELEM\((\w+)", table, re.M)
    one = r"(?:(?:\w+::)*(?:Elem|Scalar)::(?:%s)|VR_(?:%s))\b" % ("|".join(names), "|".join(n.upper() for n in names))
    order = r"(?<![-<>=])(?:<=|>=|<|>)(?![<>=])"
    return names, [
        (re.compile(r"\bcase\s+" + one), "a switch over element types; use ir::visit_elem or the table"),
        (re.compile(one + r"\)?\s+" + order + r"\s"), "an element code as an order; use ir::is_float or ir::common_elem"),
        (re.compile(r"\s" + order + r"\s+\(?" + one + r"(?!\s*>)"), "an element code as an order; use ir::is_float or ir::common_elem"),
        (re.compile(r"std::(?:max|min)\([^;()]*\belem\b(?!\))"), "the type that two element types meet in is ir::common_elem"),
    ]


def blank(match):
    return "".join(c if c == "\n" else " " for c in match[0])


def check(root):
    names, patterns = rules((root / TABLE).read_text())
    findings = [] if names else [f"{TABLE}: no element type found"]
    for folder in FOLDERS:
        for file in sorted((root / folder).rglob("*")):
            if file.suffix not in (".cpp", ".hpp", ".h", ".c"):
                continue
            text = COMMENT.sub(blank, file.read_text(errors="replace"))
            for pattern, why in patterns:
                for m in pattern.finditer(text):
                    line = text.count("\n", 0, m.start() + len(m[0]) - len(m[0].lstrip())) + 1
                    findings.append(f"{file.relative_to(root).as_posix()}:{line}: {why}")
    return findings


PLANTED = {f"src/{k}.cpp": case for k, case in enumerate([  # (text, whether it must be reported)
    ("switch (e) {\n  case ir::Elem::Int32:", True),
    ("switch (s) {\n  case Scalar::Float64:", True),
    ("  case VR_BOOL:", True),
    ("  case VR_FLOAT32 | VR_COMPLEX:", True),
    ("  case VR_UINT8:", True),
    ("x = (a.elem & ~VR_COMPLEX) >= VR_FLOAT32;", True),
    ("if (Elem::Int64 < e) f();", True),
    ("e = std::max(a.type.elem, b.type.elem);", True),
    ("// case Elem::Int32: of old", False),
    ('say("case VR_BOOL: ");', False),
    ("ScalarHostType<float, Elem::Float32> x;", False),
    ("if (e == Elem::Bool) return;", False),
    ("std::max(bytes, element_bytes(a.elem));", False),
    ("case Op::Add:", False),
])}
ROWS = {TABLE: "".join(f"VR_ELEM({n}, ...)\n" for n in ("Bool", "Int32", "Int64", "UInt8", "Float32", "Float64"))}


if __name__ == "__main__":
    sys.exit(planted.main(__doc__, check, PLANTED, "no element type is told apart but by the table", ROWS))
