// bench_several: programs whose arrays are made on the devices (bench/several/*.vrir) on one device and on several, in
// one process. The time of a repetition is the difference between runs with many and with few repetitions, divided by
// the difference of their numbers, so that making the arrays cancels out. The ratio is the time on one device over that
// on several; the goal beside it is what issues ask for on two and on four equal devices. Results must be equal.
#include "timing.hpp"

#include <velociraptor/velociraptor.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace {

using bench::median;
using bench::ms_of;

struct Case {
  const char* name;
  int64_t size, quick_size;
  int few, many;
  double goal2, goal4;
};

constexpr Case cases[] = {
    {"stencil", 16384, 256, 5, 1005, 1.9, 3.7},
    {"nbody", 1 << 20, 512, 1, 2, 1.95, 3.85},
    {"product", 16384, 128, 1, 6, 1.9, 3.6},
    {"sums", int64_t{1} << 32, 1 << 16, 5, 305, 1.9, 3.7},
};

[[noreturn]] void die(const std::string& text) {
  std::fprintf(stderr, "bench_several: %s\n", text.c_str());
  std::exit(1);
}

vr::Engine engine_on(const std::string& device, const std::string& devices) {
  vr::Options options;
  options.target = vr::Target::OpenCL;
  options.device = device;
  options.devices = devices;
  auto made = vr::Engine::create(options);
  if (!made) die(made.error().text());
  return std::move(*made);
}

class Program {
 public:
  Program(const vr::Engine& engine, const Case& c, const std::string& folder) {
    auto module = engine.load_file(folder + "/" + c.name + ".vrir");
    if (!module) die(module.error().text());
    module_ = std::make_unique<vr::Module>(std::move(*module));
    auto function = module_->function(c.name);
    if (!function) die(function.error().text());
    function_ = std::make_unique<vr::Function>(std::move(*function));
  }
  double run(int64_t n, int64_t repeats) {
    const vr::Value args[] = {n, repeats};
    auto results = function_->call(args);
    if (!results) die(results.error().text());
    return results->at(0).as_double();
  }
  double ms_of_one(const Case& c, int64_t n, int runs) {
    run(n, c.many);
    std::vector<double> times;
    for (int k = 0; k < runs; ++k) {
      const double few = ms_of([&] { run(n, c.few); }), many = ms_of([&] { run(n, c.many); });
      times.push_back((many - few) / (c.many - c.few));
    }
    return median(times);
  }
  void report() const {
    for (const std::string& line : module_->report()) std::printf("    %s\n", line.c_str());
  }

 private:
  std::unique_ptr<vr::Module> module_;
  std::unique_ptr<vr::Function> function_;
};

}  // namespace

int main(int argc, char** argv) {
  std::string folder = VR_SOURCE_DIR "/bench/several", devices = "all", only;
  bool quick = false;
  int64_t size = 0;
  for (int k = 1; k < argc; ++k) {
    const std::string a = argv[k];
    if (a == "--quick")
      quick = true;
    else if (a == "--at" && k + 1 < argc)
      folder = argv[++k];
    else if (a == "--devices" && k + 1 < argc)
      devices = argv[++k];
    else if (a == "--only" && k + 1 < argc)
      only = argv[++k];
    else if (a == "--size" && k + 1 < argc)
      size = std::atoll(argv[++k]);
    else
      die("options: --quick --at FOLDER --devices LIST --only NAME --size N");
  }
  const vr::Engine one = engine_on("opencl:0", ""), several = engine_on("", devices);
  std::printf("one: %s\nseveral: %s\n", one.device_name().c_str(), several.device_name().c_str());
  std::printf("%-10s %12s %12s %7s   goals on two and four\n", "program", "one ms", "several ms", "ratio");
  int wrong = 0;
  for (const Case& c : cases) {
    if (!only.empty() && only != c.name) continue;
    Program here(one, c, folder), there(several, c, folder);
    const int64_t n = size > 0 ? size : quick ? c.quick_size : c.size;
    const vr::DeviceUse before = several.device_use();
    const double a = here.run(n, c.few), b = there.run(n, c.few);
    const bool equal = a == b;
    wrong += !equal;
    const int runs = quick ? 1 : 3;
    const double alone = here.ms_of_one(c, n, runs), together = there.ms_of_one(c, n, runs);
    const vr::DeviceUse after = several.device_use();
    std::printf("%-10s %12.4f %12.4f %7.2f   %.2f %.2f  %s, %lld of %lld launches divided\n", c.name, alone, together,
                alone / together, c.goal2, c.goal4, equal ? "equal" : "DIFFERENT",
                static_cast<long long>(after.divided - before.divided),
                static_cast<long long>(after.launches - before.launches));
    if (!equal) std::printf("    %.17g and %.17g\n", a, b);
    there.report();
    std::fflush(stdout);
  }
  return wrong ? 1 : 0;
}
