#include "engine/unit.hpp"

#include "codegen/opencl/emit.hpp"
#include "engine/background.hpp"
#include "engine/stage.hpp"
#include "engine/state.hpp"
#include "lower/lower.hpp"
#include "pipeline/pipeline.hpp"
#include "support/fork_gate.hpp"

#include <velociraptor/ir/text.hpp>
#include <velociraptor/ir/visit.hpp>

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <thread>

namespace vr::engine {

namespace {

constexpr int quick_level = 0;

}  // namespace

Unit::Unit(std::shared_ptr<EngineState> engine, ir::ModulePtr ir, const ir::Conventions& conventions)
    : engine_(std::move(engine)), ir_(std::move(ir)), conventions_(conventions) {
  entries_ = std::make_unique<std::atomic<vr_entry>[]>(ir_->functions.size());
}

const std::atomic<vr_entry>* Unit::entry(const std::string& function) const {
  for (size_t k = 0; k < ir_->functions.size(); ++k)
    if (ir_->functions[k]->name == function) return &entries_[k];
  return nullptr;
}

CompileInfo Unit::info() const {
  NoForkNow no_fork;
  std::lock_guard lock(mutex_);
  return info_;
}

std::vector<std::string> Unit::report() const {
  NoForkNow no_fork;
  std::lock_guard lock(mutex_);
  return report_;
}

// ---------------------------------------------------------------- the stages
/// Passes and lowering.
Result<std::unique_ptr<lower::Module>> Unit::lowered(CompileInfo& info) const {
  const Options& options = engine_->options;
  pipeline::PassOptions passes;
  passes.inline_limit = options.inline_limit;
  passes.skip = options.skip_passes;
  ir::ModulePtr module;
  {
    Stage s("passes", info.passes_ms);
    std::vector<pipeline::PassTime> times;
    auto r = pipeline::run_passes(ir_, conventions_, passes, &times);
    for (pipeline::PassTime& t : times) info.passes.push_back({std::move(t.name), t.ms, t.changed});
    if (!r) return r.error();
    module = std::move(*r);
  }
  Stage s("lower", info.lower_ms);
  lower::LowerOptions o;
  o.parallel = engine_->threads > 1;
  o.kernels = engine_->gpu != nullptr;
  o.fp64 = !engine_->gpu || engine_->gpu->device_info().has_fp64;
  o.force_checks = options.force_checks;
  o.places = engine_->debug;
  // One copy of each statement, so that a breakpoint has one place.
  o.version_loops = !(engine_->debug && options.opt_level == 0);
  return lower::lower(*module, conventions_, o);
}

Status Unit::emit_opencl(const lower::Module& lowered) {
  auto source = codegen::opencl::emit(lowered);
  if (!source) return source.error();
  opencl_source_ = std::move(*source);
  opencl_options_ = codegen::opencl::build_options(lowered);
  return {};
}

Result<std::unique_ptr<Unit::Code>> Unit::generate(const lower::Module& lowered, int opt_level, bool keep_text,
                                                   double& ms) const {
  Stage s("LLVM", ms);
  codegen::llvm_backend::JitOptions jit;
  jit.opt_level = opt_level;
  jit.keep_text = keep_text;
  jit.debug = engine_->debug;
  jit.keep_object = !keep_text && engine_->cache.enabled();
  jit.cancelled = [this] { return abandoned_.load(std::memory_order_relaxed) || ending(); };
  return codegen::llvm_backend::compile(lowered, {opencl_source_, opencl_options_}, jit);
}

/// Calls from now on go to this code.
void Unit::publish(std::unique_ptr<Code> code) {
  for (size_t k = 0; k < ir_->functions.size(); ++k)
    entries_[k].store(code->entry(lower::entry_symbol(ir_->functions[k]->name)), std::memory_order_release);
  code_.push_back(std::move(code));
}

// ---------------------------------------------------------------- the cache on disk
/// All that the code depends on. Places count besides the text, for errors name them.
std::string Unit::cache_key() const {
  const Options& o = engine_->options;
  const ir::Conventions& c = conventions_;
  auto variable = [](const char* name) {
    const char* v = std::getenv(name);
    return v ? v : "";
  };
  std::string key =
      fmt::format("{}\n{}\n{} {} {} {} {} {} {}\n{}\n{} {} {} {} {} {} {} {} {} {} {}\n{}\n", build_identity(),
                  codegen::llvm_backend::target_identity(), o.opt_level, engine_->debug, o.inline_limit, o.force_checks,
                  engine_->threads > 1, engine_->gpu != nullptr, !engine_->gpu || engine_->gpu->device_info().has_fp64,
                  fmt::join(o.skip_passes, ","), c.indexing, c.exclude, c.flatten, c.grow, static_cast<int>(c.assign),
                  static_cast<int>(c.slices), static_cast<int>(c.nan), static_cast<int>(c.memory), c.mindims,
                  c.fast_math, static_cast<int>(c.broadcast), variable("VR_SKIP"));
  key += ir_->file + "\n";
  for (const ir::FunctionPtr& f : ir_->functions) {
    fmt::format_to(std::back_inserter(key), "{}:{}", f->pos.line, f->pos.column);
    ir::walk_stmts(f->body, [&](const ir::Stmt& s) {
      fmt::format_to(std::back_inserter(key), ",{}:{}", s.pos.line, s.pos.column);
    });
    key += "\n";
  }
  return key + ir::print(*ir_);
}

/// Takes the code from disk. False: it is not there.
Result<bool> Unit::load_cached(const std::string& key) {
  Stage s("object cache", info_.codegen_ms);
  auto cached = engine_->cache.find(key);
  s.span.note("found", cached ? "yes" : "no");
  if (!cached) return false;
  if (engine_->gpu && !cached->opencl_source.empty())
    if (Status built = engine_->gpu->prepare(cached->opencl_source, cached->opencl_options); !built)
      return built.error();
  auto code = codegen::llvm_backend::load(cached->object, ir_->name, cached->entries, engine_->debug);
  if (!code) return false;
  std::lock_guard lock(mutex_);
  publish(std::move(*code));
  report_ = std::move(cached->report);
  opencl_source_ = std::move(cached->opencl_source);
  opencl_options_ = std::move(cached->opencl_options);
  info_.from_cache = true;
  return true;
}

void Unit::store(const std::string& key) const {
  if (!engine_->cache.enabled()) return;
  trace::Span span("compile", "object cache: store");
  engine_->cache.store(key,
                       {code_.back()->object(), code_.back()->entries(), report_, opencl_source_, opencl_options_});
}

// ---------------------------------------------------------------- compiling
Status Unit::compile() {
  NoForkNow no_fork;
  std::lock_guard once(compiling_);
  if (!compiled_) outcome_ = compile_now();
  compiled_ = true;
  return outcome_;
}

Status Unit::compile_now() {
  const Options& options = engine_->options;
  std::string key;
  if (engine_->cache.enabled()) {
    key = cache_key();
    auto found = load_cached(key);
    if (!found) return found.error();
    if (*found) {
      optimised_.store(true, std::memory_order_release);
      return {};
    }
  }
  CompileInfo info;
  auto low = lowered(info);
  if (!low) return low.error();
  if (engine_->gpu) {
    Stage s("OpenCL", info.opencl_ms);
    if (Status emitted = emit_opencl(**low); !emitted) return emitted;
    if (!opencl_source_.empty())
      if (Status built = engine_->gpu->prepare(opencl_source_, opencl_options_); !built) return built.error();
  }
  const bool tiered = options.tiered && options.opt_level > quick_level;
  auto code = generate(**low, tiered ? quick_level : options.opt_level, false, info.codegen_ms);
  if (!code) return code.error();
  info.optimise_ms = (*code)->optimise_ms();
  std::lock_guard lock(mutex_);
  report_ = (*low)->report;
  info.codegen_ms += info_.codegen_ms;  // the look into the cache
  info_ = info;
  publish(std::move(*code));
  if (!tiered) {
    optimised_.store(true, std::memory_order_release);
    store(key);
    return {};
  }
  improving_ = true;
  run_in_background([self = shared_from_this(), lowered = std::shared_ptr<lower::Module>(std::move(*low)), key] {
    self->improve(*lowered, key);
  });
  return {};
}

void Unit::improve(const lower::Module& lowered, const std::string& key) {
  double ms = 0;
  const bool wanted = !abandoned_.load(std::memory_order_relaxed);
  auto code = wanted ? generate(lowered, engine_->options.opt_level, false, ms)
                     : Result<std::unique_ptr<Code>>(make_error(vr::Code::Interrupted, "abandoned"));
  std::lock_guard lock(mutex_);
  info_.background_ms = ms;
  if (code) {
    publish(std::move(*code));
    optimised_.store(true, std::memory_order_release);
    store(key);
  } else if (wanted && !abandoned_.load(std::memory_order_relaxed) && !ending()) {
    report_.push_back(
        fmt::format("module '{}' stays at code without optimisation: {}", ir_->name, code.error().text()));
  }
  improving_ = false;
}

void Unit::wait() {
  resume_background();
  // In steps, so that fork() need not wait as well. When the process ends, jobs are dropped.
  while (!ending()) {
    {
      NoForkNow no_fork;
      std::lock_guard lock(mutex_);
      if (!improving_) return;
    }
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
}

Result<std::string> Unit::dump(Module::Dump what) {
  if (what == Module::Dump::OpenCl && !engine_->gpu)
    return make_error(vr::Code::Unsupported, "OpenCL code is made for target opencl only");
  CompileInfo unused;
  auto low = lowered(unused);
  if (!low) return low.error();
  if (engine_->gpu) {
    if (Status emitted = emit_opencl(**low); !emitted) return emitted.error();
    if (what == Module::Dump::OpenCl) return opencl_source_;
  }
  auto code = generate(**low, engine_->options.opt_level, true, unused.codegen_ms);
  if (!code) return code.error();
  return what == Module::Dump::LlvmIr ? (*code)->llvm_ir() : (*code)->assembly();
}

}  // namespace vr::engine
