"""Kernels whose groups keep rows and tables in local memory (blocks), histograms, and tiles at the end of a domain (register_tile).
ctest sets VR_KERNEL_LOCAL, VR_KERNEL_LANES and VR_KERNEL_TILES, with which CPU devices launch these forms."""

import numpy as np
import pytest


from pyraptor import jit, prange

device = jit(gpu=True)
COUNTS = [1, 2, 127, 128, 129, 300]


@device
def inverses(a, out):
    for n in prange(a.shape[0]):
        d = a[n, 0, 0] * a[n, 1, 1] - a[n, 0, 1] * a[n, 1, 0]
        out[n, 0, 0] = a[n, 1, 1] / d
        out[n, 0, 1] = -a[n, 0, 1] / d
        out[n, 1, 0] = -a[n, 1, 0] / d
        out[n, 1, 1] = a[n, 0, 0] / d


@device
def sorted_rows(a):
    for n in prange(a.shape[0]):
        for i in range(a.shape[1]):
            best = i
            for j in range(i + 1, a.shape[1]):
                if a[n, j] < a[n, best]:
                    best = j
            t = a[n, i]
            a[n, i] = a[n, best]
            a[n, best] = t


@device
def scaled(a, out):
    for n in prange(a.shape[0]):
        s = a[n, 0] * 0
        for j in range(a.shape[1]):
            s += a[n, j]
        for j in range(a.shape[1]):
            out[n, j] = a[n, j] + s


@device
def grey(image, out):
    for y in prange(image.shape[0]):
        for x in prange(image.shape[1]):
            s = np.int64(0)
            for c in range(image.shape[2]):
                s += np.int64(image[y, x, c])
            out[y, x] = s // image.shape[2]


@device
def checksums(data, table, out):
    for n in prange(data.shape[0]):
        c = np.uint32(0xffffffff)
        for k in range(data.shape[1]):
            c = table[(c ^ np.uint32(data[n, k])) & np.uint32(255)] ^ (c >> 8)
        out[n] = ~c


@device
def counted(x, counts):
    for i in prange(x.shape[0]):
        counts[x[i]] += 1


@device
def product(a, b, c):
    for i in prange(a.shape[0]):
        for j in prange(b.shape[1]):
            s = a[0, 0] * 0
            for k in range(a.shape[1]):
                s += a[i, k] * b[k, j]
            c[i, j] = s


@device
def triangle(a, c):
    for i in prange(a.shape[0]):
        for j in prange(i + 1):
            s = a[0, 0] * 0
            for k in range(a.shape[1]):
                s += a[i, k] * a[j, k]
            c[i, j] += s


@device
def distances(x, out):
    for i in prange(x.shape[0]):
        s = x[0] * 0
        for j in range(x.shape[0]):
            s += abs(x[i] - x[j])
        out[i] = s


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_small_matrices(count, dtype):
    a = np.random.default_rng(0).uniform(1, 2, (count, 2, 2)).astype(dtype) + 2 * np.eye(2, dtype=dtype)
    out = np.zeros_like(a)
    inverses(a, out)
    np.testing.assert_allclose(out, np.linalg.inv(a), rtol=1e-4)


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("width", [1, 3, 8, 20, 90])
def test_rows_that_change_in_place(count, width):
    a = np.random.default_rng(1).integers(-99, 99, (count, width)).astype(np.int32)
    expected = np.sort(a, axis=1)
    sorted_rows(a)
    np.testing.assert_array_equal(a, expected)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "int32", "int64", "float16", "float32", "float64", "complex64", "complex128"])
@pytest.mark.parametrize("width", [1, 5, 16, 24])
def test_rows_of_every_type(dtype, width):
    a = np.random.default_rng(2).integers(0, 3, (200, width)).astype(dtype)
    out = np.zeros_like(a)
    scaled(a, out)
    np.testing.assert_array_equal(out, a + a.sum(axis=1, keepdims=True).astype(dtype))


def test_views_and_odd_addresses():
    whole = np.random.default_rng(3).integers(0, 9, 3 + 150 * 24).astype(np.uint8)
    for first in range(4):  # rows of whole words that begin anywhere
        a = whole[first:first + 149 * 24].reshape(149, 24)
        out = np.zeros_like(a)
        scaled(a, out)
        np.testing.assert_array_equal(out, a + a.sum(axis=1, keepdims=True).astype(np.uint8))
    b = np.arange(40 * 30, dtype=np.float32).reshape(40, 30)
    for view in (b[:, ::2], b[::3], b[:, 5:17], b[::-1], np.asfortranarray(b)):
        out = np.full((view.shape[0] + 2, view.shape[1]), -1, np.float32)
        scaled(view, out[1:-1])
        np.testing.assert_array_equal(out[1:-1], view + view.sum(axis=1, keepdims=True))
        assert (out[[0, -1]] == -1).all()


@pytest.mark.parametrize("shape", [(1, 1, 3), (7, 130, 3), (33, 20, 32), (5, 257, 20)])
def test_pixels(shape):
    image = np.random.default_rng(4).integers(0, 255, shape, np.uint8)
    out = np.zeros(shape[:2], np.int64)
    grey(image, out)
    np.testing.assert_array_equal(out, image.sum(axis=2, dtype=np.int64) // shape[2])


def crc_table():
    table = np.arange(256, dtype=np.uint32)
    for _ in range(8):
        table = np.where(table & 1, np.uint32(0xedb88320) ^ (table >> 1), table >> 1)
    return table


@pytest.mark.parametrize("shape", [(1, 64), (129, 64), (300, 61), (10, 500)])
def test_messages_and_a_table(shape):
    import zlib
    data = np.random.default_rng(5).integers(0, 256, shape, np.uint8)
    out = np.zeros(shape[0], np.uint32)
    checksums(data, crc_table(), out)
    assert out.tolist() == [zlib.crc32(row.tobytes()) for row in data]


def test_a_table_that_is_too_short():
    data = np.full((200, 40), 255, np.uint8)
    with pytest.raises(IndexError, match="table|index"):
        checksums(data, crc_table()[:200].copy(), np.zeros(200, np.uint32))
    out = np.zeros(200, np.uint32)
    checksums(data, crc_table(), out)  # the next call is not disturbed
    assert len(set(out.tolist())) == 1


@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.int32, np.int64])
@pytest.mark.parametrize("count", [1, 63, 8192, 20011])
def test_histograms(dtype, count):
    whole = np.random.default_rng(6).integers(0, 100, count + 3).astype(dtype)
    for first in (0, 1, 3):  # vectors that are aligned, and that are not
        x = whole[first:first + count]
        counts = np.zeros(100, np.int32)
        counted(x, counts)
        np.testing.assert_array_equal(counts, np.bincount(x, minlength=100))


def test_a_histogram_with_a_wrong_subscript():
    x = np.zeros(20000, np.int32)
    x[12345] = 100
    with pytest.raises(IndexError):
        counted(x, np.zeros(100, np.int32))


@pytest.mark.parametrize("shape", [(1, 1), (3, 700), (8, 256), (9, 257), (40, 511), (257, 300), (70, 33)])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int64])
def test_products_of_any_size(shape, dtype):
    rng = np.random.default_rng(7)
    a, b = rng.integers(-4, 4, (shape[0], 21)).astype(dtype), rng.integers(-4, 4, (21, shape[1])).astype(dtype)
    c = np.full((shape[0] + 2, shape[1] + 2), -7, dtype)
    product(a, b, c[1:-1, 1:-1])
    np.testing.assert_array_equal(c[1:-1, 1:-1], a @ b)
    c[1:-1, 1:-1] = -7
    assert (c == -7).all()  # nothing is stored outside


@pytest.mark.parametrize("n", [1, 8, 100, 257, 300])
def test_triangles_of_any_size(n):
    a = np.random.default_rng(8).integers(-4, 4, (n, 13)).astype(np.float32)
    c = np.ones((n, n), np.float32)
    triangle(a, c)
    np.testing.assert_array_equal(c, 1 + np.tril(a @ a.T))


@pytest.mark.parametrize("n", [1, 5, 127, 128, 129, 1000])
def test_pairs_of_points(n):
    x = np.random.default_rng(9).integers(0, 50, n).astype(np.float64)
    out = np.zeros(n)
    distances(x, out)
    np.testing.assert_array_equal(out, np.abs(x[:, None] - x).sum(axis=1))


def test_an_empty_domain():
    out = np.zeros((0, 20), np.float32)
    scaled(np.zeros((0, 20), np.float32), out)
    assert out.shape == (0, 20)
