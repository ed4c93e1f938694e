#include "loop/transform/share_writer.hpp"

#include "loop/analysis/array_uses.hpp"
#include "loop/analysis/private_arrays.hpp"
#include "loop/kernel_forms.hpp"
#include "loop/renamed.hpp"
#include "loop/walk.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace vr::lower {

namespace {

using Kind = SharePlan::Kind;
using Plans = std::vector<SharePlan>;

constexpr int32_t few_turns = 4;

/// Writes a kernel of which the members of a group run each iteration.
class ShareWriter {
 public:
  ShareWriter(Exprs& x, const Function& plain, const ShareShape& shape, const SharedSizes& sizes)
      : x_(x), shape_(shape), sizes_(sizes), made_(tile_version(plain)), out_(x, made_), body_(plain.body) {}

  Function run(const Plans& plans, const std::vector<OwnBox>& boxes) {
    made_.square = false;
    made_.group = shape_.members;
    const VarId own = made_.dims[0];
    share_arrays();
    const bool fails = notes_faults(body_, plans);
    made_.body = out_.collect([&] {
      tile_dim(out_, 0, ".item");
      const ExprP item = x_.var(made_.dims[0], Scalar::Int64);
      member_ = {named(x_.binary(Op::Rem, item, constant(shape_.members)), "member"), shape_.members};
      if (shape_.row > 1) {
        rows_.number = named(x_.binary(Op::Div, member_.number, constant(shape_.row)), "row");
        rows_.own = {named(x_.binary(Op::Rem, member_.number, constant(shape_.row)), "in_row"), shape_.row};
      }
      out_.set(own, x_.binary(Op::Div, item, constant(shape_.members)));
      for (const OwnBox& b : boxes) keep_box(b);
      stored_ = array_uses(body_).stored;
      if (fails) begin_failures();
      for (const Kept& k : kept_) copy(k, true);
      block(body_, plans);
      for (const Kept& k : kept_) copy(k, false);
    });
    made_.tile_of.members = shape_.members;
    made_.tile_of.apart[0] = shape_.members;
    return std::move(made_);
  }

 private:
  ExprP constant(int64_t v) { return x_.int_const(v); }
  ExprP named(ExprP e, const char* name) {
    const ExprP v = out_.temp(e, name);
    narrow(made_, v->var);
    return v;
  }
  /// Arrays of the work-item's own become memory of the group.
  void share_arrays() {
    const PrivateArrays arrays(body_, true);
    std::map<VarId, VarId> names;
    for (const PrivateArray& a : arrays.all()) {
      if (!a.type) continue;
      const VarId data = out_.new_var("shared", Scalar::Ptr);
      made_.shared.push_back({data, *a.type, static_cast<int32_t>(a.bytes / scalar_bytes(*a.type))});
      local_.insert(data);
      for (VarId v : a.names) names[v] = data;
    }
    for (Stmt& s : body_) s = renamed(x_, std::move(s), names);
  }

  // ---------------------------------------------------------------- boxes in local memory
  struct Kept {
    VarId data;  ///< in local memory: the elements in the order of their subscripts
    OwnBox box;
    std::vector<ExprP> first, count;  ///< of each axis, in the kernel
    ExprP elements;
    ExprP array;  ///< its address
  };
  void keep_box(const OwnBox& box) {
    Kept k{out_.new_var("box", Scalar::Ptr), box, {}, {}, constant(1), x_.var(box.data, Scalar::Ptr)};
    const auto known = [&](ExprP host, ExprP value) { return is_const(host) ? host : named(value, "of_box"); };
    const auto param = [&] {
      Param p;
      p.var = out_.new_var("of_box", Scalar::Int64);
      made_.params.push_back(p);
      return x_.var(p.var, Scalar::Int64);
    };
    for (const OwnBox::Axis& a : box.axes) {
      k.first.push_back(is_const(a.lo) ? a.lo : known(a.lo, param()));
      const bool constant_count = is_const(a.lo) && is_const(a.hi);
      k.count.push_back(constant_count ? constant(a.hi->ival - a.lo->ival + 1) : named(param(), "of_box"));
      k.elements = x_.mul(k.elements, k.count.back());
    }
    k.elements = is_const(k.elements) ? k.elements : named(k.elements, "of_box");
    const int64_t most = constant_elements(box).value_or(most_box_bytes / scalar_bytes(box.type));
    made_.shared.push_back({k.data, box.type, static_cast<int32_t>(most)});
    local_.insert(k.data);
    kept_.push_back(std::move(k));
    replace_accesses(body_);
  }
  /// The element of the last box at these subscripts.
  ExprP in_box(const Kept& k, std::vector<ExprP> index) {
    std::vector<ExprP> stride(index.size());
    ExprP step = constant(scalar_bytes(k.box.type));
    for (size_t axis = index.size(); axis-- > 0;) {
      index[axis] = x_.sub(index[axis], k.first[axis]);
      stride[axis] = step;
      step = x_.mul(step, k.count[axis]);
    }
    return x_.at(index, stride);
  }
  void replace_accesses(Block& b) {
    const Kept& k = kept_.back();
    const auto is_box = [&](ExprP base) { return base->kind == Expr::Kind::Var && base->var == k.box.data; };
    const auto moved = [&](auto&& self, ExprP e) -> ExprP {
      return replaced(x_, e, [&](ExprP n) -> ExprP {
        if (n->kind != Expr::Kind::Load || !is_box(n->a)) return nullptr;
        return x_.load(n->type, x_.var(k.data, Scalar::Ptr), in_box(k, index_of(k, n->b, self)));
      });
    };
    for (Stmt& s : b) {
      each_expr_of(s, [&](ExprP& e) {
        if (e) e = moved(moved, e);
      });
      const auto move = [&](auto& n) {
        n.offset = in_box(k, index_of(k, n.offset, moved));
        n.base = x_.var(k.data, Scalar::Ptr);
      };
      if (auto* n = std::get_if<Store>(&s.node); n && is_box(n->base)) {
        move(*n);
        n->alias_set = none;
      }
      if (auto* n = std::get_if<Atomic>(&s.node); n && is_box(n->base)) move(*n);
      for (Block* p : parts(s)) replace_accesses(*p);
    }
  }
  template <class F>
  std::vector<ExprP> index_of(const Kept& k, ExprP offset, const F& moved) {
    std::vector<ExprP> index;
    for (ExprP axis = offset; axis; axis = axis->c) index.push_back(moved(moved, axis->a));
    index.erase(index.begin(), index.begin() + static_cast<std::ptrdiff_t>(k.box.fixed.size()));
    return index;
  }
  /// Copies the box to local memory, or back.
  void copy(const Kept& k, bool load) {
    order({{load ? k.box.data : k.data}, {load ? k.data : k.box.data}});
    CountedLoop loop;
    loop.site = none;
    loop = turns_of(loop, k.elements, member_.number, member_.count);
    loop.body = out_.collect([&] {
      ExprP left =
          named(x_.add(member_.number, x_.mul(x_.var(loop.var, Scalar::Int64), constant(member_.count))), "element");
      std::vector<ExprP> index(k.count.size());
      for (size_t axis = index.size(); axis-- > 0;) {
        const bool outermost = axis == 0;
        index[axis] =
            x_.add(outermost ? left : named(x_.binary(Op::Rem, left, positive(k.count[axis])), "along"), k.first[axis]);
        if (!outermost) left = named(x_.binary(Op::Div, left, positive(k.count[axis])), "left");
      }
      std::vector<ExprP> all = k.box.fixed;
      all.insert(all.end(), index.begin(), index.end());
      const ExprP local = in_box(k, index), far = x_.at(all, k.box.stride);
      const ExprP base = x_.var(k.data, Scalar::Ptr);
      if (load)
        out_.emit(Store{base, local, x_.load(k.box.type, k.array, far)});
      else
        out_.emit(Store{k.array, far, x_.load(k.box.type, base, local)});
    });
    out_.emit(std::move(loop));
  }
  /// The loop has no iterations if it is 0.
  ExprP positive(ExprP count) { return is_const(count) ? count : x_.max(count, constant(1)); }

  // ---------------------------------------------------------------- barriers
  /// A barrier, if the statement with these uses must come after others.
  void order(const ArrayUses& here) {
    separate(here);
    pending_.add(here);
  }
  /// A barrier, if what has these uses must come after others.
  void separate(const ArrayUses& here) {
    bool meets = false, global = false;
    const auto conflict = [&](const std::set<VarId>& now, const std::set<VarId>& before) {
      for (VarId v : now)
        if (before.count(v)) meets = true, global = global || !local_.count(v);
    };
    conflict(here.loaded, pending_.stored);
    conflict(here.stored, pending_.stored);
    conflict(here.stored, pending_.loaded);
    if (meets) {
      out_.emit(Barrier{global});
      const auto done = [&](VarId v) { return global || local_.count(v) != 0; };
      std::erase_if(pending_.loaded, done);
      std::erase_if(pending_.stored, done);
      if (failures_.unchecked) leave_if_failed();
    }
  }
  /// Only arrays that the kernel changes need an order.
  ArrayUses changing(ArrayUses u) const {
    std::erase_if(u.loaded, [&](VarId v) { return !stored_.count(v); });
    return u;
  }

  // ---------------------------------------------------------------- statements
  void block(const Block& b, const Plans& plans) {
    for (size_t k = 0; k < b.size(); ++k) {
      const Restore place(out_.place, b[k].place);
      statement(b[k], plans[k]);
    }
  }
  void statement(const Stmt& s, const SharePlan& plan) {
    switch (plan.kind) {
      case Kind::Gone:
        return;
      case Kind::All:
        order(changing(array_uses(Block{s})));
        return emit_if(in_rows_ && is_harmless(s) ? nullptr : guard_, s);
      case Kind::One: {
        order(changing(array_uses(Block{s})));
        const ExprP first = x_.eq(member_.number, constant(0));
        return emit_if(guard_ ? x_.both(guard_, first) : first, s);
      }
      case Kind::Share:
        return share(std::get<CountedLoop>(s.node));
      case Kind::Rows:
        return rows(std::get<CountedLoop>(s.node), plan.parts[0]);
      case Kind::Serial:
        return serial(s, plan.parts[0]);
      case Kind::Choice:
        return choice(std::get<If>(s.node), plan);
    }
  }
  /// Whether the statement may be executed without an iteration of its own, if nothing needs what it assigns.
  static bool is_harmless(const Stmt& s) {
    auto* set = std::get_if<SetVar>(&s.node);
    return set && !any_node(set->value, [](ExprP e) {
             return e->kind == Expr::Kind::Load ||
                    (e->kind == Expr::Kind::Binary && (e->op == Op::Div || e->op == Op::Rem));
           });
  }
  void emit_if(ExprP c, const Stmt& s) {
    if (c)
      out_.emit(If{c, Block{s}, {}});
    else
      out_.block->push_back(s);
  }
  /// Its trip count, or none where the guard does not hold.
  ExprP trips_of(const CountedLoop& loop) {
    order(changing(array_uses(loop.hi)));
    return out_.keep(guard_ ? x_.select(guard_, loop.hi, constant(0)) : loop.hi, "trips");
  }
  /// Whether so many members run at most one iteration each.
  bool one_turn(const CountedLoop& loop, int32_t members) const {
    const auto bound = sizes_.bounds.find(loop.var);
    return bound != sizes_.bounds.end() && bound->second <= members;
  }
  void share(const CountedLoop& loop) {
    const ExprP trips = trips_of(loop);
    const bool fails = has<Fail>(loop.body);
    order(changing(array_uses(loop.body)));
    const Block leaving = fails ? leaving_at_faults(loop.body) : loop.body;
    const auto iteration = [&](ExprP number) {
      return out_.collect([&] {
        out_.set(loop.var, number);
        out_.append(Block(leaving));
      });
    };
    if (fails) out_.set(failures_.failed, x_.bool_const(false));
    if (!fails && one_turn(loop, member_.count)) {
      out_.emit(If{x_.lt(member_.number, trips), iteration(member_.number), {}});
      return;
    }
    CountedLoop own = turns_of(loop, trips, member_.number, member_.count);
    own.body = iteration(x_.add(member_.number, x_.mul(x_.var(own.var, Scalar::Int64), constant(member_.count))));
    out_.emit(std::move(own));
    failures_.unchecked = failures_.unchecked || fails;
  }

  // ---------------------------------------------------------------- faults in shared loops
  // A fault is noted in one of two numbers of the group. After a barrier all members look at the number that was used
  // before it, and use the other one from there on: nobody changes what others may still look at.
  /// Whether a shared loop among the statements has faults; those of other statements let all members leave at once.
  static bool notes_faults(const Block& b, const Plans& plans) {
    for (size_t k = 0; k < b.size(); ++k) {
      if (plans[k].kind == Kind::Share && has<Fail>(Block{b[k]})) return true;
      const auto inside = lower::parts(b[k]);
      for (size_t part = 0; part < plans[k].parts.size(); ++part)
        if (notes_faults(*inside[part], plans[k].parts[part])) return true;
    }
    return false;
  }
  void begin_failures() {
    failures_ = {out_.new_var("failures", Scalar::Ptr), out_.new_var("failed", Scalar::Bool),
                 out_.new_var("phase", Scalar::Int64)};
    narrow(made_, failures_.phase);
    any_statement(body_, [&](const Stmt& s) {
      auto* n = std::get_if<Fail>(&s.node);
      if (n) failures_.site = n->site, failures_.code = n->code;
      return n != nullptr;
    });
    made_.shared.push_back({failures_.memory, Scalar::Int32, 2});
    Block none_yet = out_.collect([&] { note_failure(member_.number, 0); });
    out_.emit(If{x_.lt(member_.number, constant(2)), std::move(none_yet), {}});
    out_.set(failures_.phase, constant(0));
    out_.emit(Barrier{});
  }
  ExprP phase() { return x_.var(failures_.phase, Scalar::Int64); }
  void note_failure(ExprP at, int64_t n) {
    out_.emit(Store{x_.var(failures_.memory, Scalar::Ptr), x_.at(at, 4), x_.int_const(n, Scalar::Int32)});
  }
  /// The iteration, which leaves the loop at a fault.
  Block leaving_at_faults(const Block& b) {
    return out_.collect([&] {
      for (Stmt s : b) {
        const Restore place(out_.place, s.place);
        if (auto* n = std::get_if<Fail>(&s.node)) {
          n->stay = true;
          out_.emit(*n);
          note_failure(phase(), 1);
          out_.set(failures_.failed, x_.bool_const(true));
          out_.emit(Break{});
          continue;
        }
        const bool loop = std::holds_alternative<CountedLoop>(s.node) || std::holds_alternative<Loop>(s.node);
        const bool fails = has<Fail>(Block{s});
        for (Block* p : parts(s)) *p = leaving_at_faults(*p);
        out_.block->push_back(std::move(s));
        if (loop && fails) out_.emit(If{x_.var(failures_.failed, Scalar::Bool), Block{{Break{}, none}}, {}});
      }
    });
  }
  /// Behind a barrier: all members leave the kernel if one of them has noted a fault before it.
  void leave_if_failed() {
    Block leave;
    leave.push_back({Fail{failures_.site, failures_.code}, out_.place});
    const ExprP noted = x_.load(Scalar::Int32, x_.var(failures_.memory, Scalar::Ptr), x_.at(phase(), 4));
    out_.emit(If{x_.ne(noted, x_.int_const(0, Scalar::Int32)), std::move(leave), {}, true});
    out_.set(failures_.phase, x_.sub(constant(1), phase()));
    failures_.unchecked = false;
  }

  /// A loop over the numbers first, first + step, ... below `trips`, still without a body.
  CountedLoop turns_of(const CountedLoop& loop, ExprP trips, ExprP first, int32_t step) {
    CountedLoop own;
    own.var = out_.new_var("turn", Scalar::Int64);
    narrow(made_, own.var);
    own.lo = constant(0);
    own.hi = named(x_.binary(Op::Div, x_.sub(x_.add(trips, constant(step - 1)), first), constant(step)), "turns");
    own.site = loop.site;
    // Other groups run while a member waits for loads, so that few turns need no overlap of their own.
    const auto bound = sizes_.bounds.find(loop.var);
    const bool waits = has<Atomic>(loop.body);
    const bool few = bound == sizes_.bounds.end() ? !waits : bound->second <= int64_t{few_turns} * step;
    own.unroll = few ? 1 : few_turns;
    return own;
  }
  void rows(const CountedLoop& loop, const Plans& plans) {
    const ExprP trips = trips_of(loop);
    const auto turn = [&](ExprP first) {
      const ExprP number = named(first, "number");
      const Restore guard(guard_, out_.temp(x_.lt(number, trips), "inside"));
      const Restore member(member_, rows_.own);
      const Restore in_rows(in_rows_, true);
      out_.set(loop.var, number);
      block(loop.body, plans);
    };
    if (one_turn(loop, shape_.rows())) return turn(rows_.number);
    CountedLoop own = turns_of(loop, trips, constant(0), shape_.rows());
    // Iterations access no elements of each other, so that there is no order between the turns.
    separate(changing(array_uses(loop.body)));
    const bool fails = notes_faults(loop.body, plans);
    failures_.unchecked = failures_.unchecked || fails;
    const ArrayUses before = pending_;
    own.body = out_.collect(
        [&] { turn(x_.add(rows_.number, x_.mul(x_.var(own.var, Scalar::Int64), constant(shape_.rows())))); });
    pending_.add(before);
    failures_.unchecked = failures_.unchecked || fails;
    out_.emit(std::move(own));
  }
  void serial(const Stmt& s, const Plans& plans) {
    Stmt made = s;
    Block& body = *parts(made)[0];
    auto* counted = std::get_if<CountedLoop>(&made.node);
    if (counted) {
      counted->hi = trips_of(*counted);
      if (!is_int(counted->lo, 0)) order(changing(array_uses(counted->lo)));
    }
    const ArrayUses inside = changing(array_uses(body));
    const bool fails = notes_faults(body, plans);
    pending_.add(inside);  // by the iteration before
    failures_.unchecked = failures_.unchecked || fails;
    const Restore guard(guard_, ExprP{});
    const Block original = std::move(body);
    body = out_.collect([&] { block(original, plans); });
    pending_.add(inside);
    failures_.unchecked = failures_.unchecked || fails;
    out_.block->push_back(std::move(made));
  }
  void choice(const If& n, const SharePlan& plan) {
    const Restore in_rows(in_rows_, false);
    order(changing(array_uses(n.cond)));
    const ExprP c = out_.temp(guard_ ? x_.both(guard_, n.cond) : n.cond, "chosen");
    const ExprP around = guard_;
    {
      const Restore guard(guard_, c);
      block(n.then_body, plan.parts[0]);
    }
    if (n.else_body.empty()) return;
    const ExprP other = x_.not_(c);
    const Restore guard(guard_, around ? x_.both(around, other) : other);
    block(n.else_body, plan.parts[1]);
  }

  struct Member {
    ExprP number = nullptr;
    int32_t count = 0;
  };

  Exprs& x_;
  const ShareShape shape_;
  const SharedSizes& sizes_;
  Function made_;
  Writer out_;
  Block body_;     ///< of the plain kernel, with arrays of the group
  Member member_;  ///< of the group or, in `rows`, of the row
  struct {
    ExprP number = nullptr;  ///< of the member's row
    Member own;              ///< the member in its row
  } rows_;
  ExprP guard_ = nullptr;   ///< whether the current statements are executed, for all members; null: they are
  bool in_rows_ = false;    ///< nothing but statements under the guard uses what is assigned
  std::set<VarId> local_;   ///< arrays of the group
  std::set<VarId> stored_;  ///< arrays that the kernel changes
  ArrayUses pending_;       ///< since the last barrier
  std::vector<Kept> kept_;
  struct {
    VarId memory = none;  ///< two Int32 of the group: not 0 if a member has met a fault
    VarId failed = none;  ///< of the member itself, in the current loop
    VarId phase = none;   ///< which of the two is used until the next barrier that looks at it
    SiteId site = none;   ///< of any fault
    int32_t code = 0;
    bool unchecked = false;  ///< since the last look at them a member may have noted one
  } failures_;
};

}  // namespace

std::optional<int64_t> constant_elements(const OwnBox& box) {
  int64_t all = 1;
  for (const OwnBox::Axis& a : box.axes) {
    if (a.lo->kind != Expr::Kind::IntConst || a.hi->kind != Expr::Kind::IntConst) return {};
    all *= std::max<int64_t>(a.hi->ival - a.lo->ival + 1, 0);
    if (all > most_box_bytes) return all;
  }
  return all;
}

Function share_version(Exprs& x, const Function& plain, const std::vector<SharePlan>& plans, const ShareShape& shape,
                       const SharedSizes& sizes, const std::vector<OwnBox>& boxes) {
  return ShareWriter(x, plain, shape, sizes).run(plans, boxes);
}

}  // namespace vr::lower
