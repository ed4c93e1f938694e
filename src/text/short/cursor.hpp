// A position in a list of tokens, with the limits of the text.
#pragma once
#include "text/short/tokens.hpp"

#include <velociraptor/ir/text.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace vr::text::brief {

class Cursor {
 public:
  Cursor(const std::vector<Token>& tokens, const ir::ParseOptions& options) : tokens_(tokens), options_(options) {}

  const Token& token(size_t ahead = 0) const {
    return tokens_[at_ + ahead < tokens_.size() ? at_ + ahead : tokens_.size() - 1];
  }
  bool is(TokenKind kind, size_t ahead = 0) const { return token(ahead).kind == kind; }
  /// Whether the current token is this sign or word; strings are neither.
  bool at(std::string_view text, size_t ahead = 0) const {
    const Token& t = token(ahead);
    return (t.kind == TokenKind::Sign || t.kind == TokenKind::Word) && t.text == text;
  }
  /// A name: a string, or a word that is not a keyword.
  bool is_name(size_t ahead = 0) const {
    return is(TokenKind::String, ahead) || (is(TokenKind::Word, ahead) && !is_keyword(token(ahead).text));
  }
  const Token& last() const { return tokens_[at_ > 0 ? at_ - 1 : 0]; }
  const Token& take() {
    const Token& t = token();
    if (at_ + 1 < tokens_.size()) ++at_;
    return t;
  }
  bool accept(std::string_view text) {
    if (!at(text)) return false;
    take();
    return true;
  }
  bool accept_dedent() {
    if (!is(TokenKind::Dedent)) return false;
    take();
    return true;
  }
  void expect(std::string_view text, std::string_view where);
  void expect(TokenKind kind, std::string_view what);
  [[noreturn]] void unexpected(std::string_view wanted) const;

  std::string name(std::string_view what);
  /// Reads a string token and returns its bytes.
  std::string string(std::string_view what);
  /// An integer without a suffix, from 0 to 2147483647.
  int32_t small_integer(std::string_view what);
  /// Reads `@ "FILE:LINE:COL"`; "" if there is none.
  std::string location();

  size_t place() const { return at_; }
  void go_to(size_t place) { at_ = place; }
  const ir::ParseOptions& options() const { return options_; }
  /// To be called for each node.
  void count_node();

  /// One more level of nesting (brackets, operators or blocks) during the lifetime of the object. A node of the tree
  /// takes up to two levels.
  struct Level {
    explicit Level(Cursor& c) : cursor(c) { c.check_depth(++c.levels_ / 2); }
    ~Level() { --cursor.levels_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    Cursor& cursor;
  };
  /// Throws a Fault if a tree is deeper than the options allow.
  void check_depth(int depth) const;

 private:
  const std::vector<Token>& tokens_;
  const ir::ParseOptions& options_;
  size_t at_ = 0, nodes_ = 0;
  int levels_ = 0;
};

}  // namespace vr::text::brief
