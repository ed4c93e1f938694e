// The only code that synchronises elements in host code (thesis 4.5.4, 7.2): lowering emits loads and stores for the
// host as if there were no device. Afterwards this transformation visits each load, store and call of host code,
// whatever VRIR statement it came from, and inserts calls that synchronise the arrays which it accesses.
//
// It goes forward through a function and tracks for each address (the data variable of an array, or any other variable
// that holds an address) whether the elements at it are current in host memory: for reading, or also for writing, which
// invalidates the device's copy. Launches, library operations on the device and calls of functions with such invalidate
// this knowledge for all arrays, because any two may share storage. New storage is current in host memory.
//
// A loop that leaves nothing on the device cannot make the host's copies stale, so one synchronisation before it is
// enough: of the addresses, as of its start, from which it derives those that it uses. (If the loop does not run at
// all, elements were transferred early, which costs little.) The same is done for accesses that both branches of an
// `if` make.
//
// In a loop that launches kernels, a statement that loads a few elements asks for these alone: `a[k, k]` between
// kernels that work on `a` moves eight bytes and not the matrix.
//
// An address is synchronised through the descriptor of its array. If its array is not known (the array's variables have
// changed since, a branch has set it) `vr_gpu_section_sync` synchronises all arrays: rare and slow, but always correct.
#include "loop/transform/residence.hpp"

#include "loop/analysis/address_flow.hpp"
#include "loop/analysis/home_state.hpp"
#include "loop/runtime_table.hpp"
#include "loop/walk.hpp"

#include "support/restore.hpp"

#include <velociraptor/defaults.hpp>

#include <algorithm>

namespace vr::lower {

namespace {

bool is_loop(const Stmt& s) {
  return std::holds_alternative<Loop>(s.node) || std::holds_alternative<CountedLoop>(s.node);
}

/// One host function, and its tasks.
class Residence {
 public:
  Residence(Module& m, Exprs& x, const Movers& movers, Function& f)
      : m_(m), x_(x), movers_(movers), f_(f), arrays_(f) {}

  void run() {
    HomeState st(f_, arrays_);
    // The addresses passed to a task may belong to any array of the caller.
    for (const Param& p : f_.params)
      if (p.array == none && f_.vars[static_cast<size_t>(p.var)].type == Scalar::Ptr) st.forget_whose(p.var);
    f_.body = block(std::move(f_.body), st);
    for (int32_t t : tasks_) Residence(m_, x_, movers_, *m_.functions[static_cast<size_t>(t)]).run();
  }

 private:
  // ---------------------------------------------------------------- synchronisation
  void ask(ArrayId a, bool write) {
    Arg array{Arg::Kind::Array};
    array.array = a;
    const Arg how{Arg::Kind::Scalar, x_.int_const(write, Scalar::Int32)};
    out_->push_back({Call{rt::GpuNeedHost, {array, how}, none, true}, place_});
  }
  void ask_for_all(HomeState& st) {
    out_->push_back({Call{rt::GpuSectionSync, {}, none, true}, place_});
    st.all_home();
  }
  void need(HomeState& st, VarId address, bool write) {
    const Home wanted = write ? Home::Written : Home::Read;
    if (st.home(address) >= wanted) return;
    const auto arrays = st.whose(address);
    if (!arrays) return ask_for_all(st);
    for (ArrayId a : *arrays) {
      const VarId data = f_.arrays[static_cast<size_t>(a)].data;
      if (st.home(data) >= wanted) continue;
      ask(a, write);
      st.set_home(data, wanted);
    }
    st.set_home(address, wanted);
  }
  void need(HomeState& st, const Stmt& s) {
    Accesses a = accesses(movers_, f_, s);
    if (a.unknown_read || a.unknown_written) return ask_for_all(st);
    for (VarId v : a.written) need(st, v, true);
    if (in_loop_) need_elements(st, s, a);
    for (VarId v : a.read) need(st, v, false);
  }
  /// Elements that the statement loads, where nothing else of their arrays has to be current. They are removed from
  /// `a`.
  void need_elements(const HomeState& st, const Stmt& s, Accesses& a) {
    constexpr size_t most = 4;
    std::vector<ExprP> loads;
    bool few = true;
    each_expr(s, [&](ExprP e) { few = few && list_loads(e, loads); });
    // Calls and vectors access elements that are not in their expressions.
    const bool only_loads = std::holds_alternative<SetVar>(s.node) || std::holds_alternative<If>(s.node) ||
                            std::holds_alternative<Store>(s.node);
    if (!few || loads.size() > most || !only_loads) return;
    for (ExprP load : loads) {
      const auto arrays = st.whose(load->a->var);
      if (st.home(load->a->var) != Home::Away || (arrays && arrays->empty())) continue;
      const Arg first{Arg::Kind::Scalar, x_.offset(load->a, load->b)};
      const Arg count{Arg::Kind::Scalar, x_.int_const(scalar_bytes(load->type))};
      out_->push_back({Call{rt::GpuNeedBytes, {first, count}, none, true}, place_});
    }
    a.read.clear();
  }
  /// Lists the loads of an expression, those in subscripts before those that use them. False: the address of one is not
  /// a variable.
  static bool list_loads(ExprP e, std::vector<ExprP>& loads) {
    if (!e || std::find(loads.begin(), loads.end(), e) != loads.end()) return true;
    for (ExprP part : {e->a, e->b, e->c})
      if (!list_loads(part, loads)) return false;
    if (e->kind != Expr::Kind::Load) return true;
    loads.push_back(e);
    return e->a->kind == Expr::Kind::Var;
  }

  /// A region's dispatcher reads the elements of short integer arrays (engine/region).
  void ask_for_key(const CallFunction& call) {
    constexpr int64_t most = most_region_key_elements;
    for (const Operand& o : call.args) {
      if (!part_of_key(m_, f_, call, o)) continue;
      const ArrayVars& a = f_.arrays[static_cast<size_t>(o.array)];
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

  // ---------------------------------------------------------------- statements
  Block block(Block&& b, HomeState& st) {
    Block out;
    const Restore to(out_, &out);
    const auto moved = moved_in_runs(b);
    for (size_t k = 0; k < b.size(); ++k) statement(std::move(b[k]), st, moved[k]);
    return out;
  }
  /// For each statement the arrays that have new storage from the sequence of assignments around the statement on: the sequence
  /// sets their address, or the call before it made them.
  std::vector<std::set<ArrayId>> moved_in_runs(const Block& b) const {
    std::vector<std::set<ArrayId>> moved(b.size());
    std::set<ArrayId> made;
    for (size_t k = 0; k < b.size();) {
      size_t end = k;
      std::set<ArrayId> run = std::exchange(made, {});
      for (const SetVar* n; end < b.size() && (n = std::get_if<SetVar>(&b[end].node)); ++end)
        if (auto it = arrays_.by_data.find(n->var); it != arrays_.by_data.end()) run.insert(it->second);
      for (size_t i = k; i < end; ++i) moved[i] = run;
      if (end < b.size())
        if (auto* n = std::get_if<Call>(&b[end].node))
          for (const Arg& a : n->args)
            if (a.kind == Arg::Kind::Array && a.out && !a.in) made.insert(a.array);
      k = end + 1;
    }
    return moved;
  }

  void statement(Stmt&& s, HomeState& st, const std::set<ArrayId>& moved) {
    const Restore place(place_, s.place != none ? s.place : place_);
    if (is_loop(s) && !movers_.moves(s) && !movers_.moves(*parts(s)[0])) {
      need_before(s, st);
      out_->push_back(std::move(s));
      return;
    }
    if (auto* n = std::get_if<If>(&s.node); n && n->unlikely) need_in_both(*n, st);
    need(st, s);
    if (auto* n = std::get_if<CallFunction>(&s.node)) ask_for_key(*n);
    inside(s, st);
    if (auto* n = std::get_if<ParallelFor>(&s.node); n && movers_.function_moves(n->task)) tasks_.push_back(n->task);
    const bool away = movers_.moves(s);
    st.after(s, moved);
    if (away) st.all_away();
    out_->push_back(std::move(s));
  }

  /// The nested statements.
  void inside(Stmt& s, HomeState& st) {
    if (auto* n = std::get_if<If>(&s.node)) {
      HomeState otherwise = st;
      n->then_body = block(std::move(n->then_body), st);
      n->else_body = block(std::move(n->else_body), otherwise);
      st.join(otherwise);
      return;
    }
    if (!is_loop(s)) return;
    auto* counted = std::get_if<CountedLoop>(&s.node);
    Block& b = counted ? counted->body : std::get<Loop>(s.node).body;
    // What holds at the start of every iteration, and after the loop.
    st.all_away();
    st.forget_assigned(b);
    HomeState in = st;
    const Restore in_loop(in_loop_, true);
    b = block(std::move(b), in);
  }

  // ---------------------------------------------------------------- blocks that leave nothing on the device
  /// Before a loop that leaves nothing on the device.
  void need_before(const Stmt& s, HomeState& st) {
    AddressFlow flow(movers_, f_);
    flow.add(s);
    const auto all = flow.needs();
    if (!all || reshapes(*parts(s)[0]))
      ask_for_all(st);
    else
      for (const auto& [v, write] : *all) need(st, v, write);
    // Elements that were current before the loop still are.
    std::map<VarId, Home> later;
    for (const auto& [v, from] : flow.from()) {
      bool unknown = false;
      Home h = flow.is_unknown(v) ? Home::Away : st.home(v);  // the loop may not have run
      for (VarId start : flow.starts_of(v, unknown)) h = std::min(h, st.home(start));
      later[v] = unknown ? Home::Away : h;
    }
    st.forget_assigned(*parts(s)[0]);
    for (const auto& [v, h] : later)
      if (h != Home::Away) st.set_home(v, h);
  }
  /// Whether an array changes its shape without a new address.
  bool reshapes(const Block& b) const {
    const auto moved = moved_in_runs(b);
    for (size_t k = 0; k < b.size(); ++k) {
      if (auto* n = std::get_if<SetVar>(&b[k].node))
        if (auto it = arrays_.by_shape.find(n->var); it != arrays_.by_shape.end())
          for (ArrayId a : it->second)
            if (!moved[k].count(a)) return true;
      for (const Block* p : parts(b[k]))
        if (reshapes(*p)) return true;
    }
    return false;
  }

  /// For the two branches of a versioned loop, which access the same arrays.
  void need_in_both(const If& s, HomeState& st) {
    if (movers_.moves(s.then_body) || movers_.moves(s.else_body)) return;
    std::optional<std::map<VarId, bool>> all[2];
    for (int k : {0, 1}) {
      AddressFlow flow(movers_, f_);
      flow.add(k ? s.else_body : s.then_body);
      all[k] = flow.needs();
      if (!all[k] || all[k]->empty()) return;
    }
    for (const auto& [v, write] : *all[0])
      if (auto it = all[1]->find(v); it != all[1]->end()) need(st, v, write || it->second);
  }

  Module& m_;
  Exprs& x_;
  const Movers& movers_;
  Function& f_;
  const DescribedArrays arrays_;
  std::vector<int32_t> tasks_;  ///< that synchronise arrays themselves
  Block* out_ = nullptr;
  int32_t place_ = none;
  bool in_loop_ = false;  ///< that leaves elements on the device
};

}  // namespace

void residence(Module& m, const PassOptions& options) {
  if (!options.device) return;
  Exprs x(m);
  const Movers movers(m);
  std::set<int32_t> skipped;
  for (const auto& f : m.functions)
    if (f->on_host != none) skipped.insert(f->on_host);
  for (size_t k = 0; k < m.functions.size(); ++k) {
    Function& f = *m.functions[k];
    if (f.kind == Function::Kind::Entry && !skipped.count(static_cast<int32_t>(k))) Residence(m, x, movers, f).run();
  }
}

}  // namespace vr::lower
