// The conventions of a module as words `KEY=VALUE`, in both directions.
#pragma once
#include <velociraptor/ir/nodes.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace vr::text::brief {

/// "numpy", "grow=true": the conventions on the first line of a module, in as few words as possible.
std::vector<std::string> convention_words(const ir::ConventionAttrs& a);

enum class WordFault { None, UnknownKey, UnknownValue };
/// Sets the attribute `key`. If the key or value is not valid, `known` receives the valid ones.
WordFault set_convention(ir::ConventionAttrs& a, std::string_view key, const std::vector<std::string>& values,
                         std::string& known);

}  // namespace vr::text::brief
