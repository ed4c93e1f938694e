// Programs with array operators, library calls, recursion or transcendental functions, and two that a MATLAB compiler
// emitted.
#include "cpu_programs.hpp"

#include <cmath>
#include <memory>

namespace bench {
namespace {

using vr::Array;
using vr::Elem;
using vr::Value;

Program pairwise(Maker& m) {
  const int64_t n = m.size(800, 600);
  const Array x = m.uniform(F64, {n, 3});
  const Both d = m.both(m.zeros(F64, {n, n}));
  Program p{"pairwise", "pairwise", "pairwise"};
  p.args = {x, d.ours};
  p.written = {d};
  p.peer = [=](const Peers& c) {
    c.find<void(double*, double*, int64_t, int64_t)>("pairwise")(f64(x), f64(d.c), n, 3);
  };
  p.outputs = {written(d)};
  return p;
}

template <class T>
Program coulomb(Maker& m, const char* name, Elem elem) {
  const int64_t n = m.size(70, 50), count = 400;
  const Array atoms = m.uniform(elem, {count, 4});
  const Both grid = m.both(m.zeros(elem, {n, n}));
  Program p{name, name, "coulomb"};
  p.args = {atoms, grid.ours, T(0.01), T(1.5)};
  p.written = {grid};
  p.peer = [=](const Peers& c) {
    c.find<void(T*, T*, T, T, int64_t, int64_t, int64_t)>(name)(atoms.data_as<T>(), grid.c.data_as<T>(), T(0.01),
                                                                T(1.5), count, n, n);
  };
  p.outputs = {written(grid)};
  if (elem == F32) p.bound = 1e-5;
  return p;
}

template <class T>
Program black_scholes(Maker& m, const char* name, Elem elem) {
  const int64_t n = m.size(200'000, 100'000);
  const Array price = m.uniform(elem, {n}, 5, 30), strike = m.uniform(elem, {n}, 6, 26),
              years = m.uniform(elem, {n}, 0.25, 10);
  const Both call = m.both(m.zeros(elem, {n})), put = m.both(m.zeros(elem, {n}));
  Program p{name, name, "black_scholes"};
  p.args = {price, strike, years, T(0.02), T(0.3), call.ours, put.ours};
  p.written = {call, put};
  p.peer = [=](const Peers& c) {
    c.find<void(T*, T*, T*, T, T, T*, T*, int64_t)>(name)(price.data_as<T>(), strike.data_as<T>(), years.data_as<T>(),
                                                          T(0.02), T(0.3), call.c.data_as<T>(), put.c.data_as<T>(), n);
  };
  p.outputs = {written(call), written(put)};
  p.bound = elem == F32 ? 1e-5 : 1e-13;  // vector exp and log have errors of up to 4 ULP
  return p;
}

Program growcut(Maker& m) {
  const int64_t n = m.size(110, 80), radius = 5;
  const Array image = m.uniform(F64, {n, n, 3});
  const Array state = m.make(F64, {n, n, 2}, [&](int64_t k) {
    const int64_t at = k / 2;
    const bool seed = at % 97 == 0;
    return !seed ? 0.0 : k % 2 ? 1.0 : at % 2 ? 1.0 : -1.0;
  });
  const Both next = m.both(m.zeros(F64, {n, n, 2}));
  auto changes = std::make_shared<double>(0);
  Program p{"growcut", "growcut", "growcut"};
  p.args = {image, state, next.ours, radius};
  p.written = {next};
  p.peer = [=](const Peers& c) {
    *changes = static_cast<double>(c.find<int64_t(double*, double*, double*, int64_t, int64_t, int64_t)>("growcut")(
        f64(image), f64(state), f64(next.c), n, n, radius));
  };
  p.outputs = {written(next),
               {[](const std::vector<Value>& r) { return Array::from({r.at(0).as_double()}); },
                [changes] { return Array::from({*changes}); }}};
  p.bound = 1e-12;
  return p;
}

Program pagerank(Maker& m) {
  const int64_t n = m.size(600, 400), limit = 8;
  Array links = m.uniform(Elem::Int32, {n, n}, 0, 1.999);
  const Array counts = m.make(I64, {n}, [&](int64_t i) {
    int64_t sum = 0;
    for (int64_t j = 0; j < n; ++j) sum += links.data_as<int32_t>()[i * n + j];
    return static_cast<double>(sum);
  });
  const Both rank = m.both(m.make(F64, {n}, [&](int64_t) { return 1.0 / static_cast<double>(n); }));
  const Array maps = m.zeros(F64, {n, n}), c_maps = m.zeros(F64, {n, n});
  Program p{"pagerank", "pagerank", "pagerank"};
  p.args = {links, rank.ours, counts, maps, 0.85, 0.0, limit};
  p.written = {rank};
  p.peer = [=](const Peers& c) {
    c.find<int64_t(int32_t*, double*, int64_t*, double*, int64_t, double, double, int64_t)>("pagerank")(
        links.data_as<int32_t>(), f64(rank.c), counts.data_as<int64_t>(), f64(c_maps), n, 0.85, 0.0, limit);
  };
  p.outputs = {written(rank)};
  return p;
}

Program transform(Maker& m, const char* name, int64_t n) {
  const Array parts = m.uniform(F64, {2 * n}, -1, 1);
  const Array x = m.zeros(F64, {n}, true), y = m.zeros(F64, {n}, true);
  for (int64_t k = 0; k < 2 * n; ++k) f64(x)[k] = f64(parts)[k];
  Program p{name, name, name};
  p.parallel = false;
  p.args = {x};
  p.peer = [=](const Peers& c) { c.find<void(double*, double*, int64_t)>(name)(f64(x), f64(y), n); };
  p.outputs = {result(0, y)};
  return p;
}

Program clos(Maker& m) {
  const int64_t n = m.size(300, 200);
  Array a = m.uniform(F64, {n, n});
  for (int64_t k = 0; k < n * n; ++k) f64(a)[k] = f64(a)[k] * static_cast<double>(n) < 1.5;
  const Array b = m.zeros(F64, {n, n}), work = m.zeros(F64, {n, n});
  Program p{"clos", "clos", "clos"};
  p.parallel = false;
  p.args = {a};
  p.peer = [=](const Peers& c) {
    c.find<void(double*, double*, double*, int64_t)>("clos")(f64(a), f64(b), f64(work), n);
  };
  p.outputs = {result(0, b)};
  p.bound = 0;
  return p;
}

Program nb1d(Maker& m) {
  const int64_t n = m.size(900, 600), steps = 1;
  std::vector<Both> r, v;
  for (int k = 0; k < 3; ++k) {
    r.push_back(m.both(m.uniform(F64, {n})));
    v.push_back(m.both(m.uniform(F64, {n})));
  }
  const Array mass = m.uniform(F64, {n}, 0.5, 1.5), f = m.zeros(F64, {3 * n});
  Program p{"nb1d", "nb1d", "nb1d"};
  p.parallel = false;
  p.args = {r[0].ours, r[1].ours, r[2].ours, v[0].ours, v[1].ours, v[2].ours, mass, 1e-6, steps};
  p.written = {r[0], r[1], r[2], v[0], v[1], v[2]};
  p.peer = [=](const Peers& c) {
    using D = double*;
    c.find<void(D, D, D, D, D, D, D, D, double, int64_t, int64_t)>("nb1d")(f64(r[0].c), f64(r[1].c), f64(r[2].c),
                                                                           f64(v[0].c), f64(v[1].c), f64(v[2].c),
                                                                           f64(mass), f64(f), 1e-6, n, steps);
  };
  for (size_t k = 0; k < 3; ++k) p.outputs.push_back(result(k, r[k].c));
  p.bound = 1e-10;  // the sums are computed in another order
  return p;
}

Program capr(Maker& m) {
  const double a = 0.6514926, b = 0.3493735, c = 1.8418078, d = 4.489778931;
  const int n = static_cast<int>(m.size(150, 80)), sweeps = 20;
  const int64_t columns = std::llround(0.5 * d / (0.5 * c / n)) + 1;
  const Array f = m.zeros(F64, {(n + 1) * columns}), w = m.zeros(F64, {(n + 1) * columns});
  Program p{"capr", "capr", "capr"};
  p.mclab = true;
  p.parallel = false;
  p.args = {a, b, c, d, double(n), 0.0, 0.9, double(sweeps)};
  p.peer = [=](const Peers& peers) {
    peers.find<double(double, double, double, double, int, double, double, int, double*, double*)>("c_capr_in")(
        a, b, c, d, n, 0.0, 0.9, sweeps, f64(f), f64(w));
  };
  p.outputs = {result(1, f)};
  return p;
}

Program fiff(Maker& m) {
  const int rows = static_cast<int>(m.size(800, 500)), columns = 1000;
  const Array u = m.zeros(F64, {int64_t{rows} * columns});
  Program p{"fiff", "fiff", "fiff"};
  p.mclab = true;
  p.parallel = false;
  p.args = {1.0, 1.0, 1.0, double(rows), double(columns)};
  p.peer = [=](const Peers& c) {
    c.find<void(double, double, double, int, int, double*)>("c_fiff")(1.0, 1.0, 1.0, rows, columns, f64(u));
  };
  p.outputs = {result(0, u)};
  p.bound = 1e-9;  // 1000 steps of a recurrence, with and without fused multiply-adds
  return p;
}

const Factory array_factories[] = {
    {"pagerank", pagerank},
    {"growcut", growcut},
    {"pairwise", pairwise},
    {"coulomb", [](Maker& m) { return coulomb<double>(m, "coulomb", F64); }},
    {"coulomb_f32", [](Maker& m) { return coulomb<float>(m, "coulomb_f32", F32); }},
    {"black_scholes", [](Maker& m) { return black_scholes<double>(m, "black_scholes", F64); }},
    {"black_scholes_f32", [](Maker& m) { return black_scholes<float>(m, "black_scholes_f32", F32); }},
    {"fft", [](Maker& m) { return transform(m, "fft", m.size(1 << 14, 1 << 13)); }},
    {"fftm", [](Maker& m) { return transform(m, "fftm", m.size(1 << 14, 1 << 13)); }},
    {"clos", clos},
    {"nb1d", nb1d},
    {"capr", capr},
    {"fiff", fiff},
};

}  // namespace

std::span<const Factory> array_programs() { return array_factories; }

}  // namespace bench
