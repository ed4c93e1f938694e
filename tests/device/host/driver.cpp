// The driver that VRruntime opens instead of that of a device of this machine.
#include "device/device_fixture.hpp"
#include "device/host/objects.hpp"
#include "support/file_cache.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace vr::test::host {

std::unique_ptr<device::Device> (*open_instead)() = nullptr;

HostKernel::HostKernel(std::shared_ptr<const lower::Module> module, const lower::Function& function)
    : module_(std::move(module)), function_(function) {
  size_t count = function.dims.size() + 1;
  for (const auto& param : function.params)
    count += param.array == lower::none ? (param.im == lower::none ? 1 : 2)
                                        : 2 + 2 * function.arrays[size_t(param.array)].extent.size();
  args_.resize(count);
}

void HostKernel::set(size_t index, const void* value, size_t bytes) {
  if (index >= args_.size()) throw device::Failure{Code::Device, "no argument " + std::to_string(index)};
  args_[index] = {true, std::string(static_cast<const char*>(value), bytes), nullptr, 0};
}

void HostKernel::set(size_t index, device::Buffer& buffer) {
  if (index >= args_.size()) throw device::Failure{Code::Device, "no argument " + std::to_string(index)};
  Lock lock(device_mutex());
  const auto& b = static_cast<HostBuffer&>(buffer);
  args_[index] = {true, "", &b, buffer_number(&b)};
}

std::function<void()> HostKernel::command(const device::Grid& grid) const {
  Lock lock(device_mutex());
  // Arguments are captured at the launch. The module is kept alive, since the kernel may be released before it runs.
  std::vector<Argument> all;
  for (size_t p = 0; p < args_.size(); ++p) {
    const Set& a = args_[p];
    if (!a.set) throw device::Failure{Code::Device, "argument " + std::to_string(p) + " was never set"};
    if (a.buffer && buffer_number(a.buffer) != a.number) {
      violation("argument " + std::to_string(p) + " of kernel '" + function_.name + "' is a buffer that is gone");
      all.push_back({"", std::make_shared<Memory>()});
      continue;
    }
    all.push_back({a.bytes, a.buffer ? a.buffer->memory() : nullptr});
  }
  std::array<int64_t, 3> first;
  for (size_t d = 0; d < 3; ++d) first[d] = int64_t(grid.offset[d]);
  first[0] = first[0] / std::max(function_.team, 1) * std::max(function_.points, 1);
  return [module = module_, f = &function_, all, first] { run_kernel(*f, all, first); };
}

namespace {

class HostProgram final : public device::Program, Live {
 public:
  explicit HostProgram(std::shared_ptr<const lower::Module> module) : module_(std::move(module)) {}
  std::unique_ptr<device::Kernel> kernel(const std::string& name) override {
    for (const auto& f : module_->functions)
      if (f->kind == lower::Function::Kind::Kernel && f->name == name) return std::make_unique<HostKernel>(module_, *f);
    throw device::Failure{Code::Device, "no kernel '" + name + "'"};
  }

 private:
  std::shared_ptr<const lower::Module> module_;
};

class HostPinned final : public device::Pinned, Live {
 public:
  explicit HostPinned(size_t bytes) : memory_(bytes) {}
  char* memory() override { return memory_.data(); }

 private:
  std::vector<char> memory_;
};

class HostDevice final : public device::Device, Live {
 public:
  explicit HostDevice(bool cpu) {
    info_.platform = "In-process";
    info_.name = "Host device";
    info_.version = "host";
    info_.driver = "1";
    info_.is_gpu = info_.separate_memory = info_.limits.group_memory_fast = !cpu;
    info_.is_cpu = cpu;
    info_.has_fp64 = info_.exact_fp32_divide = true;
    info_.limits.memory_bytes = int64_t{1} << 30;
    info_.limits.max_alloc_bytes = int64_t{1} << 28;
    info_.limits.group_memory_bytes = int64_t{1} << 15;
    info_.limits.max_group = 256;
    info_.limits.max_items[0] = info_.limits.max_items[1] = 256;
    info_.limits.max_items[2] = 64;
    info_.compute_units = 4;
  }
  const device::Info& info() const override { return info_; }
  std::unique_ptr<device::Buffer> allocate(size_t bytes, const void* contents) override {
    if (bytes == 0 || bytes > size_t(info_.limits.max_alloc_bytes))
      throw device::NoMemory{{Code::Device, "no buffer of " + device::mebibytes(int64_t(bytes))}, true};
    auto m = std::make_shared<Memory>();
    m->own.assign(bytes, char(0xcb));
    m->start = m->own.data();
    m->bytes = bytes;
    if (contents) std::memcpy(m->start, contents, bytes);
    return std::make_unique<HostBuffer>(std::move(m));
  }
  bool works_in_place() override { return info_.is_cpu; }
  std::unique_ptr<device::Buffer> wrap(void* memory, size_t bytes) override {
    auto m = std::make_shared<Memory>();
    m->start = static_cast<char*>(memory);
    m->bytes = bytes;
    return std::make_unique<HostBuffer>(std::move(m));
  }
  std::unique_ptr<device::Pinned> pin(size_t bytes) override { return std::make_unique<HostPinned>(bytes); }
  std::unique_ptr<device::Queue> make_queue(bool) override { return std::make_unique<HostQueue>(); }
  std::unique_ptr<device::Program> build(const std::string& source, const std::string&) override {
    auto module = find_program(source);
    if (!module) throw device::BuildRefused{{Code::Device, info_.text() + " has no program of the suite: " + source}};
    return std::make_unique<HostProgram>(std::move(module));
  }
  std::unique_ptr<device::Program> load(const std::string&, const std::string&) override { return nullptr; }

 private:
  device::Info info_;
};

/// Registers the programs of the test suite. Nothing may be left after the session is closed.
class Environment : public ::testing::Environment {
 public:
  Environment() {
    test::know_program = host::know_program;
    test::open_host_device = [] {
      if (open_instead) return open_instead();
      const char* kind = std::getenv("HOST_DEVICE");
      return open_device(kind && std::strcmp(kind, "cpu") == 0);
    };
  }
  ~Environment() override {
    // Runs after all environments have been torn down.
    if (live_objects() == 0) return;
    std::fprintf(stderr, "host device: %ld objects are left\n", live_objects());
    std::_Exit(1);
  }
};
const auto* const registered = ::testing::AddGlobalTestEnvironment(new Environment);

}  // namespace

std::unique_ptr<device::Device> open_device(bool cpu) { return std::make_unique<HostDevice>(cpu); }

}  // namespace vr::test::host
