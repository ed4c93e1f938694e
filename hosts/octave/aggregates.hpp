// Structures and cell arrays as arguments and results: the compiler has their parts as values of their own.
#pragma once
#include "arrays.hpp"
#include "program.hpp"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace vr::octave_host {

/// The code of an aggregate in a key: a structure, a row or column of structures, a cell array of two dimensions and at
/// most 64 cells, or a row or column of more; 0 for any other value.
uint64_t aggregate_code(const octave_value& v);
bool is_aggregate(uint64_t code);

/// Adds what the parts are to a key. False: one of them is of a kind that is not compiled.
bool add_parts(std::string& key, const octave_value& v);

/// The type for the compiler; `texts` gets texts among the parts. Nothing, with the reason, when it has none.
std::optional<matlab::Type> aggregate_type(const octave_value& v, Program& program, std::set<std::string>& texts,
                                           std::string& why);

/// What the steps of Compiled::Passed::path lead to. `is_list`: to an array that holds cells of unknown length, which
/// is passed as an array also when it has one element.
octave_value at_path(const octave_value& v, const std::string& path, bool& is_list);

/// The number of results that the value is made of.
size_t leaves(const matlab::ResultInfo& info);

/// A result, made of the call's results from `next` on, which is moved behind them; takes over their references.
octave_value whole_result(const std::vector<Value>& results, size_t& next, const matlab::ResultInfo& info);

}  // namespace vr::octave_host
