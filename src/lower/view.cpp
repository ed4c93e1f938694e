// The positions of the elements that subscripts with ranges and arrays select (thesis 4.3.2, 4.3.3).
#include "lower/view.hpp"

#include "lower/array.hpp"
#include "lower/element_loops.hpp"
#include "lower/index.hpp"
#include "lower/mask.hpp"
#include "lower/range.hpp"
#include "loop/runtime_fn.hpp"
#include "lower/scalar.hpp"
#include "lower/storage.hpp"
#include "lower/variables.hpp"
#include "runtime/abi.h"

#include <algorithm>

namespace vr::lower {

using ir::Layout;

ExprP View::address_offset(Exprs& x, const std::vector<ExprP>& index) const {
  if (!affine) return offset(index);
  return x.at(index, stride);
}

// One subscript and the extent of its dimension, or of all dimensions that the last subscript runs over.
struct Axis {
  enum class Kind : uint8_t { Number, Range, List } kind = Kind::Range;
  const ir::Subscript* sub = nullptr;  ///< null: a dimension that no subscript names
  int axis = 0;
  ExprP extent = nullptr;
  ExprP bytes = nullptr;             ///< distance of consecutive positions; null: not constant, computed by `apart`
  std::optional<ScalarValue> value;  ///< the number before it is known to be an integer
  ExprP number = nullptr;
  RangeValue range{};
  Slot list;
  bool read = false;           ///< the list has been replaced by read_list()
  bool positions = false;      ///< the list holds checked 0-based positions
  bool column = false;         ///< its dimensions count in column-major order
  size_t first = 0, dims = 0;  ///< dimensions of the result that belong to this subscript
};

ExprP apart(Emitter& out, const Slot& s, size_t from, Layout order, ExprP p) {
  const size_t rank = static_cast<size_t>(s.type.rank);
  ExprP offset = out.x.int_const(0), rest = out.keep(p, "p");
  for (size_t step = 0; step < rank - from; ++step) {
    const size_t k = order == Layout::ColMajor ? from + step : rank - 1 - step;
    const bool last = step + 1 == rank - from;
    // Avoids a division by zero; an array with an extent of 0 has no positions.
    ExprP n = out.x.max(out.get(out.array(s.array).extent[k]), out.x.int_const(1));
    offset =
        out.x.add(offset, out.x.mul(last ? rest : out.x.binary(Op::Rem, rest, n), stride(out, s, static_cast<int>(k))));
    if (!last) rest = out.keep(out.x.binary(Op::Div, rest, n), "p");
  }
  return offset;
}

static ExprP list_element(Emitter& out, const Axis& a, ExprP n) {
  ScalarValue at = load(out, out.get(out.array(a.list.array).data), out.x.at({n}, {element_bytes(out, a.list)}),
                        a.list.type.elem, false);
  return to_int64(out, at, "a subscript");
}

// Reads the numbers of an array subscript (of a mask: its positions) into contiguous storage.
static void read_list(Lowering& f, Axis& a, const std::string& name, ExprP extent) {
  a.list = index_list(f, a.list, extent, name, a.axis);
  const Layout wanted = f.conv.mindims == 2 ? Layout::ColMajor : a.list.type.layout;
  if (a.list.type.layout == Layout::Strided || (a.list.type.rank > 1 && a.list.type.layout != wanted))
    a.list = materialise(f, leaf(f.out, a.list, {}), wanted == Layout::ColMajor ? wanted : Layout::RowMajor, 0);
  a.read = true;
}

// Checks every subscript of the list, and calls `visit` with its index in the list and the position that it selects.
static void each_in_list(Lowering& f, Axis& a, const std::string& name,
                         const std::function<void(ExprP k, ExprP position)>& visit) {
  std::vector<ExprP> extents;
  for (VarId e : f.out.array(a.list.array).extent) extents.push_back(f.out.get(e));
  loop_nest(f, {f.out.keep(rest_product(f.out, extents), "n")}, Layout::RowMajor, false,
            [&](const std::vector<ExprP>& k) {
              ExprP p = position(f, *a.sub, f.out.keep(list_element(f.out, a, k[0]), "i"), a.extent, name, a.axis);
              if (visit) visit(k[0], p);
            });
}

// Checks every subscript of the list before anything is stored, and where an empty slice would have no accesses.
static void check_list(Lowering& f, Axis& a, const std::string& name) {
  std::vector<ExprP> extents;
  for (VarId e : f.out.array(a.list.array).extent) extents.push_back(f.out.get(e));
  ExprP n = f.out.keep(rest_product(f.out, extents), "n");
  Slot positions = alloc(f, ir::Type::array(ir::Elem::Int64, 1, Layout::RowMajor), {n}, VR_FILL_NONE, VR_IN_ENGINE);
  each_in_list(f, a, name, [&](ExprP k, ExprP p) {
    store(f.out, f.out.get(f.out.array(positions.array).data), f.x.at(k, 8), {p, nullptr, ir::Elem::Int64});
  });
  a.list = positions;
  a.positions = true;
}

// If several subscripts are wrong, the first one is reported. Elements of index arrays may be checked only when they
// are used: if number `a` is out of bounds, the index arrays before it are checked now.
static void lists_first(Lowering& f, std::vector<Axis>& axes, const Axis& a, ExprP number, const std::string& name) {
  const bool looked_at = f.facts.unchecked.count(a.sub) || f.out.fn.kind == Function::Kind::Kernel;
  for (Axis& list : axes) {
    if (list.axis >= a.axis || list.kind != Axis::Kind::List || list.positions || looked_at) continue;
    number = f.out.keep(number, "i");
    const ExprP base = f.x.int_const(f.conv.indexing), zero = f.x.int_const(0);
    ExprP wrong = f.x.either(f.x.lt(number, base), f.x.ge(number, f.x.add(a.extent, base)));
    if (a.sub->negative)
      wrong = f.x.both(wrong, f.x.either(f.x.ge(number, zero), f.x.lt(number, f.x.neg(a.extent))));
    f.out.emit(If{wrong, f.out.collect([&] { each_in_list(f, list, name, {}); }), {}, true});
  }
}

// Growth before a store: the current values of the subscripts determine how far each dimension must reach.
static void grow_for(Lowering& f, const ir::Index& i, std::vector<Axis>& axes) {
  const Slot s = slot(f, i.array);
  ExprP outside = f.x.bool_const(false), one = f.x.int_const(1);
  ExprP zero = f.x.int_const(0);
  std::vector<ExprP> needed;
  for (size_t k = 0; k < i.subscripts.size(); ++k) {
    Axis& a = axes[k];
    ExprP need = a.extent;
    if (a.kind == Axis::Kind::Number) {
      a.number = f.out.temp(a.number, "i");
      need = needed_for(f.out, a.number);
    } else if (a.kind == Axis::Kind::List) {
      VarId most = f.out.new_var("needed", Scalar::Int64);
      f.out.set(most, zero);
      std::vector<ExprP> extents;
      for (VarId e : f.out.array(a.list.array).extent) extents.push_back(f.out.get(e));
      loop_nest(f, {f.out.keep(rest_product(f.out, extents), "n")}, Layout::RowMajor, false,
                [&](const std::vector<ExprP>& n) {
                  f.out.set(most,
                            f.x.max(f.out.get(most), needed_for(f.out, f.out.keep(list_element(f.out, a, n[0]), "i"))));
                });
      need = f.out.get(most);
    } else if (!is_whole(*a.sub)) {
      a.range = {f.out.temp(a.range.start, "start"), f.out.temp(a.range.step, "step"),
                 f.out.temp(a.range.count, "count")};
      ExprP end = f.out.keep(f.x.add(a.range.start, f.x.mul(f.x.sub(a.range.count, one), a.range.step)), "end");
      need = f.x.select(f.x.gt(a.range.count, zero), f.x.add(f.x.max(a.range.start, end), one), a.extent);
    }
    needed.push_back(f.out.temp(need, "needed"));
    if (may_grow(f, i, k)) outside = f.x.either(outside, f.x.gt(needed[k], a.extent));
  }
  f.out.emit(If{
      outside, f.out.collect([&] { flattens(f, i) ? grow_linear(f, i, needed) : grow_to(f, i, needed); }), {}, true});
}

// x(2:2:20), table(idx), A(:) under MATLAB's rules: A(:) is a column, a vector keeps its direction, else the
// subscript's shape.
static void linear_shape(Lowering& f, View& v, const Slot& s, Axis& a) {
  ExprP one = f.x.int_const(1), row = f.x.bool_const(false), column = row;
  if (s.type.rank == 2) {
    ExprP rows = f.out.get(f.out.array(s.array).extent[0]), columns = f.out.get(f.out.array(s.array).extent[1]);
    row = f.out.keep(f.x.both(f.x.eq(rows, one), f.x.ne(columns, one)), "row");
    column = f.out.keep(f.x.both(f.x.ne(rows, one), f.x.eq(columns, one)), "column");
  }
  if (a.kind == Axis::Kind::Range) {
    ExprP n = v.extent[0];
    if (is_whole(*a.sub))
      column = f.x.bool_const(true);
    else if (a.sub->value->kind != ir::Kind::Range)
      column = f.out.keep(f.x.either(column, is_whole_domain(f, a.sub->value)), "column");
    v.extent = {f.out.keep(f.x.select(column, n, one), "rows"), f.out.keep(f.x.select(column, one, n), "columns")};
  } else if (v.extent.size() == 2) {
    ExprP n = f.out.keep(f.x.mul(v.extent[0], v.extent[1]), "n");
    ExprP vector = f.out.keep(f.x.either(f.x.eq(v.extent[0], one), f.x.eq(v.extent[1], one)), "vector");
    ExprP rows = f.x.select(row, one, f.x.select(column, n, v.extent[0]));
    ExprP columns = f.x.select(row, n, f.x.select(column, one, v.extent[1]));
    v.extent = {f.out.keep(f.x.select(vector, rows, v.extent[0]), "rows"),
                f.out.keep(f.x.select(vector, columns, v.extent[1]), "columns")};
  }
  v.stride.assign(v.extent.size(), v.stride[0]);  // the other extent of a range is 1
  a.dims = v.extent.size();
  a.column = true;
}

View view(Lowering& f, const ir::Index& i, bool write) {
  if (masks_all(f, i)) return mask_view(f, i);
  View v;
  v.base = slot(f, i.array);
  const Slot s = v.base;
  const std::string& name = name_of(f, i.array);
  const size_t given = i.subscripts.size(), rank = static_cast<size_t>(s.type.rank);
  if (given > rank) f.out.unsupported("more subscripts than dimensions of '" + name + "'", i.pos);
  const bool matlab = f.conv.mindims == 2, flat = flattens(f, i);
  const size_t merged = flat ? given - 1 : rank;  // the first of the dimensions that the last subscript runs over
  // A position over several dimensions counts in the order of the array's layout; for a mask over all dimensions, and
  // for a strided array, in the order of the conventions.
  const Layout conventional = matlab ? Layout::ColMajor : Layout::RowMajor;
  const ir::Type& only = i.subscripts[0].value->type;
  const bool whole_mask =
      flat && given == 1 && only.is_array() && only.elem == ir::Elem::Bool && only.rank == s.type.rank;
  const Layout order = s.type.layout == Layout::Strided || whole_mask ? conventional : s.type.layout;

  std::vector<Axis> axes(flat ? given : rank);
  auto describe = [&](size_t k) {
    std::vector<ExprP> extents;
    for (VarId e : f.out.array(s.array).extent) extents.push_back(f.out.get(e));
    axes[k].extent = k < merged ? extents[k] : f.out.keep(rest_product(f.out, extents, merged), "count");
  };
  auto in_range = [&](size_t k) { axes[k].range = subscript_range(f, i, k, axes[k].extent, write); };
  size_t several = 0;  // dimensions of the slice
  for (size_t k = 0; k < axes.size(); ++k) {
    Axis& a = axes[k];
    a.axis = static_cast<int>(k);
    describe(k);
    if (k < merged)
      a.bytes = stride(f.out, s, a.axis);
    else if (order == s.type.layout)
      a.bytes = stride(f.out, s, order == Layout::ColMajor ? a.axis : s.type.rank - 1);
    if (k < given) a.sub = &i.subscripts[k];
    a.kind = !a.sub || is_range(*a.sub)       ? Axis::Kind::Range
             : a.sub->value->type.is_scalar() ? Axis::Kind::Number
                                              : Axis::Kind::List;
    several += a.kind != Axis::Kind::Number;
  }
  // All subscripts are evaluated before the first one is checked.
  for (Axis& a : axes) {
    if (a.kind == Axis::Kind::List) a.list = slot_of_array(f, a.sub->value, VR_IN_ENGINE);
    if (a.kind == Axis::Kind::Number && several && !int_form(f, *a.sub->value))
      a.value = f.out.keep(scalar(f, a.sub->value));
  }
  auto number = [&](Axis& a) {
    if (!a.number)
      a.number = a.value ? to_int64(f.out, *a.value, "a subscript") : int_value(f, a.sub->value, "a subscript");
    return a.number;
  };
  if (write && may_grow_any(f, i)) {
    for (size_t k = 0; k < given; ++k) {
      if (axes[k].kind == Axis::Kind::Number) number(axes[k]);
      if (axes[k].kind == Axis::Kind::List) read_list(f, axes[k], name, axes[k].extent);
      if (axes[k].kind == Axis::Kind::Range && !is_whole(*axes[k].sub)) in_range(k);
    }
    grow_for(f, i, axes);
    for (size_t k = merged; k < axes.size(); ++k) describe(k);
  }

  // Under MATLAB's conventions a number keeps its dimension with extent 1, except trailing ones past the second.
  const bool linear = matlab && flat && given == 1;
  size_t kept = 2;
  for (size_t k = 0; k < axes.size(); ++k)
    if (axes[k].kind != Axis::Kind::Number) kept = std::max(kept, k + 1);
  ExprP start = f.x.int_const(0), zero = f.x.int_const(0), one = f.x.int_const(1);
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
        if (several == 1) lists_first(f, axes, a, number(a), name);
        ExprP p = position(f, *a.sub, number(a), a.extent, name, a.axis);
        start = f.x.add(start, a.bytes ? f.x.mul(p, a.bytes) : apart(f.out, s, merged, order, p));
        if (matlab && static_cast<size_t>(a.axis) < kept) dimension(one, a.bytes);
        a.dims = 0;
        break;
      }
      case Axis::Kind::Range: {
        if (!a.sub)
          a.range = {zero, one, a.extent};
        else if (!a.range.count)
          in_range(static_cast<size_t>(a.axis));
        if (a.bytes) start = f.x.add(start, f.x.mul(a.range.start, a.bytes));
        v.affine = v.affine && a.bytes;
        dimension(a.range.count, a.bytes ? f.out.keep(f.x.mul(a.range.step, a.bytes), "step") : nullptr);
        break;
      }
      case Axis::Kind::List: {
        if (!a.read) read_list(f, a, name, a.extent);
        v.affine = false;
        std::vector<ExprP> extents;
        for (VarId e : f.out.array(a.list.array).extent) extents.push_back(f.out.get(e));
        const Layout layout = a.list.type.layout;
        if (lists++ && !matlab) f.out.unsupported("two array subscripts of '" + name + "'", i.pos);
        if (f.out.fn.kind != Function::Kind::Kernel && (write || several > 1)) check_list(f, a, name);
        if (matlab && !linear) extents = {f.out.keep(rest_product(f.out, extents), "n")};
        if (layout == Layout::ColMajor) a.column = true;
        for (ExprP e : extents) dimension(e, a.bytes);
        break;
      }
    }
  }
  if (linear) linear_shape(f, v, s, axes[0]);
  v.data = f.x.offset(f.out.get(f.out.array(s.array).data), start);
  if (v.data->kind != Expr::Kind::Var) v.data = f.out.temp(v.data, "view");
  if (v.affine) return v;

  v.offset = [=, &f, extent = v.extent](const std::vector<ExprP>& index) {
    ExprP o = f.x.int_const(0);
    for (const Axis& a : axes) {
      if (a.kind == Axis::Kind::Number) continue;
      ExprP n = f.x.int_const(0);  // index into the axis's own positions
      for (size_t step = 0; step < a.dims; ++step) {
        const size_t k = a.first + (a.column ? a.dims - 1 - step : step);
        n = f.x.add(f.x.mul(n, extent[k]), index[k]);
      }
      ExprP p;
      if (a.kind == Axis::Kind::Range)
        p = f.x.mul(n, a.range.step);
      else if (a.positions)
        p = load(f.out, f.out.get(f.out.array(a.list.array).data), f.x.at(n, 8), ir::Elem::Int64, false).re;
      else
        p = position(f, *a.sub, f.out.keep(list_element(f.out, a, n), "i"), a.extent, name, a.axis);
      if (a.bytes)
        o = f.x.add(o, f.x.mul(p, a.bytes));
      else
        o = f.x.add(o, apart(f.out, s, merged, order, a.kind == Axis::Kind::Range ? f.x.add(a.range.start, p) : p));
    }
    return o;
  };
  return v;
}

}  // namespace vr::lower
