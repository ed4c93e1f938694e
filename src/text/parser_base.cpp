// The parser's error handling: tracks the open groups, determines the expected tokens, and recovers after an error. The expected
// tokens are computed from ANTLR's automaton (the ATN), so they follow the grammar.
#include <text/parser_base.hpp>
#include <text/syntax_message.hpp>

#include <VrirParser.h>

using vr::text::OpenGroup;
using vr::text::Scanned;

void VrirParserBase::track(const Scanned& t) {
  if (stopped_) throw vr::text::Stop{};
  decisions_ = 0;
  if (t.type == VrirParser::Lp) {
    groups_.push_back({t.pos, 0, {}, 0, false});
  } else if (t.type == VrirParser::Rp) {
    if (groups_.empty()) throw vr::text::Stop{};  // cannot happen: the groups were counted before
    size_t head = groups_.back().head;
    groups_.pop_back();
    if (!groups_.empty()) groups_.back().last_child = head;
  } else if (!groups_.empty() && last_type_ == VrirParser::Lp) {
    groups_.back().head = t.type;
    groups_.back().head_text = t.text;
  }
  last_type_ = t.type;
  last_text_ = t.text;
}

void VrirParserBase::mismatch() { throw antlr4::InputMismatchException(this); }

// Recovers from a wrong "(" or ")": skips the tokens that do not belong to the group, then continues the group.
bool VrirParserBase::mend(size_t wanted) {
  if (wanted != VrirParser::Lp && wanted != VrirParser::Rp) return false;
  if (groups_.empty()) return false;
  size_t depth = groups_.size();
  if (wanted == VrirParser::Lp && _input->current().type == VrirParser::Rp) return false;
  report();
  for (;;) {
    size_t type = _input->current().type;
    if (type == eof_type) throw vr::text::Stop{};
    if (groups_.size() == depth) {
      if (type == wanted) return true;
      if (type == VrirParser::Rp) return false;
    }
    consume();
  }
}

// The group that an error at the current token makes invalid. A wrong head word invalidates only its own group if that is an
// element of a list, and the enclosing group if each of its groups has a role of its own.
OpenGroup& VrirParserBase::failed_group() {
  if (groups_.empty()) return outside_;
  if (last_type_ != VrirParser::Lp || groups_.size() < 2) return groups_.back();
  OpenGroup& parent = groups_[groups_.size() - 2];
  switch (parent.head) {
    case VrirParser::FnsTok:
    case VrirParser::BodyTok:
    case VrirParser::StmtsTok:
    case VrirParser::IfTok:
    case VrirParser::ElseTok:
    case VrirParser::SymtableTok:
    case VrirParser::ArglistTok:
    case VrirParser::ArgsTok:
    case VrirParser::ElemsTok:
    case VrirParser::ExprsTok:
    case VrirParser::IndicesTok:
      return groups_.back();
    default:
      return parent;
  }
}

void VrirParserBase::report() {
  if (reported_index_ == _input->index()) return;
  reported_index_ = _input->index();
  // One message per group: further errors are mostly consequences of the first.
  bool complained = failed_group().failed;
  failed_group().failed = true;
  events_->broken();
  if (complained) return;
  vr::text::SyntaxSituation s;
  s.atn = &getATN();
  s.states.assign(states_, states_ + decisions_);
  s.states.push_back(state_);
  s.found = _input->current();
  s.next = _input->peek();
  s.groups = &groups_;
  s.last_type = last_type_;
  s.last_text = last_text_;
  auto [message, hint] = vr::text::syntax_message(s);
  events_->error(s.found.pos, std::move(message), std::move(hint));
}

// After an error inside a rule: its group, if it opened one, is skipped and the rule counts as read. Otherwise the
// enclosing rule handles the error.
void VrirParserBase::skip_group() {
  size_t depth = rules_.back().depth;
  if (groups_.size() <= depth) throw;
  while (groups_.size() > depth) {
    if (_input->current().type == eof_type) throw vr::text::Stop{};
    consume();
  }
}
