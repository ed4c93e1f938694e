#include "loop/kernel_forms.hpp"

#include "loop/new_array.hpp"

#include <utility>

namespace vr::lower {

bool runs_alone(const Function& k) {
  return k.points == 1 && k.folds.empty() && k.lanes.empty() && k.rows.empty() && k.team == 0 && k.group == 0;
}

int32_t add_kernel(Module& m, Function made, const std::string& name) {
  const int32_t id = add_function(m, Function::Kind::Kernel, name, made.source_name);
  Function& target = *m.functions[static_cast<size_t>(id)];
  made.name = target.name;
  target = std::move(made);
  return id;
}

int32_t add_form(Module& m, int32_t from, Function made, const std::string& suffix) {
  const Function& kernel = *m.functions[static_cast<size_t>(from)];
  made.form_of = kernel.form_of == none ? from : kernel.form_of;
  made.on_host = none;
  made.tile_of = {from};
  const std::string name = made.name + suffix;
  return add_kernel(m, std::move(made), name);
}

Function tile_version(const Function& plain) {
  Function f = plain;
  f.body.clear();
  f.form_of = f.on_host = none;
  f.tile_of = {};
  return f;
}

VarId tile_dim(Writer& out, size_t d, const char* suffix) {
  Function& f = out.fn;
  const std::string name = f.vars[static_cast<size_t>(f.dims[d])].name;
  Param count;
  count.var = out.new_var(name + ".count", Scalar::Int64);
  f.dims[d] = out.new_var(name + suffix, Scalar::Int64);
  f.tile_of.count[d] = static_cast<int32_t>(f.params.size());
  f.params.push_back(count);
  if (!f.narrow.empty()) f.narrow.insert(f.dims[d]);
  return count.var;
}

void narrow(Function& kernel, VarId v) {
  if (!kernel.narrow.empty()) kernel.narrow.insert(v);
}

Element add_array_param(Exprs& x, Function& kernel, const std::string& name, Scalar type,
                        const std::vector<ExprP>& index, bool stored) {
  Writer out(x, kernel);
  const ArrayId id = array_vars(out, name, type, index.size(), false);
  const ArrayVars& a = out.array(id);
  std::vector<ExprP> stride;
  for (size_t d = 0; d < index.size(); ++d) {
    stride.push_back(x.var(a.stride[d], Scalar::Int64));
    narrow(kernel, a.extent[d]);
    narrow(kernel, a.stride[d]);
  }
  stride.back() = x.int_const(a.element_bytes());
  Param p;
  p.array = id;
  p.written = p.fresh = stored;
  kernel.params.push_back(p);
  return {x.var(a.data, Scalar::Ptr), x.at(index, stride)};
}

Block launch_if(ExprP c, Launch form, Block otherwise, int32_t place) {
  Block then_body, all;
  then_body.push_back({std::move(form), place});
  all.push_back({If{c, std::move(then_body), std::move(otherwise)}, place});
  return all;
}

ExprP within_limits(Exprs& x, ExprP c, const std::vector<ExprP>& counts, int32_t team) {
  // of work-items along dims[0], of work-groups along other dimensions
  constexpr int64_t most_items = int64_t{1} << 30, most_groups = 65535;
  for (size_t d = 0; d < counts.size(); ++d)
    c = x.both(c, x.le(counts[d], x.int_const(d == 0 ? most_items / team : most_groups)));
  return c;
}

ArrayId passed_array(const Function& kernel, const Launch& launch, VarId data) {
  for (size_t p = 0; p < kernel.params.size(); ++p) {
    const ArrayId a = kernel.params[p].array;
    if (a != none && kernel.arrays[static_cast<size_t>(a)].data == data) return launch.args[p].array;
  }
  return none;
}

}  // namespace vr::lower
