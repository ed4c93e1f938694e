// Syntax errors: location, message and hint.
#include "text_helpers.hpp"

namespace vr::text::test {
namespace {

// All diagnostics, one per line, as "LINE:COL: message | hint".
std::string faults(const std::string& text, ir::Dialect dialect = ir::Dialect::Vrir) {
  auto m = parse_as(text, dialect);
  if (m.ok()) return "";
  EXPECT_EQ(m.error().code, Code::Syntax);
  std::string s;
  for (const Diagnostic& d : m.error().diagnostics) {
    EXPECT_EQ(d.rule, "syntax");
    s += (s.empty() ? "" : "\n") + std::to_string(d.place.line) + ":" + std::to_string(d.place.column) + ": " +
         d.message;
    if (!d.hint.empty()) s += " | " + d.hint;
  }
  return s;
}
// The same for a statement, which is on line 2.
std::string faults_in(const std::string& statement, ir::Dialect dialect = ir::Dialect::Vrir) {
  return faults(module_with(statement), dialect);
}

struct Case {
  const char* text;
  const char* message;
};

TEST(SyntaxErrors, Statements) {
  const Case cases[] = {
      {"(assignstmt (lhs (name :id 0 (int32))) foo)",
       "2:40: expected (rhs ...) after (lhs ...) in assignstmt, found 'foo'"},
      {"(assignstmt (lhs (name :id 0 (int32))))", "2:39: expected (rhs ...) after (lhs ...) in assignstmt, found ')'"},
      {"(assinstmt)", "2:2: expected a statement in body, found (assinstmt ...) | did you mean 'assignstmt'?"},
      {"foo", "2:1: expected a statement or ')' in body, found 'foo'"},
      {"(exprstmt (pluss (int32)))",
       "2:12: expected an expression in exprstmt, found (pluss ...) | did you mean 'plus'?"},
      {"(exprstmt (plus (lhs (name :id 0 (int32)))))", "2:18: expected a type in plus, found (lhs ...)"},
      {"(exprstmt (name :id x (int32)))", "2:21: expected an integer after ':id' in name, found 'x'"},
      {"(exprstmt (name :ix 3 (int32)))",
       "2:17: unknown attribute ':ix' in name; expected ':id' | did you mean ':id'?"},
      {"(exprstmt (name :id 3))",
       "2:22: expected a type after '3' in name, found ')' | every expression states its type"},
      {"(exprstmt (name :id 3 (int33)))", "2:24: expected a type in name, found (int33 ...) | did you mean 'int32'?"},
      {"(exprstmt (realconst :ival 1.5 (int32)))",
       "2:28: expected an integer after ':ival' in realconst, found '1.5' | a number with a point is written with "
       "':dval'"},
      {"(exprstmt (realconst :dval x (int32)))", "2:28: expected a number after ':dval' in realconst, found 'x'"},
      {"(exprstmt (index :copyslice 1 :arrayid 0 (int32) (indices (index (range)))))",
       "2:29: expected %0 or %1 after ':copyslice' in index, found '1'"},
      {"(assignstmt (lhs) (rhs))",
       "2:13: (lhs) of an assignstmt holds no target | a call without results is an (exprstmt ...)"},
      {"(assignstmt (lhs (name :id 0 (int32))) (rhs))", "2:40: (rhs) of an assignstmt holds no expression"},
      {"(exprstmt (realconst :ival 9223372036854775808 (int64)))",
       "2:28: 9223372036854775808 of ':ival' is out of range: it must be from -9223372036854775808 to "
       "9223372036854775807"},
      {"(exprstmt (name :id -1 (int64)))", "2:21: -1 of ':id' is out of range: it must be from 0 to 2147483647"},
      {"(exprstmt (name :id 99999999999 (int64)))",
       "2:21: 99999999999 of ':id' is out of range: it must be from 0 to 2147483647"},
      {"(exprstmt (realconst :dval 1e999 (float64)))",
       "2:28: '1e999' is too large for float64 | write inf for infinity"},
      {"(exprstmt (name :id 0 (arraytype :ndims 17 :layout rowmajor (int32))))",
       "2:41: 17 of ':ndims' is out of range: it must be from 1 to 16"},
      {"(exprstmt (name :id 0 (arraytype :ndims 0 :layout rowmajor (int32))))",
       "2:41: 0 of ':ndims' is out of range: it must be from 1 to 16"},
      {"(exprstmt (name :id 0 (arraytype :ndims 2 :layout foo (int32))))",
       "2:51: unknown layout 'foo' | layouts are rowmajor, colmajor and strided"},
      {"(exprstmt (name :id 0 (arraytype :ndims 2 (int32))))", "2:23: ':layout' is missing in arraytype"},
      {"(exprstmt (name :id 0 (arraytype :ndims 2 :layout rowmajor (void))))",
       "2:23: the elements of an arraytype must be scalars, not void"},
      {"(exprstmt (name :id 0 (int32 :ctype 2)))", "2:37: 2 of ':ctype' is out of range: it must be from 0 to 1"},
      {"(exprstmt (name :id 0 (domaintype :ndims 3 (int32) (int32))))",
       "2:42: the domaintype says :ndims 3 but has 2 types"},
      {"(exprstmt (index :arrayid 1 :arrayid 2 (int32) (indices (index (range)))))", "2:38: ':arrayid' is given twice"},
      {"(exprstmt (index (int32) (indices (index (range)))))", "2:11: ':arrayid' is missing in index"},
      {"(exprstmt (index :arrayid 1 (int32) (indices)))", "2:45: expected (index ...) in indices, found ')'"},
      {"(exprstmt (index :arrayid 1 (int32) (indices (index :boundscheck %1 :minbounds %0 (range)))))",
       "2:66: ':boundscheck' sets both bounds; it cannot be combined with ':minbounds' or ':maxbounds'"},
      {"(exprstmt (range (start (name :id 0 (int32))) (start (name :id 0 (int32)))))",
       "2:47: (start ...) is given twice in range"},
      {"(exprstmt (domain (int32) (range)))", "2:11: a domain's type must be a domaintype, not int32"},
      {"(exprstmt (domain (domaintype (int32)) (range) (range)))",
       "2:11: the domain has 2 ranges but its type has 1 dimensions"},
      {"(exprstmt (alloc :func fill (int32) (args)))",
       "2:24: unknown alloc function 'fill' | known are zeros, ones, empty"},
      {"(exprstmt (xchange :op inc :arrayid 0 (int32) (indices (index (range))) (args)))",
       "2:24: unknown atomic operation 'inc' | known are cas, add, sub, min, max, and, or, swap"},
      {"(exprstmt (and (bool) (rhs (name :id 0 (bool))) (lhs (name :id 0 (bool)))))",
       "2:11: the operands of 'and' must be (lhs ...) and then (rhs ...)"},
      {"(pforstmt (itervars 0) (loopdomain (range)) (shared 1))", "2:1: (body ...) is missing in pforstmt"},
      {"(pforstmt (itervars 0) (loopdomain (range)) (body) (shared 1))",
       "2:52: (shared ...) must precede (body ...) in pforstmt"},
      {"(pforstmt :shared auto (itervars 0) (loopdomain (range)) (shared 1) (body))",
       "2:1: the shared variables are given twice in pforstmt"},
      {"(forstmt (itervars) (loopdomain (range)) (body))",
       "2:19: expected (sym ...) or an integer in itervars, found ')'"},
      {"(exprstmt (fncall :fnname \"a\\q\" (int32) (args)))",
       "2:27: unknown escape in '\"a\\q\"' | escapes are \\\\ \\\" \\n \\t \\r \\xHH"},
      {"(exprstmt (fncall :fnname \"abc (int32) (args)))",
       "2:27: expected a name after ':fnname' in fncall, found a string without its closing '\"'"},
      {"(exprstmt \x01)", "2:11: expected an expression in exprstmt, found '\\x01'"},
      {"(exprstmt \xff\xfe)", "2:11: expected an expression in exprstmt, found '\\xff'"},
      {"()", "2:2: expected a statement in body, found ()"},
      {"(assign (lhs) (rhs))", "2:2: expected a statement in body, found (assign ...) | did you mean 'assignstmt'?"},
      {"(exprstmt (realconst :dval 1.5.2 (float64)))", "2:31: '1.5.2' is not a number"},
      {"(break) )", "3:4: there is a surplus ')' before (symtable ...), which is in '(fns' now"},
  };
  for (const Case& c : cases) EXPECT_EQ(faults_in(c.text), c.message) << c.text;
}

TEST(SyntaxErrors, Modules) {
  const Case cases[] = {
      {"", "1:1: expected (module ...), found the end of the text"},
      {"  ; nothing\n", "2:1: expected (module ...), found the end of the text"},
      {"hello", "1:1: expected (module ...), found 'hello'"},
      {"(modul)", "1:2: expected (module ...), found (modul ...) | did you mean 'module'?"},
      {"(module :name m (fns)))", "1:23: ')' without its '(' | the module was closed at 1:22"},
      {"(module :name m (fns)) x", "1:24: expected the end of the text, found 'x'"},
      {"(module :name m (fns)", "1:1: '(module' is not closed"},
      {"(module :name m)", nullptr},
      {"(module :indexing 2 (fns))", "1:19: 2 of ':indexing' is out of range: it must be from 0 to 1"},
      {"(module :indexing 0 :indexing 1 (fns))", "1:31: ':indexing' is given twice in module"},
      {"(module :assign move (fns))", "1:17: unknown ':assign' 'move' | known are share, copy"},
      {"(module :fastmath quick (fns))",
       "1:19: unknown fast-math flag 'quick' | known are reassoc, contract, arcp, nnan, ninf, nsz, afn"},
      {"(module :vrir 2 (fns))", "1:15: version 2 of VRIR is not known | this is version 1"},
      {"(module :name File:/a.m (fns))",
       "1:15: a module name that is no word is accepted in the mclab dialect only | put the name in double quotes"},
      {"(module (fns (function f (int32) (arglist) (body) (symtable))))",
       "1:14: the type of function 'f' must be a functype, not int32"},
      {"(module (fns (function f (functype (intypes)) (arglist) (body) (symtable))))",
       "1:26: (outtypes ...) is missing in functype"},
      {"(module (fns (function f (functype (intypes (void)) (outtypes)) (arglist) (body) (symtable))))",
       "1:26: a function's input cannot be void | write (intypes) for a function without inputs"},
      {"(module (fns (function f (functype (intypes) (outtypes)) (arglist) (body) (symtable (sym :id 1 :name a "
       "(int32)) (sym :id 1 :name b (int32))))))",
       "1:113: symbol id 1 ('b') is already that of 'a'"},
      {"(module (fns (function f (functype (intypes) (outtypes)) (arglist) (body))))",
       "1:74: expected (symtable ...) after (body ...) in function, found ')'"},
  };
  for (const Case& c : cases) {
    if (!c.message)
      EXPECT_NE(faults(c.text), "") << c.text;
    else
      EXPECT_EQ(faults(c.text), c.message) << c.text;
  }
}

// A group without its ")" is detected by what cannot be inside of it.
TEST(SyntaxErrors, UnclosedGroups) {
  EXPECT_EQ(faults("(module :name m (fns\n"
                   " (function f (functype (intypes) (outtypes)) (arglist)\n"
                   "  (body\n"
                   "   (assignstmt (lhs (name :id 0 (int32))) (rhs (name :id 1 (int32)))\n"
                   "   (returnstmt))\n"
                   "  (symtable))))"),
            "4:4: '(assignstmt' is not closed | (returnstmt ...) at 5:5 cannot stand inside it");
  EXPECT_EQ(faults("(module (fns\n (function f (functype (intypes) (outtypes)) (arglist) (body) (symtable)\n"
                   " (function g (functype (intypes) (outtypes)) (arglist) (body) (symtable))))"),
            "2:2: '(function' is not closed | (function ...) at 3:3 cannot stand inside it");
}

TEST(SyntaxErrors, SeveralErrorsAreReportedSeparately) {
  EXPECT_EQ(faults("(module (fns\n"
                   "(function f (functype (intypes) (outtypes)) (arglist) (body\n"
                   "(exprstmt (nam :id 0 (int32)))\n"
                   "(exprstmt (plus (int32) (lhs (name :id 0 (int32))) (name :id 0 (int32))))\n"
                   "(break)) (symtable (sym :id 0 (int32))))\n"
                   "(function g (functype (intypes) (outtypes)) (arglist) (body (exprstmt (name :id -1 (int32)))) "
                   "(symtable))))"),
            "3:12: expected an expression in exprstmt, found (nam ...) | did you mean 'name'?\n"
            "4:53: expected (rhs ...) after (lhs ...) in plus, found (name ...) | put it in (lhs ...) or (rhs ...)\n"
            "5:31: expected ':name' after '0' in sym, found (int32 ...)\n"
            "6:81: -1 of ':id' is out of range: it must be from 0 to 2147483647");
}

// Each spelling of the mclab dialect is accepted there, and refused with a reason in strict VRIR.
TEST(SyntaxErrors, MclabSpellings) {
  const Case cases[] = {
      {"(exprstmt (or (bool) (name :id 0 (bool)) (name :id 1 (bool))))",
       "2:11: 'or' with bare operands is accepted in the mclab dialect only | wrap the operands: (lhs ...) (rhs ...)"},
      {"(exprstmt ( (bool) (name :id 0 (bool))))",
       "2:11: an expression without a head word (unary plus) is accepted in the mclab dialect only | write the operand "
       "alone"},
      {"(exprstmt (realconst :fval 1 (float32)))",
       "2:28: ':fval' is accepted in the mclab dialect only | write ':dval'"},
      {"(exprstmt (name :id 1 (null :ctype 0)))",
       "2:23: the type (null) is accepted in the mclab dialect only | state the type"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(faults_in(c.text), c.message) << c.text;
    EXPECT_EQ(faults_in(c.text, ir::Dialect::Mclab), "") << c.text;
  }
  EXPECT_NE(faults_in("(assignstmt (lhs) (rhs))", ir::Dialect::Mclab), "");
}

}  // namespace
}  // namespace vr::text::test
