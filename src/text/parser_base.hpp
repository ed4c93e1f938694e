// Base class of the parser that ANTLR generates. The generated code calls its helpers by plain name (match, enterRule,
// _tracker, _input, _errHandler ...), so the members here take the place of those of antlr4::Parser: tokens come
// directly from the Scanner, a rule's context is in a reused slot, and instead of building a parse tree the parser
// sends events to a TreeBuilder. That is about ten times faster than ANTLR's own runtime, and its memory does not grow
// with the text.
#pragma once
#include "antlr4-runtime.h"

#include <text/scanner.hpp>

#include <deque>
#include <vector>

namespace vr::text {

/// A token with ANTLR's interface; used only when an exception of ANTLR's runtime is constructed.
class TokenView final : public antlr4::Token {
 public:
  Scanned s;
  std::string getText() const override { return std::string(s.text); }
  size_t getType() const override { return s.type; }
  size_t getLine() const override { return size_t(s.pos.line); }
  size_t getCharPositionInLine() const override { return size_t(s.pos.column - 1); }
  size_t getChannel() const override { return 0; }
  size_t getTokenIndex() const override { return 0; }
  size_t getStartIndex() const override { return 0; }
  size_t getStopIndex() const override { return 0; }
  antlr4::TokenSource* getTokenSource() const override { return nullptr; }
  antlr4::CharStream* getInputStream() const override { return nullptr; }
  std::string toString() const override { return getText(); }
};

/// One token of lookahead: all that an LL(1) grammar needs.
class TokenFeed final : public antlr4::TokenStream {
 public:
  explicit TokenFeed(std::string_view text) : scanner_(text) { current_.s = scanner_.next(); }
  size_t LA(ssize_t) override { return current_.s.type; }
  antlr4::Token* LT(ssize_t) override { return &current_; }
  void consume() override {
    if (current_.s.type == eof_token) return;
    current_.s = scanner_.next();
    ++index_;
  }
  const Scanned& current() const { return current_.s; }
  /// The token after the current one; for messages, it is scanned again later.
  Scanned peek() const { return Scanner(scanner_).next(); }
  size_t index() override { return index_; }
  antlr4::Token* get(size_t) const override { return nullptr; }
  antlr4::TokenSource* getTokenSource() const override { return nullptr; }
  std::string getText(const antlr4::misc::Interval&) override { return {}; }
  std::string getText() override { return {}; }
  std::string getText(antlr4::RuleContext*) override { return {}; }
  std::string getText(antlr4::Token*, antlr4::Token*) override { return {}; }
  ssize_t mark() override { return 0; }
  void release(ssize_t) override {}
  void seek(size_t) override {}
  size_t size() override { return 0; }
  std::string getSourceName() const override { return {}; }

 private:
  Scanner scanner_;
  TokenView current_;
  size_t index_ = 0;
};

/// The events that the parser sends.
class ParseEvents {
 public:
  virtual ~ParseEvents() = default;
  virtual void enter(size_t rule) = 0;
  virtual void token(const Scanned& t) = 0;
  virtual void leave(size_t rule) = 0;
  /// A syntax error was reported: the current function's tree is incomplete.
  virtual void broken() = 0;
  virtual void error(ir::TextPos pos, std::string message, std::string hint) = 0;
};

/// Thrown through the generated code to end parsing after too many errors, or when a limit is exceeded.
struct Stop {};

/// A "(" that has not been closed before the current token.
struct OpenGroup {
  ir::TextPos pos;
  size_t head = 0;  ///< token type of its first word; 0 before it was read, or if there is none
  std::string_view head_text;
  size_t last_child = 0;  ///< head of the last group closed inside
  bool failed = false;    ///< an error in it was reported
};

}  // namespace vr::text

class VrirParserBase : public antlr4::Parser {
 public:
  explicit VrirParserBase(vr::text::TokenFeed* input) : antlr4::Parser(input), _input(input) {}
  /// The generated constructor's signature; the stream is always a TokenFeed.
  explicit VrirParserBase(antlr4::TokenStream* input) : VrirParserBase(static_cast<vr::text::TokenFeed*>(input)) {}

  void set_events(vr::text::ParseEvents* events) { events_ = events; }
  const std::vector<vr::text::OpenGroup>& groups() const { return groups_; }
  /// The next token ends the parse with a Stop (events cannot throw: rules end in destructors).
  void stop() { stopped_ = true; }

 protected:
  // ---- the names that generated code uses
  struct Slots {
    template <class T, class... Args>
    T* createInstance(Args&&... args) {
      static_assert(sizeof(T) <= sizeof(Slot));
      if (used == slots.size()) slots.emplace_back();
      return new (&slots[used++]) T(std::forward<Args>(args)...);
    }
    void pop() { reinterpret_cast<antlr4::ParserRuleContext*>(&slots[--used])->~ParserRuleContext(); }
    struct alignas(16) Slot {
      std::byte bytes[160];
    };
    std::deque<Slot> slots;
    size_t used = 0;
  };
  struct Errors {
    void sync(VrirParserBase* p) {
      if (p->decisions_ < std::size(p->states_)) p->states_[p->decisions_++] = p->state_;
    }
    void reportMatch(VrirParserBase*) {}
    void recoverInline(VrirParserBase* p) { p->mismatch(); }
    void reportError(VrirParserBase* p, const antlr4::RecognitionException&) { p->report(); }
    void recover(VrirParserBase* p, std::exception_ptr) { p->skip_group(); }
    Errors* operator->() { return this; }
  };
  struct ActiveRule {
    size_t rule;
    size_t invoking_state;
    size_t depth;  // number of open groups when the rule began
  };

  size_t getState() const override { return state_; }
  void setState(size_t s) { state_ = s; }
  void enterOuterAlt(antlr4::ParserRuleContext*, size_t) override {}
  void enterRule(antlr4::ParserRuleContext* ctx, size_t state, size_t rule) override {
    rules_.push_back({rule, state_, groups_.size()});
    state_ = state;
    _ctx = ctx;
    events_->enter(rule);
  }
  void exitRule() {
    const ActiveRule& r = rules_.back();
    state_ = r.invoking_state;
    events_->leave(r.rule);
    rules_.pop_back();
    _ctx = static_cast<antlr4::ParserRuleContext*>(_ctx->parent);
    _tracker.pop();
  }
  antlr4::Token* match(size_t type) override {
    if (_input->current().type != type && !mend(type)) mismatch();
    return consume();
  }
  antlr4::Token* consume() override {
    const vr::text::Scanned& t = _input->current();
    track(t);
    events_->token(t);
    _input->consume();
    return nullptr;
  }

  vr::text::TokenFeed* _input;
  Slots _tracker;
  Errors _errHandler;

 private:
  static constexpr size_t eof_type = vr::text::eof_token;
  void track(const vr::text::Scanned& t);
  bool mend(size_t wanted);
  [[noreturn]] void mismatch();
  void report();
  vr::text::OpenGroup& failed_group();
  void skip_group();

  vr::text::ParseEvents* events_ = nullptr;
  size_t state_ = 0;
  std::vector<ActiveRule> rules_;
  std::vector<vr::text::OpenGroup> groups_;
  vr::text::OpenGroup outside_;  // represents the text outside of the module
  // The states of the decisions at the current token; together they determine all tokens that may come next.
  size_t states_[16] = {};
  size_t decisions_ = 0;
  size_t last_type_ = 0;
  std::string_view last_text_;
  size_t reported_index_ = size_t(-1);
  bool stopped_ = false;
};
