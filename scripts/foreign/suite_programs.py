"""Programs in MATLAB files: scripts, and functions without parameters, of any directory (--at DIR, or several by FOREIGN_PROGRAMS).

Needs octave-cli and the package of a build tree (build/release/octave, or VR_OCTAVE). Each program becomes a function without results, which
`vr.compare` runs interpreted and compiled: output, errors and random numbers have to be the same, but for rounding. "right" means that compiled code ran the whole
program. Programs that compiled code leaves to the interpreter, entirely or but for loops, count as refused, with the reason.

Lines of scripts that only draw, or clear the workspace, are left out. Not taken: programs that ask the user, read the clock, write files, or
are sessions.
"""
import hashlib
import os
import pathlib
import re
import resource
import subprocess
import tempfile

NAME, TITLE = "programs", "MATLAB programs"
LIMIT = 120

_package = os.environ.get("VR_OCTAVE") or str(pathlib.Path(__file__).resolve().parents[2] / "build/release/octave")

LEFT_OUT = re.compile(
    r"\b(tic|toc|input|clock|now|cputime|fopen|urlread|webread|imread|imshow|imwrite|system|dos|unix|load|save|xlsread|keyboard|pause|inputdlg|"
    r"timeit|datestr|date|sym|syms|ezplot|mex|java\w*|memoize|table|dlmread|textread|csvread|fgetl|fgets|getframe|waitbar|uicontrol|exit|quit|"
    r"classdef|kbhit|beep|sound|audioplayer|weekday|datenum|dir|movie|sim|pkg|timestamp|videoReader|VideoReader|guidata|gui\w+|addpath|cd|"
    r"msgbox|ginput|print|saveas|animatedline|questdlg|menu|delete|mkdir|which|matlabpool|parpool|gpuArray)\b")
DRAWS = re.compile(
    r"^\s*(clear|clearvars|clc|close|figure|hold|plot|xlabel|ylabel|title|legend|grid|axis|subplot|set\s*\(|surf|surfc|mesh|meshc|contour|"
    r"contourf|drawnow|loglog|semilog[xy]|bar|hist|line|text|colorbar|colormap|view|shading|zlabel|plot3|quiver|patch|fill|format|more|xlim|ylim|"
    r"warning|fplot|errorbar|stairs|stem|area|caxis|pcolor|imagesc|box|refresh)\b(?!\s*=)[^\n]*$")
DRAWING = re.compile(r"\b(figure|plot|surf|mesh|contour|axis|subplot|plot3|image|imagesc|patch|hist|bar|quiver|line)\s*\(")

NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
#: Numbers in the output may differ by this, relative to the larger, or absolutely: printed digits and residuals of rounding.
RELATIVE, ABSOLUTE = 1e-4, 1e-11

DRIVER = r"""
a = argv ();
addpath (a{1});
warning ("off", "all");
more off
addpath (a{3});
addpath (a{2});
states = {rand("state"), randn("state"), rande("state")};
try
  c = vr.compare (0, a{4});
  outcome = c.outcome;
  reason = c.reason;
  failed = c.error;
  if (strcmp (outcome, "wrong") && isempty (failed))
    % Does the interpreter print the same when it runs the program once more?
    rand ("state", states{1});
    randn ("state", states{2});
    rande ("state", states{3});
    if (! strcmp (evalc (a{4}), c.output))
      outcome = "harness";
      reason = "two interpreted runs print different texts (times, or variables that are kept between calls)";
    end
  end
catch e
  outcome = "harness";
  reason = e.message;
  failed = "";
end
printf ("@@%s\x01%s\x01%s\n", outcome, strrep (reason, "\n", " | "), strrep (failed, "\n", " | "));
"""


def version():
    done = subprocess.run(["octave-cli", "--version"], capture_output=True, text=True)
    return done.stdout.split("\n")[0].replace("GNU Octave, version ", "Octave ")


def program(path):
    """The name of the function to call and the text of its file, which is None for a function file; or nothing."""
    text = path.read_text(errors="replace").replace("\r\n", "\n").replace("\r", "\n")
    code = re.sub(r"%[^\n]*", "", text)
    if LEFT_OUT.search(code) or ">>" in text:
        return None
    if re.match(r"\s*function\b", code):
        first = re.match(r"\s*function\s+(\w+)\s*(\(\s*\))?\s*(?:\n|;|$)", code)
        if not first or first.group(1) != path.stem or DRAWING.search(code):
            return None
        return path.stem, None
    if re.search(r"^\s*function\b", code, re.M):
        return None
    body = "\n".join(line for line in text.split("\n") if not DRAWS.match(line))
    if len(re.sub(r"\s", "", re.sub(r"%[^\n]*", "", body))) < 30 or re.search(r"\breturn\s*;?\s*$", body):
        return None
    name = "program_" + hashlib.md5(text.encode()).hexdigest()[:8]
    return name, f"function {name} ()\n{body}\nend\n"


def reason_class(kind, text):
    text = text.split(" | ")[0]
    text = re.sub(r"^\S+: (function \S+: )?(error: )?", "", text)
    text = re.sub(r" \[[\w-]+\]$", "", text)
    text = re.sub(r"'[^']{16,}'", "'...'", text)
    return f"{kind}: {text}"[:100]


def rounding_alone(reason):
    """Whether two outputs, in the reason of vr.compare, differ by rounding alone: words are equal, and numbers nearly so."""
    m = re.match(r"output '(.*)' instead of '(.*)', different from character \d+ on$", reason, re.S)
    if not m:
        return False
    got, wanted = (re.sub(r"\\[nt]", " ", text) for text in m.groups())
    if NUMBER.sub("#", got).split() != NUMBER.sub("#", wanted).split():
        return False
    pairs = zip(map(float, NUMBER.findall(got)), map(float, NUMBER.findall(wanted)))
    return all(abs(a - b) <= max(ABSOLUTE, RELATIVE * max(abs(a), abs(b))) for a, b in pairs)


class Case:
    def __init__(self, path, root, name, text):
        self.path, self.name, self.function, self.text = path, str(path.relative_to(root)), name, text

    def run(self, record):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "driver.m").write_text(DRIVER)
            (folder / "program").mkdir()
            if self.text is not None:
                (folder / "program" / f"{self.function}.m").write_text(self.text)
            record.begin(self.function)
            try:
                done = self.octave(folder, record.limit)
            except subprocess.TimeoutExpired:
                record.end("not applicable", f"takes longer than {record.limit} s, interpreted and compiled")
                return
            found = re.search(r"^@@([\w ]*)\x01(.*)\x01(.*)$", done.stdout, re.M)
            if not found:
                said = (done.stderr + done.stdout).strip()[-300:]
                if done.returncode < 0:
                    record.end("crashed", f"status {done.returncode}: {said}")
                else:
                    record.end("not applicable", f"Octave ended: {said}")
                return
            outcome, reason, failed = found.groups()
            if outcome == "wrong" and rounding_alone(reason):
                record.end("right", "but for rounding")
            elif outcome == "wrong":
                record.end("wrong", reason)
            elif outcome == "harness":
                record.end("not applicable", reason)
            elif failed:
                record.end("not applicable", "fails in Octave, too: " + failed[:200])
            elif outcome == "right":
                record.end("right")
            else:
                record.end("refused", f"{outcome}: {reason}", reason=reason_class(outcome, reason))

    def octave(self, folder, limit):
        # Octave prints a message at a signal of the limit of processor time, which would be a part of the output.
        def unlimited():
            resource.setrlimit(resource.RLIMIT_CPU, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        return subprocess.run(["octave-cli", "--no-history", "--no-init-file", "--quiet", str(folder / "driver.m"), _package,
                               str(folder / "program"), str(self.path.parent), self.function], capture_output=True, text=True,
                              errors="replace", stdin=subprocess.DEVNULL, cwd=folder, timeout=limit, preexec_fn=unlimited,
                              env=dict(os.environ, VR_CACHE_DIR=""))


def cases(at):
    roots = [pathlib.Path(p) for p in os.environ.get("FOREIGN_PROGRAMS", "").split(":") if p] + ([at] if at else [])
    found, seen = [], set()
    for root in roots:
        for path in sorted(root.rglob("*.m")):
            if not path.is_file():
                continue
            p = program(path)
            if p and (p[0], str(path.parent) if p[1] is None else "") not in seen:
                seen.add((p[0], str(path.parent) if p[1] is None else ""))
                found.append(Case(path, root, *p))
    return found
