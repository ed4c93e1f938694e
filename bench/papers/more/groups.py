"""Many small problems, each with serial steps of parallel work, as in textbooks of GPU programming: a group for each."""


def sort_rows(a: f32[:, ::1], out: f32[:, ::1]):
    for r in prange(a.shape[0]):
        x = np.empty(1024, np.float32)
        for t in range(1024):
            x[t] = a[r, t]
        size = 2
        while size <= 1024:
            stride = size // 2
            while stride > 0:
                for t in prange(512):
                    low = 2 * t - (t & (stride - 1))
                    u = x[low]
                    v = x[low + stride]
                    if (u > v) == ((low & size) == 0):
                        x[low] = v
                        x[low + stride] = u
                stride //= 2
            size *= 2
        for t in range(1024):
            out[r, t] = x[t]


def fft_rows(re: f32[:, ::1], im: f32[:, ::1], cosine: f32[::1], sine: f32[::1], order: i32[::1], out_re: f32[:, ::1], out_im: f32[:, ::1]):
    for r in prange(re.shape[0]):
        x = np.empty(512, np.float32)
        y = np.empty(512, np.float32)
        for t in range(512):
            x[t] = re[r, order[t]]
            y[t] = im[r, order[t]]
        half = 1
        while half < 512:
            step = 256 // half
            for t in prange(256):
                k = t & (half - 1)
                p = 2 * t - k
                q = p + half
                c = cosine[k * step]
                s = sine[k * step]
                u = x[q] * c - y[q] * s
                v = x[q] * s + y[q] * c
                x[q] = x[p] - u
                y[q] = y[p] - v
                x[p] += u
                y[p] += v
            half *= 2
        for t in range(512):
            out_re[r, t] = x[t]
            out_im[r, t] = y[t]


def align_pairs(a: i32[:, ::1], b: i32[:, ::1], score: i32[::1]):
    n = a.shape[1]
    for r in prange(a.shape[0]):
        before = np.zeros(257, np.int32)
        last = np.zeros(257, np.int32)
        now = np.zeros(257, np.int32)
        for d in range(2, 2 * n + 1):
            low = max(1, d - n)
            high = min(n, d - 1)
            for i in range(low, high + 1):
                s = before[i - 1] + (2 if a[r, i - 1] == b[r, d - i - 1] else -1)
                now[i] = max(s, max(last[i - 1], last[i]) - 1)
            for i in range(257):
                before[i] = last[i]
                last[i] = now[i]
            if d <= n:
                last[0] = -d
                last[d] = -d
        score[r] = last[n]


def cholesky_batch(a: f32[:, :, ::1], out: f32[:, :, ::1]):
    n = a.shape[1]
    for b in prange(a.shape[0]):
        for i in range(n):
            for j in range(n):
                out[b, i, j] = a[b, i, j]
        for k in range(n):
            out[b, k, k] = math.sqrt(out[b, k, k])
            for i in range(k + 1, n):
                out[b, i, k] /= out[b, k, k]
            for i in range(k + 1, n):
                for j in range(k + 1, n):
                    out[b, i, j] -= out[b, i, k] * out[b, j, k]


def gauss_jordan(a: f32[:, :, ::1], x: f32[:, :, ::1]):
    n = a.shape[1]
    for b in prange(a.shape[0]):
        m = np.empty((24, 48), np.float32)
        for i in range(n):
            for j in range(n):
                m[i, j] = a[b, i, j]
                m[i, n + j] = 0
            m[i, n + i] = 1
        for k in range(n):
            p = 1 / m[k, k]
            for j in range(2 * n):
                m[k, j] *= p
            for i in range(n):
                if i != k:
                    f = m[i, k]
                    for j in range(2 * n):
                        m[i, j] -= f * m[k, j]
        for i in range(n):
            for j in range(n):
                x[b, i, j] = m[i, n + j]


def cyclic_reduction(lower: f32[:, ::1], diagonal: f32[:, ::1], upper: f32[:, ::1], right: f32[:, ::1], x: f32[:, ::1]):
    for r in prange(x.shape[0]):
        a = np.empty(256, np.float32)
        b = np.empty(256, np.float32)
        c = np.empty(256, np.float32)
        d = np.empty(256, np.float32)
        e = np.empty(256, np.float32)
        f = np.empty(256, np.float32)
        g = np.empty(256, np.float32)
        h = np.empty(256, np.float32)
        for i in range(256):
            a[i] = lower[r, i]
            b[i] = diagonal[r, i]
            c[i] = upper[r, i]
            d[i] = right[r, i]
        s = 1
        while s < 256:
            for i in range(256):
                lo = max(i - s, 0)
                hi = min(i + s, 255)
                p = a[i] / b[lo] if i >= s else np.float32(0)
                q = c[i] / b[hi] if i + s < 256 else np.float32(0)
                e[i] = -a[lo] * p
                f[i] = b[i] - c[lo] * p - a[hi] * q
                g[i] = -c[hi] * q
                h[i] = d[i] - d[lo] * p - d[hi] * q
            for i in range(256):
                a[i] = e[i]
                b[i] = f[i]
                c[i] = g[i]
                d[i] = h[i]
            s *= 2
        for i in range(256):
            x[r, i] = d[i] / b[i]


def heat_blocks(u: f32[::1], v: f32[::1]):
    blocks = u.shape[0] // 448
    for b in prange(blocks):
        x = np.empty(512, np.float32)
        y = np.empty(512, np.float32)
        first = b * 448 - 32
        for i in range(512):
            x[i] = u[min(max(first + i, 0), u.shape[0] - 1)]
        y[0] = x[0]
        y[511] = x[511]
        for t in range(16):
            for i in range(1, 511):
                y[i] = x[i] + np.float32(0.25) * (x[i - 1] - 2 * x[i] + x[i + 1])
            for i in range(1, 511):
                x[i] = y[i] + np.float32(0.25) * (y[i - 1] - 2 * y[i] + y[i + 1])
        for i in range(448):
            v[b * 448 + i] = x[i + 32]
