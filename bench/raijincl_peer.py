#!/usr/bin/env python3
"""cuBLAS through PyTorch, for comparison with RaijinCL on an NVIDIA GPU: GFLOP/s of square products, TF32 off. Wall time of a
series of calls between two synchronisations, measured as raijincl-tune does. Prints lines `S 4096 48300`.

  raijincl_peer.py [--sizes 512,1024,...] [--seconds 0.3]
"""
import argparse
import time

import torch

args = argparse.ArgumentParser()
args.add_argument("--sizes", default="512,1024,2048,4096,8192")
args.add_argument("--seconds", type=float, default=0.3)
args = args.parse_args()
torch.backends.cuda.matmul.allow_tf32 = False
types = {"S": torch.float32, "D": torch.float64, "C": torch.complex64, "Z": torch.complex128}


def timed(call, seconds):
    call(); call(); torch.cuda.synchronize()
    start = time.perf_counter(); call(); torch.cuda.synchronize(); one = time.perf_counter() - start
    best = one
    for _ in range(5):
        n = max(1, int(seconds / 4 / best))
        start = time.perf_counter()
        for _ in range(n):
            call()
        torch.cuda.synchronize()
        best = min(best, (time.perf_counter() - start) / n)
    return best


for name, dtype in types.items():
    for n in map(int, args.sizes.split(",")):
        if n > 8192 or (n >= 8192 and name == "Z"):
            continue
        if dtype.is_complex:
            a, b = (torch.view_as_complex(torch.rand(n, n, 2, device="cuda", dtype=torch.float32 if name == "C" else torch.float64) * 2 - 1) for _ in range(2))
        else:
            a, b = (torch.rand(n, n, device="cuda", dtype=dtype) * 2 - 1 for _ in range(2))
        c = torch.empty_like(a)
        t = timed(lambda: torch.matmul(a, b, out=c), args.seconds)
        print(name, n, round((8 if dtype.is_complex else 2) * n ** 3 / t * 1e-9), flush=True)
