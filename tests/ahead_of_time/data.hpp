// Arguments and results of the functions of a batch as bytes, for the program that calls them (driver.c).
#pragma once
#include <velociraptor/engine.hpp>
#include <velociraptor/ir/nodes.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace vr::ahead_of_time {

/// The types of the results; empty for a function without results.
std::vector<ir::Type> results_of(const ir::Function& f);

/// Writes the inputs of a call. Arrays that overlap are stored in one block.
std::string encode(const std::vector<Value>& inputs);

/// Reads the output of one call from the front of `bytes` and removes it there. Stores the elements of array arguments
/// after the call to `inputs`. Returns false when `bytes` ends in the middle of the output; then `bytes` and `inputs`
/// are unchanged.
bool decode(std::string_view& bytes, const ir::Function& f, std::vector<Value>& inputs,
            Result<std::vector<Value>>& answer);

}  // namespace vr::ahead_of_time
