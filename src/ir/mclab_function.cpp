// The mclab dialect: a function's passes, and its variables' types.
#include "ir/mclab_function.hpp"

#include "ir/falls_through.hpp"
#include "ir/mclab_convert.hpp"
#include "ir/mclab_stmt.hpp"
#include "ir/sharing.hpp"
#include "ir/verifier.hpp"

#include <velociraptor/ir/visit.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace vr::ir::mclab {

namespace {

// The class that can represent both values, by MATLAB's rules; int64 stands for an integral double.
Elem join(Elem variable, Elem value) {
  if (variable == value || value == Elem::Bool) return variable;
  if (variable == Elem::Bool) return value;
  if (variable == Elem::Int32 && value == Elem::Int64) return Elem::Int32;
  if (variable == Elem::Float32 && value != Elem::Float64) return Elem::Float32;
  return Elem::Float64;
}

}  // namespace

void widen(Translation& tr, SymbolId id, const Type& type, TextPos pos) {
  VariableTypes& v = tr.variables;
  const Type& was = v.types.at(id).type;
  if (!(was == type)) {
    Diagnostic d = tr.out.diagnostic(
        pos, "widened",
        fmt::format("variable '{}' is stated as {}, but must hold {}", v.types.at(id).name, was.text(), type.text()));
    d.severity = Severity::Remark;
    if (v.said.insert(d.message).second) v.remarks.push_back(std::move(d));
    v.types.set_type(id, type);
    v.widened = true;
  }
  tr.out.function()->symbols.set_type(id, type);  // so that this pass continues with valid types
}

ExprPtr fit_variable(Translation& tr, const ExprPtr& e, SymbolId id, TextPos pos) {
  Type t = tr.out.symbol(id, pos).type;
  if (!e->type.is_numeric() || !t.is_numeric()) return fit(tr.out, e, t);
  Type wide = t;
  wide.complex = t.complex || e->type.complex;
  wide.elem = integral_constant(e) && t.elem != Elem::Bool ? t.elem : join(t.elem, e->type.elem);
  if (constant_of(e) && t.elem == Elem::Float32) wide.elem = t.elem;
  if (t.is_array() && e->type.is_array() && e->type.rank > t.rank) wide.rank = e->type.rank;
  if (tr.variables.types.find(id) && !(wide == t)) {
    widen(tr, id, wide, pos);
  }
  return fit(tr.out, e, wide);
}

// ---------------------------------------------------------------- the function

// The result variables: those in return statements; if there are none, they follow from the client's numbering, which numbers
// the parameters first and the results directly after them.
static void find_outputs(Translation& tr) {
  const size_t n = tr.results.types.size();
  if (n == 0) return;
  walk_stmts(tr.f.body, [&](const Stmt& s) {
    const auto* r = s.kind == Kind::Return ? static_cast<const Return*>(&s) : nullptr;
    if (!r || r->exprs.size() != n || !tr.results.variables.empty()) return;
    std::vector<SymbolId> ids;
    for (const ExprPtr& e : r->exprs)
      if (const auto* name = as<Name>(e)) ids.push_back(name->id);
    if (ids.size() == n) tr.results.variables = ids;
  });
  if (!tr.results.variables.empty()) return;
  for (size_t k = 0; k < n; ++k) {
    const Symbol* s = tr.f.symbols.find(static_cast<SymbolId>(tr.f.args.size() + k));
    if (!s || !(s->type == tr.results.types[k])) {
      tr.results.variables.clear();
      return;
    }
    tr.results.variables.push_back(s->id);
  }
}

// Callers see the declared type of an argument; a widened argument becomes a local variable that is initialised with
// the argument.
static void protect_arguments(Translation& tr) {
  const auto& params = tr.f.type.components();
  for (size_t k = 0; k < tr.f.args.size(); ++k) {
    const SymbolId id = tr.f.args[k];
    const Symbol& local = tr.out.function()->symbols.at(id);
    if (local.type == params[k]) continue;
    if (!local.type.is_numeric() || !params[k].is_numeric())
      tr.out.refuse(tr.f.pos, "arg-type",
                    fmt::format("argument '{}' is {} in the symbol table and {} in the function's type", local.name,
                                local.type.text(), params[k].text()));
    const Type wide = local.type;
    const std::string name = local.name;
    SymbolId fresh = tr.out.function()->symbols.fresh(name + "_arg", params[k]);
    tr.out.function()->args[k] = fresh;
    tr.out.emit_assign(tr.f.pos, tr.out.variable(id, tr.f.pos), fit(tr.out, tr.out.variable(fresh, tr.f.pos), wide));
  }
}

static FunctionPtr pass(Translation& tr) {
  // The result's types are those of their variables.
  Results& results = tr.results;
  results.types = tr.f.type.outputs();
  for (size_t k = 0; k < results.variables.size(); ++k)
    if (const Symbol* s = tr.variables.types.find(results.variables[k]); s && s->type.is_numeric())
      results.types[k] = s->type;
  tr.out.begin(Type::function(tr.f.type.components(), results.types), tr.variables.types);
  Body made;
  tr.out.exchange_body(&made);
  protect_arguments(tr);
  for (StmtPtr& s : body(tr, tr.f.body)) made.push_back(std::move(s));
  if (!results.types.empty() && falls_through(made)) {
    Return r({});
    r.pos = tr.f.pos;
    returns(tr, r);
    tr.out.remark(
        tr.f.pos, "missing-return",
        fmt::format("'{}' ends without 'returnstmt': the current values of its results are returned", tr.f.name));
  }
  const std::shared_ptr<Function>& done = tr.out.function();
  done->body = std::move(made);
  return done;
}

/// Checks the conditions for translating a function.
static void check_signature(Translation& tr) {
  if (!tr.f.type.is_function())
    tr.out.refuse(tr.f.pos, "function-type", fmt::format("'{}' has no function type", tr.f.name));
  if (deeper_than(tr.f.body, max_tree_depth))
    tr.out.refuse(tr.f.pos, "too-deep", fmt::format("'{}' is nested deeper than {}", tr.f.name, max_tree_depth));
  if (tr.f.args.size() != tr.f.type.components().size())
    tr.out.refuse(tr.f.pos, "arg-count",
                  fmt::format("'{}' has {} parameter types and {} arguments", tr.f.name, tr.f.type.components().size(),
                              tr.f.args.size()));
  for (SymbolId id : tr.f.args)
    if (!tr.f.symbols.find(id))
      tr.out.refuse(tr.f.pos, "unknown-id",
                    fmt::format("argument {} of '{}' is not in the symbol table", id, tr.f.name));
  // Done before the translation adds variables of its own, which take the next ids.
  const auto known = [&](SymbolId id, TextPos pos) {
    if (!tr.f.symbols.find(id)) tr.out.refuse(pos, "unknown-id", fmt::format("there is no variable with id {}", id));
  };
  walk_exprs(tr.f.body, [&](const Expr& e) {
    if (auto id = named_variable(e)) known(*id, e.pos);
  });
  walk_stmts(tr.f.body, [&](const Stmt& s) {
    const auto* serial = as<For>(&s);
    const auto* parallel = as<PFor>(&s);
    if (!serial && !parallel) return;
    for (SymbolId id : serial ? serial->itervars : parallel->itervars) known(id, s.pos);
  });
  for (const Symbol& s : tr.f.symbols.all()) {
    if (s.type.is_null())
      tr.out.refuse(tr.f.pos, "no-type", fmt::format("the client could not type variable '{}'", s.name));
    if (s.type.is_numeric() && is_integer(s.type.elem) && s.type.elem != Elem::Int32 && s.type.elem != Elem::Int64)
      tr.out.refuse(tr.f.pos, "unsupported",
                    fmt::format("variable '{}' is {}: MATLAB's arithmetic of this class would have to saturate", s.name,
                                s.type.text()));
    if (s.type.is_numeric() && is_narrow_float(s.type.elem))
      tr.out.refuse(tr.f.pos, "unsupported",
                    fmt::format("variable '{}' is {}: MATLAB has no class of these numbers", s.name, s.type.text()));
  }
  for (const std::vector<Type>* list : {&tr.f.type.components(), &tr.f.type.outputs()})
    for (const Type& t : *list)
      if (t.is_null())
        tr.out.refuse(tr.f.pos, "no-type", fmt::format("the client could not type the signature of '{}'", tr.f.name));
}

Translated translate(const Module& source, const Function& f, const Signatures& signatures) {
  Translation tr(source, f, signatures);
  check_signature(tr);
  find_outputs(tr);
  // A pass can only widen variables, and a variable has few wider types, so this ends. The limit guards against errors
  // in this code.
  for (size_t round = 0; round < 8 + 12 * tr.variables.types.all().size(); ++round) {
    tr.variables.widened = false;
    FunctionPtr done;
    try {
      done = pass(tr);
    } catch (const Refused&) {
      if (!tr.variables.widened) throw;  // otherwise the next pass has other types
    }
    if (tr.variables.widened) continue;
    std::vector<Diagnostic> remarks = tr.variables.remarks;
    remarks.insert(remarks.end(), tr.out.remarks().begin(), tr.out.remarks().end());
    return {std::move(done), std::move(remarks)};
  }
  tr.out.refuse(f.pos, "internal", fmt::format("the types of '{}' do not settle", f.name));
}

}  // namespace vr::ir::mclab
