#include "codegen/c99/lanes.hpp"

#include "loop/walk.hpp"
#include "loop/writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace vr::codegen::c99 {

using namespace lower;

namespace {

constexpr int bytes_of_lanes = 128;
constexpr int64_t lanes_in_memory = 64;
constexpr int64_t most_nodes = 40;  ///< of a loop's body, which is written once for each lane

class Lanes {
 public:
  Lanes(Exprs& x, Function& f) : x_(x), out_(x, f) {}

  void block(Block& b) {
    Block made;
    for (Stmt& s : b) {
      for (Block* p : parts(s)) block(*p);
      auto* n = std::get_if<CountedLoop>(&s.node);
      if (n && !n->fallback && is_reduction(*n))
        has_extremum() ? spell_in_memory(*n, s.place, made) : spell(*n, s.place, made);
      else
        made.push_back(std::move(s));
    }
    b = std::move(made);
  }

  const std::set<VarId>& made() const { return made_; }

 private:
  /// Whether the body only assigns variables: those of reductions, and others whose values it does not take from one
  /// iteration to the next. Sets `sums_`.
  bool is_reduction(const CountedLoop& loop) {
    sums_.clear();
    if (nodes(loop.body) > most_nodes) return false;
    for (const Stmt& s : loop.body) {
      const auto* n = std::get_if<SetVar>(&s.node);
      if (!n) return false;
      if (is_step(*n)) sums_[n->var] = n->value;
    }
    // Others are vectorised as they are.
    if (std::none_of(sums_.begin(), sums_.end(), [](const auto& sum) { return is_float(sum.second->type); }))
      return false;
    std::set<VarId> known{loop.var};
    const std::map<VarId, int> assigned = assignments(loop.body);
    for (const Stmt& s : loop.body) {
      const auto& n = std::get<SetVar>(s.node);
      const bool sum = sums_.contains(n.var);
      if (n.var == loop.var || (sum && assigned.at(n.var) != 1)) return false;
      for (const VarId v : variables(n.value)) {
        if (sums_.contains(v) && !(sum && v == n.var)) return false;
        if (!sums_.contains(v) && assigned.contains(v) && !known.contains(v)) return false;
      }
      known.insert(n.var);
    }
    return true;
  }
  static bool is_step(const SetVar& s) {
    const Expr& e = *s.value;
    auto is_itself = [&](ExprP p) { return p && p->kind == Expr::Kind::Var && p->var == s.var; };
    auto other = [&](ExprP p) { return p && !mentions(p, s.var); };
    if (is_narrow_float(e.type) || (is_float(e.type) && !e.any_order)) return false;
    if (is_extremum(e)) return is_itself(e.c) && other(e.b);
    return e.kind == Expr::Kind::Binary && start_of(e) &&
           ((is_itself(e.a) && other(e.b)) || (is_itself(e.b) && other(e.a)));
  }

  /// x < v ? x : v, or with >.
  static bool is_extremum(const Expr& e) {
    return e.kind == Expr::Kind::Select && e.a->kind == Expr::Kind::Binary &&
           (e.a->op == Op::Lt || e.a->op == Op::Gt) && same(e.a->a, e.b) && same(e.a->b, e.c);
  }

  /// The loop's bounds, and how many times it has so many iterations.
  struct Blocks {
    ExprP lo, hi, count;
  };
  Blocks in_blocks(const CountedLoop& loop, int64_t lanes) {
    const ExprP lo = out_.keep(loop.lo), hi = out_.keep(loop.hi);
    const ExprP count =
        x_.select(x_.lt(lo, hi), x_.binary(Op::Div, x_.sub(hi, lo), x_.int_const(lanes)), x_.int_const(0));
    return {lo, hi, out_.keep(count)};
  }

  void spell(CountedLoop& loop, int32_t place, Block& made) {
    int64_t lanes = 16;
    for (const auto& [v, e] : sums_)
      if (is_float(e->type)) lanes = std::max<int64_t>(lanes, bytes_of_lanes / scalar_bytes(e->type));
    const Restore at(out_.place, place);
    const Restore to(out_.block, &made);
    const auto [lo, hi, blocks] = in_blocks(loop, lanes);
    std::vector<std::map<VarId, VarId>> lane(static_cast<size_t>(lanes));
    for (const auto& [v, e] : sums_)
      for (int64_t k = 0; k < lanes; ++k) {
        const VarId own =
            k == 0 ? v : out_.new_var(fmt::format("{}.{}", out_.fn.vars[static_cast<size_t>(v)].name, k), e->type);
        lane[static_cast<size_t>(k)][v] = own;
        if (k > 0) made.push_back({SetVar{own, start(*e)}, place});
      }
    CountedLoop main;
    main.var = out_.new_var("block", Scalar::Int64);
    made_.insert(main.var);
    main.lo = x_.int_const(0);
    main.hi = blocks;
    main.site = loop.site;
    for (int64_t k = 0; k < lanes; ++k) {
      const ExprP first = x_.add(lo, x_.mul(x_.var(main.var, Scalar::Int64), x_.int_const(lanes)));
      main.body.push_back({SetVar{loop.var, x_.add(first, x_.int_const(k))}, place});
      for (const Stmt& s : loop.body) {
        const auto& n = std::get<SetVar>(s.node);
        const auto own = lane[static_cast<size_t>(k)].find(n.var);
        main.body.push_back({SetVar{own == lane[static_cast<size_t>(k)].end() ? n.var : own->second,
                                    in_lane(n.value, lane[static_cast<size_t>(k)])},
                             s.place});
      }
    }
    made.push_back({std::move(main), place});
    for (int64_t half = lanes / 2; half > 0; half /= 2)
      for (const auto& [v, e] : sums_)
        for (int64_t k = 0; k < half; ++k) {
          const VarId a = lane[static_cast<size_t>(k)][v], b = lane[static_cast<size_t>(k + half)][v];
          made.push_back({SetVar{a, x_.any_order(x_.binary(e->op, x_.var(a, e->type), x_.var(b, e->type)))}, place});
        }
    loop.lo = x_.add(lo, x_.mul(blocks, x_.int_const(lanes)));
    loop.hi = hi;
    made.push_back({std::move(loop), place});
  }

  bool has_extremum() const {
    return std::any_of(sums_.begin(), sums_.end(), [](const auto& sum) { return is_extremum(*sum.second); });
  }
  /// Compilers take no vectors for the extrema of floats, whose order matters to them (NaN and zeros), unless the lanes
  /// are an array: a loop over its elements has no order.
  void spell_in_memory(CountedLoop& loop, int32_t place, Block& made) {
    Exprs& x = x_;
    const Restore at(out_.place, place);
    const Restore to(out_.block, &made);
    const ExprP lanes = x.int_const(lanes_in_memory);
    const auto [lo, hi, blocks] = in_blocks(loop, lanes_in_memory);
    const VarId block = out_.new_var("block", Scalar::Int64), lane = out_.new_var("lane", Scalar::Int64);
    std::map<VarId, VarId> memory;  // of each extremum
    for (const auto& [v, e] : sums_) {
      if (!is_extremum(*e)) continue;
      memory[v] = out_.new_var("lanes", Scalar::Ptr);
      out_.emit(Scratch{memory[v], lanes_in_memory * scalar_bytes(e->type)});
    }
    const auto element = [&](VarId v) {
      return x.mul(x.var(lane, Scalar::Int64), x.int_const(scalar_bytes(sums_[v]->type)));
    };
    const auto part = [&](VarId v) { return x.load(sums_[v]->type, x.var(memory[v], Scalar::Ptr), element(v)); };
    const auto each_lane = [&](bool independent, auto&& body) {
      CountedLoop n{lane, x.int_const(0), lanes, out_.collect(body), independent};
      n.site = loop.site;
      out_.emit(std::move(n));
    };
    each_lane(true, [&] {
      for (const auto& [v, m] : memory) out_.emit(Store{x.var(m, Scalar::Ptr), element(v), x.var(v, sums_[v]->type)});
    });
    CountedLoop main{block, x.int_const(0), blocks, out_.collect([&] {
                       each_lane(memory.size() == sums_.size(), [&] {
                         const ExprP first = x.add(lo, x.mul(x.var(block, Scalar::Int64), lanes));
                         out_.set(loop.var, x.add(first, x.var(lane, Scalar::Int64)));
                         std::map<VarId, VarId> own;
                         for (const auto& [v, m] : memory) {
                           own[v] = out_.new_var("lane_value", sums_[v]->type);
                           out_.set(own[v], part(v));
                         }
                         for (const Stmt& s : loop.body) {
                           const auto& n = std::get<SetVar>(s.node);
                           const auto mine = own.find(n.var);
                           out_.set(mine == own.end() ? n.var : mine->second, in_lane(n.value, own));
                         }
                         for (const auto& [v, m] : memory)
                           out_.emit(Store{x.var(m, Scalar::Ptr), element(v), x.var(own[v], sums_[v]->type)});
                       });
                     })};
    main.site = loop.site;
    out_.emit(std::move(main));
    each_lane(false, [&] {
      for (const auto& [v, m] : memory) {
        const ExprP one = out_.temp(part(v), "lane_value"), all = x.var(v, sums_[v]->type);
        out_.set(v, x.any_order(x.select(x.binary(sums_[v]->a->op, one, all), one, all)));
      }
    });
    loop.lo = x.add(lo, x.mul(blocks, lanes));
    loop.hi = hi;
    out_.emit(std::move(loop));
  }

  /// The value that a further lane of a sum or product begins with: it changes nothing.
  ExprP start(const Expr& e) {
    return is_float(e.type) ? x_.float_const(*start_of(e), e.type)
                            : x_.int_const(static_cast<int64_t>(*start_of(e)), e.type);
  }
  /// No value: the operation has no such number, or is not associative.
  static std::optional<double> start_of(const Expr& e) {
    switch (e.op) {
      case Op::Add:
        return is_float(e.type) ? -0.0 : 0.0;
      case Op::Mul:
        return 1;
      case Op::Or:
      case Op::Xor:
        return 0;
      case Op::And:
        return e.type == Scalar::Bool ? 1 : -1;
      default:
        return {};
    }
  }
  ExprP in_lane(ExprP e, const std::map<VarId, VarId>& lane) {
    if (!e || is_const(e)) return e;
    if (e->kind == Expr::Kind::Var) {
      const auto own = lane.find(e->var);
      return own == lane.end() ? e : x_.var(own->second, e->type);
    }
    return with_parts(x_, e, [&](ExprP part) { return in_lane(part, lane); });
  }
  Exprs& x_;
  Writer out_;
  std::set<VarId> made_;         ///< variables of the loops in lanes
  std::map<VarId, ExprP> sums_;  ///< the steps of the reductions of a loop
};

}  // namespace

std::set<VarId> reduce_in_lanes(Exprs& x, Function& f) {
  Lanes lanes(x, f);
  lanes.block(f.body);
  return lanes.made();
}

}  // namespace vr::codegen::c99
