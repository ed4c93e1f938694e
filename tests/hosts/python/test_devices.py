"""Several devices, and devices with little memory: what moves. Each case is a process of its own, since drivers read the environment once."""
import json
import os
import subprocess
import sys

import pytest

PROGRAM = """
import json, sys
import numpy as np
import pyraptor
from pyraptor import *

@jit(gpu=True)
def total(x: f64[:]) -> f64:
    t: f64 = 0
    for i in prange(len(x)):
        t += x[i]
    return t

@jit(gpu=True)
def sweeps(u: f64[:, :], v: f64[:, :], n: i64):
    for s in range(n):
        for i in prange(1, u.shape[0] - 1):
            for j in prange(1, u.shape[1] - 1):
                v[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
        for i in prange(1, u.shape[0] - 1):
            for j in prange(1, u.shape[1] - 1):
                u[i, j] = 0.25 * (v[i - 1, j] + v[i + 1, j] + v[i, j - 1] + v[i, j + 1])

CONFIG
if not pyraptor._jit.has_device():
    print(json.dumps(None))
    sys.exit()
"""


def start(folder, program, config="", **environment):
    file = folder / "program.py"
    file.write_text(PROGRAM.replace("CONFIG", config) + program)
    env = {**os.environ, "VR_CACHE_DIR": "", "VR_ZERO_COPY": "0", **environment}
    return subprocess.run([sys.executable, str(file)], env=env, capture_output=True, text=True, timeout=300)


def run(*program, **environment):
    done = start(*program, **environment)
    if "no OpenCL device on this machine" in done.stderr:  # where several are asked for
        pytest.skip("no device")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.strip().split("\n")[-1])
    if found is None:
        pytest.skip("no device")
    return found


SUM = """
x = np.arange(500_000, dtype=np.float64)
assert total(x) == x.sum()
print(json.dumps(device_use()))
"""
SWEEPS = """
u = np.random.default_rng(1).random((300, 400))
v = u.copy()
want, other = u.copy(), u.copy()
for s in range(5):
    for a, b in ((want, other), (other, want)):
        b[1:-1, 1:-1] = 0.25 * (a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:])
sweeps(u, v, 5)
assert (u == want).all() and (v == other).all()
print(json.dumps(device_use()))
"""
TWO = {"POCL_DEVICES": "pthread pthread"}


def test_a_sum_larger_than_the_device_runs_in_chunks(tmp_path):
    use = run(tmp_path, SUM, VR_DEVICE_MEMORY="1000000")
    # The loop, and the sum of its 2**18 partial results.
    assert use["in_chunks"] == 2 and use["on_host"] == 0
    assert use["bytes_up"] < 1.1 * (4_000_000 + 8 * 2**18)


def test_each_of_several_devices_gets_its_part_of_a_sum(tmp_path):
    use = run(tmp_path, SUM, VR_DEVICES="all", **TWO)
    if use["divided"] == 0:
        pytest.skip("one device")
    assert use["bytes_up"] < 1.1 * 4_000_000


@pytest.mark.parametrize("config", ["", "pyraptor.config.devices = 'all'"])
def test_stencils_exchange_halos(tmp_path, config):
    use = run(tmp_path, SWEEPS, config, **({} if config else {"VR_DEVICES": "all"}), **TWO)
    if use["divided"] == 0:
        pytest.skip("one device")
    assert use["divided"] == 10
    # Both arrays once, and for each sweep a row of 398 elements each way.
    assert use["bytes_up"] < 2 * 300 * 400 * 8 + 2 * 400 * 8 + 11 * 2 * 402 * 8


def test_devices_are_checked(tmp_path):
    done = start(tmp_path, SUM, "pyraptor.config.devices = 'opencl:0,opencl:0'")
    if "no OpenCL device on this machine" in done.stderr:
        pytest.skip("no device")
    assert done.returncode != 0
    assert "names opencl:0" in done.stderr and "twice" in done.stderr
