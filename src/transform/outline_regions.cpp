#include "transform/outline_regions.hpp"

#include "analysis/call_graph.hpp"
#include "analysis/live_vars.hpp"
#include "analysis/region_detection.hpp"
#include "ir/library.hpp"
#include "ir/sharing.hpp"

#include <velociraptor/ir/visit.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace vr::transform {

using namespace ir;
using analysis::Bits;
using analysis::Pir;
using analysis::StatementList;

namespace {

void place(Stmt& s, const Stmt& from) {
  s.pos = from.pos;
  s.loc = from.loc;
  s.inlined = from.inlined;
}

/// Gives parallel loops explicit lists of shared variables, which must not depend on the statements around the region.
Body with_shared_lists(const Function& f) {
  SharingAnalysis sharing(f);
  Rewriter r;
  r.stmt = [&](const StmtPtr& s) -> Body {
    auto* p = as<PFor>(s);
    if (!p || p->shared) return {s};
    auto copy = std::make_shared<PFor>(*p);
    copy->shared = sharing.of(*p).shared;
    return {copy};
  };
  return rewrite(f.body, r);
}

class Outliner {
 public:
  Outliner(const Function& f, const Conventions& c, std::set<std::string>& names)
      : conventions_(c), names_(names), function_(f) {
    for (const Symbol& s : f.symbols.all())
      if (s.type.is_function()) names_.insert(s.name);
  }

  /// The function with calls of its regions, followed by these; empty if it has no regions.
  std::vector<FunctionPtr> run() {
    analysis::RegionDetection found = analysis::region_detection(function_, conventions_);
    if (found.regions.empty()) return {};
    if (Body body = with_shared_lists(function_); body != function_.body) {
      function_.body = std::move(body);
      found = analysis::region_detection(function_, conventions_);  // again, because the body is a new one
    }
    find_live(found);
    auto out = std::make_shared<Function>(function_);
    out->body = with_regions(found, {}, function_.body, [&](const Pir& p, const Body& s) { return outline(p, s); });
    std::vector<FunctionPtr> all = {out};
    all.insert(all.end(), made_.begin(), made_.end());
    return all;
  }

 private:
  struct Live {
    std::set<SymbolId> before, after;
  };
  using OnRegion = std::function<Body(const Pir&, const Body&)>;

  /// The list, with the statements of each region replaced.
  static Body with_regions(const analysis::RegionDetection& found, StatementList at, const Body& body,
                           const OnRegion& on_region) {
    const std::vector<int>& numbers = found.statements.list(at);
    Body out;
    for (size_t k = 0; k < body.size(); ++k) {
      const auto r = std::find_if(found.regions.begin(), found.regions.end(),
                                  [&](const Pir& p) { return p.list == at && p.first == static_cast<int>(k); });
      if (r == found.regions.end()) {
        out.push_back(with_regions(found, numbers[k], body[k], on_region));
        continue;
      }
      const auto end = static_cast<size_t>(r->last) + 1;
      for (StmtPtr& s : on_region(*r, Body(body.begin() + static_cast<long>(k), body.begin() + static_cast<long>(end))))
        out.push_back(std::move(s));
      k = end - 1;
    }
    return out;
  }
  static StmtPtr with_regions(const analysis::RegionDetection& found, int n, const StmtPtr& s,
                              const OnRegion& on_region) {
    auto changed = [&](const auto& node, auto... lists) {
      auto copy = std::make_shared<std::decay_t<decltype(node)>>(node);
      bool others = false;
      ((copy.get()->*lists = with_regions(found, {n, std::exchange(others, true)}, node.*lists, on_region)), ...);
      return ((copy.get()->*lists == node.*lists) && ...) ? s : StmtPtr(copy);
    };
    if (auto* l = as<For>(s)) return changed(*l, &For::body);
    if (auto* l = as<While>(s)) return changed(*l, &While::body);
    if (auto* l = as<StmtList>(s)) return changed(*l, &StmtList::stmts);
    if (auto* i = as<If>(s)) return changed(*i, &If::then_body, &If::else_body);
    return s;
  }

  /// The variables that are live where regions begin and end, found by marker statements that are inserted there.
  void find_live(const analysis::RegionDetection& found) {
    Function asked = function_;
    std::map<const Stmt*, std::set<SymbolId>*> marks;
    auto mark = [&](std::set<SymbolId>& answer) {
      auto s = std::make_shared<ExprStmt>(std::make_shared<IntConst>(Type::scalar(Elem::Int64), 0));
      marks[s.get()] = &answer;
      return s;
    };
    asked.body = with_regions(found, {}, function_.body, [&](const Pir& p, const Body& s) {
      Live& live = live_[{p.list, p.first}];
      Body out = {mark(live.before)};
      out.insert(out.end(), s.begin(), s.end());
      if (s.back()->kind != Kind::Return) out.push_back(mark(live.after));
      return out;
    });
    const analysis::LiveVars live = analysis::live_vars(asked);
    for (int k = 0; k < live.statements.count(); ++k)
      if (auto it = marks.find(live.statements.at(k).stmt); it != marks.end())
        live.before[static_cast<size_t>(k)].each([&](size_t v) { it->second->insert(asked.symbols.all()[v].id); });
  }

  /// The variables that statements mention, and the variables to which they may give another value that a caller sees.
  void look_at(const Body& body, std::set<SymbolId>& mentioned, std::set<SymbolId>& given) const {
    walk_exprs(body, [&](const Expr& e) {
      if (auto id = named_variable(e)) mentioned.insert(*id);
    });
    auto add = [&](const std::vector<SymbolId>& ids) { mentioned.insert(ids.begin(), ids.end()); };
    auto target = [&](auto& self, const ExprPtr& t) -> void {
      if (auto* p = as<TupleExpr>(t))
        for (const ExprPtr& e : p->elems) self(self, e);
      auto* i = as<Index>(t);
      if (!i) return;
      const bool grows = std::any_of(i->subscripts.begin(), i->subscripts.end(),
                                     [&](const Subscript& s) { return s.grow.value_or(conventions_.grow); });
      if (grows || conventions_.assign == AssignMode::Copy) given.insert(i->array);
    };
    walk_stmts(body, [&](const Stmt& s) {
      if (auto* l = as<For>(&s)) add(l->itervars);
      if (auto* l = as<PFor>(&s)) add(l->itervars), add(*l->shared);
      if (auto* a = as<Assign>(&s))
        for (const ExprPtr& t : a->targets) target(target, t);
    });
    walk_exprs(body, [&](const Expr& e) {
      if (auto* x = as<Xchange>(&e); x && conventions_.assign == AssignMode::Copy) given.insert(x->array);
    });
    const std::vector<SymbolId> assigned = assigned_variables(body);
    given.insert(assigned.begin(), assigned.end());
  }

  /// Numbers that determine the extent of a window: for ii in range(max(i - r, 0), min(i + r + 1, n)). Shapes do not
  /// depend on them, but known ones allow loops to be interchanged (interchange_windows.hpp).
  static std::set<SymbolId> window_sizes(const Body& body, const std::set<SymbolId>& given) {
    std::set<SymbolId> sizes;
    auto bound = [&](const ExprPtr& e, Lib edge) {
      if (!calls(e, edge)) return;
      walk_exprs(e, [&](const Expr& x) {
        auto* n = as<Name>(&x);
        if (n && n->type == Type::scalar(Elem::Int64) && !given.count(n->id)) sizes.insert(n->id);
      });
    };
    walk_stmts(body, [&](const Stmt& s) {
      auto* l = as<For>(&s);
      if (!l) return;
      walk_exprs(l->domain, [&](const Expr& e) {
        auto* r = as<Range>(&e);
        if (r) bound(r->start, Lib::Max2), bound(r->stop, Lib::Min2);
      });
    });
    return sizes;
  }

  ExprPtr name(SymbolId id) const { return std::make_shared<Name>(function_.symbols.at(id).type, id); }

  Body outline(const Pir& p, const Body& statements) {
    const Live& live = live_.at({p.list, p.first});
    std::set<SymbolId> mentioned, given;
    look_at(statements, mentioned, given);
    auto f = std::make_shared<Function>();
    f->name = fresh_name();
    f->pos = function_.pos;  // for errors of statements without a source location
    f->loc = function_.loc;
    for (SymbolId id : mentioned) f->symbols.add(function_.symbols.at(id));
    std::vector<Type> inputs, outputs;
    std::vector<ExprPtr> arguments, results;
    f->region.emplace();
    f->region->function = function_.name;
    f->region->number = static_cast<int>(made_.size()) + 1;
    f->region->pos = statements.front()->pos;
    f->region->loc = statements.front()->loc;
    const std::set<SymbolId> sizes = window_sizes(statements, given);
    // Tuples and similar variables, which are several values in a call, come last, so that the positions of other
    // parameters are those in the call.
    std::vector<SymbolId> order(mentioned.begin(), mentioned.end());
    std::stable_partition(order.begin(), order.end(), [&](SymbolId id) {
      const Type& t = function_.symbols.at(id).type;
      return t.is_scalar() || t.is_array();
    });
    for (SymbolId id : order) {
      if (!live.before.count(id)) continue;
      const int position = static_cast<int>(f->args.size());
      if (p.entry.shape.count(id)) f->region->shape_params.push_back(position);
      if (p.entry.value.count(id) || sizes.count(id)) f->region->value_params.push_back(position);
      f->args.push_back(id);
      arguments.push_back(name(id));
      inputs.push_back(arguments.back()->type);
    }
    f->body = from_here(statements);
    const Stmt &first = *statements.front(), &last = *statements.back();
    const bool returns = last.kind == Kind::Return;
    if (returns) {
      outputs = function_.type.outputs();
      if (outputs.size() == 1 && outputs[0].is_void()) outputs.clear();
    } else {
      for (SymbolId id : given) {
        if (!live.after.count(id)) continue;
        results.push_back(name(id));
        outputs.push_back(results.back()->type);
      }
      if (!results.empty()) {
        auto end = std::make_shared<Return>(results);
        place(*end, *f->body.back());
        f->body.push_back(end);
      }
    }
    f->type = Type::function(inputs, outputs);
    made_.push_back(f);

    const Type type = outputs.empty() ? Type::void_() : outputs.size() == 1 ? outputs[0] : Type::tuple(outputs);
    auto call = std::make_shared<FnCall>(type, f->name, arguments);
    call->pos = first.pos;
    std::shared_ptr<Stmt> s;
    if (outputs.empty())
      s = std::make_shared<ExprStmt>(call);
    else if (returns)
      s = std::make_shared<Return>(std::vector<ExprPtr>{call});
    else
      s = std::make_shared<Assign>(results, call);
    place(*s, first);
    Body out = {s};
    if (returns && outputs.empty()) out.push_back(statements.back());
    return out;
  }

  /// The statements, recorded as statements of this function.
  Body from_here(const Body& body) const {
    auto here = std::make_shared<InlinedFrom>();
    here->function = function_.name;
    Rewriter r;
    r.stmt = [&](const StmtPtr& s) -> Body {
      if (s->inlined) return {s};
      return {visit(*s, [&](const auto& n) -> StmtPtr {
        auto copy = std::make_shared<std::decay_t<decltype(n)>>(n);
        copy->inlined = here;
        return copy;
      })};
    };
    return rewrite(body, r);
  }

  std::string fresh_name() {
    while (true) {
      std::string name = function_.name + "_pir" + std::to_string(next_++);
      if (!find_library(name) && names_.insert(name).second) return name;
    }
  }

  const Conventions& conventions_;
  std::set<std::string>& names_;  ///< names of functions, and of variables that would hide a function in a call
  Function function_;
  std::map<std::pair<StatementList, int>, Live> live_;  ///< by where regions begin
  std::vector<FunctionPtr> made_;
  int next_ = 0;
};

}  // namespace

ModulePtr outline_regions(const ModulePtr& module, const Conventions& conventions) {
  const std::set<std::string> recursive = analysis::call_graph(*module).recursive;
  std::set<std::string> names;
  for (const FunctionPtr& f : module->functions) names.insert(f->name);
  auto out = std::make_shared<Module>(*module);
  out->functions.clear();
  bool changed = false;
  for (const FunctionPtr& f : module->functions) {
    std::vector<FunctionPtr> now;
    if (!f->region && !recursive.count(f->name)) now = Outliner(*f, conventions, names).run();
    changed = changed || !now.empty();
    if (now.empty()) now.push_back(f);
    out->functions.insert(out->functions.end(), now.begin(), now.end());
  }
  return changed ? out : module;
}

}  // namespace vr::transform
