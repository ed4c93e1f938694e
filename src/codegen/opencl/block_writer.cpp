// The group's rows are one block of the array, which its work-items move in words of four bytes, neighbours next to
// each other. In local memory a row of an even number of words has one more, so that work-items that access the same
// element of their rows use different banks. All work-items execute the barriers, also after a fault and behind the
// domain's end.
#include "codegen/opencl/block_writer.hpp"

#include "loop/analysis/team_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace vr::codegen::opencl {

using namespace lower;

namespace {

/// A row with its names in the kernel's function.
struct Placed {
  const Row& row;
  const RowAt& at;
  std::string memory, pitch, from, bytes;
};

std::vector<Placed> blocks_of(const KernelCode& code) {
  std::vector<Placed> all;
  for (size_t k = 0; k < code.f.rows.size(); ++k) {
    const std::string& memory = code.names.copies[k];
    all.push_back({code.f.rows[k], std::get<RowAt>(code.f.body[k].node), memory, memory + "_pitch", memory + "_from",
                   memory + "_bytes"});
  }
  return all;
}

int32_t memory_bytes(const Row& r) { return r.length * scalar_bytes(r.type) * (r.common ? 1 : block_group); }

}  // namespace

void pass_blocks(KernelCode& code, std::vector<std::string>& params) {
  for (const Placed& b : blocks_of(code)) {
    params.push_back("__local char* " + code.name(b.row.data));
    code.call_args.push_back("(__local char*)" + b.memory +
                             (b.row.common ? "" : fmt::format(" + vr_item * {}", b.pitch)));
  }
}

/// Moves the group's rows, or a table, which is one row without padding.
static void move(KernelCode& code, const Placed& b, const char* helper, const std::string& from) {
  const bool table = b.row.common;
  code.out.line(fmt::format("{}((__local char*){}, {}, {}, {}, {}, vr_item, vr_items);", code.helpers.use(helper),
                            b.memory, from, table ? "1" : "vr_inside", b.bytes, table ? b.bytes : b.pitch));
}

std::string write_blocks(KernelCode& code, const char* whole, const std::string& call) {
  const std::vector<Placed> blocks = blocks_of(code);
  const bool rows = fixed_group(code.f) != 0;
  const std::string &i = code.name(code.f.dims[0]), &count = code.names.counts[0];
  for (const Placed& b : blocks)
    code.out.line(fmt::format("__local long {}[{}];", b.memory, (memory_bytes(b.row) + 7) / 8));
  std::string item = "get_local_id(0)", items = "get_local_size(0)";
  for (size_t d = 1; d < code.f.dims.size() && !rows; ++d) {
    item += fmt::format(" + ({}) * get_local_id({})", items, d);
    items += fmt::format(" * get_local_size({})", d);
  }
  code.out.line(fmt::format("const int vr_items = {}, vr_item = {};", items, item));
  std::string inside;
  for (size_t d = 1; d < code.f.dims.size(); ++d) {
    const std::string& other = code.name(code.f.dims[d]);
    code.out.line(fmt::format("const {} {} = get_global_id({});", whole, other, d));
    inside += fmt::format(" && {} < {}", other, code.names.counts[d]);
  }
  if (rows) {
    code.out.line(fmt::format("const {} vr_first = get_global_id(0) - get_local_id(0);", whole));
    code.out.line(
        fmt::format("const int vr_inside = {0} - vr_first < {1} ? (int)({0} - vr_first) : {1};", count, block_group));
  }
  for (const Placed& b : blocks) {
    const std::string base = code.exprs.write(b.at.base, true);
    code.out.line(fmt::format("const int {} = (int)({});", b.bytes, code.exprs.write(b.at.step)));
    if (b.row.common) {
      move(code, b, "vr_rows_load", base);
      continue;
    }
    code.out.line(fmt::format("const int {0} = {1} & 3 ? {1} : {1} | {2};", b.pitch, b.bytes,
                              scalar_bytes(b.row.type) == 8 ? 8 : 4));
    const char* constant = b.row.stored ? "" : "const ";
    code.out.line(fmt::format("__global {}char* {};", constant, b.from));
    code.out.line("{");
    code.out.line(fmt::format("  const {} {} = vr_first;", whole, i));
    code.out.line(fmt::format("  {} = {} + ({});", b.from, base, code.exprs.write(b.at.offset)));
    code.out.line("}");
    if (b.row.loaded) move(code, b, "vr_rows_load", b.from);
  }
  code.out.line("barrier(CLK_LOCAL_MEM_FENCE);");
  code.out.line(fmt::format("const {} {} = get_global_id(0);", whole, i));
  code.out.line(fmt::format("if ({} < {}{}) {}", i, count, inside, call));
  if (std::any_of(blocks.begin(), blocks.end(), [](const Placed& b) { return b.row.stored; })) {
    code.out.line("barrier(CLK_LOCAL_MEM_FENCE);");
    for (const Placed& b : blocks)
      if (b.row.stored) move(code, b, "vr_rows_store", b.from);
  }
  code.out.set_depth(0);
  code.out.line("}");
  return code.out.take();
}

}  // namespace vr::codegen::opencl
