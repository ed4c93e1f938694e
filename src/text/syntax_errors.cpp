#include <text/syntax_errors.hpp>

#include <fmt/format.h>

namespace vr::text {

namespace {
constexpr size_t max_errors = 100;
}

void SyntaxErrors::add(ir::TextPos pos, std::string message, std::string hint) {
  if (errors_.size() > max_errors) return;
  Diagnostic d;
  d.place = {options_.file, pos.line, pos.column};
  d.rule = "syntax";
  if (errors_.size() == max_errors) {
    d.message = fmt::format("more than {} errors; the rest of the text was not read", max_errors);
    parser_->stop();
  } else {
    d.message = std::move(message);
    d.hint = std::move(hint);
  }
  errors_.push_back(std::move(d));
}

bool SyntaxErrors::mclab_only(ir::TextPos at, const char* what, const char* hint) {
  if (options_.dialect == ir::Dialect::Mclab) return true;
  add(at, fmt::format("{} is accepted in the mclab dialect only", what), hint);
  return false;
}

}  // namespace vr::text
