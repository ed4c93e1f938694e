#include "codegen/c99/emit.hpp"

#include "codegen/c99/function_code.hpp"
#include "loop/walk.hpp"
#include "runtime/abi.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <set>
#include <string_view>

namespace vr::codegen::c99 {

using namespace lower;

std::string function_name(const Function& f) { return "fn_" + (f.name.starts_with("vr_") ? f.name.substr(3) : f.name); }

namespace {

/// A string literal.
std::string quoted(const std::string& s) {
  std::string q = "\"";
  for (const char c : s) {
    const auto u = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      q += std::string("\\") + c;
    else if (u < 32 || u > 126 || c == '?')  // `?`: trigraphs
      q += fmt::format("\\{:03o}", u);
    else
      q += c;
  }
  return q + "\"";
}

/// Words that cannot be names of variables.
bool is_reserved(std::string_view name) {
  static const std::set<std::string_view> words = {
      "bool",
      "true",
      "false",
      "asm",
      "typeof",
      "linux",
      "unix",
      "errno",
      "main",
      "alignas",
      "alignof",
      "constexpr",
      "nullptr",
      "static_assert",
      "thread_local",
      "typeof_unqual",
      // words that the emitted text uses
      "ctx",
      "args",
      "results",
      "env",
      "lo",
      "hi",
      "status",
      "call_args",
      "call_results",
      "done",
      "cleanup",
      "memcpy",
      "memset",
      "y0",
      "y1",
      "yn",
      "j0",
      "j1",
      "jn",
      "index",
      "signgam",
#define VR_MATH(Name, c_name, opencl_name, arity, llvm_name) c_name, c_name "f",
#include "loop/math.def"
#define VR_ELEM(Name, text, code, bytes, kind, c_type, ...) #c_type,
#include <velociraptor/ir/elements.def>
  };
  if (c_family::is_keyword(name) || words.contains(name) || name.starts_with("vr_") || name.starts_with("_") || name.starts_with("fn_")) return true;
  if (name.ends_with("_t") || name.starts_with("omp_")) return true;
  // d0, numbers0: variables of calls. Words without a lower-case letter may be macros.
  auto numbered = [&](std::string_view stem) {
    return name.size() > stem.size() && name.starts_with(stem) &&
           std::all_of(name.begin() + static_cast<std::ptrdiff_t>(stem.size()), name.end(),
                       [](char c) { return c >= '0' && c <= '9'; });
  };
  if (numbered("d") || numbered("numbers")) return true;
  return std::none_of(name.begin(), name.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

std::string signature(const Function& f) {
  return f.kind == Function::Kind::Entry
             ? fmt::format("static int32_t {}(vr_context *ctx, const vr_value *args, vr_value *results)",
                           function_name(f))
             : fmt::format("static int32_t {}(vr_context *ctx, void *env, int64_t lo, int64_t hi)", function_name(f));
}

void load_params(FunctionCode& code) {
  for (size_t k = 0; k < code.f.params.size(); ++k) {
    const Param& p = code.f.params[k];
    if (p.array != none) {
      read_descriptor(code, fmt::format("(*args[{}].array)", k), code.array(p.array));
      continue;
    }
    const Scalar t = code.type(p.var);
    if (t == Scalar::Ptr) {
      code.out.line(fmt::format("{} = args[{}].function;", code.name(p.var), k));
      continue;
    }
    code.out.line(fmt::format("{} = args[{}].{}{};", code.name(p.var), k, value_member(t, p.im != none),
                              t == Scalar::Bool ? " != 0" : ""));
    if (p.im != none) code.out.line(fmt::format("{} = args[{}].{};", code.name(p.im), k, value_member(t, true, 1)));
  }
}

void load_captures(FunctionCode& code) {
  size_t k = 0;
  for (const Param& p : code.f.params)
    for (VarId v : {p.var, p.im})
      if (v != none)
        code.out.line(
            fmt::format("{} = {}((const char *)env + {});", code.name(v), code.prelude.load(code.type(v)), 8 * k++));
  code.out.line(fmt::format("{} = lo;", code.name(code.f.lo_var)));
  code.out.line(fmt::format("{} = hi;", code.name(code.f.hi_var)));
}

void hand_over_results(FunctionCode& code) {
  for (size_t k = 0; k < code.f.results.size(); ++k) {
    const Param& r = code.f.results[k];
    if (r.array != none) {
      fill_descriptor(code, code.array(r.array), fmt::format("(*results[{}].array)", k), true);
      continue;
    }
    const Scalar t = code.type(r.var);
    if (t == Scalar::Ptr) {
      code.out.line(fmt::format("results[{}].function = {};", k, code.name(r.var)));
      continue;
    }
    code.out.line(fmt::format("results[{}].{} = {};", k, value_member(t, r.im != none), code.name(r.var)));
    if (r.im != none) code.out.line(fmt::format("results[{}].{} = {};", k, value_member(t, true, 1), code.name(r.im)));
  }
}

/// Whether straight code stores several floats, or passes on complex numbers.
bool stores_pairs(const Block& b) {
  int stores = 0;
  for (const Stmt& s : b) {
    if (const auto* n = std::get_if<Store>(&s.node)) stores += is_float(n->value->type);
    if (const auto* n = std::get_if<CallFunction>(&s.node))
      if (std::any_of(n->args.begin(), n->args.end(), [](const Operand& o) { return o.im != none; })) return true;
    for (const Block* p : parts(s))
      if (stores_pairs(*p)) return true;
  }
  return stores > 1;
}

/// Whether gcc 12 may make multiply-and-add instructions for pairs of floats (vfmaddsub) of the function, as it does
/// also with -ffp-contract=off: of the sum and the difference of products that are stored next to each other.
bool has_pairs_of_products(const Function& f) {
  const bool complex = std::any_of(f.results.begin(), f.results.end(), [](const Param& p) { return p.im != none; });
  if (!complex && !stores_pairs(f.body)) return false;
  bool add = false, sub = false, mul = false;
  return any_statement(f.body, [&](const Stmt& s) {
    each_expr(s, [&](ExprP e) {
      any_node(e, [&](ExprP part) {
        if (part->kind != Expr::Kind::Binary || !is_float(part->type)) return false;
        add = add || part->op == Op::Add;
        sub = sub || part->op == Op::Sub;
        mul = mul || part->op == Op::Mul;
        return false;
      });
    });
    return add && sub && mul;
  });
}

/// Finds the Bool variables that loops of the block change by `v = v or x` and `v = v and x`, with the size of what x
/// compares.
void find_collected(const Block& b, bool in_loop, const Function& f, std::map<VarId, int>& found) {
  for (const Stmt& s : b) {
    const bool loop = std::holds_alternative<CountedLoop>(s.node);
    for (const Block* p : parts(s)) find_collected(*p, loop, f, found);
    const auto* n = std::get_if<SetVar>(&s.node);
    if (!in_loop || !n || f.vars[static_cast<size_t>(n->var)].type != Scalar::Bool ||
        n->value->kind != Expr::Kind::Binary)
      continue;
    if ((n->value->op != Op::Or && n->value->op != Op::And) || !mentions(n->value, n->var)) continue;
    int bytes = 0;
    any_node(n->value, [&](ExprP e) {
      if (e->kind == Expr::Kind::Binary && is_comparison(e->op)) bytes = std::max(bytes, scalar_bytes(e->a->type));
      return false;
    });
    if (bytes >= 4) found[n->var] = std::max(found[n->var], bytes);
  }
}

/// The variables that the body and the cleanup use, by type. All are 0 at first: a cleanup may read any of them on any
/// path.
void declare_variables(const FunctionCode& code, c_family::Lines& out) {
  struct Kind {
    std::string start, zero;
    std::vector<std::string> names;
  };
  std::vector<Kind> kinds = {{"char ", "NULL", {}}};
#define VR_ELEM(Name, ...) \
  kinds.push_back({c_type(Scalar::Name) + " ", Scalar::Name == Scalar::Bool ? "false" : "0", {}});
#include <velociraptor/ir/elements.def>
  auto add = [&](const std::string& start, const std::string& name) {
    for (Kind& k : kinds)
      if (k.start == start) return k.names.push_back(name);
  };
  for (size_t v = 0; v < code.f.vars.size(); ++v) {
    const auto id = static_cast<VarId>(v);
    if (!code.exprs.is_used(id)) continue;
    const auto collected = code.collected.find(id);
    if (code.type(id) == Scalar::Ptr)
      add("char ", "*" + code.names[v]);
    else
      add(c_type(collected == code.collected.end() ? code.type(id)
                 : collected->second == 4          ? Scalar::Int32
                                                   : Scalar::Int64) +
              " ",
          code.names[v]);
  }
  for (const Kind& k : kinds) {
    std::string line;
    for (const std::string& name : k.names) {
      const std::string one = fmt::format("{} = {}", name, k.zero);
      if (line.size() + one.size() > 110) {
        out.line(line + ";");
        line.clear();
      }
      line += line.empty() ? k.start + one : ", " + one;
    }
    if (!line.empty()) out.line(line + ";");
  }
}

Result<std::string> write_function(const Module& m, const Function& f, Prelude& prelude, bool lines) {
  c_family::Names taken(is_reserved);
  std::vector<std::string> names;
  for (const Var& v : f.vars) names.push_back(taken.unique(v.name.empty() ? "t" : v.name));
  FunctionCode code(m, f, prelude, std::move(names), std::move(taken));
  code.lines = lines;
  code.exprs.set_products(has_pairs_of_products(f));
  find_collected(f.body, false, f, code.collected);
  code.out.set_depth(1);
  if (f.kind == Function::Kind::Task)
    load_captures(code);
  else
    load_params(code);
  write_block(code, f.body);
  if (code.needs.exit) code.out.raw("done:;\n");
  if (f.kind == Function::Kind::Entry) hand_over_results(code);
  code.out.line("status = VR_OK;");
  if (code.needs.cleanup) code.out.raw("cleanup:;\n");
  const std::string body = code.out.take();
  write_block(code, f.cleanup);
  const std::string cleanup = code.out.take();
  if (code.problem.empty()) code.problem = code.exprs.problem();
  if (!code.problem.empty())
    return make_error(Code::Unsupported,
                      fmt::format("function '{}': {}, which cannot be written in C yet", f.source_name, code.problem));

  c_family::Lines out;
  std::string comment = f.source_name;
  for (char& c : comment)
    if (static_cast<unsigned char>(c) < 32 || c == '*' || c == '/' || c == '\\') c = ' ';
  out.line(fmt::format("/* {}{} */", f.kind == Function::Kind::Task ? "a parallel loop of " : "", comment));
  out.line(signature(f));
  out.line("{");
  out.set_depth(1);
  out.line("int32_t status = VR_OK;");
  declare_variables(code, out);
  for (size_t k = 0; k < code.needs.descriptors; ++k) out.line(fmt::format("vr_array d{};", k));
  if (code.needs.args > 0) out.line(fmt::format("vr_value call_args[{}];", code.needs.args));
  if (code.needs.results > 0) out.line(fmt::format("vr_value call_results[{}];", code.needs.results));
  for (const std::string& d : code.declarations) out.line(d);
  out.line(f.kind == Function::Kind::Task ? "(void)ctx; (void)env; (void)lo; (void)hi;"
                                          : "(void)ctx; (void)args; (void)results;");
  return out.take() + body + cleanup + "  return status;\n}\n\n";
}

std::string values_table(const std::string& name, const std::vector<PlainValue>& values) {
  std::string s = fmt::format("static const vr_export_value {}[] = {{\n", name);
  for (const PlainValue& v : values)
    s += fmt::format("  {{{}, {}, {}, {}, {}, 0}},\n", quoted(v.source_name), quoted(v.type),
                     static_cast<int32_t>(v.elem) | (v.complex ? VR_COMPLEX : 0), v.rank, v.layout);
  if (values.empty()) s += "  {\"\", \"\", 0, 0, 0, 0},\n";
  return s + "};\n";
}

const Function& named(const Module& m, const std::string& name) {
  return **std::find_if(m.functions.begin(), m.functions.end(), [&](const auto& f) { return f->name == name; });
}

/// The table of versions of a function; its last row is for all arguments.
std::string write_versions(const Module& m, const PlainFunction& p, size_t number) {
  std::string guards, versions = fmt::format("static const vr_version vr_versions_{}[] = {{\n", number);
  for (size_t k = 0; k < p.versions.size(); ++k) {
    std::string rows;
    for (const PlainGuard& g : p.versions[k].guards)
      rows += fmt::format(
          "{}{{{}, {}, {}}}", rows.empty() ? "" : ", ", g.arg, g.axis,
          g.value == std::numeric_limits<int64_t>::min() ? "INT64_MIN" : fmt::format("INT64_C({})", g.value));
    guards += fmt::format("static const vr_guard vr_guards_{}_{}[] = {{{}}};\n", number, k, rows);
    versions += fmt::format("  {{{}, vr_guards_{}_{}, {}, 0, 0, 0}},\n", function_name(named(m, p.versions[k].entry)), number,
                            k, p.versions[k].guards.size());
  }
  return guards + versions + fmt::format("  {{{}, NULL, 0, 0, 0, 0}}}};\n\n", function_name(named(m, p.entry)));
}

/// The function that C programs call.
std::string write_plain(const Module& m, const PlainFunction& p, size_t number) {
  std::string s = values_table(fmt::format("vr_args_{}", number), p.args) +
                  values_table(fmt::format("vr_results_{}", number), p.results);
  std::vector<std::string> parts{fmt::format("&vrrt_abi_{}", VR_ABI_VERSION)};
  for (const std::string& part : p.parts) parts.push_back("&vrrt_part_" + part);
  s += fmt::format("static const void *const vr_parts_{}[] = {{{}, NULL}};\n", number, fmt::join(parts, ", "));
  s += fmt::format(
      "static const vr_export vr_export_{0} = {{{1}, {2}, vr_args_{0}, vr_results_{0}, {3}, {4}, {5}, {6}, "
      "vr_parts_{0}}};\n\n",
      number, quoted(p.source_name), function_name(named(m, p.entry)), p.args.size(), p.results.size(),
      p.shares ? 1 : 0, p.parallel ? 1 : 0);
  if (!p.versions.empty()) s += write_versions(m, p, number);
  s += prototype(p) + "\n{\n";
  s += fmt::format("  vr_value vr_given[{}];\n  void *vr_made[{}];\n", std::max<size_t>(1, p.args.size()),
                   std::max<size_t>(1, p.results.size()));
  s += "  memset(vr_given, 0, sizeof vr_given);\n";
  for (size_t k = 0; k < p.args.size(); ++k) {
    const PlainValue& v = p.args[k];
    if (v.rank > 0)
      s += fmt::format("  vr_given[{}].array = (vr_array *){};\n", k, v.name);
    else if (v.complex)
      s += fmt::format("  memcpy(&vr_given[{}], {}, sizeof *{});\n", k, v.name, v.name);
    else
      s += fmt::format("  vr_given[{}].{} = {};\n", k, value_member(scalar_of(v.elem), false), v.name);
  }
  s += "  vr_made[0] = NULL;\n";
  for (size_t k = 0; k < p.results.size(); ++k) s += fmt::format("  vr_made[{}] = {};\n", k, p.results[k].name);
  if (p.versions.empty())
    return s + fmt::format("  return vr_rt_call_export(&vr_export_{}, vr_given, vr_made, error);\n}}\n\n", number);
  return s + fmt::format(
                 "  return vr_rt_call_version(&vr_export_{0}, vr_versions_{0}, {1}, vr_given, vr_made, error);\n}}\n\n",
                 number, p.versions.size() + 1);
}

/// The functions that the exported ones reach: compilers warn about unused ones.
std::set<const Function*> used_functions(const Module& m, const std::vector<PlainFunction>& plain) {
  std::set<const Function*> used;
  std::vector<const Function*> found;
  auto add = [&](const Function* f) {
    if (used.insert(f).second) found.push_back(f);
  };
  for (const PlainFunction& p : plain) {
    add(&named(m, p.entry));
    for (const PlainVersion& v : p.versions) add(&named(m, v.entry));
  }
  while (!found.empty()) {
    const Function* f = found.back();
    found.pop_back();
    auto look = [&](const Stmt& s) {
      int32_t callee = none;
      if (const auto* c = std::get_if<CallFunction>(&s.node)) callee = c->callee;
      if (const auto* c = std::get_if<TakeAddress>(&s.node)) callee = c->callee;
      if (const auto* c = std::get_if<ParallelFor>(&s.node)) callee = c->task;
      if (callee != none) add(m.functions[static_cast<size_t>(callee)].get());
      return false;
    };
    any_statement(f->body, look);
    any_statement(f->cleanup, look);
  }
  return used;
}

}  // namespace

Result<std::string> emit(const Module& m, const std::vector<PlainFunction>& plain, const EmitOptions& options) {
  Prelude prelude;
  std::string functions, declarations;
  bool parallel = false;
  const std::set<const Function*> used = used_functions(m, plain);
  for (const auto& f : m.functions) {
    if (!used.contains(f.get())) continue;
    auto text = write_function(m, *f, prelude, options.lines);
    if (!text) return text.error();
    functions += *text;
    declarations += signature(*f) + ";\n";
    parallel = parallel || has<ParallelFor>(f->body);
  }
  std::string s = "/* Written by `vrir build --c`. */\n" + first_lines();
  const bool versions =
      std::any_of(plain.begin(), plain.end(), [](const PlainFunction& p) { return !p.versions.empty(); });
  if (versions) s += "#include <velociraptor/aot_versions.h>\n";
  if (!options.header.empty()) s += fmt::format("#include {}\n\n", quoted(options.header));
  std::set<std::string> parts;
  for (const PlainFunction& p : plain) parts.insert(p.parts.begin(), p.parts.end());
  s += fmt::format("extern const char vrrt_abi_{};\n", VR_ABI_VERSION);
  for (const std::string& p : parts) s += fmt::format("extern const char vrrt_part_{};\n", p);
  if (options.header.empty())
    for (const PlainFunction& p : plain) s += prototype(p) + ";\n";
  s += "\n" + prelude.text() + (parallel ? parallel_for() : "");
  if (functions.find("&vr_sites[") != std::string::npos) {
    s += "/* Where faults can happen: function, place, array, message, axis, code of a raise statement. */\nstatic "
         "const vr_site vr_sites[] = {\n";
    for (const Site& t : m.sites)
      s += fmt::format("  {{{}, {}, {}, {}, {}, {}}},\n", quoted(t.function), quoted(t.loc), quoted(t.array),
                       quoted(t.message), t.axis, t.raised);
    s += "};\n\n";
  }
  s += declarations + "\n" + functions;
  for (size_t k = 0; k < plain.size(); ++k) s += write_plain(m, plain[k], k);
  return s;
}

}  // namespace vr::codegen::c99
