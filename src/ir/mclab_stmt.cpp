// The mclab dialect: statements.
#include "ir/mclab.hpp"
#include "ir/sharing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace vr::ir::mclab {

Body Translator::body(const Body& b) {
  Body out;
  Body* outer = current_;
  current_ = &out;
  for (const StmtPtr& s : b) {
    if (!s) refuse(f_.pos, "missing-part", "a statement is missing");
    stmt(*s);
  }
  current_ = outer;
  return out;
}

void Translator::stmt(const Stmt& s) {
  switch (s.kind) {
    case Kind::Assign:
      return assign(static_cast<const Assign&>(s));
    case Kind::StmtList: {
      const auto& l = static_cast<const StmtList&>(s);
      Body b = body(l.stmts);
      return emit<StmtList>(s, l.on_gpu, std::move(b));
    }
    case Kind::For: {
      const auto& l = static_cast<const For&>(s);
      return loop(s, l.itervars, l.domain, l.body, false);
    }
    case Kind::PFor: {
      const auto& l = static_cast<const PFor&>(s);
      return loop(s, l.itervars, l.domain, l.body, true);
    }
    case Kind::While: {
      const auto& w = static_cast<const While&>(s);
      Body before;
      Body* outer = current_;
      current_ = &before;
      ExprPtr test = condition(expr(w.test));
      current_ = outer;
      Body inner = body(w.body);
      if (before.empty()) return emit<While>(s, test, std::move(inner));
      // The test needs statements of its own: they run each time round.
      current_ = &before;
      emit<If>(s, make<Not>(s.pos, test), Body{std::make_shared<Break>()}, Body{});
      current_ = outer;
      for (StmtPtr& x : inner) before.push_back(std::move(x));
      return emit<While>(s, make_as<IntConst>(Type::scalar(Elem::Bool), s.pos, int64_t{1}), std::move(before));
    }
    case Kind::If: {
      const auto& i = static_cast<const If&>(s);
      ExprPtr test = condition(expr(i.test));
      Body a = body(i.then_body), b = body(i.else_body);
      return emit<If>(s, test, std::move(a), std::move(b));
    }
    case Kind::Break:
      return emit<Break>(s);
    case Kind::Continue:
      return emit<Continue>(s);
    case Kind::Return:
      return returns(static_cast<const Return&>(s));
    case Kind::ExprStmt: {
      const auto& e = static_cast<const ExprStmt&>(s);
      const auto* call = as<FnCall>(e.expr);
      if (call && !find_callee(call->callee, scope_).function && is_output(call->callee)) {
        remark(s.pos, "output-dropped", fmt::format("'{}' is left out: nothing is printed", call->callee));
        return;
      }
      ExprPtr x;
      if (call) {
        Callee c = find_callee(call->callee, scope_);
        if (const Type* t = c.variable ? &c.variable->type : c.function ? &c.function->type : nullptr)
          x = call_function(call->callee, *t, exprs(call->args), s.pos);
      }
      if (!x) x = expr(e.expr);
      return emit<ExprStmt>(s, x);
    }
    default:
      refuse(s.pos, "internal", fmt::format("'{}' is no statement", kind_word(s.kind)));
  }
}

// ---------------------------------------------------------------- assignment

namespace {
// `[]` as the client writes it: a concatenation of nothing.
bool is_empty_brackets(const ExprPtr& e) {
  const auto* l = as<LibCall>(e);
  const auto* f = as<FnCall>(e);
  const std::string* name = l ? &l->func : f ? &f->callee : nullptr;
  return name && (*name == "horzcat" || *name == "vertcat") && (l ? l->args : f->args).empty();
}
}  // namespace

void Translator::assign(const Assign& s) {
  if (s.targets.empty() && !s.value)
    refuse(s.pos, "empty-assignment", "an assignment without sides: the client could not translate it",
           "it writes this for cell arrays; keep them out of compiled functions");
  if (!s.value) refuse(s.pos, "missing-part", "the assignment has no value");
  std::vector<ExprPtr> targets = s.targets;
  if (targets.size() == 1)
    if (const auto* t = as<TupleExpr>(targets[0])) targets = t->elems;
  for (const ExprPtr& t : targets)
    if (!t) refuse(s.pos, "missing-part", "a target of the assignment is missing");
  if (targets.empty()) {  // a call without results
    ExprStmt e(s.value);
    e.pos = s.pos;
    e.loc = s.loc;
    return stmt(e);
  }
  Body* out = current_;
  const size_t first = out->size();
  if (targets.size() == 1) {
    if (targets[0]->kind == Kind::Index && is_empty_brackets(s.value))
      refuse(s.pos, "unsupported", "elements are deleted by assigning []", "build the array without them");
    assign_one(targets[0], expr(s.value), s.pos);
  } else {
    const auto* call = as<FnCall>(s.value);
    Callee c = call ? find_callee(call->callee, scope_) : Callee{};
    const Type* type = c.variable ? &c.variable->type : c.function ? &c.function->type : nullptr;
    if (type) {
      Type t = *type;
      assign_results(targets, call_function(call->callee, t, exprs(call->args), s.pos), s.pos);
    } else if (!several_results(targets, *s.value)) {
      assign_results(targets, expr(s.value), s.pos);
    }
  }
  for (size_t k = first; k < out->size(); ++k)
    if ((*out)[k]->loc.empty() && !s.loc.empty())
      const_cast<Stmt&>(*(*out)[k]).loc = s.loc;  // made just now, not shared yet
}

void Translator::assign_one(const ExprPtr& target, const ExprPtr& value, TextPos pos) {
  if (value->type.is_void()) refuse(pos, "void-value", "the right side of the assignment has no value");
  if (const auto* n = as<Name>(target)) {
    ExprPtr v = fit_variable(value, n->id, pos);
    return emit_assign(pos, variable(n->id, target->pos), v);
  }
  if (const auto* t = as<TupleIndex>(target)) {
    ExprPtr place = make<TupleIndex>(target->pos, t->tuple, t->index);
    return emit_assign(pos, place, fit(value, place->type));
  }
  const auto* i = as<Index>(target);
  if (!i) refuse(pos, "not-assignable", fmt::format("'{}' cannot be assigned to", kind_word(target->kind)));
  if (!value->type.is_numeric())
    refuse(pos, "assign-type", fmt::format("{} is stored in an array", value->type.text()));

  // A store keeps the array's class when that is int32 or single, else the array takes what it gets.
  ExprPtr place = index(*i, true);
  Type t = symbol(i->array, pos).type;
  Type wide = t;
  wide.complex = t.complex || value->type.complex;
  const Elem from = value->type.elem;
  const bool integral = from == Elem::Int64 || from == Elem::Bool || (value->kind == Kind::FloatConst && [&] {
                          double v = static_cast<const FloatConst&>(*value).value;
                          return v == std::floor(v) && std::abs(v) < 1e15 && !(v == 0 && std::signbit(v));
                        }());
  if (t.elem == Elem::Int64 && !integral) wide.elem = Elem::Float64;
  if (t.elem == Elem::Bool && from != Elem::Bool) wide.elem = from == Elem::Int64 ? Elem::Float64 : from;
  if (!(wide == t)) {
    widen(i->array, wide, pos);
    out_->symbols.set_type(i->array, wide);
    place = index(*i, true);
  }
  if (place->kind == Kind::Name)  // x(1) of a number
    return emit_assign(pos, place, fit(value, place->type));
  ExprPtr v = place->type.is_scalar() ? to_scalar(value) : value;
  v = wide.elem == Elem::Int32 && !wide.complex ? to_int32(v) : to_elem(v, wide.elem, wide.complex);
  if (v->type.is_array() && v->type.rank > place->type.rank)
    refuse(pos, "assign-type",
           fmt::format("a value of rank {} is stored in a slice of rank {}", v->type.rank, place->type.rank));
  emit_assign(pos, place, v);
}

// A value of tuple type into several targets; those that do not fit go through a variable that does.
void Translator::assign_results(const std::vector<ExprPtr>& targets, const ExprPtr& value, TextPos pos) {
  if (!value->type.is_tuple() || value->type.components().size() < targets.size())
    refuse(pos, "target-count", fmt::format("{} targets for a value of type {}", targets.size(), value->type.text()));
  const std::vector<Type> results = value->type.components();
  std::vector<ExprPtr> places;
  std::vector<std::pair<ExprPtr, ExprPtr>> later;
  std::set<SymbolId> taken;
  for (size_t k = 0; k < results.size(); ++k) {
    const auto* n = k < targets.size() ? as<Name>(targets[k]) : nullptr;
    if (n && symbol(n->id, pos).type == results[k] && taken.insert(n->id).second) {
      places.push_back(variable(n->id, targets[k]->pos));
      continue;
    }
    places.push_back(variable(temporary("result_temp", results[k]), pos));
    if (k < targets.size()) later.emplace_back(targets[k], places.back());
  }
  auto a = std::make_shared<Assign>(std::move(places), value);
  a->pos = pos;
  current_->push_back(std::move(a));
  for (auto& [target, temp] : later) assign_one(target, temp, pos);
}

// Builtins with several results: [r, c] = size(A), [m, i] = min(v), [s, i] = sort(v), [r, c] = find(A).
bool Translator::several_results(const std::vector<ExprPtr>& targets, const Expr& value) {
  std::string name;
  const std::vector<ExprPtr>* from = nullptr;
  if (value.kind == Kind::FnCall) {
    name = static_cast<const FnCall&>(value).callee;
    from = &static_cast<const FnCall&>(value).args;
  } else if (value.kind == Kind::LibCall) {
    name = static_cast<const LibCall&>(value).func;
    from = &static_cast<const LibCall&>(value).args;
  }
  const TextPos pos = value.pos;
  const size_t n = targets.size();
  if (!from || from->empty()) return false;
  if (name == "size" && from->size() == 1) {
    ExprPtr a = named(expr((*from)[0]), "size_temp");
    std::vector<ExprPtr> extents;
    const int rank = a->type.is_array() ? a->type.rank : 2;
    for (size_t k = 1; k <= n; ++k) {
      std::vector<ExprPtr> args{a, integer(static_cast<int64_t>(k), pos)};
      ExprPtr x = shape_builtin("size", args, {}, pos);
      // The last one takes the dimensions that are left.
      for (int rest = static_cast<int>(k) + 1; k == n && rest <= rank; ++rest) {
        std::vector<ExprPtr> more{a, integer(rest, pos)};
        x = make<Mult>(pos, x, shape_builtin("size", more, {}, pos));
      }
      extents.push_back(x);
    }
    // A target may be the array itself: all extents first.
    for (ExprPtr& x : extents) x = named(x, "extent_temp");
    for (size_t k = 0; k < n; ++k) assign_one(targets[k], extents[k], pos);
    return true;
  }
  if ((name == "min" || name == "max") && n == 2) {
    std::vector<ExprPtr> args = exprs(*from);
    if (args.size() == 3) args.erase(args.begin() + 1);  // max(A, [], k)
    if (args.size() > 1) args[1] = axis(args[1]);
    args[0] = named(args[0], "search_temp");
    ExprPtr best = named(lib(pos, name == "min" ? "min" : "max", args), "best_temp");
    ExprPtr where = named(lib(pos, name == "min" ? "argmin" : "argmax", args), "where_temp");
    assign_one(targets[0], best, pos);
    assign_one(targets[1], where, pos);
    return true;
  }
  if (name == "sort" || name == "find") {
    std::vector<ExprPtr> args = exprs(*from);
    args[0] = args[0]->type.is_array() ? args[0] : to_array(args[0], 2);
    if (args.size() > 1) args[1] = axis(args[1]);
    Type count = Type::tuple(std::vector<Type>(n, args[0]->type));  // tells the rule how many results are wanted
    assign_results(targets, make_as<LibCall>(count, pos, name, std::move(args)), pos);
    return true;
  }
  return false;
}

// ---------------------------------------------------------------- loops

ExprPtr Translator::loop_domain(const ExprPtr& domain, std::vector<SymbolId>& itervars, TextPos pos) {
  std::vector<ExprPtr> ranges;
  if (domain && domain->kind == Kind::Range) ranges.push_back(domain);
  if (const auto* d = as<Domain>(domain)) ranges = d->ranges;
  if (ranges.empty() || ranges.size() != itervars.size())
    refuse(pos, "loop-domain", "the loop does not run over a range",
           "loops over an array's columns are not possible; loop over their numbers");
  std::vector<ExprPtr> out;
  for (size_t k = 0; k < ranges.size(); ++k) {
    const auto* r = as<Range>(ranges[k]);
    if (!r || !r->start || !r->stop) refuse(pos, "loop-domain", "the loop's range has no start or no stop");
    Type t = symbol(itervars[k], pos).type;
    if (t.is_array() || t.complex || !t.is_numeric()) {
      // The variable is used otherwise elsewhere: the loop counts with one of its own.
      if (!t.is_numeric())
        refuse(pos, "itervar-type", fmt::format("iteration variable '{}' is {}", name_of(itervars[k]), t.text()));
      itervars[k] = temporary("loop_temp", Type::scalar(Elem::Float64));
      t = Type::scalar(Elem::Float64);
    }
    Type wide = t;
    if (t.elem == Elem::Bool) wide.elem = Elem::Float64;
    if (!is_float(wide.elem) && r->step) {
      ExprPtr step = to_scalar(expr(r->step));
      ExprPtr whole = to_elem(step, Elem::Int64, false);
      // An integer variable cannot take a step that may be a fraction.
      if (is_float(step->type.elem) && whole->kind == Kind::Cast) wide.elem = Elem::Float64;
    }
    if (!(wide == t) && types_.find(itervars[k])) {
      widen(itervars[k], wide, pos);
      out_->symbols.set_type(itervars[k], wide);
    }
    out.push_back(range(*r, &wide));
  }
  return make<Domain>(domain->pos, std::move(out));
}

void Translator::loop(const Stmt& s, const std::vector<SymbolId>& vars, const ExprPtr& domain, const Body& b,
                      bool parallel) {
  std::vector<SymbolId> itervars = vars;
  ExprPtr d = loop_domain(domain, itervars, s.pos);
  pfors_ += parallel;
  Body inner = body(b);
  pfors_ -= parallel;
  Body start;
  for (size_t k = 0; k < vars.size(); ++k)
    if (itervars[k] != vars[k]) {
      Body* outer = current_;
      current_ = &start;
      emit_assign(s.pos, variable(vars[k], s.pos), fit_variable(variable(itervars[k], s.pos), vars[k], s.pos));
      current_ = outer;
    }
  if (!start.empty()) inner.insert(inner.begin(), start.begin(), start.end());
  if (parallel && make_parallel(inner, itervars, s.pos)) {
    emit<PFor>(s, std::move(itervars), d, std::nullopt, std::move(inner));
    return;
  }
  if (parallel) {  // stores may enlarge arrays again
    Rewriter r;
    r.expr = [](const ExprPtr& e) -> ExprPtr {
      const auto* i = as<Index>(e);
      if (!i || std::none_of(i->subscripts.begin(), i->subscripts.end(),
                             [](const Subscript& x) { return x.grow.has_value(); }))
        return e;
      auto n = std::make_shared<Index>(*i);
      for (Subscript& x : n->subscripts) x.grow.reset();
      return n;
    };
    if (pfors_ == 0) inner = rewrite(inner, r);
  }
  emit<For>(s, std::move(itervars), d, std::move(inner));
}

namespace {

// Whether a break or continue of the body, or any return, leaves one iteration of it.
bool jumps_out(const Body& body) {
  for (const StmtPtr& s : body) {
    if (s->kind == Kind::Break || s->kind == Kind::Continue || s->kind == Kind::Return) return true;
    if (const auto* i = as<If>(s); i && (jumps_out(i->then_body) || jumps_out(i->else_body))) return true;
    if (const auto* l = as<StmtList>(s); l && jumps_out(l->stmts)) return true;
    bool returns = false;
    walk_stmts({s}, [&](const Stmt& x) { returns = returns || x.kind == Kind::Return; });
    if (returns) return true;
  }
  return false;
}

Body renamed(const Body& body, SymbolId from, SymbolId to) {
  Rewriter r;
  r.expr = [&](const ExprPtr& e) -> ExprPtr {
    auto with = [&](auto* n, auto member) -> ExprPtr {
      if (n->*member != from) return e;
      auto copy = std::make_shared<std::decay_t<decltype(*n)>>(*n);
      (*copy).*member = to;
      return copy;
    };
    if (const auto* n = as<Name>(e)) return with(n, &Name::id);
    if (const auto* n = as<Index>(e)) return with(n, &Index::array);
    if (const auto* n = as<Dim>(e)) return with(n, &Dim::array);
    if (const auto* n = as<DimVec>(e)) return with(n, &DimVec::array);
    if (const auto* n = as<RealExpr>(e)) return with(n, &RealExpr::id);
    if (const auto* n = as<ImagExpr>(e)) return with(n, &ImagExpr::id);
    if (const auto* n = as<Xchange>(e)) return with(n, &Xchange::array);
    return e;
  };
  return rewrite(body, r);
}

}  // namespace

// MATLAB's parfor allows reductions and temporaries. Temporary arrays get a variable of their own; a loop that carries
// a value from one iteration to the next runs serially.
bool Translator::make_parallel(Body& b, const std::vector<SymbolId>& itervars, TextPos pos) {
  if (jumps_out(b)) {
    remark(pos, "serial-pfor", "the parallel loop is left early: it runs serially");
    return false;
  }
  const std::vector<SymbolId> early = read_before_assigned(b, *out_);
  for (SymbolId id : assigned_variables(b)) {
    const Symbol s = symbol(id, pos);
    if (std::find(itervars.begin(), itervars.end(), id) != itervars.end()) {
      remark(pos, "serial-pfor",
             fmt::format("the parallel loop assigns to its variable '{}': it runs serially", s.name));
      return false;
    }
    if (std::binary_search(early.begin(), early.end(), id)) {
      remark(pos, "serial-pfor",
             fmt::format("'{}' goes from one iteration of the parallel loop to the next: it runs serially", s.name));
      return false;
    }
    if (s.type.is_array()) b = renamed(b, id, temporary((s.name + "_private").c_str(), s.type));
  }
  return true;
}

// ---------------------------------------------------------------- return

void Translator::returns(const Return& s) {
  std::vector<ExprPtr> values;
  if (s.exprs.size() == out_types_.size()) {
    values = exprs(s.exprs);
  } else if (s.exprs.empty()) {
    if (outputs_.size() != out_types_.size())
      refuse(s.pos, "missing-return",
             fmt::format("'{}' returns without values, and nothing tells which variables its results are", f_.name),
             "write the results into a 'returnstmt'");
    for (SymbolId id : outputs_) values.push_back(variable(id, s.pos));
  } else {
    refuse(
        s.pos, "return-count",
        fmt::format("{} values returned from '{}', which has {} results", s.exprs.size(), f_.name, out_types_.size()));
  }
  for (size_t k = 0; k < values.size(); ++k) values[k] = fit(values[k], out_types_[k]);
  emit<Return>(s, std::move(values));
}

}  // namespace vr::ir::mclab
