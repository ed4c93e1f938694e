#include "aot/interface.hpp"

#include "codegen/llvm/object.hpp"
#include "lower/lower.hpp"
#include "runtime/abi.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>

namespace vr::aot {

namespace {

/// The keywords of C99, C11, C23 and C++20, and names that are macros in them.
constexpr std::string_view keywords =
    "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t "
    "char32_t class co_await co_return co_yield compl concept const const_cast consteval constexpr "
    "constinit continue decltype default delete do double dynamic_cast else enum explicit export extern "
    "false float for friend goto if inline int long mutable namespace new noexcept not not_eq nullptr "
    "operator or or_eq private protected public register reinterpret_cast requires restrict return short "
    "signed sizeof static static_assert static_cast struct switch template this thread_local throw true "
    "try typedef typeid typename typeof typeof_unqual union unsigned using virtual void volatile wchar_t "
    "while xor xor_eq errno assert linux unix NULL I complex ";

bool is_keyword(std::string_view name) {
  std::string_view rest = keywords;
  for (size_t end; (end = rest.find(' ')) != std::string_view::npos; rest.remove_prefix(end + 1))
    if (rest.substr(0, end) == name) return true;
  return false;
}

bool is_identifier(std::string_view s) {
  if (s.empty() || (s[0] >= '0' && s[0] <= '9')) return false;
  return std::all_of(s.begin(), s.end(), lower::is_symbol_char);
}

Error unsupported(const ir::Function& f, const std::string& what) {
  return make_error(Code::Unsupported, fmt::format("function '{}': {}", f.name, what));
}

int layout_code(ir::Layout l) {
  switch (l) {
    case ir::Layout::RowMajor:
      return VR_ROWMAJOR;
    case ir::Layout::ColMajor:
      return VR_COLMAJOR;
    case ir::Layout::Strided:
      return VR_STRIDED;
  }
  return VR_STRIDED;
}

/// Empty: C has no type for it.
std::string why_not_in_c(const ir::Type& t) {
  if (!t.is_numeric()) return fmt::format("is {}, which C cannot express", t.text());
  if (t.is_scalar() && t.complex && !ir::is_float(t.elem))
    return fmt::format("is {}, and C has no complex integers", t.text());
  return {};
}

lower::PlainValue value_of(const ir::Type& t, std::string name, std::string source_name) {
  lower::PlainValue v;
  v.name = std::move(name);
  v.source_name = std::move(source_name);
  v.type = t.text();
  v.elem = t.elem;
  v.complex = t.complex;
  v.rank = t.is_array() ? t.rank : 0;
  v.layout = t.is_array() ? layout_code(t.layout) : 0;
  return v;
}

/// A parameter's name: the program's, if C accepts it and no other parameter has it.
std::string parameter_name(const std::string& wanted, const std::string& otherwise, std::set<std::string>& used) {
  std::string name = is_c_name(wanted) ? wanted : otherwise;
  for (int n = 2; !used.insert(name).second; ++n)
    name = fmt::format("{}_{}", is_c_name(wanted) ? wanted : otherwise, n);
  return name;
}

Result<lower::PlainFunction> plain(const Source& source, const ir::Function& f, const BuildOptions& options) {
  lower::PlainFunction p;
  p.symbol = options.prefix + f.name;
  p.source_name = f.name;
  p.entry = lower::entry_symbol(f.name);
  p.parallel = options.parallel;
  p.shares = source.conventions.assign == ir::AssignMode::Share || source.conventions.slices == ir::SliceMode::View;
  if (f.external) return unsupported(f, "is a function of the host, which has no code");
  if (!is_c_name(p.symbol))
    return make_error(Code::Usage,
                      fmt::format("function '{}': '{}' is no name in C; use --prefix or --function", f.name, p.symbol));
  if (p.symbol.starts_with("vr_") || p.symbol.starts_with("vrrt_") || p.symbol == "main" ||
      codegen::llvm_backend::is_c_library_name(p.symbol))
    return make_error(Code::Usage, fmt::format("function '{}': the C library or the runtime has a '{}'; use --prefix",
                                               f.name, p.symbol));
  std::set<std::string> used{"error"};
  const auto& ins = f.type.components();
  for (size_t k = 0; k < ins.size(); ++k) {
    const ir::Symbol* s = k < f.args.size() ? f.symbols.find(f.args[k]) : nullptr;
    const std::string name = s ? s->name : "";
    if (const std::string why = why_not_in_c(ins[k]); !why.empty())
      return unsupported(f, fmt::format("argument {} ('{}') {}", k + 1, name, why));
    p.args.push_back(value_of(ins[k], parameter_name(name, fmt::format("arg{}", k + 1), used), name));
  }
  const auto& outs = f.type.outputs();
  const bool none = outs.size() == 1 && outs[0].is_void();
  for (size_t k = 0; !none && k < outs.size(); ++k) {
    if (const std::string why = why_not_in_c(outs[k]); !why.empty())
      return unsupported(f, fmt::format("result {} {}", k + 1, why));
    const std::string name = outs.size() == 1 ? "result" : fmt::format("result{}", k + 1);
    p.results.push_back(value_of(outs[k], parameter_name(name, name, used), ""));
  }
  return p;
}

}  // namespace

bool is_c_name(const std::string& name) {
  const bool reserved =
      name.size() > 1 && name[0] == '_' && (name[1] == '_' || std::isupper(static_cast<unsigned char>(name[1])));
  return is_identifier(name) && !reserved && !is_keyword(name);
}

Result<std::vector<lower::PlainFunction>> interface_of(const Source& source,
                                                       const std::vector<const ir::Function*>& functions,
                                                       const BuildOptions& options, std::vector<std::string>& taken) {
  std::vector<lower::PlainFunction> all;
  if (source.conventions.memory == ir::MemoryMode::Boehm)
    return make_error(Code::Unsupported,
                      fmt::format("module '{}': the runtime of built libraries has no garbage collector "
                                  "(`:memory boehm`)",
                                  source.module->name));
  for (const ir::Function* f : functions) {
    auto p = plain(source, *f, options);
    if (!p) return p.error();
    if (std::find(taken.begin(), taken.end(), p->symbol) != taken.end())
      return make_error(Code::Usage,
                        fmt::format("two functions would be '{}' in C; use --function or --prefix", p->symbol));
    taken.push_back(p->symbol);
    all.push_back(std::move(*p));
  }
  return all;
}

}  // namespace vr::aot
