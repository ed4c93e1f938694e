// vrir settings: the environment variables that are read, and their values.
#include "support/settings.hpp"

#include "pipeline/pipeline.hpp"
#include "tool/commands.hpp"

#include <memory>

namespace vr::tool {

Command add_settings(CLI::App& root) {
  CLI::App* app = root.add_subcommand("settings", "List the environment variables that are read, with their values");
  auto markdown = std::make_shared<bool>(false);
  app->add_flag("--markdown", *markdown, "the table of docs/settings.md");
  return {app,
          [markdown](Io& io) {
            io.out << (*markdown ? settings::as_markdown() : settings::as_text(pipeline::pass_names()));
            return exit_ok;
          },
          true};
}

}  // namespace vr::tool
