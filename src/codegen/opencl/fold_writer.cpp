#include "codegen/opencl/fold_writer.hpp"

#include "codegen/opencl/lane_points.hpp"
#include "loop/analysis/lane_access.hpp"
#include "runtime/abi.h"
#include "runtime/carried.hpp"

#include <fmt/format.h>

namespace vr::codegen::opencl {

using namespace lower;

std::string carried_parameters(KernelCode& code) {
  code.out.line("#ifdef VR_CARRIED");
  code.out.line("#define VR_CARRIED_PARAMETERS , __global char* vr_carry, long vr_from, int vr_more");
  code.out.line("#else");
  code.out.line("#define VR_CARRIED_PARAMETERS");
  code.out.line("#endif");
  return " VR_CARRIED_PARAMETERS";
}

/// The first number of the group's series first, first + step, ... that is not below vr_from.
static void skip_to_part(KernelCode& code, const char* whole, const char* first, const char* step) {
  code.out.line("#ifdef VR_CARRIED");
  code.out.line(
      fmt::format("if (vr_from > {0}) {0} += ({1})((vr_from - {0} + {2} - 1) / {2} * {2});", first, whole, step));
  code.out.line("#endif");
}

/// The work-item's place for the k-th variable between two parts.
static std::string carried(const KernelCode& code, size_t k) {
  return fmt::format("*(__global {}*)(vr_carry + ({} * get_global_size(0) + get_global_id(0)) * 8)",
                     memory_type(code.f.vars[code.f.folds[k].var].type), k);
}

/// A block has two vectors per work-item, both loaded before the first is used. If they cannot be loaded as vectors,
/// each work-item takes the same elements one by one, so that sums are equal to those of aligned arrays.
static void fold_lanes(KernelCode& code, const char* whole) {
  constexpr int at_once = 2;
  static_assert(carried_iterations % (at_once * most_lanes) == 0);
  const std::string &i = code.name(code.f.dims[0]), &n = code.names.counts[0];
  code.out.line(fmt::format("const {} vr_width = {} * ({})get_local_size(0), vr_block = {} * vr_width;", whole,
                            most_lanes, whole, at_once));
  code.out.line(fmt::format("const {0} vr_step = vr_block * ({0})get_num_groups(0);", whole));
  code.out.line(fmt::format("const bool vr_aligned = {};", lanes_aligned(code)));
  code.out.line(fmt::format("{0} vr_first = vr_block * ({0})get_group_id(0);", whole));
  skip_to_part(code, whole, "vr_first", "vr_step");
  code.out.open(fmt::format("for (; vr_first < {}; vr_first += vr_step) {{", n));
  code.out.line(fmt::format("{0} {1} = vr_first + {2} * ({0})get_local_id(0);", whole, i, most_lanes));
  code.out.open(fmt::format("if (vr_aligned && vr_first <= {} - vr_block) {{", n));
  code.out.line(fmt::format("const {} vr_mine = {};", whole, i));
  for (int k = 0; k < at_once; ++k) {
    if (k) code.out.line(fmt::format("{} += vr_width;", i));
    load_lanes(code, std::to_string(k));
  }
  for (int k = 0; k < at_once; ++k) {
    code.out.line(fmt::format("{} = vr_mine{};", i, k ? fmt::format(" + {} * vr_width", k) : ""));
    lane_steps(code, std::to_string(k));
  }
  code.out.otherwise();
  code.out.open(fmt::format("for (int vr_k = 0; vr_k < {}; ++vr_k) {{", at_once * most_lanes));
  code.out.open(fmt::format("if ({} < {}) {{", i, n));
  lone_point(code);
  code.out.close();
  code.out.line(fmt::format("{0} += (vr_k + 1) % {1} ? 1 : vr_width - {1} + 1;", i, most_lanes));
  for (int blocks = 3; blocks-- > 0;) code.out.close();
}

/// A block has several elements per work-item, whose loads are outstanding at the same time; consecutive work-items
/// take consecutive elements.
static void fold_line(KernelCode& code, const char* whole, const std::string& going, const std::string& step) {
  constexpr int at_once = 4;
  static_assert(carried_iterations % at_once == 0);
  const std::string &i = code.name(code.f.dims[0]), &n = code.names.counts[0];
  code.out.line(fmt::format("const {} vr_width = get_local_size(0), vr_block = {} * vr_width;", whole, at_once));
  code.out.line(fmt::format("const {0} vr_step = vr_block * ({0})get_num_groups(0);", whole));
  code.out.line(fmt::format("{} vr_first = vr_block * ({})get_group_id(0);", whole, whole));
  skip_to_part(code, whole, "vr_first", "vr_step");
  code.out.line(fmt::format("for (; {}vr_first <= {} - vr_block; vr_first += vr_step) {{", going, n));
  code.out.line(fmt::format("  {} {} = vr_first + ({})get_local_id(0);", whole, i, whole));
  for (int k = 0; k < at_once; ++k) {
    const char* unless = code.usage.fails && k > 0 ? "if (!vr_failed) " : "";
    code.out.line(fmt::format("  {}{}{}", unless, step, k + 1 < at_once ? fmt::format(" {} += vr_width;", i) : ""));
  }
  code.out.line("}");
  code.out.line(fmt::format("for ({0} {1} = vr_first + ({0})get_local_id(0); {4}{1} < {2}; {1} += vr_width) {3}", whole,
                            i, n, step, going));
}

/// A domain of two or three dimensions: the outermost is distributed over work-groups, the innermost over work-items.
static void fold_domain(KernelCode& code, const char* whole, const std::string& going, const std::string& step) {
  const size_t dims = code.f.dims.size();
  code.out.line(fmt::format("const {0} vr_step = get_num_groups(0);", whole));
  code.out.line(fmt::format("{0} vr_first = get_group_id(0);", whole));
  skip_to_part(code, whole, "vr_first", "vr_step");
  for (size_t d = dims; d-- > 0;) {
    const bool outer = d + 1 == dims, inner = d == 0;
    code.out.line(fmt::format("for ({3} {0} = {1}; {4}{0} < {2}; {0} += {5})", code.name(code.f.dims[d]),
                              outer   ? "vr_first"
                              : inner ? "get_local_id(0)"
                                      : "0",
                              code.names.counts[d], whole, going,
                              outer   ? "vr_step"
                              : inner ? "get_local_size(0)"
                                      : "1"));
    code.out.indent();
  }
  code.out.line(step);
  code.out.set_depth(1);
}

/// Joins the partial results of a group's work-items, and stores the result.
static void join_group(KernelCode& code) {
  code.out.line("const int vr_item = get_local_id(0);");
  for (const Fold& fold : code.f.folds) {
    const Scalar type = code.f.vars[fold.var].type;
    const std::string& value = code.names.joined.at(fold.var);
    const std::string all = value + "_all";
    code.out.line(fmt::format("__local {} {}[{}];", memory_type(type), all, VR_FOLD_GROUP));
    code.out.line(fmt::format("{}[vr_item] = {};", all, value));
  }
  std::vector<std::string> mine, others;
  for (const Fold& fold : code.f.folds) {
    mine.push_back("&" + code.names.joined.at(fold.var));
    others.push_back(code.names.joined.at(fold.var) + "_all[vr_item + vr_half]");
  }
  code.out.line("for (int vr_half = get_local_size(0) / 2; vr_half > 0; vr_half /= 2) {");
  code.out.line("  barrier(CLK_LOCAL_MEM_FENCE);");
  code.out.line("  if (vr_item < vr_half) {");
  code.out.line(fmt::format("    {}({}, {});", code.names.join, fmt::join(mine, ", "), fmt::join(others, ", ")));
  for (const Fold& fold : code.f.folds)
    code.out.line(fmt::format("    {0}_all[vr_item] = {0};", code.names.joined.at(fold.var)));
  code.out.line("  }");
  code.out.line("}");
  code.out.line("if (vr_item == 0) {");
  for (size_t k = 0; k < code.f.folds.size(); ++k) {
    const Fold& fold = code.f.folds[k];
    const auto& [buffer, offset] = code.names.buffers.at(fold.partial);
    code.out.line(fmt::format("  *(__global {}*)({} + {} + (get_group_id(0) * {} + {}) * 8) = {};",
                              memory_type(code.f.vars[fold.var].type), buffer, offset, code.f.folds.size(), k,
                              code.names.joined.at(fold.var)));
  }
  code.out.line("}");
}

std::string write_fold(KernelCode& code, const char* whole) {
  const std::string call = code.names.body + fmt::format("({})", fmt::join(code.call_args, ", "));
  for (const Fold& fold : code.f.folds)
    code.out.line(fmt::format("{} {} = {};", value_type(code.f.vars[fold.var].type), code.names.joined.at(fold.var),
                              code.exprs.write(fold.neutral)));
  code.out.line("#ifdef VR_CARRIED");
  code.out.line("if (vr_from > 0) {");
  for (size_t k = 0; k < code.f.folds.size(); ++k)
    code.out.line(fmt::format("  {} = {};", code.names.joined.at(code.f.folds[k].var), carried(code, k)));
  code.out.line("}");
  code.out.line("#endif");
  // A work-item that faults must still reach the barriers.
  if (code.usage.fails) code.out.line("int vr_failed = 0;");
  const std::string going = code.usage.fails ? "!vr_failed && " : "";
  const std::string step = (code.usage.fails ? "vr_failed = " : "") + call + ";";
  if (!code.f.lanes.empty()) {
    fold_lanes(code, whole);
  } else if (code.f.dims.size() == 1) {
    fold_line(code, whole, going, step);
  } else {
    fold_domain(code, whole, going, step);
  }
  code.out.line("#ifdef VR_CARRIED");
  for (size_t k = 0; k < code.f.folds.size(); ++k)
    code.out.line(fmt::format("{} = {};", carried(code, k), code.names.joined.at(code.f.folds[k].var)));
  code.out.line("if (vr_more) return;");
  code.out.line("#endif");
  join_group(code);
  code.out.set_depth(0);
  code.out.line("}");
  return code.out.take();
}

}  // namespace vr::codegen::opencl
