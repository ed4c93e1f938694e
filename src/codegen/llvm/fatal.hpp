// LLVM ends the process when something inside it goes wrong (report_fatal_error). Here that becomes an error (private
// to codegen/llvm).
#pragma once
#include <functional>
#include <string>

namespace vr::codegen::llvm_backend {

/// Runs `work`. When LLVM reports a fatal error on this thread meanwhile, returns its text (else an empty string). The
/// stack between is dropped without running destructors, so what `work` was using must be leaked by the caller, not
/// freed.
std::string catch_fatal_errors(const std::function<void()>& work);

}  // namespace vr::codegen::llvm_backend
