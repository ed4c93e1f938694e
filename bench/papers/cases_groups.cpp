#include "suite.hpp"

#include <algorithm>
#include <cmath>

namespace papers {

namespace {

void add_transforms(Table& t) {
  t.strict("sort_rows", [](Setup& s) {
    const int64_t n = s.pick(1 << 16, 7);
    const Buf a = s.array(f32, {n, 1024}, -1, 1), out = s.result(f32, {n, 1024});
    s.launch("sort_rows", {512 * n}, {512}, {a, out});
    s.work(8192.0 * double(n), "TB/s");
  });
  t.fast("fft_rows", [](Setup& s) {
    const int64_t n = s.pick(1 << 17, 9);
    const Buf re = s.array(f32, {n, 512}, -1, 1), im = s.array(f32, {n, 512}, -1, 1),
              cosine = s.array(f32, {256}, 0, 0), sine = s.array(f32, {256}, 0, 0), order = s.array(i32, {512}, 0, 0),
              out_re = s.result(f32, {n, 512}), out_im = s.result(f32, {n, 512});
    for (int k = 0; k < 256; ++k) {
      s.host<float>(cosine)[k] = float(std::cos(2 * 3.14159265358979323846 * k / 512));
      s.host<float>(sine)[k] = float(std::sin(2 * 3.14159265358979323846 * k / 512));
    }
    for (int k = 0; k < 512; ++k) {
      int reversed = 0;
      for (int bit = 0; bit < 9; ++bit) reversed |= (k >> bit & 1) << (8 - bit);
      s.host<int32_t>(order)[k] = reversed;
    }
    s.launch("fft_rows", {64 * n}, {64}, {re, im, cosine, sine, out_re, out_im});
    s.work(8192.0 * double(n), "TB/s");
    s.bound(1e-4);
  });
  t.strict("heat_blocks", [](Setup& s) {
    const int64_t n = s.pick(448 * 131072, 448 * 5);
    const Buf u = s.array(f32, {n}, -1, 1), v = s.result(f32, {n});
    s.launch("heat_blocks", {512 * (n / 448)}, {512}, {u, v, int(n)});
    s.work(8.0 * double(n), "TB/s");
    s.bound(1e-5);
  });
  t.strict("align_pairs", [](Setup& s) {
    const int64_t n = s.pick(1 << 15, 5), length = s.pick(256, 37);
    const Buf a = s.array(i32, {n, length}, 0, 4), b = s.array(i32, {n, length}, 0, 4), score = s.result(i32, {n});
    s.launch("align_pairs", {256 * n}, {256}, {a, b, score, int(length)});
    s.work(double(n * length * length), "cells/s");
  });
}

/// Matrices whose diagonals are greater than the rest of their rows.
Buf dominant(Setup& s, int64_t n, int64_t size, float diagonal) {
  const Buf a = s.array(f32, {n, size, size}, -1, 1);
  float* p = s.host<float>(a);
  for (int64_t k = 0; k < n; ++k)
    for (int64_t i = 0; i < size; ++i) {
      for (int64_t j = 0; j < i; ++j) p[(k * size + i) * size + j] = p[(k * size + j) * size + i];
      p[(k * size + i) * size + i] = diagonal;
    }
  return a;
}

void add_systems(Table& t) {
  t.fast("cholesky_batch", [](Setup& s) {
    const int64_t n = s.pick(1 << 16, 7);
    const Buf a = dominant(s, n, 32, 40), out = s.result(f32, {n, 32, 32});
    s.launch("cholesky_batch", {256 * n}, {256}, {a, out});
    s.work(8192.0 * double(n), "TB/s");
    s.bound(1e-4);
  });
  t.fast("gauss_jordan", [](Setup& s) {
    const int64_t n = s.pick(1 << 17, 7);
    const Buf a = dominant(s, n, 24, 30), x = s.result(f32, {n, 24, 24});
    s.launch("gauss_jordan", {64 * n}, {64}, {a, x});
    s.work(4608.0 * double(n), "TB/s");
    s.bound(1e-4);
  });
  t.fast("cyclic_reduction", [](Setup& s) {
    const int64_t n = s.pick(1 << 17, 7);
    const Buf lower = s.array(f32, {n, 256}, -1, 1), diagonal = s.array(f32, {n, 256}, 3, 4),
              upper = s.array(f32, {n, 256}, -1, 1), right = s.array(f32, {n, 256}, -1, 1), x = s.result(f32, {n, 256});
    s.launch("cyclic_reduction", {256 * n}, {256}, {lower, diagonal, upper, right, x});
    s.work(5120.0 * double(n), "TB/s");
    s.bound(1e-4);
  });
}

}  // namespace

void add_groups(Table& t) {
  t.file("more", "groups");
  add_transforms(t);
  add_systems(t);
}

}  // namespace papers
