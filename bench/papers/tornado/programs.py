"""TornadoVM's local memory (2021), figures 8 and 9."""


def add(x: f32[::1], repeats: i64):
    s: f32 = 0
    with gpu():
        for turn in range(repeats):
            s = np.float32(0)
            for i in prange(x.shape[0]):
                s += x[i]
    return s


def least(x: f32[::1], repeats: i64):
    m = np.float32(1e30)
    with gpu():
        for turn in range(repeats):
            m = np.float32(1e30)
            for i in prange(x.shape[0]):
                m = min(m, x[i])
    return m


def multiply(x: f32[::1], repeats: i64):
    p = np.float32(1)
    with gpu():
        for turn in range(repeats):
            p = np.float32(1)
            for i in prange(x.shape[0]):
                p *= x[i]
    return p


def transposed(a: f32[:, ::1], out: f32[:, ::1]):
    for i in prange(a.shape[0]):
        for j in prange(a.shape[1]):
            out[j, i] = a[i, j]


def mxm(a: f32[:, ::1], b: f32[:, ::1], c: f32[:, ::1]):
    for i in prange(a.shape[0]):
        for j in prange(b.shape[1]):
            s: f32 = 0
            for k in range(a.shape[1]):
                s += a[i, k] * b[k, j]
            c[i, j] = s


def mxv(a: f32[:, ::1], x: f32[::1], y: f32[::1]):
    for i in prange(a.shape[0]):
        s: f32 = 0
        for j in range(a.shape[1]):
            s += a[i, j] * x[j]
        y[i] = s
