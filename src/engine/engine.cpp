#include "engine/guarded.hpp"
#include "engine/native_state.hpp"
#include "engine/stage.hpp"
#include "engine/state.hpp"
#include "ir/external_type.hpp"
#include "ir/reachable.hpp"
#include "ir/sharing.hpp"
#include "pipeline/pipeline.hpp"
#include "runtime/cpu/collect.hpp"
#include "support/find_or_make.hpp"
#include "support/fork_gate.hpp"
#include "support/settings.hpp"
#include "support/trace.hpp"

#include <velociraptor/ir/text.hpp>
#include <velociraptor/ir/verify.hpp>
#include <velociraptor/ir/visit.hpp>

#include <fmt/format.h>

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
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

std::string settings_text() { return settings::as_text(pipeline::pass_names()); }

namespace engine {
namespace {
std::atomic<int64_t> forks{0};
}
int64_t process_generation() {
  static const int once = pthread_atfork(nullptr, nullptr, [] { forks.fetch_add(1); });
  (void)once;
  return forks.load(std::memory_order_relaxed);
}

std::shared_ptr<EngineState> held_by_host(std::shared_ptr<EngineState> state) {
  struct Hold {
    std::shared_ptr<EngineState> state;
    ~Hold() {
      // `done` callbacks are host code, so they must not run under the lock
      decltype(EngineState::bound) released;
      NoForkNow no_fork;
      std::lock_guard lock(state->mutex);
      released.swap(state->bound);
    }
  };
  auto hold = std::make_shared<Hold>();
  hold->state = std::move(state);
  return {hold, hold->state.get()};
}
}  // namespace engine

int engine::thread_count(const Options& o) {
  if (o.target == Target::Cpu || o.target == Target::Interp) return 1;
  if (o.threads > 0) return o.threads;
  if (const int64_t n = settings::number(settings::Name::VR_NUM_THREADS).value_or(0); n > 0) return static_cast<int>(n);
  return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

namespace {

constexpr int most_threads = 4096;

/// The unit that contains the function, or all functions; made if it does not exist yet.
std::shared_ptr<engine::Unit> unit_of(ModuleState& m, const ir::Function* f) {
  if (!m.engine->options.lazy) f = nullptr;
  NoForkNow no_fork;
  std::lock_guard lock(m.mutex);
  return find_or_make(m.units, f ? f->name : "", [&] {
    return std::make_shared<engine::Unit>(m.engine->shared_from_this(), f ? ir::reachable(*m.ir, *f) : m.ir,
                                          m.conventions);
  });
}

ir::Type without_void(const ir::Type& t) {
  std::vector<ir::Type> out;
  for (const ir::Type& o : t.outputs())
    if (!o.is_void()) out.push_back(o);
  return ir::Type::function(t.components(), std::move(out));
}

/// Checks that the host functions that the module declares are bound, with the declared types.
Status find_externals(ModuleState& m) {
  for (const ir::FunctionPtr& f : m.ir->functions) {
    if (!f->external) continue;
    NoForkNow no_fork;
    std::lock_guard lock(m.engine->mutex);
    const auto it = m.engine->bound.find(f->name);
    if (it == m.engine->bound.end())
      return make_error(Code::NotFound, fmt::format("module '{}': the host has no function '{}'", m.ir->name, f->name));
    if (!(without_void(it->second.type) == without_void(f->type)))
      return make_error(Code::NotFound, fmt::format("module '{}': the host's function '{}' is {}, declared is {}",
                                                    m.ir->name, f->name, it->second.type.text(), f->type.text()));
    m.externals.add(f->name, it->second.function);
  }
  return {};
}

/// Checks that the host has the arrays that the functions take and return.
Status check_elements(const ModuleState& m) {
  const HostBinding& host = m.engine->binding;
  for (const ir::FunctionPtr& f : m.ir->functions) {
    if (f->external) continue;
    for (const std::vector<ir::Type>& list : {f->type.components(), f->type.outputs()})
      for (const ir::Type& t : list) {
        if (!t.is_array()) continue;
        const auto code = static_cast<uint32_t>(t.elem) | (t.complex ? uint32_t{VR_COMPLEX} : 0u);
        if (!(host.elements >> code & 1u))
          return make_error(Code::Unsupported,
                            fmt::format("module '{}': function '{}' takes or returns arrays of {}, "
                                        "which the host '{}' does not have",
                                        m.ir->name, f->name, ir::Type::scalar(t.elem, t.complex).text(), host.name));
      }
  }
  return {};
}

/// A module of the engine with what it has of its own.
Result<std::shared_ptr<ModuleState>> new_module(const std::shared_ptr<EngineState>& engine, const LoadOptions& own) {
  auto m = std::make_shared<ModuleState>();
  m->engine = engine;
  m->dialect = own.dialect.value_or(engine->options.dialect);
  m->target = own.target.value_or(engine->options.target);
  const bool fewer_threads = m->target == Target::Cpu && engine->options.target == Target::CpuParallel;
  if (m->target != engine->options.target && m->target != Target::Interp && !fewer_threads)
    return make_error(Code::Usage, fmt::format("a module for {} of an engine for {}", target_name(m->target),
                                               target_name(engine->options.target)));
  return m;
}

/// All steps after parsing.
Status finish_load(ModuleState& m) {
  {
    engine::Stage s("verify", m.info.verify_ms);
    if (m.dialect == ir::Dialect::Mclab) {
      auto strict = ir::from_mclab(*m.ir, &m.remarks);
      if (!strict) return strict.error();
      m.ir = std::move(*strict);
    }
    std::vector<Diagnostic> faults = ir::verify(*m.ir, m.engine->binding.conventions);
    if (!faults.empty()) return Error{Code::Verify, "", std::move(faults), {}};
  }
  if (Status has = check_elements(m); !has) return has;
  m.conventions = m.ir->attrs.resolve(m.engine->binding.conventions);
  if (Status found = find_externals(m); !found) return found;
  if (m.target == Target::Interp) return {};
  if (m.conventions.memory == ir::MemoryMode::Boehm && !runtime::start_collector())
    return make_error(Code::Unsupported,
                      "module '" + m.ir->name + "': `:memory boehm` needs a library built with VR_WITH_BOEHM (libgc)");
  if (m.engine->options.lazy) return {};
  return unit_of(m, nullptr)->compile();
}

/// Adds the module to those that the engine's report covers.
void remember(const std::shared_ptr<ModuleState>& m) {
  NoForkNow no_fork;
  std::lock_guard lock(m->engine->mutex);
  auto& modules = m->engine->modules;
  std::erase_if(modules, [](const auto& other) { return other.expired(); });
  modules.push_back(m);
}

std::vector<std::shared_ptr<engine::Unit>> units_of(const ModuleState& m) {
  NoForkNow no_fork;
  std::lock_guard lock(m.mutex);
  std::vector<std::shared_ptr<engine::Unit>> all;
  for (const auto& [name, unit] : m.units) all.push_back(unit);
  return all;
}

}  // namespace

void set_stack_bounds(void* low, size_t size) { tell_stack_bounds(low, size); }

// ---------------------------------------------------------------- Engine
namespace {
Result<std::shared_ptr<EngineState>> make_engine(const Options& options, const HostBinding& binding) {
  trace::start();
  settings::warn(pipeline::pass_names());
  auto state = std::make_shared<EngineState>();
  if (options.region_versions < 1)
    return make_error(Code::Usage, fmt::format("{} versions of a region are none", options.region_versions));
  if (options.compile_budget < 0)
    return make_error(Code::Usage, fmt::format("a compile budget of {} ms", options.compile_budget));
  if (options.opt_level < 0 || options.opt_level > 3)
    return make_error(Code::Usage, fmt::format("optimisation level {} is not one of 0, 1, 2, 3", options.opt_level));
  if (options.threads > most_threads)
    return make_error(Code::Usage, fmt::format("{} threads are more than {}", options.threads, most_threads));
  state->options = options;
  state->binding = binding;
  state->threads = engine::thread_count(options);
  state->debug = options.debug_info || codegen::llvm_backend::debug_wanted();
  state->generation = engine::process_generation();
  // Without an identity, code of another build could not be recognised. Dumps need the passes to run.
  if (options.target != Target::Interp && options.disk_cache && !settings::text(settings::Name::VR_DUMP) &&
      !engine::build_identity().empty())
    state->cache = engine::ObjectCache::from_environment();
  if (options.target == Target::OpenCL) {
    auto session = gpu::Session::open(options.device, options.disk_cache, options.devices);
    if (!session) return session.error();
    state->gpu = std::move(*session);
    const gpu::DeviceInfo& device = state->gpu->device_info();
    lower::suit_device(state->forms, {device.is_gpu, device.limits.max_group, device.local_bytes});
  }
  return state;
}
}  // namespace

Result<Engine> Engine::create(const Options& options, const HostBinding& binding) {
  try {
    auto state = make_engine(options, binding);
    if (!state) return state.error();
    return Engine(engine::held_by_host(std::move(*state)));
  } catch (const std::bad_alloc&) {
    return engine::no_memory();
  }
}

Result<Module> Engine::load(std::string_view text, const std::string& file) const { return load(text, file, {}); }
Result<Module> Engine::load(ir::ModulePtr module) const { return load(std::move(module), LoadOptions()); }

Result<Module> Engine::load(std::string_view text, const std::string& file, const LoadOptions& own) const {
  trace::Span span("engine", "load");
  return engine::guarded([&]() -> Result<Module> {
    span.note("file", file);
    auto made = new_module(state_, own);
    if (!made) return made.error();
    const std::shared_ptr<ModuleState>& m = *made;
    {
      engine::Stage s("parse", m->info.parse_ms);
      ir::ParseOptions o;
      o.dialect = m->dialect;
      o.file = file;
      o.conventions = state_->binding.conventions;
      auto parsed = ir::parse(text, o);
      if (!parsed) return parsed.error();
      m->ir = std::move(*parsed);
    }
    MemoryReserve::check();
    if (Status s = finish_load(*m); !s) return s.error();
    remember(m);
    return Module(m);
  });
}

namespace {
/// The whole file, or an error: a truncated file would be another program.
Result<std::string> read_file(const std::string& path) {
  auto cannot = [&](int error) {
    return make_error(error == ENOMEM ? Code::OutOfMemory : Code::NotFound,
                      fmt::format("{}: cannot be read: {}", path, std::strerror(error)));
  };
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rbe"), std::fclose);
  if (!file) return cannot(errno);
  std::string text;
  for (;;) {
    constexpr size_t step = size_t{1} << 16;
    const size_t before = text.size();
    text.resize(before + step);
    errno = 0;
    const size_t n = std::fread(text.data() + before, 1, step, file.get());
    text.resize(before + n);
    if (std::ferror(file.get())) return cannot(errno ? errno : EIO);
    if (n < step && std::feof(file.get())) return text;
  }
}
}  // namespace

Result<Module> Engine::load_file(const std::string& path) const {
  std::optional<Result<std::string>> text;
  try {
    text.emplace(read_file(path));
  } catch (const std::exception&) {  // bad_alloc, or a length that no string can have
    return engine::no_memory();
  }
  if (!*text) return text->error();
  return load(**text, path);
}

Result<Module> Engine::load(ir::ModulePtr module, const LoadOptions& own) const {
  if (!module) return make_error(Code::Usage, "no module given");
  trace::Span span("engine", "load");
  return engine::guarded([&]() -> Result<Module> {
    span.note("module", module->name);
    auto made = new_module(state_, own);
    if (!made) return made.error();
    const std::shared_ptr<ModuleState>& m = *made;
    m->ir = std::move(module);
    if (Status s = finish_load(*m); !s) return s.error();
    remember(m);
    return Module(m);
  });
}

const Options& Engine::options() const { return state_->options; }
DeviceUse Engine::device_use() const {
  if (!state_->gpu) return {};
  const gpu::Stats s = state_->gpu->stats();
  return {s.sections, s.launches, s.bytes_up, s.bytes_down, s.on_host, s.in_chunks, s.chunks, s.divided};
}
namespace {
/// Runs `work` with the descriptor of the value's array, read while the host's lock is held; the work runs without the
/// lock.
template <class Work>
Status with_array(const EngineState& e, const Value& value, Work&& work) {
  vr_array array = {};
  if (!value.object() || read_descriptor(e.binding, value.object(), &array) != VR_OK)
    return make_error(Code::Type, "only arrays can reside on a device");
  if (!e.gpu) return {};
  if (e.binding.release_lock) e.binding.release_lock(e.binding.context);
  Status s = work(*e.gpu, array);
  if (e.binding.take_lock) e.binding.take_lock(e.binding.context);
  return s;
}
}  // namespace

Status Engine::keep_on_device(const Value& array) const {
  return with_array(*state_, array, [](gpu::Session& gpu, const vr_array& a) { return gpu.keep(a); });
}
Status Engine::look_at(const Value& array, bool write) const {
  return with_array(*state_, array, [&](gpu::Session& gpu, const vr_array& a) { return gpu.look(a, write); });
}
Status Engine::drop_from_device(const Value& array) const {
  return with_array(*state_, array, [](gpu::Session& gpu, const vr_array& a) { return gpu.drop(a); });
}
Status Engine::forget_on_device(const Value& array) const {
  return with_array(*state_, array, [](gpu::Session& gpu, const vr_array& a) { return gpu.forget(a); });
}
std::vector<std::string> Engine::report() const {
  std::vector<std::shared_ptr<ModuleState>> modules;
  {
    NoForkNow no_fork;
    std::lock_guard lock(state_->mutex);
    for (const auto& m : state_->modules)
      if (auto alive = m.lock()) modules.push_back(std::move(alive));
  }
  std::vector<std::string> lines;
  for (const auto& m : modules)
    for (std::string& line : Module(m).report()) lines.push_back(std::move(line));
  return lines;
}
namespace {
/// The rule [extern-type] of the verifier, for the type that the host states.
Status check_external(const std::string& name, const ir::Type& type) {
  if (!type.is_function()) return make_error(Code::Usage, fmt::format("the type of '{}' is {}", name, type.text()));
  if (!ir::passes_only_values(type))
    return make_error(Code::Usage, fmt::format("'{}' cannot have type {}: parameters and results of host functions are "
                                               "numbers and arrays",
                                               name, type.text()));
  if (ir::passes_more_than(type, ir::max_external_values))
    return make_error(Code::Usage,
                      fmt::format("'{}' has more than {} parameters or results", name, ir::max_external_values));
  return {};
}
}  // namespace

Status Engine::bind(const std::string& name, const ir::Type& type, vr_external function, void* data,
                    void (*done)(void*)) const {
  try {
    auto bound = std::make_shared<const runtime::External>(function, data, done);
    if (!function) return make_error(Code::Usage, fmt::format("'{}' has no code", name));
    if (Status s = check_external(name, type); !s) return s;
    // its `done` callback is host code, so it must not run under the lock
    std::shared_ptr<const runtime::External> before;
    NoForkNow no_fork;
    std::lock_guard lock(state_->mutex);
    EngineState::Bound& b = state_->bound[name];
    before = std::move(b.function);
    b = {type, std::move(bound)};
    return {};
  } catch (const std::bad_alloc&) {
    return engine::no_memory();
  }
}
std::string Engine::device_name() const { return state_->gpu ? state_->gpu->device_info().text() : ""; }

// ---------------------------------------------------------------- Module
const std::string& Module::name() const { return state_->ir->name; }
const ir::Module& Module::ir() const { return *state_->ir; }
const std::vector<Diagnostic>& Module::remarks() const { return state_->remarks; }

CompileInfo Module::compile_info() const {
  CompileInfo sum = state_->info;
  const auto units = units_of(*state_);
  sum.from_cache = !units.empty();
  for (const auto& unit : units) {
    const CompileInfo part = unit->info();
    sum.from_cache = sum.from_cache && part.from_cache;
    for (double CompileInfo::* ms : {&CompileInfo::passes_ms, &CompileInfo::lower_ms, &CompileInfo::codegen_ms,
                                     &CompileInfo::optimise_ms, &CompileInfo::opencl_ms, &CompileInfo::background_ms})
      sum.*ms += part.*ms;
    sum.passes.insert(sum.passes.end(), part.passes.begin(), part.passes.end());
  }
  return sum;
}

std::vector<std::string> Module::report() const {
  std::vector<std::string> lines;
  for (const auto& unit : units_of(*state_))
    for (std::string& line : unit->report()) lines.push_back(std::move(line));
  for (std::string& line : state_->on_host.lines()) lines.push_back(std::move(line));
  return lines;
}

std::string RegionInfo::text() const {
  auto list = [](const char* what, const std::vector<std::string>& names) {
    return names.empty() ? std::string() : fmt::format(", {} {}", what, fmt::join(names, " "));
  };
  return fmt::format(
      "region {} of '{}'{}{}{}: {} version{} ({} bytes, {:.1f} ms, inference {:.1f} ms), calls: {} specialised, "
      "{} general; shapes known {} of {}, checks {} of {} left{}{}{}",
      number, source, place.empty() ? "" : " (" + place + ")", list("shapes", shapes), list("values", values), versions,
      versions == 1 ? "" : "s", bytes, compile_ms, inference_ms, hits, generic, array_uses_known, array_uses,
      checks_after, checks_before,
      dropped ? fmt::format("; {} version{} dropped: slower than the general code", dropped, dropped == 1 ? "" : "s")
              : "",
      stopped ? "; no further versions are compiled" : "", failure.empty() ? "" : "; " + failure);
}

std::vector<RegionInfo> Module::regions() const {
  std::vector<RegionInfo> all;
  for (const auto& unit : units_of(*state_))
    for (RegionInfo& r : unit->regions()) all.push_back(std::move(r));
  return all;
}

bool Module::optimised() const {
  const auto units = units_of(*state_);
  return std::all_of(units.begin(), units.end(), [](const auto& unit) { return unit->optimised(); });
}

void Module::wait() const {
  for (const auto& unit : units_of(*state_)) unit->wait();
}

namespace {
Result<std::shared_ptr<FunctionState>> find_function(const std::shared_ptr<ModuleState>& state,
                                                     const std::string& name) {
  const ir::Function* f = state->ir->find(name);
  if (!f) return make_error(Code::NotFound, fmt::format("module '{}' has no function '{}'", state->ir->name, name));
  auto s = std::make_shared<FunctionState>();
  s->module = state;
  s->ir = f;
  const ir::ModulePtr parts = ir::reachable(*state->ir, *f);
  for (const ir::FunctionPtr& part : parts->functions)
    ir::walk_stmts(part->body, [&](const ir::Stmt& stmt) {
      if (auto* l = ir::as<ir::StmtList>(&stmt); l && l->on_gpu) s->has_sections = true;
    });
  if (state->target != Target::Interp) {
    const auto unit = unit_of(*state, f);
    if (Status compiled = unit->compile(); !compiled) return compiled.error();
    s->entry = unit->entry(name);
    if (!s->entry || !*s->entry)
      return make_error(Code::Internal, fmt::format("no code was compiled for function '{}'", name));
  }
  return s;
}
}  // namespace

Result<Function> Module::function(const std::string& name) const {
  auto found = engine::guarded([&] { return find_function(state_, name); });
  if (!found) return found.error();
  return Function(std::move(*found));
}
Result<std::string> Module::dump(Dump what) const {
  if (state_->target == Target::Interp) return make_error(Code::Unsupported, "the interpreter generates no code");
  return engine::guarded(
      [&] { return engine::Unit(state_->engine->shared_from_this(), state_->ir, state_->conventions).dump(what); });
}
// ---------------------------------------------------------------- Function
const std::string& Function::name() const { return state_->ir->name; }
const ir::Type& Function::type() const { return state_->ir->type; }
const HostBinding& Function::host() const { return state_->module->engine->binding; }
vr_entry Function::entry() const { return state_->entry ? state_->entry->load(std::memory_order_acquire) : nullptr; }
Result<std::vector<Value>> Function::call(std::span<const Value> args) const {
  try {
    return engine::call(*state_, args);
  } catch (const std::bad_alloc&) {
    return engine::no_memory();
  }
}
Result<std::vector<Value>> Function::call_resident(std::span<const Value> args, int64_t group,
                                                   std::vector<bool>* resident) const {
  try {
    resident->clear();
    engine::Residence residence{group, *resident};
    return engine::call(*state_, args, &residence);
  } catch (const std::bad_alloc&) {
    return engine::no_memory();
  }
}
bool Function::on_device() const {
  return state_->has_sections && state_->module->engine->gpu && state_->module->target == Target::OpenCL;
}
Engine Function::engine() const { return Engine(state_->module->engine); }

}  // namespace vr
