// The strict VRIR function that is built from a function of the mclab dialect: nodes with their natural types,
// statements, and the reason why it cannot be built (private to mclab*.cpp).
#pragma once
#include "ir/typing.hpp"

#include <velociraptor/ir/verify.hpp>
#include <velociraptor/ir/visit.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace vr::ir::mclab {

/// Why a function cannot be translated. Thrown and caught inside from_mclab only.
struct Refused {
  Diagnostic why;
};

/// The signatures of the module's functions as known to callers during translation: names and types.
struct Signatures {
  Module module;
  NameIndex names;
  void set(const std::string& name, const Type& type);
  void remove(const std::string& name);
  const Type* find(const std::string& name) const;
};

class Builder {
 public:
  Builder(const Module& source, const Function& f, const Signatures& signatures);

  /// Begins the function anew, with this type, these variables and no statement.
  void begin(const Type& type, const SymbolTable& variables);
  const std::shared_ptr<Function>& function() const { return function_; }
  const TypingScope& scope() const { return scope_; }

  // ---- errors and remarks
  Diagnostic diagnostic(TextPos pos, std::string rule, std::string message) const;
  [[noreturn]] void refuse(TextPos pos, std::string rule, std::string message, std::string hint = {}) const;
  void remark(TextPos pos, std::string rule, std::string message);
  /// Those since begin().
  const std::vector<Diagnostic>& remarks() const { return remarks_; }

  // ---- variables
  const Symbol& symbol(SymbolId id, TextPos pos) const;
  const std::string& name_of(SymbolId id) const { return function_->symbols.at(id).name; }
  SymbolId temporary(const char* name, Type type) { return function_->symbols.fresh(name, std::move(type)); }
  /// The value as a variable, through a new statement before the current one unless it is one already.
  ExprPtr named(const ExprPtr& e, const char* name);

  // ---- nodes with their natural type
  template <class N, class... A>
  ExprPtr make(TextPos pos, A&&... args) {
    return finish(std::make_shared<N>(Type::null(), std::forward<A>(args)...), pos);
  }
  template <class N, class... A>
  ExprPtr make_as(Type stated, TextPos pos, A&&... args) {
    return finish(std::make_shared<N>(std::move(stated), std::forward<A>(args)...), pos);
  }
  ExprPtr lib(TextPos pos, const char* func, std::vector<ExprPtr> args);
  ExprPtr variable(SymbolId id, TextPos pos);
  ExprPtr integer(int64_t v, TextPos pos);
  ExprPtr number(double v, TextPos pos);

  // ---- statements
  /// Statements go to that list from now on; returns the previous list.
  Body* exchange_body(Body* b) { return std::exchange(current_, b); }
  Body& current() { return *current_; }
  template <class N, class... A>
  void emit(const Stmt& at, A&&... args) {
    auto n = std::make_shared<N>(std::forward<A>(args)...);
    n->pos = at.pos;
    n->loc = at.loc;
    current_->push_back(std::move(n));
  }
  void emit_assign(TextPos pos, ExprPtr target, ExprPtr value);
  void emit_assign(TextPos pos, std::vector<ExprPtr> targets, ExprPtr value);

 private:
  ExprPtr finish(std::shared_ptr<Expr> n, TextPos pos);

  const Module& source_;
  const Function& f_;
  NameIndex names_;
  TypingScope scope_;
  std::shared_ptr<Function> function_;
  Body* current_ = nullptr;
  std::vector<Diagnostic> remarks_;
};

}  // namespace vr::ir::mclab
