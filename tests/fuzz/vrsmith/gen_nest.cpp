// Loop nests that the compiler recognises: sums over an inner loop that are computed several at a time or as a matrix
// product, ordered sums of floats after unordered ones, and products of matrices whose rows overlap.
#include "generator.hpp"

#include <algorithm>

namespace vr::smith {

ExprPtr FunctionGen::computed_axis(int rank) {
  ExprPtr k = rng.chance(m_.clumsy ? 60 : 90) ? bounded(rank, 1) : integer(1);
  return m_.base() ? binary(Kind::Plus, k, int_const(m_.base())) : k;
}

/// The element at these subscripts; each missing subscript is that of the first element.
ExprPtr FunctionGen::at(const Variable& v, std::vector<ExprPtr> subs) {
  std::vector<ir::Subscript> list;
  for (size_t k = 0; k < v.type.rank; ++k) {
    ir::Subscript s;
    s.value = k < subs.size() && subs[k] ? subs[k] : int_const(m_.base());
    s.negative = rng.chance(15) && m_.base() == 0;
    if (m_.conv.grow) s.grow = false;
    list.push_back(s);
  }
  return make<ir::Index>(v.id, std::move(list));
}

/// A counter of n iterations that starts at the index base, with a step of either sign; sometimes one iteration out of
/// range.
FunctionGen::Counter FunctionGen::counter(int64_t n) {
  Variable& v = add(Type::scalar(Elem::Int64), "i");
  v.constant = true;
  v.hidden = true;
  const bool beyond = m_.clumsy && rng.chance(15);
  const int64_t lo = m_.base() - (beyond && rng.chance(50) ? 1 : 0);
  ExprPtr range = loop_range(lo, n + (beyond ? 1 : 0), Elem::Int64, rng.chance(40));
  if (ir::is_float(range->type.components()[0].elem)) throw Retry{};
  return {&v, range};
}
StmtPtr FunctionGen::loop(const Counter& c, ir::Body body) {
  ExprPtr domain = rng.chance(50) ? c.range : make<ir::Domain>(std::vector<ExprPtr>{c.range});
  return located(std::make_shared<ir::For>(std::vector<SymbolId>{c.variable->id}, domain, std::move(body)));
}

// for i { [for j] { s = 0; for k { s = s + A[i,k] * B[k(,j)] }; C[i(,j)] = s } }
void FunctionGen::nest_statement(ir::Body& out) {
  if (parallel_ || in_section_ || nesting_ > 2 || all_loops_ > 0) throw Retry{};
  auto matrix = [&](const Variable& x) {
    return x.type.is_array() && x.shape && x.type.rank == 2 && readable(x) && !x.type.complex &&
           x.type.elem != Elem::Bool && count(*x.shape) > 0;
  };
  Variable* a = any(matrix);
  if (!a) throw Retry{};
  const bool transposed = rng.chance(35);
  const int64_t n = (*a->shape)[transposed ? 1 : 0], m = (*a->shape)[transposed ? 0 : 1];
  Variable* b = any([&](const Variable& x) {
    return x.type.is_array() && x.shape && readable(x) && !x.type.complex && x.type.elem != Elem::Bool &&
           (*x.shape)[0] >= m && count(*x.shape) > 0;
  });
  const int64_t p = b && b->type.rank > 1 ? (*b->shape)[1] : 1;
  if (n * m * p > 3000) throw Retry{};
  // Floats are added in order, unless the module permits another order.
  const Elem natural = b ? ir::common_elem(a->type.elem, b->type.elem) : a->type.elem;
  const bool any_order = m_.conv.fast_math & (ir::fastmath::Reassoc | ir::fastmath::Contract);
  if (any_order && ir::is_float(natural)) throw Retry{};
  const Elem e = any_order || rng.chance(80) ? natural : random_elem(false);
  Variable& s = add(Type::scalar(e), "s");
  s.hidden = true;
  const int rank = std::max(m_.conv.mindims, p > 1 ? 2 : 1);
  Variable& c = add(Type::array(e, rank, ir::fresh_layout(m_.conv)), "c");
  c.hidden = true;
  c.group = ++groups_;
  Shape shape{n};
  if (rank == 2) shape.push_back(p);
  std::vector<ExprPtr> extents;
  for (int64_t x : shape) extents.push_back(int_const(x));
  assign(out, name(c), std::make_shared<ir::Alloc>(c.type, ir::AllocFunc::Zeros, std::move(extents)));

  const Counter i = counter(n), k = counter(m);
  std::optional<Counter> j;
  if (p > 1) j = counter(p);
  auto var = [&](const Counter& x) { return name(*x.variable); };
  ExprPtr left = transposed ? at(*a, {var(k), var(i)}) : at(*a, {var(i), var(k)});
  ExprPtr term = left;
  if (b) term = binary(Kind::Mult, left, j ? at(*b, {var(k), var(*j)}) : at(*b, {var(k)}));
  ExprPtr sum = to(binary(rng.chance(80) ? Kind::Plus : Kind::Minus, name(s), term), e, false);
  ir::Body inner;
  assign(inner, name(s), sum);
  if (rng.chance(8))
    inner.push_back(located(std::make_shared<ir::If>(binary(Kind::Gt, name(s), int_const(40, Elem::Int32)),
                                                     ir::Body{located(std::make_shared<ir::Break>())}, ir::Body{})));
  ir::Body row;
  assign(row, name(s), rng.chance(70) ? int_const(0, e) : (j ? at(c, {var(i), var(*j)}) : at(c, {var(i)})));
  row.push_back(loop(k, inner));
  assign(row, j ? at(c, {var(i), var(*j)}) : at(c, {var(i)}), name(s));
  if (j) row = ir::Body{loop(*j, row)};
  out.push_back(loop(i, row));
  c.shape = shape;
  c.hidden = s.hidden = false;
  Variable* x = any([&](const Variable& v) { return v.type.is_scalar() && v.exact && !v.constant && v.id != s.id; });
  if (x && rng.chance(60)) assign(out, name(*x), to(at(c, {known(m_.base() + n - 1)}), x->type.elem, x->type.complex));
}

// h = 2; for t { pfor r { for c { A[r,c] = A[r,c] + A[r,t] * h } }; h = h + t }: each iteration of the parallel loop has a row
// or a column to itself in all turns of the loop around it.
void FunctionGen::turns_loop(ir::Body& out) {
  constexpr uint8_t any_order = ir::fastmath::Reassoc | ir::fastmath::Contract;
  if (!in_section_ || parallel_ || all_loops_ > 0) throw Retry{};
  Variable* a = any([&](const Variable& x) {
    return x.type.is_array() && x.exact && x.shape && !x.window && x.type.rank <= 2 && count(*x.shape) > 0 && !x.type.complex &&
           x.type.elem != Elem::Bool && !(ir::is_float(x.type.elem) && (m_.conv.fast_math & any_order));
  });
  if (!a) throw Retry{};
  noted_store(*a);
  const Elem e = a->type.elem;
  const bool rows = a->type.rank == 2, columns = rows && rng.chance(30);
  const int64_t n = (*a->shape)[columns ? 1 : 0], m = rows ? (*a->shape)[columns ? 0 : 1] : 1;
  const Counter t = counter(rows && rng.chance(60) ? m : rng.range(1, 6));
  Variable* h = nullptr;
  if (rng.chance(60)) {
    h = &add(Type::scalar(Elem::Int64), "h");
    assign(out, name(*h), int_const(rng.range(0, 3), Elem::Int64));
  }
  ExprPtr range = loop_range(m_.base(), n, Elem::Int64, rng.chance(75));
  if (ir::is_float(range->type.components()[0].elem)) throw Retry{};
  Variable& r = add(Type::scalar(Elem::Int64), "i");
  r.constant = r.hidden = true;
  const Counter c = counter(m);
  const auto var = [&](const Counter& x) { return name(*x.variable); };
  const auto element = [&](ExprPtr other) {
    if (!rows) return at(*a, {name(r)});
    return columns ? at(*a, {other, name(r)}) : at(*a, {name(r), other});
  };
  ExprPtr term = rows && rng.chance(60) ? element(rng.chance(70) ? var(t) : var(c)) : rng.chance(50) ? name(r) : var(t);
  if (h && rng.chance(70)) term = binary(rng.chance(50) ? Kind::Mult : Kind::Plus, to(term, e, false), to(name(*h), e, false));
  ExprPtr value = binary(rng.pick({Kind::Plus, Kind::Minus, Kind::Mult}), element(var(c)), to(term, e, false));
  ir::Body inner;
  assign(inner, element(var(c)), to(value, e, false));
  if (rows) inner = ir::Body{loop(c, inner)};
  ir::Body turn;
  if (h && rng.chance(50)) assign(turn, name(*h), binary(Kind::Plus, name(*h), rng.chance(50) ? var(t) : int_const(1, Elem::Int64)));
  turn.push_back(located(std::make_shared<ir::PFor>(std::vector{r.id}, range, std::nullopt, std::move(inner))));
  if (h && rng.chance(50)) assign(turn, name(*h), binary(Kind::Mult, name(*h), int_const(2, Elem::Int64)));
  out.push_back(loop(t, turn));
  info_.has_pfor = true;
}

// y = sum(...) in any order, then s = s + x[i] in source order.
void FunctionGen::ordered_sum(ir::Body& out) {
  constexpr uint8_t any_order = ir::fastmath::Reassoc | ir::fastmath::Contract;
  if (!entry_ || parallel_ || in_section_ || all_loops_ > 0 || (m_.conv.fast_math & any_order)) throw Retry{};
  Variable* a = any([&](const Variable& x) {
    return x.type.is_array() && x.shape && readable(x) && !x.type.complex && ir::is_float(x.type.elem) &&
           (*x.shape)[0] > 0 && count(*x.shape) > 0;
  });
  if (!a) throw Retry{};
  const Elem e = a->type.elem;
  ExprPtr all = lib("sum", {moderate(e, a->shape, 0)});
  for (int k = 0; all->type.is_array() && k < a->type.rank; ++k) all = lib("sum", {all, int_const(k + m_.base())});
  if (all->type.is_array()) all = lib("scalar", {all});
  Variable& y = add(all->type, "y");
  y.exact = false;
  assign(out, name(y), all);
  Variable* s = any([&](const Variable& x) { return x.type == Type::scalar(e) && x.exact && !x.constant; });
  if (!s) s = &add(Type::scalar(e), "x");
  const Counter i = counter((*a->shape)[0]);
  ir::Body inner;
  assign(inner, name(*s), binary(Kind::Plus, name(*s), at(*a, {name(*i.variable)})));
  out.push_back(loop(i, inner));
}

// The sum of a product with a matrix whose rows overlap.
void FunctionGen::window_product(ir::Body& out) {
  if (!entry_ || parallel_ || in_section_) throw Retry{};
  Variable* w = any([](const Variable& x) { return x.window; });
  if (!w || count(*w->shape) == 0) throw Retry{};
  const Elem e = w->type.elem;
  const int64_t k = rng.range(1, 20);
  const bool left = rng.chance(50);
  ExprPtr other = moderate(e, left ? Shape{(*w->shape)[1], k} : Shape{k, (*w->shape)[0]}, 0);
  ExprPtr all = lib("mmult", left ? std::vector{name(*w), other} : std::vector{other, name(*w)});
  all = lib("sum", {all});
  if (all->type.is_array()) all = lib("scalar", {lib("sum", {all, int_const(1 + m_.base())})});
  Variable* y = any([&](const Variable& x) { return x.type == Type::scalar(e) && !x.exact && !x.constant; });
  if (!y) y = &add(Type::scalar(e), "y"), y->exact = false;
  assign(out, name(*y), to(all, e, false));
}

}  // namespace vr::smith
