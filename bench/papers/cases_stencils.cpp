#include "suite.hpp"

namespace papers {

namespace {

int64_t side(const Setup& s) { return s.pick(12288, 128); }

}  // namespace

void add_stencils(Table& t) {
  t.file("more", "stencils");
  t.strict("stencil7", [](Setup& s) {
    const int64_t n = s.pick(512, 40);
    const Buf u = s.array(f32, {n, n, n}, 0, 1), v = s.result(f32, {n, n, n});
    s.number(0.4f);
    s.number(0.1f);
    s.launch("stencil7", {n / 4, n - 2, (n + 13) / 16}, {32, 4, 1}, {u, v, 0.4f, 0.1f, int(n), int(n), int(n)});
    s.work(8.0 * double(n * n * n), "TB/s");
  });
  t.fast("stencil27", [](Setup& s) {
    const int64_t n = s.pick(512, 40);
    const Buf u = s.array(f32, {n, n, n}, 0, 1), v = s.result(f32, {n, n, n}), c = s.array(f32, {4}, 0, 0.1);
    s.launch("stencil27", {n - 2, n - 2, (n + 13) / 16}, {32, 8, 1}, {u, v, c, int(n), int(n), int(n)});
    s.work(8.0 * double(n * n * n), "TB/s");
  });
  t.strict("heat3d_f64", [](Setup& s) {
    const int64_t n = s.pick(384, 40);
    const Buf u = s.array(f64, {n, n, n}, 0, 1), v = s.result(f64, {n, n, n});
    s.number(0.1);
    s.launch("heat3d_f64", {n - 2, n - 2, (n + 13) / 16}, {32, 4, 1}, {u, v, 0.1, int(n), int(n), int(n)});
    s.work(16.0 * double(n * n * n), "TB/s");
  });
  t.strict("wave2d", [](Setup& s) {
    const int64_t n = s.pick(8192, 128);
    const Buf old = s.array(f32, {n, n}, 0, 1), now = s.array(f32, {n, n}, 0, 1), next = s.result(f32, {n, n});
    s.number(0.1f);
    s.launch("wave2d", {n / 4, (n + 1) / 4}, {64, 2}, {old, now, next, 0.1f, int(n), int(n)});
    s.work(12.0 * double(n) * double(n), "TB/s");
  });
  t.strict("jacobi_mask", [](Setup& s) {
    const int64_t n = side(s);
    const Buf u = s.array(f32, {n, n}, 0, 1), v = s.result(f32, {n, n}), mask = s.array(u8, {n, n}, 0, 2);
    s.launch("jacobi_mask", {n / 4, n - 2}, {64, 4}, {u, v, mask, int(n), int(n)});
    s.work(9.0 * double(n) * double(n), "TB/s");
  });
  t.strict("hotspot", [](Setup& s) {
    const int64_t n = s.pick(8192, 128);
    const Buf u = s.array(f32, {n, n}, 300, 340), p = s.array(f32, {n, n}, 0, 1), out = s.result(f32, {n, n});
    const float rx = 0.1f, ry = 0.12f, rz = 0.0001f, step = 0.5f;
    for (const float x : {rx, ry, rz, step}) s.number(x);
    s.launch("hotspot", {n / 4, n}, {64, 4}, {u, p, out, rx, ry, rz, step, int(n), int(n)});
    s.work(12.0 * double(n) * double(n), "TB/s");
  });
  t.strict("srad", [](Setup& s) {
    const int64_t n = s.pick(8192, 128);
    const std::vector<int64_t> e = {n, n};
    const Buf img = s.array(f32, e, 1, 2), dn = s.array(f32, e, 0, 0), ds = s.array(f32, e, 0, 0),
              dw = s.array(f32, e, 0, 0), de = s.array(f32, e, 0, 0), coef = s.array(f32, e, 0, 0),
              out = s.result(f32, e);
    const float q0 = 0.05f, rate = 0.1f;
    s.number(q0);
    s.number(rate);
    s.launch("srad_coefficients", {n / 4, n}, {64, 4}, {img, dn, ds, dw, de, coef, q0, int(n), int(n)});
    s.launch("srad_update", {n / 4, n}, {64, 4}, {img, dn, ds, dw, de, coef, out, rate, int(n), int(n)});
    s.work(52.0 * double(n) * double(n), "TB/s");
    s.bound(1e-4);
  });
  t.strict("pathfinder", [](Setup& s) {
    const int64_t n = s.pick(1 << 26, 1 << 14);
    const Buf wall = s.array(i32, {2, n}, 0, 10);
    s.number(int64_t{1});
    const Buf old = s.array(i32, {n}, 0, 100), next = s.result(i32, {n});
    s.launch("pathfinder", {n / 4}, {256}, {wall, old, next, int(n), 1});
    s.work(12.0 * double(n), "TB/s");
  });
  t.strict("lattice", [](Setup& s) {
    const int64_t n = s.pick(4096, 100);
    const Buf f = s.array(f32, {9, n, n}, 0.5, 1), g = s.result(f32, {9, n, n});
    s.number(0.6f);
    s.launch("lattice", {n - 2, n - 2}, {64, 4}, {f, g, 0.6f, int(n), int(n)});
    s.work(72.0 * double(n) * double(n), "TB/s");
  });
  t.strict("life", [](Setup& s) {
    const int64_t n = s.pick(16384, 128);
    const Buf a = s.array(u8, {n, n}, 0, 2), b = s.result(u8, {n, n});
    s.launch("life", {n / 4, n - 2}, {64, 4}, {a, b, int(n), int(n / 4)});
    s.work(2.0 * double(n) * double(n), "TB/s");
  });
}

}  // namespace papers
