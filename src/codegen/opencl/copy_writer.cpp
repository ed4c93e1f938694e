// A group's work-items clear the copies, run their iterations, which add to the copies, and add the elements that are
// not zero to the arrays: most elements of a copy may lie behind the array's last one. A group has as many copies of a
// short array as there is room for, so that neighbouring work-items seldom add to the same element or memory bank
// (Gomez-Luna et al., "An optimized approach to histogram computation on GPU", 2013, section 3). All work-items execute
// both barriers, also after a fault.
#include "codegen/opencl/copy_writer.hpp"

#include "codegen/opencl/lane_points.hpp"
#include "loop/analysis/team_memory.hpp"

#include <fmt/format.h>

namespace vr::codegen::opencl {

using namespace lower;

namespace {

std::string memory_of(const Row& row, const KernelCode& code) {
  return code.names.copies[static_cast<size_t>(&row - code.f.rows.data())];
}

/// The statement in the body that names the array of which the row is a copy.
const RowAt& named(const Function& f, size_t row) { return std::get<RowAt>(f.body[row].node); }

ArrayId array_of(const Function& f, size_t row) {
  const ExprP base = named(f, row).base;
  for (const Param& p : f.params)
    if (p.array != none && base->kind == Expr::Kind::Var && f.arrays[static_cast<size_t>(p.array)].data == base->var)
      return p.array;
  return none;
}

/// The number of elements from the array's, or the slice's, first to its last one.
std::string used_elements(const KernelCode& code, ArrayId id, const Row& row) {
  const ArrayVars& a = code.f.arrays[static_cast<size_t>(id)];
  const size_t first = adds_to_slices(code.f) ? 1 : 0;
  std::string bytes;
  for (size_t d = first; d < a.extent.size(); ++d)
    bytes += fmt::format("{}((long){} - 1) * (long){}", d > first ? " + " : "", code.name(a.extent[d]),
                         code.name(a.stride[d]));
  return fmt::format("min({}L, 1L + ({}) / {})", row.length, bytes.empty() ? "0L" : bytes,
                     scalar_bytes(scalar_of(a.elem)));
}

/// Copies that a group has of an array of few elements: one for each work-item of a sub-group, for each memory bank.
constexpr int most_copies = 32;

/// Opens a loop over the first `count` elements vr_k of the copies, shared by the group's work-items.
void open_elements(KernelCode& code, const std::string& count) {
  code.out.open(fmt::format("for (int vr_k = vr_item; vr_k < {}; vr_k += vr_items) {{", count));
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
    params.push_back(fmt::format("__local char* {}, const {} {}", code.name(row.data), code.whole_type(row.times),
                                 code.name(row.times)));
    code.call_args.push_back(fmt::format("(__local char*)({0} + (vr_item & ({0}_copies - 1)))", memory_of(row, code)));
    code.call_args.push_back(memory_of(row, code) + "_copies");
  }
}

std::string write_copies(KernelCode& code, const char* whole, const std::string& call) {
  for (const Row& row : code.f.rows)
    code.out.line(fmt::format("__local {} {}[{}];", memory_type(row.type), memory_of(row, code), row.length));
  code.out.line("const int vr_items = get_local_size(0), vr_item = get_local_id(0);");
  size_t dims = code.f.dims.size();
  const bool slices = adds_to_slices(code.f);
  // A group has one value of the last dimension at a time: it consists of one work-item along that.
  if (slices) code.out.open(loop_over(code, --dims, whole) + " {");
  for (size_t k = 0; k < code.f.rows.size(); ++k) {
    const Row& row = code.f.rows[k];
    const ArrayId array = array_of(code.f, k);
    if (array == none) code.refuse("a copy of an unknown array");
    code.out.line(fmt::format("const int {}_used = (int){};", memory_of(row, code),
                              array == none ? "0" : used_elements(code, array, row)));
    code.out.line(fmt::format("int {}_copies = {};", memory_of(row, code), most_copies));
    code.out.line(fmt::format("while ({0}_copies > 1 && {0}_used * {0}_copies > {1}) {0}_copies /= 2;",
                              memory_of(row, code), row.length));
    open_elements(code, fmt::format("{0}_used * {0}_copies", memory_of(row, code)));
    code.out.line(memory_of(row, code) + "[vr_k] = 0;");
    code.out.close();
  }
  code.out.line("barrier(CLK_LOCAL_MEM_FENCE);");
  if (!code.f.lanes.empty()) {
    write_lanes(code, whole);
  } else {
    // A fault does not end the loop: in a counted loop without an early exit, compilers overlap the loads of several
    // iterations. (Four calls in one iteration are compiled wrongly by PoCL 3.1.)
    for (size_t d = dims; d-- > 0;) {
      code.out.line(loop_over(code, d, whole));
      code.out.indent();
    }
    code.out.line(call);
    for (size_t d = 0; d < dims; ++d) code.out.unindent();
  }
  code.out.line("barrier(CLK_LOCAL_MEM_FENCE);");
  for (size_t k = 0; k < code.f.rows.size(); ++k) {
    const Row& row = code.f.rows[k];
    const ArrayId array = array_of(code.f, k);
    if (array == none) break;
    const Scalar type = scalar_of(code.f.arrays[static_cast<size_t>(array)].elem);
    const auto& [buffer, offset] = code.names.buffers.at(array);
    open_elements(code, memory_of(row, code) + "_used");
    code.out.line(memory_type(row.type) + std::string(" vr_sum = 0;"));
    code.out.line(
        fmt::format("for (int vr_c = 0; vr_c < {0}_copies; ++vr_c) vr_sum += {0}[vr_k * {0}_copies + (vr_c + "
                    "vr_item & {0}_copies - 1)];",
                    memory_of(row, code)));
    const std::string slice = slices ? " + (long)" + code.exprs.write(named(code.f, k).offset) : "";
    code.out.line(fmt::format("if (vr_sum != 0) {0}((volatile __global {1}*)({2} + {3}{5} + vr_k * {4}), ({1})vr_sum);",
                              code.helpers.use_atomic(ir::AtomicOp::Add, type), memory_type(type), buffer, offset,
                              scalar_bytes(type), slice));
    code.out.close();
  }
  if (slices) {
    code.out.line("barrier(CLK_LOCAL_MEM_FENCE);");
    code.out.close();
  }
  code.out.set_depth(0);
  code.out.line("}");
  return code.out.take();
}

}  // namespace vr::codegen::opencl
