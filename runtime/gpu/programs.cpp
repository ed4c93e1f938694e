#include "runtime/gpu/programs.hpp"

#include "support/find_or_make.hpp"
#include "support/trace.hpp"

#include <chrono>

namespace vr::gpu {

std::unique_ptr<device::Kernel> Program::take_kernel(const std::string& name) {
  std::lock_guard lock(mutex_);
  if (auto it = idle_.find(name); it != idle_.end()) {
    std::unique_ptr<device::Kernel> kernel = std::move(it->second);
    idle_.erase(it);
    return kernel;
  }
  return program_->kernel(name);
}

void Program::give_kernel(const std::string& name, std::unique_ptr<device::Kernel> kernel) {
  std::lock_guard lock(mutex_);
  idle_.emplace(name, std::move(kernel));
}

namespace {
const vr_kernel_binary* binary_for(const DeviceInfo& device, const vr_kernel_binary* binaries) {
  if (!binaries) return nullptr;
  const std::string identity = device.identity();
  for (; binaries->device; ++binaries)
    if (identity == binaries->device) return binaries;
  return nullptr;
}
}  // namespace

std::shared_ptr<Program> Programs::get(const std::string& source, const std::string& options,
                                       const vr_kernel_binary* binaries) {
  std::shared_ptr<Program> program;
  {
    std::lock_guard lock(mutex_);
    program = find_or_make(programs_, options + '\n' + source, [] { return std::make_shared<Program>(); });
  }
  // other threads that need this text wait here for the build, all others do not wait
  std::lock_guard lock(program->mutex_);
  if (!program->refused_.empty()) throw device::Failure{Code::Device, program->refused_};
  if (program->program_) {
    std::lock_guard counts(mutex_);
    ++hits_;
  } else {
    build(*program, source, options, binaries);
  }
  return program;
}

void Programs::build(Program& p, const std::string& source, std::string options, const vr_kernel_binary* binaries) {
  p.needs_fp64_ = source.find("cl_khr_fp64") != std::string::npos;
  if (p.needs_fp64_ && !device_.info.has_fp64)
    throw device::Failure{Code::Device, "device " + device_.info.text() + " has no float64, which this code uses"};
  const std::string exact = "-cl-fp32-correctly-rounded-divide-sqrt";
  if (const size_t at = options.find(exact); at != std::string::npos && !device_.info.exact_fp32_divide)
    options.erase(at, exact.size());

  trace::Span span("OpenCL", "build");
  span.note("bytes", static_cast<int64_t>(source.size()));
  const auto start = std::chrono::steady_clock::now();
  std::unique_ptr<device::Program> program;
  const vr_kernel_binary* given = binary_for(device_.info, binaries);
  if (given && given->size > 0)
    program = device_.driver->load(std::string(static_cast<const char*>(given->bytes), size_t(given->size)), options);
  std::string key;
  if (!program && binaries_.enabled()) {
    key = "OpenCL program\n" + device_.info.identity() + '\n' + options + '\n' + source;
    if (const std::optional<std::string> kept = binaries_.find(key); kept && !kept->empty())
      program = device_.driver->load(*kept, options);
  }
  const bool loaded = bool(program);
  if (!loaded) {
    program = from_source(source, options, p);
    if (!key.empty())
      if (const std::string binary = program->binary(); !binary.empty()) binaries_.store(key, binary);
  }
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
  p.program_ = std::move(program);
  std::lock_guard lock(mutex_);
  ++(loaded ? loads_ : builds_);
  build_ms_ += took.count();
}

std::unique_ptr<device::Program> Programs::from_source(const std::string& source, const std::string& options,
                                                       Program& of) const {
  try {
    return device_.driver->build(source, options);
  } catch (const device::BuildRefused& refused) {
    if (++of.refusals_ > 1) of.refused_ = refused.message;
    throw;
  }
}

std::string Programs::compile(const std::string& source, const std::string& options) {
  std::string binary = get(source, options)->program_->binary();
  if (binary.empty())
    throw device::Failure{Code::Device, "the driver of " + device_.info.text() + " gives no binaries"};
  return binary;
}

void Programs::add_to(Stats& stats) const {
  std::lock_guard lock(mutex_);
  stats.builds += builds_;
  stats.build_hits += hits_;
  stats.binary_loads += loads_;
  stats.build_ms += build_ms_;
}

}  // namespace vr::gpu
