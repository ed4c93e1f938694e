// Pipelines (the task graphs of Lime): compiled functions and host functions as stages that work on several items at
// once.
#pragma once
#include <velociraptor/engine.hpp>

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#pragma GCC visibility push(default)

namespace vr {

namespace engine {
struct RunState;
}

/// One stage: what makes an item's next values of its last ones. Copies refer to the same function.
class PipelineStage {
 public:
  using Values = std::vector<Value>;
  /// A host function. It is called on a thread of the pipeline, for one item at a time, in their order; it may throw.
  using Host = std::function<Result<Values>(Values)>;
  PipelineStage(Function f) : name_(f.name()), function_(std::move(f)) {}
  PipelineStage(std::string name, Host host) : name_(std::move(name)), host_(std::move(host)) {}
  const std::string& name() const { return name_; }
  const std::optional<Function>& function() const { return function_; }
  const Host& host() const { return host_; }

 private:
  std::string name_;
  std::optional<Function> function_;
  Host host_;
};

/// What ended a run.
struct PipelineFailure {
  int stage = 0;                 ///< from 1; 0: the source
  std::string name;              ///< of the stage
  int64_t item = 0;              ///< from 0
  Error error;                   ///< with the record of a compiled function's fault; its message names stage and item
  std::exception_ptr exception;  ///< what a host function or the source threw; null if it threw nothing
};

/// A pipeline that runs. Each stage and the source have a thread, which sleeps while it has nothing to do. next() may
/// be called by one thread at a time, stop() by any. The destructor stops the run and waits for the calls in progress.
/// Values that nobody took are released. In a forked child, next() fails with FORKED and the destructor waits for
/// nothing.
class PipelineRun {
 public:
  PipelineRun(PipelineRun&&) noexcept;
  PipelineRun& operator=(PipelineRun&&) noexcept;
  ~PipelineRun();
  /// The values of the next item, in the order of the source; empty at the end. Items before one that failed arrive
  /// before its error; after an error every call returns it again. An item counts as in flight until the next call.
  /// Error INTERRUPTED: stop() was called.
  Result<std::optional<PipelineStage::Values>> next();
  /// No stage begins another item, and next() returns at once. Running calls are not interrupted;
  /// HostBinding::interrupt interrupts them, and `poll` is then called on the stage's thread. Thread-safe.
  void stop();
  /// What ended the run; empty if nothing failed. To be called by the thread that calls next().
  const std::optional<PipelineFailure>& failure() const;

 private:
  friend class Pipeline;
  explicit PipelineRun(std::unique_ptr<engine::RunState> s);
  std::unique_ptr<engine::RunState> state_;
};

/// A chain of stages. While stage k works on item n, stage k-1 works on item n+1. Copies share their stages;
/// thread-safe, and several runs may be in progress at a time (host functions must then allow that).
///
/// Values go from stage to stage by reference. Between neighbouring functions of one engine whose sections run on a
/// device, new arrays stay in the device's memory and are not copied; all other stages get them in host memory.
class Pipeline {
 public:
  using Values = PipelineStage::Values;
  /// The values of the next item, or nothing at the end. Called on a thread of the run; may throw.
  using Source = std::function<Result<std::optional<Values>>()>;
  /// Called on the thread of run(); may throw.
  using Sink = std::function<Status(Values)>;

  /// Error USAGE: no stage, or one without code. TYPE: a function does not give what the function after it takes; other
  /// values are checked when they arrive. UNSUPPORTED: a function of an engine with arrays or a lock of its host.
  static Result<Pipeline> create(std::vector<PipelineStage> stages);
  const std::vector<PipelineStage>& stages() const { return *stages_; }

  /// in_flight: items that exist at the same time, from the call of the source that makes one until next() is called
  /// after its results were returned; at least 1 (else USAGE). OUT_OF_MEMORY: a thread could not be started.
  Result<PipelineRun> start(Source source, int in_flight = 3) const;
  /// Runs until the source ends; returns when all items have arrived in the sink. The first error ends the run.
  Status run(Source source, const Sink& sink, int in_flight = 3) const;
  /// The results of these items, in their order.
  Result<std::vector<Values>> run(std::vector<Values> items, int in_flight = 3) const;

 private:
  explicit Pipeline(std::shared_ptr<const std::vector<PipelineStage>> stages) : stages_(std::move(stages)) {}
  std::shared_ptr<const std::vector<PipelineStage>> stages_;
};

}  // namespace vr
#pragma GCC visibility pop
