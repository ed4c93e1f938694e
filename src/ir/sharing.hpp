// Which variables of a parallel loop its iterations share, and which each has for itself (thesis 4.5.1).
#pragma once
#include <velociraptor/ir/nodes.hpp>

#include <vector>

namespace vr::ir {

/// The variables used in a pfor body, in order of id; each is in one of the lists. Iteration variables are private.
struct Sharing {
  std::vector<SymbolId> shared;
  std::vector<SymbolId> privates;
  bool is_shared(SymbolId id) const;
};

/// With a shared list: exactly its variables. Auto (no list): arrays, and scalars that are only read. Under auto an
/// array is private when each iteration makes its own: the body assigns it as a whole before anything reads it, it is
/// no argument, and the function uses it in parallel loops only.
Sharing pfor_sharing(const PFor& loop, const Function& function);

/// The variables that the body gives a new value as a whole (targets, iteration variables of inner loops), in order of
/// id.
std::vector<SymbolId> assigned_variables(const Body& body);

/// Whether the body may read the variable (or store to its elements) before it has assigned it as a whole.
bool read_before_assigned(const Body& body, SymbolId id, const Function& function);

/// Whether the body uses the variable outside of parallel loops.
bool used_serially(const Body& body, SymbolId id, const Function& function);

}  // namespace vr::ir
