#include "suite.hpp"

namespace papers {

namespace {

using Extents = std::vector<int64_t>;

void add_columns(Table& t) {
  t.fast("column_moments", [](Setup& s) {
    const int64_t n = s.pick(16384, 300), m = s.pick(8192, 64), parts = (n + 127) / 128;
    const Buf a = s.array(f32, {n, m}, -1, 3), mean = s.result(f32, {m}), var = s.result(f32, {m});
    const Buf sums = s.scratch(f32, {parts, m}), squares = s.scratch(f32, {parts, m});
    s.launch("moment_parts", {m / 4, parts}, {64, 1}, {a, sums, squares, int(n), int(m / 4)});
    s.launch("moments", {m}, {64}, {sums, squares, mean, var, int(n), int(m)});
    s.work(4.0 * double(n) * double(m), "TB/s");
    s.bound(1e-3);
  });
}

void add_convolutions(Table& t) {
  t.fast("depthwise", [](Setup& s) {
    const int64_t c = s.pick(256, 4), h = s.pick(512, 20), w = s.pick(512, 24);
    const Buf x = s.array(f32, {c, h + 2, w + 2}, -1, 1), k = s.array(f32, {c, 3, 3}, -1, 1),
              out = s.result(f32, {c, h, w});
    s.launch("depthwise", {w / 4, (h + 3) / 4, c}, {32, 4, 1}, {x, k, out, int(h), int(w)});
    s.work(8.0 * double(c * h * w), "TB/s");
    s.bound(1e-4);
  });
  t.both("layer", [](Setup& s) {
    const int64_t c = s.pick(64, 8), o = s.pick(128, 16), h = s.pick(224, 12), w = s.pick(224, 20);
    const Buf x = s.array(f32, {c, h + 2, w + 2}, -1, 1), k = s.array(f32, {o, c, 3, 3}, -1, 1),
              out = s.result(f32, {o, h, w});
    s.launch("layer", {w, h, o / 16}, {32, 8, 1}, {x, k, out, int(c), int(h), int(w)});
    s.work(18.0 * double(c * o * h * w), "TFLOP/s");
    s.bound(1e-4);
  });
  t.strict("max_pool", [](Setup& s) {
    const int64_t c = s.pick(256, 4), h = s.pick(512, 20), w = s.pick(512, 24);
    const Buf x = s.array(f32, {c, 2 * h, 2 * w}, -1, 1), out = s.result(f32, {c, h, w});
    s.launch("max_pool", {w / 2, h, c}, {64, 4, 1}, {x, out, int(h), int(w / 2)});
    s.work(20.0 * double(c * h * w), "TB/s");
  });
}

}  // namespace

void add_nets(Table& t) {
  t.file("more", "nets");
  t.strict("bias_relu", [](Setup& s) {
    const int64_t n = s.pick(32768, 100), m = s.pick(4096, 64);
    const Buf x = s.array(f32, {n, m}, -1, 1), b = s.array(f32, {m}, -1, 1), out = s.result(f32, {n, m});
    s.launch("bias_relu", {m / 4, (n + 3) / 4}, {64, 4}, {x, b, out, int(n), int(m / 4)});
    s.work(8.0 * double(n) * double(m), "TB/s");
  });
  t.fast("gelu", [](Setup& s) {
    const int64_t n = s.pick(1 << 27, 1 << 14);
    const Buf x = s.array(f32, {n}, -3, 3), out = s.result(f32, {n});
    s.launch("gelu", {n / 4}, {256}, {x, out, int(n / 4)});
    s.work(8.0 * double(n), "TB/s");
    s.bound(1e-3);
  });
  t.fast("batch_norm", [](Setup& s) {
    const int64_t n = s.pick(32, 2), c = s.pick(256, 3), m = s.pick(16384, 256);
    const Buf x = s.array(f32, {n, c, m}, -1, 1), mean = s.array(f32, {c}, -1, 1), var = s.array(f32, {c}, 0.5, 1);
    const Buf gain = s.array(f32, {c}, 0, 2), shift = s.array(f32, {c}, -1, 1), out = s.result(f32, {n, c, m});
    s.launch("batch_norm", {m / 4, n * c}, {256, 1}, {x, mean, var, gain, shift, out, int(c), int(m / 4)});
    s.work(8.0 * double(n * c * m), "TB/s");
    s.bound(1e-4);
  });
  add_convolutions(t);
  t.strict("adam", [](Setup& s) {
    const int64_t n = s.pick(1 << 25, 1 << 14);
    const Buf p = s.result(f32, {n}, -1, 1), g = s.array(f32, {n}, -1, 1), m = s.result(f32, {n}, -1, 1),
              v = s.result(f32, {n}, 0, 1);
    s.number(1e-3f);
    s.launch("adam", {n / 4}, {256}, {p, g, m, v, 1e-3f, int(n / 4)});
    s.work(28.0 * double(n), "TB/s");
  });
  t.strict("embedding", [](Setup& s) {
    const int64_t words = s.pick(50000, 100), m = s.pick(1024, 64), n = s.pick(131072, 300);
    const Buf table = s.array(f32, {words, m}, -1, 1), word = s.array(i32, {n}, 0, double(words)),
              out = s.result(f32, {n, m});
    s.launch("embedding", {m / 4, n}, {64, 4}, {table, word, out, int(n), int(m / 4)});
    s.work(8.0 * double(n) * double(m), "TB/s");
  });
  t.fast("cross_entropy", [](Setup& s) {
    const int64_t n = s.pick(32768, 100), m = s.pick(8192, 256);
    const Buf a = s.array(f32, {n, m}, -3, 3), label = s.array(i32, {n}, 0, double(m)), loss = s.result(f32, {n});
    s.launch("cross_entropy", {256 * n}, {256}, {a, label, loss, int(m / 4)});
    s.work(4.0 * double(n) * double(m), "TB/s");
    s.bound(1e-4);
  });
  t.fast("softmax_short", [](Setup& s) {
    const int64_t n = s.pick(1 << 20, 300), m = 100;
    const Buf a = s.array(f32, {n, m}, -3, 3), out = s.result(f32, {n, m});
    s.launch("softmax_short", {16 * n}, {256}, {a, out, int(n), int(m / 4)});
    s.work(8.0 * double(n) * double(m), "TB/s");
    s.bound(1e-4);
  });
  add_columns(t);
  t.strict("dropout", [](Setup& s) {
    const int64_t n = s.pick(1 << 27, 1 << 14);
    const Buf x = s.array(f32, {n}, -1, 1), out = s.result(f32, {n});
    s.number(uint32_t{77});
    s.launch("dropout", {n / 4}, {256}, {x, out, 77u, int(n / 4)});
    s.work(8.0 * double(n), "TB/s");
  });
}

}  // namespace papers
