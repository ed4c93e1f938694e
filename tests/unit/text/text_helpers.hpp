// Parsing and printing text in tests.
#pragma once
#include <velociraptor/ir/text.hpp>
#include <velociraptor/ir/visit.hpp>

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

namespace vr::text::test {

inline std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  EXPECT_TRUE(in.good()) << path;
  std::stringstream s;
  s << in.rdbuf();
  return s.str();
}

inline Result<ir::ModulePtr> parse_as(std::string_view text, ir::Dialect dialect = ir::Dialect::Vrir) {
  ir::ParseOptions o;
  o.dialect = dialect;
  return ir::parse(text, o);
}

/// parse(print_short(m)) == m, and both print the same in either form.
inline void expect_short_round_trip(const ir::Module& m) {
  const std::string printed = ir::print_short(m);
  auto again = parse_as(printed);
  ASSERT_TRUE(again.ok()) << again.error().text() << "\n" << printed;
  EXPECT_EQ(ir::print(**again), ir::print(m)) << printed;
  EXPECT_TRUE(ir::equal(m, **again)) << printed;
  EXPECT_EQ(ir::print_short(**again), printed);
}

/// parse(print(m)) == m and print(parse(print(m))) == print(m); strict VRIR also in the short syntax.
inline void expect_round_trip(const ir::Module& m, ir::Dialect dialect = ir::Dialect::Vrir) {
  std::string printed = ir::print(m);
  auto again = parse_as(printed, dialect);
  ASSERT_TRUE(again.ok()) << again.error().text() << "\n" << printed;
  EXPECT_TRUE(ir::equal(m, **again)) << printed << "\nbecame\n" << ir::print(**again);
  EXPECT_EQ(ir::print(**again), printed);
  if (dialect == ir::Dialect::Vrir) expect_short_round_trip(m);
}

/// A module of one function whose body is `statements`.
inline std::string module_with(const std::string& statements) {
  return "(module :name m (fns (function f (functype (intypes) (outtypes (void))) (arglist) (body\n" + statements +
         "\n) (symtable))))";
}

}  // namespace vr::text::test
