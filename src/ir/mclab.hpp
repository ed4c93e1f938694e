// Translation of one function of the mclab dialect into strict VRIR; private to mclab*.cpp.
//
// A pass over the function rebuilds every expression with its natural type; where MATLAB's rule for the result's class
// differs from VRIR's, casts say so. Declared types of variables are kept unless a value does not fit: then the
// variable is widened and the pass runs again, until nothing changes. int64 is what the client states for a double that
// it knows to be integral, so int64 and float64 count as one MATLAB class.
#pragma once
#include "ir/typing.hpp"

#include <velociraptor/ir/verify.hpp>
#include <velociraptor/ir/visit.hpp>

#include <set>
#include <string>
#include <vector>

namespace vr::ir::mclab {

/// Why a function cannot be translated. Thrown and caught inside from_mclab only.
struct Refused {
  Diagnostic why;
};

/// What callers know of the module's functions while they are translated: their names and types.
struct Signatures {
  Module module;
  NameIndex names;
  void set(const std::string& name, const Type& type);
  void remove(const std::string& name);
  const Type* find(const std::string& name) const;
};

class Translator {
 public:
  Translator(const Module& source, const Function& f, const Signatures& signatures);
  /// Throws Refused.
  FunctionPtr run();
  const std::vector<Diagnostic>& remarks() const { return remarks_; }

 private:
  // ---- mclab_function.cpp
  void find_outputs();
  void widen(SymbolId id, const Type& type, TextPos pos);
  FunctionPtr pass();
  void protect_arguments();
  [[noreturn]] void refuse(TextPos pos, std::string rule, std::string message, std::string hint = {}) const;
  void remark(TextPos pos, std::string rule, std::string message);
  const Symbol& symbol(SymbolId id, TextPos pos) const;
  const std::string& name_of(SymbolId id) const { return out_->symbols.at(id).name; }

  // ---- building (mclab_function.cpp): nodes with their natural type
  template <class N, class... A>
  ExprPtr make(TextPos pos, A&&... args) {
    return finish(std::make_shared<N>(Type::null(), std::forward<A>(args)...), pos);
  }
  template <class N, class... A>
  ExprPtr make_as(Type stated, TextPos pos, A&&... args) {
    return finish(std::make_shared<N>(std::move(stated), std::forward<A>(args)...), pos);
  }
  ExprPtr finish(std::shared_ptr<Expr> n, TextPos pos);
  ExprPtr lib(TextPos pos, const char* func, std::vector<ExprPtr> args);
  ExprPtr variable(SymbolId id, TextPos pos);
  ExprPtr integer(int64_t v, TextPos pos);
  ExprPtr number(double v, TextPos pos);
  SymbolId temporary(const char* name, Type type);
  /// The value as a variable, through a new statement before the current one unless it is one already.
  ExprPtr named(const ExprPtr& e, const char* name);

  // ---- conversions (mclab_function.cpp)
  ExprPtr to_elem(const ExprPtr& e, Elem elem, bool complex);
  ExprPtr to_float(const ExprPtr& e);
  ExprPtr to_int32(const ExprPtr& e);  ///< MATLAB's: to nearest, saturating
  ExprPtr to_scalar(const ExprPtr& e);
  ExprPtr to_array(const ExprPtr& e, int rank);
  /// Fit for a place of this type: kind, rank and element.
  ExprPtr fit(const ExprPtr& e, const Type& place);
  /// Value for variable `id`, which is widened when it cannot hold it.
  ExprPtr fit_variable(const ExprPtr& e, SymbolId id, TextPos pos);
  ExprPtr condition(const ExprPtr& e);  ///< a scalar: an array is true when all elements are

  // ---- mclab_expr.cpp
  ExprPtr expr(const ExprPtr& e);
  ExprPtr translate(const Expr& e);
  std::vector<ExprPtr> exprs(const std::vector<ExprPtr>& list);
  ExprPtr index(const Index& e, bool store);
  ExprPtr range(const Range& r, const Type* elem);
  ExprPtr range_vector(const Expr& e);
  ExprPtr binary(Kind op, ExprPtr a, ExprPtr b, const Type& stated, TextPos pos);
  ExprPtr elementwise_node(Kind op, const ExprPtr& a, const ExprPtr& b, TextPos pos);
  ExprPtr call(const std::string& name, const std::vector<ExprPtr>& args, const Type& stated, TextPos pos);
  ExprPtr call_function(const std::string& name, const Type& type, std::vector<ExprPtr> args, TextPos pos);
  ExprPtr first_result(const ExprPtr& call);
  void retyped(const Expr& was, const Expr& now);

  // ---- mclab_builtins.cpp
  ExprPtr builtin(const std::string& name, std::vector<ExprPtr> args, const Type& stated, TextPos pos);
  ExprPtr constant(const std::string& name, TextPos pos);
  ExprPtr new_array(const std::string& name, std::vector<ExprPtr> args, const Type& stated, TextPos pos);
  ExprPtr matrix_builtin(const std::string& name, std::vector<ExprPtr>& args, const Type& stated, TextPos pos);
  ExprPtr shape_builtin(const std::string& name, std::vector<ExprPtr>& args, const Type& stated, TextPos pos);
  ExprPtr axis(const ExprPtr& e);
  ExprPtr concatenate(const std::string& name, std::vector<ExprPtr> args, TextPos pos);
  ExprPtr equal_arrays(const ExprPtr& a, const ExprPtr& b, TextPos pos);
  bool several_results(const std::vector<ExprPtr>& targets, const Expr& value);

  // ---- mclab_stmt.cpp
  Body body(const Body& b);
  void stmt(const Stmt& s);
  void assign(const Assign& s);
  void assign_results(const std::vector<ExprPtr>& targets, const ExprPtr& value, TextPos pos);
  void assign_one(const ExprPtr& target, const ExprPtr& value, TextPos pos);
  ExprPtr loop_domain(const ExprPtr& domain, std::vector<SymbolId>& itervars, TextPos pos);
  void loop(const Stmt& s, const std::vector<SymbolId>& itervars, const ExprPtr& domain, const Body& b, bool parallel);
  bool make_parallel(Body& b, const std::vector<SymbolId>& itervars, TextPos pos);
  void returns(const Return& s);
  template <class N, class... A>
  void emit(const Stmt& at, A&&... args) {
    auto n = std::make_shared<N>(std::forward<A>(args)...);
    n->pos = at.pos;
    n->loc = at.loc;
    current_->push_back(std::move(n));
  }
  void emit_assign(TextPos pos, ExprPtr target, ExprPtr value);

  const Module& source_;
  const Function& f_;
  NameIndex names_;
  std::shared_ptr<Function> out_;  ///< the function being built in this pass
  TypingScope scope_;
  SymbolTable types_;  ///< variables, widened so far
  std::vector<SymbolId> args_;
  std::vector<SymbolId> outputs_;  ///< variables of the results, when known
  std::vector<Type> out_types_;
  Body* current_ = nullptr;  ///< where statements go
  int pfors_ = 0;
  bool widened_ = false;
  std::vector<Diagnostic> remarks_, widenings_;
  std::set<std::string> seen_;
};

/// A call that the client makes for its effect on the screen.
bool is_output(const std::string& name);

}  // namespace vr::ir::mclab
