// Outlined parts of a function that cannot be compiled as a whole, and the variables that statements read and assign.
#pragma once
#include "ast.hpp"

#include <set>
#include <string>

namespace vr::matlab {

/// By name. Which of the names are variables, and not functions, is known where the statements run.
struct Uses {
  std::set<std::string> reads;        ///< may see the value that was there before the statements
  std::set<std::string> writes;       ///< assigned to, wholly or in part; "ans" where an expression may set it
  std::set<std::string> names;        ///< all names
  std::set<std::string> temporaries;  ///< assigned to by parallel loops only, wholly
  bool returns = false;               ///< a return statement is among them
};

/// What some statements use. Reads are those which no assignment precedes on every path, so a superset of what may be
/// read.
Uses uses_of(const Body& statements);

/// Why a part that uses this cannot be compiled whatever its variables are: it reads its caller's arguments
/// or variables, which a part does not have. Empty when it can.
std::string outside_of_parts(const Uses& uses);

/// A function that runs statements and leaves their variables behind (compile.hpp: Compiled::results, PartState).
FunctionPtr part_function(const std::string& name, const std::string& file, Pos pos, std::vector<std::string> params,
                          std::vector<std::string> outputs, Body statements);

}  // namespace vr::matlab
