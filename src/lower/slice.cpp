// Slices as values, and stores into them (thesis 4.3.2, 4.3.3). Where they lie: view.cpp.
#include "lower/function_lowering.hpp"

#include "ir/typing.hpp"
#include "lower/evaluation_order.hpp"
#include "lower/runtime_fn.hpp"
#include "runtime/abi.h"

#include <algorithm>

namespace vr::lower {

using ir::Layout;

ArrayGen FunctionLowering::view_gen(const View& v, const ir::Index& i) {
  ArrayGen g;
  g.elem = v.base.type.elem;
  g.complex = v.base.type.complex;
  g.extent = v.extent;
  g.layout = v.base.type.layout == Layout::ColMajor ? Layout::ColMajor : Layout::RowMajor;
  g.reads = {i.array};
  g.faults = !v.affine;
  if (v.affine) {
    g.leaves = {{v.data, v.extent, v.stride, ir::elem_bytes(g.elem) * (g.complex ? 2 : 1)}};
    g.leaves_known = true;
  }
  g.at = [v, this](const std::vector<ExprP>& index) {
    ExprP offset = v.address_offset(x_, index);
    return load(v.data, v.affine ? offset : keep(offset, "offset"), v.base.type.elem, v.base.type.complex);
  };
  return g;
}

Slot FunctionLowering::view_slot(const View& v, bool owned) {
  ir::Type t =
      ir::Type::array(v.base.type.elem, static_cast<int>(v.extent.size()), Layout::Strided, v.base.type.complex);
  Slot s = new_slot("view", t, owned);
  set(array(s.array).data, v.data);
  copy_flags(s.array, v.base.array);
  for (size_t k = 0; k < v.extent.size(); ++k) {
    set(array(s.array).extent[k], v.extent[k]);
    set(array(s.array).stride[k], v.stride[k]);
  }
  return s;
}

/// Whether the extents that are not 1 are the same ones in the same order.
ExprP FunctionLowering::agree_without_ones(const std::vector<ExprP>& a, const std::vector<ExprP>& b) {
  ExprP zero = x_.int_const(0), one = x_.int_const(1);
  // How many that are not 1 lie before each.
  auto places = [&](const std::vector<ExprP>& extents) {
    std::vector<ExprP> p = {zero};
    for (ExprP e : extents) p.push_back(keep(x_.add(p.back(), x_.select(x_.ne(e, one), one, zero)), "place"));
    return p;
  };
  const std::vector<ExprP> p = places(a), q = places(b);
  ExprP agree = x_.eq(p.back(), q.back());
  for (size_t j = 0; j < a.size(); ++j)
    for (size_t k = 0; k < b.size(); ++k) {
      ExprP other = x_.either(x_.ne(p[j], q[k]), x_.either(x_.eq(a[j], one), x_.eq(b[k], one)));
      agree = x_.both(agree, x_.either(other, x_.eq(a[j], b[k])));
    }
  return agree;
}

void FunctionLowering::write_slice(const ir::Index& i, const ir::ExprPtr& value) {
  const Slot s = slot(i.array);
  const bool complex = s.type.complex;
  if (!value->type.is_array()) {
    ScalarValue v = keep(convert(scalar(value), s.type.elem, complex));
    before_store(i.array, true);
    View to = view(i, true);
    loop_nest(to.extent, s.type.layout, to.affine, [&](const std::vector<ExprP>& index) { store_at(to, index, v); });
    return;
  }
  // The value comes before the subscripts.
  std::vector<ir::ExprPtr> operands = {value};
  for (const ir::Subscript& sub : i.subscripts) operands.push_back(sub.value);
  ArrayGen g = gen_in_order(*this, operands, 0);
  // Under sharing any array of the right side may be the target's storage; under value semantics only the target
  // itself.
  bool overlaps = false;
  for (ir::SymbolId id : g.reads) overlaps = overlaps || id == i.array || conv_.assign == ir::AssignMode::Share;
  if (overlaps && !g.costly && write_slice_directly(i, g)) return;
  // Faults of its elements come before the question whether the target may be stored to.
  const bool first = g.faults && conv_.assign == ir::AssignMode::Share;
  if (overlaps || g.costly || first) g = leaf(materialise(g, g.layout, 0), {});
  write_slice(i, g);
}

// NumPy's rules: the value's extents are the slice's, or 1 where they may spread out; aligned at the last dimension, or
// at the first.
void FunctionLowering::need_slice_shape(const ir::Index& i, const ArrayGen& g, const View& to) {
  const size_t shift = conv_.broadcast == ir::BroadcastMode::Leading ? 0 : to.extent.size() - g.extent.size();
  const bool spreads = conv_.broadcast != ir::BroadcastMode::None;
  ExprP bad = x_.bool_const(false);
  for (size_t k = 0; k < g.extent.size(); ++k) {
    ExprP differs = x_.ne(g.extent[k], to.extent[k + shift]);
    if (spreads) differs = x_.both(differs, x_.ne(g.extent[k], x_.int_const(1)));
    bad = x_.either(bad, differs);
  }
  need_shapes(x_.not_(bad), {&g}, "the shapes of the slice and of the value do not agree", name_of(i.array));
  need_elements(g, to.extent);
}

// The value's elements go to the slice, whose shape it has but for extents of 1.
void FunctionLowering::spread(const ArrayGen& g, const View& to) {
  const size_t shift = conv_.broadcast == ir::BroadcastMode::Leading ? 0 : to.extent.size() - g.extent.size();
  std::vector<ExprP> factor;  // 0 where an extent of 1 spreads out
  for (ExprP n : g.extent)
    factor.push_back(keep(x_.select(x_.eq(n, x_.int_const(1)), x_.int_const(0), x_.int_const(1)), "factor"));
  loop_nest(to.extent, to.base.type.layout, to.affine, [&](const std::vector<ExprP>& index) {
    std::vector<ExprP> from;
    for (size_t k = 0; k < g.extent.size(); ++k)
      from.push_back(is_int(g.extent[k], 1) ? x_.int_const(0) : x_.mul(index[k + shift], factor[k]));
    store_at(to, index, g.at(from));
  });
}

void FunctionLowering::store_at(const View& to, const std::vector<ExprP>& index, ScalarValue v) {
  ExprP o = to.address_offset(x_, index);
  store(to.data, to.affine ? o : keep(o, "offset"), v);
}

// NumPy's a[1:-1] = a[1:-1] + ...: no temporary when each array of the right side lies apart from the slice or is the
// very same elements, and nothing spreads out; that is seen at run time.
bool FunctionLowering::write_slice_directly(const ir::Index& i, const ArrayGen& given) {
  constexpr size_t most_leaves = 12;
  if (conv_.mindims == 2 || conv_.assign != ir::AssignMode::Share || !given.leaves_known || given.faults ||
      given.leaves.size() > most_leaves || fn_.kind == Function::Kind::Kernel)
    return false;
  for (size_t k = 0; k < i.subscripts.size(); ++k)
    if (may_grow(i, k)) return false;
  const Slot s = slot(i.array);
  const ArrayGen g = convert(given, s.type.elem, s.type.complex);
  if (flattens(i) || masks_all(i)) return false;
  // The slice's subscripts are looked at twice, and before the elements of the value.
  for (const ir::Subscript& sub : i.subscripts)
    if (sub.value->type.is_array() || has_effects(sub.value)) return false;
  if (!ir::is_float(given.elem)) return false;
  before_store(i.array, true);
  unique_.insert(i.array);
  View to = view(i, true);
  if (!to.affine || to.extent.size() != g.extent.size()) return false;
  const size_t rank = to.extent.size();
  ExprP ok = g.exact_if ? g.exact_if : x_.bool_const(true);
  for (size_t k = 0; k < rank; ++k) ok = x_.both(ok, x_.eq(g.extent[k], to.extent[k]));
  const ByteRange target = byte_range(to.data, to.extent, to.stride, element_bytes(s)->ival);
  std::vector<const ArrayGen::Leaf*> seen;
  auto same_leaf = [](const ArrayGen::Leaf& a, const ArrayGen::Leaf& b) {
    bool equal = same(a.data, b.data) && a.extent.size() == b.extent.size() && a.bytes == b.bytes;
    for (size_t k = 0; equal && k < a.extent.size(); ++k)
      equal = same(a.extent[k], b.extent[k]) && same(a.stride[k], b.stride[k]);
    return equal;
  };
  for (const ArrayGen::Leaf& l : g.leaves) {
    if (std::any_of(seen.begin(), seen.end(), [&](const auto* other) { return same_leaf(*other, l); })) continue;
    seen.push_back(&l);
    ExprP fine = disjoint(byte_range(l.data, l.extent, l.stride, l.bytes), target);
    if (l.aligned && l.extent.size() == rank) {
      ExprP same_place = x_.eq(l.data, to.data);
      for (size_t k = 0; k < rank; ++k)
        same_place = x_.both(same_place, x_.both(x_.eq(l.stride[k], to.stride[k]), x_.eq(l.extent[k], to.extent[k])));
      fine = x_.either(fine, same_place);
    }
    ok = x_.both(ok, fine);
  }
  Block direct = collect([&] {
    loop_nest(to.extent, s.type.layout, true, [&](const std::vector<ExprP>& index) {
      store(to.data, to.address_offset(x_, index), g.exact ? g.exact(index) : g.at(index));
    });
  });
  Block careful = collect([&] {
    // One loop for every case, and the runtime's copy or the device's.
    ArrayGen plain = g;
    plain.exact = nullptr;
    plain.exact_if = nullptr;
    Slot value = materialise(plain, g.layout, 0);
    need_slice_shape(i, g, to);
    if (in_section_)
      spread(leaf(value, {}), to);
    else
      call(rt::Assign, {site_arg(name_of(i.array)), in_array(value.array), in_array(view_slot(to, false).array)}, true);
  });
  emit(If{x_.not_(ok), std::move(careful), std::move(direct), true});
  return true;
}

void FunctionLowering::write_slice(const ir::Index& i, const ArrayGen& value) {
  const Slot s = slot(i.array);
  const bool complex = s.type.complex;
  ArrayGen g = value;
  before_store(i.array, true);
  grow_empty(i, g);
  View to = view(i, true);
  g = convert(g, s.type.elem, complex);

  // Extents must agree; those of the value that are 1 spread out as in an operation (not under MATLAB's rules, except
  // for one element).
  const size_t rank = to.extent.size();
  const bool matlab = conv_.mindims == 2;
  if (!matlab && g.extent.size() > rank) unsupported("a value of higher rank than the slice it is assigned to", i.pos);
  if (!matlab) {
    need_slice_shape(i, g, to);
    spread(g, to);
    return;
  }
  // MATLAB: dimensions of extent 1 do not count (of one subscript only the number of elements does), one element fills
  // the slice, and nothing goes into nothing. Both sides are walked in column-major order.
  ExprP zero = x_.int_const(0), one = x_.int_const(1);
  ExprP same_shape = x_.bool_const(g.extent.size() == rank);
  for (size_t k = 0; k < std::min(rank, g.extent.size()); ++k)
    same_shape = x_.both(same_shape, x_.eq(g.extent[k], to.extent[k]));
  same_shape = keep(same_shape, "same_shape");
  Block direct = collect([&] {
    if (g.extent.size() == rank)
      loop_nest(to.extent, Layout::ColMajor, to.affine,
                [&](const std::vector<ExprP>& index) { store_at(to, index, g.at(index)); });
  });
  if (is_true(same_shape)) {
    append(std::move(direct));
    return;
  }
  Block other = collect([&] {
    ExprP n = keep(total(to.extent), "n"), given = keep(total(g.extent), "given");
    ExprP single = keep(x_.eq(given, one), "single");
    ExprP fits = x_.eq(n, given);
    if (i.subscripts.size() > 1)
      fits = x_.both(fits, x_.either(x_.eq(n, zero), agree_without_ones(to.extent, g.extent)));
    need_shapes(x_.either(single, fits), {&g}, "the shapes of the slice and of the value do not agree",
                name_of(i.array));
    need_elements(g, to.extent);
    loop_nest(to.extent, Layout::ColMajor, to.affine, [&](const std::vector<ExprP>& index) {
      // The value's subscripts of this position.
      std::vector<ExprP> from;
      ExprP position = zero;
      for (size_t k = rank; k-- > 0;) position = x_.add(x_.mul(position, to.extent[k]), index[k]);
      ExprP rest = keep(x_.select(single, zero, position), "position");
      for (size_t k = 0; k < g.extent.size(); ++k) {
        if (k + 1 == g.extent.size()) {
          from.push_back(rest);
          break;
        }
        ExprP extent = x_.max(g.extent[k], one);
        from.push_back(x_.binary(Op::Rem, rest, extent));
        rest = keep(x_.binary(Op::Div, rest, extent), "rest");
      }
      store_at(to, index, g.at(from));
    });
  });
  emit(If{same_shape, std::move(direct), std::move(other)});
}

}  // namespace vr::lower
