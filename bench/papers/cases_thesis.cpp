#include "suite.hpp"

#include <algorithm>

namespace papers {

namespace {

/// `each` entries a row.
void thesis_rows(Setup& s, Buf start, int64_t n, int64_t each) {
  for (int64_t i = 0; i <= n; ++i) s.host<int32_t>(start)[i] = int32_t(i * each);
}

void speckle(Setup& s) {
  const int64_t n = s.pick(8192, 128);
  const Buf img = s.array(f32, {n, n}, 1, 2);
  Buf to[4];
  for (int k = 0; k < 4; ++k) {
    to[k] = s.array(i32, {n}, 0, 1);
    for (int64_t i = 0; i < n; ++i)
      s.host<int32_t>(to[k])[i] = int32_t(std::clamp<int64_t>(k % 2 ? i + 1 : i - 1, 0, n - 1));
  }
  const Buf coef = s.array(f32, {n, n}, 0, 0), out = s.result(f32, {n, n});
  const float q0 = 0.05f, rate = 0.1f;
  s.number(q0);
  s.number(rate);
  s.launch("coefficients", {n, n}, {32, 8}, {img, to[0], to[1], to[2], to[3], coef, q0, int(n), int(n)});
  s.launch("spread", {n, n}, {32, 8}, {img, to[0], to[1], to[2], to[3], coef, out, rate, int(n), int(n)});
  s.work(20.0 * double(n) * double(n), "TB/s");
  s.bound(1e-4);
}

void waves(Setup& s) {
  const int64_t rows = s.pick(64, 12), n = s.pick(1 << 21, 2000);
  const Buf u = s.result(f64, {rows, n}, 0, 1);
  s.number(0.5);
  for (int64_t j = 1; j + 1 < rows; ++j) s.launch("fiff", {n - 2}, {256}, {u, 0.5, int(j), int(n)});
  s.work(16.0 * double(rows) * double(n), "TB/s");
}

void elimination(Setup& s) {
  const int64_t n = s.pick(1024, 64);
  const Buf a = s.result(f64, {n, n}, 0, 1);
  for (int64_t i = 0; i < n; ++i) s.host<double>(a)[i * n + i] += double(n);
  for (int64_t k = 0; k + 1 < n; ++k) {
    s.launch("factors", {n - k - 1}, {64}, {a, int(k), int(n)});
    s.launch("update", {n - k - 1, (n - k + 2) / 4}, {64, 4}, {a, int(k), int(n)});
  }
  s.work(2.0 / 3 * double(n) * double(n) * double(n), "TFLOP/s");
  s.bound(1e-9);
}

}  // namespace

void add_thesis(Table& t) {
  t.file("thesis", "programs");
  t.strict("lud", elimination);
  t.strict("srad", speckle);
  t.fast("pagerank", [](Setup& s) {
    const int64_t n = s.pick(1 << 21, 2000), each = 16;
    const Buf start = s.array(i32, {n + 1}, 0, 1), place = s.array(i32, {n * each}, 0, double(n)),
              degree = s.array(i32, {n}, 1, 30);
    const Buf old = s.array(f64, {n}, 0, 1), next = s.result(f64, {n}), share = s.scratch(f64, {n});
    s.number(0.85);
    thesis_rows(s, start, n, each);
    s.launch("shares", {n}, {256}, {degree, old, share, int(n)});
    s.launch("rank_of", {8 * n}, {256}, {start, place, share, next, 0.85, int(n)});
    s.work(12.0 * double(n * each) + 24.0 * double(n), "TB/s");
    s.bound(1e-12);
  });
  t.fast("spmv", [](Setup& s) {
    const int64_t n = s.pick(1 << 20, 2000), each = 32;
    const Buf start = s.array(i32, {n + 1}, 0, 1), place = s.array(i32, {n * each}, 0, double(n)),
              value = s.array(f64, {n * each}, -1, 1);
    const Buf x = s.array(f64, {n}, -1, 1), y = s.result(f64, {n});
    thesis_rows(s, start, n, each);
    s.launch("spmv", {8 * n}, {256}, {start, place, value, x, y, int(n)});
    s.work(12.0 * double(n * each) + 20.0 * double(n), "TB/s");
    s.bound(1e-12);
  });
  t.strict("growcut", [](Setup& s) {
    const int64_t n = s.pick(1024, 48), window = s.pick(5, 2);
    const Buf image = s.array(f64, {n, n, 3}, 0, 1), strength = s.array(f64, {n, n}, 0, 1),
              label = s.array(i32, {n, n}, 0, 3);
    const Buf next = s.result(f64, {n, n}), winner = s.result(i32, {n, n});
    s.number(window);
    s.launch("growcut", {n, n}, {32, 8}, {image, strength, label, next, winner, int(window), int(n), int(n)});
    s.work(12.0 * double(n * n * (2 * window + 1) * (2 * window + 1)), "TFLOP/s");
    s.bound(1e-12, 1e-3);
  });
  t.strict("julia", [](Setup& s) {
    const int64_t n = s.pick(4096, 100);
    const Buf out = s.result(i32, {n, n});
    s.number(-0.8);
    s.number(0.156);
    s.number(int64_t{256});
    s.launch("julia", {n, n}, {16, 16}, {out, -0.8, 0.156, 256, int(n), int(n)});
    s.work(double(n) * double(n), "Tpoint/s");
    s.bound(0, 0.01);
  });
  t.strict("pairwise", [](Setup& s) {
    const int64_t n = s.pick(8192, 200);
    const Buf x = s.array(f64, {n, 3}, 0, 1), d = s.result(f64, {n, n});
    s.launch("pairwise", {n, (n + 3) / 4}, {64, 4}, {x, d, int(n)});
    s.work(8.0 * double(n) * double(n), "TB/s");
  });
  t.strict("nb1d", [](Setup& s) {
    const int64_t n = s.pick(32768, 512);
    const Buf x = s.array(f64, {n}, 0, 100), m = s.array(f64, {n}, 1, 2), v = s.array(f64, {n}, 0, 0),
              f = s.result(f64, {n});
    s.number(1e-6);
    s.launch("forces", {n}, {256}, {x, m, f, int(n)});
    s.launch("speeds", {n}, {256}, {m, v, f, 1e-6, int(n)});
    s.work(9.0 * double(n) * double(n), "TFLOP/s");
    s.bound(1e-9);
  });
  t.strict(
      "clos",
      [](Setup& s) {
        const int64_t n = s.pick(2048, 128);
        const Buf a = s.array(f64, {n, n}, 0, 0), c = s.result(f64, {n, n}), square = s.scratch(f64, {n, n});
        for (int64_t k = 0; k < n * n; ++k) s.host<double>(a)[k] = double((k * 2654435761u >> 8) % 512 == 0);
        s.define("-DT=double -DT4=double4");
        s.launch("matmul", {2 * n, n / 128}, {256, 1}, {a, a, square, int(n), int(n)});
        s.launch("reached", {n * n}, {256}, {a, square, c, int(n * n)});
        s.work(2.0 * double(n) * double(n) * double(n), "TFLOP/s");
      },
      "unpython/programs:matmul");
  t.strict("fiff", waves);
  t.strict("capr", [](Setup& s) {
    const int64_t n = s.pick(8192, 128);
    const Buf u = s.result(f64, {n, n}, 0, 1), fixed = s.array(Elem::UInt8, {n, n}, 0, 1.1);
    s.number(1.5);
    for (int color = 0; color < 2; ++color)
      s.launch("capr", {(n - 2) / 2, n - 2}, {64, 4}, {u, fixed, 1.5, color, int(n), int(n)});
    s.work(26.0 * double(n) * double(n), "TB/s");
  });
  t.strict("fdtd", [](Setup& s) {
    const int64_t n = s.pick(6144, 128);
    const Buf ex = s.array(f64, {n, n}, 0, 1), ey = s.array(f64, {n, n}, 0, 1), hz = s.result(f64, {n, n}, 0, 1);
    s.launch("electric", {n, n}, {64, 4}, {ex, ey, hz, int(n), int(n)});
    s.launch("magnetic", {n, n}, {64, 4}, {ex, ey, hz, int(n), int(n)});
    s.work(72.0 * double(n) * double(n), "TB/s");
  });
}

}  // namespace papers
