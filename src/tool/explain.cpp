// vrir explain: how each loop was compiled, at its source line.
#include "tool/explain_html.hpp"
#include "tool/loop_notes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace vr::tool {

namespace {

struct ExplainCommand {
  std::string file, function, html;
  ir::Dialect dialect = ir::Dialect::Vrir;
  std::vector<std::string> on;
  ExplainOptions options;
};

std::string as_text(const Explanation& e) {
  std::string out;
  for (const ExplainedLoop& l : e.loops) {
    out += fmt::format("{}: {} in '{}'\n", l.place.text(), l.what, l.function);
    for (const Note& n : l.notes)
      out += fmt::format("  {} {}\n",
                         n.kind == Note::Kind::Missed ? '-'
                         : n.kind == Note::Kind::Good ? '+'
                                                      : ' ',
                         n.text);
  }
  for (const std::string& line : e.report) out += fmt::format("report: {}\n", line);
  return out;
}

int explain(Io& io, ExplainCommand c) {
  auto target = parse_target(c.on.empty() ? "cpu-par" : c.on[0]);
  if (!target) return fail(io, target.error());
  c.options.target = *target;
  auto tree = load_tree(io, c.file, c.dialect, true);
  if (!tree) return fail(io, tree.error());
  if (!c.function.empty() && !tree->module->find(c.function))
    return fail(io, fmt::format("{}: error: there is no function '{}'", c.file, c.function));
  auto explanation = explain_loops(*tree, c.options);
  if (!explanation) return fail(io, explanation.error());
  auto& loops = explanation->loops;
  if (!c.function.empty()) std::erase_if(loops, [&](const ExplainedLoop& l) { return l.function != c.function; });
  if (loops.empty() && explanation->report.empty()) io.out << "there is no loop\n";
  if (c.html.empty()) {
    io.out << as_text(*explanation);
    return exit_ok;
  }
  if (Status written = write_file(io.resolve(c.html), explain_html(io, c.file, *explanation)); !written)
    return fail(io, written.error());
  io.out << fmt::format("{} loops written to {}\n", loops.size(), c.html);
  return exit_ok;
}

}  // namespace

Command add_explain(CLI::App& root) {
  auto c = std::make_shared<ExplainCommand>();
  CLI::App* app = root.add_subcommand(
      "explain", "Report for each loop whether it uses vectors, threads or a kernel, or why not (+ yes, - no)");
  app->add_option("FILE", c->file, "a .vrir file")->required();
  app->add_option("--fn", c->function, "only the loops that this function contains")->option_text("NAME");
  app->add_option("--html", c->html, "write an HTML page with the annotated program instead of printing")
      ->option_text("FILE");
  dialect_option(*app, c->dialect);
  target_option(*app, c->on, false);
  app->add_option("--target", c->options.processor,
                  "the processor: native (default), generic, or one that LLVM knows: x86-64-v3")
      ->option_text("CPU");
  app->add_option("-O", c->options.opt_level, "optimisation level 0..3 (default 2)")->check(CLI::Range(0, 3));
  app->add_flag("--lanes", c->options.lanes,
                "--on opencl: for devices that should load several elements at once (GPUs)");
  app->add_option("--tiles", c->options.tiles,
                  "--on opencl: several iterations per work-item, where at least this many work-items remain");
  app->add_option("--local", c->options.local_bytes, "--on opencl: bytes of local memory for rows of arrays");
  return {app, [c](Io& io) { return explain(io, *c); }};
}

}  // namespace vr::tool
