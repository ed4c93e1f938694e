// Versions of kernels (beyond thesis 5.6 and 5.8): what every work-item would check is checked once, at the
// launch.
//
//   if (the corners of the domain are within bounds && the arrays are disjoint && everything fits 32 bits)
//     launch the kernel without these checks
//   else
//     launch the kernel as written
//
// The kernel's body is walked once with an interval for each integer variable. The ends of the intervals are
// expressions of the launching function, so that a check `i + 1 >= n` becomes one comparison of its largest value
// there. A check under a condition that is unrelated to the checked value stays: the guard could fail for work-items that
// never reach the check. If the guard does not hold, the kernel with all checks runs, and reports the same faults as
// before.
#include "loop/transform/kernel_version.hpp"

#include "loop/analysis/distinct.hpp"
#include "loop/analysis/held_at_head.hpp"
#include "loop/analysis/invariants.hpp"
#include "loop/analysis/launch_intervals.hpp"
#include "loop/analysis/loop_range.hpp"
#include "loop/analysis/nest.hpp"
#include "loop/byte_range.hpp"
#include "loop/replace.hpp"
#include "loop/transform/if_convert.hpp"
#include "loop/transform/load_in_front.hpp"
#include "loop/walk.hpp"
#include "loop/writer.hpp"

#include <algorithm>

namespace vr::lower {

namespace {

void assigned_in(const Block& b, std::set<VarId>& vars) {
  for (const auto& assigned : assignments(b)) vars.insert(assigned.first);
}

}  // namespace

class KernelVersion {
 public:
  /// What the condition excludes besides checks that would fail.
  enum class Assume : uint8_t {
    Nothing,
    /// Subscripts that count from the end (unless some are known to), checks that only some work-items reach and that
    /// would fail for the others, and large products of unknown numbers.
    Unlikely,
    /// Also that a check would fail for some value of its type (LaunchIntervals::Types).
    Types,
    /// Nothing, not even that no check fails: only those go that never fail if the arrays are disjoint and fit 32 bits.
    Checks,
  };
  KernelVersion(Writer& host, const Function& kernel, const Launch& launch, bool column_major, Assume assume)
      : out_(host),
        x_(host.x),
        values_(host),
        kernel_(kernel),
        args_(launch.args),
        counts_(launch.counts),
        column_major_(column_major),
        assume_(assume) {
    values_.limit_products = assumes();
    values_.types.assume = assume == Assume::Types;
    // Sums that associate and products without rounding have other values on the device.
    values_.types.floats = values_.types.assume && (kernel.fast_math & ~ir::fastmath::Afn) == 0;
    values_.inputs(kernel, args_);
  }

  /// Fills `fast` and returns the condition under which it may be launched; null if it would not be better.
  ExprP make(Function& fast) {
    fast_ = &fast;
    fast.vars = kernel_.vars;
    fast.arrays = kernel_.arrays;
    fast.params = kernel_.params;
    fast.dims = kernel_.dims;
    fast.folds = kernel_.folds;
    fast.join = kernel_.join;
    fast.fast_math = kernel_.fast_math;
    fast.place = kernel_.place;
    // One work-item per iteration, within the limits of drivers (runtime/gpu/work_size).
    constexpr int64_t most[3][3] = {
        {int64_t{1} << 30}, {int64_t{1} << 30, 1 << 21}, {int64_t{1} << 30, 1 << 18, 1 << 18}};
    ExprP items = nullptr;
    for (size_t d = 0; d < counts_.size(); ++d) {
      const Interval n = values_.number(counts_[d]);
      values_.require(x_.le(n.hi, x_.int_const(most[counts_.size() - 1][d])));
      items = items ? values_.keep(x_.mul(items, n.hi)) : n.hi;
      if (d > 0) values_.require(x_.le(items, x_.int_const(int64_t{1} << 31)));
      values_.state[kernel_.dims[d]] = {x_.int_const(0), out_.keep(x_.sub(n.hi, x_.int_const(1)), "last"), 32};
      fast_->narrow.insert(kernel_.dims[d]);
    }
    contiguous();
    fast.body = block(kernel_.body, true);
    narrow_fields();
    apart();
    fast.disjoint = true;
    if (fast.folds.empty()) fast.points = 1;
    return values_.guard();
  }
  /// Whether something was assumed.
  bool assumed() const { return assumed_ || values_.limited; }
  bool assumes() const { return assume_ == Assume::Unlikely || assume_ == Assume::Types; }
  bool assumed_types() const { return values_.types.assumed; }

 private:
  // ---------------------------------------------------------------- the body, without what is proved
  /// known: what variables that the block assigns are before each time that it is executed.
  Block inside(const Block& b, bool certain, const Intervals& known = {}) {
    std::set<VarId> vars;
    assigned_in(b, vars);
    for (VarId v : vars) values_.state.erase(v);
    for (const auto& [v, interval] : known) values_.state.insert_or_assign(v, interval);
    // Facts implied by conditions in the body hold only in the iteration that evaluates them.
    const auto before = values_.state;
    Block out = block(b, certain);
    values_.state = before;
    return out;
  }
  /// The integers that an iteration uses before it assigns them (the subscript of the edge before): those that they
  /// were before the loop, and those that an iteration assigns without knowing them (wrap-around variables: Wolfe, High
  /// Performance Compilers, section 10.3). The loop has been entered.
  Intervals wrapped_around(const Block& body, const Intervals& before) {
    Intervals found;
    const auto carried = read_before_assigned(kernel_, body);
    if (carried.empty()) return found;
    const auto times = assignments(body);
    const auto outside = values_.state;
    for (const auto& [v, count] : times) values_.state.erase(v);
    // Of what this iteration has assigned so far. What it assigns later has another value here, that of the iteration
    // before.
    std::map<VarId, ExprP> assigned;
    for (const Stmt& s : body) {
      auto* n = std::get_if<SetVar>(&s.node);
      if (!n || times.at(n->var) != 1) continue;
      const auto first = carried.count(n->var) ? before.find(n->var) : before.end();
      if (first != before.end() && is_integer(n->value->type))
        if (const auto own = values_.value(substituted(x_, n->value, assigned)))
          found.insert_or_assign(n->var, values_.join(first->second, *own));
      if (!loads(n->value)) record_value(x_, assigned, n->var, n->value);
    }
    values_.state = outside;
    return found;
  }
  /// The state behind the statements, which nothing else remembers.
  Intervals state_after(const Block& body, const Intervals& known) {
    const Restore state(values_.state, values_.state);
    const Restore narrow(fast_->narrow, fast_->narrow);
    const Restore assumed(assumed_, assumed_), limited(values_.limited, values_.limited);
    const Restore types(values_.types, values_.types);
    const size_t required = values_.required();
    for (const auto& entry : assignments(body)) values_.state.erase(entry.first);
    for (const auto& [v, interval] : known) values_.state.insert_or_assign(v, interval);
    block(body, false);
    values_.require_only(required);
    return values_.state;
  }
  Block block(const Block& b, bool certain) {
    const Restore scope(defined_, defined_);
    Block out;
    for (const Stmt& s : b) {
      if (auto* n = std::get_if<SetVar>(&s.node)) {
        const SetVar set{n->var, copy(n->value)};
        out.push_back({set, s.place});
        values_.define(set);
        define(set);
      } else if (auto* n = std::get_if<If>(&s.node)) {
        if_(*n, s.place, certain, out);
      } else if (auto* n = std::get_if<CountedLoop>(&s.node)) {
        CountedLoop l = *n;
        l.lo = copy(n->lo);
        l.hi = copy(n->hi);
        const auto before = values_.state;
        if (values_.enter(*n)) fast_->narrow.insert(n->var);
        l.body = inside(n->body, certain, wrapped_around(n->body, before));
        values_.state.erase(n->var);
        out.push_back({std::move(l), s.place});
      } else if (auto* n = std::get_if<Loop>(&s.node)) {
        const auto after = [&](const Intervals& known) { return state_after(n->body, known); };
        const Intervals held = assumes() ? held_at_head(values_, out_, n->body, after) : Intervals{};
        Loop l{inside(n->body, certain, held), n->site, n->brief};
        // The loop is left from its head, where they hold, or nothing is known.
        const ExprP until = ends_at_head(n->body);
        for (const auto& entry : held)
          if (!until) values_.state.erase(entry.first);
        if (until) values_.narrow_by(until, true);
        out.push_back({std::move(l), s.place});
      } else {
        Stmt c = s;
        std::visit(Overloaded{[&](Store& n) {
                                n.base = copy(n.base);
                                n.offset = copy(n.offset);
                                n.value = copy(n.value);
                              },
                              [&](Atomic& n) {
                                values_.state.erase(n.result);
                                n.base = copy(n.base);
                                n.offset = copy(n.offset);
                                n.value = copy(n.value);
                                if (n.expected) n.expected = copy(n.expected);
                              },
                              [&](Fail& n) {
                                if (n.index) n.index = copy(n.index);
                                if (n.extent) n.extent = copy(n.extent);
                              },
                              [](auto&) {}},
                   c.node);
        out.push_back(std::move(c));
      }
    }
    return out;
  }
  void if_(const If& n, int32_t place, bool certain, Block& out) {
    if (n.else_body.empty() && always_fails(n.then_body)) {
      // Conditions that are already required may imply that the check passes. Otherwise, if not every work-item reaches
      // the check, it adds a condition only in the version that assumes that the check would pass for all work-items.
      if (!certain && values_.implied(n.cond, false)) return;
      ExprP c = certain || assumes() ? values_.always(n.cond, false) : nullptr;
      if (c && !is_false(c) && (assume_ != Assume::Checks || is_true(c))) {
        assumed_ = assumed_ || !certain;
        values_.require(c);
        return;
      }
    }
    const auto before = values_.state;
    const bool told = values_.narrow_by(n.cond, true, true);
    If r{copy(n.cond), block(n.then_body, certain && told), {}, n.unlikely};
    const auto then_state = std::exchange(values_.state, before);
    const bool told_else = values_.narrow_by(n.cond, false);
    r.else_body = block(n.else_body, certain && told_else);
    if (!goes_away(n.then_body)) {
      if (goes_away(n.else_body))
        values_.state = then_state;
      else
        merge(before, then_state, n);
    }
    if (!may_convert(r) || !loads_in_range(r, before)) {
      loads_in_front(r, before, out, place);
      return out.push_back({std::move(r), place});
    }
    Writer straight(x_, *fast_);
    straight.block = &out;
    straight.place = place;
    if_converted(straight, r);
  }
  /// Whether what is required implies that all loads of the branches are of elements, also where the condition does not
  /// hold. before: the state in front of it.
  bool loads_in_range(const If& n, const Intervals& before) {
    Block unused;
    const Restore to(out_.block, &unused);
    const auto after = values_.state;
    bool known = true;
    for (const Block* b : {&n.then_body, &n.else_body}) {
      values_.state = before;
      for (const Stmt& s : *b) {
        each_expr(s, [&](ExprP e) {
          known = known && !any_node(e, [&](ExprP part) { return part->kind == Expr::Kind::Load && !in_range(*part); });
        });
        if (auto* set = std::get_if<SetVar>(&s.node)) values_.define(*set);
      }
    }
    values_.state = after;
    return known;
  }
  /// Moves loads of the branches in front of the condition. before: the state there.
  void loads_in_front(If& n, const Intervals& before, Block& out, int32_t place) {
    Block unused;
    const Restore to(out_.block, &unused);
    const Restore state(values_.state, before);
    Writer writer(x_, *fast_);
    writer.block = &out;
    writer.place = place;
    load_in_front(writer, n, [this](const Expr& load) { return in_range(load); });
  }
  /// Whether what is required implies that the load is of an element.
  bool in_range(const Expr& load) {
    const auto array = std::find_if(kernel_.arrays.begin(), kernel_.arrays.end(), [&](const ArrayVars& a) {
      return load.a->kind == Expr::Kind::Var && a.data == load.a->var;
    });
    if (array == kernel_.arrays.end()) return false;
    size_t d = 0;
    for (ExprP axis = load.b; axis; axis = axis->c, ++d) {
      if (axis->kind != Expr::Kind::At || d == array->extent.size()) return false;
      if (!values_.implied(x_.lt(axis->a, x_.int_const(0)), false) ||
          !values_.implied(x_.ge(axis->a, x_.var(array->extent[d], Scalar::Int64)), false))
        return false;
    }
    return d == array->extent.size();
  }
  void merge(const Intervals& before, const Intervals& then_state, const If& n) {
    std::set<VarId> vars;
    assigned_in(n.then_body, vars);
    assigned_in(n.else_body, vars);
    const auto else_state = std::exchange(values_.state, before);
    for (VarId v : vars) {
      auto a = then_state.find(v), b = else_state.find(v);
      if (a == then_state.end() || b == else_state.end())
        values_.state.erase(v);
      else
        values_.state.insert_or_assign(v, values_.join(a->second, b->second));
    }
  }

  // ---------------------------------------------------------------- addresses
  /// Strides that the type leaves open become the element's size along the fastest axis.
  void contiguous() {
    for (size_t k = 0; k < kernel_.params.size(); ++k) {
      const Param& p = kernel_.params[k];
      if (p.array == none) continue;
      const ArrayVars& a = kernel_.arrays[static_cast<size_t>(p.array)];
      if (a.stride.empty()) continue;
      const VarId v = column_major_ ? a.stride.front() : a.stride.back();
      if (!values_.input_value(v) || !mentions(kernel_.body, v)) continue;
      ExprP bytes = x_.int_const(a.element_bytes());
      values_.require(x_.eq(values_.input_value(v), bytes));
      known_[v] = bytes;
    }
  }
  ExprP copy(ExprP e) {
    if (!e || is_const(e) || e->kind == Expr::Kind::Null) return e;
    if (auto it = copies_.find(e); it != copies_.end()) return it->second;
    ExprP r = e;
    const bool before = std::exchange(depends_on_place_, false);
    if (e->kind == Expr::Kind::Var) {
      if (auto it = known_.find(e->var); it != known_.end()) r = it->second;
    } else if (never_wraps(e)) {
      r = copy(e->c);
      depends_on_place_ = true;
    } else if (const ExprP span = in_range_span(e)) {
      r = x_.select(copy(e->a), copy(span), copy(e->c));
      depends_on_place_ = true;
    } else if (const ExprP whole = of_32_bits(e)) {
      r = whole;
      depends_on_place_ = true;
    } else if (const auto truth = assumed_truth(e)) {
      r = x_.bool_const(*truth);
      depends_on_place_ = true;
    } else {
      r = with_parts(x_, e, [this](ExprP part) { return copy(part); });
      if (r != e && assumes()) r = folded(r);
    }
    if (!depends_on_place_) copies_[e] = r;
    depends_on_place_ = depends_on_place_ || before;
    return r;
  }
  /// The integer part of a float which then fits 32 bits: devices convert to 64 bits slowly.
  ExprP of_32_bits(ExprP e) {
    if (!values_.types.floats || e->kind != Expr::Kind::Convert || e->type != Scalar::Int64 || !is_float(e->a->type))
      return nullptr;
    const auto v = values_.host(e) ? std::nullopt : values_.value(e);
    if (!v) return nullptr;
    values_.types.assumed = true;
    if (v->valid) values_.require(v->valid);
    return x_.convert(x_.convert(copy(e->a), Scalar::Int32), Scalar::Int64);
  }
  /// Whether e is i < 0 ? i + n : i, and the launch requires that i is not negative here. A number that is known to be negative
  /// for some work-items wraps.
  bool never_wraps(ExprP e) {
    if (!assumes() || e->kind != Expr::Kind::Select || e->a->kind != Expr::Kind::Binary || e->a->op != Op::Lt ||
        !is_int(e->a->b, 0) || !same(e->a->a, e->c) || e->b->kind != Expr::Kind::Binary || e->b->op != Op::Add)
      return false;
    const auto i = values_.value(e->c);
    if (!i || (i->lo->kind == Expr::Kind::IntConst && i->lo->ival < 0)) return false;
    assumed_ = true;
    if (i->valid) values_.require(i->valid);
    values_.require(x_.ge(i->lo, x_.int_const(0)));
    return true;
  }
  /// stop - start if e is the number of iterations from start to stop, with a test whether the difference wraps, and
  /// start is not negative here: it does not wrap then. Null: it is not.
  ExprP in_range_span(ExprP e) {
    if (e->kind != Expr::Kind::Select || e->type != Scalar::Int64) return nullptr;
    const auto range = counted_range(e, defined_);
    if (!range || range->difference == e->b) return nullptr;
    const auto start = values_.value(range->start);
    const bool natural = start && !start->valid && start->lo->kind == Expr::Kind::IntConst && start->lo->ival >= 0;
    return natural ? range->difference : nullptr;
  }
  /// The variable's only assignment, which was passed; else the expression itself.
  ExprP defined(ExprP e) const {
    const auto d = e->kind == Expr::Kind::Var ? defined_.find(e->var) : defined_.end();
    return d == defined_.end() ? e : d->second;
  }
  /// The expression without the operands that the assumptions decide.
  ExprP folded(ExprP e) {
    if (e->kind == Expr::Kind::Select && is_const(e->a)) return x_.select(e->a, e->b, e->c);
    if (e->kind == Expr::Kind::Convert && is_const(e->a)) return x_.convert(e->a, e->type);
    if (e->kind != Expr::Kind::Binary || (!is_const(e->a) && !is_const(e->b)) || is_float(e->a->type)) return e;
    if (e->type == Scalar::Bool && e->op == Op::And) return x_.both(e->a, e->b);
    if (e->type == Scalar::Bool && e->op == Op::Or) return x_.either(e->a, e->b);
    return x_.binary(e->op, e->a, e->b);
  }
  /// What the first version assumes of a comparison: what makes division towards negative infinity and its remainder
  /// differ from those towards zero does not occur. The assumption makes quotients and remainders of an iteration's
  /// number those of division towards zero.
  std::optional<bool> assumed_truth(ExprP e) {
    if (!assumes() || e->kind != Expr::Kind::Binary || e->a->type != Scalar::Int64) return {};
    if (e->op == Op::Ne && is_defined_as(e->a, e->b)) return false;
    const bool negative = e->op == Op::Lt && is_int(e->b, 0), least = e->op == Op::Eq && is_int(e->b, -1);
    if (!negative && !least) return {};
    const ExprP never = values_.always(e, false);
    if (!never || is_false(never) || (!is_true(never) && !values_.host(e))) return {};
    assumed_ = assumed_ || !is_true(never);
    values_.require(never);
    return false;
  }
  /// Remembers the variable's only assignment. The variables in it must not change later in this block: they are not
  /// assigned, or once, which was passed. A variable with another value stands for itself.
  void define(const SetVar& s) {
    if (times_.at(s.var) != 1) return;
    const auto used = variables(s.value);
    const bool fixed = std::all_of(used.begin(), used.end(), [&](VarId v) { return !times_.count(v) || defined_.count(v); });
    defined_[s.var] = fixed && !loads(s.value) ? s.value : x_.var(s.var, s.value->type);
  }
  /// Whether both have the same value, by the only assignments of variables.
  bool is_defined_as(ExprP a, ExprP b) {
    const ExprP p = defined(copy(a)), q = defined(copy(b));
    return p != a && q != b && same(p, q);
  }
  /// Extents and strides that the kernel reads fit 32 bits.
  void narrow_fields() {
    for (const Param& p : kernel_.params) {
      if (p.array == none) continue;
      const ArrayVars& a = kernel_.arrays[static_cast<size_t>(p.array)];
      for (const auto* fields : {&a.extent, &a.stride})
        for (VarId v : *fields)
          if (ExprP value = values_.input_value(v)) {
            values_.require(x_.bool_const(values_.number(value).bits <= 31));
            fast_->narrow.insert(v);
          }
    }
  }
  /// A zero stride is one of the elements' own here: other than in distinct_axes.
  ExprP distinct(const std::vector<ExprP>& extent, std::vector<ExprP> stride, int64_t bytes) {
    for (size_t d = 0; d < stride.size(); ++d)
      if (is_int(stride[d], 0)) return x_.bool_const(false);
    return distinct_axes(out_, extent, stride, bytes);
  }
  /// No array that the kernel writes overlaps another one; nor do elements of one, if there are serial loops, whose
  /// iterations may turn out to be independent then (independent_loops).
  void apart() {
    std::vector<ByteRange> ranges;
    std::vector<bool> written;
    const bool loops = any_statement(kernel_.body, [](const Stmt& s) {
      auto* n = std::get_if<CountedLoop>(&s.node);
      return n && !n->parallel;
    });
    for (size_t k = 0; k < kernel_.params.size(); ++k) {
      const Param& p = kernel_.params[k];
      if (p.array == none) continue;
      written.push_back(p.written);
      const ArrayVars a = out_.array(args_[k].array);
      std::vector<ExprP> extent, stride;
      for (size_t d = 0; d < a.extent.size(); ++d) {
        extent.push_back(out_.get(a.extent[d]));
        stride.push_back(out_.get(a.stride[d]));
      }
      ranges.push_back(byte_range(out_, out_.get(a.data), extent, stride, a.element_bytes()));
      if (loops && p.written && !extent.empty())
        values_.require(distinct(extent, std::move(stride), a.element_bytes()));
    }
    for (size_t i = 0; i < ranges.size(); ++i)
      for (size_t j = i + 1; j < ranges.size(); ++j)
        if (written[i] || written[j]) values_.require(disjoint(out_, ranges[i], ranges[j]));
  }

  Writer& out_;
  Exprs& x_;
  LaunchIntervals values_;
  const Function& kernel_;
  Function* fast_ = nullptr;
  const std::vector<Operand>& args_;
  const std::vector<ExprP>& counts_;
  const bool column_major_;
  const Assume assume_;
  bool assumed_ = false;
  const std::map<VarId, int> times_ = assignments(kernel_.body);
  std::map<VarId, ExprP> defined_;  ///< by the variable's only assignment, which was passed
  std::map<VarId, ExprP> known_;    ///< kernel's variables that are constants in this version
  std::map<ExprP, ExprP> copies_;  ///< that are the same everywhere in the kernel
  bool depends_on_place_ = false;  ///< the last copy
};

namespace {

class VersionedLaunches {
 public:
  VersionedLaunches(Module& m, Exprs& x, Function& f) : m_(m), x_(x), out_(x, f) {}

  void run() {
    replace_launches(out_, [&](Launch& n) {
      if (n.plain) return false;
      launch(n);
      return true;
    });
  }

 private:
  struct Version {
    ExprP condition = nullptr;  ///< null: there is none
    int32_t kernel = none;
    bool assumed = false, assumed_types = false;
  };
  using Assume = KernelVersion::Assume;
  /// The statements that compute the condition are written here.
  Version version(const Launch& general, Assume assume) {
    const Function& as_written = *m_.functions[static_cast<size_t>(general.kernel)];
    Version made;
    made.kernel = add_function(m_, Function::Kind::Kernel, as_written.name + "_fast", as_written.source_name);
    Function& fast = *m_.functions[static_cast<size_t>(made.kernel)];
    fast.on_host = as_written.on_host;
    fast.form_of = general.kernel;
    KernelVersion writer(out_, as_written, general, m_.column_major, assume);
    made.condition = writer.make(fast);
    made.assumed = writer.assumed();
    made.assumed_types = writer.assumed_types();
    if (!made.condition) m_.functions.pop_back();
    return made;
  }
  /// Runs the version if its condition holds, and otherwise what `otherwise` writes.
  template <class F>
  void choose(const Version& v, const Launch& general, F&& otherwise) {
    if (!v.condition) return otherwise();
    Launch quick = general;
    quick.kernel = v.kernel;
    if (is_true(v.condition)) return out_.emit(std::move(quick));
    Block then_body = out_.collect([&] { out_.emit(std::move(quick)); });
    Block else_body = out_.collect(otherwise);
    out_.emit(If{v.condition, std::move(then_body), std::move(else_body)});
  }
  void launch(const Launch& general) {
    // The host may not know that a check passes. What is left then is the kernel as written, one work-item for all
    // iterations of its parallel loops; with its checks, these can still become dimensions.
    const Block& body = m_.functions[static_cast<size_t>(general.kernel)]->body;
    const bool nest = has<Fail>(body) && any_statement(body, [](const Stmt& s) {
                        auto* n = std::get_if<CountedLoop>(&s.node);
                        return n && n->parallel;
                      });
    const auto as_written = [&] {
      if (!nest) return out_.emit(general);
      choose(version(general, Assume::Checks), general, [&] { out_.emit(general); });
    };
    const auto unlikely = [&](const Version& first) {
      choose(first, general, [&] {
        if (!first.assumed) return as_written();
        choose(version(general, Assume::Nothing), general, as_written);
      });
    };
    const Version first = version(general, Assume::Types);
    if (!first.assumed_types) return unlikely(first);
    choose(first, general, [&] { unlikely(version(general, Assume::Unlikely)); });
  }

  Module& m_;
  Exprs& x_;
  Writer out_;
};

}  // namespace

void kernel_version(Module& m, const PassOptions& options) {
  if (!options.version_loops) return;
  Exprs x(m);
  each_entry(m, [&](Function& f) { VersionedLaunches(m, x, f).run(); });
}

}  // namespace vr::lower
