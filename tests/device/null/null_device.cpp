#include "device/null/null_device.hpp"

#include "runtime/carried.hpp"

namespace vr::test {
namespace {

using Counts = std::shared_ptr<NullCounts>;

struct Object {
  explicit Object(Counts c) : counts(std::move(c)) { ++counts->objects; }
  Object(const Object&) = delete;
  ~Object() { --counts->objects; }
  Counts counts;
};

class NullBuffer final : public device::Buffer, Object {
 public:
  NullBuffer(Counts c, size_t bytes) : Object(std::move(c)), size(bytes) {
    ++counts->buffers;
    const int64_t now = counts->bytes += int64_t(bytes);
    if (now > counts->most_bytes) counts->most_bytes = now;
  }
  ~NullBuffer() override {
    --counts->buffers;
    counts->bytes -= int64_t(size);
  }
  const size_t size;
};

class NullEvent final : public device::Event, Object {
 public:
  using Object::Object;
  std::string wait() override {
    ++counts->waits;
    return "";
  }
};

class NullKernel final : public device::Kernel, Object {
 public:
  NullKernel(Counts c, size_t arguments, size_t max_group)
      : Object(std::move(c)), set_(arguments), max_group_(max_group) {}
  size_t argument_count() const override { return set_.size(); }
  size_t max_group() const override { return max_group_; }
  size_t group_memory_bytes() const override { return 0; }
  void set(size_t index, const void*, size_t) override { set_argument(index); }
  void set(size_t index, device::Buffer&) override { set_argument(index); }
  void check() const {
    for (const bool set : set_)
      if (!set) throw device::Failure{Code::Device, "an argument was never set"};
  }

 private:
  void set_argument(size_t index) {
    if (index >= set_.size()) throw device::Failure{Code::Device, "no argument " + std::to_string(index)};
    set_[index] = true;
  }
  std::vector<bool> set_;
  size_t max_group_;
};

class NullProgram final : public device::Program, Object {
 public:
  NullProgram(Counts c, std::string source, bool carried, size_t max_group)
      : Object(std::move(c)), source_(std::move(source)), carried_(carried), max_group_(max_group) {}
  std::unique_ptr<device::Kernel> kernel(const std::string& name) override {
    const size_t start = source_.find(" " + name + "(");
    if (start == std::string::npos) throw device::Failure{Code::Device, "no kernel '" + name + "'"};
    size_t arguments = 1;
    int depth = 0;
    for (size_t at = start + name.size() + 1; at < source_.size(); ++at) {
      if (source_[at] == '(') ++depth;
      if (source_[at] == ',' && depth == 1) ++arguments;
      if (source_[at] == ')' && --depth == 0) break;
    }
    return std::make_unique<NullKernel>(counts, arguments + (carried_ ? 3 : 0), max_group_);
  }

 private:
  std::string source_;
  bool carried_;  ///< of a reduction that runs in parts: three more arguments
  size_t max_group_;
};

class NullQueue final : public device::Queue, Object {
 public:
  using Object::Object;
  void copy_up(device::Buffer& to, const device::Rows<const void>& from, device::EventPtr* event) override {
    need(to, from.offset, (from.rows - 1) * from.stride + from.run);
    ++counts->copies_up;
    counts->bytes_up += int64_t(from.run * from.rows);
    give(event);
  }
  void copy_down(device::Buffer& from, const device::Rows<void>& to) override { start_copy_down(from, to, nullptr); }
  void start_copy_down(device::Buffer& from, const device::Rows<void>& to, device::EventPtr* event) override {
    need(from, to.offset, (to.rows - 1) * to.stride + to.run);
    ++counts->copies_down;
    counts->bytes_down += int64_t(to.run * to.rows);
    give(event);
  }
  void copy(device::Buffer& from, size_t from_offset, device::Buffer& to, size_t to_offset, size_t bytes, device::Waits,
            device::EventPtr* event) override {
    need(from, from_offset, bytes);
    need(to, to_offset, bytes);
    ++counts->copies;
    give(event);
  }
  void fill(device::Buffer& to, size_t offset, size_t bytes, unsigned char, device::EventPtr* event) override {
    need(to, offset, bytes);
    if (counts->broken) throw device::Failure{Code::Device, "the device is broken"};
    ++counts->fills;
    give(event);
  }
  void launch(device::Kernel& kernel, const device::Grid& grid, device::Waits, device::EventPtr* event) override {
    static_cast<NullKernel&>(kernel).check();
    if (counts->broken) throw device::Failure{Code::Device, "the device is broken"};
    ++counts->launches;
    counts->group = int64_t(grid.local[0] * grid.local[1] * grid.local[2]);
    give(event);
  }
  device::EventPtr marker() override { return std::make_shared<NullEvent>(counts); }
  void barrier(device::Waits) override {}
  void* map(device::Buffer&, size_t) override { throw device::Failure{Code::Device, "nothing is in place"}; }
  void unmap(device::Buffer&, void*) override {}
  void flush() override {}
  void finish() override { ++counts->waits; }

 private:
  static void need(device::Buffer& b, size_t offset, size_t bytes) {
    const size_t size = static_cast<NullBuffer&>(b).size;
    if (bytes == 0 || offset > size || bytes > size - offset)
      throw device::Failure{Code::Device, "a command outside of its buffer"};
  }
  void give(device::EventPtr* event) {
    if (event) *event = marker();
  }
};

class NullDevice final : public device::Device, Object {
 public:
  NullDevice(Counts c, int64_t memory_bytes, const NullLimits& limits)
      : Object(std::move(c)), max_group_(limits.max_group) {
    info_.platform = "Null";
    info_.name = "Null device";
    info_.is_gpu = info_.separate_memory = info_.has_fp64 = info_.exact_fp32_divide = true;
    info_.compute_units = 16;
    info_.limits.memory_bytes = info_.limits.max_alloc_bytes = memory_bytes;
    info_.limits.max_group = 1024;
    info_.limits.max_offset = limits.max_offset;
    for (size_t& items : info_.limits.max_items) items = 1024;
  }
  const device::Info& info() const override { return info_; }
  std::unique_ptr<device::Buffer> allocate(size_t bytes, const void*) override {
    if (bytes == 0 || counts->bytes + int64_t(bytes) > info_.limits.memory_bytes)
      throw device::NoMemory{{Code::Device, "no buffer of " + device::mebibytes(int64_t(bytes))}, true};
    return std::make_unique<NullBuffer>(counts, bytes);
  }
  std::unique_ptr<device::Buffer> wrap(void*, size_t bytes) override { return allocate(bytes, nullptr); }
  std::unique_ptr<device::Pinned> pin(size_t) override { return nullptr; }
  std::unique_ptr<device::Queue> make_queue(bool) override { return std::make_unique<NullQueue>(counts); }
  std::unique_ptr<device::Program> build(const std::string& source, const std::string& options) override {
    if (source.find("__kernel") == std::string::npos)
      throw device::BuildRefused{{Code::Device, info_.text() + ": no kernel in " + source}};
    ++counts->builds;
    const bool carried = options.find(carried_option) != std::string::npos;
    return std::make_unique<NullProgram>(counts, source, carried, carried ? 1024 : max_group_);
  }
  std::unique_ptr<device::Program> load(const std::string&, const std::string&) override { return nullptr; }

 private:
  device::Info info_;
  size_t max_group_;
};

}  // namespace

std::unique_ptr<device::Device> open_null_device(std::shared_ptr<NullCounts> counts, int64_t memory_bytes,
                                                 const NullLimits& limits) {
  return std::make_unique<NullDevice>(std::move(counts), memory_bytes, limits);
}

}  // namespace vr::test
