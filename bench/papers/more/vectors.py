"""Vectors: streams, gathers, scans, polynomials, special functions."""


def saxpy(x: f32[::1], y: f32[::1], a: f32):
    # in place
    for i in prange(x.shape[0]):
        y[i] = a * x[i] + y[i]


def triad(x: f64[::1], y: f64[::1], z: f64[::1], a: f64):
    for i in prange(x.shape[0]):
        z[i] = x[i] + a * y[i]


def dot(x: f32[::1], y: f32[::1], repeats: i64):
    s: f32 = 0
    with gpu():
        for turn in range(repeats):
            s = np.float32(0)
            for i in prange(x.shape[0]):
                s += x[i] * y[i]
    return s


def norm_max(x: f64[::1], repeats: i64):
    m = 0.0
    with gpu():
        for turn in range(repeats):
            m = 0.0
            for i in prange(x.shape[0]):
                m = max(m, abs(x[i]))
    return m


def gather(x: f32[::1], place: i32[::1], out: f32[::1]):
    for i in prange(place.shape[0]):
        out[i] = x[place[i]]


def scatter(x: f32[::1], place: i32[::1], out: f32[::1]):
    for i in prange(place.shape[0]):
        out[place[i]] = x[i]


def prefix_blocks(x: i32[::1], out: i32[::1], sums: i32[::1], size: i64):
    for b in prange(sums.shape[0]):
        s: i32 = 0
        for i in range(b * size, (b + 1) * size):
            s += x[i]
        sums[b] = s
    for b in prange(sums.shape[0]):
        s: i32 = 0
        for k in range(b):
            s += sums[k]
        for i in range(b * size, (b + 1) * size):
            s += x[i]
            out[i] = s


def prefix_sum(x: f64[::1], repeats: i64):
    out = x
    with gpu():
        for turn in range(repeats):
            out = np.cumsum(x)
    return out


def histogram(x: u8[::1], count: i32[::1]):
    for i in prange(x.shape[0]):
        count[x[i]] += 1


def polynomial(x: f32[::1], c: f32[::1], out: f32[::1]):
    for i in prange(x.shape[0]):
        t = x[i]
        s: f32 = 0
        for k in range(c.shape[0]):
            s = s * t + c[k]
        out[i] = s


def erf_f64(x: f64[::1], out: f64[::1]):
    for i in prange(x.shape[0]):
        out[i] = math.erf(x[i])


def lgamma_f64(x: f64[::1], out: f64[::1]):
    for i in prange(x.shape[0]):
        out[i] = math.lgamma(x[i])


def trig_f32(x: f32[::1], out: f32[::1]):
    for i in prange(x.shape[0]):
        out[i] = np.sin(x[i]) * np.cos(2 * x[i]) + np.tanh(x[i]) * np.exp(-x[i] * x[i])


def power_f32(x: f32[::1], y: f32[::1], out: f32[::1]):
    for i in prange(x.shape[0]):
        out[i] = x[i] ** y[i] + np.log(x[i]) / np.cbrt(y[i])


def complex_multiply(x: c64[::1], y: c64[::1], out: c64[::1]):
    for i in prange(x.shape[0]):
        out[i] = x[i] * y[i]


def hash_u32(x: u32[::1], out: u32[::1]):
    for i in prange(x.shape[0]):
        h = x[i]
        for k in range(8):
            h ^= h >> 16
            h *= np.uint32(0x85ebca6b)
            h ^= h >> 13
            h *= np.uint32(0xc2b2ae35)
            h ^= h >> 16
        out[i] = h


def xorshift(seed: u32[::1], out: u32[::1], rounds: i64):
    for i in prange(seed.shape[0]):
        x = seed[i]
        s: u32 = 0
        for k in range(rounds):
            x ^= x << 13
            x ^= x >> 17
            x ^= x << 5
            s += x
        out[i] = s


def popcount(x: u32[::1], out: i32[::1]):
    for i in prange(x.shape[0]):
        v = x[i]
        v = v - ((v >> 1) & 0x55555555)
        v = (v & 0x33333333) + ((v >> 2) & 0x33333333)
        v = (v + (v >> 4)) & 0x0f0f0f0f
        out[i] = np.int32((v * np.uint32(0x01010101)) >> 24)


def pi_counts(out: i32[::1], seed: u32, rounds: i64):
    for i in prange(out.shape[0]):
        inside: i32 = 0
        for k in range(rounds):
            a = np.uint32(i)
            b = np.uint32(k)
            key = seed
            for t in range(7):
                p = np.uint64(a) * np.uint64(0xD256D193)
                a = np.uint32(p >> 32) ^ key ^ b
                b = np.uint32(p & 0xFFFFFFFF)
                key += np.uint32(0x9E3779B9)
            x = np.float32(a >> 8) * np.float32(1 / 16777216)
            y = np.float32(b >> 8) * np.float32(1 / 16777216)
            if x * x + y * y < np.float32(1):
                inside += 1
        out[i] = inside


def bitonic_step(x: f32[::1], j: i64, k: i64):
    for t in prange(x.shape[0] // 2):
        a = 2 * t - (t & (j - 1))
        b = a + j
        u = x[a]
        v = x[b]
        if (u > v) == ((a & k) == 0):
            x[a] = v
            x[b] = u


def fft_stage(re: f32[::1], im: f32[::1], wr: f32[::1], wi: f32[::1], half: i64):
    for t in prange(re.shape[0] // 2):
        k = t % half
        a = (t // half) * 2 * half + k
        b = a + half
        c = wr[half + k]
        s = wi[half + k]
        xr = re[b] * c - im[b] * s
        xi = re[b] * s + im[b] * c
        re[b] = (re[a] - xr) * np.float32(0.7071)
        im[b] = (im[a] - xi) * np.float32(0.7071)
        re[a] = (re[a] + xr) * np.float32(0.7071)
        im[a] = (im[a] + xi) * np.float32(0.7071)
