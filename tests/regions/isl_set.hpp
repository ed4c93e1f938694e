// Sets of bytes represented by isl: the oracle for the runtime's regions.
#pragma once
#include "runtime/gpu/regions/lmad.hpp"

#include <isl/map.h>
#include <isl/set.h>

#include <memory>
#include <random>
#include <string>

namespace vr::test {

/// A set of integers; its isl objects are released with the last copy.
class IslSet {
 public:
  /// In isl's notation, e.g. "{ [a] : 0 <= a < 4 }".
  explicit IslSet(const std::string& text);
  static IslSet none() { return IslSet("{ [a] : 1 = 0 }"); }
  /// All bytes of the boxes.
  static IslSet of(const gpu::Lmad& box);
  static IslSet of(const gpu::Region& region);

  IslSet operator|(const IslSet& o) const;
  IslSet operator&(const IslSet& o) const;
  IslSet operator-(const IslSet& o) const;
  bool operator==(const IslSet& o) const;
  bool contains(const IslSet& o) const;
  bool empty() const;
  std::string text() const;

 private:
  explicit IslSet(isl_set* set) : set_(set, isl_set_free) {}
  isl_set* copy() const { return isl_set_copy(set_.get()); }
  std::shared_ptr<isl_set> set_;
};

/// Whether the map, in isl's notation, is injective.
bool is_injective(const std::string& map);

std::string text(const gpu::Lmad& box);
std::string text(const gpu::Region& region);

/// Random numbers of one test.
class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}
  int64_t operator()(int64_t lo, int64_t hi) { return std::uniform_int_distribution<int64_t>(lo, hi)(engine_); }
  bool one_in(int64_t n) { return (*this)(1, n) == 1; }

 private:
  std::mt19937_64 engine_;
};
constexpr int nests = 2000;  ///< number of nests per check

}  // namespace vr::test
