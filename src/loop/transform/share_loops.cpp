// share_loops: see share_loops.hpp.
//
//   for k in [0, 16) {                       for k in [0, 16) {
//     p = a[i, k, k]                           barrier global
//     for r in [0, 15 - k) {                   p = a[i, k, k]
//       store a[i, k + 1 + r, k] =             barrier global
//           a[i, k + 1 + r, k] / p             for u in [0, (15 - k + 63 - member) / 64) {
//     }                                          r = member + 64 * u
//   }                                            store a[i, k + 1 + r, k] = a[i, k + 1 + r, k] / p
//                                              }
//                                            }
#include "loop/transform/share_loops.hpp"

#include "loop/analysis/launch_intervals.hpp"
#include "loop/analysis/private_arrays.hpp"
#include "loop/analysis/shared_loops.hpp"
#include "loop/analysis/unit_stride.hpp"
#include "loop/kernel_forms.hpp"
#include "loop/renamed.hpp"
#include "loop/replace.hpp"
#include "loop/walk.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace vr::lower {

namespace {

using Kind = SharePlan::Kind;
using Plans = std::vector<SharePlan>;

constexpr int64_t fewest_shared = 16;           // iterations of the largest shared loop from which on it is shared
constexpr int64_t most_with_columns = 1 << 13;  // iterations of the launch, if neighbours access neighbouring elements

/// The members of a group, and how many of them are a row.
struct ShareShape {
  int32_t members, row;
  int32_t rows() const { return members / row; }
};

/// What a statement does with arrays.
struct Uses {
  std::set<VarId> loaded, stored;
  void add(const Uses& o) {
    loaded.insert(o.loaded.begin(), o.loaded.end());
    stored.insert(o.stored.begin(), o.stored.end());
  }
};
/// The bases of addresses; `none` stands for those that are no variables.
Uses uses_of(const Block& b) {
  Uses r;
  const auto base = [](ExprP e) { return e->kind == Expr::Kind::Var ? e->var : none; };
  any_statement(b, [&](const Stmt& s) {
    if (auto* n = std::get_if<Store>(&s.node)) r.stored.insert(base(n->base));
    if (auto* n = std::get_if<Atomic>(&s.node)) r.stored.insert(base(n->base));
    each_expr(s, [&](ExprP e) {
      any_node(e, [&](ExprP n) {
        if (n->kind == Expr::Kind::Load) r.loaded.insert(base(n->a));
        return false;
      });
    });
    return false;
  });
  return r;
}
Uses uses_of(ExprP e) { return uses_of(Block{{SetVar{none, e}, none}}); }

/// How large the shared loops of a kernel are.
struct ShareSizes {
  ExprP most = nullptr;        ///< iterations of the largest one, a simple expression of the host
  std::optional<int64_t> row;  ///< of the largest inner loop of a nest, if it is a constant
  bool rows = false, known = true;
  std::map<VarId, int64_t> bounds = {};  ///< of the trip counts of loops, by their variables, if they are constants
};

/// Writes a kernel of which the members of a group run each iteration.
class ShareWriter {
 public:
  ShareWriter(Exprs& x, const Function& plain, const ShareShape& shape, const ShareSizes& sizes)
      : x_(x), shape_(shape), sizes_(sizes), made_(tile_version(plain)), out_(x, made_), body_(plain.body) {}

  Function run(const Plans& plans) {
    made_.square = false;
    made_.group = shape_.members;
    const VarId own = made_.dims[0];
    share_arrays();
    stored_ = uses_of(body_).stored;
    if (has<Fail>(body_)) failures_ = {out_.new_var("failures", Scalar::Ptr), out_.new_var("failed", Scalar::Bool)};
    made_.body = out_.collect([&] {
      tile_dim(out_, 0, ".item");
      const ExprP item = x_.var(made_.dims[0], Scalar::Int64);
      member_ = {named(x_.binary(Op::Rem, item, constant(shape_.members)), "member"), shape_.members};
      if (shape_.row > 1) {
        row_ = named(x_.binary(Op::Div, member_.number, constant(shape_.row)), "row");
        in_row_ = {named(x_.binary(Op::Rem, member_.number, constant(shape_.row)), "in_row"), shape_.row};
      }
      out_.set(own, x_.binary(Op::Div, item, constant(shape_.members)));
      if (failures_.memory != none) begin_failures();
      block(body_, plans);
    });
    made_.tile_of.members = shape_.members;
    made_.tile_of.apart[0] = shape_.members;
    return std::move(made_);
  }

 private:
  ExprP constant(int64_t v) { return x_.int_const(v); }
  ExprP named(ExprP e, const char* name) {
    const ExprP v = out_.temp(e, name);
    narrow(made_, v->var);
    return v;
  }
  /// Arrays of the work-item's own become memory of the group.
  void share_arrays() {
    const PrivateArrays arrays(body_);
    std::map<VarId, VarId> names;
    for (const PrivateArray& a : arrays.all()) {
      if (!a.type) continue;
      const VarId data = out_.new_var("shared", Scalar::Ptr);
      made_.shared.push_back({data, *a.type, static_cast<int32_t>(a.bytes / scalar_bytes(*a.type))});
      local_.insert(data);
      for (VarId v : a.names) names[v] = data;
    }
    for (Stmt& s : body_) s = renamed(x_, std::move(s), names);
  }

  // ---------------------------------------------------------------- barriers
  /// A barrier, if the statement with these uses must come after others.
  void order(const Uses& here) {
    bool meets = false, global = false;
    const auto conflict = [&](const std::set<VarId>& now, const std::set<VarId>& before) {
      for (VarId v : now)
        if (before.count(v)) meets = true, global = global || !local_.count(v);
    };
    conflict(here.loaded, pending_.stored);
    conflict(here.stored, pending_.stored);
    conflict(here.stored, pending_.loaded);
    if (meets) {
      out_.emit(Barrier{global});
      const auto done = [&](VarId v) { return global || local_.count(v) != 0; };
      std::erase_if(pending_.loaded, done);
      std::erase_if(pending_.stored, done);
    }
    pending_.add(here);
  }
  /// Only arrays that the kernel changes need an order.
  Uses changing(Uses u) const {
    std::erase_if(u.loaded, [&](VarId v) { return !stored_.count(v); });
    return u;
  }

  // ---------------------------------------------------------------- statements
  void block(const Block& b, const Plans& plans) {
    for (size_t k = 0; k < b.size(); ++k) {
      const Restore place(out_.place, b[k].place);
      statement(b[k], plans[k]);
    }
  }
  void statement(const Stmt& s, const SharePlan& plan) {
    switch (plan.kind) {
      case Kind::Gone:
        return;
      case Kind::All:
        order(changing(uses_of(Block{s})));
        return emit_if(in_rows_ && is_harmless(s) ? nullptr : guard_, s);
      case Kind::One: {
        order(changing(uses_of(Block{s})));
        const ExprP first = x_.eq(member_.number, constant(0));
        return emit_if(guard_ ? x_.both(guard_, first) : first, s);
      }
      case Kind::Share:
        return share(std::get<CountedLoop>(s.node));
      case Kind::Rows:
        return rows(std::get<CountedLoop>(s.node), plan.parts[0]);
      case Kind::Serial:
        return serial(s, plan.parts[0]);
      case Kind::Choice:
        return choice(std::get<If>(s.node), plan);
    }
  }
  /// Whether the statement may be executed without an iteration of its own, if nothing needs what it assigns.
  static bool is_harmless(const Stmt& s) {
    auto* set = std::get_if<SetVar>(&s.node);
    return set && !any_node(set->value, [](ExprP e) {
             return e->kind == Expr::Kind::Load ||
                    (e->kind == Expr::Kind::Binary && (e->op == Op::Div || e->op == Op::Rem));
           });
  }
  void emit_if(ExprP c, const Stmt& s) {
    if (c)
      out_.emit(If{c, Block{s}, {}});
    else
      out_.block->push_back(s);
  }
  /// Its trip count, or none where the guard does not hold.
  ExprP trips_of(const CountedLoop& loop) {
    order(changing(uses_of(loop.hi)));
    return out_.keep(guard_ ? x_.select(guard_, loop.hi, constant(0)) : loop.hi, "trips");
  }
  /// Whether so many members run at most one iteration each.
  bool one_turn(const CountedLoop& loop, int32_t members) const {
    const auto bound = sizes_.bounds.find(loop.var);
    return bound != sizes_.bounds.end() && bound->second <= members;
  }
  void share(const CountedLoop& loop) {
    const ExprP trips = trips_of(loop);
    const bool fails = has<Fail>(loop.body);
    Uses uses = changing(uses_of(loop.body));
    if (fails) uses.stored.insert(failures_.memory);
    order(uses);
    const Block leaving = fails ? leaving_at_faults(loop.body) : loop.body;
    const auto iteration = [&](ExprP number) {
      return out_.collect([&] {
        out_.set(loop.var, number);
        out_.append(Block(leaving));
      });
    };
    if (fails) out_.set(failures_.failed, x_.bool_const(false));
    if (!fails && one_turn(loop, member_.count)) {
      out_.emit(If{x_.lt(member_.number, trips), iteration(member_.number), {}});
      return;
    }
    CountedLoop own = turns_of(loop, trips, member_.number, member_.count);
    own.body = iteration(x_.add(member_.number, x_.mul(x_.var(own.var, Scalar::Int64), constant(member_.count))));
    out_.emit(std::move(own));
    if (fails) leave_if_failed(loop.body);
  }

  // ---------------------------------------------------------------- faults in shared loops
  ExprP failures() { return x_.load(Scalar::Int32, x_.var(failures_.memory, Scalar::Ptr), x_.at(constant(0), 4)); }
  void note_failures(int64_t n) {
    out_.emit(Store{x_.var(failures_.memory, Scalar::Ptr), x_.at(constant(0), 4), x_.int_const(n, Scalar::Int32)});
  }
  void begin_failures() {
    made_.shared.push_back({failures_.memory, Scalar::Int32, 1});
    local_.insert(failures_.memory);
    order({{}, {failures_.memory}});
    Block none_yet = out_.collect([&] { note_failures(0); });
    out_.emit(If{x_.eq(member_.number, constant(0)), std::move(none_yet), {}});
  }
  /// The iteration, which leaves the loop at a fault.
  Block leaving_at_faults(const Block& b) {
    return out_.collect([&] {
      for (Stmt s : b) {
        const Restore place(out_.place, s.place);
        if (auto* n = std::get_if<Fail>(&s.node)) {
          n->stay = true;
          out_.emit(*n);
          note_failures(1);
          out_.set(failures_.failed, x_.bool_const(true));
          out_.emit(Break{});
          continue;
        }
        const bool loop = std::holds_alternative<CountedLoop>(s.node) || std::holds_alternative<Loop>(s.node);
        const bool fails = has<Fail>(Block{s});
        for (Block* p : parts(s)) *p = leaving_at_faults(*p);
        out_.block->push_back(std::move(s));
        if (loop && fails) out_.emit(If{x_.var(failures_.failed, Scalar::Bool), Block{{Break{}, none}}, {}});
      }
    });
  }
  /// All members leave the kernel if one of them has recorded a fault.
  void leave_if_failed(const Block& body) {
    order({{failures_.memory}, {}});
    const Fail* first = nullptr;
    any_statement(body, [&](const Stmt& s) { return (first = std::get_if<Fail>(&s.node)) != nullptr; });
    Block leave;
    leave.push_back({Fail{first->site, first->code}, out_.place});
    out_.emit(If{x_.ne(failures(), x_.int_const(0, Scalar::Int32)), std::move(leave), {}, true});
  }
  /// A loop over the numbers first, first + step, ... below `trips`, still without a body.
  CountedLoop turns_of(const CountedLoop& loop, ExprP trips, ExprP first, int32_t step) {
    CountedLoop own;
    own.var = out_.new_var("turn", Scalar::Int64);
    narrow(made_, own.var);
    own.lo = constant(0);
    own.hi = named(x_.binary(Op::Div, x_.sub(x_.add(trips, constant(step - 1)), first), constant(step)), "turns");
    own.site = loop.site;
    return own;
  }
  void rows(const CountedLoop& loop, const Plans& plans) {
    const ExprP trips = trips_of(loop);
    const auto turn = [&](ExprP first) {
      const ExprP number = named(first, "number");
      const Restore guard(guard_, out_.temp(x_.lt(number, trips), "inside"));
      const Restore member(member_, in_row_);
      const Restore in_rows(in_rows_, true);
      out_.set(loop.var, number);
      block(loop.body, plans);
    };
    if (one_turn(loop, shape_.rows())) return turn(row_);
    CountedLoop own = turns_of(loop, trips, constant(0), shape_.rows());
    // Iterations access no elements of each other, so that there is no order between the turns, but for faults.
    if (has<Fail>(loop.body)) pending_.loaded.insert(failures_.memory);
    const Uses before = pending_;
    own.body =
        out_.collect([&] { turn(x_.add(row_, x_.mul(x_.var(own.var, Scalar::Int64), constant(shape_.rows())))); });
    pending_.add(before);
    out_.emit(std::move(own));
  }
  void serial(const Stmt& s, const Plans& plans) {
    Stmt made = s;
    Block& body = *parts(made)[0];
    auto* counted = std::get_if<CountedLoop>(&made.node);
    if (counted) {
      counted->hi = trips_of(*counted);
      if (!is_int(counted->lo, 0)) order(changing(uses_of(counted->lo)));
    }
    Uses inside = changing(uses_of(body));
    if (has<Fail>(body)) inside.loaded.insert(failures_.memory);
    pending_.add(inside);  // by the iteration before
    const Restore guard(guard_, ExprP{});
    const Block original = std::move(body);
    body = out_.collect([&] { block(original, plans); });
    pending_.add(inside);
    out_.block->push_back(std::move(made));
  }
  void choice(const If& n, const SharePlan& plan) {
    order(changing(uses_of(n.cond)));
    const ExprP c = out_.temp(guard_ ? x_.both(guard_, n.cond) : n.cond, "chosen");
    const ExprP around = guard_;
    {
      const Restore guard(guard_, c);
      block(n.then_body, plan.parts[0]);
    }
    if (n.else_body.empty()) return;
    const ExprP other = x_.not_(c);
    const Restore guard(guard_, around ? x_.both(around, other) : other);
    block(n.else_body, plan.parts[1]);
  }

  struct Member {
    ExprP number = nullptr;
    int32_t count = 0;
  };

  Exprs& x_;
  const ShareShape shape_;
  const ShareSizes& sizes_;
  Function made_;
  Writer out_;
  Block body_;              ///< of the plain kernel, with arrays of the group
  Member member_, in_row_;  ///< of the group or, in `rows`, of the row
  ExprP row_ = nullptr;
  ExprP guard_ = nullptr;   ///< whether the current statements are executed, for all members; null: they are
  bool in_rows_ = false;    ///< nothing but statements under the guard uses what is assigned
  std::set<VarId> local_;   ///< arrays of the group
  std::set<VarId> stored_;  ///< arrays that the kernel changes
  Uses pending_;            ///< since the last barrier
  struct {
    VarId memory = none;  ///< an Int32 of the group: not 0 if a member has met a fault
    VarId failed = none;  ///< of the member itself, in the current loop
  } failures_;
};

class Measure {
 public:
  explicit Measure(LaunchIntervals& at, Exprs& x) : at_(at), x_(x) {}

  ShareSizes run(const Function& kernel, const Plans& plans) {
    block(kernel.body, plans, nullptr);
    return sizes_;
  }

 private:
  void block(const Block& b, const Plans& plans, ExprP outer) {
    for (size_t k = 0; k < b.size(); ++k) statement(b[k], plans[k], outer);
  }
  void statement(const Stmt& s, const SharePlan& plan, ExprP outer) {
    if (auto* set = std::get_if<SetVar>(&s.node)) return at_.define(*set);
    if (plan.kind == Kind::Share || plan.kind == Kind::Rows) {
      const auto& loop = std::get<CountedLoop>(s.node);
      const auto trips = at_.value(loop.hi);
      if (!trips || trips->valid) {
        sizes_.known = false;
        return;
      }
      if (trips->hi->kind == Expr::Kind::IntConst) sizes_.bounds[loop.var] = trips->hi->ival;
      const ExprP all = outer ? at_.keep(x_.mul(outer, trips->hi)) : trips->hi;
      if (plan.kind == Kind::Share) {
        sizes_.most = sizes_.most ? at_.keep(x_.max(sizes_.most, all)) : all;
        if (outer && trips->hi->kind == Expr::Kind::IntConst)
          sizes_.row = std::max(sizes_.row.value_or(0), trips->hi->ival);
        if (outer && trips->hi->kind != Expr::Kind::IntConst) sizes_.row = most_row;
        return;
      }
      sizes_.rows = true;
      at_.enter(loop);
      return block(loop.body, plan.parts[0], all);
    }
    if (auto* loop = std::get_if<CountedLoop>(&s.node)) at_.enter(*loop);
    const auto inside = parts(s);
    for (size_t k = 0; k < plan.parts.size(); ++k) block(*inside[k], plan.parts[k], outer);
  }

  LaunchIntervals& at_;
  Exprs& x_;
  ShareSizes sizes_;

 public:
  static constexpr int64_t most_row = 32;
};

class ShareLaunches {
 public:
  ShareLaunches(Module& m, Exprs& x, Function& f, const PassOptions& o) : m_(m), x_(x), out_(x, f), options_(o) {}

  void run() {
    replace_launches(out_, [&](Launch& n) { return launch(n); });
  }

 private:
  bool launch(const Launch& plain) {
    const Function kernel = *m_.functions[static_cast<size_t>(plain.kernel)];
    const auto plans = plan_shares(x_, kernel);
    if (!plans) return false;
    LaunchIntervals at(out_);
    at.inputs(kernel, plain.args);
    at.single_values(kernel);
    const ShareSizes sizes = Measure(at, x_).run(kernel, *plans);
    if (!sizes.known || !sizes.most) return false;
    Launch here = plain;
    ExprP iterations = constant(1);
    for (ExprP& count : here.counts) {
      count = out_.keep(count, "count");
      iterations = x_.mul(iterations, count);
    }
    iterations = out_.keep(iterations, "iterations");
    const bool always = options_.tiles == 1;
    const auto strides = stride_counts(x_, kernel);
    ExprP gains = x_.ge(sizes.most, constant(always ? 1 : fewest_shared));
    if (!always && strides[0].unit > strides[0].apart)
      gains = x_.both(gains, x_.le(iterations, constant(most_with_columns)));
    Block otherwise;
    otherwise.push_back({here, out_.place});
    const int32_t row = sizes.rows ? row_of(sizes) : 1;
    bool made = false;
    // From the smallest group to the largest, which is chosen if the loops have work for most of it.
    for (const int32_t members : {64, 256}) {
      if (members > options_.group) continue;
      const ExprP large = members == 64 ? x_.bool_const(true) : x_.gt(sizes.most, constant(members / 2));
      if (is_false(large)) continue;
      if (members == 64 && is_true(x_.gt(sizes.most, constant(128))) && options_.group >= 256) continue;
      const int32_t id = form(plain.kernel, kernel, *plans, {members, std::min(row, members)}, sizes);
      if (id == none) continue;
      made = true;
      Launch shared = here;
      shared.kernel = id;
      const VarId count = out_.new_var("count", Scalar::Int64);
      out_.set(count, here.counts[0]);
      shared.args.push_back({count});
      shared.counts[0] = out_.keep(x_.mul(here.counts[0], constant(members)), "items");
      const ExprP c = within_limits(x_, x_.both(gains, large), here.counts, members);
      otherwise = launch_if(c, std::move(shared), std::move(otherwise), out_.place);
    }
    if (!made) return false;
    out_.append(std::move(otherwise));
    return true;
  }
  /// The members of a row.
  static int32_t row_of(const ShareSizes& sizes) {
    int32_t row = 8;
    while (row < sizes.row.value_or(Measure::most_row) && row < Measure::most_row) row *= 2;
    return row;
  }
  int32_t form(int32_t from, const Function& kernel, const Plans& plans, const ShareShape& shape,
               const ShareSizes& sizes) {
    Function made = ShareWriter(x_, kernel, shape, sizes).run(plans);
    int64_t bytes = 0;
    for (const Shared& s : made.shared) bytes += int64_t{s.count} * scalar_bytes(s.type);
    if (bytes > options_.local_bytes) return none;
    made.tile_of.kernel = from;
    return add_kernel(m_, std::move(made), kernel.name + "_shared" + std::to_string(shape.members));
  }
  ExprP constant(int64_t v) { return x_.int_const(v); }

  Module& m_;
  Exprs& x_;
  Writer out_;
  const PassOptions& options_;
};

}  // namespace

void share_loops(Module& m, const PassOptions& options) {
  if (!options.version_loops || options.local_bytes <= 0) return;
  Exprs x(m);
  each_entry(m, [&](Function& f) { ShareLaunches(m, x, f, options).run(); });
}

}  // namespace vr::lower
