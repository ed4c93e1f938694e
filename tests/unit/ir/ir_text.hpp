// Text pieces for tests: one function with a variable of each sort, and short names for them.
#pragma once
#include <velociraptor/ir/text.hpp>
#include <velociraptor/ir/verify.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace vr::ir::test {

inline const std::string f64 = "(float64)", f32 = "(float32)", i64 = "(int64)", i32 = "(int32)", b1 = "(bool)",
                         c64 = "(float64 :ctype 1)", fn1 = "(functype (intypes (float64)) (outtypes (float64)))";
inline std::string arr(const std::string& elem, int rank, const std::string& layout = "rowmajor") {
  return "(arraytype :layout " + layout + " :ndims " + std::to_string(rank) + " " + elem + ")";
}
inline std::string nm(int id, const std::string& type) { return "(name :id " + std::to_string(id) + " " + type + ")"; }
inline std::string num(int v, const std::string& type = i64) {
  return "(realconst :ival " + std::to_string(v) + " " + type + ")";
}
inline std::string flt(const std::string& v, const std::string& type = f64) {
  return "(realconst :dval " + v + " " + type + ")";
}
inline std::string bin(const std::string& op, const std::string& type, const std::string& a, const std::string& b) {
  return "(" + op + " " + type + " (lhs " + a + ") (rhs " + b + "))";
}
inline std::string set(const std::string& target, const std::string& value) {
  return "(assignstmt (lhs " + target + ") (rhs " + value + "))";
}
inline std::string sub(const std::string& e, const std::string& attrs = "") {
  return "(index :boundscheck %1 :negative %0 " + attrs + e + ")";
}
inline std::string idx(int id, const std::string& type, const std::vector<std::string>& subs) {
  std::string s = "(index :arrayid " + std::to_string(id) + " " + type + " (indices";
  for (const auto& x : subs) s += " " + (x.rfind("(index :boundscheck", 0) == 0 ? x : sub(x));
  return s + "))";
}
inline std::string lib(const std::string& f, const std::string& type, const std::string& args) {
  return "(libcall :libfunc " + f + " " + type + " (args " + args + "))";
}
inline std::string call(const std::string& f, const std::string& type, const std::string& args = "") {
  return "(fncall :fnname " + f + " " + type + " (args " + args + "))";
}
inline std::string rng(const std::string& a, const std::string& b) {
  return "(range :exclude %1 (start " + a + ") (stop " + b + "))";
}
inline std::string dom(const std::string& elem, const std::string& r) {
  return "(domain (domaintype " + elem + ") " + r + ")";
}
inline std::string loop(const std::string& word, int var, const std::string& domain, const std::string& body) {
  return "(" + word + " (itervars " + std::to_string(var) + ") (loopdomain " + domain + ")" +
         (word == "pforstmt" ? " (shared auto)" : "") + " (body " + body + "))";
}
inline std::string gpu(const std::string& body) { return "(stmtlist :onGpu %1 (stmts " + body + "))"; }

// The variables of the test function f.
inline const std::string A = nm(0, arr(f64, 2)), x = nm(1, f64), n = nm(2, i64), y = nm(3, f64), i = nm(4, i64),
                         j = nm(5, i64), B = nm(6, arr(f64, 2)), z = nm(7, c64), h = nm(9, fn1), b = nm(10, b1),
                         K = nm(11, arr(i32, 1)), v = nm(12, arr(f64, 1)), g = nm(13, fn1),
                         S = nm(14, arr(f64, 2, "strided"));
inline const std::string tuple_type = "(tupletype (float64) (int64))", t = nm(8, tuple_type);
inline const std::string ret = "(returnstmt (exprs " + y + "))";

inline constexpr int body_line = 4;  ///< line of the first statement of f

/// A module with f, whose statements are on one line each from body_line on, and the functions one, two and none for
/// calls.
inline std::string program(const std::vector<std::string>& statements, const std::string& attrs = ":indexing 0",
                           const std::string& more = "") {
  std::string s = "(module :name m " + attrs + " (fns\n(function f (functype (intypes " + arr(f64, 2) + " " + f64 +
                  " " + i64 + ") (outtypes " + f64 + "))\n(arglist 0 1 2) (body\n";
  for (const auto& line : statements) s += line + "\n";
  s += ") (symtable (sym :id 0 :name A " + arr(f64, 2) + ") (sym :id 1 :name x " + f64 + ") (sym :id 2 :name n " + i64 +
       ") (sym :id 3 :name y " + f64 + ") (sym :id 4 :name i " + i64 + ") (sym :id 5 :name j " + i64 +
       ") (sym :id 6 :name B " + arr(f64, 2) + ") (sym :id 7 :name z " + c64 + ") (sym :id 8 :name t " + tuple_type +
       ") (sym :id 9 :name h " + fn1 + ") (sym :id 10 :name b " + b1 + ") (sym :id 11 :name K " + arr(i32, 1) +
       ") (sym :id 12 :name v " + arr(f64, 1) + ") (sym :id 13 :name g " + fn1 + ") (sym :id 14 :name S " +
       arr(f64, 2, "strided") + ")))\n";
  s += "(function one (functype (intypes (float64)) (outtypes (float64))) (arglist 0) (body (returnstmt (exprs " +
       nm(0, f64) + "))) (symtable (sym :id 0 :name p (float64))))\n";
  s += "(function two (functype (intypes) (outtypes (float64) (int64))) (arglist) (body (returnstmt (exprs " +
       flt("1") + " " + num(2) + "))) (symtable))\n";
  s += "(function none (functype (intypes) (outtypes (void))) (arglist) (body) (symtable))\n";
  return s + more + "))\n";
}

inline ModulePtr parsed(const std::string& text, Dialect dialect = Dialect::Vrir) {
  ParseOptions options;
  options.dialect = dialect;
  options.file = "t.vrir";
  auto m = parse(text, options);
  EXPECT_TRUE(m.ok()) << (m.ok() ? "" : m.error().text()) << "\n" << text;
  return m.ok() ? *m : nullptr;
}

inline std::string all_text(const std::vector<Diagnostic>& list) {
  std::string s;
  for (const Diagnostic& d : list) s += d.text() + "\n";
  return s;
}

}  // namespace vr::ir::test
