// The commands and options of `vrir` as a table, and what is generated from it: shell completion and docs/cli.md.
#pragma once
#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace vr::tool {

struct OptionRow {
  std::vector<std::string> names;    ///< "--on", "-O"; empty for an operand
  std::string operand;               ///< how the value is written: "interp|cpu", "FILE"; empty: the option takes none
  std::vector<std::string> choices;  ///< all possible values; empty: any
  std::string help;
  bool required = false;
  bool file() const { return operand.find("FILE") != std::string::npos || operand == "DIR|FILE"; }
};
struct CommandRow {
  std::string name, help;
  std::vector<OptionRow> options;
};

/// All commands of the program, in the order of `--help`, each with its options in the order of its own.
std::vector<CommandRow> cli_table(const CLI::App& root);

std::string bash_completion(const std::vector<CommandRow>& table);
std::string zsh_completion(const std::vector<CommandRow>& table);
std::string markdown_table(const std::vector<CommandRow>& table);

/// The command that is most similar to `word`; empty if none is.
std::string nearest_command(const std::vector<CommandRow>& table, const std::string& word);

}  // namespace vr::tool
