#include "runtime/device/cuda/program.hpp"

#include "runtime/device/cuda/queue.hpp"

#include <cstring>

namespace vr::device::cuda {

Module::~Module() {
  try {
    const Current current = context->enter();
    context->api().module_unload(module);
  } catch (const Failure&) {}  // the context is gone, and the module with it
}

namespace {
/// Whether the code says that the text cannot be loaded: invalid image, no binary for the device, invalid PTX, no
/// compiler of PTX, PTX of a later version, invalid source.
bool rejects_text(CUresult code) {
  for (const CUresult rejected : {200, 209, 218, 221, 222, 300})
    if (code == rejected) return true;
  return false;
}
}  // namespace

CuProgram::CuProgram(ContextPtr context, std::string text, const std::string& on) : text_(std::move(text)) {
  const Api& api = context->api();
  const Current current = context->enter();
  constexpr uintptr_t log_bytes = 8192;
  std::string log(log_bytes, '\0');
  const int options[] = {jit_error_log, jit_log_bytes};
  void* values[] = {log.data(), reinterpret_cast<void*>(log_bytes)};
  CUmodule module = nullptr;
  const auto refuse = [&](const std::string& call, CUresult code) {
    log.resize(std::strlen(log.c_str()));
    while (!log.empty() && (log.back() == '\n' || log.back() == ' ')) log.pop_back();
    if (!rejects_text(code)) api.fail(call, code);
    throw BuildRefused{
        {Code::Device, call + " failed on " + on + ": " + api.error(code) + (log.empty() ? "" : "\n" + log)}};
  };
  if (const CUresult code = api.module_load(&module, text_.c_str(), 2, options, values); code != success)
    refuse("cuModuleLoadDataEx", code);
  module_ = std::make_shared<const Module>(std::move(context), module);
  for (Entry& entry : entries(text_)) {
    // Where CUDA loads functions when they are asked for, what is wrong with one is reported here.
    CUfunction function = nullptr;
    if (const CUresult code = api.module_function(&function, module, entry.name.c_str()); code != success)
      refuse("kernel '" + entry.name + "': cuModuleGetFunction", code);
    std::string name = entry.name;
    functions_.emplace(std::move(name), Function{function, std::move(entry)});
  }
}

std::unique_ptr<Kernel> CuProgram::kernel(const std::string& name) {
  const auto found = functions_.find(name);
  if (found == functions_.end())
    throw Failure{Code::Device, "kernel '" + name + "': the program has no kernel of this name"};
  return std::make_unique<CuKernel>(module_, found->second.function, found->second.entry);
}

CuKernel::CuKernel(std::shared_ptr<const Module> module, CUfunction function, const Entry& entry)
    : module_(std::move(module)),
      function_(function),
      name_(entry.name),
      parameters_(entry.parameters),
      values_(parameters_.size()),
      pointers_(parameters_.size() + 1) {}

void CuKernel::refuse(const std::string& why) const { throw Failure{Code::Device, "kernel '" + name_ + "': " + why}; }

int CuKernel::attribute(FunctionAttribute what) const {
  const Context& context = *module_->context;
  const Current current = context.enter();
  int value = 0;
  context.api().check(context.api().function_attribute(&value, what, function_), "cuFuncGetAttribute");
  return value;
}

std::vector<unsigned char>& CuKernel::place(size_t index, size_t bytes, bool pointer) {
  if (index >= parameters_.size())
    refuse("there is no argument " + std::to_string(index) + " of " + std::to_string(parameters_.size()));
  const Parameter& p = parameters_[index];
  if (p.pointer != pointer || p.bytes != bytes)
    refuse("argument " + std::to_string(index) + " is " +
           (p.pointer ? "a buffer" : std::to_string(p.bytes) + " bytes") + ", not " +
           (pointer ? "a buffer" : std::to_string(bytes) + " bytes"));
  values_[index].resize(bytes);
  pointers_[index] = values_[index].data();
  return values_[index];
}

void CuKernel::set(size_t index, const void* value, size_t bytes) {
  std::memcpy(place(index, bytes, false).data(), value, bytes);
}

void CuKernel::set(size_t index, Buffer& buffer) {
  const CUdeviceptr address = static_cast<const CuBuffer&>(buffer).address();
  std::memcpy(place(index, sizeof address, true).data(), &address, sizeof address);
}

void** CuKernel::arguments(Environment& environment) {
  for (size_t k = 0; k < values_.size(); ++k)
    if (values_[k].empty()) refuse("argument " + std::to_string(k) + " was never set");
  pointers_.back() = &environment;
  return pointers_.data();
}

}  // namespace vr::device::cuda
