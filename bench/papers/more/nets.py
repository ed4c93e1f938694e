"""Layers of neural networks."""


def bias_relu(x: f32[:, ::1], b: f32[::1], out: f32[:, ::1]):
    for i in prange(x.shape[0]):
        for j in prange(x.shape[1]):
            out[i, j] = max(x[i, j] + b[j], np.float32(0))


def gelu(x: f32[::1], out: f32[::1]):
    for i in prange(x.shape[0]):
        t = x[i]
        out[i] = np.float32(0.5) * t * (1 + np.tanh(np.float32(0.7978845608) * (t + np.float32(0.044715) * t * t * t)))


def batch_norm(x: f32[:, :, ::1], mean: f32[::1], var: f32[::1], gain: f32[::1], shift: f32[::1], out: f32[:, :, ::1]):
    for n in prange(x.shape[0]):
        for c in prange(x.shape[1]):
            for k in prange(x.shape[2]):
                out[n, c, k] = (x[n, c, k] - mean[c]) / np.sqrt(var[c] + np.float32(1e-5)) * gain[c] + shift[c]


def max_pool(x: f32[:, :, ::1], out: f32[:, :, ::1]):
    for c in prange(out.shape[0]):
        for i in prange(out.shape[1]):
            for j in prange(out.shape[2]):
                m = x[c, 2 * i, 2 * j]
                for k in range(2):
                    for l in range(2):
                        m = max(m, x[c, 2 * i + k, 2 * j + l])
                out[c, i, j] = m


def depthwise(x: f32[:, :, ::1], w: f32[:, :, ::1], out: f32[:, :, ::1]):
    for c in prange(out.shape[0]):
        for i in prange(out.shape[1]):
            for j in prange(out.shape[2]):
                s: f32 = 0
                for k in range(3):
                    for l in range(3):
                        s += x[c, i + k, j + l] * w[c, k, l]
                out[c, i, j] = s


def layer(x: f32[:, :, ::1], w: f32[:, :, :, ::1], out: f32[:, :, ::1]):
    for o in prange(out.shape[0]):
        for i in prange(out.shape[1]):
            for j in prange(out.shape[2]):
                s: f32 = 0
                for c in range(x.shape[0]):
                    for k in range(3):
                        for l in range(3):
                            s += x[c, i + k, j + l] * w[o, c, k, l]
                out[o, i, j] = s


def adam(p: f32[::1], g: f32[::1], m: f32[::1], v: f32[::1], rate: f32):
    # in place
    for i in prange(p.shape[0]):
        m[i] = np.float32(0.9) * m[i] + np.float32(0.1) * g[i]
        v[i] = np.float32(0.999) * v[i] + np.float32(0.001) * g[i] * g[i]
        p[i] -= rate * m[i] / (np.sqrt(v[i]) + np.float32(1e-8))


def embedding(table: f32[:, ::1], words: i32[::1], out: f32[:, ::1]):
    for i in prange(words.shape[0]):
        for j in prange(table.shape[1]):
            out[i, j] = table[words[i], j]


def cross_entropy(a: f32[:, ::1], label: i32[::1], loss: f32[::1]):
    for i in prange(a.shape[0]):
        top = a[i, 0]
        for j in range(a.shape[1]):
            top = max(top, a[i, j])
        s: f32 = 0
        for j in range(a.shape[1]):
            s += np.exp(a[i, j] - top)
        loss[i] = np.log(s) + top - a[i, label[i]]


def softmax_short(a: f32[:, ::1], out: f32[:, ::1]):
    for i in prange(a.shape[0]):
        top = a[i, 0]
        for j in range(a.shape[1]):
            top = max(top, a[i, j])
        s: f32 = 0
        for j in range(a.shape[1]):
            s += np.exp(a[i, j] - top)
        for j in prange(a.shape[1]):
            out[i, j] = np.exp(a[i, j] - top) / s


def column_moments(a: f32[:, ::1], mean: f32[::1], var: f32[::1]):
    n = np.float32(a.shape[0])
    for j in prange(a.shape[1]):
        s: f32 = 0
        for i in range(a.shape[0]):
            s += a[i, j]
        m = s / n
        v: f32 = 0
        for i in range(a.shape[0]):
            d = a[i, j] - m
            v += d * d
        mean[j] = m
        var[j] = v / n


def dropout(x: f32[::1], out: f32[::1], seed: u32):
    for i in prange(x.shape[0]):
        h = np.uint32(i) ^ seed
        h ^= h >> 16
        h *= np.uint32(0x7feb352d)
        h ^= h >> 15
        h *= np.uint32(0x846ca68b)
        h ^= h >> 16
        out[i] = x[i] * np.float32(1.25) if h > np.uint32(858993459) else np.float32(0)
