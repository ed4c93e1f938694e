// The tokens that ANTLR's own lexer finds: what src/text/scanner.cpp is tested against.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace vr::text {

struct ReferenceToken {
  size_t type = 0;  ///< VrirParser's numbering
  size_t start = 0;
  size_t length = 0;
  size_t line = 0, column = 0;  ///< from 1
};

/// `text` must be ASCII: ANTLR counts code points, the scanner bytes. The last token is EOF (type size_t(-1), length
/// 0).
std::vector<ReferenceToken> reference_tokens(const std::string& text);

}  // namespace vr::text
