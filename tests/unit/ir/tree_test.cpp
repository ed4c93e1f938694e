// Traversal, rewriting, equality and hash of every kind in nodes.def.
#include <velociraptor/ir/visit.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

namespace vr::ir {
namespace {

const Type f64 = Type::scalar(Elem::Float64);
ExprPtr leaf(int v) { return std::make_shared<IntConst>(Type::scalar(Elem::Int64), v); }

// One node of each kind over the leaves a and b; `variant` changes an attribute where the node has one.
std::map<Kind, ExprPtr> expressions(const ExprPtr& a, const ExprPtr& b, int variant = 0) {
  std::map<Kind, ExprPtr> m;
  auto add = [&](ExprPtr e) { m[e->kind] = std::move(e); };
#define VR_BINARY(K) add(std::make_shared<K>(f64, a, b));
  VR_BINARY(Plus)
  VR_BINARY(Minus) VR_BINARY(Mult) VR_BINARY(Div) VR_BINARY(Lt) VR_BINARY(Leq) VR_BINARY(Gt) VR_BINARY(Geq)
      VR_BINARY(Eq) VR_BINARY(Neq) VR_BINARY(And) VR_BINARY(Or)
#undef VR_BINARY
          add(std::make_shared<Not>(f64, a));
  add(std::make_shared<Negate>(f64, a));
  add(std::make_shared<Cast>(f64, a));
  add(std::make_shared<Name>(f64, 3 + variant));
  add(std::make_shared<IntConst>(f64, 4 + variant));
  add(std::make_shared<FloatConst>(f64, 0.5 + variant));
  add(std::make_shared<ComplexConst>(f64, 1, 2 + variant));
  Subscript s{a, true, true, false, {}}, t{b, true, variant == 0, false, {}};
  add(std::make_shared<Index>(f64, 5, std::vector{s, t}));
  add(std::make_shared<FnCall>(f64, variant ? "g" : "f", std::vector{a, b}));
  add(std::make_shared<FnHandle>(f64, variant ? "g" : "f"));
  add(std::make_shared<LibCall>(f64, variant ? "cos" : "sin", std::vector{a}));
  add(std::make_shared<Alloc>(f64, variant ? AllocFunc::Ones : AllocFunc::Zeros, std::vector{a, b}));
  add(std::make_shared<Dim>(f64, 5, variant));
  add(std::make_shared<DimVec>(f64, 5 + variant));
  add(std::make_shared<TupleExpr>(f64, std::vector{a, b}));
  add(std::make_shared<TupleIndex>(f64, 5, variant));
  add(std::make_shared<ComplexExpr>(f64, a, b));
  add(std::make_shared<RealExpr>(f64, 5 + variant));
  add(std::make_shared<ImagExpr>(f64, 5 + variant));
  add(std::make_shared<Range>(f64, std::optional<bool>(variant != 0), a, nullptr, b));
  add(std::make_shared<Domain>(f64, std::vector{a, b}));
  add(std::make_shared<Xchange>(f64, variant ? AtomicOp::Add : AtomicOp::Sub, 5, std::vector{s}, std::vector{b}));
  return m;
}

std::map<Kind, StmtPtr> statements(const ExprPtr& a, const ExprPtr& b, int variant = 0) {
  std::map<Kind, StmtPtr> m;
  auto add = [&](StmtPtr s) { m[s->kind] = std::move(s); };
  Body body{std::make_shared<ExprStmt>(b)};
  add(std::make_shared<Assign>(std::vector{a}, b));
  add(std::make_shared<StmtList>(variant != 0, body));
  add(std::make_shared<For>(std::vector<SymbolId>{1 + variant}, a, body));
  add(std::make_shared<PFor>(std::vector<SymbolId>{1}, a,
                             variant ? std::optional(std::vector<SymbolId>{2}) : std::nullopt, body));
  add(std::make_shared<While>(a, body));
  add(std::make_shared<If>(a, body, Body{}));
  add(std::make_shared<Break>());
  add(std::make_shared<Continue>());
  add(std::make_shared<Return>(std::vector{a, b}));
  add(std::make_shared<Raise>(variant, "{} {}", std::vector{a, b}));
  add(std::make_shared<ExprStmt>(a));
  return m;
}

TEST(Tree, EveryKindIsCovered) {
  auto e = expressions(leaf(1), leaf(2));
  auto s = statements(leaf(1), leaf(2));
#define VR_EXPR(Name, word) EXPECT_TRUE(e.count(Kind::Name)) << #Name;
#define VR_STMT(Name, word) EXPECT_TRUE(s.count(Kind::Name)) << #Name;
#include <velociraptor/ir/nodes.def>
}

TEST(Tree, EqualityAndHash) {
  auto same1 = expressions(leaf(1), leaf(2)), same2 = expressions(leaf(1), leaf(2));
  auto other_child = expressions(leaf(1), leaf(3)), other_attr = expressions(leaf(1), leaf(2), 1);
  for (auto& [kind, e] : same1) {
    EXPECT_TRUE(equal(*e, *same2[kind])) << kind_name(kind);
    EXPECT_EQ(hash(*e), hash(*same2[kind])) << kind_name(kind);
    int children = 0;
    for_each_child(*e, {[&](const ExprPtr&) { ++children; }, {}});
    if (children >= 2) {
      EXPECT_FALSE(equal(*e, *other_child[kind])) << kind_name(kind);
    }
    const bool has_attr = hash(*e) != hash(*other_attr[kind]);
    EXPECT_EQ(equal(*e, *other_attr[kind]), !has_attr) << kind_name(kind);
    for (auto& [k2, x] : same2) EXPECT_EQ(equal(*e, *x), kind == k2);
  }
  auto s1 = statements(leaf(1), leaf(2)), s2 = statements(leaf(1), leaf(2)), s3 = statements(leaf(4), leaf(5), 1);
  for (auto& [kind, s] : s1) {
    EXPECT_TRUE(equal(*s, *s2[kind])) << kind_name(kind);
    EXPECT_EQ(hash(*s), hash(*s2[kind])) << kind_name(kind);
    if (kind != Kind::Break && kind != Kind::Continue) {
      EXPECT_FALSE(equal(*s, *s3[kind])) << kind_name(kind);
    }
  }
}

TEST(Tree, EqualityComparesTypesAndIgnoresSourceLocations) {
  Name a(f64, 1), b(Type::scalar(Elem::Float32), 1), c(f64, 1);
  c.pos = {7, 3};
  EXPECT_FALSE(equal(static_cast<const Expr&>(a), b));
  EXPECT_TRUE(equal(static_cast<const Expr&>(a), c));
}

TEST(Tree, ConstantsAreComparedByBits) {
  FloatConst nan1(f64, NAN), nan2(f64, NAN), zero(f64, 0.0), minus(f64, -0.0);
  EXPECT_TRUE(equal(static_cast<const Expr&>(nan1), nan2));
  EXPECT_FALSE(equal(static_cast<const Expr&>(zero), minus));
}

TEST(Tree, RewriteReachesEveryChild) {
  ExprPtr a = leaf(1), b = leaf(2);
  Rewriter r;
  r.expr = [](const ExprPtr& e) -> ExprPtr {
    const auto* c = as<IntConst>(e);
    return c && c->value == 2 ? leaf(20) : e;
  };
  auto before = expressions(a, b), after = expressions(a, leaf(20));
  for (auto& [kind, e] : before) EXPECT_TRUE(equal(*rewrite(e, r), *after[kind])) << kind_name(kind);
  auto s_before = statements(a, b), s_after = statements(a, leaf(20));
  for (auto& [kind, s] : s_before) EXPECT_TRUE(equal(rewrite(Body{s}, r), Body{s_after[kind]})) << kind_name(kind);
}

TEST(Tree, RewriteKeepsWhatDoesNotChange) {
  Rewriter keep;
  keep.expr = [](const ExprPtr& e) { return e; };
  for (auto& [kind, e] : expressions(leaf(1), leaf(2))) EXPECT_EQ(rewrite(e, keep), e) << kind_name(kind);
  for (auto& [kind, s] : statements(leaf(1), leaf(2))) EXPECT_EQ(rewrite(Body{s}, keep)[0], s) << kind_name(kind);
}

TEST(Tree, StatementsMayBecomeSeveralOrNone) {
  Rewriter r;
  r.stmt = [](const StmtPtr& s) -> Body {
    if (s->kind == Kind::Break) return {};
    if (s->kind == Kind::Continue) return {s, s};
    return {s};
  };
  StmtPtr loop = std::make_shared<While>(leaf(1), Body{std::make_shared<Break>(), std::make_shared<Continue>()});
  Body out = rewrite(Body{loop}, r);
  ASSERT_EQ(out.size(), 1u);
  EXPECT_EQ(as<While>(out[0])->body.size(), 2u);
}

TEST(Tree, WalkVisitsParentsFirst) {
  ExprPtr inner = std::make_shared<Negate>(f64, leaf(1));
  ExprPtr outer = std::make_shared<Plus>(f64, inner, leaf(2));
  std::vector<Kind> seen;
  walk_exprs(outer, [&](const Expr& e) { seen.push_back(e.kind); });
  EXPECT_EQ(seen, (std::vector{Kind::Plus, Kind::Negate, Kind::IntConst, Kind::IntConst}));
}

}  // namespace
}  // namespace vr::ir
