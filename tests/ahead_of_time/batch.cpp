#include "batch.hpp"

#include "data.hpp"

#include "aot/aot.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fstream>
#include <sstream>

namespace vr::ahead_of_time {

namespace {

namespace fs = std::filesystem;

/// Makes a C function that calls the function with the values of arrays, because no library can call a function of any
/// type.
std::string caller(size_t number, const ir::Function& f) {
  std::vector<std::string> args;
  const auto& ins = f.type.components();
  for (size_t k = 0; k < ins.size(); ++k) {
    if (ins[k].is_array())
      args.push_back(fmt::format("args[{}].array", k));
    else if (ins[k].complex)
      args.push_back(fmt::format("(const void *)&args[{}]", k));
    else
      switch (ins[k].elem) {
#define VR_ELEM(Name, text, code, bytes, kind, c_type, ...)                          \
  case ir::Elem::Name:                                                               \
    args.push_back(fmt::format("*(const {} *)(const void *)&args[{}]", #c_type, k)); \
    break;
#include <velociraptor/ir/elements.def>
      }
  }
  const size_t results = results_of(f).size();
  for (size_t k = 0; k < results; ++k) args.push_back(fmt::format("results[{}]", k));
  args.emplace_back("error");
  return fmt::format(
      "static int32_t call_{0}(const vr_value *args, void *const *results, vr_error *error)\n"
      "{{\n  (void)args;\n  (void)results;\n  return p{0}_{1}({2});\n}}\n",
      number, f.name, fmt::join(args, ", "));
}

std::string row(size_t number, const ir::Function& f) {
  std::string kinds;
  const std::vector<ir::Type> results = results_of(f);
  for (const ir::Type& t : results) kinds += t.is_array() ? "\\1" : "\\0";
  return fmt::format("  {{call_{}, {}, {}, \"{}\"}},\n", number, f.type.components().size(), results.size(), kinds);
}

bool has_tcc() {
#if defined(__x86_64__)
  static const bool found = bool(aot::run_program({"tcc", "-v"}));
  return found;
#else
  return false;
#endif
}

}  // namespace

std::string Batch::runtime_folder() const {
  const std::string libraries = VR_BUILD_DIR "/lib";
  return platform_.architecture.empty() ? libraries : libraries + "/" + platform_.architecture + "-linux-gnu";
}

std::vector<std::string> Batch::compiler() const {
  return {platform_.architecture.empty() ? "cc" : platform_.architecture + "-linux-gnu-gcc",
          "-std=c99",
          "-ffp-contract=off",
          "-Wall",
          "-Wextra",
          "-Werror",
          "-D_DEFAULT_SOURCE",
          "-I" VR_SOURCE_DIR "/include",
          "-I" VR_BUILD_DIR "/include"};
}

bool Batch::is_for_tcc(const Item& item) const {
  return platform_.c && platform_.architecture.empty() && !item.strict && has_tcc();
}

Status Batch::build(size_t number, Built& b) {
  const fs::path stem = folder_.path() / fmt::format("p{}", number);
  aot::BuildOptions options;
  options.functions = {b.item.function};
  options.prefix = fmt::format("p{}_", number);
  options.opt_level = b.item.opt_level;
  options.target = platform_.architecture.empty() ? b.item.target : platform_.architecture;
  options.regions = b.item.regions;
  options.kernels = b.item.kernels;
  options.runtime = runtime_folder();
  options.parallel = b.item.parallel && (fs::exists(options.runtime / "libvrrt_threads.a"));
  const std::string program = stem.string() + (platform_.c ? ".c" : ".o");
  auto made = aot::build({{b.item.module, b.item.conventions, "program"}}, options, {program, stem.string() + ".h"});
  if (!made) return made.error();
  b.object = stem.string() + ".o";
  if (!platform_.c) return {};
  if (is_for_tcc(b.item))
    return aot::run_program({"tcc", "-include", VR_SOURCE_DIR "/tests/ahead_of_time/tcc.h", "-D_DEFAULT_SOURCE",
                             "-I" VR_SOURCE_DIR "/include", "-I" VR_BUILD_DIR "/include", "-c", "-o", b.object,
                             program});
  std::vector<std::string> command = compiler();
  command.insert(command.end(), {fmt::format("-O{}", b.item.opt_level), "-c", "-o", b.object, program});
  if (b.item.opt_level > 2 && platform_.architecture.empty())  // what docs/ahead-of-time.md says of speed
    command.insert(command.end(), {"-march=native", "-fno-math-errno", "-fno-trapping-math"});
  if (b.item.openmp && options.parallel) command.emplace_back("-fopenmp");
  return aot::run_program(command);
}

void Batch::add(Item item) {
  Built b{std::move(item), "", std::nullopt};
  Status done = folder_.path().empty() ? folder_.make() : Status();
  if (done) done = build(built_.size(), b);
  if (!done) b.failed = done.error();
  built_.push_back(std::move(b));
}

Status Batch::link(const std::vector<size_t>& good) {
  std::string text = "#include \"driver.h\"\n", rows;
  bool openmp = false, tcc = false;
  std::vector<std::string> objects;
  for (const size_t k : good) {
    const ir::Function& f = *built_[k].item.module->find(built_[k].item.function);
    text += fmt::format("#include \"p{}.h\"\n", k) + caller(k, f);
    rows += row(k, f);
    objects.push_back(built_[k].object);
    openmp = openmp || built_[k].item.openmp;
    tcc = tcc || is_for_tcc(built_[k].item);
  }
  text +=
      fmt::format("const driver_item driver_items[] = {{\n{}}};\nconst int driver_count = {};\n", rows, good.size());
  const fs::path callers = folder_.path() / "callers.c";
  std::ofstream(callers) << text;
  std::vector<std::string> command = compiler();
  command.insert(command.end(), {"-I" VR_SOURCE_DIR "/tests/ahead_of_time", "-o", (folder_.path() / "program").string(),
                                 callers.string(), VR_SOURCE_DIR "/tests/ahead_of_time/driver.c"});
  command.insert(command.end(), objects.begin(), objects.end());
  if (openmp && platform_.c && platform_.architecture.empty()) command.emplace_back("-fopenmp");
  if (tcc) command.insert(command.end(), {VR_SOURCE_DIR "/tests/ahead_of_time/tcc_support.c", "-Wl,-z,noexecstack"});
  // Programs are static, because emulators have no shared libraries of the other architecture.
  if (!platform_.architecture.empty()) command.emplace_back("-static");
  const std::string folder = runtime_folder();
  command.insert(command.end(), {"-L" + folder, "-Wl,-rpath," + folder, "-Wl,--as-needed"});
  for (const char* part : {"_opencl", "_fft", "_blas", "_library", "_threads", ""})
    if (fs::exists(fmt::format("{}/libvrrt{}.a", folder, part))) command.push_back(fmt::format("-lvrrt{}", part));
  command.insert(command.end(), {"-lstdc++", "-lm"});
  return aot::run_program(command);
}

std::vector<Result<std::vector<Value>>> Batch::run() {
  std::vector<Result<std::vector<Value>>> answers;
  std::vector<size_t> good;
  const fs::path in = folder_.path() / "arguments", out = folder_.path() / "results";
  std::ofstream arguments(in, std::ios::binary);
  for (size_t k = 0; k < built_.size(); ++k) {
    answers.emplace_back(built_[k].failed ? *built_[k].failed : make_error(Code::Internal, "it was not called"));
    if (built_[k].failed) continue;
    good.push_back(k);
    arguments << encode(built_[k].item.inputs);
  }
  arguments.close();
  if (good.empty()) return answers;
  if (Status s = link(good); !s) {
    for (const size_t k : good) answers[k] = s.error();
    return answers;
  }
  for (size_t first = 0; first < good.size();) {
    std::vector<std::string> command;
    if (!platform_.architecture.empty()) command.push_back("qemu-" + platform_.architecture);
    command.insert(command.end(),
                   {(folder_.path() / "program").string(), in.string(), out.string(), std::to_string(first)});
    const Status ran = aot::run_program(command);
    std::stringstream read;
    read << std::ifstream(out, std::ios::binary).rdbuf();
    const std::string bytes = read.str();
    std::string_view rest = bytes;
    for (; first < good.size(); ++first) {
      Built& b = built_[good[first]];
      if (!decode(rest, *b.item.module->find(b.item.function), b.item.inputs, answers[good[first]])) break;
    }
    if (first == good.size()) break;
    answers[good[first++]] =
        make_error(Code::Internal, "the process ends" + (ran ? std::string() : ": " + ran.error().message));
  }
  return answers;
}

}  // namespace vr::ahead_of_time
