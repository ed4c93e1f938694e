// Sums of products become matrix products.
//
//   for i in [0, n) {                                   if <large enough, and c's layout is one of gemm's> {
//     for j in [0, m) {                                   view.data = a.data ...
//       s = 0                                             vr_rt_gemm(view, view#1, view#2)
//       for k in [0, l) { s = s + a[i, k] * b[k, j] }     i = n - 1 ... s = c[i, j]
//       store c[i, j] = s                               } else {
//     }                                                   as written
//   }                                                   }
//
// It takes three loops in any order. Each of c, a and b has two of their variables in its subscripts, each in one,
// times a constant and plus anything that is the same in all iterations: parts of matrices, every second row, matrices
// of a stack. c's elements are added to (subtracted from), or start with zero: the sum is a scalar of the innermost
// loop, or a store of zeros comes before the sums, in loops of its own or not. A factor may be loaded in front of the
// inner loop. The nest may compute other values only if they are scalars, which get the values of the last iteration.
#include "loop/transform/contract.hpp"

#include "loop/analysis/nest.hpp"
#include "loop/new_array.hpp"
#include "loop/replace.hpp"
#include "loop/runtime_fn.hpp"
#include "loop/transform/hoist_guards.hpp"
#include "runtime/abi.h"

#include <algorithm>
#include <array>

namespace vr::lower {

namespace {

constexpr int64_t least_work = 8000;  // multiplications from which gemm is faster than the loops (docs/performance.md)
constexpr int64_t least_on_device = int64_t{1} << 24;
constexpr size_t most_contracted_statements = 24;

/// A loop of the nest, with its bounds as expressions in front of the nest.
struct Dimension {
  VarId var;
  ExprP lo, hi;
};

/// The statements of a nest that form a product; pointers refer to the nest.
struct Product {
  std::vector<Dimension> loops;  ///< around the step, the outermost first
  const NestAccess *a = nullptr, *b = nullptr, *c = nullptr;
  const SetVar* start = nullptr;      ///< gives the sum its first value; null: there is no scalar sum
  const Stmt* step = nullptr;         ///< adds a product
  const Store* end = nullptr;         ///< stores the sum
  const NestAccess* zeros = nullptr;  ///< the store of zeros; null: none
  bool from_zero = false;             ///< else added to what c holds
  bool subtract = false;
  VarId sum() const { return start ? start->var : none; }
};

bool is_zero(ExprP e) {
  return (e->kind == Expr::Kind::FloatConst && e->fval == 0) || (e->kind == Expr::Kind::IntConst && e->ival == 0);
}

/// Recognises a product in a nest.
class Recognise {
 public:
  Recognise(const Function& fn, Exprs& x, const CountedLoop& nest)
      : fn_(fn), x_(x), nest_(nest), d_(fn, nest), forms_(fn, nest), sum_(sum(nest, 1)) {}

  const NestDependences& dependences() const { return d_; }
  std::optional<Product> run() {
    if (!d_.known || sum_ == many || !enter(nest_) || !block(nest_.body) || !p_.step || !p_.c || !whole()) return {};
    return p_;
  }

 private:
  static constexpr VarId many = -2;
  /// The scalar that the nest's innermost loop passes from iteration to iteration; none: there is none.
  VarId sum(const CountedLoop& n, int depth) const {
    if (depth == 3) {
      const std::set<VarId> carried = read_before_assigned(fn_, n.body);
      return carried.empty() ? none : carried.size() == 1 ? *carried.begin() : many;
    }
    for (const Stmt& s : n.body)
      if (auto* inner = std::get_if<CountedLoop>(&s.node))
        if (const VarId found = sum(*inner, depth + 1); found != none) return found;
    return none;
  }

  // ---- the walk
  bool enter(const CountedLoop& n) {
    if (!is_plain(n) || !forms_.is_invariant(n.lo) || !forms_.is_invariant(n.hi) || loops_.size() == 3) return false;
    loops_.push_back({n.var, substituted(x_, n.lo, values_), substituted(x_, n.hi, values_)});
    places_.push_back(0);
    return true;
  }
  bool block(const Block& b) {
    for (size_t k = 0; k < b.size(); ++k) {
      places_.back() = k;
      if (++statements_ > most_contracted_statements) return false;
      if (auto* n = std::get_if<CountedLoop>(&b[k].node)) {
        if (!enter(*n)) return false;
        // Variables that it assigns have values of other iterations at its beginning and after it.
        forget(n->body);
        forms_.enter(*n);
        if (!block(n->body)) return false;
        forms_.leave(*n);
        forget(n->body);
        loops_.pop_back();
        places_.pop_back();
      } else if (auto* s = std::get_if<SetVar>(&b[k].node)) {
        if (!assignment(*s, b[k])) return false;
      } else if (auto* s = std::get_if<Store>(&b[k].node)) {
        if (!store(*s, b[k])) return false;
      } else {
        return false;
      }
    }
    return true;
  }
  void forget(const Block& b) {
    for (const auto& [v, count] : assignments(b)) values_.erase(v), factors_.erase(v);
  }
  /// The access of the current statement that belongs to this load, or (null) to its store.
  const NestAccess* access(ExprP load) const {
    for (const NestAccess& a : d_.accesses)
      if (a.load == load && a.place == places_ && a.loops.size() == loops_.size() &&
          std::equal(loops_.begin(), loops_.end(), a.loops.begin(),
                     [](const Dimension& l, VarId v) { return l.var == v; }))
        return &a;
    return nullptr;
  }
  bool assignment(const SetVar& s, const Stmt& whole) {
    if (s.var != sum_) {
      if (sum_ != none && mentions(s.value, sum_)) return false;
      if (!record_value(x_, values_, s.var, s.value)) return false;
      factors_.erase(s.var);
      if (s.value->kind == Expr::Kind::Load) factors_[s.var] = access(s.value);
      forms_.execute(s);
      return true;
    }
    if (p_.start) return step(s.value, [&](ExprP e) { return e->kind == Expr::Kind::Var && e->var == sum_; }, whole);
    if (loops_.size() != 2 || !(is_zero(s.value) || s.value->kind == Expr::Kind::Load)) return false;
    p_.start = &s;
    first_ = s.value->kind == Expr::Kind::Load ? access(s.value) : nullptr;
    at_start_ = loops_of();
    return is_zero(s.value) || first_;
  }
  bool store(const Store& s, const Stmt& whole) {
    const NestAccess* to = access(nullptr);
    if (!to || to->base == none) return false;
    if (is_zero(s.value)) {
      if (p_.zeros || p_.step || p_.start) return false;
      p_.zeros = to;
      around_zeros_ = loops_;
      return true;
    }
    if (p_.start) {
      if (p_.end || !p_.step || s.value->kind != Expr::Kind::Var || s.value->var != sum_ || loops_of() != at_start_)
        return false;
      p_.end = &s;
      p_.c = to;
      return true;
    }
    p_.c = to;
    return step(
        s.value,
        [&](ExprP e) {
          const NestAccess* from = e->kind == Expr::Kind::Load ? access(e) : nullptr;
          return from && same_element(*from, *to);
        },
        whole);
  }
  /// Whether the value is `target` plus (minus) a product of two elements.
  template <class F>
  bool step(ExprP value, const F& target, const Stmt& whole) {
    if (p_.step || loops_.size() != 3 || value->kind != Expr::Kind::Binary || !is_float(value->type)) return false;
    const bool minus = value->op == Op::Sub;
    if (!minus && value->op != Op::Add) return false;
    ExprP product = value->b;
    if (!target(value->a)) {
      if (minus || !target(value->b)) return false;
      product = value->a;
    }
    if (product->kind != Expr::Kind::Binary || product->op != Op::Mul) return false;
    p_.a = factor(product->a);
    p_.b = factor(product->b);
    p_.step = &whole;
    p_.subtract = minus;
    p_.loops = loops_;
    return p_.a && p_.b;
  }
  const NestAccess* factor(ExprP e) const {
    if (e->kind == Expr::Kind::Load) return access(e);
    const auto it = e->kind == Expr::Kind::Var ? factors_.find(e->var) : factors_.end();
    return it == factors_.end() ? nullptr : it->second;
  }

  // ---- what the statements form together
  static bool same_element(const NestAccess& a, const NestAccess& b) {
    return a.base == b.base && a.subscripts.size() == b.subscripts.size() &&
           std::equal(a.subscripts.begin(), a.subscripts.end(), b.subscripts.begin(), [](const auto& f, const auto& g) {
             return f && g && f->constant == g->constant && f->terms == g->terms;
           });
  }
  std::vector<VarId> loops_of() const {
    std::vector<VarId> r;
    for (const Dimension& l : loops_) r.push_back(l.var);
    return r;
  }
  const ArrayVars* array(const NestAccess& a) const {
    for (const ArrayVars& v : fn_.arrays)
      if (v.data == a.base) return &v;
    return nullptr;
  }
  /// The two loops along which the access moves; each of their variables is in one subscript, and no other one is.
  std::optional<std::set<VarId>> loops(const NestAccess& a) const {
    std::set<VarId> found;
    for (const auto& f : a.subscripts) {
      if (!f) return {};
      int here = 0;
      for (const auto& [v, coefficient] : f->terms) {
        if (!is_loop(v)) continue;
        if (++here > 1 || !found.insert(v).second) return {};
      }
    }
    return found.size() == 2 ? std::optional(found) : std::nullopt;
  }
  bool is_loop(VarId v) const {
    return std::any_of(p_.loops.begin(), p_.loops.end(), [&](const Dimension& l) { return l.var == v; });
  }
  /// The loop over the sum's terms: c does not move along it.
  VarId along() const {
    const auto c = loops(*p_.c);
    for (const Dimension& l : p_.loops)
      if (!c->count(l.var)) return l.var;
    return none;
  }

  bool whole() {
    if (p_.start && (!p_.end || p_.zeros || (first_ && !same_element(*first_, *p_.c)))) return false;
    const auto a = loops(*p_.a), b = loops(*p_.b), c = loops(*p_.c);
    if (!a || !b || !c || *a == *b || *a == *c || *b == *c) return false;
    const ArrayVars *va = array(*p_.a), *vb = array(*p_.b), *vc = array(*p_.c);
    if (!va || !vb || !vc || va->elem != vc->elem || vb->elem != vc->elem || va->complex || vb->complex ||
        vc->complex || !ir::is_float(vc->elem))
      return false;
    // The sum's loop must be the innermost one if the sum is a scalar.
    if (p_.start && along() != p_.loops[2].var) return false;
    p_.from_zero = p_.zeros || (p_.start && !first_);
    return (!p_.zeros || zeros_come_first()) && disjoint();
  }
  /// Whether each element of c becomes zero once, before the products are added to it.
  bool zeros_come_first() {
    std::set<VarId> covered;
    std::map<VarId, VarId> renamed;  ///< loops around the zeros alone: the loop with the same bounds
    for (const Dimension& l : around_zeros_) {
      if (is_loop(l.var)) {
        if (l.var == along()) return false;
        covered.insert(l.var);
        continue;
      }
      const auto like = std::find_if(p_.loops.begin(), p_.loops.end(), [&](const Dimension& of) {
        return of.var != along() && !covered.count(of.var) && same(of.lo, l.lo) && same(of.hi, l.hi) &&
               std::none_of(around_zeros_.begin(), around_zeros_.end(),
                            [&](const Dimension& k) { return k.var == of.var; });
      });
      if (like == p_.loops.end()) return false;
      covered.insert(like->var);
      renamed[l.var] = like->var;
    }
    NestAccess zeros = *p_.zeros;
    for (auto& f : zeros.subscripts) {
      if (!f) return false;
      LinearForm made{f->constant, {}};
      for (const auto& [v, coefficient] : f->terms) made.terms[renamed.count(v) ? renamed.at(v) : v] += coefficient;
      f = made;
    }
    return covered.size() == 2 && same_element(zeros, *p_.c);
  }
  /// Nothing is loaded from c but what the sums begin with, and what is stored is disjoint from all that is loaded.
  bool disjoint() const {
    return std::all_of(
               d_.accesses.begin(), d_.accesses.end(),
               [&](const NestAccess& a) { return a.base != p_.c->base || a.is_store() || same_element(a, *p_.c); }) &&
           std::all_of(d_.all.begin(), d_.all.end(),
                       [&](const Dependence& d) {
                         return d_.accesses[d.first].base == p_.c->base && d_.accesses[d.second].base == p_.c->base;
                       }) &&
           loads_of_c() == (p_.start ? (first_ ? 1 : 0) : 1);
  }
  ptrdiff_t loads_of_c() const {
    return std::count_if(d_.accesses.begin(), d_.accesses.end(),
                         [&](const NestAccess& a) { return !a.is_store() && a.base == p_.c->base; });
  }

  const Function& fn_;
  Exprs& x_;
  const CountedLoop& nest_;
  const NestDependences d_;
  LinearForms forms_;
  const VarId sum_;
  Product p_;
  std::vector<Dimension> loops_, around_zeros_;
  std::vector<size_t> places_;
  std::vector<VarId> at_start_;
  std::map<VarId, ExprP> values_;               ///< of scalars that are assigned once
  std::map<VarId, const NestAccess*> factors_;  ///< those that are an element
  const NestAccess* first_ = nullptr;           ///< the element that the sum begins with
  size_t statements_ = 0;
};

class Contract {
 public:
  explicit Contract(Writer& out) : out_(out), x_(out.x) {}

  void block(Block& b) {
    replace_statements(out_, b, [&](Stmt& s) {
      auto* n = std::get_if<CountedLoop>(&s.node);
      if (!n || is_leaf(*n)) return false;
      if (!n->version) return write(*n, {{*n, out_.place}}, x_.bool_const(true));
      // Checks are still there because arrays may grow: the product runs where no array has to grow.
      const size_t vars = out_.fn.vars.size();
      auto made = hoisted(out_, *n, true);
      bool written = false;
      Block product = out_.collect([&] { written = made && write(made->fast, {{*n, out_.place}}, made->guard); });
      if (!written) {
        out_.fn.vars.resize(vars);
        return false;
      }
      out_.append(std::move(made->before));
      out_.append(std::move(product));
      return true;
    });
  }

  /// Writes the product, behind `guard`, and `as_written` for all other cases. on_device: as a task of the accelerated
  /// section.
  bool write(const CountedLoop& nest, Block as_written, ExprP guard, bool on_device = false) {
    CountedLoop chosen = nest;
    ExprP unused = x_.bool_const(true);
    if (!choose_forms(out_.fn, x_, chosen, false, unused)) chosen = nest;
    Recognise recognised(out_.fn, x_, chosen);
    const auto p = recognised.run();
    if (!p) return false;
    ExprP work = x_.int_const(1);
    std::map<VarId, ExprP> first, count;
    for (const Dimension& l : p->loops) {
      first[l.var] = out_.keep(l.lo, "lo");
      guard = x_.both(guard, x_.lt(first[l.var], l.hi));
      count[l.var] = out_.keep(x_.sub(l.hi, first[l.var]), "count");
      // Counts are clipped to 2^20, so that their product does not overflow; larger ones are enough work in any case.
      work = x_.mul(work, x_.min(count[l.var], x_.int_const(int64_t{1} << 20)));
    }
    guard = x_.both(guard, x_.ge(work, x_.int_const(on_device ? least_on_device : least_work)));
    const auto rows_and_columns = order(*p);
    guard = x_.both(guard, has_layout(*p->c, rows_and_columns[2], count, on_device));
    if (on_device) {
      // RaijinCL's products: of single or double precision, with a whole matrix as the result.
      if (!p->from_zero || p->subtract || element_bytes(*p->c) < 4) return false;
      const auto [a, b] = factors(*p, rows_and_columns);
      guard = x_.both(guard, has_layout(*a, rows_and_columns[0], count, false));
      guard = x_.both(guard, has_layout(*b, rows_and_columns[1], count, false));
    }
    if (is_false(guard)) return false;

    const VarId enqueued = on_device ? out_.new_var("enqueued", Scalar::Int32) : none;
    Block product = out_.collect([&] {
      Arg site{Arg::Kind::Site};
      site.site = chosen.site;
      Call call{on_device ? rt::GpuGemm : rt::Gemm, {site}, enqueued, !on_device};
      const auto [a, b] = factors(*p, rows_and_columns);
      const NestAccess* matrices[] = {a, b, p->c};
      for (size_t k = 0; k < 3; ++k) {
        Arg matrix{Arg::Kind::Array};
        matrix.array = view(*matrices[k], rows_and_columns[k], first, count);
        call.args.push_back(matrix);
      }
      if (on_device) return out_.emit(std::move(call));
      const int into = p->subtract ? (p->from_zero ? VR_INTO_NEGATED : VR_INTO_SUBTRACT)
                                   : (p->from_zero ? VR_INTO_EMPTY : VR_INTO_ADD);
      call.args.push_back({Arg::Kind::Scalar, x_.int_const(into, Scalar::Int32)});
      out_.emit(std::move(call));
      last_iteration(*p, chosen);
    });
    if (on_device) {
      out_.set(enqueued, x_.int_const(0, Scalar::Int32));
      out_.emit(If{guard, std::move(product), {}});
      guard = x_.ne(x_.var(enqueued, Scalar::Int32), x_.int_const(0, Scalar::Int32));
      product.clear();
    }
    out_.emit(If{guard, std::move(product), std::move(as_written)});
    return true;
  }

 private:

  static bool moves(const NestAccess& a, VarId loop) {
    return std::any_of(a.subscripts.begin(), a.subscripts.end(),
                       [&](const auto& f) { return f->terms.count(loop) != 0; });
  }
  using Loops = std::array<std::array<VarId, 2>, 3>;
  /// The factors: the first one has the rows of c.
  static std::pair<const NestAccess*, const NestAccess*> factors(const Product& p, const Loops& loops) {
    return moves(*p.a, loops[2][0]) ? std::pair(p.a, p.b) : std::pair(p.b, p.a);
  }
  /// For each of the three matrices, the loops along its rows and columns: the first factor has the rows of c.
  static std::array<std::array<VarId, 2>, 3> order(const Product& p) {
    std::vector<VarId> of_c;
    VarId along = none;
    for (const auto& f : p.c->subscripts)
      for (const Dimension& l : p.loops)
        if (f->terms.count(l.var)) of_c.push_back(l.var);
    for (const Dimension& l : p.loops)
      if (l.var != of_c[0] && l.var != of_c[1]) along = l.var;
    return {{{of_c[0], along}, {along, of_c[1]}, {of_c[0], of_c[1]}}};
  }
  /// The distance in bytes between elements of consecutive iterations of the loop.
  ExprP stride(const NestAccess& a, VarId loop) {
    for (size_t axis = 0; axis < a.subscripts.size(); ++axis)
      if (const auto it = a.subscripts[axis]->terms.find(loop); it != a.subscripts[axis]->terms.end())
        return x_.mul(a.strides[axis], x_.int_const(it->second));
    return x_.int_const(0);
  }
  int64_t element_bytes(const NestAccess& a) const {
    for (const ArrayVars& v : out_.fn.arrays)
      if (v.data == a.base) return v.element_bytes();
    return 0;
  }
  /// Whether the rows or the columns of the matrix have unit stride and do not overlap; dense: nothing lies between them.
  ExprP has_layout(const NestAccess& m, const std::array<VarId, 2>& loops, const std::map<VarId, ExprP>& count, bool dense) {
    const int64_t bytes = element_bytes(m);
    auto lies = [&](VarId fast, VarId slow) {
      const ExprP line = x_.mul(count.at(fast), x_.int_const(bytes)), apart = stride(m, slow);
      return x_.both(x_.eq(stride(m, fast), x_.int_const(bytes)), dense ? x_.eq(apart, line) : x_.ge(apart, line));
    };
    return x_.either(lies(loops[0], loops[1]), lies(loops[1], loops[0]));
  }
  ArrayId view(const NestAccess& a, const std::array<VarId, 2>& loops, const std::map<VarId, ExprP>& first,
               const std::map<VarId, ExprP>& count) {
    Scalar type = Scalar::Float64;
    for (const ArrayVars& v : out_.fn.arrays)
      if (v.data == a.base) type = scalar_of(v.elem);
    const ArrayId id = array_vars(out_, "view", type, 2, false);
    const ArrayVars made = out_.array(id);
    ExprP bytes = x_.int_const(0);
    for (size_t axis = 0; axis < a.subscripts.size(); ++axis) {
      ExprP at = x_.int_const(a.subscripts[axis]->constant);
      for (const auto& [v, coefficient] : a.subscripts[axis]->terms)
        at = x_.add(at, x_.mul(first.count(v) ? first.at(v) : x_.var(v, Scalar::Int64), x_.int_const(coefficient)));
      bytes = x_.add(bytes, x_.mul(at, a.strides[axis]));
    }
    out_.set(made.data, x_.offset(x_.var(a.base, Scalar::Ptr), bytes));
    for (size_t k = 0; k < 2; ++k) {
      out_.set(made.extent[k], count.at(loops[k]));
      out_.set(made.stride[k], stride(a, loops[k]));
    }
    return id;
  }

  /// The scalars that the nest assigns get their values of its last iteration.
  void last_iteration(const Product& p, const CountedLoop& n) {
    out_.set(n.var, x_.sub(n.hi, x_.int_const(1)));
    for (const Stmt& s : n.body) {
      const Restore place(out_.place, s.place);
      if (auto* inner = std::get_if<CountedLoop>(&s.node)) {
        last_iteration(p, *inner);
      } else if (auto* set = std::get_if<SetVar>(&s.node)) {
        if (set != p.start && &s != p.step) out_.set(set->var, set->value);
      } else if (auto* end = std::get_if<Store>(&s.node); end && end == p.end) {
        out_.set(p.sum(), x_.load(end->value->type, end->base, end->offset, end->alias_set));
      }
    }
  }

  Writer& out_;
  Exprs& x_;
};

}  // namespace

bool may_contract(const Function& f) {
  constexpr uint8_t needed = ir::fastmath::Reassoc | ir::fastmath::Contract;
  return (f.fast_math & needed) == needed;
}

bool contract_launch(Writer& out, const CountedLoop& nest, Block launch) {
  return Contract(out).write(nest, std::move(launch), out.x.bool_const(true), true);
}

void contract(Module& m, const PassOptions& options) {
  if (!options.version_loops) return;
  rewrite_cpu_functions(m, [&](Writer& out, Block& body) {
    if (may_contract(out.fn))
      Contract(out).block(body);
    else
      out.append(std::move(body));
  });
}

}  // namespace vr::lower
