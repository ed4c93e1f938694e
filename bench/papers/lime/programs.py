"""Lime (2012), table 3: N-Body, Mosaic, CP, MRI-Q, RPES, Crypt, Series."""


def nbody(p: T[:, ::1], force: T[:, ::1], soft: T):
    for i in prange(p.shape[0]):
        fx: T = 0
        fy: T = 0
        fz: T = 0
        for j in range(p.shape[0]):
            dx = p[j, 0] - p[i, 0]
            dy = p[j, 1] - p[i, 1]
            dz = p[j, 2] - p[i, 2]
            d = dx * dx + dy * dy + dz * dz + soft
            s = p[j, 3] / (d * np.sqrt(d))
            fx += s * dx
            fy += s * dy
            fz += s * dz
        force[i, 0] = fx
        force[i, 1] = fy
        force[i, 2] = fz


def mosaic(image: i32[:, ::1], library: i32[:, ::1], best: i32[::1]):
    for i in prange(image.shape[0]):
        least: i32 = 2000000000
        place: i32 = 0
        for j in range(library.shape[0]):
            s: i32 = 0
            for k in range(image.shape[1]):
                s += abs(image[i, k] - library[j, k])
            if s < least:
                least = s
                place = j
        best[i] = place


def cp(atom: f32[:, ::1], out: f32[:, ::1], step: f32):
    for i in prange(out.shape[0]):
        for j in prange(out.shape[1]):
            x = step * np.float32(j)
            y = step * np.float32(i)
            v: f32 = 0
            for k in range(atom.shape[0]):
                dx = x - atom[k, 0]
                dy = y - atom[k, 1]
                v += atom[k, 3] / np.sqrt(dx * dx + dy * dy + atom[k, 2])
            out[i, j] = v


def mriq(kx: f32[::1], ky: f32[::1], kz: f32[::1], phi: f32[::1], x: f32[::1], y: f32[::1], z: f32[::1], qr: f32[::1], qi: f32[::1]):
    for i in prange(x.shape[0]):
        r: f32 = 0
        m: f32 = 0
        for k in range(kx.shape[0]):
            t = np.float32(6.2831853) * (kx[k] * x[i] + ky[k] * y[i] + kz[k] * z[i])
            r += phi[k] * np.cos(t)
            m += phi[k] * np.sin(t)
        qr[i] = r
        qi[i] = m


def rpes(bra: f32[:, ::1], ket: f32[:, ::1], out: f32[::1]):
    for i in prange(bra.shape[0]):
        e: f32 = 0
        for j in range(ket.shape[0]):
            p = bra[i, 3]
            q = ket[j, 3]
            dx = bra[i, 0] - ket[j, 0]
            dy = bra[i, 1] - ket[j, 1]
            dz = bra[i, 2] - ket[j, 2]
            t = p * q / (p + q) * (dx * dx + dy * dy + dz * dz)
            f: f32 = 0
            if t < np.float32(1):
                f = 1 + t * (np.float32(-1 / 3) + t * (np.float32(0.1) + t * (np.float32(-1 / 42) + t * (np.float32(1 / 216) - t * np.float32(1 / 1320)))))
            elif t < np.float32(12):
                g = np.exp(-t)
                f = np.float32(0.886226925) / np.sqrt(t) * (1 - g * (np.float32(0.3) + np.float32(0.25) / (t + np.float32(0.5))))
            else:
                f = np.float32(0.886226925) / np.sqrt(t)
            e += bra[i, 4] * ket[j, 4] * np.float32(34.986836) / (p * q * np.sqrt(p + q)) * f
        out[i] = e


def times(a, b):
    if a == 0:
        r = np.uint32(65537) - b
    elif b == 0:
        r = np.uint32(65537) - a
    else:
        p = a * b
        low = p & np.uint32(65535)
        high = p >> np.uint32(16)
        r = low - high
        if low < high:
            r += np.uint32(65537)
    return r & np.uint32(65535)


def crypt(text: u8[::1], key: u16[::1], out: u8[::1]):
    for b in prange(text.shape[0] // 8):
        at = 8 * b
        x1 = np.uint32(text[at]) | np.uint32(text[at + 1]) << np.uint32(8)
        x2 = np.uint32(text[at + 2]) | np.uint32(text[at + 3]) << np.uint32(8)
        x3 = np.uint32(text[at + 4]) | np.uint32(text[at + 5]) << np.uint32(8)
        x4 = np.uint32(text[at + 6]) | np.uint32(text[at + 7]) << np.uint32(8)
        for r in range(8):
            x1 = times(x1, np.uint32(key[6 * r]))
            x2 = (x2 + np.uint32(key[6 * r + 1])) & np.uint32(65535)
            x3 = (x3 + np.uint32(key[6 * r + 2])) & np.uint32(65535)
            x4 = times(x4, np.uint32(key[6 * r + 3]))
            t2 = times(x1 ^ x3, np.uint32(key[6 * r + 4]))
            t1 = times((t2 + (x2 ^ x4)) & np.uint32(65535), np.uint32(key[6 * r + 5]))
            t2 = (t1 + t2) & np.uint32(65535)
            x1 ^= t1
            x4 ^= t2
            t2 ^= x2
            x2 = x3 ^ t1
            x3 = t2
        y1 = times(x1, np.uint32(key[48]))
        y2 = (x3 + np.uint32(key[49])) & np.uint32(65535)
        y3 = (x2 + np.uint32(key[50])) & np.uint32(65535)
        y4 = times(x4, np.uint32(key[51]))
        out[at] = np.uint8(y1 & np.uint32(255))
        out[at + 1] = np.uint8(y1 >> np.uint32(8))
        out[at + 2] = np.uint8(y2 & np.uint32(255))
        out[at + 3] = np.uint8(y2 >> np.uint32(8))
        out[at + 4] = np.uint8(y3 & np.uint32(255))
        out[at + 5] = np.uint8(y3 >> np.uint32(8))
        out[at + 6] = np.uint8(y4 & np.uint32(255))
        out[at + 7] = np.uint8(y4 >> np.uint32(8))


def series(a: T[::1], b: T[::1], steps: i64):
    for i in prange(a.shape[0]):
        omega = np.TYPE(3.1415926535897932) * np.TYPE(i + 1)
        dx = np.TYPE(2) / np.TYPE(steps)
        s: T = 0
        c: T = 0
        for k in range(steps):
            x = dx * (np.TYPE(k) + np.TYPE(0.5))
            f = (x + 1) ** x
            c += f * np.cos(omega * x)
            s += f * np.sin(omega * x)
        a[i] = c * dx
        b[i] = s * dx
