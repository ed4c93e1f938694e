#include "aot/header.hpp"

#include "loop/form.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cctype>

namespace vr::aot {

std::string header_text(const std::string& file_name, const std::vector<lower::PlainFunction>& functions,
                        const std::vector<std::string>& parts) {
  std::string guard = "VRIR_BUILD_";
  for (char c : file_name)
    guard += lower::is_symbol_char(c) ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : '_';
  std::string libraries;
  for (const std::string& p : parts) libraries += fmt::format("-lvrrt_{} ", p);
  std::string s = fmt::format(
      "/* Written by `vrir build`. Each function returns VR_OK, or the code of the fault, whose record it copies to "
      "*error unless that is\n"
      " * NULL. Results are written only on success; array results are given back with vr_aot_release(). Thread-safe.\n"
      " * Besides the library, link with: {}-lvrrt -lm (a static libvrrt also needs -lstdc++). */\n"
      "#ifndef {}\n#define {}\n#include <stdbool.h>\n#include <velociraptor/aot.h>\n\n"
      "#ifdef __cplusplus\nextern \"C\" {{\n#endif\n",
      libraries, guard, guard);
  for (const lower::PlainFunction& f : functions) {
    std::vector<std::string> types, results;
    for (const lower::PlainValue& v : f.args) types.push_back(fmt::format("{}: {}", v.name, v.type));
    for (const lower::PlainValue& v : f.results) results.push_back(v.type);
    s += fmt::format("\n/* ({}) -> ({}){} */\n{};\n", fmt::join(types, ", "), fmt::join(results, ", "),
                     f.shares ? "; may store to the elements of its arguments, and results may share them" : "",
                     lower::prototype(f));
  }
  return s + "\n#ifdef __cplusplus\n}\n#endif\n#endif\n";
}

}  // namespace vr::aot
