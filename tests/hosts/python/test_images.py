"""Typical image processing: programs on uint8 arrays, as loops and as whole-array operations. Plain NumPy is the oracle, bit for bit."""
import numpy as np
import pytest

import pyraptor
from conftest import NUMPY_1, same
from pyraptor import prange

pytestmark = pytest.mark.skipif(NUMPY_1, reason="NumPy 1 promotes numbers by their values")
OPT_LEVEL = 2


def box_blur(img):
    """The mean of 3 x 3 pixels; the sum is an int, which does not wrap."""
    h, w = img.shape
    out = img.copy()
    for i in prange(1, h - 1):
        for j in range(1, w - 1):
            s = 0
            for di in range(-1, 2):
                for dj in range(-1, 2):
                    s += int(img[i + di, j + dj])
            out[i, j] = s // 9
    return out


def box_blur_of_slices(img):
    wide = img.astype(np.uint16)
    rows = wide[:-2] + wide[1:-1] + wide[2:]
    s = rows[:, :-2] + rows[:, 1:-1] + rows[:, 2:]
    out = img.copy()
    out[1:-1, 1:-1] = s // 9
    return out


def sobel(img):
    """The magnitude of the gradient, limited to 255."""
    h, w = img.shape
    out = np.zeros((h, w), np.uint8)
    for i in prange(1, h - 1):
        for j in range(1, w - 1):
            gx = (int(img[i - 1, j + 1]) + 2 * int(img[i, j + 1]) + int(img[i + 1, j + 1])
                  - int(img[i - 1, j - 1]) - 2 * int(img[i, j - 1]) - int(img[i + 1, j - 1]))
            gy = (int(img[i + 1, j - 1]) + 2 * int(img[i + 1, j]) + int(img[i + 1, j + 1])
                  - int(img[i - 1, j - 1]) - 2 * int(img[i - 1, j]) - int(img[i - 1, j + 1]))
            out[i, j] = min(abs(gx) + abs(gy), 255)
    return out


def sobel_of_slices(img):
    a = img.astype(np.int16)
    gx = a[:-2, 2:] + 2 * a[1:-1, 2:] + a[2:, 2:] - a[:-2, :-2] - 2 * a[1:-1, :-2] - a[2:, :-2]
    gy = a[2:, :-2] + 2 * a[2:, 1:-1] + a[2:, 2:] - a[:-2, :-2] - 2 * a[:-2, 1:-1] - a[:-2, 2:]
    return np.minimum(np.abs(gx) + np.abs(gy), 255).astype(np.uint8)


def threshold(img, t):
    return np.where(img > t, np.uint8(255), np.uint8(0))


def threshold_in_place(img, t):
    img[img > t] = 255
    img[img <= t] = 0
    return img


def histogram(img):
    counts = np.zeros(256, np.int64)
    for i in range(img.shape[0]):
        for j in range(img.shape[1]):
            counts[img[i, j]] += 1
    return counts


def histogram_in_parallel(img):
    counts = np.zeros(256, np.int64)
    for i in prange(img.shape[0]):
        for j in range(img.shape[1]):
            counts[img[i, j]] += 1
    return counts


def histogram_of_numpy(img):
    return np.bincount(img.ravel(), minlength=256), np.histogram(img, 16, (0, 256))


def equalised(img):
    counts = np.zeros(256, np.int64)
    for v in img.ravel():
        counts[v] += 1
    total = counts.cumsum()
    table = (255 * total // total[-1]).astype(np.uint8)
    return table[img]


def otsu(img):
    """Otsu's method: the threshold that separates the histogram best."""
    counts = np.bincount(img.ravel(), minlength=256)
    total = img.size
    whole = 0.0
    for k in range(256):
        whole += k * counts[k]
    below = 0
    sum_below = 0.0
    best = -1.0
    at = 0
    for k in range(256):
        below += counts[k]
        if below == 0 or below == total:
            continue
        sum_below += k * counts[k]
        d = sum_below / below - (whole - sum_below) / (total - below)
        v = below * (total - below) * d * d
        if v > best:
            best = v
            at = k
    return at


def grey(rgb):
    """Computed in fixed point, as image libraries do."""
    r, g, b = rgb[:, :, 0].astype(np.uint32), rgb[:, :, 1].astype(np.uint32), rgb[:, :, 2].astype(np.uint32)
    return ((r * 77 + g * 150 + b * 29) >> 8).astype(np.uint8)


def grey_in_float(rgb):
    return (rgb[..., 0] * 0.299 + rgb[..., 1] * 0.587 + rgb[..., 2] * 0.114).astype(np.uint8)


def blend(a, b, alpha):
    return (a * (1 - alpha) + b * alpha).astype(np.uint8)


def blend_in_integers(a, b, alpha):
    return ((a.astype(np.uint16) * (256 - alpha) + b.astype(np.uint16) * alpha) >> 8).astype(np.uint8)


def inverted(img):
    return 255 - img


def brighter(img, k):
    return np.clip(img.astype(np.int16) + k, 0, 255).astype(np.uint8)


def wrapping(img, k):
    return img + img * np.uint8(k), img + 200, img[1:] - img[:-1]


def eroded(mask):
    out = np.zeros_like(mask)
    for i in range(1, mask.shape[0] - 1):
        for j in range(1, mask.shape[1] - 1):
            v = np.uint8(255)
            for di in range(-1, 2):
                for dj in range(-1, 2):
                    v = min(v, mask[i + di, j + dj])
            out[i, j] = v
    return out


def bits(img):
    return img & 0x0f, img >> 4, (img << 4) | (img >> 4), ~img, img ^ 0xaa


def integral(img):
    return img.cumsum(axis=0).cumsum(axis=1)


def statistics(img):
    return img.min(), img.max(), img.mean(), img.std(), img.sum(), img.argmax(), img.sum(axis=0), img.mean(axis=1), (img > 128).sum()


def difference(a, b):
    return np.where(a > b, a - b, b - a), np.abs(a.astype(np.int16) - b).max()


IMG = np.random.default_rng(1).integers(0, 256, (37, 53), dtype=np.uint8)
OTHER = np.random.default_rng(2).integers(0, 256, (37, 53), dtype=np.uint8)
RGB = np.random.default_rng(3).integers(0, 256, (11, 13, 3), dtype=np.uint8)
PROGRAMS = [(box_blur, IMG), (box_blur_of_slices, IMG), (sobel, IMG), (sobel_of_slices, IMG), (threshold, IMG, 100), (threshold, IMG, 300),
            (threshold, IMG, -1), (threshold, IMG, np.uint8(7)), (threshold, IMG, 99.5), (threshold_in_place, IMG, 128), (histogram, IMG),
            (histogram_in_parallel, IMG), (histogram_of_numpy, IMG), (equalised, IMG), (otsu, IMG), (grey, RGB), (grey_in_float, RGB),
            (blend, IMG, OTHER, 0.25), (blend_in_integers, IMG, OTHER, 64), (inverted, IMG), (brighter, IMG, 60), (brighter, IMG, -60),
            (wrapping, IMG, 3), (eroded, IMG), (bits, IMG), (integral, IMG), (statistics, IMG), (difference, IMG, OTHER)]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p[0].__name__)
def test_images(program):
    f, *args = program
    jitted = pyraptor.jit(f)
    for change in (lambda a: a, lambda a: a[::2, ::-1], np.asfortranarray):
        given = [change(a) if isinstance(a, np.ndarray) else a for a in args]
        plain, compiled = ([a.copy(order="K") if isinstance(a, np.ndarray) else a for a in given] for _ in range(2))
        with np.errstate(all="ignore"):
            same(f(*plain), jitted(*compiled))
        for a, b in zip(plain, compiled):
            same(a, b)


def test_the_two_blurs_agree():
    assert np.array_equal(pyraptor.jit(box_blur)(IMG), pyraptor.jit(box_blur_of_slices)(IMG))
    assert np.array_equal(pyraptor.jit(sobel)(IMG)[1:-1, 1:-1], pyraptor.jit(sobel_of_slices)(IMG))


def test_a_view_of_an_image_is_stored_to():
    """No copies: stores of the function change the caller's array."""
    img = IMG.copy()
    pyraptor.jit(threshold_in_place)(img[5:20, 3:30:2], 128)
    assert set(np.unique(img[5:20, 3:30:2])) == {0, 255} and np.array_equal(img[20:], IMG[20:]) and np.array_equal(img[:, 0], IMG[:, 0])


@pytest.mark.parametrize("f", [box_blur, sobel])
def test_on_the_device(f):
    assert np.array_equal(pyraptor.jit(f, gpu=True)(IMG), f(IMG.astype(np.int64)).astype(np.uint8))
