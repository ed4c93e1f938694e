#include "loop/transform/expanded_kernel.hpp"

#include "loop/analysis/independent_loop.hpp"
#include "loop/analysis/nest_pieces.hpp"
#include "loop/new_array.hpp"
#include "loop/renamed.hpp"
#include "loop/replace.hpp"
#include "loop/transform/grid.hpp"
#include "loop/walk.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace vr::lower {

/// Exchanges the loops of a nest of two, statement number `at`, whose iterations are independent. What the inner loop's
/// trip count needs moves in front of the nest. False: the inner loop does not store along rows, or depends on the
/// outer one. values: in front of the nest.
bool ExpandedKernel::interchange(size_t at, const Polynomials& values) {
  constexpr size_t last_dimension = 2;
  CountedLoop outer = std::get<CountedLoop>(fn.body[at].node);
  if (fn.dims.size() != last_dimension || outer.body.empty()) return false;
  auto* inner = std::get_if<CountedLoop>(&outer.body.back().node);
  Polynomials inside_outer = values.inside(fn.body[at]);
  for (size_t k = 0; k + 1 < outer.body.size(); ++k) inside_outer.execute(outer.body[k]);
  if (!inner || !is_independent(x_, fn, outer.body, outer.body.size() - 1, inside_outer)) return false;
  const bool along_rows = any_statement(inner->body, [&](const Stmt& s) {
    auto* n = std::get_if<Store>(&s.node);
    if (!n || n->offset->kind != Expr::Kind::At) return false;
    ExprP axis = n->offset;
    while (axis->c) axis = axis->c;
    return is_iteration_number(*inner, axis->a);
  });
  if (!along_rows) return false;
  const auto times = assignments(outer.body);
  std::set<VarId> needed = variables(inner->hi);
  Block before, inside;
  for (size_t k = outer.body.size() - 1; k-- > 0;) {
    auto* set = std::get_if<SetVar>(&outer.body[k].node);
    if (!set) return false;
    const bool first = needed.count(set->var) != 0;
    if (first && (times.at(set->var) != 1 || loads(set->value))) return false;
    if (first) needed.merge(variables(set->value));
    (first ? before : inside).push_back(outer.body[k]);
  }
  std::reverse(before.begin(), before.end());
  std::reverse(inside.begin(), inside.end());
  std::set<VarId> moved;
  for (const Stmt& s : before) moved.insert(std::get<SetVar>(s.node).var);
  for (VarId v : needed)
    if (v == outer.var || (times.count(v) && !moved.count(v))) return false;
  CountedLoop along = *inner;
  outer.body = std::move(inside);
  outer.body.insert(outer.body.end(), along.body.begin(), along.body.end());
  along.body.clear();
  along.body.push_back({std::move(outer), fn.body[at].place});
  fn.body[at].node = std::move(along);
  fn.body.insert(fn.body.begin() + static_cast<std::ptrdiff_t>(at), before.begin(), before.end());
  return true;
}

std::vector<size_t> ExpandedKernel::mark_independent_loops() {
  std::vector<size_t> found;
  Polynomials values(fn);
  for (size_t k = 0; k < fn.body.size(); values.execute(fn.body[k]), ++k)
    if (auto* loop = std::get_if<CountedLoop>(&fn.body[k].node);
        loop && !loop->parallel && is_independent(x_, fn, fn.body, k, values)) {
      if (interchange(k, values))
        for (; !std::holds_alternative<CountedLoop>(fn.body[k].node); ++k) values.execute(fn.body[k]);
      found.push_back(k);
    }
  for (size_t k : found) {
    Stmt& s = fn.body[k];
    const auto names = variables_like(x_, fn, s);
    s = renamed(x_, std::move(s), names);
    std::get<CountedLoop>(fn.body[k].node).parallel = true;
  }
  return found;
}

/// Whether the assignment may go behind the statement, an assignment or a parallel loop.
static bool commutes(const SetVar& set, const Stmt& next) {
  auto* loop = std::get_if<CountedLoop>(&next.node);
  if (!std::holds_alternative<SetVar>(next.node) && !(loop && loop->parallel)) return false;
  const Block one{next};
  const auto assigned = assignments(one);
  const auto used = variables(set.value);
  return !mentions(one, set.var) && !assigned.count(set.var) &&
         std::none_of(used.begin(), used.end(), [&](VarId v) { return assigned.count(v) != 0; });
}

void ExpandedKernel::sink() {
  const auto times = assignments(fn.body);
  for (size_t k = fn.body.size(); k-- > 0;) {
    auto* set = std::get_if<SetVar>(&fn.body[k].node);
    if (!set || times.at(set->var) == 1 || loads(set->value)) continue;
    size_t to = k;  // behind the last parallel loop
    for (size_t at = k + 1; at < fn.body.size() && commutes(*set, fn.body[at]); ++at)
      if (std::holds_alternative<CountedLoop>(fn.body[at].node)) to = at;
    const auto first = fn.body.begin() + static_cast<std::ptrdiff_t>(k);
    std::rotate(first, first + 1, fn.body.begin() + static_cast<std::ptrdiff_t>(to) + 1);
  }
}

Element ExpandedKernel::add_rows(const std::string& name, Scalar type, ExprP own) {
  std::vector<ExprP> index;
  for (size_t d = fn.dims.size(); d-- > 0;) index.push_back(x_.var(fn.dims[d], Scalar::Int64));
  index.push_back(own);
  return add_array_param(x_, fn, name, type, index, true);
}

bool ExpandedKernel::is_distributed() const {
  const NestPieces nest = nest_pieces(fn);
  return nest.why.empty() && nest.pieces.size() > 1;
}

void launch_expanded(Module& m, Writer& host, const Launch& here, Function made, const char* suffix,
                     const std::vector<Rows>& arrays, const std::vector<VarId>& numbers, ExprP guard) {
  Exprs& x = host.x;
  // Arrays without elements where the guard does not hold.
  std::vector<ArrayId> rows;
  Launch form = here;
  for (const Rows& a : arrays) {
    std::vector<ExprP> extents(here.counts.rbegin(), here.counts.rend());
    extents[0] = host.temp(x.select(guard, extents[0], x.int_const(0)), "count");
    extents.push_back(a.length);
    rows.push_back(new_array(host, here.site, "rows", a.type, extents));
    form.args.push_back({none, none, rows.back()});
  }
  for (VarId v : numbers) form.args.push_back({v, none, none});
  made.form_of = here.kernel;
  made.on_host = none;
  form.kernel = add_kernel(m, std::move(made), m.functions[static_cast<size_t>(here.kernel)]->name + suffix);
  Block otherwise;
  otherwise.push_back({here, host.place});
  host.append(launch_if(guard, std::move(form), std::move(otherwise), host.place));
  for (ArrayId a : rows) free_array(host, a);
}

static bool can_be_expanded(const Function& kernel) {
  return kernel.disjoint && kernel.points == 1 && kernel.folds.empty() && kernel.rows.empty() && !kernel.dims.empty() &&
         kernel.dims.size() <= 2 && !has<Fail>(kernel.body);
}

void expand_launches(Module& m, const PassOptions& options,
                     FunctionView<bool(Writer&, const Launch&, const Function&)> expand) {
  if (!options.version_loops || options.tiles == 0 || options.local_bytes <= 0) return;
  Exprs x(m);
  bool changed = false;
  each_entry(m, [&](Function& f) {
    if (!frees_device_arrays(f)) return;
    Writer out(x, f);
    std::set<SiteId> done;
    replace_launches(out, [&](Launch& n) {
      const Function& kernel = *m.functions[static_cast<size_t>(n.kernel)];
      if (!can_be_expanded(kernel) || done.count(n.site) || !expand(out, n, kernel)) return false;
      done.insert(n.site);
      return true;
    });
    changed = changed || !done.empty();
  });
  if (changed) grid(m, options);
}

}  // namespace vr::lower
