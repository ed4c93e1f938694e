#include "suite.hpp"

namespace papers {

void add_mixed(Table& t) {
  t.file("more", "mixed");
  t.strict("conv2d", [](Setup& s) {
    const int64_t c = s.pick(32, 3), k = s.pick(64, 8), h = s.pick(512, 16), w = s.pick(512, 128);
    const Buf x = s.array(f32, {c, h + 2, w + 2}, -1, 1), m = s.array(f32, {k, c, 3, 3}, -1, 1), out = s.result(f32, {k, h, w});
    s.launch("conv2d", {w / 4, h, k / 8}, {32, 8, 1}, {x, m, out, int(c), int(h), int(w)});
    s.work(18.0 * double(k * c * h * w), "TFLOP/s");
    s.bound(1e-4);
  });
  t.strict("block_match", [](Setup& s) {
    const int64_t p = s.pick(128, 3), q = s.pick(128, 4), h = 16 * p, w = 16 * q;
    const Buf now = s.array(u8, {h, w}, 0, 256), old = s.array(u8, {h + 15, w + 15}, 0, 256), best = s.result(i32, {p, q}),
              where = s.result(i32, {p, q});
    s.launch("block_match", {256 * q, p}, {256, 1}, {now, old, best, where, int(w), int(q)});
    s.work(65536.0 * double(p * q), "Tpixel/s");
  });
  t.strict("dct8", [](Setup& s) {
    const int64_t n = s.pick(8192, 256);
    const Buf a = s.array(f32, {n, n}, -128, 128), c = s.array(f32, {8, 8}, -0.5, 0.5), out = s.result(f32, {n, n});
    s.launch("dct8", {n / 4, n / 2}, {64, 4}, {a, c, out, int(n)});
    s.work(8.0 * double(n) * double(n), "TB/s");
    s.bound(1e-4);
  });
  t.strict("integral", [](Setup& s) {
    const int64_t n = s.pick(8192, 512);
    const Buf a = s.array(u8, {n, n}, 0, 256), out = s.result(i32, {n, n}), sums = s.scratch(i32, {(n + 127) / 128, n});
    s.launch("integral_rows", {256 * n}, {256}, {a, out, int(n)});
    s.launch("integral_sums", {n / 4, (n + 127) / 128}, {64, 2}, {out, sums, int(n), int(n / 4)});
    s.launch("integral_columns", {n / 4, (n + 127) / 128}, {64, 2}, {out, sums, int(n), int(n / 4)});
    s.work(13.0 * double(n) * double(n), "TB/s");
  });
  t.strict("red_black", [](Setup& s) {
    const int64_t n = s.pick(8192, 130);
    const Buf u = s.result(f32, {n, n}, -1, 1), f = s.array(f32, {n, n}, -1, 1);
    s.number(1.5f);
    for (int color : {0, 1}) s.launch("red_black", {n / 2 - 1, n - 2}, {64, 4}, {u, f, 1.5f, color, int(n), int(n)});
    s.work(12.0 * double(n) * double(n), "TB/s");
  });
  t.strict("hsv", [](Setup& s) {
    const int64_t n = s.pick(8192, 128);
    const Buf rgb = s.array(u8, {n, n, 3}, 0, 256), h = s.result(f32, {n, n}), sat = s.result(f32, {n, n}), v = s.result(f32, {n, n});
    s.launch("hsv", {n * n / 4}, {256}, {rgb, h, sat, v, int(n * n / 4)});
    s.work(15.0 * double(n) * double(n), "TB/s");
  });
  t.strict("warp", [](Setup& s) {
    const int64_t n = s.pick(8192, 128);
    const Buf a = s.array(f32, {n, n}, -1, 1), out = s.result(f32, {n, n}), m = s.array(f32, {6}, 0, 0);
    const float turn[] = {0.96f, -0.26f, 0.1f * float(n), 0.26f, 0.96f, -0.05f * float(n)};
    for (int k = 0; k < 6; ++k) s.host<float>(m)[k] = turn[k];
    s.launch("warp", {n, n}, {32, 8}, {a, out, m, int(n), int(n), int(n), int(n)});
    s.work(8.0 * double(n) * double(n), "TB/s");
    s.bound(1e-3, 1e-3);
  });
  t.strict("binomial", [](Setup& s) {
    const int64_t n = s.pick(65536, 64);
    const Buf price = s.array(f32, {n}, 50, 150), strike = s.array(f32, {n}, 80, 120);
    for (float x : {1.01f, 0.99f, 0.51f, 0.489f}) s.number(x);
    const Buf out = s.result(f32, {n});
    s.launch("binomial", {32 * n}, {128}, {price, strike, 1.01f, 0.99f, 0.51f, 0.489f, out, int(n)});
    s.work(3.0 * 32896 * double(n), "TFLOP/s");
    s.bound(1e-4);
  });
  t.strict("shallow", [](Setup& s) {
    const int64_t n = s.pick(8192, 128);
    const Buf h = s.array(f32, {n, n}, 1, 2), u = s.array(f32, {n, n}, -1, 1), v = s.array(f32, {n, n}, -1, 1), hn = s.result(f32, {n, n}),
              un = s.result(f32, {n, n}), vn = s.result(f32, {n, n});
    s.number(0.1f);
    s.number(0.2f);
    s.launch("shallow", {n / 4, n - 2}, {64, 4}, {h, u, v, hn, un, vn, 0.1f, 0.2f, int(n), int(n)});
    s.work(24.0 * double(n) * double(n), "TB/s");
  });
  t.strict("ising", [](Setup& s) {
    const int64_t n = s.pick(16384, 128);
    const Buf spin = s.result(Elem::Int8, {n, n}, 0, 2);
    for (int64_t k = 0; k < n * n; ++k) {
      int8_t& x = s.host<int8_t>(spin)[k];
      x = x ? 1 : -1;
    }
    s.number(0.44f);
    s.number(uint32_t{12345});
    for (int color : {0, 1}) s.launch("ising", {n / 2, n}, {128, 2}, {spin, 0.44f, 12345u, color, int(n), int(n)});
    s.work(double(n) * double(n), "Tspin/s");
    s.bound(0, 1e-4);
  });
  t.strict("haar", [](Setup& s) {
    const int64_t n = s.pick(8192, 128);
    const Buf a = s.array(f32, {n, n}, -1, 1), out = s.result(f32, {n, n});
    s.launch("haar", {n / 4, n / 2}, {64, 4}, {a, out, int(n), int(n)});
    s.work(8.0 * double(n) * double(n), "TB/s");
  });
}

}  // namespace papers
