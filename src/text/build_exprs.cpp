// Expressions of the text: the ends of the expression rules.
#include <text/range_type.hpp>
#include <text/tree_builder.hpp>

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

bool TreeBuilder::leave_expr(size_t rule) {
  const Frame f = frame();
  switch (rule) {
    case P::RuleBinary: {
      ExprPtr rhs = pop_expr(), lhs = pop_expr();
      make_binary(binary_kind(f.head), take_type(), std::move(lhs), std::move(rhs));
      return true;
    }
    case P::RuleOperand:
      mark(f.head, 1);
      return true;
    case P::RuleLogic:
      logic();
      return true;
    case P::RuleUnary: {
      ExprPtr x = pop_expr();
      if (f.head == P::NotTok)
        make_expr<ir::Not>(take_type(), std::move(x));
      else if (f.head == P::NegateTok)
        make_expr<ir::Negate>(take_type(), std::move(x));
      else
        make_expr<ir::Cast>(take_type(), std::move(x));
      return true;
    }
    case P::RuleUnaryplus:
      mclab_only(pos(), "an expression without a head word (unary plus)", "write the operand alone");
      types_.resize(f.types);
      return true;
    case P::RuleName:
      make_expr<ir::Name>(take_type(), id(P::AttrId));
      return true;
    case P::RuleRealconst: {
      const Value& v = values().front();
      if (v.attr == P::AttrFval) mclab_only(v.pos, "':fval'", "write ':dval'");
      if (v.attr == P::AttrIval)
        make_expr<ir::IntConst>(take_type(),
                                integer(v, std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max()));
      else
        make_expr<ir::FloatConst>(take_type(), number(v));
      return true;
    }
    case P::RuleComplexconst: {
      const Value *re = need(P::AttrRe), *im = need(P::AttrIm);
      double x = re ? number(*re) : 0, y = im ? number(*im) : 0;
      make_expr<ir::ComplexConst>(take_type(), x, y);
      return true;
    }
    case P::RuleIndexexpr:
      index();
      return true;
    case P::RuleAindex:
      subscript();
      return true;
    case P::RuleFncall:
      make_expr<ir::FnCall>(take_type(), text(P::AttrFnname), take_exprs(f.exprs));
      return true;
    case P::RuleFnhandle:
      make_expr<ir::FnHandle>(take_type(), text(P::AttrFnname));
      return true;
    case P::RuleLibcall:
      make_expr<ir::LibCall>(take_type(), text(P::AttrLibfunc), take_exprs(f.exprs));
      return true;
    case P::RuleAlloc: {
      using A = ir::AllocFunc;
      A func = word_value<A>(values().front(), "alloc function",
                             {{"zeros", A::Zeros}, {"ones", A::Ones}, {"empty", A::Empty}});
      make_expr<ir::Alloc>(take_type(), func, take_exprs(f.exprs));
      return true;
    }
    case P::RuleDim: {
      int32_t array = id(P::AttrArrayid), dim = id(P::AttrDimid);
      make_expr<ir::Dim>(take_type(), array, dim);
      return true;
    }
    case P::RuleDimvec: {
      int32_t array = id(values().front().attr);
      make_expr<ir::DimVec>(take_type(), array);
      return true;
    }
    case P::RuleTuple:
      make_expr<ir::TupleExpr>(take_type(), take_exprs(f.exprs));
      return true;
    case P::RuleTupleindex: {
      int32_t tuple = id(P::AttrTupleid), at = id(P::AttrIndex);
      make_expr<ir::TupleIndex>(take_type(), tuple, at);
      return true;
    }
    case P::RuleComplexexpr: {
      ExprPtr im = pop_expr(), re = pop_expr();
      make_expr<ir::ComplexExpr>(take_type(), std::move(re), std::move(im));
      return true;
    }
    case P::RuleRealexpr:
      make_expr<ir::RealExpr>(take_type(), id(P::AttrId));
      return true;
    case P::RuleImagexpr:
      make_expr<ir::ImagExpr>(take_type(), id(P::AttrId));
      return true;
    case P::RuleRangePart:
      mark(f.head, 1);
      return true;
    case P::RuleRange:
      range();
      return true;
    case P::RuleDomain:
      domain();
      return true;
    case P::RuleXchange:
      xchange();
      return true;
    default:
      return false;
  }
}

void TreeBuilder::make_binary(Kind kind, Type type, ExprPtr lhs, ExprPtr rhs) {
  switch (kind) {
#define VR_BINARY(K)                                                   \
  case Kind::K:                                                        \
    make_expr<ir::K>(std::move(type), std::move(lhs), std::move(rhs)); \
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

// and, or: the operands in (lhs ...) and (rhs ...), or bare in the mclab dialect.
void TreeBuilder::logic() {
  const size_t head = frame().head, a = values()[0].attr, b = values()[1].attr;
  const bool bare = a == P::Rp && b == P::Rp;
  if (bare)
    mclab_only(pos(), fmt::format("'{}' with bare operands", token_text(head)).c_str(),
               "wrap the operands: (lhs ...) (rhs ...)");
  else if (a != P::LhsTok || b != P::RhsTok)
    error(pos(), fmt::format("the operands of '{}' must be (lhs ...) and then (rhs ...)", token_text(head)), "");
  ExprPtr rhs = pop_expr(), lhs = pop_expr();
  make_binary(head == P::AndTok ? Kind::And : Kind::Or, take_type(), std::move(lhs), std::move(rhs));
}

void TreeBuilder::range() {
  const Frame f = frame();
  std::optional<bool> exclude;
  ExprPtr start, step, stop;
  std::optional<Type> type;
  size_t expr = f.exprs, next_type = f.types;
  for (const Value& v : values()) {
    if (v.attr == P::AttrExclude) {
      exclude = boolean(v);
      continue;
    }
    bool twice = false;
    if (v.attr == P::StartTok || v.attr == P::StepTok || v.attr == P::StopTok) {
      ExprPtr& part = v.attr == P::StartTok ? start : v.attr == P::StepTok ? step : stop;
      twice = part != nullptr;
      part = exprs_[expr++];
    } else {
      twice = type.has_value();
      type = types_[next_type++];
    }
    if (twice)
      error(v.pos,
            fmt::format("{} is given twice in range",
                        v.attr == P::Rp ? "the type" : fmt::format("({} ...)", token_text(v.attr))),
            "");
  }
  make_expr<ir::Range>(type.value_or(Type()), exclude, std::move(start), std::move(step), std::move(stop));
  auto& made = static_cast<const ir::Range&>(*exprs_.back());
  // The node was made non-const just above; nobody else holds it yet.
  if (!type)
    const_cast<ir::Range&>(made).type = operand_range_type(made);
  else
    range_types_.insert(&made);
}

void TreeBuilder::domain() {
  const Frame f = frame();
  Type type = types_[f.types];
  std::vector<ExprPtr> ranges = take_exprs(f.exprs);
  if (!type.is_domain()) {
    error(pos(), fmt::format("a domain's type must be a domaintype, not {}", type.text()), "");
  } else {
    if (ranges.size() != type.rank)
      error(pos(), fmt::format("the domain has {} ranges but its type has {} dimensions", ranges.size(), type.rank),
            "");
    for (size_t i = 0; i < ranges.size() && i < type.rank; ++i) {
      auto& r = const_cast<ir::Range&>(static_cast<const ir::Range&>(*ranges[i]));
      if (!range_types_.count(&r)) r.type = Type::domain({type.components()[i]});
    }
  }
  range_types_.clear();
  make_expr<ir::Domain>(std::move(type), std::move(ranges));
}

void TreeBuilder::subscript() {
  const Frame f = frame();
  ir::Subscript s;
  if (const Value* both = find(P::AttrBoundscheck)) {
    s.minbounds = s.maxbounds = boolean(*both);
    if (find(P::AttrMinBounds) || find(P::AttrMaxBounds))
      error(both->pos, "':boundscheck' sets both bounds; it cannot stand beside ':minbounds' or ':maxbounds'", "");
  } else {
    s.minbounds = optional_bool(P::AttrMinBounds).value_or(true);
    s.maxbounds = optional_bool(P::AttrMaxBounds).value_or(true);
  }
  s.negative = optional_bool(P::AttrNegative).value_or(false);
  s.grow = optional_bool(P::AttrGrow);
  s.value = pop_expr();
  if (s.value->kind == Kind::Range && !range_types_.count(s.value.get()))
    const_cast<ir::Expr&>(*s.value).type = Type::null();
  values_.resize(f.values);
  subscripts_.push_back(std::move(s));
}

void TreeBuilder::index() {
  std::vector<ir::Subscript> subs = take_subscripts();
  // `:grow` on the whole index stands for each subscript that does not say otherwise.
  if (auto grow = optional_bool(P::AttrGrow))
    for (ir::Subscript& s : subs)
      if (!s.grow) s.grow = grow;
  std::optional<bool> copyslice = optional_bool(P::AttrCopyslice), flatten = optional_bool(P::AttrFlatten);
  int32_t array = id(P::AttrArrayid);
  make_expr<ir::Index>(take_type(), array, std::move(subs));
  auto& made = const_cast<ir::Index&>(static_cast<const ir::Index&>(*exprs_.back()));
  made.copyslice = copyslice;
  made.flatten = flatten;
}

void TreeBuilder::xchange() {
  using A = ir::AtomicOp;
  A op = A::Cas;
  if (const Value* v = need(P::AttrOp))
    op = word_value<A>(*v, "atomic operation",
                       {{"cas", A::Cas},
                        {"add", A::Add},
                        {"sub", A::Sub},
                        {"min", A::Min},
                        {"max", A::Max},
                        {"and", A::And},
                        {"or", A::Or},
                        {"swap", A::Swap}});
  int32_t array = id(P::AttrArrayid);
  std::vector<ir::Subscript> subs = take_subscripts();
  make_expr<ir::Xchange>(take_type(), op, array, std::move(subs), take_exprs(frame().exprs));
}

}  // namespace vr::text
