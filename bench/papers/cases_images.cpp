#include "suite.hpp"

namespace papers {

namespace {

void window(Setup& s, int64_t size) {
  const int64_t h = s.pick(8192, 100), w = s.pick(8192, 160), stride = w + size - 1;
  const Buf a = s.array(f32, {h + size - 1, stride}, -1, 1), k = s.array(f32, {size, size}, -1, 1),
            out = s.result(f32, {h, w});
  s.launch("convolution", {w / 4, (h + 15) / 16 * 8}, {32, 8}, {a, k, out, int(h), int(w), int(size), int(stride)});
  s.work(2.0 * double(h * w * size * size), "TFLOP/s");
  s.bound(1e-4);
}

/// A kernel of four pixels a work-item over a square image.
void bytes4(Setup& s, const char* kernel, int64_t rows_less) {
  const int64_t n = s.pick(16384, 256);
  const Buf a = s.array(u8, {n, n}, 0, 256), out = s.result(u8, {n, n});
  s.launch(kernel, {n / 4, n - rows_less}, {64, 4}, {a, out, int(n), int(n)});
  s.work(2.0 * double(n) * double(n), "TB/s");
}

}  // namespace

void add_images(Table& t) {
  t.file("more", "images");
  t.both("convolution@5", [](Setup& s) { window(s, 5); });
  t.both("convolution@11", [](Setup& s) { window(s, 11); });
  t.strict("blur_u8", [](Setup& s) {
    const int64_t n = s.pick(16384, 256);
    const Buf a = s.array(u8, {n, n}, 0, 256), mid = s.array(u8, {n, n}, 0, 0), out = s.result(u8, {n, n});
    s.launch("blur_rows", {n / 4, n}, {64, 4}, {a, mid, int(n), int(n / 4)});
    s.launch("blur_columns", {n / 4, (n + 3) / 8}, {64, 4}, {mid, out, int(n), int(n / 4)});
    s.work(4.0 * double(n) * double(n), "TB/s");
  });
  t.strict("sobel_u8", [](Setup& s) { bytes4(s, "sobel_u8", 2); });
  t.strict("gray_u8", [](Setup& s) {
    const int64_t n = s.pick(16384, 256);
    const Buf a = s.array(u8, {n, n, 3}, 0, 256), out = s.result(u8, {n, n});
    s.launch("gray_u8", {n * n / 4}, {256}, {a, out, int(n * n / 4)});
    s.work(4.0 * double(n) * double(n), "TB/s");
  });
  t.strict("resize", [](Setup& s) {
    const int64_t n = s.pick(8192, 100), m = s.pick(12000, 150);
    const Buf a = s.array(f32, {n, n}, 0, 1), out = s.result(f32, {m, m});
    s.launch("resize", {m, m}, {32, 8}, {a, out, int(n), int(n), int(m), int(m)});
    s.work(4.0 * double(n * n + m * m), "TB/s");
    s.bound(1e-3);
  });
  t.strict("median9", [](Setup& s) {
    const int64_t n = s.pick(8192, 200);
    const Buf a = s.array(f32, {n, n}, 0, 1), out = s.result(f32, {n, n});
    s.launch("median9", {n - 2, n - 2}, {32, 8}, {a, out, int(n), int(n)});
    s.work(8.0 * double(n) * double(n), "TB/s");
  });
  t.fast("bilateral", [](Setup& s) {
    const int64_t n = s.pick(4096, 100);
    const Buf a = s.array(f32, {n, n}, 0, 1), out = s.result(f32, {n, n});
    s.number(0.05f);
    s.number(3.0f);
    s.launch("bilateral", {n - 6, n - 6}, {32, 8}, {a, out, 0.05f, 3.0f, int(n), int(n)});
    s.work(49.0 * 8 * double(n) * double(n), "TFLOP/s");
    s.bound(1e-4);
  });
  t.strict("julia", [](Setup& s) {
    const int64_t n = s.pick(8192, 200);
    const Buf out = s.result(i32, {n, n});
    s.number(-0.8f);
    s.number(0.156f);
    s.number(int32_t{256});
    s.launch("julia", {n, n}, {16, 16}, {out, -0.8f, 0.156f, 256, int(n), int(n)});
    s.work(double(n) * double(n), "Tpoint/s");
    s.bound(0, 0.01);
  });
  t.fast("spheres", [](Setup& s) {
    const int64_t n = s.pick(4096, 100), count = s.pick(256, 32);
    const Buf ball = s.array(f32, {count, 4}, 0, 1), out = s.result(f32, {n, n});
    auto* b = s.host<float>(ball);
    for (int64_t k = 0; k < count; ++k) {
      b[4 * k] = 8 * b[4 * k] - 4;
      b[4 * k + 1] = 8 * b[4 * k + 1] - 4;
      b[4 * k + 2] = 4 + 8 * b[4 * k + 2];
      b[4 * k + 3] = 0.2f + 0.4f * b[4 * k + 3];
    }
    s.launch("spheres", {n, n}, {32, 8}, {ball, out, int(count), int(n), int(n)});
    s.work(15.0 * double(n) * double(n) * double(count), "TFLOP/s");
    s.bound(1e-3 / 1e30 * 10, 0.01);
  });
}

}  // namespace papers
