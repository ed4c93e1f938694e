// Copies of expressions with other types, and the library function of a call: helpers of the translations of verified
// trees.
#pragma once
#include <velociraptor/ir/visit.hpp>

#include <memory>
#include <type_traits>

#include "ir/library.hpp"
#include "ir/typing.hpp"

namespace vr::ir {

/// A copy of the node that states the type.
inline std::shared_ptr<Expr> restated(const Expr& e, const Type& t) {
  return visit(e, [&](const auto& n) -> std::shared_ptr<Expr> {
    auto copy = std::make_shared<std::decay_t<decltype(n)>>(n);
    copy->type = t;
    return copy;
  });
}

/// The expression converted to the type, with the same source location.
inline ExprPtr cast(const ExprPtr& e, const Type& t) {
  auto c = std::make_shared<Cast>(t, e);
  c->pos = e->pos;
  return c;
}

/// The library function that a fncall or libcall calls; null for other nodes.
inline const LibFunction* library_called(const Expr& e, const TypingScope& scope) {
  if (auto* c = as<FnCall>(&e)) return find_callee(c->callee, scope).library;
  return library_function(&e);
}

}  // namespace vr::ir
