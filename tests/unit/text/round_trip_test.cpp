// print is the inverse of parse for every kind of node. The cases are built by the API; a kind of nodes.def without a
// case fails by name.
#include "text_helpers.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <map>

namespace vr::text::test {
namespace {

using namespace vr::ir;

const Type f64 = Type::scalar(Elem::Float64), f32 = Type::scalar(Elem::Float32), i64 = Type::scalar(Elem::Int64),
           i32 = Type::scalar(Elem::Int32), boolean = Type::scalar(Elem::Bool), c64 = Type::scalar(Elem::Float64, true);
const Type matrix = Type::array(Elem::Float64, 2, Layout::ColMajor),
           strided = Type::array(Elem::Float32, 16, Layout::Strided, true);
const Type unary_fn = Type::function({f64, matrix}, {f64});
const Type line = Type::domain({i64});

ExprPtr var(SymbolId id, const Type& t = f64) { return std::make_shared<Name>(t, id); }
ExprPtr num(int64_t v) { return std::make_shared<IntConst>(i64, v); }
ExprPtr real(double v) { return std::make_shared<FloatConst>(f64, v); }
ExprPtr range_of(Type t, std::optional<bool> exclude, ExprPtr a, ExprPtr s, ExprPtr e) {
  return std::make_shared<Range>(std::move(t), exclude, a, s, e);
}
std::string fmt_type(const char* elem, bool complex) { return std::string("(") + elem + (complex ? " :ctype 1)" : ")"); }
std::vector<Subscript> subscripts() {
  std::vector<Subscript> s(5);
  s[0].value = num(1);
  s[1].value = var(2, i32);
  s[1].minbounds = false;
  s[1].negative = true;
  s[2].value = range_of(Type::null(), {}, nullptr, nullptr, nullptr);
  s[2].minbounds = s[2].maxbounds = false;
  s[3].value = range_of(Type::null(), true, num(1), num(2), num(9));
  s[3].grow = true;
  s[4].value = var(7, Type::array(Elem::Bool, 1, Layout::RowMajor));
  s[4].grow = false;
  s[4].maxbounds = false;
  return s;
}
StmtPtr with_loc(std::shared_ptr<Stmt> s) {
  s->loc = "dir with space/a \"b\".py:3:1\n\\";
  return s;
}
template <class T, class... A>
StmtPtr make(A&&... a) {
  return std::make_shared<T>(std::forward<A>(a)...);
}

void add_cases(std::map<Kind, std::vector<ExprPtr>>& exprs, std::map<Kind, Body>& stmts) {
  auto expr = [&](ExprPtr e) { exprs[e->kind].push_back(std::move(e)); };
  auto stmt = [&](StmtPtr s) { stmts[s->kind].push_back(std::move(s)); };
  expr(std::make_shared<Plus>(f64, var(0), real(0.1)));
  expr(std::make_shared<Minus>(matrix, var(0, matrix), real(-2.5)));
  expr(std::make_shared<Mult>(c64, var(0, c64), var(1, c64)));
  expr(std::make_shared<Div>(i32, var(0, i32), var(1, i32)));
  expr(std::make_shared<Lt>(boolean, num(1), num(2)));
  expr(std::make_shared<Leq>(boolean, num(1), num(2)));
  expr(std::make_shared<Gt>(boolean, num(1), num(2)));
  expr(std::make_shared<Geq>(boolean, num(1), num(2)));
  expr(std::make_shared<Eq>(boolean, num(1), num(2)));
  expr(std::make_shared<Neq>(boolean, num(1), num(2)));
  expr(std::make_shared<And>(boolean, var(0, boolean), var(1, boolean)));
  expr(std::make_shared<Or>(boolean, var(0, boolean), var(1, boolean)));
  expr(std::make_shared<Not>(boolean, var(0, boolean)));
  expr(std::make_shared<Negate>(strided, var(0, strided)));
  expr(std::make_shared<Cast>(f32, num(1)));
  expr(var(0));
  expr(var(std::numeric_limits<int32_t>::max(), unary_fn));
  expr(var(1, Type::tuple({f64, Type::tuple({boolean})})));
  expr(var(1, Type::tuple({})));
  for (int64_t v : {int64_t(0), int64_t(-1), std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max()})
    expr(num(v));
  constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  for (double v : {0.0, -0.0, 1.0, 0.1, 1e300, -1e-300, 5e-324, 1.7976931348623157e308, 1.0 / 3, inf, -inf, nan, -nan,
                   std::bit_cast<double>(0x7ff0000000000001u), std::bit_cast<double>(0xfff8000000000123u)})
    expr(real(v));
  expr(std::make_shared<ComplexConst>(c64, -0.0, nan));
  expr(std::make_shared<ComplexConst>(c64, 1.5, -inf));
  auto index = std::make_shared<Index>(f64, 3, subscripts());
  expr(index);
  index = std::make_shared<Index>(f64, 3, subscripts());
  index->copyslice = true;
  index->flatten = false;
  expr(index);
  expr(std::make_shared<FnCall>(f64, "step", std::vector<ExprPtr>{var(0), num(1)}));
  expr(std::make_shared<FnCall>(Type::void_(), "a name; with \"things\"\x01\xff", std::vector<ExprPtr>{}));
  expr(std::make_shared<FnHandle>(unary_fn, "plus"));
  expr(std::make_shared<FnHandle>(Type::function({}, {}), ""));
  expr(std::make_shared<LibCall>(f64, "sum", std::vector<ExprPtr>{var(0, matrix), num(0)}));
  for (AllocFunc a : {AllocFunc::Zeros, AllocFunc::Ones, AllocFunc::Empty})
    expr(std::make_shared<Alloc>(matrix, a, std::vector<ExprPtr>{num(2), num(3)}));
  expr(std::make_shared<Dim>(i64, 3, 1));
  expr(std::make_shared<DimVec>(Type::array(Elem::Int64, 1, Layout::RowMajor), 3));
  expr(std::make_shared<TupleExpr>(Type::tuple({f64, i64}), std::vector<ExprPtr>{var(0), num(1)}));
  expr(std::make_shared<TupleExpr>(Type::void_(), std::vector<ExprPtr>{}));
  expr(std::make_shared<TupleIndex>(f64, 4, 0));
  expr(std::make_shared<ComplexExpr>(c64, var(0), var(1)));
  expr(std::make_shared<RealExpr>(f64, 2));
  expr(std::make_shared<ImagExpr>(f64, 2));
  expr(range_of(line, {}, nullptr, nullptr, nullptr));
  expr(range_of(line, false, num(1), num(-1), num(7)));
  expr(range_of(Type::null(), true, nullptr, nullptr, num(7)));  // states (null): the context would give int64
  expr(range_of(Type::domain({f64}), true, var(0, i32), nullptr, nullptr));  // states its type
  expr(range_of(Type::domain({f64}), {}, var(0, i32), nullptr, var(1)));     // derived from the operands
  expr(std::make_shared<Domain>(Type::domain({i64, i32}),
                                std::vector<ExprPtr>{range_of(line, true, nullptr, nullptr, num(5)),
                                                     range_of(Type::domain({i32}), {}, num(1), num(2), num(5))}));
  expr(std::make_shared<Domain>(Type::domain({i64}),
                                std::vector<ExprPtr>{range_of(Type::null(), true, nullptr, nullptr, num(5))}));
  for (AtomicOp op : {AtomicOp::Cas, AtomicOp::Add, AtomicOp::Sub, AtomicOp::Min, AtomicOp::Max, AtomicOp::And,
                      AtomicOp::Or, AtomicOp::Swap})
    expr(std::make_shared<Xchange>(i32, op, 3, subscripts(), std::vector<ExprPtr>{num(1), num(2)}));

  ExprPtr domain = exprs[Kind::Domain].front();
  Body inner{make<Break>(), with_loc(std::make_shared<Continue>())};
  stmt(make<Assign>(std::vector<ExprPtr>{var(0)}, num(1)));
  stmt(with_loc(std::make_shared<Assign>(std::vector<ExprPtr>{var(0), index}, exprs[Kind::TupleExpr].front())));
  stmt(make<StmtList>(false, Body{}));
  stmt(make<StmtList>(true, inner));
  stmt(make<For>(std::vector<SymbolId>{1, 2}, domain, inner));
  stmt(make<For>(std::vector<SymbolId>{1}, exprs[Kind::Range].front(), Body{}));
  stmt(make<PFor>(std::vector<SymbolId>{1}, domain, std::nullopt, inner));
  stmt(make<PFor>(std::vector<SymbolId>{1, 2}, domain, std::vector<SymbolId>{}, inner));
  stmt(with_loc(std::make_shared<PFor>(std::vector<SymbolId>{1, 2}, domain, std::vector<SymbolId>{3, 4}, Body{})));
  stmt(make<While>(var(0, boolean), inner));
  stmt(make<If>(var(0, boolean), inner, Body{}));
  stmt(make<If>(var(0, boolean), Body{}, inner));
  stmt(make<If>(var(0, boolean), inner, inner));
  stmt(make<Break>());
  stmt(make<Continue>());
  stmt(make<Return>(std::vector<ExprPtr>{}));
  stmt(make<Return>(std::vector<ExprPtr>{var(0), num(1)}));
  stmt(make<Raise>(-7, "", std::vector<ExprPtr>{}));
  stmt(with_loc(std::make_shared<Raise>(7, "a \"{}\" \n{{}} \xff", std::vector<ExprPtr>{var(0)})));
  stmt(make<ExprStmt>(exprs[Kind::FnCall].front()));
}

std::shared_ptr<Function> function_of(Body body) {
  auto f = std::make_shared<Function>();
  f->name = "function";
  f->type = Type::function({f64}, {});
  f->args = {3};
  f->symbols.add({3, "step", f64});
  f->symbols.add({9, "odd name", strided});
  f->body = std::move(body);
  return f;
}

// `null` types belong to the mclab dialect; a range may state (null) in both.
TEST(RoundTrip, EveryKind) {
  std::map<Kind, std::vector<ExprPtr>> exprs;
  std::map<Kind, Body> stmts;
  add_cases(exprs, stmts);
#define VR_EXPR(Name, word) EXPECT_FALSE(exprs[Kind::Name].empty()) << "no round-trip case for " #Name;
#define VR_STMT(Name, word) EXPECT_FALSE(stmts[Kind::Name].empty()) << "no round-trip case for " #Name;
#include <velociraptor/ir/nodes.def>
  auto check = [](const StmtPtr& s) {
    Module m;
    m.name = "m";
    m.functions.push_back(function_of({s, make<Return>(std::vector<ExprPtr>{})}));
    expect_round_trip(m);
  };
  for (auto& [kind, list] : exprs) {
    SCOPED_TRACE(kind_name(kind));
    for (const ExprPtr& e : list) check(make<ExprStmt>(e));
  }
  for (auto& [kind, list] : stmts) {
    SCOPED_TRACE(kind_name(kind));
    for (const StmtPtr& s : list) check(s);
  }
}

TEST(RoundTrip, ModuleAttributes) {
  Module m;
  m.name = "a path/with (things).m";
  m.version = 1;
  ConventionAttrs& a = m.attrs;
  a.indexing = 1;
  a.exclude = a.flatten = true;
  a.grow = false;
  a.assign = AssignMode::Copy;
  a.slices = SliceMode::View;
  a.nan = NanMode::Omit;
  a.memory = MemoryMode::Boehm;
  a.mindims = 2;
  a.broadcast = BroadcastMode::None;
  auto f = function_of({});
  f->loc = "x.py:1:2";
  m.functions = {f, function_of({})};
  for (int flags = 0; flags < 128; flags += 9) {
    a.fast_math = static_cast<uint8_t>(flags);
    expect_round_trip(m);
  }
  a.fast_math = fastmath::All;
  expect_round_trip(m);
  expect_round_trip(Module{});
}

TEST(RoundTrip, NullTypesInTheMclabDialect) {
  Module m;
  m.functions.push_back(function_of({make<ExprStmt>(var(1, Type::null()))}));
  expect_round_trip(m, Dialect::Mclab);
  EXPECT_FALSE(parse_as(print(m)).ok());
}

TEST(Parse, SourceLocationsAreThoseOfTheOpeningParenthesis) {
  auto m =
      parse_as(module_with("  (assignstmt\n    (lhs (name :id 0 (int32))) (rhs (  plus (int32)\n(lhs (name :id 1 "
                           "(int32))) (rhs (name :id 2 (int32))))))"));
  ASSERT_TRUE(m.ok()) << m.error().text();
  const Function& f = *(*m)->functions[0];
  EXPECT_EQ(f.pos.line, 1);
  EXPECT_EQ(f.pos.column, 22);
  const auto* s = as<Assign>(f.body.at(0));
  EXPECT_EQ(std::pair(s->pos.line, s->pos.column), std::pair(2, 3));
  EXPECT_EQ(std::pair(s->targets[0]->pos.line, s->targets[0]->pos.column), std::pair(3, 10));
  EXPECT_EQ(std::pair(s->value->pos.line, s->value->pos.column), std::pair(3, 37));
  EXPECT_EQ(std::pair(as<Plus>(s->value)->rhs->pos.line, as<Plus>(s->value)->rhs->pos.column), std::pair(4, 33));
}

TEST(Parse, RangeTypesFollowFromTheContext) {
  auto m = parse_as(module_with(
      "(forstmt (itervars 0) (loopdomain (domain (domaintype :ndims 1 (float64)) (range (stop (realconst :ival 3 "
      "(int32)))))) (body))"
      "(forstmt (itervars 0) (loopdomain (range (stop (realconst :ival 3 (int32))))) (body))"
      "(exprstmt (index :arrayid 1 (float64) (indices (index (range (stop (realconst :ival 3 (int32))))))))"));
  ASSERT_TRUE(m.ok()) << m.error().text();
  const Body& b = (*m)->functions[0]->body;
  EXPECT_EQ(as<Domain>(as<For>(b[0])->domain)->ranges[0]->type, Type::domain({f64}));
  EXPECT_EQ(as<For>(b[1])->domain->type, Type::domain({i32}));
  EXPECT_EQ(as<Index>(as<ExprStmt>(b[2])->expr)->subscripts[0].value->type, Type::null());
}

TEST(Parse, SpellingsOfTheSame) {
  const std::pair<const char*, const char*> same[] = {
      {"(name:id0(float64))", "(name :id 0 (float64 :ctype 0))"},
      {"(fncall :fnname length(int64)(args(name:id 0(int64))))",
       "(fncall :fnname \"length\" (int64) (args (name :id 0 (int64))))"},
      {"(realconst :dval .5 (float64))", "(realconst :dval 0.5 (float64))"},
      {"(realconst :dval 1. (float64))", "(realconst :dval 1 (float64))"},
      {"(realconst :dval 1e9 (float64))", "(realconst :dval +1000000000 (float64))"},
      {"(realconst :dval 0x1.8p3 (float64))", "(realconst :dval 12.0 (float64))"},
      {"(realconst :dval -0X.8 (float64))", "(realconst :dval -5e-1 (float64))"},
      {"(realconst :dval -inf (float64))", "(realconst :dval -inf(float64)) ; a comment ( with parens"},
      {"(tuple (tupletype (bool)) (elms (name :id 0 (bool))))",
       "(tuple (tupletype (bool)) (elems (name :id 0 (bool))))"},
      {"(dimvec :arrayid 3 (int64))", "(dimvec :id 3 (int64))"},
      {"(name :id 0 void)", "(name :id 0 (vtype :name void))"},
      {"(name :id 0 (domaintype :ndims 2 (int64)))", "(name :id 0 (domaintype (int64) (int64)))"},
      {"(index :grow %1 :arrayid 1 (bool) (indices (index :grow %0 (name :id 0 (int64))) (index (name :id 0 "
       "(int64)))))",
       "(index :arrayid 1 (bool) (indices (index :boundscheck %1 :grow %0 :negative %0 (name :id 0 (int64))) (index "
       ":minbounds %1 :grow %1 (name :id 0 (int64)))))"},
  };
  for (size_t i = 0; i < std::size(same); ++i) {
    auto a = parse_as(module_with(std::string("(exprstmt ") + same[i].first + "\n)"));
    auto b = parse_as(module_with(std::string("(exprstmt ") + same[i].second + "\n)"));
    ASSERT_TRUE(a.ok()) << same[i].first << a.error().text();
    ASSERT_TRUE(b.ok()) << same[i].second << b.error().text();
    EXPECT_TRUE(equal(**a, **b)) << same[i].first;
  }
}

TEST(Parse, SymbolsInAnyOrderWithGaps) {
  auto m = parse_as(
      "(module :name m (fns (function f (functype (intypes) (outtypes)) (arglist) (body)"
      " (symtable (sym :id 7 :name b (int32)) (sym :id 2 :name a (bool))))))");
  ASSERT_TRUE(m.ok()) << m.error().text();
  const auto& all = (*m)->functions[0]->symbols.all();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].id, 2);
  EXPECT_EQ(all[1].name, "b");
}

TEST(Mclab, BareFunctionTypeIsSplitByTheArguments) {
  const char* text =
      "(module :name m (fns (function f (functype (int32) (bool) (float64)) (arglist 0 1) (body) (symtable))))";
  auto m = parse_as(text, Dialect::Mclab);
  ASSERT_TRUE(m.ok()) << m.error().text();
  EXPECT_EQ((*m)->functions[0]->type, Type::function({i32, boolean}, {f64}));
  EXPECT_FALSE(parse_as(text).ok());
}

TEST(Print, BreaksLongGroupsAndKeepsShortOnes) {
  auto m = parse_as(module_with("(assignstmt (lhs (name :id 0 (int32))) (rhs (realconst :ival 1 (int32))))"));
  ASSERT_TRUE(m.ok());
  EXPECT_EQ(print(**m),
            "(module :name m\n"
            "  (fns\n"
            "    (function f\n"
            "      (functype (intypes) (outtypes (void)))\n"
            "      (arglist)\n"
            "      (body (assignstmt (lhs (name :id 0 (int32))) (rhs (realconst :ival 1 (int32)))))\n"
            "      (symtable))))\n");
  EXPECT_EQ(print(Type::array(Elem::Float32, 3, Layout::Strided, true)),
            "(arraytype :layout strided :ndims 3 (float32 :ctype 1))");
  EXPECT_EQ(print(*real(0.1)), "(realconst :dval 0.1 (float64))");
}

TEST(Print, RegionFunctionsSayWhatTheyAreSpecialisedOn) {
  auto m = parse_as(
      "(module :name m (fns (function f (functype (intypes (int64) (arraytype :layout rowmajor :ndims 1 (bool)))"
      " (outtypes)) (arglist 3 5) (body) (symtable (sym :id 3 :name \"n\\nm\" (int64))"
      " (sym :id 5 :name A (arraytype :layout rowmajor :ndims 1 (bool)))))))");
  ASSERT_TRUE(m.ok()) << m.error().text();
  auto f = std::make_shared<Function>(*(*m)->functions[0]);
  f->region = Region{{1}, {0, 1}};
  auto with = std::make_shared<Module>(**m);
  with->functions[0] = f;
  const std::string line = "; region, specialised on: shapes of A#5; values of \"n\\nm\"#3 A#5\n";
  EXPECT_EQ(print(*f), line + print(*(*m)->functions[0]));
  EXPECT_NE(print(*with).find("  (fns\n    " + line + "    (function f"), std::string::npos) << print(*with);
  auto again = parse_as(print(*with));
  ASSERT_TRUE(again.ok()) << again.error().text();
  EXPECT_TRUE(equal(*with, **again));
}

TEST(RoundTrip, EveryElementType) {
  for (const ElemInfo& e : elem_table)
    for (bool complex : {false, true}) {
      const std::string text = fmt_type(e.name, complex);
      auto m = parse_as("(module :name m (fns (function f (functype (intypes " + text + ") (outtypes " + text +
                        ")) (arglist 0) (body (returnstmt (exprs (name :id 0 " + text + ")))) (symtable (sym :id 0 :name x " +
                        text + ")))))");
      ASSERT_TRUE(m.ok()) << m.error().text();
      const Type& read = (*m)->functions[0]->type.components()[0];
      EXPECT_EQ(read, Type::scalar(e.elem, complex)) << text;
      expect_round_trip(**m);
    }
}

}  // namespace
}  // namespace vr::text::test
