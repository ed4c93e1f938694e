// Long reductions in parts.
//
//   sum = 0                                      if n >= enough {
//   for i in [0, n) element reduce [...] {         chunks = 64 states in memory
//     sum = any(sum + a[i])                        for chunk in [0, 64) independent element chunks {
//   }                                                lo = n * chunk / 64
//                                                    sum#2 = 0; for i in [lo, n * (chunk + 1) / 64) { sum#2 = any(sum#2
//                                                    + a[i]) } store chunks[chunk] = sum#2
//                                                  }
//                                                  sum = 0; for next in [0, 64) { sum#1 = chunks[next]; sum = any(sum +
//                                                  sum#1) }
//                                                } else { as before }
//
// The loop says what its nest reduces and how two states are joined (CountedLoop::reduction).
#include "loop/transform/split_reductions.hpp"

#include "loop/analysis/loop_work.hpp"
#include "loop/analysis/nest.hpp"
#include "loop/replace.hpp"

#include <algorithm>

namespace vr::lower {

namespace {

constexpr int64_t part_count = 64;  // more than most machines have threads
constexpr int64_t state_bytes = 8;

class SplitReductions {
 public:
  SplitReductions(Writer& out, int64_t threshold) : out_(out), x_(out.x), threshold_(threshold) {}

  void block(Block& b) {
    replace_statements(out_, b, [&](Stmt& s) {
      auto* n = std::get_if<CountedLoop>(&s.node);
      if (!n || !n->reduction) return false;
      const auto reduction = std::exchange(n->reduction, nullptr);
      return write(s, *n, *reduction);
    });
  }

 private:
  bool write(Stmt& s, CountedLoop& loop, const Reduction& r) {
    const ExprP total = iterations(loop);
    if (!total || !is_int(loop.lo, 0)) return false;
    Block whole;
    whole.push_back(s);
    const LoopWork work(whole);
    if (!work.plain) return false;
    const ExprP enough = x_.ge(total, x_.int_const(threshold_ / std::max<int64_t>(work.operations, 1)));
    if (is_false(enough)) return false;
    Block in_parts = out_.collect([&] { split(loop, r); });
    out_.emit(If{enough, std::move(in_parts), std::move(whole)});
    return true;
  }
  /// Of the whole nest; null: bounds of its inner loops change inside of it.
  ExprP iterations(const CountedLoop& loop) {
    const auto assigned = assignments(loop.body);
    ExprP n = loop.hi;
    for (const CountedLoop* at = &loop; at->body.size() == 1;) {
      at = std::get_if<CountedLoop>(&at->body[0].node);
      if (!at) break;
      if (!is_int(at->lo, 0) || at->hi->kind == Expr::Kind::Load) return nullptr;
      for (VarId v : variables(at->hi))
        if (v == loop.var || assigned.count(v)) return nullptr;
      n = x_.mul(n, at->hi);
    }
    return n;
  }

  void split(const CountedLoop& loop, const Reduction& r) {
    const VarId memory = out_.new_var("chunks", Scalar::Ptr), chunk = out_.new_var("chunk", Scalar::Int64),
                next = out_.new_var("chunk", Scalar::Int64);
    const auto states = static_cast<int64_t>(r.vars.size());
    const ExprP states_at = x_.var(memory, Scalar::Ptr);
    out_.emit(Scratch{memory, part_count * states * state_bytes});
    auto place = [&](VarId part, size_t state) {
      return x_.part(x_.at(out_.get(part), states * state_bytes), static_cast<int64_t>(state) * state_bytes);
    };
    std::map<VarId, VarId> own;
    for (VarId v : r.vars) {
      const Var like = out_.fn.vars[static_cast<size_t>(v)];
      own[v] = out_.new_var(like.name, like.type);
    }
    auto begin = [&](const auto& variable) {
      for (size_t k = 0; k < r.vars.size(); ++k) out_.set(variable(r.vars[k]), r.start[k]);
    };

    Block work = out_.collect([&] {
      auto bound = [&](ExprP k) { return x_.binary(Op::Div, x_.mul(loop.hi, k), x_.int_const(part_count)); };
      const ExprP first = out_.keep(bound(out_.get(chunk)), "lo"),
                  last = out_.keep(bound(x_.add(out_.get(chunk), x_.int_const(1))), "hi");
      begin([&](VarId v) { return own.at(v); });
      CountedLoop part = loop;
      part.lo = first;
      part.hi = last;
      part.body = with_own(loop.body, own);
      out_.emit(std::move(part));
      for (size_t k = 0; k < r.vars.size(); ++k)
        out_.emit(Store{states_at, place(chunk, k), out_.get(own.at(r.vars[k]))});
    });
    CountedLoop all{chunk, x_.int_const(0), x_.int_const(part_count), std::move(work), true};
    all.element = all.chunks = true;
    all.site = loop.site;
    out_.emit(std::move(all));

    begin([](VarId v) { return v; });
    Block joined = out_.collect([&] {
      for (size_t k = 0; k < r.others.size(); ++k)
        out_.set(r.others[k], x_.load(out_.fn.vars[static_cast<size_t>(r.others[k])].type, states_at, place(next, k)));
      out_.append(Block(r.join));
    });
    CountedLoop join{next, x_.int_const(0), x_.int_const(part_count), std::move(joined), false, true};
    join.site = loop.site;
    out_.emit(std::move(join));
  }

  /// The block with a part's own state in place of the whole's.
  Block with_own(const Block& b, const std::map<VarId, VarId>& own) {
    std::map<VarId, ExprP> values;
    for (const auto& [v, part] : own) values[v] = out_.get(part);
    Block made = b;
    auto visit = [&](auto&& self, Block& at) -> void {
      for (Stmt& s : at) {
        each_expr_of(s, [&](ExprP& e) { e = substituted(x_, e, values); });
        if (auto* n = std::get_if<SetVar>(&s.node))
          if (const auto it = own.find(n->var); it != own.end()) n->var = it->second;
        for (Block* p : lower::parts(s)) self(self, *p);
      }
    };
    visit(visit, made);
    return made;
  }

  Writer& out_;
  Exprs& x_;
  const int64_t threshold_;
};

}  // namespace

void split_reductions(Module& m, const PassOptions& options) {
  if (!options.parallel || !options.version_loops) return;
  Exprs x(m);
  for (const auto& f : m.functions) {
    if (f->kind != Function::Kind::Entry) continue;
    Writer out(x, *f);
    Block body = std::move(f->body);
    f->body = out.collect([&] { SplitReductions(out, options.parallel_threshold).block(body); });
  }
}

}  // namespace vr::lower
