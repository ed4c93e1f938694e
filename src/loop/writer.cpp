#include "loop/writer.hpp"

namespace vr::lower {

VarId Writer::new_var(const std::string& name, Scalar type) {
  fn.vars.push_back({name, type});
  return static_cast<VarId>(fn.vars.size() - 1);
}

ExprP Writer::get(VarId v) {
  const Scalar type = fn.vars[static_cast<size_t>(v)].type;
  auto it = fn.constants.find(v);
  return it == fn.constants.end() ? x.var(v, type) : x.int_const(it->second, type);
}

ExprP Writer::temp(ExprP e, const char* name) {
  VarId v = new_var(name, e->type);
  set(v, e);
  return get(v);
}

}  // namespace vr::lower
