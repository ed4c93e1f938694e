// Slices as values, and stores into them (thesis 4.3.2, 4.3.3). Positions of their elements: view.cpp.
#include "lower/slice.hpp"

#include "ir/typing.hpp"
#include "lower/array.hpp"
#include "lower/element_loops.hpp"
#include "loop/byte_range.hpp"
#include "lower/elementwise.hpp"
#include "lower/evaluation_order.hpp"
#include "lower/index.hpp"
#include "lower/mask.hpp"
#include "lower/ownership.hpp"
#include "loop/runtime_fn.hpp"
#include "lower/scalar.hpp"
#include "lower/storage.hpp"
#include "lower/variables.hpp"
#include "lower/view.hpp"
#include "lower/writable.hpp"
#include "runtime/abi.h"

#include <algorithm>

namespace vr::lower {

using ir::Layout;

static void store_at(Emitter& out, const View& to, const std::vector<ExprP>& index, ScalarValue v);
static bool write_slice_directly(Lowering& f, const ir::Index& i, const ArrayGen& given);

ArrayGen view_gen(Emitter& out, const View& v, const ir::Index& i) {
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
  g.at = [v, &out](const std::vector<ExprP>& index) {
    ExprP offset = v.address_offset(out.x, index);
    return load(out, v.data, v.affine ? offset : out.keep(offset, "offset"), v.base.type.elem, v.base.type.complex);
  };
  return g;
}

Slot view_slot(Emitter& out, const View& v, bool owned) {
  ir::Type t =
      ir::Type::array(v.base.type.elem, static_cast<int>(v.extent.size()), Layout::Strided, v.base.type.complex);
  Slot s = new_slot(out, "view", t, owned);
  out.set(out.array(s.array).data, v.data);
  copy_flags(out, s.array, v.base.array);
  for (size_t k = 0; k < v.extent.size(); ++k) {
    out.set(out.array(s.array).extent[k], v.extent[k]);
    out.set(out.array(s.array).stride[k], v.stride[k]);
  }
  return s;
}

/// Whether the extents that are not 1 are the same ones in the same order.
static ExprP agree_without_ones(Emitter& out, const std::vector<ExprP>& a, const std::vector<ExprP>& b) {
  ExprP zero = out.x.int_const(0), one = out.x.int_const(1);
  // How many extents other than 1 precede each extent.
  auto places = [&](const std::vector<ExprP>& extents) {
    std::vector<ExprP> p = {zero};
    for (ExprP e : extents)
      p.push_back(out.keep(out.x.add(p.back(), out.x.select(out.x.ne(e, one), one, zero)), "place"));
    return p;
  };
  const std::vector<ExprP> p = places(a), q = places(b);
  ExprP agree = out.x.eq(p.back(), q.back());
  for (size_t j = 0; j < a.size(); ++j)
    for (size_t k = 0; k < b.size(); ++k) {
      ExprP other = out.x.either(out.x.ne(p[j], q[k]), out.x.either(out.x.eq(a[j], one), out.x.eq(b[k], one)));
      agree = out.x.both(agree, out.x.either(other, out.x.eq(a[j], b[k])));
    }
  return agree;
}

void write_slice(Lowering& f, const ir::Index& i, const ir::ExprPtr& value) {
  const Slot s = slot(f, i.array);
  const bool complex = s.type.complex;
  if (!value->type.is_array()) {
    ScalarValue v = f.out.keep(convert(f.out, scalar(f, value), s.type.elem, complex));
    before_store(f, i.array, true);
    View to = view(f, i, true);
    loop_nest(f, to.extent, s.type.layout, to.affine,
              [&](const std::vector<ExprP>& index) { store_at(f.out, to, index, v); });
    return;
  }
  // The value is evaluated before the subscripts.
  std::vector<ir::ExprPtr> operands = {value};
  for (const ir::Subscript& sub : i.subscripts) operands.push_back(sub.value);
  ArrayGen g = gen_in_order(f, operands, 0);
  // Under reference semantics any array of the right side may share the target's storage; under value semantics only
  // the target itself does.
  bool overlaps = false;
  for (ir::SymbolId id : g.reads) overlaps = overlaps || id == i.array || f.conv.assign == ir::AssignMode::Share;
  if (overlaps && !g.costly && write_slice_directly(f, i, g)) return;
  // Faults of the value's elements come before the check that the target is writable.
  const bool first = g.faults && f.conv.assign == ir::AssignMode::Share;
  if (overlaps || g.costly || first) g = leaf(f.out, materialise(f, g, g.layout, 0), {});
  write_slice(f, i, g);
}

// NumPy's rules: the value's extents are the slice's, or 1 where they may be broadcast; aligned at the last dimension, or
// at the first.
static void need_slice_shape(Lowering& f, const ir::Index& i, const ArrayGen& g, const View& to) {
  const size_t shift = f.conv.broadcast == ir::BroadcastMode::Leading ? 0 : to.extent.size() - g.extent.size();
  const bool broadcasts = f.conv.broadcast != ir::BroadcastMode::None;
  ExprP bad = f.x.bool_const(false);
  for (size_t k = 0; k < g.extent.size(); ++k) {
    ExprP differs = f.x.ne(g.extent[k], to.extent[k + shift]);
    if (broadcasts) differs = f.x.both(differs, f.x.ne(g.extent[k], f.x.int_const(1)));
    bad = f.x.either(bad, differs);
  }
  need_shapes(f, f.x.not_(bad), {&g}, "the shapes of the slice and of the value do not agree", name_of(f, i.array));
  need_elements(f, g, to.extent);
}

// Stores the value's elements to the slice, whose shape it has except for extents of 1.
static void broadcast(Lowering& f, const ArrayGen& g, const View& to) {
  const size_t shift = f.conv.broadcast == ir::BroadcastMode::Leading ? 0 : to.extent.size() - g.extent.size();
  std::vector<ExprP> factor;  // 0 where an extent of 1 is broadcast
  for (ExprP n : g.extent)
    factor.push_back(f.out.keep(f.x.select(f.x.eq(n, f.x.int_const(1)), f.x.int_const(0), f.x.int_const(1)), "factor"));
  loop_nest(f, to.extent, to.base.type.layout, to.affine, [&](const std::vector<ExprP>& index) {
    std::vector<ExprP> from;
    for (size_t k = 0; k < g.extent.size(); ++k)
      from.push_back(is_int(g.extent[k], 1) ? f.x.int_const(0) : f.x.mul(index[k + shift], factor[k]));
    store_at(f.out, to, index, g.at(from));
  });
}

static void store_at(Emitter& out, const View& to, const std::vector<ExprP>& index, ScalarValue v) {
  ExprP o = to.address_offset(out.x, index);
  store(out, to.data, to.affine ? o : out.keep(o, "offset"), v);
}

// NumPy's a[1:-1] = a[1:-1] + ...: no temporary if each array of the right side is either disjoint from the slice or
// consists of exactly the same elements, and nothing is broadcast; tested at run time.
static bool write_slice_directly(Lowering& f, const ir::Index& i, const ArrayGen& given) {
  constexpr size_t most_leaves = 12;
  if (f.conv.mindims == 2 || f.conv.assign != ir::AssignMode::Share || !given.leaves_known || given.faults ||
      given.leaves.size() > most_leaves || f.out.fn.kind == Function::Kind::Kernel)
    return false;
  for (size_t k = 0; k < i.subscripts.size(); ++k)
    if (may_grow(f, i, k)) return false;
  const Slot s = slot(f, i.array);
  const ArrayGen g = convert(f.out, given, s.type.elem, s.type.complex);
  if (flattens(f, i) || masks_all(f, i)) return false;
  // The slice's subscripts are evaluated twice, and before the elements of the value.
  for (const ir::Subscript& sub : i.subscripts)
    if (sub.value->type.is_array() || has_effects(f, sub.value)) return false;
  if (!ir::is_float(given.elem)) return false;
  before_store(f, i.array, true);
  f.facts.unique.insert(i.array);
  View to = view(f, i, true);
  if (!to.affine || to.extent.size() != g.extent.size()) return false;
  const size_t rank = to.extent.size();
  ExprP ok = g.exact_if ? g.exact_if : f.x.bool_const(true);
  for (size_t k = 0; k < rank; ++k) ok = f.x.both(ok, f.x.eq(g.extent[k], to.extent[k]));
  const ByteRange target = byte_range(f.out, to.data, to.extent, to.stride, element_bytes(f.out, s)->ival);
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
    ExprP fine = disjoint(f.out, byte_range(f.out, l.data, l.extent, l.stride, l.bytes), target);
    if (l.aligned && l.extent.size() == rank) {
      ExprP same_place = f.x.eq(l.data, to.data);
      for (size_t k = 0; k < rank; ++k)
        same_place =
            f.x.both(same_place, f.x.both(f.x.eq(l.stride[k], to.stride[k]), f.x.eq(l.extent[k], to.extent[k])));
      fine = f.x.either(fine, same_place);
    }
    ok = f.x.both(ok, fine);
  }
  Block direct = f.out.collect([&] {
    loop_nest(f, to.extent, s.type.layout, true, [&](const std::vector<ExprP>& index) {
      store(f.out, to.data, to.address_offset(f.x, index), g.exact ? g.exact(index) : g.at(index));
    });
  });
  Block careful = f.out.collect([&] {
    // One loop into a temporary for all cases, then a copy by the runtime or on the device.
    ArrayGen plain = g;
    plain.exact = nullptr;
    plain.exact_if = nullptr;
    Slot value = materialise(f, plain, g.layout, 0);
    need_slice_shape(f, i, g, to);
    if (f.section.inside)
      broadcast(f, leaf(f.out, value, {}), to);
    else
      f.out.call(rt::Assign,
                 {f.out.site_arg(name_of(f, i.array)), f.out.in_array(value.array),
                  f.out.in_array(view_slot(f.out, to, false).array)},
                 true);
  });
  f.out.emit(If{f.x.not_(ok), std::move(careful), std::move(direct), true});
  return true;
}

void write_slice(Lowering& f, const ir::Index& i, const ArrayGen& value) {
  const Slot s = slot(f, i.array);
  const bool complex = s.type.complex;
  ArrayGen g = value;
  before_store(f, i.array, true);
  grow_empty(f, i, g);
  View to = view(f, i, true);
  g = convert(f.out, g, s.type.elem, complex);

  // Extents must agree; those of the value that are 1 are broadcast as in an operation (not under MATLAB's rules, except
  // for one element).
  const size_t rank = to.extent.size();
  const bool matlab = f.conv.mindims == 2;
  if (!matlab && g.extent.size() > rank)
    f.out.unsupported("a value of higher rank than the slice it is assigned to", i.pos);
  if (!matlab) {
    need_slice_shape(f, i, g, to);
    broadcast(f, g, to);
    return;
  }
  // MATLAB: dimensions of extent 1 are ignored (with one subscript only the number of elements matters), one element
  // fills the slice, and an empty value fits an empty slice. Both sides are traversed in column-major order.
  ExprP zero = f.x.int_const(0), one = f.x.int_const(1);
  ExprP same_shape = f.x.bool_const(g.extent.size() == rank);
  for (size_t k = 0; k < std::min(rank, g.extent.size()); ++k)
    same_shape = f.x.both(same_shape, f.x.eq(g.extent[k], to.extent[k]));
  same_shape = f.out.keep(same_shape, "same_shape");
  Block direct = f.out.collect([&] {
    if (g.extent.size() == rank)
      loop_nest(f, to.extent, Layout::ColMajor, to.affine,
                [&](const std::vector<ExprP>& index) { store_at(f.out, to, index, g.at(index)); });
  });
  if (is_true(same_shape)) {
    f.out.append(std::move(direct));
    return;
  }
  Block other = f.out.collect([&] {
    ExprP n = f.out.keep(total(f.out, to.extent), "n"), given = f.out.keep(total(f.out, g.extent), "given");
    ExprP single = f.out.keep(f.x.eq(given, one), "single");
    ExprP fits = f.x.eq(n, given);
    if (i.subscripts.size() > 1)
      fits = f.x.both(fits, f.x.either(f.x.eq(n, zero), agree_without_ones(f.out, to.extent, g.extent)));
    need_shapes(f, f.x.either(single, fits), {&g}, "the shapes of the slice and of the value do not agree",
                name_of(f, i.array));
    need_elements(f, g, to.extent);
    loop_nest(f, to.extent, Layout::ColMajor, to.affine, [&](const std::vector<ExprP>& index) {
      // The value's subscripts for this position.
      std::vector<ExprP> from;
      ExprP position = zero;
      for (size_t k = rank; k-- > 0;) position = f.x.add(f.x.mul(position, to.extent[k]), index[k]);
      ExprP rest = f.out.keep(f.x.select(single, zero, position), "position");
      for (size_t k = 0; k < g.extent.size(); ++k) {
        if (k + 1 == g.extent.size()) {
          from.push_back(rest);
          break;
        }
        ExprP extent = f.x.max(g.extent[k], one);
        from.push_back(f.x.binary(Op::Rem, rest, extent));
        rest = f.out.keep(f.x.binary(Op::Div, rest, extent), "rest");
      }
      store_at(f.out, to, index, g.at(from));
    });
  });
  f.out.emit(If{same_shape, std::move(direct), std::move(other)});
}

}  // namespace vr::lower
