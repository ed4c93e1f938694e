// sink_loops: see sink_loops.hpp.
//
//   for t in [0, n) {                       turns = 0
//     launch k over [m] (x, t)              for t in [0, n) {
//   }                                         if turns == 0 { t.first = t }
//   kernel k [i] (x, t) {                     turns = turns + 1
//     store x[i] = x[i] + t                   if turns == 256 { launch k' over [m] (x, t.first, turns); turns = 0 }
//   }                                       }
//                                           if turns > 0 { launch k' over [m] (x, t.first, turns) }
//                                           kernel k' [i] (x, t, turns) {
//                                             t' = t
//                                             for turn in [0, turns) { store x[i] = x[i] + t'; t' = t' + 1 }
//                                           }
#include "loop/transform/sink_loops.hpp"

#include "loop/analysis/array_uses.hpp"
#include "loop/analysis/independent_loop.hpp"
#include "loop/analysis/nest.hpp"
#include "loop/analysis/shared_loops.hpp"
#include "loop/kernel_forms.hpp"
#include "loop/renamed.hpp"
#include "loop/replace.hpp"
#include "loop/transform/deferred_turns.hpp"
#include "loop/transform/if_convert.hpp"
#include "loop/transform/loop_numbers.hpp"
#include "loop/walk.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace vr::lower {

namespace {

constexpr int64_t fewest_groups = 256;            // iterations of a kernel whose inner loops groups share
constexpr int64_t most_sunk_turns = 256;          // iterations of the host's loop in one launch
constexpr int64_t fewest_sunk_turns = 8;          // of those that may be in one launch
constexpr int64_t most_along = int64_t{1} << 20;  // iterations along a dimension that count
constexpr int64_t most_light = int64_t{1} << 32,
                  most_heavy = int64_t{1} << 26;  // iterations of the kernel, times turns

bool is_inside_kernel(const Function& k) {
  return runs_alone(k) && k.tile_of.kernel == none && !has<Fail>(k.body) && !has<Exit>(k.body) &&
         !has<Atomic>(k.body) && !has_own<Continue>(k.body) && !has_own<Break>(k.body) && k.disjoint;
}

/// Whether the kernel loads elements of an array that it stores.
bool updates(const Function& k) {
  const ArrayUses uses = array_uses(k.body);
  return !uses.loaded.count(none) && !uses.stored.count(none) &&
         std::any_of(uses.stored.begin(), uses.stored.end(), [&](VarId v) { return uses.loaded.count(v) != 0; });
}

/// Puts a loop into a kernel.
class SunkKernel {
 public:
  SunkKernel(Exprs& x, const Function& plain) : x_(x), fn_(plain) { fn_.on_host = fn_.form_of = none; }

  /// The variable of the kernel that stands for the host's.
  void name(VarId host, VarId kernel) { names_[host] = kernel; }
  bool knows(VarId host) const { return names_.count(host) != 0; }
  VarId add_param(const Var& v) {
    Writer out(x_, fn_);
    Param p;
    p.var = out.new_var(v.name, v.type);
    fn_.params.push_back(p);
    return p.var;
  }
  /// A variable with the parameter's value, which the loop changes: everything else in the kernel uses it instead.
  VarId variable(VarId param, VarId host) {
    const auto known = names_.find(host);
    const VarId v = known != names_.end() ? known->second : variable_like(x_, fn_, param);
    if (known == names_.end())
      begin_.push_back({SetVar{v, x_.var(param, fn_.vars[static_cast<size_t>(param)].type)}, fn_.place});
    instead_[param] = v;
    names_[host] = v;
    return v;
  }

  /// Whether the iterations can run a loop over `turns` iterations each, with these assignments (of the host's
  /// variables) at its end.
  bool run(VarId turns, const Block& next) {
    Block body = std::move(fn_.body);
    for (Stmt& s : body) s = renamed(x_, std::move(s), instead_);
    Block advance;
    for (const Stmt& s : next) advance.push_back(renamed(x_, s, names_));
    std::set<VarId> varying;
    for (const auto& [v, times] : assignments(advance)) varying.insert(v);
    for (size_t depth = nested(body, varying) + 1; depth-- > 0;) {
      fn_.body = depth == 0 ? begin_ : Block();
      Block whole = body;
      Block* place = &whole;
      for (size_t k = 0; k < depth; ++k) place = &std::get<CountedLoop>(place->back().node).body;
      wrap(*place, turns, advance, varying, depth);
      fn_.body.insert(fn_.body.end(), whole.begin(), whole.end());
      if (are_independent(depth)) return is_worthwhile(body, depth);
    }
    return false;
  }
  /// Whether groups have to share the kernel's loops, for what it runs to be as parallel as before.
  bool shares() const { return shares_; }
  Function& kernel() { return fn_; }

 private:
  /// In how many parallel loops the rest of the kernel is, so that nothing around it changes with the turns.
  static size_t nested(const Block& body, const std::set<VarId>& varying) {
    size_t depth = 0;
    for (const Block* b = &body; !b->empty(); ++depth) {
      auto* loop = std::get_if<CountedLoop>(&b->back().node);
      if (!loop || !loop->parallel || uses(loop->lo, varying) || uses(loop->hi, varying)) break;
      const bool plain = std::all_of(b->begin(), b->end() - 1, [&](const Stmt& s) {
        auto* set = std::get_if<SetVar>(&s.node);
        return set && !uses(set->value, varying);
      });
      if (!plain || has_own<Break>(loop->body) || has_own<Continue>(loop->body)) break;
      b = &loop->body;
    }
    return depth;
  }
  void wrap(Block& b, VarId turns, const Block& advance, const std::set<VarId>& varying, size_t depth) {
    Writer out(x_, fn_);
    const auto same_in_all = std::find_if_not(b.begin(), b.end(), [&, times = assignments(b)](const Stmt& s) {
      auto* set = std::get_if<SetVar>(&s.node);
      return set && times.at(set->var) == 1 && !uses(set->value, varying);
    });
    CountedLoop loop{
        out.new_var("turn", Scalar::Int64), x_.int_const(0), x_.var(turns, Scalar::Int64), {same_in_all, b.end()}};
    narrow(fn_, loop.var);
    loop.body.insert(loop.body.end(), advance.begin(), advance.end());
    b.erase(same_in_all, b.end());
    // Numbers that the loop changes begin anew in each iteration of the loops around it.
    if (depth > 0) b.insert(b.end(), begin_.begin(), begin_.end());
    b.push_back({std::move(loop), fn_.place});
  }
  /// Whether the expression may have another value in another turn.
  static bool uses(ExprP e, const std::set<VarId>& varying) {
    return any_node(e, [&](ExprP n) {
      return n->kind == Expr::Kind::Load || (n->kind == Expr::Kind::Var && varying.count(n->var));
    });
  }
  /// Whether no iteration of the kernel, and of `depth` loops in it, accesses what another one stores in any turn.
  bool are_independent(size_t depth) {
    Function f = fn_;
    Writer out(x_, f);
    std::vector<VarId> dims = std::move(f.dims);
    f.dims.clear();
    for (VarId v : dims) {
      CountedLoop loop{v, x_.int_const(0), x_.var(out.new_var("count", Scalar::Int64), Scalar::Int64),
                       std::move(f.body)};
      f.body.clear();
      f.body.push_back({std::move(loop), none});
    }
    return are_own(f, f.body, dims.size() + depth, Polynomials(f));
  }
  /// Whether that is true of the loop at the end of the block, and of the `loops` - 1 in it.
  static bool are_own(const Function& f, const Block& b, size_t loops, Polynomials values) {
    if (loops == 0) return true;
    for (size_t k = 0; k + 1 < b.size(); ++k) values.execute(b[k]);
    const auto& loop = std::get<CountedLoop>(b.back().node);
    return is_int(loop.lo, 0) && stores_are_own(f, b.back(), values) &&
           are_own(f, loop.body, loops - 1, values.inside(b.back()));
  }
  bool is_worthwhile(const Block& body, size_t depth) {
    const Block* inner = &body;
    for (size_t k = 0; k < depth; ++k) inner = &std::get<CountedLoop>(inner->back().node).body;
    shares_ = any_statement(*inner, [](const Stmt& s) {
      auto* loop = std::get_if<CountedLoop>(&s.node);
      return loop && (loop->parallel || has<Store>(loop->body));
    });
    return !shares_ || (depth == 0 && plan_shares(x_, fn_).has_value());
  }

  Exprs& x_;
  Function fn_;
  std::map<VarId, VarId> names_;    ///< the kernel's variables for the host's
  std::map<VarId, VarId> instead_;  ///< variables that are used in place of parameters
  Block begin_;
  bool shares_ = false;
};

class SunkLoops {
 public:
  SunkLoops(Module& m, Exprs& x, Function& f, bool always) : m_(m), x_(x), out_(x, f), always_(always) {}

  void run() {
    replace_often_run(out_, [&](Stmt& s) { return statement(s); });
  }

 private:
  /// Whether it is a loop that this class writes.
  bool statement(Stmt& s) {
    auto* counted = std::get_if<CountedLoop>(&s.node);
    if (counted ? !is_plain(*counted) : !std::holds_alternative<Loop>(s.node)) return false;
    const auto at = launches_at(*parts(s)[0]);
    return at && sink(s, *at);
  }
  /// The statement of a loop's body that launches, under a condition or not; all others only compute numbers, or leave
  /// the loop.
  static std::optional<size_t> launches_at(const Block& body) {
    std::optional<size_t> found;
    for (size_t k = 0; k < body.size(); ++k) {
      const bool launches = has<Launch>({body[k]});
      if (launches && found) return {};
      if (launches) found = k;
      const bool known = !any_statement(body[k], [&](const Stmt& s) {
        return !only_computes(s) && !(launches && std::holds_alternative<Launch>(s.node));
      });
      if (!known) return {};
    }
    return found;
  }
  /// The launch that the statement consists of, or that is all it does under its condition.
  static const Launch* launch_of(const Stmt& s) {
    if (auto* n = std::get_if<Launch>(&s.node)) return n;
    auto* choice = std::get_if<If>(&s.node);
    return choice && choice->then_body.size() == 1 && !loads(choice->cond)
               ? std::get_if<Launch>(&choice->then_body[0].node)
               : nullptr;
  }

  /// A loop whose launches are deferred.
  struct Deferred {
    Launch sunk, last;  ///< in the loop and behind it: of a kernel each, since one that is launched twice gets no
                        ///< further dimensions (grid)
    DeferredTurns turns;
    bool shares, heavy;
  };
  /// Writes the loop with the launch of statement `at` of its body deferred. False: it cannot be; nothing is written.
  bool sink(Stmt& loop, size_t at) {
    const Block& body = *parts(loop)[0];
    const Launch* launch = launch_of(body[at]);
    if (!launch) return false;
    const Function& plain = *m_.functions[static_cast<size_t>(launch->kernel)];
    LoopNumbers numbers(loop, out_.fn, at);
    if (!is_inside_kernel(plain) || !are_invariant(numbers, *launch)) return false;
    const ExprP no_fault = numbers.never_fail(x_);
    if (is_false(no_fault)) return false;
    if (numbers.carried().empty() && !updates(plain)) return false;
    const size_t vars = out_.fn.vars.size();
    if (auto deferred = make(numbers, *launch, plain)) {
      write(loop, at, *deferred, no_fault);
      return true;
    }
    out_.fn.vars.resize(vars);
    return false;
  }
  /// Whether the launches differ in numbers alone, which the kernel can compute.
  bool are_invariant(LoopNumbers& numbers, const Launch& launch) const {
    return numbers.need_arguments(out_.fn, launch) &&
           std::all_of(launch.counts.begin(), launch.counts.end(), [&](ExprP c) { return numbers.is_invariant(c); });
  }
  std::optional<Deferred> make(const LoopNumbers& numbers, const Launch& launch, const Function& plain) {
    SunkKernel made(x_, plain);
    Deferred d{launch,
               launch,
               {out_.new_var("turns", Scalar::Int64), {}},
               false,
               has<CountedLoop>(plain.body) || has<Loop>(plain.body)};
    // What the kernel gets for a variable of the host.
    const auto pass = [&](VarId& host, VarId param) {
      if (!numbers.carried().count(host)) return made.name(host, param);
      made.variable(param, host);
      const Var& v = out_.fn.vars[static_cast<size_t>(host)];
      const auto [first, is_new] = d.turns.first.emplace(host, none);
      if (is_new) first->second = out_.new_var(v.name + ".first", v.type);
      host = first->second;
    };
    for (size_t k = 0; k < launch.args.size(); ++k) {
      Operand& o = d.sunk.args[k];
      if (o.array != none) continue;
      pass(o.var, plain.params[k].var);
      if (o.im != none) pass(o.im, plain.params[k].im);
    }
    const auto add = [&](VarId host) {
      if (made.knows(host)) return;
      Operand o;
      o.var = host;
      pass(o.var, made.add_param(out_.fn.vars[static_cast<size_t>(host)]));
      d.sunk.args.push_back(o);
    };
    for (VarId v : numbers.carried()) add(v);
    for (VarId v : numbers.inputs()) add(v);
    Operand turns;
    turns.var = d.turns.turns;
    d.sunk.args.push_back(turns);
    if (!made.run(made.add_param({"turns", Scalar::Int64}), numbers.next(x_))) return {};
    d.shares = made.shares();
    d.last = d.sunk;
    d.sunk.kernel = add_kernel(m_, made.kernel(), plain.name + "_loop");
    d.last.kernel = add_kernel(m_, std::move(made.kernel()), plain.name + "_loop");
    return d;
  }

  /// no_fault: the launches may be deferred if it holds.
  void write(Stmt& loop, size_t at, const Deferred& d, ExprP no_fault) {
    const ExprP turns = x_.var(d.turns.turns, Scalar::Int64);
    out_.set(d.turns.turns, x_.int_const(0));
    Block& body = *parts(loop)[0];
    Stmt now = std::move(body[at]);
    Block instead = out_.collect([&] {
      auto* choice = std::get_if<If>(&now.node);
      ExprP later = choice ? x_.both(no_fault, choice->cond) : no_fault;
      const ExprP count = out_.keep(iterations(d.sunk), "iterations");
      const bool limited = d.shares && !always_;
      if (limited) later = x_.both(later, x_.ge(count, x_.int_const(fewest_groups)));
      later = out_.keep(later, "later");
      const ExprP most = x_.max(x_.min(x_.binary(Op::Div, x_.int_const(d.heavy ? most_heavy : most_light), count),
                                       x_.int_const(most_sunk_turns)),
                                x_.int_const(fewest_sunk_turns));
      launch_deferred(out_, d.turns, d.sunk, x_.either(x_.not_(later), x_.ge(turns, most)));
      Block deferred = out_.collect([&] { defer(out_, d.turns); });
      if (is_true(later)) return out_.append(std::move(deferred));
      Block plain;
      if (choice && !limited && is_true(no_fault))
        plain = std::move(choice->else_body);
      else
        plain.push_back(std::move(now));
      out_.emit(If{later, std::move(deferred), std::move(plain)});
    });
    body.erase(body.begin() + static_cast<std::ptrdiff_t>(at));
    body.insert(body.begin() + static_cast<std::ptrdiff_t>(at), std::move_iterator(instead.begin()),
                std::move_iterator(instead.end()));
    out_.block->push_back(std::move(loop));
    launch_deferred(out_, d.turns, d.last, x_.bool_const(true));
  }
  /// Of the kernel; at least 1.
  ExprP iterations(const Launch& n) {
    ExprP all = x_.int_const(1);
    for (ExprP c : n.counts) all = x_.mul(all, x_.max(x_.min(c, x_.int_const(most_along)), x_.int_const(1)));
    return all;
  }

  Module& m_;
  Exprs& x_;
  Writer out_;
  bool always_;
};

}  // namespace

void sink_loops(Module& m, const PassOptions& options) {
  if (!options.version_loops) return;
  Exprs x(m);
  each_entry(m, [&](Function& f) { SunkLoops(m, x, f, options.tiles == 1).run(); });
}

}  // namespace vr::lower
