// The text of a raise statement: its numbers in place of each "{}" (docs/vrir.md, raise).
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace vr {

/// How the 64 bits of a number are interpreted.
enum class RaiseNumber : char {
  Signed = 'i',
  Unsigned = 'u',
  Float32 = 'f',  ///< the bits are a double's
  Float64 = 'd',
};

/// The number of "{}" in the text; no value if it contains a brace other than "{}", "{{" and "}}".
std::optional<size_t> raise_places(std::string_view text);

/// The text with the kind of each number inserted: "{i} of {d}".
std::string with_number_kinds(std::string_view text, const RaiseNumber* kinds);

/// Writes such a text, cut to `size` - 1 bytes at a UTF-8 boundary, and a NUL; allocates nothing.
void write_raise_text(char* to, size_t size, std::string_view text, const int64_t* bits);

}  // namespace vr
