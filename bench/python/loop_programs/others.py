"""Dynamic programming, sorting and searching, images, graphs, signals, physics as plain loops.

The annotation of an argument is the C type of its elements and its rank: f float64, g float32, i int64, j int32, b uint8; n is an
int64, x a float64, c a float32.
"""
from math import cos, exp, fabs, log, sin, sqrt  # noqa: F401


def nw(a: "b1", b: "b1", D: "j2", gap: "n"):
    for i in range(D.shape[0]):
        D[i, 0] = -gap * i
    for j in range(D.shape[1]):
        D[0, j] = -gap * j
    for i in range(1, D.shape[0]):
        for j in range(1, D.shape[1]):
            best = D[i - 1, j - 1] + (3 if a[i - 1] == b[j - 1] else -1)
            if D[i - 1, j] - gap > best:
                best = D[i - 1, j] - gap
            if D[i, j - 1] - gap > best:
                best = D[i, j - 1] - gap
            D[i, j] = best


def levenshtein(a: "b1", b: "b1", row: "i1", out: "i1"):
    n = b.shape[0]
    for j in range(n + 1):
        row[j] = j
    for i in range(a.shape[0]):
        left = i + 1
        diag = row[0]
        row[0] = left
        for j in range(n):
            cost = diag + (0 if a[i] == b[j] else 1)
            diag = row[j + 1]
            left = min(cost, min(left + 1, diag + 1))
            row[j + 1] = left
    out[0] = row[n]


def dtw(x: "f1", y: "f1", D: "f2"):
    for i in range(1, D.shape[0]):
        for j in range(1, D.shape[1]):
            D[i, j] = fabs(x[i - 1] - y[j - 1]) + min(D[i - 1, j], min(D[i, j - 1], D[i - 1, j - 1]))


def sieve(flags: "b1", out: "i1"):
    n = flags.shape[0]
    for i in range(n):
        flags[i] = 1
    count = 0
    for i in range(2, n):
        if flags[i] != 0:
            count += 1
            j = i * i
            while j < n:
                flags[j] = 0
                j += i
    out[0] = count


def histogram(x: "b1", h: "i1"):
    for i in range(h.shape[0]):
        h[i] = 0
    for i in range(x.shape[0]):
        h[x[i]] += 1


def prefix(x: "f1", y: "f1"):
    s = 0.0
    for i in range(x.shape[0]):
        s += x[i]
        y[i] = s


def collatz(out: "i1"):
    for i in range(out.shape[0]):
        n = i + 1
        steps = 0
        while n != 1:
            if n % 2 == 0:
                n = n // 2
            else:
                n = 3 * n + 1
            steps += 1
        out[i] = steps


def life(a: "b2", b: "b2", steps: "n"):
    for t in range(steps):
        for i in range(1, a.shape[0] - 1):
            for j in range(1, a.shape[1] - 1):
                s = int(a[i - 1, j - 1]) + int(a[i - 1, j]) + int(a[i - 1, j + 1]) + int(a[i, j - 1]) + int(a[i, j + 1]) + int(a[i + 1, j - 1]) + int(a[i + 1, j]) + int(a[i + 1, j + 1])
                b[i, j] = 1 if s == 3 or (s == 2 and a[i, j] == 1) else 0
        for i in range(1, a.shape[0] - 1):
            for j in range(1, a.shape[1] - 1):
                a[i, j] = b[i, j]


def conv3(img: "f2", k: "f2", out: "f2"):
    for i in range(1, img.shape[0] - 1):
        for j in range(1, img.shape[1] - 1):
            s = 0.0
            for di in range(3):
                for dj in range(3):
                    s += k[di, dj] * img[i + di - 1, j + dj - 1]
            out[i, j] = s


def fir(x: "f1", h: "f1", y: "f1"):
    m = h.shape[0]
    for i in range(y.shape[0]):
        s = 0.0
        for k in range(m):
            s += h[k] * x[i + k]
        y[i] = s


def autocorr(x: "f1", r: "f1"):
    n = x.shape[0]
    for k in range(r.shape[0]):
        s = 0.0
        for i in range(n - k):
            s += x[i] * x[i + k]
        r[k] = s


def thomas(a: "f2", b: "f2", c: "f2", d: "f2"):
    n = a.shape[1]
    for s in range(a.shape[0]):
        for i in range(1, n):
            w = a[s, i] / b[s, i - 1]
            b[s, i] = b[s, i] - w * c[s, i - 1]
            d[s, i] = d[s, i] - w * d[s, i - 1]
        d[s, n - 1] = d[s, n - 1] / b[s, n - 1]
        for i in range(n - 2, -1, -1):
            d[s, i] = (d[s, i] - c[s, i] * d[s, i + 1]) / b[s, i]


def spmv(ptr: "j1", col: "j1", val: "f1", x: "f1", y: "f1"):
    for i in range(y.shape[0]):
        s = 0.0
        for k in range(ptr[i], ptr[i + 1]):
            s += val[k] * x[col[k]]
        y[i] = s


def kmeans(p: "f2", c: "f2", label: "i1"):
    for i in range(p.shape[0]):
        best = 1e300
        arg = 0
        for k in range(c.shape[0]):
            d = 0.0
            for f in range(p.shape[1]):
                d += (p[i, f] - c[k, f]) * (p[i, f] - c[k, f])
            if d < best:
                best = d
                arg = k
        label[i] = arg


def lcgpi(out: "f1", n: "n"):
    s = 12345
    hits = 0
    for i in range(n):
        s = (s * 1103515245 + 12345) % 2147483648
        x = s / 2147483648.0
        s = (s * 1103515245 + 12345) % 2147483648
        y = s / 2147483648.0
        if x * x + y * y <= 1.0:
            hits += 1
    out[0] = 4.0 * hits / n


def bubble(x: "f1"):
    n = x.shape[0]
    for i in range(n):
        for j in range(n - 1 - i):
            if x[j] > x[j + 1]:
                t = x[j]
                x[j] = x[j + 1]
                x[j + 1] = t


def insertion(x: "f1"):
    for i in range(1, x.shape[0]):
        v = x[i]
        j = i - 1
        while j >= 0 and x[j] > v:
            x[j + 1] = x[j]
            j -= 1
        x[j + 1] = v


def lowerb(a: "f1", q: "f1", out: "i1"):
    for i in range(q.shape[0]):
        lo = 0
        hi = a.shape[0]
        while lo < hi:
            mid = (lo + hi) // 2
            if a[mid] < q[i]:
                lo = mid + 1
            else:
                hi = mid
        out[i] = lo


def lbm(f: "f3", g: "f3", cx: "i1", cy: "i1", w: "f1", omega: "x"):
    ny = f.shape[1]
    nx = f.shape[2]
    for y in range(1, ny - 1):
        for x in range(1, nx - 1):
            rho = 0.0
            ux = 0.0
            uy = 0.0
            for k in range(9):
                v = f[k, y - cy[k], x - cx[k]]
                rho += v
                ux += v * cx[k]
                uy += v * cy[k]
            ux /= rho
            uy /= rho
            for k in range(9):
                cu = 3.0 * (cx[k] * ux + cy[k] * uy)
                eq = rho * w[k] * (1.0 + cu + 0.5 * cu * cu - 1.5 * (ux * ux + uy * uy))
                g[k, y, x] = (1.0 - omega) * f[k, y - cy[k], x - cx[k]] + omega * eq


def bilateral(img: "f2", out: "f2", r: "n", s1: "x", s2: "x"):
    for i in range(r, img.shape[0] - r):
        for j in range(r, img.shape[1] - r):
            num = 0.0
            den = 0.0
            for a in range(-r, r + 1):
                for b in range(-r, r + 1):
                    d = img[i + a, j + b] - img[i, j]
                    w = exp(-(a * a + b * b) * s1 - d * d * s2)
                    num += w * img[i + a, j + b]
                    den += w
            out[i, j] = num / den


def gray(rgb: "b3", out: "b2"):
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            out[i, j] = (int(rgb[i, j, 0]) * 77 + int(rgb[i, j, 1]) * 150 + int(rgb[i, j, 2]) * 29) // 256


def sobel(img: "b2", out: "b2"):
    for i in range(1, img.shape[0] - 1):
        for j in range(1, img.shape[1] - 1):
            gx = int(img[i - 1, j + 1]) + 2 * int(img[i, j + 1]) + int(img[i + 1, j + 1]) - int(img[i - 1, j - 1]) - 2 * int(img[i, j - 1]) - int(img[i + 1, j - 1])
            gy = int(img[i + 1, j - 1]) + 2 * int(img[i + 1, j]) + int(img[i + 1, j + 1]) - int(img[i - 1, j - 1]) - 2 * int(img[i - 1, j]) - int(img[i - 1, j + 1])
            m = abs(gx) + abs(gy)
            out[i, j] = min(m, 255)


def crc(data: "b1", table: "i1", out: "i1"):
    c = 4294967295
    for i in range(data.shape[0]):
        c = table[(c ^ int(data[i])) & 255] ^ (c >> 8)
    out[0] = c ^ 4294967295


def viterbi(obs: "i1", trans: "f2", emit: "f2", V: "f2", back: "i2"):
    s = trans.shape[0]
    for t in range(1, obs.shape[0]):
        for j in range(s):
            best = -1e300
            arg = 0
            for i in range(s):
                v = V[t - 1, i] + trans[i, j]
                if v > best:
                    best = v
                    arg = i
            V[t, j] = best + emit[j, obs[t]]
            back[t, j] = arg


def transpose3(a: "f3", b: "f3"):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            for k in range(a.shape[2]):
                b[k, j, i] = a[i, j, k]


def rowmax(a: "f2", m: "f1", k: "i1"):
    for i in range(a.shape[0]):
        best = a[i, 0]
        arg = 0
        for j in range(1, a.shape[1]):
            if a[i, j] > best:
                best = a[i, j]
                arg = j
        m[i] = best
        k[i] = arg


def softmax(a: "f2", b: "f2"):
    for i in range(a.shape[0]):
        m = a[i, 0]
        for j in range(1, a.shape[1]):
            m = max(m, a[i, j])
        s = 0.0
        for j in range(a.shape[1]):
            b[i, j] = exp(a[i, j] - m)
            s += b[i, j]
        for j in range(a.shape[1]):
            b[i, j] = b[i, j] / s


def saxpy32(a: "c", x: "g1", y: "g1"):
    for i in range(x.shape[0]):
        y[i] = a * x[i] + y[i]


def dot32(x: "g1", y: "g1", out: "g1"):
    s = out[0]
    for i in range(x.shape[0]):
        s += x[i] * y[i]
    out[0] = s


def mm32(C: "g2", A: "g2", B: "g2"):
    for i in range(C.shape[0]):
        for j in range(C.shape[1]):
            s = C[i, j]
            for k in range(A.shape[1]):
                s += A[i, k] * B[k, j]
            C[i, j] = s


def gauss(A: "f2", b: "f1"):
    n = A.shape[0]
    for k in range(n):
        p = k
        for i in range(k + 1, n):
            if fabs(A[i, k]) > fabs(A[p, k]):
                p = i
        if p != k:
            for j in range(n):
                t = A[k, j]
                A[k, j] = A[p, j]
                A[p, j] = t
            t = b[k]
            b[k] = b[p]
            b[p] = t
        for i in range(k + 1, n):
            f = A[i, k] / A[k, k]
            for j in range(k, n):
                A[i, j] -= f * A[k, j]
            b[i] -= f * b[k]


def bfs(ptr: "j1", col: "j1", dist: "i1", queue: "i1"):
    for i in range(dist.shape[0]):
        dist[i] = -1
    head = 0
    tail = 1
    queue[0] = 0
    dist[0] = 0
    while head < tail:
        u = queue[head]
        head += 1
        for k in range(ptr[u], ptr[u + 1]):
            v = col[k]
            if dist[v] < 0:
                dist[v] = dist[u] + 1
                queue[tail] = v
                tail += 1


def knapsack(w: "i1", v: "i1", best: "i1"):
    for i in range(best.shape[0]):
        best[i] = 0
    for i in range(w.shape[0]):
        for c in range(best.shape[0] - 1, w[i] - 1, -1):
            best[c] = max(best[c], best[c - w[i]] + v[i])


def lcs(a: "b1", b: "b1", D: "j2"):
    for i in range(1, D.shape[0]):
        for j in range(1, D.shape[1]):
            if a[i - 1] == b[j - 1]:
                D[i, j] = D[i - 1, j - 1] + 1
            else:
                D[i, j] = max(D[i - 1, j], D[i, j - 1])


def poly(x: "f1", c: "f1", y: "f1"):
    for i in range(x.shape[0]):
        s = 0.0
        for k in range(c.shape[0]):
            s = s * x[i] + c[k]
        y[i] = s


def dft(re: "f1", im: "f1", ore: "f1", oim: "f1"):
    n = re.shape[0]
    for k in range(n):
        sr = 0.0
        si = 0.0
        for t in range(n):
            ang = -6.283185307179586 * k * t / n
            c = cos(ang)
            s = sin(ang)
            sr += re[t] * c - im[t] * s
            si += re[t] * s + im[t] * c
        ore[k] = sr
        oim[k] = si


def interp1(xp: "f1", fp: "f1", x: "f1", y: "f1"):
    for i in range(x.shape[0]):
        k = 0
        while k < xp.shape[0] - 2 and xp[k + 1] < x[i]:
            k += 1
        t = (x[i] - xp[k]) / (xp[k + 1] - xp[k])
        y[i] = fp[k] + t * (fp[k + 1] - fp[k])


def erode(img: "b2", out: "b2"):
    for i in range(1, img.shape[0] - 1):
        for j in range(1, img.shape[1] - 1):
            m = 255
            for a in range(-1, 2):
                for b in range(-1, 2):
                    m = min(m, int(img[i + a, j + b]))
            out[i, j] = m


def box(img: "f2", out: "f2", r: "n"):
    for i in range(r, img.shape[0] - r):
        for j in range(r, img.shape[1] - r):
            s = 0.0
            for a in range(-r, r + 1):
                for b in range(-r, r + 1):
                    s += img[i + a, j + b]
            out[i, j] = s / ((2 * r + 1) * (2 * r + 1))


def nbody3(p: "f2", v: "f2", m: "f1", dt: "x"):
    n = p.shape[0]
    for i in range(n):
        ax = 0.0
        ay = 0.0
        az = 0.0
        for j in range(n):
            if i != j:
                dx = p[j, 0] - p[i, 0]
                dy = p[j, 1] - p[i, 1]
                dz = p[j, 2] - p[i, 2]
                d2 = dx * dx + dy * dy + dz * dz + 0.01
                inv = m[j] / (d2 * sqrt(d2))
                ax += dx * inv
                ay += dy * inv
                az += dz * inv
        v[i, 0] += dt * ax
        v[i, 1] += dt * ay
        v[i, 2] += dt * az
    for i in range(n):
        for k in range(3):
            p[i, k] += dt * v[i, k]


def mandel(out: "i2", x0: "x", y0: "x", step: "x", limit: "n"):
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            cx = x0 + j * step
            cy = y0 + i * step
            x = 0.0
            y = 0.0
            k = 0
            while k < limit and x * x + y * y < 4.0:
                t = x * x - y * y + cx
                y = 2.0 * x * y + cy
                x = t
                k += 1
            out[i, j] = k


def wave(u: "f2", up: "f2", un: "f2", c: "x", steps: "n"):
    for t in range(steps):
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                un[i, j] = 2.0 * u[i, j] - up[i, j] + c * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - 4.0 * u[i, j])
        for i in range(u.shape[0]):
            for j in range(u.shape[1]):
                up[i, j] = u[i, j]
                u[i, j] = un[i, j]


def sor(u: "f2", f: "f2", w: "x", steps: "n"):
    for t in range(steps):
        for c in range(2):
            for i in range(1, u.shape[0] - 1):
                for j in range(1 + (i + c) % 2, u.shape[1] - 1, 2):
                    u[i, j] = (1.0 - w) * u[i, j] + w * 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - f[i, j])


def quick(a: "f1", stack: "i1"):
    top = 0
    stack[0] = 0
    stack[1] = a.shape[0] - 1
    top = 2
    while top > 0:
        top -= 2
        lo = stack[top]
        hi = stack[top + 1]
        while lo < hi:
            p = a[(lo + hi) // 2]
            i = lo
            j = hi
            while i <= j:
                while a[i] < p:
                    i += 1
                while a[j] > p:
                    j -= 1
                if i <= j:
                    t = a[i]
                    a[i] = a[j]
                    a[j] = t
                    i += 1
                    j -= 1
            if j - lo < hi - i:
                stack[top] = i
                stack[top + 1] = hi
                top += 2
                hi = j
            else:
                stack[top] = lo
                stack[top + 1] = j
                top += 2
                lo = i


def merge(a: "f1", b: "f1"):
    n = a.shape[0]
    width = 1
    while width < n:
        lo = 0
        while lo < n:
            mid = min(lo + width, n)
            hi = min(lo + 2 * width, n)
            i = lo
            j = mid
            for k in range(lo, hi):
                if i < mid and (j >= hi or a[i] <= a[j]):
                    b[k] = a[i]
                    i += 1
                else:
                    b[k] = a[j]
                    j += 1
            lo += 2 * width
        for k in range(n):
            a[k] = b[k]
        width *= 2


def cumstats(x: "f2", m: "f1", v: "f1"):
    for i in range(x.shape[0]):
        mu = 0.0
        s = 0.0
        for j in range(x.shape[1]):
            d = x[i, j] - mu
            mu += d / (j + 1)
            s += d * (x[i, j] - mu)
        m[i] = mu
        v[i] = s / x.shape[1]


def popcount(x: "i1", out: "i1"):
    s = 0
    for i in range(x.shape[0]):
        v = x[i]
        c = 0
        while v != 0:
            v = v & (v - 1)
            c += 1
        s += c
    out[0] = s
