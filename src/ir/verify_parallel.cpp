// verify: parallel loops and accelerated sections (thesis 4.5).
#include "ir/library.hpp"
#include "ir/private_bytes.hpp"
#include "ir/restate.hpp"
#include "ir/verifier.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace vr::ir {

void Verifier::shared_list(const PFor& s) {
  if (!s.shared) return;
  std::set<SymbolId> seen;
  for (SymbolId id : *s.shared) {
    const Symbol* v = symbol(id);
    if (!v) {
      report("unknown-id", fmt::format("shared variable {} is not in the symbol table", id));
      continue;
    }
    if (!seen.insert(id).second) report("shared-list", fmt::format("'{}' is in the shared list twice", v->name));
    if (std::find(s.itervars.begin(), s.itervars.end(), id) != s.itervars.end())
      report("shared-list", fmt::format("iteration variable '{}' cannot be shared", v->name));
  }
}

// A store in one or more parallel loops: to a shared variable as a whole, or to a loop's own iteration variable.
void Verifier::assigned_in_parallel(const Expr& target) {
  SymbolId id;
  if (const auto* n = as<Name>(&target)) {
    id = n->id;
  } else if (const auto* t = as<TupleIndex>(&target)) {
    id = t->tuple;
  } else {
    const auto& index = static_cast<const Index&>(target);
    for (const Sharing& p : pfors_)
      if (p.is_shared(index.array))
        for (const Subscript& x : index.subscripts)
          if (x.grow.value_or(false)) {
            const Symbol* v = symbol(index.array);
            return report(
                "shared-grow",
                fmt::format("a store may enlarge shared array '{}' inside a parallel loop", v ? v->name : "?"),
                "allocate it at full size before the loop and leave ':grow' out");
          }
    return;
  }
  const Symbol* v = symbol(id);
  if (!v) return;
  for (size_t k = 0; k < pfors_.size(); ++k) {
    const auto& itervars = pfor_nodes_[k]->itervars;
    if (std::find(itervars.begin(), itervars.end(), id) != itervars.end())
      return report("itervar-assign", fmt::format("iteration variable '{}' of a parallel loop is assigned to", v->name),
                    "assign to another variable");
    if (pfors_[k].is_shared(id))
      return report(
          "shared-assign", fmt::format("shared variable '{}' is assigned to inside a parallel loop", v->name),
          v->type.is_array()
              ? "store to its elements, or leave it out of the shared list and give each iteration its own"
              : "to add up over iterations use a library reduction, or 'xchange' on an array element; left out of "
                "the shared list, each iteration has its own");
  }
}

// ---------------------------------------------------------------- accelerated sections

namespace {

bool allocating(LibSort sort) {
  switch (sort) {
    case LibSort::Matrix:
    case LibSort::Scan:
    case LibSort::Shape:
    case LibSort::Make:
    case LibSort::Other:
    case LibSort::Called:
      return true;
    default:
      return false;
  }
}

// An array that is private to an iteration of a kernel: its size must be constant and small.
bool fits_iteration(const Alloc& a) {
  int64_t bytes = int64_t{elem_bytes(a.type.elem)} * (a.type.complex ? 2 : 1);
  for (const ExprPtr& n : a.args) {
    const auto* extent = as<IntConst>(n);
    if (!extent || extent->value < 0 || extent->value > most_private_bytes) return false;
    if ((bytes *= std::max<int64_t>(extent->value, 1)) > most_private_bytes) return false;
  }
  return true;
}

// Why this expression, without its children, would allocate memory in a kernel; "" if it would not.
std::string allocation(const Expr& e, const TypingScope& scope) {
  if (const auto* a = as<Alloc>(&e)) return fits_iteration(*a) ? "" : "'alloc'";
  if (e.kind == Kind::DimVec) return "'dimvec'";
  const LibFunction* f = library_called(e, scope);
  if (!f || !allocating(f->sort)) return "";
  return !e.type.is_scalar() || f->sort == LibSort::Called ? fmt::format("'{}'", f->name) : "";
}

// A whole array is assigned to a variable: the array is new unless the value is another variable's array or a view.
bool assigns_fresh_array(const Assign& s) {
  if (s.targets.size() != 1 || !s.targets[0] || s.targets[0]->kind != Kind::Name || !s.targets[0]->type.is_array())
    return false;
  if (!s.value || s.value->kind == Kind::Name) return false;
  return !(s.value->kind == Kind::Index && s.value->type.layout == Layout::Strided);
}

}  // namespace

void Verifier::kernel_assign(const Assign& s) {
  for (const ExprPtr& t : s.targets)
    if (t && t->type.is_function())
      report("handle-assign", "a function handle is assigned inside an accelerated section",
             "assign it before the section: the functions that it can hold must be known when the section begins");
  // An allocation by the value itself has been reported at its expression.
  if (in_kernel_ && assigns_fresh_array(s) && s.value->kind != Kind::Alloc && allocation(*s.value, scope_).empty())
    report("allocation-in-kernel", "a new array is created inside a parallel loop of an accelerated section",
           "allocate it before the loop and store to its elements");
}

// Why f must not be called in a kernel; "" if it may. Each function is examined only once.
const std::string& Verifier::kernel_callee_fault(const Function& f) {
  auto [it, fresh] = kernel_callees_.faults.try_emplace(&f);
  std::string& fault = it->second;  // the reference remains valid, because map nodes do not move
  if (f.external) return fault = fmt::format("the host's function '{}'", f.name);
  if (!fresh) {
    if (fault.empty() && kernel_callees_.active.count(&f)) fault = fmt::format("recursion of '{}'", f.name);
    return fault;
  }
  if (kernel_callees_.active.size() >= static_cast<size_t>(max_tree_depth) / 2 || deeper_than(f.body, max_tree_depth))
    return fault;
  kernel_callees_.active.insert(&f);
  NameIndex names;
  names.functions = names_.functions;
  names.set_function(f);
  TypingScope scope{&module_, &f, scope_.conventions, &names};
  walk_exprs(f.body, [&](const Expr& e) {
    if (!fault.empty()) return;
    if (std::string what = allocation(e, scope); !what.empty()) {
      fault = fmt::format("allocation by {} in '{}'", what, f.name);
    } else if (const auto* c = as<FnCall>(&e); c && !names.handles.count(c->callee)) {
      auto callee = names_.functions->find(c->callee);
      if (callee == names_.functions->end()) return;
      std::string inner = kernel_callee_fault(*callee->second);
      if (fault.empty()) fault = std::move(inner);
    }
  });
  kernel_callees_.active.erase(&f);
  return fault;
}

namespace {

/// Finds host functions without `:parallel` that a function leads to.
struct SerialExternals {
  const Module& module;
  const NameIndex& names;
  const Conventions& conventions;
  std::map<const Function*, const Function*>& known;
  std::optional<std::vector<const Function*>>& handles;

  /// The functions whose handle the module takes. A call through a variable may call those of its type.
  const std::vector<const Function*>& with_handle() {
    if (handles) return *handles;
    handles.emplace();
    for (const FunctionPtr& f : module.functions) {
      if (deeper_than(f->body, max_tree_depth)) continue;
      walk_exprs(f->body, [&](const Expr& e) {
        const auto* h = as<FnHandle>(&e);
        const auto of = h ? names.functions->find(h->callee) : names.functions->end();
        if (of != names.functions->end() && std::find(handles->begin(), handles->end(), of->second) == handles->end())
          handles->push_back(of->second);
      });
    }
    return *handles;
  }

  /// The first that `f` calls, directly or indirectly; null: none.
  const Function* of(const Function& f) {
    if (f.external) return f.external->parallel ? nullptr : &f;
    auto [it, fresh] = known.try_emplace(&f, nullptr);
    if (!fresh) return it->second;
    // Not recursive, because chains of calls may be long.
    std::vector<const Function*> found{&f};
    const auto reach = [&](const Function* g) {
      if (g->external && !g->external->parallel) it->second = g;
      if (std::find(found.begin(), found.end(), g) == found.end()) found.push_back(g);
    };
    for (size_t k = 0; k < found.size() && !it->second; ++k) {
      if (deeper_than(found[k]->body, max_tree_depth)) continue;
      NameIndex inside;
      inside.functions = names.functions;
      inside.set_function(*found[k]);
      const TypingScope scope{&module, found[k], conventions, &inside};
      walk_exprs(found[k]->body, [&](const Expr& e) {
        const std::string* name = called_name(e);
        if (!name || it->second) return;
        const Callee callee = find_callee(*name, scope);
        if (callee.function) reach(callee.function);
        if (!callee.variable) return;
        for (const Function* g : with_handle())
          if (g->type == callee.variable->type && !it->second) reach(g);
      });
    }
    return it->second;
  }
};

}  // namespace

void Verifier::parallel_call(const FnCall& c) {
  const Callee callee = find_callee(c.callee, scope_);
  SerialExternals externals{module_, names_, scope_.conventions, kernel_callees_.serial, kernel_callees_.handles};
  const Function* host = callee.function ? externals.of(*callee.function) : nullptr;
  if (callee.variable)
    for (const Function* g : externals.with_handle())
      if (!host && g->type == callee.variable->type) host = externals.of(*g);
  if (!host) return;
  report("extern-in-pfor",
         host == callee.function ? fmt::format("'{}' of the host is called inside a parallel loop", host->name)
                                 : fmt::format("the call of '{}' inside a parallel loop {} to '{}' of the host",
                                               c.callee, callee.variable ? "may lead" : "leads", host->name),
         "declare it ':parallel %1' if it may be called so; else use 'forstmt'");
}

void Verifier::kernel_expr(const Expr& e) {
  if (std::string what = allocation(e, scope_); !what.empty())
    report("allocation-in-kernel", fmt::format("{} allocates inside a parallel loop of an accelerated section", what),
           "allocate before the loop");
  if (const auto* c = as<FnCall>(&e)) {
    Callee callee = find_callee(c->callee, scope_);
    if (!callee.function) return;
    const std::string& fault = kernel_callee_fault(*callee.function);
    if (fault.starts_with("the host's"))
      return report("extern-in-kernel",
                    fmt::format("the call of '{}' inside a parallel loop of an accelerated section leads to {}",
                                c->callee, fault),
                    "call it before the section, or outside of the loop");
    if (!fault.empty())
      report(fault.compare(0, 9, "recursion") == 0 ? "recursion-in-kernel" : "allocation-in-kernel",
             fmt::format("the call of '{}' inside a parallel loop of an accelerated section leads to {}", c->callee,
                         fault),
             fault.compare(0, 9, "recursion") == 0 ? "write it as a loop"
                                                   : "allocate before the loop, and pass the array");
  }
}

}  // namespace vr::ir
