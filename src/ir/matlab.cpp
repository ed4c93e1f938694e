#include <velociraptor/ir/matlab.hpp>

#include <unordered_map>

namespace vr::ir {

namespace {
constexpr MatlabBuiltin rows[] = {
#define VR_MATLAB(name, form, library, result, complex, domain) \
  {name,                                                        \
   MatlabBuiltin::Form::form,                                   \
   library,                                                     \
   MatlabBuiltin::Result::result,                               \
   MatlabBuiltin::OfComplex::complex,                           \
   MatlabBuiltin::Domain::domain},
#include <velociraptor/ir/matlab.def>
};
}  // namespace

const MatlabBuiltin* find_matlab_builtin(std::string_view name) {
  static const auto table = [] {
    std::unordered_map<std::string_view, const MatlabBuiltin*> m;
    for (const MatlabBuiltin& b : rows) m.emplace(b.name, &b);
    return m;
  }();
  auto it = table.find(name);
  return it == table.end() ? nullptr : it->second;
}

}  // namespace vr::ir
