// The host device's objects, and its queues: commands run when a caller waits for them.
#pragma once
#include "loop/form.hpp"
#include "runtime/device/device.hpp"

#include <array>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace vr::test::host {

/// Held by every function of the driver: only one thread uses the device at a time.
std::recursive_mutex& device_mutex();
using Lock = std::lock_guard<std::recursive_mutex>;

/// Reports an error of the program under test: the running test fails.
void violation(const std::string& what);

/// Counts an object of the driver while it exists.
struct Live {
  Live();
  ~Live();
  Live(const Live&) = delete;
};
long live_objects();

/// From here on the order of commands depends on HOST_DEVICE_SEED and this number, and not on what ran before.
void reseed(unsigned number);

/// After `count` more launches, on any device, one fails at once, as if its driver had no resources. -1: none.
void fail_launch(long count);

struct Memory {
  std::vector<char> own;  ///< empty: the memory is the host's
  char* start = nullptr;
  size_t bytes = 0;
  int maps = 0;
};

class HostBuffer final : public device::Buffer, Live {
 public:
  explicit HostBuffer(std::shared_ptr<Memory> memory);
  ~HostBuffer() override;
  // The address of a released buffer is reused for the next one.
  static void* operator new(size_t bytes);
  static void operator delete(void* place);
  /// Commands keep it alive, so that a mistake is reported and does no harm.
  const std::shared_ptr<Memory>& memory() const { return memory_; }

 private:
  std::shared_ptr<Memory> memory_;
};
/// The number of the buffer that is now at this address; every buffer has another one. 0: there is none.
long buffer_number(const HostBuffer* address);

class HostQueue;

class HostEvent final : public device::Event, public std::enable_shared_from_this<HostEvent>, Live {
 public:
  explicit HostEvent(HostQueue& of) : queue(&of) {}
  std::string wait() override;
  HostQueue* queue;  ///< null after it was released
  bool sent_off = false, ended = false;
};

struct Command {
  std::function<void()> run;
  std::vector<std::shared_ptr<HostEvent>> waits;
  std::shared_ptr<HostEvent> event;  ///< may be null
};

class HostQueue final : public device::Queue, Live {
 public:
  HostQueue();
  ~HostQueue() override;
  void copy_up(device::Buffer& to, const device::Rows<const void>& from, device::EventPtr* event) override;
  void copy_down(device::Buffer& from, const device::Rows<void>& to) override;
  void start_copy_down(device::Buffer& from, const device::Rows<void>& to, device::EventPtr* event) override;
  void copy(device::Buffer& from, size_t from_offset, device::Buffer& to, size_t to_offset, size_t bytes,
            device::Waits waits, device::EventPtr* event) override;
  void fill(device::Buffer& to, size_t offset, size_t bytes, unsigned char value, device::EventPtr* event) override;
  void launch(device::Kernel& kernel, const device::Grid& grid, device::Waits waits, device::EventPtr* event) override;
  device::EventPtr marker() override;
  void barrier(device::Waits waits) override;
  void* map(device::Buffer& buffer, size_t bytes) override;
  void unmap(device::Buffer& buffer, void* mapped) override;
  void flush() override;
  void finish() override;

  /// Runs the first command, after all commands that it waits for.
  void step();
  /// Whether the first command may run now.
  bool ready() const;
  bool busy() const { return busy_; }

 private:
  void enqueue(std::function<void()> run, device::Waits waits, device::EventPtr* event);
  std::deque<Command> commands_;
  size_t sent_off_ = 0;  ///< number of commands, from the front, that were flushed
  bool busy_ = false;    ///< the first command is waiting for others
};

/// Waits for the event's end.
void finish(const std::shared_ptr<HostEvent>& event);

/// Modules by the text that was emitted for them; building a program looks them up.
void know_program(const std::string& source, std::shared_ptr<const lower::Module> module);
std::shared_ptr<const lower::Module> find_program(const std::string& source);

/// An argument of a kernel launch: bytes or a buffer.
struct Argument {
  std::string bytes;
  std::shared_ptr<Memory> memory;
};
/// Runs the kernel over its domain, whose counts are among the arguments. first: the numbers of the first iteration.
void run_kernel(const lower::Function& f, const std::vector<Argument>& args, const std::array<int64_t, 3>& first);

class HostKernel final : public device::Kernel, Live {
 public:
  HostKernel(std::shared_ptr<const lower::Module> module, const lower::Function& function);
  size_t argument_count() const override { return args_.size(); }
  size_t max_group() const override { return 256; }
  size_t group_memory_bytes() const override { return 0; }
  void set(size_t index, const void* value, size_t bytes) override;
  void set(size_t index, device::Buffer& buffer) override;
  /// The part that a launch runs now.
  std::function<void()> command(const device::Grid& grid) const;

 private:
  struct Set {
    bool set = false;
    std::string bytes;
    const HostBuffer* buffer = nullptr;
    long number = 0;  ///< buffer_number() when it was set
  };
  std::shared_ptr<const lower::Module> module_;
  const lower::Function& function_;
  std::vector<Set> args_;
};

/// The device. cpu: a CPU device, whose kernels work in place.
std::unique_ptr<device::Device> open_device(bool cpu);
/// Where not null, the suite runs on what this opens, and this driver's kernels are interpreted (cuda/).
extern std::unique_ptr<device::Device> (*open_instead)();

}  // namespace vr::test::host
