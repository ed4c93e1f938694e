#include "runtime/gpu/opencl/programs.hpp"

#include "support/find_or_make.hpp"
#include "support/trace.hpp"

#include <chrono>

namespace vr::gpu {

cl::Kernel Program::take_kernel(const std::string& name) {
  std::lock_guard lock(mutex_);
  if (auto it = idle_.find(name); it != idle_.end()) {
    cl::Kernel kernel = std::move(it->second);
    idle_.erase(it);
    return kernel;
  }
  cl_int status = CL_SUCCESS;
  cl::Kernel kernel(clCreateKernel(program_.get(), name.c_str(), &status));
  if (status != CL_SUCCESS)
    throw cl::Failure{Code::Device, "kernel '" + name + "': clCreateKernel failed: " + cl::error_name(status)};
  return kernel;
}

void Program::give_kernel(const std::string& name, cl::Kernel kernel) {
  std::lock_guard lock(mutex_);
  idle_.emplace(name, std::move(kernel));
}

namespace {
/// Empty: the driver does not give it.
std::string binary_of(cl_program program) {
  size_t size = 0;
  if (clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr) != CL_SUCCESS || size == 0)
    return {};
  std::string binary(size, '\0');
  auto* bytes = reinterpret_cast<unsigned char*>(binary.data());
  if (clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, nullptr) != CL_SUCCESS) return {};
  return binary;
}

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
  std::lock_guard lock(program->mutex_);  // others that want this text wait here for the build, others do not
  if (!program->refused_.empty()) throw cl::Failure{Code::Device, program->refused_};
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
    throw cl::Failure{Code::Device, "device " + device_.info.text() + " has no float64, which this code uses"};
  const std::string exact = "-cl-fp32-correctly-rounded-divide-sqrt";
  if (const size_t at = options.find(exact); at != std::string::npos && !device_.exact_fp32_divide)
    options.erase(at, exact.size());

  trace::Span span("OpenCL", "build");
  span.note("bytes", static_cast<int64_t>(source.size()));
  const auto start = std::chrono::steady_clock::now();
  cl::Program program;
  if (const vr_kernel_binary* given = binary_for(device_.info, binaries))
    program = from_binary(given->bytes, size_t(given->size), options);
  std::string key;
  if (!program && binaries_.enabled()) {
    key = "OpenCL program\n" + device_.info.identity() + '\n' + options + '\n' + source;
    if (const std::optional<std::string> kept = binaries_.find(key))
      program = from_binary(kept->data(), kept->size(), options);
  }
  const bool loaded = bool(program);
  if (!loaded) {
    program = from_source(source, options, p);
    if (!key.empty())
      if (const std::string binary = binary_of(program.get()); !binary.empty()) binaries_.store(key, binary);
  }
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
  p.program_ = std::move(program);
  std::lock_guard lock(mutex_);
  ++(loaded ? loads_ : builds_);
  build_ms_ += took.count();
}

cl::Program Programs::from_source(const std::string& source, const std::string& options, Program& of) const {
  const char* text = source.c_str();
  const size_t length = source.size();
  cl_int status = CL_SUCCESS;
  cl::Program program(clCreateProgramWithSource(device_.context.get(), 1, &text, &length, &status));
  cl::check(status, "clCreateProgramWithSource");
  status = clBuildProgram(program.get(), 1, &device_.id, options.c_str(), nullptr, nullptr);
  if (status == CL_SUCCESS) return program;
  std::string log;
  size_t bytes = 0;
  if (clGetProgramBuildInfo(program.get(), device_.id, CL_PROGRAM_BUILD_LOG, 0, nullptr, &bytes) == CL_SUCCESS) {
    log.resize(bytes);
    clGetProgramBuildInfo(program.get(), device_.id, CL_PROGRAM_BUILD_LOG, bytes, log.data(), nullptr);
    while (!log.empty() && (log.back() == '\0' || log.back() == '\n')) log.pop_back();
  }
  const std::string why = "clBuildProgram failed on " + device_.info.text() + ": " + cl::error_name(status) +
                          (log.empty() ? "" : "\n" + log);
  if (status == CL_BUILD_PROGRAM_FAILURE && ++of.refusals_ > 1) of.refused_ = why;
  throw cl::Failure{Code::Device, why};
}

/// Empty if the driver does not accept it.
cl::Program Programs::from_binary(const void* binary, size_t size, const std::string& options) const {
  if (size == 0) return {};
  const auto* bytes = static_cast<const unsigned char*>(binary);
  cl_int taken = CL_SUCCESS, status = CL_SUCCESS;
  cl::Program program(clCreateProgramWithBinary(device_.context.get(), 1, &device_.id, &size, &bytes, &taken, &status));
  if (status != CL_SUCCESS || taken != CL_SUCCESS ||
      clBuildProgram(program.get(), 1, &device_.id, options.c_str(), nullptr, nullptr) != CL_SUCCESS)
    return {};
  return program;
}

std::string Programs::compile(const std::string& source, const std::string& options) {
  const std::shared_ptr<Program> program = get(source, options);
  std::string binary = binary_of(program->program_.get());
  if (binary.empty()) throw cl::Failure{Code::Device, "the driver of " + device_.info.text() + " gives no binaries"};
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
