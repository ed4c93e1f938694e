#include "lower/emitter.hpp"

namespace vr::lower {

ExprP Emitter::get(VarId v) {
  auto it = known.find(v);
  return it == known.end() ? Writer::get(v) : x.int_const(it->second, fn.vars[static_cast<size_t>(v)].type);
}

void Emitter::set(VarId v, ExprP e) {
  std::erase_if(positions, [&](const Position& p) { return mentions(p.value, v) || mentions(p.extent, v); });
  Writer::set(v, e);
}

ScalarValue Emitter::keep(ScalarValue v) {
  v.re = keep(v.re);
  if (v.im) v.im = keep(v.im);
  return v;
}

ArrayId Emitter::new_array(const std::string& name, ir::Elem elem, bool complex, int rank, bool owned) {
  ArrayVars a;
  a.name = name;
  a.elem = elem;
  a.complex = complex;
  a.data = new_var(name + ".data", Scalar::Ptr);
  if (owned) a.owner = new_var(name + ".owner", Scalar::Ptr);
  if (owned) a.flags = new_var(name + ".flags", Scalar::Int32);
  for (int k = 0; k < rank; ++k) a.extent.push_back(new_var(name + ".extent" + std::to_string(k), Scalar::Int64));
  for (int k = 0; k < rank; ++k) a.stride.push_back(new_var(name + ".stride" + std::to_string(k), Scalar::Int64));
  fn.arrays.push_back(std::move(a));
  return static_cast<ArrayId>(fn.arrays.size() - 1);
}

SiteId Emitter::site(const std::string& array, int axis, const std::string& message, int32_t raised) {
  Site s{at.inlined ? at.inlined->function : fn.source_name, at.loc, array, axis, message, raised};
  auto& sites = module_.sites;
  for (size_t i = sites.size(); i-- > 0 && sites.size() - i < 64;)
    if (sites[i].function == s.function && sites[i].loc == s.loc && sites[i].array == s.array &&
        sites[i].axis == s.axis && sites[i].message == s.message && sites[i].raised == s.raised)
      return static_cast<SiteId>(i);
  sites.push_back(std::move(s));
  return static_cast<SiteId>(sites.size() - 1);
}

void Emitter::fail_if(ExprP cond, Code code, const std::string& message, const std::string& array, int axis,
                      ExprP index, ExprP extent) {
  if (is_false(cond)) return;
  Fail fail{site(array, axis, message), static_cast<int32_t>(code), index, extent};
  If test{cond, {}, {}, true};
  test.then_body.push_back(Stmt{fail});
  emit(std::move(test));
}

void Emitter::unsupported(const std::string& what, ir::TextPos pos) const {
  throw Unsupported{pos.line ? pos : at.pos, what};
}

void launch(Emitter& out, int32_t kernel, const std::vector<ExprP>& counts, const std::vector<Operand>& args,
            bool versions) {
  std::vector<ExprP> kept;
  for (ExprP c : counts) kept.push_back(out.keep(c, "count"));
  out.emit(Launch{kernel, std::move(kept), args, out.site(), !versions});
}

// ---------------------------------------------------------------- calls
void Emitter::call(int32_t function, std::vector<Arg> args, bool checked, VarId result) {
  positions.clear();  // the variables may refer to other arrays now
  if (in_kernel()) unsupported("a runtime call inside an OpenCL kernel");
  emit(Call{function, std::move(args), result, checked});
}

Arg Emitter::in_array(ArrayId a) const {
  Arg r{Arg::Kind::Array};
  r.array = a;
  return r;
}

Arg Emitter::out_array(ArrayId a) const {
  Arg r = in_array(a);
  r.out = true;
  r.in = false;
  return r;
}

Arg Emitter::inout_array(ArrayId a) const {
  Arg r = in_array(a);
  r.out = true;
  return r;
}

Arg Emitter::site_arg(const std::string& array) {
  Arg r{Arg::Kind::Site};
  r.site = site(array);
  return r;
}

Arg Emitter::int64s_arg(std::vector<ExprP> v) const {
  Arg r{Arg::Kind::Int64s};
  r.values = std::move(v);
  return r;
}

}  // namespace vr::lower
