#!/usr/bin/env python3
"""interrupt_test.py VRIR ENDLESS: Ctrl-C ends `vrir run` with a message and exit status 130, native code and interpreted."""
import signal
import subprocess
import sys
import time

for target in ("interp", "cpu", "cpu-par"):
    command = [sys.argv[1], "run", sys.argv[2], "--on", target, "--args", "1"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as run:
        # Before vrir has set its handler the signal would end it at once, as any program.
        with open(f"/proc/{run.pid}/status") as status:
            while True:
                status.seek(0)
                caught = int(next(line for line in status if line.startswith("SigCgt")).split()[1], 16)
                if caught >> (signal.SIGINT - 1) & 1:
                    break
                time.sleep(0.01)
        run.send_signal(signal.SIGINT)
        try:
            errors = run.communicate(timeout=60)[1]
        except subprocess.TimeoutExpired:
            run.kill()
            sys.exit(f"{target}: SIGINT does not end it")
    if run.returncode != 130 or "INTERRUPTED: interrupted in function 'f'" not in errors:
        sys.exit(f"{target}: status {run.returncode}: {errors}")
