// What random programs are made of, counted: what never occurs is tested by none of them.
#pragma once
#include <velociraptor/ir/nodes.hpp>

#include <cstdint>
#include <map>
#include <string>

namespace vr::smith {

/// Node kinds, the values of their attributes, element types by layout, library functions, conventions, and ways in
/// which functions, loops and subscripts are combined. All that is possible is listed from the start, with count 0.
class Coverage {
 public:
  Coverage();
  /// A module counts once for each thing that occurs in it.
  void add(const ir::Module& m);
  /// Prints the table; returns how many things never occurred.
  int print() const;

 private:
  int64_t programs_ = 0;
  std::map<std::string, int64_t> counts_;
};

}  // namespace vr::smith
