// The verifier's state, shared by verify*.cpp. Private to them.
#pragma once
#include "ir/sharing.hpp"
#include "ir/typing.hpp"

#include <velociraptor/ir/verify.hpp>
#include <velociraptor/ir/visit.hpp>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace vr::ir {

/// Why a narrow float is not allowed in this type: there are no complex narrow floats, and they cannot count
/// iterations. Empty: it is allowed.
const char* narrow_float_fault(const Type& t);

class Verifier {
 public:
  Verifier(const Module& m, const Conventions& host) : module_(m), scope_{&m, nullptr, m.attrs.resolve(host), &names_} {
    names_.set_module(m);
  }
  Verifier(const Verifier&) = delete;
  Verifier& operator=(const Verifier&) = delete;
  std::vector<Diagnostic> run();

 private:
  // ---- verify.cpp: module, functions, reporting
  void module_attributes();
  void function(const Function& f);
  void signature(const Function& f);
  void external(const Function& f);
  void value_type(const Type& t, const std::string& what);
  void report(std::string rule, std::string message, std::string hint = {});
  const Symbol* symbol(SymbolId id) const { return scope_.function->symbols.find(id); }

  // ---- verify_expr.cpp
  /// Checks the expression and everything in it; false if errors were reported.
  bool expr(const ExprPtr& e);
  bool own_type(const Expr& e);

  // ---- verify_stmt.cpp
  void body(const Body& b);
  void stmt(const Stmt& s);
  void check(const Assign& s);
  void check(const StmtList& s);
  void check(const For& s);
  void check(const PFor& s);
  void check(const While& s);
  void check(const If& s);
  void check(const Break& s);
  void check(const Continue& s);
  void check(const Return& s);
  void check(const Raise& s);
  void check(const ExprStmt& s);
  void loop_header(const std::vector<SymbolId>& itervars, const ExprPtr& domain);
  void condition(const ExprPtr& e);
  void target(const ExprPtr& t);
  void store(const Type& value, const Expr& target);
  void jump(const char* word);

  // ---- verify_parallel.cpp: thesis 4.5
  void shared_list(const PFor& s);
  void assigned_in_parallel(const Expr& target);
  void kernel_assign(const Assign& s);
  void kernel_expr(const Expr& e);
  const std::string& kernel_callee_fault(const Function& f);
  void parallel_call(const FnCall& c);

  /// Traverses the fields of a node; the field names become part of the path.
  template <class N>
  bool children(const N& n) {
    bool ok = true;
    std::apply([&](auto... f) { ((ok = field(f.name, n.*(f.member), N::static_kind == Kind::Range) && ok), ...); },
               N::fields());
    return ok;
  }
  bool field(const char* name, const ExprPtr& e, bool optional);
  bool field(const char* name, const std::vector<ExprPtr>& list, bool optional);
  bool field(const char* name, const std::vector<Subscript>& list, bool optional);
  template <class T>
  bool field(const char*, const T&, bool) {
    return true;
  }

  /// Adds a step to the path, and the node's source location if it has one, while the object lives.
  struct At {
    At(Verifier& v, const char* name, int index = -1, const Node* node = nullptr) : v_(v), pos_(v.pos_) {
      v.path_.push_back({name, index});
      if (node && node->pos.line > 0) v.pos_ = node->pos;
    }
    ~At() {
      v_.path_.pop_back();
      v_.pos_ = pos_;
    }
    At(const At&) = delete;
    At& operator=(const At&) = delete;
    Verifier& v_;
    TextPos pos_;
  };
  struct Step {
    const char* name;
    int index;  ///< -1: none
  };

  const Module& module_;
  NameIndex names_;
  TypingScope scope_;
  std::unique_ptr<SharingAnalysis> sharing_;  ///< of the function; made at its first pfor
  /// The functions that kernels and parallel loops call.
  struct KernelCallees {
    std::map<const Function*, std::string> faults;  ///< why a kernel may not; "" when it may
    std::set<const Function*> active;               ///< functions being examined
    std::map<const Function*, const Function*>
        serial;  ///< the host's function that one leads to, not for parallel loops
    std::optional<std::vector<const Function*>> handles;  ///< those whose handle the module takes
  } kernel_callees_;
  std::vector<Diagnostic> out_;
  std::string function_name_;
  std::vector<Step> path_;
  TextPos pos_;
  std::set<std::string> missing_;  ///< reported errors about ids that are not in the function's symbol table
  int loops_ = 0;                  ///< loops around the statement, counted from the nearest pfor
  std::vector<Sharing> pfors_;     ///< the pfor loops around the statement, outermost first
  std::vector<const PFor*> pfor_nodes_;
  bool in_section_ = false;  ///< inside an accelerated section
  bool in_kernel_ = false;   ///< inside a pfor of an accelerated section
};

/// Whether the tree under the body is deeper than `limit`; never recurses deeper itself.
bool deeper_than(const Body& body, int limit);

}  // namespace vr::ir
