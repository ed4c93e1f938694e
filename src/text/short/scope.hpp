// The variables that are declared up to a point of a function, in the order of its text. The printer and the parser of
// the short syntax use the same class, so that they derive the same ids and the same types.
#pragma once
#include "ir/typing.hpp"

#include <velociraptor/ir/nodes.hpp>

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace vr::text::brief {

class Scope {
 public:
  /// `functions`: those of the module, found by name. Both must outlive the scope.
  Scope(const ir::Module& module, const ir::NameIndex& functions, const ir::Conventions& conventions);
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

  /// The id of a declaration that does not state one.
  ir::SymbolId next_id() const { return next_; }
  /// Returns false if the id is taken.
  bool declare(ir::Symbol s);
  const ir::Symbol* find(ir::SymbolId id) const { return function_.symbols.find(id); }
  struct Found {
    std::optional<ir::SymbolId> id;
    bool several = false;  ///< more than one variable has the name
  };
  Found find(const std::string& name) const;
  /// Whether the module has a function of this name.
  bool is_function(const std::string& name) const { return names_.functions->contains(name); }
  const ir::SymbolTable& symbols() const { return function_.symbols; }

  /// The type that the node gets if the text states none: its natural type, or null if it has none.
  ir::Type type_of(const ir::Expr& e) const;
  const ir::Module& module() const { return *typing_.module; }
  const ir::Conventions& conventions() const { return typing_.conventions; }

 private:
  ir::Function function_;
  ir::NameIndex names_;
  ir::TypingScope typing_;
  std::deque<ir::Symbol> handles_;  ///< the variables of function type; names_ refers to them
  std::unordered_map<std::string, Found> by_name_;
  ir::SymbolId next_ = 0;
};

/// The attributes that the words `numpy` and `matlab` on a module's first line stand for: all but `promote` and
/// `overflow`.
ir::ConventionAttrs preset(const ir::Conventions& c);

}  // namespace vr::text::brief
