#include "suite.hpp"

namespace papers {

namespace {

void batched(Setup& s, int64_t size, int64_t full) {
  const int64_t n = s.pick(full, 1024);
  const Buf a = s.array(f32, {n, size, size}, -1, 1), b = s.array(f32, {n, size, size}, -1, 1),
            c = s.result(f32, {n, size, size});
  if (size == 4)
    s.launch("batched4", {4 * n}, {256}, {a, b, c, int(4 * n)});
  else
    s.launch("batched16", {64 * n}, {256}, {a, b, c});
  s.work(12.0 * double(n * size * size), "TB/s");
  s.bound(1e-5);
}

/// Rows of 1 to 2 * mean - 1 entries.
void rows_of(Setup& s, Buf start, int64_t n, int64_t mean) {
  auto* at = s.host<int32_t>(start);
  at[0] = 0;
  for (int64_t i = 0; i < n; ++i) {
    const int64_t shift = (i / 2 * 7919) % (mean - 1);
    at[i + 1] = int32_t(at[i] + (i % 2 ? mean - shift : mean + shift));
  }
}

void add_sparse(Table& t) {
  t.fast("spmv", [](Setup& s) {
    const int64_t n = s.pick(1 << 21, 4000), mean = 24;
    const Buf start = s.array(i32, {n + 1}, 0, 1), place = s.array(i32, {n * mean}, 0, double(n));
    const Buf value = s.array(f32, {n * mean}, -1, 1), x = s.array(f32, {n}, -1, 1), y = s.result(f32, {n});
    rows_of(s, start, n, mean);
    s.launch("spmv", {8 * n}, {256}, {start, place, value, x, y, int(n)});
    s.work(8.0 * double(n * mean) + 12.0 * double(n), "TB/s");
    s.bound(1e-4);
  });
  t.strict("bfs_level", [](Setup& s) {
    const int64_t n = s.pick(1 << 23, 4000), mean = 8;
    const Buf start = s.array(i32, {n + 1}, 0, 1), place = s.array(i32, {n * mean}, 0, double(n));
    const Buf level = s.array(i32, {n}, -2, 3), found = s.result(i32, {n});
    s.number(int32_t{1});
    rows_of(s, start, n, mean);
    s.launch("bfs_level", {n}, {256}, {start, place, level, found, 1, int(n)});
    s.work(4.0 * double(n * mean) / 3 + 12.0 * double(n), "TB/s");
  });
}

void add_points(Table& t) {
  t.strict("kmeans", [](Setup& s) {
    const int64_t n = s.pick(1 << 21, 2048), d = 32, count = 64;
    const Buf x = s.array(f32, {n, d}, -1, 1), c = s.array(f32, {count, d}, -1, 1), out = s.result(i32, {n});
    s.launch("kmeans", {n}, {256}, {x, c, out, int(n), int(count)});
    s.work(3.0 * double(n) * double(d) * double(count), "TFLOP/s");
    s.bound(0, 1e-3);
  });
  t.both("knn", [](Setup& s) {
    const int64_t n = s.pick(16384, 256), d = s.pick(64, 32);
    const Buf x = s.array(f32, {n, d}, -1, 1), y = s.array(f32, {n, d}, -1, 1), out = s.result(f32, {n, n});
    s.launch("knn", {2 * n, n / 128}, {256, 1}, {x, y, out, int(d), int(n)});
    s.work(3.0 * double(n) * double(n) * double(d), "TFLOP/s");
    s.bound(1e-4);
  });
  t.fast("nbody_rows", [](Setup& s) {
    const int64_t n = s.pick(65536, 1024);
    const Buf p = s.array(f32, {n, 4}, 0, 1), acc = s.result(f32, {n, 4});
    s.number(1e-2f);
    s.launch("nbody_rows", {n / 2}, {256}, {p, acc, 1e-2f, int(n)});
    s.work(20.0 * double(n) * double(n), "TFLOP/s");
    s.bound(1e-3);
  });
  t.both("lennard_jones", [](Setup& s) {
    const int64_t n = s.pick(32768, 512);
    const Buf x = s.array(f64, {n}, 0, 50), y = s.array(f64, {n}, 0, 50), z = s.array(f64, {n}, 0, 50),
              e = s.result(f64, {n});
    s.launch("lennard_jones", {n}, {256}, {x, y, z, e, int(n)});
    s.work(14.0 * double(n) * double(n), "TFLOP/s");
    s.bound(1e-9);
  });
  t.strict("levenshtein", [](Setup& s) {
    const int64_t n = s.pick(1 << 21, 2048);
    const Buf a = s.array(Elem::UInt8, {n, 32}, 97, 101), b = s.array(Elem::UInt8, {32}, 97, 101),
              out = s.result(i32, {n});
    s.launch("levenshtein", {n}, {128}, {a, b, out, int(n)});
    s.work(6.0 * 1024 * double(n), "Top/s");
  });
}

}  // namespace

void add_dense(Table& t) {
  t.file("more", "dense");
  t.both("matmul", [](Setup& s) { product(s, f32, 4096, false); }, "unpython/programs:matmul");
  t.fast("matmul@512", [](Setup& s) { product(s, f32, 512, false); }, "unpython/programs:matmul");
  t.fast("matmul_nt", [](Setup& s) { product(s, f32, 4096, true); }, "unpython/programs:matmul_nt");
  t.strict("batched4", [](Setup& s) { batched(s, 4, 1 << 22); });
  t.fast("batched16", [](Setup& s) { batched(s, 16, 1 << 18); });
  t.strict("floyd_step", [](Setup& s) {
    const int64_t n = s.pick(8192, 256), k = n / 3;
    const Buf d = s.result(f32, {n, n}, 0, 1);
    s.number(k);
    s.launch("floyd_step", {n / 4, n}, {64, 4}, {d, int(k), int(n)});
    s.work(4.0 * double(n) * double(n), "TB/s");
  });
  t.strict("lu_step", [](Setup& s) {
    const int64_t n = s.pick(8192, 200), k = 3;
    const Buf a = s.array(f32, {n, n}, 1, 2), b = s.result(f32, {n, n});
    s.number(k);
    s.launch("lu_step", {n, (n + 7) / 8}, {64, 4}, {a, b, int(k), int(n)});
    s.work(8.0 * double(n) * double(n), "TB/s");
  });
  t.strict("gauss_step", [](Setup& s) {
    const int64_t n = s.pick(8192, 200), k = 3;
    const Buf a = s.result(f64, {n, n}, 1, 2), m = s.array(f64, {n}, 0, 0);
    s.number(k);
    s.launch("factors", {n}, {64}, {a, m, int(k), int(n)});
    s.launch("gauss_step", {n, (n + 7) / 8}, {64, 4}, {a, m, int(k), int(n)});
    s.work(16.0 * double(n) * double(n), "TB/s");
  });
  add_points(t);
  add_sparse(t);
}

}  // namespace papers
