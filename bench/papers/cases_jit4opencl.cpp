#include "suite.hpp"

namespace papers {

namespace {

void coulomb(Setup& s, int64_t full) {
  const int64_t n = s.pick(full, 96), count = s.pick(4000, 200);
  const Buf x = s.array(f32, {count}, 0, 1), y = s.array(f32, {count}, 0, 1), z = s.array(f32, {count}, 1, 2),
            q = s.array(f32, {count}, 0, 1);
  const Buf out = s.result(f32, {n, n});
  const float step = 1.0f / float(n);
  s.number(step);
  s.launch("cp", {(n + 7) / 8, n}, {32, 4}, {x, y, z, q, out, step, int(count), int(n)});
  s.work(8.0 * double(n) * double(n) * double(count), "TFLOP/s");
  s.bound(1e-3);
}

void distances(Setup& s, int64_t side) {
  const int64_t n = s.pick(side * side, 1024);
  const Buf x = s.array(f32, {n}, -1, 1), y = s.array(f32, {n}, -1, 1), z = s.array(f32, {n}, -1, 1),
            out = s.result(f32, {n});
  s.define("-DT=float -DT4=float4");
  s.launch("nbody", {n / 2}, {256}, {x, y, z, out, int(n)});
  s.work(9.0 * double(n) * double(n), "TFLOP/s");
  s.bound(1e-3);
}

}  // namespace

void add_jit4opencl(Table& t) {
  t.file("jit4opencl", "programs");
  t.fast("cp@512", [](Setup& s) { coulomb(s, 512); });
  t.fast("cp@2048", [](Setup& s) { coulomb(s, 2048); });
  t.fast("nb@384", [](Setup& s) { distances(s, 384); }, "unpython/programs:nbody");
  t.fast("bs@4096", [](Setup& s) {
    const int64_t n = s.pick(4096, 200);
    const std::vector<int64_t> e = {n, n};
    const Buf price = s.array(f32, e, 10, 100), strike = s.array(f32, e, 10, 100), years = s.array(f32, e, 0.2, 2);
    const Buf call = s.result(f32, e), put = s.result(f32, e);
    s.number(0.02f);
    s.number(0.3f);
    s.launch("bs", {n * n}, {256}, {price, strike, years, call, put, 0.02f, 0.3f, int(n * n)});
    s.work(20.0 * double(n) * double(n), "TB/s");
    s.bound(1e-4);
  });
  t.both("mb@4096", [](Setup& s) {
    const int64_t n = s.pick(4096, 200);
    const Buf out = s.result(Elem::Int32, {n, n});
    s.number(int32_t{256});
    s.launch("mb", {n, n}, {16, 16}, {out, 256, int(n), int(n)});
    s.work(double(n) * double(n), "Tpoint/s");
    s.bound(0, 0.01);
  });
  t.both("mm@4096", [](Setup& s) { product(s, f32, 4096, false); }, "unpython/programs:matmul");
}

}  // namespace papers
