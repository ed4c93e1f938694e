#!/usr/bin/env python3
"""velociraptor.h, what libvelociraptor.so exports, the tests and docs/c-api.md agree.

  every_function.py ROOT NM LIBRARY

Fails on a function of the header that the library does not export or no test calls, and when the C program in
docs/c-api.md is not tests/unit/capi/example.c.
"""
import pathlib
import re
import subprocess
import sys


def main(root, nm, library):
    root = pathlib.Path(root)
    header = (root / "include/velociraptor/velociraptor.h").read_text()
    header = re.sub(r"/\*.*?\*/", "", header, flags=re.S)
    header = re.sub(r"static inline [^;{]*\{.*?\n\}", "", header, flags=re.S)  # inline functions need no export
    declared = set(re.findall(r"^[\w *]+?\b(vr_\w+)\(", header, flags=re.M))
    symbols = subprocess.run([nm, "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    exported = {line.split()[-1].split("@")[0] for line in symbols.splitlines()}
    tests = "".join(f.read_text() for f in (root / "tests/unit/capi").glob("*.c"))
    wrong = [f"{f}: declared and not exported" for f in sorted(declared - exported)]
    wrong += [f"{f}: no test calls it" for f in sorted(declared) if not re.search(rf"\b{f}\(", tests)]
    wrong += [f"{f}: exported by the C API and not declared" for f in sorted(exported - declared)
              if re.match(r"vr_(?!rt_|gpu_)\w+$", f)]
    manual = (root / "docs/c-api.md").read_text()
    example = (root / "tests/unit/capi/example.c").read_text()
    if f"```c\n{example}```" not in manual:
        wrong.append("docs/c-api.md: its example is not tests/unit/capi/example.c")
    print("\n".join(wrong) or f"{len(declared)} functions")
    return 1 if wrong or len(declared) < 100 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
