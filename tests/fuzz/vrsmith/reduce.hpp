// Reduces a program on which targets disagree.
#pragma once
#include "batches.hpp"

#include <string>

namespace vr::smith {

/// Deletes functions, statements, parts of expressions, parameters and results, and simplifies inputs, while the
/// targets still disagree in the same way. Prints the reduced program as a file test. Returns 0 when there was a
/// mismatch.
int reduce_program(uint64_t seed, const RunOptions& o);

/// The kind of mismatch of a judgement: "crash", "values", "OUT_OF_BOUNDS instead of results", ...
std::string category(const Judgement& j);

/// The program as a file test without its expected output. Arguments that the tool cannot parse become comments.
std::string file_test(const Program& p, const std::string& target);

}  // namespace vr::smith
