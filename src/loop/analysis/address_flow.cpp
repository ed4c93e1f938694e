#include "loop/analysis/address_flow.hpp"

#include "loop/runtime_table.hpp"
#include "loop/walk.hpp"
#include "support/overloaded.hpp"

namespace vr::lower {

// ---------------------------------------------------------------- one statement
static void add_sources(ExprP address, Sources& s) {
  switch (address->kind) {
    case Expr::Kind::Var:
      s.vars.insert(address->var);
      return;
    case Expr::Kind::Offset:
      return add_sources(address->a, s);
    case Expr::Kind::Select:
      add_sources(address->b, s);
      return add_sources(address->c, s);
    case Expr::Kind::Null:
      return;
    case Expr::Kind::IntConst:
    case Expr::Kind::FloatConst:
    case Expr::Kind::Unary:
    case Expr::Kind::Binary:
    case Expr::Kind::Convert:
    case Expr::Kind::Math:
    case Expr::Kind::Load:
    case Expr::Kind::At:
    case Expr::Kind::Aligned:
      break;
  }
  s.unknown = true;
}
Sources sources(ExprP address) {
  Sources s;
  add_sources(address, s);
  return s;
}

static void add(Accesses& a, ExprP base, bool write) {
  const Sources s = sources(base);
  (write ? a.written : a.read).insert(s.vars.begin(), s.vars.end());
  (write ? a.unknown_written : a.unknown_read) |= s.unknown;
}

static void add_loads(Accesses& a, ExprP e, std::set<ExprP>& seen) {
  if (!e || !seen.insert(e).second) return;
  if (e->kind == Expr::Kind::Load) add(a, e->a, false);
  for (ExprP part : {e->a, e->b, e->c}) add_loads(a, part, seen);
}

/// The type code (runtime/abi.def) of the parameter that receives argument k.
static char code_of(const Call& c, size_t k) {
  const char code = code_of_argument(runtime_table[c.fn], k);
  return code == 'V' ? 'A' : code;
}

/// The elements that the task of a parallel loop accesses, by the addresses captured from the function around it.
static void add_task(Accesses& a, const Movers& movers, const ParallelFor& p) {
  const Function& task = *movers.module().functions[static_cast<size_t>(p.task)];
  std::map<VarId, VarId> outer;
  for (size_t k = 0; k < task.params.size() && k < p.captures.size(); ++k) outer[task.params[k].var] = p.captures[k];
  AddressFlow flow(movers, task);
  flow.add(task.body);
  const auto all = flow.needs();
  if (!all) {
    a.unknown_written = true;
    return;
  }
  for (const auto& [v, write] : *all)
    if (auto it = outer.find(v); it != outer.end()) (write ? a.written : a.read).insert(it->second);
}

Accesses accesses(const Movers& movers, const Function& f, const Stmt& s) {
  Accesses a;
  std::set<ExprP> seen;
  each_expr(s, [&](ExprP e) { add_loads(a, e, seen); });
  auto data = [&](ArrayId id) { return f.arrays[static_cast<size_t>(id)].data; };
  std::visit(Overloaded{
                 [&](const Store& n) { add(a, n.base, true); },
                 [&](const LoadVector& n) { add(a, n.base, false); },
                 [&](const StoreVector& n) { add(a, n.base, true); },
                 [&](const RowAt& n) { add(a, n.base, true); },  // perhaps for a RowStore
                 [&](const Atomic& n) { add(a, n.base, true); },
                 [&](const Call& n) {
                   for (size_t k = 0; k < n.args.size(); ++k) {
                     if (n.args[k].kind != Arg::Kind::Array || !n.args[k].in || code_of(n, k) == 'D') continue;
                     (code_of(n, k) == 'A' ? a.read : a.written).insert(data(n.args[k].array));
                   }
                 },
                 [&](const CallFunction& n) {
                   // Functions of this module synchronise their arrays themselves.
                   if (n.callee != none) return;
                   for (const Operand& o : n.args)
                     if (o.array != none) a.written.insert(data(o.array));
                 },
                 [&](const ParallelFor& n) {
                   if (!movers.function_moves(n.task)) add_task(a, movers, n);
                 },
                 // These statements access elements only in their expressions.
                 [](const SetVar&) {},
                 [](const Fence&) {},
                 [](const Barrier&) {},
                 [](const RowLoad&) {},
                 [](const RowWait&) {},
                 [](const RowStore&) {},
                 [](const Solo&) {},
                 [](const AliasGroup&) {},
                 [](const If&) {},
                 [](const CountedLoop&) {},
                 [](const Loop&) {},
                 [](const Break&) {},
                 [](const Continue&) {},
                 [](const Fail&) {},
                 [](const Exit&) {},
                 [](const TakeAddress&) {},
                 [](const Scratch&) {},
                 [](const Launch&) {},
                 [](const Poll&) {},
             },
             s.node);
  return a;
}

bool part_of_key(const Module& m, const Function& f, const CallFunction& call, const Operand& argument) {
  if (argument.array == none || call.callee == none || !m.functions[static_cast<size_t>(call.callee)]->region)
    return false;
  const ArrayVars& a = f.arrays[static_cast<size_t>(argument.array)];
  return !a.complex && !ir::is_float(a.elem);
}

// ---------------------------------------------------------------- a block
void AddressFlow::use(VarId v, bool write) {
  used_[v] |= write;
  if (!defined_.count(v)) start_.insert(v);
}

void AddressFlow::set(VarId v, const std::set<VarId>& from) {
  for (VarId w : from) {
    from_[v].insert(w);
    if (!defined_.count(w)) start_.insert(w);
  }
  defined_.insert(v);
}

void AddressFlow::add(const Block& b) {
  for (const Stmt& s : b) add(s);
}

void AddressFlow::add(const Stmt& s) {
  const Accesses a = accesses(movers_, f_, s);
  for (VarId v : a.read) use(v, false);
  for (VarId v : a.written) use(v, true);
  lost_ |= a.unknown_read || a.unknown_written;
  auto loop = [&](const Block& body) {
    const std::set<VarId> before = defined_;
    add(body);
    defined_ = before;
  };
  std::visit(Overloaded{
                 [&](const SetVar& n) {
                   if (f_.vars[static_cast<size_t>(n.var)].type != Scalar::Ptr) return;
                   const Sources from = sources(n.value);
                   if (from.unknown) unknown_.insert(n.var);
                   set(n.var, from.vars);
                 },
                 [&](const Call& n) { call(n); },
                 [&](const CallFunction& n) { call_function(n); },
                 [&](const Scratch& n) { defined_.insert(n.var); },
                 [&](const TakeAddress& n) { defined_.insert(n.var); },
                 [&](const If& n) {
                   std::set<VarId> otherwise = defined_;
                   add(n.then_body);
                   std::swap(defined_, otherwise);
                   add(n.else_body);
                   std::erase_if(defined_, [&](VarId v) { return !otherwise.count(v); });
                 },
                 [&](const CountedLoop& n) { loop(n.body); },
                 [&](const Loop& n) { loop(n.body); },
                 [](const Store&) {},
                 [](const LoadVector&) {},
                 [](const StoreVector&) {},
                 [](const Fence&) {},
                 [](const Barrier&) {},
                 [](const RowAt&) {},
                 [](const RowLoad&) {},
                 [](const RowWait&) {},
                 [](const RowStore&) {},
                 [](const Solo&) {},
                 [](const Atomic&) {},
                 [](const AliasGroup&) {},
                 [](const Break&) {},
                 [](const Continue&) {},
                 [](const Fail&) {},
                 [](const Exit&) {},
                 [](const ParallelFor&) {},
                 [](const Launch&) {},
                 [](const Poll&) {},
             },
             s.node);
}

void AddressFlow::call(const Call& n) {
  for (const Arg& arg : n.args) {
    if (arg.kind != Arg::Kind::Array || !arg.out) continue;
    // The array that is changed in place, or new storage; either is current in host memory.
    set(data(arg.array), arg.in ? std::set<VarId>{data(arg.array)} : std::set<VarId>{});
  }
  if (n.result == none || f_.vars[static_cast<size_t>(n.result)].type != Scalar::Ptr) return;
  unknown_.insert(n.result);
  defined_.insert(n.result);
}

void AddressFlow::call_function(const CallFunction& n) {
  // Results may be new arrays, arguments, or parts of arguments.
  std::set<VarId> given;
  for (const Operand& o : n.args) {
    if (o.array != none) given.insert(data(o.array));
    if (part_of_key(movers_.module(), f_, n, o)) use(data(o.array), false);
  }
  for (const Operand& o : n.results)
    if (o.array != none) set(data(o.array), given);
}

std::set<VarId> AddressFlow::starts_of(VarId v, bool& unknown) const {
  std::set<VarId> seen{v}, starts;
  for (std::vector<VarId> work{v}; !work.empty();) {
    const VarId w = work.back();
    work.pop_back();
    if (start_.count(w)) starts.insert(w);
    unknown = unknown || unknown_.count(w);
    if (auto it = from_.find(w); it != from_.end())
      for (VarId u : it->second)
        if (seen.insert(u).second) work.push_back(u);
  }
  return starts;
}

std::optional<std::map<VarId, bool>> AddressFlow::needs() const {
  bool unknown = lost_;
  std::map<VarId, bool> all;
  for (const auto& [v, write] : used_)
    for (VarId start : starts_of(v, unknown)) all[start] |= write;
  if (unknown) return {};
  return all;
}

}  // namespace vr::lower
