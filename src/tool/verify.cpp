// vrir verify FILE...: one line for each error.
#include "tool/commands.hpp"
#include "tool/terminal.hpp"

#include <velociraptor/ir/verify.hpp>

#include <memory>

namespace vr::tool {

Command add_verify(CLI::App& root) {
  struct Options {
    std::vector<std::string> files;
    ir::Dialect dialect = ir::Dialect::Vrir;
  };
  auto o = std::make_shared<Options>();
  CLI::App* app = root.add_subcommand("verify", "Check modules; print one line for each error");
  app->add_option("FILE", o->files, ".vrir files")->required();
  dialect_option(*app, o->dialect);
  return {app, [o](Io& io) {
            int status = exit_ok;
            Progress progress(io, o->files.size());
            for (const std::string& file : o->files) {
              progress.step(file);
              auto tree = load_tree(io, file, o->dialect, true);
              if (!tree) {
                progress.clear();
                status = fail(io, tree.error());
                continue;
              }
              for (const Diagnostic& d : tree->remarks) io.out << one_line(d) << '\n';
            }
            return status;
          }};
}

}  // namespace vr::tool
