"""Grids: stencils of two and three dimensions, of single and several fields."""


def stencil7(u: f32[:, :, ::1], v: f32[:, :, ::1], a: f32, b: f32):
    for i in prange(1, u.shape[0] - 1):
        for j in prange(1, u.shape[1] - 1):
            for k in prange(1, u.shape[2] - 1):
                v[i, j, k] = a * u[i, j, k] + b * (u[i - 1, j, k] + u[i + 1, j, k] + u[i, j - 1, k] + u[i, j + 1, k]
                                                   + u[i, j, k - 1] + u[i, j, k + 1])


def stencil27(u: f32[:, :, ::1], v: f32[:, :, ::1], w: f32[::1]):
    for i in prange(1, u.shape[0] - 1):
        for j in prange(1, u.shape[1] - 1):
            for k in prange(1, u.shape[2] - 1):
                s: f32 = 0
                for x in range(-1, 2):
                    for y in range(-1, 2):
                        for z in range(-1, 2):
                            s += w[abs(x) + abs(y) + abs(z)] * u[i + x, j + y, k + z]
                v[i, j, k] = s


def heat3d_f64(u: f64[:, :, ::1], v: f64[:, :, ::1], c: f64):
    for i in prange(1, u.shape[0] - 1):
        for j in prange(1, u.shape[1] - 1):
            for k in prange(1, u.shape[2] - 1):
                v[i, j, k] = (u[i, j, k] + c * (u[i + 1, j, k] - 2 * u[i, j, k] + u[i - 1, j, k])
                              + c * (u[i, j + 1, k] - 2 * u[i, j, k] + u[i, j - 1, k])
                              + c * (u[i, j, k + 1] - 2 * u[i, j, k] + u[i, j, k - 1]))


def wave2d(old: f32[:, ::1], now: f32[:, ::1], new: f32[:, ::1], c: f32):
    for i in prange(1, now.shape[0] - 1):
        for j in prange(1, now.shape[1] - 1):
            lap = now[i - 1, j] + now[i + 1, j] + now[i, j - 1] + now[i, j + 1] - 4 * now[i, j]
            new[i, j] = 2 * now[i, j] - old[i, j] + c * lap


def jacobi_mask(u: f32[:, ::1], v: f32[:, ::1], mask: u8[:, ::1]):
    for i in prange(1, u.shape[0] - 1):
        for j in prange(1, u.shape[1] - 1):
            if mask[i, j] != 0:
                v[i, j] = np.float32(0.25) * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
            else:
                v[i, j] = u[i, j]


def hotspot(t: f32[:, ::1], p: f32[:, ::1], out: f32[:, ::1], rx: f32, ry: f32, rz: f32, step: f32):
    h = t.shape[0]
    w = t.shape[1]
    for i in prange(h):
        for j in prange(w):
            c = t[i, j]
            n = t[max(i - 1, 0), j]
            s = t[min(i + 1, h - 1), j]
            l = t[i, max(j - 1, 0)]
            r = t[i, min(j + 1, w - 1)]
            out[i, j] = c + step * (p[i, j] + (n + s - 2 * c) * ry + (l + r - 2 * c) * rx + (80 - c) * rz)


def srad(img: f32[:, ::1], dn: f32[:, ::1], ds: f32[:, ::1], dw: f32[:, ::1], de: f32[:, ::1], coef: f32[:, ::1], out: f32[:, ::1],
         q0: f32, rate: f32):
    h = img.shape[0]
    w = img.shape[1]
    for i in prange(h):
        for j in prange(w):
            c = img[i, j]
            n = img[max(i - 1, 0), j] - c
            s = img[min(i + 1, h - 1), j] - c
            l = img[i, max(j - 1, 0)] - c
            r = img[i, min(j + 1, w - 1)] - c
            g2 = (n * n + s * s + l * l + r * r) / (c * c)
            lap = (n + s + l + r) / c
            num = np.float32(0.5) * g2 - np.float32(0.0625) * lap * lap
            den = 1 + np.float32(0.25) * lap
            q = num / (den * den)
            d = 1 / (1 + (q - q0) / (q0 * (1 + q0)))
            dn[i, j] = n
            ds[i, j] = s
            dw[i, j] = l
            de[i, j] = r
            coef[i, j] = min(max(d, np.float32(0)), np.float32(1))
    for i in prange(h):
        for j in prange(w):
            cs = coef[min(i + 1, h - 1), j]
            ce = coef[i, min(j + 1, w - 1)]
            c = coef[i, j]
            out[i, j] = img[i, j] + rate * (c * dn[i, j] + cs * ds[i, j] + c * dw[i, j] + ce * de[i, j])


def pathfinder(wall: i32[:, ::1], row: i64, old: i32[::1], new: i32[::1]):
    n = old.shape[0]
    for j in prange(n):
        best = old[j]
        if j > 0:
            best = min(best, old[j - 1])
        if j < n - 1:
            best = min(best, old[j + 1])
        new[j] = wall[row, j] + best


def lattice(f: f32[:, :, ::1], g: f32[:, :, ::1], omega: f32):
    h = f.shape[1]
    w = f.shape[2]
    for y in prange(1, h - 1):
        for x in prange(1, w - 1):
            f0 = f[0, y, x]
            f1 = f[1, y, x - 1]
            f2 = f[2, y - 1, x]
            f3 = f[3, y, x + 1]
            f4 = f[4, y + 1, x]
            f5 = f[5, y - 1, x - 1]
            f6 = f[6, y - 1, x + 1]
            f7 = f[7, y + 1, x + 1]
            f8 = f[8, y + 1, x - 1]
            rho = f0 + f1 + f2 + f3 + f4 + f5 + f6 + f7 + f8
            ux = (f1 - f3 + f5 - f6 - f7 + f8) / rho
            uy = (f2 - f4 + f5 + f6 - f7 - f8) / rho
            uu = 1 - np.float32(1.5) * (ux * ux + uy * uy)
            k0 = np.float32(4 / 9) * rho
            k1 = np.float32(1 / 9) * rho
            k2 = np.float32(1 / 36) * rho
            a = ux + uy
            b = uy - ux
            g[0, y, x] = f0 + omega * (k0 * uu - f0)
            g[1, y, x] = f1 + omega * (k1 * (uu + 3 * ux + np.float32(4.5) * ux * ux) - f1)
            g[2, y, x] = f2 + omega * (k1 * (uu + 3 * uy + np.float32(4.5) * uy * uy) - f2)
            g[3, y, x] = f3 + omega * (k1 * (uu - 3 * ux + np.float32(4.5) * ux * ux) - f3)
            g[4, y, x] = f4 + omega * (k1 * (uu - 3 * uy + np.float32(4.5) * uy * uy) - f4)
            g[5, y, x] = f5 + omega * (k2 * (uu + 3 * a + np.float32(4.5) * a * a) - f5)
            g[6, y, x] = f6 + omega * (k2 * (uu + 3 * b + np.float32(4.5) * b * b) - f6)
            g[7, y, x] = f7 + omega * (k2 * (uu - 3 * a + np.float32(4.5) * a * a) - f7)
            g[8, y, x] = f8 + omega * (k2 * (uu - 3 * b + np.float32(4.5) * b * b) - f8)


def life(a: u8[:, ::1], b: u8[:, ::1]):
    for i in prange(1, a.shape[0] - 1):
        for j in prange(1, a.shape[1] - 1):
            n: i32 = 0
            for k in range(-1, 2):
                for l in range(-1, 2):
                    n += np.int32(a[i + k, j + l])
            n -= np.int32(a[i, j])
            if n == 3 or (n == 2 and a[i, j] == 1):
                b[i, j] = 1
            else:
                b[i, j] = 0
