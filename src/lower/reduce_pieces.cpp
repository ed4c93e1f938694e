// Reductions along one axis on a device.
//
// One work-item for each result (reduce_along) is efficient if there are many results with unit stride. A few results
// of long rows would leave most of the device idle, and neighbouring work-items would read contiguous rows with a
// stride. In these cases each row is cut into chunks (`pieces`), each of which a work-item reduces: it takes every
// `pieces`th element, so that neighbouring work-items read neighbouring elements. The chunks' results are joined by two
// more kernels, the second one where there are more chunks than one work-item should join.
//
//   row r:  e0 e1 e2 e3 e4 e5 e6 e7 ...      piece p:  e[p], e[p + pieces], e[p + 2*pieces], ...
//   states: row `piece` of a pieces x results array for each variable of the state; the groups' rows come after them
#include "lower/reduce_pieces.hpp"

#include "lower/accumulator.hpp"
#include "lower/element_loops.hpp"
#include "lower/index.hpp"
#include "lower/reduce.hpp"
#include "lower/reduce_axis.hpp"
#include "lower/statement.hpp"
#include "lower/storage.hpp"
#include "lower/variables.hpp"
#include "runtime/abi.h"

namespace vr::lower {

using ir::Layout;

namespace {
// Number of work-items that keep a large device busy, and the least number of elements for each of them.
constexpr int64_t enough_items = 1 << 17, least_elements = 8;
// Number of neighbouring work-items that read whole cache lines together where rows are contiguous.
constexpr int64_t line_items = 32;
// Number of results that one work-item joins sequentially.
constexpr int64_t most_joined = 64, most_pieces = most_joined * most_joined;
// Fewer chunks do not outweigh the cost of the kernels that join them.
constexpr int64_t least_pieces = 4;
}  // namespace

static void reduce_pieces(Lowering& f, const Accumulator& a, const AlongAxis& axis, const Elements& at, ExprP pieces);

void reduce_on_device(Lowering& f, const Accumulator& a, const AlongAxis& axis, const Elements& at) {
  const ExprP one = f.x.int_const(1);
  ExprP results = one;
  for (size_t k = 0; k < axis.extent.size(); ++k)
    if (k != axis.axis) results = f.x.mul(results, axis.extent[k]);
  ExprP wanted = f.x.binary(Op::Div, f.x.int_const(enough_items), f.out.keep(f.x.max(f.out.keep(results), one)));
  if (axis.nearer().empty()) wanted = f.x.max(f.out.keep(wanted), f.x.int_const(line_items));
  const ExprP fitting = f.out.keep(f.x.binary(Op::Div, axis.n, f.x.int_const(least_elements)));
  const ExprP pieces =
      f.out.keep(f.x.min(f.out.keep(f.x.min(f.out.keep(wanted), fitting)), f.x.int_const(most_pieces)), "pieces");
  const ExprP cut = f.out.keep(f.x.ge(pieces, f.x.int_const(least_pieces)), "cut");
  // Two `if` statements instead of one with an else branch, so that the kernels of both get versions (offload.cpp).
  if (!is_false(cut)) f.out.emit(If{cut, f.out.collect([&] { reduce_pieces(f, a, axis, at, pieces); }), {}});
  if (!is_true(cut)) f.out.emit(If{f.x.not_(cut), f.out.collect([&] { reduce_along(f, a, axis, at, false); }), {}});
}

static void reduce_pieces(Lowering& f, const Accumulator& a, const AlongAxis& axis, const Elements& at, ExprP pieces) {
  const ExprP zero = f.x.int_const(0);
  std::vector<size_t> others = axis.further(), order = others;
  const std::vector<size_t> near = axis.nearer();
  order.push_back(axis.axis);
  order.insert(order.end(), near.begin(), near.end());
  others.insert(others.end(), near.begin(), near.end());
  const ExprP results = f.out.keep(total(f.out, pick(axis.extent, others)), "results");
  const ExprP many = f.out.keep(f.x.gt(pieces, f.x.int_const(most_joined)), "many");
  const ExprP groups = f.out.keep(
      f.x.binary(Op::Div, f.x.add(pieces, f.x.int_const(most_joined - 1)), f.x.int_const(most_joined)), "groups");

  // An array for each variable of the state.
  Accumulator own = a, other = another(f.out, a);
  std::vector<Slot> states;
  for (VarId* v : own.states()) {
    const ir::Elem elem = *v == a.re || *v == a.im ? a.elem : *v == a.position ? ir::Elem::Int64 : ir::Elem::Bool;
    states.push_back(alloc(f, ir::Type::array(elem, 2, Layout::RowMajor), {f.x.add(pieces, groups), results},
                           VR_FILL_NONE, VR_IN_ENGINE, "pieces"));
  }
  auto at_place = [&](const Slot& s, ExprP row, ExprP r) {
    return f.x.at({f.x.add(f.x.mul(row, results), r)}, {element_bytes(f.out, s)});
  };
  auto put_away = [&](ExprP row, ExprP r) {
    for (size_t k = 0; k < states.size(); ++k)
      f.out.emit(Store{f.out.get(f.out.array(states[k].array).data), at_place(states[k], row, r),
                       f.out.get(*own.states()[k])});
  };
  auto join_row = [&](ExprP row, ExprP r) {
    for (size_t k = 0; k < states.size(); ++k) {
      const VarId v = *other.states()[k];
      f.out.set(v, f.x.load(f.out.fn.vars[static_cast<size_t>(v)].type, f.out.get(f.out.array(states[k].array).data),
                            at_place(states[k], row, r)));
    }
    join(f.out, a, other);
  };
  // The number of the result to which the subscripts belong.
  auto result_of = [&](const std::vector<ExprP>& i) {
    ExprP r = zero;
    for (size_t d : others) r = f.x.add(f.x.mul(r, axis.extent[d]), i[d]);
    return f.out.keep(r, "r");
  };
  auto over = [&](const std::vector<size_t>& dims, ExprP along, const auto& body) {
    std::vector<ExprP> extent = axis.extent;
    extent[axis.axis] = along;
    loop_nest(f, pick(extent, dims), Layout::RowMajor, true, [&](const std::vector<ExprP>& i) {
      std::vector<ExprP> full(axis.extent.size(), zero);
      for (size_t k = 0; k < dims.size(); ++k) full[dims[k]] = i[k];
      body(full);
    });
  };
  auto times = [&](const char* name, ExprP n, const auto& body) {
    const VarId v = f.out.new_var(name, Scalar::Int64);
    Block b = f.out.collect([&] { body(f.out.get(v)); });
    f.out.emit(CountedLoop{v, zero, n, std::move(b)});
  };

  const ExprP rounds = f.out.keep(f.x.binary(Op::Div, axis.n, pieces), "rounds");
  const ExprP left = f.out.keep(f.x.sub(axis.n, f.x.mul(rounds, pieces)), "left");
  over(order, pieces, [&](std::vector<ExprP> i) {
    const ExprP piece = i[axis.axis];
    auto element = [&](ExprP round) {
      i[axis.axis] = f.out.keep(f.x.add(piece, f.x.mul(round, pieces)), "p");
      join(f.out, a, at(i), i[axis.axis]);
    };
    start(f.out, a);
    times("round", rounds, element);
    f.out.emit(If{f.x.lt(piece, left), f.out.collect([&] { element(rounds); }), {}});
    put_away(piece, result_of(i));
  });
  Block join_groups = f.out.collect([&] {
    loop_nest(f, {groups, results}, Layout::RowMajor, true, [&](const std::vector<ExprP>& i) {
      start(f.out, a);
      times("q", f.x.int_const(most_joined), [&](ExprP q) {
        const ExprP row = f.out.temp(f.x.add(i[0], f.x.mul(q, groups)), "row");
        f.out.emit(If{f.x.lt(row, pieces), f.out.collect([&] { join_row(row, i[1]); }), {}});
      });
      put_away(f.x.add(pieces, i[0]), i[1]);
    });
  });
  f.out.emit(If{many, std::move(join_groups), {}});
  const ExprP first = f.out.keep(f.x.select(many, pieces, zero), "first"),
              count = f.out.keep(f.x.select(many, groups, pieces), "count");
  over(others, zero, [&](const std::vector<ExprP>& i) {
    const ExprP r = result_of(i);
    start(f.out, a);
    times("q", count, [&](ExprP q) { join_row(f.x.add(first, q), r); });
    axis.store(i, finish(f.out, a, axis.n));
  });
}

}  // namespace vr::lower
