// split_sums: a reduction in parts, each of which is an iteration of a parallel loop.
//
//   kernel [j] { s = 0                          kernel [j] { for parallel p in [0, parts) {
//     for i in [0, n) { s = s + a[i, j] }                      s' = 0
//     store b[j] = s }                                         for k in [0, (n - p + parts - 1) / parts) {
//                                                                s' = s' + a[k * parts + p, j] }
//                                                              store row[j, p] = s' }
//                                                            s = 0
//                                                            for p in [0, parts) { s = s + row[j, p] }
//                                                            store b[j] = s }
//
// A team of work-items (cooperate) is at most a group: kernels of few iterations leave most of the device without work.
// Consecutive parts take consecutive iterations, so that work-items of neighbouring parts load neighbouring elements.
#include "loop/transform/split_sums.hpp"

#include "loop/analysis/carried_reduction.hpp"
#include "loop/analysis/dim_dependence.hpp"
#include "loop/analysis/launch_intervals.hpp"
#include "loop/analysis/nest.hpp"
#include "loop/analysis/unit_stride.hpp"
#include "loop/renamed.hpp"
#include "loop/transform/expanded_kernel.hpp"
#include "loop/walk.hpp"

#include <map>
#include <optional>
#include <set>

namespace vr::lower {

namespace {

constexpr size_t most_split_states = 4;
constexpr int64_t wanted_work_items = 1 << 17;
constexpr int64_t fewest_in_part = 16;  // iterations of the loop
constexpr int64_t fewest_parts = 4;
constexpr int64_t fewest_split_trips = 1024;  // of the loop
/// The most iterations of the kernel: where cooperate has teams for rows (256 work-items), for columns (32), and none.
constexpr int64_t most_rows_split = 1 << 7, most_columns_split = 1 << 10, most_nests_split = 1 << 14;

/// Splits one reduction of a kernel.
class SplitSum {
 public:
  SplitSum(Exprs& x, const Function& kernel) : x_(x), made_(x, kernel), fn_(made_.fn) {}

  /// Whether the kernel has such a reduction; `kernel` has a form for it then.
  bool run() {
    for (size_t k = 0; k < fn_.body.size(); ++k) {
      auto* loop = std::get_if<CountedLoop>(&fn_.body[k].node);
      if (!loop || !is_plain(*loop) || !leaf_of(*loop)) continue;
      Writer out(x_, fn_);
      // The iterations of the nest, as those of one loop.
      Block flat = fn_.body;
      flat[k].node = flattened(*loop);
      auto reduction = carried_reduction(out, flat, k);
      if (!reduction || reduction->vars.empty()) continue;
      // One reduction: others would be computed by single work-items.
      if (reduction->vars.size() > most_split_states || !is_split(*reduction)) return false;
      split(k, *reduction);
      made_.mark_independent_loops();
      made_.sink();
      return made_.is_distributed();
    }
    return false;
  }
  Function& kernel() { return fn_; }
  /// The trip count of the inner loop, which the host evaluates.
  ExprP trips() const { return trips_; }
  int64_t most_iterations() const { return most_; }
  const std::vector<Scalar>& types() const { return types_; }

 private:
  /// Finds the only inner loop, which begins at 0 and has as many iterations for the whole domain.
  bool leaf_of(const CountedLoop& loop) {
    const DimDependence dims(fn_, true);
    const CountedLoop* n = &loop;
    while (!is_leaf(*n)) {
      const CountedLoop* inner = nullptr;
      for (const Stmt& s : n->body) {
        auto* l = std::get_if<CountedLoop>(&s.node);
        if (!l && !std::holds_alternative<SetVar>(s.node)) return false;
        if (l && inner) return false;
        if (l) inner = l;
      }
      if (!inner || !is_plain(*inner)) return false;
      n = inner;
    }
    leaf_ = n->var;
    trips_ = n->hi;
    if (n->hi->kind == Expr::Kind::IntConst && n->hi->ival < fewest_split_trips) return false;
    if (!is_int(n->lo, 0) || dims.of(n->hi) != 0 || has<Store>(loop.body) || has<Atomic>(loop.body)) return false;
    body_ = assignments(n->body);
    around_ = assignments(loop.body);
    most_ = n != &loop ? most_nests_split : unit_stride_accesses(x_, fn_)[0] > 0 ? most_columns_split : most_rows_split;
    return true;
  }
  static CountedLoop flattened(const CountedLoop& loop) {
    CountedLoop all = loop;
    all.body.clear();
    for (const Stmt& s : loop.body) {
      auto* inner = std::get_if<CountedLoop>(&s.node);
      if (!inner) {
        all.body.push_back(s);
        continue;
      }
      CountedLoop leaf = flattened(*inner);
      all.var = leaf.var;
      all.body.insert(all.body.end(), leaf.body.begin(), leaf.body.end());
    }
    return all;
  }
  /// Whether only the inner loop changes the state, and its parts begin with constants.
  bool is_split(const Reduction& r) const {
    for (size_t k = 0; k < r.vars.size(); ++k) {
      const auto inside = body_.find(r.vars[k]);
      if (inside == body_.end() || inside->second != around_.at(r.vars[k]) || !is_const(r.start[k])) return false;
      if (scalar_bytes(fn_.vars[static_cast<size_t>(r.vars[k])].type) < 4) return false;
    }
    return true;
  }
  void split(size_t at, const Reduction& r) {
    const int32_t place = fn_.body[at].place;
    Writer out(x_, fn_);
    const VarId parts = out.new_var("parts", Scalar::Int64), part = out.new_var("part", Scalar::Int64),
                again = out.new_var("part", Scalar::Int64);
    const ExprP count = x_.var(parts, Scalar::Int64), number = x_.var(part, Scalar::Int64);
    // The state of a part: variables of its own.
    Stmt loop = fn_.body[at];
    const std::map<VarId, VarId> names = variables_like(x_, fn_, loop);
    deal_out(std::get<CountedLoop>(loop.node), count, number, out);
    loop = renamed(x_, std::move(loop), names);
    Block body;
    for (size_t k = 0; k < r.vars.size(); ++k) body.push_back({SetVar{names.at(r.vars[k]), r.start[k]}, place});
    body.push_back(std::move(loop));
    Block join;
    for (size_t k = 0; k < r.vars.size(); ++k) {
      const VarId v = r.vars[k];
      const Var& state = fn_.vars[static_cast<size_t>(v)];
      types_.push_back(state.type);
      const Element element = made_.add_rows(state.name + ".parts", state.type, number);
      body.push_back({Store{element.base, element.at, x_.var(names.at(v), types_.back())}, place});
      const ExprP there = replaced(x_, element.at, number, x_.var(again, Scalar::Int64));
      join.push_back({SetVar{r.others[k], x_.load(types_.back(), element.base, there)}, place});
    }
    join.insert(join.end(), r.join.begin(), r.join.end());
    CountedLoop all{part, x_.int_const(0), count, std::move(body)};
    all.parallel = true;
    Stmt joined{CountedLoop{again, x_.int_const(0), count, std::move(join)}, place};
    fn_.body[at] = {std::move(all), place};
    fn_.body.insert(fn_.body.begin() + static_cast<std::ptrdiff_t>(at) + 1, std::move(joined));
    Param p;
    p.var = parts;
    fn_.params.push_back(p);
  }
  /// Gives the inner loop the iterations number, number + count, ...
  void deal_out(CountedLoop& loop, ExprP count, ExprP number, Writer& out) {
    if (loop.var == leaf_) {
      const VarId turn = out.new_var("turn", Scalar::Int64);
      const ExprP rest = x_.add(x_.sub(loop.hi, number), x_.sub(count, x_.int_const(1)));
      loop.body.insert(loop.body.begin(),
                       Stmt{SetVar{leaf_, x_.add(x_.mul(x_.var(turn, Scalar::Int64), count), number)}, none});
      loop.var = turn;
      loop.hi = x_.binary(Op::Div, x_.max(rest, x_.int_const(0)), count);
      return;
    }
    for (Stmt& s : loop.body)
      if (auto* n = std::get_if<CountedLoop>(&s.node)) deal_out(*n, count, number, out);
  }

  Exprs& x_;
  ExpandedKernel made_;
  Function& fn_;
  VarId leaf_ = none;
  ExprP trips_ = nullptr;
  int64_t most_ = 0;
  std::map<VarId, int> body_, around_;
  std::vector<Scalar> types_;
};

void write(Module& m, Writer& out, const Launch& plain, SplitSum& made, ExprP trips, bool always) {
  Exprs& x = out.x;
  Launch here = plain;
  ExprP iterations = x.int_const(1), guard = x.bool_const(true);
  const ExprP most = x.int_const(most_nests_split);
  for (ExprP& c : here.counts) {
    c = out.keep(c, "count");
    guard = x.both(guard, x.both(x.gt(c, x.int_const(0)), x.le(c, most)));
    iterations = x.mul(iterations, x.max(x.min(c, most), x.int_const(1)));
  }
  iterations = out.keep(iterations, "iterations");
  const ExprP wanted = x.min(x.binary(Op::Div, x.int_const(wanted_work_items), iterations),
                             x.binary(Op::Div, trips, x.int_const(fewest_in_part)));
  const VarId parts = out.new_var("parts", Scalar::Int64);
  out.set(parts, out.keep(x.max(wanted, x.int_const(1)), "parts"));
  const ExprP count = x.var(parts, Scalar::Int64);
  if (!always) {
    guard = x.both(guard, x.le(iterations, x.int_const(made.most_iterations())));
    guard = x.both(guard, x.both(x.ge(trips, x.int_const(fewest_split_trips)), x.ge(count, x.int_const(fewest_parts))));
  }
  guard = out.temp(guard, "splits");
  std::vector<Rows> arrays;
  for (Scalar type : made.types()) arrays.push_back({type, count});
  launch_expanded(m, out, here, std::move(made.kernel()), "_parts", arrays, {parts}, guard);
}

bool split(Module& m, Writer& out, const Launch& plain, const Function& whole, bool always) {
  SplitSum made(out.x, whole);
  if (!made.run()) return false;
  const size_t vars = out.fn.vars.size();
  bool written = false;
  Block block = out.collect([&] {
    LaunchIntervals at(out);
    at.inputs(whole, plain.args);
    at.single_values(whole);
    const ExprP trips = at.host(made.trips());
    written = trips != nullptr;
    if (written) write(m, out, plain, made, out.keep(trips, "trips"), always);
  });
  if (written)
    out.append(std::move(block));
  else
    out.fn.vars.resize(vars);
  return written;
}

}  // namespace

void split_sums(Module& m, const PassOptions& options) {
  expand_launches(m, options, [&](Writer& out, const Launch& n, const Function& kernel) {
    return split(m, out, n, kernel, options.tiles == 1);
  });
}

}  // namespace vr::lower
