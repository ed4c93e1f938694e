// libFuzzer target: any bytes -> parse in both dialects -> verify -> print -> parse.
// A crash, a sanitizer report or a broken round trip is a find.
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
