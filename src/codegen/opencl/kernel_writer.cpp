#include "codegen/opencl/kernel_writer.hpp"

#include "codegen/opencl/block_writer.hpp"
#include "codegen/opencl/body_writer.hpp"
#include "codegen/opencl/copy_writer.hpp"
#include "codegen/opencl/fold_writer.hpp"
#include "codegen/opencl/kernel_code.hpp"
#include "codegen/opencl/lane_points.hpp"
#include "codegen/opencl/row_writer.hpp"
#include "loop/analysis/lane_access.hpp"
#include "loop/analysis/team_memory.hpp"

#include <fmt/format.h>

namespace vr::codegen::opencl {

using namespace lower;

KernelCode::KernelCode(const Module& m, const Function& f, const Usage& usage, Names& globals, Helpers& helpers)
    : m(m),
      f(f),
      usage(usage),
      helpers(helpers),
      names(name_kernel(f, globals)),
      exprs(names.reads, f.fast_math, usage, helpers, [this](const Expr& load) {
        const Lane* lane = lane_of(this->f, load.a, load.b, load.type);
        return lane && lane->loaded ? names.lanes.at(lane).first : std::string();
      }) {}

std::string step(const KernelCode& code, const std::vector<std::string>& lane_args) {
  std::vector<std::string> args = code.call_args;
  args.insert(args.end(), lane_args.begin(), lane_args.end());
  return fmt::format("{}({});", code.names.body, fmt::join(args, ", "));
}

std::string loop_over(const KernelCode& code, size_t d, const char* whole) {
  return fmt::format("for ({3} {0} = get_global_id({1}); {0} < {2}; {0} += get_global_size({1}))",
                     code.name(code.f.dims[d]), d, code.names.counts[d], whole);
}

// ---------------------------------------------------------------- the kernel: parameters and loops over the domain
static void scalar_param(KernelCode& code, VarId v, std::vector<std::string>& params) {
  const Scalar type = code.f.vars[v].type;
  if (type == Scalar::Ptr) return code.refuse("a pointer as a scalar parameter");
  params.push_back(fmt::format("{} {}", memory_type(type), code.name(v)));
}

/// The parameters, and the beginning of the kernel: views of its arrays.
static void write_head(KernelCode& code, const char* whole) {
  std::vector<std::string> params;
  std::vector<std::string> prologue;
  const char* apart = code.f.disjoint ? " restrict" : "";
  for (const Param& p : code.f.params) {
    if (p.array == none) {
      scalar_param(code, p.var, params);
      if (p.im != none) scalar_param(code, p.im, params);
      continue;
    }
    const ArrayVars& a = code.f.arrays[p.array];
    const auto& [buffer, offset] = code.names.buffers.at(p.array);
    const char* pointer = p.written ? "__global char*" : "__global const char*";
    std::string group = fmt::format("{}{} {}, long {}", pointer, apart, buffer, offset);
    for (const auto* fields : {&a.extent, &a.stride})
      for (VarId v : *fields) group += fmt::format(", {} {}", whole, code.name(v));
    params.push_back(group);
    if (!code.usage.uses(a.data)) continue;
    const bool loses_const = !p.written && !code.is_fixed(a.data);
    prologue.push_back(fmt::format("{} {} = {}{} + {};", loses_const ? "__global char*" : pointer, code.name(a.data),
                                   loses_const ? "(__global char*)" : "", buffer, offset));
  }
  std::string counts;
  for (const std::string& c : code.names.counts) counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", whole, c);
  params.push_back(counts);
  params.push_back("__global vr_fault* " + code.names.error);
  if (!code.f.folds.empty()) params.back() += carried_parameters(code);

  if (const int32_t group = code.f.team ? team_group(code.f) : fixed_group(code.f))
    code.out.line(fmt::format("__attribute__((reqd_work_group_size({}, 1, 1)))", group));
  code.out.line(fmt::format("__kernel void {}(", code.f.name));
  for (size_t k = 0; k < params.size(); ++k) code.out.line("    " + params[k] + (k + 1 < params.size() ? "," : ") {"));
  code.out.indent();
  for (const std::string& s : prologue) code.out.line(s);
}

/// The loops over the domain, or the single iteration of the work-item.
static void write_loops(KernelCode& code, const char* whole) {
  const std::string call = step(code, {});
  if (code.f.group) {
    for (size_t k = 0; k < code.f.shared.size(); ++k) {
      const Shared& s = code.f.shared[k];
      code.out.line(fmt::format("__local {} {}[{}] __attribute__((aligned(16)));", memory_type(s.type),
                                code.names.shared[k], s.count));
    }
    for (size_t d = 0; d < code.f.dims.size(); ++d)
      code.out.line(fmt::format("const {} {} = get_global_id({});", whole, code.name(code.f.dims[d]), d));
    code.out.line(call);
  } else if (code.f.points == 1) {
    std::string inside;
    for (size_t d = 0; d < code.f.dims.size(); ++d) {
      const std::string& i = code.name(code.f.dims[d]);
      code.out.line(fmt::format("const {} {} = get_global_id({});", whole, i, d));
      inside += fmt::format("{}{} < {}", d ? " && " : "", i, code.names.counts[d]);
    }
    code.out.line(fmt::format("if ({}) {}", inside, call));
  } else {
    // The last dimension is the outermost loop, and consecutive work-items have consecutive values of dims[0].
    for (size_t d = code.f.dims.size(); d-- > 0;) {
      code.out.line(loop_over(code, d, whole));
      code.out.indent();
    }
    code.out.line(code.usage.fails ? fmt::format("if ({}) return;", call.substr(0, call.size() - 1)) : call);
  }
}

static std::string write_entry(KernelCode& code) {
  const char* whole = code.f.narrow.empty() ? "long" : "int";
  write_head(code, whole);
  if (!code.f.folds.empty()) return write_fold(code, whole);
  if (code.f.points > 1) return write_points(code, whole);
  if (has_blocks(code.f)) return write_blocks(code, whole, step(code, {}));
  if (!code.f.team && !code.f.rows.empty()) return write_copies(code, whole, step(code, {}));
  if (code.f.team)
    write_team(code, whole, step(code, {}));
  else
    write_loops(code, whole);
  code.out.set_depth(0);
  code.out.line("}");
  return code.out.take();
}

KernelText write_kernel(const Module& m, const Function& kernel, const Usage& usage, Names& globals, Helpers& helpers) {
  if (kernel.dims.empty() || kernel.dims.size() > 3)
    return {"", fmt::format("a domain of {} dimensions (OpenCL has 1 to 3)", kernel.dims.size())};
  if (!kernel.cleanup.empty()) return {"", "a cleanup block"};
  KernelCode code(m, kernel, usage, globals, helpers);
  const std::string body = write_body(code) + (kernel.folds.empty() ? "" : "\n" + write_join(code));
  const std::string entry = write_entry(code);
  return {body + "\n" + entry, code.problem.empty() ? code.exprs.problem() : code.problem};
}

}  // namespace vr::codegen::opencl
