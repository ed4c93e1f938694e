"""NPBench's programs in their NumPy form: the function of each bench_info/*.json on its own initial data of preset S.

Needs a checkout of npbench. Arrays are compared with a tolerance that suits the programs' sizes (sums of a million elements).
"""
import importlib
import json
import pathlib
import subprocess
import sys

import judge
import target

NAME, TITLE = "npbench", "NPBench"
PRESET, RTOL = "S", 1e-5  # NPBench's own bound: some programs (nbody) are chaotic
_at = None


def version():
    done = subprocess.run(["git", "-C", str(_at), "log", "-1", "--format=%h of %cs"], capture_output=True, text=True)
    return done.stdout.strip() or "unknown"


class Case:
    def __init__(self, name, info):
        self.name, self.info = name, info

    def run(self, record):
        info = self.info
        record.begin(info["func_name"])
        space = f"npbench.benchmarks.{info['relative_path'].replace('/', '.')}.{info['module_name']}"
        data = dict(info["parameters"][PRESET])
        try:
            if info.get("init"):
                made = importlib.import_module(space)
                initialise = getattr(made, info["init"]["func_name"])
                values = initialise(*[data[k] for k in info["init"]["input_args"]])
                names = info["init"]["output_args"]
                data.update(zip(names, values if len(names) > 1 else [values]))
            module = importlib.import_module(f"{space}_numpy")
        except ImportError as e:
            record.end("not applicable", f"needs {e.name}")
            return
        function = getattr(module, info["func_name"])
        args = tuple(data[k] for k in info["input_args"])
        record.end(*judge.judge(function, target.compiled(function), args, None, target.REFUSAL, record.phase, RTOL))


def cases(at):
    global _at
    if at is None:
        raise SystemExit("npbench needs --at: the folder of a checkout")
    _at = pathlib.Path(at)
    sys.path.insert(0, str(_at))
    found = []
    for path in sorted((_at / "bench_info").glob("*.json")):
        info = json.loads(path.read_text())["benchmark"]
        found.append(Case(info["short_name"], info))
    return found
