#include <text/syntax_message.hpp>

#include <VrirParser.h>

#include <fmt/format.h>

#include <algorithm>
#include <bitset>

namespace vr::text {

namespace {

using P = VrirParser;
using antlr4::atn::ATNState;
using antlr4::atn::Transition;

// A set of token types; the end of the text, whose type is -1, has index 0.
class Tokens {
 public:
  Tokens() = default;
  Tokens(std::initializer_list<size_t> types) {
    for (size_t t : types) insert(t);
  }
  void insert(size_t type) { bits_.set(index(type)); }
  void insert(const Tokens& o) { bits_ |= o.bits_; }
  bool erase(size_t type) {
    bool had = has(type);
    bits_.reset(index(type));
    return had;
  }
  void erase(const Tokens& o) { bits_ &= ~o.bits_; }
  bool has(size_t type) const { return bits_.test(index(type)); }
  bool includes(const Tokens& o) const { return (o.bits_ & ~bits_).none(); }
  template <class F>
  void for_each(F&& f) const {
    for (size_t i = 1; i < bits_.size(); ++i)
      if (bits_.test(i)) f(i);
    if (bits_.test(0)) f(eof_token);
  }

 private:
  static size_t index(size_t type) { return type == eof_token ? 0 : type; }
  std::bitset<256> bits_;
};
static_assert(P::Junk < 256);

// The tokens that can come next, found by traversing the automaton within one rule.
struct Walk {
  explicit Walk(const antlr4::atn::ATN& atn) : seen(atn.states.size()) {}
  Tokens tokens;
  std::vector<const ATNState*> behind_lp;  // the states after each "("
  std::vector<bool> seen;

  void from(const ATNState* state) {
    if (seen[state->stateNumber]) return;
    seen[state->stateNumber] = true;
    if (dynamic_cast<const antlr4::atn::RuleStopState*>(state)) return;
    for (const Transition* t : state->transitions) {
      if (t->isEpsilon()) {
        from(t->target);  // also into a called rule; no rule of this grammar can be empty
        continue;
      }
      const antlr4::misc::IntervalSet label = t->label();
      for (const antlr4::misc::Interval& range : label.getIntervals())
        for (ssize_t token = range.a; token <= range.b; ++token) {
          tokens.insert(static_cast<size_t>(token));
          if (token == P::Lp) behind_lp.push_back(t->target);
        }
    }
  }
};

Tokens first_of_rule(const antlr4::atn::ATN& atn, size_t rule) {
  Walk w(atn);
  w.from(atn.ruleToStartState[rule]);
  return w.tokens;
}

// The first tokens of rules that messages name as a whole.
struct Classes {
  explicit Classes(const antlr4::atn::ATN& atn)
      : statement(first_of_rule(atn, P::RuleStatementBody)),
        expression(first_of_rule(atn, P::RuleExprBody)),
        type(first_of_rule(atn, P::RuleTypeBody)),
        text(first_of_rule(atn, P::RuleText)) {}
  Tokens statement, expression, type, text;
};
const Classes& classes(const antlr4::atn::ATN& atn) {
  static const Classes c(atn);  // there is one automaton for all parsers
  return c;
}

// Descriptions of the head words that may follow a "(".
void describe_heads(const Classes& known, Tokens heads, std::vector<std::string>& out) {
  const std::pair<const Tokens&, const char*> named[] = {
      {known.statement, "a statement"}, {known.expression, "an expression"}, {known.type, "a type"}};
  for (auto& [tokens, name] : named) {
    if (!heads.includes(tokens)) continue;
    out.push_back(name);
    heads.erase(tokens);
  }
  heads.for_each([&](size_t t) {
    if (t != P::ElmsTok && t != P::Lp) out.push_back(fmt::format("({} ...)", token_text(t)));
  });
}

void describe_tokens(const Classes& known, Tokens tokens, std::vector<std::string>& out) {
  if (tokens.has(P::Name)) {
    out.push_back("a name");
    tokens.erase(known.text);
    tokens.erase(P::ModuleText);
  }
  if (tokens.has(P::Floatval)) {
    out.push_back("a number");
    tokens.erase({P::Floatval, P::Intval, P::InfTok, P::NanTok});
  }
  if (tokens.has(P::TrueTok)) {
    out.push_back("%0 or %1");
    tokens.erase({P::TrueTok, P::FalseTok});
  }
  const bool close = tokens.erase(P::Rp);
  tokens.for_each([&](size_t t) {
    if (t == P::Intval)
      out.push_back("an integer");
    else if (t == eof_token)
      out.push_back("the end of the text");
    else
      out.push_back(fmt::format("'{}'", token_text(t)));
  });
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

// The expected word that is most similar to the written one, if it is similar enough; otherwise one that begins with the written
// word ("assign", "return").
std::string_view similar(std::string_view word, const Tokens& expected) {
  std::string_view best;
  if (word.size() > 30) return best;
  size_t best_distance = 1 + word.size() / 3;
  expected.for_each([&](size_t t) {
    std::string_view s = token_text(t);
    if (s.size() < 2 || s.size() >= word.size() + best_distance || word.size() >= s.size() + best_distance) return;
    size_t d = edit_distance(word, s);
    if (d > 0 && d < best_distance) {
      best = s;
      best_distance = d;
    }
  });
  if (best.empty() && word.size() >= 2)
    expected.for_each([&](size_t t) {
      std::string_view s = token_text(t);
      if (s.size() > word.size() && s.starts_with(word) && (best.empty() || s.size() < best.size())) best = s;
    });
  return best;
}

// A hint for common mistakes in this situation: what to write instead; "" if there is none. `heads` are the words that
// may follow "(", `head` the one that was found (0: none).
const char* usual_mistake(const SyntaxSituation& s, const Classes& known, const Tokens& heads, size_t head) {
  const bool expression = head && known.expression.has(head), statement = head && known.statement.has(head);
  if (heads.includes(known.statement) && expression)
    return "an expression is no statement: assign its value, or put it in (exprstmt ...)";
  if (heads.includes(known.expression) && statement)
    return "a statement has no value: put it before the statement that needs one";
  if ((heads.has(P::LhsTok) || heads.has(P::RhsTok)) && expression) return "put it in (lhs ...) or (rhs ...)";
  if (heads.has(P::IfTok) && statement) return "the statements of a branch belong into (if ...) and (else ...)";
  if (heads.has(P::BodyTok) && statement) return "the statements of a loop or function belong into (body ...)";
  if (s.found.type == P::Floatval && s.last_text == ":ival") return "a number with a point is written with ':dval'";
  if (heads.includes(known.type) && !s.groups->empty() && known.expression.has(s.groups->back().head))
    return "every expression states its type";
  return "";
}

// "1.5.2" and "12abc" are scanned as two tokens, but the message should show them as one.
std::string broken_number(const SyntaxSituation& s) {
  const Scanned& t = s.found;
  const bool touches = !t.text.empty() && s.last_text.data() + s.last_text.size() == t.text.data();
  if (!touches || (s.last_type != P::Intval && s.last_type != P::Floatval)) return "";
  if (t.type == P::Lp || t.type == P::Rp || t.type == P::String || t.text[0] == ':') return "";
  return shown(std::string(s.last_text) + std::string(t.text));
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
  const Classes& known = classes(*s.atn);
  Walk walk(*s.atn);
  for (size_t state : s.states) walk.from(s.atn->states[state]);
  Tokens tokens = walk.tokens, words = tokens;

  // Directly after "(" the expected tokens are head words.
  bool is_head = s.last_type == P::Lp;
  std::vector<std::string> expected;
  Tokens head_words = is_head ? tokens : Tokens();
  if (is_head) {
    describe_heads(known, tokens, expected);
  } else {
    if (tokens.erase(P::Lp)) {
      Walk heads(*s.atn);
      for (const ATNState* state : walk.behind_lp) heads.from(state);
      head_words = heads.tokens;
      describe_heads(known, heads.tokens, expected);
      words.insert(heads.tokens);
    }
    // Omits tokens that are rarely meant, to keep the message short.
    if (!expected.empty()) tokens.erase({P::AttrLoc, P::VoidTok});
    describe_tokens(known, tokens, expected);
  }
  if (expected.size() > 8) {
    expected.resize(7);
    expected.push_back("...");
  }

  const std::vector<OpenGroup>& groups = *s.groups;
  std::string place;
  size_t level = groups.size() - (is_head ? 1 : 0);  // groups[level - 1] is the incomplete group
  if (level > 0 && level <= groups.size()) {
    const OpenGroup& g = groups[level - 1];
    bool behind_group = s.last_type == P::Rp || is_head;
    if (behind_group && g.last_child) place += fmt::format(" after ({} ...)", token_text(g.last_child));
    if (!behind_group && s.last_text != g.head_text) place += fmt::format(" after {}", shown(s.last_text));
    place += fmt::format(" in {}", group_name(g));
  }

  if (std::string number = broken_number(s); !number.empty()) return {number + " is not a number", ""};
  std::string message =
      s.found.type == P::AttrUnknown
          ? fmt::format("unknown attribute {}{}; expected {}", shown(s.found.text), place, join_or(expected))
          : fmt::format("expected {}{}, found {}", join_or(expected), place, found_text(s, is_head));
  std::string_view word = s.found.type == P::Lp ? s.next.text : s.found.text;
  std::string_view near = similar(word, words);
  if (!near.empty()) return {message, fmt::format("did you mean '{}'?", near)};
  const size_t head = is_head ? s.found.type : s.found.type == P::Lp ? s.next.type : 0;
  return {message, usual_mistake(s, known, head_words, head)};
}

}  // namespace vr::text
