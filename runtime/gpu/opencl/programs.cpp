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

std::shared_ptr<Program> Programs::get(const std::string& source, const std::string& options) {
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
    build(*program, source, options);
  }
  return program;
}

void Programs::build(Program& p, const std::string& source, std::string options) {
  p.needs_fp64_ = source.find("cl_khr_fp64") != std::string::npos;
  if (p.needs_fp64_ && !device_.info.has_fp64)
    throw cl::Failure{Code::Device, "device " + device_.info.text() + " has no float64, which this code uses"};
  const std::string exact = "-cl-fp32-correctly-rounded-divide-sqrt";
  if (const size_t at = options.find(exact); at != std::string::npos && !device_.exact_fp32_divide)
    options.erase(at, exact.size());

  trace::Span span("OpenCL", "build");
  span.note("bytes", static_cast<int64_t>(source.size()));
  const auto start = std::chrono::steady_clock::now();
  // All that a binary depends on; a driver that was exchanged has another version.
  std::string key;
  if (binaries_.enabled())
    key = "OpenCL program\n" + device_.info.platform + '\n' + device_.info.name + '\n' + device_.info.version + '\n' +
          device_.info.driver + '\n' + options + '\n' + source;
  cl::Program program = key.empty() ? cl::Program() : from_binary(key, options);
  const bool loaded = bool(program);
  if (!loaded) {
    program = from_source(source, options, p);
    if (!key.empty()) keep_binary(key, program.get());
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

/// Empty if there is no binary or the driver does not accept it.
cl::Program Programs::from_binary(const std::string& key, const std::string& options) const {
  const std::optional<std::string> binary = binaries_.find(key);
  if (!binary || binary->empty()) return {};
  const auto* bytes = reinterpret_cast<const unsigned char*>(binary->data());
  const size_t length = binary->size();
  cl_int taken = CL_SUCCESS, status = CL_SUCCESS;
  cl::Program program(
      clCreateProgramWithBinary(device_.context.get(), 1, &device_.id, &length, &bytes, &taken, &status));
  if (status != CL_SUCCESS || taken != CL_SUCCESS ||
      clBuildProgram(program.get(), 1, &device_.id, options.c_str(), nullptr, nullptr) != CL_SUCCESS)
    return {};
  return program;
}

void Programs::keep_binary(const std::string& key, cl_program program) const {
  size_t size = 0;
  if (clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr) != CL_SUCCESS || size == 0)
    return;
  std::string binary(size, '\0');
  auto* bytes = reinterpret_cast<unsigned char*>(binary.data());
  if (clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, nullptr) == CL_SUCCESS)
    binaries_.store(key, binary);
}

void Programs::add_to(Stats& stats) const {
  std::lock_guard lock(mutex_);
  stats.builds += builds_;
  stats.build_hits += hits_;
  stats.binary_loads += loads_;
  stats.build_ms += build_ms_;
}

}  // namespace vr::gpu
