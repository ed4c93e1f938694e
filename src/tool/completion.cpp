// vrir completion: scripts for shells, from the table of commands and options.
#include "tool/cli_table.hpp"
#include "tool/commands.hpp"

#include <memory>

namespace vr::tool {

Command add_completion(CLI::App& root) {
  auto format = std::make_shared<std::string>();
  CLI::App* app = root.add_subcommand("completion", "Print a script that completes commands and options in a shell");
  app->add_option("SHELL", *format, "bash or zsh; markdown prints the tables of docs/cli.md")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "markdown"}));
  return {app,
          [format, &root](Io& io) {
            const auto table = cli_table(root);
            io.out << (*format == "bash"  ? bash_completion(table)
                       : *format == "zsh" ? zsh_completion(table)
                                          : markdown_table(table));
            return int(exit_ok);
          },
          true};
}

}  // namespace vr::tool
