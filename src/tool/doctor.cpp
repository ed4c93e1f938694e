// vrir doctor: the parts of this installation, what it found on this machine, and problems with hints.
#include "analysis/integer_programs.hpp"
#include "codegen/llvm/jit.hpp"
#include "pipeline/pipeline.hpp"
#include "runtime/gpu/session.hpp"
#include "support/file_cache.hpp"
#include "support/settings.hpp"
#include "tool/commands.hpp"

#include <set>

#include <fmt/format.h>

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <sstream>
#include <thread>

namespace vr::tool {

namespace {

namespace fs = std::filesystem;

struct Examination {
  std::string text;
  std::vector<std::string> problems, remarks;
  void line(const std::string& what, const std::string& found) { text += fmt::format("{:<10} {}\n", what, found); }
};

std::string user_name(uid_t id) {
  const passwd* entry = getpwuid(id);
  return entry && entry->pw_name ? entry->pw_name : fmt::format("{}", id);
}

void look_at_processor(Examination& e) {
  // The identity of the code generator: "TRIPLE CPU FEATURES LLVM VERSION"
  std::istringstream identity(codegen::llvm_backend::target_identity());
  std::vector<std::string> words;
  for (std::string word; identity >> word;) words.push_back(word);
  if (words.size() < 4) {
    e.problems.push_back("LLVM has no code generator for this machine");
    return;
  }
  e.line("LLVM", words.back());
  e.line("processor", fmt::format("{}, {}", words[1], words[0]));
  const auto threads = settings::number(settings::Name::VR_NUM_THREADS).value_or(0);
  e.line("threads", fmt::format("{}{}", threads > 0 ? threads : std::max(1u, std::thread::hardware_concurrency()),
                                threads > 0 ? " (VR_NUM_THREADS)" : ""));
  e.line("solver", analysis::solver_text());
}

void look_at_devices(Examination& e) {
  const auto devices = gpu::list_devices();
  auto chosen = gpu::Session::open();
  std::set<std::string> in_use;
  if (chosen)
    for (const gpu::DeviceInfo& d : (*chosen)->devices()) in_use.insert(d.id);
  for (const auto& d : devices)
    e.line(d.id.starts_with("opencl:") ? "OpenCL" : "CUDA",
           fmt::format("{}, driver {}{}{}", d.text(), d.driver, d.has_fp64 ? "" : ", no float64",
                       in_use.count(d.id) ? " (in use)" : ""));
  if (devices.empty()) {
    e.line("OpenCL", "no device");
    e.remarks.push_back(
        "no OpenCL device: accelerated sections run on the CPU (a CPU device: package pocl-opencl-icd)");
  } else if (!chosen) {
    e.problems.push_back(fmt::format("no OpenCL device can be used: {}", chosen.error().text()));
  } else if (!(*chosen)->device_info().has_fp64) {
    e.remarks.push_back("the device in use has no float64: kernels that need it run on the CPU");
  }
}

void look_at_cache(Examination& e) {
  const std::string directory = FileCache::directory_from_environment();
  if (directory.empty()) {
    e.line("cache", "off");
    return;
  }
  if (std::string why = FileCache::why_unusable(); !why.empty()) e.problems.push_back(why);
  struct stat s = {};
  if (stat(directory.c_str(), &s) != 0) {
    e.line("cache", fmt::format("{} (does not exist yet)", directory));
    return;
  }
  int64_t entries = 0, bytes = 0;
  std::error_code ec;
  for (const auto& file : fs::directory_iterator(directory, ec)) {
    std::error_code gone;  // other processes may delete entries meanwhile
    if (const auto size = file.file_size(gone); !gone) ++entries, bytes += static_cast<int64_t>(size);
  }
  const int64_t limit = settings::number(settings::Name::VR_CACHE_BYTES).value_or(256 << 20);
  e.line("cache",
         fmt::format("{}: owner {}, mode {:04o}, {} files, {:.1f} of {:.1f} MiB", directory, user_name(s.st_uid),
                     s.st_mode & 07777, entries, double(bytes) / (1 << 20), double(limit) / (1 << 20)));
  if (s.st_uid != geteuid() && s.st_uid != 0)
    e.problems.push_back(fmt::format("the cache directory belongs to {}: nothing in it is used", user_name(s.st_uid)));
  else if (s.st_mode & 022)
    e.problems.push_back(
        "other users may write to the cache directory: nothing in it is used (chmod 700 allows it again)");
}

void look_at_settings(Examination& e) {
  bool any = false;
  for (const settings::Setting& s : settings::table()) {
    const std::string value = settings::variable(s.name);
    if (value.empty()) continue;
    any = true;
    e.line("setting", fmt::format("{}={}", s.name, value));
  }
  if (!any) e.line("settings", "none is set");
  for (std::string& fault : settings::faults(pipeline::pass_names())) e.problems.push_back(std::move(fault));
}

int examine(Io& io) {
  Examination e;
  e.line("vrir", VR_VERSION);
  look_at_processor(e);
  look_at_devices(e);
  look_at_cache(e);
  look_at_settings(e);
  io.out << e.text;
  for (const std::string& r : e.remarks) io.out << "remark: " << r << '\n';
  for (const std::string& p : e.problems) io.out << "problem: " << p << '\n';
  if (e.problems.empty()) io.out << "no problem was found\n";
  return e.problems.empty() ? exit_ok : exit_bad;
}

}  // namespace

Command add_doctor(CLI::App& root) {
  CLI::App* app = root.add_subcommand(
      "doctor", "Print what was found: versions, processor, OpenCL devices, cache, settings, problems");
  return {app, [](Io& io) { return examine(io); }, true};
}

}  // namespace vr::tool
