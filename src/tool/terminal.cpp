#include "tool/terminal.hpp"

#include "support/settings.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <utility>

namespace vr::tool {

namespace {
constexpr std::string_view red = "\033[1;31m", yellow = "\033[33m", green = "\033[32m", cyan = "\033[36m",
                           bold = "\033[1m", plain = "\033[0m";

std::string in(std::string_view colour, std::string_view text) { return fmt::format("{}{}{}", colour, text, plain); }
}  // namespace

bool wants_colour(int fd) {
  const std::string terminal = settings::variable("TERM");
  return isatty(fd) && settings::variable("NO_COLOR").empty() && !terminal.empty() && terminal != "dumb";
}

std::string coloured(std::string_view line) {
  constexpr std::pair<std::string_view, std::string_view> marks[] = {
      {"error:", red}, {"warning:", yellow}, {"remark:", cyan}};
  for (auto [mark, colour] : marks) {
    const size_t at = line.find(mark);
    // Matches at the start of the line, or after a location "FILE:LINE:COL: ".
    if (at == std::string_view::npos || (at > 0 && !line.substr(0, at).ends_with(": "))) continue;
    const std::string_view place = line.substr(0, at), rest = line.substr(at + mark.size());
    return (place.empty() ? "" : in(bold, place)) + in(colour, mark) + std::string(rest);
  }
  if (line.starts_with("FAILED ")) return in(red, "FAILED") + std::string(line.substr(6));
  const size_t text = line.find_first_not_of(' ');
  if (text != std::string_view::npos && text >= 2 && line.size() > text + 1 && line[text + 1] == ' ') {
    if (line[text] == '+') return in(green, line);
    if (line[text] == '-') return in(yellow, line);
  }
  return std::string(line);
}

ColourBuffer::int_type ColourBuffer::overflow(int_type c) {
  if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
  if (traits_type::to_char_type(c) != '\n') {
    line_ += traits_type::to_char_type(c);
    return c;
  }
  line_ = coloured(line_) + '\n';
  return pass_on() ? c : traits_type::eof();
}

int ColourBuffer::sync() { return pass_on() && to_->pubsync() == 0 ? 0 : -1; }

bool ColourBuffer::pass_on() {
  const std::string text = std::exchange(line_, "");
  const auto size = static_cast<std::streamsize>(text.size());
  return to_->sputn(text.data(), size) == size;
}

void Progress::step(std::string_view what) {
  ++done_;
  const auto now = Clock::now();
  if (!io_.progress || now - last_ < interval_) return;
  last_ = now;
  constexpr size_t width = 60;
  *io_.progress << fmt::format("\r\033[K[{}/{}] {}", done_, total_, what.substr(0, width)) << std::flush;
  shown_ = true;
}

void Progress::clear() {
  if (std::exchange(shown_, false)) *io_.progress << "\r\033[K" << std::flush;
}

}  // namespace vr::tool
