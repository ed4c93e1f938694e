#include <text/layout.hpp>

#include <algorithm>

namespace vr::text {

namespace {
constexpr size_t line_width = 100;
}

void Layout::open(std::string_view head, Place place) {
  open_.push_back(static_cast<uint32_t>(pieces_.size()));
  pieces_.push_back({Kind::Open, place, static_cast<uint32_t>(text_.size()), static_cast<uint32_t>(head.size()), 0});
  pieces_.back().width = static_cast<uint32_t>(head.size()) + 2;  // with both parentheses
  text_ += head;
}

void Layout::atom(std::string_view s) {
  pieces_.push_back(
      {Kind::Atom, Place::HeadLine, static_cast<uint32_t>(text_.size()), static_cast<uint32_t>(s.size()), 0});
  text_ += s;
  if (!open_.empty()) pieces_[open_.back()].width += static_cast<uint32_t>(s.size()) + 1;
}

void Layout::attr(std::string_view name, std::string_view value) {
  size_t begin = text_.size();
  text_ += name;
  text_ += ' ';
  text_ += value;
  uint32_t length = static_cast<uint32_t>(text_.size() - begin);
  pieces_.push_back({Kind::Atom, Place::HeadLine, static_cast<uint32_t>(begin), length, 0});
  if (!open_.empty()) pieces_[open_.back()].width += length + 1;
}

void Layout::close() {
  uint32_t width = pieces_[open_.back()].width;
  open_.pop_back();
  pieces_.push_back({Kind::Close, Place::HeadLine, 0, 0, 0});
  if (!open_.empty()) pieces_[open_.back()].width += width + 1;
}

void Layout::comment(std::string_view s) {
  pieces_.push_back(
      {Kind::Comment, Place::OwnLine, static_cast<uint32_t>(text_.size()), static_cast<uint32_t>(s.size()), 0});
  text_ += s;
  for (uint32_t g : open_) pieces_[g].width = std::max(pieces_[g].width, static_cast<uint32_t>(line_width) + 1);
}

std::string Layout::finish(bool newline) {
  std::string out;
  out.reserve(text_.size() + pieces_.size() * 4);
  struct Level {
    bool broken;
    size_t indent;
  };
  std::vector<Level> levels;
  size_t line_start = 0;
  for (size_t i = 0; i < pieces_.size(); ++i) {
    const Piece& p = pieces_[i];
    if (p.kind == Kind::Close) {
      out += ')';
      levels.pop_back();
      continue;
    }
    const bool inside_broken = !levels.empty() && levels.back().broken;
    const bool own_line = p.kind != Kind::Atom && p.place == Place::OwnLine;
    if (own_line && (inside_broken || (i > 0 && pieces_[i - 1].kind == Kind::Comment))) {
      out += '\n';
      line_start = out.size();
      if (!levels.empty()) out.append(levels.back().indent, ' ');
    } else if (!levels.empty() && !out.empty()) {
      out += ' ';
    }
    std::string_view s = std::string_view(text_).substr(p.begin, p.length);
    if (p.kind != Kind::Open) {
      out += s;
      continue;
    }
    // If this is the last part, closing parentheses of outer groups follow on its line; they are few and not counted here.
    const size_t column = out.size() - line_start;
    const bool may_break = levels.empty() || inside_broken;
    levels.push_back({may_break && column + p.width > line_width, column + 2});
    out += '(';
    out += s;
  }
  if (newline || out.find('\n') != std::string::npos) out += '\n';
  return out;
}

}  // namespace vr::text
