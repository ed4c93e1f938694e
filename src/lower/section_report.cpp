// Reports which work of accelerated sections runs on the CPU, on the elements of which arrays, and why.
//
// A statement is reported by the code that it was lowered to: a loop over elements or a call of the runtime that
// remains after kernels have been made runs on the CPU. A loop of the program (`for`, `while`) is reported if its body
// accesses elements on the host; a loop that contains only launches and scalar code is expected in a section. Single
// elements that the host accesses outside of loops are not reported, nor those that a loop with kernels accesses in
// arrays that its kernels do not use.
#include "lower/section_report.hpp"

#include "ir/sharing.hpp"
#include "loop/runtime_fn.hpp"
#include "lower/variables.hpp"
#include "loop/walk.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace vr::lower {

/// Walks lowered statements of a section and records the arrays whose elements host code accesses.
class HostWork {
 public:
  HostWork(Lowering& f, const Block& b) : f_(f) {
    for (size_t a = 0; a < f.out.fn.arrays.size(); ++a) by_data_[f.out.fn.arrays[a].data] = static_cast<ArrayId>(a);
    for (const auto& [id, slot] : f.vars.slots)
      if (slot.array != none) names_.emplace(slot.array, name_of(f, id));
    pointers(b);
  }

  /// " of 'x', 'y'": variables of the program. If only temporaries are accessed: the variables named in the statement.
  std::string of(const std::set<ArrayId>& arrays) const {
    std::set<std::string> names;
    for (ArrayId a : arrays)
      if (auto it = names_.find(a); it != names_.end()) names.insert("'" + it->second + "'");
    auto look = [&](const ir::ExprPtr& part) {
      ir::walk_exprs(part, [&](const ir::Expr& e) {
        const auto* name = ir::as<ir::Name>(&e);
        const auto* index = ir::as<ir::Index>(&e);
        if (index) names.insert("'" + name_of(f_, index->array) + "'");
        if (name && name->type.is_array()) names.insert("'" + name_of(f_, name->id) + "'");
      });
    };
    if (names.empty() && f_.uses.stmt) {
      if (auto* a = ir::as<ir::Assign>(f_.uses.stmt)) {
        for (const ir::ExprPtr& t : a->targets) look(t);
        look(a->value);
      }
    }
    return names.empty() ? "" : fmt::format(" of {}", fmt::join(names, ", "));
  }

  struct Found {
    bool any = false;
    std::set<ArrayId> arrays;
  };
  /// All elements that the block accesses.
  void elements(const Block& b, Found& found) {
    for (const Stmt& s : b) {
      each_expr(s, [&](ExprP e) { loads(e, found); });
      if (auto* n = std::get_if<Store>(&s.node)) access(n->base, n->offset, found);
      if (auto* n = std::get_if<Atomic>(&s.node)) access(n->base, n->offset, found);
      for (const Block* p : parts(s)) elements(*p, found);
    }
  }
  /// The elements that loops of the program access, except in loops over elements, which are reported separately, and
  /// except on paths that only lead to a fault.
  void loops(const Block& b, bool inside, Found& found) {
    for (const Stmt& s : b) {
      if (auto* n = std::get_if<CountedLoop>(&s.node); n && (n->element || folds_partials(*n))) continue;
      if (inside) {
        each_expr(s, [&](ExprP e) { loads(e, found); });
        if (auto* n = std::get_if<Store>(&s.node)) access(n->base, n->offset, found);
        if (auto* n = std::get_if<Atomic>(&s.node)) access(n->base, n->offset, found);
      }
      if (auto* n = std::get_if<If>(&s.node); n && n->unlikely && fails(n->then_body)) {
        loops(n->else_body, inside, found);
        continue;
      }
      const bool loop = std::holds_alternative<CountedLoop>(s.node) || std::holds_alternative<Loop>(s.node);
      for (const Block* p : parts(s)) loops(*p, inside || loop, found);
    }
  }

 private:
  static bool fails(const Block& b) { return !b.empty() && std::holds_alternative<Fail>(b.back().node); }
  bool folds_partials(const CountedLoop& l) {
    Found found;
    const auto told = f_.section.told;
    elements(l.body, found);
    f_.section.told = told;
    return !found.arrays.empty() && std::all_of(found.arrays.begin(), found.arrays.end(),
                                                [&](ArrayId a) { return f_.section.partials.count(a) != 0; });
  }
  void pointers(const Block& b) {
    for (const Stmt& s : b) {
      if (auto* n = std::get_if<SetVar>(&s.node); n && f_.out.fn.vars[static_cast<size_t>(n->var)].type == Scalar::Ptr)
        pointers_[n->var].push_back(n->value);
      for (const Block* p : parts(s)) pointers(*p);
    }
  }
  void sources(ExprP base, std::set<VarId>& seen, std::set<ArrayId>& arrays) const {
    if (!base) return;
    if (base->kind == Expr::Kind::Select) {
      sources(base->b, seen, arrays);
      return sources(base->c, seen, arrays);
    }
    if (base->kind == Expr::Kind::Offset) return sources(base->a, seen, arrays);
    if (base->kind != Expr::Kind::Var || !seen.insert(base->var).second) return;
    if (auto it = by_data_.find(base->var); it != by_data_.end()) {
      arrays.insert(it->second);
    } else if (auto p = pointers_.find(base->var); p != pointers_.end()) {
      for (ExprP from : p->second) sources(from, seen, arrays);
    }
  }
  void access(ExprP base, ExprP offset, Found& found) {
    if (!f_.section.told.emplace(base, offset).second) return;
    found.any = true;
    std::set<VarId> seen;
    sources(base, seen, found.arrays);
  }
  void loads(ExprP e, Found& found) {
    if (!e) return;
    if (e->kind == Expr::Kind::Load) access(e->a, e->b, found);
    for (ExprP part : {e->a, e->b, e->c}) loads(part, found);
  }

  Lowering& f_;
  std::map<VarId, ArrayId> by_data_;
  std::map<ArrayId, std::string> names_;
  std::map<VarId, std::vector<ExprP>> pointers_;  ///< what the block sets addresses to
};

static void tell_on_cpu(Lowering& f, const std::string& what, const std::string& why) {
  auto& report = f.m.out->report;
  std::string line = fmt::format("{}: {} in an accelerated section of '{}' runs on the CPU: {}", f.m.place(f.out.at.pos, f.out.at.loc), what,
                                 f.out.at.inlined ? f.out.at.inlined->function : f.source.name, why);
  if (std::find(report.begin(), report.end(), line) == report.end()) report.push_back(std::move(line));
}

namespace {

/// Runtime calls that work on whole arrays and have no implementation for the device.
const char* work_of(const Call& c) {
  if (c.fn == rt::Sort || c.fn == rt::SortIndex) return "sorting";
  if (c.fn == rt::Find) return "finding elements";
  if (c.fn == rt::Norm) return "a norm";
  if (c.fn == rt::Solve || c.fn == rt::SolveRight) return "solving equations";
  if (c.fn == rt::Mmult || c.fn == rt::Gemm) return "a matrix product";
  if (c.fn == rt::Grow) return "growth";
  return nullptr;
}

/// Whether the function has loops or works on whole arrays outside of its own sections.
bool works_outside_of_sections(const ir::Module& m, const ir::Body& b, std::set<const ir::Function*>& seen) {
  bool found = false;
  for (const ir::StmtPtr& s : b) {
    if (auto* l = ir::as<ir::StmtList>(s)) {
      found = found || (!l->on_gpu && works_outside_of_sections(m, l->stmts, seen));
      continue;
    }
    if (auto* n = ir::as<ir::If>(s)) {
      found = found || works_outside_of_sections(m, n->then_body, seen) || works_outside_of_sections(m, n->else_body, seen);
    } else if (auto* w = ir::as<ir::While>(s)) {
      found = found || works_outside_of_sections(m, w->body, seen);
    } else if (ir::as<ir::PFor>(s)) {
      found = true;
    } else if (auto* f = ir::as<ir::For>(s)) {
      found = found || works_outside_of_sections(m, f->body, seen);
    }
    if (found) return true;
    ir::walk_exprs(ir::Body{s}, [&](const ir::Expr& e) {
      const bool work = e.type.is_array() && e.kind != ir::Kind::Name && e.kind != ir::Kind::Alloc;
      found = found || work || e.kind == ir::Kind::Index;
      const std::string* name = ir::called_name(e);
      const ir::Function* callee = name ? m.find(*name) : nullptr;
      if (callee && seen.insert(callee).second) found = found || works_outside_of_sections(m, callee->body, seen);
    });
    if (found) return true;
  }
  return found;
}

}  // namespace

void tell_left(Lowering& f, const Block& b, const std::map<VarId, std::string>& refused, const std::string& all) {
  HostWork work(f, b);
  const std::string no_form = "it has no form for the device";
  std::function<void(const Block&)> look = [&](const Block& block) {
    for (const Stmt& s : block) {
      if (auto* n = std::get_if<Call>(&s.node)) {
        std::set<ArrayId> arrays;
        for (const Arg& a : n->args)
          if (a.kind == Arg::Kind::Array && a.in) arrays.insert(a.array);
        if (const char* what = work_of(*n)) tell_on_cpu(f, what + work.of(arrays), all.empty() ? no_form : all);
      }
      if (auto* n = std::get_if<CallFunction>(&s.node)) {
        const ir::Function* callee =
            n->callee == none ? nullptr : f.m.ir.find(f.m.out->functions[static_cast<size_t>(n->callee)]->source_name);
        std::set<const ir::Function*> seen{callee};
        if (!callee || works_outside_of_sections(f.m.ir, callee->body, seen)) {
          std::set<ArrayId> arrays;
          for (const Operand& o : n->args)
            if (o.array != none) arrays.insert(o.array);
          const std::string with = work.of(arrays);
          tell_on_cpu(f,
                      fmt::format("a call of {}{}", callee ? "'" + callee->name + "'" : "a function handle",
                                  with.empty() ? "" : " on elements" + with),
                      "its code outside of sections runs on the host");
        }
      }
      if (auto* n = std::get_if<CountedLoop>(&s.node); n && n->element) {
        HostWork::Found found;
        work.elements({s}, found);
        auto why = refused.find(n->var);
        tell_on_cpu(f, "a loop over elements" + work.of(found.arrays),
                    !all.empty() ? all : why == refused.end() ? no_form : why->second);
        continue;
      }
      // Unlikely branches (for faults of elements whose shapes do not agree) are not the statement's work.
      if (auto* n = std::get_if<If>(&s.node); n && n->unlikely) {
        look(n->else_body);
        continue;
      }
      for (const Block* p : parts(s)) look(*p);
    }
  };
  look(b);
}

void tell_loop(Lowering& f, const Block& b, const std::string& what, const std::set<ir::SymbolId>& of_kernels) {
  HostWork work(f, b);
  HostWork::Found found;
  work.loops(b, false, found);
  if (!found.any) return;
  if (!of_kernels.empty() && !found.arrays.empty()) {
    for (const auto& [id, slot] : f.vars.slots)
      if (slot.array != none && !of_kernels.count(id)) found.arrays.erase(slot.array);
    if (found.arrays.empty()) return;
  }
  tell_on_cpu(f, what + " over elements" + work.of(found.arrays),
              "its iterations are serial; parallel loops and array expressions become kernels");
}

void tell_pfor(Lowering& f, const std::set<ir::SymbolId>& used, const std::string& why) {
  std::vector<std::string> names;
  for (ir::SymbolId id : used)
    if (f.source.symbols.at(id).type.is_array()) names.push_back("'" + name_of(f, id) + "'");
  tell_on_cpu(f, names.empty() ? "a parallel loop" : fmt::format("a parallel loop over elements of {}", fmt::join(names, ", ")),
              why);
}

}  // namespace vr::lower
