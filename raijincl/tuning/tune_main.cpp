// raijincl-tune: lists devices, times and tunes kernels, writes device profiles, draws plots.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
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

void usage(std::FILE* to) {
  std::fprintf(
      to,
      "raijincl-tune list                          devices\n"
      "raijincl-tune gemm|gemv|transpose|hybrid|all   tunes; goes on where an interrupted run stopped\n"
      "    --output FILE     the device profile (raijincl-profile.json); FILE.state keeps what was measured\n"
      "    --minutes N       time for the search (20)\n"
      "    --full            all parameters, as in the thesis, instead of random and local search; takes days\n"
      "    --precisions SDCZ --sizes 512,1024  what to tune products for\n"
      "    --limit S         seconds after which a kernel counts as hung (10)\n"
      "    --quiet           no progress bar (there is none either where stderr is no terminal)\n"
      "raijincl-tune bench [--precisions SDCZ] [--sizes 512,1024] [--seconds S]   GFLOP/s\n"
      "raijincl-tune memory [--sizes 4096]         GB/s of copies, transposes, matrix-vector products, sums\n"
      "raijincl-tune probe FILE                    times the parameters in FILE\n"
      "raijincl-tune plot OUT.svg --precision S [--title T] NAME=FILE ...   curves of what bench printed\n"
      "All but list and plot take --device PART (of a platform's or device's name) and --profile FILE.\n");
}

// The command line: a command, words, options with a value, flags. Anything else is an error, which is reported before
// the search starts.
struct Arguments {
  std::string command, error;
  std::vector<std::string> words;
  std::map<std::string, std::string> options;

  Arguments(int argc, char** argv) {
    const std::set<std::string> flags{"--full", "--quiet", "--help"},
        valued{"--output",  "--minutes",   "--precisions", "--sizes",  "--limit",
               "--seconds", "--precision", "--title",      "--device", "--profile"};
    for (int i = 1; i < argc && error.empty(); ++i) {
      const std::string a = argv[i];
      if (a == "-h" || flags.count(a)) {
        options[a == "-h" ? "--help" : a] = "";
      } else if (valued.count(a)) {
        if (i + 1 == argc) error = a + " needs a value";
        if (i + 1 < argc) options[a] = argv[++i];
      } else if (a.rfind("-", 0) == 0) {
        error = "no option " + a;
      } else if (command.empty()) {
        command = a;
      } else {
        words.push_back(a);
      }
    }
  }
  bool flag(const char* name) const { return options.count(name) != 0; }
  std::string text(const char* name, const char* otherwise) const {
    auto it = options.find(name);
    return it == options.end() ? otherwise : it->second;
  }
  // A positive number.
  double number(const char* name, double otherwise) {
    if (!flag(name)) return otherwise;
    const std::string s = text(name, "");
    char* end = nullptr;
    const double v = std::strtod(s.c_str(), &end);
    if (s.empty() || *end || !(v > 0)) error = std::string(name) + " takes a positive number, not '" + s + "'";
    return v;
  }
  std::vector<std::size_t> sizes() {
    std::vector<std::size_t> out;
    std::istringstream in(text("--sizes", ""));
    for (std::string word; std::getline(in, word, ',');) {
      const bool digits = !word.empty() && word.size() < 7 && word.find_first_not_of("0123456789") == std::string::npos;
      out.push_back(digits ? std::strtoull(word.c_str(), nullptr, 10) : 0);
      if (out.back() == 0) error = "--sizes takes positive numbers with commas between them, not '" + word + "'";
    }
    return out;
  }
  std::string precisions() {
    std::string p = text("--precisions", "SDCZ");
    if (p.empty() || p.find_first_not_of("SDCZ") != std::string::npos)
      error = "--precisions takes letters of SDCZ, not '" + p + "'";
    return p;
  }
};

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments(argc, argv);
  if (arguments.flag("--help")) return usage(stdout), 0;
  const std::string& command = arguments.command;
  const bool tunes =
      command == "gemm" || command == "gemv" || command == "transpose" || command == "hybrid" || command == "all";
  const std::size_t words = command == "probe" ? 1 : command == "plot" ? arguments.words.size() : 0;
  const double seconds = arguments.number("--seconds", 0.2), minutes = arguments.number("--minutes", 20),
               limit = arguments.number("--limit", 10);
  const std::string precisions = arguments.precisions();
  std::vector<std::size_t> sizes = arguments.sizes();
  if (arguments.error.empty() && !tunes && command != "list" && command != "plot" && command != "probe" &&
      command != "bench" && command != "memory")
    arguments.error = command.empty() ? "no command" : "no command '" + command + "'";
  if (arguments.error.empty() && arguments.words.size() != words)
    arguments.error =
        arguments.words.size() < words ? command + " needs a file" : "what is '" + arguments.words[words] + "'?";
  if (arguments.error.empty() && command == "plot" && words < 2) arguments.error = "plot needs OUT.svg and NAME=FILE";
  if (!arguments.error.empty()) {
    std::fprintf(stderr, "raijincl-tune: %s\n", arguments.error.c_str());
    usage(stderr);
    return 2;
  }
  if (command == "plot") {
    std::vector<std::pair<std::string, std::string>> curves;
    for (std::size_t i = 1; i < words; ++i) {
      const std::string& word = arguments.words[i];
      const auto eq = word.find('=');
      if (eq == std::string::npos)
        return std::fprintf(stderr, "raijincl-tune: a curve is NAME=FILE, not '%s'\n", word.c_str()), 2;
      curves.emplace_back(word.substr(0, eq), word.substr(eq + 1));
    }
    const std::string p = arguments.text("--precision", "S");
    return plot(arguments.words[0], p, curves, arguments.text("--title", (p + "GEMM").c_str()));
  }
  const auto all = devices();
  if (command == "list") {
    for (const auto& d : all) std::printf("%s\n", d.first.c_str());
    return all.empty();
  }
  const std::string part = arguments.text("--device", "");
  for (const auto& [name, ids] : all) {
    if (name.find(part) == std::string::npos) continue;
    cl_int err;
    cl_device_id d = ids.second;
    cl_context c = clCreateContext(nullptr, 1, &d, nullptr, nullptr, &err);
    if (err != CL_SUCCESS) break;
    cl_command_queue q = clCreateCommandQueue(c, d, 0, &err);
    std::unique_ptr<Context> ctx;
    Options options;
    if (const std::string file = arguments.text("--profile", ""); !file.empty()) {
      std::ifstream in(file);
      if (!in) return std::fprintf(stderr, "raijincl-tune: cannot read %s\n", file.c_str()), 1;
      options.profile.assign(std::istreambuf_iterator<char>(in), {});
    }
    if (Context::create(c, d, ctx, options) != Status::Ok) {
      std::fprintf(stderr, "raijincl-tune: %s\n", last_error().c_str());
      return 1;
    }
    std::fprintf(stderr, "device: %s, driver %s\n", name.c_str(), ctx->device().driver.c_str());
    int status = 0;
    if (command == "probe") {
      status = probe(ctx->impl(), q, arguments.words[0], seconds);
    } else if (command == "bench") {
      if (sizes.empty())
        sizes = ctx->device().is_cpu ? std::vector<std::size_t>{128, 256, 512, 1024}
                                     : std::vector<std::size_t>{256, 512, 1024, 2048, 4096, 8192};
      status = bench(ctx->impl(), q, precisions, sizes, seconds);
    } else if (command == "memory") {
      for (std::size_t n : sizes.empty() ? std::vector<std::size_t>{ctx->device().is_cpu ? 2048u : 8192u} : sizes)
        status = bench_memory(*ctx, q, n, seconds);
    } else {
      TuneOptions t;
      t.what = command;
      t.precisions = precisions;
      t.sizes = sizes;
      t.minutes = minutes;
      t.full = arguments.flag("--full");
      t.quiet = arguments.flag("--quiet") || !isatty(STDERR_FILENO);
      t.profile = arguments.text("--output", "raijincl-profile.json");
      t.limit = limit;
      // Restarts the process with the same arguments: finished steps and the time spent are in the state file.
      t.restart = [argv] {
        execv("/proc/self/exe", argv);
        std::perror("raijincl-tune: cannot start again");
        std::_Exit(1);
      };
      status = tune(*ctx, q, t);
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
