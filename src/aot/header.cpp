#include "aot/header.hpp"

#include "loop/form.hpp"
#include "runtime/abi.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

namespace vr::aot {

namespace {

using lower::PlainValue;

/// The type of an element, or of a scalar by value.
std::string cpp_type(const PlainValue& v) {
  if (v.complex) return v.elem == ir::Elem::Float32 ? "std::complex<float>" : "std::complex<double>";
  if (v.elem == ir::Elem::Float16) return "::vr::built::float16";
  if (v.elem == ir::Elem::BFloat16) return "::vr::built::bfloat16";
  return lower::scalar_type(v);
}

std::string cpp_array(const char* kind, const PlainValue& v, bool constant) {
  const char* layout = v.layout == VR_ROWMAJOR   ? ""
                       : v.layout == VR_COLMAJOR ? ", ::vr::built::layout::col_major"
                                                 : ", ::vr::built::layout::strided";
  return fmt::format("::vr::built::{}<{}{}, {}{}>", kind, constant ? "const " : "", cpp_type(v), v.rank, layout);
}

std::string cpp_function(const lower::PlainFunction& f) {
  std::vector<std::string> parameters, given, types, values;
  for (const PlainValue& v : f.args) {
    if (v.rank > 0)
      parameters.push_back(fmt::format("const {} &{}", cpp_array("view", v, !f.shares), v.name));
    else
      parameters.push_back(fmt::format("{} {}", cpp_type(v), v.name));
    given.push_back(v.rank > 0  ? fmt::format("&{}.descriptor()", v.name)
                    : v.complex ? fmt::format("reinterpret_cast<const {} *>(&{})", lower::scalar_type(v), v.name)
                    : ir::is_narrow_float(v.elem) ? v.name + ".bits"
                                                  : v.name);
  }
  std::string locals;
  for (const PlainValue& v : f.results) {
    types.push_back(v.rank > 0 ? cpp_array("array", v, false) : cpp_type(v));
    locals += fmt::format("  {} {} = {{}};\n", v.rank > 0 ? "vr_array" : cpp_type(v), v.name);
    given.push_back(v.rank > 0  ? "&" + v.name
                    : v.complex ? fmt::format("reinterpret_cast<{} *>(&{})", lower::scalar_type(v), v.name)
                    : ir::is_narrow_float(v.elem) ? fmt::format("&{}.bits", v.name)
                                                  : "&" + v.name);
    values.push_back(v.rank > 0 ? fmt::format("{}({})", types.back(), v.name) : v.name);
  }
  given.emplace_back("&error");
  const std::string type = types.empty()       ? "void"
                           : types.size() == 1 ? types[0]
                                               : fmt::format("std::tuple<{}>", fmt::join(types, ", "));
  std::string last;
  if (values.size() == 1) last = fmt::format("  return {};\n", values[0]);
  if (values.size() > 1) last = fmt::format("  return {}({});\n", type, fmt::join(values, ", "));
  return fmt::format(
      "\ninline {} {}({}) {{\n{}  vr_error error;\n  if (::{}({}) != VR_OK) throw ::vr::built::fault(error);\n{}}}\n",
      type, f.symbol, fmt::join(parameters, ", "), locals, f.symbol, fmt::join(given, ", "), last);
}

bool is_cpp_header(const std::string& file_name) {
  return file_name.ends_with(".hpp") || file_name.ends_with(".hh") || file_name.ends_with(".hxx");
}

std::string cpp_text(const std::vector<lower::PlainFunction>& functions) {
  std::string s =
      "\n/* For C++: the same functions with typed arrays. A fault is an exception, vr::built::fault; results are "
      "returned. */\n"
      "#ifdef __cplusplus\n#include <velociraptor/aot.hpp>\n\n#include <tuple>\n\nnamespace vrir {\n";
  for (const lower::PlainFunction& f : functions) s += cpp_function(f);
  return s + "\n}  // namespace vrir\n#endif\n";
}

}  // namespace

std::string header_text(const std::string& file_name, const std::vector<lower::PlainFunction>& functions,
                        const std::vector<std::string>& parts) {
  std::string guard = "VRIR_BUILD_";
  for (char c : file_name)
    guard += lower::is_symbol_char(c) ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : '_';
  std::string libraries;
  for (const std::string& p : parts) libraries += fmt::format("-lvrrt_{} ", p);
  // Further libraries that static parts need.
  const bool opencl = std::find(parts.begin(), parts.end(), "opencl") != parts.end();
  std::string s = fmt::format(
      "/* Written by `vrir build`. Each function returns VR_OK, or the code of the fault, whose record it copies to "
      "*error unless that is\n"
      " * NULL. Results are written only on success; array results are given back with vr_aot_release(). Thread-safe.\n"
      " * Besides the library, link with: {}-lvrrt -lm (a static libvrrt also needs{} -lstdc++). */\n"
      "#ifndef {}\n#define {}\n#include <stdbool.h>\n#include <velociraptor/aot.h>\n\n"
      "#ifdef __cplusplus\nextern \"C\" {{\n#endif\n",
      libraries, opencl ? " -lOpenCL -ltbb" : "", guard, guard);
  for (const lower::PlainFunction& f : functions) {
    std::vector<std::string> types, results;
    for (const lower::PlainValue& v : f.args) types.push_back(fmt::format("{}: {}", v.name, v.type));
    for (const lower::PlainValue& v : f.results) results.push_back(v.type);
    s += fmt::format("\n/* ({}) -> ({}){} */\n{};\n", fmt::join(types, ", "), fmt::join(results, ", "),
                     f.shares ? "; may store to the elements of its arguments, and results may share them" : "",
                     lower::prototype(f));
  }
  s += "\n#ifdef __cplusplus\n}\n#endif\n";
  if (is_cpp_header(file_name)) s += cpp_text(functions);
  return s + "#endif\n";
}

}  // namespace vr::aot
