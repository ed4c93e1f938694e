// Builds a function, compiles it, calls it, and handles an error (docs/start/cpp.md).
#include <velociraptor/velociraptor.hpp>

#include <cstdio>

// smooth(x): each inner element becomes the mean of itself and its neighbours, in a parallel loop.
// pick(x, k): element k of x.
vr::Result<vr::ir::ModulePtr> program() {
  using namespace vr::ir;
  const Type vector = f64_array(1);
  ModuleBuilder m("start");

  FunctionBuilder& f = m.function("smooth", {vector});
  E x = f.arg("x", vector), y = f.local("y", vector), i = f.local("i", i64());
  f.assign(y, f.lib("copy", {x}));
  f.pfor(i, 1, f.dim(x, 0) - 1, [&] { f.assign(y(i), (x(i - 1) + x(i) + x(i + 1)) / 3.0); });
  f.return_({y});

  FunctionBuilder& g = m.function("pick", {f64()});
  E a = g.arg("a", vector), k = g.arg("k", i64());
  g.return_({a(k)});
  return m.finish();
}

int main() {
  auto engine = vr::Engine::create();
  auto tree = program();
  if (!engine || !tree) return 1;
  auto module = engine->load(*tree);
  if (!module) return std::puts(module.error().text().c_str()), 1;

  auto smooth = vr::typed<vr::Array(vr::Array)>(*module, "smooth");
  auto pick = vr::typed<double(vr::Array, int64_t)>(*module, "pick");
  if (!smooth || !pick) return 1;

  vr::Array x = vr::Array::from({0, 3, 0, 9, 0});
  if (vr::Result<vr::Array> y = (*smooth)(x))
    for (int64_t k = 0; k < y->size(); ++k) std::printf("%g ", y->data_as<double>()[k]);
  std::puts("");

  if (auto element = (*pick)(x, 7); !element) std::puts(element.error().text().c_str());
}
