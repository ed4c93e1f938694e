#!/usr/bin/env python3
"""No class has more than 15 data members or 40 methods, no file of src/lower more than 350 lines: larger ones have several purposes and should be
split. No two classes have the same name, because the linker would use the inline functions of one for both.

  class_rules.py ROOT         checks the repository; a line FILE:LINE: per class or file that is too large, exit 1 when there
                              is any
  class_rules.py --self-test  plants classes in a temporary tree and expects those that are too large to be found

The sources are read by universal-ctags. Counted are the members that the class declares and those that it inherits from
classes of the repository. Not counted: nested classes, which are counted separately; constants (static const or
constexpr); functions that are deleted or friends. A struct without methods is data and may have as many members as it wants.
"""
import collections
import json
import pathlib
import re
import subprocess
import sys

import planted

FOLDERS = ("src", "runtime", "raijincl", "hosts")
MOST_MEMBERS, MOST_METHODS = 15, 40
SHORT_FILES, MOST_LINES = "src/lower", 350
CONSTANT = re.compile(r"\bstatic\s+(inline\s+)?const(expr)?\b|\bconstexpr\b.*\bstatic\b")


class Class:
    def __init__(self, path, tag):
        self.path, self.name, self.line = path, qualified(tag), tag["line"]
        self.end = tag.get("end", self.line)
        self.bases = [re.sub(r"<.*", "", b).strip() for b in split_bases(tag.get("inherits") or "")]
        self.members, self.methods = set(), set()


def qualified(tag):
    return f'{tag["scope"]}::{tag["name"]}' if tag.get("scope") else tag["name"]


def plain(name):
    """The name without the numbers that ctags gives to anonymous namespaces."""
    return re.sub(r"__anon\w+::", "", name)


def split_bases(text):
    """Splits at commas outside of angle brackets."""
    parts, depth = [""], 0
    for c in text:
        depth += (c == "<") - (c == ">")
        if c == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return [p for p in parts if p.strip()]


def classes(root):
    files = sorted(p.relative_to(root).as_posix() for folder in FOLDERS for p in (root / folder).rglob("*")
                   if p.suffix in (".cpp", ".hpp", ".h") and p.is_file())
    run = subprocess.run(["ctags", "--options=NONE", "--languages=C++", "--langmap=C++:.h.hpp.cpp", "--kinds-C++=csmpf",
                          "--fields=+neKisS", "--output-format=json", "--sort=no", "-f", "-", "-L", "-"], cwd=root,
                         input="\n".join(files), check=True, capture_output=True, text=True)
    tags = [json.loads(line) for line in run.stdout.splitlines()]
    tags = [t for t in tags if t["_type"] == "tag"]
    text = {f: (root / f).read_text(errors="replace").splitlines() for f in files}
    found = {}
    for t in tags:
        if t["kind"] in ("class", "struct") and not (found.get((t["path"], qualified(t)))):
            found[t["path"], qualified(t)] = Class(t["path"], t)
    for t in tags:
        c = found.get((t["path"], t.get("scope")))
        if c is None or t["kind"] not in ("member", "prototype", "function") or not c.line <= t["line"] <= c.end:
            continue
        line = text[t["path"]][t["line"] - 1]
        if t["kind"] == "member":
            if not CONSTANT.search(line):
                c.members.add(t["name"])
        elif not re.search(r"=\s*delete\b|\bfriend\b", line):
            c.methods.add((t["name"], re.sub(r"\s*=[^,)]*", "", t.get("signature", ""))))
    return list(found.values())


def sizes(found):
    """(class, members, methods), including inherited ones. A base is looked up in the scopes around the class."""
    by_name = collections.defaultdict(list)
    for c in found:
        by_name[plain(c.name)].append(c)

    def base_of(c, name):
        scope = plain(c.name).split("::")[:-1]
        for k in range(len(scope), -1, -1):
            near = by_name.get("::".join(scope[:k] + [name]), [])
            near = [b for b in near if b is not c]
            if near:
                return next((b for b in near if b.path == c.path), near[0])
        return None

    def counted(c, seen):
        members, methods = len(c.members), set(c.methods)  # overrides of a base's method do not count twice
        for name in c.bases:
            base = base_of(c, re.sub(r"^(vr::)?", "", name) if name not in by_name else name) or base_of(c, name)
            if base is not None and base not in seen:
                more = counted(base, seen + [base])
                members, methods = members + more[0], methods | more[1]
        return members, methods

    for c in found:
        members, methods = counted(c, [c])
        yield c, members, len(methods)


def shared_names(found):
    """Classes that are also defined in another file, outside of anonymous namespaces."""
    files = collections.defaultdict(set)
    for c in found:
        if "__anon" not in c.name and "::" in c.name:
            files[c.name].add(c.path)
    for c in found:
        others = files[c.name] - {c.path}
        if others and c.path != min(files[c.name]):
            yield f"{c.path}:{c.line}: {c.name} is also the name of a class in {min(files[c.name])}"


def check(root):
    found = classes(root)
    findings = list(shared_names(found))
    for c, members, methods in sizes(found):
        if methods > 0 and (members > MOST_MEMBERS or methods > MOST_METHODS):
            findings.append(f"{c.path}:{c.line}: {plain(c.name)} has {members} data members (at most {MOST_MEMBERS}) and "
                            f"{methods} methods (at most {MOST_METHODS})")
    for file in sorted((root / SHORT_FILES).rglob("*")):
        lines = file.read_text(errors="replace").count("\n") if file.is_file() else 0
        if lines > MOST_LINES:
            findings.append(f"{file.relative_to(root).as_posix()}:{lines}: the file has more than {MOST_LINES} lines")
    return findings


def members(n):
    return " ".join(f"int m{k} = {{}};" for k in range(n))


def methods(n):
    return " ".join(f"void f{k}(int);" for k in range(n))


PLANTED = {  # file: (text, whether it must be reported)
    "src/a/members.hpp": (f"class A {{ public: void f(); private: {members(16)} }};", True),
    "src/a/fits.hpp": (f"class B {{ {members(15)} {methods(40)} }};", False),
    "src/a/methods.cpp": (f"namespace {{ class C {{ {methods(41)} }}; }}", True),
    "src/a/inline.cpp": ("struct D { " + " ".join(f"int f{k}() const {{ return {k}; }}" for k in range(41)) + " };", True),
    "src/a/overloads.cpp": ("class E { " + " ".join(f"void f(const N{k}& n, int = 0) {{ }}" for k in range(41)) + " };", True),
    "src/a/data.hpp": (f"struct F {{ {members(30)} }};", False),
    "src/a/comment.hpp": (f"// class G {{ {members(16)} void f(); }};\n/* class H {{ {methods(41)} }}; */", False),
    "src/a/string.cpp": (f'const char* text = "class I {{ {members(16)} void f(); }};";', False),
    "src/a/raw.cpp": (f'const char* text = R"(class J {{ {members(16)} void f(); }};)";', False),
    "src/a/constants.hpp": ("class K {\n" + "\n".join(f"  static constexpr int c{k} = {k};" for k in range(16)) + "\n  void f();\n};",
                            False),
    "src/a/nested.hpp": (f"class L {{ struct M {{ {members(15)} }};\n{members(15)} void f(); }};", False),
    "src/a/inherited.hpp": (f"class N {{ {members(9)} }};\nclass O : public N {{ {members(9)} void f(); }};", True),
    "src/a/overrides.hpp": (f"struct X {{ {methods(30)} }};\nclass Y : public X {{ {methods(30)} int m; }};", False),
    "src/a/more_methods.hpp": (f"struct Z1 {{ {methods(30)} }};\nclass Z2 : Z1 {{ " +
                               " ".join(f"void g{k}();" for k in range(11)) + " };", True),
    "src/a/elsewhere.cpp": ("class P { " + methods(20) + " };\n" + "\n".join(f"void P::f{k}(int) {{}}" for k in range(20)) +
                            "\n" + "\n".join(f"void P::g{k}() {{}}" for k in range(30)), False),
    "src/a/callbacks.hpp": ("class Q { void f();\n" + "\n".join(f"  std::function<int(const std::vector<int>&)> m{k};" for k in range(16)) +
                            "\n};", True),
    "src/a/templates.hpp": ("template <class T>\nclass R { void f();\n" + "\n".join(f"  std::map<T, std::set<int>> m{k};" for k in range(16)) +
                            "\n};", True),
    "src/a/same_line.hpp": ("class S { void f();\n  int " + ", ".join(f"m{k} = {k}" for k in range(16)) + ";\n};", True),
    "runtime/t.hpp": (f"struct T {{ {members(16)} void f() {{}} }};", True),
    "raijincl/u.h": (f"struct U {{ {members(16)} void f() {{}} }};", True),
    "src/lower/long.cpp": ("// a line\n" * 350, True),
    "src/lower/short.cpp": ("// a line\n" * 349, False),
    "src/b/twice.hpp": ("namespace vr::x { class Twice { int m; }; }", False),
    "src/c/twice.hpp": ("namespace vr::x { class Twice { int n; }; }", True),
    "src/c/hidden.cpp": ("namespace vr::x { namespace { class Twice { int n; }; } }", False),
    "src/c/other.hpp": ("namespace vr::y { class Twice { int n; }; }", False),
    "tests/v.hpp": (f"struct V {{ {members(16)} void f() {{}} }};", False),
}


if __name__ == "__main__":
    sys.exit(planted.main(__doc__, check, PLANTED, "every class is small enough, and has a name of its own"))
