#include "suite.hpp"

namespace papers {

namespace {

/// Rows of 8192, as many as make half a gigabyte.
struct Matrix {
  int64_t n, m;
  explicit Matrix(const Setup& s) : n(s.pick(16384, 200)), m(s.pick(8192, 256)) {}
  double bytes() const { return 4.0 * double(n) * double(m); }
};

void columns(Setup& s, const char* stage, bool vector, double share) {
  const Matrix d(s);
  const int64_t n = share < 1 ? d.m : d.n, parts = (n + 127) / 128;
  const Buf a = s.array(f32, {n, d.m}, -1, 1);
  const Buf x = vector ? s.array(f32, {n}, -1, 1) : Buf{};
  const Buf out = s.result(f32, {d.m}), part = s.scratch(f32, {parts, d.m});
  std::vector<Arg> args = {a};
  if (vector) args.emplace_back(x);
  args.insert(args.end(), {part, int(n), int(d.m / 4)});
  s.launch(stage, {d.m / 4, parts}, {64, 1}, args);
  s.launch("column_join", {d.m}, {64}, {part, out, int(parts), int(d.m)});
  s.work(share * 4.0 * double(n) * double(d.m), "TB/s");
  s.bound(1e-4);
}

void mapped(Setup& s, const char* kernel) {
  const Matrix d(s);
  const Buf a = s.array(f32, {d.n, d.m}, -4, 4), out = s.result(f32, {d.n, d.m});
  s.launch(kernel, {256 * d.n}, {256}, {a, out, int(d.m / 4)});
  s.work(2 * d.bytes(), "TB/s");
  s.bound(1e-4);
}

}  // namespace

void add_rows(Table& t) {
  t.file("more", "rows");
  t.fast("softmax", [](Setup& s) { mapped(s, "softmax"); });
  t.fast("layer_norm", [](Setup& s) {
    const Matrix d(s);
    const Buf a = s.array(f32, {d.n, d.m}, -4, 4), gain = s.array(f32, {d.m}, 0, 2), shift = s.array(f32, {d.m}, -1, 1);
    const Buf out = s.result(f32, {d.n, d.m});
    s.launch("layer_norm", {256 * d.n}, {256}, {a, gain, shift, out, int(d.m / 4)});
    s.work(2 * d.bytes(), "TB/s");
    s.bound(1e-4);
  });
  t.fast("row_sums", [](Setup& s) { rows_to_numbers(s, "row_sums", Matrix(s).n, Matrix(s).m, false); });
  t.strict("argmin_rows", [](Setup& s) {
    const Matrix d(s);
    const Buf a = s.array(f32, {d.n, d.m}, -1, 1), out = s.result(Elem::Int32, {d.n});
    s.launch("argmin_rows", {256 * d.n}, {256}, {a, out, int(d.m / 4)});
    s.work(d.bytes(), "TB/s");
  });
  t.strict("cummax_rows", [](Setup& s) { mapped(s, "cummax_rows"); });
  t.fast("matvec", [](Setup& s) { rows_to_numbers(s, "matvec", Matrix(s).n, Matrix(s).m, true); });
  t.fast("matvec_t", [](Setup& s) { columns(s, "product_parts", true, 1); });
  t.fast("column_sums", [](Setup& s) { columns(s, "column_parts", false, 1); });
  t.fast("triangle_columns", [](Setup& s) { columns(s, "triangle_parts", false, 0.5); });
  t.fast("triangle_rows", [](Setup& s) {
    const Matrix d(s);
    const Buf a = s.array(f32, {d.m, d.m}, -1, 1), out = s.result(f32, {d.m});
    s.launch("triangle_rows", {256 * d.m}, {256}, {a, out, int(d.m / 4)});
    s.work(2.0 * double(d.m) * double(d.m), "TB/s");
    s.bound(1e-4);
  });
  t.strict("outer", [](Setup& s) {
    const int64_t n = s.pick(16384, 300);
    const Buf x = s.array(f32, {n}, -1, 1), y = s.array(f32, {n}, -1, 1), out = s.result(f32, {n, n});
    s.launch("outer", {n / 4, (n + 3) / 4}, {64, 4}, {x, y, out, int(n), int(n / 4)});
    s.work(4.0 * double(n) * double(n), "TB/s");
  });
  t.strict("transpose", [](Setup& s) { transposition(s, s.pick(8192, 300), s.pick(16384, 200)); });
  t.strict("diagonal", [](Setup& s) {
    const int64_t n = s.pick(4096, 200);
    const Buf a = s.array(f32, {n, n}, -1, 1), out = s.result(f32, {n});
    s.launch("diagonal", {n}, {64}, {a, out, int(n)});
    s.work(8.0 * double(n), "TB/s");
  });
  t.strict("trace", [](Setup& s) {
    const int64_t n = s.pick(4096, 200);
    const Buf a = s.array(f32, {n, n}, -1, 1), out = s.returned(Elem::Float64, {1});
    s.launch("trace", {256}, {256}, {a, out, int(n)});
    s.work(4.0 * double(n), "TB/s");
  });
}

}  // namespace papers
