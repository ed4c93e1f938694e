// On which dimensions of a kernel its values depend.
#pragma once
#include "loop/form.hpp"

#include <cstdint>
#include <map>
#include <set>

namespace vr::lower {

/// A set of a kernel's dimensions: bit d stands for dims[d].
using DimSet = uint32_t;

/// The data variables of arrays that the kernel does not write.
std::set<VarId> read_only_arrays(const Function& kernel);

/// For each variable of a kernel the dimensions on which its values depend, through the values assigned to it and through the
/// conditions and loop bounds under which that happens. Two iterations of the kernel's domain that differ only in other dimensions
/// assign the same values in the same order. Elements of arrays that the kernel writes depend on all dimensions.
///
/// A condition or loop bound that depends on dimensions makes a region: everything assigned or stored in it depends on the union of
/// the dimensions of its parts, so that the region as a whole can be run once for each combination of those dimensions.
class DimDependence {
 public:
  /// Keeps a reference to the kernel. values_alone: ignores conditions and loop bounds, and so describes how values
  /// differ between work-items that execute the same statement in the same iteration of their loops. There are no
  /// regions then. dims: only these dimensions, for iterations that do not differ in the others.
  explicit DimDependence(const Function& kernel, bool values_alone = false, DimSet dims = 7);

  /// Dimensions on which the value depends; 0: the same in the whole domain.
  DimSet of(ExprP e) const;
  DimSet of(VarId v) const;
  /// For an If or a CountedLoop: 0 if its condition or bounds are the same in the whole domain; else the dimensions of its region.
  DimSet region(const Stmt& s) const;
  /// Whether it is a load from an array that the kernel does not write.
  bool is_constant_load(ExprP e) const;

 private:
  DimSet contents(const Block& b) const;
  void visit(const Block& b, DimSet around);
  void join(VarId v, DimSet dims);

  const Function& kernel_;
  const bool values_alone_;
  DimSet all_ = 0;
  std::map<VarId, DimSet> dims_;
  const std::set<VarId> read_only_;
  bool changed_ = false;
};

}  // namespace vr::lower
