// Temporaries that outlive the call that takes them. They are returned together with the event after which they may be
// reused, so no callbacks are needed.
#pragma once
#include <atomic>
#include <list>
#include <mutex>

#include <raijincl/handle.hpp>
#include "raijincl/status.hpp"

namespace raijincl {

class Pool {
 public:
  // A temporary in use. If `ready` is not null, it must be waited for before the block is written: its last user may
  // still run.
  struct Block {
    MemHandle mem;
    EventHandle ready;
    std::size_t bytes = 0;              // of a buffer
    std::size_t width = 0, height = 0;  // of an image of 16-byte texels
  };

  Pool(cl_context c, std::size_t limit) : context_(c), limit_(limit) {}
  Status buffer(std::size_t bytes, Block&);
  Status image(std::size_t width, std::size_t height, Block&);
  // The block may be used again once `last` (retained here; null: immediately) has completed.
  void give_back(Block&&, cl_event last);
  void trim();
  std::size_t made() const { return made_; }
  std::size_t bytes() const { return bytes_; }

 private:
  bool take(bool image, std::size_t a, std::size_t b, Block&);
  void trim_to(std::size_t limit);
  cl_context context_;
  const std::size_t limit_;
  std::mutex mutex_;
  std::list<Block> idle_;
  std::atomic<std::size_t> made_{0}, bytes_{0};
};

}  // namespace raijincl
