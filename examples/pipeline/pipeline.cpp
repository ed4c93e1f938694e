// A pipeline of two compiled functions and one of the host (docs/pipelines.md).
#include <velociraptor/velociraptor.hpp>

#include <cstdio>
#include <stdexcept>

const char* const text = R"(module numpy
def smooth(x: float64[:]) -> float64[:]:
    var i: int64
    y = zeros(float64, x.shape[0])
    with gpu():
        pfor i in range(1, x.shape[0] - 1) shared (x, y):
            y[i] = (x[i - 1] + x[i] + x[i + 1]) / 3.0
    return y
def norm(x: float64[:]) -> float64:
    return sum(x * x)
)";

int main() {
  auto engine = vr::Engine::create();
  if (!engine) return 1;
  auto module = engine->load(text);
  if (!module) return std::puts(module.error().text().c_str()), 1;
  auto smooth = module->function("smooth"), norm = module->function("norm");
  if (!smooth || !norm) return 1;

  // ---- [run]
  using Values = vr::Pipeline::Values;
  // The source: six vectors, one at a time.
  auto source = [k = 0]() mutable -> vr::Result<std::optional<Values>> {
    if (k == 6) return std::optional<Values>();
    vr::Array x = vr::Array::from({0, 0, 9.0 * ++k, 0, 0});
    return std::optional(Values{vr::Value(x)});
  };
  // A stage of the host.
  auto check = [](Values v) -> vr::Result<Values> {
    if (v[0].array().data_as<double>()[2] > 12) throw std::range_error("a peak above 12");
    return v;
  };
  auto pipeline = vr::Pipeline::create({*smooth, {"check", check}, *smooth, *norm});
  if (!pipeline) return std::puts(pipeline.error().text().c_str()), 1;
  vr::Status done = pipeline->run(source, [](Values v) -> vr::Status {
    std::printf("%g\n", v[0].as_double());
    return {};
  });
  if (!done) std::puts(done.error().text().c_str());
  // ---- [end]

  // ---- [types]
  auto wrong = vr::Pipeline::create({*norm, *smooth});
  if (!wrong) std::puts(wrong.error().text().c_str());
  // ---- [end]
}
