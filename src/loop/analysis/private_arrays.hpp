// Arrays of a work-item's own (Scratch) in kernels (private to src/loop).
#pragma once
#include "loop/form.hpp"

#include <functional>
#include <optional>
#include <set>
#include <vector>

namespace vr::lower {

struct PrivateArray {
  std::set<VarId> names;  ///< variables of its address; each is assigned once
  int64_t bytes = 0;
  std::optional<Scalar> type;  ///< of its elements
};

class PrivateArrays {
 public:
  /// Finds the arrays of a kernel's body, which must outlive this. atomics: they may change elements as well.
  explicit PrivateArrays(const Block& body, bool atomics = false);

  /// Whether loads and stores of elements of one type are all that uses the arrays, and each variable of an address is
  /// that of one array.
  bool fit() const { return fit_; }
  const std::vector<PrivateArray>& all() const& { return all_; }
  void all() && = delete;  ///< they would be gone with the temporary
  /// The number of the array to which the address belongs; empty: it is the address of something else.
  std::optional<size_t> of(ExprP base) const;
  /// Whether f(number of the array, offset) holds for all accesses. The arrays fit.
  bool all_accesses(const std::function<bool(size_t, ExprP)>& f) const;

 private:
  bool find();
  bool all_uses(const std::function<bool(size_t, ExprP, Scalar)>& f) const;

  const Block& body_;
  const bool atomics_;
  std::vector<PrivateArray> all_;
  bool fit_;
};

}  // namespace vr::lower
