#include "tool/loop_notes.hpp"

#include "codegen/llvm/remarks.hpp"
#include "loop/walk.hpp"
#include "lower/lower.hpp"
#include "lower/source_place.hpp"
#include "pipeline/loops.hpp"
#include "pipeline/pipeline.hpp"

#include <velociraptor/ir/visit.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <set>

namespace vr::tool {

namespace {

using codegen::llvm_backend::LoopRemark;
using lower::CountedLoop;

bool before(const Place& a, const Place& b) {
  return std::tie(a.file, a.line, a.column) < std::tie(b.file, b.line, b.column);
}
struct InOrder {
  bool operator()(const Place& a, const Place& b) const { return before(a, b); }
};

// ---------------------------------------------------------------- the program's loops
struct SourceLoop {
  enum class Kind { For, PFor, While, Other } kind = Kind::Other;
  std::string variables, function;
  bool in_pfor = false;
};
using SourceLoops = std::map<Place, SourceLoop, InOrder>;

void collect(const ir::Body& body, const ir::Function& f, const ir::Module& m, bool in_pfor, SourceLoops& out) {
  for (const ir::StmtPtr& s : body) {
    const auto* serial = ir::as<ir::For>(s);
    const auto* parallel = ir::as<ir::PFor>(s);
    if (serial || parallel || ir::as<ir::While>(s)) {
      SourceLoop loop{serial     ? SourceLoop::Kind::For
                      : parallel ? SourceLoop::Kind::PFor
                                 : SourceLoop::Kind::While,
                      "", f.name, in_pfor};
      std::vector<std::string> names;
      if (serial || parallel)
        for (ir::SymbolId id : serial ? serial->itervars : parallel->itervars) names.push_back(f.symbols.at(id).name);
      loop.variables = fmt::format("{}", fmt::join(names, ", "));
      out.emplace(lower::source_place(m.file, s->pos, s->loc), std::move(loop));
    }
    ir::for_each_child(*s,
                       {nullptr, [&](const ir::StmtPtr& inner) { collect({inner}, f, m, in_pfor || parallel, out); }});
  }
}

std::string words(const SourceLoop& loop) {
  switch (loop.kind) {
    case SourceLoop::Kind::For:
      return "for loop over " + loop.variables;
    case SourceLoop::Kind::PFor:
      return "pfor loop over " + loop.variables;
    case SourceLoop::Kind::While:
      return "while loop";
    case SourceLoop::Kind::Other:
      break;
  }
  return "loop over elements";
}

// ---------------------------------------------------------------- the loops in the loop form
/// One loop, parallel loop or launch of the loop form.
struct Seen {
  const lower::Stmt* stmt;
  const lower::Function* function;
  int depth;  ///< in how many loops of the function
};

/// Calls f(place, seen) for each loop; statements without a location have that of the statement that contains them.
void each_loop(const lower::Module& m, const std::function<void(const Place&, const Seen&)>& f) {
  static const Place nowhere;
  for (const auto& function : m.functions) {
    auto at = [&](int32_t number, const Place& outer) -> const Place& {
      return number == lower::none ? outer : m.places[static_cast<size_t>(number)];
    };
    std::function<void(const lower::Block&, const Place&, int)> walk = [&](const lower::Block& b, const Place& outer,
                                                                           int depth) {
      for (const lower::Stmt& s : b) {
        const Place& place = at(s.place, outer);
        const bool loop = std::holds_alternative<CountedLoop>(s.node) || std::holds_alternative<lower::Loop>(s.node);
        if (loop || std::holds_alternative<lower::ParallelFor>(s.node) || std::holds_alternative<lower::Launch>(s.node))
          f(place, {&s, function.get(), depth});
        for (const lower::Block* inner : lower::parts(s)) walk(*inner, place, depth + loop);
      }
    };
    walk(function->body, at(function->place, nowhere), 0);
    walk(function->cleanup, at(function->place, nowhere), 0);
  }
}

std::string kernel_words(const lower::Function& k) {
  std::string text = fmt::format("{} dimension{}", k.dims.size(), k.dims.size() == 1 ? "" : "s");
  if (!k.folds.empty()) text += ", a reduction";
  if (k.points > 1) text += fmt::format(", work-items of up to {} iterations", k.points);
  if (!k.lanes.empty()) text += ", vector loads and stores";
  if (!k.rows.empty())
    text += fmt::format(", {} of {} arrays in local memory",
                        k.team                 ? "rows"
                        : lower::has_blocks(k) ? "rows or tables"
                                               : "copies",
                        k.rows.size());
  if (k.team > 1) text += fmt::format(", {} work-items for each iteration", k.team);
  return text;
}

/// Properties of the loops at one source location that a transformation may change.
using Signatures = std::map<Place, std::string, InOrder>;
Signatures signatures(const lower::Module& m) {
  Signatures out;
  each_loop(m, [&](const Place& place, const Seen& s) {
    std::string& text = out[place];
    text += fmt::format("{}.{}:", static_cast<int>(s.function->kind), s.depth);
    if (const auto* l = std::get_if<CountedLoop>(&s.stmt->node)) {
      text += fmt::format("{} {}{}{}{}{}{}{} {} {} ", s.function->vars[static_cast<size_t>(l->var)].name,
                          l->independent, l->fallback, l->across, l->chunks, l->parallel, l->spread,
                          l->disjoint != nullptr, l->unroll, l->reduction != nullptr);
    } else if (const auto* launch = std::get_if<lower::Launch>(&s.stmt->node)) {
      const lower::Function& k = *m.functions[static_cast<size_t>(launch->kernel)];
      text += fmt::format("{} {} {}", k.name, kernel_words(k), k.disjoint);
    }
    text += ';';
  });
  return out;
}

class Explainer {
 public:
  Explainer(const lower::Module& m, std::map<const CountedLoop*, std::vector<LoopRemark>> remarks, bool parallel)
      : m_(m), remarks_(std::move(remarks)), parallel_(parallel) {
    for (const auto& f : m.functions)
      if (f->on_host != lower::none) on_host_.insert(m.functions[static_cast<size_t>(f->on_host)].get());
  }

  void add(const Seen& s) {
    any_ = true;
    const std::string where = on_host_.count(s.function) ? "on the CPU, where the device cannot: " : "";
    if (std::holds_alternative<lower::ParallelFor>(s.stmt->node)) {
      shared_ = true;
      note(Note::Kind::Good, where + "parallel: threads share the iterations");
    } else if (const auto* launch = std::get_if<lower::Launch>(&s.stmt->node)) {
      shared_ = true;
      const lower::Function& k = *m_.functions[static_cast<size_t>(launch->kernel)];
      note(Note::Kind::Good, fmt::format("kernel {}: {}{}", k.name, kernel_words(k),
                                         k.form_of != lower::none ? ", the version without checks" : ""));
    } else if (s.function->kind == lower::Function::Kind::Kernel) {
      in_kernel(s);
    } else if (const auto* loop = std::get_if<CountedLoop>(&s.stmt->node)) {
      counted(*loop, where);
    } else {
      endless_ = true;
    }
  }

  /// Makes the notes, after all loops of the location were added.
  std::vector<Note> finish(const SourceLoop& source, const std::vector<std::string>& passes) {
    if (!any_) {
      note(Note::Kind::Plain, "the loop no longer exists: it became part of another loop or kernel, or was removed");
    }
    if (outer_ && !innermost_) note(Note::Kind::Plain, "not vectorised itself: it contains other loops");
    // Counted loops that poll, or that search, are endless loops with counted loops inside.
    if (endless_ && (source.kind == SourceLoop::Kind::While || (!innermost_ && !outer_)))
      note(Note::Kind::Missed, "scalar: the number of iterations is not known before the loop runs");
    if (any_ && parallel_ && !shared_ && !kernel_ && !source.in_pfor) {
      if (source.kind == SourceLoop::Kind::For)
        note(Note::Kind::Plain, "one thread: iterations run in the order written");
      if (source.kind == SourceLoop::Kind::PFor) note(Note::Kind::Missed, "one thread: not shared");
    }
    if (fallback_) note(Note::Kind::Plain, "a scalar version with all checks runs if a guard fails");
    if (!passes.empty()) note(Note::Kind::Plain, fmt::format("transformed by {}", fmt::join(passes, ", ")));
    return std::move(notes_);
  }

  void note(Note::Kind kind, std::string text) {
    auto same = [&](const Note& n) { return n.text == text; };
    if (std::none_of(notes_.begin(), notes_.end(), same)) notes_.push_back({kind, std::move(text)});
  }

 private:
  void in_kernel(const Seen& s) {
    kernel_ = true;
    const auto* loop = std::get_if<CountedLoop>(&s.stmt->node);
    std::string text = "in a kernel: each work-item runs the loop";
    if (loop && loop->spread) text = "in a kernel: the work-items of a group share the iterations";
    if (loop && loop->unroll > 0) text += fmt::format(", unrolled {} times", loop->unroll);
    note(Note::Kind::Plain, std::move(text));
  }

  void counted(const CountedLoop& loop, const std::string& where) {
    if (loop.fallback) {
      fallback_ = true;
      return;
    }
    if (loop.across) {
      innermost_ = true;
      note(Note::Kind::Good, where + "vectors of several iterations of the loop around it");
      return;
    }
    if (lower::has<CountedLoop>(loop.body) || lower::has<lower::Loop>(loop.body) ||
        lower::has<lower::ParallelFor>(loop.body) || lower::has<lower::Launch>(loop.body)) {
      outer_ = true;
      return;
    }
    innermost_ = true;
    auto found = remarks_.find(&loop);
    if (found == remarks_.end()) {
      note(Note::Kind::Plain, where + "LLVM unrolled the loop, or replaced it");
      return;
    }
    bool vectors = false;
    for (const LoopRemark& r : found->second) {
      if (!r.vectorised) continue;
      vectors = true;
      note(Note::Kind::Good, r.width > 1 ? fmt::format("{}vectorised: {} elements at a time, {} vectors in flight",
                                                       where, r.width, r.interleaved)
                                         : fmt::format("{}scalar: {} iterations in flight", where, r.interleaved));
    }
    std::set<std::string> reasons;
    for (const LoopRemark& r : found->second)
      if (!r.why.empty()) reasons.insert(r.why);
    // A second copy of a vectorised loop is LLVM's own remainder loop.
    if (!vectors)
      note(Note::Kind::Missed,
           fmt::format("{}not vectorised{}{}", where, reasons.empty() ? "" : ": ", fmt::join(reasons, "; ")));
  }

  const lower::Module& m_;
  std::map<const CountedLoop*, std::vector<LoopRemark>> remarks_;
  std::set<const lower::Function*> on_host_;
  std::vector<Note> notes_;
  bool parallel_, any_ = false, shared_ = false, fallback_ = false, kernel_ = false;
  bool innermost_ = false, outer_ = false, endless_ = false;
};

lower::LowerOptions lower_options(const ExplainOptions& o) {
  lower::LowerOptions lowering;
  lowering.parallel = o.target != Target::Cpu;
  lowering.kernels = lowering.device = o.target == Target::OpenCL;
  lowering.lanes = o.lanes;
  lowering.tiles = o.tiles;
  lowering.local_bytes = o.local_bytes;
  lowering.loop_places = true;
  return lowering;
}

}  // namespace

Result<Explanation> explain_loops(const Tree& tree, const ExplainOptions& o) {
  if (o.target == Target::Interp)
    return make_error(Code::Usage, "the interpreter does not compile loops; use --on cpu, cpu-par or opencl");
  SourceLoops sources;
  for (const ir::FunctionPtr& f : tree.module->functions) collect(f->body, *f, *tree.module, false, sources);
  auto module = pipeline::run_passes(tree.module, tree.conventions, {});
  if (!module) return module.error();
  const lower::LowerOptions lowering = lower_options(o);
  auto low = lower::lower(**module, tree.conventions, lowering);
  if (!low) return low.error();

  std::map<Place, std::vector<std::string>, InOrder> passes;
  Signatures last = signatures(**low);
  pipeline::LoopRun run;
  run.after = [&](const pipeline::LoopPass& pass, const lower::Module& after) {
    Signatures now = signatures(after);
    for (const auto* side : {&last, &now})
      for (const auto& [place, text] : *side) {
        auto other = (side == &last ? now : last).find(place);
        auto& list = passes[place];
        // These insert calls and addresses, and change no loop.
        if (pass.name == std::string("poll") || pass.name == std::string("residence")) continue;
        const bool same = other != (side == &last ? now : last).end() && other->second == text;
        if (!same && (list.empty() || list.back() != pass.name)) list.push_back(pass.name);
      }
    last = std::move(now);
  };
  if (Status ran = pipeline::run_loop_passes(**low, lowering, run); !ran) return ran.error();

  // Source locations are collected first, because compiling replaces those of loops by numbers.
  std::vector<std::pair<Place, Seen>> all;
  each_loop(**low, [&](const Place& place, const Seen& s) { all.emplace_back(place, s); });
  const std::vector<CountedLoop*> numbered = codegen::llvm_backend::number_loops(**low);
  auto compiled = codegen::llvm_backend::loop_remarks(**low, o.processor, o.opt_level);
  if (!compiled) return compiled.error();
  std::map<const CountedLoop*, std::vector<LoopRemark>> remarks;
  for (LoopRemark& r : *compiled) remarks[numbered.at(static_cast<size_t>(r.loop))].push_back(std::move(r));

  Explanation out;
  std::map<Place, Explainer, InOrder> explained;
  auto at = [&](const Place& place) -> Explainer& {
    return explained.try_emplace(place, **low, remarks, lowering.parallel).first->second;
  };
  for (const auto& [place, loop] : sources) at(place);
  for (const auto& [place, seen] : all)
    if (place.line > 0) {
      at(place).add(seen);
      sources.try_emplace(place, SourceLoop{SourceLoop::Kind::Other, "", seen.function->source_name, false});
    }
  for (std::string& line : (*low)->report) {
    bool named = false;
    for (auto& [place, e] : explained)
      if (const std::string start = place.text() + ": "; line.starts_with(start))
        named = true, e.note(Note::Kind::Missed, line.substr(start.size()));
    if (!named) out.report.push_back(std::move(line));
  }
  for (auto& [place, e] : explained) {
    const SourceLoop& source = sources.at(place);
    out.loops.push_back({place, words(source), source.function, e.finish(source, passes[place])});
  }
  return out;
}

}  // namespace vr::tool
