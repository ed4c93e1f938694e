"""unPython and jit4GPU (2011), figures 11 to 16."""


def matmul(a: T[:, ::1], b: T[:, ::1], c: T[:, ::1]):
    for i in prange(a.shape[0]):
        for j in prange(b.shape[1]):
            s: T = 0
            for k in range(a.shape[1]):
                s += a[i, k] * b[k, j]
            c[i, j] = s


def rank_k(a: T[:, ::1], c: T[:, ::1]):
    # in place
    for i in prange(a.shape[0]):
        for j in prange(i + 1):
            s: T = 0
            for k in range(a.shape[1]):
                s += a[i, k] * a[j, k]
            c[i, j] += s


def rank_2k(a: T[:, ::1], b: T[:, ::1], c: T[:, ::1]):
    # in place
    for i in prange(a.shape[0]):
        for j in prange(i + 1):
            s: T = 0
            for k in range(a.shape[1]):
                s += a[i, k] * b[j, k] + b[i, k] * a[j, k]
            c[i, j] += s


def nbody(x: T[:, ::1], y: T[:, ::1], z: T[:, ::1], out: T[:, ::1]):
    for i in prange(x.shape[0]):
        for j in prange(x.shape[1]):
            s: T = 0
            for k in range(x.shape[0]):
                for l in range(x.shape[1]):
                    dx = x[i, j] - x[k, l]
                    dy = y[i, j] - y[k, l]
                    dz = z[i, j] - z[k, l]
                    s += np.sqrt(dx * dx + dy * dy + dz * dz)
            out[i, j] = s


def coulomb(atom: f32[:, ::1], out: f32[:, ::1], step: f32, height: f32):
    for i in prange(out.shape[0]):
        for j in prange(out.shape[1]):
            x = step * np.float32(j)
            y = step * np.float32(i)
            v: f32 = 0
            for k in range(atom.shape[0]):
                dx = x - atom[k, 0]
                dy = y - atom[k, 1]
                dz = height - atom[k, 2]
                v += atom[k, 3] / np.sqrt(dx * dx + dy * dy + dz * dz)
            out[i, j] = v


def stencil5(u: f64[:, ::1], v: f64[:, ::1], a: f64, b: f64):
    for i in prange(1, u.shape[0] - 1):
        for j in prange(1, u.shape[1] - 1):
            v[i, j] = a * u[i, j] + b * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
