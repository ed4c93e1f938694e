// Formats parenthesised text: a group that fits goes on one line; otherwise each of its parts that is a group goes on a
// line of its own, two columns further to the right.
#pragma once
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vr::text {

class Layout {
 public:
  /// Where a group is printed if the group that contains it is broken over lines.
  enum class Place : uint8_t { OwnLine, HeadLine };

  void open(std::string_view head, Place place = Place::OwnLine);
  void atom(std::string_view text);
  void attr(std::string_view name, std::string_view value);
  template <std::integral T>
    requires(!std::same_as<T, bool>)
  void attr(std::string_view name, T value) {
    attr(name, std::string_view(std::to_string(value)));
  }
  void attr(std::string_view name, std::same_as<bool> auto value) {
    attr(name, value ? std::string_view("%1") : std::string_view("%0"));
  }
  void attr(std::string_view name, const char* value) { attr(name, std::string_view(value)); }
  void close();
  /// A line of its own, in front of the group that is opened next; the groups that contain it are broken over lines.
  void comment(std::string_view text);
  /// The complete formatted text, ending with a newline if it has more than one line or `newline` is set.
  std::string finish(bool newline);

 private:
  enum class Kind : uint8_t { Open, Atom, Close, Comment };
  struct Piece {
    Kind kind;
    Place place;
    uint32_t begin = 0, length = 0;  // of text_
    uint32_t width = 0;              // For an open group: its width if the whole group is on one line
  };
  std::string text_;
  std::vector<Piece> pieces_;
  std::vector<uint32_t> open_;  // indexes of the open groups
};

}  // namespace vr::text
