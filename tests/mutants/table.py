"""The table of planted faults: reading it, and writing them into a tree behind one switch (README.md says how it looks)."""
import pathlib
import re
import zlib
from dataclasses import dataclass

HERE = pathlib.Path(__file__).resolve().parent
CHANGE = re.compile(r"\{\{(.*?)\s*=>\s*(.*?)\s*\}\}")
ROW = re.compile(r"^  ([a-z0-9-]+)(?: #(\d+))?: (.+)$")


PYTHON_SWITCH = '''"""What Python code with planted faults asks at each of them (tests/mutants)."""
import os

_active = int(os.environ.get("PLANTED_FAULT") or 0)
_log = os.environ.get("PLANTED_FAULT_LOG")
_reached = set()


def planted_fault(number):
    if _log and number not in _reached:
        _reached.add(number)
        with open(_log, "a") as log:
            log.write(f"{number}\\n")
    return number == _active
'''


class TableError(Exception):
    pass


@dataclass
class Fault:
    number: int       # the value of PLANTED_FAULT that switches it on; computed from the name, so that a new row changes no other file
    area: str         # name of the table's file
    name: str         # unique
    file: str         # from the root of the project
    text: str         # the line with {{before => after}} in it
    occurrence: int   # which of the lines with this text, from 1; 0: there is only one
    where: str        # location in the table, for messages

    def original(self):
        return CHANGE.sub(lambda m: m.group(1), self.text)

    def described(self):
        return f"{self.file}: {self.text}"


def read_table(folder=HERE / "faults"):
    """All faults in the order of files and lines. TableError names the line that is not understood."""
    faults, names, numbers = [], set(), set()
    for path in sorted(pathlib.Path(folder).glob("*.txt")):
        file = None
        for number, line in enumerate(path.read_text().splitlines(), 1):
            where = f"{path.name}:{number}"
            if not line.strip() or line.startswith("#"):
                continue
            if not line.startswith(" "):
                file = line.strip()
                continue
            row = ROW.match(line)
            if not row or not file:
                raise TableError(f"{where}: not `  name: line with {{{{before => after}}}}` below a file's name")
            name, occurrence, text = row.group(1), int(row.group(2) or 0), row.group(3).strip()
            if len(CHANGE.findall(text)) != 1:
                raise TableError(f"{where}: one {{{{before => after}}}} is needed")
            if name in names:
                raise TableError(f"{where}: a second fault named {name}")
            names.add(name)
            code = zlib.crc32(name.encode()) % (1 << 24) + 1
            while code in numbers:
                code += 1
            numbers.add(code)
            faults.append(Fault(code, path.stem, name, file, text, occurrence, where))
    return faults


def place(fault, lines):
    """The index of the fault's line in its file. TableError if the line is not there (any more) or not unique."""
    wanted = " ".join(fault.original().split())
    found = [i for i, line in enumerate(lines) if " ".join(line.split()) == wanted]
    if not found:
        raise TableError(f"{fault.where}: {fault.name}: no line of {fault.file} reads: {wanted}")
    if fault.occurrence > len(found) or (len(found) > 1 and not fault.occurrence):
        seen = ", ".join(str(i + 1) for i in found)
        raise TableError(f"{fault.where}: {fault.name}: lines {seen} of {fault.file} read so: say which by ` #N`")
    at = found[max(fault.occurrence, 1) - 1]
    if in_literal(fault, lines, at):
        raise TableError(f"{fault.where}: {fault.name}: the change is within a string, where no switch can be written")
    return at


LITERAL = re.compile(r"""//[^\n]*|/\*.*?\*/|R"([^(\s]*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<!\w)'(?:\\.|[^'\\\n])+'""", re.S)


def in_literal(fault, lines, at):
    """Whether the change, in line `at`, is a part of a literal of C++: the switch would become text of the program that is there."""
    if fault.file.endswith(".py"):
        return False
    left = len("".join(fault.text[:CHANGE.search(fault.text).start()].split()))  # characters before it, without spaces
    start = 0
    while left > 0 or lines[at][start:start + 1].isspace():
        left -= not lines[at][start].isspace()
        start += 1
    start += sum(len(line) + 1 for line in lines[:at])
    return any(m.start() < start < m.end() for m in LITERAL.finditer("\n".join(lines)))


FRAGMENT = re.compile(r"(\|\||&&|[-+*/|&^<>=!]=?(?=\s|$)|[<>=!|]=)|.*(\|\||&&|[-+*/|&])$|$")


def parts(fault):
    """The line around the change, and its two forms, each a complete expression or statement.

    A part of an expression (`|| b`, or nothing) is widened to the expression around it: to the bracket, comma, `=`, `return` or `;` that ends it on
    either side.
    """
    change = CHANGE.search(fault.text)
    before, after = change.group(1).strip(), change.group(2).strip()
    head, tail = fault.text[:change.start()], fault.text[change.end():]
    if is_statement(before, after) or not (FRAGMENT.match(before) or FRAGMENT.match(after)):
        return head, before, after, tail
    start, depth = len(head), 0
    while start > 0:
        c = head[start - 1]
        depth += (c in ")]}") - (c in "([{")
        assigned = c == "=" and head[start - 2] not in "-+*/|&^<>=!" and not (head + "=")[start] == "="
        if depth < 0 or depth == 0 and (c == "," or assigned or head[:start].endswith("return ")):
            break
        start -= 1
    end, depth = 0, 0
    while end < len(tail):
        c = tail[end]
        depth += (c in "([{") - (c in ")]}")
        if depth < 0 or depth == 0 and c in ",;":
            break
        end += 1
    if start == 0:  # a whole statement
        end += 1
    left, right = head[start:], tail[:end]
    return head[:start], f"{left}{before}{right}".strip(), f"{left}{after}{right}".strip(), tail[end:]


def is_statement(before, after):
    return before.endswith((";", "}")) or after.endswith((";", "}"))


def switched(fault, line):
    """The source line with both forms in it."""
    head, before, after, tail = parts(fault)
    indent = line[:len(line) - len(line.lstrip())]
    if fault.file.endswith(".py"):
        if not head.strip() and not tail.strip():
            return f"{indent}if planted_fault({fault.number}): {after or 'pass'}\n{indent}else: {before or 'pass'}"
        return f"{indent}{head}(({after}) if planted_fault({fault.number}) else ({before})){tail}"
    asked = f"::planted::fault<{fault.number}>()"
    if is_statement(before, after):
        return f"{indent}{head}if ({asked}) {{ {after} }} else {{ {before} }}{tail}"
    return f"{indent}{head}({asked} ? ({after}) : ({before})){tail}"


def planted(files, faults):
    """The changed files of `files` (name from the root -> bytes), with all faults in them, each switched on by its number."""
    by_file = {}
    for fault in faults:
        by_file.setdefault(fault.file, []).append(fault)
    changed = {}
    for name, own in by_file.items():
        if name not in files:
            raise TableError(f"{own[0].where}: no file {name}")
        lines = files[name].decode().splitlines()
        places = [(place(fault, lines), fault) for fault in own]
        if len({i for i, _ in places}) != len(places):
            raise TableError(f"{name}: two faults on one line")
        for i, fault in places:
            lines[i] = switched(fault, lines[i])
        if name.endswith(".py"):
            at = next(i for i, line in enumerate(lines)
                      if re.match(r"(import|from) ", line) and "__future__" not in line)
            lines.insert(at, "from pyraptor._planted_fault import planted_fault")
        else:
            lines.insert(0, f'#include "{"../" * name.count("/")}planted_fault.hpp"')
        changed[name] = ("\n".join(lines) + "\n").encode()
    return changed


def misplaced(root, faults):
    """The errors of place() for all faults without a line of their own in the tree at `root`."""
    wrong, lines, taken = [], {}, {}
    for fault in faults:
        path = pathlib.Path(root) / fault.file
        try:
            if fault.file not in lines:
                if not path.is_file():
                    raise TableError(f"{fault.where}: no file {fault.file}")
                lines[fault.file] = path.read_text().splitlines()
            at = (fault.file, place(fault, lines[fault.file]))
            if at in taken:
                raise TableError(f"{fault.where}: {fault.name} is on the line of {taken[at]}")
            taken[at] = fault.name
        except TableError as e:
            wrong.append(str(e))
    return wrong
