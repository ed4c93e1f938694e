#include "transform/bounds_check_elim.hpp"

#include "analysis/loop_info.hpp"
#include "ir/library.hpp"

#include <velociraptor/ir/visit.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <set>

namespace vr::transform {

using analysis::LoopInfo;
using ir::Body;
using ir::ExprPtr;
using ir::StmtPtr;

namespace {

bool constant_at_least(const ExprPtr& e, double limit) {
  if (auto* c = ir::as<ir::IntConst>(e)) return static_cast<double>(c->value) >= limit;
  if (auto* c = ir::as<ir::FloatConst>(e)) return c->value >= limit;
  return false;
}

/// Only loop variables, variables that the loop does not assign, and constants: invariant within an iteration.
bool fixed_in_iteration(const ExprPtr& e, const std::set<ir::SymbolId>& assigned) {
  bool fixed = true;
  ir::walk_exprs(e, [&](const ir::Expr& n) {
    switch (n.kind) {
      case ir::Kind::Name:
        fixed = fixed && !assigned.count(static_cast<const ir::Name&>(n).id);
        break;
      case ir::Kind::IntConst:
      case ir::Kind::FloatConst:
      case ir::Kind::Plus:
      case ir::Kind::Minus:
      case ir::Kind::Mult:
      case ir::Kind::Negate:
      case ir::Kind::Cast:
        break;
      default:
        fixed = false;
    }
  });
  return fixed && e->type.is_scalar();
}

bool mentions_elements(const ExprPtr& e) {
  bool found = false;
  ir::walk_exprs(e, [&](const ir::Expr& x) { found = found || x.kind == ir::Kind::Index; });
  return found;
}

class Pass {
 public:
  explicit Pass(const ir::Conventions& c) : conventions_(c) {}

  Body body(const Body& b, const std::set<ir::SymbolId>& assigned, bool in_loop) {
    // The checked references that dominate the rest of this list; nested blocks start with them.
    const auto seen = seen_;
    Body out;
    for (const StmtPtr& s : b) out.push_back(statement(s, assigned, in_loop));
    seen_ = seen;
    return out;
  }

 private:
  struct Reference {
    ir::SymbolId array;
    size_t axis, subscripts;
    ExprPtr value;
    bool negative;  ///< it may have counted from the end
  };

  StmtPtr statement(const StmtPtr& s, const std::set<ir::SymbolId>& assigned, bool in_loop) {
    if (auto* l = ir::as<ir::For>(s)) return loop(*l, s, assigned);
    if (auto* l = ir::as<ir::PFor>(s)) return loop(*l, s, assigned);
    if (auto* w = ir::as<ir::While>(s)) {
      LoopInfo info = analysis::loop_info(w->body);
      const auto seen = seen_;
      drop(info);
      auto inside = assigned;
      inside.insert(info.assigned.begin(), info.assigned.end());
      Body b = body(w->body, inside, true);
      seen_ = seen;
      drop(info);
      return rebuilt(s, *w, [&](ir::While& n) { n.body = std::move(b); }, b != w->body);
    }
    if (auto* i = ir::as<ir::If>(s)) {
      Body a = body(i->then_body, assigned, in_loop), b = body(i->else_body, assigned, in_loop);
      drop(analysis::loop_info({s}));
      const bool changed = a != i->then_body || b != i->else_body;
      return rebuilt(
          s, *i,
          [&](ir::If& n) {
            n.then_body = std::move(a);
            n.else_body = std::move(b);
          },
          changed);
    }
    if (auto* l = ir::as<ir::StmtList>(s)) {
      Body b;
      for (const StmtPtr& t : l->stmts) b.push_back(statement(t, assigned, in_loop));
      const bool changed = b != l->stmts;
      return rebuilt(s, *l, [&](ir::StmtList& n) { n.stmts = std::move(b); }, changed);
    }
    StmtPtr r = in_loop ? references(s, assigned) : s;
    // Facts about variables that the statement itself assigns are no longer valid.
    drop(analysis::loop_info({s}));
    return r;
  }

  template <class L>
  StmtPtr loop(const L& l, const StmtPtr& s, const std::set<ir::SymbolId>& outer) {
    LoopInfo info = analysis::loop_info(l.body);
    std::set<ir::SymbolId> assigned = outer;
    assigned.insert(info.assigned.begin(), info.assigned.end());
    auto low = at_least_base_;
    for (size_t k = 0; k < l.itervars.size(); ++k) {
      low.erase(l.itervars[k]);
      if (!info.assigned.count(l.itervars[k]) && starts_at_base(l.domain, k)) low.insert(l.itervars[k]);
    }
    for (ir::SymbolId id : info.assigned) low.erase(id);
    std::swap(low, at_least_base_);
    const auto seen = seen_;
    info.assigned.insert(l.itervars.begin(), l.itervars.end());
    drop(info);
    // Inside the loop, its own variables are fixed; they are not in `assigned` unless the body assigns them.
    Body b = body(l.body, assigned, true);
    seen_ = seen;
    drop(info);
    std::swap(low, at_least_base_);
    const bool changed = b != l.body;
    return rebuilt(s, l, [&](L& n) { n.body = std::move(b); }, changed);
  }

  bool starts_at_base(const ExprPtr& domain, size_t k) const {
    const ExprPtr* range = &domain;
    if (auto* d = ir::as<ir::Domain>(domain)) {
      if (k >= d->ranges.size()) return false;
      range = &d->ranges[k];
    }
    auto* r = ir::as<ir::Range>(*range);
    return r && (!r->start || constant_at_least(r->start, conventions_.indexing)) &&
           (!r->step || constant_at_least(r->step, 1e-300));
  }

  /// Clears check attributes of the subscripts in one simple statement, and records its checks for the statements that
  /// follow.
  StmtPtr references(const StmtPtr& s, const std::set<ir::SymbolId>& assigned) {
    // The right side of `and` / `or` may not be evaluated: such statements establish no facts.
    bool conditional = false;
    ir::walk_exprs(Body{s}, [&](const ir::Expr& e) {
      conditional = conditional || e.kind == ir::Kind::And || e.kind == ir::Kind::Or;
    });
    std::vector<Reference> checked;
    // checks that were made hold for the rest of the statement as well
    bool in_order = !conditional && checks_in_order(s);
    ir::Rewriter rewriter;
    rewriter.expr = [&](const ExprPtr& e) -> ExprPtr {
      auto* i = ir::as<ir::Index>(e);
      if (!i) return e;
      auto copy = std::make_shared<ir::Index>(*i);
      bool changed = false;
      std::vector<Reference> here;
      for (size_t k = 0; k < copy->subscripts.size(); ++k) {
        ir::Subscript& sub = copy->subscripts[k];
        if (!sub.value->type.is_scalar()) continue;
        auto* n = ir::as<ir::Name>(sub.value);
        const bool low = n && at_least_base_.count(n->id);
        if (low && (sub.minbounds || sub.negative)) {
          sub.minbounds = sub.negative = false;
          changed = true;
        }
        if (!fixed_in_iteration(sub.value, assigned)) continue;
        const Reference wanted{i->array, k, i->subscripts.size(), sub.value, sub.negative};
        const Reference* known = find(seen_, wanted);
        if (!known && in_order) known = find(checked, wanted);
        if (known) {
          sub.minbounds = sub.maxbounds = false;
          sub.negative = sub.negative && known->negative;
          sub.grow = false;
          changed = true;
        } else if ((low || sub.minbounds) && sub.maxbounds) {
          here.push_back(wanted);
        }
      }
      checked.insert(checked.end(), here.begin(), here.end());
      return changed ? ExprPtr(copy) : e;
    };
    StmtPtr r = s;
    if (auto* a = ir::as<ir::Assign>(s)) {
      // The value is evaluated before the targets; of several targets the later ones see the earlier ones' effects.
      auto copy = std::make_shared<ir::Assign>(*a);
      copy->value = ir::rewrite(a->value, rewriter);
      in_order = in_order && a->targets.size() == 1 && a->targets[0]->kind != ir::Kind::TupleExpr;
      for (ExprPtr& t : copy->targets) t = ir::rewrite(t, rewriter);
      if (copy->value != a->value || copy->targets != a->targets) r = std::move(copy);
    } else {
      r = ir::rewrite(Body{s}, rewriter)[0];
    }
    if (!conditional) seen_.insert(seen_.end(), checked.begin(), checked.end());
    return r;
  }

  /// Whether subscripts are checked in the order in which they are written: some calls evaluate their arguments in
  /// another order, and ranges evaluate their step first.
  static bool checks_in_order(const StmtPtr& s) {
    bool all = true;
    ir::walk_exprs(Body{s}, [&](const ir::Expr& e) {
      switch (e.kind) {
        case ir::Kind::FnCall:
        case ir::Kind::Alloc:
        case ir::Kind::Xchange:
        case ir::Kind::Domain:
          all = false;
          break;
        case ir::Kind::Range:
          ir::for_each_child(e, {[&](const ExprPtr& part) { all = all && !mentions_elements(part); }, {}});
          break;
        case ir::Kind::LibCall: {
          const ir::LibFunction* f = ir::library_function(&e);
          all = all && f && ir::is_elementwise(f->sort);
          break;
        }
        default:
          break;
      }
    });
    return all;
  }

  /// A checked reference with the same subscript. One that may count from the end may have been below the base.
  static const Reference* find(const std::vector<Reference>& in, const Reference& wanted) {
    const Reference* found = nullptr;
    for (const Reference& r : in) {
      if (r.array != wanted.array || r.axis != wanted.axis || r.subscripts != wanted.subscripts) continue;
      if ((r.negative && !wanted.negative) || !ir::equal(*r.value, *wanted.value)) continue;
      if (!found || !r.negative) found = &r;
    }
    return found;
  }

  void drop(const LoopInfo& info) {
    std::erase_if(seen_, [&](const Reference& r) {
      bool gone = info.assigned.count(r.array) != 0;
      ir::walk_exprs(r.value, [&](const ir::Expr& e) {
        if (auto* n = ir::as<ir::Name>(&e)) gone = gone || info.assigned.count(n->id);
      });
      return gone;
    });
  }

  template <class N, class F>
  static StmtPtr rebuilt(const StmtPtr& s, const N& n, F&& change, bool changed) {
    if (!changed) return s;
    auto copy = std::make_shared<N>(n);
    change(*copy);
    return copy;
  }

  const ir::Conventions& conventions_;
  std::set<ir::SymbolId> at_least_base_;  ///< variables of loops that start at or above the base
  std::vector<Reference> seen_;           ///< checked references that dominate the current statement
};

}  // namespace

ir::ModulePtr bounds_check_elim(const ir::ModulePtr& module, const ir::Conventions& conventions) {
  auto out = std::make_shared<ir::Module>(*module);
  bool changed = false;
  for (ir::FunctionPtr& f : out->functions) {
    Body b = Pass(conventions).body(f->body, {}, false);
    if (b == f->body) continue;
    auto copy = std::make_shared<ir::Function>(*f);
    copy->body = std::move(b);
    f = std::move(copy);
    changed = true;
  }
  return changed ? out : module;
}

}  // namespace vr::transform
