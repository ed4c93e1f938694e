#include "builtins.hpp"

#include <map>

namespace vr::matlab {

namespace {
constexpr Builtin rows[] = {
#define VR_MATLAB(name, form, library, result, complex, domain) \
  {name, Form::form, library, ResultClass::result, OfComplex::complex, Domain::domain},
#include <velociraptor/ir/matlab.def>
};
}  // namespace

const Builtin* find_builtin(const std::string& name) {
  static const auto table = [] {
    std::map<std::string, const Builtin*> m;
    for (const Builtin& b : rows) m[b.name] = &b;
    return m;
  }();
  auto it = table.find(name);
  return it == table.end() ? nullptr : it->second;
}

}  // namespace vr::matlab
