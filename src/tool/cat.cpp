// vrir cat FILE: parse and print.
#include "tool/commands.hpp"

#include <velociraptor/ir/text.hpp>
#include <velociraptor/ir/verify.hpp>

#include <memory>

namespace vr::tool {

Command add_cat(CLI::App& root) {
  struct Options {
    std::string file;
    ir::Dialect dialect = ir::Dialect::Vrir;
    bool strict = false, brief = false;
  };
  auto o = std::make_shared<Options>();
  CLI::App* app = root.add_subcommand("cat", "Parse a module and print it");
  app->add_option("FILE", o->file, "a .vrir file")->required();
  dialect_option(*app, o->dialect);
  app->add_flag("--strict", o->strict, "turn the module into strict, verified VRIR first (mclab: re-infer its types)");
  app->add_flag("--short", o->brief, "in the short syntax (docs/short-syntax.md)");
  return {app, [o](Io& io) {
            if (o->brief && o->dialect == ir::Dialect::Mclab && !o->strict)
              return fail(io, "the short syntax is for strict VRIR: add --strict");
            auto tree = load_tree(io, o->file, o->dialect, o->strict);
            if (!tree) return fail(io, tree.error());
            for (const Diagnostic& d : tree->remarks) io.err << one_line(d) << '\n';
            const std::string text = o->brief ? ir::print_short(*tree->module) : ir::print(*tree->module);
            io.out << text;
            if (!text.empty() && text.back() != '\n') io.out << '\n';
            return int(exit_ok);
          }};
}

}  // namespace vr::tool
