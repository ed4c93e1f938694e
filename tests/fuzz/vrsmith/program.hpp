// A program under test: a module, the function to call, and its inputs.
#pragma once
#include <velociraptor/engine.hpp>
#include <velociraptor/ir/nodes.hpp>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace vr::smith {

using Shape = std::vector<int64_t>;

/// One argument of the called function. Elements are stored as bytes in row-major order of the subscripts, whatever the
/// layout.
struct Input {
  ir::Type type;
  vr_value scalar = {};  ///< of a scalar
  Shape extents;         ///< of an array
  std::vector<uint8_t> bytes;
  /// A strided array: the distance of neighbours in elements of the storage; a negative one reverses the order. Empty:
  /// 1 each.
  std::vector<int> steps;
  bool column = false;  ///< a strided array: its storage is column-major
  int same_as = -1;     ///< the same array object as this earlier input
  bool read_only = false;
  int follows =
      -1;  ///< a view of this earlier input's array, shifted by one step along the first dimension: they overlap
  int window =
      -1;  ///< rows start this many elements after one another; this is less than their length, so they overlap
  bool overlaps() const { return follows >= 0 || window >= 0; }
};

struct Program {
  uint64_t seed = 0;
  ir::ModulePtr module;
  std::string entry = "main";
  std::vector<Input> inputs;
  std::vector<bool> exact;                ///< one per result: compared bitwise, or within the tolerance of compare.hpp
  std::set<std::string> parallel_places;  ///< `:loc` of statements that may run in a parallel loop
  std::set<std::string> array_places;     ///< `:loc` of statements that compute array expressions
  bool has_section = false;               ///< contains an accelerated section
  bool unchecked = false;                 ///< a bounds check is turned off somewhere
};

/// Creates the arguments. Element types are those of the function's parameters.
std::vector<Value> make_inputs(const std::vector<Input>& inputs);

/// One line per input, for messages.
std::string describe_inputs(const std::vector<Input>& inputs);

}  // namespace vr::smith
