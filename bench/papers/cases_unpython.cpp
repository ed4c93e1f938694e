#include "suite.hpp"

namespace papers {

namespace {

const char* type_options(Elem e) { return e == f64 ? "-DT=double -DT4=double4" : "-DT=float -DT4=float4"; }

/// Adds to the lower triangle of a square of n; `two`: rank-2k.
void rank(Setup& s, Elem e, bool two) {
  const int64_t n = s.pick(4096, 256), m = s.pick(2048, 64);
  const Buf a = s.array(e, {n, m}, -1, 1), b = two ? s.array(e, {n, m}, -1, 1) : a, c = s.result(e, {n, n}, -1, 1);
  s.define(type_options(e));
  s.define("-DRANK");
  s.launch("matmul_nt", {2 * n, n / 128}, {256, 1}, {a, b, c, int(m), int(n), two ? 2 : 1});
  s.work((two ? 2.0 : 1.0) * double(n) * double(n) * double(m), "TFLOP/s");
  s.bound(e == f64 ? 1e-12 : 1e-4);
}

void distances(Setup& s, Elem e, int64_t full) {
  const int64_t side = s.pick(full, 32), n = side * side;
  const std::vector<int64_t> extents = {side, side};
  const Buf x = s.array(e, extents, -1, 1), y = s.array(e, extents, -1, 1), z = s.array(e, extents, -1, 1),
            out = s.result(e, extents);
  s.define(type_options(e));
  s.launch("nbody", {n / 2}, {256}, {x, y, z, out, int(n)});
  s.work(9.0 * double(n) * double(n), "TFLOP/s");
  s.bound(e == f64 ? 1e-11 : 1e-3);
}

}  // namespace

void add_unpython(Table& t) {
  t.file("unpython", "programs");
  t.both("matmul_f32", [](Setup& s) { product(s, f32, 4096, false); }, "matmul");
  t.both("matmul_f64", [](Setup& s) { product(s, f64, 4096, false); }, "matmul");
  t.fast("rank_k_f32", [](Setup& s) { rank(s, f32, false); }, "matmul_nt");
  t.fast("rank_k_f64", [](Setup& s) { rank(s, f64, false); }, "matmul_nt");
  t.fast("rank_2k_f32", [](Setup& s) { rank(s, f32, true); }, "matmul_nt");
  t.fast("rank_2k_f64", [](Setup& s) { rank(s, f64, true); }, "matmul_nt");
  t.both("nbody_f32", [](Setup& s) { distances(s, f32, 256); }, "nbody");
  t.both("nbody_f64", [](Setup& s) { distances(s, f64, 192); }, "nbody");
  t.fast("coulomb", [](Setup& s) {
    const int64_t n = s.pick(2048, 96), count = s.pick(4096, 256);
    const Buf atom = s.array(f32, {count, 4}, 0, 1), out = s.result(f32, {n, n});
    const float step = 1.0f / float(n), height = 2;
    s.number(step);
    s.number(height);
    s.launch("coulomb", {(n + 7) / 8, n}, {32, 4}, {atom, out, step, height, int(count), int(n)});
    s.work(8.0 * double(n) * double(n) * double(count), "TFLOP/s");
    s.bound(1e-3);
  });
  t.strict("stencil5", [](Setup& s) {
    const int64_t n = s.pick(8192, 200);
    const Buf u = s.array(f64, {n, n}, 0, 1), v = s.result(f64, {n, n});
    s.number(0.6);
    s.number(0.1);
    s.launch("stencil5", {n / 2, (n + 5) / 8}, {64, 2}, {u, v, 0.6, 0.1, int(n), int(n)});
    s.work(16.0 * double(n) * double(n), "TB/s");
  });
}

}  // namespace papers
