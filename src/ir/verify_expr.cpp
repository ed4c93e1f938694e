// verify: expressions. Children first, then the node: its stated type is compared with its natural one (typing.hpp).
#include "ir/overflow.hpp"
#include "ir/verifier.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace vr::ir {

bool Verifier::field(const char* name, const ExprPtr& e, bool optional) {
  At at(*this, name, -1, e.get());
  if (e) return expr(e);
  if (optional) return true;
  report("missing-part", fmt::format("'{}' is missing", name));
  return false;
}
bool Verifier::field(const char* name, const std::vector<ExprPtr>& list, bool) {
  bool ok = true;
  for (size_t k = 0; k < list.size(); ++k) {
    At at(*this, name, static_cast<int>(k), list[k].get());
    if (list[k]) {
      ok = expr(list[k]) && ok;
    } else {
      report("missing-part", fmt::format("element {} of '{}' is missing", k + 1, name));
      ok = false;
    }
  }
  return ok;
}
bool Verifier::field(const char* name, const std::vector<Subscript>& list, bool) {
  bool ok = true;
  for (size_t k = 0; k < list.size(); ++k) {
    At at(*this, name, static_cast<int>(k), list[k].value.get());
    if (list[k].value) {
      ok = expr(list[k].value) && ok;
    } else {
      report("missing-part", fmt::format("subscript {} is missing", k + 1));
      ok = false;
    }
  }
  return ok;
}

bool Verifier::expr(const ExprPtr& e) {
  const size_t before = out_.size();
  bool ok = visit(*e, [&](const auto& n) { return children(n); });
  // For a node with an erroneous operand, the error would only be repeated.
  if (ok) ok = own_type(*e);
  if (in_kernel_) kernel_expr(*e);
  if (const auto* c = as<FnCall>(e); c && !pfors_.empty() && !in_kernel_) parallel_call(*c);
  return ok && out_.size() == before;
}

bool Verifier::own_type(const Expr& e) {
  Typing natural = natural_type(e, scope_);
  if (!natural.ok()) {
    // A missing variable is reported once, not at each of its uses.
    if (natural.rule == "unknown-id" && !missing_.insert(natural.error).second) return false;
    report(natural.rule, natural.error, natural.hint);
    return false;
  }
  if (e.type.is_null()) {
    if (e.kind == Kind::Range) return true;  // ranges need not state their type
    report("no-type", fmt::format("'{}' states no type", kind_word(e.kind)),
           fmt::format("it is {}", natural.type.text()));
    return false;
  }
  if (const char* hint = narrow_float_fault(e.type); *hint) {
    report("narrow-float", fmt::format("'{}' states {}", kind_word(e.kind), e.type.text()), hint);
    return false;
  }
  if (const auto fault = overflow_fault(scope_.conventions, e, natural.type)) {
    report("overflow", fault->message, fault->hint);
    return false;
  }
  if (const auto* n = as<Name>(&e)) {
    if (e.type == natural.type) return true;
    report("name-type",
           fmt::format("'{}' is stated as {}, but the variable is {}", symbol(n->id)->name, e.type.text(),
                       natural.type.text()),
           "state the variable's type and convert with 'cast'");
    return false;
  }
  if (converts(natural.type, e.type)) return true;
  std::string hint = fmt::format("state {}", natural.type.text());
  if (const auto* i = as<Index>(&e); i && e.type.is_scalar() && natural.type.is_array()) {
    // A row, where an element was probably meant.
    const size_t rank = symbol(i->array)->type.rank, given = i->subscripts.size();
    const bool numbers = std::all_of(i->subscripts.begin(), i->subscripts.end(),
                                     [](const Subscript& x) { return x.value->type.is_scalar(); });
    if (numbers && given < rank)
      hint = fmt::format("an element has {} subscripts, or ':flatten %1'; or state {}", rank, natural.type.text());
  }
  const bool drops_imag = e.type.is_numeric() && natural.type.is_numeric() && natural.type.complex && !e.type.complex;
  report("stated-type",
         fmt::format("'{}' states {}, but it gives {}", kind_word(e.kind), e.type.text(), natural.type.text()),
         drops_imag ? "take 'real', 'imag' or 'abs' of it" : hint);
  return false;
}

}  // namespace vr::ir
