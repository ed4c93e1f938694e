// Counts the features of random programs: a feature with count 0 is not tested.
#pragma once
#include <velociraptor/ir/nodes.hpp>

#include <cstdint>
#include <map>
#include <string>

namespace vr::smith {

/// Features are node kinds, the values of their attributes, element types by layout, library functions, conventions,
/// and combinations of functions, loops and subscripts. Every possible feature is listed from the start, with count 0.
class Coverage {
 public:
  Coverage();
  /// A module counts once for each feature that occurs in it.
  void add(const ir::Module& m);
  /// Prints the table; returns the number of features that never occurred.
  int print() const;

 private:
  int64_t programs_ = 0;
  std::map<std::string, int64_t> counts_;
};

}  // namespace vr::smith
