// Makes a program that targets disagree on small.
#pragma once
#include "batches.hpp"

namespace vr::smith {

/// Deletes functions, statements and parts of expressions, and simplifies inputs, while the targets go on disagreeing
/// in the same way; prints what is left as a file test. Returns 0 when there was a mismatch.
int reduce_program(uint64_t seed, const RunOptions& o);

}  // namespace vr::smith
