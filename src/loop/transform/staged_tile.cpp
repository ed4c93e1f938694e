// Tiles of a work-group in local memory:
//
//   kernel [j, i] {                       kernel [j.item, i.tile] {            groups of 256 work-items along j.item
//     s = 0                                 s00 = 0; ...; s77 = 0              8 x 8 iterations of a work-item
//     for k {                               for each 16 iterations of k {
//       s = s + a[i, k] * b[k, j]             la[.., ..] = a[i of the group, those k]
//     }                                       lb[.., ..] = b[those k, j of the group]
//     c[i, j] = s                             barrier
//   }                                         for kk in 0 .. 16 { s00 = s00 + la[kk, i0] * lb[kk, j0]; ... }
//                                             barrier
//                                           }
//                                           c[i0, j0] = s00; ...
//                                         }
//
// A group at the end of the domain loads what an iteration within it needs, in place of what others would load; only
// iterations in the domain store. Where the domain is a part of the grid (a triangle), the group first finds out which
// of its rows and columns have an iteration in it.
#include "loop/transform/staged_tile.hpp"

#include "loop/analysis/nest.hpp"
#include "loop/kernel_forms.hpp"
#include "loop/transform/chosen_in_loop.hpp"
#include "loop/transform/loop_bounds.hpp"
#include "loop/transform/staged_loads.hpp"
#include "loop/transform/tile_jam.hpp"
#include "loop/walk.hpp"
#include "loop/writer.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>
#include <vector>

namespace vr::lower {

namespace {

constexpr int64_t most_depth = 16, least_depth = 4;  // iterations of the loop whose elements are in local memory
constexpr int64_t padding = 4;                       // elements after each line, against bank conflicts
constexpr StagedShape wide{256, 256, 64, 8};
// Of a triangle's groups many have no iteration in the domain, and the others do not fill the device evenly: there are
// more of half the size (rank k of 4096 x 2048 on an H200: 1.49 ms to 0.93; float64 2.69 to 2.12).
constexpr StagedShape small{128, 128, 64, 8};
constexpr StagedShape narrow_shape{64, 64, 64, 8};
// Four times as many work-items for the same domain.
constexpr StagedShape many_shape{64, 64, 16, 4};

/// Elements of local memory for each iteration of the loop.
int64_t pitch(const Staged& s, const StagedShape& group) { return group.extent(s.dim) + padding; }

Function staged_version(const Function& plain, const StagedShape& group) {
  Function f = tile_version(plain);
  f.square = false;
  f.group = group.group;
  return f;
}

class StagedWriter {
 public:
  struct Shape {
    StagedShape group;
    int64_t depth, unroll;  ///< iterations of the loop in local memory; by how much the loop over them is unrolled
  };
  StagedWriter(Exprs& x, const Function& plain, const TileDomain& domain, const DimDependence& dims, StagedLoads& loads,
               const Shape& shape)
      : x_(x),
        plain_(plain),
        domain_(domain),
        dims_(dims),
        loads_(loads),
        shape_(shape),
        made_(staged_version(plain, shape.group)),
        out_(x, made_),
        jam_(x, made_, dims, {{shape.group.side, shape.group.side}}),
        statements_(dims, {{shape.group.side, shape.group.side}}) {}

  Function run() {
    made_.body = out_.collect([&] {
      begin();
      if (domain_.inside)
        part_of_grid();
      else
        whole_grid();
    });
    return std::move(made_);
  }

 private:
  ExprP constant(int64_t v) { return x_.int_const(v); }
  ExprP div(ExprP e, int64_t by) { return x_.binary(Op::Div, e, constant(by)); }
  ExprP rem(ExprP e, int64_t by) { return x_.binary(Op::Rem, e, constant(by)); }
  VarId shared(const std::string& name, Scalar type, int64_t count) {
    const VarId data = out_.new_var(name, Scalar::Ptr);
    made_.shared.push_back({data, type, static_cast<int32_t>(count)});
    return data;
  }

  void begin() {
    std::array<ExprP, 2> at;
    for (size_t d = 0; d < 2; ++d) {
      place_.count[d] = x_.var(tile_dim(out_, d, d == 0 ? ".item" : ".tile"), Scalar::Int64);
      at[d] = x_.var(made_.dims[d], Scalar::Int64);
    }
    made_.tile_of.apart[0] = shape_.group.group;
    made_.tile_of.size[1] = shape_.group.rows;
    place_.lane = out_.temp(rem(at[0], shape_.group.group), "lane");
    place_.first[0] = out_.temp(x_.mul(div(at[0], shape_.group.group), constant(shape_.group.columns)), "first");
    place_.first[1] = out_.temp(x_.mul(at[1], constant(shape_.group.rows)), "first");
    place_.own[0] = out_.temp(x_.mul(rem(place_.lane, shape_.group.across()), constant(4)), "across");
    place_.own[1] = out_.temp(x_.mul(div(place_.lane, shape_.group.across()), constant(shape_.group.side)), "down");
    for (LoopInTiles& l : loads_.loops) {
      std::set<VarId> taken;
      for (Staged& s : l.loads) {
        s.data = taken_before(s, taken);
        if (s.data == none)
          s.data = shared(made_.vars[static_cast<size_t>(s.loads[0]->a->var)].name + ".part", s.loads[0]->type,
                          shape_.depth * pitch(s, shape_.group));
        taken.insert(s.data);
      }
    }
  }
  /// The local memory of another loop's elements, which are not needed at the same time.
  VarId taken_before(const Staged& s, const std::set<VarId>& taken) const {
    for (const LoopInTiles& l : loads_.loops)
      for (const Staged& other : l.loads)
        if (other.data != none && other.dim == s.dim && other.loads[0]->type == s.loads[0]->type &&
            !taken.contains(other.data))
          return other.data;
    return none;
  }
  /// The position in the group, along dims[d], of a work-item's iteration number p: groups of four are consecutive.
  int64_t offset(size_t d, int64_t p) const { return d == 0 ? p % 4 + p / 4 * 4 * shape_.group.across() : p; }
  ExprP position(size_t d, int64_t p) { return x_.add(place_.own[d], constant(offset(d, p))); }
  ExprP number(size_t d, int64_t p) { return x_.add(place_.first[d], position(d, p)); }
  size_t point(size_t d, int64_t p) const { return static_cast<size_t>(d == 0 ? p : p * shape_.group.side); }
  VarId at(size_t d, int64_t p) { return jam_.var(plain_.dims[d], point(d, p)); }
  template <class F>
  void each_number(const F& f) {
    for (size_t d = 0; d < 2; ++d)
      for (int64_t p = 0; p < shape_.group.side; ++p) f(d, p);
  }
  /// Whether the point is in the domain. The number of one that is not may have been changed.
  ExprP in_domain(size_t q) {
    ExprP in = x_.bool_const(true);
    for (size_t d = 0; d < 2; ++d) {
      const int64_t p = jam_.place(q)[d];
      in = x_.both(in, x_.eq(x_.var(at(d, p), Scalar::Int64), number(d, p)));
    }
    return domain_.inside ? x_.both(in, jam_.of_point(domain_.inside, q)) : in;
  }

  void whole_grid() {
    ExprP whole = x_.bool_const(true);
    for (size_t d = 0; d < 2; ++d)
      whole = x_.both(whole, x_.le(x_.add(place_.first[d], constant(shape_.group.extent(d))), place_.count[d]));
    place_.whole = out_.temp(whole, "whole");
    work(domain_.open.body, [&] {
      each_number(
          [&](size_t d, int64_t p) { out_.set(at(d, p), x_.min(number(d, p), x_.sub(place_.count[d], constant(1)))); });
      return x_.bool_const(true);
    });
  }

  ExprP in_state(VarId state, size_t k) {
    return x_.load(Scalar::Int32, x_.var(state, Scalar::Ptr), constant(4 * static_cast<int64_t>(k)));
  }
  ExprP is_set(VarId data, ExprP element) {
    return x_.ne(x_.load(Scalar::Int32, x_.var(data, Scalar::Ptr), x_.mul(element, constant(4))),
                 x_.int_const(0, Scalar::Int32));
  }
  void part_of_grid() {
    const Block& body = domain_.open.body;
    const Block after(body.begin() + static_cast<std::ptrdiff_t>(domain_.before), body.end());
    for (size_t d = 0; d < 2; ++d) grid_.used[d] = shared("used", Scalar::Int32, shape_.group.extent(d));
    // Whether there is an iteration in the domain, and one outside; a position along each dimension of one in the
    // domain.
    const VarId state = shared("state", Scalar::Int32, 4);
    const auto flag = [&](VarId data, ExprP element, int64_t value) {
      out_.emit(Store{x_.var(data, Scalar::Ptr), x_.mul(element, constant(4)), x_.int_const(value, Scalar::Int32)});
    };
    flag(grid_.used[0], place_.lane, 0);
    out_.emit(If{x_.lt(place_.lane, constant(shape_.group.rows)),
                 out_.collect([&] { flag(grid_.used[1], place_.lane, 0); }),
                 {}});
    out_.emit(If{x_.lt(place_.lane, constant(4)), out_.collect([&] { flag(state, place_.lane, 0); }), {}});
    out_.emit(Barrier{});
    // Each work-item looks at some iterations of the group.
    CountedLoop look{out_.new_var("turn", Scalar::Int64),
                     constant(0),
                     constant(shape_.group.columns * shape_.group.rows / shape_.group.group),
                     {}};
    look.body = out_.collect([&] {
      const ExprP which = out_.temp(
          x_.add(x_.mul(x_.var(look.var, Scalar::Int64), constant(shape_.group.group)), place_.lane), "which");
      const std::array<ExprP, 2> place = {out_.temp(rem(which, shape_.group.columns), "along"),
                                          out_.temp(div(which, shape_.group.columns), "line")};
      ExprP in = x_.bool_const(true);
      for (size_t d = 0; d < 2; ++d) {
        const ExprP number = out_.temp(x_.add(place_.first[d], place[d]), "number");
        out_.set(plain_.dims[d], x_.min(number, x_.sub(place_.count[d], constant(1))));
        in = x_.both(in, x_.lt(number, place_.count[d]));
      }
      out_.append(before());
      Block inside = out_.collect([&] {
        for (size_t d = 0; d < 2; ++d) flag(grid_.used[d], place[d], 1);
        flag(state, constant(0), 1);
      });
      out_.emit(If{x_.both(in, domain_.inside), std::move(inside), out_.collect([&] { flag(state, constant(1), 1); })});
    });
    out_.emit(std::move(look));
    out_.emit(Barrier{});
    const auto largest = [&](size_t d) {
      Block update = out_.collect([&] {
        out_.emit(Atomic{ir::AtomicOp::Max, out_.new_var("before", Scalar::Int32), x_.var(state, Scalar::Ptr),
                         constant(4 * static_cast<int64_t>(2 + d)), x_.convert(place_.lane, Scalar::Int32)});
      });
      out_.emit(If{is_set(grid_.used[d], place_.lane), std::move(update), {}});
    };
    largest(0);
    out_.emit(If{x_.lt(place_.lane, constant(shape_.group.rows)), out_.collect([&] { largest(1); }), {}});
    out_.emit(Barrier{});
    for (size_t d = 0; d < 2; ++d)
      grid_.other[d] = out_.temp(x_.convert(in_state(state, 2 + d), Scalar::Int64), "other");
    place_.whole = out_.temp(x_.eq(in_state(state, 1), x_.int_const(0, Scalar::Int32)), "whole");
    grid_.any = out_.temp(x_.ne(in_state(state, 0), x_.int_const(0, Scalar::Int32)), "any");
    work(after, [&] {
      // Of a work-item's numbers those that no iteration in the domain has become one that such an iteration has.
      std::array<ExprP, 2> some = {x_.bool_const(false), x_.bool_const(false)};
      for (size_t d = 0; d < 2; ++d) {
        std::vector<ExprP> valid;
        for (int64_t p = 0; p < shape_.group.side; ++p) {
          valid.push_back(out_.temp(is_set(grid_.used[d], position(d, p)), "valid"));
          some[d] = x_.either(some[d], valid.back());
        }
        ExprP one = number(d, 0);
        for (int64_t p = shape_.group.side; p-- > 1;) one = x_.select(valid[static_cast<size_t>(p)], number(d, p), one);
        one = out_.temp(one, "one");
        for (int64_t p = 0; p < shape_.group.side; ++p)
          out_.set(at(d, p), x_.select(valid[static_cast<size_t>(p)], number(d, p), one));
      }
      out_.append(jam_.run(before()));
      return x_.both(some[0], some[1]);
    });
  }

  /// Everything up to the end. numbers: sets the numbers of the work-item's iterations; those that no iteration in the
  /// domain has become one that such an iteration has. Returns whether there is one along each dimension; else nothing
  /// but the loop is executed.
  void work(const Block& body, std::function<ExprP()> numbers) {
    grid_.numbers = std::move(numbers);
    find_needed(body);
    Block front;
    find_front(body, front);
    for (const Stmt& s : front)
      if (auto* n = std::get_if<SetVar>(&s.node); n && loads_.is_address(n->var)) {
        again_.addresses.push_back(s);
        again_.variables.insert(n->var);
      }
    start_with_zeros(front);
    grid_.found = x_.bool_const(true);
    if (std::any_of(again_.needed.begin(), again_.needed.end(), [&](VarId v) { return (dims_.of(v) & 3) != 0; }))
      grid_.found = out_.keep(grid_.numbers(), "found");
    path(body);
  }
  bool contains(const Stmt& s, bool last = false) const {
    return any_statement(s, [&](const Stmt& t) {
      auto* n = std::get_if<CountedLoop>(&t.node);
      const LoopInTiles* found = n ? loads_.find(*n) : nullptr;
      return found && (!last || found == &loads_.loops.back());
    });
  }

  /// Addresses are computed again after the loop, so that they take no registers before. again_.needed: the variables
  /// that the loop and what comes before it use, apart from addresses of staged elements.
  void find_needed(const Block& body) {
    const auto use = [&](auto&& self, ExprP e) -> void {
      if (!e || loads_.is_staged(e)) return;
      if (e->kind == Expr::Kind::Var) again_.needed.insert(e->var);
      for (ExprP part : {e->a, e->b, e->c}) self(self, part);
    };
    const auto visit = [&](auto&& self, const Block& b) -> bool {
      for (const Stmt& s : b) {
        auto* n = std::get_if<SetVar>(&s.node);
        if (!n || !loads_.is_address(n->var) || again_.needed.count(n->var))
          each_expr(s, [&](ExprP e) { use(use, e); });
        const bool last = contains(s, true);
        for (const Block* p : parts(s))
          if (self(self, *p)) return true;
        if (last) return true;
      }
      return false;
    };
    for (size_t known = size_t(-1); known != again_.needed.size();) {
      known = again_.needed.size();
      visit(visit, body);
    }
  }
  /// The statements in front of the last loop, apart from the others and those around them.
  bool find_front(const Block& b, Block& front) const {
    for (const Stmt& s : b) {
      if (!contains(s)) {
        front.push_back(s);
        continue;
      }
      if (std::holds_alternative<If>(s.node))
        for (const Block* p : parts(s))
          if (find_front(*p, front)) return true;
      if (contains(s, true)) return true;
    }
    return false;
  }
  /// The loop computes for all iterations with what some statements in front of it compute for those in the domain
  /// alone: the others begin with zeros.
  void start_with_zeros(const Block& front) {
    std::set<VarId> apart, computed, started;
    bool split = false;
    for (const Stmt& s : front) {
      const bool alone = statements_.goes_alone(s, apart);
      if (alone) TileParts::set_apart(s, apart);
      split = split || alone || loads_in_part(s);
      auto* n = std::get_if<SetVar>(&s.node);
      if (!n || !again_.variables.count(n->var)) TileParts::set_apart(s, computed);
    }
    for (VarId v : split ? computed : std::set<VarId>())
      for (size_t q = 0; q < jam_.points() && (dims_.of(v) & 3) != 0; ++q) {
        const Scalar type = plain_.vars[static_cast<size_t>(v)].type;
        if (const VarId copy = jam_.var(v, q); started.insert(copy).second)
          out_.set(copy, is_float(type) ? x_.float_const(0, type) : x_.int_const(0, type));
      }
  }
  /// Whether it loads what exists only if one of the work-item's iterations is in the domain.
  bool loads_in_part(const Stmt& s) const {
    bool found = false;
    each_expr(s, [&](ExprP e) { found = found || (domain_.inside && lower::loads(e)); });
    return found;
  }

  void path(const Block& b) {
    Block some;
    for (const Stmt& s : b) {
      auto* set = std::get_if<SetVar>(&s.node);
      const bool uniform = set && (dims_.of(set->var) & 3) == 0 && !after_;
      if (!contains(s) && !uniform) {
        some.push_back(s);
        continue;
      }
      piece(std::move(some));
      some.clear();
      const Restore place(out_.place, s.place);
      if (uniform) {
        of_group(s);
        continue;
      }
      if (auto* choice = std::get_if<If>(&s.node)) {
        Block then_body = out_.collect([&] { path(choice->then_body); });
        Block else_body = out_.collect([&] { path(choice->else_body); });
        out_.emit(If{choice->cond, std::move(then_body), std::move(else_body), choice->unlikely});
        continue;
      }
      const CountedLoop& n = std::get<CountedLoop>(s.node);
      if (const LoopInTiles* found = loads_.find(n)) {
        now_ = {&found->loads, {}};
        staged(n);
        after_ = found == &loads_.loops.back();
        continue;
      }
      CountedLoop joint = n;
      joint.body = out_.collect([&] { path(n.body); });
      out_.emit(std::move(joint));
    }
    piece(std::move(some));
  }
  /// An assignment of what is the same in the whole group, such as the loop's bounds: all work-items need it, because
  /// they meet at the loop's barriers. What it loads exists if some iteration is in the domain.
  void of_group(const Stmt& s) {
    Block one = jam_.run({s});
    if (grid_.any && lower::loads(std::get<SetVar>(s.node).value))
      out_.emit(If{grid_.any, std::move(one), {}});
    else
      out_.append(std::move(one));
  }
  /// Statements in front of the loop or behind it. Only iterations in the domain store, and load what may differ
  /// between iterations.
  void piece(Block b) {
    std::erase_if(b, [&](const Stmt& s) {
      auto* n = std::get_if<SetVar>(&s.node);
      return n && again_.variables.count(n->var) && (after_ || !again_.needed.count(n->var));
    });
    if (b.empty()) return;
    std::set<VarId> apart;
    bool split = after_;
    for (const Stmt& s : b) {
      const bool alone = statements_.goes_alone(s, apart);
      if (alone) TileParts::set_apart(s, apart);
      split = split || alone || loads_in_part(s);
    }
    if (!split) return out_.append(jam_.run(b));
    Block inside = out_.collect([&] {
      if (after_) {
        each_number([&](size_t d, int64_t p) { out_.set(at(d, p), number(d, p)); });
        if (domain_.inside) out_.append(jam_.run(before()));
        out_.append(jam_.run(again_.addresses));
      }
      out_.append(jam_.run(b));
    });
    Block partly = out_.collect([&] {
      const ExprP found = after_ ? grid_.numbers() : grid_.found;
      Block those = out_.collect([&] {
        if (after_) out_.append(jam_.run(again_.addresses));
        out_.append(jam_.run_where(b, [&](size_t q) { return in_domain(q); }));
      });
      if (is_true(found))
        out_.append(std::move(those));
      else
        out_.emit(If{found, std::move(those), {}});
    });
    out_.emit(If{place_.whole, std::move(inside), std::move(partly)});
  }
  /// What the condition of the domain needs.
  Block before() const {
    const Block& body = domain_.open.body;
    return Block(body.begin(), body.begin() + static_cast<std::ptrdiff_t>(domain_.before));
  }

  void staged(const CountedLoop& n) {
    const LoopBounds bounds = loop_bounds(out_, n);
    const ExprP lo = bounds.lo, some = grid_.any ? x_.both(bounds.some, grid_.any) : bounds.some;
    const ExprP trips = out_.temp(x_.select(some, x_.sub(bounds.hi, lo), constant(0)), "trips");
    divide();
    const VarId part = out_.new_var("part", Scalar::Int64);
    const ExprP parts = out_.temp(div(trips, shape_.depth), "parts"),
                rest = out_.temp(rem(trips, shape_.depth), "rest");
    // The elements for the next iterations are on their way while these compute, unless other work-groups have room for
    // their variables then (a product on an H200: float32 6.1 ms ahead, 5.6 not; float64 10.4 ahead, 13.4 not; in
    // groups of half the size 2.22 ms ahead, 2.12 not).
    const bool ahead = !domain_.inside && std::any_of(now_.loads->begin(), now_.loads->end(), [](const Staged& s) {
      return scalar_bytes(s.loads[0]->type) > 4;
    });
    if (ahead) out_.emit(If{x_.gt(parts, constant(0)), out_.collect([&] { load_parts(n, lo); }), {}});
    CountedLoop by_parts{part, constant(0), parts, {}};
    by_parts.body = out_.collect([&] {
      const ExprP turn = x_.var(part, Scalar::Int64), next = x_.add(turn, constant(1));
      const ExprP k = out_.temp(x_.add(lo, x_.mul(turn, constant(shape_.depth))), "k");
      if (!ahead) load_parts(n, k);
      store_parts();
      out_.emit(Barrier{});
      if (ahead)
        out_.emit(If{x_.lt(next, parts), out_.collect([&] { load_parts(n, x_.add(k, constant(shape_.depth))); }), {}});
      compute(n, k, constant(shape_.depth));
      out_.emit(Barrier{});
    });
    out_.emit(std::move(by_parts));
    Block last = out_.collect([&] {
      const ExprP k = out_.temp(x_.add(lo, x_.mul(parts, constant(shape_.depth))), "k");
      load_some(n, k, rest);
      out_.emit(Barrier{});
      compute(n, k, rest);
      out_.emit(Barrier{});
    });
    out_.emit(If{x_.gt(rest, constant(0)), std::move(last), {}});
  }

  ExprP element(const CountedLoop& n, const Staged& s, ExprP number, ExprP k) {
    const ExprP load = s.loads[0];
    return x_.load(load->type, load->a, substituted(x_, s.offset, {{plain_.dims[s.dim], number}, {n.var, k}}));
  }
  ExprP line(const Staged& s, ExprP depth, ExprP position) {
    const ExprP element = x_.add(x_.mul(depth, constant(pitch(s, shape_.group))), position);
    return x_.mul(element, constant(scalar_bytes(s.loads[0]->type)));
  }

  /// The number of the iteration at this position in the group; or, if that is not in the domain, of another that is.
  ExprP safe(size_t d, ExprP position) {
    const ExprP here = x_.add(place_.first[d], position);
    if (!domain_.inside) return x_.min(here, x_.sub(place_.count[d], constant(1)));
    return x_.select(is_set(grid_.used[d], position), here, x_.add(place_.first[d], grid_.other[d]));
  }
  /// Which elements a work-item loads: four consecutive ones of some lines, which may be vectors (vectors.hpp).
  struct Part {
    ExprP column, row;           ///< of the first element
    int64_t lines, at_once;      ///< how many lines there are, and how far those of a work-item are apart
    std::vector<ExprP> numbers;  ///< of the iterations: for each line, or else for each of the four
    std::vector<std::array<VarId, 4>> elements = {};  ///< loaded, until they are stored in local memory
    bool all_lanes() const { return at_once <= lines; }
    ExprP along(Exprs& x, int64_t e) const { return x.add(column, x.int_const(e)); }
    ExprP line(Exprs& x, size_t v) const { return x.add(row, x.int_const(static_cast<int64_t>(v) * at_once)); }
  };
  void divide() {
    for (const Staged& s : *now_.loads) {
      const int64_t length = s.along_loop ? shape_.depth : shape_.group.extent(s.dim);
      Part part{out_.temp(x_.mul(rem(place_.lane, length / 4), constant(4)), "column"),
                out_.temp(div(place_.lane, length / 4), "row"),
                s.along_loop ? shape_.group.extent(s.dim) : shape_.depth,
                shape_.group.group / (length / 4),
                {}};
      const int64_t lines = part.all_lanes() ? part.lines / part.at_once : 1;
      for (int64_t v = 0; v < lines; ++v) {
        std::array<VarId, 4>& four = part.elements.emplace_back();
        for (VarId& e : four) e = out_.new_var("element", s.loads[0]->type);
        if (!s.along_loop) continue;
        const ExprP at = part.line(x_, static_cast<size_t>(v));
        part.numbers.push_back(
            out_.temp(safe(s.dim, part.all_lanes() ? at : x_.min(at, constant(part.lines - 1))), "number"));
      }
      for (int64_t e = 0; !s.along_loop && e < 4; ++e)
        part.numbers.push_back(out_.temp(safe(s.dim, part.along(x_, e)), "number"));
      now_.parts.push_back(std::move(part));
    }
  }
  /// Writes `f` for the work-items that have elements of the part.
  template <class F>
  void of_part(const Part& part, const F& f) {
    if (part.all_lanes()) return f();
    out_.emit(If{x_.lt(part.row, constant(part.lines)), out_.collect(f), {}});
  }
  /// Loads what some iterations of the loop need, from k on.
  void load_parts(const CountedLoop& n, ExprP k) {
    for (size_t p = 0; p < now_.parts.size(); ++p) {
      const Staged& s = (*now_.loads)[p];
      const Part& part = now_.parts[p];
      const auto load = [&](bool whole) {
        for (size_t v = 0; v < part.elements.size(); ++v)
          for (int64_t e = 0; e < 4; ++e) {
            const ExprP along = part.along(x_, e), line = part.line(x_, v);
            const ExprP number = s.along_loop ? part.numbers[v]
                                 : whole      ? x_.add(place_.first[s.dim], along)
                                              : part.numbers[static_cast<size_t>(e)];
            out_.set(part.elements[v][static_cast<size_t>(e)],
                     element(n, s, number, x_.add(k, s.along_loop ? along : line)));
          }
      };
      of_part(part, [&] {
        if (s.along_loop) return load(true);
        Block whole = out_.collect([&] { load(true); }), some = out_.collect([&] { load(false); });
        out_.emit(If{place_.whole, std::move(whole), std::move(some)});
      });
    }
  }
  void store_parts() {
    for (size_t p = 0; p < now_.parts.size(); ++p) {
      const Staged& s = (*now_.loads)[p];
      const Part& part = now_.parts[p];
      of_part(part, [&] {
        for (size_t v = 0; v < part.elements.size(); ++v)
          for (int64_t e = 0; e < 4; ++e) {
            const ExprP along = part.along(x_, e), at = part.line(x_, v);
            out_.emit(Store{x_.var(s.data, Scalar::Ptr), s.along_loop ? line(s, along, at) : line(s, at, along),
                            x_.var(part.elements[v][static_cast<size_t>(e)], s.loads[0]->type)});
          }
      });
    }
  }

  /// The elements of the last `trips` iterations of the loop, from k on.
  void load_some(const CountedLoop& n, ExprP k, ExprP trips) {
    for (const Staged& s : *now_.loads) {
      const int64_t extent = shape_.group.extent(s.dim);
      const VarId turn = out_.new_var("turn", Scalar::Int64);
      CountedLoop loop{turn, constant(0), constant(extent * shape_.depth / shape_.group.group), {}};
      if (shape_.unroll > 0) loop.unroll = 1;
      loop.body = out_.collect([&] {
        const ExprP which =
            out_.temp(x_.add(x_.mul(x_.var(turn, Scalar::Int64), constant(shape_.group.group)), place_.lane), "which");
        const int64_t length = s.along_loop ? shape_.depth : extent;
        const ExprP along = out_.temp(rem(which, length), "along"), across = out_.temp(div(which, length), "line");
        const ExprP position = s.along_loop ? across : along, depth = s.along_loop ? along : across;
        Block load = out_.collect([&] {
          out_.emit(Store{x_.var(s.data, Scalar::Ptr), line(s, depth, position),
                          element(n, s, safe(s.dim, position), x_.add(k, depth))});
        });
        out_.emit(If{x_.lt(depth, trips), std::move(load), {}});
      });
      out_.emit(std::move(loop));
    }
  }

  /// The loop's iterations from k on. Where its conditions hold in all of them for the whole tile, what they choose
  /// between is not computed.
  void compute(const CountedLoop& n, ExprP k, ExprP trips) {
    const auto run = [&](const Block& body) {
      CountedLoop loop{out_.new_var("depth", Scalar::Int64), constant(0), trips, {}};
      if (trips->kind == Expr::Kind::IntConst)
        loop.unroll = static_cast<int32_t>(std::min(shape_.depth, shape_.unroll));
      const ExprP depth = x_.var(loop.var, Scalar::Int64);
      loop.body = out_.collect([&] {
        out_.set(n.var, x_.add(k, depth));
        load_from_shared(depth);
        for (const Stmt& s : body) {
          auto* set = std::get_if<SetVar>(&s.node);
          if (!set || !loads_.is_address(set->var) || again_.needed.count(set->var)) out_.append(jam_.run({s}));
        }
      });
      out_.emit(std::move(loop));
    };
    const ChosenInLoop chosen(x_, plain_, n);
    if (!chosen.condition) return run(n.body);
    const auto holds_at = [&](ExprP number) {
      out_.set(n.var, number);
      return out_.temp(jam_.all(chosen.condition), "chosen");
    };
    const ExprP first = holds_at(k), last = holds_at(x_.add(k, x_.sub(trips, constant(1))));
    Block whole = out_.collect([&] { run(chosen.body); }), some = out_.collect([&] { run(n.body); });
    out_.emit(If{x_.both(first, last), std::move(whole), std::move(some)});
  }
  /// The elements in local memory take the place of the loads.
  void load_from_shared(ExprP depth) {
    for (const Staged& s : *now_.loads) {
      const Scalar type = s.loads[0]->type;
      const int64_t width = std::min<int64_t>(4, 16 / scalar_bytes(type));
      for (int64_t p = 0; p < shape_.group.side; p += width) {
        LoadVector vector{{}, x_.var(s.data, Scalar::Ptr), line(s, depth, position(s.dim, p))};
        for (int64_t e = 0; e < width; ++e) {
          vector.vars.push_back(out_.new_var("staged", type));
          for (ExprP load : s.loads) jam_.replace(load, point(s.dim, p + e), x_.var(vector.vars.back(), type));
        }
        out_.emit(std::move(vector));
      }
    }
  }

  struct Place {
    std::array<ExprP, 2> count, first, own;  ///< own: the work-item's first position in the group
    ExprP lane = nullptr;
    ExprP whole = nullptr;  ///< whether all iterations of the group are in the domain
  };
  /// For domains that are a part of the grid.
  struct GridPart {
    std::array<VarId, 2> used = {none, none};  ///< which rows and columns have an iteration in the domain
    std::array<ExprP, 2> other = {};           ///< a position with an iteration in it
    ExprP any = nullptr;                       ///< whether an iteration of the group is in the domain; null: it is
    ExprP found = nullptr;
    std::function<ExprP()> numbers;  ///< as of work()
  };
  /// The loads of the loop that is being written, and their parts.
  struct Now {
    const std::vector<Staged>* loads = nullptr;
    std::vector<Part> parts;
  };
  /// What is computed again behind the loop, the variables that it assigns, and those needed in front of it.
  struct Again {
    Block addresses;
    std::set<VarId> variables, needed;
  };

  Exprs& x_;
  const Function& plain_;
  const TileDomain& domain_;
  const DimDependence& dims_;
  StagedLoads& loads_;
  const Shape shape_;
  Function made_;
  Writer out_;
  TileJam jam_;
  const TileParts statements_;
  bool after_ = false;  ///< the staged loop has been written
  Place place_;
  GridPart grid_;
  Again again_;
  Now now_;
};

}  // namespace

/// Whether iterations that are not in the domain may be left out of each statement around the loop: what several
/// iterations share must be the same for those that are.
static bool can_be_staged(const Block& b, const TileParts& parts_of, const DimDependence& dims,
                          const StagedLoads& loads, bool part_of_grid) {
  const auto is_staged = [&](const Stmt& s) {
    auto* n = std::get_if<CountedLoop>(&s.node);
    return n && loads.find(*n);
  };
  for (const Stmt& s : b) {
    auto* n = std::get_if<CountedLoop>(&s.node);
    if (is_staged(s)) continue;
    const bool around = any_statement(s, is_staged);
    if (!around) {
      Block one;
      one.push_back(s);
      if (!parts_of.can_run_where(one)) return false;
    } else if (n && part_of_grid) {
      return false;
    } else {
      for (const Block* p : parts(s))
        if (!can_be_staged(*p, parts_of, dims, loads, part_of_grid)) return false;
    }
  }
  return true;
}

StagedShape staged_shape(StagedWidth width) {
  switch (width) {
    case StagedWidth::Many:
      return many_shape;
    case StagedWidth::Narrow:
      return narrow_shape;
    case StagedWidth::Half:
      return small;
    case StagedWidth::Wide:
      return wide;
  }
  return wide;
}

std::optional<StagedTile> staged_tile(Exprs& x, const Function& plain, const TileDomain& domain,
                                      const DimDependence& dims, StagedWidth width, int64_t group, int64_t local_bytes,
                                      int64_t unroll) {
  if (plain.dims.size() < 2 || (domain.inside && width != StagedWidth::Half)) return {};
  const StagedShape of = staged_shape(width);
  if (of.group > group) return {};
  StagedLoads loads(x, domain.open, dims, domain.inside != nullptr);
  if (loads.loops.empty()) return {};
  if (!can_be_staged(domain.open.body, TileParts(dims, {{of.side, of.side}}), dims, loads, domain.inside != nullptr))
    return {};
  const ExprP trips = x.sub(loads.loops[0].loop->hi, loads.loops[0].loop->lo);
  for (int64_t depth = most_depth; depth >= least_depth; depth /= 2) {
    int64_t bytes = domain.inside ? 4 * (of.columns + of.rows + 4) : 0;
    for (const LoopInTiles& l : loads.loops)
      for (const Staged& s : l.loads) bytes += depth * pitch(s, of) * scalar_bytes(s.loads[0]->type);
    if (bytes <= local_bytes)
      return StagedTile{StagedWriter(x, plain, domain, dims, loads, {of, depth, unroll}).run(), of, trips};
  }
  return {};
}

}  // namespace vr::lower
