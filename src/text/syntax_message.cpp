#include <text/syntax_message.hpp>

#include <VrirParser.h>

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace vr::text {

namespace {

using P = VrirParser;
using antlr4::atn::ATNState;
using antlr4::atn::RuleTransition;
using antlr4::atn::Transition;
using Tokens = std::set<size_t>;

// Tokens that can come next in `state`, within its rule; and the states behind each "(".
void first(const ATNState* state, Tokens& tokens, std::set<const ATNState*>* behind_lp,
           std::set<const ATNState*>& seen) {
  if (!seen.insert(state).second) return;
  if (dynamic_cast<const antlr4::atn::RuleStopState*>(state)) return;
  for (const Transition* t : state->transitions) {
    if (t->isEpsilon()) {
      first(t->target, tokens, behind_lp, seen);  // also into a called rule; none of ours is empty
      continue;
    }
    for (ssize_t token : t->label().toList()) {
      tokens.insert(static_cast<size_t>(token));
      if (token == P::Lp && behind_lp) behind_lp->insert(t->target);
    }
  }
}
Tokens first_of_rule(const antlr4::atn::ATN& atn, size_t rule) {
  Tokens tokens;
  std::set<const ATNState*> seen;
  first(atn.ruleToStartState[rule], tokens, nullptr, seen);
  return tokens;
}

bool is_subset(const Tokens& small, const Tokens& big) {
  return std::includes(big.begin(), big.end(), small.begin(), small.end());
}
void remove(Tokens& from, const Tokens& what) {
  for (size_t t : what) from.erase(t);
}

// Names for what may stand behind a "(".
void describe_heads(const antlr4::atn::ATN& atn, Tokens heads, std::vector<std::string>& out) {
  constexpr std::pair<size_t, const char*> classes[] = {
      {P::RuleStatementBody, "a statement"}, {P::RuleExprBody, "an expression"}, {P::RuleTypeBody, "a type"}};
  for (auto [rule, name] : classes) {
    Tokens of_rule = first_of_rule(atn, rule);
    if (!is_subset(of_rule, heads)) continue;
    out.push_back(name);
    remove(heads, of_rule);
  }
  for (size_t t : heads)
    if (t != P::ElmsTok && t != P::Lp) out.push_back(fmt::format("({} ...)", token_text(t)));
}

void describe_tokens(const antlr4::atn::ATN& atn, Tokens tokens, std::vector<std::string>& out) {
  if (tokens.count(P::Name)) {
    out.push_back("a name");
    remove(tokens, first_of_rule(atn, P::RuleText));
    tokens.erase(P::ModuleText);
  }
  if (tokens.count(P::Floatval)) {
    out.push_back("a number");
    remove(tokens, {P::Floatval, P::Intval, P::InfTok, P::NanTok});
  }
  if (tokens.count(P::TrueTok)) {
    out.push_back("%0 or %1");
    remove(tokens, {P::TrueTok, P::FalseTok});
  }
  bool close = tokens.erase(P::Rp) > 0;
  for (size_t t : tokens) {
    if (t == P::Intval)
      out.push_back("an integer");
    else if (t == eof_token)
      out.push_back("the end of the text");
    else if (t == P::String)
      out.push_back("a string");
    else
      out.push_back(fmt::format("'{}'", token_text(t)));
  }
  if (close) out.push_back("')'");
}

std::string group_name(const OpenGroup& g) { return g.head ? std::string(g.head_text) : "(...)"; }

std::string join_or(const std::vector<std::string>& list) {
  std::string s;
  for (size_t i = 0; i < list.size(); ++i) {
    if (i) s += i + 1 == list.size() ? " or " : ", ";
    s += list[i];
  }
  return s;
}

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t up = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = up;
    }
  }
  return row[b.size()];
}

// The expected word closest to what was written, when it is close.
std::string_view similar(std::string_view word, const Tokens& expected) {
  std::string_view best;
  size_t best_distance = 1 + word.size() / 3;
  for (size_t t : expected) {
    std::string_view s = token_text(t);
    if (s.size() < 2 || word.size() > 30) continue;
    size_t d = edit_distance(word, s);
    if (d > 0 && d < best_distance) {
      best = s;
      best_distance = d;
    }
  }
  return best;
}

std::string found_text(const SyntaxSituation& s, bool is_head) {
  const Scanned& t = s.found;
  if (t.type == eof_token) return "the end of the text";
  if (t.type == P::Rp) return is_head ? "()" : "')'";
  if (t.type == P::Lp)
    return s.next.type == P::Lp || s.next.type == P::Rp ? "'('" : fmt::format("({} ...)", s.next.text.substr(0, 40));
  if (is_head && is_bare_word(t.text) && t.text.size() <= 40) return fmt::format("({} ...)", t.text);
  if (t.type == P::Junk && t.text == "\"") return "a string without its closing '\"'";
  return shown(t.text);
}

}  // namespace

std::string shown(std::string_view text) {
  std::string s = "'";
  for (char c : text.substr(0, 40)) {
    auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte >= 0x7f)
      s += fmt::format("\\x{:02x}", byte);
    else
      s += c;
  }
  return s + (text.size() > 40 ? "...'" : "'");
}

std::pair<std::string, std::string> syntax_message(const SyntaxSituation& s) {
  Tokens tokens;
  std::set<const ATNState*> behind_lp, seen;
  for (size_t state : s.states) first(s.atn->states[state], tokens, &behind_lp, seen);

  // Directly behind "(" the expected tokens are head words.
  bool is_head = s.last_type == P::Lp;
  std::vector<std::string> expected;
  Tokens words = tokens;
  if (is_head) {
    describe_heads(*s.atn, tokens, expected);
  } else {
    if (tokens.erase(P::Lp)) {
      Tokens heads;
      std::set<const ATNState*> seen_heads;
      for (const ATNState* state : behind_lp) first(state, heads, nullptr, seen_heads);
      describe_heads(*s.atn, heads, expected);
      words.insert(heads.begin(), heads.end());
    }
    // What is seldom meant would only make the sentence longer.
    if (!expected.empty()) remove(tokens, {P::AttrLoc, P::VoidTok});
    describe_tokens(*s.atn, tokens, expected);
  }
  if (expected.size() > 8) {
    expected.resize(7);
    expected.push_back("...");
  }

  const std::vector<OpenGroup>& groups = *s.groups;
  std::string place;
  size_t level = groups.size() - (is_head ? 1 : 0);  // groups[level - 1] is the one that is incomplete
  if (level > 0 && level <= groups.size()) {
    const OpenGroup& g = groups[level - 1];
    bool behind_group = s.last_type == P::Rp || is_head;
    if (behind_group && g.last_child) place += fmt::format(" after ({} ...)", token_text(g.last_child));
    if (!behind_group && s.last_text != g.head_text) place += fmt::format(" after {}", shown(s.last_text));
    place += fmt::format(" in {}", group_name(g));
  }

  std::string message =
      s.found.type == P::AttrUnknown
          ? fmt::format("unknown attribute {}{}; expected {}", shown(s.found.text), place, join_or(expected))
          : fmt::format("expected {}{}, found {}", join_or(expected), place, found_text(s, is_head));
  std::string_view word = s.found.type == P::Lp ? s.next.text : s.found.text;
  std::string_view near = similar(word, words);
  std::string hint = near.empty() ? "" : fmt::format("did you mean '{}'?", near);
  return {message, hint};
}

}  // namespace vr::text
