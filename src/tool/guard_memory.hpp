// Memory for the elements of one array that ends (or begins) exactly at a protected page, so that the processor detects an
// access out of bounds (private to the guarding host).
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

namespace vr::tool {

/// One mapping: a protected page, `bytes` bytes within whole pages, a protected page. The bytes between the elements and
/// the far end of their pages contain a pattern that `intact` checks.
class GuardedBlock {
 public:
  enum class Side : uint8_t { End, Begin };  ///< which end of the elements meets the forbidden page
  /// Elements hold garbage (bytes 0xff: NaN, -1). `data()` is null when there is no memory.
  GuardedBlock(int64_t bytes, Side side);
  /// Protects the pages; the addresses are not reused until 256 later blocks have been freed too.
  ~GuardedBlock();
  GuardedBlock(const GuardedBlock&) = delete;
  GuardedBlock& operator=(const GuardedBlock&) = delete;

  char* data() const { return data_; }
  /// From now on the elements must not be written either.
  void make_read_only();
  /// False if bytes of the pages outside of the elements were written.
  bool intact() const;

 private:
  char* pages_ = nullptr;  ///< the first forbidden page
  size_t inner_ = 0;       ///< bytes of the pages between the forbidden ones
  char* data_ = nullptr;
  int64_t bytes_ = 0;
};

/// From now on a forbidden access writes one line to stderr with the nearest block and the distance from it in bytes,
/// before the process ends by SIGSEGV as it would anyway.
void explain_forbidden_accesses();

}  // namespace vr::tool
