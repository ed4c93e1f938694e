// The syntax errors of one text.
#pragma once
#include <text/parser_base.hpp>

#include <velociraptor/ir/text.hpp>

#include <string>
#include <utility>
#include <vector>

namespace vr::text {

class SyntaxErrors {
 public:
  SyntaxErrors(const ir::ParseOptions& options, VrirParserBase* parser) : options_(options), parser_(parser) {}

  void add(ir::TextPos pos, std::string message, std::string hint);
  /// Whether the text is in the mclab dialect; adds an error if it is not.
  bool mclab_only(ir::TextPos at, const char* what, const char* hint);
  /// No more input is read.
  void stop() { parser_->stop(); }
  std::vector<Diagnostic> take() { return std::move(errors_); }

 private:
  const ir::ParseOptions& options_;
  VrirParserBase* parser_;
  std::vector<Diagnostic> errors_;
};

}  // namespace vr::text
