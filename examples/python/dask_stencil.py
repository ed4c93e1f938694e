#!/usr/bin/env python3
"""A stencil with halos on several workers, each with the device that it is told: Dask cuts the array into blocks and
gives each one the row of its neighbours that it needs.

    dask_stencil.py [ROWS] [SWEEPS] [DEVICE ...]

Each DEVICE is what VR_DEVICE is in one worker, such as a part of the device's name; "" is the device that the engine
chooses. Without any there are two workers with "".
"""
import os
import sys

import dask.array
import numpy as np
from distributed import Client, LocalCluster, WorkerPlugin

from pyraptor import gpu, jit, prange


# ---- [stencil]
@jit
def sweep(u):
    """One step of heat flow in the inner points of a block."""
    v = u.copy()
    with gpu():
        for i in prange(1, u.shape[0] - 1):
            for j in prange(1, u.shape[1] - 1):
                v[i, j] = u[i, j] + 0.2 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - 4.0 * u[i, j])
    return v


def sweeps(u, count):
    """u is a dask array. Each block gets a halo of one row and column of its neighbours; outside of u there are zeros."""
    for _ in range(count):
        u = u.map_overlap(sweep, depth=1, boundary=0.0, dtype=u.dtype)
    return u
# ---- [end]


# ---- [workers]
class Device(WorkerPlugin):
    """Worker number k uses device k of the list."""

    def __init__(self, devices):
        self.devices = devices

    def setup(self, worker):
        if self.devices[int(worker.name)]:
            os.environ["VR_DEVICE"] = self.devices[int(worker.name)]


def cluster_of(devices, **options):
    """A cluster with a process for each device, which computes one block at a time."""
    cluster = LocalCluster(n_workers=len(devices), threads_per_worker=1, processes=True, **options)
    client = Client(cluster)
    client.register_plugin(Device(devices))
    return cluster, client
# ---- [end]


def where_it_runs():
    """(process, VR_DEVICE, device in use)"""
    sweep(np.zeros((3, 3)))
    report = sweep.report()[0]
    return os.getpid(), os.environ.get("VR_DEVICE", ""), report.get("device") or "the CPU"


def reference(u, count):
    for _ in range(count):
        w = np.zeros((u.shape[0] + 2, u.shape[1] + 2))
        w[1:-1, 1:-1] = u
        u = u + 0.2 * (w[:-2, 1:-1] + w[2:, 1:-1] + w[1:-1, :-2] + w[1:-1, 2:] - 4.0 * u)
    return u


def main(rows=600, count=4, *devices):
    devices = list(devices) or ["", ""]
    x = np.random.default_rng(0).random((int(rows), 500))
    cluster, client = cluster_of(devices, dashboard_address=None)
    with cluster, client:
        for worker in client.scheduler_info()["workers"]:
            process, setting, device = client.submit(where_it_runs, workers=[worker], pure=False).result()
            print(f"worker {process}: VR_DEVICE={setting!r}: {device}")
        u = dask.array.from_array(x, chunks=(-(-x.shape[0] // (2 * len(devices))), 250))
        result = sweeps(u, int(count)).compute()
    np.testing.assert_allclose(result, reference(x, int(count)), rtol=1e-12, atol=1e-12)
    print(f"{int(count)} sweeps over {x.shape[0]} by {x.shape[1]} points on {len(devices)} workers: the same as NumPy")


if __name__ == "__main__":
    main(*sys.argv[1:])
