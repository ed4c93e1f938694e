// simplify, control flow: constant tests, empty loops and branches, blocks, and statements after a jump.
#include "transform/fold.hpp"
#include "transform/simplify.hpp"

#include "ir/library.hpp"
#include "ir/typing.hpp"

#include <velociraptor/ir/visit.hpp>

#include <algorithm>
#include <cstdint>

namespace vr::transform {

using namespace ir;

namespace {

bool no_fault(const Expr& e) {
  if (!e.type.is_scalar()) return false;
  switch (e.kind) {
    case Kind::Name:
    case Kind::IntConst:
    case Kind::FloatConst:
    case Kind::ComplexConst:
    case Kind::Cast:
    case Kind::ComplexExpr:
      return true;
    case Kind::Div:  // division of floats, and of integers by a constant that is not zero
      return is_float(e.type.elem) || is_float(static_cast<const Div&>(e).lhs->type.elem) ||
             is_float(static_cast<const Div&>(e).rhs->type.elem) ||
             (is_constant(static_cast<const Div&>(e).rhs) && constant_truth(static_cast<const Div&>(e).rhs));
    case Kind::LibCall: {
      const LibFunction* f = library_function(&e);
      return f && is_map(f->sort) && !f->faults();
    }
    default:
      return is_operator(e.kind);
  }
}

/// Whether the domain is empty for all inputs: all its parts are integer constants of one type, none of them a uint64
/// that int64 cannot represent.
bool empty_domain(const ExprPtr& domain, const Conventions& c) {
  std::vector<ExprPtr> ranges = {domain};
  if (auto* d = as<Domain>(domain)) ranges = d->ranges;
  bool empty = false;
  for (const ExprPtr& e : ranges) {
    auto* r = as<Range>(e);
    auto constant = [&](const ExprPtr& x) {
      return is_constant(x) && !is_float(x->type.elem) && x->type.elem == r->stop->type.elem &&
             constant_integer(x) != INT64_MAX;
    };
    if (!r || !r->stop || !constant(r->stop) || (r->start && !constant(r->start)) || (r->step && !constant(r->step))) return false;
    const int64_t start = r->start ? constant_integer(r->start) : c.indexing, stop = constant_integer(r->stop);
    const int64_t step = r->step ? constant_integer(r->step) : 1;
    const bool exclude = r->exclude.value_or(c.exclude);
    empty = empty || step == 0 || (step > 0 ? start > stop : start < stop) || (exclude && start == stop);
  }
  return empty;
}

bool always_jumps(const Body& b) {
  if (b.empty()) return false;
  const Stmt& last = *b.back();
  if (last.kind == Kind::Return || last.kind == Kind::Raise || last.kind == Kind::Break || last.kind == Kind::Continue)
    return true;
  if (auto* i = as<If>(&last)) return always_jumps(i->then_body) && always_jumps(i->else_body);
  if (auto* l = as<StmtList>(&last)) return always_jumps(l->stmts);
  return false;
}

class Flow {
 public:
  explicit Flow(const Conventions& c) : conventions_(c) {}

  Body list(const Body& body) {
    Body out;
    for (const StmtPtr& s : body) {
      statement(s, out);
      // Statements after a jump never run.
      if (always_jumps(out)) break;
    }
    return out;
  }

 private:
  void statement(const StmtPtr& s, Body& out) {
    auto append = [&](const Body& b) { out.insert(out.end(), b.begin(), b.end()); };
    if (auto* n = as<StmtList>(s)) {
      Body b = list(n->stmts);
      if (!n->on_gpu) return append(b);
      out.push_back(b == n->stmts ? s : with(*n, [&](StmtList& c) { c.stmts = std::move(b); }));
    } else if (auto* n = as<If>(s)) {
      if (is_constant(n->test)) return append(list(constant_truth(n->test) ? n->then_body : n->else_body));
      Body a = list(n->then_body), b = list(n->else_body);
      if (a.empty() && b.empty()) {
        if (!pure(n->test)) out.push_back(evaluates(*n, n->test));
      } else {
        out.push_back(a == n->then_body && b == n->else_body ? s : with(*n, [&](If& c) {
          c.then_body = std::move(a);
          c.else_body = std::move(b);
        }));
      }
    } else if (auto* n = as<While>(s)) {
      if (is_constant(n->test) && !constant_truth(n->test)) return;
      out.push_back(loop(s, *n));
    } else if (auto* n = as<For>(s)) {
      if (!empty_domain(n->domain, conventions_)) out.push_back(loop(s, *n));
    } else if (auto* n = as<PFor>(s)) {
      if (!empty_domain(n->domain, conventions_)) out.push_back(loop(s, *n));
    } else if (auto* n = as<ExprStmt>(s); !n || !pure(n->expr)) {
      out.push_back(s);
    }
  }

  template <class L>
  StmtPtr loop(const StmtPtr& s, const L& n) {
    Body b = list(n.body);
    return b == n.body ? s : with(n, [&](L& c) { c.body = std::move(b); });
  }
  template <class N, class F>
  static StmtPtr with(const N& n, F&& change) {
    auto copy = std::make_shared<N>(n);
    change(*copy);
    return copy;
  }
  static StmtPtr evaluates(const Stmt& at, const ExprPtr& e) {
    auto s = std::make_shared<ExprStmt>(e);
    s->pos = at.pos;
    s->loc = at.loc;
    s->inlined = at.inlined;
    return s;
  }

  const Conventions& conventions_;
};

}  // namespace

bool pure(const ExprPtr& e) {
  bool all = true;
  walk_exprs(e, [&](const Expr& n) { all = all && no_fault(n); });
  return all;
}

Body simplify_flow(const Body& body, const Conventions& conventions) { return Flow(conventions).list(body); }

}  // namespace vr::transform
