#include "lower/ownership.hpp"

#include "loop/runtime_fn.hpp"

namespace vr::lower {

void retain(Emitter& out, ArrayId a) {
  if (out.collected()) return;
  if (out.array(a).owner != none) out.call(rt::Retain, {out.scalar_arg(out.get(out.array(a).owner))}, false);
}

// Whether the assignments just emitted leave the variable null, for example because its reference was moved.
static bool left_null(const Block& b, VarId owner) {
  for (auto it = b.rbegin(); it != b.rend(); ++it) {
    auto* s = std::get_if<SetVar>(&it->node);
    if (!s) return false;
    if (s->var == owner) return s->value->kind == Expr::Kind::Null;
  }
  return false;
}

void release(Lowering& f, ArrayId a) {
  if (f.out.array(a).owner == none || left_null(*f.out.block, f.out.array(a).owner)) return;
  const auto fn = f.out.collected() ? rt::Keep : f.section.in_module ? rt::GpuRelease : rt::Release;
  f.out.call(fn, {f.out.scalar_arg(f.out.get(f.out.array(a).owner))}, false);
  f.out.set(f.out.array(a).owner, f.x.null());
}

void copy_flags(Emitter& out, ArrayId to, ArrayId from) {
  if (to == from || out.array(to).flags == none) return;
  out.set(out.array(to).flags,
          out.array(from).flags == none ? out.x.int_const(0, Scalar::Int32) : out.get(out.array(from).flags));
}

void copy_fields(Emitter& out, ArrayId to, ArrayId from) {
  if (to == from) return;
  out.set(out.array(to).data, out.get(out.array(from).data));
  copy_flags(out, to, from);
  for (size_t k = 0; k < out.array(to).extent.size(); ++k) {
    out.set(out.array(to).extent[k], out.get(out.array(from).extent[k]));
    out.set(out.array(to).stride[k], out.get(out.array(from).stride[k]));
  }
}

void move_array(Lowering& f, ArrayId to, ArrayId from) {
  if (to == from) return;
  if (f.out.fn.kind == Function::Kind::Kernel) {
    // If the array is allocated with the same shape everywhere, its extents are known constants.
    for (size_t k = 0; k < f.out.array(to).extent.size(); ++k) {
      const auto size = f.out.known.find(f.out.array(from).extent[k]);
      if (size == f.out.known.end())
        f.out.unsupported("an array private to an iteration, of a size not known before it runs,");
      const auto [it, added] = f.out.known.emplace(f.out.array(to).extent[k], size->second);
      if (!added && it->second != size->second)
        f.out.unsupported("an array private to an iteration, of several sizes,");
      const auto [step, first] =
          f.out.known.emplace(f.out.array(to).stride[k], f.out.known.at(f.out.array(from).stride[k]));
      if (!first && step->second != f.out.known.at(f.out.array(from).stride[k]))
        f.out.unsupported("an array private to an iteration, in several orders,");
    }
  }
  release(f, to);
  copy_fields(f.out, to, from);
  if (f.out.array(to).owner == none) return;
  if (f.out.array(from).owner == none) {
    f.out.set(f.out.array(to).owner, f.x.null());
    return;
  }
  f.out.set(f.out.array(to).owner, f.out.get(f.out.array(from).owner));
  f.out.set(f.out.array(from).owner, f.x.null());
}

void release_temps(Lowering& f, size_t from) {
  for (size_t i = from; i < f.own.temps.size(); ++i) release(f, f.own.temps[i]);
  f.own.temps.resize(from);
}

bool last_use(Lowering& f, ir::SymbolId id, int mentions) {
  if (!f.uses.stmt) return false;
  if (!f.uses.last) f.uses.last = std::make_shared<LastUses>(f.source);
  return f.uses.last->mentions(*f.uses.stmt, id) == mentions && f.uses.last->ends_with(*f.uses.stmt, id);
}

}  // namespace vr::lower
