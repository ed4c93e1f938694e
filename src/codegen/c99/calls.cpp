// Calls of the runtime and of other functions, and array descriptors around them.
#include "codegen/c99/function_code.hpp"
#include "loop/runtime_table.hpp"
#include "runtime/abi.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace vr::codegen::c99 {

using namespace lower;

std::string site(SiteId id) { return id == none ? "NULL" : fmt::format("&vr_sites[{}]", id); }

void check_status(FunctionCode& code) {
  code.needs.cleanup = true;
  code.out.line("if (status != VR_OK) goto cleanup;");
}

std::string value_member(Scalar type, bool complex, int part) {
  const std::string name = type == Scalar::Bool ? "b" : short_name(type);
  return complex ? fmt::format("c{}[{}]", name, part) : name;
}

void fill_descriptor(FunctionCode& code, const ArrayVars& a, const std::string& d, bool contents) {
  const int32_t elem = static_cast<int32_t>(a.elem) | (a.complex ? VR_COMPLEX : 0);
  const std::string data = contents ? code.name(a.data) : "NULL";
  const std::string owner =
      contents && a.owner != none ? fmt::format("(vr_owner *)(void *){}", code.name(a.owner)) : "NULL";
  const std::string flags = contents && a.flags != none ? code.name(a.flags) : "0";
  code.out.line(
      fmt::format("{0}.data = {1}; {0}.owner = {2}; {0}.elem = {3}; {0}.rank = {4}; {0}.flags = {5}; {0}.reserved = 0;",
                  d, data, owner, elem, a.extent.size(), flags));
  if (!contents) return;
  std::string line;
  for (size_t k = 0; k < a.extent.size(); ++k)
    line += fmt::format("{0}{1}.extent[{2}] = {3}; {1}.stride[{2}] = {4};", k ? " " : "", d, k, code.name(a.extent[k]),
                        code.name(a.stride[k]));
  if (!line.empty()) code.out.line(line);
}

void read_descriptor(FunctionCode& code, const std::string& d, const ArrayVars& a) {
  std::string line = fmt::format("{} = {}.data;", code.name(a.data), d);
  if (a.owner != none) line += fmt::format(" {} = (char *){}.owner;", code.name(a.owner), d);
  if (a.flags != none) line += fmt::format(" {} = {}.flags;", code.name(a.flags), d);
  code.out.line(line);
  line.clear();
  // Never negative, so that one comparison with a subscript checks both bounds.
  if (!a.extent.empty())
    code.prelude.use("vr_extent", "static inline int64_t vr_extent(int64_t n) { return n > 0 ? n : 0; }\n");
  for (size_t k = 0; k < a.extent.size(); ++k)
    line += fmt::format("{0}{1} = vr_extent({3}.extent[{2}]); {4} = {3}.stride[{2}];", k ? " " : "",
                        code.name(a.extent[k]), k, d, code.name(a.stride[k]));
  if (!line.empty()) code.out.line(line);
}

namespace {

std::string descriptor(FunctionCode& code, size_t k) {
  code.needs.descriptors = std::max(code.needs.descriptors, k + 1);
  return fmt::format("d{}", k);
}

std::vector<ExprP> roots_of(const Call& s) {
  std::vector<ExprP> roots;
  for (const Arg& a : s.args) {
    if (a.value) roots.push_back(a.value);
    roots.insert(roots.end(), a.values.begin(), a.values.end());
  }
  return roots;
}

}  // namespace

void write_statement(FunctionCode& code, const Call& s) {
  const RuntimeFunction& row = runtime_table[s.fn];
  if (s.fn == rt::Keep) return code.refuse("collected memory");
  if (s.fn == rt::External) return code.refuse("a function of the host");
  if (std::string_view(row.symbol).starts_with("vr_gpu_")) return code.refuse("an accelerated section");
  declare_shared(code, roots_of(s));
  if (s.fn == rt::Release || s.fn == rt::Retain) {
    const std::string owner = code.exprs.write(s.args[0].value, true);
    return code.out.line(fmt::format("if ({0}) {1}((vr_owner *)(void *){0});", owner, row.symbol));
  }
  std::vector<std::string> args;
  if (row.params[0] == 'C') args.push_back("ctx");
  size_t descriptors = 0, lists = 0;
  std::vector<std::pair<const Arg*, std::string>> read_back;
  const bool block =
      std::any_of(s.args.begin(), s.args.end(), [](const Arg& a) { return a.kind == Arg::Kind::Int64s; });
  if (block) code.out.open("{");
  for (const Arg& a : s.args) {
    switch (a.kind) {
      case Arg::Kind::Scalar:
        args.push_back(code.exprs.write(a.value));
        break;
      case Arg::Kind::Array: {
        const std::string d = descriptor(code, descriptors++);
        fill_descriptor(code, code.array(a.array), d, a.in);
        if (a.out) read_back.emplace_back(&a, d);
        args.push_back("&" + d);
        break;
      }
      case Arg::Kind::Int64s: {
        std::vector<std::string> values;
        for (ExprP v : a.values) values.push_back(code.exprs.write(v));
        if (values.empty()) values.push_back("0");
        const std::string name = fmt::format("numbers{}", lists++);
        code.out.line(fmt::format("const int64_t {}[] = {{{}}};", name, fmt::join(values, ", ")));
        args.push_back(name);
        break;
      }
      case Arg::Kind::Site:
        args.push_back(site(a.site));
        break;
      case Arg::Kind::Text:
        code.refuse("a text");
        break;
    }
  }
  const std::string call = fmt::format("{}({});", row.symbol, fmt::join(args, ", "));
  code.out.line(s.checked          ? "status = " + call
                : s.result != none ? fmt::format("{} = {}", code.name(s.result), call)
                                   : call);
  if (block) code.out.close();
  if (s.checked && s.result != none) code.out.line(fmt::format("{} = status;", code.name(s.result)));
  if (s.checked) check_status(code);
  for (const auto& [arg, d] : read_back) read_descriptor(code, d, code.array(arg->array));
}

void write_statement(FunctionCode& code, const CallFunction& s) {
  code.needs.args = std::max(code.needs.args, s.args.size());
  code.needs.results = std::max(code.needs.results, s.results.size());
  size_t descriptors = 0;
  for (size_t k = 0; k < s.args.size(); ++k) {
    const Operand& o = s.args[k];
    if (o.array != none) {
      const std::string d = descriptor(code, descriptors++);
      fill_descriptor(code, code.array(o.array), d, true);
      code.out.line(fmt::format("call_args[{}].array = &{};", k, d));
      continue;
    }
    const bool complex = o.im != none;
    if (code.type(o.var) == Scalar::Ptr) {
      code.out.line(fmt::format("call_args[{}].function = {};", k, code.name(o.var)));
      continue;
    }
    code.out.line(fmt::format("call_args[{}].{} = {};", k, value_member(code.type(o.var), complex), code.name(o.var)));
    if (complex)
      code.out.line(fmt::format("call_args[{}].{} = {};", k, value_member(code.type(o.var), true, 1), code.name(o.im)));
  }
  std::vector<std::string> made(s.results.size());
  for (size_t k = 0; k < s.results.size(); ++k)
    if (s.results[k].array != none) {
      made[k] = descriptor(code, descriptors++);
      code.out.line(fmt::format("call_results[{}].array = &{};", k, made[k]));
    }
  const std::string callee = s.callee != none ? function_name(*code.m.functions[static_cast<size_t>(s.callee)])
                                              : fmt::format("((vr_entry)(uintptr_t){})", code.name(s.handle));
  code.out.line(fmt::format("status = {}(ctx, {}, {});", callee, s.args.empty() ? "NULL" : "call_args",
                            s.results.empty() ? "NULL" : "call_results"));
  check_status(code);
  for (size_t k = 0; k < s.results.size(); ++k) {
    const Operand& o = s.results[k];
    if (o.array != none) {
      read_descriptor(code, made[k], code.array(o.array));
      continue;
    }
    const Scalar t = code.type(o.var);
    if (t == Scalar::Ptr) {
      code.out.line(fmt::format("{} = call_results[{}].function;", code.name(o.var), k));
      continue;
    }
    code.out.line(fmt::format("{} = call_results[{}].{};", code.name(o.var), k, value_member(t, o.im != none)));
    if (o.im != none)
      code.out.line(fmt::format("{} = call_results[{}].{};", code.name(o.im), k, value_member(t, true, 1)));
  }
}

void write_statement(FunctionCode& code, const ParallelFor& s) {
  declare_shared(code, {s.lo, s.hi});
  code.out.open("{");
  code.out.line(fmt::format("int64_t env[{}];", std::max<size_t>(1, s.captures.size())));
  for (size_t k = 0; k < s.captures.size(); ++k)
    code.out.line(fmt::format("{}((char *)&env[{}], {});", code.prelude.store(code.type(s.captures[k])), k,
                              code.name(s.captures[k])));
  code.out.line(fmt::format("status = vr_parallel_for(ctx, {}, {}, env, {}, {});", site(s.site),
                            function_name(*code.m.functions[static_cast<size_t>(s.task)]), code.exprs.write(s.lo),
                            code.exprs.write(s.hi)));
  code.out.close();
  check_status(code);
}

}  // namespace vr::codegen::c99
