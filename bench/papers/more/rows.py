"""Rows, columns and triangles of matrices."""


def softmax(a: f32[:, ::1], out: f32[:, ::1]):
    for i in prange(a.shape[0]):
        top = a[i, 0]
        for j in range(a.shape[1]):
            top = max(top, a[i, j])
        total: f32 = 0
        for j in range(a.shape[1]):
            total += np.exp(a[i, j] - top)
        for j in range(a.shape[1]):
            out[i, j] = np.exp(a[i, j] - top) / total


def layer_norm(a: f32[:, ::1], gain: f32[::1], shift: f32[::1], out: f32[:, ::1]):
    n = np.float32(a.shape[1])
    for i in prange(a.shape[0]):
        s: f32 = 0
        for j in range(a.shape[1]):
            s += a[i, j]
        mean = s / n
        v: f32 = 0
        for j in range(a.shape[1]):
            d = a[i, j] - mean
            v += d * d
        scale = 1 / np.sqrt(v / n + np.float32(1e-5))
        for j in range(a.shape[1]):
            out[i, j] = (a[i, j] - mean) * scale * gain[j] + shift[j]


def row_sums(a: f32[:, ::1], out: f32[::1]):
    for i in prange(a.shape[0]):
        s: f32 = 0
        for j in range(a.shape[1]):
            s += a[i, j]
        out[i] = s


def argmin_rows(a: f32[:, ::1], out: i32[::1]):
    for i in prange(a.shape[0]):
        best = a[i, 0]
        place = 0
        for j in range(1, a.shape[1]):
            if a[i, j] < best:
                best = a[i, j]
                place = j
        out[i] = place


def cummax_rows(a: f32[:, ::1], out: f32[:, ::1]):
    for i in prange(a.shape[0]):
        m = a[i, 0]
        for j in range(a.shape[1]):
            m = max(m, a[i, j])
            out[i, j] = m


def matvec(a: f32[:, ::1], x: f32[::1], y: f32[::1]):
    for i in prange(a.shape[0]):
        s: f32 = 0
        for j in range(a.shape[1]):
            s += a[i, j] * x[j]
        y[i] = s


def matvec_t(a: f32[:, ::1], x: f32[::1], y: f32[::1]):
    for j in prange(a.shape[1]):
        s: f32 = 0
        for i in range(a.shape[0]):
            s += a[i, j] * x[i]
        y[j] = s


def column_sums(a: f32[:, ::1], out: f32[::1]):
    for j in prange(a.shape[1]):
        s: f32 = 0
        for i in range(a.shape[0]):
            s += a[i, j]
        out[j] = s


def triangle_columns(a: f32[:, ::1], out: f32[::1]):
    for j in prange(a.shape[1]):
        s: f32 = 0
        for i in range(j + 1):
            s += a[i, j]
        out[j] = s


def triangle_rows(a: f32[:, ::1], out: f32[::1]):
    for i in prange(a.shape[0]):
        s: f32 = 0
        for j in range(i + 1):
            s += a[i, j]
        out[i] = s


def outer(x: f32[::1], y: f32[::1], out: f32[:, ::1]):
    for i in prange(x.shape[0]):
        for j in prange(y.shape[0]):
            out[i, j] = x[i] * y[j]


def transpose(a: f32[:, ::1], out: f32[:, ::1]):
    for i in prange(a.shape[0]):
        for j in prange(a.shape[1]):
            out[j, i] = a[i, j]


def diagonal(a: f32[:, ::1], out: f32[::1]):
    for i in prange(a.shape[0]):
        out[i] = a[i, i]


def trace(a: f32[:, ::1], repeats: i64):
    s: f64 = 0
    with gpu():
        for turn in range(repeats):
            s = 0.0
            for i in prange(a.shape[0]):
                s += np.float64(a[i, i])
    return s
