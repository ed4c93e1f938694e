#include "codegen/opencl/body_writer.hpp"

#include "codegen/opencl/block_writer.hpp"
#include "codegen/opencl/copy_writer.hpp"
#include "codegen/opencl/row_writer.hpp"
#include "codegen/opencl/statements.hpp"

#include <velociraptor/ir/nodes.hpp>

#include <fmt/format.h>

#include <unordered_set>

namespace vr::codegen::opencl {

using namespace lower;

/// Calls f for every variable that the body uses but does not define, with its type: dims, then parameters.
template <class F>
static void for_each_input(const KernelCode& code, F&& f) {
  auto maybe = [&](VarId v, const char* type) {
    if (v != none && code.usage.uses(v)) f(v, type);
  };
  for (VarId d : code.f.dims) maybe(d, code.whole_type(d));
  for (const Param& p : code.f.params) {
    if (p.array == none) {
      maybe(p.var, value_type(code.f.vars[p.var].type));
      if (p.im != none) maybe(p.im, value_type(code.f.vars[p.im].type));
      continue;
    }
    const ArrayVars& a = code.f.arrays[p.array];
    maybe(a.data, !p.written && code.is_fixed(a.data) ? "__global const char*" : "__global char*");
    for (VarId v : a.extent) maybe(v, code.whole_type(v));
    for (VarId v : a.stride) maybe(v, code.whole_type(v));
  }
}

/// Declares local variables, one line for each type, in the order of the variables.
static void declare_locals(KernelCode& code, const Usage& usage, const std::unordered_set<VarId>& inputs) {
  std::vector<Scalar> types;
  for (const ir::ElemInfo& e : ir::elem_table) types.push_back(scalar_of(e.elem));
  types.push_back(Scalar::Ptr);
  for (Scalar type : types) {
    std::string list;
    for (VarId v = 0; v < VarId(code.f.vars.size()); ++v) {
      if (code.f.vars[v].type != type || inputs.count(v) || !usage.uses(v)) continue;
      if (code.is_narrow(v)) {
        code.out.line(fmt::format("int {};", code.name(v)));
        continue;
      }
      if (type == Scalar::Ptr && code.usage.to_local.count(v)) continue;  // declare_rows
      if (type == Scalar::Ptr)
        code.out.line(
            fmt::format("{} char* {};", code.usage.to_private.count(v) ? "__private" : "__global", code.name(v)));
      else
        list += (list.empty() ? "" : ", ") + code.name(v);
    }
    if (!list.empty()) code.out.line(fmt::format("{} {};", value_type(type), list));
  }
  // `long`, so that the memory is aligned for any element type.
  for (const Scratch& s : code.usage.scratch) {
    const std::string memory = code.names.taken.unique(code.name(s.var) + "_memory");
    code.out.line(fmt::format("long {}[{}];", memory, (s.bytes + 7) / 8));
    code.out.line(fmt::format("{} = (__private char*){};", code.name(s.var), memory));
  }
}

std::string write_body(KernelCode& code) {
  std::vector<std::string> params;
  std::unordered_set<VarId> inputs;
  for_each_input(code, [&](VarId v, const char* type) {
    inputs.insert(v);
    params.push_back(fmt::format("{} {}", type, code.name(v)));
    code.call_args.push_back(code.name(v));
  });
  for (const Row& r : code.f.rows)
    if (r.times != none) inputs.insert(r.times);  // pass_copies
  for (const Fold& fold : code.f.folds) {
    const std::string& name = code.names.joined.at(fold.var);
    params.push_back(fmt::format("{}* {}", value_type(code.f.vars[fold.var].type), name));
    code.call_args.push_back("&" + name);
  }
  if (code.usage.fails) {
    params.push_back("__global vr_fault* " + code.names.error);
    code.call_args.push_back(code.names.error);
  }
  if (code.f.team) {
    params.push_back(fmt::format("const int {}, __local char* {}", code.names.rows.inside, code.names.rows.memory));
    code.call_args.push_back(code.names.rows.inside);
    code.call_args.push_back("(__local char*)" + code.names.rows.memory);
  }
  for (size_t k = 0; k < code.f.shared.size(); ++k) {
    params.push_back("__local char* " + code.name(code.f.shared[k].data));
    code.call_args.push_back("(__local char*)" + code.names.shared[k]);
  }
  if (has_blocks(code.f))
    pass_blocks(code, params);
  else if (!code.f.team)
    pass_copies(code, params);
  // Arguments that differ between iterations come last.
  for (const Lane& lane : code.f.lanes) {
    const auto& [old_element, new_element] = code.names.lanes.at(&lane);
    if (lane.loaded) params.push_back(fmt::format("const {} {}", value_type(lane.type), old_element));
    if (lane.stored) params.push_back(fmt::format("{}* {}", memory_type(lane.type), new_element));
  }
  if (params.empty()) params.push_back("void");

  code.out.line(
      fmt::format("static {} {}({}) {{", code.usage.fails ? "int" : "void", code.names.body, fmt::join(params, ", ")));
  code.out.indent();
  if (code.f.fast_math & ir::fastmath::Contract) code.out.raw("#pragma OPENCL FP_CONTRACT ON\n");
  declare_locals(code, code.usage, inputs);
  if (code.f.team) declare_rows(code);
  for (const Fold& fold : code.f.folds)
    code.out.line(fmt::format("{} = *{};", code.name(fold.var), code.names.joined.at(fold.var)));
  block(code, code.f.body);
  for (const Fold& fold : code.f.folds)
    code.out.line(fmt::format("*{} = {};", code.names.joined.at(fold.var), code.name(fold.var)));
  if (code.usage.fails && !leaves(code.f.body)) code.out.line("return 0;");
  code.out.unindent();
  code.out.line("}");
  return code.out.take();
}

std::string write_join(KernelCode& code) {
  std::vector<std::string> params, others;
  std::unordered_set<VarId> inputs;
  for (const Fold& fold : code.f.folds) {
    const char* type = value_type(code.f.vars[fold.var].type);
    inputs.insert(fold.other);
    params.push_back(fmt::format("{}* {}", type, code.names.joined.at(fold.var)));
    others.push_back(fmt::format("{} {}", type, code.name(fold.other)));
  }
  code.out.line(
      fmt::format("static void {}({}, {}) {{", code.names.join, fmt::join(params, ", "), fmt::join(others, ", ")));
  code.out.indent();
  Usage usage = find_usage(code.f, code.f.join);
  for (const Fold& fold : code.f.folds) usage.read.insert(fold.var);
  declare_locals(code, usage, inputs);
  for (const Fold& fold : code.f.folds)
    code.out.line(fmt::format("{} = *{};", code.name(fold.var), code.names.joined.at(fold.var)));
  block(code, code.f.join);
  for (const Fold& fold : code.f.folds)
    code.out.line(fmt::format("*{} = {};", code.names.joined.at(fold.var), code.name(fold.var)));
  code.out.unindent();
  code.out.line("}");
  return code.out.take();
}

}  // namespace vr::codegen::opencl
