"""Programs of several fields: networks, image and video coding, finance, fluids, spins."""


def conv2d(x: f32[:, :, ::1], w: f32[:, :, :, ::1], out: f32[:, :, ::1]):
    for k in prange(out.shape[0]):
        for i in prange(out.shape[1]):
            for j in prange(out.shape[2]):
                s: f32 = 0
                for c in range(x.shape[0]):
                    for a in range(3):
                        for b in range(3):
                            s += w[k, c, a, b] * x[c, i + a, j + b]
                out[k, i, j] = s


def block_match(now: u8[:, ::1], old: u8[:, ::1], best: i32[:, ::1], where: i32[:, ::1]):
    for p in prange(best.shape[0]):
        for q in prange(best.shape[1]):
            least = 1 << 30
            at = 0
            for d in range(16):
                for e in range(16):
                    s: i32 = 0
                    for i in range(16):
                        for j in range(16):
                            s += abs(np.int32(now[16 * p + i, 16 * q + j]) - np.int32(old[16 * p + i + d, 16 * q + j + e]))
                    if s < least:
                        least = s
                        at = 16 * d + e
            best[p, q] = least
            where[p, q] = at


def dct8(a: f32[:, ::1], c: f32[:, ::1], out: f32[:, ::1]):
    for p in prange(a.shape[0] // 8):
        for q in prange(a.shape[1] // 8):
            t = np.empty((8, 8), np.float32)
            for i in range(8):
                for v in range(8):
                    s: f32 = 0
                    for j in range(8):
                        s += a[8 * p + i, 8 * q + j] * c[v, j]
                    t[i, v] = s
            for u in range(8):
                for v in range(8):
                    s = np.float32(0)
                    for i in range(8):
                        s += c[u, i] * t[i, v]
                    out[8 * p + u, 8 * q + v] = s


def integral(a: u8[:, ::1], out: i32[:, ::1]):
    for i in prange(a.shape[0]):
        s: i32 = 0
        for j in range(a.shape[1]):
            s += a[i, j]
            out[i, j] = s
    for j in prange(a.shape[1]):
        s = np.int32(0)
        for i in range(a.shape[0]):
            s += out[i, j]
            out[i, j] = s


def red_black(u: f32[:, ::1], f: f32[:, ::1], omega: f32):
    for color in range(2):
        for i in prange(1, u.shape[0] - 1):
            for k in prange((u.shape[1] - 2) // 2):
                j = 1 + 2 * k + (i + color) % 2
                mean = np.float32(0.25) * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - f[i, j])
                u[i, j] += omega * (mean - u[i, j])


def hsv(rgb: u8[:, :, ::1], h: f32[:, ::1], s: f32[:, ::1], v: f32[:, ::1]):
    for i in prange(h.shape[0]):
        for j in prange(h.shape[1]):
            r = np.float32(rgb[i, j, 0]) / 255
            g = np.float32(rgb[i, j, 1]) / 255
            b = np.float32(rgb[i, j, 2]) / 255
            most = max(r, max(g, b))
            least = min(r, min(g, b))
            d = most - least
            x = np.float32(0)
            if d > 0:
                if most == r:
                    x = (g - b) / d
                    if x < 0:
                        x += 6
                elif most == g:
                    x = (b - r) / d + 2
                else:
                    x = (r - g) / d + 4
            h[i, j] = 60 * x
            s[i, j] = d / most if most > 0 else np.float32(0)
            v[i, j] = most


def warp(a: f32[:, ::1], out: f32[:, ::1], m: f32[::1]):
    h = a.shape[0]
    w = a.shape[1]
    for i in prange(out.shape[0]):
        for j in prange(out.shape[1]):
            x = m[0] * j + m[1] * i + m[2]
            y = m[3] * j + m[4] * i + m[5]
            k = int(np.floor(y))
            l = int(np.floor(x))
            r = np.float32(0)
            if k >= 0 and k < h - 1 and l >= 0 and l < w - 1:
                t = y - k
                s = x - l
                r = (1 - t) * ((1 - s) * a[k, l] + s * a[k, l + 1]) + t * ((1 - s) * a[k + 1, l] + s * a[k + 1, l + 1])
            out[i, j] = r


def binomial(price: f32[::1], strike: f32[::1], up: f32, down: f32, pu: f32, pd: f32, out: f32[::1]):
    for o in prange(out.shape[0]):
        v = np.empty(257, np.float32)
        x = price[o]
        for k in range(256):
            x = x * down
        for k in range(257):
            v[k] = max(x - strike[o], np.float32(0))
            x = x * up * up
        for t in range(256, 0, -1):
            for k in range(t):
                v[k] = pu * v[k + 1] + pd * v[k]
        out[o] = v[0]


def shallow(h: f32[:, ::1], u: f32[:, ::1], v: f32[:, ::1], hn: f32[:, ::1], un: f32[:, ::1], vn: f32[:, ::1], c: f32, g: f32):
    for i in prange(1, h.shape[0] - 1):
        for j in prange(1, h.shape[1] - 1):
            hn[i, j] = h[i, j] - c * (u[i, j + 1] - u[i, j - 1] + v[i + 1, j] - v[i - 1, j])
            un[i, j] = u[i, j] - g * (h[i, j + 1] - h[i, j - 1])
            vn[i, j] = v[i, j] - g * (h[i + 1, j] - h[i - 1, j])


def ising(spin: i8[:, ::1], beta: f32, seed: u32):
    h = spin.shape[0]
    w = spin.shape[1]
    for color in range(2):
        for i in prange(h):
            for k in prange(w // 2):
                j = 2 * k + (i + color) % 2
                around = (np.int32(spin[(i + 1) % h, j]) + np.int32(spin[(i + h - 1) % h, j]) + np.int32(spin[i, (j + 1) % w])
                          + np.int32(spin[i, (j + w - 1) % w]))
                x = np.uint32(i * w + j) * np.uint32(2654435761) + seed + np.uint32(color)
                x ^= x >> np.uint32(16)
                x *= np.uint32(2246822507)
                x ^= x >> np.uint32(13)
                x *= np.uint32(3266489909)
                x ^= x >> np.uint32(16)
                p = np.exp(-2 * beta * np.float32(np.int32(spin[i, j]) * around))
                if np.float32(x >> np.uint32(8)) < p * 16777216:
                    spin[i, j] = -spin[i, j]


def haar(a: f32[:, ::1], out: f32[:, ::1]):
    n = a.shape[0] // 2
    m = a.shape[1] // 2
    for i in prange(n):
        for j in prange(m):
            p = a[2 * i, 2 * j]
            q = a[2 * i, 2 * j + 1]
            r = a[2 * i + 1, 2 * j]
            s = a[2 * i + 1, 2 * j + 1]
            out[i, j] = np.float32(0.5) * (p + q + r + s)
            out[i, m + j] = np.float32(0.5) * (p - q + r - s)
            out[n + i, j] = np.float32(0.5) * (p + q - r - s)
            out[n + i, m + j] = np.float32(0.5) * (p - q - r + s)
