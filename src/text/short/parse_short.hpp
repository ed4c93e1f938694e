// Parser of the short syntax (docs/short-syntax.md).
#pragma once
#include <velociraptor/ir/text.hpp>

namespace vr::text {

/// Whether the text is in the short syntax: its first word is `module`, `def` or `extern`, without a parenthesis before
/// it.
bool is_short(std::string_view source);

/// Reads one module of at most options.max_bytes. Reports the first error only.
Result<ir::ModulePtr> parse_short(std::string_view source, const ir::ParseOptions& options);

}  // namespace vr::text
