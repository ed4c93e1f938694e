// Matrix products, and quotients by a matrix: BLAS and LAPACK through the runtime.
#include "lower/product.hpp"

#include "ir/library.hpp"
#include "ir/sharing.hpp"
#include "ir/typing.hpp"
#include "lower/array.hpp"
#include "lower/assign.hpp"
#include "lower/assign_array.hpp"
#include "lower/element_loops.hpp"
#include "lower/elementwise.hpp"
#include "lower/index.hpp"
#include "lower/ownership.hpp"
#include "loop/runtime_fn.hpp"
#include "lower/scalar.hpp"
#include "lower/storage.hpp"
#include "lower/variables.hpp"

namespace vr::lower {

using ir::Elem;
using ir::Layout;

struct Factors {
  Slot a, b;
  ir::Type type;
};

// Both operands in their common element type; those that have it already are not copied.
static Factors factors(Lowering& f, const ir::LibCall& c) {
  ir::Type common = ir::common_type(c.args[0]->type.element(), c.args[1]->type.element());
  if (common.elem == Elem::Bool) common.elem = Elem::Int32;
  if (!ir::calls(&c, ir::Lib::Mmult) && !ir::is_float(common.elem)) common.elem = Elem::Float64;
  auto operand = [&](const ir::ExprPtr& e) {
    if (e->type.elem == common.elem && e->type.complex == common.complex) return slot_to_read(f, e);
    ArrayGen g = convert(f.out, gen(f, e), common.elem, common.complex);
    return materialise(f, g, g.layout, VR_IN_ENGINE);
  };
  const Slot a = operand(c.args[0]), b = operand(c.args[1]);
  return {a, b,
          ir::Type::array(common.elem, c.type.rank, c.type.layout == Layout::Strided ? Layout::RowMajor : c.type.layout,
                          common.complex)};
}

ArrayGen product(Lowering& f, const ir::LibCall& c, int where) {
  const auto [a, b, type] = factors(f, c);
  // MATLAB's product scales by a single element where the shapes do not fit (vr_rt_mmult does); NumPy's does not.
  if (f.conv.mindims == 1 && a.type.rank == 2 && b.type.rank == 2)
    f.out.fail_if(f.x.ne(f.out.get(f.out.array(a.array).extent[1]), f.out.get(f.out.array(b.array).extent[0])),
                  Code::ShapeMismatch, "the inner extents of a matrix product do not agree");
  Slot r = new_slot(f.out, "product", type);
  f.own.temps.push_back(r.array);
  f.out.call(rt::Mmult,
             {f.out.site_arg(), f.out.in_array(a.array), f.out.in_array(b.array), f.out.out_array(r.array),
              f.out.layout_arg(type.layout), f.out.int_arg(where)},
             true);
  return made(f.out, r);
}

ArrayGen quotient(Lowering& f, const ir::LibCall& c, int where) {
  const auto [a, b, type] = factors(f, c);
  const bool left = ir::calls(&c, ir::Lib::Mldiv);
  Slot r = new_slot(f.out, "quotient", type);
  f.own.temps.push_back(r.array);
  auto solve = [&] {
    f.out.call(left ? rt::Solve : rt::SolveRight,
               {f.out.site_arg(), f.out.in_array(a.array), f.out.in_array(b.array), f.out.out_array(r.array),
                f.out.layout_arg(type.layout), f.out.int_arg(where)},
               true);
  };
  if (f.conv.mindims == 1) {
    solve();
    return made(f.out, r);
  }
  // MATLAB: a divisor of one element divides each element of the other operand.
  const ArrayGen by = leaf(f.out, left ? a : b, {}), of = leaf(f.out, left ? b : a, {});
  Block divide = f.out.collect([&] {
    f.out.call(
        rt::Alloc,
        {f.out.site_arg(), f.out.out_array(r.array), f.out.int_arg(int(type.elem) | (type.complex ? VR_COMPLEX : 0)),
         f.out.int_arg(type.rank), f.out.int64s_arg(of.extent), f.out.layout_arg(type.layout),
         f.out.int_arg(VR_FILL_NONE), f.out.int_arg(where)},
        true);
    ArrayGen each = of.derived();
    each.flat = nullptr;
    const ScalarValue d = f.out.keep(by.at({f.x.int_const(0), f.x.int_const(0)}));
    each.at = [&, type = type](const std::vector<ExprP>& i) {
      return binary(f.out, ir::Kind::Div, of.at(i), d, type.element());
    };
    fill(f, r, each);
  });
  f.out.emit(If{f.x.eq(total(f.out, by.extent), f.x.int_const(1)), std::move(divide), f.out.collect(solve)});
  return made(f.out, r);
}

namespace {

/// A variable, or a variable times a number: reading it has no effects and is no fault.
bool plain_term(const ir::ExprPtr& e) {
  if (e->kind == ir::Kind::Name) return true;
  auto number = [](const ir::ExprPtr& x) {
    return x->type.is_scalar() &&
           (x->kind == ir::Kind::Name || (x->kind == ir::Kind::FloatConst || x->kind == ir::Kind::IntConst));
  };
  auto* m = ir::as<ir::Mult>(e);
  return m &&
         ((number(m->lhs) && m->rhs->kind == ir::Kind::Name) || (number(m->rhs) && m->lhs->kind == ir::Kind::Name));
}

const ir::LibCall* matrix_product(const ir::ExprPtr& e) {
  auto* c = ir::as<ir::LibCall>(e);
  const bool is = c && ir::calls(c, ir::Lib::Mmult) && e->type.rank == 2 && ir::is_float(e->type.elem) &&
                  c->args[0]->type.is_array() && c->args[0]->type.rank == 2 && c->args[1]->type.is_array() &&
                  c->args[1]->type.rank == 2;
  return is && ir::common_type(c->args[0]->type.element(), c->args[1]->type.element()) == e->type.element() ? c
                                                                                                            : nullptr;
}

}  // namespace

// `c = c + a * b`, `c - a * b`, `2 * d + a * b`: gemm adds the product to the value of the other term, which is
// computed into the result first, possibly into c's old storage. If the shapes differ (one is broadcast), the
// expression is computed as written.
bool add_product(Lowering& f, Slot& to, const ir::ExprPtr& value, int where) {
  auto* plus = ir::as<ir::Plus>(value);
  auto* minus = ir::as<ir::Minus>(value);
  if ((!plus && !minus) || f.section.inside || f.section.in_function || f.out.fn.kind == Function::Kind::Kernel ||
      value->type.rank != 2)
    return false;
  const ir::ExprPtr &lhs = plus ? plus->lhs : minus->lhs, &rhs = plus ? plus->rhs : minus->rhs;
  const bool left = plus && matrix_product(lhs) && plain_term(rhs);
  const ir::LibCall* c = matrix_product(left ? lhs : rhs);
  const ir::ExprPtr& term = left ? rhs : lhs;
  if (!c || !plain_term(term) || !term->type.is_array() || term->type.rank != 2 || has_effects(f, value)) return false;
  for (const ir::Type& t : {to.type, value->type, term->type})
    if (t.elem != c->type.elem || t.complex != c->type.complex) return false;
  if (to.type.rank != 2) return false;

  const auto [a, b, type] = factors(f, *c);
  auto product = std::make_shared<ir::LibCall>(c->type, c->func, std::vector<ir::ExprPtr>{named(f, a), named(f, b)});
  f.library_calls.push_back(product);
  const ir::Type t = fresh_type(to.type, value->type);

  const ArrayVars &x = f.out.array(a.array), &y = f.out.array(b.array);
  const std::vector<ExprP> shape{f.out.get(x.extent[0]), f.out.get(y.extent[1])};
  ExprP fits = f.x.eq(f.out.get(x.extent[1]), f.out.get(y.extent[0]));
  ArrayGen rest = gen(f, term);
  for (size_t k = 0; k < 2; ++k) fits = f.x.both(fits, f.x.eq(rest.extent[k], shape[k]));
  bool read = false;  // whether a factor reads the target's old storage
  for (const ir::ExprPtr& arg : c->args)
    ir::walk_exprs(arg, [&](const ir::Expr& e) {
      const auto id = ir::named_variable(e);
      read = read || (id && slot(f, *id).array == to.array);
    });

  Block added = f.out.collect([&] {
    Slot s;
    if (!read) s = in_old_storage(f, to, rest, t, where);
    if (s.array == none) s = materialise(f, rest, t.layout, where);
    f.out.call(rt::Gemm,
               {f.out.site_arg(), f.out.in_array(a.array), f.out.in_array(b.array), f.out.in_array(s.array),
                f.out.int_arg(minus ? VR_INTO_SUBTRACT : VR_INTO_ADD)},
               true);
    move_array(f, to.array, s.array);
  });
  Block spread = f.out.collect([&] {
    const ir::ExprPtr first = left ? ir::ExprPtr(product) : term, second = left ? term : ir::ExprPtr(product);
    const ir::ExprPtr sum = plus ? ir::ExprPtr(std::make_shared<ir::Plus>(value->type, first, second))
                                 : std::make_shared<ir::Minus>(value->type, first, second);
    const Slot s = materialise(f, gen(f, sum), t.layout, where);
    move_array(f, to.array, s.array);
  });
  f.out.emit(If{f.x.not_(fits), std::move(spread), std::move(added), true});
  return true;
}

}  // namespace vr::lower
