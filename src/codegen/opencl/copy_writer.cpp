// A group's work-items clear the copies, run their iterations, which add to the copies, and add the elements that are
// not zero to the arrays: most elements of a copy may lie behind the array's last one. All work-items execute both
// barriers, also after a fault.
#include "codegen/opencl/copy_writer.hpp"

#include "codegen/opencl/lane_points.hpp"

#include <fmt/format.h>

namespace vr::codegen::opencl {

using namespace lower;

namespace {

std::string memory_of(const Row& row, const KernelCode& code) {
  return code.names.copies[static_cast<size_t>(&row - code.f.rows.data())];
}

/// The array of which the row is a copy, found by the statement in the body.
ArrayId array_of(const Function& f, size_t row) {
  for (const Stmt& s : f.body) {
    auto* at = std::get_if<RowAt>(&s.node);
    if (!at || at->row != static_cast<int32_t>(row) || at->base->kind != Expr::Kind::Var) continue;
    for (const Param& p : f.params)
      if (p.array != none && f.arrays[static_cast<size_t>(p.array)].data == at->base->var) return p.array;
  }
  return none;
}

/// The number of elements from the array's first to its last one.
std::string used_elements(const KernelCode& code, ArrayId id, const Row& row) {
  const ArrayVars& a = code.f.arrays[static_cast<size_t>(id)];
  std::string bytes;
  for (size_t d = 0; d < a.extent.size(); ++d)
    bytes += fmt::format("{}((long){} - 1) * (long){}", d ? " + " : "", code.name(a.extent[d]), code.name(a.stride[d]));
  return fmt::format("min({}L, 1L + ({}) / {})", row.length, bytes.empty() ? "0L" : bytes,
                     scalar_bytes(scalar_of(a.elem)));
}

/// Runs `statement` for each element vr_k of the copy, shared by the group's work-items.
void for_each_element(KernelCode& code, const Row& row, const std::string& statement) {
  code.out.line(
      fmt::format("for (int vr_k = vr_item; vr_k < {}_used; vr_k += vr_items) {}", memory_of(row, code), statement));
}

/// Consecutive elements of the arrays that each iteration loads, as vectors; several are loaded before the first is
/// used.
void write_lanes(KernelCode& code, const char* whole) {
  constexpr int at_once = 4;
  const std::string &i = code.name(code.f.dims[0]), &n = code.names.counts[0];
  code.out.line(fmt::format("long vr_first = {} * (long)get_global_id(0);", most_lanes));
  code.out.line(fmt::format("const long vr_step = {} * (long)get_global_size(0);", most_lanes));
  code.out.line(fmt::format("{} {};", whole, i));
  code.out.open(fmt::format("if ({}) {{", lanes_aligned(code)));
  for (const int vectors : {at_once, 1}) {
    code.out.open(fmt::format("for (; vr_first <= {} - {} - {} * vr_step; vr_first += {} * vr_step) {{", n, most_lanes,
                              vectors - 1, vectors));
    for (int pass = 0; pass < 2; ++pass)
      for (int k = 0; k < vectors; ++k) {
        code.out.line(fmt::format("{} = ({})(vr_first{});", i, whole, k ? fmt::format(" + {} * vr_step", k) : ""));
        pass ? lane_steps(code, std::to_string(k)) : load_lanes(code, std::to_string(k));
      }
    code.out.close();
  }
  code.out.close();
  code.out.open(fmt::format("for (; vr_first < {}; vr_first += vr_step) {{", n));
  code.out.open(fmt::format("for (int vr_k = 0; vr_k < {} && vr_first + vr_k < {}; ++vr_k) {{", most_lanes, n));
  code.out.line(fmt::format("{} = ({})(vr_first + vr_k);", i, whole));
  lone_point(code);
  code.out.close();
  code.out.close();
}

}  // namespace

void pass_copies(KernelCode& code, std::vector<std::string>& params) {
  for (const Row& row : code.f.rows) {
    params.push_back("__local char* " + code.name(row.data));
    code.call_args.push_back("(__local char*)" + memory_of(row, code));
  }
}

std::string write_copies(KernelCode& code, const char* whole, const std::string& call) {
  for (const Row& row : code.f.rows)
    code.out.line(fmt::format("__local {} {}[{}];", memory_type(row.type), memory_of(row, code), row.length));
  code.out.line("const int vr_items = get_local_size(0), vr_item = get_local_id(0);");
  for (size_t k = 0; k < code.f.rows.size(); ++k) {
    const Row& row = code.f.rows[k];
    const ArrayId array = array_of(code.f, k);
    if (array == none) code.refuse("a copy of an unknown array");
    code.out.line(fmt::format("const int {}_used = (int){};", memory_of(row, code),
                              array == none ? "0" : used_elements(code, array, row)));
    for_each_element(code, row, fmt::format("{}[vr_k] = 0;", memory_of(row, code)));
  }
  code.out.line("barrier(CLK_LOCAL_MEM_FENCE);");
  if (!code.f.lanes.empty()) {
    write_lanes(code, whole);
  } else {
    // A fault does not end the loop: in a counted loop without an early exit, compilers overlap the loads of several
    // iterations. (Four calls in one iteration are compiled wrongly by PoCL 3.1.)
    for (size_t d = code.f.dims.size(); d-- > 0;) {
      code.out.line(fmt::format("for ({3} {0} = get_global_id({1}); {0} < {2}; {0} += get_global_size({1}))",
                                code.name(code.f.dims[d]), d, code.names.counts[d], whole));
      code.out.indent();
    }
    code.out.line(call);
    code.out.set_depth(1);
  }
  code.out.line("barrier(CLK_LOCAL_MEM_FENCE);");
  for (size_t k = 0; k < code.f.rows.size(); ++k) {
    const Row& row = code.f.rows[k];
    const ArrayId array = array_of(code.f, k);
    if (array == none) break;
    const Scalar type = scalar_of(code.f.arrays[static_cast<size_t>(array)].elem);
    const auto& [buffer, offset] = code.names.buffers.at(array);
    const std::string mine = memory_of(row, code) + "[vr_k]";
    for_each_element(code, row,
                     fmt::format("if ({0} != 0) {1}((volatile __global {2}*)({3} + {4} + vr_k * {5}), ({2}){0});", mine,
                                 code.helpers.use_atomic(ir::AtomicOp::Add, type), memory_type(type), buffer, offset,
                                 scalar_bytes(type)));
  }
  code.out.set_depth(0);
  code.out.line("}");
  return code.out.take();
}

}  // namespace vr::codegen::opencl
