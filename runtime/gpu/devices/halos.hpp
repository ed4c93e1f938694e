// Halos: blocks that one device computes and another one reads in the next launch. They travel through pinned memory
// while the device still computes the rest of its part.
#pragma once
#include "runtime/gpu/arrays.hpp"
#include "runtime/gpu/device.hpp"
#include "runtime/gpu/regions/footprint.hpp"

#include <deque>
#include <memory>
#include <vector>

namespace vr::gpu {

/// Which blocks others have asked a device for, and those of them that are on their way. Not thread-safe.
class Halos {
 public:
  struct Side {
    ArrayTable* arrays;
    device::Device* driver;
  };
  explicit Halos(std::vector<Side> sides) : sides_(std::move(sides)), devices_(sides_.size()) {}
  /// Waits until no copy uses pinned memory.
  ~Halos();

  /// Another device has needed these bytes of `device`: blocks of moderate size that contain them are remembered.
  void asked(size_t device, const Region& region);
  /// The remembered blocks of which a launch will write something, if it writes `region`.
  Region wanted(size_t device, const Region& region) const;
  /// Increases when blocks are remembered.
  uint64_t generation() const { return generation_; }

  /// A task of the device that writes in these blocks has been enqueued, and nothing after it: copies to pinned memory
  /// begin when it has ended.
  void send(size_t device, const Region& blocks);
  /// Copies blocks of `needed` that are on their way from `from` into the memory of `to`. Returns the bytes that are
  /// still missing.
  Region receive(size_t from, size_t to, const Region& needed);
  /// Somebody is about to write the bytes: what is on its way is old.
  void changed(Span span);
  /// Waits until nothing is on its way.
  void clear();
  /// A task of the device that uses these bytes has been enqueued, and nothing after it. The next block that replaces
  /// them waits for it.
  void used(size_t device, const std::vector<PartUse>& uses);
  /// Tasks whose accesses are not known have been enqueued.
  void used_unknown(size_t device);

 private:
  struct Pin {
    std::unique_ptr<device::Pinned> memory;
    size_t bytes = 0;
    std::vector<device::EventPtr> busy;  ///< copies that use it
  };
  struct Parcel {
    Span span;
    std::unique_ptr<Pin> pin;
    device::EventPtr arrived;
    bool received = false;
  };
  /// A block that a device has received.
  struct Received {
    Span span;
    bool known = false;     ///< the last task that uses it is `last`
    device::EventPtr last;  ///< null: none has since
  };
  struct PerDevice {
    std::deque<Span> asked;
    std::vector<Parcel> sent;
    std::vector<std::unique_ptr<Pin>> idle;
    std::vector<Received> received;
  };
  std::unique_ptr<Pin> take_pin(size_t device, size_t bytes);
  void retire(size_t device, std::unique_ptr<Pin> pin);

  std::vector<Side> sides_;
  std::vector<PerDevice> devices_;
  uint64_t generation_ = 0;
};

}  // namespace vr::gpu
