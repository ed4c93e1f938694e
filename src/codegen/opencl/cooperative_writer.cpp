// `member` is the number of a work-item in its team, `lane` that of the team's iteration in the group. Of a spread loop
// member m runs iterations m, m + team, ... A reduction's states go to local memory, one element for each work-item and
// variable, and are joined in two steps: the first members of the team each join several, then all members join the
// results, in the same order.
#include "codegen/opencl/cooperative_writer.hpp"

#include "codegen/opencl/statements.hpp"
#include "loop/analysis/team_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace vr::codegen::opencl {

using namespace lower;

namespace {

constexpr const char* team_barrier = "barrier(CLK_LOCAL_MEM_FENCE);";

/// How many members of a team remain after the first step.
int32_t after_first_step(int32_t team) { return team > 64 ? 16 : 8; }

/// The state of reduction variable number k of the group's work-item `of`.
std::string state_place(const KernelCode& code, const Reduction& r, size_t k, const std::string& of) {
  return fmt::format("((__local {}*)({} + {}))[{}]", memory_type(code.f.vars[static_cast<size_t>(r.vars[k])].type),
                     code.names.rows.memory, state_bytes * static_cast<int32_t>(k), of);
}

/// Joins the states of the work-items whose numbers the loop's variable takes.
void join_states(KernelCode& code, const Reduction& r, const std::string& loop, const std::string& of) {
  code.out.line(fmt::format("{} for ({}) {{", code.helpers.use("vr_unroll"), loop));
  code.out.indent();
  for (size_t k = 0; k < r.vars.size(); ++k)
    code.out.line(fmt::format("{} = {};", code.name(r.others[k]), state_place(code, r, k, of)));
  block(code, r.join);
  code.out.unindent();
  code.out.line("}");
}

}  // namespace

void declare_kept_rows(KernelCode& code) {
  for (const Row& r : code.f.rows)
    code.out.line(fmt::format("__local char* const {} = {} + {} + {} * {};", code.name(r.data), code.names.rows.memory,
                              r.at, code.names.rows.lane, r.length * scalar_bytes(r.type)));
}

int32_t cooperative_bytes(const Function& f) {
  int32_t all = joined_bytes(f);
  for (const Row& r : f.rows) all = std::max(all, r.at + r.length * scalar_bytes(r.type) * group_iterations(f));
  return all;
}

void begin_shared(KernelCode& code, const CountedLoop& s) {
  const RowNames& n = code.names.rows;
  const int32_t team = code.f.team;
  code.out.line("{");
  code.out.indent();
  code.names.rows.before.clear();
  if (s.reduction)
    for (size_t k = 0; k < s.reduction->vars.size(); ++k) {
      const VarId v = s.reduction->vars[k];
      code.names.rows.before.push_back(code.names.taken.unique(code.name(v) + "_before"));
      code.out.line(fmt::format("const {} {} = {};", value_type(code.f.vars[static_cast<size_t>(v)].type),
                                code.names.rows.before[k], code.name(v)));
      code.out.line(fmt::format("{} = {};", code.name(v), code.exprs.write(s.reduction->start[k])));
    }
  // The number of the member's iterations, in `long`: variables of 32 bits could wrap behind the last one.
  const std::string rounds = fmt::format("({} - {} + {}) >> {}", code.exprs.write(s.hi), n.member, team - 1,
                                         std::countr_zero(static_cast<uint32_t>(team)));
  const std::string index = code.whole_type(s.var);
  code.out.line(fmt::format("const {} {} = {}({});", index, n.end,
                            team == cooperative_group ? "" : fmt::format("{} >= {} ? 0 : ", n.lane, n.inside), rounds));
  if (s.unroll) code.out.line(fmt::format("#pragma unroll {}", s.unroll));
  code.out.line(fmt::format("for ({0} {1} = 0; {1} < {2}; ++{1}) {{", index, n.turn, n.end));
  code.out.line(fmt::format("  {} = {} + {} * {};", code.name(s.var), n.member, n.turn, team));
  code.spread = true;
}

void end_shared(KernelCode& code, const CountedLoop& s) {
  code.spread = false;
  if (s.reduction) {
    const Reduction& r = *s.reduction;
    const int32_t team = code.f.team, left = after_first_step(team);
    // The number in the group of member `m` of the work-item's team, and of the member m places behind the work-item.
    const std::string self = "(int)get_local_id(0)", &m = code.names.rows.turn;
    const int32_t apart = code.f.interleaved ? group_iterations(code.f) : 1;
    const std::string first = code.f.interleaved ? code.names.rows.lane : fmt::format("({} & ~{})", self, team - 1);
    const std::string of_team = fmt::format("{} + {} * {}", first, m, apart),
                      behind = fmt::format("{} + {} * {}", self, m, apart);
    const auto put = [&] {
      for (size_t k = 0; k < r.vars.size(); ++k)
        code.out.line(fmt::format("{} = {};", state_place(code, r, k, self), code.name(r.vars[k])));
    };
    code.out.line(team_barrier);  // the states of the loop before have been read
    put();
    code.out.line(team_barrier);
    if (left < team) {
      code.out.line(fmt::format("if ({} < {}) {{", code.names.rows.member, left));
      code.out.indent();
      join_states(code, r, fmt::format("int {0} = {1}; {0} < {2}; {0} += {1}", m, left, team), behind);
      put();
      code.out.unindent();
      code.out.line("}");
      code.out.line(team_barrier);
    }
    for (size_t k = 0; k < r.vars.size(); ++k)
      code.out.line(fmt::format("{} = {};", code.name(r.vars[k]), code.names.rows.before[k]));
    join_states(code, r, fmt::format("int {0} = 0; {0} < {1}; ++{0}", m, left), of_team);
  }
  code.out.unindent();
  code.out.line("}");
}

}  // namespace vr::codegen::opencl
