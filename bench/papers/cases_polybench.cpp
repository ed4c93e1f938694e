#include "suite.hpp"

namespace papers {

namespace {

void add_products(Table& t) {
  t.fast("covariance", [](Setup& s) {
    const int64_t n = s.pick(4096, 80), m = s.pick(2048, 256), parts = (n + 63) / 64;
    const Buf data = s.result(f32, {n, m}, -1, 2), mean = s.result(f32, {m}), cov = s.result(f32, {m, m}),
              part = s.scratch(f32, {parts, m});
    s.launch("mean_parts", {m / 4, parts}, {64, 1}, {data, part, int(n), int(m / 4)});
    s.launch("means", {m}, {64}, {part, mean, int(parts), int(n), int(m)});
    s.launch("centre", {m / 4, (n + 3) / 4}, {64, 4}, {data, mean, int(n), int(m / 4)});
    s.launch("covariance", {2 * m, m / 128}, {256, 1}, {data, cov, int(n), int(m)});
    s.work(double(n) * double(m) * double(m), "TFLOP/s");
    s.bound(1e-4);
  });
  t.both("trmm", [](Setup& s) {
    const int64_t n = s.pick(2048, 256), p = s.pick(4096, 128);
    const Buf a = s.array(f32, {n, n}, -1, 1), b = s.array(f32, {n, p}, -1, 1), c = s.result(f32, {n, p});
    s.number(1.5f);
    s.launch("trmm", {2 * p, n / 128}, {256, 1}, {a, b, c, 1.5f, int(n), int(p)});
    s.work(double(n) * double(n) * double(p), "TFLOP/s");
    s.bound(1e-4);
  });
  t.strict("doitgen", [](Setup& s) {
    const int64_t r = s.pick(512, 4), q = s.pick(512, 64);
    const Buf a = s.result(f32, {r, q, 128}, -1, 1), c = s.array(f32, {128, 128}, -0.1, 0.1);
    s.launch("doitgen", {2 * r * q}, {256}, {a, c});
    s.work(256.0 * 128 * double(r * q), "TFLOP/s");
    s.bound(1e-4);
  });
}

void add_vectors_of_matrices(Table& t) {
  t.fast("atax", [](Setup& s) {
    const int64_t n = s.pick(16384, 100), m = s.pick(8192, 256), rows = s.pick(32, 8), parts = (n + rows - 1) / rows;
    const Buf a = s.array(f32, {n, m}, -1, 1), x = s.array(f32, {m}, -1, 1), v = s.result(f32, {n}),
              y = s.result(f32, {m}), part = s.scratch(f32, {parts, m});
    s.launch("atax", {256 * parts}, {256}, {a, x, v, part, int(n), int(m / 4), int(rows)});
    s.launch("join", {m, 8}, {32, 8}, {part, y, int(parts), int(m)});
    s.work(8.0 * double(n) * double(m), "TB/s");
    s.bound(1e-4);
  });
  t.fast("gesummv", [](Setup& s) {
    const int64_t n = s.pick(8192, 200), m = s.pick(8192, 256);
    const Buf a = s.array(f32, {n, m}, -1, 1), b = s.array(f32, {n, m}, -1, 1), x = s.array(f32, {m}, -1, 1),
              y = s.result(f32, {n});
    s.number(1.5f);
    s.number(0.5f);
    s.launch("gesummv", {256 * n}, {256}, {a, b, x, y, 1.5f, 0.5f, int(m / 4)});
    s.work(8.0 * double(n) * double(m), "TB/s");
    s.bound(1e-4);
  });
  t.fast("gemver", [](Setup& s) {
    const int64_t n = s.pick(8192, 200), parts = (n + 63) / 64;
    const Buf a = s.result(f64, {n, n}, -1, 1), u1 = s.array(f64, {n}, -1, 1), v1 = s.array(f64, {n}, -1, 1),
              u2 = s.array(f64, {n}, -1, 1), v2 = s.array(f64, {n}, -1, 1), y = s.array(f64, {n}, -1, 1),
              z = s.array(f64, {n}, -1, 1), x = s.result(f64, {n}), w = s.result(f64, {n}),
              part = s.scratch(f64, {parts, n});
    s.number(1.5);
    s.number(0.5);
    s.launch("gemver_columns", {n / 2, parts}, {64, 1}, {a, u1, v1, u2, v2, y, part, int(n)});
    s.launch("gemver_join", {n, 8}, {32, 8}, {part, z, x, 0.5, int(parts), int(n)});
    s.launch("gemver_rows", {256 * n}, {256}, {a, x, w, 1.5, int(n / 2)});
    s.work(32.0 * double(n) * double(n), "TB/s");
    s.bound(1e-10);
  });
  t.fast("gram_schmidt", [](Setup& s) {
    const int64_t n = s.pick(8192, 200), m = s.pick(8192, 64), k = s.pick(64, 5), parts = (n + 63) / 64,
                  rest = (m - k) / 4 + 1;
    const Buf a = s.result(f32, {n, m}, -1, 1), q = s.result(f32, {n, m}), r = s.result(f32, {m, m}),
              qk = s.scratch(f32, {n}), part = s.scratch(f32, {parts, m});
    s.number(k);
    s.launch("column", {256}, {256}, {a, q, r, qk, int(k), int(n), int(m)});
    s.launch("products", {rest, parts}, {64, 1}, {a, qk, part, int(k), int(n), int(m / 4)});
    s.launch("join", {m - k - 1, 8}, {32, 8}, {part, r, int(k), int(parts), int(m)});
    s.launch("update", {rest, (n + 7) / 8}, {64, 4}, {a, qk, r, int(k), int(n), int(m / 4)});
    s.work(12.0 * double(n) * double(m - k), "TB/s");
    s.bound(1e-4);
  });
}

}  // namespace

void add_polybench(Table& t) {
  t.file("more", "polybench");
  add_products(t);
  add_vectors_of_matrices(t);
  t.fast("adi", [](Setup& s) {
    const int64_t n = s.pick(4096, 100);
    const Buf u = s.result(f64, {n, n}, 0, 2), v = s.result(f64, {n, n}, 0, 2), p = s.array(f64, {n, n}, 0, 0),
              q = s.array(f64, {n, n}, 0, 0), other = s.scratch(f64, {n, n});
    s.number(0.4);
    s.number(0.6);
    s.launch("sweep", {n - 2}, {32}, {u, v, q, 0.4, 0.6, int(n)});
    s.launch("transposed", {n, (n + 31) / 32 * 8}, {32, 8}, {v, p, int(n), 0});
    s.launch("sweep", {n - 2}, {32}, {p, other, q, 0.6, 0.4, int(n)});
    s.launch("transposed", {n, (n + 31) / 32 * 8}, {32, 8}, {other, u, int(n), 1});
    s.work(80.0 * double(n) * double(n), "TB/s");
    s.bound(1e-10);
  });
}

}  // namespace papers
