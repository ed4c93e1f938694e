#include "text/short/parse_short.hpp"

#include "text/short/convention_words.hpp"
#include "text/short/function_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace vr::text {

using namespace brief;

namespace {

// Until the end of the line: KEY=VALUE, KEY=VALUE+VALUE, numpy, matlab.
void module_words(Cursor& c, ir::Module& m) {
  std::vector<std::string> seen;
  while (!c.is(TokenKind::Newline)) {
    const Token& key = c.token();
    if (!c.is(TokenKind::Word)) c.unexpected("a convention KEY=VALUE, or the end of the line");
    c.take();
    if (!c.accept("=")) {
      if (key.text != "numpy" && key.text != "matlab")
        throw Fault{key.pos, fmt::format("unknown conventions '{}'", key.text), "write numpy, matlab or KEY=VALUE"};
      if (!seen.empty()) throw Fault{key.pos, fmt::format("'{}' must precede other conventions", key.text), ""};
      m.attrs = preset(key.text == "numpy" ? ir::Conventions::numpy() : ir::Conventions::matlab());
      seen.emplace_back();
      continue;
    }
    if (std::find(seen.begin(), seen.end(), key.text) != seen.end())
      throw Fault{key.pos, fmt::format("'{}' is given twice", key.text), ""};
    if (key.text == "vrir") {
      const Token& at = c.token();
      m.version = c.small_integer("the version of VRIR");
      if (*m.version != 1)
        throw Fault{at.pos, fmt::format("version {} of VRIR is not known", *m.version), "this is version 1"};
      continue;
    }
    seen.emplace_back(key.text);
    const Token& at = c.token();
    std::vector<std::string> values;
    do {
      if (!c.is(TokenKind::Word) && !c.is(TokenKind::Int)) c.unexpected("a value");
      values.emplace_back(c.take().text);
    } while (c.accept("+"));
    std::string known;
    switch (set_convention(m.attrs, key.text, values, known)) {
      case WordFault::None:
        break;
      case WordFault::UnknownKey:
        throw Fault{key.pos, fmt::format("unknown convention '{}'", key.text), "known are " + known};
      case WordFault::UnknownValue:
        throw Fault{at.pos, fmt::format("unknown value of '{}'", key.text), "known are " + known};
    }
  }
  c.take();
}

void skip_block(Cursor& c) {
  int open = 0;
  do {
    if (c.is(TokenKind::Indent)) ++open;
    if (c.is(TokenKind::Dedent)) --open;
    if (c.is(TokenKind::End)) return;
    c.take();
  } while (open > 0);
}

ir::ModulePtr read_module(Cursor& c, const ir::ParseOptions& options) {
  auto m = std::make_shared<ir::Module>();
  m->file = options.file;
  if (c.accept("module")) {
    if (!c.is(TokenKind::Newline) && !(c.is(TokenKind::Word) && c.at("=", 1)))
      m->name = c.name("the name of the module");
    module_words(c, *m);
  }
  const ir::Conventions conventions = m->attrs.resolve(options.conventions);
  // Headers first, because the type of a call follows from the header of a function that may be defined later in the
  // text.
  ir::NameIndex functions;
  std::vector<std::shared_ptr<ir::Function>> list;
  std::vector<size_t> starts;
  while (!c.is(TokenKind::End)) {
    if (!c.at("def") && !c.at("extern")) c.unexpected("'def' or 'extern'");
    starts.push_back(c.place());
    list.push_back(std::make_shared<ir::Function>());
    FunctionReader(c, *m, functions, conventions).header(*list.back());
    m->functions.push_back(list.back());
    if (list.back()->external) continue;
    if (!c.is(TokenKind::Indent)) c.unexpected("an indented block ('pass' if it is empty)");
    skip_block(c);
  }
  functions.set_module(*m);
  for (size_t k = 0; k < list.size(); ++k) {
    if (list[k]->external) continue;
    c.go_to(starts[k]);
    FunctionReader reader(c, *m, functions, conventions);
    ir::Function again;
    reader.header(again);
    reader.body(*list[k]);
  }
  return m;
}

}  // namespace

bool is_short(std::string_view source) {
  size_t at = 0;
  for (; at < source.size(); ++at) {
    if (source[at] == ';') at = std::min(source.find('\n', at), source.size() - 1);
    if (std::string_view(" \t\r\n;").find(source[at]) == std::string_view::npos) break;
  }
  const std::string_view rest = source.substr(std::min(at, source.size()));
  for (std::string_view word : {"module", "def", "extern"})
    if (rest.starts_with(word) &&
        (rest.size() == word.size() || std::string_view(" \t\r\n;").find(rest[word.size()]) != std::string_view::npos))
      return true;
  return false;
}

Result<ir::ModulePtr> parse_short(std::string_view source, const ir::ParseOptions& options) {
  try {
    const std::vector<Token> tokens = tokens_of(source, 8 * options.max_nodes);
    Cursor c(tokens, options);
    return read_module(c, options);
  } catch (Fault& f) {
    Error e;
    e.code = Code::Syntax;
    Diagnostic d;
    d.place = {options.file, f.pos.line, f.pos.column};
    d.rule = "syntax";
    d.message = std::move(f.message);
    d.hint = std::move(f.hint);
    e.diagnostics.push_back(std::move(d));
    return e;
  }
}

}  // namespace vr::text
