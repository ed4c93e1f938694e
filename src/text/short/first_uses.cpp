#include "text/short/first_uses.hpp"

#include <velociraptor/ir/visit.hpp>

#include <map>
#include <string>

namespace vr::text::brief {

using namespace ir;

namespace {

class Uses {
 public:
  Uses(const Function& f, const std::set<SymbolId>& declared) : f_(f), known_(declared) {
    for (const Symbol& s : f.symbols.all())
      if (s.type.is_function()) handles_.emplace(s.name, s.id);
  }

  std::set<SymbolId> run() {
    body(f_.body);
    for (const Symbol& s : f_.symbols.all()) use(s.id);
    return std::move(needed_);
  }

 private:
  void use(SymbolId id) {
    if (known_.insert(id).second && f_.symbols.find(id)) needed_.insert(id);
  }
  void define(SymbolId id, const Type& type) {
    const Symbol* s = f_.symbols.find(id);
    if (s && s->type == type && !type.is_null() && !type.is_void())
      known_.insert(id);
    else
      use(id);
  }
  void expr(const ExprPtr& e) {
    walk_exprs(e, [this](const Expr& x) { visit(x, [this](const auto& n) { own(n); }); });
  }
  template <class N>
  void own(const N&) {}
  void own(const Name& n) { use(n.id); }
  void own(const Index& n) { use(n.array); }
  void own(const Dim& n) { use(n.array); }
  void own(const DimVec& n) { use(n.array); }
  void own(const TupleIndex& n) { use(n.tuple); }
  void own(const RealExpr& n) { use(n.id); }
  void own(const ImagExpr& n) { use(n.id); }
  void own(const Xchange& n) { use(n.array); }
  void own(const FnCall& n) { handle(n.callee); }
  void own(const FnHandle& n) { handle(n.callee); }
  // A call refers to a variable of function type by its name.
  void handle(const std::string& name) {
    for (auto [at, end] = handles_.equal_range(name); at != end; ++at) use(at->second);
  }

  void body(const Body& list) {
    for (const StmtPtr& s : list) visit(*s, [this](const auto& n) { stmt(n); });
  }
  void stmt(const Assign& s) {
    expr(s.value);
    // Subscripts of targets are read before the value's type is known, names after that.
    for (const ExprPtr& t : s.targets)
      if (t->kind != Kind::Name) expr(t);
    for (size_t k = 0; k < s.targets.size(); ++k)
      if (const auto* n = as<Name>(s.targets[k])) {
        const Type type = assigned_type(s.value->type, k, s.targets.size());
        define(n->id, n->type == type ? type : Type::null());
      }
  }
  void stmt(const StmtList& s) { body(s.stmts); }
  template <class Loop>
  void loop(const Loop& s) {
    expr(s.domain);
    for (size_t k = 0; k < s.itervars.size(); ++k)
      define(s.itervars[k], iterated_type(s.domain->type, k, s.itervars.size()));
  }
  void stmt(const For& s) {
    loop(s);
    body(s.body);
  }
  void stmt(const PFor& s) {
    loop(s);
    if (s.shared)
      for (SymbolId id : *s.shared) use(id);
    body(s.body);
  }
  void stmt(const While& s) {
    expr(s.test);
    body(s.body);
  }
  void stmt(const If& s) {
    expr(s.test);
    body(s.then_body);
    body(s.else_body);
  }
  void stmt(const Break&) {}
  void stmt(const Continue&) {}
  void stmt(const Return& s) {
    for (const ExprPtr& e : s.exprs) expr(e);
  }
  void stmt(const Raise& s) {
    for (const ExprPtr& e : s.args) expr(e);
  }
  void stmt(const ExprStmt& s) { expr(s.expr); }

  const Function& f_;
  std::set<SymbolId> known_, needed_;
  std::multimap<std::string, SymbolId> handles_;
};

}  // namespace

std::set<SymbolId> undeclared(const Function& f, const std::set<SymbolId>& declared) { return Uses(f, declared).run(); }

Type assigned_type(const Type& value, size_t k, size_t count) {
  if (count == 1) return value;
  return value.is_tuple() && value.components().size() == count ? value.components()[k] : Type::null();
}
Type iterated_type(const Type& domain, size_t k, size_t count) {
  return domain.is_domain() && domain.components().size() == count ? domain.components()[k] : Type::null();
}

}  // namespace vr::text::brief
