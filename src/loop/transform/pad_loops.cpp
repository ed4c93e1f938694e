// pad_loops: serial loops of kernels from or to the diagonal get bounds that blocks of rows have in common.
//
//   kernel [j, i] {                        kernel [j, i.part, i.block] {           over [n, 64, m / 64]
//     s = 0                                  i = i.block * 64 + i.part
//     for k in [i + 1, n) {                  s = 0
//       s = s + a[k, i] * b[k, j]            for k in [i.block * 64 + 1, n) {
//     }                                        s' = s + a[k, i] * b[k, j]
//     c[i, j] = s                              s = k >= i + 1 ? s' : s
//   }                                        }
//                                            c[i, j] = s
//                                          }
//                                          kernel [j, i] { the rest of m / 64 rows }
//
// The loads of iterations that are not a row's own must exist: a subscript depends on the loop's variable or on the
// row, not on both, and the host sees to it that all rows are within the array, of which some have no iteration.
#include "loop/transform/pad_loops.hpp"

#include "loop/analysis/dim_dependence.hpp"
#include "loop/analysis/launch_intervals.hpp"
#include "loop/analysis/loop_range.hpp"
#include "loop/analysis/nest.hpp"
#include "loop/analysis/polynomials.hpp"
#include "loop/kernel_forms.hpp"
#include "loop/replace.hpp"
#include "loop/walk.hpp"

#include <array>
#include <map>
#include <optional>
#include <set>

namespace vr::lower {

namespace {

constexpr int64_t block = 64;  // rows: as many as a staged tile has (staged_tile.cpp)
constexpr int64_t fewest_trips =
    4 * block;  // of the longest loop: shorter ones would be padded by as much as they have

/// A kernel of which one loop can be padded.
class Padding {
 public:
  Padding(Exprs& x, const Function& kernel) : x_(x), kernel_(kernel), dims_(kernel, true) {}

  bool find() {
    if (kernel_.dims.size() != 2) return false;
    const auto definitions = single_definitions(kernel_.body);
    Polynomials values(kernel_);
    for (size_t k = 0; k < kernel_.body.size(); ++k) {
      const Stmt& s = kernel_.body[k];
      if (auto* loop = std::get_if<CountedLoop>(&s.node)) {
        const auto range = loop_range(*loop, definitions);
        if (!at_ && range && is_triangle(*loop, *range, values) && body_fits(*loop, k))
          at_ = k;
        else if (!is_leaf(*loop))
          return false;
      } else if (auto* set = std::get_if<SetVar>(&s.node)) {
        if (!at_ && times_of(set->var) == 1 && !loads(set->value)) record_value(x_, known_, set->var, set->value);
      } else if (!std::holds_alternative<Store>(s.node)) {
        return false;
      }
      values.execute(s);
    }
    return at_.has_value();
  }

  size_t dim() const { return dim_; }
  const CountedLoop& loop() const { return std::get<CountedLoop>(kernel_.body[*at_].node); }
  /// The bounds of the range, in terms of the kernel's dimensions.
  ExprP start() const { return substituted(x_, range_.start, known_); }
  ExprP stop() const { return substituted(x_, range_.stop, known_); }
  /// Subscripts that depend on the row, and the arrays and axes that they are of.
  struct Row {
    VarId data;
    size_t axis;
    ExprP subscript;
  };
  const std::vector<Row>& rows() const { return rows_; }

  /// The kernel for whole blocks: its third dimension are the blocks.
  Function padded() const {
    Function f = kernel_;
    f.form_of = f.on_host = none;
    f.accesses.clear();
    f.body.clear();
    Writer out(x_, f);
    const VarId row = kernel_.dims[dim_];
    const std::string name = kernel_.vars[static_cast<size_t>(row)].name;
    const VarId part = dimension(out, name + ".part"), number = dimension(out, name + ".block");
    f.dims[dim_] = part;
    f.dims.push_back(number);
    const ExprP first = out.temp(x_.mul(x_.var(number, Scalar::Int64), x_.int_const(block)), "first");
    narrow(f, first->var);
    out.set(row, x_.add(first, x_.var(part, Scalar::Int64)));
    for (size_t k = 0; k < *at_; ++k) f.body.push_back(kernel_.body[k]);
    // The bound of the row whose loop is the longest.
    const bool last_row = from_start_ != ascending_;
    const ExprP longest = last_row ? x_.add(first, x_.int_const(block - 1)) : first;
    const auto of_block = [&](ExprP bound) {
      return substituted(x_, substituted(x_, bound, known_), {{row, longest}});
    };
    const ExprP lo = out.temp(from_start_ ? of_block(range_.start) : range_.start, "lo");
    const ExprP hi = out.temp(from_start_ ? range_.stop : of_block(range_.stop), "hi");
    CountedLoop made = loop();
    made.hi = out.temp(x_.select(x_.lt(lo, hi), x_.sub(hi, lo), x_.int_const(0)), "trips");
    const ExprP k = x_.add(lo, x_.var(made.var, Scalar::Int64));
    const ExprP own = from_start_ ? x_.ge(k, range_.start) : x_.lt(k, range_.stop);
    made.body = out.collect([&] {
      const VarId takes = out.new_var("own", Scalar::Bool);
      out.set(takes, own);
      for (const Stmt& s : loop().body) {
        SetVar set = std::get<SetVar>(s.node);
        if (same(set.value, number_in_range(loop()))) set.value = k;
        if (!kept_.count(set.var)) {
          out.emit(std::move(set));
          continue;
        }
        const Scalar type = kernel_.vars[static_cast<size_t>(set.var)].type;
        const ExprP next = out.temp(set.value, "next");
        out.set(set.var, x_.select(x_.var(takes, Scalar::Bool), next, x_.var(set.var, type)));
      }
    });
    out.emit(std::move(made));
    f.body.insert(f.body.end(), kernel_.body.begin() + static_cast<std::ptrdiff_t>(*at_) + 1, kernel_.body.end());
    return f;
  }

  /// The kernel for rows from the number in its new last parameter on.
  Function rest() const {
    Function f = kernel_;
    f.form_of = f.on_host = none;
    f.accesses.clear();
    f.body.clear();
    Writer out(x_, f);
    const VarId row = kernel_.dims[dim_];
    const VarId part = dimension(out, kernel_.vars[static_cast<size_t>(row)].name + ".rest");
    const VarId first = dimension(out, "first");
    f.params.push_back({first, none, none, false});
    f.dims[dim_] = part;
    out.set(row, x_.add(x_.var(first, Scalar::Int64), x_.var(part, Scalar::Int64)));
    f.body.insert(f.body.end(), kernel_.body.begin(), kernel_.body.end());
    return f;
  }

 private:
  static VarId dimension(Writer& out, const std::string& name) {
    const VarId v = out.new_var(name, Scalar::Int64);
    narrow(out.fn, v);
    return v;
  }
  int times_of(VarId v) const {
    const auto it = times_.find(v);
    return it == times_.end() ? 0 : it->second;
  }
  /// start + loop variable, as the loop's body computes it.
  ExprP number_in_range(const CountedLoop& loop) const {
    const ExprP k = x_.var(loop.var, Scalar::Int64);
    return is_int(range_.start, 0) ? k : x_.add(range_.start, k);
  }

  /// Whether one bound of the loop grows or falls by one from row to row along one dimension, and the other is the same
  /// for all rows.
  bool is_triangle(const CountedLoop& loop, const LoopRange& range, Polynomials& values) {
    if (!is_leaf(loop) || !is_int(loop.lo, 0) || loop.parallel || loop.spread) return false;
    const DimSet starts = dims_.of(range.start), stops = dims_.of(range.stop);
    if ((starts == 0) == (stops == 0)) return false;
    const DimSet both = starts | stops;
    if (both != 1 && both != 2) return false;
    dim_ = both - 1;
    from_start_ = starts != 0;
    const ExprP bound = from_start_ ? range.start : range.stop;
    if (loads(bound)) return false;
    const auto row = values.of(x_.var(kernel_.dims[dim_], Scalar::Int64)).terms;
    if (row.size() != 1 || row.begin()->first.size() != 1) return false;
    const Polynomial step = coefficient(values.of(bound), row.begin()->first[0]);
    if (!is_number(step, 1) && !is_number(step, -1)) return false;
    ascending_ = is_number(step, 1);
    // What else is in it must be known in front of the loop.
    for (VarId v : variables(substituted(x_, bound, known_)))
      if (v != kernel_.dims[dim_] && times_of(v) != 0) return false;
    range_ = range;
    return true;
  }

  /// Whether the loop may have iterations that are not a row's own: it assigns variables, and what it loads exists. The
  /// elements that it loads are those of a tile.
  bool body_fits(const CountedLoop& loop, size_t at) {
    const Block& b = loop.body;
    const auto assigned = assignments(b);
    kept_ = read_before_assigned(kernel_, b);
    const Block after(kernel_.body.begin() + static_cast<std::ptrdiff_t>(at) + 1, kernel_.body.end());
    for (const auto& entry : assigned)
      if (mentions(after, entry.first)) kept_.insert(entry.first);
    if (kept_.empty() || mentions(after, loop.var)) return false;
    rows_.clear();
    std::map<VarId, ExprP> known = known_;
    std::array<int, 2> along = {};
    // Numbers of the range take the place of the loop's variable, which now counts from another start.
    bool counts = false;
    for (const Stmt& s : b) {
      auto* set = std::get_if<SetVar>(&s.node);
      if (!set) return false;
      const ExprP k = x_.var(loop.var, Scalar::Int64);
      if (same(set->value, number_in_range(loop)) && assigned.at(set->var) == 1) {
        counts = true;
        known[set->var] = k;
        continue;
      }
      if (mentions(set->value, loop.var)) return false;
      bool fits = true;
      const auto visit = [&](auto&& self, ExprP e) -> void {
        if (!e || !fits) return;
        const bool divides =
            e->kind == Expr::Kind::Binary && (e->op == Op::Div || e->op == Op::Rem) && is_integer(e->type);
        if (divides) fits = false;
        if (e->kind == Expr::Kind::Load) fits = fits && load_fits(loop, e, known, assigned, along);
        // What may be skipped, because a load would fail, is not known to exist.
        if (skips_operands(e) && (loads(e->b) || loads(e->c))) fits = false;
        for (ExprP part : {e->a, e->b, e->c}) self(self, part);
      };
      visit(visit, set->value);
      if (!fits) return false;
      if (assigned.at(set->var) == 1 && !kept_.count(set->var) && !loads(set->value))
        record_value(x_, known, set->var, set->value);
    }
    return counts && along[0] > 0 && along[1] > 0;
  }
  bool load_fits(const CountedLoop& loop, ExprP load, const std::map<VarId, ExprP>& known,
                 const std::map<VarId, int>& assigned, std::array<int, 2>& along) {
    if (!dims_.is_constant_load(load) || !load->b || load->b->kind != Expr::Kind::At) return false;
    DimSet all = 0;
    size_t axis = 0;
    for (ExprP at = load->b; at; at = at->c, ++axis) {
      const ExprP subscript = substituted(x_, at->a, known);
      if (loads(subscript)) return false;
      for (VarId v : variables(subscript))
        if (v != loop.var && assigned.count(v)) return false;
      const DimSet dims = dims_.of(subscript) & 3;
      all |= dims;
      if ((dims >> dim_ & 1) == 0) continue;
      if (mentions(subscript, loop.var)) return false;
      rows_.push_back({load->a->var, axis, subscript});
    }
    // A load that differs along both would not be shared in a tile.
    if (all == 3) return false;
    if (all != 0) ++along[all - 1];
    return true;
  }

  Exprs& x_;
  const Function& kernel_;
  const DimDependence dims_;
  const std::map<VarId, int> times_ = assignments(kernel_.body);
  std::map<VarId, ExprP> known_;  ///< numbers in front of the loop
  std::optional<size_t> at_;      ///< the loop's statement
  LoopRange range_ = {};
  size_t dim_ = 0;
  bool from_start_ = false, ascending_ = false;  ///< which bound differs between rows, and whether it grows
  std::set<VarId> kept_;  ///< variables that other iterations, or the statements behind the loop, use
  std::vector<Row> rows_;
};

class PaddedLaunches {
 public:
  PaddedLaunches(Module& m, Exprs& x, Function& f, const PassOptions& o) : m_(m), x_(x), out_(x, f), options_(o) {}

  void run() {
    replace_launches(out_, [&](Launch& n) { return launch(n); });
  }

 private:
  bool launch(const Launch& here) {
    const Function& kernel = *m_.functions[static_cast<size_t>(here.kernel)];
    if (!kernel.disjoint || kernel.points != 1 || !kernel.folds.empty() || kernel.team || !kernel.rows.empty() ||
        done_.count(here.site))
      return false;
    Padding padding(x_, kernel);
    if (!padding.find()) return false;
    const size_t d = padding.dim();
    LaunchIntervals at(out_);
    at.inputs(kernel, here.args);
    at.single_values(kernel);
    Launch plain = here;
    for (size_t k = 0; k < plain.counts.size(); ++k) {
      plain.counts[k] = out_.keep(plain.counts[k], "count");
      const Interval n = at.number(plain.counts[k]);
      at.state[kernel.dims[k]] = {x_.int_const(0), at.keep(x_.sub(n.hi, x_.int_const(1))), 32};
    }
    for (const Padding::Row& row : padding.rows()) {
      const auto number = at.value(row.subscript);
      const ArrayId passed = passed_array(kernel, here, row.data);
      if (!number || number->valid || passed == none) return false;
      at.require(x_.ge(number->lo, x_.int_const(0)));
      at.require(x_.lt(number->hi, out_.get(out_.array(passed).extent[row.axis])));
    }
    const auto start = at.value(padding.start()), stop = at.value(padding.stop());
    if (!start || !stop) return false;
    if (options_.tiles != 1) {
      // Otherwise there would be no tiles.
      at.require(x_.ge(x_.sub(stop->hi, start->lo), x_.int_const(fewest_trips)));
      at.require(x_.ge(x_.mul(plain.counts[0], plain.counts[1]), x_.int_const(options_.tiles * block)));
    }
    const ExprP guard = at.guard();
    if (!guard) return false;
    // One version of a kernel is enough: others are for what is rare.
    done_.insert(here.site);
    const std::string name = kernel.name;
    Launch padded = plain, rest = plain;
    const ExprP blocks = out_.temp(x_.binary(Op::Div, plain.counts[d], x_.int_const(block)), "blocks");
    const ExprP first = out_.temp(x_.mul(blocks, x_.int_const(block)), "first");
    padded.counts[d] = x_.int_const(block);
    padded.counts.push_back(blocks);
    rest.counts[d] = out_.temp(x_.sub(plain.counts[d], first), "rest");
    rest.args.push_back({first->var, none, none});
    Function whole = padding.padded(), some = padding.rest();
    padded.kernel = add_kernel(m_, std::move(whole), name + "_padded");
    rest.kernel = add_kernel(m_, std::move(some), name + "_rest");
    Block then_body = out_.collect([&] {
      out_.emit(std::move(padded));
      const ExprP any = x_.gt(rest.counts[d], x_.int_const(0));
      out_.emit(If{any, out_.collect([&] { out_.emit(std::move(rest)); }), {}});
    });
    Block otherwise = out_.collect([&] { out_.emit(std::move(plain)); });
    out_.emit(If{x_.both(guard, x_.gt(blocks, x_.int_const(0))), std::move(then_body), std::move(otherwise)});
    return true;
  }

  Module& m_;
  Exprs& x_;
  Writer out_;
  const PassOptions& options_;
  std::set<SiteId> done_;
};

}  // namespace

void pad_loops(Module& m, const PassOptions& options) {
  if (!options.version_loops || options.tiles <= 0 || options.local_bytes <= 0) return;
  Exprs x(m);
  each_entry(m, [&](Function& f) { PaddedLaunches(m, x, f, options).run(); });
}

}  // namespace vr::lower
