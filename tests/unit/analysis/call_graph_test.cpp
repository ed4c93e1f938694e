#include "analysis/call_graph.hpp"

#include <velociraptor/ir/builder.hpp>

#include <gtest/gtest.h>

namespace vr::analysis {
namespace {

using namespace vr::ir;

/// A module of functions of one number, each of which calls the functions that it lists.
ModulePtr calling(const std::vector<std::pair<const char*, std::vector<const char*>>>& functions) {
  ModuleBuilder m("m");
  std::vector<std::pair<FunctionBuilder*, E>> made;  // functions that were built before their calls
  for (const auto& [name, callees] : functions) {
    FunctionBuilder& f = m.function(name, {f64()});
    made.emplace_back(&f, f.arg("x", f64()));
  }
  for (size_t k = 0; k < functions.size(); ++k) {
    FunctionBuilder& f = *made[k].first;
    E y = f.local("y", f64());
    f.assign(y, made[k].second);
    for (const char* callee : functions[k].second) f.assign(y, f.call(callee, {y}));
    f.return_({y});
  }
  auto module = m.finish();
  EXPECT_TRUE(module) << (module ? "" : module.error().text());
  return *module;
}

std::vector<std::string> names(const std::vector<FunctionPtr>& functions) {
  std::vector<std::string> all;
  for (const FunctionPtr& f : functions) all.push_back(f->name);
  return all;
}

TEST(CallGraph, CalleesComeFirst) {
  const CallGraph g = call_graph(*calling({{"a", {"b", "c"}}, {"b", {"c"}}, {"c", {}}}));
  EXPECT_EQ(names(g.bottom_up), (std::vector<std::string>{"c", "b", "a"}));
  EXPECT_TRUE(g.recursive.empty());
  EXPECT_TRUE(g.may_recurse.empty());
}

// c is not on a path that is open when the cycle of a and b is found.
TEST(CallGraph, RecursionThroughFunctionsThatWereSeenBefore) {
  const CallGraph g = call_graph(*calling({{"a", {"b", "c"}}, {"b", {"a"}}, {"c", {"b"}}, {"d", {"a"}}}));
  EXPECT_EQ(g.recursive, (std::set<std::string>{"a", "b", "c"}));
  EXPECT_EQ(g.may_recurse, g.recursive);
}

TEST(CallGraph, AFunctionThatCallsItself) {
  const CallGraph g = call_graph(*calling({{"a", {"a"}}, {"b", {"a"}}}));
  EXPECT_EQ(g.recursive, (std::set<std::string>{"a"}));
}

// apply(h) calls an unknown function, which may be apply itself.
TEST(CallGraph, AFunctionVariableMayHoldAnyFunction) {
  ModuleBuilder m("m");
  FunctionBuilder& f = m.function("apply", {f64()});
  E h = f.arg("h", Type::function({f64()}, {f64()})), x = f.arg("x", f64());
  f.return_({f.call("h", {x})});
  FunctionBuilder& plain = m.function("plain", {f64()});
  plain.return_({plain.arg("x", f64())});
  auto module = m.finish();
  ASSERT_TRUE(module) << module.error().text();
  const CallGraph g = call_graph(**module);
  EXPECT_TRUE(g.recursive.empty());
  EXPECT_EQ(g.may_recurse, (std::set<std::string>{"apply"}));
}

}  // namespace
}  // namespace vr::analysis
