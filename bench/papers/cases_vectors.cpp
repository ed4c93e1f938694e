#include "suite.hpp"

#include <cmath>

namespace papers {

namespace {

int64_t length(const Setup& s, int64_t full) { return s.pick(full, 1 << 16); }

/// out[i] = f(x[i]), `lanes` elements a work-item.
void mapped(Setup& s, const char* kernel, Elem e, Elem to, int64_t full, int lanes, double lo, double hi,
            double bound) {
  const int64_t n = length(s, full);
  const Buf x = s.array(e, {n}, lo, hi), out = s.result(to, {n});
  s.launch(kernel, {n / lanes}, {256}, {x, out, int(n / lanes)});
  s.work(2.0 * double(n) * (e == f64 ? 8 : 4), "TB/s");
  s.bound(bound);
}

/// 0..n-1, mixed; n is a power of two.
void permutation(int32_t* to, int64_t n) {
  for (int64_t k = 0; k < n; ++k) {
    uint64_t v = uint64_t(k);
    for (const uint64_t odd : {0x9E3779B1u, 0x85EBCA77u, 0xC2B2AE3Du}) {
      v = v * odd & uint64_t(n - 1);
      v ^= v >> 9;
    }
    to[k] = int32_t(v);
  }
}

void indirect(Setup& s, const char* kernel) {
  const int64_t n = length(s, 1 << 25);
  const Buf x = s.array(f32, {n}, -1, 1), place = s.array(i32, {n}, 0, 1), out = s.result(f32, {n});
  permutation(s.host<int32_t>(place), n);
  s.launch(kernel, {n / 4}, {256}, {x, place, out, int(n / 4)});
  s.work(12.0 * double(n), "TB/s");
}

void scanned(Setup& s, Elem e, int64_t n, Buf x, Buf out) {
  const int64_t groups = n / 4096;
  const Buf sums = s.scratch(e, {groups});
  s.define(e == f64 ? "-DT=double -DT2=double2" : "-DT=int -DT2=int2");
  s.launch("scan_parts", {256 * groups}, {256}, {x, sums});
  s.launch("scan_sums", {256}, {256}, {sums, int(groups)});
  s.launch("scan_all", {256 * groups}, {256}, {x, sums, out});
  s.work((e == f64 ? 24.0 : 12.0) * double(n), "TB/s");
}

}  // namespace

void add_vectors(Table& t) {
  t.file("more", "vectors");
  t.fast("saxpy", [](Setup& s) {
    const int64_t n = length(s, 1 << 26);
    const Buf x = s.array(f32, {n}, -1, 1), y = s.result(f32, {n}, -1, 1);
    s.number(1e-3f);
    s.launch("saxpy", {n / 4}, {256}, {x, y, 1e-3f, int(n / 4)});
    s.work(12.0 * double(n), "TB/s");
  });
  t.fast("triad", [](Setup& s) {
    const int64_t n = length(s, 1 << 25);
    const Buf x = s.array(f64, {n}, -1, 1), y = s.array(f64, {n}, -1, 1), z = s.result(f64, {n});
    s.number(3.0);
    s.launch("triad", {n / 2}, {256}, {x, y, z, 3.0, int(n / 2)});
    s.work(24.0 * double(n), "TB/s");
  });
  t.fast("dot", [](Setup& s) {
    const int64_t n = length(s, 1 << 27), groups = 1056;
    const Buf x = s.array(f32, {n}, 0, 1), y = s.array(f32, {n}, 0, 1), out = s.returned(f32, {1}),
              parts = s.scratch(f64, {groups});
    s.launch("dot_parts", {256 * groups}, {256}, {x, y, parts, int(n / 4)});
    s.launch("dot_join", {256}, {256}, {parts, out, int(groups)});
    s.work(8.0 * double(n), "TB/s");
  });
  t.strict("norm_max", [](Setup& s) {
    const int64_t n = length(s, 1 << 26), groups = 1056;
    const Buf x = s.array(f64, {n}, -1, 1), out = s.returned(f64, {1}), parts = s.scratch(f64, {groups});
    s.launch("max_parts", {256 * groups}, {256}, {x, parts, int(n / 2)});
    s.launch("max_parts", {256}, {256}, {parts, out, int(groups / 2)});
    s.work(8.0 * double(n), "TB/s");
  });
  t.strict("gather", [](Setup& s) { indirect(s, "gather"); });
  t.strict("scatter", [](Setup& s) { indirect(s, "scatter"); });
  t.strict(
      "prefix_blocks",
      [](Setup& s) {
        const int64_t n = length(s, 1 << 26);
        const Buf x = s.array(i32, {n}, 0, 10), out = s.result(i32, {n});
        s.array(i32, {n / 1024}, 0, 1);
        s.number(int64_t{1024});
        scanned(s, i32, n, x, out);
      },
      "scan");
  t.fast(
      "prefix_sum",
      [](Setup& s) {
        const int64_t n = length(s, 1 << 26);
        const Buf x = s.array(f64, {n}, 0, 1), out = s.returned(f64, {n});
        scanned(s, f64, n, x, out);
        s.bound(1e-10);
      },
      "scan");
  t.strict("histogram", [](Setup& s) {
    const int64_t n = length(s, 1 << 28);
    const Buf x = s.array(Elem::UInt8, {n}, 0, 256), count = s.result(i32, {256});
    s.launch("histogram", {256 * s.pick(1056, 8)}, {256}, {x, count, int(n / 16)});
    s.work(double(n), "TB/s");
  });
  t.fast("polynomial", [](Setup& s) {
    const int64_t n = length(s, 1 << 26);
    const Buf x = s.array(f32, {n}, -1, 1), c = s.array(f32, {16}, -1, 1), out = s.result(f32, {n});
    s.launch("polynomial", {n / 4}, {256}, {x, c, out, int(n / 4), 16});
    s.work(8.0 * double(n), "TB/s");
  });
  t.strict("erf_f64", [](Setup& s) { mapped(s, "erf_f64", f64, f64, 1 << 25, 1, -3, 3, 1e-13); });
  t.strict("lgamma_f64", [](Setup& s) { mapped(s, "lgamma_f64", f64, f64, 1 << 25, 1, 0.1, 20, 1e-12); });
  t.both("trig_f32", [](Setup& s) { mapped(s, "trig_f32", f32, f32, 1 << 26, 1, -3, 3, 1e-3); });
  t.both("power_f32", [](Setup& s) {
    const int64_t n = length(s, 1 << 26);
    const Buf x = s.array(f32, {n}, 0.5, 3), y = s.array(f32, {n}, 0.5, 3), out = s.result(f32, {n});
    s.launch("power_f32", {n}, {256}, {x, y, out, int(n)});
    s.work(12.0 * double(n), "TB/s");
    s.bound(1e-3);
  });
  t.strict("complex_multiply", [](Setup& s) {
    const int64_t n = length(s, 1 << 25);
    const Buf x = s.array(f32, {n}, -1, 1, true), y = s.array(f32, {n}, -1, 1, true),
              out = s.result(f32, {n}, 0, 0, true);
    s.launch("complex_multiply", {n / 2}, {256}, {x, y, out, int(n / 2)});
    s.work(24.0 * double(n), "TB/s");
  });
  t.strict("hash_u32", [](Setup& s) { mapped(s, "hash_u32", u32, u32, 1 << 26, 4, 0, 4294967295.0, 0); });
  t.strict("popcount", [](Setup& s) { mapped(s, "popcount_all", u32, i32, 1 << 27, 4, 0, 4294967295.0, 0); });
  t.strict("xorshift", [](Setup& s) {
    const int64_t n = length(s, 1 << 24), rounds = s.pick(256, 16);
    const Buf seed = s.array(u32, {n}, 1, 4e9), out = s.result(u32, {n});
    s.number(rounds);
    s.launch("xorshift", {n}, {256}, {seed, out, int(n), int(rounds)});
    s.work(7.0 * double(n) * double(rounds), "Top/s");
  });
  t.strict("pi_counts", [](Setup& s) {
    const int64_t n = s.pick(1 << 20, 1 << 12), rounds = s.pick(512, 16);
    const Buf out = s.result(i32, {n});
    s.number(uint32_t{12345});
    s.number(rounds);
    s.launch("pi_counts", {n}, {256}, {out, 12345u, int(n), int(rounds)});
    s.work(42.0 * double(n) * double(rounds), "Top/s");
  });
  t.strict("bitonic_step", [](Setup& s) {
    const int64_t n = length(s, 1 << 27), j = n / 64;
    const Buf x = s.result(f32, {n}, 0, 1);
    s.number(j);
    s.number(int64_t{4 * j});
    s.launch("bitonic_step", {n / 2}, {256}, {x, int(j), int(4 * j), int(n / 2)});
    s.work(8.0 * double(n), "TB/s");
  });
  t.strict("fft_stage", [](Setup& s) {
    const int64_t n = length(s, 1 << 26), half = 1 << 10;
    const Buf re = s.result(f32, {n}, -1, 1), im = s.result(f32, {n}, -1, 1);
    const Buf wr = s.array(f32, {2 * half}, -1, 1), wi = s.array(f32, {2 * half}, -1, 1);
    for (int64_t k = 0; k < half; ++k) {
      s.host<float>(wr)[half + k] = float(std::cos(M_PI * double(k) / double(half)));
      s.host<float>(wi)[half + k] = float(-std::sin(M_PI * double(k) / double(half)));
    }
    s.number(half);
    s.launch("fft_stage", {n / 2}, {256}, {re, im, wr, wi, int(half), int(n / 2)});
    s.work(16.0 * double(n), "TB/s");
  });
}

}  // namespace papers
