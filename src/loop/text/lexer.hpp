// Words of the loop form's text (private to the parser, parse.cpp).
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vr::lower {

/// Thrown for a syntax error; `at` is its position in the text.
struct Wrong {
  size_t at;
  std::string what;
};

/// Reads words with a lookahead of one. Functions that require a certain word throw Wrong if the next word is a
/// different one.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) { next(); }

  bool end() const { return kind_ == Kind::End; }
  bool is(std::string_view word) const { return kind_ != Kind::Quoted && word_ == word; }
  bool is_number() const { return kind_ == Kind::Number; }
  bool is_name() const { return kind_ == Kind::Name || kind_ == Kind::Quoted; }
  /// Whether no space separates this word from the one before it: the colon of `1:i32`, not that of `c ? 1 : 2`.
  bool touches() const { return glued_; }
  /// Whether this is a name directly followed by a parenthesis: `f(`.
  bool is_call() const { return is_name() && at_ < text_.size() && text_[at_] == '('; }

  std::string take();
  bool accept(std::string_view word);
  void expect(std::string_view word);
  std::string name();  ///< plain or in quotes
  std::string quoted();
  int64_t integer();
  /// Reads items with `item`, separated by commas, up to and including `close`.
  template <class Item>
  auto list(std::string_view close, Item item) {
    std::vector<decltype(item())> all;
    while (!accept(close)) {
      if (!all.empty()) expect(",");
      all.push_back(item());
    }
    return all;
  }

  [[noreturn]] void wrong(const std::string& what) const { throw Wrong{start_, what}; }
  /// The position of the word that was read last.
  [[noreturn]] void was_wrong(const std::string& what) const { throw Wrong{last_, what}; }

 private:
  enum class Kind { Name, Quoted, Number, Sign, End };
  void next();
  void text_in_quotes();

  std::string_view text_;
  size_t at_ = 0, start_ = 0, last_ = 0;
  bool glued_ = false;
  Kind kind_ = Kind::End;
  std::string word_;
};

}  // namespace vr::lower
