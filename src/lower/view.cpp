// Where the elements lie that subscripts with ranges and arrays select (thesis 4.3.2, 4.3.3).
#include "lower/function_lowering.hpp"

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

// The subscripts in an array: integers as they are, the positions of the true elements of a mask.
Slot FunctionLowering::index_list(const Slot& list, ExprP extent, const std::string& array_name, int axis) {
  if (list.type.elem != ir::Elem::Bool) return list;
  const bool matlab = conv_.mindims == 2;
  if (!matlab) {
    std::vector<ExprP> extents;
    for (VarId v : array(list.array).extent) extents.push_back(get(v));
    ExprP n = keep(rest_product(extents), "n");
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
        layout_arg(order), layout_arg(order), int_arg(VR_IN_ENGINE)},
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
    return apart(s, 0, Layout::RowMajor, x_.sub(at.re, x_.int_const(conv_.indexing)));
  };
  return v;
}

// ---------------------------------------------------------------- the axes of a view

// One subscript against the extent of its dimension, or of the remaining ones as one.
struct FunctionLowering::Axis {
  enum class Kind : uint8_t { Number, Range, List } kind = Kind::Range;
  const ir::Subscript* sub = nullptr;  ///< null: a dimension that no subscript names
  int axis = 0;
  ExprP extent = nullptr;
  ExprP bytes = nullptr;             ///< from one position to the next; null: positions are taken apart (`apart`)
  std::optional<ScalarValue> value;  ///< the number before it is known to be an integer
  ExprP number = nullptr;
  RangeValue range{};
  Slot list;
  bool read = false;           ///< the list holds what read_list() says
  bool positions = false;      ///< the list holds checked 0-based positions
  bool column = false;         ///< its dimensions count in column-major order
  size_t first = 0, dims = 0;  ///< its dimensions of the result
};

// Bytes from element (0,...,0) to linear position `p` over the dimensions from `from` on, in this order.
ExprP FunctionLowering::apart(const Slot& s, size_t from, Layout order, ExprP p) {
  const size_t rank = static_cast<size_t>(s.type.rank);
  ExprP offset = x_.int_const(0), rest = keep(p, "p");
  for (size_t step = 0; step < rank - from; ++step) {
    const size_t k = order == Layout::ColMajor ? from + step : rank - 1 - step;
    const bool last = step + 1 == rank - from;
    // There is no position where an extent is zero.
    ExprP n = x_.max(get(array(s.array).extent[k]), x_.int_const(1));
    offset = x_.add(offset, x_.mul(last ? rest : x_.binary(Op::Rem, rest, n), stride(s, static_cast<int>(k))));
    if (!last) rest = keep(x_.binary(Op::Div, rest, n), "p");
  }
  return offset;
}

ExprP FunctionLowering::list_element(const Axis& a, ExprP n) {
  ScalarValue at = load(get(array(a.list.array).data), x_.mul(n, element_bytes(a.list)), a.list.type.elem, false);
  return to_int64(at, "a subscript");
}

// The numbers of an array subscript (a mask: its positions) in storage without gaps, and how many.
void FunctionLowering::read_list(Axis& a, const std::string& name, ExprP extent) {
  a.list = index_list(a.list, extent, name, a.axis);
  const Layout wanted = conv_.mindims == 2 ? Layout::ColMajor : a.list.type.layout;
  if (a.list.type.layout == Layout::Strided || (a.list.type.rank > 1 && a.list.type.layout != wanted))
    a.list = materialise(leaf(a.list, {}), wanted == Layout::ColMajor ? wanted : Layout::RowMajor, 0);
  a.read = true;
}

// Every subscript of the list is looked at before anything is stored, or where the slice may turn out to be empty.
void FunctionLowering::check_list(Axis& a, const std::string& name) {
  std::vector<ExprP> extents;
  for (VarId e : array(a.list.array).extent) extents.push_back(get(e));
  ExprP n = keep(rest_product(extents), "n");
  Slot positions = alloc(ir::Type::array(ir::Elem::Int64, 1, Layout::RowMajor), {n}, VR_FILL_NONE, VR_IN_ENGINE);
  loop_nest({n}, Layout::RowMajor, false, [&](const std::vector<ExprP>& k) {
    ExprP p = position(*a.sub, keep(list_element(a, k[0]), "i"), a.extent, name, a.axis);
    store(get(array(positions.array).data), x_.mul(k[0], x_.int_const(8)), {p, nullptr, ir::Elem::Int64});
  });
  a.list = positions;
  a.positions = true;
}

// Growth before a store: the subscripts, as they are before it, say how far each dimension must reach.
void FunctionLowering::grow_for(const ir::Index& i, std::vector<Axis>& axes) {
  const Slot s = slot(i.array);
  ExprP outside = x_.bool_const(false), one = x_.int_const(1);
  ExprP zero = x_.int_const(0);
  std::vector<ExprP> needed;
  for (size_t k = 0; k < i.subscripts.size(); ++k) {
    Axis& a = axes[k];
    ExprP need = a.extent;
    if (a.kind == Axis::Kind::Number) {
      a.number = temp(a.number, "i");
      need = needed_for(a.number);
    } else if (a.kind == Axis::Kind::List) {
      VarId most = new_var("needed", Scalar::Int64);
      set(most, zero);
      std::vector<ExprP> extents;
      for (VarId e : array(a.list.array).extent) extents.push_back(get(e));
      loop_nest({keep(rest_product(extents), "n")}, Layout::RowMajor, false, [&](const std::vector<ExprP>& n) {
        set(most, x_.max(get(most), needed_for(keep(list_element(a, n[0]), "i"))));
      });
      need = get(most);
    } else if (!is_whole(*a.sub)) {
      a.range = {temp(a.range.start, "start"), temp(a.range.step, "step"), temp(a.range.count, "count")};
      ExprP end = keep(x_.add(a.range.start, x_.mul(x_.sub(a.range.count, one), a.range.step)), "end");
      need = x_.select(x_.gt(a.range.count, zero), x_.add(x_.max(a.range.start, end), one), a.extent);
    }
    needed.push_back(temp(need, "needed"));
    if (may_grow(i, k)) outside = x_.either(outside, x_.gt(needed[k], a.extent));
  }
  emit(If{outside, collect([&] { flattens(i) ? grow_linear(i, needed) : grow_to(i, needed); }), {}, true});
}

FunctionLowering::View FunctionLowering::view(const ir::Index& i, bool write) {
  if (masks_all(i)) return mask_view(i);
  View v;
  v.base = slot(i.array);
  const Slot s = v.base;
  const std::string& name = name_of(i.array);
  const size_t given = i.subscripts.size(), rank = static_cast<size_t>(s.type.rank);
  if (given > rank) unsupported("more subscripts than dimensions of '" + name + "'", i.pos);
  const bool matlab = conv_.mindims == 2, flat = flattens(i);
  const size_t merged = flat ? given - 1 : rank;  // the first of the dimensions that the last subscript runs over
  // Positions over several dimensions count in the order of the array's layout; those of a mask over all dimensions,
  // and of an array without a layout, as the conventions say.
  const Layout conventional = matlab ? Layout::ColMajor : Layout::RowMajor;
  const ir::Type& only = i.subscripts[0].value->type;
  const bool whole_mask =
      flat && given == 1 && only.is_array() && only.elem == ir::Elem::Bool && only.rank == s.type.rank;
  const Layout order = s.type.layout == Layout::Strided || whole_mask ? conventional : s.type.layout;

  std::vector<Axis> axes(flat ? given : rank);
  auto describe = [&](size_t k) {
    std::vector<ExprP> extents;
    for (VarId e : array(s.array).extent) extents.push_back(get(e));
    axes[k].extent = k < merged ? extents[k] : keep(rest_product(extents, merged), "count");
  };
  auto in_range = [&](size_t k) { axes[k].range = subscript_range(i, k, axes[k].extent, write); };
  size_t several = 0;  // dimensions of the slice
  for (size_t k = 0; k < axes.size(); ++k) {
    Axis& a = axes[k];
    a.axis = static_cast<int>(k);
    describe(k);
    if (k < merged)
      a.bytes = stride(s, a.axis);
    else if (order == s.type.layout)
      a.bytes = stride(s, order == Layout::ColMajor ? a.axis : s.type.rank - 1);
    if (k < given) a.sub = &i.subscripts[k];
    a.kind = !a.sub || is_range(*a.sub)       ? Axis::Kind::Range
             : a.sub->value->type.is_scalar() ? Axis::Kind::Number
                                              : Axis::Kind::List;
    several += a.kind != Axis::Kind::Number;
  }
  // What subscripts are comes before whether they are right.
  for (Axis& a : axes) {
    if (a.kind == Axis::Kind::List) a.list = slot_of_array(a.sub->value, VR_IN_ENGINE);
    if (a.kind == Axis::Kind::Number && several && !int_form(*a.sub->value)) a.value = keep(scalar(a.sub->value));
  }
  auto number = [&](Axis& a) {
    if (!a.number) a.number = a.value ? to_int64(*a.value, "a subscript") : int_value(a.sub->value, "a subscript");
    return a.number;
  };
  if (write && may_grow_any(i)) {
    for (size_t k = 0; k < given; ++k) {
      if (axes[k].kind == Axis::Kind::Number) number(axes[k]);
      if (axes[k].kind == Axis::Kind::List) read_list(axes[k], name, axes[k].extent);
      if (axes[k].kind == Axis::Kind::Range && !is_whole(*axes[k].sub)) in_range(k);
    }
    grow_for(i, axes);
    for (size_t k = merged; k < axes.size(); ++k) describe(k);
  }

  // Under MATLAB's conventions a number keeps its dimension with extent 1, but for trailing ones past the second.
  const bool linear = matlab && flat && given == 1;
  size_t kept = 2;
  for (size_t k = 0; k < axes.size(); ++k)
    if (axes[k].kind != Axis::Kind::Number) kept = std::max(kept, k + 1);
  ExprP start = x_.int_const(0), zero = x_.int_const(0), one = x_.int_const(1);
  size_t lists = 0;
  for (Axis& a : axes) {
    a.first = v.extent.size();
    auto dimension = [&](ExprP extent, ExprP bytes) {
      v.extent.push_back(extent);
      v.stride.push_back(bytes ? bytes : zero);
      ++a.dims;
    };
    switch (a.kind) {
      case Axis::Kind::Number: {
        ExprP p = position(*a.sub, number(a), a.extent, name, a.axis);
        start = x_.add(start, a.bytes ? x_.mul(p, a.bytes) : apart(s, merged, order, p));
        if (matlab && static_cast<size_t>(a.axis) < kept) dimension(one, a.bytes);
        a.dims = 0;
        break;
      }
      case Axis::Kind::Range: {
        if (!a.sub)
          a.range = {zero, one, a.extent};
        else if (!a.range.count)
          in_range(static_cast<size_t>(a.axis));
        if (a.bytes) start = x_.add(start, x_.mul(a.range.start, a.bytes));
        v.affine = v.affine && a.bytes;
        dimension(a.range.count, a.bytes ? keep(x_.mul(a.range.step, a.bytes), "step") : nullptr);
        break;
      }
      case Axis::Kind::List: {
        if (!a.read) read_list(a, name, a.extent);
        v.affine = false;
        std::vector<ExprP> extents;
        for (VarId e : array(a.list.array).extent) extents.push_back(get(e));
        const Layout layout = a.list.type.layout;
        if (lists++ && !matlab) unsupported("two array subscripts of '" + name + "'", i.pos);
        if (fn_.kind != Function::Kind::Kernel && (write || several > 1)) check_list(a, name);
        if (matlab && !linear) extents = {keep(rest_product(extents), "n")};
        if (layout == Layout::ColMajor) a.column = true;
        for (ExprP e : extents) dimension(e, a.bytes);
        break;
      }
    }
  }
  if (linear) linear_shape(v, s, axes[0]);
  v.data = x_.offset(get(array(s.array).data), start);
  if (v.data->kind != Expr::Kind::Var) v.data = temp(v.data, "view");
  if (v.affine) return v;

  v.offset = [=, this, extent = v.extent](const std::vector<ExprP>& index) {
    ExprP o = x_.int_const(0);
    for (const Axis& a : axes) {
      if (a.kind == Axis::Kind::Number) continue;
      ExprP n = x_.int_const(0);  // which of the axis's own positions
      for (size_t step = 0; step < a.dims; ++step) {
        const size_t k = a.first + (a.column ? a.dims - 1 - step : step);
        n = x_.add(x_.mul(n, extent[k]), index[k]);
      }
      ExprP p;
      if (a.kind == Axis::Kind::Range)
        p = x_.mul(n, a.range.step);
      else if (a.positions)
        p = load(get(array(a.list.array).data), x_.mul(n, x_.int_const(8)), ir::Elem::Int64, false).re;
      else
        p = position(*a.sub, keep(list_element(a, n), "i"), a.extent, name, a.axis);
      if (a.bytes)
        o = x_.add(o, x_.mul(p, a.bytes));
      else
        o = x_.add(o, apart(s, merged, order, a.kind == Axis::Kind::Range ? x_.add(a.range.start, p) : p));
    }
    return o;
  };
  return v;
}

// x(2:2:20), table(idx), A(:) under MATLAB's rules: A(:) is a column, a vector keeps its direction, else the
// subscript's shape.
void FunctionLowering::linear_shape(View& v, const Slot& s, Axis& a) {
  ExprP one = x_.int_const(1), row = x_.bool_const(false), column = row;
  if (s.type.rank == 2) {
    ExprP rows = get(array(s.array).extent[0]), columns = get(array(s.array).extent[1]);
    row = keep(x_.both(x_.eq(rows, one), x_.ne(columns, one)), "row");
    column = keep(x_.both(x_.ne(rows, one), x_.eq(columns, one)), "column");
  }
  if (a.kind == Axis::Kind::Range) {
    ExprP n = v.extent[0];
    if (is_whole(*a.sub))
      column = x_.bool_const(true);
    else if (a.sub->value->kind != ir::Kind::Range)
      column = keep(x_.either(column, is_whole_domain(a.sub->value)), "column");
    v.extent = {keep(x_.select(column, n, one), "rows"), keep(x_.select(column, one, n), "columns")};
  } else if (v.extent.size() == 2) {
    ExprP n = keep(x_.mul(v.extent[0], v.extent[1]), "n");
    ExprP vector = keep(x_.either(x_.eq(v.extent[0], one), x_.eq(v.extent[1], one)), "vector");
    ExprP rows = x_.select(row, one, x_.select(column, n, v.extent[0]));
    ExprP columns = x_.select(row, n, x_.select(column, one, v.extent[1]));
    v.extent = {keep(x_.select(vector, rows, v.extent[0]), "rows"),
                keep(x_.select(vector, columns, v.extent[1]), "columns")};
  }
  v.stride.assign(v.extent.size(), v.stride[0]);  // of a range the other extent is 1
  a.dims = v.extent.size();
  a.column = true;
}

}  // namespace vr::lower
