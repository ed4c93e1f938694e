"""Arguments of the programs: some milliseconds of work each; with a divisor, smaller by it in each dimension."""
import numpy as np


def cases(divisor=1):
    rng = np.random.default_rng(1)

    def size(n):
        return n // divisor if n >= 60 else n

    def floats(*extents):
        return rng.random([size(n) for n in extents])

    def singles(*extents):
        return floats(*extents).astype(np.float32)

    def integers(end, *extents):
        return rng.integers(0, end, [size(n) for n in extents])

    def small(end, *extents):
        return integers(end, *extents).astype(np.uint8)

    def zeros(*extents, kind=np.float64, more=0):
        return np.zeros([size(n) + more for n in extents], kind)

    def graph(n, degree):
        n = size(n)
        return np.arange(0, n * degree + 1, degree, np.int32), rng.integers(0, n, n * degree, np.int32)

    def definite(n):
        a = floats(n, n)
        return a @ a.T + size(n) * np.eye(size(n))

    def one(kind=np.int64):
        return np.zeros(1, kind)

    i8, i64, f32 = np.uint8, np.int64, np.float32
    cx, cy = np.array([0, 1, 0, -1, 0, 1, -1, -1, 1]), np.array([0, 0, 1, 0, -1, 1, 1, -1, -1])
    weights = np.array([4 / 9] + [1 / 9] * 4 + [1 / 36] * 4)
    table = np.linspace(0, 1, 40)
    return {
        "gemm": (floats(220, 220), floats(220, 220), floats(220, 220), 1.5, 1.2),
        "k2mm": (zeros(160, 160), *(floats(160, 160) for _ in range(4)), 1.5, 1.2),
        "atax": (floats(900, 1000), floats(1000), zeros(1000), zeros(900)),
        "bicg": (floats(900, 1000), zeros(1000), zeros(900), floats(1000), floats(900)),
        "mvt": (*(floats(1000) for _ in range(4)), floats(1000, 1000)),
        "doitgen": (floats(40, 40, 60), floats(60, 60), zeros(60)),
        "gemver": (1.5, 1.2, floats(800, 800), *(floats(800) for _ in range(4)), zeros(800), zeros(800), floats(800), floats(800)),
        "gesummv": (1.5, 1.2, floats(900, 900), floats(900, 900), zeros(900), floats(900), zeros(900)),
        "symm": (floats(160, 200), floats(160, 160), floats(160, 200), 1.5, 1.2),
        "syr2k": (floats(200, 200), floats(200, 160), floats(200, 160), 1.5, 1.2),
        "syrk": (floats(200, 200), floats(200, 160), 1.5, 1.2),
        "trmm": (floats(180, 180) / 180, floats(180, 200), 1.5),
        "cholesky": (definite(240),),
        "durbin": (np.linspace(0.25, 0.0001, size(1500)), zeros(1500), zeros(1500)),
        "gramschmidt": (floats(160, 180) + np.eye(size(160), size(180)), zeros(180, 180), zeros(160, 180)),
        "lu": (definite(240),),
        "ludcmp": (definite(240), floats(240), zeros(240), zeros(240)),
        "trisolv": (definite(1500), zeros(1500), floats(1500)),
        "deriche": (floats(480, 720), zeros(480, 720), zeros(480, 720), zeros(480, 720), 0.1, 0.2, 0.3, 0.2),
        "floyd": (integers(999, 160, 160),),
        "nussinov": (integers(4, 180), zeros(180, 180, kind=i64)),
        "adi": (floats(200, 200), *(zeros(200, 200) for _ in range(3)), 2, -0.3, 1.6, -0.3, -0.2, 1.4, -0.2),
        "fdtd2d": (floats(240, 260), floats(240, 260), floats(240, 260), 10),
        "heat3d": (floats(44, 44, 44), floats(44, 44, 44), 10),
        "jacobi1d": (floats(4000), floats(4000), 300),
        "jacobi2d": (floats(250, 250), floats(250, 250), 40),
        "seidel2d": (floats(250, 250), 6),
        "correlation": (floats(260, 200), zeros(200, 200), zeros(200), zeros(200)),
        "covariance": (floats(260, 200), zeros(200, 200), zeros(200)),
        "nw": (small(4, 900), small(4, 1000), zeros(900, 1000, kind=np.int32, more=1), 2),
        "levenshtein": (small(8, 1000), small(8, 1000), zeros(1000, kind=i64, more=1), one()),
        "dtw": (floats(600), floats(600), zeros(600, 600, more=1) + 9),
        "sieve": (zeros(1000000, kind=i8), one()),
        "histogram": (small(256, 3000000), np.zeros(256, i64)),
        "prefix": (floats(1000000), zeros(1000000)),
        "collatz": (zeros(20000, kind=i64),),
        "life": (small(2, 400, 400), zeros(400, 400, kind=i8), 5),
        "conv3": (floats(700, 700), floats(3, 3), zeros(700, 700)),
        "fir": (floats(20000), floats(50), np.zeros(size(20000) - 50)),
        "autocorr": (floats(20000), zeros(50)),
        "thomas": (floats(200, 500), floats(200, 500) + 4, floats(200, 500), floats(200, 500)),
        "spmv": (*graph(40000, 12), floats(480000), floats(40000), zeros(40000)),
        "kmeans": (floats(8000, 8), floats(16, 8), zeros(8000, kind=i64)),
        "lcgpi": (np.zeros(1), size(400000)),
        "bubble": (floats(1200),),
        "insertion": (floats(3000),),
        "lowerb": (np.sort(floats(100000)), floats(50000), zeros(50000, kind=i64)),
        "lbm": (floats(9, 120, 160) + 1, zeros(9, 120, 160), cx, cy, weights, 1.2),
        "bilateral": (floats(120, 120), zeros(120, 120), 3, 0.1, 5.0),
        "gray": (small(256, 800, 1000, 3), zeros(800, 1000, kind=i8)),
        "sobel": (small(256, 1000, 1000), zeros(1000, 1000, kind=i8)),
        "crc": (small(256, 500000), rng.integers(0, 2**32, 256), one()),
        "viterbi": (integers(20, 300), np.log(floats(40, 40)), np.log(floats(40, 20)), zeros(300, 40), zeros(300, 40, kind=i64)),
        "transpose3": (floats(100, 110, 120), zeros(120, 110, 100)),
        "rowmax": (floats(900, 900), zeros(900), zeros(900, kind=i64)),
        "softmax": (floats(500, 500), zeros(500, 500)),
        "saxpy32": (f32(1.5), singles(100000), singles(100000)),
        "dot32": (singles(100000), singles(100000), one(f32)),
        "mm32": (singles(220, 220), singles(220, 220), singles(220, 220)),
        "gauss": (floats(200, 200), floats(200)),
        "bfs": (*graph(60000, 8), zeros(60000, kind=i64), zeros(60000, kind=i64)),
        "knapsack": (integers(100, 120) + 1, integers(100, 120), zeros(20000, kind=i64)),
        "lcs": (small(4, 900), small(4, 1000), zeros(900, 1000, kind=np.int32, more=1)),
        "poly": (floats(100000), floats(12), zeros(100000)),
        "dft": (floats(250), floats(250), zeros(250), zeros(250)),
        "interp1": (table, np.sin(table), floats(60000), zeros(60000)),
        "erode": (small(256, 600, 600), zeros(600, 600, kind=i8)),
        "box": (floats(400, 400), zeros(400, 400), 3),
        "nbody3": (floats(500, 3), floats(500, 3), floats(500), 0.01),
        "mandel": (zeros(120, 160, kind=i64), -2.0, -1.0, 0.0167, 100),
        "wave": (floats(300, 300), floats(300, 300), zeros(300, 300), 0.2, 10),
        "sor": (floats(300, 300), floats(300, 300), 1.5, 10),
        "quick": (floats(60000), np.zeros(4000, i64)),
        "merge": (floats(60000), zeros(60000)),
        "cumstats": (floats(800, 600), zeros(800), zeros(800)),
        "popcount": (rng.integers(0, 2**40, size(60000)), one()),
    }
