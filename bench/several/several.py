"""Programs for several devices: their arrays are made on the devices, so that only halos, and the checked numbers, move."""


def stencil(n: i64, repeats: i64) -> f64:
    u = np.empty((n, n), np.float64)
    v = np.empty((n, n), np.float64)
    with gpu():
        for i in prange(n):
            for j in prange(n):
                u[i, j] = ((i * 131 + j * 17) % 1000) * 0.001
                v[i, j] = 0.0
        for s in range(repeats):
            for i in prange(1, n - 1):
                for j in prange(1, n - 1):
                    v[i, j] = 0.2 * (u[i, j] + u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
            for i in prange(1, n - 1):
                for j in prange(1, n - 1):
                    u[i, j] = 0.2 * (v[i, j] + v[i - 1, j] + v[i + 1, j] + v[i, j - 1] + v[i, j + 1])
        least = u.min() + 0.5 * v.max()
    return least


def nbody(n: i64, repeats: i64) -> f32:
    x = np.empty(n, np.float32)
    y = np.empty(n, np.float32)
    z = np.empty(n, np.float32)
    p = np.empty(n, np.float32)
    q = np.empty(n, np.float32)
    r = np.empty(n, np.float32)
    with gpu():
        for i in prange(n):
            x[i] = np.float32(i % 1013) * np.float32(0.001)
            y[i] = np.float32(i % 733) * np.float32(0.002)
            z[i] = np.float32(i % 397) * np.float32(0.003)
            p[i] = np.float32(0)
            q[i] = np.float32(0)
            r[i] = np.float32(0)
        for s in range(repeats):
            for i in prange(n):
                ax: f32 = 0
                ay: f32 = 0
                az: f32 = 0
                for j in range(n):
                    dx = x[j] - x[i]
                    dy = y[j] - y[i]
                    dz = z[j] - z[i]
                    d = dx * dx + dy * dy + dz * dz + np.float32(0.01)
                    w = np.float32(1) / (d * np.sqrt(d))
                    ax += w * dx
                    ay += w * dy
                    az += w * dz
                p[i] += ax * np.float32(1e-6)
                q[i] += ay * np.float32(1e-6)
                r[i] += az * np.float32(1e-6)
            for i in prange(n):
                x[i] += p[i]
                y[i] += q[i]
                z[i] += r[i]
        least = x.min() + y.max() + z.max()
    return least


def product(n: i64, repeats: i64) -> f32:
    a = np.empty((n, n), np.float32)
    b = np.empty((n, n), np.float32)
    c = np.empty((n, n), np.float32)
    with gpu():
        for i in prange(n):
            for j in prange(n):
                a[i, j] = np.float32((i * 3 + j * 7) % 11) - np.float32(5)
                b[i, j] = np.float32((i * 5 + j) % 7) - np.float32(3)
        for s in range(repeats):
            c = a @ b
        least = c.min()
    return least


def sums(n: i64, repeats: i64) -> f64:
    x = np.empty(n, np.float64)
    total: f64 = 0
    with gpu():
        for i in prange(n):
            x[i] = (i % 1024) * 1.0
        for s in range(repeats):
            total += x.sum()
    return total
