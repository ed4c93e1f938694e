#include "tool/cli_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

namespace vr::tool {

namespace {

OptionRow row(const CLI::Option& o) {
  OptionRow r;
  for (const std::string& s : o.get_snames()) r.names.push_back("-" + s);
  for (const std::string& l : o.get_lnames()) r.names.push_back("--" + l);
  if (r.names.empty()) {
    r.operand = o.get_name();
  } else if (o.get_items_expected_max() > 0) {
    r.operand = !o.get_option_text().empty() ? o.get_option_text() : o.get_type_name();
  }
  if (r.operand.find('|') != std::string::npos && r.operand.find_first_of(" .=") == std::string::npos &&
      !r.names.empty())
    r.choices = CLI::detail::split(r.operand, '|');
  r.help = o.get_description();
  r.required = o.get_required();
  return r;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

/// Quotes the text for a shell, in single quotes.
std::string quoted(const std::string& text) { return "'" + replaced(text, "'", "'\\''") + "'"; }

/// The first clause of a help text, because menus show one line.
std::string brief(const std::string& help) { return help.substr(0, help.find_first_of(";(")); }

}  // namespace

std::vector<CommandRow> cli_table(const CLI::App& root) {
  std::vector<CommandRow> table;
  for (const CLI::App* app : root.get_subcommands([](const CLI::App*) { return true; })) {
    CommandRow command{app->get_name(), app->get_description(), {}};
    std::function<void(const CLI::App&)> add = [&](const CLI::App& of) {
      for (const CLI::Option* o : of.get_options())
        if (o != of.get_help_ptr()) command.options.push_back(row(*o));
      // Groups of options are commands without a name.
      for (const CLI::App* group : of.get_subcommands([](const CLI::App* a) { return a->get_name().empty(); }))
        add(*group);
    };
    add(*app);
    table.push_back(std::move(command));
  }
  return table;
}

std::string bash_completion(const std::vector<CommandRow>& table) {
  std::string names, commands;
  for (const CommandRow& c : table) {
    names += c.name + " ";
    std::string options = "--help", values;
    for (const OptionRow& o : c.options) {
      for (const std::string& n : o.names) options += " " + n;
      if (o.operand.empty() || o.names.empty()) continue;
      const std::string pattern = fmt::format("{}", fmt::join(o.names, "|"));
      if (!o.choices.empty())
        values += fmt::format("        {}) COMPREPLY=($(compgen -W '{}' -- \"$word\")); return ;;\n", pattern,
                              fmt::join(o.choices, " "));
      else
        values += fmt::format("        {}) COMPREPLY=({}); return ;;\n", pattern,
                              o.file() ? "$(compgen -f -- \"$word\")" : "");
    }
    commands += fmt::format("    {})\n      case \"$previous\" in\n{}      esac\n      options='{}' ;;\n", c.name,
                            values, options);
  }
  return fmt::format(R"(# Completion of vrir for bash: source <(vrir completion bash)
_vrir() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}} options=
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '{}--help --version' -- "$word"))
    return
  fi
  case "${{COMP_WORDS[1]}}" in
{}  esac
  case "$word" in
    -*) COMPREPLY=($(compgen -W "$options" -- "$word")) ;;
    *) COMPREPLY=($(compgen -f -- "$word")) ;;
  esac
}}
complete -o filenames -F _vrir vrir
)",
                     names, commands);
}

std::string zsh_completion(const std::vector<CommandRow>& table) {
  // In _arguments, brackets end a help text and colons separate the parts of a specification.
  auto help = [](const std::string& text) {
    return replaced(replaced(replaced(brief(text), "[", "("), "]", ")"), ":", " -");
  };
  std::string names, commands;
  for (const CommandRow& c : table) {
    names += "    " + quoted(c.name + ":" + help(c.help)) + "\n";
    commands += fmt::format("    {}) _arguments", c.name);
    for (const OptionRow& o : c.options) {
      if (o.names.empty()) continue;
      std::string value;
      if (!o.choices.empty())
        value = fmt::format(":value:({})", fmt::join(o.choices, " "));
      else if (!o.operand.empty())
        value = o.file() ? ":file:_files" : ":value:";
      for (const std::string& n : o.names) commands += " \\\n      " + quoted(n + "[" + help(o.help) + "]" + value);
    }
    commands += " \\\n      '*:file:_files' ;;\n";
  }
  return fmt::format(R"(#compdef vrir
# Completion of vrir for zsh: vrir completion zsh > DIRECTORY-IN-FPATH/_vrir
_vrir() {{
  local -a commands
  commands=(
{})
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
{}  esac
}}
compdef _vrir vrir
)",
                     names, commands);
}

std::string markdown_table(const std::vector<CommandRow>& table) {
  auto cell = [](const std::string& text) { return replaced(text, "|", "\\|"); };
  std::string out;
  for (const CommandRow& c : table) {
    std::string operands;
    for (const OptionRow& o : c.options)
      if (o.names.empty()) operands += o.required ? " " + o.operand : " [" + o.operand + "]";
    out += fmt::format("## vrir {}\n\n{}.\n\n    vrir {}{} [OPTION ...]\n\n", c.name, c.help, c.name, operands);
    if (c.options.empty()) continue;
    out += "| option | meaning |\n|---|---|\n";
    for (const OptionRow& o : c.options) {
      std::string name = fmt::format("{}", fmt::join(o.names, ", "));
      if (!o.operand.empty()) name += (name.empty() ? "" : " ") + o.operand;
      out += fmt::format("| `{}` | {} |\n", cell(name), cell(o.help));
    }
    out += "\n";
  }
  return out;
}

std::string nearest_command(const std::vector<CommandRow>& table, const std::string& word) {
  std::string best;
  size_t least = 3;  // more than two edits: not a typing error
  for (const CommandRow& c : table) {
    if (word.size() > 1 && c.name.starts_with(word)) return c.name;
    std::vector<size_t> row(c.name.size() + 1);
    std::iota(row.begin(), row.end(), size_t{0});
    for (size_t i = 1; i <= word.size(); ++i) {
      size_t diagonal = std::exchange(row[0], i);
      for (size_t j = 1; j <= c.name.size(); ++j) {
        const size_t replace = diagonal + (word[i - 1] != c.name[j - 1]);
        diagonal = row[j];
        row[j] = std::min({replace, row[j] + 1, row[j - 1] + 1});
      }
    }
    if (row.back() < least && row.back() < word.size()) least = row.back(), best = c.name;
  }
  return best;
}

}  // namespace vr::tool
