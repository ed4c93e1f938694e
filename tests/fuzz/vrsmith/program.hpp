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

/// One argument of the called function. Elements are bytes in row-major order of the subscripts, whatever the layout.
struct Input {
  ir::Type type;
  vr_value scalar = {};  ///< of a scalar
  Shape extents;         ///< of an array
  std::vector<uint8_t> bytes;
  /// A strided array: how many elements of the storage lie between neighbours; negative runs backwards. Empty: 1 each.
  std::vector<int> steps;
  bool column = false;  ///< a strided array: its storage is column-major
  int same_as = -1;     ///< the very array of this earlier input
  bool read_only = false;
  int follows = -1;     ///< this earlier input's array, but for one step along the first dimension: they overlap
  int window = -1;      ///< rows that begin so many elements after one another: fewer than they have, they overlap
  bool overlaps() const { return follows >= 0 || window >= 0; }
};

struct Program {
  uint64_t seed = 0;
  ir::ModulePtr module;
  std::string entry = "main";
  std::vector<Input> inputs;
  std::vector<bool> exact;                ///< a result each: bitwise, or within the bound of compare.hpp
  std::set<std::string> parallel_places;  ///< `:loc` of statements that may run in a parallel loop
  std::set<std::string> array_places;     ///< `:loc` of statements that compute array expressions
  bool has_section = false;               ///< an accelerated section is in it
  bool unchecked = false;                 ///< some bounds check is turned off
};

/// The arguments, freshly made. Element types as the function states them.
std::vector<Value> make_inputs(const std::vector<Input>& inputs);

/// One line for each input, for messages.
std::string describe_inputs(const std::vector<Input>& inputs);

}  // namespace vr::smith
