#include "transform/specialise.hpp"

#include "analysis/shape_eval.hpp"
#include "analysis/shape_inference.hpp"
#include "analysis/subscript_proofs.hpp"
#include "ir/library.hpp"
#include "ir/typing.hpp"
#include "transform/interchange_windows.hpp"

#include <velociraptor/ir/visit.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <unordered_map>

namespace vr::transform {

using namespace ir;
using analysis::Number;
using analysis::ShapeInference;
using analysis::ShapeState;
using analysis::SubscriptAccess;

namespace {

double now_ms() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

const std::vector<Subscript>* subscripts_of(const Expr& e) {
  if (auto* n = as<Index>(&e)) return &n->subscripts;
  if (auto* n = as<Xchange>(&e)) return &n->subscripts;
  return nullptr;
}

/// Expressions in the order in which ir::rewrite visits them.
void children_first(const ExprPtr& e, std::vector<const Expr*>& out) {
  for_each_child(*e, {[&](const ExprPtr& c) { children_first(c, out); }, {}});
  out.push_back(e.get());
}

class Specialiser {
 public:
  Specialiser(const Function& f, const Module& m, const Conventions& c, const analysis::RegionFacts& facts,
              SpecialiseStatistics& statistics)
      : function_(f),
        conventions_(c),
        statistics_(statistics),
        begin_(now_ms()),
        shapes_(analysis::shape_inference(f, m, c, facts, programs_)),
        accesses_(f, shapes_.statements),
        alias_(analysis::alias(f, m, c, facts)),
        eval_(f, m, c, accesses_, alias_) {
    statistics_.inference_ms = now_ms() - begin_;
    statistics_.rounds = shapes_.rounds;
    const auto known = shapes_.known(f);
    statistics_.uses = known.uses;
    statistics_.known = known.known;
  }

  Body run() {
    count(function_.body, statistics_.before);
    int number = 0;
    Body out = body(function_.body, number);
    count(out, statistics_.after);
    statistics_.programs = programs_.statistics;
    statistics_.total_ms = now_ms() - begin_;
    return out;
  }

 private:
  // ---- statements, numbered as by analysis::Statements
  Body body(const Body& b, int& number) {
    Body out;
    out.reserve(b.size());
    for (const StmtPtr& s : b) out.push_back(statement(s, number));
    return out;
  }

  template <class N, class F>
  static StmtPtr changed(const StmtPtr& s, const N& n, F&& change) {
    auto copy = std::make_shared<N>(n);
    change(*copy);
    return equal_parts(*copy, n) ? s : StmtPtr(std::move(copy));
  }
  static bool equal_parts(const Assign& a, const Assign& b) { return a.targets == b.targets && a.value == b.value; }
  static bool equal_parts(const StmtList& a, const StmtList& b) { return a.stmts == b.stmts; }
  static bool equal_parts(const For& a, const For& b) { return a.domain == b.domain && a.body == b.body; }
  static bool equal_parts(const PFor& a, const PFor& b) { return a.domain == b.domain && a.body == b.body; }
  static bool equal_parts(const While& a, const While& b) { return a.test == b.test && a.body == b.body; }
  static bool equal_parts(const If& a, const If& b) {
    return a.test == b.test && a.then_body == b.then_body && a.else_body == b.else_body;
  }
  static bool equal_parts(const Return& a, const Return& b) { return a.exprs == b.exprs; }
  static bool equal_parts(const Raise& a, const Raise& b) { return a.args == b.args; }
  static bool equal_parts(const ExprStmt& a, const ExprStmt& b) { return a.expr == b.expr; }

  StmtPtr statement(const StmtPtr& s, int& number) {
    const int k = number++;
    auto loop = [&](const auto& n) {
      return changed(s, n, [&](auto& c) {
        c.domain = expression(c.domain, k);
        c.body = body(c.body, number);
      });
    };
    switch (s->kind) {
      case Kind::Assign:
        return changed(s, static_cast<const Assign&>(*s), [&](Assign& c) {
          c.value = expression(c.value, k);
          // Of several targets the later ones see the effects of the earlier ones.
          const bool alone = c.targets.size() == 1 && c.targets[0]->kind != Kind::TupleExpr;
          for (ExprPtr& t : c.targets) t = expression(t, k, alone);
        });
      case Kind::StmtList:
        return changed(s, static_cast<const StmtList&>(*s), [&](StmtList& c) { c.stmts = body(c.stmts, number); });
      case Kind::For:
        return loop(static_cast<const For&>(*s));
      case Kind::PFor:
        return loop(static_cast<const PFor&>(*s));
      case Kind::While:
        return changed(s, static_cast<const While&>(*s), [&](While& c) {
          c.test = expression(c.test, k);
          c.body = body(c.body, number);
        });
      case Kind::If:
        return changed(s, static_cast<const If&>(*s), [&](If& c) {
          c.test = expression(c.test, k);
          c.then_body = body(c.then_body, number);
          c.else_body = body(c.else_body, number);
        });
      case Kind::Return:
        return changed(s, static_cast<const Return&>(*s), [&](Return& c) {
          for (ExprPtr& e : c.exprs) e = expression(e, k);
        });
      case Kind::Raise:
        return changed(s, static_cast<const Raise&>(*s), [&](Raise& c) {
          for (ExprPtr& e : c.args) e = expression(e, k);
        });
      case Kind::ExprStmt:
        return changed(s, static_cast<const ExprStmt&>(*s), [&](ExprStmt& c) { c.expr = expression(c.expr, k); });
      default:
        return s;
    }
  }

  // ---- expressions
  ExprPtr expression(const ExprPtr& e, int k, bool constants = true) {
    ShapeState now = shapes_.before[static_cast<size_t>(k)];
    if (!now.reached) return e;
    std::unordered_map<const Expr*, ExprPtr> known;
    const bool target = as<Name>(e) != nullptr && is_target(k, e);
    if (constants && !target) find_constants(e, e->kind != Kind::Index || !is_target(k, e), now, known);
    std::vector<const Expr*> order;
    children_first(e, order);
    size_t next = 0;
    Rewriter r;
    r.expr = [&](const ExprPtr& n) -> ExprPtr {
      const Expr* original = order[next++];
      if (auto it = known.find(original); it != known.end() && it->second) return it->second;
      if (const auto* subs = subscripts_of(*original)) return with_flags(n, *original, *subs, k);
      return n;
    };
    return rewrite(e, r);
  }
  bool is_target(int k, const ExprPtr& e) const {
    auto* a = as<Assign>(shapes_.statements.at(k).stmt);
    return a && std::find(a->targets.begin(), a->targets.end(), e) != a->targets.end();
  }

  /// Whether evaluating the expression has no effect and cannot fail.
  bool harmless(const Expr& e, ShapeState& now) {
    auto children = [&] {
      bool all = true;
      for_each_child(e, {[&](const ExprPtr& c) { all = all && harmless(*c, now); }, {}});
      return all;
    };
    switch (e.kind) {
      case Kind::Name:
      case Kind::IntConst:
      case Kind::FloatConst:
      case Kind::Dim:
        return true;
      case Kind::Cast:
        return e.type.is_scalar() && children();
      case Kind::LibCall: {
        const auto& c = static_cast<const LibCall&>(e);
        const LibFunction* f = library_function(&e);
        if (!f || !e.type.is_scalar() || !(f->asks_shape() || picks_or_rounds(f->values)) || !children()) return false;
        if (f->rule == LibRule::Sizes) return asks_an_axis(c, now);
        if (f->values != LibValue::Mod && f->values != LibValue::Rem) return true;
        const Number by = eval_.number(c.args[1], now);
        return by.whole && !by.range.contains(0);
      }
      case Kind::Index: {
        // An element at a constant position within bounds.
        const auto& n = static_cast<const Index&>(e);
        const auto& a = shapes_.value(function_, now, n.array).array;
        if (!e.type.is_scalar() || n.subscripts.size() != a.extents.size()) return false;
        for (size_t k = 0; k < n.subscripts.size(); ++k) {
          const ExprPtr& v = n.subscripts[k].value;
          if (!v->type.is_scalar() || v->kind == Kind::Range || !harmless(*v, now)) return false;
          const auto c = eval_.number(v, now).constant();
          if (!c || *c < conventions_.indexing || *c - conventions_.indexing >= a.extents[k].lo) return false;
        }
        return true;
      }
      default:
        return is_operator(e.kind) && e.type.is_scalar() && children();
    }
  }

  static bool picks_or_rounds(LibValue v) {
    return v == LibValue::Lesser || v == LibValue::Greater || v == LibValue::Abs || v == LibValue::Rounded ||
           v == LibValue::Mod || v == LibValue::Rem;
  }
  /// Whether `size(A, k)` refers to a dimension that exists, whatever its extent.
  bool asks_an_axis(const LibCall& c, ShapeState& now) {
    if (c.args.size() < 2) return true;
    const Type& t = c.args[0]->type;
    const int64_t base = conventions_.indexing;
    const int64_t rank = std::max<int64_t>(conventions_.mindims, t.is_array() ? t.rank : 0);
    const Number k = eval_.number(c.args[1], now);
    // MATLAB: any dimension after the last one has extent 1. NumPy: negative dimensions count from the end.
    if (conventions_.mindims == 2) return k.whole && k.range.lo >= base;
    return k.whole && k.range.within({base - rank, base + rank - 1});
  }

  // Replaces the largest expressions whose value is known. `here`: this expression may be replaced, not only those in
  // it.
  void find_constants(const ExprPtr& e, bool here, ShapeState& now, std::unordered_map<const Expr*, ExprPtr>& known) {
    const Type& t = e->type;
    const bool literal = e->kind == Kind::IntConst || e->kind == Kind::FloatConst;
    if (here && !literal && t.is_scalar() && !t.complex && !is_float_below_64(t.elem) && harmless(*e, now)) {
      const auto c = eval_.number(e, now).constant();
      // A float that is known to be zero may be 0.0 or -0.0.
      if (c && !(is_float(t.elem) && *c == 0)) {
        ExprPtr made;
        if (is_float(t.elem))
          made = placed(std::make_shared<FloatConst>(t, static_cast<double>(*c)), *e);
        else
          made = placed(std::make_shared<IntConst>(t, *c), *e);
        ++statistics_.constants;
        known.emplace(e.get(), std::move(made));
        return;
      }
    }
    // The same node may also be used elsewhere, where it could be replaced.
    if (!here) known[e.get()] = nullptr;
    // For a library call, a constant argument may have another meaning than a number that is computed: an axis.
    bool inside = true;
    auto* by_name = as<FnCall>(e);
    if (by_name || as<LibCall>(e)) {
      const LibFunction* f = by_name ? find_library(by_name->callee) : library_function(e);
      // The name may also be that of a function of the module; its arguments are then not changed either.
      inside =
          f ? is_elementwise(f->sort) || f->sort == LibSort::Make || f->rule == LibRule::Reshaped : by_name != nullptr;
    }
    for_each_child(*e, {[&](const ExprPtr& c) { find_constants(c, inside, now, known); }, {}});
  }
  template <class N>
  static ExprPtr placed(std::shared_ptr<N> n, const Expr& at) {
    n->pos = at.pos;
    return n;
  }

  // ---- checks
  struct Proven {
    bool low = true, high = true;  ///< no position below the base, none past the end
    bool from_zero = true;         ///< no number below 0
    bool from_end = true;          ///< those below 0 count from the end and are then within bounds
    bool seen = false, range = false;
  };
  Proven prove(const Expr& node, size_t axis, bool negative, int k) {
    Proven p;
    for (const SubscriptAccess& a : shapes_.accesses[static_cast<size_t>(k)]) {
      if (a.node != &node || a.axis != axis) continue;
      p.seen = true;
      p.range = a.range;
      const int64_t base = conventions_.indexing;
      p.low = p.low && analysis::never_below(a, base, shapes_.loops, programs_);
      p.high = p.high && analysis::never_above(a, base, shapes_.loops, programs_);
      for (const Number& n : a.low) {
        if (!negative) break;
        p.from_zero = p.from_zero && (p.low || analysis::at_least(n, 0, shapes_.loops, programs_));
        p.from_end = p.from_end && base == 0 && analysis::at_least(n, -a.extent.lo, shapes_.loops, programs_);
      }
      p.from_zero = p.from_zero && a.known;
      p.from_end = p.from_end && a.known;
    }
    if (!p.seen) p.low = p.high = p.from_zero = p.from_end = false;
    return p;
  }

  ExprPtr with_flags(const ExprPtr& now, const Expr& original, const std::vector<Subscript>& subs, int k) {
    std::vector<Proven> proven;
    const bool store = is_store(original, k);
    bool none_grows = true, turned = false;
    for (size_t axis = 0; axis < subs.size(); ++axis) {
      const Subscript& s = subs[axis];
      const bool grows = store && s.grow.value_or(conventions_.grow);
      const bool asked = s.minbounds || s.maxbounds || s.negative || grows;
      proven.push_back(asked ? prove(original, axis, s.negative, k) : Proven{false, false, false, false});
      none_grows = none_grows && (!grows || proven.back().high);
      turned = turned || s.negative;
    }
    std::vector<Subscript> out = *subscripts_of(*now);
    bool any = false;
    auto set = [&](auto& flag, bool to) {
      any = any || flag != to;
      flag = to;
    };
    for (size_t axis = 0; axis < subs.size(); ++axis) {
      const Proven& p = proven[axis];
      Subscript& s = out[axis];
      const bool grows = store && s.grow.value_or(conventions_.grow);
      if (s.negative && p.range) {
        // Clipping hides positions out of bounds: it is removed only together with the checks.
        if (!p.low || !p.high) continue;
        set(s.negative, false);
      } else if (s.negative && p.from_zero) {
        set(s.negative, false);
      }
      if (p.low || (s.negative && p.from_end)) set(s.minbounds, false);
      if (p.high) set(s.maxbounds, false);
      // Growth may be turned off only if a subscript below the base is still reported before anything grows.
      if (grows && p.high && (p.low || (none_grows && !turned))) {
        s.grow = false;
        any = true;
      }
    }
    if (!any) return now;
    auto with = [&](auto copy) {
      copy->subscripts = std::move(out);
      return ExprPtr(std::move(copy));
    };
    if (auto* n = as<Index>(now)) return with(std::make_shared<Index>(*n));
    return with(std::make_shared<Xchange>(static_cast<const Xchange&>(*now)));
  }
  bool is_store(const Expr& e, int k) const {
    for (const SubscriptAccess& a : shapes_.accesses[static_cast<size_t>(k)])
      if (a.node == &e && a.store && e.kind == Kind::Index) return true;
    return false;
  }

  // ---- statistics
  void count(const Body& b, SpecialiseStatistics::Checks& c) const {
    auto look = [&](const Expr& e, bool store) {
      const auto* subs = subscripts_of(e);
      if (!subs) return;
      for (const Subscript& s : *subs) {
        auto* r = as<Range>(s.value);
        if (r && !r->start && !r->stop) continue;
        c.lower += s.minbounds;
        c.upper += s.maxbounds;
        c.negative += s.negative;
        c.growth += store && s.grow.value_or(conventions_.grow);
      }
    };
    walk_exprs(b, [&](const Expr& e) { look(e, false); });
    walk_stmts(b, [&](const Stmt& s) {
      if (auto* a = as<Assign>(&s))
        for (const ExprPtr& t : a->targets)
          if (auto* i = as<Index>(t))
            for (const Subscript& sub : i->subscripts) c.growth += sub.grow.value_or(conventions_.grow);
    });
  }

  const Function& function_;
  const Conventions& conventions_;
  SpecialiseStatistics& statistics_;
  double begin_;
  analysis::IntegerPrograms programs_;
  ShapeInference shapes_;
  analysis::Accesses accesses_;
  analysis::Alias alias_;
  analysis::ShapeEval eval_;
};

}  // namespace

std::string SpecialiseStatistics::text() const {
  auto line = [](const char* what, int b, int a) { return fmt::format("{:<10} {} -> {}\n", what, b, a); };
  const auto& p = programs;
  return "checks\n" + line("  lower", before.lower, after.lower) + line("  upper", before.upper, after.upper) +
         line("  negative", before.negative, after.negative) + line("  growth", before.growth, after.growth) +
         fmt::format("constants {}, uses of arrays with known extents {} of {}\n", constants, known, uses) +
         fmt::format("questions {}: by intervals {}, by elimination {}, by GLPK {}, asked before {}, open {}\n",
                     p.asked, p.by_interval, p.by_elimination, p.by_glpk, p.from_memo, p.open);
}

FunctionPtr specialise(const FunctionPtr& f, const Module& module, const Conventions& conventions,
                       const analysis::RegionFacts& facts, SpecialiseStatistics* statistics) {
  SpecialiseStatistics own;
  Body body = Specialiser(*f, module, conventions, facts, statistics ? *statistics : own).run();
  if (body == f->body) return f;
  auto copy = std::make_shared<Function>(*f);
  copy->body = std::move(body);
  return interchange_windows(copy, module, conventions, facts, [&](const FunctionPtr& changed) {
    SpecialiseStatistics unused;
    auto proven = std::make_shared<Function>(*changed);
    proven->body = Specialiser(*changed, module, conventions, facts, unused).run();
    return FunctionPtr(std::move(proven));
  });
}

}  // namespace vr::transform
