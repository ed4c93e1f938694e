// Makes the nodes of expressions: called at the end of each grammar rule for an expression.
#include <text/make_nodes.hpp>
#include <text/range_type.hpp>
#include <text/syntax_message.hpp>

#include <velociraptor/ir/visit.hpp>

#include <VrirParser.h>

#include <fmt/format.h>

#include <limits>

namespace vr::text {

using P = VrirParser;
using ir::ExprPtr;
using ir::Kind;
using ir::Type;

namespace {

Kind binary_kind(size_t head) {
  switch (head) {
    case P::PlusTok:
      return Kind::Plus;
    case P::MinusTok:
      return Kind::Minus;
    case P::MultTok:
      return Kind::Mult;
    case P::DivTok:
      return Kind::Div;
    case P::LtTok:
      return Kind::Lt;
    case P::LeqTok:
      return Kind::Leq;
    case P::GtTok:
      return Kind::Gt;
    case P::GeqTok:
      return Kind::Geq;
    case P::EqTok:
      return Kind::Eq;
    default:
      return Kind::Neq;
  }
}

}  // namespace

static void make_binary(PartialTree& tree, Kind kind, Type type, ExprPtr lhs, ExprPtr rhs) {
  switch (kind) {
#define VR_BINARY(K)                                                         \
  case Kind::K:                                                              \
    make_expr<ir::K>(tree, std::move(type), std::move(lhs), std::move(rhs)); \
    break;
    VR_BINARY(Plus)
    VR_BINARY(Minus)
    VR_BINARY(Mult)
    VR_BINARY(Div)
    VR_BINARY(Lt)
    VR_BINARY(Leq)
    VR_BINARY(Gt)
    VR_BINARY(Geq)
    VR_BINARY(Eq)
    VR_BINARY(Neq)
    VR_BINARY(And)
    VR_BINARY(Or)
#undef VR_BINARY
    default:
      break;
  }
}

// and, or: the operands are in (lhs ...) and (rhs ...); in the mclab dialect they are direct children.
static void logic(PartialTree& tree) {
  const size_t head = tree.stacks.frame().head, a = tree.stacks.values()[0].attr, b = tree.stacks.values()[1].attr;
  const bool bare = a == P::Rp && b == P::Rp;
  if (bare)
    tree.errors.mclab_only(tree.places.pos(), fmt::format("'{}' with bare operands", token_text(head)).c_str(),
                           "wrap the operands: (lhs ...) (rhs ...)");
  else if (a != P::LhsTok || b != P::RhsTok)
    tree.errors.add(tree.places.pos(),
                    fmt::format("the operands of '{}' must be (lhs ...) and then (rhs ...)", token_text(head)), "");
  ExprPtr rhs = tree.stacks.pop_expr(), lhs = tree.stacks.pop_expr();
  make_binary(tree, head == P::AndTok ? Kind::And : Kind::Or, tree.stacks.take_type(), std::move(lhs), std::move(rhs));
}

static void range(PartialTree& tree) {
  const Frame f = tree.stacks.frame();
  std::optional<bool> exclude;
  ExprPtr start, step, stop;
  std::optional<Type> type;
  size_t expr = f.exprs, next_type = f.types;
  for (const Value& v : tree.stacks.values()) {
    if (v.attr == P::AttrExclude) {
      exclude = boolean(v);
      continue;
    }
    bool twice = false;
    if (v.attr == P::StartTok || v.attr == P::StepTok || v.attr == P::StopTok) {
      ExprPtr& part = v.attr == P::StartTok ? start : v.attr == P::StepTok ? step : stop;
      twice = part != nullptr;
      part = tree.stacks.exprs[expr++];
    } else {
      twice = type.has_value();
      type = tree.stacks.types[next_type++];
    }
    if (twice)
      tree.errors.add(v.pos,
                      fmt::format("{} is given twice in range",
                                  v.attr == P::Rp ? "the type" : fmt::format("({} ...)", token_text(v.attr))),
                      "");
  }
  make_expr<ir::Range>(tree, type.value_or(Type()), exclude, std::move(start), std::move(step), std::move(stop));
  auto& made = static_cast<const ir::Range&>(*tree.stacks.exprs.back());
  // The node was just created as non-const, and has no other reference yet.
  if (!type)
    const_cast<ir::Range&>(made).type = operand_range_type(made);
  else
    tree.function.typed_ranges.insert(&made);
}

static void domain(PartialTree& tree) {
  const Frame f = tree.stacks.frame();
  Type type = tree.stacks.types[f.types];
  std::vector<ExprPtr> ranges = tree.stacks.take_exprs(f.exprs);
  if (!type.is_domain()) {
    tree.errors.add(tree.places.pos(), fmt::format("a domain's type must be a domaintype, not {}", type.text()), "");
  } else {
    if (ranges.size() != type.rank)
      tree.errors.add(tree.places.pos(),
                      fmt::format("the domain has {} ranges but its type has {} dimensions", ranges.size(), type.rank),
                      "");
    for (size_t i = 0; i < ranges.size() && i < type.rank; ++i) {
      auto& r = const_cast<ir::Range&>(static_cast<const ir::Range&>(*ranges[i]));
      if (!tree.function.typed_ranges.count(&r)) r.type = Type::domain({type.components()[i]});
    }
  }
  tree.function.typed_ranges.clear();
  make_expr<ir::Domain>(tree, std::move(type), std::move(ranges));
}

static void subscript(PartialTree& tree) {
  const Frame f = tree.stacks.frame();
  ir::Subscript s;
  if (const Value* both = find(tree, P::AttrBoundscheck)) {
    s.minbounds = s.maxbounds = boolean(*both);
    if (find(tree, P::AttrMinBounds) || find(tree, P::AttrMaxBounds))
      tree.errors.add(both->pos,
                      "':boundscheck' sets both bounds; it cannot be combined with ':minbounds' or ':maxbounds'", "");
  } else {
    s.minbounds = optional_bool(tree, P::AttrMinBounds).value_or(true);
    s.maxbounds = optional_bool(tree, P::AttrMaxBounds).value_or(true);
  }
  s.negative = optional_bool(tree, P::AttrNegative).value_or(false);
  s.grow = optional_bool(tree, P::AttrGrow);
  s.value = tree.stacks.pop_expr();
  if (s.value->kind == Kind::Range && !tree.function.typed_ranges.count(s.value.get()))
    const_cast<ir::Expr&>(*s.value).type = Type::null();
  tree.stacks.all_values.resize(f.values);
  tree.stacks.subscripts.push_back(std::move(s));
}

static void index(PartialTree& tree) {
  std::vector<ir::Subscript> subs = tree.stacks.take_subscripts();
  // `:grow` on the whole index expression applies to each subscript that does not state its own.
  if (auto grow = optional_bool(tree, P::AttrGrow))
    for (ir::Subscript& s : subs)
      if (!s.grow) s.grow = grow;
  std::optional<bool> copyslice = optional_bool(tree, P::AttrCopyslice), flatten = optional_bool(tree, P::AttrFlatten);
  int32_t array = id(tree, P::AttrArrayid);
  make_expr<ir::Index>(tree, tree.stacks.take_type(), array, std::move(subs));
  auto& made = const_cast<ir::Index&>(static_cast<const ir::Index&>(*tree.stacks.exprs.back()));
  made.copyslice = copyslice;
  made.flatten = flatten;
}

static void xchange(PartialTree& tree) {
  using A = ir::AtomicOp;
  A op = A::Cas;
  if (const Value* v = need(tree, P::AttrOp))
    op = word_value<A>(tree, *v, "atomic operation",
                       {{"cas", A::Cas},
                        {"add", A::Add},
                        {"sub", A::Sub},
                        {"min", A::Min},
                        {"max", A::Max},
                        {"and", A::And},
                        {"or", A::Or},
                        {"swap", A::Swap}});
  int32_t array = id(tree, P::AttrArrayid);
  std::vector<ir::Subscript> subs = tree.stacks.take_subscripts();
  make_expr<ir::Xchange>(tree, tree.stacks.take_type(), op, array, std::move(subs),
                         tree.stacks.take_exprs(tree.stacks.frame().exprs));
}

bool leave_expr(PartialTree& tree, size_t rule) {
  const Frame f = tree.stacks.frame();
  switch (rule) {
    case P::RuleBinary: {
      ExprPtr rhs = tree.stacks.pop_expr(), lhs = tree.stacks.pop_expr();
      make_binary(tree, binary_kind(f.head), tree.stacks.take_type(), std::move(lhs), std::move(rhs));
      return true;
    }
    case P::RuleOperand:
      mark(tree, f.head, 1);
      return true;
    case P::RuleLogic:
      logic(tree);
      return true;
    case P::RuleUnary: {
      ExprPtr x = tree.stacks.pop_expr();
      if (f.head == P::NotTok)
        make_expr<ir::Not>(tree, tree.stacks.take_type(), std::move(x));
      else if (f.head == P::NegateTok)
        make_expr<ir::Negate>(tree, tree.stacks.take_type(), std::move(x));
      else
        make_expr<ir::Cast>(tree, tree.stacks.take_type(), std::move(x));
      return true;
    }
    case P::RuleUnaryplus:
      tree.errors.mclab_only(tree.places.pos(), "an expression without a head word (unary plus)",
                             "write the operand alone");
      tree.stacks.types.resize(f.types);
      return true;
    case P::RuleName:
      make_expr<ir::Name>(tree, tree.stacks.take_type(), id(tree, P::AttrId));
      return true;
    case P::RuleRealconst: {
      const Value& v = tree.stacks.values().front();
      if (v.attr == P::AttrFval) tree.errors.mclab_only(v.pos, "':fval'", "write ':dval'");
      ir::Type type = tree.stacks.take_type();
      if (v.attr == P::AttrIval) {
        const bool bits = type.is_numeric() && type.elem == ir::Elem::UInt64;
        const int64_t value = bits ? unsigned_integer(tree, v)
                                   : integer(tree, v, std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max());
        make_expr<ir::IntConst>(tree, std::move(type), value);
      } else {
        make_expr<ir::FloatConst>(tree, std::move(type), number(tree, v));
      }
      return true;
    }
    case P::RuleComplexconst: {
      const Value *re = need(tree, P::AttrRe), *im = need(tree, P::AttrIm);
      double x = re ? number(tree, *re) : 0, y = im ? number(tree, *im) : 0;
      make_expr<ir::ComplexConst>(tree, tree.stacks.take_type(), x, y);
      return true;
    }
    case P::RuleIndexexpr:
      index(tree);
      return true;
    case P::RuleAindex:
      subscript(tree);
      return true;
    case P::RuleFncall:
      make_expr<ir::FnCall>(tree, tree.stacks.take_type(), text_of(tree, P::AttrFnname),
                            tree.stacks.take_exprs(f.exprs));
      return true;
    case P::RuleFnhandle:
      make_expr<ir::FnHandle>(tree, tree.stacks.take_type(), text_of(tree, P::AttrFnname));
      return true;
    case P::RuleLibcall:
      make_expr<ir::LibCall>(tree, tree.stacks.take_type(), text_of(tree, P::AttrLibfunc),
                             tree.stacks.take_exprs(f.exprs));
      return true;
    case P::RuleAlloc: {
      using A = ir::AllocFunc;
      A func = word_value<A>(tree, tree.stacks.values().front(), "alloc function",
                             {{"zeros", A::Zeros}, {"ones", A::Ones}, {"empty", A::Empty}});
      make_expr<ir::Alloc>(tree, tree.stacks.take_type(), func, tree.stacks.take_exprs(f.exprs));
      return true;
    }
    case P::RuleDim: {
      int32_t array = id(tree, P::AttrArrayid), dim = id(tree, P::AttrDimid);
      make_expr<ir::Dim>(tree, tree.stacks.take_type(), array, dim);
      return true;
    }
    case P::RuleDimvec: {
      int32_t array = id(tree, tree.stacks.values().front().attr);
      make_expr<ir::DimVec>(tree, tree.stacks.take_type(), array);
      return true;
    }
    case P::RuleTuple:
      make_expr<ir::TupleExpr>(tree, tree.stacks.take_type(), tree.stacks.take_exprs(f.exprs));
      return true;
    case P::RuleTupleindex: {
      int32_t tuple = id(tree, P::AttrTupleid), at = id(tree, P::AttrIndex);
      make_expr<ir::TupleIndex>(tree, tree.stacks.take_type(), tuple, at);
      return true;
    }
    case P::RuleComplexexpr: {
      ExprPtr im = tree.stacks.pop_expr(), re = tree.stacks.pop_expr();
      make_expr<ir::ComplexExpr>(tree, tree.stacks.take_type(), std::move(re), std::move(im));
      return true;
    }
    case P::RuleRealexpr:
      make_expr<ir::RealExpr>(tree, tree.stacks.take_type(), id(tree, P::AttrId));
      return true;
    case P::RuleImagexpr:
      make_expr<ir::ImagExpr>(tree, tree.stacks.take_type(), id(tree, P::AttrId));
      return true;
    case P::RuleRangePart:
      mark(tree, f.head, 1);
      return true;
    case P::RuleRange:
      range(tree);
      return true;
    case P::RuleDomain:
      domain(tree);
      return true;
    case P::RuleXchange:
      xchange(tree);
      return true;
    default:
      return false;
  }
}

}  // namespace vr::text
