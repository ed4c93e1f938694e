#include "ahead_of_time.hpp"

#include "aot/aot.hpp"
#include "aot/output.hpp"

#include <velociraptor/aot.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <dlfcn.h>

#include <cstring>
#include <fstream>

namespace vr::smith {

namespace {

/// Stays in memory: the threads of OpenMP's library do not survive its unloading.
class Loaded {
 public:
  explicit Loaded(const std::filesystem::path& file)
      : library_(dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE)) {}
  ~Loaded() {
    if (library_) dlclose(library_);
  }
  Loaded(const Loaded&) = delete;
  Loaded& operator=(const Loaded&) = delete;
  explicit operator bool() const { return library_ != nullptr; }
  template <class F>
  F* symbol(const char* name) const {
    return reinterpret_cast<F*>(dlsym(library_, name));
  }

 private:
  void* library_;
};

using Call = int32_t(const vr_value* args, void* const* results, vr_error* error);

/// C that calls the entry with the values of arrays: no library can call a function of any type.
std::string caller(const ir::Function& f, size_t results) {
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
  for (size_t k = 0; k < results; ++k) args.push_back(fmt::format("results[{}]", k));
  args.emplace_back("error");
  return fmt::format(
      "#include \"program.h\"\n"
      "int32_t smith_call(const vr_value *args, void *const *results, vr_error *error);\n"
      "int32_t smith_call(const vr_value *args, void *const *results, vr_error *error)\n"
      "{{\n  (void)args;\n  (void)results;\n  return smith_{}({});\n}}\n",
      f.name, fmt::join(args, ", "));
}

Result<Value> value_of(const ir::Type& t, const vr_value& scalar, vr_array& array) {
  if (t.is_scalar()) return Value::scalar(t.elem, t.complex, scalar);
  const auto rank = static_cast<size_t>(array.rank);
  auto copy =
      Array::borrow(array.data, t.elem, t.complex, {array.extent, rank}, {array.stride, rank}).copy(Layout::RowMajor);
  if (!copy) return copy.error();
  return Value(*copy);
}

}  // namespace

Result<std::vector<Value>> call_ahead_of_time(const Program& p, const ir::Conventions& conventions, bool c,
                                              const std::vector<Value>& inputs) {
  aot::TemporaryFolder folder;
  if (Status s = folder.make(); !s) return s.error();
  const ir::Function& f = *p.module->find(p.entry);
  const bool optimised = p.seed % 4 == 0;
  aot::BuildOptions options;
  options.functions = {p.entry};
  options.prefix = "smith_";
  options.opt_level = optimised ? 2 : 0;
  options.target = p.seed % 2 ? "generic" : "native";
  options.parallel = !p.parallel_places.empty();
  const std::filesystem::path program = folder.path() / (c ? "program.c" : "program.o");
  if (auto built = aot::build({{p.module, conventions, "program"}}, options, {program, folder.path() / "program.h"});
      !built)
    return built.error();

  const auto& outs = f.type.outputs();
  const size_t count = outs.size() == 1 && outs[0].is_void() ? 0 : outs.size();
  std::ofstream(folder.path() / "caller.c") << caller(f, count);
  const std::filesystem::path library = folder.path() / "program.so";
  std::vector<std::string> command{"cc",
                                   "-shared",
                                   "-fPIC",
                                   "-std=c99",
                                   optimised ? "-O2" : "-O0",
                                   "-ffp-contract=off",
                                   "-Wall",
                                   "-Wextra",
                                   "-Werror",
                                   "-I" VR_SOURCE_DIR "/include",
                                   "-I" VR_BUILD_DIR "/include",
                                   "-o",
                                   library.string(),
                                   (folder.path() / "caller.c").string(),
                                   program.string(),
                                   "-L" VR_BUILD_DIR "/lib",
                                   "-Wl,-rpath," VR_BUILD_DIR "/lib",
                                   "-Wl,-z,defs",
                                   "-Wl,--as-needed"};
  if (c && options.parallel && p.seed % 3 == 0) command.insert(command.begin() + 1, "-fopenmp");
  for (const char* part : {"fft", "blas", "library", "threads"}) command.push_back(fmt::format("-lvrrt_{}", part));
  command.insert(command.end(), {"-lvrrt", "-lm"});
  if (Status s = aot::run_program(command); !s) return s.error();

  Loaded code(library);
  if (!code) return make_error(Code::Internal, fmt::format("does not load: {}", dlerror()));
  auto* const call = code.symbol<Call>("smith_call");
  auto* const release = reinterpret_cast<decltype(&vr_aot_release)>(dlsym(RTLD_DEFAULT, "vr_aot_release"));
  auto* const own_release = release ? release : code.symbol<void(vr_array*)>("vr_aot_release");
  if (!call || !own_release) return make_error(Code::Internal, "symbols are missing");

  std::vector<vr_array> descriptors(inputs.size());
  std::vector<vr_value> args(inputs.size() + 1);
  for (size_t k = 0; k < inputs.size(); ++k) {
    args[k] = p.inputs[k].scalar;
    if (!inputs[k].array()) continue;
    descriptors[k] = inputs[k].array().descriptor();
    args[k].array = &descriptors[k];
  }
  std::vector<vr_array> arrays(count + 1);
  std::vector<vr_value> scalars(count + 1);
  std::vector<void*> results;
  for (size_t k = 0; k < count; ++k)
    results.push_back(outs[k].is_array() ? static_cast<void*>(&arrays[k]) : &scalars[k]);
  vr_error error;
  const int32_t status = call(args.data(), results.data(), &error);
  if (status != VR_OK) {
    Error e = make_error(static_cast<Code>(status), "");
    e.record = ErrorRecord::from(error);
    return e;
  }
  std::vector<Value> values;
  std::optional<Error> failed;
  for (size_t k = 0; k < count; ++k) {
    auto v = value_of(outs[k], scalars[k], arrays[k]);
    if (outs[k].is_array()) own_release(&arrays[k]);
    if (v)
      values.push_back(std::move(*v));
    else
      failed = v.error();
  }
  if (failed) return *failed;
  return values;
}

}  // namespace vr::smith
