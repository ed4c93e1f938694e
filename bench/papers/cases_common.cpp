#include "suite.hpp"

#include <algorithm>
#include <cmath>

namespace papers {

namespace {

void add_tiles(Table& t) {
  t.fast("causal_attention", [](Setup& s) {
    const int64_t heads = s.pick(64, 3), n = s.pick(2048, 107);
    const Buf q = s.array(f32, {heads, n, 64}, -1, 1), k = s.array(f32, {heads, n, 64}, -1, 1),
              v = s.array(f32, {heads, n, 64}, -1, 1), out = s.result(f32, {heads, n, 64});
    s.number(0.125f);
    s.launch("causal_attention", {128 * ((n + 63) / 64), heads}, {128, 1}, {q, k, v, out, 0.125f, int(n)});
    s.work(128.0 * double(heads) * double(n) * double(n + 1), "TFLOP/s");
    s.bound(1e-4);
  });
  t.fast("conv_transpose", [](Setup& s) {
    const int64_t c = s.pick(128, 5), outs = s.pick(64, 11), h = s.pick(192, 13), w = s.pick(192, 38);
    const Buf x = s.array(f32, {c, h, w}, -1, 1), k = s.array(f32, {c, outs, 4, 4}, -1, 1),
              out = s.result(f32, {outs, 2 * h, 2 * w});
    s.launch("conv_transpose", {(w + 1) / 2, h, (outs + 7) / 8}, {16, 8, 1},
             {x, k, out, int(c), int(outs), int(h), int(w)});
    s.work(32.0 * double(c * outs) * double(h * w), "TFLOP/s");
    s.bound(1e-4);
  });
  t.fast("lu16", [](Setup& s) {
    const int64_t n = s.pick(1 << 18, 103);
    const Buf a = s.array(f32, {n, 16, 16}, -1, 1), out = s.result(f32, {n, 16, 16});
    for (int64_t k = 0; k < n; ++k)
      for (int64_t i = 0; i < 16; ++i) s.host<float>(a)[256 * k + 17 * i] += 20;
    s.launch("lu16", {16 * n}, {64}, {a, out, int(n)});
    s.work(2048.0 * double(n), "TB/s");
    s.bound(1e-4);
  });
  t.strict("gemm_i8", [](Setup& s) {
    const int64_t n = s.pick(4096, 141), m = s.pick(4096, 148), k = s.pick(4096, 112);
    const Buf x = s.array(Elem::Int8, {n, k}, -127, 128), w = s.array(Elem::Int8, {m, k}, -127, 128),
              by_row = s.array(f32, {n}, 0.001, 0.01), by_column = s.array(f32, {m}, 0.001, 0.01),
              out = s.result(f32, {n, m});
    s.launch("gemm_i8", {256 * ((m + 127) / 128), (n + 127) / 128}, {256, 1},
             {x, w, by_row, by_column, out, int(n), int(m), int(k / 16)});
    s.work(2.0 * double(n) * double(m) * double(k), "TFLOP/s");
  });
  t.fast("rbf", [](Setup& s) {
    const int64_t n = s.pick(8192, 141), m = s.pick(8192, 148), d = s.pick(64, 28);
    const Buf x = s.array(f32, {n, d}, -1, 1), y = s.array(f32, {m, d}, -1, 1), out = s.result(f32, {n, m});
    s.number(0.05f);
    s.launch("rbf", {256 * ((m + 127) / 128), (n + 127) / 128}, {256, 1}, {x, y, out, 0.05f, int(n), int(m), int(d)});
    s.work(3.0 * double(n) * double(m) * double(d), "TFLOP/s");
    s.bound(1e-4);
  });
}

void add_planes(Table& t) {
  t.fast("wave3d", [](Setup& s) {
    const int64_t d = s.pick(384, 19), h = s.pick(384, 35), w = s.pick(512, 84);
    const Buf old = s.array(f32, {d, h, w}, -1, 1), now = s.array(f32, {d, h, w}, -1, 1),
              speed = s.array(f32, {d, h, w}, 0, 0.1), next = s.result(f32, {d, h, w}), c = s.array(f32, {5}, 0, 0);
    const float of[] = {-205.0f / 24, 8.0f / 5, -1.0f / 5, 8.0f / 315, -1.0f / 560};
    std::copy_n(of, 5, s.host<float>(c));
    s.launch("wave3d", {(w - 4) / 4, h - 4, (d - 8 + 63) / 64}, {16, 16, 1},
             {old, now, speed, next, c, int(d), int(h), int(w)});
    s.work(16.0 * double(d) * double(h) * double(w), "TB/s");
  });
  t.strict("equalise", [](Setup& s) {
    const int64_t h = s.pick(8192, 75), w = s.pick(16384, 208), n16 = h * w / 16;
    const Buf a = s.array(u8, {h, w}, 17, 203), count = s.result(i32, {256}), table = s.result(u8, {256}),
              out = s.result(u8, {h, w});
    const int64_t items = std::min<int64_t>(n16, 256 * 1056);
    s.launch("clear", {256}, {256}, {count});
    s.launch("histogram", {items}, {256}, {a, count, int(n16)});
    s.launch("equalise", {items}, {256}, {a, count, table, out, int(n16)});
    s.work(3.0 * double(h * w), "TB/s");
  });
  t.strict("jacobi_residual", [](Setup& s) {
    const int64_t h = s.pick(8192, 75), w = s.pick(8192, 84);
    const Buf u = s.array(f32, {h, w}, -1, 1), f = s.array(f32, {h, w}, -1, 1), v = s.result(f32, {h, w}),
              error = s.result(f32, {1});
    s.number(0.01f);
    s.launch("clear", {1}, {1}, {error});
    s.launch("jacobi_residual", {w / 4, (h - 2 + 15) / 16}, {64, 4}, {u, f, v, error, 0.01f, int(h), int(w)});
    s.work(12.0 * double(h) * double(w), "TB/s");
  });
  t.fast("lbm3d", [](Setup& s) {
    const int64_t d = s.pick(192, 7), h = s.pick(192, 9), w = s.pick(256, 37);
    const Buf f = s.array(f32, {19, d, h, w}, 0.04, 0.06), g = s.result(f32, {19, d, h, w}),
              cx = s.array(i32, {19}, 0, 0), cy = s.array(i32, {19}, 0, 0), cz = s.array(i32, {19}, 0, 0),
              weight = s.array(f32, {19}, 0, 0);
    const int x[] = {0, 1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 1, -1, 1, -1, 0, 0, 0, 0};
    const int y[] = {0, 0, 0, 1, -1, 0, 0, 1, -1, -1, 1, 0, 0, 0, 0, 1, -1, 1, -1};
    const int z[] = {0, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, 1, -1, -1, 1, 1, -1, -1, 1};
    for (int q = 0; q < 19; ++q) {
      s.host<int32_t>(cx)[q] = x[q], s.host<int32_t>(cy)[q] = y[q], s.host<int32_t>(cz)[q] = z[q];
      s.host<float>(weight)[q] = q == 0 ? 1.0f / 3 : q < 7 ? 1.0f / 18 : 1.0f / 36;
    }
    s.number(1.2f);
    s.launch("lbm3d", {w - 2, h - 2, d - 2}, {128, 1, 1}, {f, g, 1.2f, int(d), int(h), int(w)});
    s.work(152.0 * double(d * h * w), "TB/s");
  });
}

/// The substitution of AES and its table for a column's first byte.
void fill_aes(uint32_t* box, uint32_t* te) {
  uint8_t p = 1, q = 1;
  do {  // p runs through the powers of 3, q through their inverses
    p = uint8_t(p ^ (p << 1) ^ (p & 0x80 ? 0x1b : 0));
    q = uint8_t(q ^ (q << 1));
    q = uint8_t(q ^ (q << 2));
    q = uint8_t(q ^ (q << 4));
    if (q & 0x80) q ^= 0x09;
    const auto turned = [&](int by) { return uint8_t(q << by | q >> (8 - by)); };
    box[p] = uint8_t(q ^ turned(1) ^ turned(2) ^ turned(3) ^ turned(4) ^ 0x63);
  } while (p != 1);
  box[0] = 0x63;
  for (int k = 0; k < 256; ++k) {
    const uint32_t v = box[k], twice = (v << 1 ^ (v & 0x80 ? 0x11b : 0)) & 255;
    uint32_t w = twice << 24 | v << 16 | v << 8 | (twice ^ v);
    for (int r = 0; r < 4; ++r, w = w >> 8 | w << 24) te[256 * r + k] = w;
  }
}

void add_tables(Table& t) {
  t.strict("aes", [](Setup& s) {
    const int64_t n = s.pick(1 << 23, 2048 + 1003);
    const Buf text = s.array(u32, {n, 4}, 0, 4294967296.0), te = s.array(u32, {4, 256}, 0, 0),
              box = s.array(u32, {256}, 0, 0), key = s.array(u32, {44}, 0, 4294967296.0), out = s.result(u32, {n, 4});
    fill_aes(s.host<uint32_t>(box), s.host<uint32_t>(te));
    s.launch("aes", {256 * ((n + 2047) / 2048)}, {256}, {text, te, key, out, int(n)});
    s.work(32.0 * double(n), "TB/s");
  });
  t.strict("find_pattern", [](Setup& s) {
    const int64_t n = s.pick(1 << 28, 16 * 1003), m = s.pick(12, 11);
    const Buf text = s.array(u8, {n}, 0, 4), pattern = s.array(u8, {m}, 0, 4), found = s.result(u8, {n});
    // Copies of the pattern, of which some overlap in parts; the last ends with the text.
    for (int64_t k = n - m; k >= 0; k -= 997) std::copy_n(s.host<uint8_t>(pattern), m, s.host<uint8_t>(text) + k);
    s.launch("find_pattern", {n / 16}, {256}, {text, pattern, found, int(n), int(m)});
    s.work(2.0 * double(n), "TB/s");
  });
  t.strict("hamming_match", [](Setup& s) {
    const int64_t n = s.pick(16384, 291), m = s.pick(16384, 777), shares = s.pick(16, 2);
    const Buf query = s.array(u32, {n, 8}, 0, 4294967296.0), train = s.array(u32, {m, 8}, 0, 4294967296.0),
              distance = s.result(i32, {n}), place = s.result(i32, {n}), best = s.scratch(u32, {n});
    s.launch("clear", {n}, {256}, {best, int(n)});
    s.launch("hamming_match", {(n + 255) / 256 * 128, shares}, {128, 1},
             {query, train, best, int(n), int(m), int((m + shares - 1) / shares)});
    s.launch("parts", {n}, {256}, {best, distance, place, int(n)});
    s.work(double(n) * double(m), "Tpair/s");
  });
}

void add_lists(Table& t) {
  t.fast("embedding_bag", [](Setup& s) {
    const int64_t words = s.pick(500000, 997), bags = s.pick(65536, 203), wide = 128;
    std::vector<int32_t> starts = {0};
    uint32_t seed = 1;
    for (int64_t b = 0; b < bags; ++b) {
      seed = seed * 1664525 + 1013904223;
      starts.push_back(starts.back() + int32_t(seed >> 26));  // 0 to 63
    }
    const Buf table = s.array(f32, {words, wide}, -1, 1), start = s.array(i32, {bags + 1}, 0, 0),
              word = s.array(i32, {starts.back()}, 0, double(words)), out = s.result(f32, {bags, wide});
    std::copy(starts.begin(), starts.end(), s.host<int32_t>(start));
    s.launch("embedding_bag", {wide / 4, bags}, {32, 4}, {table, start, word, out, int(bags), int(wide / 4)});
    s.work(4.0 * double(wide) * double(starts.back() + bags), "TB/s");
  });
  t.strict("merge", [](Setup& s) {
    const int64_t n = s.pick(1 << 25, 5003), m = s.pick((1 << 24) + 1001, 3001);
    const Buf a = s.array(i32, {n}, 0, 4), b = s.array(i32, {m}, 0, 8), out = s.result(i32, {n + m});
    for (int64_t k = 1; k < n; ++k) s.host<int32_t>(a)[k] += s.host<int32_t>(a)[k - 1];
    for (int64_t k = 1; k < m; ++k) s.host<int32_t>(b)[k] += s.host<int32_t>(b)[k - 1];
    s.launch("merge", {256 * ((n + m + 2047) / 2048)}, {256}, {a, b, out, int(n), int(m)});
    s.work(8.0 * double(n + m), "TB/s");
  });
  t.strict("nearest8", [](Setup& s) {
    const int64_t n = s.pick(1 << 17, 203), m = s.pick(8192, 1103);
    const Buf query = s.array(f32, {n, 3}, 0, 1), point = s.array(f32, {m, 3}, 0, 1), distance = s.result(f32, {n, 8}),
              place = s.result(i32, {n, 8});
    s.launch("nearest8", {n}, {128}, {query, point, distance, place, int(n), int(m)});
    s.work(double(n) * double(m), "Tpair/s");
  });
  t.fast("implied_volatility", [](Setup& s) {
    const int64_t n = s.pick(1 << 23, 1003);
    const Buf price = s.array(f64, {n}, 0.15, 0.5), spot = s.array(f64, {n}, 95, 105),
              strike = s.array(f64, {n}, 90, 110), time = s.array(f64, {n}, 0.5, 2), out = s.result(f64, {n});
    // The price of a volatility between 0.15 and 0.5.
    for (int64_t k = 0; k < n; ++k) {
      const double v = s.host<double>(price)[k], t = s.host<double>(time)[k], x = s.host<double>(spot)[k],
                   y = s.host<double>(strike)[k] * std::exp(-0.03 * t), wide = v * std::sqrt(t),
                   d = std::log(x / y) / wide + 0.5 * wide;
      s.host<double>(price)[k] = 0.5 * (x * std::erfc(-d * M_SQRT1_2) - y * std::erfc(-(d - wide) * M_SQRT1_2));
    }
    s.number(0.03);
    s.launch("implied_volatility", {n}, {128}, {price, spot, strike, time, out, 0.03, int(n)});
    s.work(40.0 * double(n), "TB/s");
    s.bound(1e-8);
  });
}

}  // namespace

void add_common(Table& t) {
  t.file("more", "common");
  add_tiles(t);
  add_planes(t);
  add_tables(t);
  add_lists(t);
}

}  // namespace papers
