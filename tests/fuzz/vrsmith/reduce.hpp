// Makes a program that targets disagree on small.
#pragma once
#include "batches.hpp"

#include <string>

namespace vr::smith {

/// Deletes functions, statements, parts of expressions, parameters and results, and simplifies inputs, while the
/// targets go on disagreeing in the same way; prints what is left as a file test. Returns 0 when there was a mismatch.
int reduce_program(uint64_t seed, const RunOptions& o);

/// What kind of disagreement a judgement tells of: "crash", "values", "OUT_OF_BOUNDS instead of results", ...
std::string category(const Judgement& j);

/// The program as a file test without its expected output. Arguments that the tool cannot spell stand in comments.
std::string file_test(const Program& p, const std::string& target);

}  // namespace vr::smith
