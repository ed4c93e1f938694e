#include "loop/new_array.hpp"

#include "loop/runtime_fn.hpp"
#include "runtime/abi.h"

#include <algorithm>

namespace vr::lower {

namespace {

Call release(Writer& out, ArrayId a) {
  return {rt::GpuRelease, {{Arg::Kind::Scalar, out.x.var(out.array(a).owner, Scalar::Ptr)}}};
}

}  // namespace

bool frees_device_arrays(const Function& f) {
  return std::none_of(f.cleanup.begin(), f.cleanup.end(), [](const Stmt& s) {
    auto* c = std::get_if<Call>(&s.node);
    return c && (c->fn == rt::Release || c->fn == rt::Keep);
  });
}

ArrayId array_vars(Writer& out, const std::string& name, Scalar type, size_t rank, bool owned) {
  ArrayVars a;
  a.name = name;
  a.elem = elem_of(type);
  a.data = out.new_var(name + ".data", Scalar::Ptr);
  if (owned) {
    a.owner = out.new_var(name + ".owner", Scalar::Ptr);
    a.flags = out.new_var(name + ".flags", Scalar::Int32);
  }
  for (size_t k = 0; k < rank; ++k)
    a.extent.push_back(out.new_var(name + ".extent" + std::to_string(k), Scalar::Int64));
  for (size_t k = 0; k < rank; ++k)
    a.stride.push_back(out.new_var(name + ".stride" + std::to_string(k), Scalar::Int64));
  out.fn.arrays.push_back(std::move(a));
  return static_cast<ArrayId>(out.fn.arrays.size()) - 1;
}

ArrayId new_array(Writer& out, SiteId site, const std::string& name, Scalar type, const std::vector<ExprP>& extents) {
  Exprs& x = out.x;
  const ArrayId id = array_vars(out, name, type, extents.size(), true);
  auto number = [&](int64_t v) { return Arg{Arg::Kind::Scalar, x.int_const(v, Scalar::Int32)}; };
  Arg where{Arg::Kind::Site}, array{Arg::Kind::Array}, sizes{Arg::Kind::Int64s};
  where.site = site;
  array.array = id;
  array.out = true;
  array.in = false;
  sizes.values = extents;
  out.emit(Call{rt::Alloc,
                {where, array, number(static_cast<int>(elem_of(type))), number(static_cast<int64_t>(extents.size())),
                 sizes, number(VR_ROWMAJOR), number(VR_FILL_NONE), number(VR_IN_ENGINE)},
                none,
                true});
  // Extents and strides are known, but the call returns them through a descriptor in memory, which an optimiser cannot see
  // through. Assigning them again makes them known to it.
  const ArrayVars a = out.array(id);
  ExprP bytes = x.int_const(a.element_bytes());
  for (size_t k = extents.size(); k-- > 0;) {
    out.set(a.extent[k], extents[k]);
    out.set(a.stride[k], bytes);
    bytes = x.mul(out.get(a.stride[k]), out.get(a.extent[k]));
  }
  out.fn.cleanup.push_back({release(out, id), none});
  return id;
}

void free_array(Writer& out, ArrayId a) {
  out.emit(release(out, a));
  out.set(out.array(a).owner, out.x.null());
}

}  // namespace vr::lower
