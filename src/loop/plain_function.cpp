#include "loop/plain_function.hpp"

#include <fmt/format.h>

namespace vr::lower {

std::string scalar_type(const PlainValue& v) {
  if (v.complex) return v.elem == ir::Elem::Float32 ? "vr_complex64" : "vr_complex128";
  if (v.elem == ir::Elem::Bool) return "bool";
  switch (v.elem) {
#define VR_ELEM(Name, text, code, bytes, kind, c_type, ...) \
  case ir::Elem::Name:                                      \
    return #c_type;
#include <velociraptor/ir/elements.def>
  }
  return {};
}

std::string prototype(const PlainFunction& f) {
  std::string s = fmt::format("int32_t {}(", f.symbol);
  for (const PlainValue& v : f.args) {
    if (v.rank > 0)
      s += fmt::format("const vr_array *{}, ", v.name);
    else
      s += v.complex ? fmt::format("const {} *{}, ", scalar_type(v), v.name)
                     : fmt::format("{} {}, ", scalar_type(v), v.name);
  }
  for (const PlainValue& v : f.results) s += fmt::format("{} *{}, ", v.rank > 0 ? "vr_array" : scalar_type(v), v.name);
  return s + "vr_error *error)";
}

}  // namespace vr::lower
