"""Compiled functions on other processes: Dask's arrays on a cluster of this machine, and cloudpickle."""
import os
import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest

import pyraptor

cloudpickle = pytest.importorskip("cloudpickle")
dask_array = pytest.importorskip("dask.array")
distributed = pytest.importorskip("distributed")

SCALE = 2.0


@pyraptor.jit
def weight(x):
    return 1.0 / (1.0 + x * x)


@pyraptor.jit
def smooth(a):
    out = np.empty_like(a)
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            out[i, j] = weight(a[i, j]) * SCALE
    return out


def where_it_ran(a):
    smooth(a)
    return os.getpid(), len(smooth._impl.versions)


def test_cloudpickle():
    offset = np.arange(3.0)

    @pyraptor.jit
    def local(x):
        return weight(x) + offset[1]

    copy = cloudpickle.loads(cloudpickle.dumps(local))
    assert copy(1.0) == local(1.0) == 1.5


def test_map_blocks_with_threads():
    x = np.random.default_rng(0).random((60, 50))
    blocks = dask_array.from_array(x, chunks=(20, 25)).map_blocks(smooth, dtype=np.float64)
    np.testing.assert_allclose(blocks.compute(scheduler="threads"), smooth.__wrapped__(x))


def test_a_cluster_of_processes(tmp_path):
    x = np.random.default_rng(1).random((60, 50))
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None,
                                  local_directory=str(tmp_path)) as cluster, distributed.Client(cluster) as client:
        blocks = dask_array.from_array(x, chunks=(10, 25)).map_blocks(smooth, dtype=np.float64)
        np.testing.assert_allclose(blocks.compute(), smooth.__wrapped__(x))
        ran = client.gather([client.submit(where_it_ran, x, workers=[w], pure=False)
                             for w in client.scheduler_info()["workers"]])
        assert len({pid for pid, _ in ran}) == 2 and all(pid != os.getpid() and n >= 1 for pid, n in ran)


STENCIL = pathlib.Path(__file__).resolve().parents[3] / "examples/python/dask_stencil.py"


def stencil(*arguments):
    return subprocess.run([sys.executable, str(STENCIL), *arguments], capture_output=True, text=True, timeout=280)


def test_a_stencil_with_halos_on_workers_with_devices():
    device = pyraptor._jit.device_engine()[0].device_name() if pyraptor._jit.has_device() else ""
    told = device.split(" (")[0]  # the second worker is told the device's name
    done = stencil("90", "3", "", told)
    assert done.returncode == 0, done.stderr
    workers = re.findall(r"^worker (\d+): VR_DEVICE='(.*)': (.*)$", done.stdout, re.M)
    assert len({process for process, _, _ in workers}) == 2
    assert sorted(setting for _, setting, _ in workers) == sorted(["", told])
    assert {used for _, _, used in workers} == {device or "the CPU"}
    assert done.stdout.endswith("3 sweeps over 90 by 500 points on 2 workers: the same as NumPy\n")


@pytest.mark.skipif(not pyraptor._jit.has_device(), reason="no device")
def test_a_worker_is_told_a_device_that_does_not_exist():
    done = stencil("30", "1", "", "no such device")
    assert done.returncode != 0 and "no OpenCL device matches 'no such device'" in done.stderr
