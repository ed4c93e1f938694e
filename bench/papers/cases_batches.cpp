#include "suite.hpp"

#include <algorithm>
#include <cmath>

namespace papers {

namespace {

void add_codes(Table& t) {
  t.strict("crc32", [](Setup& s) {
    const int64_t n = s.pick(1 << 23, 2000);
    const Buf data = s.array(u8, {n, 64}, 0, 256), table = s.array(u32, {256}, 0, 0), out = s.result(u32, {n});
    for (uint32_t k = 0; k < 256; ++k) {
      uint32_t c = k;
      for (int b = 0; b < 8; ++b) c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
      s.host<uint32_t>(table)[k] = c;
    }
    s.launch("crc32", {n}, {256}, {data, table, out, int(n)});
    s.work(64.0 * double(n), "TB/s");
  });
  t.strict("collatz", [](Setup& s) {
    const int64_t n = s.pick(1 << 24, 4000);
    const Buf start = s.array(u32, {n}, 1, 1e6), out = s.result(i32, {n});
    s.launch("collatz", {n}, {256}, {start, out, int(n)});
    s.work(4.0 * 130 * double(n), "Top/s");
  });
  t.strict("search", [](Setup& s) {
    const int64_t n = s.pick(1 << 24, 4000), m = s.pick(1 << 20, 500);
    const Buf a = s.array(f32, {m}, 0, 1), x = s.array(f32, {n}, 0, 1), out = s.result(i32, {n});
    std::sort(s.host<float>(a), s.host<float>(a) + m);
    s.launch("search", {n}, {256}, {a, x, out, int(n), int(m)});
    s.work(double(n), "Tsearch/s");
  });
  t.strict("bit_reverse", [](Setup& s) {
    const int64_t bits = s.pick(26, 14), n = int64_t{1} << bits;
    const Buf x = s.array(f32, {n}, -1, 1), out = s.result(f32, {n});
    s.number(bits);
    s.launch("bit_reverse", {n / 32, 8}, {32, 8}, {x, out, int(bits)});
    s.work(8.0 * double(n), "TB/s");
  });
  t.fast("deposit", [](Setup& s) {
    const int64_t n = s.pick(1 << 25, 4000), m = s.pick(1 << 22, 500);
    const Buf cell = s.array(i32, {n}, 0, double(m)), mass = s.array(f32, {n}, 0, 1), grid = s.result(f32, {m});
    s.launch("deposit", {n}, {256}, {cell, mass, grid, int(n)});
    s.work(16.0 * double(n), "TB/s");
    s.bound(1e-4);
  });
}

void add_matrices(Table& t) {
  t.strict("inverse3", [](Setup& s) {
    const int64_t n = s.pick(1 << 24, 1000);
    const Buf a = s.array(f32, {n, 3, 3}, -1, 1), out = s.result(f32, {n, 3, 3});
    for (int64_t k = 0; k < n; ++k)
      for (int64_t d = 0; d < 9; d += 4) s.host<float>(a)[9 * k + d] += 4;
    s.launch("inverse3", {n}, {256}, {a, out, int(n)});
    s.work(72.0 * double(n), "TB/s");
    s.bound(1e-4);
  });
  t.strict("cholesky4", [](Setup& s) {
    const int64_t n = s.pick(1 << 22, 1000);
    const Buf a = s.array(f64, {n, 4, 4}, 0, 1), out = s.result(f64, {n, 4, 4});
    for (int64_t k = 0; k < n; ++k)
      for (int64_t d = 0; d < 16; d += 5) s.host<double>(a)[16 * k + d] += 6;
    s.launch("cholesky4", {n}, {128}, {a, out, int(n)});
    s.work(256.0 * double(n), "TB/s");
  });
  t.strict("quaternions", [](Setup& s) {
    const int64_t n = s.pick(1 << 24, 2000);
    const Buf q = s.array(f32, {n, 4}, -1, 1), v = s.array(f32, {n, 3}, -1, 1), out = s.result(f32, {n, 3});
    s.launch("quaternions", {n}, {256}, {q, v, out, int(n)});
    s.work(40.0 * double(n), "TB/s");
  });
  t.fast("tridiagonal", [](Setup& s) {
    const int64_t m = s.pick(128, 20), n = s.pick(1 << 18, 500);
    const Buf a = s.array(f32, {m, n}, 0, 1), b = s.array(f32, {m, n}, 3, 4), c = s.array(f32, {m, n}, 0, 1);
    const Buf d = s.array(f32, {m, n}, -1, 1), e = s.array(f32, {m, n}, 0, 0), x = s.result(f32, {m, n});
    s.launch("tridiagonal", {n}, {128}, {a, b, c, d, e, x, int(m), int(n)});
    s.work(36.0 * double(m * n), "TB/s");
    s.bound(1e-4);
  });
  t.fast("dft8", [](Setup& s) {
    const int64_t n = s.pick(1 << 23, 1000);
    const Buf re = s.array(f32, {n, 8}, -1, 1), im = s.array(f32, {n, 8}, -1, 1);
    const Buf cosine = s.array(f32, {8}, 0, 1), sine = s.array(f32, {8}, 0, 1);
    const Buf outr = s.result(f32, {n, 8}), outi = s.result(f32, {n, 8});
    for (int k = 0; k < 8; ++k) {
      s.host<float>(cosine)[k] = float(std::cos(M_PI / 4 * k));
      s.host<float>(sine)[k] = float(-std::sin(M_PI / 4 * k));
    }
    s.launch("dft8", {n}, {128}, {re, im, cosine, sine, outr, outi, int(n)});
    s.work(128.0 * double(n), "TB/s");
    s.bound(1e-4);
  });
}

}  // namespace

void add_batches(Table& t) {
  t.file("more", "batches");
  add_matrices(t);
  add_codes(t);
  t.both("fir", [](Setup& s) {
    const int64_t n = s.pick(1 << 26, 1 << 14), taps = 64;
    const Buf x = s.array(f32, {n + taps - 1}, -1, 1), h = s.array(f32, {taps}, -1, 1), y = s.result(f32, {n});
    s.launch("fir", {n / 4}, {256}, {x, h, y, int(n), int(taps)});
    s.work(2.0 * double(n) * double(taps), "TFLOP/s");
    s.bound(1e-4);
  });
  t.strict("dilate_u8", [](Setup& s) {
    const int64_t n = s.pick(16384, 128);
    const Buf a = s.array(u8, {n, n}, 0, 256), out = s.result(u8, {n, n});
    s.launch("dilate_u8", {n / 4, n - 2}, {64, 4}, {a, out, int(n), int(n)});
    s.work(2.0 * double(n) * double(n), "TB/s");
  });
  t.strict("kepler", [](Setup& s) {
    const int64_t n = s.pick(1 << 22, 2000);
    const Buf mean = s.array(f64, {n}, 0, 6.28), ecc = s.array(f64, {n}, 0, 0.8), out = s.result(f64, {n});
    s.launch("kepler", {n}, {128}, {mean, ecc, out, int(n)});
    s.work(double(n), "Tsolve/s");
    s.bound(1e-10);
  });
  t.fast("perlin", [](Setup& s) {
    const int64_t n = s.pick(8192, 128);
    const Buf out = s.result(f32, {n, n}), gx = s.array(f32, {256}, -1, 1), gy = s.array(f32, {256}, -1, 1);
    s.number(0.03f);
    s.launch("perlin", {n * n / 4}, {256}, {out, gx, gy, 0.03f, int(n), int(n / 4)});
    s.work(4.0 * double(n) * double(n), "TB/s");
    s.bound(1e-3, 1e-3);
  });
}

}  // namespace papers
