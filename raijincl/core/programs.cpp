#include "core/programs.hpp"

#include "core/error.hpp"

namespace raijincl {

struct ProgramEntry {
  std::mutex mutex;
  bool tried = false;
  Status status = Status::Ok;
  std::string error;
  ProgramHandle program;
  std::vector<KernelHandle> idle;
};

Source& Source::define(const char* name, long long value) { return define(name, std::to_string(value)); }
Source& Source::define(const char* name, const std::string& value) {
  text_ += std::string("#define ") + name + " " + value + "\n";
  return *this;
}
Source& Source::undef(const char* name) {
  text_ += std::string("#undef ") + name + "\n";
  return *this;
}
Source& Source::file(const char* name) {
  text_ += kernel_source(name);
  return *this;
}

Programs::Programs(cl_context c, cl_device_id d) : context_(c), device_(d) {}
Programs::~Programs() = default;

Programs::Lease::~Lease() {
  if (entry_ && kernel_) {
    std::lock_guard lock(entry_->mutex);
    entry_->idle.push_back(std::move(kernel_));
  }
}

Status Programs::get(const Source& source, const char* kernel, Lease& lease, const char* options) {
  ProgramEntry* e;
  {
    std::lock_guard lock(mutex_);
    auto& slot = entries_[std::string(kernel) + "\n" + options + "\n" + source.text()];
    if (!slot) slot = std::make_unique<ProgramEntry>();
    e = slot.get();
  }
  std::lock_guard lock(e->mutex);
  cl_int err;
  if (!e->tried) {
    e->tried = true;
    const char* text = source.text().c_str();
    *e->program.out() = clCreateProgramWithSource(context_, 1, &text, nullptr, &err);
    if (err == CL_SUCCESS) err = clBuildProgram(e->program.get(), 1, &device_, options, nullptr, nullptr);
    if (err != CL_SUCCESS) {
      e->status = fail_cl("clBuildProgram", err, Status::BuildFailed);
      if (e->status == Status::OutOfMemory && err != CL_OUT_OF_HOST_MEMORY) e->status = Status::BuildFailed;
      std::size_t size = 0;
      if (e->program) clGetProgramBuildInfo(e->program.get(), device_, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size);
      std::string log(size, '\0');
      if (size) clGetProgramBuildInfo(e->program.get(), device_, CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr);
      e->error = last_error() + "\n" + log.c_str();
      e->program.reset();
    } else {
      ++built_;
    }
  }
  if (e->status != Status::Ok) return fail(e->status, e->error);
  lease.entry_ = e;
  if (!e->idle.empty()) {
    lease.kernel_ = std::move(e->idle.back());
    e->idle.pop_back();
    return Status::Ok;
  }
  cl_kernel k = clCreateKernel(e->program.get(), kernel, &err);
  if (err != CL_SUCCESS) return fail_cl("clCreateKernel", err);
  lease.kernel_ = KernelHandle(k);
  return Status::Ok;
}

}  // namespace raijincl
