// Invalid programs, each with the rule that it violates and the line of the error.
#include "ir_text.hpp"

#include <velociraptor/ir/builder.hpp>
#include <velociraptor/ir/visit.hpp>

#include <memory>

namespace vr::ir::test {
namespace {

struct Wrong {
  const char* what;
  const char* rule;
  int statement;  ///< the statement of f with the error, from 0
  std::vector<std::string> statements;
  std::string attrs = ":indexing 0";
  std::string more = "";
};

// CTest's names of tests end with it; GoogleTest would print the object's bytes, which differ from run to run.
void PrintTo(const Wrong& wrong, std::ostream* out) { *out << wrong.rule; }

std::string alloc(const std::string& args) { return "(alloc :func zeros " + arr(f64, 2) + " (args " + args + "))"; }
const std::string element = idx(6, f64, {i, j});

const Wrong wrong_programs[] = {
    // names and ids
    {"unknown variable", "unknown-id", 0, {set(y, nm(99, f64)), ret}},
    {"unknown array", "unknown-id", 0, {set(y, idx(99, f64, {i, j})), ret}},
    {"unknown function", "unknown-function", 0, {set(y, call("onne", f64, x)), ret}},
    {"unknown library function", "unknown-function", 0, {set(y, lib("sqroot", f64, x)), ret}},
    {"handle of nothing", "unknown-function", 0, {set(h, "(fnhandle :fnname onn " + fn1 + ")"), ret}},
    // types of expressions
    {"name states another type", "name-type", 0, {set(y, nm(2, f64)), ret}},
    {"scalar sum of an array states a scalar", "stated-type", 0, {set(y, bin("plus", f64, A, x)), ret}},
    {"result has another rank", "stated-type", 0, {set(B, bin("plus", arr(f64, 3), A, x)), ret}},
    {"complex product stated as real", "stated-type", 0, {set(y, bin("mult", f64, z, x)), ret}},
    {"ordering complex numbers", "type-mismatch", 0, {set(b, bin("lt", b1, z, x)), ret}},
    {"arithmetic on a tuple", "type-mismatch", 0, {set(y, bin("plus", f64, t, x)), ret}},
    {"arithmetic on a handle", "type-mismatch", 0, {set(y, bin("plus", f64, h, x)), ret}},
    {"too many subscripts", "subscript-count", 0, {set(y, idx(0, f64, {i, j, n})), ret}},
    {"complex subscript", "subscript-type", 0, {set(y, idx(0, f64, {i, z})), ret}},
    {"subscript on a scalar", "not-an-array", 0, {set(y, idx(1, f64, {i})), ret}},
    {"dimension out of range", "dimension", 0, {set(n, "(dim :arrayid 0 :dimid 2 " + i64 + ")"), ret}},
    {"dimension in base 1", "dimension", 0, {set(n, "(dim :arrayid 0 :dimid 0 " + i64 + ")"), ret}, ":indexing 1"},
    {"tuple element out of range", "tuple-index", 0, {set(y, "(tupleindex :index 2 :tupleid 8 " + f64 + ")"), ret}},
    {"tupleindex of an array", "not-a-tuple", 0, {set(y, "(tupleindex :index 0 :tupleid 0 " + f64 + ")"), ret}},
    {"library arity", "arity", 0, {set(y, lib("sqrt", f64, x + x)), ret}},
    {"function arity", "arity", 0, {set(y, call("one", f64)), ret}},
    {"argument is an array", "argument-type", 0, {set(y, call("one", f64, A)), ret}},
    {"reduction over a missing axis", "dimension", 0, {set(v, lib("sum", arr(f64, 1), A + num(5))), ret}},
    {"matrix product of a scalar", "argument-type", 0, {set(B, lib("mmult", arr(f64, 2), A + x)), ret}},
    {"cast to a handle", "type-mismatch", 0, {set(h, "(cast " + fn1 + " " + x + ")"), ret}},
    {"atomic on bool mask of ranges",
     "xchange-subscript",
     0,
     {set(y, "(xchange :op add :arrayid 12 " + f64 + " (indices " + sub(rng(num(0), n)) + ") (args " + x + "))"), ret}},
    {"atomic cas with one argument",
     "arity",
     0,
     {set(y, "(xchange :op cas :arrayid 12 " + f64 + " (indices " + sub(i) + ") (args " + x + "))"), ret}},
    {"atomic and on floats",
     "xchange-type",
     0,
     {set(y, "(xchange :op and :arrayid 12 " + f64 + " (indices " + sub(i) + ") (args " + x + "))"), ret}},
    // statements
    {"assignment to a constant", "not-assignable", 0, {set(num(1), num(2)), ret}},
    {"array assigned to a scalar", "assign-type", 0, {set(y, A), ret}},
    {"scalar assigned to an array", "assign-type", 0, {set(B, x), ret}},
    {"complex assigned to a real", "assign-type", 0, {set(y, z), ret}},
    {"complex stored in a real slice", "assign-type", 0, {set(idx(0, f64, {i, j}), z), ret}},
    {"void assigned", "void-value", 0, {set(y, call("none", "(void)")), ret}},
    {"too few targets",
     "target-count",
     0,
     {"(assignstmt (lhs " + y + i + n + ") (rhs " + call("two", tuple_type) + "))", ret}},
    {"array as a condition", "condition-type", 1, {set(y, x), "(ifstmt (test " + A + ") (if))", ret}},
    {"complex condition", "condition-type", 0, {"(whilestmt (test " + z + ") (body))", ret}},
    {"loop over a number", "loop-domain", 0, {loop("forstmt", 4, n, ""), ret}},
    {"two variables for one dimension",
     "itervar-count",
     0,
     {"(forstmt (itervars 4 5) (loopdomain " + dom(i64, rng(num(0), n)) + ") (body))", ret}},
    {"integer variable over floats", "itervar-type", 0, {loop("forstmt", 4, dom(f64, rng(num(0), x)), ""), ret}},
    {"array as iteration variable", "itervar-type", 0, {loop("forstmt", 6, dom(i64, rng(num(0), n)), ""), ret}},
    {"break outside", "jump-outside-loop", 1, {set(y, x), "(break)", ret}},
    {"continue outside", "jump-outside-loop", 0, {"(continue)", ret}},
    {"returns nothing", "return-count", 0, {"(returnstmt)"}},
    {"returns an array", "return-type", 0, {"(returnstmt (exprs " + A + "))"}},
    {"a raise of an array", "raise-type", 0, {"(raise :code 1 :text \"{}\" (args " + A + "))"}},
    {"a raise of a complex number", "raise-type", 0, {"(raise :code 1 :text \"{}\" (args " + z + "))"}},
    {"a raise without its number", "arg-count", 0, {"(raise :code 1 :text \"{}\")"}},
    {"a raise of three numbers", "arg-count", 0, {"(raise :code 1 :text \"{}{}{}\" (args " + x + x + x + "))"}},
    {"a brace alone", "raise-text", 0, {"(raise :code 1 :text \"}\")"}},
    {"a named place", "raise-text", 0, {"(raise :code 1 :text \"{x}\" (args " + x + "))"}},
    // parallel loops and accelerated sections (thesis 4.5)
    {"break out of a parallel loop",
     "jump-in-pfor",
     0,
     {loop("pforstmt", 4, dom(i64, rng(num(0), n)), "(break)"), ret}},
    {"continue of a parallel loop",
     "jump-in-pfor",
     0,
     {loop("pforstmt", 4, dom(i64, rng(num(0), n)), "(continue)"), ret}},
    {"return from a parallel loop", "jump-in-pfor", 0, {loop("pforstmt", 4, dom(i64, rng(num(0), n)), ret), ret}},
    {"figure 4.6: a shared array is assigned",
     "shared-assign",
     2,
     {set(A, alloc(num(3) + num(3))), set(B, A),
      loop("pforstmt", 4, dom(i64, rng(num(0), n)),
           set(B, idx(0, arr(f64, 2, "strided"), {rng(num(0), i), rng(num(0), n)}))),
      ret}},
    {"a listed scalar is assigned",
     "shared-assign",
     0,
     {"(pforstmt (itervars 4) (loopdomain " + dom(i64, rng(num(0), n)) + ") (shared 0 3) (body " + set(y, x) + "))",
      ret}},
    {"the iteration variable is shared",
     "shared-list",
     0,
     {"(pforstmt (itervars 4) (loopdomain " + dom(i64, rng(num(0), n)) + ") (shared 4) (body))", ret}},
    {"the iteration variable is assigned",
     "itervar-assign",
     0,
     {loop("pforstmt", 4, dom(i64, rng(num(0), n)), set(i, n)), ret}},
    {"a shared array may grow",
     "shared-grow",
     0,
     {loop("pforstmt", 4, dom(i64, rng(num(0), n)), set(idx(12, f64, {sub(i, ":grow %1 ")}), x)), ret}},
    {"a kernel allocates",
     "allocation-in-kernel",
     0,
     {gpu(loop("pforstmt", 4, dom(i64, rng(num(0), n)), set(y, lib("sum", f64, alloc(num(200) + num(200)))))), ret}},
    {"a kernel calls what allocates",
     "allocation-in-kernel",
     0,
     {gpu(loop("pforstmt", 4, dom(i64, rng(num(0), n)), set(y, call("al", f64, x)))), ret},
     ":indexing 0",
     "(function al (functype (intypes (float64)) (outtypes (float64))) (arglist 0) (body (returnstmt (exprs " +
         lib("sum", f64, alloc(num(200) + num(200))) + "))) (symtable (sym :id 0 :name p (float64))))"},
    {"a kernel recurses",
     "recursion-in-kernel",
     0,
     {gpu(loop("pforstmt", 4, dom(i64, rng(num(0), n)), set(y, call("rec", f64, x)))), ret},
     ":indexing 0",
     "(function rec (functype (intypes (float64)) (outtypes (float64))) (arglist 0) (body (returnstmt (exprs " +
         call("rec", f64, nm(0, f64)) + "))) (symtable (sym :id 0 :name p (float64))))"},
    {"a handle is assigned in a section", "handle-assign", 0, {gpu(set(h, g)), ret}},
};

class WrongProgram : public ::testing::TestWithParam<Wrong> {};

TEST_P(WrongProgram, IsReportedAtItsPlace) {
  const Wrong& w = GetParam();
  ModulePtr m = parsed(program(w.statements, w.attrs, w.more));
  ASSERT_TRUE(m);
  auto faults = verify(*m);
  ASSERT_EQ(faults.size(), 1u) << w.what << "\n" << all_text(faults);
  EXPECT_EQ(faults[0].rule, w.rule) << w.what << "\n" << all_text(faults);
  EXPECT_EQ(faults[0].place.file, "t.vrir");
  EXPECT_EQ(faults[0].place.line, body_line + w.statement) << w.what << "\n" << all_text(faults);
  EXPECT_GT(faults[0].place.column, 0);
  EXPECT_FALSE(faults[0].message.empty());
}
INSTANTIATE_TEST_SUITE_P(Table, WrongProgram, ::testing::ValuesIn(wrong_programs), [](const auto& info) {
  std::string s;
  for (char c : std::string(info.param.what)) s += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return s;
});

// The programs of the same table, corrected: the verifier accepts them.
TEST(Verify, AcceptsValidPrograms) {
  const std::vector<std::string> right[] = {
      {set(y, call("one", f64, x)), ret},
      {"(assignstmt (lhs " + y + i + ") (rhs " + call("two", tuple_type) + "))", ret},
      {"(assignstmt (lhs (tuple " + tuple_type + " (elems " + y + i + "))) (rhs " + call("two", tuple_type) + "))",
       ret},
      {set(t, call("two", tuple_type)), set(y, "(tupleindex :index 0 :tupleid 8 " + f64 + ")"), ret},
      {set(S, idx(0, arr(f64, 2, "strided"), {rng(num(0), n), rng(num(0), n)})), set(A, S), set(y, x), ret},
      {set(idx(0, arr(f64, 2, "strided"), {rng(num(0), n), rng(num(0), n)}), x), ret},
      {set(y, bin("plus", f64, n, b)), ret},
      {loop("forstmt", 4, dom(i64, rng(num(0), n)), "(ifstmt (test " + b + ") (if (break)) (else (continue)))"), ret},
      {loop("pforstmt", 4, dom(i64, rng(num(0), n)),
            set(v, "(alloc :func zeros " + arr(f64, 1) + " (args " + n + "))") +
                set(idx(0, f64, {i, i}), idx(12, f64, {num(0)}))),
       ret},
      {loop("pforstmt", 4, dom(i64, rng(num(0), n)), loop("forstmt", 5, dom(i64, rng(num(0), n)), "(break)")), ret},
      {gpu(loop("pforstmt", 4, dom(i64, rng(num(0), n)), set(idx(0, f64, {i, i}), call("one", f64, x)))), ret},
      {"(whilestmt (test " + num(1) + ") (body " + ret + "))"},
      {set(h, "(fnhandle :fnname one " + fn1 + ")"), set(y, call("h", f64, x)), ret},
      {set(h, "(fnhandle :fnname sin " + fn1 + ")"), ret},
  };
  for (const auto& statements : right) {
    ModulePtr m = parsed(program(statements));
    ASSERT_TRUE(m);
    EXPECT_EQ(all_text(verify(*m)), "") << statements[0];
  }
}

TEST(Verify, ReportsAllFaultsAtOnce) {
  ModulePtr m = parsed(program({set(y, nm(99, f64)), "(break)", set(y, A), ret}));
  ASSERT_TRUE(m);
  auto faults = verify(*m);
  ASSERT_EQ(faults.size(), 3u) << all_text(faults);
  EXPECT_EQ(faults[0].rule, "unknown-id");
  EXPECT_EQ(faults[1].rule, "jump-outside-loop");
  EXPECT_EQ(faults[2].rule, "assign-type");
}

TEST(Verify, FaultsAreReportedOnce) {
  // The sum and the assignment over the unknown variable cause no further errors.
  ModulePtr m = parsed(program({set(y, bin("plus", f64, bin("mult", f64, nm(99, f64), x), x)), ret}));
  ASSERT_TRUE(m);
  EXPECT_EQ(verify(*m).size(), 1u);
}

TEST(Verify, SuggestsTheNearestName) {
  ModulePtr m = parsed(program({set(y, call("onne", f64, x)), set(y, call("flor", f64, x)), ret}));
  ASSERT_TRUE(m);
  auto faults = verify(*m);
  ASSERT_EQ(faults.size(), 2u) << all_text(faults);
  EXPECT_EQ(faults[0].hint, "did you mean 'one'?");
  EXPECT_EQ(faults[1].hint, "did you mean 'floor'?");
}

TEST(Verify, FunctionRules) {
  auto with = [](const std::string& function) { return "(module :name m (fns\n" + function + "))"; };
  const std::string tail = " (body (returnstmt (exprs " + nm(0, f64) + "))) (symtable (sym :id 0 :name p (float64))))";
  const std::string ok = "(function f (functype (intypes (float64)) (outtypes (float64))) (arglist 0)" + tail;
  struct {
    std::string text;
    const char* rule;
  } const cases[] = {
      {with(ok + "\n" + ok), "duplicate-function"},
      {with("(function f (functype (intypes (float64)) (outtypes (float64))) (arglist 0 0)" + tail), "arg-count"},
      {with("(function f (functype (intypes (float64) (float64)) (outtypes (float64))) (arglist 0 0)" + tail),
       "duplicate-arg"},
      {with("(function f (functype (intypes (int64)) (outtypes (float64))) (arglist 0)" + tail), "arg-type"},
      {with("(function f (functype (intypes (float64)) (outtypes (float64))) (arglist 7)" + tail), "unknown-id"},
      {with("(function f (functype (intypes (float64)) (outtypes (float64))) (arglist 0) (body) (symtable (sym :id 0 "
            ":name p "
            "(float64))))"),
       "missing-return"},
      {"(module :name m :mindims 2 (fns (function f (functype (intypes " + arr(f64, 1) +
           ") (outtypes (void))) (arglist 0) (body) (symtable (sym :id 0 :name p " + arr(f64, 1) + ")))))",
       "rank"},
  };
  for (const auto& c : cases) {
    ModulePtr m = parsed(c.text);
    ASSERT_TRUE(m);
    auto faults = verify(*m);
    ASSERT_FALSE(faults.empty()) << c.text;
    EXPECT_EQ(faults[0].rule, c.rule) << all_text(faults);
  }
}

// Trees built by the API have no text: the error states the path.
TEST(Verify, TreePathWithoutText) {
  auto f = std::make_shared<Function>();
  f->name = "f";
  f->type = Type::function({}, {});
  SymbolId y = f->symbols.fresh("y", Type::scalar(Elem::Float64));
  ExprPtr name = std::make_shared<Name>(Type::scalar(Elem::Float64), y);
  ExprPtr bad =
      std::make_shared<Plus>(Type::scalar(Elem::Float64), name, std::make_shared<Name>(Type::scalar(Elem::Int64), 7));
  f->body.push_back(
      std::make_shared<While>(std::make_shared<IntConst>(Type::scalar(Elem::Bool), 1),
                              Body{std::make_shared<Break>(), std::make_shared<Assign>(std::vector{name}, bad)}));
  Module m;
  m.functions.push_back(f);
  auto faults = verify(m);
  ASSERT_EQ(faults.size(), 1u) << all_text(faults);
  EXPECT_EQ(faults[0].path, "function f/body/0/body/1/value/rhs");
  EXPECT_EQ(faults[0].rule, "unknown-id");
}

TEST(Verify, MissingPartsAreFaults) {
  auto f = std::make_shared<Function>();
  f->name = "f";
  f->type = Type::function({}, {});
  f->body.push_back(std::make_shared<ExprStmt>(nullptr));
  f->body.push_back(nullptr);
  f->body.push_back(std::make_shared<ExprStmt>(std::make_shared<Plus>(Type::scalar(Elem::Int64), nullptr, nullptr)));
  f->body.push_back(std::make_shared<Assign>(std::vector<ExprPtr>{nullptr}, nullptr));
  Module m;
  m.functions = {f, nullptr};
  auto faults = verify(m);
  EXPECT_EQ(faults.size(), 7u) << all_text(faults);
  for (const auto& d : faults) EXPECT_EQ(d.rule, "missing-part");
}

TEST(Verify, DeepTreesAreRefused) {
  auto nested = [](int depth) {
    ExprPtr e = std::make_shared<IntConst>(Type::scalar(Elem::Int64), 1);
    for (int k = 0; k < depth; ++k) e = std::make_shared<Negate>(Type::scalar(Elem::Int64), e);
    auto f = std::make_shared<Function>();
    f->name = "f";
    f->type = Type::function({}, {});
    f->body.push_back(std::make_shared<ExprStmt>(e));
    Module m;
    m.functions.push_back(f);
    return m;
  };
  EXPECT_TRUE(verify(nested(900)).empty());
  auto faults = verify(nested(20000));
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].rule, "too-deep");
}

}  // namespace
}  // namespace vr::ir::test
