// A group has row_group x team work-items; `lane` is the iteration of a work-item in its group, `member` its number in
// the team. The rows of a group's iterations lie one after another in local memory, each with a padding element at its
// end: work-items that read the same element of their rows use different banks. Loads go to registers first, so that
// they are outstanding while the group computes with the elements before. To move rows, member m takes those of
// iterations m, m + team, ..., and its lanes take neighbouring elements; of rows across those of the array, member m
// takes elements m, m + team, ... of the iteration of each lane, so that its lanes take neighbouring elements as well.
// Behind the rows are, for each row, the distances in bytes from the array's first element at which the rows of the
// iterations begin.
#include "codegen/opencl/row_writer.hpp"

#include "codegen/opencl/cooperative_writer.hpp"

#include "loop/walk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <set>

namespace vr::codegen::opencl {

using namespace lower;

namespace {

constexpr const char* barrier = "barrier(CLK_LOCAL_MEM_FENCE);";
/// Other work-items may load elements that were stored before.
constexpr const char* full_barrier = "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);";

int32_t elements_bytes(const Function& f) {
  int32_t all = 0;
  for (const Row& r : f.rows) all = std::max(all, r.at + row_bytes(r));
  return (all + 7) / 8 * 8;
}

/// The size in bytes of the memory for the variables of spread loops, of which only one runs at a time.
int32_t own_bytes(const Block& b) {
  size_t most = 0;
  any_statement(b, [&](const Stmt& s) {
    if (auto* n = std::get_if<CountedLoop>(&s.node); n && n->spread) most = std::max(most, n->own.size());
    return false;
  });
  return 8 * row_group * static_cast<int32_t>(most);
}
int32_t starts_bytes(const Function& f) { return 8 * row_group * static_cast<int32_t>(f.rows.size()); }

/// The text for one row. `r` and `c` are the variables of the loops over the elements that a work-item moves (moved()).
struct RowText {
  RowText(const KernelCode& code, int32_t id)
      : row(code.f.rows[static_cast<size_t>(id)]),
        name(code.name(row.data)),
        base(code.names.rows.of[static_cast<size_t>(id)].base),
        begin(code.names.rows.of[static_cast<size_t>(id)].start),
        type(memory_type(row.type)),
        distance(row.across ? code.names.rows.of[static_cast<size_t>(id)].step
                            : fmt::format("{}", scalar_bytes(row.type))),
        rows(row.common || row.across ? 1 : row_group / code.f.team),
        step(row.common   ? row_group * code.f.team
             : row.across ? code.f.team
                          : row_group),
        each((row.length + step - 1) / step),
        iteration(row.common   ? "0"
                  : row.across ? code.names.rows.lane
                               : fmt::format("({} + {} * r)", code.names.rows.member, code.f.team)),
        column(row.common   ? fmt::format("({} * {} + {} + {} * c)", code.names.rows.member, row_group,
                                          code.names.rows.lane, step)
               : row.across ? fmt::format("({} + {} * c)", code.names.rows.member, step)
                            : fmt::format("({} + {} * c)", code.names.rows.lane, step)),
        start(row.common ? begin : fmt::format("{}[{}]", begin, iteration)),
        pending(code.names.rows.of[static_cast<size_t>(id)].pending),
        loaded(fmt::format("{}[r * {} + c]", pending, each)),
        element(fmt::format("((__local {}*)({} + {}))[{} * {} + {}]", type, code.names.rows.memory, row.at, iteration,
                            row.common ? 0 : row.length + 1, column)) {}

  const Row& row;
  const std::string &name, &base, &begin;
  const char* const type;
  const std::string distance;  ///< between consecutive elements in the array, in bytes
  const int32_t rows;          ///< of which a member moves elements
  const int32_t step;          ///< between the elements of one row that a work-item moves
  const int32_t each;          ///< elements of one row that a work-item moves
  const std::string iteration, column;
  const std::string start;  ///< the distance of that iteration's row from the base
  const std::string& pending;
  const std::string loaded, element;
};

/// Runs `statement` for each element that the work-item moves.
void moved(KernelCode& code, const RowText& t, const std::string& statement) {
  const std::string unroll = code.helpers.use("vr_unroll");
  code.out.line(fmt::format("{} for (int r = 0; r < {}; ++r) {{", unroll, t.rows));
  code.out.line(fmt::format("  {} for (int c = 0; c < {}; ++c)", unroll, t.each));
  code.out.line("    " + statement);
  code.out.line("}");
}

/// Opens a block with the first element's distance from the row's beginning in bytes and the number of elements.
void begin_part(KernelCode& code, const RowText& t, ExprP first, ExprP count) {
  code.out.line("{");
  code.out.indent();
  code.out.line(fmt::format("const long {} = ({}) * {};", code.names.rows.from, code.exprs.write(first), t.distance));
  code.out.line(fmt::format("const int {} = (int)({});", code.names.rows.count, code.exprs.write(count)));
}
void end_part(KernelCode& code) {
  code.out.unindent();
  code.out.line("}");
}

}  // namespace

/// The iteration of the work-item in its group, and its number in the team.
static std::string lane_of(const Function& f) {
  return f.cooperative && !f.interleaved ? fmt::format("(int)get_local_id(0) / {}", f.team)
                                         : fmt::format("(int)get_local_id(0) & {}", group_iterations(f) - 1);
}
static std::string member_of(const Function& f) {
  return f.cooperative && !f.interleaved
             ? fmt::format("(int)get_local_id(0) & {}", f.team - 1)
             : fmt::format("(int)get_local_id(0) >> {}", std::countr_zero(static_cast<uint32_t>(group_iterations(f))));
}

int32_t team_group(const Function& f) { return group_iterations(f) * f.team; }

void write_team(KernelCode& code, const char* whole, const std::string& call) {
  const std::string &i = code.name(code.f.dims[0]), &n = code.names.counts[0], &inside = code.names.rows.inside, &first = code.names.rows.first;
  const int32_t bytes = code.f.cooperative ? cooperative_bytes(code.f)
                                           : elements_bytes(code.f) + starts_bytes(code.f) + own_bytes(code.f.body);
  const int32_t each = group_iterations(code.f);
  code.out.line(fmt::format("__local long {}[{}];", code.names.rows.memory, std::max(bytes / 8, 1)));
  code.out.line(fmt::format("const long {} = (long)(get_global_id(0) / {}) * {};", first, team_group(code.f), each));
  code.out.line(fmt::format("const int {0} = {1} - {3} < {2} ? (int)({1} - {3}) : {2};", inside, n, each, first));
  code.out.line(fmt::format("const int {} = {};", code.names.rows.lane, lane_of(code.f)));
  code.out.line(fmt::format("const {0} {1} = ({0})({4} + ({2} < {3} ? {2} : {3} - 1));", whole, i, code.names.rows.lane, inside, first));
  for (size_t d = 1; d < code.f.dims.size(); ++d)
    code.out.line(fmt::format("const {} {} = get_global_id({});", whole, code.name(code.f.dims[d]), d));
  code.out.line(call);
}

void declare_rows(KernelCode& code) {
  code.out.line(fmt::format("const int {} = {};", code.names.rows.lane, lane_of(code.f)));
  code.out.line(fmt::format("const int {} = {};", code.names.rows.member, member_of(code.f)));
  code.out.line(fmt::format("const bool {} = {} == 0 && {} < {};", code.names.rows.stores, code.names.rows.member, code.names.rows.lane, code.names.rows.inside));
  if (code.f.cooperative) return declare_kept_rows(code);
  int32_t starts = elements_bytes(code.f);
  for (size_t k = 0; k < code.f.rows.size(); ++k, starts += 8 * row_group) {
    const RowText t(code, static_cast<int32_t>(k));
    const std::string own = t.row.common ? "" : fmt::format(" + {} * {}", code.names.rows.lane, (t.row.length + 1) * scalar_bytes(t.row.type));
    code.out.line(fmt::format("__local char* const {} = {} + {}{};", t.name, code.names.rows.memory, t.row.at, own));
    code.out.line(fmt::format("__global char* {};", t.base));
    if (t.row.across) code.out.line(fmt::format("long {};", t.distance));
    code.out.line(t.row.common ? fmt::format("long {};", t.begin)
                               : fmt::format("__local long* const {} = (__local long*)({} + {});", t.begin, code.names.rows.memory, starts));
    code.out.line(fmt::format("{} {}[{}];", t.type, t.pending, t.rows * t.each));
  }
}

std::string who_stores(const KernelCode& code, ExprP base) {
  if (!code.f.team || code.spread || code.usage.is_private(base)) return "";
  return code.usage.is_local(base) ? fmt::format("if ({} == 0) ", code.names.rows.member) : fmt::format("if ({}) ", code.names.rows.stores);
}

std::string begin_solo(const KernelCode& code) { return fmt::format("if ({} == 0) {{", code.names.rows.member); }

/// Whether the loop accesses local memory, besides arrays that the kernel does not write.
static bool is_local_alone(const KernelCode& code, const CountedLoop& s) {
  std::set<VarId> read_only;
  for (const Param& p : code.f.params)
    if (p.array != none && !p.written) read_only.insert(code.f.arrays[static_cast<size_t>(p.array)].data);
  const std::function<bool(ExprP)> loads = [&](ExprP e) {
    if (!e) return true;
    const bool known = e->kind != Expr::Kind::Load || code.usage.is_local(e->a) || (e->a->kind == Expr::Kind::Var && read_only.count(e->a->var));
    return known && loads(e->a) && loads(e->b) && loads(e->c);
  };
  return !any_statement(s.body, [&](const Stmt& inner) {
    auto* store = std::get_if<Store>(&inner.node);
    bool all = !store || code.usage.is_local(store->base);
    each_expr(inner, [&](ExprP e) { all = all && loads(e); });
    return !all;
  });
}

void begin_spread(KernelCode& code, const CountedLoop& s) {
  const RowNames& n = code.names.rows;
  const int32_t at = elements_bytes(code.f) + starts_bytes(code.f);
  const auto type = [&](VarId v) { return code.is_narrow(v) ? "int" : value_type(code.f.vars[static_cast<size_t>(v)].type); };
  const auto place = [&](size_t k, const std::string& iteration) {
    const Scalar of = code.f.vars[static_cast<size_t>(s.own[k])].type;
    return fmt::format("((__local {}*)({} + {}))[{}]", memory_type(of), n.memory, at + 8 * row_group * static_cast<int32_t>(k), iteration);
  };
  code.out.line(is_local_alone(code, s) ? barrier : full_barrier);
  if (!s.own.empty()) {
    code.out.line(begin_solo(code));
    for (size_t k = 0; k < s.own.size(); ++k) code.out.line(fmt::format("  {} = {};", place(k, n.lane), code.name(s.own[k])));
    code.out.line("}");
    code.out.line(barrier);
  }
  // The bounds are the same in the whole group. Inside, the iteration's own variables hide those of the work-item's iteration.
  const std::string &k = code.name(s.var), index = code.whole_type(s.var);
  code.out.line("{");
  code.out.indent();
  code.out.line(fmt::format("const {} {} = {};", index, n.end, code.exprs.write(s.hi)));
  code.out.line(fmt::format("for (int {0} = {1}; {0} < {2}; {0} += {3}) {{", n.turn, n.member, n.inside, code.f.team));
  code.out.indent();
  const VarId i = code.f.dims[0];
  if (code.usage.uses(i))
    code.out.line(fmt::format("const {0} {1} = ({0})((long)(get_global_id(0) / {4}) * {2} + {3});", type(i),
                              code.name(i), row_group, n.turn, row_group * code.f.team));
  for (size_t v = 0; v < s.own.size(); ++v)
    code.out.line(fmt::format("const {} {} = {};", type(s.own[v]), code.name(s.own[v]), place(v, n.turn)));
  for (const Row& row : code.f.rows)
    if (!row.common && mentions(s.body, row.data))
      code.out.line(fmt::format("__local char* const {} = {} + {} + {} * {};", code.name(row.data), n.memory, row.at, n.turn,
                                (row.length + 1) * scalar_bytes(row.type)));
  if (s.unroll) code.out.line(fmt::format("#pragma unroll {}", s.unroll));
  code.out.line(fmt::format("for ({0} = {1} + {2}; {0} < {3}; {0} += {4}) {{", k, code.exprs.write(s.lo, true), n.lane, n.end, row_group));
  code.spread = true;
}

void end_spread(KernelCode& code, const CountedLoop& s) {
  code.spread = false;
  code.out.unindent();
  code.out.line("}");
  code.out.unindent();
  code.out.line("}");
  code.out.line(is_local_alone(code, s) ? barrier : full_barrier);
}

void write_row_at(KernelCode& code, const RowAt& s) {
  const RowText t(code, s.row);
  code.out.line(fmt::format("{} = (__global char*){};", t.base, code.exprs.write(s.base, true)));
  const std::string offset = code.exprs.write(s.offset);
  if (t.row.common) return code.out.line(fmt::format("{} = {};", t.start, offset));
  if (s.step) code.out.line(fmt::format("{} = {};", t.distance, code.exprs.write(s.step)));
  code.out.line(barrier);
  code.out.line(fmt::format("if ({} == 0) {}[{}] = {};", code.names.rows.member, t.begin, code.names.rows.lane, offset));
  code.out.line(barrier);
}

void write_row_load(KernelCode& code, const RowLoad& s) {
  const RowText t(code, s.row);
  begin_part(code, t, s.first, s.count);
  moved(code, t,
        fmt::format("{} = {} < {} ? *(__global const {}*)({} + ({} + {} + {} * {})) : 0;", t.loaded, t.column,
                    code.names.rows.count, t.type, t.base, t.start, code.names.rows.from, t.column, t.distance));
  end_part(code);
}

void write_row_wait(KernelCode& code, const RowWait& s) {
  code.out.line(barrier);
  for (int32_t id : s.rows) {
    const RowText t(code, id);
    const bool whole = t.each * t.step == t.row.length;
    moved(code, t, fmt::format("{}{} = {};", whole ? "" : fmt::format("if ({} < {}) ", t.column, t.row.length), t.element, t.loaded));
  }
  code.out.line(barrier);
}

void write_row_store(KernelCode& code, const RowStore& s) {
  const RowText t(code, s.row);
  code.out.line(barrier);
  begin_part(code, t, s.first, s.count);
  moved(code, t, fmt::format("if ({} < {} && {} < {}) *(__global {}*)({} + ({} + {} + {} * {})) = {};", t.iteration,
                             code.names.rows.inside, t.column, code.names.rows.count, t.type, t.base, t.start, code.names.rows.from,
                             t.column, scalar_bytes(t.row.type), t.element));
  end_part(code);
  code.out.line(full_barrier);
}

}  // namespace vr::codegen::opencl
