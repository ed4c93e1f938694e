// Random permutations, computed from the streams of support/random_streams.hpp.
#include "support/random_streams.hpp"

#include <numeric>
#include <utility>

#include "runtime/library/call.hpp"

namespace vr::runtime::library {

// The shuffle of Fisher and Yates, from the end.
void RandomPermutation(const LibraryCall& c) {
  const uint64_t key = c.values<uint64_t>(0)[0];
  const int64_t n = c.whole(1);
  if (n < 0) c.fail(VR_SIZE, "the number of elements is negative");
  auto* order = static_cast<int64_t*>(c.make_vector(0, n));
  std::iota(order, order + n, int64_t{c.base()});
  random::Numbers numbers;
  const random::Draws<random::Numbers> draws(numbers);
  for (int64_t k = n - 1; k > 0; --k) {
    const uint64_t other = draws.integer(key, static_cast<uint64_t>(k), static_cast<uint64_t>(k) + 1,
                                         random::Stream::Permutation);
    std::swap(order[k], order[other]);
  }
}

}  // namespace vr::runtime::library
