#include "tool/explain_html.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <sstream>

namespace vr::tool {

namespace {

std::string escaped(std::string_view text) {
  std::string out;
  for (char c : text) switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  return out;
}

const char* css_class(Note::Kind kind) {
  return kind == Note::Kind::Good ? "good" : kind == Note::Kind::Missed ? "missed" : "plain";
}

std::string box(const ExplainedLoop& loop) {
  std::string out =
      fmt::format("<div class=\"loop\"><b>{}</b> in <code>{}</code><ul>", escaped(loop.what), escaped(loop.function));
  for (const Note& n : loop.notes) out += fmt::format("<li class=\"{}\">{}</li>", css_class(n.kind), escaped(n.text));
  return out + "</ul></div>\n";
}

constexpr const char* head =
    R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{0}</title><style>
body {{ font: 15px/1.45 sans-serif; max-width: 70em; margin: 2em auto; padding: 0 1em; color: #222; background: #fff }}
pre {{ margin: 0; white-space: pre-wrap }} .n {{ color: #888; display: inline-block; width: 4em }}
.loop {{ margin: .3em 0 .5em 4em; padding: .3em .8em; border-left: 4px solid #888; background: #f4f4f4 }}
ul {{ margin: 0; padding-left: 1.2em }} .good {{ color: #06631f }} .missed {{ color: #9a3b00 }}
li.good::marker {{ content: "+ " }} li.missed::marker {{ content: "- " }}
</style></head><body><h1>{0}</h1>
)";

}  // namespace

std::string explain_html(const Io& io, const std::string& file, const Explanation& explanation) {
  std::map<std::string, std::multimap<int, const ExplainedLoop*>> files;
  for (const ExplainedLoop& l : explanation.loops) files[l.place.file].emplace(l.place.line, &l);
  std::string out = fmt::format(head, escaped(file));
  for (const auto& [name, loops] : files) {
    if (name != file) out += fmt::format("<h2>{}</h2>\n", escaped(name));
    std::string path = name;
    if (name != file && !std::filesystem::path(name).is_absolute())
      path = (std::filesystem::path(file).parent_path() / name).string();
    std::istringstream text;
    if (auto bytes = read_file(io, path)) text.str(*bytes);
    int number = 0;
    for (std::string line; std::getline(text, line);) {
      out += fmt::format("<pre><span class=\"n\">{}</span>{}</pre>\n", ++number, escaped(line));
      for (auto [at, end] = loops.equal_range(number); at != end; ++at) out += box(*at->second);
    }
    for (auto at = loops.upper_bound(number); at != loops.end(); ++at)
      out += fmt::format("<pre><span class=\"n\">{}</span></pre>\n", at->first) + box(*at->second);
  }
  for (const std::string& line : explanation.report) out += fmt::format("<p class=\"missed\">{}</p>\n", escaped(line));
  return out + "</body></html>\n";
}

}  // namespace vr::tool
