#include "ir/library.hpp"

#include <velociraptor/ir/visit.hpp>

#include <algorithm>

namespace vr::ir {

static constexpr LibFunction table[] = {
#define VR_LIB(Id, name, sort, min_args, max_args, rule, elem, complex, values, fold)          \
  {name,          Lib::Id,       LibSort::sort,       min_args,         max_args,              \
   LibRule::rule, LibElem::elem, LibComplex::complex, LibValue::values, LibFold::fold, "", ""},
#define VR_LIB_CALLED(Id, name, params, results)                                                                       \
  {name,            Lib::Id,       LibSort::Called,  called_arguments(params, true), called_arguments(params, false), \
   LibRule::Called, LibElem::Same, LibComplex::Kept, LibValue::Any,                  LibFold::None,                   \
   params,          results},
#include "ir/library.def"
};

const LibFunction& library(Lib id) { return table[static_cast<size_t>(id)]; }

const std::vector<LibFunction>& all_library() {
  static const std::vector<LibFunction> sorted = [] {
    std::vector<LibFunction> t(std::begin(table), std::end(table));
    std::sort(t.begin(), t.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    return t;
  }();
  return sorted;
}

const LibFunction* find_library(std::string_view name) {
  const auto& all = all_library();
  auto it = std::lower_bound(all.begin(), all.end(), name, [](const auto& f, auto n) { return f.name < n; });
  return it != all.end() && it->name == name ? &library(it->id) : nullptr;
}

const LibFunction* library_function(const Expr* e) {
  auto* c = as<LibCall>(e);
  return c ? find_library(c->func) : nullptr;
}

std::shared_ptr<LibCall> make_call(const Type& t, Lib id, std::vector<ExprPtr> args) {
  return std::make_shared<LibCall>(t, std::string(library(id).name), std::move(args));
}

}  // namespace vr::ir
