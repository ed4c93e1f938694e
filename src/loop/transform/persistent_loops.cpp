// persistent_loops: see persistent_loops.hpp.
//
//   for d in [0, n) {                     turns = 0
//     count = ...                         for d in [0, n) {
//     launch k over [count] (x, d)          count = ...
//   }                                       short = count <= 4096
//                                           if turns > 0 & (!short | turns >= 512) {
//                                             launch k' over [1] (x, d.first, turns); turns = 0
//                                           }
//                                           if short { if turns == 0 { d.first = d } turns = turns + 1 }
//                                           else { launch k over [count] (x, d) }
//                                         }
//                                         if turns > 0 { launch k' over [1] (x, d.first, turns) }
//                                         kernel k' [one] (x, d, turns) {
//                                           for turn in [0, turns) {
//                                             if count <= 4096 { for parallel i in [0, count) { k } }
//                                             d = d + 1; count = ...
//                                           }
//                                         }
#include "loop/transform/persistent_loops.hpp"

#include "loop/analysis/array_uses.hpp"
#include "loop/analysis/footprint.hpp"
#include "loop/analysis/invariants.hpp"
#include "loop/analysis/loop_work.hpp"
#include "loop/analysis/nest.hpp"
#include "loop/analysis/shared_loops.hpp"
#include "loop/byte_range.hpp"
#include "loop/kernel_forms.hpp"
#include "loop/renamed.hpp"
#include "loop/replace.hpp"
#include "loop/transform/deferred_turns.hpp"
#include "loop/transform/if_convert.hpp"
#include "loop/transform/loop_numbers.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace vr::lower {

namespace {

constexpr size_t most_sections = 8;
constexpr int64_t most_points = 4096;            // iterations of kernels for each launch
constexpr int64_t few_points = 512;              // of all, whatever they compute: as many as the group has work-items
constexpr int64_t most_operations = int64_t{1} << 18;  // operations in more of them, which take less time than a launch
constexpr int64_t most_trips = 32;               // iterations of loops in kernels
constexpr int64_t most_deferred_turns = 512;     // iterations of the loop in one launch

/// A launch in the loop, and the conditions under which it comes.
struct Section {
  Launch launch = {};
  std::vector<ExprP> conditions = {};
};
/// The statements of a loop's body: those that compute numbers for the launches, the launches, and the others behind
/// them.
struct Body {
  Block numbers, launches, behind;
  std::vector<Section> sections = {};
};

/// Operations of an iteration of the kernel, at most.
int64_t operations_of(const Function& k) {
  const int64_t operations = LoopWork(k.body).operations;
  return std::max<int64_t>(operations, 1) * (has<CountedLoop>(k.body) ? most_trips : 1);
}

/// Whether an iteration of the kernel may become one of a loop in another kernel.
bool is_simple_kernel(const Function& k) {
  const auto changed = assignments(k.body);
  return runs_alone(k) && k.tile_of.kernel == none && k.disjoint && !has_own<Continue>(k.body) &&
         !has_own<Break>(k.body) && k.cleanup.empty() &&
         std::none_of(k.params.begin(), k.params.end(),
                      [&](const Param& p) { return changed.count(p.var) || changed.count(p.im); }) &&
         !any_statement(k.body, [](const Stmt& s) {
           auto* loop = std::get_if<CountedLoop>(&s.node);
           if (loop) return !is_int(loop->lo, 0) || !is_const(loop->hi) || loop->hi->ival > most_trips;
           return !std::holds_alternative<SetVar>(s.node) && !std::holds_alternative<Store>(s.node) &&
                  !std::holds_alternative<If>(s.node) && !std::holds_alternative<Fail>(s.node) &&
                  !std::holds_alternative<Break>(s.node) && !std::holds_alternative<Continue>(s.node);
         });
}

/// A kernel of one iteration, in which a loop runs those of several kernels.
class PersistentKernel {
 public:
  /// host: the function that launches it, which gets variables for what is passed.
  PersistentKernel(Writer& host, const LoopNumbers& numbers, const Function& like)
      : x_(host.x), host_(host), numbers_(numbers) {
    fn_.kind = Function::Kind::Kernel;
    fn_.source_name = like.source_name;
    fn_.place = like.place;
    fn_.fast_math = like.fast_math;
    fn_.disjoint = true;
    fn_.points = 1;
    is_narrow_ = !like.narrow.empty();
    fn_.dims.push_back(variable("one", Scalar::Int64, true));
  }

  /// Adds the iterations of a launch to those of the loop. False: it does not fit.
  bool add(const Function& plain, const Launch& n) {
    is_narrow_ = is_narrow_ && !plain.narrow.empty();
    if (plain.fast_math != fn_.fast_math) return false;
    std::map<VarId, VarId> names;
    for (size_t k = 0; k < plain.params.size(); ++k) {
      const Param& p = plain.params[k];
      const Operand& o = n.args[k];
      if (p.array != none) {
        if (!array(plain, p, o.array, names)) return false;
        continue;
      }
      names[p.var] = number(o.var);
      if (p.im != none) names[p.im] = number(o.im);
    }
    for (VarId v = 0; v < static_cast<VarId>(plain.vars.size()); ++v)
      if (const Var& like = plain.vars[static_cast<size_t>(v)]; !names.count(v))
        names[v] = variable(like.name, like.type, plain.narrow.count(v) != 0);
    for (const auto& [v, value] : plain.constants) fn_.constants[names.at(v)] = value;
    Writer out(x_, fn_);
    Block nest;
    for (const Stmt& s : plain.body) nest.push_back(renamed(x_, s, names));
    // The kernel is told again that it has few iterations, for what is derived from that.
    ExprP few = x_.bool_const(true);
    Block all = out.collect([&] {
      for (size_t d = 0; d < plain.dims.size(); ++d) {
        const ExprP count = out.temp(in_kernel(n.counts[d]), "count");
        few = x_.both(few, x_.both(x_.ge(count, x_.int_const(0)), x_.le(count, x_.int_const(most_points))));
        CountedLoop loop{names.at(plain.dims[d]), x_.int_const(0), count, std::move(nest)};
        loop.parallel = true;
        nest.clear();
        nest.push_back({std::move(loop), plain.place});
      }
      out.emit(If{few, std::move(nest), {}});
    });
    turn_.insert(turn_.end(), std::move_iterator(all.begin()), std::move_iterator(all.end()));
    return true;
  }
  /// With all launches of an iteration: the kernel, whose last argument is the number of the loop's iterations.
  Function finish() {
    const auto carry = [&](const std::set<VarId>& all) {
      for (VarId v : all) number(v);
    };
    carry(numbers_.carried());
    carry(numbers_.inputs());
    for (const Stmt& s : numbers_.next(x_)) turn_.push_back(renamed(x_, s, names_));
    Param turns;
    turns.var = variable("turns", Scalar::Int64, false);
    fn_.params.push_back(turns);
    fn_.body = begin_;
    CountedLoop loop{variable("turn", Scalar::Int64, true), x_.int_const(0), x_.var(turns.var, Scalar::Int64),
                     std::move(turn_)};
    fn_.body.push_back({std::move(loop), fn_.place});
    if (!is_narrow_) fn_.narrow.clear();
    return std::move(fn_);
  }
  const std::vector<Operand>& args() const { return args_; }
  /// The host's variables with the values at the first of the deferred iterations, by those that change.
  const std::map<VarId, VarId>& first() const { return first_; }

 private:
  VarId variable(const std::string& name, Scalar type, bool narrow) {
    const VarId v = Writer(x_, fn_).new_var(name, type);
    if (narrow) fn_.narrow.insert(v);
    return v;
  }
  /// The kernel's variable with the value of the host's in the current iteration of the loop.
  VarId number(VarId host) {
    if (const auto known = names_.find(host); known != names_.end()) return known->second;
    const Var like = host_.fn.vars[static_cast<size_t>(host)];
    Param p;
    p.var = variable(like.name, like.type, false);
    fn_.params.push_back(p);
    Operand o;
    o.var = host;
    names_[host] = p.var;
    if (numbers_.carried().count(host)) {
      o.var = first_[host] = host_.new_var(like.name + ".first", like.type);
      names_[host] = variable(like.name, like.type, false);
      begin_.push_back({SetVar{names_[host], x_.var(p.var, like.type)}, fn_.place});
    }
    args_.push_back(o);
    return names_[host];
  }
  ExprP in_kernel(ExprP e) {
    for (VarId v : variables(e)) number(v);
    return renamed(x_, e, names_);
  }
  bool array(const Function& plain, const Param& p, ArrayId host, std::map<VarId, VarId>& names) {
    const ArrayVars& like = plain.arrays[static_cast<size_t>(p.array)];
    auto known = std::find_if(arrays_.begin(), arrays_.end(), [&](const auto& a) { return a.first == host; });
    if (known == arrays_.end()) {
      ArrayVars made = like;
      made.data = variable(like.name + ".data", Scalar::Ptr, false);
      for (auto* fields : {&made.extent, &made.stride})
        for (VarId& v : *fields) v = variable(plain.vars[static_cast<size_t>(v)].name, Scalar::Int64, true);
      Param mine = p;
      mine.array = static_cast<ArrayId>(fn_.arrays.size());
      mine.fresh = false;
      fn_.arrays.push_back(std::move(made));
      Operand o;
      o.array = host;
      args_.push_back(o);
      arrays_.push_back({host, fn_.params.size()});
      fn_.params.push_back(std::move(mine));
      known = arrays_.end() - 1;
    }
    Param& mine = fn_.params[known->second];
    mine.written = mine.written || p.written;
    const ArrayVars& made = fn_.arrays[static_cast<size_t>(mine.array)];
    if (made.elem != like.elem || made.complex != like.complex || made.extent.size() != like.extent.size())
      return false;
    names[like.data] = made.data;
    for (size_t d = 0; d < made.extent.size(); ++d) {
      names[like.extent[d]] = made.extent[d];
      names[like.stride[d]] = made.stride[d];
    }
    return true;
  }

  Exprs& x_;
  Writer& host_;
  const LoopNumbers& numbers_;
  Function fn_;
  bool is_narrow_;                                  ///< integers of all kernels fit 32 bits
  std::map<VarId, VarId> names_;                    ///< the kernel's variables for the host's
  std::vector<std::pair<ArrayId, size_t>> arrays_;  ///< of the host, and the numbers of the parameters for them
  std::vector<Operand> args_;
  std::map<VarId, VarId> first_;
  Block begin_, turn_;
};

class PersistentLoops {
 public:
  PersistentLoops(Module& m, Exprs& x, Function& f) : m_(m), x_(x), out_(x, f) {}

  void run() {
    replace_often_run(out_, [&](Stmt& s) { return statement(s); });
  }

 private:
  const Function& kernel(const Section& s) const { return *m_.functions[static_cast<size_t>(s.launch.kernel)]; }

  /// Whether it is a loop that this class writes.
  bool statement(Stmt& s) {
    auto* counted = std::get_if<CountedLoop>(&s.node);
    if (counted ? !is_plain(*counted) : !std::holds_alternative<Loop>(s.node)) return false;
    const size_t vars = out_.fn.vars.size();
    if (auto body = divided(*parts(s)[0]); body && write(s, std::move(*body))) return true;
    out_.fn.vars.resize(vars);
    return false;
  }

  // ---------------------------------------------------------------- the launches of a loop
  static bool is_number(const Stmt& s) {
    auto* set = std::get_if<SetVar>(&s.node);
    return set && !loads(set->value) && never_faults(set->value);
  }
  /// None: the loop does something else besides, or computes between two launches what others change or need.
  std::optional<Body> divided(const Block& body) {
    const auto times = changes(out_.fn, body);
    Body r;
    for (const Stmt& s : body) {
      if (!has<Launch>({s})) {
        if (any_statement(s, [](const Stmt& inner) { return !only_computes(inner); })) return {};
        (r.launches.empty() ? r.numbers : r.behind).push_back(s);
        continue;
      }
      // What comes between two launches goes to their front.
      for (Stmt& between : r.behind) {
        if (!is_number(between) || mentions(r.launches, std::get<SetVar>(between.node).var)) return {};
        r.numbers.push_back(std::move(between));
      }
      r.behind.clear();
      Section section;
      if (r.sections.size() == most_sections || !find_launch(s, times, section, r.numbers) ||
          !is_simple_kernel(kernel(section)))
        return {};
      r.launches.push_back(s);
      r.sections.push_back(std::move(section));
    }
    return r.sections.empty() ? std::optional<Body>() : r;
  }
  /// The first of the launches between which conditions choose. What is computed under them, in variables of its own,
  /// goes into `numbers`.
  bool find_launch(const Stmt& s, const std::map<VarId, int>& times, Section& r, Block& numbers) {
    std::map<VarId, VarId> names;
    const Stmt* at = &s;
    while (auto* choice = std::get_if<If>(&at->node)) {
      if (choice->then_body.empty() || loads(choice->cond) || !never_faults(choice->cond)) return false;
      r.conditions.push_back(renamed(x_, choice->cond, names));
      for (size_t k = 0; k + 1 < choice->then_body.size(); ++k) {
        const Stmt& number = choice->then_body[k];
        if (!is_number(number)) return false;
        const VarId v = std::get<SetVar>(number.node).var;
        if (times.at(v) != 1) return false;
        names[v] = variable_like(x_, out_.fn, v);
        numbers.push_back(renamed(x_, number, names));
      }
      at = &choice->then_body.back();
    }
    auto* n = std::get_if<Launch>(&at->node);
    if (!n) return false;
    r.launch = *n;
    const auto now = [&](VarId& v) {
      if (const auto it = names.find(v); it != names.end()) v = it->second;
    };
    for (ExprP& c : r.launch.counts) c = renamed(x_, c, names);
    for (Operand& o : r.launch.args) now(o.var), now(o.im);
    return true;
  }
  /// Whether the launches differ in numbers alone, which the kernel can compute.
  bool can_compute(LoopNumbers& numbers, const std::vector<Section>& sections) const {
    return std::all_of(sections.begin(), sections.end(), [&](const Section& s) {
      const auto& counts = s.launch.counts;
      return numbers.need_arguments(out_.fn, s.launch) &&
             std::all_of(counts.begin(), counts.end(), [&](ExprP c) { return numbers.need(c); });
    });
  }
  /// Whether a kernel loads from an array that one of them stores to. Else each iteration computes the same.
  bool update(const std::vector<Section>& sections) const {
    std::set<ArrayId> loaded, stored;
    for (const Section& s : sections) {
      const Function& k = kernel(s);
      const ArrayUses uses = array_uses(k.body);
      for (size_t p = 0; p < k.params.size(); ++p) {
        if (k.params[p].array == none) continue;
        const VarId data = k.arrays[static_cast<size_t>(k.params[p].array)].data;
        if (uses.loaded.count(data)) loaded.insert(s.launch.args[p].array);
        if (uses.stored.count(data)) stored.insert(s.launch.args[p].array);
      }
    }
    return std::any_of(stored.begin(), stored.end(), [&](ArrayId a) { return loaded.count(a) != 0; });
  }

  // ---------------------------------------------------------------- what the host decides
  /// Whether arrays that one kernel writes overlap others of other kernels: each kernel's own do not.
  ExprP apart(const std::vector<Section>& sections) {
    std::set<std::pair<ArrayId, ArrayId>> known;
    std::set<ArrayId> all, written;
    for (const Section& s : sections)
      for (size_t i = 0; i < s.launch.args.size(); ++i) {
        const ArrayId a = s.launch.args[i].array;
        if (a == none) continue;
        all.insert(a);
        const bool writes = kernel(s).params[i].written;
        if (writes) written.insert(a);
        for (const Operand& o : s.launch.args)
          if (writes && o.array != none) known.insert(std::minmax(a, o.array));
      }
    ExprP r = x_.bool_const(true);
    std::map<ArrayId, ByteRange> ranges;
    const auto range = [&](ArrayId a) {
      auto [it, fresh] = ranges.try_emplace(a);
      if (!fresh) return it->second;
      const ArrayVars& v = out_.array(a);
      std::vector<ExprP> extent, stride;
      for (size_t d = 0; d < v.extent.size(); ++d) {
        extent.push_back(out_.get(v.extent[d]));
        stride.push_back(out_.get(v.stride[d]));
      }
      return it->second = byte_range(out_, x_.var(v.data, Scalar::Ptr), extent, stride, v.element_bytes());
    };
    for (ArrayId w : written)
      for (ArrayId a : all)
        if (a != w && known.insert(std::minmax(a, w)).second) r = x_.both(r, disjoint(out_, range(w), range(a)));
    return r;
  }
  /// Whether the launches of this iteration are those of the sections, and short.
  ExprP are_short(const std::vector<Section>& sections) {
    ExprP all = x_.bool_const(true), points = x_.int_const(0), operations = x_.int_const(0);
    for (const Section& s : sections) {
      for (ExprP c : s.conditions) all = x_.both(all, c);
      ExprP iterations = x_.int_const(1);
      for (ExprP c : s.launch.counts) {
        all = x_.both(all, x_.le(c, x_.int_const(most_points)));
        iterations = x_.mul(iterations, c);
      }
      points = x_.add(points, iterations);
      operations = x_.add(operations, x_.mul(iterations, x_.int_const(operations_of(kernel(s)))));
    }
    const auto launches = static_cast<int64_t>(sections.size());
    const ExprP little = x_.both(x_.le(points, x_.int_const(launches * most_points)),
                                 x_.le(operations, x_.int_const(launches * most_operations)));
    return x_.both(all, x_.either(x_.le(points, x_.int_const(few_points)), little));
  }

  // ---------------------------------------------------------------- writing
  /// A launch of the deferred iterations, and the variable with their number.
  struct Deferred {
    Launch launch;
    DeferredTurns turns;
  };
  std::optional<Deferred> make(LoopNumbers& numbers, const std::vector<Section>& sections, Function& made) {
    PersistentKernel k(out_, numbers, kernel(sections[0]));
    for (const Section& s : sections)
      if (!k.add(kernel(s), s.launch)) return {};
    made = k.finish();
    if (!plan_shares(x_, made)) return {};
    Launch n = sections[0].launch;
    n.counts = {x_.int_const(1)};
    n.args = k.args();
    Operand turns;
    turns.var = out_.new_var("turns", Scalar::Int64);
    n.args.push_back(turns);
    return Deferred{std::move(n), {turns.var, k.first()}};
  }
  Launch launch_of(const Deferred& d, Function made, const std::string& name) {
    Launch n = d.launch;
    n.kernel = add_kernel(m_, std::move(made), name + "_steps");
    m_.functions[static_cast<size_t>(n.kernel)]->accesses = footprint(m_, n.kernel).words();
    return n;
  }
  /// The loop with its launches deferred. False: they cannot be; nothing is written.
  bool write(Stmt& loop, Body body) {
    // The same, with the launches behind the numbers.
    Stmt flat = loop;
    Block& all = *parts(flat)[0];
    all = body.numbers;
    all.push_back({body.sections.back().launch, none});
    all.insert(all.end(), body.behind.begin(), body.behind.end());
    LoopNumbers numbers(flat, out_.fn, body.numbers.size());
    if (!can_compute(numbers, body.sections)) return false;
    if (numbers.carried().empty() && !update(body.sections)) return false;
    const ExprP no_fault = numbers.never_fail(x_);
    if (is_false(no_fault)) return false;
    Function made;
    auto d = make(numbers, body.sections, made);
    if (!d) return false;
    // One kernel for each launch: share_loops gives it forms.
    const std::string name = kernel(body.sections[0]).name;
    const Launch in_loop = launch_of(*d, made, name), behind = launch_of(*d, std::move(made), name);
    const ExprP are_apart = out_.keep(apart(body.sections), "apart");
    const ExprP turns = x_.var(d->turns.turns, Scalar::Int64);
    out_.set(d->turns.turns, x_.int_const(0));
    *parts(loop)[0] = out_.collect([&] {
      out_.append(std::move(body.numbers));
      const ExprP later = out_.temp(x_.both(x_.both(are_apart, no_fault), are_short(body.sections)), "later");
      launch_deferred(out_, d->turns, in_loop,
                      x_.either(x_.not_(later), x_.ge(turns, x_.int_const(most_deferred_turns))));
      Block deferred = out_.collect([&] { defer(out_, d->turns); });
      out_.emit(If{later, std::move(deferred), std::move(body.launches)});
      out_.append(std::move(body.behind));
    });
    out_.block->push_back(std::move(loop));
    launch_deferred(out_, d->turns, behind, x_.bool_const(true));
    return true;
  }

  Module& m_;
  Exprs& x_;
  Writer out_;
};

}  // namespace

void persistent_loops(Module& m, const PassOptions& options) {
  // Without groups a single work-item would run the loop.
  if (!options.version_loops || options.local_bytes <= 0) return;
  Exprs x(m);
  each_entry(m, [&](Function& f) { PersistentLoops(m, x, f).run(); });
}

}  // namespace vr::lower
