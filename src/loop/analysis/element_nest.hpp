// A nest of elementwise loops: what it reads and writes, and whether it can become a kernel (private to src/loop and src/lower).
#pragma once
#include "loop/form.hpp"

#include <map>
#include <set>

namespace vr::lower {

/// Which array an address belongs to.
struct Origins {
  explicit Origins(const Function& f);
  /// none: not known.
  ArrayId of(ExprP base) const;

  std::map<VarId, ArrayId> arrays;  ///< by the variables of their addresses
  std::map<VarId, ExprP> pointers;  ///< derived addresses inside arrays: how they were computed
};

struct ElementNest {
  std::vector<const CountedLoop*> loops;  ///< outermost first
  const Block* body = nullptr;
  std::set<VarId> own, read, read_first, pointers;
  std::set<ArrayId> arrays, loaded, stored;
  std::string why;  ///< why it cannot be a kernel; empty: no reason found

  void refuse(const char* reason) {
    if (why.empty()) why = reason;
  }
};
inline constexpr const char* unknown_address = "the address of one of its arrays is not known before the loop";

/// folded: the variables of the reduction, if the nest is one. fp64: the device supports float64.
ElementNest element_nest(const Function& f, const Origins& origins, const CountedLoop& outermost,
                         const std::vector<VarId>& folded, bool fp64);

}  // namespace vr::lower
