// from_mclab: the client's corpus, and the rules of the dialect one by one.
#include "ir/library.hpp"
#include "ir_text.hpp"

#include <velociraptor/ir/matlab.hpp>
#include <velociraptor/ir/visit.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace vr::ir::test {
namespace {

struct Translated {
  ModulePtr module;
  std::vector<Diagnostic> remarks;
  std::string error;
  const Function& f() const { return *module->functions.at(0); }
  bool remarked(const std::string& rule) const {
    return std::any_of(remarks.begin(), remarks.end(), [&](const auto& d) { return d.rule == rule; });
  }
  /// Whether the function's text contains this.
  bool has(const std::string& piece) const {
    std::string s = print(f()), t;
    for (char c : s)  // white space does not count
      if (c != ' ' && c != '\n') t += c;
    std::string p;
    for (char c : piece)
      if (c != ' ') p += c;
    return t.find(p) != std::string::npos;
  }
};

Translated translated(const std::string& text) {
  Translated r;
  ModulePtr m = parsed(text, Dialect::Mclab);
  if (!m) return r;
  auto t = from_mclab(*m, &r.remarks);
  if (t.ok()) {
    r.module = *t;
    EXPECT_EQ(all_text(verify(**t)), "") << text;
  } else {
    r.error = t.error().text();
  }
  return r;
}

// Function f of A (double matrix, 0), x (double, 1) -> y (2); locals B (matrix 3), k (int64 4), b (bool 5), V (int32
// matrix 6), z (complex 7), s (single 8), C (cube 9).
const std::string mat = arr(f64, 2, "colmajor"), cube = arr(f64, 3, "colmajor"), imat = arr(i32, 2, "colmajor");
const std::string MA = nm(0, mat), MB = nm(3, mat), mx = nm(1, f64), my = nm(2, f64), mk = nm(4, i64), mb = nm(5, b1),
                  mV = nm(6, imat), mz = nm(7, c64), ms = nm(8, f32), mC = nm(9, cube);
std::string client(const std::string& statements, const std::string& returned = "(returnstmt (exprs " + my + "))",
                   const std::string& more = "", const std::string& out = f64) {
  return "(module :name m :indexing 1 (fns (function f (functype (intypes " + mat + f64 + ") (outtypes " + out +
         ")) (arglist (arg :id0) (arg :id1)) (body " + statements + returned + ") (symtable (sym :id 0 :name A " + mat +
         ") (sym :id 1 :name x " + f64 + ") (sym :id 2 :name y " + out + ") (sym :id 3 :name B " + mat +
         ") (sym :id 4 :name k " + i64 + ") (sym :id 5 :name b " + b1 + ") (sym :id 6 :name V " + imat +
         ") (sym :id 7 :name z " + c64 + ") (sym :id 8 :name s " + f32 + ") (sym :id 9 :name C " + cube + ")))" + more +
         "))";
}
const Type& type_of(const Translated& t, SymbolId id) { return t.f().symbols.at(id).type; }

TEST(Mclab, WholeCorpus) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(VR_SOURCE_DIR "/tests/corpus/client")) {
    if (entry.path().extension() != ".vrir") continue;
    std::ifstream in(entry.path());
    std::stringstream text;
    text << in.rdbuf();
    ParseOptions options;
    options.dialect = Dialect::Mclab;
    options.file = entry.path().filename();
    auto m = parse(text.str(), options);
    ASSERT_TRUE(m.ok()) << m.error().text();
    std::vector<Diagnostic> remarks;
    auto t = from_mclab(**m, &remarks);
    ASSERT_TRUE(t.ok()) << t.error().text();
    EXPECT_EQ(all_text(verify(**t)), "") << options.file;
    EXPECT_EQ((*t)->functions.size(), (*m)->functions.size()) << options.file;
    // Only the complex product has a wrong stated type.
    EXPECT_EQ(remarks.size(), options.file == "complex_iter.vrir" ? 1u : 0u) << options.file << "\n"
                                                                             << all_text(remarks);
    for (const auto& d : remarks) EXPECT_EQ(d.rule, "retyped");
    // The result is VRIR: it can be printed and parsed.
    auto again = parse(print(**t));
    ASSERT_TRUE(again.ok()) << options.file << "\n" << again.error().text();
    EXPECT_TRUE(equal(**again, **t)) << options.file;
    ++count;
  }
  EXPECT_GE(count, 31);
}

TEST(Mclab, ConventionsAreStated) {
  auto t = translated(client(set(my, mx)));
  ASSERT_TRUE(t.module) << t.error;
  Conventions c = t.module->attrs.resolve(Conventions::numpy());
  EXPECT_EQ(c, Conventions::matlab());
}

TEST(Mclab, CopiesAndUnaryPlusVanish) {
  auto t = translated(client(set(my, "(" + f64 + lib("copy", f64, mx) + ")")));
  ASSERT_TRUE(t.module) << t.error;
  EXPECT_EQ(as<Assign>(t.f().body[0])->value->kind, Kind::Name);
}

TEST(Mclab, AliasesAndConstants) {
  auto t = translated(
      client(set(my, lib("loge", f64, mx)) + set(my, call("pi", f64)) + set(mb, call("ne", b1, mx + my)) +
             set(mb, call("isequal", b1, MA + MA)) + set(mz, call("i", c64)) + set(my, call("mtimes", f64, mx + mx)) +
             set(my, call("Inf", f64)) + set(mb, call("isempty", b1, MA)) + set(my, call("max", f64, mx + my)) +
             set(my, call("numel", f64, MA)) + set(MB, call("transpose", mat, MA))));
  ASSERT_TRUE(t.module) << t.error;
  EXPECT_TRUE(t.has(":libfunc log(")) << print(t.f());
  EXPECT_TRUE(t.has(":libfunc max2")) << print(t.f());
  EXPECT_TRUE(t.has("(neq"));
  EXPECT_TRUE(t.has(":libfunc trans"));
  EXPECT_FALSE(t.has("fncall"));
}

TEST(Mclab, ScalarsAndArraysOfOne) {
  auto t = translated(client(set(MB, mx) + set(my, lib("mmult", f64, lib("trans", mat, MA) + MA))));
  ASSERT_TRUE(t.module) << t.error;
  const auto* one = as<LibCall>(as<Assign>(t.f().body[0])->value);
  ASSERT_TRUE(one);
  EXPECT_EQ(one->func, "reshape");
  const auto* only = as<LibCall>(as<Assign>(t.f().body[1])->value);
  ASSERT_TRUE(only);
  EXPECT_EQ(only->func, "scalar");
}

TEST(Mclab, ProductsWithAScalarScale) {
  auto t = translated(client(set(MB, lib("mmult", mat, MA + mx)) + set(MB, lib("mrdiv", mat, MA + mx)) + set(my, mx)));
  ASSERT_TRUE(t.module) << t.error;
  EXPECT_TRUE(t.has(":libfunc libmult")) << print(t.f());
  EXPECT_TRUE(t.has(":libfunc libdiv"));
  EXPECT_FALSE(t.has("mmult"));
}

TEST(Mclab, WrongTypesAreCorrectedWithARemark) {
  auto t = translated(client(set(MB, lib("mmult", arr(b1, 2, "colmajor"), MA + MA)) + set(my, mx)));
  ASSERT_TRUE(t.module) << t.error;
  ASSERT_EQ(t.remarks.size(), 1u) << all_text(t.remarks);
  EXPECT_EQ(t.remarks[0].rule, "retyped");
  EXPECT_EQ(t.remarks[0].severity, Severity::Remark);
  EXPECT_NE(t.remarks[0].message.find("'mmult'"), std::string::npos);
  EXPECT_EQ(type_of(t, 3), Type::array(Elem::Float64, 2, Layout::ColMajor));
}

TEST(Mclab, VariablesAreWidened) {
  auto t = translated(client(set(my, bin("mult", f64, mz, mz)) + set(mk, bin("div", i64, mk, num(2))) + set(mb, mx)));
  ASSERT_TRUE(t.module) << t.error;
  EXPECT_EQ(type_of(t, 2), Type::scalar(Elem::Float64, true));
  EXPECT_EQ(type_of(t, 4), Type::scalar(Elem::Float64));
  EXPECT_EQ(type_of(t, 5), Type::scalar(Elem::Float64));
  EXPECT_EQ(t.f().type.outputs()[0], Type::scalar(Elem::Float64, true));  // the result goes with its variable
  EXPECT_TRUE(t.remarked("widened"));
}

TEST(Mclab, AStoreWidensItsArray) {
  // Facts that the client states about an array's elements are invalid after other elements are stored; valid facts are
  // kept.
  struct Case {
    SymbolId array;
    std::string elem, value;
    Type type;
  };
  const Type D = Type::scalar(Elem::Float64), Z = Type::scalar(Elem::Float64, true), L = Type::scalar(Elem::Int64);
  const Case table[] = {{3, f64, mz, Z},           {3, f64, mx, D},           {7, c64, mx, Z},
                        {4, i64, flt("2.5"), D},   {4, i64, mx, D},           {4, i64, flt("2.0"), L},
                        {4, i64, num(2), L},       {4, i64, mb, L},           {4, i64, mz, Z},
                        {5, b1, num(2), D},        {5, b1, mx, D},            {5, b1, mb, Type::scalar(Elem::Bool)},
                        {6, i32, flt("2.5"), Type::scalar(Elem::Int32)},      {8, f32, mx, Type::scalar(Elem::Float32)},
                        {8, f32, mz, Type::scalar(Elem::Float32, true)}};
  for (const Case& c : table) {
    auto t = translated(client(set(idx(c.array, c.elem, {num(1)}), c.value) + set(my, mx)));
    ASSERT_TRUE(t.module) << t.error;
    const Type got = type_of(t, c.array);
    EXPECT_EQ(Type::scalar(got.elem, got.complex), c.type) << "variable " << c.array << " = " << c.value;
    // The translation also keeps everything else.
    if (c.type.complex) {
      EXPECT_FALSE(t.has(":libfunc real")) << print(t.f());
    }
  }
}

TEST(Mclab, AWidenedArgumentKeepsItsType) {
  auto t = translated(client(set(mx, bin("plus", c64, mx, mz)) + set(my, lib("abs", f64, mx))));
  ASSERT_TRUE(t.module) << t.error;
  EXPECT_EQ(t.f().type.components()[1], Type::scalar(Elem::Float64));
  EXPECT_EQ(type_of(t, 1), Type::scalar(Elem::Float64, true));
  EXPECT_NE(t.f().args[1], 1);
}

TEST(Mclab, WideningReachesCallers) {
  const std::string g = "(function g (functype (intypes) (outtypes " + f64 + ")) (arglist) (body " +
                        set(nm(0, f64), call("i", c64)) + "(returnstmt (exprs " + nm(0, f64) +
                        "))) (symtable (sym :id 0 :name o " + f64 + ")))";
  auto t = translated(client(set(my, call("g", f64)), "(returnstmt (exprs " + my + "))", g));
  ASSERT_TRUE(t.module) << t.error;
  EXPECT_EQ(t.module->find("g")->type.outputs()[0], Type::scalar(Elem::Float64, true));
  EXPECT_EQ(t.f().type.outputs()[0], Type::scalar(Elem::Float64, true));
}

TEST(Mclab, IntegerClassesRoundAndSaturate) {
  auto t = translated(client(set(mV, lib("libdiv", imat, mV + num(2))) + set(my, mx)));
  ASSERT_TRUE(t.module) << t.error;
  const auto* back = as<Cast>(as<Assign>(t.f().body[0])->value);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->type.elem, Elem::Int32);
  const auto* rounded = as<LibCall>(back->operand);
  ASSERT_TRUE(rounded);
  EXPECT_EQ(rounded->func, "round");
  EXPECT_EQ(rounded->type.elem, Elem::Float64);
}

TEST(Mclab, SingleWinsOverDouble) {
  auto t = translated(client(set(ms, bin("mult", f32, ms, flt("2.5"))) + set(my, mx)));
  ASSERT_TRUE(t.module) << t.error;
  const auto& product = *as<Assign>(t.f().body[0])->value;
  EXPECT_EQ(product.kind, Kind::Mult);
  EXPECT_EQ(static_cast<const Mult&>(product).rhs->type, Type::scalar(Elem::Float32));
}

TEST(Mclab, MissingReturn) {
  // The results' variables are known from another return, or from the numbering: parameters first, then results.
  auto early =
      translated(client("(ifstmt (test " + bin("gt", b1, mx, num(1)) + ") (if (returnstmt)))" + set(my, mx), ""));
  ASSERT_TRUE(early.module) << early.error;
  EXPECT_TRUE(early.remarked("missing-return"));
  const auto* last = as<Return>(early.f().body.back());
  ASSERT_TRUE(last);
  EXPECT_EQ(as<Name>(last->exprs[0])->id, 2);
  const auto* first = as<Return>(as<If>(early.f().body[0])->then_body[0]);
  EXPECT_EQ(as<Name>(first->exprs[0])->id, 2);

  auto lost = translated("(module :name m :indexing 1 (fns (function f (functype (intypes) (outtypes " + f64 +
                         ")) (arglist) (body) (symtable (sym :id 4 :name o " + f64 + ")))))");
  EXPECT_FALSE(lost.module);
  EXPECT_NE(lost.error.find("missing-return"), std::string::npos) << lost.error;
}

TEST(Mclab, UntypedFunctionsAreLeftOutWithTheirCallers) {
  const std::string g = "(function g (functype (intypes) (outtypes " + f64 + ")) (arglist) (body (returnstmt (exprs " +
                        nm(0, f64) + "))) (symtable (sym :id 0 :name o (null :ctype 0))))";
  const std::string k = "(function k (functype (intypes) (outtypes " + f64 + ")) (arglist) (body (returnstmt (exprs " +
                        call("g", f64) + "))) (symtable))";
  auto t = translated(client(set(my, mx), "(returnstmt (exprs " + my + "))", g + k));
  ASSERT_TRUE(t.module) << t.error;
  EXPECT_EQ(t.module->functions.size(), 1u);
  EXPECT_TRUE(t.remarked("no-type"));
  EXPECT_TRUE(t.remarked("skipped-callee"));
}

TEST(Mclab, ConstructsWithoutMeaningAreRefused) {
  ModulePtr sound = parsed(client(set(my, mx)), Dialect::Mclab);
  ASSERT_TRUE(sound);
  auto f = std::make_shared<Function>(*sound->functions[0]);
  f->body.insert(f->body.begin(),
                 std::make_shared<Assign>(std::vector<ExprPtr>{}, nullptr));  // the form that it writes for cells
  Module with_cells = *sound;
  with_cells.functions = {f};
  auto cells = from_mclab(with_cells, nullptr);
  ASSERT_FALSE(cells.ok());
  EXPECT_EQ(cells.error().diagnostics.at(0).rule, "empty-assignment");
  EXPECT_EQ(cells.error().code, Code::Unsupported);
  auto unknown = translated(client(set(my, call("fminsearch", f64, mx))));
  EXPECT_NE(unknown.error.find("unknown-function"), std::string::npos) << unknown.error;
  auto deleting =
      translated(client(set("(index :arrayid 0 " + f64 + " (indices " + sub(num(1)) + "))", lib("horzcat", mat, ""))));
  EXPECT_NE(deleting.error.find("unsupported"), std::string::npos) << deleting.error;
}

TEST(Mclab, SeveralResults) {
  auto t = translated(client("(assignstmt (lhs (tuple (tupletype (float64) (float64)) (elems " + my + mx + "))) (rhs " +
                             call("size", "(tupletype (float64) (float64))", MA) + "))" +
                             "(assignstmt (lhs (tuple (tupletype (float64) (float64)) (elems " + my + mx + "))) (rhs " +
                             call("max", "(tupletype (float64) (float64))", MA) + "))" +
                             "(assignstmt (lhs (tuple (tupletype " + mat + mat + ") (elems " + MA + MB + "))) (rhs " +
                             call("sort", "(tupletype " + mat + mat + ")", MA) + "))"));
  ASSERT_TRUE(t.module) << t.error;
  EXPECT_TRUE(t.has("argmax")) << print(t.f());
  EXPECT_TRUE(t.has("(dim"));
  // [y, x] = size(C) of a cube: the second one takes the last dimension, too.
  auto cube = translated(client("(assignstmt (lhs (tuple (tupletype (float64) (float64)) (elems " + my + mx +
                                "))) (rhs " + call("size", "(tupletype (float64) (float64))", mC) + "))"));
  ASSERT_TRUE(cube.module) << cube.error;
  for (const char* d : {"1", "2", "3"})
    EXPECT_TRUE(cube.has(std::string("(dim:arrayid9:dimid") + d)) << print(cube.f());
  EXPECT_TRUE(cube.has("(mult"));
}

TEST(Mclab, CallsWithoutResult) {
  auto t = translated(client("(assignstmt (lhs (tuple (tupletype (void)) (elems))) (rhs " + call("disp", "(void)", mx) +
                             "))" + set(my, mx)));
  ASSERT_TRUE(t.module) << t.error;
  EXPECT_EQ(t.f().body.size(), 2u);
  EXPECT_TRUE(t.remarked("output-dropped"));
}

TEST(Mclab, Subscripts) {
  // A(1,2,1) of a matrix; C(:,:,1) is a matrix; a scalar that is subscripted becomes an array.
  auto t = translated(client(set(my, idx(0, f64, {num(1), num(2), num(1)})) +
                             set(MB, idx(9, mat, {"(range :exclude %0)", "(range :exclude %0)", num(1)})) +
                             set(idx(8, f32, {num(3)}), mx)));
  ASSERT_TRUE(t.module) << t.error;
  ASSERT_EQ(as<Assign>(t.f().body[0])->value->kind, Kind::Index);
  EXPECT_EQ(as<Index>(as<Assign>(t.f().body[0])->value)->subscripts.size(), 2u);
  EXPECT_EQ(as<Assign>(t.f().body[1])->value->type.rank, 2);
  EXPECT_EQ(type_of(t, 8), Type::array(Elem::Float32, 2, Layout::ColMajor));
}

TEST(Mclab, ConditionsOnArrays) {
  auto t = translated(client("(ifstmt (test " + bin("gt", arr(b1, 2, "colmajor"), MA, num(0)) + ") (if " +
                             set(my, num(1)) + "))" + set(my, mx)));
  ASSERT_TRUE(t.module) << t.error;
  // MATLAB's condition on an array: not empty, and every element true. The mean of an empty array is NaN.
  EXPECT_TRUE(t.has(":libfunc mean")) << print(t.f());
}

TEST(Mclab, LoopVariables) {
  // An integer variable up to a float stop; a step that may be a fraction makes it float.
  const std::string to_x =
      "(domain (domaintype :ndims 1 " + i64 + ") (range :exclude %0 (start " + num(1) + ") (stop " + mx + ")))";
  auto t = translated(client(loop("forstmt", 4, to_x, set(my, mk))));
  ASSERT_TRUE(t.module) << t.error;
  EXPECT_EQ(type_of(t, 4), Type::scalar(Elem::Int64));
  EXPECT_TRUE(t.has(":libfunc floor"));
  const std::string by_x = "(domain (domaintype :ndims 1 " + i64 + ") (range :exclude %0 (start " + num(1) +
                           ") (step " + mx + ") (stop " + num(9) + ")))";
  auto u = translated(client(loop("forstmt", 4, by_x, set(my, mk))));
  ASSERT_TRUE(u.module) << u.error;
  EXPECT_EQ(type_of(u, 4), Type::scalar(Elem::Float64));
}

TEST(Mclab, ParallelLoops) {
  auto pfor = [](const std::string& body) {
    return "(pforstmt (itervars (sym :id 4)) (loopdomain (domain (domaintype :ndims 1 " + i64 +
           ") (range :exclude %0 (start " + num(1) + ") (stop " + num(9) + ")))) (body " + body + "))";
  };
  auto find = [](const Translated& t, Kind k) {
    int n = 0;
    walk_stmts(t.f().body, [&](const Stmt& s) { n += s.kind == k; });
    return n;
  };
  // Stores never enlarge a shared array.
  auto plain = translated(client(pfor(set(idx(0, f64, {mk}), mx)) + set(my, mx)));
  ASSERT_TRUE(plain.module) << plain.error;
  EXPECT_EQ(find(plain, Kind::PFor), 1);
  EXPECT_TRUE(plain.has(":grow %0")) << print(plain.f());
  // A reduction carries a value: serial.
  auto sum = translated(client(set(my, num(0)) + pfor(set(my, bin("plus", f64, my, mx)))));
  ASSERT_TRUE(sum.module) << sum.error;
  EXPECT_EQ(find(sum, Kind::PFor), 0);
  EXPECT_EQ(find(sum, Kind::For), 1);
  EXPECT_TRUE(sum.remarked("serial-pfor"));
  // A temporary array is private to the iteration, whatever else the function does with it.
  auto temp = translated(
      client(set(MB, MA) + pfor(set(MB, lib("libmult", mat, MA + mx)) + set(idx(0, f64, {mk}), idx(3, f64, {mk}))) +
             set(my, idx(3, f64, {num(1)}))));
  ASSERT_TRUE(temp.module) << temp.error;
  EXPECT_EQ(find(temp, Kind::PFor), 1);
  // A return leaves the loop from however deep in it; a break of a loop inside does not.
  const std::string test = "(test " + bin("gt", b1, mx, num(0)) + ")";
  auto inside = [&](const std::string& jump) { return "(whilestmt " + test + " (body " + jump + "))"; };
  auto left = translated(client(pfor(inside("(ifstmt " + test + " (if (returnstmt (exprs " + my + "))) (else))"))));
  ASSERT_TRUE(left.module) << left.error;
  EXPECT_EQ(find(left, Kind::PFor), 0);
  EXPECT_TRUE(left.remarked("serial-pfor"));
  auto stays = translated(client(pfor(inside("(break)"))));
  ASSERT_TRUE(stays.module) << stays.error;
  EXPECT_EQ(find(stays, Kind::PFor), 1);
}

// Each row of the table of MATLAB's builtins names a library function that accepts what the row states.
TEST(Matlab, RowsFitTheLibrary) {
  using Form = MatlabBuiltin::Form;
  const char* const names[] = {
#define VR_MATLAB(name, form, library, result, complex, domain) name,
#include <velociraptor/ir/matlab.def>
  };
  for (const char* name : names) {
    const MatlabBuiltin* row = find_matlab_builtin(name);
    ASSERT_TRUE(row) << name;
    EXPECT_EQ(row->name, name);
    const LibFunction* f = find_library(row->library);
    ASSERT_TRUE(f) << name;
    switch (row->form) {
      case Form::Map: EXPECT_TRUE(is_map(f->sort)) << name; break;
      case Form::Map2: EXPECT_EQ(f->sort, LibSort::Arith) << name; break;
      case Form::Reduce: EXPECT_EQ(f->sort, LibSort::Reduce) << name; break;
      case Form::Scan: EXPECT_EQ(f->sort, LibSort::Scan) << name; break;
    }
    // MATLAB may refuse more complex arguments than the library does, never fewer.
    if (f->complex == LibComplex::Refused) {
      EXPECT_EQ(row->complex, MatlabBuiltin::OfComplex::Refused) << name;
    }
  }
  EXPECT_FALSE(find_matlab_builtin("where"));
}

}  // namespace
}  // namespace vr::ir::test
