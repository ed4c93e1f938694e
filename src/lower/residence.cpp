// The one place that brings elements home (thesis 4.5.4, 7.2): what lowering emits for the host may load and store as if
// there was no device. Afterwards this looks at each load, store and call of host code, whatever statement of VRIR it came
// from, and asks before it for the newest elements of the array.
//
// It goes forward through a function and knows of each address (the data variable of an array, or any other variable that
// holds an address) whether the elements behind it are at home: to be read, or also to be written, which makes the
// device's copy stale. Launches, products on the device and calls of functions that have such take this knowledge away,
// of all arrays, for any two may share storage. Storage that is new is at home.
//
// In a loop in which nothing goes to the device nothing can leave home either: one question before it is enough. What to
// ask for are the addresses that it starts with, those from which it makes the ones that it uses. (That the loop may not
// run at all matters little: elements come back early.) The same goes for what both branches of an `if` look at.
//
// An address is asked for by the descriptor of its array. Where it is not known whose it is (the array's variables have
// changed since, a branch has set it) `vr_gpu_section_sync` brings everything home: rare, slow, right.
#include "lower/residence.hpp"

#include "analysis/region_facts.hpp"
#include "lower/runtime_table.hpp"
#include "lower/walk.hpp"

#include "support/restore.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace vr::lower {

namespace {

enum class Home : uint8_t { Away, Read, Written };

/// The variables that an address may come from. None: it has no storage. unknown: there may be others.
struct Sources {
  std::set<VarId> vars;
  bool unknown = false;
};
void sources(ExprP address, Sources& s) {
  switch (address->kind) {
    case Expr::Kind::Var:
      s.vars.insert(address->var);
      return;
    case Expr::Kind::Offset:
      return sources(address->a, s);
    case Expr::Kind::Select:
      sources(address->b, s);
      return sources(address->c, s);
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
      break;
  }
  s.unknown = true;
}
Sources sources(ExprP address) {
  Sources s;
  sources(address, s);
  return s;
}

/// What a statement does with elements in host memory by itself, without what the statements in it do.
struct Accesses {
  std::set<VarId> read, written;
  bool unknown_read = false, unknown_written = false;

  void add(ExprP base, bool write) {
    const Sources s = sources(base);
    (write ? written : read).insert(s.vars.begin(), s.vars.end());
    (write ? unknown_written : unknown_read) |= s.unknown;
  }
  void loads(ExprP e, std::set<ExprP>& seen) {
    if (!e || !seen.insert(e).second) return;
    if (e->kind == Expr::Kind::Load) add(e->a, false);
    for (ExprP part : {e->a, e->b, e->c}) loads(part, seen);
  }
};

/// The parameter code of argument k.
char code_of(const Call& c, size_t k) {
  const char* codes = runtime_table[c.fn].params;
  return codes[*codes == 'C' ? k + 1 : k];
}

class Residence {
 public:
  Residence(Module& m, Exprs& x) : m_(m), x_(x) {}

  void run() {
    find_movers();
    std::set<int32_t> skipped;
    for (const auto& f : m_.functions)
      if (f->on_host != none) skipped.insert(f->on_host);
    for (size_t k = 0; k < m_.functions.size(); ++k) {
      Function& f = *m_.functions[k];
      if (f.kind == Function::Kind::Entry && !skipped.count(static_cast<int32_t>(k))) function(f);
    }
  }

 private:
  // ---------------------------------------------------------------- what may take elements away
  bool moves(const Block& b) const {
    return std::any_of(b.begin(), b.end(), [&](const Stmt& s) {
      if (moves(s)) return true;
      const auto inside = parts(s);
      return std::any_of(inside.begin(), inside.end(), [&](const Block* p) { return moves(*p); });
    });
  }
  /// By itself.
  bool moves(const Stmt& s) const {
    return std::visit(Overloaded{
                          [](const Launch&) { return true; },
                          [](const Call& n) {
                            if (n.fn == rt::GpuLaunch || n.fn == rt::GpuMmult) return true;
                            return n.fn == rt::GpuMakeUnique && !is_int(n.args.back().value, 0);
                          },
                          [&](const CallFunction& n) { return n.callee == none || mover(n.callee); },
                          [&](const ParallelFor& n) { return mover(n.task); },
                          [](const SetVar&) { return false; },
                          [](const Store&) { return false; },
                          [](const Atomic&) { return false; },
                          [](const AliasGroup&) { return false; },
                          [](const If&) { return false; },
                          [](const CountedLoop&) { return false; },
                          [](const Loop&) { return false; },
                          [](const Break&) { return false; },
                          [](const Continue&) { return false; },
                          [](const Fail&) { return false; },
                          [](const Exit&) { return false; },
                          [](const TakeAddress&) { return false; },
                          [](const Scratch&) { return false; },
                      },
                      s.node);
  }
  bool mover(int32_t function) const { return movers_[static_cast<size_t>(function)]; }
  void find_movers() {
    movers_.assign(m_.functions.size(), false);
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t k = 0; k < m_.functions.size(); ++k) {
        const Function& f = *m_.functions[k];
        if (movers_[k] || f.kind == Function::Kind::Kernel || !moves(f.body)) continue;
        movers_[k] = changed = true;
      }
    }
  }

  // ---------------------------------------------------------------- what is known at a point of a function
  struct State {
    std::map<VarId, Home> home;  ///< of addresses; absent: Away
    /// Arrays whose descriptors say where the address's storage is; no value: not known; absent: it has none. Of data
    /// variables it is their own.
    std::map<VarId, std::optional<std::set<ArrayId>>> whose;
    bool reached = true;
  };
  std::optional<std::set<ArrayId>> whose(const State& st, VarId v) const {
    if (auto own = by_data_.find(v); own != by_data_.end()) return std::set<ArrayId>{own->second};
    auto it = st.whose.find(v);
    return it == st.whose.end() ? std::set<ArrayId>{} : it->second;
  }
  static void join(State& to, const State& other) {
    if (!other.reached) return;
    if (!to.reached) {
      to = other;
      return;
    }
    for (auto& [v, h] : to.home) h = std::min(h, home(other, v));
    std::erase_if(to.home, [](const auto& h) { return h.second == Home::Away; });
    for (const auto& [v, arrays] : other.whose) {
      auto& mine = to.whose.try_emplace(v, std::set<ArrayId>{}).first->second;
      if (!arrays)
        mine.reset();
      else if (mine)
        mine->insert(arrays->begin(), arrays->end());
    }
  }
  static Home home(const State& st, VarId v) {
    auto it = st.home.find(v);
    return it == st.home.end() ? Home::Away : it->second;
  }

  void function(Function& f) {
    f_ = &f;
    by_data_.clear();
    shape_of_.clear();
    for (size_t k = 0; k < f.arrays.size(); ++k) {
      const ArrayVars& a = f.arrays[k];
      by_data_[a.data] = static_cast<ArrayId>(k);
      for (const auto* fields : {&a.extent, &a.stride})
        for (VarId v : *fields) shape_of_[v].insert(static_cast<ArrayId>(k));
    }
    State st;
    // What a task was given may be anybody's.
    for (const Param& p : f.params)
      if (p.array == none && f.vars[static_cast<size_t>(p.var)].type == Scalar::Ptr) st.whose[p.var] = std::nullopt;
    place_ = none;
    std::vector<int32_t> tasks;
    tasks_.clear();
    f.body = block(std::move(f.body), st);
    tasks.swap(tasks_);
    for (int32_t t : tasks) function(*m_.functions[static_cast<size_t>(t)]);
  }

  // ---------------------------------------------------------------- questions
  void ask(ArrayId a, bool write) {
    Arg array{Arg::Kind::Array};
    array.array = a;
    const Arg how{Arg::Kind::Scalar, x_.int_const(write, Scalar::Int32)};
    out_->push_back({Call{rt::GpuNeedHost, {array, how}, none, true}, place_});
  }
  void ask_for_all(State& st) {
    out_->push_back({Call{rt::GpuSectionSync, {}, none, true}, place_});
    for (size_t v = 0; v < f_->vars.size(); ++v)
      if (f_->vars[v].type == Scalar::Ptr) st.home[static_cast<VarId>(v)] = Home::Written;
  }
  void need(State& st, VarId address, bool write) {
    const Home wanted = write ? Home::Written : Home::Read;
    if (home(st, address) >= wanted) return;
    const auto arrays = whose(st, address);
    if (!arrays) return ask_for_all(st);
    for (ArrayId a : *arrays) {
      const VarId data = f_->arrays[static_cast<size_t>(a)].data;
      if (home(st, data) >= wanted) continue;
      ask(a, write);
      st.home[data] = wanted;
    }
    st.home[address] = wanted;
  }
  void need(State& st, const Accesses& a) {
    if (a.unknown_read || a.unknown_written) return ask_for_all(st);
    for (VarId v : a.written) need(st, v, true);
    for (VarId v : a.read) need(st, v, false);
  }

  bool part_of_key(const CallFunction& call, const Operand& o) const {
    if (o.array == none || call.callee == none || !m_.functions[static_cast<size_t>(call.callee)]->region) return false;
    const ArrayVars& a = f_->arrays[static_cast<size_t>(o.array)];
    return !a.complex && !ir::is_float(a.elem);
  }
  /// A region's dispatcher looks at the elements of short arrays of whole numbers (engine/region).
  void ask_for_key(const CallFunction& call) {
    constexpr int64_t most = analysis::ParameterFacts::most_values;
    for (const Operand& o : call.args) {
      if (!part_of_key(call, o)) continue;
      const ArrayVars& a = f_->arrays[static_cast<size_t>(o.array)];
      ExprP is_short = x_.bool_const(true);
      for (VarId n : a.extent) is_short = x_.both(is_short, x_.le(x_.var(n, Scalar::Int64), x_.int_const(most)));
      Block then;
      {
        const Restore to(out_, &then);
        ask(o.array, false);
      }
      out_->push_back({If{is_short, std::move(then), {}}, place_});
    }
  }

  /// What the statement looks at by itself.
  Accesses accesses(const Stmt& s) {
    Accesses a;
    std::set<ExprP> seen;
    each_expr(s, [&](ExprP e) { a.loads(e, seen); });
    auto data = [&](ArrayId id) { return f_->arrays[static_cast<size_t>(id)].data; };
    std::visit(Overloaded{
                   [&](const Store& n) { a.add(n.base, true); },
                   [&](const Atomic& n) { a.add(n.base, true); },
                   [&](const Call& n) {
                     for (size_t k = 0; k < n.args.size(); ++k) {
                       if (n.args[k].kind != Arg::Kind::Array || !n.args[k].in || code_of(n, k) == 'D') continue;
                       (code_of(n, k) == 'A' ? a.read : a.written).insert(data(n.args[k].array));
                     }
                   },
                   [&](const CallFunction& n) {
                     // Functions of this module ask for themselves.
                     if (n.callee != none) return;
                     for (const Operand& o : n.args)
                       if (o.array != none) a.written.insert(data(o.array));
                   },
                   [&](const ParallelFor& n) {
                     if (!mover(n.task)) task_accesses(n, a);
                   },
                   // Their expressions are all that they look at.
                   [](const SetVar&) {}, [](const AliasGroup&) {}, [](const If&) {}, [](const CountedLoop&) {},
                   [](const Loop&) {}, [](const Break&) {}, [](const Continue&) {}, [](const Fail&) {},
                   [](const Exit&) {}, [](const TakeAddress&) {}, [](const Scratch&) {}, [](const Launch&) {},
               },
               s.node);
    return a;
  }

  // ---------------------------------------------------------------- statements
  Block block(Block&& b, State& st) {
    Block out;
    const Restore to(out_, &out);
    std::set<ArrayId> moved;  // arrays whose address is set in the run of assignments at hand
    for (size_t k = 0; k < b.size(); ++k) {
      const bool run = std::holds_alternative<SetVar>(b[k].node);
      if (run && (k == 0 || !std::holds_alternative<SetVar>(b[k - 1].node))) {
        moved.clear();
        for (size_t i = k; i < b.size(); ++i) {
          auto* n = std::get_if<SetVar>(&b[i].node);
          if (!n) break;
          if (auto it = by_data_.find(n->var); it != by_data_.end()) moved.insert(it->second);
        }
      }
      statement(std::move(b[k]), st, moved);
    }
    return out;
  }

  void statement(Stmt&& s, State& st, const std::set<ArrayId>& moved) {
    const Restore place(place_, s.place != none ? s.place : place_);
    if (is_loop(s) && !moves(s) && !moves(*parts(s)[0])) {
      need_before(s, st);
      out_->push_back(std::move(s));
    } else {
      if (auto* n = std::get_if<If>(&s.node); n && n->unlikely) need_in_both(*n, st);
      need(st, accesses(s));
      if (auto* n = std::get_if<CallFunction>(&s.node)) ask_for_key(*n);
      inside(s, st);
      const bool away = moves(s);
      after(s, st, moved);
      if (away) st.home.clear();
      out_->push_back(std::move(s));
    }
  }
  static bool is_loop(const Stmt& s) {
    return std::holds_alternative<Loop>(s.node) || std::holds_alternative<CountedLoop>(s.node);
  }

  /// The statements in it.
  void inside(Stmt& s, State& st) {
    if (auto* n = std::get_if<If>(&s.node)) {
      State otherwise = st;
      n->then_body = block(std::move(n->then_body), st);
      n->else_body = block(std::move(n->else_body), otherwise);
      join(st, otherwise);
      return;
    }
    if (!is_loop(s)) return;
    auto* counted = std::get_if<CountedLoop>(&s.node);
    Block& b = counted ? counted->body : std::get<Loop>(s.node).body;
    // What holds whenever an iteration starts, and behind the loop.
    st.home.clear();
    forget_assigned(b, st);
    State in = st;
    b = block(std::move(b), in);
  }

  void set_address(State& st, VarId v, Home h, std::optional<std::set<ArrayId>> whose) {
    if (auto it = by_data_.find(v); it != by_data_.end())
      forget_array(st, it->second);
    else
      st.whose[v] = std::move(whose);
    if (h == Home::Away)
      st.home.erase(v);
    else
      st.home[v] = h;
  }
  /// Its descriptor does not tell any more where other addresses made from it are.
  void forget_array(State& st, ArrayId a) {
    for (auto& [v, arrays] : st.whose)
      if (arrays && arrays->count(a)) arrays.reset();
  }

  void after(const Stmt& s, State& st, const std::set<ArrayId>& moved) {
    std::visit(Overloaded{
                   [&](const SetVar& n) {
                     if (auto it = shape_of_.find(n.var); it != shape_of_.end())
                       // Another shape at the same address: of more elements, perhaps.
                       for (ArrayId a : it->second)
                         if (!moved.count(a)) st.home.erase(f_->arrays[static_cast<size_t>(a)].data);
                     if (f_->vars[static_cast<size_t>(n.var)].type != Scalar::Ptr) return;
                     const Sources from = sources(n.value);
                     Home h = from.unknown ? Home::Away : Home::Written;
                     std::optional<std::set<ArrayId>> arrays(std::in_place);
                     if (from.unknown) arrays.reset();
                     for (VarId v : from.vars) {
                       h = std::min(h, home(st, v));
                       const auto more = whose(st, v);
                       if (!more)
                         arrays.reset();
                       else if (arrays)
                         arrays->insert(more->begin(), more->end());
                     }
                     set_address(st, n.var, h, std::move(arrays));
                   },
                   [&](const Call& n) {
                     for (const Arg& a : n.args) {
                       if (a.kind != Arg::Kind::Array || !a.out) continue;
                       const VarId data = f_->arrays[static_cast<size_t>(a.array)].data;
                       set_address(st, data, a.in ? home(st, data) : Home::Written, {});
                     }
                     if (n.result != none && f_->vars[static_cast<size_t>(n.result)].type == Scalar::Ptr)
                       set_address(st, n.result, Home::Away, {});
                   },
                   [&](const CallFunction& n) {
                     for (const Operand& o : n.results)
                       if (o.array != none) set_address(st, f_->arrays[static_cast<size_t>(o.array)].data, Home::Away, {});
                   },
                   [&](const ParallelFor& n) {
                     if (mover(n.task)) tasks_.push_back(n.task);
                   },
                   [&](const TakeAddress& n) { set_address(st, n.var, Home::Away, {}); },
                   // Memory of the function's own: nobody is to be asked for it.
                   [&](const Scratch& n) { set_address(st, n.var, Home::Written, std::set<ArrayId>{}); },
                   [&](const Break&) { st.reached = false; }, [&](const Continue&) { st.reached = false; },
                   [&](const Fail&) { st.reached = false; }, [&](const Exit&) { st.reached = false; },
                   [](const Store&) {}, [](const Atomic&) {}, [](const AliasGroup&) {}, [](const If&) {},
                   [](const CountedLoop&) {}, [](const Loop&) {}, [](const Launch&) {},
               },
               s.node);
  }

  /// What the block, or a block in it, may set is no longer known.
  void forget_assigned(const Block& b, State& st) {
    for (const Stmt& s : b) {
      auto set = [&](VarId v) {
        if (v != none && f_->vars[static_cast<size_t>(v)].type == Scalar::Ptr) set_address(st, v, Home::Away, {});
      };
      auto set_array = [&](ArrayId a) { set(f_->arrays[static_cast<size_t>(a)].data); };
      std::visit(Overloaded{
                     [&](const SetVar& n) {
                       set(n.var);
                       if (auto it = shape_of_.find(n.var); it != shape_of_.end())
                         for (ArrayId a : it->second) st.home.erase(f_->arrays[static_cast<size_t>(a)].data);
                     },
                     [&](const Call& n) {
                       for (const Arg& a : n.args)
                         if (a.kind == Arg::Kind::Array && a.out) set_array(a.array);
                       set(n.result);
                     },
                     [&](const CallFunction& n) {
                       for (const Operand& o : n.results)
                         if (o.array != none) set_array(o.array);
                     },
                     [&](const TakeAddress& n) { set(n.var); }, [&](const Scratch& n) { set(n.var); },
                     [](const Store&) {}, [](const Atomic&) {}, [](const AliasGroup&) {}, [](const If&) {},
                     [](const CountedLoop&) {}, [](const Loop&) {}, [](const Break&) {}, [](const Continue&) {},
                     [](const Fail&) {}, [](const Exit&) {}, [](const ParallelFor&) {}, [](const Launch&) {},
                 },
                 s.node);
      for (const Block* p : parts(s)) forget_assigned(*p, st);
    }
  }

  // ---------------------------------------------------------------- blocks in which nothing goes to the device
  /// From where the addresses that it uses come.
  struct Flow {
    std::map<VarId, std::set<VarId>> from;  ///< all that an address is set to, anywhere in the block
    std::set<VarId> start;                  ///< addresses that are used as they are when the block starts
    std::set<VarId> unknown;                ///< addresses that may be set to anything
    std::map<VarId, bool> used;             ///< addresses of loads and stores; true: stores
    bool lost = false;                      ///< something is looked at that no variable tells of
  };
  using Defined = std::set<VarId>;

  void use(Flow& f, VarId v, bool write, const Defined& defined) {
    f.used[v] |= write;
    if (!defined.count(v)) f.start.insert(v);
  }
  void set(Flow& f, VarId v, const std::set<VarId>& from, Defined& defined) {
    for (VarId w : from) {
      f.from[v].insert(w);
      if (!defined.count(w)) f.start.insert(w);
    }
    defined.insert(v);
  }
  void flow(const Block& b, Flow& f, Defined& defined) {
    for (const Stmt& s : b) flow(s, f, defined);
  }
  void flow(const Stmt& s, Flow& f, Defined& defined) {
    const Accesses a = accesses(s);
    for (VarId v : a.read) use(f, v, false, defined);
    for (VarId v : a.written) use(f, v, true, defined);
    f.lost |= a.unknown_read || a.unknown_written;
    auto data = [&](ArrayId id) { return f_->arrays[static_cast<size_t>(id)].data; };
    std::visit(Overloaded{
                   [&](const SetVar& n) {
                     if (f_->vars[static_cast<size_t>(n.var)].type != Scalar::Ptr) return;
                     const Sources from = sources(n.value);
                     if (from.unknown) f.unknown.insert(n.var);
                     set(f, n.var, from.vars, defined);
                   },
                   [&](const Call& n) {
                     for (const Arg& arg : n.args) {
                       if (arg.kind != Arg::Kind::Array || !arg.out) continue;
                       // Changed in place or new storage, which is at home.
                       set(f, data(arg.array), arg.in ? std::set<VarId>{data(arg.array)} : std::set<VarId>{}, defined);
                     }
                     if (n.result == none || f_->vars[static_cast<size_t>(n.result)].type != Scalar::Ptr) return;
                     f.unknown.insert(n.result);
                     defined.insert(n.result);
                   },
                   [&](const CallFunction& n) {
                     // Results are new, or arguments, or parts of them.
                     std::set<VarId> given;
                     for (const Operand& o : n.args) {
                       if (o.array != none) given.insert(data(o.array));
                       if (part_of_key(n, o)) use(f, data(o.array), false, defined);
                     }
                     for (const Operand& o : n.results)
                       if (o.array != none) set(f, data(o.array), given, defined);
                   },
                   [&](const Scratch& n) { defined.insert(n.var); },
                   [&](const TakeAddress& n) { defined.insert(n.var); },
                   [&](const If& n) {
                     Defined otherwise = defined;
                     flow(n.then_body, f, defined);
                     flow(n.else_body, f, otherwise);
                     std::erase_if(defined, [&](VarId v) { return !otherwise.count(v); });
                   },
                   [&](const CountedLoop& n) {
                     Defined in = defined;
                     flow(n.body, f, in);
                   },
                   [&](const Loop& n) {
                     Defined in = defined;
                     flow(n.body, f, in);
                   },
                   [](const Store&) {}, [](const Atomic&) {}, [](const AliasGroup&) {}, [](const Break&) {},
                   [](const Continue&) {}, [](const Fail&) {}, [](const Exit&) {}, [](const ParallelFor&) {},
                   [](const Launch&) {},
               },
               s.node);
  }
  /// Addresses of the block's start that this one may come from.
  std::set<VarId> starts_of(const Flow& f, VarId v, bool& unknown) const {
    std::set<VarId> seen{v}, starts;
    for (std::vector<VarId> work{v}; !work.empty();) {
      const VarId w = work.back();
      work.pop_back();
      if (f.start.count(w)) starts.insert(w);
      unknown = unknown || f.unknown.count(w);
      if (auto it = f.from.find(w); it != f.from.end())
        for (VarId u : it->second)
          if (seen.insert(u).second) work.push_back(u);
    }
    return starts;
  }
  /// What has to be at home when the block starts, and how (true: to be written). Empty optional: everything.
  std::optional<std::map<VarId, bool>> needs(const Flow& f) const {
    bool unknown = f.lost;
    std::map<VarId, bool> all;
    for (const auto& [v, write] : f.used)
      for (VarId start : starts_of(f, v, unknown)) all[start] |= write;
    if (unknown) return {};
    return all;
  }

  /// Before a loop in which nothing goes to the device.
  void need_before(const Stmt& s, State& st) {
    Flow f;
    Defined defined;
    flow(s, f, defined);
    const auto all = needs(f);
    if (!all || reshapes(*parts(s)[0]))
      ask_for_all(st);
    else
      for (const auto& [v, write] : *all) need(st, v, write);
    // Nothing went away meanwhile.
    std::map<VarId, Home> later;
    for (const auto& [v, from] : f.from) {
      bool unknown = false;
      Home h = f.unknown.count(v) ? Home::Away : home(st, v);  // the loop may not have run
      for (VarId start : starts_of(f, v, unknown)) h = std::min(h, home(st, start));
      later[v] = unknown ? Home::Away : h;
    }
    forget_assigned(*parts(s)[0], st);
    for (const auto& [v, h] : later)
      if (h != Home::Away) st.home[v] = h;
  }
  /// Whether an array changes its shape where it lies.
  bool reshapes(const Block& b) const {
    std::set<ArrayId> moved, shaped;
    for (const Stmt& s : b) {
      if (auto* n = std::get_if<SetVar>(&s.node)) {
        if (auto it = by_data_.find(n->var); it != by_data_.end()) moved.insert(it->second);
        if (auto it = shape_of_.find(n->var); it != shape_of_.end()) shaped.insert(it->second.begin(), it->second.end());
      }
      for (const Block* p : parts(s))
        if (reshapes(*p)) return true;
    }
    return std::any_of(shaped.begin(), shaped.end(), [&](ArrayId a) { return !moved.count(a); });
  }

  /// Loops as written and their quicker versions look at the same arrays.
  void need_in_both(const If& s, State& st) {
    if (moves(s.then_body) || moves(s.else_body)) return;
    std::optional<std::map<VarId, bool>> all[2];
    for (int k : {0, 1}) {
      Flow f;
      Defined defined;
      flow(k ? s.else_body : s.then_body, f, defined);
      all[k] = needs(f);
      if (!all[k] || all[k]->empty()) return;
    }
    for (const auto& [v, write] : *all[0])
      if (auto it = all[1]->find(v); it != all[1]->end()) need(st, v, write || it->second);
  }

  /// What the task of a parallel loop looks at, by the captured addresses of this function.
  void task_accesses(const ParallelFor& p, Accesses& a) {
    Function& task = *m_.functions[static_cast<size_t>(p.task)];
    std::map<VarId, VarId> outer;
    for (size_t k = 0; k < task.params.size() && k < p.captures.size(); ++k) outer[task.params[k].var] = p.captures[k];
    Flow f;
    Defined defined;
    {
      const Restore in(f_, &task);
      flow(task.body, f, defined);
    }
    const auto all = needs(f);
    if (!all) {
      a.unknown_written = true;
      return;
    }
    for (const auto& [v, write] : *all)
      if (auto it = outer.find(v); it != outer.end()) (write ? a.written : a.read).insert(it->second);
  }

  Module& m_;
  Exprs& x_;
  std::vector<bool> movers_;  ///< functions that may leave newest elements on the device
  Function* f_ = nullptr;
  std::map<VarId, ArrayId> by_data_;
  std::map<VarId, std::set<ArrayId>> shape_of_;  ///< extents and strides: whose
  std::vector<int32_t> tasks_;                   ///< of the function at hand, that ask for themselves
  Block* out_ = nullptr;
  int32_t place_ = none;
};

}  // namespace

void ask_for_elements(Module& m, Exprs& x) { Residence(m, x).run(); }

}  // namespace vr::lower
