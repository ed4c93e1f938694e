#pragma once
#include "ir/library.hpp"
#include "lower/lowering.hpp"

namespace vr::lower {

/// The running state of one reduction: an accumulator, and for argmin/argmax the position.
struct Accumulator {
  const ir::LibFunction* fn;
  ir::Type result;   ///< scalar type of the result
  ir::Type natural;  ///< type that the reduction has by the typing rules, before conversion to the stated type
  ir::Elem elem;     ///< in which elements are accumulated
  bool complex;
  VarId re = none, im = none, position = none;
  VarId noted = none;  ///< min and max of floats: a NaN has been seen (with NanMode::Omit: a number that is not NaN)
  VarId some = none;   ///< set once an element was joined; only if the state starts with one that need not be element 0
  ir::LibFold fold() const { return fn->fold; }
  bool is_scan() const { return fn->rule == ir::LibRule::Scanned; }
  bool least() const { return fold() == ir::LibFold::Least || fold() == ir::LibFold::FirstLeast; }
  bool minmax() const { return least() || fold() == ir::LibFold::Greatest || arg(); }
  bool arg() const { return fold() == ir::LibFold::FirstLeast || fold() == ir::LibFold::FirstGreatest; }
  /// The reduction has no identity element: the state starts with the first element.
  bool starts_with_first() const { return arg() || (complex && fold() == ir::LibFold::Product && !is_scan()); }
  /// The variables that it consists of.
  std::vector<VarId*> states() {
    std::vector<VarId*> all;
    for (VarId* v : {&re, &im, &position, &noted, &some})
      if (*v != none) all.push_back(v);
    return all;
  }
};

}  // namespace vr::lower
