// libFuzzer target: any bytes -> parse in both dialects -> verify -> print in both syntaxes -> parse.
// A crash, a sanitizer report or a difference after the round trip is a failure.
#include "text/short/parse_short.hpp"

#include <velociraptor/ir/text.hpp>
#include <velociraptor/ir/verify.hpp>
#include <velociraptor/ir/visit.hpp>

#include <cstdio>
#include <cstdlib>

using namespace vr::ir;

namespace {

[[noreturn]] void find(const char* what, const std::string& text) {
  std::fprintf(stderr, "%s:\n%s\n", what, text.c_str());
  std::abort();
}

/// A module in the full syntax must survive printing in the short syntax and parsing.
void check_short(const Module& m) {
  const std::string printed = print_short(m);
  auto again = parse(printed);
  if (!again.ok()) find("printed short text does not parse", printed + again.error().text());
  if (!equal(m, **again)) find("printed short text is another tree", printed);
  if (print_short(**again) != printed) find("printing short text again gives other text", printed);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  for (Dialect dialect : {Dialect::Vrir, Dialect::Mclab}) {
    ParseOptions o;
    o.dialect = dialect;
    auto m = parse(text, o);
    if (!m.ok()) {
      if (m.error().diagnostics.empty()) find("an error without a diagnostic", std::string(text));
      continue;
    }
    if (dialect == Dialect::Vrir) check_short(**m);
    // The short syntax can also state trees without types, which the full syntax cannot.
    if (dialect == Dialect::Vrir && vr::text::is_short(text)) {
      (void)verify(**m);
      continue;
    }
    std::string printed = print(**m);
    auto again = parse(printed, o);
    if (!again.ok()) find("printed text does not parse", printed + again.error().text());
    if (!equal(**m, **again)) find("printed text is another tree", printed);
    if (print(**again) != printed) find("printing again gives other text", printed);
#ifdef VR_FUZZ_VERIFY
    (void)verify(**m);
    if (dialect == Dialect::Mclab) {
      std::vector<vr::Diagnostic> remarks;
      (void)from_mclab(**m, &remarks);
    }
#endif
  }
  return 0;
}
