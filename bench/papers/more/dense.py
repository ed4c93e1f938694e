"""Matrices and points: products, eliminations, distances; and sparse ones."""


def matmul(a: f32[:, ::1], b: f32[:, ::1], c: f32[:, ::1]):
    for i in prange(a.shape[0]):
        for j in prange(b.shape[1]):
            s: f32 = 0
            for k in range(a.shape[1]):
                s += a[i, k] * b[k, j]
            c[i, j] = s


def matmul_nt(a: f32[:, ::1], b: f32[:, ::1], c: f32[:, ::1]):
    for i in prange(a.shape[0]):
        for j in prange(b.shape[0]):
            s: f32 = 0
            for k in range(a.shape[1]):
                s += a[i, k] * b[j, k]
            c[i, j] = s


def batched4(a: f32[:, :, ::1], b: f32[:, :, ::1], c: f32[:, :, ::1]):
    for n in prange(a.shape[0]):
        for i in range(4):
            for j in range(4):
                s: f32 = 0
                for k in range(4):
                    s += a[n, i, k] * b[n, k, j]
                c[n, i, j] = s


def batched16(a: f32[:, :, ::1], b: f32[:, :, ::1], c: f32[:, :, ::1]):
    for n in prange(a.shape[0]):
        for i in prange(16):
            for j in prange(16):
                s: f32 = 0
                for k in range(16):
                    s += a[n, i, k] * b[n, k, j]
                c[n, i, j] = s


def floyd_step(d: f32[:, ::1], k: i64):
    for i in prange(d.shape[0]):
        for j in prange(d.shape[1]):
            t = d[i, k] + d[k, j]
            if t < d[i, j]:
                d[i, j] = t


def lu_step(a: f32[:, ::1], b: f32[:, ::1], k: i64):
    for i in prange(k + 1, a.shape[0]):
        for j in prange(k + 1, a.shape[1]):
            b[i, j] = a[i, j] - a[i, k] / a[k, k] * a[k, j]


def gauss_step(a: f64[:, ::1], m: f64[::1], k: i64):
    for i in prange(k + 1, a.shape[0]):
        m[i] = a[i, k] / a[k, k]
    for i in prange(k + 1, a.shape[0]):
        for j in prange(k + 1, a.shape[1]):
            a[i, j] -= m[i] * a[k, j]


def kmeans(x: f32[:, ::1], c: f32[:, ::1], out: i32[::1]):
    for i in prange(x.shape[0]):
        best = np.float32(1e30)
        place = 0
        for k in range(c.shape[0]):
            s: f32 = 0
            for d in range(x.shape[1]):
                t = x[i, d] - c[k, d]
                s += t * t
            if s < best:
                best = s
                place = k
        out[i] = place


def knn(x: f32[:, ::1], y: f32[:, ::1], out: f32[:, ::1]):
    for i in prange(x.shape[0]):
        for j in prange(y.shape[0]):
            s: f32 = 0
            for d in range(x.shape[1]):
                t = x[i, d] - y[j, d]
                s += t * t
            out[i, j] = np.sqrt(s)


def spmv(start: i32[::1], place: i32[::1], value: f32[::1], x: f32[::1], y: f32[::1]):
    for i in prange(y.shape[0]):
        s: f32 = 0
        for k in range(start[i], start[i + 1]):
            s += value[k] * x[place[k]]
        y[i] = s


def bfs_level(start: i32[::1], place: i32[::1], level: i32[::1], found: i32[::1], now: i32):
    for i in prange(level.shape[0]):
        if level[i] == now:
            for k in range(start[i], start[i + 1]):
                if level[place[k]] < 0:
                    found[place[k]] = now + 1


def nbody_rows(p: f32[:, ::1], acc: f32[:, ::1], soft: f32):
    for i in prange(p.shape[0]):
        x = p[i, 0]
        y = p[i, 1]
        z = p[i, 2]
        ax: f32 = 0
        ay: f32 = 0
        az: f32 = 0
        for j in range(p.shape[0]):
            dx = p[j, 0] - x
            dy = p[j, 1] - y
            dz = p[j, 2] - z
            d = dx * dx + dy * dy + dz * dz + soft
            inv = 1 / np.sqrt(d)
            f = p[j, 3] * inv * inv * inv
            ax += dx * f
            ay += dy * f
            az += dz * f
        acc[i, 0] = ax
        acc[i, 1] = ay
        acc[i, 2] = az
        acc[i, 3] = np.float32(0)


def lennard_jones(x: f64[::1], y: f64[::1], z: f64[::1], energy: f64[::1]):
    for i in prange(x.shape[0]):
        e = 0.0
        for j in range(x.shape[0]):
            dx = x[i] - x[j]
            dy = y[i] - y[j]
            dz = z[i] - z[j]
            r2 = dx * dx + dy * dy + dz * dz + 0.01
            s = 1.0 / (r2 * r2 * r2)
            e += s * s - s
        energy[i] = e


def levenshtein(a: u8[:, ::1], b: u8[::1], out: i32[::1]):
    for i in prange(a.shape[0]):
        row = np.empty(33, np.int32)
        for j in range(33):
            row[j] = j
        for k in range(a.shape[1]):
            diag = row[0]
            row[0] = k + 1
            for j in range(32):
                t = row[j + 1]
                c = diag
                if a[i, k] != b[j]:
                    c = diag + 1
                c = min(c, min(t + 1, row[j] + 1))
                diag = t
                row[j + 1] = c
        out[i] = row[32]
