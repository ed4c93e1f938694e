#include "codegen/c99/roll.hpp"

#include "loop/analysis/used_outside.hpp"
#include "loop/walk.hpp"
#include "loop/writer.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace vr::codegen::c99 {

using namespace lower;

namespace {

constexpr int64_t most_rolled_nodes = 4000;

/// One expression for those of all copies: the same operations of the same values, of variables of each copy, and of
/// constants that grow by the same number from copy to copy.
class Template {
 public:
  Template(Exprs& x, VarId lane) : x_(x), lane_(lane) {}

  using Copies = std::vector<ExprP>;

  ExprP of(const Copies& e) {
    if (std::all_of(e.begin(), e.end(), [&](ExprP p) { return p == e[0] || (p && e[0] && same(p, e[0])); }))
      return used_as_same(e[0]) ? e[0] : nullptr;
    if (std::any_of(e.begin(), e.end(), [](ExprP p) { return !p; })) return nullptr;
    if (const auto step = constants(e)) return in_lane(e[0]->ival, *step, e[0]->type);
    const Expr& first = *e[0];
    const bool alike = std::all_of(e.begin(), e.end(), [&](ExprP p) {
      return p->kind == first.kind && p->type == first.type && p->op == first.op && p->fn == first.fn &&
             p->alias_set == first.alias_set && p->any_order == first.any_order &&
             (first.kind == Expr::Kind::Var || p->ival == first.ival);
    });
    if (alike && (first.kind == Expr::Kind::FloatConst || first.kind == Expr::Kind::Null)) return nullptr;
    if (alike && first.kind == Expr::Kind::Var) return variable(e);
    if (alike && first.kind == Expr::Kind::Load) return load(e);
    if (alike) {
      Expr made = first;
      if (part(e, made, &Expr::a) && part(e, made, &Expr::b) && part(e, made, &Expr::c)) return x_.make(made);
    }
    return added(e);
  }

  /// The variables of the copies, for the one of the first copy.
  const std::map<VarId, std::vector<VarId>>& variables() const { return copies_; }
  /// Copy k has its own variable in place of this one.
  bool pair(const std::vector<VarId>& v) {
    const auto [it, first] = copies_.insert({v[0], v});
    if (!first) return it->second == v;
    for (const VarId each : v)
      if (!taken_.insert(each).second) return false;
    return true;
  }

  /// No variable is both one of the copies' own and the same for all.
  bool is_consistent() const {
    return std::none_of(shared_.begin(), shared_.end(), [&](VarId v) { return taken_.contains(v); });
  }

 private:
  ExprP variable(const Copies& e) {
    std::vector<VarId> v;
    for (ExprP p : e) v.push_back(p->var);
    return pair(v) ? e[0] : nullptr;
  }
  /// Of one element for all copies, or of neighbours.
  ExprP load(const Copies& e) {
    Copies offsets;
    for (ExprP p : e) {
      if (!same(p->a, e[0]->a)) return nullptr;
      offsets.push_back(p->b);
    }
    if (!used_as_same(e[0]->a)) return nullptr;
    Expr made = *e[0];
    made.b = offset(offsets, scalar_bytes(made.type));
    return made.b ? x_.make(made) : nullptr;
  }
  ExprP offset(const Copies& e, int64_t bytes) {
    if (std::all_of(e.begin(), e.end(), [&](ExprP p) { return same(p, e[0]); }))
      return used_as_same(e[0]) ? e[0] : nullptr;
    if (const auto step = constants(e)) return *step == bytes ? in_lane(e[0]->ival, *step, Scalar::Int64) : nullptr;
    const auto is_sum = [](ExprP p) { return p->kind == Expr::Kind::Binary && p->op == Op::Add; };
    if (!std::all_of(e.begin() + 1, e.end(), is_sum)) return nullptr;
    Copies first, second;
    for (ExprP p : e) {
      const bool sum = is_sum(p) && (p != e[0] || is_const(p->b) == is_const(e[1]->b));
      first.push_back(sum ? p->a : p);
      second.push_back(sum ? p->b : x_.int_const(0));
    }
    const ExprP a = offset(first, bytes), b = a ? offset(second, bytes) : nullptr;
    return b ? x_.add(a, b) : nullptr;
  }
  /// A variable that is the same for all copies must not be one of theirs.
  bool used_as_same(ExprP e) {
    if (!e) return true;
    for (const VarId v : lower::variables(e)) {
      if (taken_.contains(v)) return false;
      shared_.insert(v);
    }
    return true;
  }
  bool part(const Copies& e, Expr& made, ExprP Expr::* which) {
    Copies parts;
    for (ExprP p : e) parts.push_back(p->*which);
    if (std::all_of(parts.begin(), parts.end(), [](ExprP p) { return !p; })) return true;
    made.*which = of(parts);
    return made.*which != nullptr;
  }
  /// By how much integer constants grow.
  static std::optional<int64_t> constants(const Copies& e) {
    for (ExprP p : e)
      if (p->kind != Expr::Kind::IntConst || p->type != Scalar::Int64) return {};
    const auto difference = [&](size_t k) {
      return static_cast<int64_t>(static_cast<uint64_t>(e[k]->ival) - static_cast<uint64_t>(e[k - 1]->ival));
    };
    for (size_t k = 2; k < e.size(); ++k)
      if (difference(k) != difference(1)) return {};
    return difference(1);
  }
  /// The first copy lacks the sum with the constant: it adds 0.
  ExprP added(const Copies& e) {
    Copies rest{e[0]}, constant{x_.int_const(0)};
    for (size_t k = 1; k < e.size(); ++k) {
      if (e[k]->kind != Expr::Kind::Binary || e[k]->op != Op::Add || e[k]->type != Scalar::Int64 || !is_const(e[k]->b))
        return nullptr;
      rest.push_back(e[k]->a);
      constant.push_back(e[k]->b);
    }
    const auto step = constants(constant);
    const ExprP without = step ? of(rest) : nullptr;
    return without ? x_.add(without, in_lane(0, *step, Scalar::Int64)) : nullptr;
  }
  ExprP in_lane(int64_t first, int64_t step, Scalar type) {
    return x_.add(x_.int_const(first, type), x_.mul(x_.var(lane_, Scalar::Int64), x_.int_const(step, type)));
  }

  Exprs& x_;
  VarId lane_;
  std::map<VarId, std::vector<VarId>> copies_;
  std::set<VarId> taken_, shared_;
};

class Roll {
 public:
  Roll(Exprs& x, Function& f, const std::set<VarId>& not_these)
      : x_(x), out_(x, f), not_these_(not_these), whole_(f.body) {}

  void block(Block& b) {
    Block made;
    for (Stmt& s : b) {
      for (Block* p : parts(s)) block(*p);
      auto* n = std::get_if<CountedLoop>(&s.node);
      if (!n || n->fallback || not_these_.contains(n->var) || !only_assigns(n->body) || !roll(*n, s.place, made))
        made.push_back(std::move(s));
    }
    b = std::move(made);
  }

 private:
  static bool only_assigns(const Block& b) {
    return std::all_of(b.begin(), b.end(), [](const Stmt& s) { return std::holds_alternative<SetVar>(s.node); });
  }
  bool roll(CountedLoop& loop, int32_t place, Block& made) {
    if (nodes(loop.body) > most_rolled_nodes) return false;
    const size_t size = loop.body.size();
    for (const size_t copies : {16, 8, 4})
      for (size_t length = size / copies; length > 0; --length)
        if (roll(loop, size - copies * length, length, copies, place, made)) return true;
    return false;
  }

  /// The copies are `length` statements each, behind `before` statements.
  bool roll(CountedLoop& loop, size_t before, size_t length, size_t copies, int32_t place, Block& made) {
    const auto at = [&](size_t copy, size_t k) -> const SetVar& {
      return std::get<SetVar>(loop.body[before + copy * length + k].node);
    };
    const size_t vars = out_.fn.vars.size();
    const VarId lane = out_.new_var("lane", Scalar::Int64);
    Template all(x_, lane);
    std::vector<std::pair<VarId, ExprP>> body;
    bool fits = true, floats = false;
    for (size_t k = 0; fits && k < length; ++k) {
      Template::Copies values;
      std::vector<VarId> targets;
      for (size_t c = 0; c < copies; ++c) values.push_back(at(c, k).value), targets.push_back(at(c, k).var);
      const ExprP value = all.of(values);
      fits = value && all.pair(targets);
      body.emplace_back(targets[0], value);
      floats = floats || (value && is_float(value->type));
    }
    fits = fits && floats && all.is_consistent();
    for (const auto& [v, each] : all.variables()) {
      const Scalar type = out_.fn.vars[static_cast<size_t>(v)].type;
      fits = fits && type != Scalar::Ptr && type != Scalar::Bool && v != loop.var;
    }
    // The statements in front of the copies must be the same for all.
    for (size_t k = 0; fits && k < before; ++k) {
      const auto& n = std::get<SetVar>(loop.body[k].node);
      for (const auto& [v, each] : all.variables())
        for (const VarId own : each) fits = fits && n.var != own && !mentions(n.value, own);
    }
    if (!fits) {
      out_.fn.vars.resize(vars);
      return false;
    }
    write(loop, before, body, all, copies, lane, place, made);
    return true;
  }

  /// What happens with a variable of the copies.
  struct Own {
    bool before = false;  ///< the body needs the value from in front of it
    bool after = false;   ///< something needs the value behind it
    VarId memory = none, var = none;
  };
  void write(CountedLoop& loop, size_t before, const std::vector<std::pair<VarId, ExprP>>& body, const Template& all,
             size_t copies, VarId lane, int32_t place, Block& made) {
    std::map<VarId, Own> own;
    const UsedOutside used(out_.fn, whole_, loop.body);
    std::set<VarId> assigned;
    for (const auto& [v, value] : body) {
      for (const VarId each : variables(value))
        if (all.variables().contains(each) && !assigned.contains(each)) own[each].before = true;
      assigned.insert(v);
      own.insert({v, {}});
    }
    for (auto& [v, o] : own) {
      const auto& list = all.variables().at(v);
      const bool outside = std::any_of(list.begin(), list.end(), [&](VarId each) { return used(each); });
      o.after = assigned.contains(v) && (outside || o.before);
      o.before = o.before || o.after;  // the loop may have no iteration
    }
    const Restore to(out_.block, &made);
    const Restore here(out_.place, place);
    for (auto& [v, o] : own) {
      const Var& var = out_.fn.vars[static_cast<size_t>(v)];
      o.var = out_.new_var(var.name, var.type);
      if (!o.before) continue;
      o.memory = out_.new_var(var.name + "_lanes", Scalar::Ptr);
      out_.emit(Scratch{o.memory, static_cast<int64_t>(copies) * scalar_bytes(var.type)});
      for (size_t c = 0; c < copies; ++c)
        out_.emit(Store{x_.var(o.memory, Scalar::Ptr), x_.int_const(static_cast<int64_t>(c) * scalar_bytes(var.type)),
                        x_.var(all.variables().at(v)[c], var.type)});
    }
    const auto type_of = [&](VarId v) { return out_.fn.vars[static_cast<size_t>(v)].type; };
    const auto element = [&](VarId v) {
      return x_.mul(x_.var(lane, Scalar::Int64), x_.int_const(scalar_bytes(type_of(v))));
    };
    const auto in_lane = [&](ExprP e) {
      return replaced(x_, e, [&](ExprP p) -> ExprP {
        const auto it = p->kind == Expr::Kind::Var ? own.find(p->var) : own.end();
        return it == own.end() ? nullptr : x_.var(it->second.var, p->type);
      });
    };
    CountedLoop lanes{lane, x_.int_const(0), x_.int_const(static_cast<int64_t>(copies)), out_.collect([&] {
                        for (const auto& [v, o] : own)
                          if (o.before) out_.set(o.var, x_.load(type_of(v), x_.var(o.memory, Scalar::Ptr), element(v)));
                        for (const auto& [v, value] : body) out_.set(own.at(v).var, in_lane(value));
                        for (const auto& [v, o] : own)
                          if (o.after)
                            out_.emit(Store{x_.var(o.memory, Scalar::Ptr), element(v), x_.var(o.var, type_of(v))});
                      }),
                      true};
    lanes.site = loop.site;
    loop.body.resize(before);
    loop.body.push_back({std::move(lanes), place});
    out_.emit(std::move(loop));
    for (const auto& [v, o] : own)
      for (size_t c = 0; o.after && c < copies; ++c)
        out_.set(all.variables().at(v)[c], x_.load(type_of(v), x_.var(o.memory, Scalar::Ptr),
                                                   x_.int_const(static_cast<int64_t>(c) * scalar_bytes(type_of(v)))));
  }

  Exprs& x_;
  Writer out_;
  const std::set<VarId>& not_these_;
  const Block whole_;  ///< the function's body before anything changed
};

}  // namespace

void roll_copies(Exprs& x, Function& f, const std::set<VarId>& not_these) { Roll(x, f, not_these).block(f.body); }

}  // namespace vr::codegen::c99
