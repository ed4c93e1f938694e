// Pipelines: a thread for the source and one for each stage, which hand the items on in order.
#include <velociraptor/pipeline.hpp>

#include "engine/state.hpp"

#include <fmt/format.h>

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <system_error>
#include <thread>

namespace vr {
namespace engine {
namespace {

using Values = PipelineStage::Values;

/// The values of an item, of which some arrays may be resident on the device. Those are let go at the latest at the
/// end.
class Cargo {
 public:
  Cargo() = default;
  explicit Cargo(Values values) : values_(std::move(values)) {}
  Cargo(Values values, const Engine& engine, std::vector<bool> resident)
      : values_(std::move(values)), engine_(engine), resident_(std::move(resident)) {
    resident_.resize(values_.size());
  }
  Cargo(Cargo&& o) noexcept
      : values_(std::move(o.values_)), engine_(std::move(o.engine_)), resident_(std::move(o.resident_)) {
    o.clear();
  }
  Cargo& operator=(Cargo&& o) noexcept {
    if (this == &o) return *this;
    (void)let_go(nullptr);
    values_ = std::move(o.values_);
    engine_ = std::move(o.engine_);
    resident_ = std::move(o.resident_);
    o.clear();
    return *this;
  }
  ~Cargo() { (void)let_go(nullptr); }

  const Values& values() const { return values_; }
  Values take() { return std::exchange(values_, {}); }
  /// Gives up the values, after they were used for `next`. What nobody else refers to is not copied back, nor is what
  /// remains resident as a value of `next`.
  Status let_go(const Cargo* next) {
    Status first;
    for (size_t k = 0; k < resident_.size(); ++k) {
      if (!resident_[k]) continue;
      const bool unneeded = values_[k].array().use_count() == 1 || (next && next->has(values_[k]));
      Status s = unneeded ? engine_->forget_on_device(values_[k]) : engine_->drop_from_device(values_[k]);
      if (!s && first) first = s;
      if (values_[k].array().use_count() == 1) values_[k] = Value();
    }
    clear();
    return first;
  }

 private:
  bool has(const Value& v) const {
    for (size_t k = 0; k < resident_.size(); ++k)
      if (resident_[k] && values_[k].object() == v.object()) return true;
    return false;
  }
  void clear() {
    values_.clear();
    resident_.clear();
  }
  Values values_;
  std::optional<Engine> engine_;  ///< of the resident arrays
  std::vector<bool> resident_;    ///< empty: none
};

/// What goes through the queues: an item, or why none comes any more.
struct Cell {
  int64_t item = 0;
  int64_t group = 0;  ///< of its resident arrays (Function::call_resident): of no other item
  Cargo cargo;
  bool last = false;  ///< no item: the end, or a failure
  std::optional<PipelineFailure> failure;
};

std::string types_text(const std::vector<ir::Type>& types) {
  std::string s;
  for (const ir::Type& t : types) s += (s.empty() ? "" : ", ") + t.text();
  return types.empty() ? "nothing" : s;
}

std::vector<ir::Type> results_of(const Function& f) {
  std::vector<ir::Type> out;
  for (const ir::Type& t : f.type().outputs())
    if (!t.is_void()) out.push_back(t);
  return out;
}

/// Whether a call accepts some value of this type; of numbers, it depends on the value.
bool may_take(const ir::Type& to, const ir::Type& from) {
  if (to.is_scalar() || from.is_scalar()) return to.is_scalar() && from.is_scalar();
  if (!to.is_array() || !from.is_array()) return false;
  if (to.elem != from.elem || to.complex != from.complex || to.rank != from.rank) return false;
  const ir::Layout made = from.layout == ir::Layout::Strided ? ir::Layout::RowMajor : from.layout;
  return to.layout == ir::Layout::Strided || to.rank < 2 || to.layout == made;
}

Status check_neighbours(size_t k, const Function& f, const Function& g) {
  const std::vector<ir::Type> given = results_of(f), &taken = g.type().components();
  bool fits = given.size() == taken.size();
  for (size_t j = 0; fits && j < given.size(); ++j) fits = may_take(taken[j], given[j]);
  if (fits) return {};
  return make_error(Code::Type, fmt::format("stage {} ('{}') gives {}, but stage {} ('{}') takes {}", k, f.name(),
                                            types_text(given), k + 1, g.name(), types_text(taken)));
}

/// Groups of resident arrays (Function::call_resident) of all items of the process.
int64_t new_group() {
  static std::atomic<int64_t> last{0};
  return ++last;
}

}  // namespace

struct RunState {
  std::shared_ptr<const std::vector<PipelineStage>> stages;
  Pipeline::Source source;
  const pid_t pid = getpid();
  std::mutex mutex;                               ///< protects all members below but those of the consumer
  std::condition_variable may_begin;              ///< the source: a place has become free
  std::deque<std::condition_variable> may_go_on;  ///< by stage, and the consumer's
  std::deque<std::deque<Cell>> waiting;           ///< likewise: items that it has not taken
  int places = 0;                                 ///< items that may still begin
  bool stopped = false;
  std::vector<std::thread> threads;
  // Of the thread that calls next().
  bool holds_item = false, ended = false;
  std::optional<PipelineFailure> failure;

  size_t count() const { return stages->size(); }
  void stop() {
    std::lock_guard lock(mutex);
    stopped = true;
    may_begin.notify_all();
    for (auto& c : may_go_on) c.notify_all();
  }
  void finish() {
    stop();
    for (std::thread& t : threads) t.join();
    threads.clear();
    waiting.clear();
  }
  void start_threads();
  std::optional<Cell> take(size_t k);
  bool give(size_t k, Cell cell);
  Cell from_source(int64_t item);
  Cell work(size_t k, Cell cell);
  Cell failed(int stage, int64_t item, Error error, std::exception_ptr exception = nullptr) const;
  void run_source();
  void run_stage(size_t k);
};

/// Waits for an item for stage k, or for the consumer if k is count(); empty: the run was stopped.
std::optional<Cell> RunState::take(size_t k) {
  std::unique_lock lock(mutex);
  may_go_on[k].wait(lock, [&] { return stopped || !waiting[k].empty(); });
  if (stopped) return {};
  Cell cell = std::move(waiting[k].front());
  waiting[k].pop_front();
  return cell;
}

/// False: the run was stopped. `places` limits how many cells wait.
bool RunState::give(size_t k, Cell cell) {
  std::lock_guard lock(mutex);
  if (stopped) return false;
  waiting[k].push_back(std::move(cell));
  may_go_on[k].notify_one();
  return true;
}

Cell RunState::failed(int stage, int64_t item, Error error, std::exception_ptr exception) const {
  const auto name = [&](int k) {
    return k == 0 ? "the source" : fmt::format("stage {} ('{}')", k, (*stages)[size_t(k) - 1].name());
  };
  std::string where = fmt::format("pipeline: {}, item {}", name(stage), item);
  if (error.code == Code::Type && stage > 0) where += fmt::format(", with what {} gave", name(stage - 1));
  error.message = error.message.empty() ? where : where + ": " + error.message;
  Cell cell;
  cell.item = item;
  cell.last = true;
  cell.failure = PipelineFailure{stage, stage == 0 ? "source" : (*stages)[size_t(stage) - 1].name(), item,
                                 std::move(error), std::move(exception)};
  return cell;
}

namespace {
/// Runs code of the host; what it throws becomes an error and the exception.
template <class Work>
auto guard_host(Work&& work, std::exception_ptr* exception) -> decltype(work()) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    *exception = std::current_exception();
    return make_error(Code::OutOfMemory, "no memory");
  } catch (const std::exception& e) {
    *exception = std::current_exception();
    return make_error(Code::Host, e.what());
  } catch (...) {
    *exception = std::current_exception();
    return make_error(Code::Host, "an exception of an unknown type");
  }
}
}  // namespace

Cell RunState::from_source(int64_t item) {
  std::exception_ptr exception;
  auto values = guard_host([&] { return source(); }, &exception);
  if (!values) return failed(0, item, values.error(), exception);
  Cell cell;
  cell.item = item;
  cell.group = new_group();
  cell.last = !*values;
  if (*values) cell.cargo = Cargo(std::move(**values));
  return cell;
}

/// The item after stage k, from 0.
Cell RunState::work(size_t k, Cell cell) {
  const PipelineStage& stage = (*stages)[k];
  const int number = static_cast<int>(k) + 1;
  if (!stage.function()) {
    std::exception_ptr exception;
    auto made = guard_host([&] { return stage.host()(cell.cargo.take()); }, &exception);
    if (!made) return failed(number, cell.item, made.error(), exception);
    cell.cargo = Cargo(std::move(*made));
    return cell;
  }
  const Function& f = *stage.function();
  const Engine engine = f.engine();
  const Function* next = k + 1 < count() && (*stages)[k + 1].function() ? &*(*stages)[k + 1].function() : nullptr;
  // Arrays are resident only where the next stage uses them on the device.
  const bool hand_over = f.on_device() && next && next->on_device() && next->engine() == engine;
  std::vector<bool> resident;
  auto made = hand_over ? f.call_resident(cell.cargo.values(), cell.group, &resident) : f.call(cell.cargo.values());
  if (!made) return failed(number, cell.item, made.error());
  Cargo after = hand_over ? Cargo(std::move(*made), engine, std::move(resident)) : Cargo(std::move(*made));
  if (Status s = cell.cargo.let_go(&after); !s) return failed(number, cell.item, s.error());
  cell.cargo = std::move(after);
  return cell;
}

void RunState::run_source() {
  for (int64_t item = 0;; ++item) {
    {
      std::unique_lock lock(mutex);
      may_begin.wait(lock, [&] { return stopped || places > 0; });
      if (stopped) return;
      --places;
    }
    Cell cell = from_source(item);
    const bool last = cell.last;
    if (!give(0, std::move(cell)) || last) return;
  }
}

void RunState::run_stage(size_t k) {
  while (std::optional<Cell> cell = take(k)) {
    if (!cell->last) *cell = work(k, std::move(*cell));
    const bool last = cell->last;
    if (!give(k + 1, std::move(*cell)) || last) return;
  }
}

/// Signals are left to the host's threads.
void RunState::start_threads() {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    threads.reserve(count() + 1);
    for (size_t k = 0; k < count(); ++k) threads.emplace_back([this, k] { run_stage(k); });
    threads.emplace_back([this] { run_source(); });
  } catch (...) {
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    throw;
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace engine

// ---------------------------------------------------------------- PipelineRun
PipelineRun::PipelineRun(std::unique_ptr<engine::RunState> s) : state_(std::move(s)) {}
PipelineRun::PipelineRun(PipelineRun&&) noexcept = default;
PipelineRun& PipelineRun::operator=(PipelineRun&& o) noexcept {
  PipelineRun old(std::move(*this));
  state_ = std::move(o.state_);
  return *this;
}
PipelineRun::~PipelineRun() {
  if (!state_) return;
  if (getpid() != state_->pid) {
    (void)state_.release();  // its threads do not exist here, and its mutex may be locked for ever
    return;
  }
  state_->finish();
}

Result<std::optional<PipelineStage::Values>> PipelineRun::next() {
  engine::RunState& s = *state_;
  if (getpid() != s.pid) return make_error(Code::Forked, "the pipeline's threads do not exist in the forked process");
  if (s.failure) return s.failure->error;
  if (s.ended) return std::optional<PipelineStage::Values>();
  if (std::exchange(s.holds_item, false)) {
    std::lock_guard lock(s.mutex);
    ++s.places;
    s.may_begin.notify_one();
  }
  std::optional<engine::Cell> cell = s.take(s.count());
  if (!cell) return make_error(Code::Interrupted, "the pipeline was stopped");
  if (!cell->last) {
    s.holds_item = true;
    return std::optional(cell->cargo.take());
  }
  s.ended = true;
  s.failure = std::move(cell->failure);
  s.finish();
  if (s.failure) return s.failure->error;
  return std::optional<PipelineStage::Values>();
}

void PipelineRun::stop() {
  if (getpid() == state_->pid) state_->stop();
}
const std::optional<PipelineFailure>& PipelineRun::failure() const { return state_->failure; }

// ---------------------------------------------------------------- Pipeline
Result<Pipeline> Pipeline::create(std::vector<PipelineStage> stages) {
  if (stages.empty()) return make_error(Code::Usage, "a pipeline without stages");
  for (size_t k = 0; k < stages.size(); ++k) {
    const PipelineStage& stage = stages[k];
    if (!stage.function()) {
      if (!stage.host())
        return make_error(Code::Usage, fmt::format("stage {} ('{}') has no code", k + 1, stage.name()));
      continue;
    }
    const HostBinding& host = stage.function()->state_->module->engine->binding;
    if (host.retain != builtin_binding().retain || host.take_lock)
      return make_error(Code::Unsupported, fmt::format("stage {} ('{}') works on arrays of host '{}', which need its "
                                                       "lock; a pipeline has threads that the host does not know",
                                                       k + 1, stage.name(), host.name));
    if (k > 0 && stages[k - 1].function())
      if (Status s = engine::check_neighbours(k, *stages[k - 1].function(), *stage.function()); !s) return s.error();
  }
  return Pipeline(std::make_shared<const std::vector<PipelineStage>>(std::move(stages)));
}

Result<PipelineRun> Pipeline::start(Source source, int in_flight) const {
  if (!source) return make_error(Code::Usage, "a pipeline without a source");
  if (in_flight < 1) return make_error(Code::Usage, fmt::format("{} items in flight are none", in_flight));
  auto state = std::make_unique<engine::RunState>();
  state->stages = stages_;
  state->source = std::move(source);
  state->places = in_flight;
  state->may_go_on.resize(stages_->size() + 1);
  state->waiting.resize(stages_->size() + 1);
  PipelineRun run(std::move(state));  // on failure it ends the threads that were started
  try {
    run.state_->start_threads();
  } catch (const std::system_error& e) {
    return make_error(Code::OutOfMemory, fmt::format("a thread of the pipeline cannot be started: {}", e.what()));
  }
  return run;
}

Status Pipeline::run(Source source, const Sink& sink, int in_flight) const {
  auto run = start(std::move(source), in_flight);
  if (!run) return run.error();
  while (true) {
    auto values = run->next();
    if (!values) return values.error();
    if (!*values) return {};
    if (Status s = sink(std::move(**values)); !s) return s;
  }
}

Result<std::vector<Pipeline::Values>> Pipeline::run(std::vector<Values> items, int in_flight) const {
  std::vector<Values> results;
  results.reserve(items.size());
  size_t k = 0;
  const Status s = run(
      [&]() -> Result<std::optional<Values>> {
        if (k == items.size()) return std::optional<Values>();
        return std::optional(std::move(items[k++]));
      },
      [&](Values values) -> Status {
        results.push_back(std::move(values));
        return {};
      },
      in_flight);
  if (!s) return s.error();
  return results;
}

}  // namespace vr
