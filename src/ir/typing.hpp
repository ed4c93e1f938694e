// The typing rules: what type an expression has, given the types of its parts. One place for verify, the mclab dialect's
// re-inference, the builder and the interpreter.
#pragma once
#include <velociraptor/ir/nodes.hpp>
#include <velociraptor/status.hpp>

#include <optional>
#include <string>
#include <vector>

namespace vr::ir {

/// What the rules need to know around an expression.
struct TypingScope {
  const Module* module = nullptr;
  const Function* function = nullptr;
  Conventions conventions;
};

/// The type rule's answer, or why there is none (message for a diagnostic).
struct Typing {
  Type type;
  std::string error;  ///< empty when typed
  bool ok() const { return error.empty(); }
};

/// Common type of mixed operands: wider element, complex over real; array over scalar, the larger rank; layouts that
/// differ give strided... see docs/vrir.md.
Type common_type(const Type& a, const Type& b);

/// Natural type of `e` from the stated types of its children (not from e.type).
Typing natural_type(const Expr& e, const TypingScope& scope);

/// Whether a value of type `from` may be given where `to` is stated (same kind and rank; element conversion is implied).
bool converts(const Type& from, const Type& to);

}  // namespace vr::ir
