#!/usr/bin/env python3
"""Reference pages of the public headers, as Markdown: each declaration with the comment that stands above or behind it.

    api_reference.py write FOLDER   writes cpp-api.md and c-api-reference.md into the folder; scripts/site.sh makes them, too
    api_reference.py check          exit status 1 when PAGES lacks a public header, or a header does not state its purpose
    api_reference.py --self-test

The headers follow a fixed layout (.clang-format), so that no C++ parser is needed: `///` lines above a declaration, or `///<` behind it, describe it;
`//` lines at the top of a file describe the header.
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
INCLUDE = ROOT / "include/velociraptor"
PAGES = {
    "cpp-api.md": ("C++ API", ["velociraptor.hpp", "engine.hpp", "array.hpp", "binding.hpp", "make_binding.hpp", "typed.hpp", "results.hpp", "native_context.hpp", "pipeline.hpp", "status.hpp", "defaults.hpp",
                               "ir/types.hpp", "ir/nodes.hpp", "ir/builder.hpp", "ir/visit.hpp", "ir/text.hpp", "ir/verify.hpp",
                               "ir/elements.hpp", "ir/half.hpp", "ir/matlab.hpp", "aot.hpp"]),
    "c-api-reference.md": ("C API", ["velociraptor.h", "descriptor.h", "aot.h", "aot_versions.h"]),
}
DECLARATION = re.compile(r"^(template|struct|class|enum|union|using|typedef|inline|constexpr|static|VR_API|[A-Za-z_][\w:<>,*& ]+\()")


def top_comment(lines):
    out = []
    for line in lines:
        if line.startswith("//") and not line.startswith("///"):
            out.append(line[2:].strip())
        elif line.startswith(("/*", " *")):
            out.append(line.strip(" /*"))
        elif line.strip():
            break
    return " ".join(out).strip()


def entries(text):
    """(declaration, comment) for each declaration at the outermost level: types with their members, functions, constants."""
    lines, at, comment = text.split("\n"), 0, []
    while at < len(lines):
        line = lines[at]
        if line.startswith("///") or line.startswith("/**") or (line.startswith("/*") and not line.startswith("/* ---")):
            while at < len(lines) and (lines[at].startswith(("///", "/*", " *"))):
                comment.append(lines[at].strip().lstrip("/").strip("* /"))
                at += 1
            continue
        if DECLARATION.match(line) and not line.startswith(("namespace", "extern \"C\"", "#")):
            block, depth = [], 0
            while at < len(lines):
                block.append(lines[at])
                code = re.sub(r'//.*|/\*.*?\*/|"(\\.|[^"\\])*"', "", lines[at])
                depth += code.count("{") + code.count("(") - code.count("}") - code.count(")")
                at += 1
                if depth <= 0 and re.search(r"[;}]\s*$", code.rstrip()):
                    break
            yield "\n".join(block), " ".join(c for c in comment if c)
            comment = []
            continue
        if line.strip():
            comment = []
        at += 1


def page(title, headers):
    out = [f"# {title}: reference", "", "Made from the headers by `scripts/api_reference.py`.", ""]
    for name in headers:
        path = INCLUDE / name
        if not path.is_file():
            continue
        text = path.read_text()
        out += [f"## velociraptor/{name}", ""]
        if about := top_comment(text.split("\n")):
            out += [about, ""]
        for declaration, comment in entries(text):
            out += [comment, ""] if comment else []
            out += ["```c" if name.endswith(".h") else "```cpp", declaration, "```", ""]
    return "\n".join(out)


def headers():
    return {p.relative_to(INCLUDE).as_posix() for p in INCLUDE.rglob("*.h*") if p.suffix in (".h", ".hpp")}


def check():
    listed = {h for _, names in PAGES.values() for h in names}
    faults = [f"include/velociraptor/{h}: not in PAGES" for h in sorted(headers() - listed)]
    faults += [f"PAGES: there is no include/velociraptor/{h}" for h in sorted(listed - headers())]
    for name, (title, names) in PAGES.items():
        text = page(title, names)
        if text.count("```") % 2 or len(text) < 2000:
            faults.append(f"{name}: the page is broken")
    for h in sorted(headers()):
        if not top_comment((INCLUDE / h).read_text().split("\n")):
            faults.append(f"include/velociraptor/{h}: no comment at the top says what it is for")
    return faults


def self_test():
    text = "// About.\n#pragma once\n\n/// Adds.\n/// Twice.\nint add(int a,\n        int b);\n\nstruct S {\n  int x;  ///< member\n};\nint bare();\n"
    found = list(entries(text))
    wanted = [("int add(int a,\n        int b);", "Adds. Twice."), ("struct S {\n  int x;  ///< member\n};", ""), ("int bare();", "")]
    if found != wanted or top_comment(text.split("\n")) != "About.":
        print(found)
        return 1
    return 0


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        sys.exit(self_test())
    if sys.argv[1:] == ["check"]:
        faults = check()
        print("\n".join(faults))
        sys.exit(1 if faults else 0)
    if len(sys.argv) == 3 and sys.argv[1] == "write":
        folder = Path(sys.argv[2])
        folder.mkdir(parents=True, exist_ok=True)
        for name, (title, names) in PAGES.items():
            (folder / name).write_text(page(title, names))
        sys.exit(0)
    print(__doc__)
    sys.exit(2)
