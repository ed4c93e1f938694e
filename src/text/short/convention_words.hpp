// The conventions of a module as words `KEY=VALUE`, in both directions.
#pragma once
#include <velociraptor/ir/nodes.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace vr::text::brief {

/// "numpy", "grow=true": what the line of a module says about its conventions, as few words as possible.
std::vector<std::string> convention_words(const ir::ConventionAttrs& a);

enum class WordFault { None, UnknownKey, UnknownValue };
/// Sets the attribute `key`. `known` receives the valid keys or values if there is a fault.
WordFault set_convention(ir::ConventionAttrs& a, std::string_view key, const std::vector<std::string>& values,
                         std::string& known);

}  // namespace vr::text::brief
