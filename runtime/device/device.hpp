// A device as the runtime sees it: memory, programs, queues of commands, events. One driver implements this per API
// (runtime/device/opencl; tests/device has others). No driver's type appears here.
#pragma once
#include <velociraptor/status.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vr {
class FileCache;
}

namespace vr::device {

/// Thrown by drivers. The message names the driver's function and its error code.
struct Failure {
  Code code = Code::Device;
  std::string message;
};
/// Out of memory: freeing some may help. of_device: device memory; false: another resource of the driver.
struct NoMemory : Failure {
  bool of_device = false;
};
/// The driver's compiler rejects the program text; another attempt is unlikely to succeed.
struct BuildRefused : Failure {};

struct Limits {
  int64_t memory_bytes = 0, max_alloc_bytes = 0;  ///< of all buffers, and of one
  int64_t group_memory_bytes = 0;                 ///< that a work-group shares
  bool group_memory_fast = false;                 ///< it is no ordinary memory
  int64_t max_group = 1;                          ///< work-items in a work-group
  size_t max_items[3] = {1, 1, 1};                ///< the same along each dimension
  int64_t max_offset = INT64_MAX;                 ///< of Grid::offset
  bool groups_progress = false;  ///< work-groups that have begun go on while others wait for them in a loop
};

struct Info {
  std::string id;                       ///< the driver and the device's number among its own: "opencl:0"
  std::string platform, name, version;  ///< version: the device's, "OpenCL 3.0 ..."
  std::string driver;                   ///< its version
  bool is_gpu = false;
  bool is_cpu = false;
  bool has_fp64 = false;
  bool separate_memory = false;    ///< host memory is reached over a link
  bool exact_fp32_divide = false;  ///< supports -cl-fp32-correctly-rounded-divide-sqrt
  int compute_units = 0;
  Limits limits;
  std::string text() const;  ///< "NAME (PLATFORM)"
  /// Everything besides its text that a compiled program depends on: a replaced driver has another version.
  std::string identity() const;
};

/// Memory of a device. Destroying it while commands that use it have not ended is a caller's mistake.
class Buffer {
 public:
  virtual ~Buffer() = default;
};

/// The time at which a command ran, in nanoseconds on the device's clock.
struct Times {
  int64_t enqueued = 0, started = 0, ended = 0;
};

/// Represents the end of a command. Thread-safe.
class Event {
 public:
  virtual ~Event() = default;
  /// Waits; returns "" or the name of the error that ended the command.
  virtual std::string wait() = 0;
  /// Without waiting: true if the command has ended. False says nothing.
  virtual bool ended() const { return false; }
  /// Empty if the queue does not record times (Device::make_queue), or the command has not ended.
  virtual std::optional<Times> times() const { return {}; }
};
using EventPtr = std::shared_ptr<Event>;
/// Events may be of any queue of the device. Those of other queues must have been flushed.
using Waits = std::span<Event* const>;

/// A kernel and its arguments, which stay set from launch to launch. One thread at a time.
class Kernel {
 public:
  virtual ~Kernel() = default;
  virtual size_t argument_count() const = 0;
  /// The greatest number of work-items in a group, and the local memory of a group, for this kernel.
  virtual size_t max_group() const = 0;
  virtual size_t group_memory_bytes() const = 0;
  /// A launch uses the arguments that were set before it.
  virtual void set(size_t index, const void* value, size_t bytes) = 0;
  virtual void set(size_t index, Buffer& buffer) = 0;
};

class Program {
 public:
  virtual ~Program() = default;
  /// Thread-safe. Throws if there is no such kernel.
  virtual std::unique_ptr<Kernel> kernel(const std::string& name) = 0;
  /// The program's binary, for Device::load; "" if the driver provides none.
  virtual std::string binary() const { return {}; }
};

struct Grid {
  int dims = 1;
  size_t global[3] = {1, 1, 1};  ///< work-items; multiples of those of a group
  size_t local[3] = {1, 1, 1};   ///< of a group; local[0] == 0: the driver chooses
  size_t offset[3] = {0, 0, 0};  ///< of the first work-item's numbers
};

/// Host memory, and the same bytes of a buffer from `offset` on: `rows` times `run` bytes at distances of `stride`
/// bytes on both sides. rows == 1: stride is not used.
template <class Memory>
struct Rows {
  size_t offset = 0;
  Memory* memory = nullptr;
  size_t run = 0, rows = 1, stride = 0;
};

/// Commands run in order, after the events that they wait for, and start when the queue is flushed or waited for.
/// Copies read and write host memory until they have ended. Functions that enqueue return before the command has ended,
/// and throw Failure if it was not enqueued; `event`, where not null, receives the command's event. Not thread-safe.
class Queue {
 public:
  virtual ~Queue() = default;
  virtual void copy_up(Buffer& to, const Rows<const void>& from, EventPtr* event) = 0;
  /// Waits until the copy, and everything before it, has ended.
  virtual void copy_down(Buffer& from, const Rows<void>& to) = 0;
  virtual void start_copy_down(Buffer& from, const Rows<void>& to, EventPtr* event) = 0;
  virtual void copy(Buffer& from, size_t from_offset, Buffer& to, size_t to_offset, size_t bytes, Waits waits,
                    EventPtr* event) = 0;
  virtual void fill(Buffer& to, size_t offset, size_t bytes, unsigned char value, EventPtr* event) = 0;
  virtual void launch(Kernel& kernel, const Grid& grid, Waits waits, EventPtr* event) = 0;
  /// An event for the end of everything that was enqueued before it.
  virtual EventPtr marker() = 0;
  /// Makes later commands wait for the events.
  virtual void barrier(Waits waits) = 0;
  /// Waits until the host may access the memory of a buffer of Device::wrap; kernels may not until unmap().
  virtual void* map(Buffer& buffer, size_t bytes) = 0;
  virtual void unmap(Buffer& buffer, void* mapped) = 0;
  virtual void flush() = 0;
  /// Waits for all commands. Throws if the wait fails; failures of commands are reported by their events.
  virtual void finish() = 0;
};

/// Host memory from and to which the device copies at full speed.
class Pinned {
 public:
  virtual ~Pinned() = default;
  virtual char* memory() = 0;
};

class Products;

/// Thread-safe. Objects that it makes must be destroyed before it.
class Device {
 public:
  virtual ~Device() = default;
  virtual const Info& info() const = 0;
  /// `contents`: null or `bytes` bytes that are copied. Throws NoMemory.
  virtual std::unique_ptr<Buffer> allocate(size_t bytes, const void* contents = nullptr) = 0;
  /// Whether wrap() lets kernels access the host's memory itself. May take as long as a kernel.
  virtual bool works_in_place() { return false; }
  /// A buffer on host memory, which must outlive the buffer.
  virtual std::unique_ptr<Buffer> wrap(void* memory, size_t bytes) = 0;
  /// Null: the driver provides none.
  virtual std::unique_ptr<Pinned> pin(size_t bytes) = 0;
  /// timed: the queue's events have times.
  virtual std::unique_ptr<Queue> make_queue(bool timed) = 0;
  /// Builds a program from OpenCL C. Throws BuildRefused with the compiler's messages, or Failure.
  virtual std::unique_ptr<Program> build(const std::string& source, const std::string& options) = 0;
  /// Loads a binary that Program::binary() of this device and driver returned. Null if the driver does not accept it.
  virtual std::unique_ptr<Program> load(const std::string& binary, const std::string& options) = 0;
  /// Opens a library of matrix products, which stores its programs in `cache` and uses at most `scratch_bytes` of the
  /// device's memory. Null: there is none for this device.
  virtual std::unique_ptr<Products> open_products(FileCache cache, size_t scratch_bytes);
};

/// Products of dense row-major matrices with elements of `elem` (VR_FLOAT32, VR_FLOAT64, either | VR_COMPLEX).
/// Thread-safe.
class Products {
 public:
  virtual ~Products() = default;
  struct Matrix {
    Buffer* buffer;
    size_t offset;  ///< in elements
    size_t step;    ///< between rows, in elements
    bool transposed = false;
  };
  struct Vector {
    Buffer* buffer;
    size_t offset, step;  ///< in elements
  };
  /// c = a * b, where op(a) is m x k, op(b) k x n, and c has no step between its rows of n elements. "" if it was
  /// enqueued as commands that run after `waits`; otherwise the reason why the library rejects it.
  virtual std::string matrix(Queue&, Waits, EventPtr*, int32_t elem, size_t m, size_t n, size_t k, const Matrix& a,
                             const Matrix& b, const Vector& c) = 0;
  /// y = a * x, where op(a) is m x n.
  virtual std::string vector(Queue&, Waits, EventPtr*, int32_t elem, size_t m, size_t n, const Matrix& a,
                             const Vector& x, const Vector& y) = 0;
};

/// A device of this machine.
struct Found {
  Info info;
  std::function<std::unique_ptr<Device>()> open;  ///< throws Failure
  std::string bus = {};                           ///< the address on the PCI bus, "0000:3b:00.0"; "": not known
};

/// The driver whose devices names and `all` stand for. Those of others are only named by their numbers ("cuda:0"): they
/// are further ways to the same devices.
inline constexpr const char* usual_driver = "opencl";

/// The devices of a driver of this build; of all drivers, in the drivers' order, if `driver` is empty. Throws Failure
/// FORKED in a child of a process that used one, because drivers do not work there, and Failure with the reason where
/// the named driver cannot be used.
std::vector<Found> find_devices(std::string_view driver = "");
/// Whether this build contains a driver.
bool has_driver();

inline constexpr const char* forked_message =
    "this process was forked from one that used OpenCL, whose drivers do not work in a forked process; start processes "
    "with fork and exec (multiprocessing: 'spawn' or 'forkserver'), or fork before OpenCL is first used";

/// "17 bytes", "3 MiB"
std::string mebibytes(int64_t bytes);

}  // namespace vr::device
