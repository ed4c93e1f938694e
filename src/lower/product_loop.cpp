// Loops that are a matrix product (idiom recognition, past the thesis).
//
//   for i { for j { s = 0; for k { s += A[i,k] * B[k,j] }; C[i,j] = s } }
//   for i { for j { C[i,j] = 0 }; for k { f = A[i,k]; for j { C[i,j] += f * B[k,j] } } }
// and the like, in any order of the loops and with any of the matrices transposed, become one call of gemm where the
// module lets sums be added in another order (:fastmath reassoc contract). At run time every subscript has to be in
// bounds, C has to be disjoint from A and B and has to have a layout that gemm can store to, and the product has to be
// large enough for the call to pay; else the loops run as they are written.
#include "lower/product_loop.hpp"

#include "lower/domain.hpp"
#include "lower/index.hpp"
#include "lower/loop.hpp"
#include "loop/runtime_fn.hpp"
#include "lower/slice.hpp"
#include "lower/variables.hpp"
#include "lower/writable.hpp"

#include <velociraptor/ir/visit.hpp>

#include <algorithm>

namespace vr::lower {

using ir::Kind;

namespace {

/// Whether the inner loop's domain is the same for all iterations of the loop over `outer`.
bool same_for_all(const ir::For& inner, ir::SymbolId outer, const LoopInfo& facts) {
  bool same = inner.itervars[0] != outer;
  ir::walk_exprs(inner.domain, [&](const ir::Expr& e) {
    if (e.kind == ir::Kind::Index || e.kind == ir::Kind::LibCall || e.kind == ir::Kind::FnCall) same = false;
    if (auto* n = ir::as<ir::Name>(&e)) same = same && n->id != outer && !facts.assigned.count(n->id);
  });
  return same;
}


// Multiplications from which gemm is faster than the loops, side by side as they run (docs/performance.md).
constexpr int64_t least_work = 8000;

const ir::Assign* only_assign(const ir::StmtPtr& s) {
  auto* a = ir::as<ir::Assign>(s);
  return a && a->targets.size() == 1 ? a : nullptr;
}
const ir::For* plain_for(const ir::StmtPtr& s) {
  auto* f = ir::as<ir::For>(s);
  return f && f->itervars.size() == 1 ? f : nullptr;
}
bool is_zero(const ir::ExprPtr& e) {
  if (auto* c = ir::as<ir::FloatConst>(e)) return c->value == 0;
  if (auto* c = ir::as<ir::IntConst>(e)) return c->value == 0;
  if (auto* c = ir::as<ir::Cast>(e)) return is_zero(c->operand);
  return false;
}
/// Compares subscripts without their check attributes: the guard requires all of them to be in bounds.
bool same_place(const ir::Expr& a, const ir::Expr& b) {
  auto *x = ir::as<ir::Index>(&a), *y = ir::as<ir::Index>(&b);
  if (!x || !y) return ir::equal(a, b);
  return x->array == y->array &&
         std::equal(x->subscripts.begin(), x->subscripts.end(), y->subscripts.begin(), y->subscripts.end(),
                    [](const ir::Subscript& s, const ir::Subscript& t) { return ir::equal(*s.value, *t.value); });
}
bool same_place(const ir::ExprPtr& a, const ir::ExprPtr& b) { return same_place(*a, *b); }

}  // namespace

struct ProductLoop {
  const ir::For* loops[2] = {nullptr, nullptr};  ///< in the outer one, outermost first
  const ir::Index *a = nullptr, *b = nullptr, *c = nullptr;
  ir::SymbolId sum = none;     ///< scalar that holds an element of C while it is being computed; none: C itself does
  ir::SymbolId factor = none;  ///< scalar that holds an element of A or B for the innermost loop
  const ir::Index* held = nullptr;  ///< that element
  const ir::For* zero = nullptr;    ///< sets a row or a column of C to zero before the sums
  bool from_zero = false;           ///< else added to (subtracted from) what C holds
  bool subtract = false;

  /// value is `target +- a * b`.
  bool step(const ir::ExprPtr& target, const ir::ExprPtr& value) {
    auto* plus = ir::as<ir::Plus>(value);
    auto* minus = ir::as<ir::Minus>(value);
    if (!plus && !minus) return false;
    const ir::ExprPtr &lhs = plus ? plus->lhs : minus->lhs, &rhs = plus ? plus->rhs : minus->rhs;
    const bool first = same_place(lhs, target);
    if (!first && !(plus && same_place(rhs, target))) return false;
    auto* m = ir::as<ir::Mult>(first ? rhs : lhs);
    auto element = [&](const ir::ExprPtr& e) {
      auto* n = ir::as<ir::Name>(e);
      return n && n->id == factor ? held : ir::as<ir::Index>(e);
    };
    a = m ? element(m->lhs) : nullptr;
    b = m ? element(m->rhs) : nullptr;
    subtract = minus != nullptr;
    return a && b;
  }
  bool match(const ir::Body& body) {
    // Descends to the innermost loop; the statements around it are the start and the end of a sum.
    if (body.empty() || body.size() > 2 || !(loops[0] = plain_for(body.back()))) return false;
    if (body.size() == 2 && !(zero = plain_for(body[0]))) return false;
    const ir::Body* at = &loops[0]->body;
    const auto inner = std::find_if(at->begin(), at->end(), [](const auto& s) { return plain_for(s) != nullptr; });
    if (inner == at->end()) return false;
    loops[1] = plain_for(*inner);
    if (loops[1]->body.size() != 1) return false;
    const ir::Assign* add = only_assign(loops[1]->body[0]);
    if (!add) return false;
    const ir::ExprPtr& target = add->targets[0];
    const auto before = inner - at->begin(), after = at->end() - inner - 1;
    const ir::Assign* start = before == 1 ? only_assign((*at)[0]) : nullptr;
    if (before > 1 || (before == 1 && !start)) return false;
    if (start && start->targets[0]->kind == Kind::Name && target->kind == Kind::Index) {
      factor = static_cast<const ir::Name&>(*start->targets[0]).id;
      held = ir::as<ir::Index>(start->value);
      start = nullptr;
    }
    if (start && !same_place(start->targets[0], target)) return false;
    if (!step(target, add->value)) return false;
    if (factor != none && (a == held) == (b == held)) return false;
    if (auto* name = ir::as<ir::Name>(target)) {
      const ir::Assign* end = after == 1 && !zero ? only_assign(at->back()) : nullptr;
      if (!start || !end || !same_place(end->value, target)) return false;
      sum = name->id;
      c = ir::as<ir::Index>(end->targets[0]);
      from_zero = is_zero(start->value);
      return c && (from_zero || same_place(start->value, end->targets[0]));
    }
    c = ir::as<ir::Index>(target);
    if (!c || after != 0 || (start && (zero || !is_zero(start->value)))) return false;
    from_zero = start || zero;
    return !zero || zeroes();
  }
  /// The loop of zeros runs over the same elements as the one along C's rows or columns.
  bool zeroes() const {
    const ir::Assign* set = zero->body.size() == 1 ? only_assign(zero->body[0]) : nullptr;
    const ir::Index* to = set ? ir::as<ir::Index>(set->targets[0]) : nullptr;
    if (!to || !is_zero(set->value)) return false;
    // The same target with the same variable.
    for (const ir::For* l : loops)
      if (l->itervars == zero->itervars && ir::equal(*l->domain, *zero->domain)) return same_place(*to, *c);
    return false;
  }
};

bool product_loop(Lowering& f, const LoopDim& d, const LoopInfo& facts, const ir::Body& body,
                  const std::function<void()>& as_written) {
  constexpr uint8_t needed = ir::fastmath::Reassoc | ir::fastmath::Contract;
  if ((f.conv.fast_math & needed) != needed || f.section.inside || !f.facts.alias.flag || facts.assigned.count(d.id))
    return false;
  ProductLoop p;
  if (!p.match(body)) return false;
  for (const ir::For* l : p.loops)
    if (!same_for_all(*l, d.id, facts)) return false;
  const ir::SymbolId vars[] = {d.id, p.loops[0]->itervars[0], p.loops[1]->itervars[0]};
  if (vars[0] == vars[1] || vars[0] == vars[2] || vars[1] == vars[2]) return false;

  // Which loop runs along which dimension.
  struct Place {
    int loop[2];
  };
  auto place = [&](const ir::Index& i) -> std::optional<Place> {
    const ir::Type& t = slot(f, i.array).type;
    if (slot(f, i.array).array == none || t.rank != 2 || t.complex || !ir::is_float(t.elem) ||
        i.subscripts.size() != 2 || !all_scalar(f, i) || !f.facts.alias.sets.count(i.array) ||
        !(t.element() == slot(f, p.c->array).type.element()))
      return {};
    Place r{};
    for (int k = 0; k < 2; ++k) {
      const ir::Expr* e = i.subscripts[static_cast<size_t>(k)].value.get();
      while (auto* cast = ir::as<ir::Cast>(e)) e = cast->operand.get();
      auto* n = ir::as<ir::Name>(e);
      const auto v = n ? std::find(vars, vars + 3, n->id) : vars + 3;
      if (v == vars + 3) return {};
      r.loop[k] = static_cast<int>(v - vars);
    }
    if (r.loop[0] == r.loop[1]) return {};
    return r;
  };
  auto pa = place(*p.a), pb = place(*p.b), pc = place(*p.c);
  if (!pa || !pb || !pc || p.c->array == p.a->array || p.c->array == p.b->array) return false;
  const int row = pc->loop[0], column = pc->loop[1], along = 3 - row - column;
  auto uses = [](const Place& q, int loop) { return q.loop[0] == loop || q.loop[1] == loop; };
  if (uses(*pa, column)) {
    std::swap(p.a, p.b);
    std::swap(pa, pb);
  }
  if (!uses(*pa, row) || !uses(*pa, along) || !uses(*pb, along) || !uses(*pb, column)) return false;
  // The loop over the sum has to be the innermost one if the sum is started or kept in a scalar around it; it must not
  // be the outermost one if a whole row or column is set to zero first.
  if (p.zero ? along == 0 : (p.from_zero || p.sum != none) && along != 2) return false;
  // A value loaded before the innermost loop must be invariant in it.
  if (p.factor != none &&
      (uses(p.held == p.a ? *pa : *pb, 2) || !(slot(f, p.factor).type == slot(f, p.c->array).type.element())))
    return false;
  if (p.sum != none && !(slot(f, p.sum).type == slot(f, p.c->array).type.element())) return false;
  if (f.conv.assign == ir::AssignMode::Copy && !f.facts.unique.count(p.c->array)) return false;

  std::vector<LoopDim> dims = {d};
  for (const ir::For* l : p.loops) dims.push_back(loop_dims(f, l->itervars, l->domain)[0]);
  ExprP guard = f.facts.alias.flag, work = f.x.int_const(1);
  for (const LoopDim& l : dims) {
    if (!l.integral || !is_int(l.int_step, 1)) return false;
    // Counts are clipped to 2^20, so that their product does not overflow; larger ones are enough work in any case.
    guard = f.x.both(guard, f.x.gt(l.count, f.x.int_const(0)));
    work = f.x.mul(work, f.x.min(l.count, f.x.int_const(int64_t{1} << 20)));
  }
  guard = f.x.both(guard, f.x.ge(work, f.x.int_const(least_work)));
  if (!f.facts.unique.count(p.c->array))
    guard = f.x.both(guard, f.x.not_(is_read_only(f.out, slot(f, p.c->array).array)));
  auto first = [&](int loop) {
    return f.x.sub(dims[static_cast<size_t>(loop)].int_start, f.x.int_const(f.conv.indexing));
  };
  struct Matrix {
    const ir::Index* index;
    Place at;
    int rows, columns;
  };
  const Matrix matrices[] = {{p.a, *pa, row, along}, {p.b, *pb, along, column}, {p.c, *pc, row, column}};
  for (const Matrix& m : matrices)
    for (int k = 0; k < 2; ++k) {
      const int loop = m.at.loop[k];
      const ExprP extent = f.out.get(f.out.array(slot(f, m.index->array).array).extent[static_cast<size_t>(k)]);
      guard = f.x.both(guard, f.x.ge(first(loop), f.x.int_const(0)));
      // No sum that may overflow: count <= extent - first.
      guard = f.x.both(guard, f.x.le(dims[static_cast<size_t>(loop)].count, f.x.sub(extent, first(loop))));
    }
  const Slot to = slot(f, p.c->array);
  if (to.type.layout == ir::Layout::Strided) {
    // Rows or columns must be contiguous and must not overlap.
    auto lies = [&](int fast) {
      const ExprP bytes = element_bytes(f.out, to), near = stride(f.out, to, fast), far = stride(f.out, to, 1 - fast);
      return f.x.both(f.x.eq(near, bytes),
                      f.x.ge(far, f.x.mul(f.out.get(f.out.array(to.array).extent[static_cast<size_t>(fast)]), bytes)));
    };
    guard = f.x.both(guard, f.x.either(lies(0), lies(1)));
  }
  if (is_false(guard)) return false;

  Block call_gemm = f.out.collect([&] {
    const Restore ints(f.facts.ints);
    auto part = [&](const Matrix& m) {
      View v;
      v.base = slot(f, m.index->array);
      v.data = f.out.get(f.out.array(v.base.array).data);
      v.extent.resize(2);
      v.stride.resize(2);
      for (int k = 0; k < 2; ++k) {
        const int loop = m.at.loop[k];
        const size_t as = loop == m.rows ? 0 : 1;
        v.data = f.x.offset(v.data, f.x.mul(first(loop), stride(f.out, v.base, k)));
        v.extent[as] = dims[static_cast<size_t>(loop)].count;
        v.stride[as] = stride(f.out, v.base, k);
      }
      return view_slot(f.out, v, false);
    };
    const Slot a = part(matrices[0]), b = part(matrices[1]), c = part(matrices[2]);
    f.out.call(rt::Gemm,
               {f.out.site_arg(), f.out.in_array(a.array), f.out.in_array(b.array), f.out.in_array(c.array),
                f.out.int_arg(p.subtract ? (p.from_zero ? VR_INTO_NEGATED : VR_INTO_SUBTRACT)
                                         : (p.from_zero ? VR_INTO_EMPTY : VR_INTO_ADD))},
               true);
    // The variables get the values of the last iteration.
    for (const LoopDim& l : dims) loop_variable(f, l, f.x.sub(l.count, f.x.int_const(1)), false);
    auto last_element = [&](ir::SymbolId variable, const ir::Index& of, const Place& place) {
      const Slot from = slot(f, of.array);
      std::vector<ExprP> index;
      for (int k = 0; k < 2; ++k) {
        const size_t loop = static_cast<size_t>(place.loop[k]);
        const ExprP last = f.x.add(first(place.loop[k]), f.x.sub(dims[loop].count, f.x.int_const(1)));
        index.push_back(last);
      }
      f.out.set(slot(f, variable).var, load(f.out, f.out.get(f.out.array(from.array).data),
                                            f.x.at(index, strides(f.out, from)), from.type.elem, false)
                                           .re);
    };
    if (p.sum != none) last_element(p.sum, *p.c, *pc);
    if (p.factor != none) last_element(p.factor, *p.held, p.held == p.a ? *pa : *pb);
  });
  Block loops = f.out.collect([&] {
    const Restore ints(f.facts.ints);
    as_written();
  });
  f.out.emit(If{guard, std::move(call_gemm), std::move(loops)});
  return true;
}

}  // namespace vr::lower
