#include "prelude.hpp"

#include "parser.hpp"

#include <map>
#include <set>

namespace vr::matlab {

bool prelude_first(const std::string& name) {
  static const std::set<std::string> first = {
      "accumarray", "arrayfun", "bitcmp",   "bitget",   "bitset",   "blkdiag",  "circshift", "cross",     "cumtrapz",
      "dec2bin",    "deconv",   "factor",   "fftshift", "hist",     "histc",    "idivide",   "ifftshift", "interp1",
      "intersect",  "isprime",  "lcm",      "mode",     "nchoosek", "ndgrid",   "nthroot",   "polyfit",   "postpad",
      "prctile",    "primes",   "quantile", "setdiff",  "rot90",    "setxor",   "sortrows", "isindex",   "ipermute",  "merge",
      "ifelse",     "std",      "toeplitz", "trapz",    "union",    "unwrap",   "polyarea",  "vander",    "var"};
  return first.count(name) > 0;
}

const Function* prelude(const std::string& name) {
  static const auto functions = [] {
    std::map<std::string, FunctionPtr> all;
    for (const char* text : {kArrayPrelude, kNumericPrelude, kStatisticsPrelude, kTextPrelude, kComplexPrelude, kListPrelude}) {
      auto unit = parse(text, "builtin");
      if (!unit) continue;  // the probes of tests/hosts/matlab call functions of both texts
      for (const FunctionPtr& f : (*unit)->functions) {
        auto own = std::make_shared<Function>(*f);
        own->file = "builtin " + f->name;
        own->prelude = true;
        all[f->name] = own;
      }
    }
    return all;
  }();
  auto it = functions.find(name);
  return it == functions.end() ? nullptr : it->second.get();
}

}  // namespace vr::matlab
