// Reductions along one axis on a device.
//
// A work-item for each result (reduce_along) is right where there are many results, next to each other. Few results of
// long rows would leave most of the device idle, and rows whose elements lie side by side would be read with a stride
// between neighbouring work-items. There each row is cut into pieces, of which a work-item reduces one: it takes every
// `pieces`th element, so that neighbours read neighbours. What the pieces have come to is joined by two more kernels,
// the second where the pieces are more than one work-item should join.
//
//   row r:  e0 e1 e2 e3 e4 e5 e6 e7 ...      piece p:  e[p], e[p + pieces], e[p + 2*pieces], ...
//   states: row `piece` of a pieces x results array for each variable of the state; the groups' rows lie behind them
#include "lower/accumulator.hpp"
#include "lower/axis.hpp"
#include "runtime/abi.h"

namespace vr::lower {

using ir::Layout;

namespace {
// Work-items that keep a large device busy, and the elements that each should have at least.
constexpr int64_t enough_items = 1 << 17, least_elements = 8;
// Neighbours that read whole lines together, where the elements of a row lie side by side.
constexpr int64_t line_items = 32;
// What one work-item joins one after the other.
constexpr int64_t most_joined = 64, most_pieces = most_joined * most_joined;
// Fewer pieces are not worth the kernels that join them.
constexpr int64_t least_pieces = 4;
}  // namespace

void FunctionLowering::reduce_on_device(const Accumulator& a, const AlongAxis& axis, const Elements& at) {
  const ExprP one = x_.int_const(1);
  ExprP results = one;
  for (size_t k = 0; k < axis.extent.size(); ++k)
    if (k != axis.axis) results = x_.mul(results, axis.extent[k]);
  ExprP wanted = x_.binary(Op::Div, x_.int_const(enough_items), keep(x_.max(keep(results), one)));
  if (axis.nearer().empty()) wanted = x_.max(keep(wanted), x_.int_const(line_items));
  const ExprP fitting = keep(x_.binary(Op::Div, axis.n, x_.int_const(least_elements)));
  const ExprP pieces = keep(x_.min(keep(x_.min(keep(wanted), fitting)), x_.int_const(most_pieces)), "pieces");
  const ExprP cut = keep(x_.ge(pieces, x_.int_const(least_pieces)), "cut");
  // Two statements, not one with two ways: both ways get versions of their kernels (offload.cpp).
  if (!is_false(cut)) emit(If{cut, collect([&] { reduce_pieces(a, axis, at, pieces); }), {}});
  if (!is_true(cut)) emit(If{x_.not_(cut), collect([&] { reduce_along(a, axis, at, false); }), {}});
}

void FunctionLowering::reduce_pieces(const Accumulator& a, const AlongAxis& axis, const Elements& at, ExprP pieces) {
  const ExprP zero = x_.int_const(0);
  std::vector<size_t> others = axis.further(), order = others;
  const std::vector<size_t> near = axis.nearer();
  order.push_back(axis.axis);
  order.insert(order.end(), near.begin(), near.end());
  others.insert(others.end(), near.begin(), near.end());
  const ExprP results = keep(total(pick(axis.extent, others)), "results");
  const ExprP many = keep(x_.gt(pieces, x_.int_const(most_joined)), "many");
  const ExprP groups =
      keep(x_.binary(Op::Div, x_.add(pieces, x_.int_const(most_joined - 1)), x_.int_const(most_joined)), "groups");

  // An array for each variable of the state.
  Accumulator own = a, other = another(a);
  std::vector<Slot> states;
  for (VarId* v : own.states()) {
    const ir::Elem elem = *v == a.re || *v == a.im ? a.elem : *v == a.position ? ir::Elem::Int64 : ir::Elem::Bool;
    states.push_back(alloc(ir::Type::array(elem, 2, Layout::RowMajor), {x_.add(pieces, groups), results}, VR_FILL_NONE,
                           VR_IN_ENGINE, "pieces"));
  }
  auto at_place = [&](const Slot& s, ExprP row, ExprP r) {
    return x_.mul(x_.add(x_.mul(row, results), r), element_bytes(s));
  };
  auto put_away = [&](ExprP row, ExprP r) {
    for (size_t k = 0; k < states.size(); ++k)
      emit(Store{get(array(states[k].array).data), at_place(states[k], row, r), get(*own.states()[k])});
  };
  auto join_row = [&](ExprP row, ExprP r) {
    for (size_t k = 0; k < states.size(); ++k) {
      const VarId v = *other.states()[k];
      set(v, x_.load(fn_.vars[static_cast<size_t>(v)].type, get(array(states[k].array).data),
                     at_place(states[k], row, r)));
    }
    join(a, other);
  };
  // Which result the subscripts belong to.
  auto result_of = [&](const std::vector<ExprP>& i) {
    ExprP r = zero;
    for (size_t d : others) r = x_.add(x_.mul(r, axis.extent[d]), i[d]);
    return keep(r, "r");
  };
  auto over = [&](const std::vector<size_t>& dims, ExprP along, const auto& body) {
    std::vector<ExprP> extent = axis.extent;
    extent[axis.axis] = along;
    loop_nest(pick(extent, dims), Layout::RowMajor, true, [&](const std::vector<ExprP>& i) {
      std::vector<ExprP> full(axis.extent.size(), zero);
      for (size_t k = 0; k < dims.size(); ++k) full[dims[k]] = i[k];
      body(full);
    });
  };
  auto times = [&](const char* name, ExprP n, const auto& body) {
    const VarId v = new_var(name, Scalar::Int64);
    Block b = collect([&] { body(get(v)); });
    emit(CountedLoop{v, zero, n, std::move(b)});
  };

  const ExprP rounds = keep(x_.binary(Op::Div, axis.n, pieces), "rounds");
  const ExprP left = keep(x_.sub(axis.n, x_.mul(rounds, pieces)), "left");
  over(order, pieces, [&](std::vector<ExprP> i) {
    const ExprP piece = i[axis.axis];
    auto element = [&](ExprP round) {
      i[axis.axis] = keep(x_.add(piece, x_.mul(round, pieces)), "p");
      join(a, at(i), i[axis.axis]);
    };
    start(a);
    times("round", rounds, element);
    emit(If{x_.lt(piece, left), collect([&] { element(rounds); }), {}});
    put_away(piece, result_of(i));
  });
  Block join_groups = collect([&] {
    loop_nest({groups, results}, Layout::RowMajor, true, [&](const std::vector<ExprP>& i) {
      start(a);
      times("q", x_.int_const(most_joined), [&](ExprP q) {
        const ExprP row = temp(x_.add(i[0], x_.mul(q, groups)), "row");
        emit(If{x_.lt(row, pieces), collect([&] { join_row(row, i[1]); }), {}});
      });
      put_away(x_.add(pieces, i[0]), i[1]);
    });
  });
  emit(If{many, std::move(join_groups), {}});
  const ExprP first = keep(x_.select(many, pieces, zero), "first"),
              count = keep(x_.select(many, groups, pieces), "count");
  over(others, zero, [&](const std::vector<ExprP>& i) {
    const ExprP r = result_of(i);
    start(a);
    times("q", count, [&](ExprP q) { join_row(x_.add(first, q), r); });
    axis.store(i, finish(a, axis.n));
  });
}

}  // namespace vr::lower
