// verify: statements.
#include "ir/overflow.hpp"
#include "ir/verifier.hpp"

#include "support/raise_text.hpp"

#include <fmt/format.h>

namespace vr::ir {

void Verifier::body(const Body& b) {
  for (size_t k = 0; k < b.size(); ++k) {
    path_.back().index = static_cast<int>(k);
    if (!b[k]) {
      report("missing-part", "a statement is missing");
      continue;
    }
    TextPos outer = pos_;
    if (b[k]->pos.line > 0) pos_ = b[k]->pos;
    stmt(*b[k]);
    pos_ = outer;
  }
  path_.back().index = -1;
}

void Verifier::stmt(const Stmt& s) {
  visit(s, [&](const auto& n) { check(n); });
}

// ---------------------------------------------------------------- assignment

void Verifier::target(const ExprPtr& t) {
  switch (t->kind) {
    case Kind::Name:
    case Kind::Index:
    case Kind::TupleIndex:
      if (!pfors_.empty()) assigned_in_parallel(*t);
      return;
    case Kind::TupleExpr:
      for (const ExprPtr& e : static_cast<const TupleExpr&>(*t).elems)
        if (e) target(e);
      return;
    default:
      report("not-assignable", fmt::format("'{}' cannot be assigned to", kind_word(t->kind)),
             "a target is a name, an index, a tupleindex or a tuple of those");
  }
}

// A value of this type is assigned to one target. A scalar fills a slice, and a value of smaller rank is broadcast over
// it.
void Verifier::store(const Type& value, const Expr& target) {
  if (value.is_void())
    return report("void-value", "the right side has no value", "use 'exprstmt' to call a function for its effect");
  if (target.kind == Kind::Index && target.type.is_array() && value.is_numeric()) {
    if (value.complex && !target.type.complex)
      report("assign-type", fmt::format("{} is assigned to a slice of {}", value.text(), target.type.text()),
             "take 'real', 'imag' or 'abs' of it");
    else if (value.is_array() && value.rank > target.type.rank)
      report("assign-type",
             fmt::format("a value of rank {} is assigned to a slice of rank {}", value.rank, target.type.rank));
    return;
  }
  if (converts(value, target.type)) return;
  std::string hint;
  if (value.is_numeric() && target.type.is_numeric()) {
    if (value.complex && !target.type.complex)
      hint = "take 'real', 'imag' or 'abs' of it";
    else if (value.is_scalar())
      hint = "make an array of it with 'reshape' or 'alloc'";
    else if (target.type.is_scalar())
      hint = "take its only element with 'scalar', or index it";
  }
  report("assign-type", fmt::format("{} is assigned to {}", value.text(), target.type.text()), hint);
}

void Verifier::check(const Assign& s) {
  bool ok = field("targets", s.targets, false);
  ok = field("value", s.value, false) && ok;
  if (s.targets.empty()) report("missing-part", "the assignment has no target");
  for (size_t k = 0; k < s.targets.size(); ++k) {
    At at(*this, "targets", static_cast<int>(k), s.targets[k].get());
    if (s.targets[k]) target(s.targets[k]);
  }
  if (in_section_) kernel_assign(s);
  if (!ok) return;
  if (const auto fault = store_overflow(scope_.conventions, *scope_.function, *s.value, s.targets))
    return report("overflow", fault->message, fault->hint);
  const Type& value = s.value->type;
  const std::vector<ExprPtr>* targets = &s.targets;
  const auto* tuple = s.targets.size() == 1 ? as<TupleExpr>(s.targets[0]) : nullptr;
  if (tuple) targets = &tuple->elems;
  if (s.targets.size() == 1 && !tuple) return store(value, *s.targets[0]);
  if (!value.is_tuple() || value.components().size() != targets->size()) {
    report("target-count",
           fmt::format("{} target{} for a value of type {}", targets->size(), targets->size() == 1 ? "" : "s",
                       value.text()),
           "a target is needed for each result");
    return;
  }
  for (size_t k = 0; k < targets->size(); ++k) {
    At at(*this, "targets", static_cast<int>(k), (*targets)[k].get());
    if ((*targets)[k]->kind == Kind::TupleExpr)
      report("not-assignable", "a tuple within a tuple cannot be assigned to");
    else
      store(value.components()[k], *(*targets)[k]);
  }
}

// ---------------------------------------------------------------- control flow

void Verifier::check(const StmtList& s) {
  const bool section = in_section_;
  in_section_ = in_section_ || s.on_gpu;
  At at(*this, "stmts");
  body(s.stmts);
  in_section_ = section;
}

void Verifier::loop_header(const std::vector<SymbolId>& itervars, const ExprPtr& domain) {
  const bool ok = field("domain", domain, false);
  Type type;
  if (ok) {
    type = domain->type;
    if (domain->kind == Kind::Range && type.is_null()) type = natural_type(*domain, scope_).type;
    if (!type.is_domain() ||
        (domain->kind != Kind::Range && domain->kind != Kind::Domain && domain->kind != Kind::Name)) {
      report("loop-domain", fmt::format("the loop runs over {}", type.text()),
             "a loop runs over a domain, a range, or a variable of domain type");
      type = {};
    } else if (type.components().size() != itervars.size()) {
      report("itervar-count",
             fmt::format("{} iteration variable{} for a domain of {} dimension{}", itervars.size(),
                         itervars.size() == 1 ? "" : "s", type.components().size(),
                         type.components().size() == 1 ? "" : "s"),
             "one variable a dimension is needed");
      type = {};
    }
  }
  if (itervars.empty()) report("itervar-count", "the loop has no iteration variable");
  std::set<SymbolId> seen;
  for (size_t k = 0; k < itervars.size(); ++k) {
    At at(*this, "itervars", static_cast<int>(k));
    const Symbol* s = symbol(itervars[k]);
    if (!s) {
      report("unknown-id", fmt::format("iteration variable {} is not in the symbol table", itervars[k]));
      continue;
    }
    if (!seen.insert(s->id).second)
      report("itervar-count", fmt::format("'{}' is an iteration variable twice", s->name));
    if (!s->type.is_scalar() || s->type.complex || s->type.elem == Elem::Bool) {
      report("itervar-type", fmt::format("iteration variable '{}' is {}", s->name, s->type.text()),
             "it must be a scalar of an integer or floating type");
    } else if (type.is_domain()) {
      const Type& c = type.components()[k];
      if (const Elem both = common_elem(c.elem, s->type.elem); both != s->type.elem)
        report("itervar-type",
               fmt::format("iteration variable '{}' is {}, but the domain runs over {}", s->name, s->type.text(),
                           c.text()),
               fmt::format("make it {}", elem_name(both)));
    }
  }
}

void Verifier::check(const For& s) {
  loop_header(s.itervars, s.domain);
  if (!pfors_.empty())
    for (SymbolId id : s.itervars)
      if (const Symbol* v = symbol(id)) {
        Name n(v->type, id);
        assigned_in_parallel(n);
      }
  ++loops_;
  At at(*this, "body");
  body(s.body);
  --loops_;
}

void Verifier::check(const PFor& s) {
  loop_header(s.itervars, s.domain);
  shared_list(s);
  const int loops = loops_;
  const bool kernel = in_kernel_;
  loops_ = 0;
  in_kernel_ = in_kernel_ || in_section_;
  if (!sharing_) sharing_ = std::make_unique<SharingAnalysis>(*scope_.function);
  pfors_.push_back(sharing_->of(s));
  pfor_nodes_.push_back(&s);
  {
    At at(*this, "body");
    body(s.body);
  }
  pfors_.pop_back();
  pfor_nodes_.pop_back();
  loops_ = loops;
  in_kernel_ = kernel;
}

void Verifier::condition(const ExprPtr& e) {
  if (!field("test", e, false)) return;
  if (!e->type.is_scalar() || e->type.complex) {
    At at(*this, "test", -1, e.get());
    report("condition-type", fmt::format("the condition is {}", e->type.text()),
           e->type.is_array() ? "reduce it with 'any' or 'all', or take its only element with 'scalar'"
                              : "a condition is a bool or a real scalar");
  }
}

void Verifier::check(const While& s) {
  condition(s.test);
  ++loops_;
  At at(*this, "body");
  body(s.body);
  --loops_;
}

void Verifier::check(const If& s) {
  condition(s.test);
  {
    At at(*this, "then_body");
    body(s.then_body);
  }
  At at(*this, "else_body");
  body(s.else_body);
}

void Verifier::jump(const char* word) {
  if (loops_ > 0) return;
  if (!pfors_.empty())
    report("jump-in-pfor", fmt::format("'{}' would leave an iteration of a parallel loop", word),
           "its iterations run at once; use 'forstmt' or a condition");
  else
    report("jump-outside-loop", fmt::format("'{}' outside of a loop", word));
}
void Verifier::check(const Break&) { jump("break"); }
void Verifier::check(const Continue&) { jump("continue"); }

void Verifier::check(const Return& s) {
  const bool ok = field("exprs", s.exprs, false);
  if (!pfors_.empty())
    report("jump-in-pfor", "'returnstmt' inside a parallel loop", "its iterations run at once; return after the loop");
  if (!ok || !scope_.function->type.is_function()) return;
  const auto& outs = scope_.function->type.outputs();
  for (size_t k = 0; k < s.exprs.size() && k < outs.size(); ++k) {
    const Type& to = s.exprs.size() == outs.size() ? outs[k] : Type::tuple(outs);
    if (const auto fault = tuple_overflow(scope_.conventions, s.exprs[k]->type, to))
      report("overflow", fault->message, fault->hint);
  }
  if (s.exprs.size() != outs.size()) {
    // A call whose results are the function's: one expression of tuple type.
    if (s.exprs.size() == 1 && outs.size() > 1 && converts(s.exprs[0]->type, Type::tuple(outs))) return;
    report("return-count", fmt::format("{} value{} returned from '{}', which has {} result{}", s.exprs.size(),
                                       s.exprs.size() == 1 ? "" : "s", scope_.function->name, outs.size(),
                                       outs.size() == 1 ? "" : "s"));
    return;
  }
  for (size_t k = 0; k < outs.size(); ++k) {
    if (converts(s.exprs[k]->type, outs[k])) continue;
    At at(*this, "exprs", static_cast<int>(k), s.exprs[k].get());
    report("return-type", fmt::format("result {} of '{}' is {}, here {} is returned", k + 1, scope_.function->name,
                                      outs[k].text(), s.exprs[k]->type.text()));
  }
}

void Verifier::check(const Raise& s) {
  const bool ok = field("args", s.args, false);
  if (s.args.size() > max_raise_args)
    report("arg-count", fmt::format("'raise' has {} numbers", s.args.size()),
           fmt::format("there may be {}", max_raise_args));
  const std::optional<size_t> places = raise_places(s.text);
  if (!places)
    report("raise-text", "the text of 'raise' has an unmatched brace", "write {} for a number, {{ and }} for braces");
  else if (*places != s.args.size())
    report("arg-count", fmt::format("the text of 'raise' has placeholders for {} number{}, but there {} {}", *places,
                                    *places == 1 ? "" : "s", s.args.size() == 1 ? "is" : "are", s.args.size()));
  for (size_t k = 0; ok && k < s.args.size(); ++k) {
    At at(*this, "args", static_cast<int>(k), s.args[k].get());
    if (const Type& t = s.args[k]->type; !t.is_scalar() || t.complex)
      report("raise-type", fmt::format("a number of 'raise' is {}", t.text()), "it must be a real scalar");
  }
}

void Verifier::check(const ExprStmt& s) { field("expr", s.expr, false); }

}  // namespace vr::ir
