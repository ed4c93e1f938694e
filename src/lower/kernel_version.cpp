// Versions of kernels (thesis 5.6 and 5.8, taken further): what every work-item would check is checked once, at the
// launch.
//
//   if (the corners of the domain are within bounds && the arrays are disjoint && everything fits 32 bits)
//     launch the kernel without these checks
//   else
//     launch the kernel as written
//
// The kernel's body is walked once with an interval for each integer variable. The ends of the intervals are
// expressions of the launching function, so that a check `i + 1 >= n` becomes one comparison of its largest value
// there. A check that stands under a condition which says nothing about what it checks stays where it is: it might fail
// for work-items that never reach it. Where the guard does not hold the kernel with all checks runs, and its faults are
// the same as ever.
#include "lower/kernel_version.hpp"

#include "lower/alias.hpp"
#include "lower/host_version.hpp"
#include "lower/lanes.hpp"
#include "lower/walk.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace vr::lower {

namespace {

constexpr size_t most_conditions = 96;

/// lo <= value <= hi, both simple expressions of the host, of absolute value below 2^bits.
struct Interval {
  ExprP lo, hi;
  int bits;
};
constexpr int most_bits = 62;

bool goes_away(const Block& b) {
  if (b.empty()) return false;
  const auto& last = b.back().node;
  return std::holds_alternative<Fail>(last) || std::holds_alternative<Exit>(last) ||
         std::holds_alternative<Break>(last) || std::holds_alternative<Continue>(last);
}

/// Nothing but the report of a fault.
bool only_fails(const Block& b) {
  if (b.empty() || !std::holds_alternative<Fail>(b.back().node)) return false;
  return std::all_of(b.begin(), b.end() - 1, [](const Stmt& s) { return std::holds_alternative<SetVar>(s.node); });
}

void assigned_in(const Block& b, std::set<VarId>& vars) {
  for (const auto& assigned : assignments(b)) vars.insert(assigned.first);
}

Op negated(Op op) {
  switch (op) {
    case Op::Lt:
      return Op::Ge;
    case Op::Le:
      return Op::Gt;
    case Op::Gt:
      return Op::Le;
    case Op::Ge:
      return Op::Lt;
    case Op::Eq:
      return Op::Ne;
    default:
      return Op::Eq;
  }
}
/// a op b is b mirrored(op) a.
Op mirrored(Op op) {
  switch (op) {
    case Op::Lt:
      return Op::Gt;
    case Op::Le:
      return Op::Ge;
    case Op::Gt:
      return Op::Lt;
    case Op::Ge:
      return Op::Le;
    default:
      return op;
  }
}

}  // namespace

class KernelVersion {
 public:
  KernelVersion(Lowering& host, const Function& kernel, const std::vector<Operand>& args,
                const std::vector<ExprP>& counts)
      : f_(host), x_(host.x), kernel_(kernel), args_(args) {
    assigned_in(kernel.body, assigned_);
    for (size_t k = 0; k < kernel.params.size(); ++k) {
      const Param& p = kernel.params[k];
      if (p.array == none) {
        input(p.var, args[k].var);
        continue;
      }
      const ArrayVars &in = kernel.arrays[static_cast<size_t>(p.array)], &out = f_.out.array(args[k].array);
      for (size_t d = 0; d < in.extent.size(); ++d) {
        input(in.extent[d], out.extent[d]);
        input(in.stride[d], out.stride[d]);
      }
    }
    for (size_t d = 0; d < counts.size(); ++d) counts_.push_back(counts[d]);
  }

  /// Fills `fast` and returns the condition under which it may be launched; null when nothing is gained.
  ExprP make(Function& fast) {
    fast.vars = kernel_.vars;
    fast.arrays = kernel_.arrays;
    fast.params = kernel_.params;
    fast.dims = kernel_.dims;
    fast.folds = kernel_.folds;
    fast.join = kernel_.join;
    fast.fast_math = kernel_.fast_math;
    fast.place = kernel_.place;
    // A work-item for each point, as many as drivers take (runtime/gpu/work_size).
    constexpr int64_t most[3][3] = {
        {int64_t{1} << 30}, {int64_t{1} << 30, 1 << 21}, {int64_t{1} << 30, 1 << 18, 1 << 18}};
    ExprP items = nullptr;
    for (size_t d = 0; d < counts_.size(); ++d) {
      const Interval n = number(counts_[d]);
      require(x_.le(n.hi, x_.int_const(most[counts_.size() - 1][d])));
      items = items ? keep(x_.mul(items, n.hi)) : n.hi;
      if (d > 0) require(x_.le(items, x_.int_const(int64_t{1} << 31)));
      state_[kernel_.dims[d]] = {x_.int_const(0), f_.out.keep(x_.sub(n.hi, x_.int_const(1)), "last"), 32};
      narrow_.insert(kernel_.dims[d]);
    }
    contiguous();
    fast.body = block(kernel_.body, true);
    narrow_fields();
    apart();
    fast.disjoint = true;
    fast.narrow = std::move(narrow_);
    if (f_.m.options.lanes) find_lanes(fast);
    if (fast.folds.empty()) fast.points = fast.lanes.empty() ? 1 : most_lanes;
    ExprP guard = x_.bool_const(true);
    for (ExprP c : conditions_) guard = x_.both(guard, c);
    return too_many_ || is_false(guard) ? nullptr : guard;
  }

 private:
  void input(VarId in, VarId out) {
    if (in != none && out != none && !assigned_.count(in)) inputs_[in] = f_.out.get(out);
  }
  void require(ExprP c) {
    if (is_true(c)) return;
    for (ExprP known : conditions_)
      if (same(known, c)) return;
    if (conditions_.size() >= most_conditions) too_many_ = true;
    if (!too_many_) conditions_.push_back(c);
  }

  // ---------------------------------------------------------------- values
  /// The expression as the host computes it; null when it is not made of the kernel's inputs alone.
  ExprP host(ExprP e) {
    switch (e->kind) {
      case Expr::Kind::IntConst:
      case Expr::Kind::FloatConst:
        return e;
      case Expr::Kind::Var: {
        auto it = inputs_.find(e->var);
        return it == inputs_.end() ? nullptr : it->second;
      }
      case Expr::Kind::Unary:
      case Expr::Kind::Convert: {
        ExprP a = host(e->a);
        if (!a) return nullptr;
        return e->kind == Expr::Kind::Unary ? x_.unary(e->op, a) : x_.convert(a, e->type);
      }
      case Expr::Kind::Binary: {
        // A division may be guarded in the kernel; here it would come before its guard.
        if ((e->op == Op::Div || e->op == Op::Rem) && !is_float(e->type)) return nullptr;
        ExprP a = host(e->a), b = a ? host(e->b) : nullptr;
        return b ? x_.binary(e->op, a, b) : nullptr;
      }
      case Expr::Kind::Select: {
        ExprP a = host(e->a), b = a ? host(e->b) : nullptr, c = b ? host(e->c) : nullptr;
        return c ? x_.select(a, b, c) : nullptr;
      }
      default:
        return nullptr;
    }
  }
  /// A whole number that the host knows; launches of the version have it below 2^31.
  Interval number(ExprP value) {
    if (value->type != Scalar::Int64) value = x_.convert(value, Scalar::Int64);
    if (value->kind == Expr::Kind::IntConst) {
      const uint64_t size = value->ival < 0 ? ~static_cast<uint64_t>(value->ival) : static_cast<uint64_t>(value->ival);
      return {value, value, static_cast<int>(std::bit_width(size))};
    }
    value = f_.out.keep(value, "known");
    constexpr int64_t limit = int64_t{1} << 31;
    require(x_.both(x_.ge(value, x_.int_const(-limit)), x_.lt(value, x_.int_const(limit))));
    return {value, value, 31};
  }
  std::optional<Interval> value(ExprP e) {
    if (!e || is_float(e->type) || e->type == Scalar::Ptr) return {};
    if (ExprP h = host(e)) return number(h);
    switch (e->kind) {
      case Expr::Kind::Var: {
        auto it = state_.find(e->var);
        if (it == state_.end()) return {};
        return it->second;
      }
      case Expr::Kind::Select: {
        auto b = value(e->b), c = value(e->c);
        if (!b || !c) return {};
        return join(*b, *c);
      }
      case Expr::Kind::Convert: {
        if (!e->a || is_float(e->a->type)) return {};
        auto a = value(e->a);
        return a ? as_type(*a, e->type) : a;
      }
      case Expr::Kind::Unary: {
        auto a = e->op == Op::Neg ? value(e->a) : std::nullopt;
        if (!a) return {};
        return as_type({keep(x_.neg(a->hi)), keep(x_.neg(a->lo)), a->bits + 1}, e->type);
      }
      case Expr::Kind::Binary:
        return binary(*e);
      default:
        return {};
    }
  }
  std::optional<Interval> binary(const Expr& e) {
    auto a = value(e.a);
    auto b = a ? value(e.b) : std::nullopt;
    if (!b) return {};
    const ExprP zero = x_.int_const(0), one = x_.int_const(1);
    switch (e.op) {
      case Op::Add:
        return as_type({keep(x_.add(a->lo, b->lo)), keep(x_.add(a->hi, b->hi)), std::max(a->bits, b->bits) + 1},
                       e.type);
      case Op::Sub:
        return as_type({keep(x_.sub(a->lo, b->hi)), keep(x_.sub(a->hi, b->lo)), std::max(a->bits, b->bits) + 1},
                       e.type);
      case Op::Mul: {
        const int bits = a->bits + b->bits + 1;
        if (bits > most_bits) return {};
        // With one known factor there are two corners, else four.
        const bool point = a->lo == a->hi || b->lo == b->hi;
        ExprP p = keep(x_.mul(a->lo, b->lo)), q = keep(x_.mul(a->hi, b->hi));
        ExprP lo = keep(x_.min(p, q)), hi = keep(x_.max(p, q));
        if (!point) {
          ExprP r = keep(x_.mul(a->lo, b->hi)), s = keep(x_.mul(a->hi, b->lo));
          lo = keep(x_.min(lo, keep(x_.min(r, s))));
          hi = keep(x_.max(hi, keep(x_.max(r, s))));
        }
        return as_type({lo, hi, bits}, e.type);
      }
      case Op::Div:
      case Op::Rem: {
        // Of numbers that are not negative, by positive ones.
        if (a->lo->kind != Expr::Kind::IntConst || a->lo->ival < 0) return {};
        require(x_.ge(b->lo, one));
        if (e.op == Op::Rem) return as_type({zero, keep(x_.sub(b->hi, one)), b->bits}, e.type);
        return as_type({zero, keep(x_.binary(Op::Div, a->hi, keep(x_.max(b->lo, one)))), a->bits}, e.type);
      }
      default:
        return {};
    }
  }
  /// The same numbers after arithmetic in `type`, where nothing may have wrapped.
  std::optional<Interval> as_type(Interval v, Scalar type) {
    if (v.bits > most_bits || type == Scalar::Bool) return {};
    if (type == Scalar::Int32 && v.bits > 31) {
      constexpr int64_t limit = int64_t{1} << 31;
      require(x_.both(x_.ge(v.lo, x_.int_const(-limit)), x_.lt(v.hi, x_.int_const(limit))));
      v.bits = 31;
    }
    return v;
  }
  Interval join(const Interval& a, const Interval& b) {
    return {keep(x_.min(a.lo, b.lo)), keep(x_.max(a.hi, b.hi)), std::max(a.bits, b.bits)};
  }
  ExprP keep(ExprP e) { return f_.out.keep(e, "end"); }

  // ---------------------------------------------------------------- conditions
  /// What the host has to find so that `c` is `truth` for every work-item; null when it cannot know.
  ExprP always(ExprP c, bool truth) {
    if (is_const(c)) return (c->ival != 0) == truth ? x_.bool_const(true) : nullptr;
    if (ExprP h = host(c)) return truth ? h : x_.not_(h);
    if (c->kind == Expr::Kind::Unary && c->op == Op::Not) return always(c->a, !truth);
    if (c->kind != Expr::Kind::Binary) return nullptr;
    if (c->type == Scalar::Bool && (c->op == Op::And || c->op == Op::Or)) {
      ExprP a = always(c->a, truth), b = always(c->b, truth);
      if ((c->op == Op::And) == truth) return a && b ? x_.both(a, b) : nullptr;
      return a && b ? x_.either(a, b) : a ? a : b;
    }
    if (!is_comparison(c->op) || is_float(c->a->type)) return nullptr;
    auto a = value(c->a);
    auto b = a ? value(c->b) : std::nullopt;
    if (!b) return nullptr;
    switch (truth ? c->op : negated(c->op)) {
      case Op::Lt:
        return x_.lt(a->hi, b->lo);
      case Op::Le:
        return x_.le(a->hi, b->lo);
      case Op::Gt:
        return x_.gt(a->lo, b->hi);
      case Op::Ge:
        return x_.ge(a->lo, b->hi);
      case Op::Eq:
        return x_.both(x_.eq(a->lo, b->hi), x_.eq(a->hi, b->lo));
      default:
        return x_.either(x_.lt(a->hi, b->lo), x_.gt(a->lo, b->hi));
    }
  }
  /// Behind the condition; true when it says something.
  bool narrow_by(ExprP c, bool truth) {
    if (c->kind == Expr::Kind::Unary && c->op == Op::Not) return narrow_by(c->a, !truth);
    if (c->kind != Expr::Kind::Binary) return false;
    if (c->type == Scalar::Bool && (c->op == Op::And || c->op == Op::Or)) {
      if ((c->op == Op::And) != truth) return false;
      const bool a = narrow_by(c->a, truth), b = narrow_by(c->b, truth);
      return a || b;
    }
    if (!is_comparison(c->op) || is_float(c->a->type)) return false;
    const Op op = truth ? c->op : negated(c->op);
    const bool a = narrow_variable(c->a, op, c->b), b = narrow_variable(c->b, mirrored(op), c->a);
    return a || b;
  }
  bool narrow_variable(ExprP e, Op op, ExprP by) {
    if (op == Op::Ne) return false;
    int64_t shift = 0;  // e is variable + shift
    if (e->kind == Expr::Kind::Binary && (e->op == Op::Add || e->op == Op::Sub) && e->b->kind == Expr::Kind::IntConst &&
        std::abs(e->b->ival) < (int64_t{1} << 31)) {
      shift = e->op == Op::Add ? e->b->ival : -e->b->ival;
      e = e->a;
    }
    if (e->kind != Expr::Kind::Var || inputs_.count(e->var)) return false;
    auto it = state_.find(e->var);
    auto limit = it == state_.end() ? std::nullopt : value(by);
    if (!limit) return false;
    Interval& v = it->second;
    if (op == Op::Lt || op == Op::Le || op == Op::Eq)
      v.hi = keep(x_.min(v.hi, keep(x_.sub(limit->hi, x_.int_const(shift + (op == Op::Lt))))));
    if (op == Op::Gt || op == Op::Ge || op == Op::Eq)
      v.lo = keep(x_.max(v.lo, keep(x_.sub(limit->lo, x_.int_const(shift - (op == Op::Gt))))));
    v.bits = std::max(v.bits, limit->bits + 1);
    return true;
  }

  // ---------------------------------------------------------------- the body, without what is proved
  void forget(const std::set<VarId>& vars) {
    for (VarId v : vars) state_.erase(v);
  }
  Block inside(const Block& b, bool certain) {
    std::set<VarId> vars;
    assigned_in(b, vars);
    forget(vars);
    Block out = block(b, certain);
    forget(vars);
    return out;
  }
  Block block(const Block& b, bool certain) {
    Block out;
    for (const Stmt& s : b) {
      if (auto* n = std::get_if<SetVar>(&s.node)) {
        out.push_back({SetVar{n->var, copy(n->value)}, s.place});
        if (kernel_.vars[static_cast<size_t>(n->var)].type != Scalar::Int64 &&
            kernel_.vars[static_cast<size_t>(n->var)].type != Scalar::Int32)
          continue;
        auto v = value(n->value);
        state_.erase(n->var);
        if (v) state_.emplace(n->var, *v);
      } else if (auto* n = std::get_if<If>(&s.node)) {
        if_(*n, s.place, certain, out);
      } else if (auto* n = std::get_if<CountedLoop>(&s.node)) {
        auto lo = value(n->lo), hi = value(n->hi);
        CountedLoop l = *n;
        l.lo = copy(n->lo);
        l.hi = copy(n->hi);
        std::set<VarId> vars{n->var};
        assigned_in(n->body, vars);
        forget(vars);
        if (lo && hi) {
          state_[n->var] = {lo->lo, keep(x_.sub(hi->hi, x_.int_const(1))), std::max(lo->bits, hi->bits) + 1};
          if (lo->bits <= 31 && hi->bits <= 31) narrow_.insert(n->var);
        }
        l.body = block(n->body, certain);
        forget(vars);
        out.push_back({std::move(l), s.place});
      } else if (auto* n = std::get_if<Loop>(&s.node)) {
        out.push_back({Loop{inside(n->body, certain)}, s.place});
      } else {
        Stmt c = s;
        std::visit(Overloaded{[&](Store& n) {
                                n.base = copy(n.base);
                                n.offset = copy(n.offset);
                                n.value = copy(n.value);
                              },
                              [&](Atomic& n) {
                                state_.erase(n.result);
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
    if (n.else_body.empty() && only_fails(n.then_body) && certain) {
      ExprP c = always(n.cond, false);
      if (c && !is_false(c)) {
        require(c);
        return;
      }
    }
    const auto before = state_;
    const bool told = narrow_by(n.cond, true);
    If r{copy(n.cond), block(n.then_body, certain && told), {}, n.unlikely};
    const auto then_state = std::exchange(state_, before);
    const bool told_else = narrow_by(n.cond, false);
    r.else_body = block(n.else_body, certain && told_else);
    if (!goes_away(n.then_body)) {
      if (goes_away(n.else_body))
        state_ = then_state;
      else
        merge(before, then_state, n);
    }
    out.push_back({std::move(r), place});
  }
  void merge(const std::map<VarId, Interval>& before, const std::map<VarId, Interval>& then_state, const If& n) {
    std::set<VarId> vars;
    assigned_in(n.then_body, vars);
    assigned_in(n.else_body, vars);
    const auto else_state = std::exchange(state_, before);
    for (VarId v : vars) {
      auto a = then_state.find(v), b = else_state.find(v);
      if (a == then_state.end() || b == else_state.end())
        state_.erase(v);
      else
        state_.insert_or_assign(v, join(a->second, b->second));
    }
  }

  // ---------------------------------------------------------------- addresses
  /// Strides that the type leaves open become the element's size along the fastest dimension.
  void contiguous() {
    const bool column_major = f_.conv.mindims == 2;
    for (size_t k = 0; k < kernel_.params.size(); ++k) {
      const Param& p = kernel_.params[k];
      if (p.array == none) continue;
      const ArrayVars& a = kernel_.arrays[static_cast<size_t>(p.array)];
      if (a.stride.empty()) continue;
      const VarId v = column_major ? a.stride.front() : a.stride.back();
      if (!inputs_.count(v) || !mentions(kernel_.body, v)) continue;
      ExprP bytes = x_.int_const(a.element_bytes());
      require(x_.eq(inputs_[v], bytes));
      known_[v] = bytes;
    }
  }
  ExprP copy(ExprP e) {
    if (!e || known_.empty() || is_const(e) || e->kind == Expr::Kind::Null) return e;
    if (auto it = copies_.find(e); it != copies_.end()) return it->second;
    ExprP r = e;
    if (e->kind == Expr::Kind::Var) {
      if (auto it = known_.find(e->var); it != known_.end()) r = it->second;
    } else {
      Expr n = *e;
      n.a = copy(e->a);
      n.b = copy(e->b);
      n.c = copy(e->c);
      if (n.a != e->a || n.b != e->b || n.c != e->c) r = x_.make(n);
    }
    copies_[e] = r;
    return r;
  }
  /// Extents and strides that the kernel reads fit 32 bits.
  void narrow_fields() {
    for (const Param& p : kernel_.params) {
      if (p.array == none) continue;
      const ArrayVars& a = kernel_.arrays[static_cast<size_t>(p.array)];
      for (const auto* fields : {&a.extent, &a.stride})
        for (VarId v : *fields)
          if (auto it = inputs_.find(v); it != inputs_.end()) {
            number(it->second);
            narrow_.insert(v);
          }
    }
  }
  /// No array that the kernel writes overlaps another one.
  void apart() {
    std::vector<ByteRange> ranges;
    std::vector<bool> written;
    for (size_t k = 0; k < kernel_.params.size(); ++k) {
      const Param& p = kernel_.params[k];
      if (p.array == none) continue;
      written.push_back(p.written);
      const ArrayVars a = f_.out.array(args_[k].array);
      std::vector<ExprP> extent, stride;
      for (size_t d = 0; d < a.extent.size(); ++d) {
        extent.push_back(f_.out.get(a.extent[d]));
        stride.push_back(f_.out.get(a.stride[d]));
      }
      ranges.push_back(byte_range(f_.out, f_.out.get(a.data), extent, stride, a.element_bytes()));
    }
    for (size_t i = 0; i < ranges.size(); ++i)
      for (size_t j = i + 1; j < ranges.size(); ++j)
        if (written[i] || written[j]) require(disjoint(f_.out, ranges[i], ranges[j]));
  }

  Lowering& f_;
  Exprs& x_;
  const Function& kernel_;
  const std::vector<Operand>& args_;
  std::vector<ExprP> counts_;
  std::set<VarId> assigned_;
  std::map<VarId, ExprP> inputs_;    ///< kernel's variables that never change -> the host's values
  std::map<VarId, ExprP> known_;     ///< kernel's variables that are constants in this version
  std::map<VarId, Interval> state_;  ///< of variables that do change
  std::map<ExprP, ExprP> copies_;
  std::set<VarId> narrow_;
  std::vector<ExprP> conditions_;
  bool too_many_ = false;
};

void launch(Lowering& f, int32_t kernel, const std::vector<ExprP>& counts, const std::vector<Operand>& args,
            bool versions) {
  std::vector<ExprP> kept;
  for (ExprP c : counts) kept.push_back(f.out.keep(c, "count"));
  Launch general{kernel, kept, args, f.out.site()};
  Function& as_written = *f.m.out->functions[static_cast<size_t>(kernel)];
  as_written.on_host = host_version(f.m, kernel);
  if (!f.m.options.version_loops || !versions) return f.out.emit(std::move(general));
  const int32_t version = f.m.add_function(Function::Kind::Kernel, as_written.name + "_fast", as_written.source_name);
  Function& fast = *f.m.out->functions[static_cast<size_t>(version)];
  fast.on_host = as_written.on_host;
  ExprP guard = KernelVersion(f, as_written, args, kept).make(fast);
  if (!guard) {
    f.m.out->functions.pop_back();
    return f.out.emit(std::move(general));
  }
  Launch quick = general;
  quick.kernel = version;
  if (is_true(guard)) return f.out.emit(std::move(quick));
  Block then_body, else_body;
  then_body.push_back({std::move(quick), f.out.at.place});
  else_body.push_back({std::move(general), f.out.at.place});
  f.out.emit(If{guard, std::move(then_body), std::move(else_body)});
}

}  // namespace vr::lower
