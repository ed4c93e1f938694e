#include "suite.hpp"

#include <algorithm>
#include <cmath>

namespace papers {

namespace {

void add_grids(Table& t) {
  t.strict("hotspot3d", [](Setup& s) {
    const int64_t d = s.pick(128, 20), n = s.pick(512, 40);
    const Buf u = s.array(f32, {d, n, n}, 40, 90), power = s.array(f32, {d, n, n}, 0, 1),
              out = s.result(f32, {d, n, n});
    for (float x : {0.03f, 0.03f, 0.1f, 0.5f}) s.number(x);
    s.launch("hotspot3d", {n / 4, n, (d + 15) / 16}, {64, 4, 1},
             {u, power, out, 0.03f, 0.03f, 0.1f, 0.5f, int(d), int(n), int(n)});
    s.work(12.0 * double(d * n * n), "TB/s");
  });
  t.fast("cutcp", [](Setup& s) {
    const int64_t n = s.pick(256, 16), c = n / 8 + 2;
    const Buf atom = s.array(f32, {c, c, c, 8, 4}, 0, 4), out = s.result(f32, {n, n, n});
    float* at = s.host<float>(atom);
    for (int64_t k = 0; k < c; ++k)
      for (int64_t j = 0; j < c; ++j)
        for (int64_t i = 0; i < c; ++i)
          for (int64_t a = 0; a < 8; ++a, at += 4) {
            at[0] += 4 * float(i - 1);
            at[1] += 4 * float(j - 1);
            at[2] += 4 * float(k - 1);
            at[3] -= 2;
          }
    s.number(0.5f);
    s.number(16.0f);
    s.launch("cutcp", {n, n, n / 4}, {8, 8, 2}, {atom, out, 0.5f, 16.0f, int(n)});
    s.work(11.0 * 216 * double(n * n * n), "TFLOP/s");
    s.bound(1e-4);
  });
  t.fast("euler_flux", [](Setup& s) {
    const int64_t w = s.pick(2048, 60), n = w * w;
    const Buf q = s.array(f32, {5, n}, 0, 1), near = s.array(i32, {4, n}, 0, 1),
              normal = s.array(f32, {4, 3, n}, -1, 1), far = s.array(f32, {5}, 0, 0), flux = s.result(f32, {5, n});
    const float shift[] = {1, -0.5f, -0.5f, -0.5f, 3}, free[] = {1.4f, 0.3f, 0, 0, 2.5f};
    const int64_t step[] = {-1, 1, -w, w};
    for (int64_t k = 0; k < 5; ++k) {
      s.host<float>(far)[k] = free[k];
      for (int64_t c = 0; c < n; ++c) s.host<float>(q)[k * n + c] += shift[k];
    }
    // Cells of a square; walls left and right, the far field above and below.
    for (int64_t k = 0; k < 4; ++k)
      for (int64_t c = 0; c < n; ++c) {
        const int64_t other = c + step[k];
        const bool wall = k == 0 ? c % w == 0 : k == 1 && other % w == 0;
        s.host<int32_t>(near)[k * n + c] = wall ? -1 : other < 0 || other >= n ? -2 : int32_t(other);
      }
    s.launch("euler_flux", {n}, {128}, {q, near, normal, far, flux, int(n)});
    s.work(104.0 * double(n), "TB/s");
    s.bound(1e-4);
  });
}

void add_bodies(Table& t) {
  t.fast("lavamd", [](Setup& s) {
    const int64_t n = s.pick(16, 3), boxes = n * n * n, m = s.pick(100, 20);
    const Buf place = s.array(f32, {boxes, m, 4}, 0.1, 1), charge = s.array(f32, {boxes, m}, 0.1, 1),
              near = s.array(i32, {boxes, 27}, 0, 1), force = s.result(f32, {boxes, m, 4});
    const auto box = [n](int64_t x, int64_t y, int64_t z) {
      return x < 0 || y < 0 || z < 0 || x >= n || y >= n || z >= n ? -1 : int32_t((z * n + y) * n + x);
    };
    for (int64_t b = 0; b < boxes; ++b)
      for (int64_t k = 0; k < 27; ++k)
        s.host<int32_t>(near)[27 * b + k] = box(b % n + k % 3 - 1, b / n % n + k / 3 % 3 - 1, b / n / n + k / 9 - 1);
    s.number(0.5f);
    s.launch("lavamd", {64 * boxes}, {64}, {place, charge, near, force, 0.5f, int(m), 27});
    s.work(22.0 * 27 * double(boxes) * double(m) * double(m), "TFLOP/s");
    s.bound(1e-4);
  });
  t.strict("tpacf", [](Setup& s) {
    const int64_t n = s.pick(32768, 600), edges = 20;
    const Buf x = s.array(f32, {n}, -1, 1), y = s.array(f32, {n}, -1, 1), z = s.array(f32, {n}, -1, 1),
              edge = s.array(f32, {edges}, 0, 0), count = s.result(i32, {edges + 1});
    for (int64_t k = 0; k < n; ++k) {
      float &a = s.host<float>(x)[k], &b = s.host<float>(y)[k], &c = s.host<float>(z)[k];
      const float r = std::sqrt(a * a + b * b + c * c) + 1e-9f;
      a /= r, b /= r, c /= r;
    }
    for (int64_t k = 0; k < edges; ++k) s.host<float>(edge)[k] = float(std::cos(0.02 * std::pow(1.3, double(k))));
    s.launch("tpacf", {n, (n + 2047) / 2048}, {256, 1}, {x, y, z, edge, count, int(n), int(edges)});
    s.work(0.5 * double(n) * double(n), "Tpair/s");
  });
  t.fast("pgain", [](Setup& s) {
    const int64_t n = s.pick(1 << 21, 4000), d = s.pick(64, 20), centers = s.pick(256, 30), x = n / 3;
    const Buf point = s.array(f32, {d, n}, -1, 1), weight = s.array(f32, {n}, 0.5, 1.5),
              cost = s.array(f32, {n}, 0, 1.5 * double(d)), center = s.array(i32, {n}, 0, double(centers));
    s.number(x);
    const Buf moves = s.result(u8, {n}), lower = s.result(f32, {centers});
    s.launch("pgain", {n / 4}, {256},
             {point, weight, cost, center, int(x), moves, lower, int(d), int(n), int(centers)});
    s.work(4.0 * double(n * d) + 13.0 * double(n), "TB/s");
    s.bound(1e-4, 1e-4);
  });
  t.fast("particles", [](Setup& s) {
    const int64_t n = s.pick(1 << 21, 4000), side = s.pick(2048, 100), groups = 1024;
    const Buf image = s.array(u8, {side, side}, 0, 256), px = s.array(f32, {n}, 0, double(side)),
              py = s.array(f32, {n}, 0, double(side));
    std::vector<int32_t> xs, ys;
    for (int y = -5; y <= 5; ++y)
      for (int x = -5; x <= 5; ++x)
        if (x * x + y * y <= 25) xs.push_back(x), ys.push_back(y);
    const auto count = int64_t(xs.size());
    const Buf dx = s.array(i32, {count}, 0, 1), dy = s.array(i32, {count}, 0, 1), weight = s.result(f32, {n}, 0.5, 1.5),
              mean = s.result(f32, {2}), parts = s.scratch(f32, {groups}), sums = s.scratch(f32, {groups, 2});
    for (int64_t k = 0; k < count; ++k) s.host<int32_t>(dx)[k] = xs[size_t(k)], s.host<int32_t>(dy)[k] = ys[size_t(k)];
    s.launch("weights", {256 * groups}, {256},
             {image, px, py, dx, dy, weight, parts, int(n), int(count), int(side), int(side)});
    s.launch("normalise", {256 * groups}, {256}, {px, py, weight, parts, sums, int(n)});
    s.launch("means", {256}, {256}, {sums, mean});
    s.work(double(n) * double(count), "Tpixel/s");
    s.bound(1e-4);
  });
}

}  // namespace

void add_rodinia(Table& t) {
  t.file("more", "rodinia");
  add_grids(t);
  add_bodies(t);
  t.fast("backprop", [](Setup& s) {
    const int64_t n = s.pick(1 << 21, 3000), groups = s.pick(1056, 5);
    const Buf x = s.array(f32, {n}, -1e-3, 1e-3), w = s.result(f32, {n, 16}, -1, 1),
              old = s.result(f32, {n, 16}, -1e-3, 1e-3), hidden = s.result(f32, {16}),
              target = s.array(f32, {16}, 0, 1), parts = s.scratch(f32, {groups, 16});
    s.launch("forward", {256 * groups}, {256}, {w, x, parts, int(4 * n)});
    s.launch("squash", {256}, {256}, {parts, hidden, int(groups)});
    s.launch("adjust", {4 * n}, {256}, {w, old, x, hidden, target, int(4 * n)});
    s.work(64.0 * 5 * double(n), "TB/s");
    s.bound(1e-4);
  });
  t.strict("needleman_wunsch", [](Setup& s) {
    const int64_t n = s.pick(2048, 128), blocks = n / 64;
    const Buf a = s.array(i32, {n}, 0, 24), b = s.array(i32, {n}, 0, 24), cost = s.array(i32, {24, 24}, -4, 12),
              score = s.result(i32, {n + 1, n + 1});
    for (int64_t k = 0; k <= n; ++k) {
      s.host<int32_t>(score)[k] = -10 * int32_t(k);
      s.host<int32_t>(score)[k * (n + 1)] = -10 * int32_t(k);
    }
    s.number(int32_t{10});
    for (int64_t d = 0; d < 2 * blocks - 1; ++d)
      s.launch("block", {64 * std::min(d + 1, 2 * blocks - 1 - d)}, {64}, {a, b, cost, score, 10, int(n), int(d)});
    s.work(double(n) * double(n), "Tcell/s");
  });
}

}  // namespace papers
