// Types of the text: the ends of the type rules.
#include <text/tree_builder.hpp>

#include <VrirParser.h>

#include <fmt/format.h>

namespace vr::text {

using P = VrirParser;
using ir::Type;

namespace {
/// The token of an element type is its name in the table.
ir::Elem elem_of(size_t head) {
  const std::string_view name = token_text(head);
  for (const ir::ElemInfo& e : ir::elem_table)
    if (name == e.name) return e.elem;
  return ir::Elem::Float64;  // the grammar has no other (tests/unit/text: every type of the table is read)
}
}  // namespace

bool TreeBuilder::leave_type(size_t rule) {
  const Frame f = frame();
  auto push = [&](Type t) {
    types_.resize(f.types);
    values_.resize(f.values);
    types_.push_back(std::move(t));
    return true;
  };
  switch (rule) {
    case P::RuleScalartype: {
      bool is_complex = false;
      if (const Value* c = find(P::AttrCtype)) is_complex = integer(*c, 0, 1) == 1;
      return push(Type::scalar(elem_of(f.head), is_complex));
    }
    case P::RuleArraytype: {
      Type of = take_type();
      // An array whose elements the client could not tell is untyped like anything else that it could not.
      if (of.is_null() && options_.dialect == ir::Dialect::Mclab) return push(std::move(of));
      if (!of.is_scalar())
        error(pos(), fmt::format("the elements of an arraytype must be scalars, not {}", of.text()), "");
      int rank = 1;
      if (const Value* n = need(P::AttrNdims)) rank = static_cast<int>(integer(*n, 1, 16));
      ir::Layout layout = ir::Layout::RowMajor;
      if (const Value* l = need(P::AttrLayout)) {
        if (l->text == "colmajor")
          layout = ir::Layout::ColMajor;
        else if (l->text == "strided")
          layout = ir::Layout::Strided;
        else if (l->text != "rowmajor")
          error(l->pos, fmt::format("unknown layout '{}'", text(*l)), "layouts are rowmajor, colmajor and strided");
      }
      return push(Type::array(of.elem, rank, layout, of.complex));
    }
    case P::RuleTupletype: {
      std::vector<Type> parts(types_.begin() + static_cast<ptrdiff_t>(f.types), types_.end());
      return push(Type::tuple(std::move(parts)));
    }
    case P::RuleDomaintype:
      domain_type();
      return true;
    case P::RuleFntype:
      function_type();
      return true;
    case P::RuleFntypePart:
      mark(f.head, types_.size() - f.types);
      return true;
    case P::RuleVoidtype:
      return push(Type::void_());
    case P::RuleNulltype:
      // A range may lack its type anywhere; it states (null) where the place would give it one.
      if (frames_[frames_.size() - 3].rule != P::RuleRangePart) mclab_only(pos(), "the type (null)", "state the type");
      return push(Type::null());
    case P::RuleVtype:
      if (f.head == P::VoidTok) return push(Type::void_());
      return true;
    default:
      return false;
  }
}

// `:ndims N` with a single type repeats it.
void TreeBuilder::domain_type() {
  const Frame f = frame();
  std::vector<Type> parts(types_.begin() + static_cast<ptrdiff_t>(f.types), types_.end());
  for (const Type& t : parts)
    if (!t.is_scalar()) error(pos(), fmt::format("the parts of a domaintype must be scalars, not {}", t.text()), "");
  if (const Value* n = find(P::AttrNdims)) {
    size_t rank = static_cast<size_t>(integer(*n, 1, 16));
    if (parts.size() == 1) parts.resize(rank, Type(parts[0]));
    if (parts.size() != rank)
      error(n->pos, fmt::format("the domaintype says :ndims {} but has {} types", rank, parts.size()), "");
  }
  if (parts.size() > 16) {
    error(pos(), "a domain has at most 16 dimensions", "");
    parts.resize(16);
  }
  types_.resize(f.types);
  values_.resize(f.values);
  types_.push_back(Type::domain(std::move(parts)));
}

void TreeBuilder::function_type() {
  const Frame f = frame();
  std::vector<Type> ins, outs, bare;
  bool has_ins = false, has_outs = false;
  size_t at = f.types;
  for (const Value& part : values()) {
    auto from = types_.begin() + static_cast<ptrdiff_t>(at);
    auto to = from + static_cast<ptrdiff_t>(part.count);
    at += part.count;
    bool twice = (part.attr == P::IntypesTok && has_ins) || (part.attr == P::OuttypesTok && has_outs);
    if (twice) error(part.pos, fmt::format("({} ...) is given twice in functype", token_text(part.attr)), "");
    std::vector<Type>& list = part.attr == P::IntypesTok ? ins : part.attr == P::OuttypesTok ? outs : bare;
    list.insert(list.end(), from, to);
    has_ins |= part.attr == P::IntypesTok;
    has_outs |= part.attr == P::OuttypesTok;
  }
  if (!bare.empty()) {
    // Inputs and outputs in one list: the function's arglist tells where the outputs begin.
    size_t n = frames_.size();
    bool of_function = n >= 4 && frames_[n - 4].rule == P::RuleFunction;
    if (mclab_only(pos(), "a functype without (intypes ...) and (outtypes ...)",
                   "write (functype (intypes ...) (outtypes ...))")) {
      if (!of_function || has_ins || has_outs)
        error(pos(), "a functype without (intypes ...) and (outtypes ...) can only be the type of a function", "");
      else
        bare_functype_ = true;
    }
    ins = std::move(bare);
  } else if (!has_ins || !has_outs) {
    if (!(options_.dialect == ir::Dialect::Mclab))
      error(pos(), fmt::format("({} ...) is missing in functype", has_ins ? "outtypes" : "intypes"), "");
  }
  for (const Type& t : ins)
    if (t.is_void() && !bare_functype_)
      error(pos(), "a function's input cannot be void", "write (intypes) for a function without inputs");
  if (outs.size() == 1 && outs[0].is_void()) outs.clear();
  for (const Type& t : outs)
    if (t.is_void()) error(pos(), "void stands alone in (outtypes ...)", "");
  types_.resize(f.types);
  values_.resize(f.values);
  types_.push_back(Type::function(std::move(ins), std::move(outs)));
}

}  // namespace vr::text
