#include "loop/transform/poll.hpp"

#include "loop/analysis/bit_loop.hpp"
#include "loop/analysis/loop_work.hpp"
#include "loop/walk.hpp"
#include "loop/writer.hpp"

#include <algorithm>
#include <optional>

namespace vr::lower {

namespace {

/// Loops with at most so many iterations are too short to poll.
constexpr int64_t few = 64;
/// Iterations of a chunk, and operations (LoopWork) that make it smaller: some milliseconds at most.
constexpr int64_t chunk = 65536, least_chunk = 256, chunk_operations = 4 << 20;
/// The most operations of a cheap iteration: 10^8 such iterations, vectorised or waiting for memory, take about 0.1 s.
constexpr int64_t cheap_operations = 32;
/// The same where the backend makes vectors of independent iterations, of additions and multiplications.
constexpr int64_t cheap_vectors = 4 * cheap_operations;

/// Whether each iteration of one or two nested loops loads or stores, unconditionally, an element of its own of some
/// array: each loop moves along one axis of its subscripts.
class ComesToElements {
 public:
  explicit ComesToElements(const CountedLoop& loop) { found_ = look(loop); }
  ComesToElements(const CountedLoop& outer, const CountedLoop& inner) {
    enter(outer);
    for (const Stmt& s : outer.body) {
      if (std::get_if<CountedLoop>(&s.node) == &inner) break;
      if (auto* n = std::get_if<SetVar>(&s.node)) assign(*n);
    }
    found_ = look(inner);
  }
  bool found() const { return found_; }

 private:
  /// The enclosing loops, outermost first; for each the variables that have a different value in each of its
  /// iterations.
  struct Level {
    std::set<VarId> moving;
    std::map<VarId, int> times;
  };

  void enter(const CountedLoop& loop) { levels_.push_back({{loop.var}, assignments(loop.body)}); }
  void assign(const SetVar& s) {
    for (Level& l : levels_)
      if (l.times[s.var] == 1 && moves(s.value, l)) l.moving.insert(s.var);
  }
  bool look(const CountedLoop& loop) {
    enter(loop);
    for (const Stmt& s : loop.body) {
      if (auto* n = std::get_if<If>(&s.node)) {
        expr(n->cond);
        if (has_own<Continue>(n->then_body) || has_own<Continue>(n->else_body)) break;
      } else if (auto* n = std::get_if<SetVar>(&s.node)) {
        expr(n->value);
        assign(*n);
      } else if (auto* n = std::get_if<Store>(&s.node)) {
        subscripts(n->offset);
        expr(n->value);
      }
    }
    return found_;
  }
  static bool stays(ExprP e, const Level& l) {
    if (!e) return true;
    if (e->kind == Expr::Kind::Load) return false;
    if (e->kind == Expr::Kind::Var) return !l.moving.count(e->var) && !l.times.count(e->var);
    return stays(e->a, l) && stays(e->b, l) && stays(e->c, l);
  }
  /// Whether the subscript has a different value in each iteration.
  static bool moves(ExprP e, const Level& l) {
    if (e->kind == Expr::Kind::Var) return l.moving.count(e->var) != 0;
    if (e->kind != Expr::Kind::Binary) return false;
    if (e->op == Op::Add || e->op == Op::Sub)
      return (moves(e->a, l) && stays(e->b, l)) || (stays(e->a, l) && moves(e->b, l));
    auto factor = [](ExprP c) { return c->kind == Expr::Kind::IntConst && c->ival != 0; };
    return e->op == Op::Mul && ((moves(e->a, l) && factor(e->b)) || (factor(e->a) && moves(e->b, l)));
  }
  void subscripts(ExprP at) {
    std::set<const Level*> met;
    for (ExprP axis = at; axis && axis->kind == Expr::Kind::At; axis = axis->c) {
      for (const Level& l : levels_)
        if (!is_int(axis->b, 0) && moves(axis->a, l) && met.insert(&l).second) break;
      expr(axis->a);
    }
    found_ = found_ || met.size() == levels_.size();
  }
  void expr(ExprP e) {
    if (!e) return;
    if (e->kind == Expr::Kind::Load) subscripts(e->b);
    if (e->kind == Expr::Kind::Select) return expr(e->a);  // only one of the other operands is evaluated
    for (ExprP part : {e->a, e->b, e->c}) expr(part);
  }

  std::vector<Level> levels_;
  bool found_ = false;
};

class Polls {
 public:
  /// versions: loops may be duplicated.
  Polls(Module& m, Exprs& x, Function& fn, bool versions) : m_(m), x_(x), fn_(fn), versions_(versions) {}

  void run() { block(fn_.body, none, false); }

 private:
  void block(Block& b, SiteId around, bool inside) {
    for (size_t k = 0; k < b.size(); ++k) {
      Stmt& s = b[k];
      if (auto* n = std::get_if<If>(&s.node)) {
        block(n->then_body, around, inside);
        block(n->else_body, around, inside);
      } else if (auto* n = std::get_if<Loop>(&s.node)) {
        const SiteId here = n->site == none ? around : n->site;
        block(n->body, here, true);
        n->brief = n->brief || bit_loop(x_, *n).has_value();
        if (!n->brief) ask(n->body, here, s.place);
      } else if (auto* n = std::get_if<CountedLoop>(&s.node)) {
        const SiteId here = n->site == none ? around : n->site;
        block(n->body, here, true);
        const std::optional<int64_t> times = iterations(*n);
        if (times && *times <= few) continue;
        const bool soon = inside && over_soon(*n);
        if (holds_work(n->body)) {
          if (!soon) ask(n->body, here, s.place);
        } else if (!soon && !(times && *times <= chunk)) {
          k += cut(b, k, here);
        }
      }
    }
  }

  void ask(Block& b, SiteId site, int32_t place) { b.insert(b.begin(), Stmt{Poll{site_or_own(site)}, place}); }

  /// The site for polls in a loop that has none.
  SiteId site_or_own(SiteId site) {
    if (site != none) return site;
    if (own_ == none) {
      own_ = static_cast<SiteId>(m_.sites.size());
      m_.sites.push_back({fn_.source_name, "", "", -1, ""});
    }
    return own_;
  }

  std::optional<int64_t> known(ExprP e) const {
    if (e->kind == Expr::Kind::IntConst) return e->ival;
    if (e->kind != Expr::Kind::Var) return {};
    const auto it = fn_.constants.find(e->var);
    return it == fn_.constants.end() ? std::nullopt : std::optional(it->second);
  }
  std::optional<int64_t> iterations(const CountedLoop& l) const {
    const auto lo = known(l.lo), hi = known(l.hi);
    int64_t n = 0;
    if (!lo || !hi || __builtin_sub_overflow(*hi, *lo, &n)) return {};
    return n;
  }

  /// Whether it is a loop that runs long, or a call.
  bool holds_work(const Block& b) const {
    return std::any_of(b.begin(), b.end(), [&](const Stmt& s) { return holds_work(s); });
  }
  bool holds_work(const Stmt& s) const {
    if (auto* n = std::get_if<Loop>(&s.node); n && !n->brief) return true;
    if (auto* n = std::get_if<CountedLoop>(&s.node))
      if (const auto times = iterations(*n); !times || *times > few) return true;
    if (std::holds_alternative<Call>(s.node) || std::holds_alternative<CallFunction>(s.node) ||
        std::holds_alternative<ParallelFor>(s.node) || std::holds_alternative<Launch>(s.node))
      return true;
    const auto inside = parts(s);
    return std::any_of(inside.begin(), inside.end(), [&](const Block* p) { return holds_work(*p); });
  }

  static bool becomes_vectors(const CountedLoop& l) {
    if (!has<CountedLoop>(l.body)) return l.independent;
    return !any_statement(l.body, [](const Stmt& s) {
      auto* inner = std::get_if<CountedLoop>(&s.node);
      return inner && !becomes_vectors(*inner);
    });
  }
  /// Whether the iterations are cheap and their number is bounded by the size of memory, including those of inner
  /// loops.
  bool over_soon(const CountedLoop& l) const {
    if (LoopWork(l.body).operations >
        (becomes_vectors(l) && !has_slow_operations(l.body) ? cheap_vectors : cheap_operations))
      return false;
    if (!holds_work(l.body)) return ComesToElements(l).found();
    bool soon = true;
    for (const Stmt& s : l.body) {
      auto* inner = std::get_if<CountedLoop>(&s.node);
      if (inner && !holds_work(inner->body))
        soon = soon && ComesToElements(l, *inner).found();
      else
        soon = soon && !holds_work(s);
    }
    return soon;
  }

  /// Before each break, sets `end` so that no chunk follows.
  void end_chunks(Block& b, VarId end, ExprP at) {
    for (size_t k = 0; k < b.size(); ++k) {
      if (std::holds_alternative<Break>(b[k].node)) {
        b.insert(b.begin() + static_cast<ptrdiff_t>(k), Stmt{SetVar{end, at}, b[k].place});
        ++k;
      }
      if (auto* n = std::get_if<If>(&b[k].node)) end_chunks(n->then_body, end, at), end_chunks(n->else_body, end, at);
    }
  }

  /// Gives the loop a second version, a loop over chunks, which runs if there is more than one chunk. A loop that
  /// rarely runs has only that version; so has every loop without versions, because a debugger stops in only one of
  /// several copies of a line. (With chunks alone, short loops would be slower: another loop encloses them, and less is
  /// known of where they end.) Returns the number of statements added.
  size_t cut(Block& b, size_t where, SiteId site) {
    const int32_t place = b[where].place;
    CountedLoop loop = std::move(std::get<CountedLoop>(b[where].node));
    const int64_t operations = LoopWork(loop.body).operations;
    int64_t size = chunk;
    while (size > least_chunk && size * operations > chunk_operations) size /= 2;

    Writer out(x_, fn_);
    out.place = place;
    const std::string name = fn_.vars[static_cast<size_t>(loop.var)].name;  // a copy: the list grows
    const VarId from = out.new_var(name + ".from", Scalar::Int64), to = out.new_var(name + ".to", Scalar::Int64),
                end = out.new_var(name + ".end", Scalar::Int64);
    const ExprP first = out.get(from), last = out.get(to), stop = out.get(end);
    // The number of remaining iterations may not fit in a signed integer.
    auto more = [&](ExprP lo, ExprP hi) {
      return x_.both(x_.lt(lo, hi),
                     x_.gt(x_.convert(x_.sub(hi, lo), Scalar::UInt64), x_.int_const(size, Scalar::UInt64)));
    };
    Block all = out.collect([&] {
      CountedLoop part = loop;
      part.lo = first;
      part.hi = last;
      end_chunks(part.body, end, first);
      Block chunks = out.collect([&] {
        out.set(from, loop.lo);
        out.set(end, loop.hi);
        Block one = out.collect([&] {
          out.set(to, x_.select(more(first, stop), x_.add(first, x_.int_const(size)), stop));
          out.emit(std::move(part));
          If done{x_.ge(last, stop), {}, {}};
          done.then_body.push_back({Break{}, place});
          out.emit(std::move(done));
          out.emit(Poll{site_or_own(site)});
          out.set(from, last);
        });
        out.emit(Loop{std::move(one), site});
      });
      if (loop.fallback || !versions_) return out.append(std::move(chunks));
      If form{more(loop.lo, loop.hi), std::move(chunks), {}, true};
      form.else_body.push_back({std::move(loop), place});
      out.emit(std::move(form));
    });
    b[where] = std::move(all.back());
    all.pop_back();
    b.insert(b.begin() + static_cast<ptrdiff_t>(where), std::move_iterator(all.begin()), std::move_iterator(all.end()));
    return all.size();
  }

  Module& m_;
  Exprs& x_;
  Function& fn_;
  const bool versions_;
  SiteId own_ = none;
};

}  // namespace

void poll(Module& m, const PassOptions& options) {
  Exprs x(m);
  for (const auto& f : m.functions)
    if (f->kind != Function::Kind::Kernel) Polls(m, x, *f, options.version_loops).run();
}

}  // namespace vr::lower
