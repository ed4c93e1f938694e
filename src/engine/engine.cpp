#include "codegen/opencl/emit.hpp"
#include "engine/state.hpp"
#include "lower/lower.hpp"
#include "pipeline/pipeline.hpp"
#include "runtime/cpu/collect.hpp"
#include "support/trace.hpp"

#include <velociraptor/ir/text.hpp>
#include <velociraptor/ir/verify.hpp>
#include <velociraptor/ir/visit.hpp>

#include <fmt/format.h>

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

namespace vr {

using engine::EngineState;
using engine::FunctionState;
using engine::ModuleState;

const char* target_name(Target t) {
  switch (t) {
    case Target::Interp:
      return "interp";
    case Target::Cpu:
      return "cpu";
    case Target::CpuParallel:
      return "cpu-par";
    case Target::OpenCL:
      return "opencl";
  }
  return "";
}

namespace engine {
namespace {
std::atomic<int64_t> forks{0};
}
int64_t process_generation() {
  static const int once = pthread_atfork(nullptr, nullptr, [] { forks.fetch_add(1); });
  (void)once;
  return forks.load(std::memory_order_relaxed);
}
}  // namespace engine

namespace {

int thread_count(const Options& o) {
  if (o.target == Target::Cpu || o.target == Target::Interp) return 1;
  if (o.threads > 0) return o.threads;
  if (const char* n = std::getenv("VR_NUM_THREADS"))
    if (int v = std::atoi(n); v > 0) return v;
  return std::max(1u, std::thread::hardware_concurrency());
}

/// Measures one stage of a compile.
class Stage {
 public:
  Stage(const char* name, double& ms) : span("compile", name), ms_(ms), begin_(std::chrono::steady_clock::now()) {}
  ~Stage() { ms_ += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin_).count(); }
  trace::Span span;

 private:
  double& ms_;
  std::chrono::steady_clock::time_point begin_;
};

/// Passes and lowering; fills the report.
Result<std::unique_ptr<lower::Module>> lowered(ModuleState& m) {
  pipeline::PassOptions passes;
  passes.inline_limit = m.engine->options.inline_limit;
  passes.skip = m.engine->options.skip_passes;
  ir::ModulePtr module;
  {
    Stage s("passes", m.info.passes_ms);
    std::vector<pipeline::PassTime> times;
    auto r = pipeline::run_passes(m.ir, m.conventions, passes, &times);
    for (pipeline::PassTime& t : times) m.info.passes.push_back({std::move(t.name), t.ms, t.changed});
    if (!r) return r.error();
    module = std::move(*r);
  }
  Stage s("lower", m.info.lower_ms);
  lower::LowerOptions o;
  o.parallel = m.engine->threads > 1;
  o.kernels = m.engine->gpu != nullptr;
  o.fp64 = !m.engine->gpu || m.engine->gpu->device_info().has_fp64;
  o.force_checks = m.engine->options.force_checks;
  o.places = m.engine->debug;
  // One copy of each statement, so that a breakpoint has one place.
  o.version_loops = !(m.engine->debug && m.engine->options.opt_level == 0);
  return lower::lower(*module, m.conventions, o);
}

Result<std::unique_ptr<codegen::llvm_backend::CompiledModule>> generate(ModuleState& m, const lower::Module& lowered,
                                                                        bool keep_text) {
  Stage s("LLVM", m.info.codegen_ms);
  codegen::llvm_backend::JitOptions jit;
  jit.opt_level = m.engine->options.opt_level;
  jit.keep_text = keep_text;
  jit.debug = m.engine->debug;
  jit.keep_object = !keep_text && m.engine->cache.enabled();
  auto code = codegen::llvm_backend::compile(lowered, {m.opencl_source, m.opencl_options}, jit);
  if (code) m.info.optimise_ms += (*code)->optimise_ms();
  return code;
}

/// All that the code depends on. Places count besides the text, for errors name them.
std::string cache_key(const ModuleState& m) {
  const Options& o = m.engine->options;
  const ir::Conventions& c = m.conventions;
  auto variable = [](const char* name) {
    const char* v = std::getenv(name);
    return v ? v : "";
  };
  std::string key = fmt::format("{}\n{}\n{} {} {} {} {} {} {}\n{}\n{} {} {} {} {} {} {} {} {} {} {}\n{}\n",
                                engine::build_identity(), codegen::llvm_backend::target_identity(), o.opt_level,
                                m.engine->debug, o.inline_limit, o.force_checks, m.engine->threads > 1, m.engine->gpu != nullptr,
                                !m.engine->gpu || m.engine->gpu->device_info().has_fp64, fmt::join(o.skip_passes, ","),
                                c.indexing, c.exclude, c.flatten, c.grow, static_cast<int>(c.assign),
                                static_cast<int>(c.slices), static_cast<int>(c.nan), static_cast<int>(c.memory),
                                c.mindims, c.fast_math, static_cast<int>(c.broadcast), variable("VR_SKIP"));
  key += m.ir->file + "\n";
  for (const ir::FunctionPtr& f : m.ir->functions) {
    fmt::format_to(std::back_inserter(key), "{}:{}", f->pos.line, f->pos.column);
    ir::walk_stmts(f->body, [&](const ir::Stmt& s) {
      fmt::format_to(std::back_inserter(key), ",{}:{}", s.pos.line, s.pos.column);
    });
    key += "\n";
  }
  return key + ir::print(*m.ir);
}

/// Takes the code from disk. False: it is not there.
Result<bool> load_cached(ModuleState& m, const std::string& key) {
  Stage s("object cache", m.info.codegen_ms);
  auto cached = m.engine->cache.find(key);
  s.span.note("found", cached ? "yes" : "no");
  if (!cached) return false;
  if (m.engine->gpu && !cached->opencl_source.empty())
    if (Status built = m.engine->gpu->prepare(cached->opencl_source, cached->opencl_options); !built)
      return built.error();
  auto code = codegen::llvm_backend::load(cached->object, m.ir->name, cached->entries, m.engine->debug);
  if (!code) return false;
  m.code = std::move(*code);
  m.report = std::move(cached->report);
  m.opencl_source = std::move(cached->opencl_source);
  m.opencl_options = std::move(cached->opencl_options);
  m.info.from_cache = true;
  return true;
}

/// The compiler's part of loading.
Status compile(ModuleState& m) {
  std::string key;
  if (m.engine->cache.enabled()) {
    key = cache_key(m);
    auto found = load_cached(m, key);
    if (!found) return found.error();
    if (*found) return {};
  }
  auto low = lowered(m);
  if (!low) return low.error();
  m.report = (*low)->report;
  if (m.engine->gpu) {
    Stage s("OpenCL", m.info.opencl_ms);
    auto source = codegen::opencl::emit(**low);
    if (!source) return source.error();
    m.opencl_source = std::move(*source);
    m.opencl_options = codegen::opencl::build_options(**low);
    if (!m.opencl_source.empty())
      if (Status built = m.engine->gpu->prepare(m.opencl_source, m.opencl_options); !built) return built.error();
  }
  auto code = generate(m, **low, false);
  if (!code) return code.error();
  m.code = std::move(*code);
  if (m.engine->cache.enabled()) {
    trace::Span span("compile", "object cache: store");
    m.engine->cache.store(key, {m.code->object(), m.code->entries(), m.report, m.opencl_source, m.opencl_options});
  }
  return {};
}

/// Everything after the tree exists.
Status finish_load(ModuleState& m) {
  {
    Stage s("verify", m.info.verify_ms);
    if (m.engine->options.dialect == ir::Dialect::Mclab) {
      auto strict = ir::from_mclab(*m.ir, &m.remarks);
      if (!strict) return strict.error();
      m.ir = std::move(*strict);
    }
    std::vector<Diagnostic> faults = ir::verify(*m.ir, m.engine->binding.conventions);
    if (!faults.empty()) return Error{Code::Verify, "", std::move(faults), {}};
  }
  m.conventions = m.ir->attrs.resolve(m.engine->binding.conventions);
  if (m.engine->options.target == Target::Interp) return {};
  if (m.conventions.memory == ir::MemoryMode::Boehm && !runtime::start_collector())
    return make_error(Code::Unsupported,
                      "module '" + m.ir->name + "': `:memory boehm` needs a library built with VR_WITH_BOEHM (libgc)");
  return compile(m);
}

}  // namespace

// ---------------------------------------------------------------- Engine
Result<Engine> Engine::create(const Options& options, const HostBinding& binding) {
  trace::start();
  auto state = std::make_shared<EngineState>();
  if (options.opt_level < 0 || options.opt_level > 3)
    return make_error(Code::Usage, fmt::format("optimisation level {} is not one of 0, 1, 2, 3", options.opt_level));
  state->options = options;
  state->binding = binding;
  state->threads = thread_count(options);
  state->debug = options.debug_info || codegen::llvm_backend::debug_wanted();
  state->generation = engine::process_generation();
  // Without an identity nobody could tell another build's code from this one's; who asks for dumps wants passes to run.
  if (options.target != Target::Interp && options.disk_cache && !std::getenv("VR_DUMP") &&
      !engine::build_identity().empty())
    state->cache = engine::ObjectCache::from_environment();
  if (options.target == Target::OpenCL) {
    auto session = gpu::Session::open(options.device);
    if (!session) return session.error();
    state->gpu = std::move(*session);
  }
  return Engine(std::move(state));
}

Result<Module> Engine::load(std::string_view text, const std::string& file) const {
  trace::Span span("engine", "load");
  span.note("file", file);
  auto m = std::make_shared<ModuleState>();
  m->engine = state_;
  {
    Stage s("parse", m->info.parse_ms);
    ir::ParseOptions o;
    o.dialect = state_->options.dialect;
    o.file = file;
    auto parsed = ir::parse(text, o);
    if (!parsed) return parsed.error();
    m->ir = std::move(*parsed);
  }
  if (Status s = finish_load(*m); !s) return s.error();
  return Module(std::move(m));
}

Result<Module> Engine::load_file(const std::string& path) const {
  std::ifstream in(path, std::ios::binary);
  if (!in) return make_error(Code::NotFound, path + ": cannot be read");
  std::stringstream text;
  text << in.rdbuf();
  if (in.bad() || text.bad()) return make_error(Code::NotFound, path + ": cannot be read");
  return load(text.view(), path);
}

Result<Module> Engine::load(ir::ModulePtr module) const {
  if (!module) return make_error(Code::Usage, "no module given");
  trace::Span span("engine", "load");
  span.note("module", module->name);
  auto m = std::make_shared<ModuleState>();
  m->engine = state_;
  m->ir = std::move(module);
  if (Status s = finish_load(*m); !s) return s.error();
  return Module(std::move(m));
}

const Options& Engine::options() const { return state_->options; }
std::string Engine::device_name() const { return state_->gpu ? state_->gpu->device_info().text() : ""; }

// ---------------------------------------------------------------- Module
const std::string& Module::name() const { return state_->ir->name; }
const ir::Module& Module::ir() const { return *state_->ir; }
const CompileInfo& Module::compile_info() const { return state_->info; }
const std::vector<Diagnostic>& Module::remarks() const { return state_->remarks; }
std::vector<std::string> Module::report() const { return state_->report; }

Result<Function> Module::function(const std::string& name) const {
  const ir::Function* f = state_->ir->find(name);
  if (!f) return make_error(Code::NotFound, fmt::format("module '{}' has no function '{}'", state_->ir->name, name));
  auto s = std::make_shared<FunctionState>();
  s->module = state_;
  s->ir = f;
  if (state_->code) {
    s->entry = state_->code->entry(lower::entry_symbol(name));
    if (!s->entry) return make_error(Code::Internal, fmt::format("no code was made for function '{}'", name));
  }
  return Function(std::move(s));
}

Result<std::string> Module::dump(Dump what) const {
  if (!state_->code) return make_error(Code::Unsupported, "the interpreter makes no code");
  if (what == Dump::OpenCl) {
    if (!state_->engine->gpu) return make_error(Code::Unsupported, "OpenCL code is made for target opencl only");
    return state_->opencl_source;
  }
  // Compiled once more, so that nobody pays for text that is rarely looked at.
  ModuleState again;
  again.engine = state_->engine;
  again.ir = state_->ir;
  again.conventions = state_->conventions;
  again.opencl_source = state_->opencl_source;
  again.opencl_options = state_->opencl_options;
  auto low = lowered(again);
  if (!low) return low.error();
  auto code = generate(again, **low, true);
  if (!code) return code.error();
  return what == Dump::LlvmIr ? (*code)->llvm_ir() : (*code)->assembly();
}

// ---------------------------------------------------------------- Function
const std::string& Function::name() const { return state_->ir->name; }
const ir::Type& Function::type() const { return state_->ir->type; }
vr_entry Function::entry() const { return state_->entry; }
Result<std::vector<Value>> Function::call(std::span<const Value> args) const { return engine::call(*state_, args); }

}  // namespace vr
