// grid: kernels of more dimensions, made from parallel loops inside kernels.
//
//   kernel [i] { t = x[i]              kernel [j, i] { t = x[i]; y[i, j] = t }
//     for parallel j { y[i, j] = t }   kernel [i]    { z[i] = 0 }
//     z[i] = 0 }
//
// A scalar that one part computes and a later one needs (a row's greatest element, say) is kept in an array with one element
// per iteration of the kernel (scalar expansion).
#include "loop/transform/grid.hpp"

#include "loop/analysis/launch_intervals.hpp"
#include "loop/analysis/loop_range.hpp"
#include "loop/analysis/nest_pieces.hpp"
#include "loop/analysis/unit_stride.hpp"
#include "loop/kernel_forms.hpp"
#include "loop/new_array.hpp"
#include "loop/walk.hpp"

#include <algorithm>
#include <numeric>

namespace vr::lower {

namespace {

constexpr size_t most_dims = 3;
constexpr size_t most_pieces = 8;

constexpr size_t most_crossing = 6;
constexpr int64_t least_launch_iterations = 8;  // of a loop, for which a launch of its own pays

/// An array that stores a scalar for each iteration of a kernel: its extents are the kernel's counts, the fastest
/// dimension last.
struct Kept {
  std::string name;
  Scalar type;
  std::vector<ExprP> extents;  ///< expressions of the host
  ArrayId array = none;        ///< in the host function, once it is made
};

/// A kernel to be made, with its domain.
struct LaunchForm {
  Function kernel;
  std::vector<ExprP> counts;  ///< expressions of the host
  std::vector<size_t> kept;   ///< the arrays (Nest::kept) that are its parameters, after those of the launch
};

/// One launch, and the kernels that may replace it.
class GridNest {
 public:
  GridNest(Writer& host, const Function& kernel, const Launch& launch)
      : x_(host.x), values_(host), may_keep_(frees_device_arrays(host.fn)) {
    values_.inputs(kernel, launch.args);
    for (size_t d = 0; d < kernel.dims.size(); ++d) dimension(kernel.dims[d], launch.counts[d]);
    split({kernel, launch.counts, {}});
    for (LaunchForm& f : forms_) order(f);
  }
  bool changed() const { return changed_; }
  std::vector<LaunchForm>& forms() { return forms_; }
  std::vector<Kept>& kept() { return kept_; }
  /// The condition under which these kernels may replace it; null: never.
  ExprP guard() {
    for (const LaunchForm& f : forms_) size(f.counts);
    return values_.guard();
  }

 private:
  void dimension(VarId v, ExprP count) {
    const Interval n = values_.number(count);
    values_.state[v] = {x_.int_const(0), values_.keep(x_.sub(n.hi, x_.int_const(1))), 32};
  }

  /// Appends the kernel, or the kernels into which it is split, to the list.
  void split(LaunchForm f) {
    NestPieces nest;
    if (f.kernel.dims.size() < most_dims) nest = nest_pieces(f.kernel);
    const bool loops =
        std::any_of(nest.pieces.begin(), nest.pieces.end(), [](const NestPiece& p) { return p.is_loop(); });
    if (!loops || !nest.why.empty() || nest.pieces.size() > most_pieces || nest.crossing.size() > most_crossing ||
        (!nest.crossing.empty() && !may_keep_))
      return forms_.push_back(std::move(f));
    define(nest.common);  // its variables are assigned once, so facts about them stay valid
    std::vector<LaunchForm> pieces;
    for (NestPiece& p : nest.pieces) {
      auto made = piece(f, nest.common, p);
      if (!made) return forms_.push_back(std::move(f));
      pieces.push_back(std::move(*made));
    }
    changed_ = true;
    // Each further launch costs some microseconds, in which a work-item could run some iterations itself.
    if (pieces.size() > 1)
      for (size_t k = 0; k < pieces.size(); ++k)
        if (nest.pieces[k].is_loop())
          values_.require(x_.ge(pieces[k].counts[0], x_.int_const(least_launch_iterations)));
    accesses(f.kernel, pieces);
    for (const NestPieces::Crossing& c : nest.crossing) keep(f, c, pieces);
    for (LaunchForm& p : pieces) split(std::move(p));
  }

  /// Derives what the host knows of the integers that the statements compute.
  void define(const Block& b) {
    for (const Stmt& s : b)
      if (auto* n = std::get_if<SetVar>(&s.node)) values_.define(*n);
  }

  std::optional<LaunchForm> piece(const LaunchForm& f, const Block& common, NestPiece& p) {
    LaunchForm r = f;
    r.kernel.body = common;
    if (!p.is_loop()) {
      std::move(p.body.begin(), p.body.end(), std::back_inserter(r.kernel.body));
      return r;
    }
    if (unskew(f.kernel, common, p)) return piece(f, common, p);
    const auto lo = values_.value(p.loop.lo), hi = values_.value(p.loop.hi);
    if (!lo || !hi) return {};
    const bool exact = lo->lo == lo->hi && hi->lo == hi->hi;
    // One bound may depend on a dimension: the loop then covers half of the bounding box. With more such bounds it
    // might cover only a small part.
    if (!exact) {
      if (lo->lo != lo->hi && hi->lo != hi->hi) return {};
      if (!is_unit_of_a_dim(x_, f.kernel, common, lo->lo == lo->hi ? p.loop.hi : p.loop.lo)) return {};
    }
    const ExprP most = values_.keep(x_.max(values_.keep(x_.sub(hi->hi, lo->lo)), x_.int_const(0)));
    const VarId point = is_int(p.loop.lo, 0) ? p.loop.var : new_var(r.kernel, p.loop.var);
    const ExprP at = x_.var(point, Scalar::Int64);
    if (point != p.loop.var) r.kernel.body.push_back({SetVar{p.loop.var, x_.add(p.loop.lo, at)}, none});
    if (exact) {
      std::move(p.body.begin(), p.body.end(), std::back_inserter(r.kernel.body));
    } else {
      const ExprP inside = x_.lt(x_.var(p.loop.var, Scalar::Int64), p.loop.hi);
      r.kernel.body.push_back({If{inside, std::move(p.body), {}}, none});
    }
    r.kernel.dims.insert(r.kernel.dims.begin(), point);
    narrow(r.kernel, point);
    r.counts.insert(r.counts.begin(), most);
    dimension(point, most);
    return r;
  }
  /// A loop over [0, stop - start) whose body begins with j = start + number, where start depends on a dimension of the
  /// kernel and stop does not, becomes one over the j from the least start on, with a condition: the elements of
  /// consecutive iterations along the kernel's dimension then follow each other, and those of a column are the same.
  /// Whether it was one.
  bool unskew(const Function& kernel, const Block& common, NestPiece& p) {
    const auto range = loop_range(p.loop, single_definitions(common));
    if (!range || p.body.empty()) return false;
    const ExprP start = range->start, stop = range->stop, number = x_.var(p.loop.var, Scalar::Int64);
    auto* first = std::get_if<SetVar>(&p.body[0].node);
    if (!first || !same(first->value, x_.add(start, number)) || is_const(start)) return false;
    const Block rest(p.body.begin() + 1, p.body.end());
    if (mentions(rest, p.loop.var) || assignments(rest).count(first->var)) return false;
    const auto from = values_.value(start), to = values_.value(stop);
    if (!from || from->valid || from->lo->kind != Expr::Kind::IntConst || from->lo == from->hi || !to ||
        to->lo != to->hi)
      return false;
    // The numbers begin at 0, so that the variable of the loop is the kernel's dimension.
    if (from->lo->ival < 0 || !is_unit_of_a_dim(x_, kernel, common, start)) return false;
    const ExprP j = x_.var(first->var, Scalar::Int64);
    Block body;
    body.push_back({SetVar{first->var, number}, none});
    body.push_back({If{x_.ge(j, start), rest, {}}, none});
    p.body = std::move(body);
    p.loop.hi = stop;
    return true;
  }
  static VarId new_var(Function& f, VarId like) {
    f.vars.push_back({f.vars[static_cast<size_t>(like)].name, Scalar::Int64});
    return static_cast<VarId>(f.vars.size()) - 1;
  }

  /// Passes the variable's value from piece to piece through an array.
  void keep(const LaunchForm& whole, const NestPieces::Crossing& c, std::vector<LaunchForm>& pieces) {
    const Var& v = whole.kernel.vars[static_cast<size_t>(c.var)];
    Kept a{v.name, v.type, {whole.counts.rbegin(), whole.counts.rend()}};
    for (size_t k = c.from; k < pieces.size(); ++k) {
      LaunchForm& f = pieces[k];
      if (k > c.from && !mentions(f.kernel.body, c.var)) continue;
      std::vector<ExprP> index;
      for (size_t d = 0; d < whole.kernel.dims.size(); ++d)
        index.push_back(x_.var(whole.kernel.dims[whole.kernel.dims.size() - 1 - d], Scalar::Int64));
      const auto [base, at] = add_array_param(x_, f.kernel, v.name + ".kept", v.type, index, k == c.from);
      f.kept.push_back(kept_.size());
      if (k == c.from) {
        f.kernel.body.push_back({Store{base, at, x_.var(c.var, v.type)}, none});
      } else {
        f.kernel.body.insert(f.kernel.body.begin(), Stmt{SetVar{c.var, x_.load(v.type, base, at)}, none});
      }
    }
    // The new array's extents and strides fit in 32 bits, as those of the kernel's other arrays do.
    ExprP bytes = x_.int_const(scalar_bytes(v.type));
    for (size_t d = a.extents.size(); d-- > 1;) {
      bytes = values_.keep(x_.mul(bytes, a.extents[d]));
      values_.require(x_.lt(bytes, x_.int_const(int64_t{1} << 31)));
    }
    kept_.push_back(std::move(a));
  }

  /// Finds which piece writes which array. Elements that an earlier piece wrote are not dead.
  void accesses(const Function& whole, std::vector<LaunchForm>& pieces) {
    std::map<VarId, size_t> params;  // by the variable of an address
    for (size_t k = 0; k < whole.params.size(); ++k)
      if (whole.params[k].array != none) params[whole.arrays[static_cast<size_t>(whole.params[k].array)].data] = k;
    std::set<size_t> met;
    for (LaunchForm& f : pieces) {
      std::set<VarId> bases;
      bool all = false;  // a store to an address that belongs to no array parameter
      stores(f.kernel.body, bases);
      for (VarId b : bases) all = all || !params.count(b);
      for (const auto& [data, k] : params) {
        Param& p = f.kernel.params[k];
        p.written = whole.params[k].written && (all || bases.count(data));
        p.fresh = whole.params[k].fresh && p.written && !met.count(k);
        if (p.written || mentions(f.kernel.body, data)) met.insert(k);
      }
    }
  }
  static void stores(const Block& b, std::set<VarId>& bases) {
    auto base = [&](ExprP e) { bases.insert(e->kind == Expr::Kind::Var ? e->var : none); };
    for (const Stmt& s : b) {
      if (auto* n = std::get_if<Store>(&s.node)) base(n->base);
      if (auto* n = std::get_if<Atomic>(&s.node)) base(n->base);
      for (const Block* p : parts(s)) stores(*p, bases);
    }
  }

  /// Makes the dimension along which most accesses have unit stride the first, and that of most others the second.
  void order(LaunchForm& f) {
    std::vector<StrideCounts> units = stride_counts(x_, f.kernel);
    // Elements that are apart take a line of the cache for each work-item.
    const auto worse = [](const StrideCounts& a, const StrideCounts& b) { return a.unit - a.apart < b.unit - b.apart; };
    for (size_t d = 0; d + 1 < units.size() && d < 2; ++d) {
      const auto rest = units.begin() + static_cast<ptrdiff_t>(d);
      const auto best = static_cast<size_t>(std::max_element(rest, units.end(), worse) - units.begin());
      if (best == d) continue;
      changed_ = true;
      to_front(units, d, best);
      to_front(f.kernel.dims, d, best);
      to_front(f.counts, d, best);
    }
  }
  /// Moves element `from` to place `to`, before those that were there.
  static void to_front(auto& all, size_t to, size_t from) {
    std::rotate(all.begin() + static_cast<ptrdiff_t>(to), all.begin() + static_cast<ptrdiff_t>(from),
                all.begin() + static_cast<ptrdiff_t>(from) + 1);
  }

  /// The limits of drivers for the number of work-items (runtime/gpu/work_size).
  void size(const std::vector<ExprP>& counts) {
    constexpr int64_t most[3][3] = {
        {int64_t{1} << 30}, {int64_t{1} << 30, 1 << 21}, {int64_t{1} << 30, 1 << 18, 1 << 18}};
    ExprP items = nullptr;
    for (size_t d = 0; d < counts.size(); ++d) {
      const ExprP n = values_.number(counts[d]).hi;
      values_.require(x_.le(n, x_.int_const(most[counts.size() - 1][d])));
      items = items ? values_.keep(x_.mul(items, n)) : n;
      if (d > 0) values_.require(x_.le(items, x_.int_const(int64_t{1} << 31)));
    }
  }

  Exprs& x_;
  LaunchIntervals values_;
  const bool may_keep_;
  bool changed_ = false;
  std::vector<LaunchForm> forms_;
  std::vector<Kept> kept_;
};

void count_launches(const Block& b, std::map<int32_t, int>& times) {
  for (const Stmt& s : b) {
    if (auto* l = std::get_if<Launch>(&s.node)) ++times[l->kernel];
    for (const Block* p : parts(s)) count_launches(*p, times);
  }
}

class GridLaunches {
 public:
  GridLaunches(Module& m, Exprs& x, Function& f, const std::map<int32_t, int>& times)
      : m_(m), out_(x, f), times_(times) {}

  void run() {
    Block body = std::move(out_.fn.body);
    out_.fn.body = out_.collect([&] { block(body, nullptr); });
  }

 private:
  /// general: the launch for when the enclosing guard does not hold.
  void block(Block& b, const Launch* general) {
    for (Stmt& s : b) {
      const Restore place(out_.place, s.place);
      if (auto* n = std::get_if<Launch>(&s.node)) {
        launch(std::move(*n), general);
        continue;
      }
      auto* n = std::get_if<If>(&s.node);
      const Launch* other = nullptr;
      if (n && n->then_body.size() == 1 && n->else_body.size() == 1) {
        other = std::get_if<Launch>(&n->else_body[0].node);
        auto* here = std::get_if<Launch>(&n->then_body[0].node);
        if (!here || !other || !is_form_of(*here, *other)) other = nullptr;
      }
      const std::optional<Launch> kept = other ? std::optional(*other) : std::nullopt;
      for (Block* p : parts(s)) {
        const bool then_body = n && p == &n->then_body;
        *p = out_.collect([&] { block(*p, then_body && kept ? &*kept : nullptr); });
      }
      out_.block->push_back(std::move(s));
    }
  }
  bool is_form_of(const Launch& form, const Launch& other) {
    const int32_t of = kernel(form).form_of;
    return of != none && (of == other.kernel || of == kernel(other).form_of);
  }
  Function& kernel(const Launch& l) { return *m_.functions[static_cast<size_t>(l.kernel)]; }

  void launch(Launch l, const Launch* general) {
    const Function& as_it_was = kernel(l);
    // A kernel that is launched twice is not changed: its replacement would have to fit both launches.
    if (times_.at(l.kernel) != 1 || !as_it_was.disjoint || as_it_was.points != 1 || !as_it_was.folds.empty())
      return out_.emit(std::move(l));
    const size_t vars = out_.fn.vars.size();
    std::vector<LaunchForm> forms;
    std::vector<Kept> kept;
    ExprP guard = nullptr;
    Block before = out_.collect([&] {
      GridNest nest(out_, as_it_was, l);
      if (!nest.changed()) return;
      guard = nest.guard();
      forms = std::move(nest.forms());
      kept = std::move(nest.kept());
    });
    if (!guard) {
      out_.fn.vars.resize(vars);
      return out_.emit(std::move(l));
    }
    // The fallback if sizes do not allow more dimensions. That is rare, so the version with all checks will do, which saves
    // a copy. If short loops are the reason (several launches), the original version without checks is worth having.
    const bool fits = general && (forms.size() == 1 || kernel(*general).disjoint);
    const Launch otherwise = fits ? *general : l;
    const bool replaced = is_true(guard) || otherwise.kernel != l.kernel;
    Block launches = out_.collect([&] {
      for (Kept& a : kept) a.array = new_array(out_, l.site, a.name, a.type, a.extents);
    });
    for (size_t k = 0; k < forms.size(); ++k) {
      Launch one = l;
      one.counts = forms[k].counts;
      for (size_t a : forms[k].kept) one.args.push_back({none, none, kept[a].array});
      if (k > 0 || !replaced) {
        const Function& old = kernel(l);
        one.kernel = add_function(m_, Function::Kind::Kernel, old.name + "_grid", old.source_name);
      }
      Function& target = kernel(one);
      forms[k].kernel.name = target.name;
      forms[k].kernel.form_of = none;
      forms[k].kernel.on_host = none;
      target = std::move(forms[k].kernel);
      launches.push_back({std::move(one), out_.place});
    }
    Block after = out_.collect([&] {
      for (const Kept& a : kept) free_array(out_, a.array);
    });
    std::move(after.begin(), after.end(), std::back_inserter(launches));
    out_.append(std::move(before));
    if (is_true(guard)) return out_.append(std::move(launches));
    Block else_body;
    else_body.push_back({otherwise, out_.place});
    out_.emit(If{guard, std::move(launches), std::move(else_body)});
  }

  Module& m_;
  Writer out_;
  const std::map<int32_t, int>& times_;
};

}  // namespace

void grid(Module& m, const PassOptions& options) {
  if (!options.version_loops) return;
  Exprs x(m);
  std::map<int32_t, int> times;
  for (const auto& f : m.functions) count_launches(f->body, times);
  const size_t count = m.functions.size();
  for (size_t k = 0; k < count; ++k)
    if (m.functions[k]->kind == Function::Kind::Entry) GridLaunches(m, x, *m.functions[k], times).run();
}

}  // namespace vr::lower
