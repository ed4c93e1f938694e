#!/usr/bin/env python3
"""GDB stops in generated code at a line of the program, and its backtrace shows function, file and line.

    gdb_test.py VRIR PROGRAM LINE   PROGRAM: called by `vrir run` with `--args rand:f64:1000`; LINE: a statement of its loop

Exits with 77 if there is no gdb, or if it may not trace processes.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

vrir, program, line = sys.argv[1:4]
name = pathlib.Path(program).name
if not shutil.which("gdb"):
    print("skipped: gdb is not installed (scripts/setup.sh test)")
    sys.exit(77)


def gdb(commands, *flags):
    lines = ["set pagination off", "set confirm off", "set debuginfod enabled off", "set breakpoint pending on", *commands]
    args = [x for command in lines for x in ("-ex", command)]
    env = dict(os.environ, VR_CACHE_DIR="")
    return subprocess.run(["gdb", "-nx", "-batch", *args, "--args", vrir, "run", program, *flags, "--args", "rand:f64:1000"],
                          env=env, capture_output=True, text=True, timeout=300)


failures = []
probe = gdb(["run"], "--on", "interp")
if "ptrace" in probe.stderr or "Couldn't" in probe.stderr or "exited normally" not in probe.stdout:
    print("skipped: gdb cannot run a program here:", probe.stderr.strip()[-200:])
    sys.exit(77)

place = rf"\S*{re.escape(name)}"
for target in ("cpu", "cpu-par"):
    done = gdb([f"break {name}:{line}", "run", "backtrace 4", "delete", "continue"], "-g", "--on", target, "-O", "0")
    stopped = re.search(rf"Breakpoint 1(\.\d+)?, .*\bf .*at {place}:{line}", done.stdout)
    frame = re.search(rf"^#0 .*\bf .*at {place}:{line}", done.stdout, re.M)
    if not stopped or not frame or "exited normally" not in done.stdout:
        failures.append(f"{target}:\n{done.stdout[-3000:]}\n{done.stderr[-1000:]}")

# In optimised code, at least every frame has its function and a line.
done = gdb(["break vr_rt_parallel_for", "run", "backtrace 4", "delete", "continue"], "-g", "--on", "cpu-par", "-O", "2")
if not re.search(rf"^#1 .*\bf .*at {place}:\d+", done.stdout, re.M) or "exited normally" not in done.stdout:
    failures.append(f"-O2:\n{done.stdout[-3000:]}\n{done.stderr[-1000:]}")

# Without line tables GDB has no information about the program, and functions are not registered.
done = gdb([f"break {name}:{line}", "run"], "--on", "cpu", "-O", "0")
if "Breakpoint 1," in done.stdout:
    failures.append("a breakpoint without -g:\n" + done.stdout[-2000:])

print("\n".join(failures) or "all as it should be")
sys.exit(1 if failures else 0)
