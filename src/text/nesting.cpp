#include <text/nesting.hpp>
#include <text/parser_base.hpp>
#include <text/scanner.hpp>

#include <VrirParser.h>

#include <fmt/format.h>

namespace vr::text {

using P = VrirParser;

namespace {

struct Group {
  ir::TextPos pos;
  size_t head = 0;
  std::string_view head_text;
};

bool is_statement(size_t head) { return head >= P::AssignstmtTok && head <= P::ExprstmtTok; }
bool holds_statements(size_t head) {
  return head == P::BodyTok || head == P::StmtsTok || head == P::IfTok || head == P::ElseTok;
}
// Whether a group with this head may be a direct child of the other; tested for heads with few possible parents, to find the
// group that lacks its ")".
bool can_stand(size_t head, const Group& in) {
  if (head == P::FunctionTok || head == P::ExternTok) return in.head == P::FnsTok;
  if (head == P::SymtableTok || head == P::ArglistTok) return in.head == P::FunctionTok;
  if (is_statement(head)) return holds_statements(in.head);
  return true;
}

// Whether the head's position shows that a group was closed too early: the head belongs in an inner group.
bool closed_too_early(size_t head, const Group& in) {
  if (in.head == P::ModuleTok) return head != P::FnsTok;
  return in.head == P::FnsTok || (in.head == P::FunctionTok && is_statement(head));
}

std::string name(const Group& g) {
  return g.head_text.empty() ? "'('" : fmt::format("'({}'", g.head_text.substr(0, 40));
}

}  // namespace

std::vector<Diagnostic> check_nesting(std::string_view text, const ir::ParseOptions& options) {
  std::vector<Diagnostic> errors;
  auto error = [&](ir::TextPos pos, std::string message, std::string hint = "") {
    Diagnostic d;
    d.place = {options.file, pos.line, pos.column};
    d.rule = "syntax";
    d.message = std::move(message);
    d.hint = std::move(hint);
    errors.push_back(std::move(d));
  };

  std::vector<Group> open;
  // The first group that is open where it must have been closed, and the token that shows it.
  Group suspect;
  std::string evidence;
  // The first group that is in a wrong outer group, and the message for it if there is one ")" too many.
  ir::TextPos outside_pos;
  std::string outside;
  ir::TextPos closed_module;  // where the first top-level group ended
  Scanner scanner(text);
  size_t last = 0;
  for (;;) {
    Scanned t = scanner.next();
    if (t.type == eof_token) break;
    if (t.type == P::Lp) {
      open.push_back({t.pos, 0, {}});
      if (open.size() > static_cast<size_t>(options.max_depth)) {
        error(t.pos, fmt::format("parentheses are nested more than {} deep", options.max_depth));
        return errors;
      }
    } else if (t.type == P::Rp) {
      if (open.empty()) {
        if (!outside.empty()) {
          error(outside_pos, outside);
          return errors;
        }
        std::string hint = closed_module.line
                               ? fmt::format("the module was closed at {}:{}", closed_module.line, closed_module.column)
                               : "";
        error(t.pos, "')' without its '('", hint);
        return errors;
      }
      open.pop_back();
      if (open.empty() && !closed_module.line) closed_module = t.pos;
    } else if (last == P::Lp) {
      open.back().head = t.type;
      open.back().head_text = t.text;
      if (open.size() > 1 && evidence.empty()) {
        const Group& parent = open[open.size() - 2];
        if (!can_stand(t.type, parent)) {
          suspect = parent;
          evidence = fmt::format("({} ...) at {}:{} cannot stand inside it", t.text, t.pos.line, t.pos.column);
          if (closed_too_early(t.type, parent)) {
            outside_pos = t.pos;
            outside = fmt::format("there is a surplus ')' before ({} ...), which is in {} now", t.text, name(parent));
          }
        }
      }
    }
    last = t.type;
  }
  if (!open.empty()) {
    const Group& g = evidence.empty() ? open.back() : suspect;
    error(g.pos, fmt::format("{} is not closed", name(g)), evidence);
  }
  return errors;
}

}  // namespace vr::text
