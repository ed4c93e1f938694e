#include "lower/broadcast.hpp"

#include "lower/array.hpp"
#include "lower/element_loops.hpp"
#include "lower/elementwise.hpp"
#include "lower/evaluation_order.hpp"
#include "lower/scalar.hpp"
#include "lower/storage.hpp"

#include <algorithm>

namespace vr::lower {
namespace {

/// An operand: an array, or a scalar, which is broadcast.
struct Part {
  bool is_array;
  ArrayGen gen;
  ScalarValue value;
  size_t first_axis = 0;  ///< axis of the result to which the array's first axis corresponds
  /// Along each axis 1, or 0 where an extent of 1 is broadcast. The subscript is multiplied by it; a select instead
  /// would make addresses no longer affine in the loop variables.
  std::vector<ExprP> factor;
  size_t rank() const { return gen.extent.size(); }
};
using Parts = std::vector<Part>;

// Evaluates the operands and aligns them at the last dimension (NumPy) or the first (MATLAB).
Parts compute(Lowering& f, const std::vector<ir::ExprPtr>& args) {
  Parts operands;
  size_t rank = 0;
  for (size_t k = 0; k < args.size(); ++k) {
    Part o{args[k]->type.is_array(), {}, {}, 0, {}};
    if (o.is_array) {
      o.gen = gen_in_order(f, args, k);
      if (o.gen.costly) o.gen = leaf(f.out, materialise(f, o.gen, o.gen.layout, VR_IN_ENGINE), {});
      rank = std::max(rank, o.rank());
    } else {
      o.value = f.out.keep(scalar(f, args[k]));
    }
    operands.push_back(std::move(o));
  }
  if (f.conv.broadcast == ir::BroadcastMode::Trailing)
    for (Part& o : operands) o.first_axis = o.is_array ? rank - o.rank() : 0;
  return operands;
}

/// Computes the result's extents: those of the operands are equal, or 1 and broadcast. Returns the condition for that.
ExprP agreed_extents(Lowering& f, const Parts& operands, std::vector<ExprP>& extent) {
  const bool broadcasts = f.conv.broadcast != ir::BroadcastMode::None;
  ExprP one = f.x.int_const(1), agree = f.x.bool_const(true);
  for (const Part& o : operands) {
    if (!o.is_array) continue;
    extent.resize(std::max(extent.size(), o.first_axis + o.rank()), nullptr);
    for (size_t k = 0; k < o.rank(); ++k) {
      ExprP &e = extent[k + o.first_axis], n = o.gen.extent[k];
      if (!e) {
        e = n;
        continue;
      }
      if (same(e, n)) continue;
      ExprP equal = f.x.eq(e, n);
      agree = f.x.both(agree, broadcasts ? f.x.either(equal, f.x.either(f.x.eq(e, one), f.x.eq(n, one))) : equal);
      if (broadcasts) e = f.out.keep(f.x.select(f.x.eq(e, one), n, e), "extent");
    }
  }
  for (ExprP& e : extent)
    if (!e) e = one;
  return agree;
}

/// The condition under which elements have linear positions: every array has exactly the result's shape, and all have
/// the same memory order. Null: never.
ExprP same_shapes(Lowering& f, const Parts& operands, ArrayGen& g) {
  const size_t rank = g.extent.size();
  bool first = true;
  ExprP plain = f.x.bool_const(true);
  for (const Part& o : operands) {
    if (!o.is_array) continue;
    if (first) g.layout = o.gen.layout;
    first = false;
    if (!o.gen.flat || o.rank() != rank || (o.gen.layout != g.layout && rank != 1)) return nullptr;
    plain = f.x.both(plain, o.gen.flat_if);
    for (size_t k = 0; k < rank; ++k) plain = f.x.both(plain, f.x.eq(o.gen.extent[k], g.extent[k]));
  }
  return plain;
}

/// Sets the factors. Returns the condition that nothing is broadcast.
ExprP set_factors(Lowering& f, Parts& operands, const std::vector<ExprP>& extent) {
  ExprP exact = f.x.bool_const(true), zero = f.x.int_const(0), one = f.x.int_const(1);
  for (Part& o : operands) {
    if (!o.is_array) continue;
    for (size_t k = 0; k < o.rank(); ++k) {
      ExprP n = o.gen.extent[k], whole = extent[k + o.first_axis], factor = one;
      if (is_int(n, 1)) {
        factor = zero;
      } else if (!same(n, whole)) {
        factor = f.out.keep(f.x.select(f.x.eq(n, one), zero, one), "factor");
        exact = f.x.both(exact, f.x.eq(n, whole));
      }
      o.factor.push_back(factor);
    }
    if (o.gen.exact_if) exact = f.x.both(exact, o.gen.exact_if);
  }
  return exact;
}

/// The operand's element; exactly: nothing is broadcast.
ScalarValue element(Exprs& x, const Part& o, const std::vector<ExprP>& index, bool exactly) {
  if (!o.is_array) return o.value;
  std::vector<ExprP> at;
  for (size_t k = 0; k < o.rank(); ++k) {
    ExprP i = index[k + o.first_axis];
    at.push_back(exactly && !is_int(o.factor[k], 0) ? i : x.mul(i, o.factor[k]));
  }
  return exactly && o.gen.exact ? o.gen.exact(at) : o.gen.at(at);
}

}  // namespace

ArrayGen elementwise(Lowering& f, const std::vector<ir::ExprPtr>& args, const ir::Type& result,
                     std::function<ScalarValue(const std::vector<ScalarValue>&)> combine) {
  auto operands = std::make_shared<Parts>(compute(f, args));
  ArrayGen g;
  g.elem = result.elem;
  g.complex = result.complex;
  ExprP agree = agreed_extents(f, *operands, g.extent);
  std::vector<const ArrayGen*> values;
  g.leaves_known = true;
  for (const Part& o : *operands) {
    if (!o.is_array) continue;
    values.push_back(&o.gen);
    g.reads.insert(g.reads.end(), o.gen.reads.begin(), o.gen.reads.end());
    g.faults = g.faults || o.gen.faults;
    g.leaves_known = g.leaves_known && o.gen.leaves_known;
    for (ArrayGen::Leaf leaf : o.gen.leaves) {
      leaf.aligned = leaf.aligned && o.gen.rank() == g.rank();
      g.leaves.push_back(std::move(leaf));
    }
  }
  need_shapes(f, agree, values, "the shapes of the operands do not agree", {});
  for (const ArrayGen* v : values) need_elements(f, *v, g.extent);
  ExprP plain = same_shapes(f, *operands, g);
  ExprP exact = set_factors(f, *operands, g.extent);
  auto with = [=, &f](auto element) {
    std::vector<ScalarValue> values;
    for (const Part& o : *operands) values.push_back(element(o));
    return convert(f.out, combine(values), result.elem, result.complex);
  };
  auto at = [=, &f](bool exactly) {
    return [=, &f](const std::vector<ExprP>& index) {
      return with([&](const Part& o) { return element(f.x, o, index, exactly); });
    };
  };
  g.at = at(false);
  if (!is_true(exact)) {
    g.exact = at(true);
    g.exact_if = f.out.keep(exact, "no_broadcast");
  }
  if (plain) {
    g.flat_if = f.out.keep(plain, "same_shapes");
    g.flat = [=](ExprP p) { return with([&](const Part& o) { return o.is_array ? o.gen.flat(p) : o.value; }); };
  }
  return g;
}

}  // namespace vr::lower
