// The variables of a parallel loop that its iterations share, and those that are private to an iteration (thesis
// 4.5.1).
#pragma once
#include <velociraptor/ir/nodes.hpp>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
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

/// The same for many loops of one function, which must outlive this.
class SharingAnalysis {
 public:
  explicit SharingAnalysis(const Function& function);
  Sharing of(const PFor& loop) const;

 private:
  const Function& function_;
  std::vector<SymbolId> serial_;  ///< variables used outside of parallel loops, sorted
};

/// The variable that this node itself names, not one of its children; calls and handles name one only by its name as
/// text.
std::optional<SymbolId> named_variable(const Expr& e);

/// The function (or variable of function type) that this node itself calls or takes a handle of; null: none.
const std::string* called_name(const Expr& e);

/// Finds the variables that expressions of a function mention; a call or handle mentions a variable by its name. The
/// function must outlive this.
class VariableUses {
 public:
  explicit VariableUses(const Function& function);
  /// Calls f(id) for every mention in the expression.
  void in(const ExprPtr& e, const std::function<void(SymbolId)>& f) const;

 private:
  std::unordered_map<std::string_view, SymbolId> handles_;
};

/// The variables that the body gives a new value as a whole (targets, iteration variables of inner loops), in order of
/// id.
std::vector<SymbolId> assigned_variables(const Body& body);

/// The variables that the body may read (or store elements to) before it has assigned them as a whole, in order of id.
std::vector<SymbolId> read_before_assigned(const Body& body, const Function& function);

}  // namespace vr::ir
