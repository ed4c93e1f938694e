"""Solvers, lattices, sequences, graphs, finance and inference, as in other suites and codes."""


def symm(a: f32[:, ::1], b: f32[:, ::1], c: f32[:, ::1], alpha: f32, beta: f32):
    # in place
    n = a.shape[0]
    for i in prange(n):
        for j in prange(b.shape[1]):
            s: f32 = 0
            for k in range(i + 1):
                s += a[i, k] * b[k, j]
            for k in range(i + 1, n):
                s += a[k, i] * b[k, j]
            c[i, j] = alpha * s + beta * c[i, j]


def trsm(l: f32[:, ::1], b: f32[:, ::1], x: f32[:, ::1]):
    for j in prange(b.shape[1]):
        for i in range(b.shape[0]):
            s = b[i, j]
            for k in range(i):
                s -= l[i, k] * x[k, j]
            x[i, j] = s / l[i, i]


def md_forces(place: f32[:, ::1], near: i32[:, ::1], force: f32[:, ::1], limit: f32, c12: f32, c6: f32):
    for i in prange(place.shape[0]):
        x = place[i, 0]
        y = place[i, 1]
        z = place[i, 2]
        fx: f32 = 0
        fy: f32 = 0
        fz: f32 = 0
        for k in range(near.shape[0]):
            j = near[k, i]
            dx = x - place[j, 0]
            dy = y - place[j, 1]
            dz = z - place[j, 2]
            r2 = dx * dx + dy * dy + dz * dz
            if r2 < limit:
                t = 1 / r2
                t6 = t * t * t
                f = t * t6 * (c12 * t6 - c6)
                fx += dx * f
                fy += dy * f
                fz += dz * f
        force[i, 0] = fx
        force[i, 1] = fy
        force[i, 2] = fz


def kalman(x: f32[:, ::1], p: f32[:, :, ::1], z: f32[:, ::1], f: f32[:, ::1], q: f32[:, ::1], h: f32[:, ::1], r: f32[:, ::1]):
    for n in prange(x.shape[0]):
        guess = np.empty(4, np.float32)
        t = np.empty((4, 4), np.float32)
        c = np.empty((4, 4), np.float32)
        ph = np.empty((4, 2), np.float32)
        for i in range(4):
            s: f32 = 0
            for k in range(4):
                s += f[i, k] * x[n, k]
            guess[i] = s
        for i in range(4):
            for j in range(4):
                s = np.float32(0)
                for k in range(4):
                    s += f[i, k] * p[n, k, j]
                t[i, j] = s
        for i in range(4):
            for j in range(4):
                s = q[i, j]
                for k in range(4):
                    s += t[i, k] * f[j, k]
                c[i, j] = s
        for i in range(4):
            for j in range(2):
                s = np.float32(0)
                for k in range(4):
                    s += c[i, k] * h[j, k]
                ph[i, j] = s
        s00 = r[0, 0]
        s01 = r[0, 1]
        s11 = r[1, 1]
        y0 = z[n, 0]
        y1 = z[n, 1]
        for k in range(4):
            s00 += h[0, k] * ph[k, 0]
            s01 += h[0, k] * ph[k, 1]
            s11 += h[1, k] * ph[k, 1]
            y0 -= h[0, k] * guess[k]
            y1 -= h[1, k] * guess[k]
        det = s00 * s11 - s01 * s01
        for i in range(4):
            g0 = (ph[i, 0] * s11 - ph[i, 1] * s01) / det
            g1 = (ph[i, 1] * s00 - ph[i, 0] * s01) / det
            x[n, i] = guess[i] + g0 * y0 + g1 * y1
            for j in range(4):
                p[n, i, j] = c[i, j] - g0 * ph[j, 0] - g1 * ph[j, 1]


def smith_waterman(a: u8[:, ::1], b: u8[:, ::1], best: i32[::1], match: i32, other: i32, first: i32, further: i32):
    for n in prange(a.shape[0]):
        h = np.zeros(65, np.int32)
        f = np.zeros(65, np.int32)
        top: i32 = 0
        for i in range(64):
            corner: i32 = 0
            left: i32 = 0
            e: i32 = 0
            for j in range(1, 65):
                e = max(e - further, left - first)
                f[j] = max(f[j] - further, h[j] - first)
                v = corner + match if a[n, i] == b[n, j - 1] else corner - other
                v = max(max(v, 0), max(e, f[j]))
                corner = h[j]
                h[j] = v
                left = v
                top = max(top, v)
        best[n] = top


def dslash(u: c64[:, :, :, ::1], psi: c64[:, ::1], ahead: i32[:, ::1], behind: i32[:, ::1], out: c64[:, ::1]):
    for n in prange(psi.shape[0]):
        for i in range(3):
            s: c64 = 0
            for d in range(4):
                p = ahead[n, d]
                q = behind[n, d]
                for j in range(3):
                    s += u[n, d, i, j] * psi[p, j] - np.conj(u[q, d, j, i]) * psi[q, j]
            out[n, i] = s


def minmod(a, b):
    return (a if abs(a) < abs(b) else b) if a * b > 0 else np.float32(0)


def through(a, b, c, d, v):
    if v > 0:
        return v * (b + np.float32(0.5) * (1 - v) * minmod(b - a, c - b))
    return v * (c - np.float32(0.5) * (1 + v) * minmod(c - b, d - c))


def advect(q: f32[:, ::1], u: f32[:, ::1], v: f32[:, ::1], out: f32[:, ::1]):
    for i in prange(2, q.shape[0] - 2):
        for j in prange(2, q.shape[1] - 2):
            west = through(q[i, j - 2], q[i, j - 1], q[i, j], q[i, j + 1], u[i, j])
            east = through(q[i, j - 1], q[i, j], q[i, j + 1], q[i, j + 2], u[i, j + 1])
            north = through(q[i - 2, j], q[i - 1, j], q[i, j], q[i + 1, j], v[i, j])
            south = through(q[i - 1, j], q[i, j], q[i + 1, j], q[i + 2, j], v[i + 1, j])
            out[i, j] = q[i, j] - (east - west) - (south - north)


def triangles(row: i32[::1], col: i32[::1], count: i32[::1]):
    for u in prange(count.shape[0]):
        c: i32 = 0
        for e in range(row[u], row[u + 1]):
            v = col[e]
            i = row[u]
            j = row[v]
            while i < row[u + 1] and j < row[v + 1]:
                if col[i] == col[j]:
                    c += 1
                    i += 1
                    j += 1
                elif col[i] < col[j]:
                    i += 1
                else:
                    j += 1
        count[u] = c


def q4_matvec(q: u8[:, ::1], scale: f32[:, ::1], x: f32[::1], y: f32[::1]):
    for i in prange(q.shape[0]):
        s: f32 = 0
        for g in range(scale.shape[1]):
            t: f32 = 0
            for k in range(16):
                b = np.int32(q[i, 16 * g + k])
                t += np.float32((b & 15) - 8) * x[32 * g + k]
                t += np.float32((b >> 4) - 8) * x[32 * g + 16 + k]
            s += scale[i, g] * t
        y[i] = s


def digit_counts(key: u32[::1], count: i32[:, ::1], shift: u32):
    for b in prange(count.shape[0]):
        for d in range(256):
            count[b, d] = 0
        for k in range(4096 * b, min(4096 * b + 4096, key.shape[0])):
            count[b, (key[k] >> shift) & np.uint32(255)] += 1


def asian(payoff: f32[::1], spot: f32, strike: f32, drift: f32, wide: f32, steps: i64, seed: u32):
    for i in prange(payoff.shape[0]):
        x: f32 = 0
        total: f32 = 0
        z = np.empty(4, np.float32)
        for t in range(steps // 4):
            c0 = np.uint32(i)
            c1 = np.uint32(t)
            c2 = np.uint32(0)
            c3 = np.uint32(0)
            k0 = seed
            k1 = np.uint32(0)
            for turn in range(10):
                p = np.uint64(0xD2511F53) * np.uint64(c0)
                q = np.uint64(0xCD9E8D57) * np.uint64(c2)
                c0 = np.uint32(q >> np.uint64(32)) ^ c1 ^ k0
                c1 = np.uint32(q & np.uint64(0xFFFFFFFF))
                c2 = np.uint32(p >> np.uint64(32)) ^ c3 ^ k1
                c3 = np.uint32(p & np.uint64(0xFFFFFFFF))
                k0 += np.uint32(0x9E3779B9)
                k1 += np.uint32(0xBB67AE85)
            r = np.sqrt(-2 * np.log((np.float32(c0 >> np.uint32(8)) + np.float32(0.5)) / 16777216))
            turned = np.float32(6.2831853) * np.float32(c1 >> np.uint32(8)) / 16777216
            z[0] = r * np.cos(turned)
            z[1] = r * np.sin(turned)
            r = np.sqrt(-2 * np.log((np.float32(c2 >> np.uint32(8)) + np.float32(0.5)) / 16777216))
            turned = np.float32(6.2831853) * np.float32(c3 >> np.uint32(8)) / 16777216
            z[2] = r * np.cos(turned)
            z[3] = r * np.sin(turned)
            for k in range(4):
                x += drift + wide * z[k]
                total += np.exp(x)
        payoff[i] = max(spot * total / np.float32(steps) - strike, np.float32(0))


def base64(data: u8[::1], letter: u8[::1], out: u8[::1]):
    for i in prange(data.shape[0] // 3):
        a = np.int32(data[3 * i])
        b = np.int32(data[3 * i + 1])
        c = np.int32(data[3 * i + 2])
        out[4 * i] = letter[a >> 2]
        out[4 * i + 1] = letter[((a & 3) << 4) | (b >> 4)]
        out[4 * i + 2] = letter[((b & 15) << 2) | (c >> 6)]
        out[4 * i + 3] = letter[c & 63]


def queens(count: i32[::1], n: i32, given: i32):
    for p in prange(count.shape[0]):
        full = (np.int32(1) << n) - np.int32(1)
        columns: i32 = 0
        left: i32 = 0
        right: i32 = 0
        k = np.int32(p)
        fine = True
        for r in range(given):
            bit = np.int32(1) << (k % n)
            k //= n
            if ((columns | left | right) & bit) != 0:
                fine = False
            columns |= bit
            left = (left | bit) << 1
            right = (right | bit) >> 1
        total: i32 = 0
        if fine:
            c = np.empty(20, np.int32)
            l = np.empty(20, np.int32)
            r = np.empty(20, np.int32)
            free = np.empty(20, np.int32)
            c[0] = columns
            l[0] = left
            r[0] = right
            free[0] = full & ~(columns | left | right)
            depth = 0
            while depth >= 0:
                if free[depth] == 0:
                    depth -= 1
                else:
                    bit = free[depth] & -free[depth]
                    free[depth] ^= bit
                    if (c[depth] | bit) == full:
                        total += 1
                    else:
                        c[depth + 1] = c[depth] | bit
                        l[depth + 1] = (l[depth] | bit) << 1
                        r[depth + 1] = (r[depth] | bit) >> 1
                        depth += 1
                        free[depth] = full & ~(c[depth] | l[depth] | r[depth])
        count[p] = total


def correlate(x: f32[:, ::1], y: f32[:, ::1], out: f32[:, ::1]):
    m = x.shape[1]
    for n in prange(x.shape[0]):
        for lag in prange(2 * m - 1):
            s: f32 = 0
            for k in range(max(0, lag - m + 1), min(lag + 1, m)):
                s += x[n, k] * y[n, k + m - 1 - lag]
            out[n, lag] = s


def lifting97(x: f32[:, ::1], low: f32[:, ::1], high: f32[:, ::1]):
    # in place
    n = low.shape[1]
    for r in prange(x.shape[0]):
        for i in prange(n):
            high[r, i] = x[r, 2 * i + 1] - np.float32(1.586134342) * (x[r, 2 * i] + x[r, min(2 * i + 2, 2 * n - 2)])
        for i in prange(n):
            low[r, i] = x[r, 2 * i] - np.float32(0.05298011854) * (high[r, max(i - 1, 0)] + high[r, i])
        for i in prange(n):
            high[r, i] += np.float32(0.8829110762) * (low[r, i] + low[r, min(i + 1, n - 1)])
        for i in prange(n):
            low[r, i] += np.float32(0.4435068522) * (high[r, max(i - 1, 0)] + high[r, i])
        for i in prange(n):
            low[r, i] *= np.float32(0.8698643)
            high[r, i] *= np.float32(1.1496043)
