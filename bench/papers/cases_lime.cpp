#include "suite.hpp"

namespace papers {

namespace {

const char* type_options_fast(Elem e) { return e == f64 ? "-DT=double -DT4=double4" : "-DT=float -DT4=float4 -DFAST"; }

/// The paper's 4096 bodies (64 or 128 KB), or more.
void bodies(Setup& s, Elem e, int64_t full) {
  const int64_t n = s.pick(full, 1024);
  const Buf p = s.array(e, {n, 4}, 0, 1), force = s.result(e, {n, 4});
  e == f64 ? s.number(0.01) : s.number(0.01f);
  s.define(type_options_fast(e));
  e == f64 ? s.launch("nbody", {n / 2}, {256}, {p, force, 0.01, int(n)})
           : s.launch("nbody", {n / 2}, {256}, {p, force, 0.01f, int(n)});
  s.work(20.0 * double(n) * double(n), "TFLOP/s");
  s.bound(e == f64 ? 1e-9 : 1e-3);
}

/// Tiles of 16 x 16 pixels.
void mosaic(Setup& s, int64_t tiles, int64_t library) {
  const int64_t n = s.pick(tiles, 128), m = s.pick(library, 64), pixels = 256;
  const Buf a = s.array(i32, {n, pixels}, 0, 256), b = s.array(i32, {m, pixels}, 0, 256), best = s.result(i32, {n});
  s.launch("mosaic", {4 * n}, {256}, {a, b, best, int(m), int(pixels)});
  s.work(3.0 * double(n) * double(m) * double(pixels), "Top/s");
}

void coulomb_potential(Setup& s, int64_t full) {
  const int64_t n = s.pick(full, 96), count = s.pick(4000, 200);
  const Buf atom = s.array(f32, {count, 4}, 0.5, 1), out = s.result(f32, {n, n});
  const float step = 1.0f / float(n);
  s.number(step);
  s.define("-DT=float -DT4=float4 -DSQUARED");
  s.launch("coulomb", {(n + 7) / 8, n}, {32, 4}, {atom, out, step, 0.0f, int(count), int(n)});
  s.work(8.0 * double(n) * double(n) * double(count), "TFLOP/s");
  s.bound(1e-3);
}

void resonance(Setup& s, int64_t points, int64_t samples) {
  const int64_t n = s.pick(points, 1024), m = s.pick(samples, 256);
  std::vector<Arg> args;
  for (int k = 0; k < 3; ++k) args.emplace_back(s.array(f32, {m}, -0.3, 0.3));
  args.emplace_back(s.array(f32, {m}, 0, 1));
  for (int k = 0; k < 3; ++k) args.emplace_back(s.array(f32, {n}, 0, 4));
  for (int k = 0; k < 2; ++k) args.emplace_back(s.result(f32, {n}));
  args.emplace_back(int(m));
  s.launch("mriq", {n / 2}, {256}, args);
  s.work(12.0 * double(n) * double(m), "TFLOP/s");
  s.bound(1e-3);
}

void integrals(Setup& s, int64_t full) {
  const int64_t n = s.pick(full, 512), m = s.pick(4096, 256);
  const Buf bra = s.array(f32, {n, 5}, 0.5, 3), ket = s.array(f32, {m, 5}, 0.5, 3), out = s.result(f32, {n});
  s.launch("rpes", {n}, {256}, {bra, ket, out, int(m)});
  s.work(30.0 * double(n) * double(m), "TFLOP/s");
  s.bound(1e-3);
}

void cipher(Setup& s, int64_t full) {
  const int64_t n = s.pick(full, 1 << 16);
  const Buf text = s.array(Elem::UInt8, {n}, 0, 256), key = s.array(Elem::UInt16, {52}, 0, 65536),
            out = s.result(Elem::UInt8, {n});
  s.launch("crypt", {n / 8}, {256}, {text, key, out, int(n / 8)});
  s.work(double(n), "TB/s");
}

/// The paper's 100,000 coefficients are as many pairs.
void fourier(Setup& s, Elem e, int64_t full) {
  const int64_t n = s.pick(full, 512), steps = s.pick(1000, 100);
  const Buf a = s.result(e, {n}), b = s.result(e, {n});
  s.number(steps);
  s.define(type_options_fast(e));
  s.launch("series", {n}, {256}, {a, b, int(n), int(steps)});
  s.work(8.0 * double(n) * double(steps), "TFLOP/s");
  // Fast sines of large arguments are not exact on either side.
  s.bound(e == f64 ? 1e-8 : 3e-2);
}

}  // namespace

void add_lime(Table& t) {
  t.file("lime", "programs");
  t.fast("nbody_f32@4096", [](Setup& s) { bodies(s, f32, 4096); }, "nbody");
  t.fast("nbody_f32@65536", [](Setup& s) { bodies(s, f32, 65536); }, "nbody");
  t.fast("nbody_f64@4096", [](Setup& s) { bodies(s, f64, 4096); }, "nbody");
  t.fast("nbody_f64@32768", [](Setup& s) { bodies(s, f64, 32768); }, "nbody");
  t.strict("mosaic@600KB", [](Setup& s) { mosaic(s, 512, 128); });
  t.strict("mosaic", [](Setup& s) { mosaic(s, 16384, 2048); });
  t.fast("cp@512", [](Setup& s) { coulomb_potential(s, 512); }, "unpython/programs:coulomb");
  t.fast("cp@2048", [](Setup& s) { coulomb_potential(s, 2048); }, "unpython/programs:coulomb");
  t.fast("mriq@32768", [](Setup& s) { resonance(s, 32768, 3072); });
  t.fast("mriq@262144", [](Setup& s) { resonance(s, 262144, 3072); });
  t.fast("rpes@131072", [](Setup& s) { integrals(s, 131072); });
  t.strict("crypt@3MB", [](Setup& s) { cipher(s, 3 << 20); });
  t.strict("crypt@512MB", [](Setup& s) { cipher(s, 512 << 20); });
  t.strict("series_f32", [](Setup& s) { fourier(s, f32, 100096); }, "series");
  t.strict("series_f64", [](Setup& s) { fourier(s, f64, 100096); }, "series");
}

}  // namespace papers
