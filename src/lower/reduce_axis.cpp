// Reductions and scans along one axis.
#include "lower/reduce_axis.hpp"

#include "ir/library.hpp"
#include "lower/accumulator.hpp"
#include "lower/array.hpp"
#include "lower/axis.hpp"
#include "lower/element_loops.hpp"
#include "lower/index.hpp"
#include "lower/ownership.hpp"
#include "lower/reduce.hpp"
#include "lower/reduce_pieces.hpp"
#include "lower/scalar.hpp"
#include "lower/storage.hpp"
#include "lower/variables.hpp"
#include "runtime/abi.h"

#include <algorithm>

namespace vr::lower {

using ir::Layout;

static void reduce_across(Lowering& f, const Accumulator& a, const AlongAxis& axis, const Elements& at);

ExprP checked_axis(Lowering& f, Exprs& x, const ir::Conventions& conv, const ir::ExprPtr& axis, int rank) {
  const ExprP zero = x.int_const(0), last = x.int_const(rank);
  const ExprP written = f.out.keep(int_value(f, axis, "the axis"), "axis"), base = x.int_const(conv.indexing);
  ExprP k = f.out.keep(x.sub(written, base), "axis");
  ExprP bad = x.lt(written, base);  // the difference written - base may wrap
  if (conv.mindims == 1) {
    k = f.out.keep(x.select(x.lt(k, zero), x.add(k, last), k), "axis");
    bad = x.either(x.lt(k, zero), x.ge(k, last));
  }
  f.out.fail_if(bad, Code::OutOfBounds, "the axis is not one of the array's dimensions");
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

// Number of adjacent results from which on reading in memory order is faster than reading along the axis.
constexpr int64_t across_from = 16;

}  // namespace

// Computes one result after the other. few: too few adjacent results for reduce_across().
void reduce_along(Lowering& f, const Accumulator& a, const AlongAxis& axis, const Elements& at, bool few) {
  std::vector<size_t> dims = axis.further();
  for (size_t d : axis.nearer()) dims.push_back(d);
  // Each iteration starts the accumulator anew.
  loop_nest(f, pick(axis.extent, dims), Layout::RowMajor, !few, [&](const std::vector<ExprP>& i) {
    std::vector<ExprP> full(axis.extent.size(), f.x.int_const(0));
    for (size_t k = 0; k < dims.size(); ++k) full[dims[k]] = i[k];
    auto along = [&](ExprP p) {
      std::vector<ExprP> fn = full;
      if (axis.axis < fn.size()) fn[axis.axis] = p;
      return fn;
    };
    start(f.out, a);
    const VarId p = f.out.new_var("p", Scalar::Int64);
    Block inner = f.out.collect([&] {
      join(f.out, a, at(along(f.out.get(p))), f.out.get(p));
      if (axis.scan) axis.store(along(f.out.get(p)), finish(f.out, a, axis.n));
    });
    // In a section a loop that stays on the host (a scan of a vector) is marked as a loop over elements.
    f.out.emit(CountedLoop{p, f.x.int_const(0), axis.n, std::move(inner), false, few, false, f.section.inside});
    if (!axis.scan) axis.store(full, finish(f.out, a, axis.n));
  });
}

// Computes all results with smaller strides than the axis at once, so that memory is read in order; their accumulators
// are kept in temporaries. The same operations in the same order for each result.
static void reduce_across(Lowering& f, const Accumulator& a, const AlongAxis& axis, const Elements& at) {
  const size_t temps = f.own.temps.size();
  const std::vector<size_t> near = axis.nearer(), far = axis.further();
  const ExprP count = f.out.keep(total(f.out, pick(axis.extent, near)), "n");
  const Slot state =
      alloc(f, ir::Type::array(a.elem, 1, Layout::RowMajor, a.complex), {count}, VR_FILL_NONE, VR_IN_ENGINE, "state");
  const Slot noted = a.noted == none ? Slot{}
                                     : alloc(f, ir::Type::array(ir::Elem::Bool, 1, Layout::RowMajor), {count},
                                             VR_FILL_NONE, VR_IN_ENGINE, "noted");
  const int64_t bytes = f.out.array(state.array).element_bytes();
  loop_nest(f, pick(axis.extent, far), Layout::RowMajor, false, [&](const std::vector<ExprP>& o) {
    std::vector<ExprP> full(axis.extent.size(), f.x.int_const(0));
    for (size_t k = 0; k < far.size(); ++k) full[far[k]] = o[k];
    auto sweep = [&](bool restore, const std::function<void(const std::vector<ExprP>&)>& what, bool save) {
      loop_nest(f, pick(axis.extent, near), Layout::RowMajor, true, [&](const std::vector<ExprP>& i) {
        std::vector<ExprP> place = full;
        ExprP linear = f.x.int_const(0);
        for (size_t k = 0; k < near.size(); ++k) {
          place[near[k]] = i[k];
          linear = f.x.add(f.x.mul(linear, axis.extent[near[k]]), i[k]);
        }
        const ExprP data = f.out.get(f.out.array(state.array).data), offset = f.x.at(linear, bytes);
        if (restore) {
          const ScalarValue v = load(f.out, data, offset, a.elem, a.complex);
          f.out.set(a.re, v.re);
          if (a.complex) f.out.set(a.im, v.im);
          if (a.noted != none)
            f.out.set(a.noted, f.x.load(Scalar::Bool, f.out.get(f.out.array(noted.array).data), f.x.at(linear, 1)));
        }
        what(place);
        if (!save) return;
        store(f.out, data, offset, {f.out.get(a.re), a.complex ? f.out.get(a.im) : nullptr, a.elem});
        if (a.noted != none)
          f.out.emit(Store{f.out.get(f.out.array(noted.array).data), f.x.at(linear, 1), f.out.get(a.noted)});
      });
    };
    // The first and the last sweep take little time compared with those in between: they get no versions.
    auto short_sweep = [&](bool loaded, const std::function<void(const std::vector<ExprP>&)>& what, bool save) {
      const Restore plain(f.loops.plain, true);
      sweep(loaded, what, save);
    };
    short_sweep(
        false, [&](const std::vector<ExprP>&) { start(f.out, a); }, true);
    const VarId p = f.out.new_var("p", Scalar::Int64);
    Block inner = f.out.collect([&] {
      auto next = [&](std::vector<ExprP> i) {
        i[axis.axis] = f.out.get(p);
        join(f.out, a, at(i), f.out.get(p));
      };
      sweep(true, next, true);
    });
    CountedLoop rows{p, f.x.int_const(0), axis.n, std::move(inner)};
    rows.element = true;
    f.out.emit(std::move(rows));
    short_sweep(
        true, [&](const std::vector<ExprP>& i) { axis.store(i, finish(f.out, a, axis.n)); }, false);
  });
  release_temps(f, temps);
}

// Along one axis, or under MATLAB's conventions without an axis along the first dimension longer than 1.
ArrayGen reduction(Lowering& f, const ir::LibCall& c, int where) {
  const ir::LibFunction& fn = *ir::find_library(c.func);
  const std::string name(fn.name);
  const bool scan = fn.rule == ir::LibRule::Scanned;
  ArrayGen g = c.args[0]->type.is_array() ? gen(f, c.args[0])
                                          : one_element(f.out, scalar(f, c.args[0]), std::max<int>(1, c.type.rank));
  if (g.costly) g = leaf(f.out, materialise(f, g, g.layout, VR_IN_ENGINE), {});
  const int rank = g.rank();
  const bool keep_dims = f.conv.mindims == 2;
  ExprP axis = nullptr, columns = nullptr;
  if (c.args.size() == 2) {
    axis = checked_axis(f, f.x, f.conv, c.args[1], rank);
  } else if (keep_dims) {
    axis = f.x.int_const(0);
    for (int k = rank - 1; k >= 0; --k)
      axis = f.x.select(f.x.ne(g.extent[static_cast<size_t>(k)], f.x.int_const(1)), f.x.int_const(k), axis);
    axis = f.out.keep(axis, "axis");
    // MATLAB: a 0 x 0 array reduces to one element.
    if (!scan && rank == 2) {
      ExprP nothing = f.x.both(f.x.eq(g.extent[0], f.x.int_const(0)), f.x.eq(g.extent[1], f.x.int_const(0)));
      columns = f.out.keep(f.x.select(nothing, f.x.int_const(1), g.extent[1]), "columns");
    }
  } else if (scan) {
    // NumPy: a scan without an axis runs over all elements in row-major order.
    if (rank > 1) {
      Slot s = materialise(f, g, Layout::RowMajor, VR_IN_ENGINE);
      ArrayGen flat = leaf(f.out, s, {});
      g = flat;
      g.extent = {f.out.keep(total(f.out, flat.extent), "n")};
      g.at = [flat](const std::vector<ExprP>& i) { return flat.flat(i[0]); };
    }
    axis = f.x.int_const(0);
  } else {
    f.out.unsupported("'" + name + "' over all elements as an array", c.pos);
  }
  const int dims = g.rank();
  std::vector<ExprP> shape = g.extent, extents;
  if (columns) shape[1] = columns;
  if (scan) {
    extents = g.extent;
  } else {
    for (int k = 0; k < dims; ++k) {
      ExprP e = shape[static_cast<size_t>(k)], is_axis = f.x.eq(axis, f.x.int_const(k));
      if (keep_dims) {
        extents.push_back(f.out.keep(f.x.select(is_axis, f.x.int_const(1), e), "extent"));
      } else if (k + 1 < dims) {
        // Dimensions after the axis move up by one.
        extents.push_back(
            f.out.keep(f.x.select(f.x.ge(f.x.int_const(k), axis), g.extent[static_cast<size_t>(k + 1)], e), "extent"));
      }
    }
  }
  ir::Type t = c.type;
  if (t.layout == Layout::Strided) t.layout = Layout::RowMajor;
  t.rank = static_cast<uint8_t>(extents.size());
  Slot r = alloc(f, t, extents, VR_FILL_NONE, where, name.c_str());
  ExprP data = f.out.get(f.out.array(r.array).data);
  // One copy of the loops for each possible axis; an axis beyond the dimensions (MATLAB) has extent 1.
  for (int k = 0; k <= dims; ++k) {
    if (k == dims && !keep_dims) break;
    ExprP is_axis = k == dims ? f.x.ge(axis, f.x.int_const(dims)) : f.x.eq(axis, f.x.int_const(k));
    if (is_false(is_axis)) continue;
    Block loops = f.out.collect([&] {
      AlongAxis along{static_cast<size_t>(k),
                      shape,
                      k == dims ? f.x.int_const(1) : g.extent[static_cast<size_t>(k)],
                      t.layout,
                      scan,
                      {}};
      along.store = [&](const std::vector<ExprP>& i, ScalarValue v) {
        std::vector<ExprP> index;
        for (int d = 0; d < dims; ++d)
          if (d != k || scan || keep_dims)
            index.push_back(d == k && !scan ? f.x.int_const(0) : i[static_cast<size_t>(d)]);
        store(f.out, data, f.x.at(index, strides(f.out, r)), v);
      };
      Accumulator a = accumulator(f, fn, g, t);
      if (a.minmax()) {
        ExprP some = f.x.bool_const(true);
        for (int d = 0; d < dims; ++d)
          if (d != k) some = f.x.both(some, f.x.ne(shape[static_cast<size_t>(d)], f.x.int_const(0)));
        f.out.fail_if(f.x.both(some, f.x.eq(along.n, f.x.int_const(0))), Code::Size,
                      name + " of an array without elements");
      }
      const std::vector<size_t> near = along.nearer();
      ExprP across = f.x.bool_const(false);
      if (k < dims && !scan && !a.starts_with_first() && !near.empty() && !f.section.inside &&
          f.out.fn.kind != Function::Kind::Kernel)
        across = f.x.ge(total(f.out, pick(shape, near)), f.x.int_const(across_from));
      with_elements(f.out, g, [&](const Elements& at) {
        if (k < dims && !scan && f.section.inside) return reduce_on_device(f, a, along, at);
        Block wide, narrow;
        if (!is_false(across)) wide = f.out.collect([&] { reduce_across(f, a, along, at); });
        if (!is_true(across)) narrow = f.out.collect([&] { reduce_along(f, a, along, at, !is_false(across)); });
        Block& only = is_false(across) ? narrow : wide;
        if (!is_false(across) && !is_true(across))
          f.out.emit(If{across, std::move(wide), std::move(narrow)});
        else
          f.out.append(std::move(only));
      });
    });
    if (is_true(is_axis)) {
      f.out.append(std::move(loops));
      break;
    }
    f.out.emit(If{is_axis, std::move(loops), {}});
  }
  return made(f.out, r);
}

}  // namespace vr::lower
