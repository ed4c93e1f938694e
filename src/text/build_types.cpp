// Makes types: called at the end of each grammar rule for a type.
#include <text/syntax_message.hpp>
#include <text/token_values.hpp>

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
  // the grammar has no other type (tests/unit/text: the parser accepts every type of the table)
  return ir::Elem::Float64;
}
}  // namespace

// `:ndims N` with a single type repeats it.
static void domain_type(PartialTree& tree) {
  const Frame f = tree.stacks.frame();
  std::vector<Type> parts(tree.stacks.types.begin() + static_cast<ptrdiff_t>(f.types), tree.stacks.types.end());
  for (const Type& t : parts)
    if (!t.is_scalar())
      tree.errors.add(tree.places.pos(), fmt::format("the parts of a domaintype must be scalars, not {}", t.text()),
                      "");
  if (const Value* n = find(tree, P::AttrNdims)) {
    size_t rank = static_cast<size_t>(integer(tree, *n, 1, 16));
    if (parts.size() == 1) parts.resize(rank, Type(parts[0]));
    if (parts.size() != rank)
      tree.errors.add(n->pos, fmt::format("the domaintype says :ndims {} but has {} types", rank, parts.size()), "");
  }
  if (parts.size() > 16) {
    tree.errors.add(tree.places.pos(), "a domain has at most 16 dimensions", "");
    parts.resize(16);
  }
  tree.stacks.types.resize(f.types);
  tree.stacks.all_values.resize(f.values);
  tree.stacks.types.push_back(Type::domain(std::move(parts)));
}

static void function_type(PartialTree& tree) {
  const Frame f = tree.stacks.frame();
  std::vector<Type> ins, outs, bare;
  bool has_ins = false, has_outs = false;
  size_t at = f.types;
  for (const Value& part : tree.stacks.values()) {
    auto from = tree.stacks.types.begin() + static_cast<ptrdiff_t>(at);
    auto to = from + static_cast<ptrdiff_t>(part.count);
    at += part.count;
    bool twice = (part.attr == P::IntypesTok && has_ins) || (part.attr == P::OuttypesTok && has_outs);
    if (twice) tree.errors.add(part.pos, fmt::format("({} ...) is given twice in functype", token_text(part.attr)), "");
    std::vector<Type>& list = part.attr == P::IntypesTok ? ins : part.attr == P::OuttypesTok ? outs : bare;
    list.insert(list.end(), from, to);
    has_ins |= part.attr == P::IntypesTok;
    has_outs |= part.attr == P::OuttypesTok;
  }
  if (!bare.empty()) {
    // Inputs and outputs are in one list: the outputs begin after as many types as the function's arglist has names.
    size_t n = tree.stacks.frames.size();
    bool of_function = n >= 4 && tree.stacks.frames[n - 4].rule == P::RuleFunction;
    if (tree.errors.mclab_only(tree.places.pos(), "a functype without (intypes ...) and (outtypes ...)",
                               "write (functype (intypes ...) (outtypes ...))")) {
      if (!of_function || has_ins || has_outs)
        tree.errors.add(tree.places.pos(),
                        "a functype without (intypes ...) and (outtypes ...) can only be the type of a function", "");
      else
        tree.function.bare_type = true;
    }
    ins = std::move(bare);
  } else if (!has_ins || !has_outs) {
    if (!(tree.options.dialect == ir::Dialect::Mclab))
      tree.errors.add(tree.places.pos(),
                      fmt::format("({} ...) is missing in functype", has_ins ? "outtypes" : "intypes"), "");
  }
  for (const Type& t : ins)
    if (t.is_void() && !tree.function.bare_type)
      tree.errors.add(tree.places.pos(), "a function's input cannot be void",
                      "write (intypes) for a function without inputs");
  if (outs.size() == 1 && outs[0].is_void()) outs.clear();
  for (const Type& t : outs)
    if (t.is_void()) tree.errors.add(tree.places.pos(), "void must be the only type in (outtypes ...)", "");
  tree.stacks.types.resize(f.types);
  tree.stacks.all_values.resize(f.values);
  tree.stacks.types.push_back(Type::function(std::move(ins), std::move(outs)));
}

bool leave_type(PartialTree& tree, size_t rule) {
  const Frame f = tree.stacks.frame();
  auto push = [&](Type t) {
    tree.stacks.types.resize(f.types);
    tree.stacks.all_values.resize(f.values);
    tree.stacks.types.push_back(std::move(t));
    return true;
  };
  switch (rule) {
    case P::RuleScalartype: {
      bool is_complex = false;
      if (const Value* c = find(tree, P::AttrCtype)) is_complex = integer(tree, *c, 0, 1) == 1;
      return push(Type::scalar(elem_of(f.head), is_complex));
    }
    case P::RuleArraytype: {
      Type of = tree.stacks.take_type();
      // An array whose element type the client could not determine is untyped, like other types that it could not determine.
      if (of.is_null() && tree.options.dialect == ir::Dialect::Mclab) return push(std::move(of));
      if (!of.is_scalar())
        tree.errors.add(tree.places.pos(),
                        fmt::format("the elements of an arraytype must be scalars, not {}", of.text()), "");
      int rank = 1;
      if (const Value* n = need(tree, P::AttrNdims)) rank = static_cast<int>(integer(tree, *n, 1, 16));
      ir::Layout layout = ir::Layout::RowMajor;
      if (const Value* l = need(tree, P::AttrLayout)) {
        if (l->text == "colmajor")
          layout = ir::Layout::ColMajor;
        else if (l->text == "strided")
          layout = ir::Layout::Strided;
        else if (l->text != "rowmajor")
          tree.errors.add(l->pos, fmt::format("unknown layout '{}'", text_of(tree, *l)),
                          "layouts are rowmajor, colmajor and strided");
      }
      return push(Type::array(of.elem, rank, layout, of.complex));
    }
    case P::RuleTupletype: {
      std::vector<Type> parts(tree.stacks.types.begin() + static_cast<ptrdiff_t>(f.types), tree.stacks.types.end());
      return push(Type::tuple(std::move(parts)));
    }
    case P::RuleDomaintype:
      domain_type(tree);
      return true;
    case P::RuleFntype:
      function_type(tree);
      return true;
    case P::RuleFntypePart:
      mark(tree, f.head, tree.stacks.types.size() - f.types);
      return true;
    case P::RuleVoidtype:
      return push(Type::void_());
    case P::RuleNulltype:
      // A range may omit its type anywhere; it states (null) where it would otherwise get one from its context.
      if (tree.stacks.frames[tree.stacks.frames.size() - 3].rule != P::RuleRangePart)
        tree.errors.mclab_only(tree.places.pos(), "the type (null)", "state the type");
      return push(Type::null());
    case P::RuleVtype:
      if (f.head == P::VoidTok) return push(Type::void_());
      return true;
    default:
      return false;
  }
}

}  // namespace vr::text
