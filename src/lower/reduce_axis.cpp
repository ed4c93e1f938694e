// Reductions and scans along one axis.
#include "lower/accumulator.hpp"
#include "lower/axis.hpp"
#include "runtime/abi.h"

#include <algorithm>

namespace vr::lower {

using ir::Layout;

ExprP checked_axis(FunctionLowering& f, Exprs& x, const ir::Conventions& conv, const ir::ExprPtr& axis, int rank) {
  const ExprP zero = x.int_const(0), last = x.int_const(rank);
  ExprP k = f.keep(x.sub(f.int_value(axis, "the axis"), x.int_const(conv.indexing)), "axis");
  if (conv.mindims == 1) k = f.keep(x.select(x.lt(k, zero), x.add(k, last), k), "axis");
  ExprP bad = x.lt(k, zero);
  if (conv.mindims == 1) bad = x.either(bad, x.ge(k, last));
  f.fail_if(bad, Code::OutOfBounds, "the axis is not one of the array's dimensions");
  return k;
}

std::vector<size_t> AlongAxis::dims(bool nearer) const {
  std::vector<size_t> d;
  for (size_t k = 0; k < extent.size(); ++k)
    if (k != axis && (layout == Layout::ColMajor ? k < axis : k > axis) == nearer) d.push_back(k);
  if (layout == Layout::ColMajor) std::reverse(d.begin(), d.end());
  return d;
}

std::vector<ExprP> pick(const std::vector<ExprP>& from, const std::vector<size_t>& dims) {
  std::vector<ExprP> out;
  for (size_t d : dims) out.push_back(from[d]);
  return out;
}

namespace {

// Elements next to each other from which on going through them in their order beats going along the axis.
constexpr int64_t across_from = 16;

}  // namespace

// One place after the other. few: only where reduce_across() is too much.
void FunctionLowering::reduce_along(const Accumulator& a, const AlongAxis& axis, const Elements& at, bool few) {
  std::vector<size_t> dims = axis.further();
  for (size_t d : axis.nearer()) dims.push_back(d);
  // Each iteration starts anew.
  loop_nest(pick(axis.extent, dims), Layout::RowMajor, !few, [&](const std::vector<ExprP>& i) {
    std::vector<ExprP> full(axis.extent.size(), x_.int_const(0));
    for (size_t k = 0; k < dims.size(); ++k) full[dims[k]] = i[k];
    auto along = [&](ExprP p) {
      std::vector<ExprP> f = full;
      if (axis.axis < f.size()) f[axis.axis] = p;
      return f;
    };
    start(a);
    const VarId p = new_var("p", Scalar::Int64);
    Block inner = collect([&] {
      join(a, at(along(get(p))), get(p));
      if (axis.scan) axis.store(along(get(p)), finish(a, axis.n));
    });
    // In a section what stays on the host is to be seen as a loop over elements (a scan of a vector).
    emit(CountedLoop{p, x_.int_const(0), axis.n, std::move(inner), false, few, false, in_section_});
    if (!axis.scan) axis.store(full, finish(a, axis.n));
  });
}

// All places that lie nearer than the axis at once, so that memory is read in its order; what they have come to waits
// in temporaries. The same additions in the same order.
void FunctionLowering::reduce_across(const Accumulator& a, const AlongAxis& axis, const Elements& at) {
  const size_t temps = temps_.size();
  const std::vector<size_t> near = axis.nearer(), far = axis.further();
  const ExprP count = keep(total(pick(axis.extent, near)), "n");
  const Slot state =
      alloc(ir::Type::array(a.elem, 1, Layout::RowMajor, a.complex), {count}, VR_FILL_NONE, VR_IN_ENGINE, "state");
  const Slot noted = a.noted == none ? Slot{}
                                     : alloc(ir::Type::array(ir::Elem::Bool, 1, Layout::RowMajor), {count},
                                             VR_FILL_NONE, VR_IN_ENGINE, "noted");
  const int64_t bytes = array(state.array).element_bytes();
  loop_nest(pick(axis.extent, far), Layout::RowMajor, false, [&](const std::vector<ExprP>& o) {
    std::vector<ExprP> full(axis.extent.size(), x_.int_const(0));
    for (size_t k = 0; k < far.size(); ++k) full[far[k]] = o[k];
    auto sweep = [&](bool restore, const std::function<void(const std::vector<ExprP>&)>& what, bool save) {
      loop_nest(pick(axis.extent, near), Layout::RowMajor, true, [&](const std::vector<ExprP>& i) {
        std::vector<ExprP> place = full;
        ExprP linear = x_.int_const(0);
        for (size_t k = 0; k < near.size(); ++k) {
          place[near[k]] = i[k];
          linear = x_.add(x_.mul(linear, axis.extent[near[k]]), i[k]);
        }
        const ExprP data = get(array(state.array).data), offset = x_.mul(linear, x_.int_const(bytes));
        if (restore) {
          const ScalarValue v = load(data, offset, a.elem, a.complex);
          set(a.re, v.re);
          if (a.complex) set(a.im, v.im);
          if (a.noted != none) set(a.noted, x_.load(Scalar::Bool, get(array(noted.array).data), linear));
        }
        what(place);
        if (!save) return;
        store(data, offset, {get(a.re), a.complex ? get(a.im) : nullptr, a.elem});
        if (a.noted != none) emit(Store{get(array(noted.array).data), linear, get(a.noted)});
      });
    };
    // The first and the last sweep are short beside what lies between them.
    const bool plain = std::exchange(plain_loops_, true);
    sweep(
        false, [&](const std::vector<ExprP>&) { start(a); }, true);
    plain_loops_ = plain;
    const VarId p = new_var("p", Scalar::Int64);
    Block inner = collect([&] {
      auto next = [&](std::vector<ExprP> i) {
        i[axis.axis] = get(p);
        join(a, at(i), get(p));
      };
      sweep(true, next, true);
    });
    CountedLoop rows{p, x_.int_const(0), axis.n, std::move(inner)};
    rows.element = true;
    emit(std::move(rows));
    plain_loops_ = true;
    sweep(
        true, [&](const std::vector<ExprP>& i) { axis.store(i, finish(a, axis.n)); }, false);
    plain_loops_ = plain;
  });
  release_temps(temps);
}

// Along one axis, or under MATLAB's conventions without an axis along the first dimension longer than 1.
ArrayGen FunctionLowering::reduction(const ir::LibCall& c, int where) {
  const std::string& name = c.func;
  const bool scan = name == "cumsum" || name == "cumprod";
  ArrayGen g =
      c.args[0]->type.is_array() ? gen(c.args[0]) : one_element(scalar(c.args[0]), std::max<int>(1, c.type.rank));
  if (g.costly) g = leaf(materialise(g, g.layout, VR_IN_ENGINE), {});
  const int rank = g.rank();
  const bool keep_dims = conv_.mindims == 2;
  ExprP axis = nullptr, columns = nullptr;
  if (c.args.size() == 2) {
    axis = checked_axis(*this, x_, conv_, c.args[1], rank);
  } else if (keep_dims) {
    axis = x_.int_const(0);
    for (int k = rank - 1; k >= 0; --k)
      axis = x_.select(x_.ne(g.extent[static_cast<size_t>(k)], x_.int_const(1)), x_.int_const(k), axis);
    axis = keep(axis, "axis");
    // MATLAB: nothing by nothing reduces to one element.
    if (!scan && rank == 2) {
      ExprP nothing = x_.both(x_.eq(g.extent[0], x_.int_const(0)), x_.eq(g.extent[1], x_.int_const(0)));
      columns = keep(x_.select(nothing, x_.int_const(1), g.extent[1]), "columns");
    }
  } else if (scan) {
    // NumPy: a scan without an axis runs over all elements in row-major order.
    Slot s = materialise(g, Layout::RowMajor, VR_IN_ENGINE);
    ArrayGen flat = leaf(s, {});
    g = flat;
    g.extent = {keep(total(flat.extent), "n")};
    g.at = [flat](const std::vector<ExprP>& i) { return flat.flat(i[0]); };
    axis = x_.int_const(0);
  } else {
    unsupported("'" + name + "' over all elements as an array", c.pos);
  }
  const int dims = g.rank();
  std::vector<ExprP> shape = g.extent, extents;
  if (columns) shape[1] = columns;
  if (scan) {
    extents = g.extent;
  } else {
    for (int k = 0; k < dims; ++k) {
      ExprP e = shape[static_cast<size_t>(k)], is_axis = x_.eq(axis, x_.int_const(k));
      if (keep_dims) {
        extents.push_back(keep(x_.select(is_axis, x_.int_const(1), e), "extent"));
      } else if (k + 1 < dims) {
        // Dimensions behind the axis move up by one.
        extents.push_back(
            keep(x_.select(x_.ge(x_.int_const(k), axis), g.extent[static_cast<size_t>(k + 1)], e), "extent"));
      }
    }
  }
  ir::Type t = c.type;
  if (t.layout == Layout::Strided) t.layout = Layout::RowMajor;
  t.rank = static_cast<uint8_t>(extents.size());
  Slot r = alloc(t, extents, VR_FILL_NONE, where, name.c_str());
  ExprP data = get(array(r.array).data);
  // One copy of the loops for each possible axis; an axis beyond the dimensions (MATLAB) has extent 1.
  for (int k = 0; k <= dims; ++k) {
    if (k == dims && !keep_dims) break;
    ExprP is_axis = k == dims ? x_.ge(axis, x_.int_const(dims)) : x_.eq(axis, x_.int_const(k));
    if (is_false(is_axis)) continue;
    Block loops = collect([&] {
      AlongAxis along{static_cast<size_t>(k),
                 shape,
                 k == dims ? x_.int_const(1) : g.extent[static_cast<size_t>(k)],
                 t.layout,
                 scan,
                 {}};
      along.store = [&](const std::vector<ExprP>& i, ScalarValue v) {
        ExprP o = x_.int_const(0);
        for (int d = 0, q = 0; d < dims; ++d) {
          if (d == k && !scan && !keep_dims) continue;
          const ExprP place = d == k && !scan ? x_.int_const(0) : i[static_cast<size_t>(d)];
          o = x_.add(o, x_.mul(place, stride(r, q++)));
        }
        store(data, o, v);
      };
      Accumulator a = accumulator(name, g, t);
      if (a.minmax()) {
        ExprP some = x_.bool_const(true);
        for (int d = 0; d < dims; ++d)
          if (d != k) some = x_.both(some, x_.ne(shape[static_cast<size_t>(d)], x_.int_const(0)));
        fail_if(x_.both(some, x_.eq(along.n, x_.int_const(0))), Code::Size, name + " of an array without elements");
      }
      const std::vector<size_t> near = along.nearer();
      ExprP across = x_.bool_const(false);
      if (k < dims && !scan && !a.starts_with_first() && !near.empty() && !in_section_ && fn_.kind != Function::Kind::Kernel)
        across = x_.ge(total(pick(shape, near)), x_.int_const(across_from));
      with_elements(g, [&](const Elements& at) {
        if (k < dims && !scan && in_section_) return reduce_on_device(a, along, at);
        Block wide, narrow;
        if (!is_false(across)) wide = collect([&] { reduce_across(a, along, at); });
        if (!is_true(across)) narrow = collect([&] { reduce_along(a, along, at, !is_false(across)); });
        Block& only = is_false(across) ? narrow : wide;
        if (!is_false(across) && !is_true(across))
          emit(If{across, std::move(wide), std::move(narrow)});
        else
          append(std::move(only));
      });
    });
    if (is_true(is_axis)) {
      append(std::move(loops));
      break;
    }
    emit(If{is_axis, std::move(loops), {}});
  }
  return made(r);
}

}  // namespace vr::lower
