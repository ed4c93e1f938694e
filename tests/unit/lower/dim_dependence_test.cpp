// On which dimensions of a kernel its variables depend.
#include "loop/analysis/dim_dependence.hpp"
#include "loop/text/parse.hpp"

#include <gtest/gtest.h>

namespace vr::lower {
namespace {

/// The dimensions of each requested variable as a string: "s=ij k=" for two dimensions i and j.
std::string dims_of(const std::string& body, const std::vector<std::string>& names, bool values_alone = false) {
  const std::string text = R"(module "m"
kernel g(a, c written, n) -> () source "f" {
  var a.data: ptr
  var a.extent0: i64
  var a.stride0: i64
  var c.data: ptr
  var c.extent0: i64
  var c.stride0: i64
  var n: i64
  var i: i64
  var j: i64
  var k: i64
  var q: i64
  var s: f64
  var t: f64
  array a: f64 a.data - - [a.extent0] [a.stride0]
  array c: f64 c.data - - [c.extent0] [c.stride0]
  is grid [i, j] points 1 disjoint
)" + body + "}\n";
  auto m = parse_loops(text, "t.loops");
  if (!m) return m.error().diagnostics.at(0).text();
  const Function& f = *(*m)->functions.at(0);
  const DimDependence d(f, values_alone);
  std::string out;
  for (size_t v = 0; v < f.vars.size(); ++v)
    for (const std::string& name : names)
      if (f.vars[v].name == name) {
        const DimSet dims = d.of(static_cast<VarId>(v));
        out += (out.empty() ? "" : " ") + name + "=" + (dims & 1 ? "i" : "") + (dims & 2 ? "j" : "");
      }
  return out;
}

TEST(DimDependence, OfWhatIsAssigned) {
  EXPECT_EQ(dims_of("s = f64 a[i by 8]\nt = f64 a[j by 8] + s\nk = n + 1\n", {"i", "j", "k", "s", "t"}), "i=i j=j k= s=i t=ij");
}

TEST(DimDependence, PropagatesAroundLoopBackEdges) {
  EXPECT_EQ(dims_of("s = 0.0\nt = 0.0\nfor k in [0, n) {\ns = s + t\nt = f64 a[j by 8]\n}\n", {"k", "s", "t"}), "k= s=j t=j");
}

TEST(DimDependence, OfConditions) {
  EXPECT_EQ(dims_of("s = 0.0\nt = 0.0\nif i < n {\ns = 1.0\n} else {\nt = f64 a[j by 8]\n}\n", {"s", "t"}), "s=ij t=ij");
  EXPECT_EQ(dims_of("s = 0.0\nt = 0.0\nif n < 3 {\ns = 1.0\n} else {\nt = f64 a[j by 8]\n}\n", {"s", "t"}), "s= t=j");
}

TEST(DimDependence, OfLoopBounds) {
  EXPECT_EQ(dims_of("s = 0.0\nfor k in [0, i) {\ns = s + 1.0\n}\n", {"k", "s"}), "k=i s=i");
  EXPECT_EQ(dims_of("s = 0.0\nfor k in [j, n) {\nfor q in [0, k) {\ns = s + f64 a[i by 8]\n}\n}\n", {"k", "q", "s"}), "k=ij q=ij s=ij");
}

TEST(DimDependence, OfElementsThatTheKernelMayHaveWritten) {
  EXPECT_EQ(dims_of("s = f64 a[n by 8]\nt = f64 c[n by 8]\n", {"s", "t"}), "s= t=ij");
}

TEST(DimDependence, OfAtomicOperations) {
  EXPECT_EQ(dims_of("s = atomic add f64 c[n by 8] with 1.0\nt = s\n", {"s", "t"}), "s=ij t=ij");
}

TEST(DimDependence, OfValuesAlone) {
  EXPECT_EQ(dims_of("s = 0.0\nt = 0.0\nif i < n {\ns = 1.0\n} else {\nt = f64 a[j by 8]\n}\n", {"s", "t"}, true), "s= t=j");
  EXPECT_EQ(dims_of("s = 0.0\nfor k in [0, i) {\ns = s + f64 a[k by 8]\n}\n", {"k", "s"}, true), "k= s=");
  EXPECT_EQ(dims_of("s = 0.0\nfor k in [j, n) {\nfor q in [0, k) {\ns = s + f64 a[i by 8]\n}\n}\n", {"k", "q", "s"}, true), "k=j q= s=i");
}

}  // namespace
}  // namespace vr::lower
