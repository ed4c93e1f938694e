"""Compiled functions on other processes: Dask's arrays on a cluster of this machine, and cloudpickle."""
import os

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
