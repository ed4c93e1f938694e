"""Grids, particles, histograms and sequences of Rodinia and Parboil."""


def hotspot3d(t: f32[:, :, ::1], power: f32[:, :, ::1], out: f32[:, :, ::1], cx: f32, cy: f32, cz: f32, step: f32):
    d = t.shape[0]
    h = t.shape[1]
    w = t.shape[2]
    center = 1 - (2 * cx + 2 * cy + 3 * cz)
    for z in prange(d):
        for y in prange(h):
            for x in prange(w):
                west = t[z, y, max(x - 1, 0)]
                east = t[z, y, min(x + 1, w - 1)]
                north = t[z, max(y - 1, 0), x]
                south = t[z, min(y + 1, h - 1), x]
                below = t[max(z - 1, 0), y, x]
                above = t[min(z + 1, d - 1), y, x]
                out[z, y, x] = (t[z, y, x] * center + cx * (west + east) + cy * (south + north) + cz * (above + below)
                                + step * power[z, y, x] + cz * 80)


def lavamd(place: f32[:, :, ::1], charge: f32[:, ::1], near: i32[:, ::1], force: f32[:, :, ::1], a2: f32):
    for b in prange(place.shape[0]):
        for i in prange(place.shape[1]):
            v: f32 = 0
            fx: f32 = 0
            fy: f32 = 0
            fz: f32 = 0
            for k in range(near.shape[1]):
                n = near[b, k]
                if n >= 0:
                    for j in range(place.shape[1]):
                        r2 = (place[b, i, 3] + place[n, j, 3]
                              - (place[b, i, 0] * place[n, j, 0] + place[b, i, 1] * place[n, j, 1] + place[b, i, 2] * place[n, j, 2]))
                        e = np.exp(-a2 * r2)
                        f = 2 * e
                        v += charge[n, j] * e
                        fx += charge[n, j] * f * (place[b, i, 0] - place[n, j, 0])
                        fy += charge[n, j] * f * (place[b, i, 1] - place[n, j, 1])
                        fz += charge[n, j] * f * (place[b, i, 2] - place[n, j, 2])
            force[b, i, 0] = fx
            force[b, i, 1] = fy
            force[b, i, 2] = fz
            force[b, i, 3] = v


def backprop(x: f32[::1], w: f32[:, ::1], old: f32[:, ::1], hidden: f32[::1], target: f32[::1]):
    n = w.shape[0]
    m = w.shape[1]
    for j in prange(m):
        s: f32 = 0
        for i in range(n):
            s += w[i, j] * x[i]
        hidden[j] = 1 / (1 + np.exp(-s))
    for i in prange(n):
        for j in prange(m):
            delta = hidden[j] * (1 - hidden[j]) * (target[j] - hidden[j])
            change = np.float32(0.3) * delta * x[i] + np.float32(0.3) * old[i, j]
            w[i, j] += change
            old[i, j] = change


def pgain(point: f32[:, ::1], weight: f32[::1], cost: f32[::1], center: i32[::1], x: i64, moves: u8[::1], lower: f32[::1]):
    for i in prange(point.shape[1]):
        s: f32 = 0
        for d in range(point.shape[0]):
            t = point[d, i] - point[d, x]
            s += t * t
        now = s * weight[i]
        if now < cost[i]:
            moves[i] = 1
        else:
            moves[i] = 0
            lower[center[i]] += cost[i] - now


def particles(image: u8[:, ::1], px: f32[::1], py: f32[::1], dx: i32[::1], dy: i32[::1], weight: f32[::1], mean: f32[::1]):
    n = px.shape[0]
    h = image.shape[0]
    w = image.shape[1]
    count = dx.shape[0]
    total: f32 = 0
    for p in prange(n):
        x = int(px[p])
        y = int(py[p])
        s: f32 = 0
        for k in range(count):
            i = min(max(y + dy[k], 0), h - 1)
            j = min(max(x + dx[k], 0), w - 1)
            v = np.float32(image[i, j])
            s += ((v - 100) * (v - 100) - (v - 228) * (v - 228)) / 50
        weight[p] *= np.exp(s / (20 * np.float32(count)))
        total += weight[p]
    mx: f32 = 0
    my: f32 = 0
    for p in prange(n):
        weight[p] /= total
        mx += weight[p] * px[p]
        my += weight[p] * py[p]
    mean[0] = mx
    mean[1] = my


def tpacf(x: f32[::1], y: f32[::1], z: f32[::1], edge: f32[::1], count: i32[::1]):
    n = x.shape[0]
    for i in prange(n):
        for j in range(i + 1, n):
            d = x[i] * x[j] + y[i] * y[j] + z[i] * z[j]
            lo = 0
            hi = edge.shape[0]
            while lo < hi:
                mid = (lo + hi) // 2
                if d >= edge[mid]:
                    hi = mid
                else:
                    lo = mid + 1
            count[lo] += 1


def cutcp(atom: f32[:, :, :, :, ::1], out: f32[:, :, ::1], step: f32, limit: f32):
    for k in prange(out.shape[0]):
        for j in prange(out.shape[1]):
            for i in prange(out.shape[2]):
                x = step * np.float32(i)
                y = step * np.float32(j)
                z = step * np.float32(k)
                s: f32 = 0
                for c in range(k // 8, k // 8 + 3):
                    for b in range(j // 8, j // 8 + 3):
                        for a in range(i // 8, i // 8 + 3):
                            for t in range(atom.shape[3]):
                                dx = atom[c, b, a, t, 0] - x
                                dy = atom[c, b, a, t, 1] - y
                                dz = atom[c, b, a, t, 2] - z
                                r2 = dx * dx + dy * dy + dz * dz
                                if r2 < limit:
                                    e = 1 - r2 / limit
                                    s += atom[c, b, a, t, 3] / np.sqrt(r2) * e * e
                out[k, j, i] = s


def euler_flux(q: f32[:, ::1], near: i32[:, ::1], normal: f32[:, :, ::1], far: f32[::1], flux: f32[:, ::1]):
    for c in prange(q.shape[1]):
        rho = q[0, c]
        mx = q[1, c]
        my = q[2, c]
        mz = q[3, c]
        e = q[4, c]
        vx = mx / rho
        vy = my / rho
        vz = mz / rho
        v2 = vx * vx + vy * vy + vz * vz
        p = np.float32(0.4) * (e - np.float32(0.5) * rho * v2)
        speed = np.sqrt(np.float32(1.4) * p / rho) + np.sqrt(v2)
        f0: f32 = 0
        f1: f32 = 0
        f2: f32 = 0
        f3: f32 = 0
        f4: f32 = 0
        for k in range(4):
            n = near[k, c]
            nx = normal[k, 0, c]
            ny = normal[k, 1, c]
            nz = normal[k, 2, c]
            if n == -1:
                f1 += nx * p
                f2 += ny * p
                f3 += nz * p
            else:
                if n >= 0:
                    rn = q[0, n]
                    ax = q[1, n]
                    ay = q[2, n]
                    az = q[3, n]
                    en = q[4, n]
                else:
                    rn = far[0]
                    ax = far[1]
                    ay = far[2]
                    az = far[3]
                    en = far[4]
                ux = ax / rn
                uy = ay / rn
                uz = az / rn
                u2 = ux * ux + uy * uy + uz * uz
                pn = np.float32(0.4) * (en - np.float32(0.5) * rn * u2)
                sn = np.sqrt(np.float32(1.4) * pn / rn) + np.sqrt(u2)
                r = np.float32(-0.1) * np.sqrt(nx * nx + ny * ny + nz * nz) * (speed + sn)
                g = np.float32(0.5) * (nx * vx + ny * vy + nz * vz)
                gn = np.float32(0.5) * (nx * ux + ny * uy + nz * uz)
                half = np.float32(0.5) * (p + pn)
                f0 += r * (rho - rn) + g * rho + gn * rn
                f1 += r * (mx - ax) + g * mx + gn * ax + nx * half
                f2 += r * (my - ay) + g * my + gn * ay + ny * half
                f3 += r * (mz - az) + g * mz + gn * az + nz * half
                f4 += r * (e - en) + g * (e + p) + gn * (en + pn)
        flux[0, c] = f0
        flux[1, c] = f1
        flux[2, c] = f2
        flux[3, c] = f3
        flux[4, c] = f4


def needleman_wunsch(a: i32[::1], b: i32[::1], cost: i32[:, ::1], score: i32[:, ::1], gap: i32):
    n = a.shape[0]
    for d in range(2, 2 * n + 1):
        for i in prange(max(1, d - n), min(d, n + 1)):
            j = d - i
            best = score[i - 1, j - 1] + cost[a[i - 1], b[j - 1]]
            best = max(best, score[i - 1, j] - gap)
            score[i, j] = max(best, score[i, j - 1] - gap)
