// Readable dump of the lowered form. Variables have their names (with numbers if two are equal); those of an array are named
// after it: A.data, A.extent0.
#include "loop/text/print_exprs.hpp"
#include "loop/runtime_table.hpp"

#include <velociraptor/status.hpp>

#include <fmt/format.h>

namespace vr::lower {
namespace {

/// Each item's text, with commas between.
template <class List, class Text>
std::string list(const List& items, Text text) {
  std::string s;
  for (const auto& item : items) s += (s.empty() ? "" : ", ") + text(item);
  return s;
}

class FunctionPrinter {
 public:
  /// complete: everything that parse_loops() needs, in its syntax.
  FunctionPrinter(const Function& f, const Module* m, bool complete = false)
      : f_(f), m_(m), complete_(complete), names_(f, complete), exprs_(f, names_, complete) {}

  std::string run() {
    if (complete_) return whole();
    static constexpr const char* kinds[] = {"entry", "task", "kernel"};
    std::string head = fmt::format("{} {}(", kinds[static_cast<int>(f_.kind)], f_.name);
    head += params(f_.params) + ")";
    if (!f_.results.empty()) head += " -> (" + params(f_.results) + ")";
    if (f_.kind == Function::Kind::Task) head += fmt::format(" over [{}, {})", var(f_.lo_var), var(f_.hi_var));
    if (f_.kind == Function::Kind::Kernel) head += " over [" + list(f_.dims, [&](VarId v) { return var(v); }) + "]";
    if (f_.on_host != none) head += " on host " + function(f_.on_host);
    head += fast_math();
    line(head + " {");
    block(f_.body);
    line("}" + std::string(f_.cleanup.empty() ? "" : " cleanup {"));
    if (!f_.cleanup.empty()) {
      block(f_.cleanup);
      line("}");
    }
    return std::move(out_);
  }

 private:
  // ---- the loop form: everything is declared
  std::string whole() {
    static constexpr const char* kinds[] = {"entry", "task", "kernel"};
    auto vars = [&](const auto& all) { return "[" + list(all, [&](VarId v) { return var(v); }) + "]"; };
    auto declared = [&](const std::vector<Param>& all) {
      return list(all, [&](const Param& p) {
        return operand({p.var, p.im, p.array}) + (p.written ? " written" : "") + (p.fresh ? " fresh" : "") +
               (p.variable.empty() ? "" : " of " + quoted(p.variable));
      });
    };
    line(fmt::format("{} {}({}) -> ({}) source {} {{", kinds[static_cast<int>(f_.kind)], f_.name, declared(f_.params),
                     declared(f_.results), quoted(f_.source_name)));
    ++depth_;
    for (size_t v = 0; v < f_.vars.size(); ++v)
      line(fmt::format("var {}: {}", var(static_cast<VarId>(v)), scalar_name(f_.vars[v].type)));
    for (size_t a = 0; a < f_.arrays.size(); ++a) {
      const ArrayVars& of = f_.arrays[a];
      auto maybe = [&](VarId v) { return v == none ? std::string("-") : var(v); };
      line(fmt::format("array {}: {}{} {} {} {} {} {}{}", array(static_cast<ArrayId>(a)), of.complex ? "complex " : "",
                       scalar_name(scalar_of(of.elem)), maybe(of.data), maybe(of.owner), maybe(of.flags), vars(of.extent),
                       vars(of.stride), of.group == none ? "" : fmt::format(" group {}", of.group)));
    }
    if (f_.region) line("is region");
    for (const auto& [v, value] : f_.constants) line(fmt::format("is constant {} {}", var(v), value));
    if (f_.fast_math) line(fmt::format("is fast {}", f_.fast_math));
    if (f_.kind == Function::Kind::Task) line(fmt::format("is over [{}, {})", var(f_.lo_var), var(f_.hi_var)));
    if (f_.kind == Function::Kind::Kernel) {
      line(fmt::format("is grid {} points {}{}{}", vars(f_.dims), f_.points, f_.disjoint ? " disjoint" : "", f_.square ? " square" : ""));
      if (f_.on_host != none) line("is on host " + function(f_.on_host));
      if (f_.form_of != none) line("is form of " + function(f_.form_of));
      if (f_.tile_of.kernel != none) line("is tile of " + function(f_.tile_of.kernel) + tiles());
      if (!f_.narrow.empty()) line("is narrow " + vars(f_.narrow));
      for (const Fold& r : f_.folds)
        line(fmt::format("is fold {} {} {} {}", var(r.var), var(r.other), array(r.partial), expr(r.neutral)));
      if (f_.team)
        line(fmt::format("is team {}{}", f_.team,
                         f_.interleaved   ? " cooperative interleaved"
                         : f_.cooperative ? " cooperative"
                                          : ""));
      for (const Row& r : f_.rows)
        line(fmt::format("is row {} {} {} at {}{}{}{}{}", var(r.data), scalar_name(r.type), r.length, r.at,
                         r.common   ? " common"
                         : r.across ? " across"
                                    : "",
                         r.loaded ? " loaded" : "", r.stored ? " stored" : "",
                         r.times != none ? " times " + var(r.times) : ""));
      if (f_.group) line(fmt::format("is group {}", f_.group));
      for (const Shared& s : f_.shared)
        line(fmt::format("is shared {} {} {}", var(s.data), scalar_name(s.type), s.count));
      for (const Lane& l : f_.lanes)
        line(fmt::format("is lane {} {}{}{}", array(l.array), scalar_name(l.type), l.loaded ? " loaded" : "",
                         l.stored ? " stored" : ""));
    }
    --depth_;
    block(f_.body);
    if (!f_.join.empty()) line("} join {"), block(f_.join);
    if (!f_.cleanup.empty()) line("} cleanup {"), block(f_.cleanup);
    line("}");
    return std::move(out_);
  }

  std::string var(VarId v) const { return names_.var(v); }
  std::string array(ArrayId a) const { return names_.array(a); }
  std::string expr(ExprP e) const { return exprs_.expr(e); }
  std::string tiles() const {
    const TileOf& t = f_.tile_of;
    std::string s;
    for (size_t d = 0; d < f_.dims.size(); ++d)
      if (t.size[d] != 1 || t.count[d] != none)
        s += fmt::format(" dim {} size {} apart {} count {}", d, t.size[d], t.apart[d], t.count[d]);
    if (t.members != 1) s += fmt::format(" members {}", t.members);
    return s;
  }
  std::string function(int32_t id) const {
    if (m_ && id >= 0 && static_cast<size_t>(id) < m_->functions.size())
      return m_->functions[static_cast<size_t>(id)]->name;
    return fmt::format("function#{}", id);
  }
  std::string params(const std::vector<Param>& list_of) const {
    return list(list_of, [&](const Param& p) {
      if (p.array != none) {
        const ArrayVars& a = f_.arrays[static_cast<size_t>(p.array)];
        return fmt::format("{}: {}{}{}[{}]", array(p.array), p.written ? "written " : "", a.complex ? "complex " : "",
                           scalar_name(scalar_of(a.elem)), a.extent.size());
      }
      if (p.im != none)
        return fmt::format("{}, {}: complex {}", var(p.var), var(p.im),
                           scalar_name(f_.vars[static_cast<size_t>(p.var)].type));
      return fmt::format("{}: {}", var(p.var), scalar_name(f_.vars[static_cast<size_t>(p.var)].type));
    });
  }
  std::string operand(const Operand& o) const {
    if (o.array != none) return array(o.array);
    return o.im != none ? fmt::format("({}, {})", var(o.var), var(o.im)) : var(o.var);
  }
  std::string fast_math() const {
    static constexpr const char* flags[] = {"reassoc", "contract", "arcp", "nnan", "ninf", "nsz", "afn"};
    std::string s;
    for (int i = 0; i < 7; ++i)
      if (f_.fast_math >> i & 1) s += fmt::format(" {}", flags[i]);
    return s.empty() ? s : " fast" + s;
  }

  // ---- statements
  /// For statements that may lack a site; the short form omits it.
  std::string site(SiteId id) const { return complete_ && id != none ? fmt::format(" site {}", id) : ""; }
  void line(const std::string& text) { out_ += std::string(static_cast<size_t>(2 * depth_), ' ') + text + "\n"; }
  void block(const Block& b) {
    ++depth_;
    for (const Stmt& s : b) std::visit([&](const auto& node) { stmt(node); }, s.node);
    --depth_;
  }
  void stmt(const SetVar& s) { line(fmt::format("{} = {}", var(s.var), expr(s.value))); }
  void stmt(const Store& s) {
    line(fmt::format("store {}{} = {}", s.value ? scalar_name(s.value->type) : "?",
                     exprs_.place(s.base, s.offset, s.alias_set), expr(s.value)));
  }
  void stmt(const LoadVector& s) {
    const Scalar type = s.vars.empty() ? Scalar::Int64 : f_.vars[static_cast<size_t>(s.vars[0])].type;
    line(fmt::format("load vector {} = {}{}", list(s.vars, [&](VarId v) { return var(v); }), scalar_name(type),
                     exprs_.place(s.base, s.offset)));
  }
  template <class S>
    requires std::is_same_v<S, Fence> || std::is_same_v<S, Barrier>
  void stmt(const S& s) {
    if constexpr (std::is_same_v<S, Barrier>)
      line(s.global ? "barrier global" : "barrier");
    else
      line("fence");
  }
  std::string row(int32_t r) const {
    return r >= 0 && static_cast<size_t>(r) < f_.rows.size() ? var(f_.rows[static_cast<size_t>(r)].data) : fmt::format("row#{}", r);
  }
  void stmt(const RowAt& s) {
    const bool known = s.row >= 0 && static_cast<size_t>(s.row) < f_.rows.size();
    const Scalar type = known ? f_.rows[static_cast<size_t>(s.row)].type : Scalar::Int64;
    line(fmt::format("row {} at {}{}{}", row(s.row), scalar_name(type), exprs_.place(s.base, s.offset),
                     s.step ? " step " + expr(s.step) : ""));
  }
  void stmt(const RowWait& s) { line("row wait " + list(s.rows, [&](int32_t r) { return row(r); })); }
  template <class Part>
    requires std::is_same_v<Part, RowLoad> || std::is_same_v<Part, RowStore>
  void stmt(const Part& s) {
    const char* way = std::is_same_v<Part, RowLoad> ? "load {} from" : "store {} to";
    line(fmt::format("row {} {} count {}", fmt::format(fmt::runtime(way), row(s.row)), expr(s.first), expr(s.count)));
  }
  void stmt(const StoreVector& s) {
    line(fmt::format("store vector {}{} = {}", s.values.empty() ? "?" : scalar_name(s.values[0]->type),
                     exprs_.place(s.base, s.offset), list(s.values, [&](ExprP v) { return expr(v); })));
  }
  void stmt(const Atomic& s) {
    const Scalar type = s.value ? s.value->type : Scalar::Int32;
    line(fmt::format("{} = atomic {} {}{} {}{}{}", var(s.result), ir::atomic_op_name(s.op), scalar_name(type),
                     exprs_.place(s.base, s.offset), complete_ ? "with " : "",
                     s.expected ? expr(s.expected) + ", " : "", expr(s.value)));
  }
  void stmt(const AliasGroup& s) { line(fmt::format("alias group {}", s.group)); }
  void stmt(const If& s) {
    line(fmt::format("if {}{} {{", s.unlikely ? "unlikely " : "", expr(s.cond)));
    block(s.then_body);
    if (!s.else_body.empty()) {
      line("} else {");
      block(s.else_body);
    }
    line("}");
  }
  void stmt(const CountedLoop& s) {
    std::string flags;
    for (const auto& [flag, name] :
         {std::pair{s.independent, " independent"}, std::pair{s.fallback, " fallback"}, std::pair{s.across, " across"},
          std::pair{s.element, " element"}, std::pair{s.chunks, " chunks"}, std::pair{s.version, " version"},
          std::pair{s.parallel, " parallel"}})
      if (complete_ && flag) flags += name;
    if (complete_ && s.disjoint)
      flags += fmt::format(" disjoint {} [{}]", expr(s.disjoint->flag), list(s.disjoint->sets, [&](const auto& set) {
                             return fmt::format("{} {}", var(set.first), set.second);
                           }));
    if (complete_ && s.reduction) {
      const Reduction& r = *s.reduction;
      std::vector<size_t> states(r.vars.size());
      for (size_t k = 0; k < states.size(); ++k) states[k] = k;
      flags += fmt::format(" reduce [{}]", list(states, [&](size_t k) {
                             return fmt::format("{} with {} from {}", var(r.vars[k]), var(r.others[k]), expr(r.start[k]));
                           }));
    }
    if (complete_ && s.unroll) flags += fmt::format(" unroll {}", s.unroll);
    if (s.spread) flags += " spread [" + list(s.own, [&](VarId v) { return var(v); }) + "]";
    flags += site(s.site);
    line(fmt::format("for {} in [{}, {}){} {{", var(s.var), expr(s.lo), expr(s.hi),
                     complete_       ? flags
                     : s.fallback    ? " fallback"
                     : s.across      ? " across"
                     : s.chunks      ? " chunks"
                     : s.independent ? " independent"
                                     : ""));
    block(s.body);
    if (complete_ && s.reduction) {
      line("} join {");
      block(s.reduction->join);
    }
    line("}");
  }
  void stmt(const Loop& s) {
    line(std::string("loop") + (s.brief ? " brief" : "") + site(s.site) + " {");
    block(s.body);
    line("}");
  }
  void stmt(const Solo& s) {
    line("solo {");
    block(s.body);
    line("}");
  }
  void stmt(const Break&) { line("break"); }
  void stmt(const Continue&) { line("continue"); }
  void stmt(const Fail& s) {
    std::string text = fmt::format("fail {} site {}", code_name(static_cast<Code>(s.code)), s.site);
    if (s.index) text += " index " + expr(s.index);
    if (s.extent) text += " extent " + expr(s.extent);
    line(text + (s.stay ? " stay" : ""));
  }
  void stmt(const Exit&) { line("exit"); }
  void stmt(const Call& s) {
    const char* name = s.fn >= 0 && s.fn < runtime_count ? runtime_table[s.fn].symbol : "?";
    line(fmt::format("{}{}({}){}", s.result != none ? var(s.result) + " = " : "", name,
                     list(s.args, [&](const Arg& a) { return arg(a); }), s.checked ? " checked" : ""));
  }
  std::string arg(const Arg& a) const {
    switch (a.kind) {
      case Arg::Kind::Scalar:
        return expr(a.value);
      case Arg::Kind::Array:
        return fmt::format("{}{}", a.out ? (a.in ? "inout " : "out ") : complete_ ? "array " : "", array(a.array));
      case Arg::Kind::Int64s:
        return "[" + list(a.values, [&](ExprP e) { return expr(e); }) + "]";
      case Arg::Kind::Site:
        return fmt::format("site {}", a.site);
      case Arg::Kind::Text:
        return (complete_ ? "text " : "") + quoted(a.text);
    }
    return "?";
  }
  void stmt(const CallFunction& s) {
    auto operands = [&](const std::vector<Operand>& l) {
      return list(l, [&](const Operand& o) { return operand(o); });
    };
    std::string callee = s.callee != none ? function(s.callee) : "*" + var(s.handle);
    line(fmt::format("{}call {}({})", s.results.empty() ? "" : operands(s.results) + " = ", callee, operands(s.args)));
  }
  void stmt(const Scratch& s) { line(fmt::format("{} = scratch of {} bytes", var(s.var), s.bytes)); }
  void stmt(const TakeAddress& s) { line(fmt::format("{} = address of {}", var(s.var), function(s.callee))); }
  void stmt(const ParallelFor& s) {
    line(fmt::format("parallel for [{}, {}) {}({}){}", expr(s.lo), expr(s.hi), function(s.task),
                     list(s.captures, [&](VarId v) { return var(v); }), site(s.site)));
  }
  void stmt(const Poll& s) { line(fmt::format("poll site {}", s.site)); }
  void stmt(const Launch& s) {
    line(fmt::format("launch {} over [{}] ({}) site {}{}", function(s.kernel),
                     list(s.counts, [&](ExprP e) { return expr(e); }),
                     list(s.args, [&](const Operand& o) { return operand(o); }), s.site,
                     complete_ && s.plain ? " plain" : ""));
  }

  const Function& f_;
  const Module* m_;
  const bool complete_;
  const PrintedNames names_;
  const ExprPrinter exprs_;
  std::string out_;
  int depth_ = 0;
};

}  // namespace

std::string print(const Function& f) { return FunctionPrinter(f, nullptr).run(); }

std::string print(const Module& m) {
  std::string s = fmt::format("module {}\n", m.name);
  for (const auto& f : m.functions) s += "\n" + FunctionPrinter(*f, &m).run();
  if (!m.sites.empty()) s += "\n";
  for (size_t i = 0; i < m.sites.size(); ++i) {
    const Site& site = m.sites[i];
    s += fmt::format("site {}: {}", i, site.function);
    if (!site.loc.empty()) s += " " + site.loc;
    if (!site.array.empty()) s += fmt::format(" array {}", site.array);
    if (site.axis >= 0) s += fmt::format(" axis {}", site.axis);
    if (!site.message.empty()) s += " " + quoted(site.message);
    if (site.raised != 0) s += fmt::format(" raised {}", site.raised);
    s += "\n";
  }
  for (const std::string& r : m.report) s += "report: " + r + "\n";
  return s;
}

std::string print_loops(const Module& m) {
  std::string s = fmt::format("module {}{}\n", quoted(m.name), m.column_major ? " column_major" : "");
  for (size_t i = 0; i < m.sites.size(); ++i) {
    const Site& site = m.sites[i];
    s += fmt::format("site {} {} {} {} {}{}\n", quoted(site.function), quoted(site.loc), quoted(site.array), site.axis,
                     quoted(site.message), site.raised ? fmt::format(" raised {}", site.raised) : "");
  }
  for (const auto& f : m.functions) s += "\n" + print_loops(*f, m);
  return s;
}

std::string print_loops(const Function& f, const Module& m) { return FunctionPrinter(f, &m, true).run(); }

}  // namespace vr::lower
