// The variables of a function that need no declaration in the short syntax: those whose first occurrence in the text is
// an assignment or a loop that determines their type.
#pragma once
#include <velociraptor/ir/nodes.hpp>

#include <set>

namespace vr::text::brief {

/// The variables that need a declaration, of a function whose arguments are declared. Variables that never occur are
/// among them.
std::set<ir::SymbolId> undeclared(const ir::Function& f, const std::set<ir::SymbolId>& declared);

/// The type that a variable gets as target `k` of `count` of an assignment, or as variable `k` of `count` of a loop
/// over a domain; null if it gets none.
ir::Type assigned_type(const ir::Type& value, size_t k, size_t count);
ir::Type iterated_type(const ir::Type& domain, size_t k, size_t count);

}  // namespace vr::text::brief
