// Rows that a work-group loads and stores together (Function::rows), in OpenCL C (private to codegen/opencl).
#pragma once
#include "codegen/opencl/kernel_code.hpp"

namespace vr::codegen::opencl {

/// The work-items of a group of a kernel with a team.
int32_t team_group(const lower::Function& f);
/// The kernel's end: which iteration each work-item runs, and the call of the body. A group's work-items after the
/// domain's end run its last iteration, without stores: all work-items must reach the same barriers.
void write_team(KernelCode& code, const char* whole, const std::string& call);
/// At the beginning of the body.
void declare_rows(KernelCode& code);
/// The condition before a store, which is true for a work-item that is to store. Empty in kernels without rows.
std::string who_stores(const KernelCode& code, lower::ExprP base);

/// The beginning of the block that one work-item of a team runs.
std::string begin_solo(const KernelCode& code);
/// The code around the body of a spread loop; end_spread comes after the loop's closing brace.
void begin_spread(KernelCode& code, const lower::CountedLoop& s);
void end_spread(KernelCode& code, const lower::CountedLoop& s);

void write_row_at(KernelCode& code, const lower::RowAt& s);
void write_row_load(KernelCode& code, const lower::RowLoad& s);
void write_row_wait(KernelCode& code, const lower::RowWait& s);
void write_row_store(KernelCode& code, const lower::RowStore& s);

}  // namespace vr::codegen::opencl
