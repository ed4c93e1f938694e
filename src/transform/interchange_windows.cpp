#include "transform/interchange_windows.hpp"

#include "analysis/alias.hpp"
#include "analysis/live_vars.hpp"
#include "ir/library.hpp"
#include "ir/sharing.hpp"
#include "ir/typing.hpp"

#include <velociraptor/ir/visit.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace vr::transform {

using namespace ir;

namespace {

constexpr int64_t least_iterations = 16, most_iterations = 8192, most_window = 64, most_unrolled = 8;
constexpr size_t most_statements = 60;

using Ids = std::set<SymbolId>;

const Type int64_type = Type::scalar(Elem::Int64), bool_type = Type::scalar(Elem::Bool);

ExprPtr number(int64_t v) { return std::make_shared<IntConst>(int64_type, v); }

std::map<SymbolId, int> mentions(const Body& b) {
  std::map<SymbolId, int> count;
  walk_exprs(b, [&](const Expr& e) {
    if (auto id = named_variable(e)) ++count[*id];
  });
  walk_stmts(b, [&](const Stmt& s) {
    if (auto* l = as<For>(&s))
      for (SymbolId id : l->itervars) ++count[id];
    if (auto* l = as<PFor>(&s))
      for (SymbolId id : l->itervars) ++count[id];
  });
  return count;
}

bool checked(const Index& i, const Conventions& c, bool store) {
  return std::any_of(i.subscripts.begin(), i.subscripts.end(), [&](const Subscript& s) {
    return s.minbounds || s.maxbounds || s.negative || (store && s.grow.value_or(c.grow));
  });
}

/// A loop over known integers: lo, lo + 1, ..., hi - 1.
struct Span {
  int64_t lo, hi;
};
const Range* single_range(const For& loop) {
  if (loop.itervars.size() != 1) return nullptr;
  const ExprPtr* r = &loop.domain;
  if (auto* d = as<Domain>(loop.domain)) {
    if (d->ranges.size() != 1) return nullptr;
    r = &d->ranges[0];
  }
  auto* range = as<Range>(*r);
  if (!range || !range->stop) return nullptr;
  if (auto* step = as<IntConst>(range->step); range->step && (!step || step->value != 1)) return nullptr;
  const auto& types = loop.domain->type.components();
  for (const Type& t : types)
    if (!t.is_scalar() || is_float(t.elem)) return nullptr;
  return range;
}
std::optional<Span> known_span(const For& loop, const Conventions& c) {
  const Range* r = single_range(loop);
  auto *start = r ? as<IntConst>(r->start) : nullptr, *stop = r ? as<IntConst>(r->stop) : nullptr;
  if (!r || !stop || (r->start && !start)) return {};
  constexpr int64_t far = int64_t{1} << 31;
  const Span s{start ? start->value : c.indexing, stop->value + (r->exclude.value_or(c.exclude) ? 0 : 1)};
  if (s.lo < -far || s.hi > far || is_float(start ? start->type.elem : Elem::Int64) || is_float(stop->type.elem))
    return {};
  return s;
}

/// The sum of `coefficient` (0 or 1) times the loop's variable and `constant`.
struct Term {
  int64_t coefficient, constant;
};
std::optional<Term> term(const Expr& e, SymbolId j) {
  if (!e.type.is_scalar() || e.type.elem != Elem::Int64) return {};
  if (auto* c = as<IntConst>(&e))
    return std::abs(c->value) < int64_t{1} << 31 ? std::optional(Term{0, c->value}) : std::nullopt;
  if (auto* n = as<Name>(&e)) return n->id == j ? std::optional(Term{1, 0}) : std::nullopt;
  auto sum = [&](const Expr& l, const Expr& r, int64_t sign) -> std::optional<Term> {
    auto a = term(l, j), b = a ? term(r, j) : std::nullopt;
    if (!b || (sign < 0 && b->coefficient) || a->coefficient + b->coefficient > 1) return {};
    return Term{a->coefficient + b->coefficient, a->constant + sign * b->constant};
  };
  if (auto* b = as<Plus>(&e)) return sum(*b->lhs, *b->rhs, 1);
  if (auto* b = as<Minus>(&e)) return sum(*b->lhs, *b->rhs, -1);
  return {};
}

/// One end of the window: the narrower one of j + `by` and the fixed `edge`, if it has both.
struct End {
  std::optional<int64_t> by, edge;

  bool read(const Expr& e, SymbolId j, bool low) {
    if (auto* c = as<LibCall>(&e); c && calls(c, low ? Lib::Max2 : Lib::Min2) && c->args.size() == 2)
      return read(*c->args[0], j, low) && read(*c->args[1], j, low);
    const auto t = term(e, j);
    if (!t) return false;
    std::optional<int64_t>& to = t->coefficient ? by : edge;
    to = !to ? t->constant : low ? std::max(*to, t->constant) : std::min(*to, t->constant);
    return true;
  }
};

/// The nest of loops of interchange_windows.hpp.
struct Nest {
  const For* loop = nullptr;  ///< over j
  Span span = {};
  Body before, after;
  const For* outer = nullptr;  ///< over ii; null: there is none
  const For* window = nullptr;
  End low, high;  ///< of the window; the high end is exclusive
  SymbolId j = 0;
};

class Windows {
 public:
  Windows(FunctionPtr f, const Module& m, const Conventions& c, const analysis::RegionFacts& facts, const Prove& prove)
      : f_(std::move(f)), module_(m), conventions_(c), facts_(facts), prove_(prove) {}

  FunctionPtr run() {
    int loops = 0;
    each_loop([&](const For&) { ++loops; });
    // The last loop is replaced first, so that the statements before it keep their numbers.
    for (int k = loops; k-- > 0;) try_loop(k);
    return f_;
  }

 private:
  template <class F>
  void each_loop(F&& see) const {
    std::function<void(const Body&)> walk = [&](const Body& b) {
      for (const StmtPtr& s : b) {
        if (auto* l = as<StmtList>(s); l && l->on_gpu) continue;
        if (auto* l = as<For>(s)) see(*l);
        for_each_child(*s, {nullptr, [&](const StmtPtr& c) { walk({c}); }});
      }
    };
    walk(f_->body);
  }
  const For* loop(int number) const {
    const For* found = nullptr;
    each_loop([&](const For& l) {
      if (number-- == 0) found = &l;
    });
    return found;
  }
  FunctionPtr with(const For& from, const Body& to, SymbolTable symbols) const {
    auto copy = std::make_shared<Function>(*f_);
    copy->symbols = std::move(symbols);
    copy->body = rewrite(f_->body, {nullptr, [&](const StmtPtr& s) { return s.get() == &from ? to : Body{s}; }});
    return copy;
  }

  void try_loop(int number) {
    const For* l = loop(number);
    auto nest = match(*l);
    if (!nest || !pays(nest->window->body)) return;
    const FunctionPtr as_it_was = f_;
    symbols_ = f_->symbols;
    look_around(*nest->loop);
    Body flat;
    if (!flatten(nest->window->body, nullptr, nullptr, flat) || flat.size() > most_statements) return;
    auto window = std::make_shared<For>(*nest->window);
    window->body = std::move(flat);
    f_ = prove_(with(*nest->window, {window}, symbols_));
    nest = match(*loop(number));
    symbols_ = f_->symbols;
    if (nest) look_around(*nest->loop);
    Body out;
    if (nest && interchange(*nest, out))
      f_ = with(*nest->loop, out, symbols_);
    else
      f_ = as_it_was;
  }

  /// Which variables are live after the loop, and how often its body mentions each variable.
  void look_around(const For& l) {
    inside_ = mentions(l.body);
    auto mark = std::make_shared<ExprStmt>(number(0));
    Function asked = *f_;
    asked.body = rewrite(f_->body, {nullptr, [&](const StmtPtr& s) {
                                      return s.get() == &l ? Body{s, mark} : Body{s};
                                    }});
    live_behind_.clear();
    const analysis::LiveVars live = analysis::live_vars(asked);
    for (int k = 0; k < live.statements.count(); ++k)
      if (live.statements.at(k).stmt == mark.get())
        live.before[static_cast<size_t>(k)].each([&](size_t v) { live_behind_.insert(asked.symbols.all()[v].id); });
  }

  // ---- recognition of the loops
  std::optional<Nest> match(const For& l) const {
    Nest n;
    const auto span = known_span(l, conventions_);
    if (!span || span->hi - span->lo < least_iterations || span->hi - span->lo > most_iterations) return {};
    n.loop = &l;
    n.span = *span;
    n.j = l.itervars[0];
    if (f_->symbols.at(n.j).type != int64_type) return {};
    const For* inner = nullptr;
    for (const StmtPtr& s : l.body) {
      if (auto* a = as<For>(s)) {
        if (inner) return {};
        inner = a;
        continue;
      }
      auto* a = as<Assign>(s);
      if (!a || !plain(*a, inner != nullptr)) return {};
      (inner ? n.after : n.before).push_back(s);
    }
    if (!inner) return {};
    if (auto* deeper = inner->body.size() == 1 ? as<For>(inner->body[0]) : nullptr) {
      n.outer = inner;
      inner = deeper;
    }
    n.window = inner;
    const Range* r = single_range(*inner);
    if (!r || !r->start || f_->symbols.at(inner->itervars[0]).type != int64_type) return {};
    if (!n.low.read(*r->start, n.j, true) || !n.high.read(*r->stop, n.j, false)) return {};
    if (!n.low.by || !n.high.by) return {};
    if (!r->exclude.value_or(conventions_.exclude)) {
      ++*n.high.by;
      if (n.high.edge) ++*n.high.edge;
    }
    if (*n.high.by <= *n.low.by || *n.high.by - *n.low.by > most_window) return {};
    const std::vector<SymbolId> all = assigned_variables(l.body);
    const Ids assigned(all.begin(), all.end());
    if (assigned.count(n.j)) return {};
    if (n.outer) {
      if (n.outer->itervars.size() != 1 || !single_range(*n.outer)) return {};
      bool stays = true;
      walk_exprs(n.outer->domain, [&](const Expr& e) {
        const auto id = named_variable(e);
        stays = stays && (!id || (*id != n.j && !assigned.count(*id)));
        stays = stays && (e.kind == Kind::Domain || e.kind == Kind::Range || computes(e, false));
      });
      if (!stays) return {};
    }
    return n;
  }

  /// Whether the node itself, without its operands, is a number that is computed without faults and effects. `guarded`:
  /// subscripts may be checked.
  bool computes(const Expr& e, bool guarded) const {
    if (!e.type.is_scalar() || e.type.complex) return false;
    switch (e.kind) {
      case Kind::Name:
      case Kind::IntConst:
      case Kind::FloatConst:
      case Kind::Dim:
      case Kind::Cast:
        return true;
      case Kind::Div:
        return is_float(e.type.elem);
      case Kind::LibCall: {
        const LibFunction* f = library_function(&e);
        if (!f || !is_elementwise(f->sort)) return false;
        // these functions exist for integers as well
        const bool any = f->id == Lib::Min2 || f->id == Lib::Max2 || f->id == Lib::Where;
        return any || is_float(e.type.elem);
      }
      case Kind::Index: {
        const auto& i = static_cast<const Index&>(e);
        const Type& t = f_->symbols.at(i.array).type;
        if (!t.is_array() || static_cast<size_t>(t.rank) != i.subscripts.size()) return false;
        return guarded || !checked(i, conventions_, false);
      }
      default:
        return is_operator(e.kind);
    }
  }
  bool computable(const ExprPtr& e, bool guarded) const {
    bool all = true;
    walk_exprs(e, [&](const Expr& x) { all = all && computes(x, guarded); });
    return all;
  }
  /// An assignment that cannot fail, to a number; with `store` also to an element.
  bool plain(const Assign& a, bool store) const {
    if (a.targets.size() != 1 || !computable(a.value, false)) return false;
    if (as<Name>(a.targets[0])) return a.targets[0]->type.is_scalar() && !a.targets[0]->type.complex;
    auto* i = as<Index>(a.targets[0]);
    return store && i && computable(a.targets[0], false) && !checked(*i, conventions_, true);
  }

  /// Whether the loop has operations that vectors execute many times faster, but branches or values carried between
  /// iterations keep it from being vectorised.
  bool pays(const Body& b) const {
    bool heavy = false, waits = false;
    walk_exprs(b, [&](const Expr& e) {
      heavy = heavy || e.kind == Kind::Div;
      const LibFunction* f = library_function(&e);
      heavy = heavy || (f && f->sort == LibSort::FloatMap);
    });
    const std::vector<SymbolId> assigned = assigned_variables(b);
    for (SymbolId id : read_before_assigned(b, *f_))
      waits = waits || std::binary_search(assigned.begin(), assigned.end(), id);
    return heavy && waits;
  }

  // ---- branches become selects, short loops are unrolled
  /// `mask`: the condition under which the statements run, null for always; `branch`: the statements that it guards.
  bool flatten(const Body& b, const ExprPtr& mask, const Body* branch, Body& out) {
    for (const StmtPtr& s : b) {
      if (out.size() > most_statements) return false;
      if (auto* a = as<Assign>(s)) {
        if (!flatten(*a, s, mask, branch, out)) return false;
      } else if (auto* i = as<If>(s)) {
        if (!computable(i->test, mask != nullptr)) return false;
        const ExprPtr test = variable(mask ? both(mask, guarded(i->test)) : i->test, "taken", *s, out);
        if (!flatten(i->then_body, test, &i->then_body, out)) return false;
        if (i->else_body.empty()) continue;
        const ExprPtr other = std::make_shared<Not>(bool_type, test);
        const ExprPtr none = variable(mask ? both(mask, other) : other, "not_taken", *s, out);
        if (!flatten(i->else_body, none, &i->else_body, out)) return false;
      } else if (auto* l = as<For>(s)) {
        const auto span = known_span(*l, conventions_);
        if (!span || span->hi - span->lo > most_unrolled || span->hi <= span->lo) return false;
        if (f_->symbols.at(l->itervars[0]).type != int64_type) return false;
        const std::vector<SymbolId> assigned = assigned_variables(l->body);
        if (std::binary_search(assigned.begin(), assigned.end(), l->itervars[0])) return false;
        if (mask && lives_past(l->itervars[0], *branch)) return false;
        for (int64_t k = span->lo; k < span->hi; ++k) {
          auto first = std::make_shared<Assign>(std::vector<ExprPtr>{name(l->itervars[0])}, number(k));
          first->pos = l->pos;
          out.push_back(first);
          if (!flatten(l->body, mask, branch, out)) return false;
        }
      } else {
        return false;
      }
    }
    return true;
  }
  bool flatten(const Assign& a, const StmtPtr& s, const ExprPtr& mask, const Body* branch, Body& out) {
    auto* target = a.targets.size() == 1 ? as<Name>(a.targets[0]) : nullptr;
    if (!target || !target->type.is_scalar() || target->type.complex || !computable(a.value, mask != nullptr))
      return false;
    if (!mask) {
      out.push_back(s);
      return true;
    }
    auto copy = std::make_shared<Assign>(a);
    const Type& t = f_->symbols.at(target->id).type;
    if (t != a.value->type) return false;
    copy->value = guarded(a.value);
    if (lives_past(target->id, *branch)) {
      // An integer sum adds 0 if nothing is added, which keeps it recognisable as a sum.
      auto* sum = as<Plus>(copy->value);
      auto* old = sum ? as<Name>(sum->lhs) : nullptr;
      if (old && old->id == target->id && !is_float(t.elem) && sum->rhs->type == t)
        copy->value = std::make_shared<Plus>(t, sum->lhs, choice(t, mask, sum->rhs, std::make_shared<IntConst>(t, 0)));
      else
        copy->value = choice(t, mask, copy->value, a.targets[0]);
    }
    out.push_back(copy);
    return true;
  }
  /// Whether the variable's value after these statements of the loop, or before them, may be used.
  bool lives_past(SymbolId id, const Body& branch) const {
    const std::vector<SymbolId> early = read_before_assigned(branch, *f_);
    return inside_.at(id) > mentions(branch)[id] || live_behind_.count(id) ||
           std::binary_search(early.begin(), early.end(), id);
  }

  static ExprPtr choice(const Type& t, const ExprPtr& test, const ExprPtr& yes, const ExprPtr& no) {
    return make_call(t, Lib::Where, {test, yes, no});
  }
  static ExprPtr both(const ExprPtr& a, const ExprPtr& b) { return std::make_shared<And>(bool_type, a, b); }
  ExprPtr name(SymbolId id) const { return std::make_shared<Name>(symbols_.at(id).type, id); }
  ExprPtr variable(ExprPtr value, const char* what, const Stmt& at, Body& out) {
    const ExprPtr v = name(symbols_.fresh(what, bool_type));
    auto a = std::make_shared<Assign>(std::vector<ExprPtr>{v}, std::move(value));
    a->pos = at.pos;
    out.push_back(a);
    return v;
  }
  /// Proven with every check on, because the guarantee of the `if` does not hold without it.
  static ExprPtr guarded(const ExprPtr& e) {
    return rewrite(e, {[](const ExprPtr& n) -> ExprPtr {
                         auto* i = as<Index>(n);
                         if (!i) return n;
                         auto copy = std::make_shared<Index>(*i);
                         for (Subscript& s : copy->subscripts) s.minbounds = s.maxbounds = true;
                         return copy;
                       },
                       nullptr});
  }

  // ---- the new loops
  bool interchange(const Nest& n, Body& out) {
    const Body& work = n.window->body;
    for (const StmtPtr& s : work)
      if (auto* a = as<Assign>(s); !a || !plain(*a, false)) return false;
    // Arrays that the loops read must be disjoint from those that are stored to after the window.
    std::optional<analysis::Alias> alias;
    Body reading = n.before;
    reading.push_back(n.outer ? std::make_shared<For>(*n.outer) : std::make_shared<For>(*n.window));
    for (const StmtPtr& s : n.after) {
      auto* i = as<Index>(static_cast<const Assign&>(*s).targets[0]);
      if (!i) continue;
      if (!alias) alias = analysis::alias(*f_, module_, conventions_, facts_);
      bool apart = true;
      walk_exprs(reading, [&](const Expr& e) {
        if (auto* r = as<Index>(&e)) apart = apart && !alias->may_overlap(r->array, i->array);
      });
      if (!apart) return false;
    }
    // Variables belong to an iteration of the window, to an iteration over j, or are sums over all iterations.
    auto ids = [](const std::vector<SymbolId>& v) { return Ids(v.begin(), v.end()); };
    const Ids carried = ids(read_before_assigned(n.loop->body, *f_));
    const Ids needed = ids(read_before_assigned(work, *f_)), read_after = ids(read_before_assigned(n.after, *f_));
    const Ids changed = ids(assigned_variables(work)), set_before = ids(assigned_variables(n.before));
    Ids loaded, stored, wanted;  // variables that the window's work reads; assigns; that are read after it
    for (SymbolId id : ids(assigned_variables(n.loop->body))) {
      const bool scalar = f_->symbols.at(id).type.is_scalar();
      if (!scalar) return false;
      if (changed.count(id) && carried.count(id)) {
        if (!sums(work, id) || inside_.at(id) != 2 * additions(work, id)) return false;
        continue;
      }
      if (carried.count(id) || live_behind_.count(id)) return false;
      const bool window_sets = changed.count(id) != 0, before_sets = set_before.count(id) != 0;
      if (needed.count(id) && (window_sets || before_sets)) loaded.insert(id);
      if (read_after.count(id) && (window_sets || before_sets)) wanted.insert(id);
      if (window_sets && (wanted.count(id) || loaded.count(id))) stored.insert(id);
      // The window may have no iterations, so a variable that it assigns needs a value from before it.
      if (stored.count(id) && !before_sets) return false;
      if ((id == n.window->itervars[0] || (n.outer && id == n.outer->itervars[0])) && read_after.count(id))
        return false;
    }
    Ids expanded = loaded;
    expanded.insert(wanted.begin(), wanted.end());
    if (expanded.size() > 8) return false;

    std::map<SymbolId, ExprPtr> element;
    for (SymbolId id : expanded) {
      const Symbol x = symbols_.at(id);
      const Type t = Type::array(x.type.elem, 1, Layout::RowMajor);
      const SymbolId all = symbols_.fresh(x.name + "_of_" + symbols_.at(n.j).name, t);
      auto alloc = std::make_shared<Alloc>(t, AllocFunc::Empty, std::vector<ExprPtr>{number(n.span.hi - n.span.lo)});
      push(out, std::make_shared<Assign>(std::vector<ExprPtr>{name(all)}, alloc), *n.loop);
      const int64_t shift = conventions_.indexing - n.span.lo;
      ExprPtr place = name(n.j);
      if (shift) place = std::make_shared<Plus>(int64_type, place, number(shift));
      const Subscript s{place, false, false, false, false};
      element[id] = std::make_shared<Index>(x.type, all, std::vector<Subscript>{s});
    }
    auto assign = [&](ExprPtr to, ExprPtr value, Body& b) {
      push(b, std::make_shared<Assign>(std::vector<ExprPtr>{std::move(to)}, std::move(value)), *n.loop);
    };
    auto first = std::make_shared<For>(*n.loop);
    first->body = n.before;
    for (SymbolId id : expanded)
      if (set_before.count(id)) assign(element[id], name(id), first->body);
    if (!first->body.empty()) out.push_back(first);

    const SymbolId t = symbols_.fresh(symbols_.at(n.window->itervars[0]).name + "_by", int64_type);
    auto inner = std::make_shared<For>(*n.loop);
    ExprPtr start = number(n.span.lo), stop = number(n.span.hi);
    auto minus_t = [&](int64_t edge) { return std::make_shared<Minus>(int64_type, number(edge), name(t)); };
    if (n.low.edge && *n.low.edge - *n.low.by > n.span.lo) start = edge_of(Lib::Max2, start, minus_t(*n.low.edge));
    if (n.high.edge && *n.high.edge - (*n.high.by - 1) < n.span.hi)
      stop = edge_of(Lib::Min2, stop, minus_t(*n.high.edge));
    inner->domain = domain(start, stop);
    inner->body.clear();
    assign(name(n.window->itervars[0]), std::make_shared<Plus>(int64_type, name(n.j), name(t)), inner->body);
    for (SymbolId id : loaded) assign(name(id), element[id], inner->body);
    inner->body.insert(inner->body.end(), work.begin(), work.end());
    for (SymbolId id : stored) assign(element[id], name(id), inner->body);
    auto window = std::make_shared<For>(*n.window);
    window->itervars = {t};
    window->domain = domain(number(*n.low.by), number(*n.high.by));
    window->body = {inner};
    if (n.outer) {
      auto outer = std::make_shared<For>(*n.outer);
      outer->body = {window};
      out.push_back(outer);
    } else {
      out.push_back(window);
    }
    auto last = std::make_shared<For>(*n.loop);
    last->body.clear();
    for (SymbolId id : wanted) assign(name(id), element[id], last->body);
    last->body.insert(last->body.end(), n.after.begin(), n.after.end());
    if (!last->body.empty() || live_behind_.count(n.j)) out.push_back(last);
    return true;
  }
  static void push(Body& out, std::shared_ptr<Stmt> s, const Stmt& at) {
    s->pos = at.pos;
    s->loc = at.loc;
    s->inlined = at.inlined;
    out.push_back(std::move(s));
  }
  static ExprPtr edge_of(Lib which, ExprPtr a, ExprPtr b) {
    return make_call(int64_type, which, {std::move(a), std::move(b)});
  }
  static ExprPtr domain(ExprPtr start, ExprPtr stop) {
    const Type t = Type::domain({int64_type});
    auto r = std::make_shared<Range>(t, true, std::move(start), nullptr, std::move(stop));
    return std::make_shared<Domain>(t, std::vector<ExprPtr>{r});
  }

  /// Whether the variable is an integer to which the statements only add.
  bool sums(const Body& work, SymbolId id) const {
    const Type& t = f_->symbols.at(id).type;
    return is_integer(t.elem) && additions(work, id) > 0;
  }
  static int additions(const Body& work, SymbolId id) {
    int count = 0;
    for (const StmtPtr& s : work) {
      auto& a = static_cast<const Assign&>(*s);
      auto* to = as<Name>(a.targets[0]);
      auto* sum = as<Plus>(a.value);
      auto* old = sum ? as<Name>(sum->lhs) : nullptr;
      // A sum of floats is rounded at each step: only integer sums may be reordered.
      const bool whole = sum && !is_float(sum->type.elem) && !is_float(sum->rhs->type.elem);
      count += to && to->id == id && old && old->id == id && whole;
    }
    return count;
  }

  FunctionPtr f_;
  const Module& module_;
  const Conventions& conventions_;
  const analysis::RegionFacts& facts_;
  const Prove& prove_;
  SymbolTable symbols_;
  std::map<SymbolId, int> inside_;  ///< mentions in the body of the current loop
  Ids live_behind_;                 ///< of that loop
};

}  // namespace

FunctionPtr interchange_windows(const FunctionPtr& f, const Module& module, const Conventions& conventions,
                                const analysis::RegionFacts& facts, const Prove& prove) {
  return Windows(f, module, conventions, facts, prove).run();
}

}  // namespace vr::transform
