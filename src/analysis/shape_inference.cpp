#include "analysis/shape_inference.hpp"

#include "analysis/data_flow.hpp"
#include "analysis/integer_programs.hpp"
#include "analysis/shape_eval.hpp"
#include "analysis/subscript_proofs.hpp"

#include <velociraptor/ir/visit.hpp>

#include <set>

namespace vr::analysis {

using namespace ir;

namespace {

/// A store that may be assumed not to grow its array.
using Store = std::pair<int, const Expr*>;

class ShapeProblem {
 public:
  using State = ShapeState;

  ShapeProblem(const Function& f, const Module& m, const Conventions& c, const RegionFacts& facts, const Alias& alias,
               const std::set<Store>& refuted, ShapeInference& out)
      : function_(f),
        conventions_(c),
        out_(out),
        accesses_(f, out.statements),
        eval_(f, m, c, accesses_, alias),
        refuted_(refuted),
        end_(static_cast<size_t>(out.statements.count())),
        own_(static_cast<size_t>(out.statements.count())) {
    const auto count = static_cast<size_t>(out.statements.count());
    out.before.assign(count, {});
    out.after.assign(count, {});
    out.accesses.assign(count, {});
    out.loops.clear();
    eval_.accessed = [this](SubscriptAccess a) { current_->push_back(std::move(a)); };
    const SharingAnalysis sharing(f);
    for (size_t k = count; k-- > 0;) {
      const StatementPlace& at = out.statements.at(static_cast<int>(k));
      int last = static_cast<int>(k) + 1;
      for (const auto* list : {&at.body, &at.others})
        if (!list->empty()) last = std::max(last, end_[static_cast<size_t>(list->back())]);
      end_[k] = last;
      if (auto* loop = as<PFor>(at.stmt)) own_[k] = own_variables(*loop, sharing, accesses_);
    }
    find_stops(facts);
  }

  State start(const RegionFacts& facts) const {
    State s{true, {}};
    for (const Symbol& v : function_.symbols.all())
      s.variables.push_back(std::make_shared<ShapeValue>(start_value(v.type)));
    for (size_t k = 0; k < function_.args.size(); ++k)
      eval_.assign(function_.args[k], argument(facts.of(k), eval_.type_of(function_.args[k])), s);
    return s;
  }

  State nothing() const { return {}; }

  bool join(State& into, const State& s) const {
    return meet(into, s, [](const ShapeValue& a, const ShapeValue& b, const Type&) { return analysis::join(a, b); });
  }
  bool widen(State& into, const State& s, int joins) const {
    // Widening stops at numbers of the program (`stops_`), because bounds of loops often are such numbers. After
    // several joins it goes to infinity.
    constexpr int patience = 12;
    static const std::vector<int64_t> none;
    const std::vector<int64_t>& stops = joins > patience ? none : stops_;
    return meet(into, s, [&](const ShapeValue& a, const ShapeValue& b, const Type& t) {
      return widened(a, analysis::join(a, b), t, stops);
    });
  }

  bool runs(int number) const { return at_[number].runs; }

  void transfer(int number, Part part, State& s) {
    const auto k = static_cast<size_t>(number);
    const Stmt* stmt = out_.statements.at(number).stmt;
    if (part == Part::Iterate) {
      if (at_[number].never) s = nothing();
      forget_loops(number, s);
      iterate(number, s);
      out_.after[k] = s;
      return;
    }
    if (part == Part::Domain || stmt->kind == Kind::While) forget_loops(number, s);
    out_.before[k] = s;
    out_.accesses[k].clear();
    current_ = &out_.accesses[k];
    if (s.reached) step(number, *stmt, s);
    if (part == Part::Whole) out_.after[k] = s;
  }

  void assume(int number, bool taken, State& s) const {
    const Stmt* stmt = out_.statements.at(number).stmt;
    if (s.reached)
      holds(stmt->kind == Kind::If ? static_cast<const If*>(stmt)->test : static_cast<const While*>(stmt)->test, taken,
            s);
  }

  void leave_iteration(int number, const State& around, State& s) const {
    if (!s.reached) return;
    own_[static_cast<size_t>(number)].each([&](size_t v) {
      // The variable holds its array from before the loop again; its elements may have been stored to.
      const Type& t = function_.symbols.all()[v].type;
      const ShapeValuePtr& old = around.variables[v];
      s.variables[v] =
          t.is_array() || t.is_tuple() ? std::make_shared<ShapeValue>(with_stored(*old, t, Number::unknown())) : old;
    });
  }

  /// Stores that were assumed not to grow.
  const std::set<Store>& assumed() const { return assumed_; }

 private:
  template <class Combine>
  bool meet(State& into, const State& s, Combine&& combine) const {
    if (!s.reached) return false;
    if (!into.reached) {
      into = s;
      return true;
    }
    bool changed = false;
    for (size_t v = 0; v < into.variables.size(); ++v) {
      ShapeValuePtr& a = into.variables[v];
      const ShapeValuePtr& b = s.variables[v];
      if (a == b || *a == *b) continue;
      ShapeValue both = combine(*a, *b, function_.symbols.all()[v].type);
      if (both == *a) continue;
      a = std::make_shared<ShapeValue>(std::move(both));
      changed = true;
    }
    return changed;
  }

  static ShapeValue argument(const ParameterFacts& p, const Type& t) {
    ShapeValue v = any_value(t);
    if (t.is_scalar() && p.values) v.number = Number::of(p.values->front());
    if (!t.is_array() || !p.extents) return v;
    std::vector<Interval> extents;
    for (int64_t n : *p.extents) extents.push_back(Interval::of(n));
    ArrayShape a = new_array(t, std::move(extents));
    if (p.strides && t.layout == Layout::Strided) a.strides = p.strides;
    if (p.values)
      for (int64_t e : *p.values) a.elements.push_back(Number::of(e));
    return ShapeValue::of(std::move(a));
  }

  /// The bounds at which widening stops first: numbers of the program and of the facts.
  void find_stops(const RegionFacts& facts) {
    constexpr size_t most = 200;
    std::set<int64_t> found{-1, 0, 1};
    auto add = [&](int64_t v) {
      if (found.size() < most && v > Interval::least && v < Interval::most) found.insert({v - 1, v, v + 1});
    };
    for (const ParameterFacts& p : facts.parameters) {
      for (const auto* list : {&p.extents, &p.values})
        if (*list)
          for (int64_t v : **list) add(v);
    }
    walk_exprs(function_.body, [&](const Expr& e) {
      if (auto* c = as<IntConst>(&e)) add(c->value);
    });
    stops_.assign(found.begin(), found.end());
  }

  // Numbers no longer depend on the loop variables of earlier iterations.
  void forget_loops(int number, State& s) const {
    const int end = end_[static_cast<size_t>(number)];
    for (ShapeValuePtr& v : s.variables) v = without_loops(v, number, end);
  }

  void step(int number, const Stmt& stmt, State& s) {
    switch (stmt.kind) {
      case Kind::Assign:
        return assign(number, static_cast<const Assign&>(stmt), s);
      case Kind::If:
        eval_.value(static_cast<const If&>(stmt).test, s);
        return;
      case Kind::While:
        eval_.value(static_cast<const While&>(stmt).test, s);
        return;
      case Kind::For:
        return domain(number, static_cast<const For&>(stmt), s);
      case Kind::PFor:
        return domain(number, static_cast<const PFor&>(stmt), s);
      case Kind::Return:
        for (const ExprPtr& e : static_cast<const Return&>(stmt).exprs) eval_.value(e, s);
        return;
      case Kind::Raise:
        for (const ExprPtr& e : static_cast<const Raise&>(stmt).args) eval_.value(e, s);
        return;
      case Kind::ExprStmt:
        eval_.value(static_cast<const ExprStmt&>(stmt).expr, s);
        return;
      default:
        return;
    }
  }

  template <class L>
  void domain(int number, const L& loop, State& s) {
    auto* d = as<Domain>(loop.domain);
    auto* only = as<Range>(loop.domain);
    bool runs = true, never = false;
    for (size_t k = 0; k < loop.itervars.size(); ++k) {
      const ExprPtr part = d ? (k < d->ranges.size() ? d->ranges[k] : nullptr) : loop.domain;
      IterationBounds b;
      if (auto* r = as<Range>(part)) {
        const auto& types = loop.domain->type.components();
        Type t = types.empty() ? Type::null() : types[std::min(k, types.size() - 1)];
        // A range that states a type of its own is converted to both types.
        if (d && r->type.is_domain() && !(r->type.components()[0] == t)) t = Type::null();
        b = t.is_null() && d ? IterationBounds{} : eval_.iteration(*r, t, s);
      } else if (part) {
        eval_.value(part, s);
      }
      runs = runs && b.runs;
      never = never || b.never;
      out_.loops[{number, static_cast<int>(k)}] = std::move(b);
    }
    if (!d && !only && !as<Name>(loop.domain)) eval_.value(loop.domain, s);
    at_[number] = {runs, never};
  }

  void iterate(int number, State& s) {
    if (!s.reached) return;
    const Stmt* stmt = out_.statements.at(number).stmt;
    const auto& variables =
        stmt->kind == Kind::For ? static_cast<const For*>(stmt)->itervars : static_cast<const PFor*>(stmt)->itervars;
    for (size_t k = 0; k < variables.size(); ++k) {
      const LoopVariable v{number, static_cast<int>(k)};
      const IterationBounds& b = out_.loops[v];
      const Type& t = eval_.type_of(variables[k]);
      Number n;
      if (b.whole)
        n = Number::variable(v, b.range);
      else if (!is_float(t.elem))
        n = any_of(t);
      eval_.assign(variables[k], ShapeValue::of(converted(n, t)), s);
    }
  }

  void assign(int number, const Assign& a, State& s) {
    const ShapeValue v = eval_.value(a.value, s);
    if (a.targets.size() == 1) return target(number, a.targets[0], v, a.value->type, s);
    spread(number, a.targets, v, a.value->type, s);
  }
  void spread(int number, const std::vector<ExprPtr>& targets, const ShapeValue& v, const Type& type, State& s) {
    for (size_t k = 0; k < targets.size(); ++k) {
      if (!type.is_tuple() || k >= type.components().size()) {
        // The value of a call with one result is not a tuple.
        target(number, targets[k], v, type, s);
        continue;
      }
      const Type& t = type.components()[k];
      target(number, targets[k], v.kind == ShapeValue::Kind::Tuple && k < v.parts.size() ? *v.parts[k] : any_value(t),
             t, s);
    }
  }
  void target(int number, const ExprPtr& t, const ShapeValue& v, const Type& type, State& s) {
    if (auto* n = as<Name>(t)) {
      eval_.assign(n->id, converted(v, type, eval_.type_of(n->id)), s);
    } else if (auto* n = as<TupleExpr>(t)) {
      spread(number, n->elems, v, type, s);
    } else if (auto* n = as<TupleIndex>(t)) {
      const Type& whole = eval_.type_of(n->tuple);
      const auto k = static_cast<size_t>(n->index - conventions_.indexing);
      ShapeValue now = eval_.variable(n->tuple, s);
      if (now.kind != ShapeValue::Kind::Tuple || k >= now.parts.size())
        return eval_.assign(n->tuple, any_value(whole), s);
      now.parts[k] = std::make_shared<ShapeValue>(converted(v, type, whole.components()[k]));
      eval_.assign(n->tuple, std::move(now), s);
    } else if (auto* n = as<Index>(t)) {
      const size_t first = current_->size();
      eval_.store(*n, v, s, [&] { return may_grow(number, *n, first); });
    }
  }

  // Assumes no growth (6.5.2) where integer programs may be able to prove it: in counted loops, with known subscripts.
  bool may_grow(int number, const Index& target, size_t first) {
    const Store store{number, &target};
    if (refuted_.count(store)) return true;
    bool counted = false;
    for (int k = out_.statements.at(number).parent; k >= 0; k = out_.statements.at(k).parent) {
      const Kind kind = out_.statements.at(k).stmt->kind;
      counted = counted || kind == Kind::For || kind == Kind::PFor;
    }
    for (size_t k = first; k < current_->size() && counted; ++k) {
      const SubscriptAccess& a = (*current_)[k];
      if (a.node == &target) counted = a.known;
    }
    if (counted) assumed_.insert(store);
    return !counted;
  }

  // ---- facts about variables that follow from the outcome of a condition
  void holds(const ExprPtr& test, bool taken, State& s) const {
    auto both = [&](const ExprPtr& l, const ExprPtr& r) {
      holds(l, taken, s);
      if (s.reached) holds(r, taken, s);
    };
    switch (test->kind) {
      case Kind::And: {
        const auto& n = static_cast<const And&>(*test);
        if (taken && n.lhs->type.is_scalar() && n.rhs->type.is_scalar()) both(n.lhs, n.rhs);
        return;
      }
      case Kind::Or: {
        const auto& n = static_cast<const Or&>(*test);
        if (!taken && n.lhs->type.is_scalar() && n.rhs->type.is_scalar()) both(n.lhs, n.rhs);
        return;
      }
      case Kind::Not:
        if (static_cast<const Not&>(*test).operand->type.is_scalar())
          holds(static_cast<const Not&>(*test).operand, !taken, s);
        return;
      case Kind::Lt: {
        const auto& n = static_cast<const Lt&>(*test);
        return taken ? ordered(n.lhs, n.rhs, 1, s) : ordered(n.rhs, n.lhs, 0, s);
      }
      case Kind::Leq: {
        const auto& n = static_cast<const Leq&>(*test);
        return taken ? ordered(n.lhs, n.rhs, 0, s) : ordered(n.rhs, n.lhs, 1, s);
      }
      case Kind::Gt: {
        const auto& n = static_cast<const Gt&>(*test);
        return taken ? ordered(n.rhs, n.lhs, 1, s) : ordered(n.lhs, n.rhs, 0, s);
      }
      case Kind::Geq: {
        const auto& n = static_cast<const Geq&>(*test);
        return taken ? ordered(n.rhs, n.lhs, 0, s) : ordered(n.lhs, n.rhs, 1, s);
      }
      case Kind::Eq: {
        const auto& n = static_cast<const Eq&>(*test);
        if (!taken) return;
        ordered(n.lhs, n.rhs, 0, s);
        if (s.reached) ordered(n.rhs, n.lhs, 0, s);
        return;
      }
      default:
        return;
    }
  }
  /// a + gap <= b holds, for integers.
  void ordered(const ExprPtr& a, const ExprPtr& b, int64_t gap, State& s) const {
    auto* x = as<Name>(a);
    auto* y = as<Name>(b);
    auto value = [&](const ExprPtr& e) {
      if (auto* n = as<Name>(e)) return eval_.variable(n->id, s).number;
      if (auto* c = as<IntConst>(e)) return converted(Number::of(c->value), c->type);
      return Number::unknown();
    };
    if (!a->type.is_scalar() || !b->type.is_scalar()) return;
    const Number p = value(a), q = value(b);
    // Both operands must be compared as they are, or converted without loss.
    const Type wide = Type::scalar(common_elem(a->type.elem, b->type.elem));
    if (!p.whole || !q.whole || !converted(p, wide).whole || !(converted(p, wide) == p) || !(converted(q, wide) == q))
      return;
    auto narrow = [&](const Name* n, const Number& old, const Interval& to) {
      if (!n || !s.reached) return;
      const auto range = analysis::meet(old.range, to);
      if (!range) {
        s = nothing();
        return;
      }
      Number now = old;
      now.range = *range;
      eval_.assign(n->id, ShapeValue::of(std::move(now)), s);
    };
    narrow(x, p, {Interval::least, (q.range - Interval::of(gap)).hi});
    narrow(y, q, {(p.range + Interval::of(gap)).lo, Interval::most});
  }

  struct Known {
    bool runs = false, never = false;
  };
  const Function& function_;
  const Conventions& conventions_;
  ShapeInference& out_;
  Accesses accesses_;
  ShapeEval eval_;
  const std::set<Store>& refuted_;
  std::set<Store> assumed_;
  std::vector<int> end_;   ///< of each statement: the number after its last nested statement
  std::vector<Bits> own_;  ///< of each pfor: variables private to an iteration
  mutable std::map<int, Known> at_;
  std::vector<int64_t> stops_;
  std::vector<SubscriptAccess>* current_ = nullptr;
};

bool grows(const SubscriptAccess& a, const Conventions& c) {
  const auto& subs = a.node->kind == Kind::Index ? static_cast<const Index*>(a.node)->subscripts
                                                 : static_cast<const Xchange*>(a.node)->subscripts;
  return subs[a.axis].grow.value_or(c.grow);
}

}  // namespace

ShapeInference shape_inference(const Function& f, const Module& module, const Conventions& conventions,
                               const RegionFacts& facts, IntegerPrograms& programs) {
  ShapeInference out{Statements(f.body), {}, {}, {}, {}, 0, 0, 0};
  // States need memory for each variable at each statement, so very large functions are not analysed.
  constexpr size_t most = 4'000'000;
  const auto count = static_cast<size_t>(out.statements.count());
  out.before.resize(count);
  out.after.resize(count);
  out.accesses.resize(count);
  if (count * f.symbols.all().size() > most) return out;
  const Alias groups = alias(f, module, conventions, facts);
  std::set<Store> refuted;
  // Each round is a complete inference: after a few all assumptions are dropped at once.
  constexpr int patience = 6;
  for (;;) {
    ++out.rounds;
    ShapeProblem p(f, module, conventions, facts, groups, refuted, out);
    flow_forward(p, out.statements, p.start(facts));
    const size_t before = refuted.size();
    for (const auto& [number, node] : p.assumed()) {
      bool holds = true;
      for (const SubscriptAccess& a : out.accesses[static_cast<size_t>(number)])
        if (a.node == node && a.store && grows(a, conventions))
          holds = holds && never_above(a, conventions.indexing, out.loops, programs);
      if (!holds || out.rounds >= patience) refuted.insert({number, node});
    }
    out.assumed = static_cast<int>(p.assumed().size());
    out.refuted = static_cast<int>(refuted.size());
    if (refuted.size() == before) return out;
  }
}

}  // namespace vr::analysis
