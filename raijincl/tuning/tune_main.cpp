// raijincl-tune: lists devices, times and tunes kernels, writes device profiles, draws plots.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <vector>

#include "tuning/tune.hpp"

using namespace raijincl;

namespace {

std::vector<std::pair<std::string, std::pair<cl_platform_id, cl_device_id>>> devices() {
  std::vector<std::pair<std::string, std::pair<cl_platform_id, cl_device_id>>> out;
  cl_uint platforms = 0;
  if (clGetPlatformIDs(0, nullptr, &platforms) != CL_SUCCESS) return out;
  std::vector<cl_platform_id> ids(platforms);
  clGetPlatformIDs(platforms, ids.data(), nullptr);
  for (cl_platform_id p : ids) {
    cl_uint n = 0;
    if (clGetDeviceIDs(p, CL_DEVICE_TYPE_ALL, 0, nullptr, &n) != CL_SUCCESS) continue;
    std::vector<cl_device_id> list(n);
    clGetDeviceIDs(p, CL_DEVICE_TYPE_ALL, n, list.data(), nullptr);
    char platform[256] = "";
    clGetPlatformInfo(p, CL_PLATFORM_NAME, sizeof platform, platform, nullptr);
    for (cl_device_id d : list) {
      char device[256] = "";
      clGetDeviceInfo(d, CL_DEVICE_NAME, sizeof device, device, nullptr);
      out.push_back({std::string(platform) + ": " + device, {p, d}});
    }
  }
  return out;
}

int usage() {
  std::fprintf(
      stderr,
      "raijincl-tune list                          devices\n"
      "raijincl-tune gemm|gemv|transpose|hybrid|all   tunes; goes on where an interrupted run stopped\n"
      "    --output FILE     the device profile (raijincl-profile.json); FILE.state keeps what was measured\n"
      "    --minutes N       time for the search (20)\n"
      "    --full            all parameters, as in the thesis, instead of random and local search; takes days\n"
      "    --precisions SDCZ --sizes 512,1024  what to tune products for\n"
      "    --limit S         seconds after which a kernel counts as hung (10)\n"
      "    --quiet           no progress bar\n"
      "raijincl-tune bench [--precisions SDCZ] [--sizes 512,1024] [--seconds S]   GFLOP/s\n"
      "raijincl-tune memory [--sizes 4096]         GB/s of copies, transposes, matrix-vector products, sums\n"
      "raijincl-tune probe FILE                    times the parameters in FILE\n"
      "raijincl-tune plot OUT.svg --precision S [--title T] NAME=FILE ...   curves of what bench printed\n"
      "All but list and plot take --device PART (of a platform's or device's name) and --profile FILE.\n");
  return 2;
}

std::vector<std::size_t> numbers(const std::string& list) {
  std::vector<std::size_t> out;
  std::istringstream in(list);
  for (std::string word; std::getline(in, word, ',');) {
    if (const std::size_t n = std::strtoull(word.c_str(), nullptr, 10)) out.push_back(n);
  }
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return usage();
  const std::string command = argv[1];
  const auto option = [&](const char* name, const char* otherwise) {
    for (int i = 2; i + 1 < argc; ++i) {
      if (!std::strcmp(argv[i], name)) return std::string(argv[i + 1]);
    }
    return std::string(otherwise);
  };
  const auto flag = [&](const char* name) {
    return std::any_of(argv + 2, argv + argc, [&](const char* a) { return !std::strcmp(a, name); });
  };
  if (command == "plot") {
    if (argc < 4) return usage();
    std::vector<std::pair<std::string, std::string>> curves;
    for (int i = 3; i < argc; ++i) {
      const std::string word = argv[i];
      if (word.rfind("--", 0) == 0) {
        ++i;
      } else if (const auto eq = word.find('='); eq != std::string::npos) {
        curves.emplace_back(word.substr(0, eq), word.substr(eq + 1));
      }
    }
    const std::string p = option("--precision", "S");
    return plot(argv[2], p, curves, option("--title", (p + "GEMM").c_str()));
  }
  const auto all = devices();
  if (command == "list") {
    for (const auto& d : all) std::printf("%s\n", d.first.c_str());
    return all.empty();
  }
  const std::string part = option("--device", "");
  for (const auto& [name, ids] : all) {
    if (name.find(part) == std::string::npos) continue;
    cl_int err;
    cl_device_id d = ids.second;
    cl_context c = clCreateContext(nullptr, 1, &d, nullptr, nullptr, &err);
    if (err != CL_SUCCESS) break;
    cl_command_queue q = clCreateCommandQueue(c, d, 0, &err);
    std::unique_ptr<Context> ctx;
    Options options;
    if (const std::string file = option("--profile", ""); !file.empty()) {
      std::ifstream in(file);
      if (!in) return std::fprintf(stderr, "raijincl-tune: cannot read %s\n", file.c_str()), 1;
      options.profile.assign(std::istreambuf_iterator<char>(in), {});
    }
    if (Context::create(c, d, ctx, options) != Status::Ok) {
      std::fprintf(stderr, "raijincl-tune: %s\n", last_error().c_str());
      return 1;
    }
    std::fprintf(stderr, "device: %s, driver %s\n", name.c_str(), ctx->device().driver.c_str());
    const double seconds = std::atof(option("--seconds", "0.2").c_str());
    const std::string precisions = option("--precisions", "SDCZ");
    std::vector<std::size_t> sizes = numbers(option("--sizes", ""));
    int status = 2;
    if (command == "probe" && argc >= 3) {
      status = probe(ctx->impl(), q, argv[2], seconds);
    } else if (command == "bench") {
      if (sizes.empty())
        sizes = ctx->device().is_cpu ? std::vector<std::size_t>{128, 256, 512, 1024}
                                     : std::vector<std::size_t>{256, 512, 1024, 2048, 4096, 8192};
      status = bench(ctx->impl(), q, precisions, sizes, seconds);
    } else if (command == "memory") {
      for (std::size_t n : sizes.empty() ? std::vector<std::size_t>{ctx->device().is_cpu ? 2048u : 8192u} : sizes)
        status = bench_memory(*ctx, q, n, seconds);
    } else if (command == "gemm" || command == "gemv" || command == "transpose" || command == "hybrid" ||
               command == "all") {
      TuneOptions t;
      t.what = command;
      t.precisions = precisions;
      t.sizes = sizes;
      t.minutes = std::atof(option("--minutes", "20").c_str());
      t.full = flag("--full");
      t.quiet = flag("--quiet");
      t.profile = option("--output", "raijincl-profile.json");
      t.limit = std::atof(option("--limit", "10").c_str());
      // A fresh process with the same arguments: what is done and the time it took are in the state file.
      t.restart = [argv] {
        execv("/proc/self/exe", argv);
        std::perror("raijincl-tune: cannot start again");
        std::_Exit(1);
      };
      status = tune(*ctx, q, t);
    } else {
      status = usage();
    }
    clFinish(q);
    ctx.reset();
    clReleaseCommandQueue(q);
    clReleaseContext(c);
    return status;
  }
  std::fprintf(stderr, "raijincl-tune: no device with '%s' in its name\n", part.c_str());
  return 1;
}
