// Checks of constructs that only kernels have: vectors, rows (private to the verifier).
#pragma once
#include "loop/verify/check_exprs.hpp"

namespace vr::lower {

// Each function checks a statement and returns its description for an error message.
const char* check_in_kernel(ExprCheck& exprs, const Function& f, const LoadVector& s);
const char* check_in_kernel(ExprCheck& exprs, const Function& f, const StoreVector& s);
const char* check_in_kernel(ExprCheck& exprs, const Function& f, const Fence& s);
const char* check_in_kernel(ExprCheck& exprs, const Function& f, const Barrier& s);
const char* check_in_kernel(ExprCheck& exprs, const Function& f, const RowAt& s);
const char* check_in_kernel(ExprCheck& exprs, const Function& f, const RowLoad& s);
const char* check_in_kernel(ExprCheck& exprs, const Function& f, const RowWait& s);
const char* check_in_kernel(ExprCheck& exprs, const Function& f, const RowStore& s);
/// Function::rows and Function::team.
void check_rows(ExprCheck& exprs, const Function& f);
/// Kernels that are executed by whole groups, with the memory that these share.
void check_group(ExprCheck& exprs, const Function& f);
/// Checks Function::tile_of of a kernel that runs tiles of the kernel `plain`.
void check_tiles(const Function& f, const Function& plain);

}  // namespace vr::lower
