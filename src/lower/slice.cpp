// Subscripts with ranges and arrays: views, gathers, slice assignment (thesis 4.3.2, 4.3.3).
#include "lower/function_lowering.hpp"

#include "ir/typing.hpp"
#include "lower/runtime_fn.hpp"
#include "runtime/abi.h"

#include <algorithm>

namespace vr::lower {

using ir::Layout;

ExprP FunctionLowering::View::address_offset(Exprs& x, const std::vector<ExprP>& index) const {
  if (!affine) return offset(index);
  ExprP o = x.int_const(0);
  for (size_t k = 0; k < index.size(); ++k) o = x.add(o, x.mul(index[k], stride[k]));
  return o;
}

// A stop with a fraction (1:n/2) ends at the last whole step before it; `whole` tells whether it had none.
ExprP FunctionLowering::range_stop(const ir::ExprPtr& e, ExprP down, ExprP* whole) {
  *whole = x_.bool_const(true);
  if (ExprP k = int_form(*e)) return keep(k, "stop");
  ScalarValue v = scalar(e);
  if (!ir::is_float(v.elem)) return keep(x_.convert(v.re, Scalar::Int64), "stop");
  ExprP d = keep(v.re, "stop");
  fail_if(x_.ne(d, d), Code::Type, "the stop of a range is not a number");
  ExprP rounded = keep(x_.select(down, x_.math(MathFn::Ceil, d), x_.math(MathFn::Floor, d)), "stop");
  *whole = keep(x_.eq(rounded, d), "whole");
  return keep(x_.convert(rounded, Scalar::Int64), "stop");
}

FunctionLowering::RangeValue FunctionLowering::int_range(const ir::Range& r, ExprP extent, const std::string& array,
                                                         int axis) {
  ExprP base = x_.int_const(conv_.indexing), one = x_.int_const(1), zero = x_.int_const(0);
  ExprP step = r.step ? keep(int_value(r.step, "the step of a range"), "step") : one;
  fail_if(x_.eq(step, zero), Code::Size, "the step of a range is zero", array, axis, step, extent);
  ExprP down = keep(x_.lt(step, zero), "down");
  ExprP last = x_.sub(x_.add(base, extent), one);
  ExprP start = r.start ? int_value(r.start, "the start of a range") : x_.select(down, last, base);
  start = keep(start, "start");
  ExprP whole = x_.bool_const(false), stop;
  if (r.stop) {
    stop = range_stop(r.stop, down, &whole);
    if (!r.exclude.value_or(conv_.exclude)) whole = x_.bool_const(false);
  } else {
    stop = keep(x_.select(down, base, last), "stop");
  }
  // count = floor((stop - start) / step) + 1, one less where stop itself is excluded.
  ExprP span = x_.sub(stop, start);
  span = x_.select(whole, x_.select(down, x_.add(span, one), x_.sub(span, one)), span);
  ExprP count;
  if (is_int(step, 1)) {
    count = x_.max(x_.add(span, one), zero);
  } else {
    span = keep(span, "span");
    ExprP runs = x_.either(x_.both(x_.not_(down), x_.ge(span, zero)), x_.both(down, x_.le(span, zero)));
    // The step is not zero here; a backend that computes both sides of a select must not divide by it either.
    ExprP divisor = is_const(step) ? step : x_.select(x_.eq(step, zero), one, step);
    count = x_.select(runs, x_.add(x_.binary(Op::Div, span, divisor), one), zero);
  }
  return {start, step, keep(count, "count")};
}

FunctionLowering::RangeValue FunctionLowering::subscript_range(const ir::Index& i, size_t k, ExprP extent, int axis,
                                                               bool write) {
  const ir::Subscript& s = i.subscripts[k];
  const auto& r = static_cast<const ir::Range&>(*s.value);
  ExprP zero = x_.int_const(0), one = x_.int_const(1), base = x_.int_const(conv_.indexing);
  if (!r.start && !r.stop && !r.step) return {zero, one, extent};
  RangeValue v;
  if (s.negative) {
    // NumPy's slices: bounds below zero count from the end, then both are clipped to the array.
    ExprP step = r.step ? keep(int_value(r.step, "the step of a range"), "step") : one;
    ExprP down = keep(x_.lt(step, zero), "down");
    auto wrapped = [&](const ir::ExprPtr& e) {
      ExprP n = keep(x_.sub(int_value(e, "a bound of a range"), base), "bound");
      return keep(x_.select(x_.lt(n, zero), x_.add(n, extent), n), "bound");
    };
    ExprP low = x_.select(down, x_.int_const(-1), zero), high = x_.select(down, x_.sub(extent, one), extent);
    auto clip = [&](ExprP n) { return keep(x_.max(x_.min(n, high), low), "bound"); };
    ExprP start = r.start ? clip(wrapped(r.start)) : keep(x_.select(down, x_.sub(extent, one), zero), "start");
    ExprP stop;
    const bool exclude = r.exclude.value_or(conv_.exclude);
    if (r.stop) {
      ExprP whole;
      stop = keep(x_.sub(range_stop(r.stop, down, &whole), base), "stop");
      stop = keep(x_.select(x_.lt(stop, zero), x_.add(stop, extent), stop), "stop");
      ExprP included = exclude ? x_.not_(whole) : x_.bool_const(true);
      stop = x_.select(included, x_.select(down, x_.sub(stop, one), x_.add(stop, one)), stop);
      stop = clip(keep(stop, "stop"));
    } else {
      stop = x_.select(down, x_.int_const(-1), extent);
    }
    ExprP span = keep(x_.select(down, x_.sub(start, stop), x_.sub(stop, start)), "span");
    ExprP size = keep(x_.select(down, x_.neg(step), step), "size");
    fail_if(x_.eq(size, zero), Code::Size, "the step of a range is zero", name_of(i.array), axis);
    ExprP safe = x_.select(x_.eq(size, zero), one, size);
    ExprP count = x_.select(x_.gt(span, zero), x_.add(x_.binary(Op::Div, x_.sub(span, one), safe), one), zero);
    return {start, step, keep(count, "count")};
  }
  v = int_range(r, extent, name_of(i.array), axis);
  ExprP start = v.start;
  v.start = keep(x_.sub(v.start, base), "start");
  ExprP some = keep(x_.gt(v.count, zero), "some");
  ExprP end = keep(x_.add(v.start, x_.mul(x_.sub(v.count, one), v.step)), "end");
  const bool low = s.minbounds || m_.options.force_checks, high = s.maxbounds || m_.options.force_checks;
  const std::string& name = name_of(i.array);
  if (low) {
    fail_if(x_.both(some, x_.lt(v.start, zero)), Code::OutOfBounds, "", name, axis, start, extent);
    fail_if(x_.both(some, x_.lt(end, zero)), Code::OutOfBounds, "", name, axis, x_.add(end, base), extent);
  }
  if (high && !(write && may_grow(i, k))) {
    fail_if(x_.both(some, x_.ge(v.start, extent)), Code::OutOfBounds, "", name, axis, start, extent);
    fail_if(x_.both(some, x_.ge(end, extent)), Code::OutOfBounds, "", name, axis, x_.add(end, base), extent);
  }
  return v;
}

// The subscripts in an array: integers as they are, the positions of the true elements of a mask.
Slot FunctionLowering::index_list(const ir::ExprPtr& e, ExprP extent, const std::string& array_name, int axis) {
  Slot list = slot_of_array(e, VR_IN_ENGINE);
  if (e->type.elem != ir::Elem::Bool) return list;
  const bool matlab = conv_.mindims == 2;
  if (!matlab) {
    if (e->type.rank != 1) unsupported("a mask over several dimensions", e->pos);
    ExprP n = get(array(list.array).extent[0]);
    fail_if(x_.ne(n, extent), Code::ShapeMismatch, "the mask and the dimension differ in extent", array_name, axis, n,
            extent);
  }
  return find(list, matlab ? 2 : 1);
}

// Positions count in row-major order, under MATLAB's rules in column-major order.
Slot FunctionLowering::find(const Slot& in, int rank) {
  return find(in, rank, conv_.mindims == 2 ? Layout::ColMajor : Layout::RowMajor);
}

Slot FunctionLowering::find(const Slot& in, int rank, Layout order) {
  Slot r = new_slot("found", ir::Type::array(ir::Elem::Int64, rank, order));
  call(rt::Find,
       {site_arg(), in_array(in.array), out_array(r.array), scalar_arg(x_.int_const(conv_.indexing)), int_arg(rank),
        int_arg(order == Layout::ColMajor ? VR_COLMAJOR : VR_ROWMAJOR),
        int_arg(order == Layout::ColMajor ? VR_COLMAJOR : VR_ROWMAJOR), int_arg(VR_IN_ENGINE)},
       true);
  temps_.push_back(r.array);
  return r;
}

// NumPy's A[mask] with a mask over all dimensions: the chosen elements in row-major order.
bool FunctionLowering::masks_all(const ir::Index& i) const {
  if (conv_.mindims == 2 || i.subscripts.size() != 1) return false;
  const ir::Type& t = i.subscripts[0].value->type;
  return t.is_array() && t.elem == ir::Elem::Bool && t.rank > 1 && t.rank == source_.symbols.at(i.array).type.rank;
}

FunctionLowering::View FunctionLowering::mask_view(const ir::Index& i) {
  View v;
  v.base = slot(i.array);
  const Slot s = v.base;
  const std::string& name = name_of(i.array);
  Slot mask = slot_of_array(i.subscripts[0].value, VR_IN_ENGINE);
  std::vector<ExprP> extents;
  for (size_t k = 0; k < array(s.array).extent.size(); ++k) {
    extents.push_back(get(array(s.array).extent[k]));
    fail_if(x_.ne(get(array(mask.array).extent[k]), extents[k]), Code::ShapeMismatch,
            "the mask and the array differ in shape", name, static_cast<int>(k), get(array(mask.array).extent[k]),
            extents[k]);
  }
  Slot list = find(mask, 1, Layout::RowMajor);
  v.affine = false;
  v.data = get(array(s.array).data);
  v.extent = {get(array(list.array).extent[0])};
  v.stride = {x_.int_const(0)};
  v.offset = [=, this](const std::vector<ExprP>& index) {
    ScalarValue at = load(get(array(list.array).data), x_.mul(index[0], x_.int_const(8)), ir::Elem::Int64, false);
    ExprP rest = keep(x_.sub(at.re, x_.int_const(conv_.indexing)), "p");
    ExprP offset = x_.int_const(0);
    // A position exists only when no extent is zero.
    for (size_t k = extents.size(); k-- > 0;) {
      ExprP n = x_.max(extents[k], x_.int_const(1));
      offset = x_.add(offset, x_.mul(k ? x_.binary(Op::Rem, rest, n) : rest, stride(s, static_cast<int>(k))));
      if (k) rest = keep(x_.binary(Op::Div, rest, n), "p");
    }
    return offset;
  };
  return v;
}

// One subscript over all dimensions of a matrix (x(2:2:20), table(idx), A(:)): MATLAB's orientation rules.
FunctionLowering::View FunctionLowering::flat_view(const ir::Index& i, bool write) {
  View v;
  v.base = slot(i.array);
  const Slot s = v.base;
  const std::string& name = name_of(i.array);
  const bool listed = i.subscripts[0].value->type.is_array();
  if ((s.type.layout == Layout::Strided && !listed) || i.subscripts.size() != 1)
    unsupported("flattened slices of '" + name + "' with this layout or number of subscripts", i.pos);
  std::vector<ExprP> extents;
  for (VarId e : array(s.array).extent) extents.push_back(get(e));
  ExprP count = keep(rest_product(extents), "count"), one = x_.int_const(1);
  ExprP bytes = element_bytes(s);
  v.data = get(array(s.array).data);
  const ir::Subscript& sub = i.subscripts[0];
  const bool two = i.type.is_array() && i.type.rank == 2;
  auto vector_shape = [&](ExprP n, bool whole) {
    // A column stays a column and A(:) always is one; everything else gives a row.
    ExprP column =
        whole ? x_.bool_const(true) : keep(x_.both(x_.eq(extents[1], one), x_.ne(extents[0], one)), "column");
    if (!two || s.type.rank != 2) {
      v.extent = {n};
      return column;
    }
    v.extent = {keep(x_.select(column, n, one), "rows"), keep(x_.select(column, one, n), "columns")};
    return column;
  };
  if (auto* r = ir::as<ir::Range>(sub.value)) {
    const bool whole = !r->start && !r->step && !r->stop;
    if (write && may_grow(i, 0) && !whole) {
      RangeValue range = int_range(*r, count, name, 0);
      ExprP end =
          x_.add(x_.sub(range.start, x_.int_const(conv_.indexing)), x_.mul(x_.sub(range.count, one), range.step));
      ExprP needed = keep(x_.add(x_.max(end, x_.sub(range.start, x_.int_const(conv_.indexing))), one), "needed");
      emit(If{x_.both(x_.gt(range.count, x_.int_const(0)), x_.gt(needed, count)),
              collect([&] { grow_linear(i, {needed}); }),
              {},
              true});
      v.data = get(array(s.array).data);
    }
    RangeValue range = subscript_range(i, 0, count, 0, write);
    vector_shape(range.count, whole);
    v.data = keep(x_.offset(v.data, x_.mul(range.start, bytes)), "view");
    ExprP step = keep(x_.mul(range.step, bytes), "step");
    v.stride.assign(v.extent.size(), step);  // the other extent is 1
    return v;
  }
  Slot list = index_list(sub.value, count, name, 0);
  v.affine = false;
  std::vector<ExprP> list_extent;
  for (VarId e : array(list.array).extent) list_extent.push_back(get(e));
  ExprP n = keep(rest_product(list_extent), "n");
  if (two && list.type.rank == 2 && s.type.rank == 2) {
    // The result has the shape of the subscript, but a vector indexed by a vector keeps its own direction.
    auto is_vector = [&](ExprP a, ExprP b) { return x_.either(x_.eq(a, one), x_.eq(b, one)); };
    ExprP both = keep(x_.both(is_vector(extents[0], extents[1]), is_vector(list_extent[0], list_extent[1])), "vectors");
    ExprP column = keep(x_.ne(extents[0], one), "column");
    v.extent = {keep(x_.select(both, x_.select(column, n, one), list_extent[0]), "rows"),
                keep(x_.select(both, x_.select(column, one, n), list_extent[1]), "columns")};
  } else {
    v.extent = list_extent;
  }
  if (list.type.layout == Layout::Strided) list = materialise(leaf(list, {}), Layout::ColMajor, 0);
  const bool column_order = list.type.layout == Layout::ColMajor;
  auto extent = v.extent;
  // Positions count in the order of the array's layout; those of a mask over all dimensions, and of an array without a
  // layout, as the conventions say.
  const Layout linear_order = conv_.mindims == 2 ? Layout::ColMajor : Layout::RowMajor;
  const bool mask = sub.value->type.elem == ir::Elem::Bool && sub.value->type.rank == s.type.rank;
  const bool apart = s.type.layout == Layout::Strided || (mask && s.type.layout != linear_order);
  v.offset = [=, this](const std::vector<ExprP>& index) {
    ExprP linear = x_.int_const(0);
    for (size_t step = 0; step < index.size(); ++step) {
      size_t k = column_order ? index.size() - 1 - step : step;
      linear = x_.add(x_.mul(linear, extent[k]), index[k]);
    }
    ScalarValue at = load(get(array(list.array).data), x_.mul(linear, element_bytes(list)), list.type.elem, false);
    ExprP p = position(sub, keep(to_int64(at, "a subscript"), "i"), count, name, 0);
    if (!apart) return x_.mul(p, bytes);
    ExprP offset = x_.int_const(0), rest = keep(p, "p");
    for (size_t step = 0; step < extents.size(); ++step) {
      const size_t k = linear_order == Layout::ColMajor ? step : extents.size() - 1 - step;
      const bool last = step + 1 == extents.size();
      ExprP n = x_.max(extents[k], one);  // there is no position where an extent is zero
      offset = x_.add(offset, x_.mul(last ? rest : x_.binary(Op::Rem, rest, n), stride(s, static_cast<int>(k))));
      if (!last) rest = keep(x_.binary(Op::Div, rest, n), "p");
    }
    return offset;
  };
  return v;
}

FunctionLowering::View FunctionLowering::view(const ir::Index& i, bool write) {
  if (masks_all(i)) return mask_view(i);
  if (flattens(i)) return flat_view(i, write);
  View v;
  v.base = slot(i.array);
  const Slot s = v.base;
  const std::string& name = name_of(i.array);
  const size_t given = i.subscripts.size(), rank = s.type.rank;
  if (given > rank) unsupported("more subscripts than dimensions of '" + name + "'", i.pos);
  // Under MATLAB's conventions a scalar subscript keeps its dimension with extent 1, but for trailing ones past the
  // second.
  const bool keep_dims = conv_.mindims == 2;
  size_t kept = 2;
  for (size_t k = 0; k < given; ++k)
    if (i.subscripts[k].value->kind == ir::Kind::Range || !i.subscripts[k].value->type.is_scalar())
      kept = std::max(kept, k + 1);

  // Subscripts of a store that may grow, as they are before it does.
  std::vector<ExprP> numbers(given, nullptr);
  std::vector<std::optional<RangeValue>> ranges(given);
  if (write) {
    bool grows = false;
    for (size_t k = 0; k < given; ++k) grows = grows || may_grow(i, k);
    if (grows && given == rank) {
      ExprP outside = x_.bool_const(false), base = x_.int_const(conv_.indexing), one = x_.int_const(1);
      std::vector<ExprP> needed;
      for (size_t k = 0; k < given; ++k) {
        ExprP extent = get(array(s.array).extent[k]);
        const ir::Subscript& sub = i.subscripts[k];
        ExprP need = extent;
        if (auto* r = ir::as<ir::Range>(sub.value)) {
          if (r->start || r->stop || r->step) {
            RangeValue range = subscript_range(i, k, extent, static_cast<int>(k), true);
            range = {temp(range.start, "start"), temp(range.step, "step"), temp(range.count, "count")};
            ExprP end = keep(x_.add(range.start, x_.mul(x_.sub(range.count, one), range.step)), "end");
            need = x_.select(x_.gt(range.count, x_.int_const(0)), x_.add(x_.max(range.start, end), one), extent);
            ranges[k] = range;
          }
        } else if (sub.value->type.is_scalar()) {
          numbers[k] = temp(int_value(sub.value, "a subscript"), "i");
          need = x_.add(x_.sub(numbers[k], base), one);
        }
        needed.push_back(keep(need, "needed"));
        if (may_grow(i, k)) outside = x_.either(outside, x_.gt(needed[k], extent));
      }
      emit(If{outside, collect([&] { grow_to(i, needed); }), {}, true});
    }
  }

  ExprP start = x_.int_const(0);
  struct Gather {
    Slot list;
    const ir::Subscript* sub;
    int axis;
    size_t first, count;
  };
  std::vector<Gather> gathers;
  for (size_t k = 0; k < rank; ++k) {
    ExprP extent = get(array(s.array).extent[k]), step_bytes = stride(s, static_cast<int>(k));
    if (k >= given) {
      v.extent.push_back(extent);
      v.stride.push_back(step_bytes);
      continue;
    }
    const ir::Subscript& sub = i.subscripts[k];
    if (sub.value->kind == ir::Kind::Range) {
      RangeValue range = ranges[k] ? *ranges[k] : subscript_range(i, k, extent, static_cast<int>(k), write);
      start = x_.add(start, x_.mul(range.start, step_bytes));
      v.extent.push_back(range.count);
      v.stride.push_back(keep(x_.mul(range.step, step_bytes), "step"));
    } else if (sub.value->type.is_scalar()) {
      ExprP number = numbers[k] ? numbers[k] : int_value(sub.value, "a subscript");
      ExprP p = position(sub, number, extent, name, static_cast<int>(k));
      start = x_.add(start, x_.mul(p, step_bytes));
      if (keep_dims && k < kept) {
        v.extent.push_back(x_.int_const(1));
        v.stride.push_back(step_bytes);
      }
    } else if (sub.value->type.is_array()) {
      Slot list = index_list(sub.value, extent, name, static_cast<int>(k));
      v.affine = false;
      if (list.type.layout == Layout::Strided) list = materialise(leaf(list, {}), Layout::RowMajor, 0);
      std::vector<ExprP> list_extent;
      for (VarId e : array(list.array).extent) list_extent.push_back(get(e));
      const size_t first = v.extent.size();
      if (keep_dims) {
        v.extent.push_back(keep(rest_product(list_extent), "n"));
        v.stride.push_back(step_bytes);
        gathers.push_back({list, &sub, static_cast<int>(k), first, 1});
      } else {
        if (!gathers.empty()) unsupported("two array subscripts of '" + name + "'", i.pos);
        for (ExprP e : list_extent) {
          v.extent.push_back(e);
          v.stride.push_back(step_bytes);
        }
        gathers.push_back({list, &sub, static_cast<int>(k), first, list_extent.size()});
      }
    } else {
      unsupported("a subscript of type " + sub.value->type.text(), i.pos);
    }
  }
  v.data = x_.offset(get(array(s.array).data), start);
  if (v.data->kind != Expr::Kind::Var) v.data = temp(v.data, "view");
  if (v.affine) return v;

  auto strides = v.stride;
  v.offset = [=, this](const std::vector<ExprP>& index) {
    std::vector<bool> done(index.size(), false);
    ExprP o = x_.int_const(0);
    for (const Gather& g : gathers) {
      ExprP linear = x_.int_const(0);
      for (size_t q = 0; q < g.count; ++q) {
        done[g.first + q] = true;
        size_t k = q;
        ExprP n = get(array(g.list.array).extent[g.count == 1 ? 0 : k]);
        linear = g.count == 1 ? index[g.first] : x_.add(x_.mul(linear, n), index[g.first + k]);
      }
      // A list of more dimensions counts in its own order; row-major here, column-major when it is so.
      if (g.count > 1 && g.list.type.layout == Layout::ColMajor) {
        linear = x_.int_const(0);
        for (size_t q = g.count; q-- > 0;)
          linear = x_.add(x_.mul(linear, get(array(g.list.array).extent[q])), index[g.first + q]);
      }
      ScalarValue at =
          load(get(array(g.list.array).data), x_.mul(linear, element_bytes(g.list)), g.list.type.elem, false);
      ExprP extent = get(array(s.array).extent[g.axis]);
      ExprP p = position(*g.sub, keep(to_int64(at, "a subscript"), "i"), extent, name, g.axis);
      o = x_.add(o, x_.mul(p, strides[g.first]));
    }
    for (size_t k = 0; k < index.size(); ++k)
      if (!done[k]) o = x_.add(o, x_.mul(index[k], strides[k]));
    return o;
  };
  return v;
}

ArrayGen FunctionLowering::view_gen(const View& v, const ir::Index& i) {
  ArrayGen g;
  g.elem = v.base.type.elem;
  g.complex = v.base.type.complex;
  g.extent = v.extent;
  g.layout = v.base.type.layout == Layout::ColMajor ? Layout::ColMajor : Layout::RowMajor;
  g.reads = {i.array};
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
    make_unique(i.array);
    View to = view(i, true);
    loop_nest(to.extent, s.type.layout, to.affine, [&](const std::vector<ExprP>& index) {
      ExprP o = to.address_offset(x_, index);
      store(to.data, to.affine ? o : keep(o, "offset"), v);
    });
    return;
  }
  ArrayGen g = gen(value);
  // Under sharing any array of the right side may be the target's storage; under value semantics only the target
  // itself.
  bool overlaps = false;
  for (ir::SymbolId id : g.reads) overlaps = overlaps || id == i.array || conv_.assign == ir::AssignMode::Share;
  if (overlaps && !g.costly && write_slice_directly(i, g)) return;
  if (overlaps || g.costly) g = leaf(materialise(g, g.layout, 0), {});
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
  fail_if(bad, Code::ShapeMismatch, "the shapes of the slice and of the value do not agree", name_of(i.array));
}

// NumPy's a[1:-1] = a[1:-1] + ...: no temporary when each array of the right side lies apart from the slice or is the
// very same elements, and nothing spreads out; that is seen at run time.
bool FunctionLowering::write_slice_directly(const ir::Index& i, const ArrayGen& given) {
  constexpr size_t most_leaves = 12;
  if (conv_.mindims == 2 || conv_.assign != ir::AssignMode::Share || !given.leaves_known ||
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
  View to = view(i, true);
  if (!to.affine || to.extent.size() != g.extent.size()) return false;
  const size_t rank = to.extent.size();
  ExprP ok = g.exact_if ? g.exact_if : x_.bool_const(true);
  for (size_t k = 0; k < rank; ++k) ok = x_.both(ok, x_.eq(g.extent[k], to.extent[k]));
  auto [to_low, to_high] = byte_range(to.data, to.extent, to.stride, element_bytes(s)->ival);
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
    auto [low, high] = byte_range(l.data, l.extent, l.stride, l.bytes);
    ExprP fine = x_.either(x_.le(high, to_low), x_.le(to_high, low));
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
    // One loop for every case, and the runtime's copy.
    ArrayGen plain = g;
    plain.exact = nullptr;
    plain.exact_if = nullptr;
    Slot value = materialise(plain, g.layout, 0);
    need_slice_shape(i, g, to);
    call(rt::Assign, {site_arg(name_of(i.array)), in_array(value.array), in_array(view_slot(to, false).array)}, true);
  });
  emit(If{x_.not_(ok), std::move(careful), std::move(direct), true});
  return true;
}

void FunctionLowering::write_slice(const ir::Index& i, const ArrayGen& value) {
  const Slot s = slot(i.array);
  const bool complex = s.type.complex;
  ArrayGen g = value;
  make_unique(i.array);
  View to = view(i, true);
  g = convert(g, s.type.elem, complex);

  // Extents must agree; those of the value that are 1 spread out as in an operation (not under MATLAB's rules, except
  // for one element).
  const size_t rank = to.extent.size();
  const bool matlab = conv_.mindims == 2;
  if (!matlab && g.extent.size() > rank) unsupported("a value of higher rank than the slice it is assigned to", i.pos);
  auto store_at = [&](const std::vector<ExprP>& index, ScalarValue v) {
    ExprP o = to.address_offset(x_, index);
    store(to.data, to.affine ? o : keep(o, "offset"), v);
  };
  if (!matlab) {
    const size_t shift = conv_.broadcast == ir::BroadcastMode::Leading ? 0 : rank - g.extent.size();
    need_slice_shape(i, g, to);
    std::vector<ExprP> factor;  // 0 where an extent of 1 spreads out
    for (ExprP n : g.extent)
      factor.push_back(keep(x_.select(x_.eq(n, x_.int_const(1)), x_.int_const(0), x_.int_const(1)), "factor"));
    loop_nest(to.extent, s.type.layout, to.affine, [&](const std::vector<ExprP>& index) {
      std::vector<ExprP> from;
      for (size_t k = 0; k < g.extent.size(); ++k)
        from.push_back(is_int(g.extent[k], 1) ? x_.int_const(0) : x_.mul(index[k + shift], factor[k]));
      store_at(index, g.at(from));
    });
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
                [&](const std::vector<ExprP>& index) { store_at(index, g.at(index)); });
  });
  if (is_true(same_shape)) {
    for (Stmt& st : direct) block_->push_back(std::move(st));
    return;
  }
  Block other = collect([&] {
    ExprP n = keep(total(to.extent), "n"), given = keep(total(g.extent), "given");
    ExprP single = keep(x_.eq(given, one), "single");
    ExprP fits = x_.eq(n, given);
    if (i.subscripts.size() > 1)
      fits = x_.both(fits, x_.either(x_.eq(n, zero), agree_without_ones(to.extent, g.extent)));
    fail_if(x_.not_(x_.either(single, fits)), Code::ShapeMismatch,
            "the shapes of the slice and of the value do not agree", name_of(i.array));
    VarId count = new_var("position", Scalar::Int64);
    set(count, zero);
    loop_nest(to.extent, Layout::ColMajor, false, [&](const std::vector<ExprP>& index) {
      // The value's subscripts of this position.
      std::vector<ExprP> from;
      ExprP rest = x_.select(single, zero, get(count));
      for (size_t k = 0; k < g.extent.size(); ++k) {
        if (k + 1 == g.extent.size()) {
          from.push_back(rest);
          break;
        }
        ExprP extent = x_.max(g.extent[k], one);
        from.push_back(x_.binary(Op::Rem, rest, extent));
        rest = keep(x_.binary(Op::Div, rest, extent), "rest");
      }
      store_at(index, g.at(from));
      set(count, x_.add(get(count), one));
    });
  });
  emit(If{same_shape, std::move(direct), std::move(other)});
}

}  // namespace vr::lower
