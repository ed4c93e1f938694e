// Statements of the lowered form as C99.
#include "codegen/c99/function_code.hpp"
#include "codegen/c99/prepare.hpp"
#include "loop/walk.hpp"

#include <fmt/format.h>

namespace vr::codegen::c99 {

using namespace lower;

void declare_shared(FunctionCode& code, const std::vector<ExprP>& roots) {
  for (const std::string& s : code.exprs.declare_shared(roots)) code.out.line(s);
}

static void indented(FunctionCode& code, const Block& b) {
  code.out.indent();
  write_block(code, b);
  code.out.unindent();
}

/// The source location of a fault, for readers of the text.
static std::string site_comment(const FunctionCode& code, SiteId id) {
  if (id < 0 || id >= static_cast<SiteId>(code.m.sites.size())) return "";
  const Site& s = code.m.sites[static_cast<size_t>(id)];
  std::string text = s.loc;
  if (!s.array.empty()) text += (text.empty() ? "" : ", ") + s.array;
  if (s.axis >= 0) text += fmt::format(" axis {}", s.axis);
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 32 || c == '\\' || c == '/' || c == '*')
      c = ' ';  // the text must not end or continue the comment
  return text.empty() ? "" : "  /* " + text + " */";
}

static void statement(FunctionCode& code, const SetVar& s) {
  declare_shared(code, {s.value});
  code.out.line(fmt::format("{} = {};", code.name(s.var), code.exprs.write(s.value)));
}

static void statement(FunctionCode& code, const Store& s) {
  declare_shared(code, {s.base, s.offset, s.value});
  code.out.line(fmt::format("{}({}, {});", code.prelude.store(s.value->type), code.exprs.address(s.base, s.offset),
                            code.exprs.write(s.value)));
}

static void statement(FunctionCode& code, const LoadVector&) { code.refuse("a vector of a kernel"); }
static void statement(FunctionCode& code, const StoreVector&) { code.refuse("a vector of a kernel"); }
static void statement(FunctionCode&, const Fence&) {}
static void statement(FunctionCode&, const Barrier&) {}
static void statement(FunctionCode& code, const RowAt&) { code.refuse("rows of a kernel"); }
static void statement(FunctionCode& code, const RowLoad&) { code.refuse("rows of a kernel"); }
static void statement(FunctionCode& code, const RowWait&) { code.refuse("rows of a kernel"); }
static void statement(FunctionCode& code, const RowStore&) { code.refuse("rows of a kernel"); }
static void statement(FunctionCode& code, const Solo&) { code.refuse("rows of a kernel"); }

static void statement(FunctionCode& code, const Scratch& s) {
  const std::string memory = code.taken.unique("scratch");
  // Declared as an array of doubles, so that it is aligned for every element type.
  code.declarations.push_back(fmt::format("double {}[{}];", memory, (s.bytes + 7) / 8 + 1));
  code.out.line(fmt::format("{} = (char *){};", code.name(s.var), memory));
}

static void statement(FunctionCode& code, const Atomic& s) {
  std::vector<ExprP> roots = {s.base, s.offset, s.value};
  if (s.expected) roots.push_back(s.expected);
  declare_shared(code, roots);
  code.out.line(fmt::format("{} = {}({}, {}{});", code.name(s.result), code.prelude.atomic(s.op, s.value->type),
                            code.exprs.address(s.base, s.offset), s.expected ? code.exprs.write(s.expected) + ", " : "",
                            code.exprs.write(s.value)));
}

static void statement(FunctionCode&, const AliasGroup&) {}  // a hint

static void statement(FunctionCode& code, const If& s) {
  declare_shared(code, {s.cond});
  code.out.line(fmt::format("if ({}) {{", code.exprs.write(s.cond)));
  indented(code, s.then_body);
  if (!s.else_body.empty()) {
    code.out.line("} else {");
    indented(code, s.else_body);
  }
  code.out.line("}");
}

/// In innermost loops a condition is one jump at most, as in machine code.
static void write_loop_body(FunctionCode& code, const Block& b) {
  const bool inner = !any_statement(b, [](const Stmt& s) {
    return std::holds_alternative<CountedLoop>(s.node) || std::holds_alternative<Loop>(s.node);
  });
  code.exprs.set_short_circuits(!inner);
  indented(code, b);
  code.exprs.set_short_circuits(true);
}

/// Loops with so few iterations are unrolled before they can become vectors.
constexpr int64_t most_lanes_of_loop = 16;

static void statement(FunctionCode& code, const CountedLoop& s) {
  declare_shared(code, {s.lo, s.hi});
  const std::string& var = code.name(s.var);
  const std::string lo = code.exprs.write(s.lo);
  std::string hi = code.exprs.write(s.hi);
  if (s.hi->kind != Expr::Kind::IntConst) {
    const std::string end = code.taken.unique(var + "_end");
    code.out.line(fmt::format("const int64_t {} = {};", end, hi));
    hi = end;
  }
  // Others are not vectorised, and gcc warns of the words in front of a loop whose first iteration always leaves it.
  const bool plain = is_plain(s.body);
  const bool short_loop = is_const(s.lo) && is_const(s.hi) && s.hi->ival - s.lo->ival <= most_lanes_of_loop;
  if (s.independent && plain) code.out.line(short_loop ? "VR_LANES" : "VR_INDEPENDENT");
  code.out.line(fmt::format("for ({0} = {1}; {0} < {2}; ++{0}) {{", var, lo, hi));
  write_loop_body(code, s.body);
  code.out.line("}");
}

static void statement(FunctionCode& code, const Loop& s) {
  code.out.line("for (;;) {");
  write_loop_body(code, s.body);
  code.out.line("}");
}

static void statement(FunctionCode& code, const Break&) { code.out.line("break;"); }
static void statement(FunctionCode& code, const Continue&) { code.out.line("continue;"); }

static void statement(FunctionCode& code, const Exit&) {
  code.needs.exit = true;
  code.out.line("goto done;");
}

static void statement(FunctionCode& code, const Fail& s) {
  std::vector<ExprP> roots;
  if (s.index) roots.push_back(s.index);
  if (s.extent) roots.push_back(s.extent);
  declare_shared(code, roots);
  auto bits = [&](ExprP e) -> std::string {
    if (!e) return "0";
    if (e->type != Scalar::Float64) return code.exprs.write(e);
    return fmt::format(
        "{}({})",
        code.prelude.use("vr_bits_f64",
                         "static inline int64_t vr_bits_f64(double x)\n{\n  int64_t bits;\n  memcpy(&bits, &x, sizeof "
                         "bits);\n  return bits;\n}\n"),
        code.exprs.write(e));
  };
  code.needs.cleanup = true;
  const std::string index = bits(s.index), extent = bits(s.extent);
  code.out.line(fmt::format("status = vr_rt_fail(ctx, {}, {}, {}, {});{}", site(s.site), s.code, index, extent,
                            site_comment(code, s.site)));
  code.out.line("goto cleanup;");
}

static void statement(FunctionCode& code, const Call& s) { write_statement(code, s); }
static void statement(FunctionCode& code, const CallFunction& s) { write_statement(code, s); }
static void statement(FunctionCode& code, const ParallelFor& s) { write_statement(code, s); }

static void statement(FunctionCode& code, const TakeAddress& s) {
  code.out.line(fmt::format("{} = (char *)(uintptr_t){};", code.name(s.var),
                            function_name(*code.m.functions[static_cast<size_t>(s.callee)])));
}

// Calls of a built library cannot be interrupted, and a fault of another thread is found when the loop ends.
static void statement(FunctionCode&, const Poll&) {}
static void statement(FunctionCode& code, const Launch&) { code.refuse("a kernel"); }

void write_block(FunctionCode& code, const Block& b) {
  for (const Stmt& s : b) {
    if (code.lines && s.place != none && s.place != code.place) {
      const Place& p = code.m.places[static_cast<size_t>(s.place)];
      if (p.line > 0 && p.file.find_first_of("\"\\\n") == std::string::npos) {
        code.place = s.place;
        code.out.raw(fmt::format("#line {} \"{}\"\n", p.line, p.file));
      }
    }
    std::visit([&](const auto& node) { statement(code, node); }, s.node);
  }
}

}  // namespace vr::codegen::c99
