#include "codegen/opencl/statements.hpp"

#include "codegen/opencl/cooperative_writer.hpp"
#include "codegen/opencl/row_writer.hpp"
#include "loop/analysis/lane_access.hpp"
#include "loop/walk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace vr::codegen::opencl {

using namespace lower;

bool leaves(const Block& b) {
  return !b.empty() && (std::holds_alternative<Fail>(b.back().node) || std::holds_alternative<Exit>(b.back().node));
}

static void indented(KernelCode& code, const Block& b) {
  code.out.indent();
  block(code, b);
  code.out.unindent();
}

static void shared(KernelCode& code, std::vector<ExprP> roots) {
  for (const std::string& s : code.exprs.declare_shared(roots)) code.out.line(s);
}

static void in_loop(KernelCode& code, const Block& b) {
  ++code.loops;
  indented(code, b);
  --code.loops;
  code.out.line("}");
}

static std::string site_comment(const KernelCode& code, SiteId id) {
  if (id < 0 || id >= SiteId(code.m.sites.size())) return "";
  const Site& s = code.m.sites[id];
  std::string text = s.loc;
  if (!s.array.empty()) text += (text.empty() ? "" : ", ") + s.array;
  if (s.axis >= 0) text += fmt::format(" axis {}", s.axis);
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 32 || c == '\\') c = ' ';  // the comment must not continue on another line
  return text.empty() ? "" : "  // " + text;
}

static void statement(KernelCode& code, const SetVar& s) {
  shared(code, {s.value});
  if (code.f.vars[s.var].type != Scalar::Ptr)
    return code.out.line(fmt::format("{} = {};", code.name(s.var), code.exprs.write(s.value)));
  if (code.usage.to_private.count(s.var) != code.usage.is_private(s.value))
    return code.refuse("a pointer into one of two address spaces");
  code.out.line(
      fmt::format("{} = ({} char*){};", code.name(s.var), code.usage.space(s.value), code.exprs.write(s.value, true)));
}

static void statement(KernelCode& code, const Store& s) {
  shared(code, {s.base, s.offset, s.value});
  if (s.value->type == Scalar::Ptr) return code.refuse("a store of a pointer");
  if (const Lane* lane = lane_of(code.f, s.base, s.offset, s.value->type); lane && lane->stored)
    return code.out.line(fmt::format("*{} = {};", code.names.lanes.at(lane).second, code.exprs.write(s.value)));
  // Bool is stored as 0 or 1: the conversion from bool does that.
  code.out.line(fmt::format("{}*({} {}*)({}) = {};", who_stores(code, s.base), code.usage.space(s.base), memory_type(s.value->type),
                            code.exprs.address(s.base, s.offset), code.exprs.write(s.value)));
}

static void statement(KernelCode& code, const LoadVector& s) {
  shared(code, {s.base, s.offset});
  const std::string vector = code.names.taken.unique("vector");
  const std::string type = fmt::format("{}{}", memory_type(code.f.vars[s.vars[0]].type), s.vars.size());
  code.out.line(fmt::format("const {} {} = *({} const {}*)({});", type, vector, code.usage.space(s.base), type,
                            code.exprs.address(s.base, s.offset)));
  for (size_t k = 0; k < s.vars.size(); ++k)
    code.out.line(fmt::format("{} = {}.s{};", code.name(s.vars[k]), vector, k));
}

// Without it NVIDIA's assembler moves each use directly behind its load, to save registers: only two loads are
// outstanding then.
static void statement(KernelCode& code, const Fence&) { code.out.line("mem_fence(CLK_GLOBAL_MEM_FENCE);"); }
static void statement(KernelCode& code, const Barrier& s) {
  code.out.line(s.global ? "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);" : "barrier(CLK_LOCAL_MEM_FENCE);");
}

static void statement(KernelCode& code, const StoreVector& s) {
  std::vector<ExprP> roots = s.values;
  roots.insert(roots.end(), {s.base, s.offset});
  shared(code, roots);
  std::string values;
  for (ExprP v : s.values) values += (values.empty() ? "" : ", ") + code.exprs.write(v);
  const std::string type = fmt::format("{}{}", memory_type(s.values[0]->type), s.values.size());
  code.out.line(fmt::format("{}*({} {}*)({}) = ({})({});", who_stores(code, s.base), code.usage.space(s.base), type,
                            code.exprs.address(s.base, s.offset), type, values));
}

static void statement(KernelCode& code, const RowAt& s) {
  if (!code.f.team) return;  // copy_writer.hpp, block_writer.hpp
  shared(code, {s.base, s.offset});
  write_row_at(code, s);
}
static void statement(KernelCode& code, const RowLoad& s) {
  shared(code, {s.first, s.count});
  write_row_load(code, s);
}
static void statement(KernelCode& code, const RowWait& s) { write_row_wait(code, s); }
static void statement(KernelCode& code, const RowStore& s) {
  shared(code, {s.first, s.count});
  write_row_store(code, s);
}

static void statement(KernelCode& code, const Atomic& s) {
  if (code.f.team) return code.refuse("an atomic operation that several work-items would make");
  if (code.usage.is_private(s.base)) return code.refuse("an atomic operation on an array of an iteration's own");
  std::vector<ExprP> roots = {s.base, s.offset, s.value};
  if (s.expected) roots.push_back(s.expected);
  shared(code, roots);
  const Scalar type = s.value->type;
  const bool local = code.usage.is_local(s.base);
  code.out.line(fmt::format("{} = {}((volatile {} {}*)({}), {}{});", code.name(s.result),
                            code.helpers.use_atomic(s.op, type, local), local ? "__local" : "__global",
                            memory_type(type), code.exprs.address(s.base, s.offset),
                            s.expected ? code.exprs.write(s.expected) + ", " : "", code.exprs.write(s.value)));
}

static void statement(KernelCode&, const AliasGroup&) {}
static void statement(KernelCode& code, const If& s) {
  shared(code, {s.cond});
  code.out.line(fmt::format("if ({}) {{", code.exprs.write(s.cond)));
  indented(code, s.then_body);
  if (!s.else_body.empty()) {
    code.out.line("} else {");
    indented(code, s.else_body);
  }
  code.out.line("}");
}

static void statement(KernelCode& code, const Solo& s) {
  code.out.line(begin_solo(code));
  indented(code, s.body);
  code.out.line("}");
}

static void statement(KernelCode& code, const CountedLoop& s) {
  shared(code, {s.lo, s.hi});
  if (s.spread && code.f.cooperative) {
    begin_shared(code, s);
    in_loop(code, s.body);
    return end_shared(code, s);
  }
  if (s.spread) {
    begin_spread(code, s);
    in_loop(code, s.body);
    return end_spread(code, s);
  }
  const std::string& var = code.name(s.var);
  const std::string lo = code.exprs.write(s.lo);
  std::string hi = code.exprs.write(s.hi, true);
  const bool stays = s.hi->kind == Expr::Kind::IntConst || (s.hi->kind == Expr::Kind::Var && code.is_fixed(s.hi->var));
  if (!stays || code.is_narrow(s.var)) {
    const std::string end = code.names.taken.unique(var + "_end");
    code.out.line(fmt::format("const {} {} = {};", code.whole_type(s.var), end, code.exprs.write(s.hi)));
    hi = end;
  }
  if (s.unroll) code.out.line(fmt::format("#pragma unroll {}", s.unroll));
  code.out.line(fmt::format("for ({0} = {1}; {0} < {2}; ++{0}) {{", var, lo, hi));
  in_loop(code, s.body);
}

static void statement(KernelCode& code, const Loop& s) {
  // A loop that begins with a test for its end becomes a `while`: compilers optimise loops with one exit better.
  if (auto* test = s.body.empty() ? nullptr : std::get_if<If>(&s.body[0].node);
      test && test->else_body.empty() && test->then_body.size() == 1 &&
      std::holds_alternative<Break>(test->then_body[0].node) && code.exprs.declare_shared({test->cond}).empty()) {
    const bool negated = test->cond->kind == Expr::Kind::Unary && test->cond->op == Op::Not;
    code.out.line(fmt::format("while ({}) {{",
                              negated ? code.exprs.write(test->cond->a) : "!" + code.exprs.write(test->cond, true)));
    return in_loop(code, Block(s.body.begin() + 1, s.body.end()));
  }
  code.out.line("for (;;) {");
  in_loop(code, s.body);
}

static void statement(KernelCode& code, const Break&) {
  code.loops ? code.out.line("break;") : code.refuse("break outside a loop");
}
static void statement(KernelCode& code, const Continue&) {
  code.loops ? code.out.line("continue;") : code.refuse("continue outside a loop");
}
static void statement(KernelCode& code, const Exit&) { code.out.line(code.usage.fails ? "return 0;" : "return;"); }
static void statement(KernelCode& code, const Fail& s) {
  std::vector<ExprP> roots;
  if (s.index) roots.push_back(s.index);
  if (s.extent) roots.push_back(s.extent);
  shared(code, roots);
  auto bits = [&](ExprP e) -> std::string {
    if (!e) return "0L";
    return e->type == Scalar::Float64 ? fmt::format("as_long({})", code.exprs.write(e)) : code.exprs.write(e);
  };
  const std::string index = bits(s.index), extent = bits(s.extent);
  code.out.line(fmt::format("{}({}, {}, {}, {}, {});{}", code.helpers.use("vr_fail"), code.names.error, s.code, s.site,
                            index, extent, site_comment(code, s.site)));
  if (!s.stay) code.out.line("return 1;");
}

static void statement(KernelCode& code, const Call&) { code.refuse("a call of the runtime"); }
static void statement(KernelCode& code, const CallFunction&) { code.refuse("a call of a function"); }
static void statement(KernelCode& code, const TakeAddress&) { code.refuse("the address of a function"); }
static void statement(KernelCode&, const Scratch&) {}  // declared at the beginning of the function
static void statement(KernelCode& code, const ParallelFor&) { code.refuse("a parallel loop"); }
static void statement(KernelCode& code, const Poll&) { code.refuse("a poll"); }
static void statement(KernelCode& code, const Launch&) { code.refuse("the launch of a kernel"); }

/// The assignment's sine or cosine; null: its value is neither.
static ExprP sine_or_cosine(const Stmt& s) {
  auto* n = std::get_if<SetVar>(&s.node);
  const bool is =
      n && n->value->kind == Expr::Kind::Math && (n->value->fn == MathFn::Sin || n->value->fn == MathFn::Cos);
  return is ? n->value : nullptr;
}
/// Writes b[k], an assignment of a sine or cosine, together with one of the other function of the same angle among the
/// sines and cosines that follow; `done`: the statements that have been written.
static void sine_and_cosine(KernelCode& code, const Block& b, size_t k, std::set<const Stmt*>& done) {
  const auto& one = std::get<SetVar>(b[k].node);
  std::set<VarId> assigned = {one.var}, read;
  for (size_t j = k + 1; j < b.size() && !mentions(one.value, one.var); ++j) {
    const ExprP e = sine_or_cosine(b[j]);
    if (!e) break;
    const auto& other = std::get<SetVar>(b[j].node);
    const std::set<VarId> angle = variables(e);
    // It moves in front of those between.
    if (e->fn != one.value->fn && same(e->a, one.value->a) && !assigned.count(other.var) && !read.count(other.var) &&
        std::none_of(angle.begin(), angle.end(), [&](VarId v) { return assigned.count(v) != 0; })) {
      const bool sine_first = one.value->fn == MathFn::Sin;
      shared(code, {e->a});
      code.out.line(fmt::format("{} = sincos({}, &{});", code.name((sine_first ? one : other).var),
                                code.exprs.write(e->a), code.name((sine_first ? other : one).var)));
      done.insert(&b[j]);
      return;
    }
    assigned.insert(other.var);
    read.insert(angle.begin(), angle.end());
  }
  statement(code, one);
}

void block(KernelCode& code, const Block& b) {
  std::set<const Stmt*> done;
  for (size_t k = 0; k < b.size(); ++k) {
    if (done.count(&b[k])) continue;
    if (code.f.fast_math != ir::fastmath::All && sine_or_cosine(b[k]))
      sine_and_cosine(code, b, k, done);
    else
      std::visit([&](const auto& node) { statement(code, node); }, b[k].node);
  }
}

}  // namespace vr::codegen::opencl
