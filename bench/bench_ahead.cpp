// bench_ahead: the programs of bench/programs compiled ahead of time, in two ways, compared with native code that is
// compiled while the program runs: the object of `vrir build -O 3 --target native`, and the C of `vrir build --c`
// through gcc with the options that docs/ahead-of-time.md names (--plain: -O3 -march=native -ffp-contract=off alone).
// All three run in this process, alternately, on one thread; the
// ratios are medians of the ratios of pairs of runs. Before anything is timed the results of both libraries are
// compared with those of the native code: `object` and `C` name the largest difference, 0 for the same bits.
#include "aot/aot.hpp"
#include "aot/output.hpp"
#include "cpu_pairs.hpp"
#include "cpu_programs.hpp"

#include <velociraptor/aot.h>

#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>

namespace bench {
namespace {

using vr::Value;

struct Args {
  bool quick = false, plain = false;
  std::string json, keep, compiler = "gcc";
  std::vector<std::string> only;
  std::vector<std::string> flags;  ///< of the compiler, besides the usual ones
};

[[noreturn]] void die(const std::string& why) {
  std::fprintf(stderr, "bench_ahead: %s\n", why.c_str());
  std::exit(1);
}

std::string file_of(const Program& p) {
  return std::string(VR_SOURCE_DIR) + (p.mclab ? "/examples/" : "/bench/programs/") + p.file + ".vrir";
}
/// The program as native code.
struct Native {
  vr::Module module;
  vr::Function function;
};

Native native_code(const Program& p) {
  vr::Options o;
  o.target = vr::Target::Cpu;
  o.opt_level = 3;
  if (p.mclab) o.dialect = vr::ir::Dialect::Mclab;
  auto engine = vr::Engine::create(o);
  if (!engine) die(engine.error().text());
  auto module = engine->load_file(file_of(p));
  if (!module) die(p.name + ": " + module.error().text());
  auto f = module->function(p.fn);
  if (!f) die(p.name + ": " + f.error().text());
  return {*module, *f};
}

/// The results of a call of a library; arrays are given back with it.
class Results {
 public:
  explicit Results(void (*release)(vr_array*)) : release_(release) {}
  Results(const Results&) = delete;
  ~Results() {
    for (vr_array& a : arrays) release_(&a);
  }
  std::vector<vr_array> arrays;  ///< by result
  std::vector<vr_value> scalars;

 private:
  void (*release_)(vr_array*);
};

/// A function of a library that was built ahead of time.
class Built {
 public:
  enum class Kind { Object, C };
  /// Builds the library in the folder; ends the program when that fails.
  Built(const Program& p, const Native& native, Kind kind, const Args& args, const std::filesystem::path& folder)
      : type_(native.function.type()) {
    const vr::ir::Module& m = native.module.ir();
    const vr::aot::Source source{vr::ir::ModulePtr(std::shared_ptr<const void>(), &m),  // borrowed
                                 m.attrs.resolve(vr::ir::Conventions::numpy()), p.name};
    const std::string stem = (folder / (p.name + (kind == Kind::C ? "_c" : ""))).string();
    vr::aot::BuildOptions options;
    options.functions = {p.fn};
    options.prefix = "built_";
    options.target = "native";
    options.opt_level = 3;
    options.runtime = VR_BENCH_RUNTIME;
    const std::string built = stem + (kind == Kind::C ? ".c" : ".o"), library = stem + ".so";
    if (auto made = vr::aot::build({source}, options, {built, stem + ".h"}); !made)
      die(p.name + ": " + made.error().text());
    std::ofstream(stem + "_call.c") << caller(stem + ".h", p.fn);
    const std::string runtime = VR_BENCH_RUNTIME;
    std::vector<std::string> command = {args.compiler,
                                        "-std=c99",
                                        "-O3",
                                        "-march=native",
                                        "-ffp-contract=off",
                                        "-fPIC",
                                        "-shared",
                                        "-I" VR_SOURCE_DIR "/include",
                                        "-I" VR_BUILD_DIR "/include",
                                        "-o",
                                        library,
                                        stem + "_call.c",
                                        built,
                                        "-L" + runtime,
                                        "-Wl,-rpath," + runtime,
                                        "-Wl,--as-needed"};
    if (kind == Kind::C && !args.plain)
      command.insert(command.end(), {"-fno-math-errno", "-fno-trapping-math", "-DVR_VECTOR_MATH"});
#if defined(__x86_64__)
    // gcc's default where it knows AVX-512 and not the processor: twice as many bits, which are slower here.
    if (kind == Kind::C && !args.plain) command.emplace_back("-mprefer-vector-width=256");
#endif
    if (kind == Kind::C) command.insert(command.end(), args.flags.begin(), args.flags.end());
    for (const char* part : {"_fft", "_blas", "_library", "_threads", ""})
      command.push_back(std::string("-lvrrt") + part);
    command.push_back("-lm");
    if (vr::Status s = vr::aot::run_program(command); !s) die(p.name + ": " + s.error().text());
    void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) die(dlerror());
    call_ = reinterpret_cast<decltype(call_)>(dlsym(handle, "call_built"));
    release_ = reinterpret_cast<decltype(release_)>(dlsym(handle, "release_built"));
    if (!call_ || !release_) die(p.name + ": the library lacks a function");
    for (const Value& v : p.args) {
      if (v.array())
        arrays_.push_back(v.array().descriptor());
      else
        arrays_.emplace_back();
      given_.push_back(v.raw());
    }
    for (size_t k = 0; k < given_.size(); ++k)
      if (p.args[k].array()) given_[k].array = &arrays_[k];
  }
  Built(const Built&) = delete;

  std::unique_ptr<Results> run(const Program& p) const {
    auto made = std::make_unique<Results>(release_);
    const size_t count = results();
    made->arrays.resize(count);
    made->scalars.resize(count);
    std::vector<void*> where;
    for (size_t k = 0; k < count; ++k)
      where.push_back(type_.outputs()[k].is_array() ? static_cast<void*>(&made->arrays[k]) : &made->scalars[k]);
    vr_error error;
    if (call_(given_.data(), where.data(), &error) != VR_OK) die(p.name + ": " + error.message);
    return made;
  }

  /// The results as the engine's values, which refer to `made`.
  std::vector<Value> values(const Results& made) const {
    std::vector<Value> all;
    for (size_t k = 0; k < results(); ++k) {
      const vr::ir::Type& t = type_.outputs()[k];
      const vr_array& a = made.arrays[k];
      const auto rank = static_cast<size_t>(a.rank);
      if (t.is_array())
        all.emplace_back(vr::Array::borrow(a.data, t.elem, t.complex, {a.extent, rank}, {a.stride, rank}));
      else
        all.push_back(Value::scalar(t.elem, t.complex, made.scalars[k]));
    }
    return all;
  }

 private:
  size_t results() const {
    return type_.outputs().size() == 1 && type_.outputs()[0].is_void() ? 0 : type_.outputs().size();
  }
  /// A C function that calls the function with the values of arrays, because no program can call a function of any
  /// type.
  std::string caller(const std::string& header, const std::string& name) const {
    std::string list;
    const auto& ins = type_.components();
    for (size_t k = 0; k < ins.size(); ++k) {
      const std::string arg = "args[" + std::to_string(k) + "]";
      if (ins[k].is_array())
        list += arg + ".array, ";
      else if (ins[k].complex)
        list += "(const void *)&" + arg + ", ";
      else
        switch (ins[k].elem) {
#define VR_ELEM(Name, text, code, bytes, kind, c_type, ...)                        \
  case vr::ir::Elem::Name:                                                         \
    list += std::string("*(const ") + #c_type + " *)(const void *)&" + arg + ", "; \
    break;
#include <velociraptor/ir/elements.def>
        }
    }
    for (size_t k = 0; k < results(); ++k) list += "results[" + std::to_string(k) + "], ";
    return "#include \"" + header +
           "\"\nint32_t call_built(const vr_value *args, void *const *results, vr_error *error) {\n  (void)args; "
           "(void)results;\n"
           "  return built_" +
           name + "(" + list + "error);\n}\nvoid release_built(vr_array *a) { vr_aot_release(a); }\n";
  }

  vr::ir::Type type_;
  std::vector<vr_array> arrays_;  ///< the arguments that are arrays
  std::vector<vr_value> given_;
  int32_t (*call_)(const vr_value*, void* const*, vr_error*) = nullptr;
  void (*release_)(vr_array*) = nullptr;
};

struct Row {
  std::string name;
  Pair object, c;  ///< native code / object; object / C
  double object_error = 0, c_error = 0;
};

/// The largest difference between the outputs of the library and those of the native code.
double compare(const Program& p, const Built& b, const std::vector<vr::Array>& wanted) {
  reset(p);
  const std::unique_ptr<Results> made = b.run(p);
  const std::vector<Value> values = b.values(*made);
  double worst = 0;
  for (size_t k = 0; k < p.outputs.size(); ++k)
    worst = std::max(worst, difference(p, p.outputs[k].ours(values), wanted[k]));
  if (!(worst <= p.bound))
    die(p.name + ": differs by " + std::to_string(worst) + " from native code, more than its bound");
  return worst;
}

Row measure(const Program& p, const Args& args, const std::filesystem::path& folder) {
  const Native native = native_code(p);
  const Built object(p, native, Built::Kind::Object, args, folder), c(p, native, Built::Kind::C, args, folder);
  auto call = [&] {
    auto r = native.function.call(p.args);
    if (!r) die(p.name + ": " + r.error().text());
    return std::move(*r);
  };
  reset(p);
  std::vector<vr::Array> wanted;
  {
    const std::vector<Value> got = call();
    for (const Output& o : p.outputs) {
      const vr::Array a = o.ours(got);
      auto own = a.copy(a.contiguous(vr::Layout::RowMajor) ? vr::Layout::RowMajor : vr::Layout::ColMajor);
      if (!own) die(p.name + ": " + own.error().text());
      wanted.push_back(*own);
    }
  }
  Row row;
  row.name = p.name;
  row.object_error = compare(p, object, wanted);
  row.c_error = compare(p, c, wanted);
  row.object = in_turns(p, args.quick, [&] { call(); }, [&] { object.run(p); });
  row.c = in_turns(p, args.quick, [&] { object.run(p); }, [&] { c.run(p); });
  return row;
}

int main(const Args& args) {
  setenv("VR_CACHE_DIR", "", 1);
  vr::aot::TemporaryFolder temporary;
  std::filesystem::path folder = args.keep;
  if (args.keep.empty()) {
    if (vr::Status s = temporary.make(); !s) die(s.error().text());
    folder = temporary.path();
  } else {
    std::filesystem::create_directories(folder);
  }
  std::printf(
      "reference: native code, -O3, one thread; the object, -O3; C by %s -O3 -march=native -ffp-contract=off%s.\n",
      args.compiler.c_str(), args.plain ? "" : ", and the options of docs/ahead-of-time.md");
  std::printf("%-18s %10s %10s %10s %10s %10s %9s %9s\n", "program", "native ms", "object ms", "C ms", "native/obj",
              "object/C", "object", "C");
  double object_logs = 0, c_logs = 0, object_least = 1e300, c_least = 1e300;
  int count = 0;
  std::string json = "[";
  for (std::span<const Factory> list : {loop_programs(), array_programs()})
    for (const Factory& f : list) {
      if (!args.only.empty() && std::find(args.only.begin(), args.only.end(), f.name) == args.only.end()) continue;
      Maker maker(args.quick);
      const Row r = measure(f.make(maker), args, folder);
      std::printf("%-18s %10.3f %10.3f %10.3f %10.3f %10.3f %9.1e %9.1e\n", r.name.c_str(), r.object.a_ms,
                  r.object.b_ms, r.c.b_ms, r.object.ratio, r.c.ratio, r.object_error, r.c_error);
      std::fflush(stdout);
      char line[300];
      std::snprintf(line, sizeof line,
                    "%s\n {\"program\": \"%s\", \"native_ms\": %.6f, \"object_ms\": %.6f, \"c_ms\": %.6f, \"object\": "
                    "%.4f, \"c\": %.4f}",
                    json.size() > 1 ? "," : "", r.name.c_str(), r.object.a_ms, r.object.b_ms, r.c.b_ms, r.object.ratio,
                    r.c.ratio);
      json += line;
      object_logs += std::log(r.object.ratio);
      c_logs += std::log(r.c.ratio);
      object_least = std::min(object_least, r.object.ratio);
      c_least = std::min(c_least, r.c.ratio);
      ++count;
    }
  if (!count) return std::fprintf(stderr, "bench_ahead: no such program\n"), 2;
  std::printf("object: geomean %.3f min %.3f over %d\n", std::exp(object_logs / count), object_least, count);
  std::printf("C: geomean %.3f min %.3f over %d\n", std::exp(c_logs / count), c_least, count);
  if (!args.json.empty()) std::ofstream(args.json) << json << "\n]\n";
  return 0;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::Args args;
  for (int k = 1; k < argc; ++k) {
    const std::string a = argv[k];
    const bool more = k + 1 < argc;
    if (a == "--quick")
      args.quick = true;
    else if (a == "--plain")
      args.plain = true;
    else if (a == "--only" && more)
      args.only.push_back(argv[++k]);
    else if (a == "--json" && more)
      args.json = argv[++k];
    else if (a == "--keep" && more)
      args.keep = argv[++k];
    else if (a == "--cc" && more)
      args.compiler = argv[++k];
    else if (a == "--flag" && more)
      args.flags.push_back(argv[++k]);
    else {
      std::fprintf(
          stderr,
          "usage: bench_ahead [--quick] [--plain] [--only NAME ...] [--json FILE] [--keep FOLDER] [--cc COMPILER] "
          "[--flag OPTION ...]\n");
      return 2;
    }
  }
  return bench::main(args);
}
