"""Linear algebra, statistics and line sweeps of PolyBench/GPU."""


def atax(a: f32[:, ::1], x: f32[::1], t: f32[::1], y: f32[::1]):
    for i in prange(a.shape[0]):
        s: f32 = 0
        for j in range(a.shape[1]):
            s += a[i, j] * x[j]
        t[i] = s
    for j in prange(a.shape[1]):
        s = np.float32(0)
        for i in range(a.shape[0]):
            s += a[i, j] * t[i]
        y[j] = s


def gesummv(a: f32[:, ::1], b: f32[:, ::1], x: f32[::1], y: f32[::1], alpha: f32, beta: f32):
    for i in prange(a.shape[0]):
        s: f32 = 0
        t: f32 = 0
        for j in range(a.shape[1]):
            s += a[i, j] * x[j]
            t += b[i, j] * x[j]
        y[i] = alpha * s + beta * t


def gemver(a: f64[:, ::1], u1: f64[::1], v1: f64[::1], u2: f64[::1], v2: f64[::1], y: f64[::1], z: f64[::1], x: f64[::1], w: f64[::1],
           alpha: f64, beta: f64):
    n = a.shape[0]
    for i in prange(n):
        for j in prange(n):
            a[i, j] += u1[i] * v1[j] + u2[i] * v2[j]
    for j in prange(n):
        s = 0.0
        for i in range(n):
            s += a[i, j] * y[i]
        x[j] = z[j] + beta * s
    for i in prange(n):
        s = 0.0
        for j in range(n):
            s += a[i, j] * x[j]
        w[i] = alpha * s


def covariance(data: f32[:, ::1], mean: f32[::1], cov: f32[:, ::1]):
    n = data.shape[0]
    m = data.shape[1]
    for j in prange(m):
        s: f32 = 0
        for i in range(n):
            s += data[i, j]
        mean[j] = s / np.float32(n)
    for i in prange(n):
        for j in prange(m):
            data[i, j] -= mean[j]
    for i in prange(m):
        for j in prange(i, m):
            s = np.float32(0)
            for k in range(n):
                s += data[k, i] * data[k, j]
            cov[i, j] = s / np.float32(n - 1)
            cov[j, i] = cov[i, j]


def trmm(a: f32[:, ::1], b: f32[:, ::1], c: f32[:, ::1], alpha: f32):
    for i in prange(b.shape[0]):
        for j in prange(b.shape[1]):
            s = b[i, j]
            for k in range(i + 1, a.shape[0]):
                s += a[k, i] * b[k, j]
            c[i, j] = alpha * s


def doitgen(a: f32[:, :, ::1], c: f32[:, ::1]):
    for r in prange(a.shape[0]):
        for q in prange(a.shape[1]):
            line = np.empty(128, np.float32)
            for p in range(128):
                s: f32 = 0
                for k in range(128):
                    s += a[r, q, k] * c[k, p]
                line[p] = s
            for p in range(128):
                a[r, q, p] = line[p]


def adi(u: f64[:, ::1], v: f64[:, ::1], p: f64[:, ::1], q: f64[:, ::1], x: f64, y: f64):
    n = u.shape[0]
    a = -0.5 * x
    b = 1.0 + x
    d = -0.5 * y
    e = 1.0 + y
    for i in prange(1, n - 1):
        v[0, i] = 1.0
        p[i, 0] = 0.0
        q[i, 0] = 1.0
        for j in range(1, n - 1):
            p[i, j] = -a / (a * p[i, j - 1] + b)
            q[i, j] = (-d * u[j, i - 1] + (1.0 + 2.0 * d) * u[j, i] - d * u[j, i + 1] - a * q[i, j - 1]) / (a * p[i, j - 1] + b)
        v[n - 1, i] = 1.0
        for j in range(n - 2, 0, -1):
            v[j, i] = p[i, j] * v[j + 1, i] + q[i, j]
    for i in prange(1, n - 1):
        u[i, 0] = 1.0
        p[i, 0] = 0.0
        q[i, 0] = 1.0
        for j in range(1, n - 1):
            p[i, j] = -d / (d * p[i, j - 1] + e)
            q[i, j] = (-a * v[i - 1, j] + (1.0 + 2.0 * a) * v[i, j] - a * v[i + 1, j] - d * q[i, j - 1]) / (d * p[i, j - 1] + e)
        u[i, n - 1] = 1.0
        for j in range(n - 2, 0, -1):
            u[i, j] = p[i, j] * u[i, j + 1] + q[i, j]


def gram_schmidt(a: f32[:, ::1], q: f32[:, ::1], r: f32[:, ::1], k: i64):
    n = a.shape[0]
    s: f32 = 0
    for i in prange(n):
        s += a[i, k] * a[i, k]
    norm = np.sqrt(s)
    r[k, k] = norm
    for i in prange(n):
        q[i, k] = a[i, k] / norm
    for j in prange(k + 1, a.shape[1]):
        t: f32 = 0
        for i in range(n):
            t += q[i, k] * a[i, j]
        r[k, j] = t
        for i in range(n):
            a[i, j] -= q[i, k] * t
