#include "loop/analysis/footprint.hpp"

#include "loop/walk.hpp"
#include "support/restore.hpp"

#include <algorithm>
#include <limits>
#include <optional>

namespace vr::lower {
namespace {

/// A sum of products; a product is at most one loop's counter, and values of the launch in ascending order.
struct Form {
  std::map<std::pair<int64_t, std::vector<int64_t>>, int64_t> terms;
  std::set<int64_t> limits;  ///< under which it is the number

  bool of_launch() const {  // no loop's counter
    return std::all_of(terms.begin(), terms.end(), [](const auto& t) { return t.first.first < 0; });
  }
  std::optional<int64_t> constant() const {
    if (terms.empty()) return 0;
    if (terms.size() > 1 || terms.begin()->first != std::pair(int64_t{-1}, std::vector<int64_t>())) return {};
    return terms.begin()->second;
  }
};

constexpr size_t most_form_terms = 24;
constexpr size_t most_form_factors = 8;  // of a term: repeated squares would have exponentially many

Form number(int64_t v) {
  Form f;
  if (v != 0) f.terms[{-1, {}}] = v;
  return f;
}
Form atom(int64_t loop, std::vector<int64_t> values) {
  Form f;
  f.terms[{loop, std::move(values)}] = 1;
  return f;
}

/// a + factor * b
std::optional<Form> sum(Form a, const Form& b, int64_t factor) {
  a.limits.insert(b.limits.begin(), b.limits.end());
  for (const auto& [product, f] : b.terms) {
    int64_t more = 0;
    int64_t& at = a.terms[product];
    if (__builtin_mul_overflow(f, factor, &more) || __builtin_add_overflow(at, more, &at)) return {};
    if (at == 0) a.terms.erase(product);
  }
  if (a.terms.size() > most_form_terms) return {};
  return a;
}

std::optional<Form> product(const Form& a, const Form& b) {
  Form r;
  r.limits = a.limits;
  r.limits.insert(b.limits.begin(), b.limits.end());
  for (const auto& [pa, fa] : a.terms)
    for (const auto& [pb, fb] : b.terms) {
      if ((pa.first >= 0 && pb.first >= 0) || pa.second.size() + pb.second.size() > most_form_factors) return {};
      std::vector<int64_t> values = pa.second;
      values.insert(values.end(), pb.second.begin(), pb.second.end());
      std::sort(values.begin(), values.end());
      int64_t f = 0;
      int64_t& at = r.terms[{std::max(pa.first, pb.first), values}];
      if (__builtin_mul_overflow(fa, fb, &f) || __builtin_add_overflow(at, f, &at)) return {};
    }
  std::erase_if(r.terms, [](const auto& t) { return t.second == 0; });
  if (r.terms.size() > most_form_terms) return {};
  return r;
}

AccessForm plain(const Form& f) {
  AccessForm r;
  for (const auto& [p, factor] : f.terms) r.push_back({factor, p.first, p.second});
  return r;
}

bool loads(ExprP e, std::set<ExprP>& seen) {
  if (!e || !seen.insert(e).second) return false;
  return e->kind == Expr::Kind::Load || loads(e->a, seen) || loads(e->b, seen) || loads(e->c, seen);
}

/// The integers in which the arithmetic of a type is exact. Int64's arithmetic is exact for all numbers that a launch
/// may compute.
std::optional<std::pair<int64_t, int64_t>> exact_range(Scalar type) {
  if (type == Scalar::Ptr) return {};
  return ir::visit_elem(elem_of(type), [](auto tag) -> std::optional<std::pair<int64_t, int64_t>> {
    using T = typename decltype(tag)::type;
    using Limits = std::numeric_limits<T>;
    if constexpr (std::is_floating_point_v<T>) {
      constexpr int64_t whole = int64_t{1} << Limits::digits;
      return std::pair(-whole, whole);
    } else if constexpr (std::is_integral_v<T> && tag.kind != ir::ElemKind::Logical && !std::is_same_v<T, uint64_t>) {
      return std::pair(int64_t{Limits::min()}, int64_t{Limits::max()});
    }
    return {};
  });
}

class FootprintFinder {
 public:
  explicit FootprintFinder(const Function& kernel) : f_(kernel) {
    assigned_ = assignments(kernel.body);
    for (VarId d : kernel.dims) assigned_.try_emplace(d, 1);
    for (size_t p = 0; p < kernel.params.size(); ++p) input(int64_t(p), kernel.params[p]);
    for (size_t d = 0; d < kernel.dims.size(); ++d) {
      loops_.push_back(int64_t(d));
      table_.loops.push_back({{}, plain(value(AccessValue::Kind::Count, int64_t(d)))});
      known_[kernel.dims[d]] = atom(int64_t(d), {});
    }
  }

  AccessTable run() {
    block(f_.body);
    for (const Fold& fold : f_.folds) whole(param_of(fold.partial), true, "partial results of a reduction");
    if (!problem_.empty()) {
      table_.accesses.clear();
      table_.whole.clear();
      for (size_t p = 0; p < f_.params.size(); ++p)
        if (f_.params[p].array != none)
          for (bool written : {false, true}) whole(int64_t(p), written && f_.params[p].written, problem_);
    }
    if (may_leave_)
      for (ArrayAccess& a : table_.accesses) a.always = false;
    return std::move(table_);
  }

 private:
  struct Place {
    int64_t param;  ///< -1: memory of the work-item
    Form offset;
  };

  // ---------------------------------------------------------------- what the launch knows
  void input(int64_t p, const Param& param) {
    auto known = [&](VarId v, AccessValue::Kind kind, int64_t b) {
      if (v != none && !assigned_.count(v)) inputs_[v] = {kind, p, b, {}};
    };
    if (param.array == none) {
      if (param.im == none && exact_range(type_of(param.var))) known(param.var, AccessValue::Kind::Scalar, 0);
      return;
    }
    const ArrayVars& a = f_.arrays[size_t(param.array)];
    if (!assigned_.count(a.data)) pointers_[a.data] = Place{p, {}};
    for (size_t d = 0; d < a.extent.size(); ++d) {
      known(a.extent[d], AccessValue::Kind::Extent, int64_t(d));
      known(a.stride[d], AccessValue::Kind::Stride, int64_t(d));
    }
  }
  Scalar type_of(VarId v) const { return f_.vars[size_t(v)].type; }
  int64_t param_of(ArrayId array) const {
    for (size_t p = 0; p < f_.params.size(); ++p)
      if (f_.params[p].array == array) return int64_t(p);
    return -1;
  }
  Form value(AccessValue::Kind kind, int64_t a, int64_t b = 0) {
    for (size_t k = 0; k < table_.values.size(); ++k) {
      const AccessValue& v = table_.values[k];
      if (kind != AccessValue::Kind::Sum && v.kind == kind && v.a == a && v.b == b) return atom(-1, {int64_t(k)});
    }
    table_.values.push_back({kind, a, b, {}});
    return atom(-1, {int64_t(table_.values.size()) - 1});
  }
  /// The affine form (of values of the launch) as one value.
  int64_t as_value(const Form& f) {
    if (f.terms.size() == 1) {
      const auto& [p, factor] = *f.terms.begin();
      if (factor == 1 && p.second.size() == 1) return p.second[0];
    }
    table_.values.push_back({AccessValue::Kind::Sum, 0, 0, plain(f)});
    return int64_t(table_.values.size()) - 1;
  }

  // ---------------------------------------------------------------- expressions
  /// The number, if it is an affine form and `type`'s arithmetic is exact on it.
  std::optional<Form> within(std::optional<Form> f, Scalar type) {
    const auto range = exact_range(type);
    if (!f || !range) return {};
    if (const auto c = f->constant()) return *c >= range->first && *c <= range->second ? f : std::nullopt;
    if (type != Scalar::Int64) f->limits.insert(limit(*f, range->first, range->second));
    return f;
  }
  int64_t limit(const Form& f, int64_t lo, int64_t hi) {
    table_.limits.push_back({plain(f), lo, hi, loops_, where_});
    return int64_t(table_.limits.size()) - 1;
  }

  std::optional<Form> form(ExprP e) {
    if (is_simple(e)) return new_form(e);
    if (auto it = forms_.find(e); it != forms_.end()) return it->second;
    return forms_[e] = new_form(e);
  }
  std::optional<Form> new_form(ExprP e) {
    switch (e->kind) {
      case Expr::Kind::IntConst:
        return e->type == Scalar::UInt64 ? std::nullopt : std::optional(number(e->ival));
      case Expr::Kind::FloatConst:
        if (!(e->fval > -1e15 && e->fval < 1e15) || e->fval != double(int64_t(e->fval))) return {};
        return number(int64_t(e->fval));
      case Expr::Kind::Var:
        return variable(e);
      case Expr::Kind::At: {
        std::optional<Form> all = number(e->ival);
        for (ExprP axis = e; axis && all; axis = axis->c) {
          const auto i = form(axis->a), s = i ? form(axis->b) : std::nullopt;
          const auto term = s ? product(*i, *s) : std::nullopt;
          all = term ? sum(*all, *term, 1) : std::nullopt;
        }
        return all;
      }
      case Expr::Kind::Unary: {
        const auto a = e->op == Op::Neg ? form(e->a) : std::nullopt;
        return a ? within(sum({}, *a, -1), e->type) : std::nullopt;
      }
      case Expr::Kind::Convert:
        // A number that is not whole would be truncated or saturated; these are whole and within the limits.
        if (!exact_range(e->a->type) || e->a->type == Scalar::Bool) return {};
        return exact_range(e->type) ? within(form(e->a), e->type) : std::nullopt;
      case Expr::Kind::Binary:
        return binary(*e);
      case Expr::Kind::Select:
        return select(*e);
      default:
        return {};
    }
  }
  std::optional<Form> variable(ExprP e) {
    if (auto it = known_.find(e->var); it != known_.end()) return it->second;
    if (auto it = f_.constants.find(e->var); it != f_.constants.end()) return number(it->second);
    auto it = inputs_.find(e->var);
    if (it == inputs_.end()) return {};
    return value(it->second.kind, it->second.a, it->second.b);
  }
  std::optional<Form> binary(const Expr& e) {
    if (is_comparison(e.op) || !exact_range(e.type)) return {};
    const auto a = form(e.a), b = a ? form(e.b) : std::nullopt;
    if (!b) return {};
    switch (e.op) {
      case Op::Add:
      case Op::Sub:
        return within(sum(*a, *b, e.op == Op::Add ? 1 : -1), e.type);
      case Op::Mul:
        return within(product(*a, *b), e.type);
      case Op::Div:
      case Op::Rem:
        if (is_float(e.type) || !a->of_launch() || !b->of_launch()) return {};
        return merged(*a, *b, e.op == Op::Div ? AccessValue::Kind::Quotient : AccessValue::Kind::Remainder);
      default:
        return {};
    }
  }
  Form merged(const Form& a, const Form& b, AccessValue::Kind kind) {
    const int64_t x = as_value(a), y = as_value(b);
    Form r = value(kind, x, y);
    r.limits = a.limits;
    r.limits.insert(b.limits.begin(), b.limits.end());
    return r;
  }
  /// Whether the selection is the smaller (-1) or the greater one (1) of its two; else 0.
  static int extreme(const Expr& e) {
    const ExprP c = e.a;
    if (c->kind != Expr::Kind::Binary || !is_comparison(c->op) || c->op == Op::Eq || c->op == Op::Ne) return 0;
    const bool less = c->op == Op::Lt || c->op == Op::Le;
    if (same(c->a, e.b) && same(c->b, e.c)) return less ? -1 : 1;
    if (same(c->a, e.c) && same(c->b, e.b)) return less ? 1 : -1;
    return 0;
  }
  std::optional<Form> select(const Expr& e) {
    if (const int which = extreme(e)) {
      const auto a = form(e.b), b = a ? form(e.c) : std::nullopt;
      if (!b) return {};
      if (const auto d = sum(*a, *b, -1); d && d->constant()) return (*d->constant() < 0) == (which < 0) ? a : b;
      if (!a->of_launch() || !b->of_launch()) return {};
      return merged(*a, *b, which < 0 ? AccessValue::Kind::Least : AccessValue::Kind::Greatest);
    }
    // A negative subscript counts from the end; launches with one do not use this table.
    const ExprP c = e.a;
    if (c->kind == Expr::Kind::Binary && c->op == Op::Lt && is_int(c->b, 0) && same(c->a, e.c)) {
      auto f = form(e.c);
      if (f) f->limits.insert(limit(*f, 0, INT64_MAX));
      return f;
    }
    return {};
  }

  // ---------------------------------------------------------------- conditions
  /// Forms that are 0 or more where the condition is `truth`, appended. False: they do not say all of it.
  bool conditions(ExprP c, bool truth, std::vector<Form>& forms) {
    if (is_const(c)) return (c->ival != 0) == truth;
    if (c->kind == Expr::Kind::Unary && c->op == Op::Not) return conditions(c->a, !truth, forms);
    if (c->kind != Expr::Kind::Binary) return false;
    if (c->op == Op::And || c->op == Op::Or) {
      if (c->type != Scalar::Bool || (c->op == Op::And) != truth) return false;
      const bool a = conditions(c->a, truth, forms), b = conditions(c->b, truth, forms);
      return a && b;
    }
    if (!is_comparison(c->op)) return false;
    const Op op = truth ? c->op : negated(c->op);
    if (op == Op::Ne) return false;
    const auto a = form(c->a), b = a ? form(c->b) : std::nullopt;
    if (!b) return false;
    auto at_least = [&](const Form& x, const Form& y, int64_t more) {  // x >= y + more
      auto d = sum(x, y, -1);
      d = d ? sum(*d, number(more), -1) : d;
      if (d) forms.push_back(*d);
      return d.has_value();
    };
    if (op == Op::Eq) return at_least(*a, *b, 0) && at_least(*b, *a, 0);
    if (op == Op::Gt || op == Op::Ge) return at_least(*a, *b, op == Op::Gt);
    return at_least(*b, *a, op == Op::Lt);
  }
  void check(ExprP cond) {
    std::vector<Form> forms;
    if (!conditions(cond, false, forms)) {
      may_leave_ = true;
      return;
    }
    std::set<int64_t> limits = where_limits_;
    for (const Form& f : forms) {
      table_.checks.push_back({plain(f), 0, INT64_MAX, loops_, where_});
      limits.insert(f.limits.begin(), f.limits.end());
    }
    // The accesses that the conditions depend on are checked as well.
    for (int64_t l : limits) table_.checks.push_back(table_.limits[size_t(l)]);
  }

  // ---------------------------------------------------------------- accesses
  void whole(int64_t param, bool written, const std::string& reason) {
    if (param < 0) return;
    for (const WholeAccess& w : table_.whole)
      if (w.param == param && w.written == written) return;
    table_.whole.push_back({param, written, reason});
  }
  std::optional<Place> place(ExprP base) {
    if (base->kind == Expr::Kind::Var) {
      auto it = pointers_.find(base->var);
      return it == pointers_.end() ? std::nullopt : std::optional(it->second);
    }
    if (base->kind != Expr::Kind::Offset) return {};
    auto p = place(base->a);
    if (!p || p->param < 0) return p;
    const auto f = form(base->b), all = f ? sum(p->offset, *f, 1) : std::nullopt;
    if (!all) {
      whole(p->param, false, reason(base->b));
      whole(p->param, true, reason(base->b));
      return {};
    }
    p->offset = *all;
    return p;
  }
  static std::string reason(ExprP subscript) {
    std::set<ExprP> seen;
    return loads(subscript, seen) ? "a subscript is read from an array"
                                  : "a subscript is not affine in the iterations' numbers";
  }
  void access(ExprP base, ExprP offset, Scalar type, bool written, bool always, int64_t elements = 1) {
    const auto p = place(base);
    if (!p) {
      problem_ = "an address is computed in the kernel";
      return;
    }
    if (p->param < 0) return;
    const auto f = form(offset), at = f ? sum(p->offset, *f, 1) : std::nullopt;
    if (!at) return whole(p->param, written, reason(offset));
    ArrayAccess a;
    a.param = p->param;
    a.bytes = elements * scalar_bytes(type);
    a.written = written;
    a.always = always && always_;
    a.loops = loops_;
    a.where = where_;
    a.offset = plain(*at);
    std::set<int64_t> limits = at->limits;
    limits.insert(where_limits_.begin(), where_limits_.end());
    a.limits.assign(limits.begin(), limits.end());
    table_.accesses.push_back(std::move(a));
  }
  /// The loads of an expression.
  void read(ExprP e, bool always = true) {
    if (!e || is_simple(e) || !read_.insert({e, always}).second) return;
    if (e->kind == Expr::Kind::Load) access(e->a, e->b, e->type, false, always);
    const bool lazy = e->kind == Expr::Kind::Select || (e->kind == Expr::Kind::Binary && e->type == Scalar::Bool &&
                                                        (e->op == Op::And || e->op == Op::Or));
    read(e->a, always);
    read(e->b, always && !lazy);
    read(e->c, always && !lazy);
  }

  // ---------------------------------------------------------------- statements
  void forget(VarId v) {
    known_.erase(v);
    selections_.erase(v);
    std::erase_if(selections_, [&](const auto& s) { return mentions(s.second, v); });
    if (type_of(v) == Scalar::Ptr) pointers_.erase(v);
  }
  void forget_assigned(const Block& b) {
    for (const auto& assigned : assignments(b)) forget(assigned.first);
  }
  void inside(const Block& b) {
    const auto known = known_;
    const auto selections = selections_;
    const auto pointers = pointers_;
    block(b);
    known_ = known;
    selections_ = selections;
    pointers_ = pointers;
    forget_assigned(b);
  }
  void branch(const Block& b, ExprP cond, bool truth) {
    std::vector<Form> forms;
    forget_expressions();
    const Restore always(always_);
    const Restore where(where_);
    const Restore limits(where_limits_);
    if (!conditions(cond, truth, forms)) always_ = false;
    for (const Form& f : forms) {
      where_.push_back(plain(f));
      where_limits_.insert(f.limits.begin(), f.limits.end());
    }
    inside(b);
  }
  /// T, if the selection is T where T is positive and 0 elsewhere: how often a loop runs.
  ExprP positive_part(const Expr& e) {
    const bool none_if = is_int(e.b, 0);
    if (!none_if && !is_int(e.c, 0)) return nullptr;
    const ExprP count = none_if ? e.c : e.b;
    const auto f = form(count);
    std::vector<Form> forms;
    conditions(e.a, none_if, forms);
    for (const Form& g : forms)  // where it is 0, g >= 0
      if (const auto both = f ? sum(*f, g, 1) : std::nullopt;
          both && g.limits.empty() && both->constant().value_or(1) <= 0)
        return count;
    return nullptr;
  }
  /// The ends of a range as affine forms: the lower end is the greatest of several, the upper end the least. from_0: an
  /// end below 0 counts as 0.
  bool ends(ExprP e, int which, bool from_0, std::vector<Form>& forms) {
    if (e->kind == Expr::Kind::Var)
      if (auto it = selections_.find(e->var); it != selections_.end()) e = it->second;
    if (e->kind == Expr::Kind::Select && extreme(*e) == which) {
      const bool a = ends(e->b, which, from_0, forms), b = ends(e->c, which, from_0, forms);
      return a && b;
    }
    if (e->kind == Expr::Kind::Select && from_0)
      if (const ExprP count = positive_part(*e)) return ends(count, which, from_0, forms);
    const auto f = form(e);
    if (f) forms.push_back(*f);
    return f.has_value();
  }
  void loop(const CountedLoop& n) {
    read(n.lo);
    read(n.hi);
    std::vector<Form> lo, hi;
    const Restore always(always_);
    const Restore where(where_);
    const Restore limits(where_limits_);
    const Restore loops(loops_);
    const auto known = known_;
    const auto selections = selections_;
    const auto pointers = pointers_;
    const bool all_lo = ends(n.lo, 1, false, lo);
    const bool from_0 = lo.size() == 1 && lo[0].constant().value_or(-1) >= 0;
    const bool all_hi = ends(n.hi, -1, from_0, hi);
    forget_assigned(n.body);
    forget(n.var);
    if (!all_lo || !all_hi) always_ = false;
    if (!lo.empty() && !hi.empty()) {
      const auto id = int64_t(table_.loops.size());
      table_.loops.push_back({plain(lo[0]), plain(hi[0])});
      loops_.push_back(id);
      known_[n.var] = atom(id, {});
      auto more = [&](const std::optional<Form>& f) {
        if (f) where_.push_back(plain(*f));
      };
      for (size_t k = 1; k < lo.size(); ++k) more(sum(atom(id, {}), lo[k], -1));
      for (size_t k = 1; k < hi.size(); ++k) {
        const auto room = sum(hi[k], atom(id, {}), -1);
        more(room ? sum(*room, number(1), -1) : room);
      }
      for (const auto* all : {&lo, &hi})
        for (const Form& f : *all) where_limits_.insert(f.limits.begin(), f.limits.end());
    }
    block(n.body);
    known_ = known;
    selections_ = selections;
    pointers_ = pointers;
    forget_assigned(n.body);
    forget(n.var);
  }

  /// Statements share operands; each is visited once in a statement.
  void forget_expressions() {
    forms_.clear();
    read_.clear();
  }
  void block(const Block& b) {
    for (const Stmt& s : b) {
      forget_expressions();
      if (auto* n = std::get_if<SetVar>(&s.node)) {
        read(n->value);
        set(*n);
      } else if (auto* n = std::get_if<Store>(&s.node)) {
        read(n->base);
        read(n->offset);
        read(n->value);
        access(n->base, n->offset, n->value->type, true, true);
      } else if (auto* n = std::get_if<LoadVector>(&s.node)) {
        access(n->base, n->offset, type_of(n->vars[0]), false, true, int64_t(n->vars.size()));
        for (VarId v : n->vars) forget(v);
      } else if (auto* n = std::get_if<StoreVector>(&s.node)) {
        for (ExprP v : n->values) read(v);
        access(n->base, n->offset, n->values[0]->type, true, true, int64_t(n->values.size()));
      } else if (auto* n = std::get_if<Atomic>(&s.node)) {
        each_expr(s, [&](ExprP e) { read(e); });
        const Scalar type = type_of(n->result);
        access(n->base, n->offset, type, false, true);
        access(n->base, n->offset, type, true, false);
        forget(n->result);
      } else if (auto* n = std::get_if<If>(&s.node)) {
        read(n->cond);
        if (n->else_body.empty() && only_fails(n->then_body)) {
          check(n->cond);
        } else {
          branch(n->then_body, n->cond, true);
          branch(n->else_body, n->cond, false);
        }
        for (const Block* part : parts(s)) forget_assigned(*part);
      } else if (auto* n = std::get_if<CountedLoop>(&s.node)) {
        loop(*n);
      } else if (auto* n = std::get_if<Loop>(&s.node)) {
        may_leave_ = true;
        forget_assigned(n->body);
        inside(n->body);
      } else if (auto* n = std::get_if<Scratch>(&s.node)) {
        pointers_[n->var] = Place{-1, {}};
      } else if (std::holds_alternative<Break>(s.node) || std::holds_alternative<Continue>(s.node) ||
                 std::holds_alternative<Exit>(s.node) || std::holds_alternative<Fail>(s.node)) {
        may_leave_ = true;
      } else if (!std::holds_alternative<AliasGroup>(s.node) && !std::holds_alternative<Fence>(s.node)) {
        problem_ = "the kernel has statements whose accesses are not described";
      }
    }
  }
  void set(const SetVar& n) {
    if (type_of(n.var) == Scalar::Ptr) {
      const auto p = place(n.value);
      forget(n.var);
      if (p) pointers_[n.var] = *p;
      return;
    }
    const auto f = exact_range(type_of(n.var)) && type_of(n.var) != Scalar::Bool ? form(n.value) : std::nullopt;
    forget(n.var);
    if (f) known_[n.var] = *f;
    const ExprP e = n.value;
    if (!f && e->kind == Expr::Kind::Select && e->type == Scalar::Int64 && e->a->kind == Expr::Kind::Binary &&
        is_simple(e->a->a) && is_simple(e->a->b) && is_simple(e->b) && is_simple(e->c) && !mentions(e, n.var))
      selections_[n.var] = e;
  }

  const Function& f_;
  AccessTable table_;
  std::map<VarId, int> assigned_;
  std::map<VarId, AccessValue> inputs_;
  std::map<VarId, Form> known_;        ///< numbers of the current iteration
  std::map<VarId, ExprP> selections_;  ///< of simple operands that are no forms
  std::map<VarId, Place> pointers_;
  std::map<ExprP, std::optional<Form>> forms_;  ///< of the current statement
  std::set<std::pair<ExprP, bool>> read_;       ///< the same
  std::vector<int64_t> loops_;                  ///< around the current statement
  std::vector<AccessForm> where_;
  std::set<int64_t> where_limits_;
  bool always_ = true;      ///< loops_ and where_ say when the statement runs
  bool may_leave_ = false;  ///< an iteration may end early
  std::string problem_;
};

}  // namespace

AccessTable footprint(const Module& module, int32_t kernel) {
  const Function& f = *module.functions[size_t(kernel)];
  const TileOf& tile = f.tile_of;
  if (tile.kernel == none) return f.accesses.empty() ? FootprintFinder(f).run() : AccessTable::from(f.accesses.data());
  AccessTable table = footprint(module, tile.kernel);
  for (AccessValue& v : table.values)
    if (v.kind == AccessValue::Kind::Count && tile.count[size_t(v.a)] != none)
      v = {AccessValue::Kind::Scalar, tile.count[size_t(v.a)], 0, {}};
  for (size_t d = 0; d < f.dims.size(); ++d) {
    table.loops[d].tile *= tile.size[d];
    table.loops[d].apart *= tile.apart[d];
  }
  table.loops[0].members *= tile.members;
  return table;
}

}  // namespace vr::lower
