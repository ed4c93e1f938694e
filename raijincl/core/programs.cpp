#include "core/programs.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

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

Source& Source::define(const char* name, long long value) {
  char digits[24];
  *std::to_chars(digits, digits + sizeof digits - 1, value).ptr = '\0';
  key_.append("#define ").append(name).append(" ").append(digits).append("\n");
  return *this;
}
Source& Source::define(const char* name, const std::string& value) {
  key_.append("#define ").append(name).append(" ").append(value).append("\n");
  return *this;
}
Source& Source::undef(const char* name) {
  key_.append("#undef ").append(name).append("\n");
  return *this;
}
Source& Source::file(const char* name) {
  key_.append("#file ").append(name).append("\n");
  return *this;
}
std::string Source::text() const {
  constexpr std::string_view mark = "#file ";
  std::string out;
  for (std::size_t at = 0; at < key_.size();) {
    const std::size_t end = key_.find('\n', at);
    if (key_.compare(at, mark.size(), mark) == 0) {
      out += kernel_source(key_.substr(at + mark.size(), end - at - mark.size()).c_str());
    } else {
      out.append(key_, at, end - at + 1);
    }
    at = end + 1;
  }
  return out;
}

namespace {
std::string build_log(cl_program p, cl_device_id d) {
  std::size_t size = 0;
  if (p) clGetProgramBuildInfo(p, d, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size);
  std::string log(size, '\0');
  if (size) clGetProgramBuildInfo(p, d, CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr);
  return log.c_str();
}
}  // namespace

Programs::Programs(cl_context c, cl_device_id d, const Options& o) : context_(c), device_(d), options_(o) {}
Programs::~Programs() = default;

Programs::Lease::~Lease() {
  if (entry_ && kernel_) {
    std::lock_guard lock(entry_->mutex);
    entry_->idle.push_back(std::move(kernel_));
  }
}

bool Programs::load(const std::string& key, const char* options, ProgramHandle& out) {
  std::vector<unsigned char> binary;
  if (!options_.load_program || !options_.load_program(key, binary) || binary.empty()) return false;
  const unsigned char* data = binary.data();
  const std::size_t size = binary.size();
  cl_int status = CL_SUCCESS, err = CL_SUCCESS;
  *out.out() = clCreateProgramWithBinary(context_, 1, &device_, &size, &data, &status, &err);
  if (err == CL_SUCCESS && status == CL_SUCCESS)
    err = clBuildProgram(out.get(), 1, &device_, options, nullptr, nullptr);
  if (err == CL_SUCCESS && status == CL_SUCCESS) return true;
  out.reset();
  return false;
}

void Programs::store(const std::string& key, cl_program p) const {
  if (!options_.store_program) return;
  std::size_t size = 0;
  if (clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr) != CL_SUCCESS || !size) return;
  std::vector<unsigned char> binary(size);
  unsigned char* data = binary.data();
  if (clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof data, &data, nullptr) == CL_SUCCESS)
    options_.store_program(key, binary);
}

// NVIDIA's compiler builds OpenCL C for sm_90, without the instructions that only sm_90a has. A program's binary is
// PTX, which the driver accepts for both targets. Sources contain these instructions as comments in inline assembly:
// this function removes the comment signs from the PTX, changes the target and builds the result.
bool Programs::for_newer_target(ProgramHandle& p, const char* options, std::string& error) const {
  const std::string target = ".target sm_90", sign = "//@";
  std::string text;
  std::size_t size = 0;
  if (clGetProgramInfo(p.get(), CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr) == CL_SUCCESS) {
    text.resize(size);
    unsigned char* data = reinterpret_cast<unsigned char*>(text.data());
    if (clGetProgramInfo(p.get(), CL_PROGRAM_BINARIES, sizeof data, &data, nullptr) != CL_SUCCESS) text.clear();
  }
  const std::size_t at = text.find(target);
  if (at == std::string::npos || text.find(sign) == std::string::npos || text.compare(at + target.size(), 1, "a") == 0)
    return error = "the driver's programs are not PTX for sm_90", false;
  text.insert(at + target.size(), "a");
  std::string out;
  out.reserve(text.size());
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t next = std::min(text.find(sign, from), text.size());
    out.append(text, from, next - from);
    from = next + sign.size();
  }
  const unsigned char* data = reinterpret_cast<const unsigned char*>(out.data());
  size = out.size();
  cl_int status = CL_SUCCESS, err = CL_SUCCESS;
  *p.out() = clCreateProgramWithBinary(context_, 1, &device_, &size, &data, &status, &err);
  if (err == CL_SUCCESS) err = status;
  if (err == CL_SUCCESS) err = clBuildProgram(p.get(), 1, &device_, options, nullptr, nullptr);
  if (err != CL_SUCCESS) error = "the program for sm_90a is refused: " + build_log(p.get(), device_);
  return err == CL_SUCCESS;
}

Status Programs::get(const Source& source, const char* kernel, Lease& lease, const char* options) {
  ProgramEntry* e;
  {
    std::lock_guard lock(mutex_);
    auto& slot = entries_[std::string(kernel) + "\n" + options + "\n" + source.key()];
    if (!slot) slot = std::make_unique<ProgramEntry>();
    e = slot.get();
  }
  std::lock_guard lock(e->mutex);
  cl_int err;
  if (!e->tried) {
    e->tried = true;
    const std::string whole = source.text();
    std::string key;
    if (options_.load_program || options_.store_program) {
      for (cl_device_info what : {CL_DEVICE_NAME, CL_DEVICE_VERSION, CL_DRIVER_VERSION}) {
        char text[512] = "";
        clGetDeviceInfo(device_, what, sizeof text, text, nullptr);
        key += std::string(text) + "\n";
      }
      key += std::string(options) + "\n" + whole;
    }
    if (load(key, options, e->program)) {
      ++loaded_;
    } else {
      const char* text = whole.c_str();
      *e->program.out() = clCreateProgramWithSource(context_, 1, &text, nullptr, &err);
      if (err == CL_SUCCESS) err = clBuildProgram(e->program.get(), 1, &device_, options, nullptr, nullptr);
      if (err != CL_SUCCESS) {
        e->status = fail_cl("clBuildProgram", err, Status::BuildFailed);
        if (e->status == Status::OutOfMemory && err != CL_OUT_OF_HOST_MEMORY) e->status = Status::BuildFailed;
        e->error = last_error() + "\n" + build_log(e->program.get(), device_);
        e->program.reset();
      } else if (whole.find("\"//@") != std::string::npos && !for_newer_target(e->program, options, e->error)) {
        e->status = Status::BuildFailed;
        e->program.reset();
      } else {
        ++built_;
        store(key, e->program.get());
      }
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
