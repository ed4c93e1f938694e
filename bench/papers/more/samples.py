"""Filters, fields, random numbers, sequences, lists, eigenvalues, votes and samples, as in the samples of toolkits and in libraries."""


def convolution_separable(a: f32[:, ::1], w: f32[::1], mid: f32[:, ::1], out: f32[:, ::1]):
    for i in prange(mid.shape[0]):
        for j in prange(mid.shape[1]):
            s: f32 = 0
            for k in range(17):
                s += w[k] * a[i, j + k]
            mid[i, j] = s
    for i in prange(out.shape[0]):
        for j in prange(out.shape[1]):
            s: f32 = 0
            for k in range(17):
                s += w[k] * mid[i + k, j]
            out[i, j] = s


def non_local_means(a: f32[:, ::1], out: f32[:, ::1], strength: f32):
    for i in prange(6, a.shape[0] - 6):
        for j in prange(6, a.shape[1] - 6):
            s: f32 = 0
            total: f32 = 0
            for y in range(i - 5, i + 6):
                for x in range(j - 5, j + 6):
                    d: f32 = 0
                    for k in range(-1, 2):
                        for l in range(-1, 2):
                            e = a[i + k, j + l] - a[y + k, x + l]
                            d += e * e
                    weight = np.exp(-strength * d)
                    s += weight * a[y, x]
                    total += weight
            out[i, j] = s / total


def semi_lagrangian(q: f32[:, ::1], u: f32[:, ::1], v: f32[:, ::1], out: f32[:, ::1], dt: f32):
    h = q.shape[0]
    w = q.shape[1]
    for i in prange(h):
        for j in prange(w):
            y = min(max(np.float32(i) - dt * v[i, j], np.float32(0)), np.float32(h - 1))
            x = min(max(np.float32(j) - dt * u[i, j], np.float32(0)), np.float32(w - 1))
            i0 = min(int(y), h - 2)
            j0 = min(int(x), w - 2)
            fy = y - np.float32(i0)
            fx = x - np.float32(j0)
            top = (1 - fx) * q[i0, j0] + fx * q[i0, j0 + 1]
            low = (1 - fx) * q[i0 + 1, j0] + fx * q[i0 + 1, j0 + 1]
            out[i, j] = (1 - fy) * top + fy * low


def sobol(direction: u32[:, ::1], out: f32[:, ::1]):
    for d in prange(out.shape[0]):
        for i in prange(out.shape[1]):
            gray = np.uint32(i ^ (i >> 1))
            x: u32 = 0
            for k in range(32):
                if (gray >> np.uint32(k)) & np.uint32(1) != 0:
                    x ^= direction[d, k]
            out[d, i] = np.float32(x >> np.uint32(8)) / 16777216


def viterbi(step: f32[:, ::1], emit: f32[:, ::1], seen: i32[:, ::1], back: i32[:, :, ::1], best: f32[::1]):
    for b in prange(seen.shape[0]):
        score = np.zeros(32, np.float32)
        new = np.zeros(32, np.float32)
        for t in range(seen.shape[1]):
            for j in range(32):
                top = score[0] + step[0, j]
                place: i32 = 0
                for i in range(1, 32):
                    s = score[i] + step[i, j]
                    if s > top:
                        top = s
                        place = i
                new[j] = top + emit[j, seen[b, t]]
                back[b, t, j] = place
            for j in range(32):
                score[j] = new[j]
        most = score[0]
        for j in range(1, 32):
            most = max(most, score[j])
        best[b] = most


def dtw(a: f32[:, ::1], b: f32[:, ::1], out: f32[::1]):
    for p in prange(a.shape[0]):
        last = np.full(129, 1e30, np.float32)
        now = np.full(129, 1e30, np.float32)
        last[0] = 0
        for i in range(128):
            for j in range(128):
                now[j + 1] = abs(a[p, i] - b[p, j]) + min(min(last[j], last[j + 1]), now[j])
            for j in range(129):
                last[j] = now[j]
        out[p] = last[128]


def compaction(x: f32[::1], flag: i32[::1], out: f32[::1], count: i32[::1], limit: f32):
    n = x.shape[0]
    for i in prange(n):
        flag[i] = 1 if x[i] > limit else 0
    place = np.cumsum(flag)
    for i in prange(n):
        if flag[i] == 1:
            out[place[i] - 1] = x[i]
    count[0] = place[n - 1]


def segmented_sum(x: f32[::1], start: i32[::1], out: f32[::1]):
    for s in prange(out.shape[0]):
        total: f32 = 0
        for k in range(start[s], start[s + 1]):
            total += x[k]
        out[s] = total


def sturm(d: f32[:, ::1], e2: f32[:, ::1], out: f32[:, ::1], low: f32, high: f32):
    n = d.shape[1]
    for m in prange(d.shape[0]):
        for k in prange(n):
            lo = low
            hi = high
            for turn in range(24):
                x = (lo + hi) / 2
                count = 0
                q: f32 = 1
                for i in range(n):
                    q = d[m, i] - x - e2[m, i] / q
                    if q < 0:
                        count += 1
                if count > k:
                    hi = x
                else:
                    lo = x
            out[m, k] = (lo + hi) / 2


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def lstm_cell(x: f32[:, ::1], h: f32[:, ::1], c: f32[:, ::1], wx: f32[:, ::1], wh: f32[:, ::1], b: f32[::1], new_c: f32[:, ::1],
              new_h: f32[:, ::1]):
    n = h.shape[1]
    for r in prange(h.shape[0]):
        for j in prange(n):
            take = b[j]
            forget = b[n + j]
            give = b[2 * n + j]
            offer = b[3 * n + j]
            for k in range(x.shape[1]):
                take += x[r, k] * wx[k, j]
                forget += x[r, k] * wx[k, n + j]
                give += x[r, k] * wx[k, 2 * n + j]
                offer += x[r, k] * wx[k, 3 * n + j]
            for k in range(n):
                take += h[r, k] * wh[k, j]
                forget += h[r, k] * wh[k, n + j]
                give += h[r, k] * wh[k, 2 * n + j]
                offer += h[r, k] * wh[k, 3 * n + j]
            s = sigmoid(forget) * c[r, j] + sigmoid(take) * np.tanh(offer)
            new_c[r, j] = s
            new_h[r, j] = sigmoid(give) * np.tanh(s)


def hough(x: i32[::1], y: i32[::1], cosine: f32[::1], sine: f32[::1], vote: i32[:, ::1]):
    middle = vote.shape[1] // 2
    for t in prange(vote.shape[0]):
        for r in prange(vote.shape[1]):
            vote[t, r] = 0
    for p in prange(x.shape[0]):
        for t in range(vote.shape[0]):
            r = int(np.rint(np.float32(x[p]) * cosine[t] + np.float32(y[p]) * sine[t]))
            vote[t, r + middle] += 1


def haversine(lat: f32[::1], lon: f32[::1], lat2: f32[::1], lon2: f32[::1], least: f32[::1], place: i32[::1]):
    for i in prange(lat.shape[0]):
        best: f32 = 1e30
        at: i32 = 0
        for j in range(lat2.shape[0]):
            u = np.sin((lat2[j] - lat[i]) / 2)
            v = np.sin((lon2[j] - lon[i]) / 2)
            a = u * u + np.cos(lat[i]) * np.cos(lat2[j]) * v * v
            d = 2 * 6371 * np.arcsin(np.sqrt(a))
            if d < best:
                best = d
                at = j
        least[i] = best
        place[i] = at


def grid_sample(a: f32[:, :, ::1], px: f32[::1], py: f32[::1], out: f32[:, ::1]):
    h = a.shape[1]
    w = a.shape[2]
    for c in prange(a.shape[0]):
        for n in prange(px.shape[0]):
            y0 = int(np.floor(py[n]))
            x0 = int(np.floor(px[n]))
            fy = py[n] - np.float32(y0)
            fx = px[n] - np.float32(x0)
            s: f32 = 0
            if 0 <= y0 < h and 0 <= x0 < w:
                s += (1 - fy) * (1 - fx) * a[c, y0, x0]
            if 0 <= y0 < h and 0 <= x0 + 1 < w:
                s += (1 - fy) * fx * a[c, y0, x0 + 1]
            if 0 <= y0 + 1 < h and 0 <= x0 < w:
                s += fy * (1 - fx) * a[c, y0 + 1, x0]
            if 0 <= y0 + 1 < h and 0 <= x0 + 1 < w:
                s += fy * fx * a[c, y0 + 1, x0 + 1]
            out[c, n] = s


def upfirdn(x: f32[:, ::1], h: f32[::1], y: f32[:, ::1]):
    for r in prange(y.shape[0]):
        for n in prange(y.shape[1]):
            s: f32 = 0
            for k in range(h.shape[0]):
                if (n - k) % 4 == 0:
                    i = (n - k) // 4
                    if 0 <= i < x.shape[1]:
                        s += h[k] * x[r, i]
            y[r, n] = s
