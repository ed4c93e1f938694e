#!/usr/bin/env python3
"""VR_TRACE: the output of `vrir` is JSON, contains the expected events, and nests; invalid paths and killed processes do no harm.

    trace_test.py VRIR PROGRAM   PROGRAM: a parallel loop that `vrir run` can call with `--args rand:f64:1000`
"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

vrir, program = sys.argv[1:3]
failures = []


def check(condition, what):
    if not condition:
        failures.append(what)


def run(trace, *more, on="cpu-par", cache=""):
    env = dict(os.environ, VR_TRACE=str(trace), VR_CACHE_DIR=str(cache), VR_NUM_THREADS="2")
    env.pop("VR_DUMP", None)
    return subprocess.run([vrir, "run", program, "--on", on, "--args", "rand:f64:1000", *more], env=env,
                          capture_output=True, text=True)


def spans(path, what, closed=True):
    """The complete events. The file of a killed process may lack its last bracket, but nothing else."""
    text = path.read_text()
    check(text.endswith("\n]\n") == closed, f"{what}: the array is {'not ' if closed else ''}closed")
    try:
        events = json.loads(text if text.endswith("]\n") else text + "]")
    except ValueError as e:
        failures.append(f"{what}: not JSON: {e}")
        return []
    check(events and events[0].get("name") == "process_name", f"{what}: no process name")
    return [e for e in events if e["ph"] == "X"]


def check_nesting(events, what):
    """In one thread, two spans are nested or disjoint."""
    for tid in {e["tid"] for e in events if e["cat"] != "device"}:
        open_until = []
        for e in sorted((e for e in events if e["tid"] == tid), key=lambda e: (e["ts"], -e["dur"])):
            while open_until and open_until[-1] <= e["ts"] + 0.002:
                open_until.pop()
            end = e["ts"] + e["dur"]
            check(not open_until or end <= open_until[-1] + 0.002, f"{what}: {e['name']} reaches beyond what it is in")
            open_until.append(end)


def inside(events, inner, outer):
    """Whether each span named `inner` is within one named `outer`."""
    outers = [e for e in events if e["name"] == outer]
    inners = [e for e in events if e["name"] == inner]
    return bool(inners) and all(any(o["ts"] - 0.002 <= i["ts"] and i["ts"] + i["dur"] <= o["ts"] + o["dur"] + 0.002
                                    for o in outers) for i in inners)


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    plain = run("")
    check(plain.returncode == 0, "the program fails: " + plain.stderr)

    # One engine and an empty cache; then the same again, from the cache.
    done = run(folder / "first.json", cache=folder / "cache")
    check((done.returncode, done.stdout, done.stderr) == (0, plain.stdout, ""), "a trace changes the output: " + done.stderr)
    events = spans(folder / "first.json", "first")
    check_nesting(events, "first")
    names = {(e["cat"], e["name"]) for e in events}
    for wanted in [("compile", "parse"), ("compile", "verify"), ("compile", "passes"), ("pass", "inline_calls"),
                   ("pass", "bounds_check_elim"), ("compile", "lower"), ("compile", "LLVM"), ("LLVM", "emit"),
                   ("LLVM", "optimise"), ("LLVM", "codegen"), ("LLVM", "link"), ("compile", "object cache"),
                   ("compile", "object cache: store"), ("engine", "load"), ("call", "f"), ("native", "f"),
                   ("loop", "pfor"), ("loop", "tasks")]:
        check(wanted in names, f"first: no span {wanted}")
    for inner, outer in [("parse", "load"), ("inline_calls", "passes"), ("optimise", "LLVM"), ("pfor", "f"), ("tasks", "pfor")]:
        check(inside(events, inner, outer), f"first: {inner} is not inside {outer}")
    check([e["args"]["found"] for e in events if e["name"] == "object cache"] == ["no"], "first: found in an empty cache")
    check(len({e["pid"] for e in events}) == 1, "first: more than one process")
    run(folder / "second.json", cache=folder / "cache")
    events = spans(folder / "second.json", "second")
    check([e["args"]["found"] for e in events if e["name"] == "object cache"] == ["yes"], "second: not found in the cache")
    check(not any(e["name"] == "optimise" for e in events), "second: compiled all the same")

    # Several engines in one process; a device where there is one.
    done = run(folder / "several.json", on="interp,cpu,cpu-par")
    events = spans(folder / "several.json", "several")
    check_nesting(events, "several")
    check(sum(e["name"] == "load" for e in events) == 3, "several: not three loads")
    check(sum(e["cat"] == "call" for e in events) == 3, "several: not three calls")

    # %p, and a program that fails.
    done = subprocess.run([vrir, "run", program, "--args", "3"], env=dict(os.environ, VR_TRACE=str(folder / "x%p.json")),
                          capture_output=True, text=True)
    check(done.returncode == 1, "an error has become none")
    made = list(folder.glob("x*.json"))
    check(len(made) == 1 and made[0].name[1:-5].isdigit(), f"%p: {made}")
    spans(made[0], "%p")

    # The file cannot be written: one warning, and the program continues. The same if the disk is full.
    for bad in ["/no/such/folder/t.json", "/dev/full"]:
        done = run(bad)
        check(done.returncode == 0 and done.stdout == plain.stdout, f"{bad}: the program fails")
        lines = done.stderr.splitlines()
        check(len(lines) == 1 and lines[0].startswith("warning: VR_TRACE: " + bad), f"{bad}: said {done.stderr!r}")

    # Killed in the middle: lines are complete, only the last bracket is missing.
    env = dict(os.environ, VR_TRACE=str(folder / "killed.json"), VR_CACHE_DIR="")
    victim = subprocess.Popen([vrir, "run", program, "--on", "cpu", "--args", "rand:f64:1000", "--time", "--repeat", "1000000"],
                              env=env, stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not ((folder / "killed.json").exists() and
                                               (folder / "killed.json").stat().st_size > 20000):
        time.sleep(0.01)
    victim.send_signal(signal.SIGKILL)
    victim.wait()
    check(len(spans(folder / "killed.json", "killed", closed=False)) > 50, "killed: hardly any event")

print("\n".join(failures) or "all as it should be")
sys.exit(1 if failures else 0)
