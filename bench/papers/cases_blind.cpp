#include "suite.hpp"

#include <algorithm>

namespace papers {

namespace {

void add_filters(Table& t) {
  t.fast("symm", [](Setup& s) {
    const int64_t n = s.pick(2048, 140), m = s.pick(2048, 148);
    const Buf a = s.array(f32, {n, n}, -1, 1), b = s.array(f32, {n, m}, -1, 1), c = s.result(f32, {n, m}, -1, 1);
    s.number(0.75f);
    s.number(0.5f);
    s.launch("symm", {256 * ((m + 127) / 128), (n + 127) / 128}, {256, 1}, {a, b, c, 0.75f, 0.5f, int(n), int(m)});
    s.work(2.0 * double(n) * double(n) * double(m), "TFLOP/s");
    s.bound(1e-4);
  });
  t.fast("trsm", [](Setup& s) {
    const int64_t n = s.pick(64, 21), m = s.pick(1 << 20, 1003);
    const Buf l = s.array(f32, {n, n}, -0.2, 0.2), b = s.array(f32, {n, m}, -1, 1), x = s.result(f32, {n, m});
    for (int64_t k = 0; k < n; ++k) s.host<float>(l)[k * n + k] += 2;
    s.define("-DN=" + std::to_string(n));
    s.launch("trsm", {m}, {128}, {l, b, x, int(m)});
    s.work(double(n * n) * double(m), "TFLOP/s");
    s.bound(1e-4);
  });
  t.strict("kalman", [](Setup& s) {
    const int64_t n = s.pick(1 << 22, 1001);
    const Buf x = s.result(f32, {n, 4}, -1, 1), p = s.result(f32, {n, 4, 4}, 0, 0), z = s.array(f32, {n, 2}, -1, 1),
              f = s.array(f32, {4, 4}, 0, 0), q = s.array(f32, {4, 4}, 0, 0), h = s.array(f32, {2, 4}, 0, 0),
              r = s.array(f32, {2, 2}, 0, 0);
    for (int64_t k = 0; k < n; ++k)
      for (int64_t i = 0; i < 4; ++i)
        for (int64_t j = 0; j < 4; ++j)
          s.host<float>(p)[16 * k + 4 * i + j] = (i == j ? 1.0f : 0.1f) + 0.01f * float((k + i + j) % 7);
    for (int64_t k = 0; k < 4; ++k) s.host<float>(f)[5 * k] = 1, s.host<float>(q)[5 * k] = 0.01f;
    s.host<float>(f)[2] = s.host<float>(f)[7] = 0.1f;
    s.host<float>(h)[0] = s.host<float>(h)[5] = 1;
    s.host<float>(r)[0] = s.host<float>(r)[3] = 0.5f;
    s.host<float>(r)[1] = s.host<float>(r)[2] = 0.1f;
    s.launch("kalman", {n}, {128}, {x, p, z, f, q, h, r, int(n)});
    s.work(168.0 * double(n), "TB/s");
    s.bound(1e-4);
  });
  t.fast("correlate", [](Setup& s) {
    const int64_t n = s.pick(1 << 19, 103), m = s.pick(64, 43);
    const Buf x = s.array(f32, {n, m}, -1, 1), y = s.array(f32, {n, m}, -1, 1), out = s.result(f32, {n, 2 * m - 1});
    s.launch("correlate", {32, n}, {32, 4}, {x, y, out, int(n), int(m)});
    s.work(2.0 * double(n * m * m), "TFLOP/s");
    s.bound(1e-4);
  });
  t.fast("q4_matvec", [](Setup& s) {
    const int64_t n = s.pick(131072, 75), blocks = s.pick(256, 300);
    const Buf q = s.array(u8, {n, 16 * blocks}, 0, 256), scale = s.array(f32, {n, blocks}, 0.5, 1.5),
              x = s.array(f32, {32 * blocks}, -1, 1), y = s.result(f32, {n});
    s.launch("q4_matvec", {256 * ((n + 15) / 16)}, {256}, {q, scale, x, y, int(n), int(blocks)});
    s.work(20.0 * double(n * blocks), "TB/s");
    s.bound(1e-4);
  });
}

void add_sites(Table& t) {
  t.fast("md_forces", [](Setup& s) {
    const int64_t g = s.pick(100, 9), n = g * g * g, count = s.pick(64, 27);
    const Buf place = s.array(f32, {n, 4}, 0, 0.3), near = s.array(i32, {count, n}, 0, 1),
              force = s.result(f32, {n, 3});
    for (int64_t i = 0; i < n; ++i) {
      const int64_t x = i % g, y = i / g % g, z = i / g / g, side = count == 64 ? 4 : 3;
      s.host<float>(place)[4 * i] += float(x);
      s.host<float>(place)[4 * i + 1] += float(y);
      s.host<float>(place)[4 * i + 2] += float(z);
      for (int64_t k = 0; k < count; ++k) {
        int64_t a = k % side - 1, b = k / side % side - 1, c = k / side / side - 1;
        if (a == 0 && b == 0 && c == 0) a = 3;
        s.host<int32_t>(near)[k * n + i] = int32_t(((z + c + g) % g * g + (y + b + g) % g) * g + (x + a + g) % g);
      }
    }
    for (float v : {5.0f, 1.5f, 2.0f}) s.number(v);
    s.launch("md_forces", {n}, {128}, {place, near, force, 5.0f, 1.5f, 2.0f, int(n), int(count)});
    s.work(double(n) * double(count), "Tpair/s");
    s.bound(1e-4);
  });
  t.strict("dslash", [](Setup& s) {
    const int64_t side[] = {s.pick(32, 5), s.pick(32, 4), s.pick(32, 3), s.pick(32, 6)};
    const int64_t n = side[0] * side[1] * side[2] * side[3];
    const Buf u = s.array(f32, {n, 4, 3, 3}, -1, 1, true), psi = s.array(f32, {n, 3}, -1, 1, true),
              ahead = s.array(i32, {n, 4}, 0, 1), behind = s.array(i32, {n, 4}, 0, 1),
              out = s.result(f32, {n, 3}, 0, 0, true);
    for (int64_t k = 0; k < n; ++k)
      for (int64_t d = 0, step = 1; d < 4; step *= side[d++]) {
        const int64_t at = k / step % side[d], all = step * side[d];
        s.host<int32_t>(ahead)[4 * k + d] = int32_t(at + 1 < side[d] ? k + step : k + step - all);
        s.host<int32_t>(behind)[4 * k + d] = int32_t(at > 0 ? k - step : k - step + all);
      }
    s.launch("dslash", {4 * n}, {256}, {u, psi, ahead, behind, out, int(n)});
    s.work(368.0 * double(n), "TB/s");
  });
  t.strict("advect", [](Setup& s) {
    const int64_t h = s.pick(8192, 75), w = s.pick(8192, 84);
    const Buf q = s.array(f32, {h, w}, 0, 1), u = s.array(f32, {h, w}, -0.5, 0.5), v = s.array(f32, {h, w}, -0.5, 0.5),
              out = s.result(f32, {h, w});
    s.launch("advect", {w / 4, (h - 4 + 7) / 8}, {64, 4}, {q, u, v, out, int(h), int(w)});
    s.work(16.0 * double(h) * double(w), "TB/s");
  });
}

void add_sequences(Table& t) {
  t.strict("smith_waterman", [](Setup& s) {
    const int64_t n = s.pick(1 << 18, 500);
    const Buf a = s.array(u8, {n, 64}, 0, 4), b = s.array(u8, {n, 64}, 0, 4), best = s.result(i32, {n});
    for (int v : {5, 4, 8, 2}) s.number(int32_t(v));
    s.launch("smith_waterman", {n}, {64}, {a, b, best, 5, 4, 8, 2, int(n)});
    s.work(4096.0 * double(n), "Tcell/s");
  });
  t.strict("triangles", [](Setup& s) {
    const int64_t n = s.pick(1 << 18, 1003);
    // Vertex u and some of those that follow it: between 8 and 39, and of each fiftieth vertex 150.
    std::vector<int32_t> rows = {0}, columns;
    uint32_t seed = 1;
    for (int64_t u = 0; u < n; ++u) {
      seed = seed * 1664525 + 1013904223;
      const int64_t degree = u % 50 == 0 ? 150 : 8 + (seed >> 27), range = std::min<int64_t>(n - 1 - u, 4 * degree);
      for (int64_t v = u + 1; v <= u + range; ++v) {
        seed = seed * 1664525 + 1013904223;
        if (seed >> 30 == 0) columns.push_back(int32_t(v));
      }
      rows.push_back(int32_t(columns.size()));
    }
    const Buf row = s.array(i32, {n + 1}, 0, 0), col = s.array(i32, {int64_t(columns.size())}, 0, 0),
              count = s.result(i32, {n});
    std::copy(rows.begin(), rows.end(), s.host<int32_t>(row));
    std::copy(columns.begin(), columns.end(), s.host<int32_t>(col));
    s.launch("triangles", {32 * n}, {128}, {row, col, count, int(n)});
    s.work(double(columns.size()), "Tedge/s");
  });
  t.strict("digit_counts", [](Setup& s) {
    const int64_t n = s.pick(1 << 27, 4096 * 3 + 1003), blocks = (n + 4095) / 4096;
    const Buf key = s.array(u32, {n}, 0, 4294967296.0), count = s.result(i32, {blocks, 256});
    s.number(uint32_t{8});
    s.launch("digit_counts", {256 * blocks}, {256}, {key, count, 8u, int(n)});
    s.work(4.25 * double(n), "TB/s");
  });
  t.strict("lifting97", [](Setup& s) {
    const int64_t h = s.pick(8192, 75), w = s.pick(8192, 88);
    const Buf x = s.array(f32, {h, w}, -1, 1), low = s.result(f32, {h, w / 2}), high = s.result(f32, {h, w / 2});
    s.launch("lifting97", {w / 8, h}, {64, 4}, {x, low, high, int(h), int(w / 8)});
    s.work(8.0 * double(h) * double(w), "TB/s");
  });
  t.strict("base64", [](Setup& s) {
    const int64_t n = s.pick(1 << 27, 4004);
    const Buf data = s.array(u8, {3 * n}, 0, 256), letter = s.array(u8, {64}, 0, 0), out = s.result(u8, {4 * n});
    std::copy_n("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", 64, s.host<uint8_t>(letter));
    s.launch("base64", {n / 4}, {256}, {data, letter, out, int(n / 4)});
    s.work(7.0 * double(n), "TB/s");
  });
  t.strict("queens", [](Setup& s) {
    const int n = int(s.pick(14, 7)), given = int(s.pick(4, 3));
    int64_t all = 1;
    for (int k = 0; k < given; ++k) all *= n;
    const Buf count = s.result(i32, {all});
    s.number(int32_t(n));
    s.number(int32_t(given));
    s.launch("queens", {all}, {64}, {count, n, given, int(all)});
    s.work(double(all), "Tsearch/s");
  });
}

}  // namespace

void add_blind(Table& t) {
  t.file("more", "blind");
  add_filters(t);
  add_sites(t);
  add_sequences(t);
  t.fast("asian", [](Setup& s) {
    const int64_t n = s.pick(1 << 22, 1001), steps = 64;
    const Buf payoff = s.result(f32, {n});
    for (float v : {100.0f, 98.0f, 0.0001f, 0.02f}) s.number(v);
    s.number(steps);
    s.number(uint32_t{12345});
    s.launch("asian", {n}, {128}, {payoff, 100.0f, 98.0f, 0.0001f, 0.02f, int(steps), 12345u, int(n)});
    s.work(double(n) * double(steps), "Tstep/s");
    s.bound(1e-3);
  });
}

}  // namespace papers
