// Programs that consist of loops over elements.
#include "cpu_programs.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

namespace bench {
namespace {

using vr::Array;
using vr::Elem;
using vr::Value;

Program lud(Maker& m) {
  const int64_t n = m.size(400, 200);
  Array start = m.uniform(F64, {n, n});
  for (int64_t i = 0; i < n; ++i) f64(start)[i * n + i] += static_cast<double>(n);
  const Both a = m.both(start);
  Program p{"lud", "lud", "lud"};
  p.args = {a.ours};
  p.written = {a};
  p.peer = [=](const Peers& c) { c.find<void(double*, int64_t)>("lud")(f64(a.c), n); };
  p.outputs = {written(a)};
  return p;
}

Program stencil5(Maker& m) {
  const int64_t n = m.size(700, 500), sweeps = 20;
  const Both u = m.both(m.uniform(F64, {n, n})), v = m.both(u.start);
  Program p{"stencil5", "stencil5", "stencil5"};
  p.args = {u.ours, v.ours, sweeps};
  p.written = {u, v};
  p.peer = [=](const Peers& c) {
    c.find<double*(double*, double*, int64_t, int64_t, int64_t)>("stencil5")(f64(u.c), f64(v.c), n, n, sweeps);
  };
  p.outputs = {result(0, sweeps % 2 ? v.c : u.c)};
  return p;
}

template <class T>
Program matmul(Maker& m, const char* name, Elem elem, int64_t full, int64_t quick) {
  const int64_t n = m.size(full, quick);
  const Array a = m.uniform(elem, {n, n}), b = m.uniform(elem, {n, n});
  const Both out = m.both(m.zeros(elem, {n, n}));
  Program p{name, name, elem == F32 ? "matmul" : name};
  p.args = {a, b, out.ours};
  p.written = {out};
  p.peer = [=](const Peers& c) {
    c.find<void(T*, T*, T*, int64_t, int64_t, int64_t)>(name)(a.data_as<T>(), b.data_as<T>(), out.c.data_as<T>(), n, n,
                                                              n);
  };
  p.outputs = {written(out)};
  if (elem == F32) p.bound = 1e-5;
  return p;
}

template <class T>
Program rank_k(Maker& m, const char* name, Elem elem) {
  const int64_t n = m.size(300, 220), l = m.size(300, 200);
  const Array a = m.uniform(elem, {n, l});
  const Both out = m.both(m.uniform(elem, {n, n}));
  Program p{name, name, "rank_k"};
  p.args = {a, out.ours};
  p.written = {out};
  p.peer = [=](const Peers& c) {
    c.find<void(T*, T*, int64_t, int64_t)>(name)(a.data_as<T>(), out.c.data_as<T>(), n, l);
  };
  p.outputs = {written(out)};
  if (elem == F32) p.bound = 1e-5;
  return p;
}

Program matvec(Maker& m) {
  const int64_t n = m.size(3000, 2000);
  const Array a = m.uniform(F64, {n, n}), x = m.uniform(F64, {n});
  const Both y = m.both(m.zeros(F64, {n}));
  Program p{"matvec", "matvec", "matvec"};
  p.args = {a, x, y.ours};
  p.written = {y};
  p.peer = [=](const Peers& c) {
    c.find<void(double*, double*, double*, int64_t, int64_t)>("matvec")(f64(a), f64(x), f64(y.c), n, n);
  };
  p.outputs = {written(y)};
  return p;
}

Program transpose(Maker& m) {
  const int64_t n = m.size(2000, 1500);
  const Array a = m.uniform(F64, {n, n});
  const Both b = m.both(m.zeros(F64, {n, n}));
  Program p{"transpose", "transpose", "transpose"};
  p.args = {a, b.ours};
  p.written = {b};
  p.peer = [=](const Peers& c) {
    c.find<void(double*, double*, int64_t, int64_t)>("transpose")(f64(a), f64(b.c), n, n);
  };
  p.outputs = {written(b)};
  p.bound = 0;
  return p;
}

// `how` is "loop" or "lib": both versions are compared with the C loop.
Program reduction(Maker& m, const std::string& what, const char* how) {
  const int64_t n = m.size(4'000'000, 2'000'000);
  const Array a = what == "prod" ? m.uniform(F64, {n}, 0.999, 1.001) : m.uniform(F64, {n}, -1, 1);
  auto total = std::make_shared<double>(0);
  Program p{what + "_" + how, what, what + "_" + how};
  p.parallel = false;
  p.args = {a};
  p.peer = [=](const Peers& c) { *total = c.find<double(double*, int64_t)>(what.c_str())(f64(a), n); };
  p.outputs = {{[](const std::vector<Value>& r) { return Array::from({r.at(0).as_double()}); },
                [total] { return Array::from({*total}); }}};
  p.bound = what == "min" ? 0 : 1e-10;
  return p;
}

template <class T>
Program nbody(Maker& m, const char* name, Elem elem) {
  const int64_t n = m.size(1500, 1000);
  const Array at = m.uniform(elem, {n, 3}), mass = m.uniform(elem, {n}, 0.5, 1.5);
  const Both f = m.both(m.zeros(elem, {n, 3}));
  Program p{name, name, "nbody"};
  p.args = {at, mass, f.ours};
  p.written = {f};
  p.peer = [=](const Peers& c) {
    c.find<void(T*, T*, T*, int64_t)>(name)(at.data_as<T>(), mass.data_as<T>(), f.c.data_as<T>(), n);
  };
  p.outputs = {written(f)};
  if (elem == F32) p.bound = 1e-4;
  return p;
}

template <class Int>
Program spmv(Maker& m, const char* name, Elem elem) {
  const int64_t n = m.size(60'000, 40'000);
  std::vector<int64_t> ptr = {0}, col;
  std::uniform_int_distribution<int64_t> count(5, 35), column(0, n - 1);
  for (int64_t i = 0; i < n; ++i) {
    const size_t first = col.size();
    for (int64_t k = count(m.random()); k > 0; --k) col.push_back(column(m.random()));
    std::sort(col.begin() + static_cast<ptrdiff_t>(first), col.end());
    ptr.push_back(static_cast<int64_t>(col.size()));
  }
  const int64_t filled = ptr.back();
  const Array rows = m.make(elem, {n + 1}, [&](int64_t k) { return static_cast<double>(ptr[static_cast<size_t>(k)]); });
  const Array cols = m.make(elem, {filled}, [&](int64_t k) { return static_cast<double>(col[static_cast<size_t>(k)]); });
  const Array val = m.uniform(F64, {filled}), x = m.uniform(F64, {n});
  const Both y = m.both(m.zeros(F64, {n}));
  Program p{name, "spmv", name, elem == I64};  // the parallel function is spmv_par
  p.args = {rows, cols, val, x, y.ours};
  p.written = {y};
  p.peer = [=](const Peers& c) {
    c.find<void(Int*, Int*, double*, double*, double*, int64_t)>(name)(rows.data_as<Int>(), cols.data_as<Int>(), f64(val),
                                                                       f64(x), f64(y.c), n);
  };
  p.outputs = {written(y)};
  return p;
}

Program srad(Maker& m) {
  const int64_t n = m.size(500, 350), sweeps = 4;
  Array start = m.uniform(F64, {n, n});
  for (int64_t k = 0; k < n * n; ++k) f64(start)[k] = std::exp(f64(start)[k]);
  const Both img = m.both(start);
  std::vector<Both> work;
  for (int k = 0; k < 5; ++k) work.push_back(m.both(m.zeros(F64, {n, n})));
  auto next = [n](int64_t by) { return [n, by](int64_t k) { return double(std::clamp<int64_t>(k + by, 0, n - 1)); }; };
  const Array before = m.make(I64, {n}, next(-1)), after = m.make(I64, {n}, next(1));
  Program p{"srad", "srad", "srad"};
  p.args = {img.ours, work[0].ours, work[1].ours, work[2].ours, work[3].ours, work[4].ours,
            before,   after,        before,       after,        0.5,          sweeps};
  p.written = {img};
  p.peer = [=](const Peers& c) {
    using D = double*;
    using I = int64_t*;
    c.find<void(D, D, D, D, D, D, I, I, I, I, int64_t, int64_t, double, int64_t)>("srad")(
        f64(img.c), f64(work[0].c), f64(work[1].c), f64(work[2].c), f64(work[3].c), f64(work[4].c), i64(before),
        i64(after), i64(before), i64(after), n, n, 0.5, sweeps);
  };
  p.outputs = {written(img)};
  return p;
}

Program julia(Maker& m) {
  const int64_t n = m.size(300, 200);
  const int32_t cutoff = 300;
  const Array grid = m.zeros(F64, {n}), out = m.zeros(I32, {n, n});
  Program p{"julia", "julia", "julia"};
  p.args = {0.285, 0.01, n, 1.5, 1000.0, cutoff};
  p.peer = [=](const Peers& c) {
    c.find<void(double, double, int64_t, double, double, int32_t, double*, int32_t*)>("julia")(
        0.285, 0.01, n, 1.5, 1000.0, cutoff, f64(grid), out.data_as<int32_t>());
  };
  p.outputs = {result(0, out)};
  p.bound = 0.02;  // chaotic near the border: a fused multiply-add, which C may use, changes single pixels
  return p;
}

Program mandelbrot(Maker& m) {
  const int64_t n = m.size(300, 200), limit = 200;
  const Both out = m.both(m.zeros(I32, {n, n}));
  Program p{"mandelbrot", "mandelbrot", "mandelbrot"};
  p.args = {-2.0, 0.5, -1.25, 1.25, limit, out.ours};
  p.written = {out};
  p.peer = [=](const Peers& c) {
    c.find<void(double, double, double, double, int64_t, int32_t*, int64_t, int64_t)>("mandelbrot")(
        -2.0, 0.5, -1.25, 1.25, limit, out.c.data_as<int32_t>(), n, n);
  };
  p.outputs = {written(out)};
  p.bound = 0.02;  // as julia
  return p;
}

Program fdtd(Maker& m) {
  const int64_t nx = m.size(50, 40), ny = 40, nz = 50, steps = 5;
  const Both e[3] = {m.both(m.uniform(F64, {nx, ny + 1, nz + 1})), m.both(m.uniform(F64, {nx + 1, ny, nz + 1})),
                     m.both(m.uniform(F64, {nx + 1, ny + 1, nz}))};
  const Both h[3] = {m.both(m.uniform(F64, {nx + 1, ny, nz})), m.both(m.uniform(F64, {nx, ny + 1, nz})),
                     m.both(m.uniform(F64, {nx, ny, nz + 1}))};
  Program p{"fdtd", "fdtd", "fdtd"};
  p.parallel = false;
  p.args = {e[0].ours, e[1].ours, e[2].ours, h[0].ours, h[1].ours, h[2].ours, 0.25, 1.0, steps};
  p.written = {e[0], e[1], e[2], h[0], h[1], h[2]};
  p.peer = [=](const Peers& c) {
    using D = double*;
    c.find<void(D, D, D, D, D, D, int64_t, int64_t, int64_t, double, double, int64_t)>("fdtd")(
        f64(e[0].c), f64(e[1].c), f64(e[2].c), f64(h[0].c), f64(h[1].c), f64(h[2].c), nx, ny, nz, 0.25, 1.0, steps);
  };
  for (int k = 0; k < 3; ++k) {
    p.outputs.push_back(written(e[k]));
    p.outputs.push_back(written(h[k]));
  }
  return p;
}

const Factory loop_factories[] = {
    {"lud", lud},
    {"stencil5", stencil5},
    {"srad", srad},
    {"spmv", [](Maker& m) { return spmv<int64_t>(m, "spmv", I64); }},
    {"spmv_into", [](Maker& m) { return spmv<int32_t>(m, "spmv_into", I32); }},
    {"fdtd", fdtd},
    {"julia", julia},
    {"mandelbrot", mandelbrot},
    {"nbody", [](Maker& m) { return nbody<double>(m, "nbody", F64); }},
    {"nbody_f32", [](Maker& m) { return nbody<float>(m, "nbody_f32", F32); }},
    {"matmul", [](Maker& m) { return matmul<double>(m, "matmul", F64, 250, 180); }},
    {"matmul_f32", [](Maker& m) { return matmul<float>(m, "matmul_f32", F32, 250, 180); }},
    {"matmul_ikj", [](Maker& m) { return matmul<double>(m, "matmul_ikj", F64, 300, 200); }},
    {"rank_k", [](Maker& m) { return rank_k<double>(m, "rank_k", F64); }},
    {"rank_k_f32", [](Maker& m) { return rank_k<float>(m, "rank_k_f32", F32); }},
    {"matvec", matvec},
    {"transpose", transpose},
    {"sum_loop", [](Maker& m) { return reduction(m, "sum", "loop"); }},
    {"sum_lib", [](Maker& m) { return reduction(m, "sum", "lib"); }},
    {"min_loop", [](Maker& m) { return reduction(m, "min", "loop"); }},
    {"min_lib", [](Maker& m) { return reduction(m, "min", "lib"); }},
    {"prod_loop", [](Maker& m) { return reduction(m, "prod", "loop"); }},
    {"prod_lib", [](Maker& m) { return reduction(m, "prod", "lib"); }},
};

}  // namespace

std::span<const Factory> loop_programs() { return loop_factories; }

}  // namespace bench
