#include "engine/unit.hpp"

#include "codegen/opencl/emit.hpp"
#include "engine/background.hpp"
#include "engine/guarded.hpp"
#include "engine/stage.hpp"
#include "engine/state.hpp"
#include "ir/reachable.hpp"
#include "ir/sharing.hpp"
#include "lower/lower.hpp"
#include "pipeline/loops.hpp"
#include "pipeline/pipeline.hpp"
#include "support/find_or_make.hpp"
#include "support/fork_gate.hpp"
#include "support/settings.hpp"
#include "transform/specialise.hpp"

#include <velociraptor/ir/text.hpp>
#include <velociraptor/ir/visit.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
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

std::vector<RegionInfo> Unit::regions() const {
  std::vector<RegionInfo> all;
  NoForkNow no_fork;
  std::vector<Region*> list;
  {
    std::lock_guard lock(mutex_);
    for (const auto& [name, region] : regions_) list.push_back(region.get());
  }
  for (Region* r : list) all.push_back(r->info());
  return all;
}

const Options& Unit::options() const { return engine_->options; }

// ---------------------------------------------------------------- the stages
/// The module after the passes, once.
Result<ir::ModulePtr> Unit::passed(CompileInfo& info, const CompileClock& clock) {
  NoForkNow no_fork;
  std::lock_guard lock(passing_.mutex);
  if (passing_.module) return passing_.module;
  pipeline::PassOptions passes;
  passes.inline_limit = options().inline_limit;
  passes.skip = options().skip_passes;
  passes.regions = options().regions != RegionMode::Off;
  // Half of the budget is reserved for making machine code.
  passes.in_haste = [&] { return clock.over(clock.budget_ms() / 2.0); };
  std::vector<std::string> left_out;
  passes.left_out = &left_out;
  Stage s("passes", info.passes_ms);
  std::vector<pipeline::PassTime> times;
  auto r = pipeline::run_passes(ir_, conventions_, passes, &times);
  for (pipeline::PassTime& t : times) info.passes.push_back({std::move(t.name), t.ms, t.changed});
  if (!r) return r.error();
  passing_.module = std::move(*r);
  passing_.left_out = std::move(left_out);
  return passing_.module;
}

Result<std::unique_ptr<lower::Module>> Unit::lowered(const ir::Module& module, CompileInfo& info,
                                                     const CompileClock& clock,
                                                     const lower::Specialisation* specialisation) const {
  Stage s("lower", info.lower_ms);
  lower::LowerOptions o{engine_->forms};
  o.parallel = engine_->threads > 1;
  o.device = engine_->gpu != nullptr;
  o.kernels = o.device;
  o.fp64 = !engine_->gpu || engine_->gpu->device_info().has_fp64;
  o.force_checks = options().force_checks;
  o.places = engine_->debug;
  // Without a second copy of each statement, so that a breakpoint is at one address.
  o.version_loops = !(engine_->debug && options().opt_level == 0);
  o.parallel_threshold = options().parallel_threshold;
  if (specialisation) o.specialisations = {*specialisation};
  const bool haste = clock.over();
  if (haste) o.version_loops = false;
  pipeline::LoopRun run;
  run.skip = options().skip_passes;
  auto low = pipeline::lower_and_run(module, conventions_, o, run);
  if (low && haste)
    (*low)->report.push_back(
        fmt::format("module '{}': loops have one form each, and array expressions are not shared among threads: the "
                    "compile budget of {} "
                    "ms is spent",
                    ir_->name, options().compile_budget));
  return low;
}

/// The OpenCL programs of the module's kernels; none without a device.
Result<Unit::Programs> Unit::kernels(const lower::Module& lowered, CompileInfo& info) const {
  Programs programs;
  if (!engine_->gpu) return programs;
  Stage s("OpenCL", info.opencl_ms);
  // GPU drivers take a time proportional to the number of kernels; for a CPU, each program takes long by itself.
  using codegen::opencl::Split;
  auto emitted = codegen::opencl::emit_programs(lowered, engine_->gpu->device_info().is_gpu ? Split::Kernels : Split::Options);
  if (!emitted) return emitted.error();
  for (codegen::opencl::Program& p : *emitted) programs.push_back({std::move(p.source), std::move(p.options)});
  return programs;
}

Result<std::unique_ptr<Unit::Code>> Unit::generate(const lower::Module& lowered, const Programs& kernels, int opt_level,
                                                   bool keep_text, const CompileClock& clock, double& ms) const {
  Stage s("LLVM", ms);
  codegen::llvm_backend::JitOptions jit;
  jit.opt_level = opt_level;
  jit.keep_text = keep_text;
  jit.debug = engine_->debug;
  jit.clock = &clock;
  jit.keep_object = !keep_text && engine_->cache.enabled();
  jit.cancelled = [this] { return abandoned_.load(std::memory_order_relaxed) || ending(); };
  return codegen::llvm_backend::compile(lowered, kernels, jit);
}

/// Reports what was skipped because of the budget.
void Unit::tell_left_out(const Code& code, std::vector<std::string>& report) const {
  auto tell = [&](const std::string& what) {
    report.push_back(fmt::format("module '{}': {}: the compile budget of {} ms is spent", ir_->name, what,
                                 options().compile_budget));
  };
  if (!passing_.left_out.empty()) tell(fmt::format("passes are left out ({})", fmt::join(passing_.left_out, ", ")));
  if (!code.left_out().empty()) tell(code.left_out());
}

/// Makes calls use this code from now on.
void Unit::publish(std::unique_ptr<Code> code) {
  // Everything that may throw comes before the first entry is changed: if it throws, nothing has changed.
  code_.reserve(code_.size() + 1);
  for (const std::string& name : code->exports().regions) {
    *code->region(name) = find_or_make(regions_, name, [&] { return std::make_unique<Region>(*this, name); }).get();
  }
  for (size_t k = 0; k < ir_->functions.size(); ++k)
    entries_[k].store(code->entry(lower::entry_symbol(ir_->functions[k]->name)), std::memory_order_release);
  code_.push_back(std::move(code));
}

// ---------------------------------------------------------------- the cache on disk
/// Everything that the code depends on. Source locations are part of it, because errors name them.
std::string Unit::cache_key() const {
  const Options& o = engine_->options;
  const ir::Conventions& c = conventions_;
  std::string key = fmt::format(
      "{}\n{}\n{} {} {} {} {} {} {} {} {} {} {} {} {} {} {}\n{}\n{} {} {} {} {} {} {} {} {} {} {} {} {}\n{}\n",
      build_identity(), codegen::llvm_backend::target_identity(), o.opt_level, o.parallel_threshold, o.compile_budget,
      engine_->debug, o.regions != RegionMode::Off, o.inline_limit, o.force_checks, engine_->threads > 1,
      engine_->gpu != nullptr, !engine_->gpu || engine_->gpu->device_info().has_fp64, engine_->forms.lanes,
      engine_->forms.tiles, engine_->forms.local_bytes, engine_->forms.team, engine_->forms.group,
      fmt::join(o.skip_passes, ","), c.indexing, c.exclude, c.flatten, c.grow, static_cast<int>(c.assign),
      static_cast<int>(c.slices), static_cast<int>(c.nan), static_cast<int>(c.memory), c.mindims, c.fast_math,
      static_cast<int>(c.broadcast), static_cast<int>(c.promote), static_cast<int>(c.overflow),
      settings::variable("VR_SKIP"));
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

/// Null: the code is not in the cache.
Result<std::unique_ptr<Unit::Code>> Unit::from_cache(const std::string& key, std::vector<std::string>* report) const {
  auto cached = engine_->cache.find(key);
  if (!cached) return std::unique_ptr<Code>();
  auto code =
      codegen::llvm_backend::load(cached->object, ir_->name, {cached->entries, cached->regions}, engine_->debug);
  if (!code) return std::unique_ptr<Code>();
  if (report) *report = std::move(cached->report);
  return std::move(*code);
}

/// Loads the code from disk. False: it is not in the cache.
Result<bool> Unit::load_cached(const std::string& key) {
  Stage s("object cache", info_.codegen_ms);
  std::vector<std::string> report;
  auto code = from_cache(key, &report);
  s.span.note("found", code && *code ? "yes" : "no");
  if (!code) return code.error();
  if (!*code) return false;
  std::lock_guard lock(mutex_);
  publish(std::move(*code));
  report_ = std::move(report);
  info_.from_cache = true;
  return true;
}

void Unit::store(const std::string& key, const Code& code, const std::vector<std::string>& report) const {
  if (!engine_->cache.enabled()) return;
  trace::Span span("compile", "object cache: store");
  const codegen::llvm_backend::Exports& exports = code.exports();
  engine_->cache.store(key, {code.object(), exports.entries, exports.regions, report});
}

// ---------------------------------------------------------------- compiling
Status Unit::compile() {
  NoForkNow no_fork;
  std::lock_guard once(compiling_.mutex);
  if (!compiling_.done) compiling_.outcome = compile_now();
  // After OUT_OF_MEMORY the next call tries again.
  compiling_.done = compiling_.outcome || compiling_.outcome.error().code != vr::Code::OutOfMemory;
  return compiling_.outcome;
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
  const CompileClock clock(options.compile_budget);
  auto module = passed(info, clock);
  if (!module) return module.error();
  auto low = lowered(**module, info, clock);
  if (!low) return low.error();
  auto programs = kernels(**low, info);
  if (!programs) return programs.error();
  const bool tiered = options.tiered && options.opt_level > quick_level;
  auto code = generate(**low, *programs, tiered ? quick_level : options.opt_level, false, clock, info.codegen_ms);
  if (!code) return code.error();
  tell_left_out(**code, (*low)->report);
  info.optimise_ms = (*code)->optimise_ms();
  if (!tiered) store(key, **code, (*low)->report);
  {
    std::lock_guard lock(mutex_);
    report_ = (*low)->report;
    info.codegen_ms += info_.codegen_ms;  // the time of the lookup in the cache
    info_ = info;
    publish(std::move(*code));
  }
  if (tiered)
    in_background([this, lowered = std::shared_ptr<lower::Module>(std::move(*low)), programs = std::move(*programs),
                   key] { improve(*lowered, programs, key); });
  else
    optimised_.store(true, std::memory_order_release);
  return {};
}

void Unit::improve(const lower::Module& lowered, const Programs& kernels, const std::string& key) {
  double ms = 0;
  std::vector<std::string> report = lowered.report;
  auto code = guarded([&] {
    const CompileClock clock(options().compile_budget);
    auto made = generate(lowered, kernels, options().opt_level, false, clock, ms);
    if (made) {
      tell_left_out(**made, report);
      store(key, **made, report);
    }
    return made;
  });
  std::lock_guard lock(mutex_);
  info_.background_ms = ms;
  if (code) {
    report_ = std::move(report);
    publish(std::move(*code));
    optimised_.store(true, std::memory_order_release);
  } else if (code.error().code != vr::Code::Interrupted) {
    report_.push_back(
        fmt::format("module '{}' stays at code without optimisation: {}", ir_->name, code.error().text()));
  }
}

// ---------------------------------------------------------------- versions of regions
const ir::Function* Unit::region_function(const std::string& lowered) {
  CompileInfo unused;
  const CompileClock clock(options().compile_budget);
  auto module = guarded([&] { return passed(unused, clock); });
  if (!module) return nullptr;
  for (const ir::FunctionPtr& f : (*module)->functions)
    if (lower::entry_symbol(f->name) == lowered) return f.get();
  return nullptr;
}

Result<std::unique_ptr<Unit::Code>> Unit::specialised(const ir::Function& f, const analysis::RegionFacts& facts,
                                                      RegionInfo& info) {
  return guarded([&] { return specialised_now(f, facts, info); });
}

Result<std::unique_ptr<Unit::Code>> Unit::specialised_now(const ir::Function& f, const analysis::RegionFacts& facts,
                                                          RegionInfo& info) {
  Stage s("specialise", info.compile_ms);
  s.span.note("region", f.name);
  std::string key;
  if (engine_->cache.enabled()) {
    key = fmt::format("{}\nregion {} {}", cache_key(), f.name, facts.text(f));
    auto found = from_cache(key, nullptr);
    if (!found || *found) return found;
  }
  CompileInfo unused;
  const CompileClock clock(options().compile_budget);
  auto module = passed(unused, clock);
  if (!module) return module.error();
  // The specialised function replaces the general one, and is compiled with all that it calls.
  const auto general = std::find_if((*module)->functions.begin(), (*module)->functions.end(),
                                    [&](const ir::FunctionPtr& g) { return g.get() == &f; });
  if (general == (*module)->functions.end()) return make_error(vr::Code::Internal, "no function '" + f.name + "'");
  transform::SpecialiseStatistics found;
  const ir::FunctionPtr special = transform::specialise(*general, **module, conventions_, facts, &found);
  info.inference_ms = found.total_ms;
  info.array_uses = found.uses;
  info.array_uses_known = found.known;
  info.checks_before = found.before.total();
  info.checks_after = found.after.total();
  ir::Module with = **module;
  with.functions[static_cast<size_t>(general - (*module)->functions.begin())] = special;
  const ir::ModulePtr part = ir::reachable(with, *special);
  lower::Specialisation specialisation{f.name, {}};
  for (size_t k = 0; k < f.args.size(); ++k) {
    const analysis::ParameterFacts& p = facts.of(k);
    specialisation.args.push_back(
        {p.extents.value_or(std::vector<int64_t>()), p.strides.value_or(std::vector<int64_t>()), p.alias_group});
  }
  auto low = lowered(*part, unused, clock, &specialisation);
  if (!low) return low.error();
  auto programs = kernels(**low, unused);
  if (!programs) return programs.error();
  double llvm_ms = 0;
  auto code = generate(**low, *programs, options().opt_level, false, clock, llvm_ms);
  if (code && !(*code)->left_out().empty())
    info.failure =
        fmt::format("{}: the compile budget of {} ms is spent", (*code)->left_out(), options().compile_budget);
  if (code) store(key, **code, (*low)->report);
  return code;
}

bool Unit::device_at_work() const { return engine_->gpu && engine_->gpu->sections_open(); }

void Unit::in_background(std::function<void()> job) {
  auto counted = std::make_shared<std::function<void()>>([self = shared_from_this(), job = std::move(job)] {
    try {
      job();
    } catch (const std::bad_alloc&) {}  // the current code remains in use
    std::lock_guard lock(self->mutex_);
    --self->jobs_;
  });
  {
    NoForkNow no_fork;
    std::lock_guard lock(mutex_);
    ++jobs_;
  }
  try {
    run_in_background([counted] { (*counted)(); });
  } catch (const std::exception&) {  // no thread, or no memory for the list of jobs
    NoForkNow no_fork;
    (*counted)();
  }
}

void Unit::wait() {
  resume_background();
  // Waits in steps, so that fork() need not wait as long. When the process ends, jobs are dropped.
  while (!ending()) {
    {
      NoForkNow no_fork;
      std::lock_guard lock(mutex_);
      if (jobs_ == 0) return;
    }
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
}

Result<std::string> Unit::dump(Module::Dump what) {
  if (what == Module::Dump::OpenCl && !engine_->gpu)
    return make_error(vr::Code::Unsupported, "OpenCL code is generated for target opencl only");
  CompileInfo unused;
  const CompileClock clock(options().compile_budget);
  auto module = passed(unused, clock);
  if (!module) return module.error();
  auto low = lowered(**module, unused, clock);
  if (!low) return low.error();
  if (what == Module::Dump::OpenCl) return codegen::opencl::emit(**low);
  auto programs = kernels(**low, unused);
  if (!programs) return programs.error();
  auto code = generate(**low, *programs, options().opt_level, true, clock, unused.codegen_ms);
  if (!code) return code.error();
  return what == Module::Dump::LlvmIr ? (*code)->llvm_ir() : (*code)->assembly();
}

}  // namespace vr::engine
