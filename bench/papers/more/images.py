"""Images: windows, blurs, resizing, medians, fractals."""


def convolution(a: f32[:, ::1], w: f32[:, ::1], out: f32[:, ::1]):
    for i in prange(out.shape[0]):
        for j in prange(out.shape[1]):
            s: f32 = 0
            for k in range(w.shape[0]):
                for l in range(w.shape[1]):
                    s += a[i + k, j + l] * w[k, l]
            out[i, j] = s


def blur_u8(a: u8[:, ::1], mid: u8[:, ::1], out: u8[:, ::1]):
    for i in prange(a.shape[0]):
        for j in prange(2, a.shape[1] - 2):
            s: i32 = 0
            for k in range(-2, 3):
                s += np.int32(a[i, j + k])
            mid[i, j] = s // 5
    for i in prange(2, a.shape[0] - 2):
        for j in prange(a.shape[1]):
            s: i32 = 0
            for k in range(-2, 3):
                s += np.int32(mid[i + k, j])
            out[i, j] = s // 5


def sobel_u8(a: u8[:, ::1], out: u8[:, ::1]):
    for i in prange(1, a.shape[0] - 1):
        for j in prange(1, a.shape[1] - 1):
            nw = np.int32(a[i - 1, j - 1])
            n = np.int32(a[i - 1, j])
            ne = np.int32(a[i - 1, j + 1])
            w = np.int32(a[i, j - 1])
            e = np.int32(a[i, j + 1])
            sw = np.int32(a[i + 1, j - 1])
            s = np.int32(a[i + 1, j])
            se = np.int32(a[i + 1, j + 1])
            gx = ne + 2 * e + se - nw - 2 * w - sw
            gy = sw + 2 * s + se - nw - 2 * n - ne
            out[i, j] = min(abs(gx) + abs(gy), 255)


def resize(a: f32[:, ::1], out: f32[:, ::1]):
    sy = np.float32(a.shape[0] - 1) / np.float32(out.shape[0])
    sx = np.float32(a.shape[1] - 1) / np.float32(out.shape[1])
    for i in prange(out.shape[0]):
        for j in prange(out.shape[1]):
            y = np.float32(i) * sy
            x = np.float32(j) * sx
            y0 = int(y)
            x0 = int(x)
            fy = y - np.float32(y0)
            fx = x - np.float32(x0)
            top = a[y0, x0] * (1 - fx) + a[y0, x0 + 1] * fx
            low = a[y0 + 1, x0] * (1 - fx) + a[y0 + 1, x0 + 1] * fx
            out[i, j] = top * (1 - fy) + low * fy


def median9(a: f32[:, ::1], out: f32[:, ::1]):
    for i in prange(1, a.shape[0] - 1):
        for j in prange(1, a.shape[1] - 1):
            v = np.empty(9, np.float32)
            n = 0
            for k in range(-1, 2):
                for l in range(-1, 2):
                    x = a[i + k, j + l]
                    p = n
                    while p > 0 and v[p - 1] > x:
                        v[p] = v[p - 1]
                        p -= 1
                    v[p] = x
                    n += 1
            out[i, j] = v[4]


def gray_u8(rgb: u8[:, :, ::1], out: u8[:, ::1]):
    for i in prange(out.shape[0]):
        for j in prange(out.shape[1]):
            out[i, j] = (77 * np.int32(rgb[i, j, 0]) + 150 * np.int32(rgb[i, j, 1]) + 29 * np.int32(rgb[i, j, 2])) >> 8


def bilateral(a: f32[:, ::1], out: f32[:, ::1], space: f32, tone: f32):
    for i in prange(3, a.shape[0] - 3):
        for j in prange(3, a.shape[1] - 3):
            c = a[i, j]
            s: f32 = 0
            t: f32 = 0
            for k in range(-3, 4):
                for l in range(-3, 4):
                    d = a[i + k, j + l] - c
                    w = np.exp(-np.float32(k * k + l * l) * space - d * d * tone)
                    s += w * a[i + k, j + l]
                    t += w
            out[i, j] = s / t


def julia(out: i32[:, ::1], cr: f32, ci: f32, limit: i32):
    h = out.shape[0]
    w = out.shape[1]
    for i in prange(h):
        for j in prange(w):
            x = np.float32(3) * np.float32(j) / np.float32(w) - np.float32(1.5)
            y = np.float32(3) * np.float32(i) / np.float32(h) - np.float32(1.5)
            n: i32 = 0
            while n < limit and x * x + y * y <= np.float32(4):
                t = x * x - y * y + cr
                y = 2 * x * y + ci
                x = t
                n += 1
            out[i, j] = n


def spheres(ball: f32[:, ::1], out: f32[:, ::1]):
    h = out.shape[0]
    w = out.shape[1]
    for i in prange(h):
        for j in prange(w):
            dx = (np.float32(j) - np.float32(w) / 2) / np.float32(w)
            dy = (np.float32(i) - np.float32(h) / 2) / np.float32(h)
            dz = np.float32(1)
            inv = 1 / np.sqrt(dx * dx + dy * dy + dz * dz)
            dx *= inv
            dy *= inv
            dz *= inv
            near = np.float32(1e30)
            for k in range(ball.shape[0]):
                b = dx * ball[k, 0] + dy * ball[k, 1] + dz * ball[k, 2]
                c = ball[k, 0] * ball[k, 0] + ball[k, 1] * ball[k, 1] + ball[k, 2] * ball[k, 2] - ball[k, 3] * ball[k, 3]
                d = b * b - c
                if d > 0:
                    t = b - np.sqrt(d)
                    if t > 0 and t < near:
                        near = t
            out[i, j] = near
