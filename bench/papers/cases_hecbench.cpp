#include "suite.hpp"

#include <algorithm>
#include <cmath>

namespace papers {

namespace {

void add_pixels(Table& t) {
  t.strict("gauss_rgb", [](Setup& s) {
    const int64_t h = s.pick(8192, 75), w = s.pick(8192, 88);
    const Buf a = s.array(u8, {h, w, 3}, 0, 256), k = s.array(f32, {7}, 0, 0), mid = s.array(f32, {h, w, 3}, 0, 0),
              out = s.result(u8, {h, w, 3});
    const float taps[] = {0.03125f, 0.109375f, 0.21875f, 0.28125f, 0.21875f, 0.109375f, 0.03125f};
    std::copy_n(taps, 7, s.host<float>(k));
    (void)mid;
    s.launch("gauss_rgb", {3 * w / 4, (h + 25) / 32 * 8}, {32, 8}, {a, k, out, int(h), int(3 * w)});
    s.work(6.0 * double(h) * double(w), "TB/s");
  });
  t.strict("max_filter", [](Setup& s) {
    const int64_t h = s.pick(16384, 83), w = s.pick(16384, 260);
    const Buf a = s.array(u8, {h, w}, 0, 256), mid = s.array(u8, {h, w}, 0, 0), out = s.result(u8, {h, w});
    (void)mid;
    s.launch("max_filter", {w / 4, (h + 17) / 32 * 8}, {32, 8}, {a, out, int(h), int(w)});
    s.work(2.0 * double(h) * double(w), "TB/s");
  });
  t.strict("demosaic", [](Setup& s) {
    const int64_t h = s.pick(8192, 60), w = s.pick(12288, 72);
    const Buf raw = s.array(u8, {h, w}, 0, 256), out = s.result(u8, {h, w, 3});
    s.launch("demosaic", {w / 4, h / 2 - 1}, {64, 4}, {raw, out, int(h), int(w)});
    s.work(4.0 * double(h) * double(w), "TB/s");
  });
  t.strict("yuv420", [](Setup& s) {
    const int64_t h = s.pick(8192, 60), w = s.pick(8192, 72);
    const Buf rgb = s.array(u8, {h, w, 3}, 0, 256), y = s.result(u8, {h, w}), u = s.result(u8, {h / 2, w / 2}),
              v = s.result(u8, {h / 2, w / 2});
    s.launch("yuv420", {w / 4, h / 2}, {64, 4}, {rgb, y, u, v, int(h / 2), int(w / 4)});
    s.work(4.5 * double(h) * double(w), "TB/s");
  });
  t.strict("points_in_polygon", [](Setup& s) {
    const int64_t n = s.pick(1 << 22, 4000), m = s.pick(600, 300);
    const Buf px = s.array(f32, {n}, -1, 1), py = s.array(f32, {n}, -1, 1), vx = s.array(f32, {m}, 0.4, 1),
              vy = s.array(f32, {m}, 0, 0), inside = s.result(u8, {n});
    for (int64_t k = 0; k < m; ++k) {  // a star
      const double r = s.host<float>(vx)[k], turn = 2 * M_PI * double(k) / double(m);
      s.host<float>(vx)[k] = float(r * std::cos(turn));
      s.host<float>(vy)[k] = float(r * std::sin(turn));
    }
    s.launch("points_in_polygon", {n / 4}, {256}, {px, py, vx, vy, inside, int(n / 4), int(m)});
    s.work(double(n) * double(m), "Tedge/s");
    s.bound(0, 1e-3);
  });
}

void add_bits(Table& t) {
  t.strict("sha256", [](Setup& s) {
    const int64_t n = s.pick(1 << 22, 1000);
    const Buf text = s.array(u32, {n, 16}, 0, 4294967296.0), constant = s.array(u32, {64}, 0, 1),
              start = s.array(u32, {8}, 0, 1), out = s.result(u32, {n, 8});
    const auto fraction = [](long double x) { return uint32_t((x - std::floor(x)) * 4294967296.0L); };
    for (int64_t p = 2, k = 0; k < 64; ++p) {
      bool prime = true;
      for (int64_t d = 2; d * d <= p; ++d) prime = prime && p % d;
      if (!prime) continue;
      if (k < 8) s.host<uint32_t>(start)[k] = fraction(std::sqrt((long double)p));
      s.host<uint32_t>(constant)[k++] = fraction(std::cbrt((long double)p));
    }
    s.launch("sha256", {n}, {128}, {text, constant, start, out, int(n)});
    s.work(64.0 * double(n), "TB/s");
  });
  t.strict("walsh", [](Setup& s) {
    const int64_t n = s.pick(65536, 30);
    const Buf x = s.result(f32, {n, 1024}, -1, 1);
    s.launch("walsh", {64, n}, {64, 4}, {x, int(n)});
    s.work(8.0 * 1024 * double(n), "TB/s");
  });
}

void add_layers(Table& t) {
  t.fast("group_norm", [](Setup& s) {
    const int64_t n = s.pick(64, 3), c = s.pick(128, 12), m = s.pick(4096, 600), size = 4;
    const Buf x = s.array(f32, {n, c, m}, -1, 2), gain = s.array(f32, {c}, 0, 2), shift = s.array(f32, {c}, -1, 1),
              out = s.result(f32, {n, c, m});
    s.number(size);
    s.launch("group_norm", {512 * n * c / size}, {512}, {x, gain, shift, out, int(c / size), int(size), int(m / 4)});
    s.work(8.0 * double(n * c * m), "TB/s");
    s.bound(1e-4);
  });
  t.fast("top2", [](Setup& s) {
    const int64_t n = s.pick(1 << 20, 1000);
    const Buf a = s.array(f32, {n, 64}, -3, 3), expert = s.result(i32, {n, 2}), weight = s.result(f32, {n, 2});
    s.launch("top2", {4 * n}, {256}, {a, expert, weight, int(n)});
    s.work(272.0 * double(n), "TB/s");
  });
  t.strict("quantise", [](Setup& s) {
    const int64_t n = s.pick(16384, 100), m = s.pick(8192, 600);
    const Buf x = s.array(f32, {n, m}, -3, 3), q = s.result(Elem::Int8, {n, m}), scale = s.result(f32, {n});
    s.launch("quantise", {256 * n}, {256}, {x, q, scale, int(m / 4)});
    s.work(5.0 * double(n * m), "TB/s");
  });
  t.strict("rope", [](Setup& s) {
    const int64_t n = s.pick(16384, 30), heads = s.pick(32, 8), d = 128;
    const Buf x = s.result(f32, {n, heads, d}, -1, 1), cosine = s.array(f32, {n, d / 2}, 0, 1),
              sine = s.array(f32, {n, d / 2}, 0, 1);
    for (int64_t k = 0; k < n * d / 2; ++k) {
      const double turn = double(k / (d / 2)) * std::pow(10000.0, -double(k % (d / 2)) / double(d / 2));
      s.host<float>(cosine)[k] = float(std::cos(turn));
      s.host<float>(sine)[k] = float(std::sin(turn));
    }
    s.launch("rope", {d / 8, n * heads / 4}, {16, 16}, {x, cosine, sine, int(heads), int(d / 8), int(n)});
    s.work(8.0 * double(n * heads * d), "TB/s");
  });
  t.fast("attention", [](Setup& s) {
    const int64_t n = s.pick(4096, 5);
    const Buf q = s.array(f32, {n, 64, 64}, -1, 1), k = s.array(f32, {n, 64, 64}, -1, 1),
              v = s.array(f32, {n, 64, 64}, -1, 1), out = s.result(f32, {n, 64, 64});
    s.number(0.125f);
    s.launch("attention", {256 * n}, {256}, {q, k, v, out, 0.125f});
    s.work(4.0 * 64 * 64 * 64 * double(n), "TFLOP/s");
    s.bound(1e-4);
  });
}

}  // namespace

void add_hecbench(Table& t) {
  t.file("more", "hecbench");
  add_pixels(t);
  add_bits(t);
  add_layers(t);
}

}  // namespace papers
