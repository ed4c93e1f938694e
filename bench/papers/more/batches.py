"""One small problem an iteration: systems, matrices, searches, codes."""


def tridiagonal(a: f32[:, ::1], b: f32[:, ::1], c: f32[:, ::1], d: f32[:, ::1], e: f32[:, ::1], x: f32[:, ::1]):
    m = a.shape[0]
    for s in prange(a.shape[1]):
        e[0, s] = c[0, s] / b[0, s]
        x[0, s] = d[0, s] / b[0, s]
        for k in range(1, m):
            w = 1 / (b[k, s] - a[k, s] * e[k - 1, s])
            e[k, s] = c[k, s] * w
            x[k, s] = (d[k, s] - a[k, s] * x[k - 1, s]) * w
        for t in range(1, m):
            k = m - 1 - t
            x[k, s] -= e[k, s] * x[k + 1, s]


def inverse3(a: f32[:, :, ::1], out: f32[:, :, ::1]):
    for n in prange(a.shape[0]):
        c00 = a[n, 1, 1] * a[n, 2, 2] - a[n, 1, 2] * a[n, 2, 1]
        c01 = a[n, 1, 2] * a[n, 2, 0] - a[n, 1, 0] * a[n, 2, 2]
        c02 = a[n, 1, 0] * a[n, 2, 1] - a[n, 1, 1] * a[n, 2, 0]
        s = 1 / (a[n, 0, 0] * c00 + a[n, 0, 1] * c01 + a[n, 0, 2] * c02)
        out[n, 0, 0] = c00 * s
        out[n, 1, 0] = c01 * s
        out[n, 2, 0] = c02 * s
        out[n, 0, 1] = (a[n, 0, 2] * a[n, 2, 1] - a[n, 0, 1] * a[n, 2, 2]) * s
        out[n, 1, 1] = (a[n, 0, 0] * a[n, 2, 2] - a[n, 0, 2] * a[n, 2, 0]) * s
        out[n, 2, 1] = (a[n, 0, 1] * a[n, 2, 0] - a[n, 0, 0] * a[n, 2, 1]) * s
        out[n, 0, 2] = (a[n, 0, 1] * a[n, 1, 2] - a[n, 0, 2] * a[n, 1, 1]) * s
        out[n, 1, 2] = (a[n, 0, 2] * a[n, 1, 0] - a[n, 0, 0] * a[n, 1, 2]) * s
        out[n, 2, 2] = (a[n, 0, 0] * a[n, 1, 1] - a[n, 0, 1] * a[n, 1, 0]) * s


def cholesky4(a: f64[:, :, ::1], out: f64[:, :, ::1]):
    for n in prange(a.shape[0]):
        l = np.empty(16, np.float64)
        for i in range(4):
            for j in range(i + 1):
                s = a[n, i, j]
                for k in range(j):
                    s -= l[4 * i + k] * l[4 * j + k]
                if i == j:
                    l[4 * i + j] = np.sqrt(s)
                else:
                    l[4 * i + j] = s / l[4 * j + j]
        for i in range(4):
            for j in range(4):
                out[n, i, j] = l[4 * i + j] if j <= i else 0.0


def quaternions(q: f32[:, ::1], v: f32[:, ::1], out: f32[:, ::1]):
    for n in prange(q.shape[0]):
        w = q[n, 0]
        x = q[n, 1]
        y = q[n, 2]
        z = q[n, 3]
        tx = 2 * (y * v[n, 2] - z * v[n, 1])
        ty = 2 * (z * v[n, 0] - x * v[n, 2])
        tz = 2 * (x * v[n, 1] - y * v[n, 0])
        out[n, 0] = v[n, 0] + w * tx + y * tz - z * ty
        out[n, 1] = v[n, 1] + w * ty + z * tx - x * tz
        out[n, 2] = v[n, 2] + w * tz + x * ty - y * tx


def crc32(data: u8[:, ::1], table: u32[::1], out: u32[::1]):
    for i in prange(data.shape[0]):
        c = np.uint32(0xffffffff)
        for k in range(data.shape[1]):
            c = table[(c ^ np.uint32(data[i, k])) & np.uint32(255)] ^ (c >> 8)
        out[i] = ~c


def fir(x: f32[::1], h: f32[::1], y: f32[::1]):
    for i in prange(y.shape[0]):
        s: f32 = 0
        for k in range(h.shape[0]):
            s += h[k] * x[i + k]
        y[i] = s


def dilate_u8(a: u8[:, ::1], out: u8[:, ::1]):
    for i in prange(1, a.shape[0] - 1):
        for j in prange(1, a.shape[1] - 1):
            m = a[i, j]
            for k in range(-1, 2):
                for l in range(-1, 2):
                    m = max(m, a[i + k, j + l])
            out[i, j] = m


def kepler(mean: f64[::1], ecc: f64[::1], out: f64[::1]):
    for i in prange(mean.shape[0]):
        e = mean[i]
        d = 1.0
        n = 0
        while abs(d) > 1e-12 and n < 30:
            d = (e - ecc[i] * np.sin(e) - mean[i]) / (1.0 - ecc[i] * np.cos(e))
            e -= d
            n += 1
        out[i] = e


def collatz(start: u32[::1], out: i32[::1]):
    for i in prange(start.shape[0]):
        v = np.uint64(start[i])
        n: i32 = 0
        while v > np.uint64(1):
            if (v & 1) == 0:
                v >>= 1
            else:
                v = np.uint64(3) * v + np.uint64(1)
            n += 1
        out[i] = n


def search(a: f32[::1], x: f32[::1], out: i32[::1]):
    for i in prange(x.shape[0]):
        lo = 0
        hi = a.shape[0]
        while lo < hi:
            mid = (lo + hi) // 2
            if a[mid] < x[i]:
                lo = mid + 1
            else:
                hi = mid
        out[i] = lo


def deposit(cell: i32[::1], mass: f32[::1], grid: f32[::1]):
    for i in prange(cell.shape[0]):
        grid[cell[i]] += mass[i]


def bit_reverse(x: f32[::1], out: f32[::1], bits: i64):
    for i in prange(x.shape[0]):
        r = 0
        k = i
        for b in range(bits):
            r = (r << 1) | (k & 1)
            k >>= 1
        out[r] = x[i]


def dft8(re: f32[:, ::1], im: f32[:, ::1], cosine: f32[::1], sine: f32[::1], outr: f32[:, ::1], outi: f32[:, ::1]):
    for n in prange(re.shape[0]):
        for k in range(8):
            a: f32 = 0
            b: f32 = 0
            for j in range(8):
                c = cosine[(j * k) & 7]
                s = sine[(j * k) & 7]
                a += re[n, j] * c - im[n, j] * s
                b += re[n, j] * s + im[n, j] * c
            outr[n, k] = a
            outi[n, k] = b


def perlin(out: f32[:, ::1], gx: f32[::1], gy: f32[::1], scale: f32):
    h = out.shape[0]
    w = out.shape[1]
    for i in prange(h):
        for j in prange(w):
            x = np.float32(j) * scale
            y = np.float32(i) * scale
            x0 = int(x)
            y0 = int(y)
            fx = x - np.float32(x0)
            fy = y - np.float32(y0)
            a = (x0 * 73 + y0 * 151) & 255
            b = (x0 * 73 + 73 + y0 * 151) & 255
            c = (x0 * 73 + y0 * 151 + 151) & 255
            d = (x0 * 73 + 73 + y0 * 151 + 151) & 255
            u = fx * fx * fx * (fx * (fx * 6 - 15) + 10)
            v = fy * fy * fy * (fy * (fy * 6 - 15) + 10)
            n0 = gx[a] * fx + gy[a] * fy
            n1 = gx[b] * (fx - 1) + gy[b] * fy
            n2 = gx[c] * fx + gy[c] * (fy - 1)
            n3 = gx[d] * (fx - 1) + gy[d] * (fy - 1)
            low = n0 + u * (n1 - n0)
            high = n2 + u * (n3 - n2)
            out[i, j] = low + v * (high - low)
