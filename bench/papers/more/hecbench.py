"""Images, layers of networks, and bits, as in HeCBench and the CUDA samples."""


def gauss_rgb(a: u8[:, :, ::1], k: f32[::1], mid: f32[:, :, ::1], out: u8[:, :, ::1]):
    h = a.shape[0]
    w = a.shape[1]
    for i in prange(h):
        for j in prange(3, w - 3):
            for c in prange(3):
                s: f32 = 0
                for t in range(7):
                    s += k[t] * np.float32(a[i, j + t - 3, c])
                mid[i, j, c] = s
    for i in prange(3, h - 3):
        for j in prange(3, w - 3):
            for c in prange(3):
                s = np.float32(0)
                for t in range(7):
                    s += k[t] * mid[i + t - 3, j, c]
                out[i, j, c] = np.uint8(s + np.float32(0.5))


def max_filter(a: u8[:, ::1], mid: u8[:, ::1], out: u8[:, ::1]):
    h = a.shape[0]
    w = a.shape[1]
    for i in prange(h):
        for j in prange(7, w - 7):
            m = a[i, j - 7]
            for t in range(-6, 8):
                m = max(m, a[i, j + t])
            mid[i, j] = m
    for i in prange(7, h - 7):
        for j in prange(7, w - 7):
            m = mid[i - 7, j]
            for t in range(-6, 8):
                m = max(m, mid[i + t, j])
            out[i, j] = m


def demosaic(raw: u8[:, ::1], out: u8[:, :, ::1]):
    h = raw.shape[0]
    w = raw.shape[1]
    for i in prange(1, h - 1):
        for j in prange(1, w - 1):
            here = np.int32(raw[i, j])
            across = (np.int32(raw[i, j - 1]) + np.int32(raw[i, j + 1])) >> 1
            down = (np.int32(raw[i - 1, j]) + np.int32(raw[i + 1, j])) >> 1
            cross = (np.int32(raw[i, j - 1]) + np.int32(raw[i, j + 1]) + np.int32(raw[i - 1, j]) + np.int32(raw[i + 1, j])) >> 2
            corners = (np.int32(raw[i - 1, j - 1]) + np.int32(raw[i - 1, j + 1]) + np.int32(raw[i + 1, j - 1])
                       + np.int32(raw[i + 1, j + 1])) >> 2
            if i % 2 == 0:
                if j % 2 == 0:
                    r = here
                    g = cross
                    b = corners
                else:
                    r = across
                    g = here
                    b = down
            else:
                if j % 2 == 0:
                    r = down
                    g = here
                    b = across
                else:
                    r = corners
                    g = cross
                    b = here
            out[i, j, 0] = r
            out[i, j, 1] = g
            out[i, j, 2] = b


def yuv420(rgb: u8[:, :, ::1], y: u8[:, ::1], u: u8[:, ::1], v: u8[:, ::1]):
    for i in prange(u.shape[0]):
        for j in prange(u.shape[1]):
            r: i32 = 0
            g: i32 = 0
            b: i32 = 0
            for k in range(2):
                for l in range(2):
                    x = np.int32(rgb[2 * i + k, 2 * j + l, 0])
                    s = np.int32(rgb[2 * i + k, 2 * j + l, 1])
                    t = np.int32(rgb[2 * i + k, 2 * j + l, 2])
                    y[2 * i + k, 2 * j + l] = ((66 * x + 129 * s + 25 * t + 128) >> 8) + 16
                    r += x
                    g += s
                    b += t
            u[i, j] = ((-38 * r - 74 * g + 112 * b + 512) >> 10) + 128
            v[i, j] = ((112 * r - 94 * g - 18 * b + 512) >> 10) + 128


def points_in_polygon(px: f32[::1], py: f32[::1], vx: f32[::1], vy: f32[::1], inside: u8[::1]):
    m = vx.shape[0]
    for i in prange(px.shape[0]):
        odd = False
        k = m - 1
        for j in range(m):
            if (vy[j] > py[i]) != (vy[k] > py[i]):
                if px[i] < (vx[k] - vx[j]) * (py[i] - vy[j]) / (vy[k] - vy[j]) + vx[j]:
                    odd = not odd
            k = j
        inside[i] = 1 if odd else 0


def sha256(text: u32[:, ::1], constant: u32[::1], start: u32[::1], out: u32[:, ::1]):
    for n in prange(text.shape[0]):
        w = np.empty(64, np.uint32)
        for t in range(16):
            w[t] = text[n, t]
        for t in range(16, 64):
            x = w[t - 15]
            y = w[t - 2]
            s0 = (x >> 7 | x << 25) ^ (x >> 18 | x << 14) ^ (x >> 3)
            s1 = (y >> 17 | y << 15) ^ (y >> 19 | y << 13) ^ (y >> 10)
            w[t] = w[t - 16] + s0 + w[t - 7] + s1
        a = start[0]
        b = start[1]
        c = start[2]
        d = start[3]
        e = start[4]
        f = start[5]
        g = start[6]
        h = start[7]
        for t in range(64):
            s1 = (e >> 6 | e << 26) ^ (e >> 11 | e << 21) ^ (e >> 25 | e << 7)
            t1 = h + s1 + ((e & f) ^ (~e & g)) + constant[t] + w[t]
            s0 = (a >> 2 | a << 30) ^ (a >> 13 | a << 19) ^ (a >> 22 | a << 10)
            t2 = s0 + ((a & b) ^ (a & c) ^ (b & c))
            h = g
            g = f
            f = e
            e = d + t1
            d = c
            c = b
            b = a
            a = t1 + t2
        out[n, 0] = start[0] + a
        out[n, 1] = start[1] + b
        out[n, 2] = start[2] + c
        out[n, 3] = start[3] + d
        out[n, 4] = start[4] + e
        out[n, 5] = start[5] + f
        out[n, 6] = start[6] + g
        out[n, 7] = start[7] + h


def walsh(x: f32[:, ::1]):
    half = x.shape[1] // 2
    h = 1
    while h <= half:
        for r in prange(x.shape[0]):
            for t in prange(half):
                i = t // h * 2 * h + t % h
                u = x[r, i]
                v = x[r, i + h]
                x[r, i] = (u + v) * np.float32(0.70710678)
                x[r, i + h] = (u - v) * np.float32(0.70710678)
        h *= 2


def group_norm(x: f32[:, :, ::1], gain: f32[::1], shift: f32[::1], out: f32[:, :, ::1], size: i64):
    for n in prange(x.shape[0]):
        for g in prange(x.shape[1] // size):
            s: f32 = 0
            q: f32 = 0
            for c in range(g * size, (g + 1) * size):
                for k in range(x.shape[2]):
                    s += x[n, c, k]
                    q += x[n, c, k] * x[n, c, k]
            count = np.float32(size * x.shape[2])
            mean = s / count
            scale = 1 / np.sqrt(q / count - mean * mean + np.float32(1e-5))
            for c in range(g * size, (g + 1) * size):
                for k in range(x.shape[2]):
                    out[n, c, k] = (x[n, c, k] - mean) * scale * gain[c] + shift[c]


def top2(a: f32[:, ::1], expert: i32[:, ::1], weight: f32[:, ::1]):
    for i in prange(a.shape[0]):
        first = np.float32(-1e30)
        second = np.float32(-1e30)
        p: i32 = 0
        q: i32 = 0
        for j in range(a.shape[1]):
            v = a[i, j]
            if v > first:
                second = first
                q = p
                first = v
                p = j
            elif v > second:
                second = v
                q = j
        e = np.exp(second - first)
        expert[i, 0] = p
        expert[i, 1] = q
        weight[i, 0] = 1 / (1 + e)
        weight[i, 1] = e / (1 + e)


def quantise(x: f32[:, ::1], q: i8[:, ::1], scale: f32[::1]):
    for i in prange(x.shape[0]):
        m: f32 = 0
        for j in range(x.shape[1]):
            m = max(m, abs(x[i, j]))
        s = m / 127
        scale[i] = s
        for j in range(x.shape[1]):
            q[i, j] = np.int8(np.rint(x[i, j] / s))


def rope(x: f32[:, :, ::1], cosine: f32[:, ::1], sine: f32[:, ::1]):
    # in place
    half = x.shape[2] // 2
    for t in prange(x.shape[0]):
        for h in prange(x.shape[1]):
            for k in prange(half):
                a = x[t, h, k]
                b = x[t, h, k + half]
                x[t, h, k] = a * cosine[t, k] - b * sine[t, k]
                x[t, h, k + half] = b * cosine[t, k] + a * sine[t, k]


def attention(q: f32[:, :, ::1], k: f32[:, :, ::1], v: f32[:, :, ::1], out: f32[:, :, ::1], scale: f32):
    for n in prange(q.shape[0]):
        for i in prange(q.shape[1]):
            p = np.empty(64, np.float32)
            top = np.float32(-1e30)
            for j in range(64):
                s: f32 = 0
                for d in range(q.shape[2]):
                    s += q[n, i, d] * k[n, j, d]
                p[j] = s * scale
                top = max(top, p[j])
            total: f32 = 0
            for j in range(64):
                p[j] = np.exp(p[j] - top)
                total += p[j]
            for d in range(v.shape[2]):
                s = np.float32(0)
                for j in range(64):
                    s += p[j] * v[n, j, d]
                out[n, i, d] = s / total
