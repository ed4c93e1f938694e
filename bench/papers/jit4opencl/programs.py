"""jit4OpenCL (2011), tables I and II."""


def cp(x: f32[::1], y: f32[::1], z: f32[::1], q: f32[::1], out: f32[:, ::1], step: f32):
    for i in prange(out.shape[0]):
        for j in prange(out.shape[1]):
            v: f32 = 0
            for k in range(x.shape[0]):
                dx = step * np.float32(j) - x[k]
                dy = step * np.float32(i) - y[k]
                v += q[k] / np.sqrt(dx * dx + dy * dy + z[k] * z[k])
            out[i, j] = v


def nb(x: f32[::1], y: f32[::1], z: f32[::1], out: f32[::1]):
    for i in prange(x.shape[0]):
        s: f32 = 0
        for k in range(x.shape[0]):
            dx = x[i] - x[k]
            dy = y[i] - y[k]
            dz = z[i] - z[k]
            s += np.sqrt(dx * dx + dy * dy + dz * dz)
        out[i] = s


def normal(d):
    k = 1 / (1 + np.float32(0.2316419) * abs(d))
    w = np.float32(0.39894228) * np.exp(np.float32(-0.5) * d * d) * k * (np.float32(0.31938153) + k * (np.float32(-0.356563782) + k * (
        np.float32(1.781477937) + k * (np.float32(-1.821255978) + k * np.float32(1.330274429)))))
    if d > 0:
        w = 1 - w
    return w


def bs(price: f32[:, ::1], strike: f32[:, ::1], years: f32[:, ::1], call: f32[:, ::1], put: f32[:, ::1], rate: f32, vol: f32):
    for i in prange(price.shape[0]):
        for j in prange(price.shape[1]):
            s = price[i, j]
            x = strike[i, j]
            t = years[i, j]
            root = np.sqrt(t)
            d1 = (np.log(s / x) + (rate + np.float32(0.5) * vol * vol) * t) / (vol * root)
            d2 = d1 - vol * root
            later = x * np.exp(-rate * t)
            n1 = normal(d1)
            n2 = normal(d2)
            call[i, j] = s * n1 - later * n2
            put[i, j] = later * (1 - n2) - s * (1 - n1)


def mb(out: i32[:, ::1], limit: i32):
    h = out.shape[0]
    w = out.shape[1]
    for i in prange(h):
        for j in prange(w):
            cx = np.float32(-2) + np.float32(2.5) * np.float32(j) / np.float32(w)
            cy = np.float32(-1.25) + np.float32(2.5) * np.float32(i) / np.float32(h)
            x: f32 = 0
            y: f32 = 0
            n: i32 = 0
            while n < limit and x * x + y * y <= np.float32(4):
                t = x * x - y * y + cx
                y = 2 * x * y + cy
                x = t
                n += 1
            out[i, j] = n


def mm(a: f32[:, ::1], b: f32[:, ::1], c: f32[:, ::1]):
    for i in prange(a.shape[0]):
        for j in prange(b.shape[1]):
            c[i, j] = 0
            for k in range(a.shape[1]):
                c[i, j] += a[i, k] * b[k, j]
