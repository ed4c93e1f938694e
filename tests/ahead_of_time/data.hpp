// Arguments and results of the functions of a batch as bytes, for the program that calls them (driver.c).
#pragma once
#include <velociraptor/engine.hpp>
#include <velociraptor/ir/nodes.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace vr::ahead_of_time {

/// The results' types; none for a function without results.
std::vector<ir::Type> results_of(const ir::Function& f);

/// The inputs of a call. Arrays that overlap lie in one block.
std::string encode(const std::vector<Value>& inputs);

/// Reads what the program wrote of one call, takes it from the front of `bytes`, and stores the elements of arguments
/// as they are after the call to `inputs`. False: the bytes end in its middle; then `bytes` and `inputs` are as before.
bool decode(std::string_view& bytes, const ir::Function& f, std::vector<Value>& inputs,
            Result<std::vector<Value>>& answer);

}  // namespace vr::ahead_of_time
