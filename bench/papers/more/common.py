"""Attention, matrices, stencils, images, codes, searches and finance, as in samples, suites and textbooks of GPU programming."""


def causal_attention(q: f32[:, :, ::1], k: f32[:, :, ::1], v: f32[:, :, ::1], out: f32[:, :, ::1], scale: f32):
    for h in prange(q.shape[0]):
        for i in prange(q.shape[1]):
            acc = np.zeros(64, np.float32)
            top = np.float32(-1e30)
            total: f32 = 0
            for j in range(i + 1):
                s: f32 = 0
                for d in range(64):
                    s += q[h, i, d] * k[h, j, d]
                s *= scale
                higher = max(top, s)
                old = np.exp(top - higher)
                p = np.exp(s - higher)
                total = total * old + p
                for d in range(64):
                    acc[d] = acc[d] * old + p * v[h, j, d]
                top = higher
            for d in range(64):
                out[h, i, d] = acc[d] / total


def conv_transpose(x: f32[:, :, ::1], w: f32[:, :, :, ::1], out: f32[:, :, ::1]):
    for o in prange(out.shape[0]):
        for i in prange(out.shape[1]):
            for j in prange(out.shape[2]):
                s: f32 = 0
                for c in range(x.shape[0]):
                    for ky in range(4):
                        for kx in range(4):
                            y = i + 1 - ky
                            z = j + 1 - kx
                            if y % 2 == 0 and z % 2 == 0:
                                y //= 2
                                z //= 2
                                if 0 <= y < x.shape[1] and 0 <= z < x.shape[2]:
                                    s += x[c, y, z] * w[c, o, ky, kx]
                out[o, i, j] = s


def lu16(a: f32[:, :, ::1], out: f32[:, :, ::1]):
    # in place
    for n in prange(a.shape[0]):
        for i in range(16):
            for j in range(16):
                out[n, i, j] = a[n, i, j]
        for k in range(16):
            for i in range(k + 1, 16):
                f = out[n, i, k] / out[n, k, k]
                out[n, i, k] = f
                for j in range(k + 1, 16):
                    out[n, i, j] -= f * out[n, k, j]


def gemm_i8(x: i8[:, ::1], w: i8[:, ::1], row_scale: f32[::1], column_scale: f32[::1], out: f32[:, ::1]):
    for i in prange(x.shape[0]):
        for j in prange(w.shape[0]):
            s: i32 = 0
            for k in range(x.shape[1]):
                s += np.int32(x[i, k]) * np.int32(w[j, k])
            out[i, j] = np.float32(s) * row_scale[i] * column_scale[j]


def rbf(x: f32[:, ::1], y: f32[:, ::1], out: f32[:, ::1], gamma: f32):
    for i in prange(x.shape[0]):
        for j in prange(y.shape[0]):
            s: f32 = 0
            for k in range(x.shape[1]):
                d = x[i, k] - y[j, k]
                s += d * d
            out[i, j] = np.exp(-gamma * s)


def wave3d(old: f32[:, :, ::1], now: f32[:, :, ::1], speed: f32[:, :, ::1], new: f32[:, :, ::1], c: f32[::1]):
    for i in prange(4, now.shape[0] - 4):
        for j in prange(4, now.shape[1] - 4):
            for k in prange(4, now.shape[2] - 4):
                s = c[0] * now[i, j, k]
                for r in range(1, 5):
                    s += c[r] * (now[i - r, j, k] + now[i + r, j, k] + now[i, j - r, k] + now[i, j + r, k] +
                                 now[i, j, k - r] + now[i, j, k + r])
                new[i, j, k] = 2 * now[i, j, k] - old[i, j, k] + speed[i, j, k] * s


def equalise(a: u8[:, ::1], count: i32[::1], table: u8[::1], out: u8[:, ::1]):
    for k in range(256):
        count[k] = 0
    for i in prange(a.shape[0]):
        for j in prange(a.shape[1]):
            count[a[i, j]] += 1
    n = a.shape[0] * a.shape[1]
    low: i32 = 0
    total: i32 = 0
    for k in range(256):
        if low == 0:
            low = count[k]
        total += count[k]
        table[k] = np.uint8(np.rint(255 * np.float32(total - low) / np.float32(n - low)))
    for i in prange(a.shape[0]):
        for j in prange(a.shape[1]):
            out[i, j] = table[a[i, j]]


def jacobi_residual(u: f32[:, ::1], f: f32[:, ::1], v: f32[:, ::1], error: f32[::1], h2: f32):
    e: f32 = 0
    for i in prange(1, u.shape[0] - 1):
        for j in prange(1, u.shape[1] - 1):
            t = (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - h2 * f[i, j]) / 4
            v[i, j] = t
            e = max(e, abs(t - u[i, j]))
    error[0] = e


def lbm3d(f: f32[:, :, :, ::1], g: f32[:, :, :, ::1], cx: i32[::1], cy: i32[::1], cz: i32[::1], weight: f32[::1], omega: f32):
    for z in prange(1, f.shape[1] - 1):
        for y in prange(1, f.shape[2] - 1):
            for x in prange(1, f.shape[3] - 1):
                h = np.empty(19, np.float32)
                rho: f32 = 0
                ux: f32 = 0
                uy: f32 = 0
                uz: f32 = 0
                for q in range(19):
                    h[q] = f[q, z - cz[q], y - cy[q], x - cx[q]]
                    rho += h[q]
                    ux += np.float32(cx[q]) * h[q]
                    uy += np.float32(cy[q]) * h[q]
                    uz += np.float32(cz[q]) * h[q]
                ux /= rho
                uy /= rho
                uz /= rho
                uu = 1.5 * (ux * ux + uy * uy + uz * uz)
                for q in range(19):
                    cu = 3 * (np.float32(cx[q]) * ux + np.float32(cy[q]) * uy + np.float32(cz[q]) * uz)
                    equal = weight[q] * rho * (1 + cu + 0.5 * cu * cu - uu)
                    g[q, z, y, x] = h[q] + omega * (equal - h[q])


def aes(text: u32[:, ::1], te: u32[:, ::1], sbox: u32[::1], key: u32[::1], out: u32[:, ::1]):
    for n in prange(text.shape[0]):
        a = text[n, 0] ^ key[0]
        b = text[n, 1] ^ key[1]
        c = text[n, 2] ^ key[2]
        d = text[n, 3] ^ key[3]
        for r in range(1, 10):
            w = te[0, a >> 24] ^ te[1, (b >> 16) & 255] ^ te[2, (c >> 8) & 255] ^ te[3, d & 255] ^ key[4 * r]
            x = te[0, b >> 24] ^ te[1, (c >> 16) & 255] ^ te[2, (d >> 8) & 255] ^ te[3, a & 255] ^ key[4 * r + 1]
            y = te[0, c >> 24] ^ te[1, (d >> 16) & 255] ^ te[2, (a >> 8) & 255] ^ te[3, b & 255] ^ key[4 * r + 2]
            z = te[0, d >> 24] ^ te[1, (a >> 16) & 255] ^ te[2, (b >> 8) & 255] ^ te[3, c & 255] ^ key[4 * r + 3]
            a = w
            b = x
            c = y
            d = z
        out[n, 0] = ((sbox[a >> 24] << 24) | (sbox[(b >> 16) & 255] << 16) | (sbox[(c >> 8) & 255] << 8) | sbox[d & 255]) ^ key[40]
        out[n, 1] = ((sbox[b >> 24] << 24) | (sbox[(c >> 16) & 255] << 16) | (sbox[(d >> 8) & 255] << 8) | sbox[a & 255]) ^ key[41]
        out[n, 2] = ((sbox[c >> 24] << 24) | (sbox[(d >> 16) & 255] << 16) | (sbox[(a >> 8) & 255] << 8) | sbox[b & 255]) ^ key[42]
        out[n, 3] = ((sbox[d >> 24] << 24) | (sbox[(a >> 16) & 255] << 16) | (sbox[(b >> 8) & 255] << 8) | sbox[c & 255]) ^ key[43]


def find_pattern(text: u8[::1], pattern: u8[::1], found: u8[::1]):
    m = pattern.shape[0]
    for i in prange(text.shape[0] - m + 1):
        k = 0
        while k < m and text[i + k] == pattern[k]:
            k += 1
        found[i] = 1 if k == m else 0


def ones(v):
    v = v - ((v >> 1) & 0x55555555)
    v = (v & 0x33333333) + ((v >> 2) & 0x33333333)
    v = (v + (v >> 4)) & 0x0f0f0f0f
    return np.int32((v * np.uint32(0x01010101)) >> 24)


def hamming_match(query: u32[:, ::1], train: u32[:, ::1], distance: i32[::1], place: i32[::1]):
    for i in prange(query.shape[0]):
        least: i32 = 257
        best: i32 = 0
        for j in range(train.shape[0]):
            d: i32 = 0
            for k in range(8):
                d += ones(query[i, k] ^ train[j, k])
            if d < least:
                least = d
                best = j
        distance[i] = least
        place[i] = best


def embedding_bag(table: f32[:, ::1], start: i32[::1], word: i32[::1], out: f32[:, ::1]):
    for b in prange(out.shape[0]):
        for d in prange(out.shape[1]):
            s: f32 = 0
            for k in range(start[b], start[b + 1]):
                s += table[word[k], d]
            out[b, d] = s


def merge(a: i32[::1], b: i32[::1], out: i32[::1]):
    n = a.shape[0]
    m = b.shape[0]
    for i in prange(n):
        lo = 0
        hi = m
        while lo < hi:
            mid = (lo + hi) // 2
            if b[mid] < a[i]:
                lo = mid + 1
            else:
                hi = mid
        out[i + lo] = a[i]
    for j in prange(m):
        lo = 0
        hi = n
        while lo < hi:
            mid = (lo + hi) // 2
            if a[mid] <= b[j]:
                lo = mid + 1
            else:
                hi = mid
        out[j + lo] = b[j]


def nearest8(query: f32[:, ::1], point: f32[:, ::1], distance: f32[:, ::1], place: i32[:, ::1]):
    for i in prange(query.shape[0]):
        d = np.full(8, 1e30, np.float32)
        p = np.zeros(8, np.int32)
        for j in range(point.shape[0]):
            x = point[j, 0] - query[i, 0]
            y = point[j, 1] - query[i, 1]
            z = point[j, 2] - query[i, 2]
            r = x * x + y * y + z * z
            if r < d[7]:
                k = 7
                while k > 0 and d[k - 1] > r:
                    d[k] = d[k - 1]
                    p[k] = p[k - 1]
                    k -= 1
                d[k] = r
                p[k] = j
        for k in range(8):
            distance[i, k] = np.sqrt(d[k])
            place[i, k] = p[k]


def normal(x):
    return 0.5 + 0.5 * math.erf(x * 0.7071067811865476)


def implied_volatility(price: f64[::1], spot: f64[::1], strike: f64[::1], time: f64[::1], out: f64[::1], rate: f64):
    for i in prange(price.shape[0]):
        s = spot[i]
        k = strike[i] * np.exp(-rate * time[i])
        root = np.sqrt(time[i])
        v = 0.3
        for turn in range(20):
            d1 = np.log(s / k) / (v * root) + 0.5 * v * root
            d2 = d1 - v * root
            step = (s * normal(d1) - k * normal(d2) - price[i]) / (s * root * 0.3989422804014327 * np.exp(-0.5 * d1 * d1))
            v -= step
            if abs(step) < 1e-9:
                break
        out[i] = v
