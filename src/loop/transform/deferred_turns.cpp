#include "loop/transform/deferred_turns.hpp"

#include <utility>

namespace vr::lower {

void defer(Writer& out, const DeferredTurns& d) {
  const ExprP turns = out.x.var(d.turns, Scalar::Int64);
  Block begin;
  for (const auto& [host, first] : d.first)
    begin.push_back({SetVar{first, out.x.var(host, out.fn.vars[static_cast<size_t>(host)].type)}, out.place});
  if (!begin.empty()) out.emit(If{out.x.eq(turns, out.x.int_const(0)), std::move(begin), {}});
  out.set(d.turns, out.x.add(turns, out.x.int_const(1)));
}

void launch_deferred(Writer& out, const DeferredTurns& d, const Launch& n, ExprP condition) {
  const ExprP turns = out.x.var(d.turns, Scalar::Int64), zero = out.x.int_const(0);
  Block all;
  all.push_back({n, out.place});
  all.push_back({SetVar{d.turns, zero}, out.place});
  out.emit(If{out.x.both(out.x.gt(turns, zero), condition), std::move(all), {}});
}

}  // namespace vr::lower
