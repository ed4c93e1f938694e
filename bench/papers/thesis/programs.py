"""Velociraptor's thesis (2015), tables 10.3 and 10.4: the GPU programs whose parts are parallel loops."""


def lud(a: f64[:, ::1]):
    n = a.shape[0]
    for k in range(n - 1):
        for i in prange(k + 1, n):
            a[i, k] /= a[k, k]
        for i in prange(k + 1, n):
            for j in prange(k + 1, n):
                a[i, j] -= a[i, k] * a[k, j]


def srad(img: f32[:, ::1], up: i32[::1], down: i32[::1], left: i32[::1], right: i32[::1], coef: f32[:, ::1], out: f32[:, ::1], q0: f32,
         rate: f32):
    h = img.shape[0]
    w = img.shape[1]
    for i in prange(h):
        for j in prange(w):
            c = img[i, j]
            n = img[up[i], j] - c
            s = img[down[i], j] - c
            l = img[i, left[j]] - c
            r = img[i, right[j]] - c
            g2 = (n * n + s * s + l * l + r * r) / (c * c)
            lap = (n + s + l + r) / c
            num = np.float32(0.5) * g2 - np.float32(0.0625) * lap * lap
            den = 1 + np.float32(0.25) * lap
            q = num / (den * den)
            d = 1 / (1 + (q - q0) / (q0 * (1 + q0)))
            coef[i, j] = min(max(d, np.float32(0)), np.float32(1))
    for i in prange(h):
        for j in prange(w):
            c = img[i, j]
            k = coef[i, j]
            change = (k * (img[up[i], j] - c) + coef[down[i], j] * (img[down[i], j] - c) + k * (img[i, left[j]] - c)
                      + coef[i, right[j]] * (img[i, right[j]] - c))
            out[i, j] = c + rate * change


def pagerank(start: i32[::1], place: i32[::1], degree: i32[::1], old: f64[::1], new: f64[::1], damping: f64):
    n = old.shape[0]
    for i in prange(n):
        s = 0.0
        for k in range(start[i], start[i + 1]):
            s += old[place[k]] / degree[place[k]]
        new[i] = (1 - damping) / n + damping * s


def spmv(start: i32[::1], place: i32[::1], value: f64[::1], x: f64[::1], y: f64[::1]):
    for i in prange(y.shape[0]):
        s = 0.0
        for k in range(start[i], start[i + 1]):
            s += value[k] * x[place[k]]
        y[i] = s


def growcut(image: f64[:, :, ::1], strength: f64[:, ::1], label: i32[:, ::1], strength_new: f64[:, ::1], label_new: i32[:, ::1], window: i64):
    h = image.shape[0]
    w = image.shape[1]
    for i in prange(h):
        for j in prange(w):
            best = strength[i, j]
            winner = label[i, j]
            for y in range(max(0, i - window), min(i + window + 1, h)):
                for x in range(max(0, j - window), min(j + window + 1, w)):
                    if y != i or x != j:
                        d = 0.0
                        for c in range(3):
                            e = image[i, j, c] - image[y, x, c]
                            d += e * e
                        g = (1.0 - np.sqrt(d) / 1.7320508075688772) * strength[y, x]
                        if g > best:
                            best = g
                            winner = label[y, x]
            strength_new[i, j] = best
            label_new[i, j] = winner


def julia(out: i32[:, ::1], cr: f64, ci: f64, limit: i64):
    h = out.shape[0]
    w = out.shape[1]
    for i in prange(h):
        for j in prange(w):
            z = complex(-1.5 + 3.0 * j / w, -1.5 + 3.0 * i / h)
            n = 0
            while n < limit and z.real * z.real + z.imag * z.imag <= 4.0:
                z = z * z + complex(cr, ci)
                n += 1
            out[i, j] = n


def pairwise(x: f64[:, ::1], d: f64[:, ::1]):
    for i in prange(x.shape[0]):
        for j in prange(x.shape[0]):
            s = 0.0
            for k in range(x.shape[1]):
                t = x[i, k] - x[j, k]
                s += t * t
            d[i, j] = np.sqrt(s)


def nb1d(x: f64[::1], m: f64[::1], v: f64[::1], f: f64[::1], dt: f64):
    n = x.shape[0]
    for i in prange(n):
        s = 0.0
        for j in range(n):
            if j != i:
                d = x[j] - x[i]
                s += m[j] * d / (abs(d) * d * d + 1e-9)
        f[i] = s * m[i]
    for i in prange(n):
        v[i] += dt * f[i] / m[i]


def clos(a: f64[:, ::1], c: f64[:, ::1]):
    n = a.shape[0]
    for i in prange(n):
        for j in prange(n):
            s = 0.0
            for k in range(n):
                s += a[i, k] * a[k, j]
            if s > 0.5 or a[i, j] > 0.5:
                c[i, j] = 1.0
            else:
                c[i, j] = 0.0


def fiff(u: f64[:, ::1], r: f64):
    for j in range(1, u.shape[0] - 1):
        for i in prange(1, u.shape[1] - 1):
            u[j + 1, i] = (2 - 2 * r * r) * u[j, i] + r * r * (u[j, i - 1] + u[j, i + 1]) - u[j - 1, i]


def fdtd(ex: f64[:, ::1], ey: f64[:, ::1], hz: f64[:, ::1]):
    h = hz.shape[0]
    w = hz.shape[1]
    for i in prange(h):
        for j in prange(1, w):
            ex[i, j] -= 0.5 * (hz[i, j] - hz[i, j - 1])
    for i in prange(1, h):
        for j in prange(w):
            ey[i, j] -= 0.5 * (hz[i, j] - hz[i - 1, j])
    for i in prange(h - 1):
        for j in prange(w - 1):
            hz[i, j] -= 0.7 * (ex[i, j + 1] - ex[i, j] + ey[i + 1, j] - ey[i, j])


def capr(u: f64[:, ::1], fixed: u8[:, ::1], w: f64):
    h = u.shape[0]
    half = (u.shape[1] - 2) // 2
    for color in range(2):
        for i in prange(1, h - 1):
            for k in prange(half):
                j = 1 + 2 * k + ((i + color) & 1)
                if fixed[i, j] == 0:
                    u[i, j] += w * (0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1]) - u[i, j])
