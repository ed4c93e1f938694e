// Chains of assignments that each use the one before twice. An analysis that replaces variables by their values, or
// multiplies polynomials out, does 2^40 steps here: such a test does not end.
#include "tool/tool.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

namespace vr::tool {
namespace {

constexpr int length = 40;
const std::string int64 = "(int64)";

std::string name(int id) { return "(name :id " + std::to_string(id) + " (int64))"; }
std::string number(int n) { return "(realconst :ival " + std::to_string(n) + " (int64))"; }
std::string binary(const std::string& op, const std::string& a, const std::string& b, const std::string& type = int64) {
  return "(" + op + " " + type + " (lhs " + a + ") (rhs " + b + "))";
}
std::string call(const std::string& function, const std::string& args) {
  return "(libcall :libfunc " + function + " (int64) (args " + args + "))";
}
std::string element(int array, const std::string& index) {
  return "(index :arrayid " + std::to_string(array) + " (float64) (indices (index " + index + ")))";
}
std::string set(const std::string& to, const std::string& value) {
  return "(assignstmt (lhs " + to + ") (rhs " + value + "))";
}
std::string loop(const std::string& kind, int var, const std::string& trips, const std::string& body) {
  return "(" + kind + " (itervars " + std::to_string(var) +
         ") (loopdomain (domain (domaintype :ndims 1 (int64)) (range :exclude %1 (start " + number(0) + ") (stop " +
         trips + ")))) (body " + body + "))";
}

/// The next value of a chain.
using Link = std::function<std::string(const std::string&)>;

/// A parallel loop over i: the chain begins with i and ends in a stored value, a subscript, a condition, or (it begins
/// with a parameter then) the bound of an inner loop.
std::string program(const Link& link, const std::string& place, bool section) {
  const std::string vector = "(arraytype :layout rowmajor :ndims 1 (float64))", n = "(dim :arrayid 0 :dimid 0 (int64))";
  std::string value = name(place == "bound" ? 2 : 3), body, symbols;
  for (int k = 0; k < length; ++k) {
    body += set(name(10 + k), link(value));
    value = name(10 + k);
    symbols += "(sym :id " + std::to_string(10 + k) + " :name c" + std::to_string(k) + " (int64))";
  }
  const std::string to = element(0, name(3));
  if (place == "value")
    body += set(to, "(cast (float64) " + value + ")");
  else if (place == "subscript")
    body += set(to, element(1, call("mod", value + n)));
  else if (place == "condition")
    body +=
        "(ifstmt (test " + binary("lt", value, number(7), "(bool)") + ") (if " + set(to, element(1, name(3))) + "))";
  else
    body += loop("forstmt", 4, value, set(to, binary("plus", to, element(1, name(4)), "(float64)")));
  const std::string whole = loop("pforstmt", 3, n, body);
  return "(module :name chain :indexing 0 (fns (function f (functype (intypes " + vector + " " + vector +
         " (int64)) (outtypes (void))) (arglist (arg :id 0) (arg :id 1) (arg :id 2)) (body " +
         (section ? "(stmtlist :onGpu %1 (stmts " + whole + "))" : whole) + ") (symtable (sym :id 0 :name a " + vector +
         ") (sym :id 1 :name b " + vector +
         ") (sym :id 2 :name k (int64)) (sym :id 3 :name i (int64)) (sym :id 4 :name j (int64)) " + symbols + "))))";
}

TEST(LongChains, AreCompiled) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("vr_long_chains_test_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  const std::vector<Link> links = {
      [](const std::string& v) { return binary("mult", v, v); },
      [](const std::string& v) { return binary("plus", binary("mult", v, v), v); },
      [](const std::string& v) { return call("mod", binary("plus", v, v) + number(97)); },
      [](const std::string& v) { return call("min2", v + binary("plus", v, v)); },
  };
  for (const Link& link : links)
    for (const char* place : {"value", "subscript", "condition", "bound"})
      for (const bool section : {true, false}) {
        std::ofstream(folder / "m.vrir") << program(link, place, section);
        std::vector<std::string> args = {"emit", (folder / "m.vrir").string()};
        if (section)
          args.insert(args.end(), {"--opencl", "--lanes", "--tiles", "1", "--local", "36864"});
        else
          args.insert(args.end(), {"--llvm", "--on", "cpu-par", "-O1"});
        std::ostringstream out;
        Io io{out, out, folder};
        EXPECT_EQ(run_tool(args, io), 0) << place << '\n' << out.str();
      }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace vr::tool
