// The dump of the lowered form (src/loop/text/print.cpp), statement by statement.
#include "build.hpp"

#include <velociraptor/ir/nodes.hpp>

namespace vr::test {
namespace {

TEST(Print, LoopOverAnArray) {
  Builder b;
  Fn f(b, "scale");
  f.f.fast_math = ir::fastmath::Afn | ir::fastmath::Nsz;
  ArrayId a = f.array_param("A", ir::Elem::Float64, 1);
  VarId k = f.param("k", Scalar::Float64), i = f.var("i", Scalar::Int64), s = f.result("s", Scalar::Float64);
  SiteId site = b.site({"scale", "s.vrir:4:3", "A", 0, "subscript \"i\""});
  f << CountedLoop{
      i, b.i64(0), f.extent(a),
      block(If{b.binary(Op::Ge, f.get(i), b.i64(10)),
               block(Fail{site, VR_OUT_OF_BOUNDS, f.get(i), f.extent(a)}),
               {},
               true},
            SetVar{s, b.add(f.get(s), b.math(MathFn::Sqrt, b.load(Scalar::Float64, f.data(a), f.at(a, f.get(i)), 0)))},
            Store{f.data(a), f.at(a, f.get(i)), b.mul(f.get(k), b.f64(2)), 1}),
      true};
  f.f.cleanup = block(Call{rt::Release, {Arg{Arg::Kind::Scalar, f.get(f[a].owner)}}, none, false});
  EXPECT_EQ(print(b.m), R"(module test

entry scale(A: f64[1], k: f64) -> (s: f64) fast nsz afn {
  for i in [0, A.extent0) independent {
    if unlikely i >= 10 {
      fail OUT_OF_BOUNDS site 0 index i extent A.extent0
    }
    s = s + sqrt(f64[A.data + i * A.stride0]@0)
    store f64[A.data + i * A.stride0]@1 = k * 2.0
  }
} cleanup {
  vr_rt_release(A.owner)
}

site 0: scale s.vrir:4:3 array A axis 0 "subscript \"i\""
)");
}

TEST(Print, ExpressionsKeepTheirStructure) {
  Builder b;
  Fn f(b);
  VarId x = f.var("x", Scalar::Int64), y = f.var("x", Scalar::Int64), t = f.var("", Scalar::Int64);
  VarId c = f.var("c", Scalar::Bool), p = f.var("p", Scalar::Ptr), r = f.var("r", Scalar::Float32);
  VarId n = f.var("n", Scalar::Int32);
  auto X = [&] { return f.get(x); };
  auto Y = [&] { return f.get(y); };
  auto T = [&] { return f.get(t); };
  ExprP lt = b.binary(Op::Lt, X(), Y()), gt = b.binary(Op::Gt, X(), T());
  f << SetVar{t, b.sub(b.sub(X(), Y()), T())} << SetVar{t, b.sub(X(), b.sub(Y(), T()))}
    << SetVar{t, b.mul(b.add(X(), Y()), b.unary(Op::Neg, b.add(X(), b.i64(-1))))}
    << SetVar{c, b.binary(Op::And, b.binary(Op::Or, lt, gt), b.unary(Op::Not, f.get(c)))}
    << SetVar{c, b.binary(Op::Eq, lt, gt)} << SetVar{t, b.select(lt, b.select(gt, X(), Y()), b.i64(3))}
    << SetVar{n, b.convert(b.add(X(), Y()), Scalar::Int32)} << SetVar{n, b.i32(7)}
    << SetVar{r, b.math(MathFn::Pow, f.get(r), b.real(Scalar::Float32, 0.5))} << SetVar{c, b.boolean(true)}
    << SetVar{p, b.offset(f.get(p), b.mul(X(), b.i64(8)))} << SetVar{p, b.null()}
    << SetVar{x, b.load(Scalar::Int64, f.get(p), b.i64(0))};
  EXPECT_EQ(print(f.f), R"(entry f() {
  #0 = x - x#1 - #0
  #0 = x - (x#1 - #0)
  #0 = (x + x#1) * -(x + -1)
  c = (x < x#1 | x > #0) & !c
  c = (x < x#1) == (x > #0)
  #0 = x < x#1 ? (x > #0 ? x : x#1) : 3
  n = i32(x + x#1)
  n = 7:i32
  r = pow(r, 0.5:f32)
  c = true
  p = p + x * 8
  p = null
  x = i64[p]
}
)");
}

TEST(Print, CallsTasksAndKernels) {
  Builder b;
  Fn t(b, "body", Function::Kind::Task);
  VarId data = t.param("data", Scalar::Ptr);
  t.f.lo_var = t.var("lo", Scalar::Int64);
  t.f.hi_var = t.var("hi", Scalar::Int64);
  t << Loop{block(Break{}, Continue{}, Exit{}, Store{t.get(data), b.i64(8), b.boolean(false), none})};
  Fn k(b, "kern", Function::Kind::Kernel);
  ArrayId ka = k.array("A", ir::Elem::Float32, 2, false);
  k.f.params = {{none, none, ka, true}};
  k.f.dims = {k.var("j", Scalar::Int64), k.var("i", Scalar::Int64)};
  Fn f(b);
  VarId re = f.var("re", Scalar::Float64), im = f.var("im", Scalar::Float64), h = f.var("h", Scalar::Ptr);
  VarId st = f.var("st", Scalar::Int32);
  f.f.params.push_back({re, im, none, false});
  ArrayId a = f.array_param("A", ir::Elem::Float32, 2), c = f.array("A", ir::Elem::Int32, 1);
  f[c].complex = true;
  f.f.results.push_back({none, none, c, false});
  SiteId s = b.site({"f", "", "", -1, ""});
  Arg out{Arg::Kind::Array}, inout{Arg::Kind::Array}, site{Arg::Kind::Site}, text{Arg::Kind::Text};
  out.array = inout.array = c;
  out.out = inout.out = true;
  out.in = false;
  site.site = s;
  text.text = "say \"x\"";
  Arg numbers{Arg::Kind::Int64s};
  numbers.values = {b.i64(1), b.i64(2)};
  CallFunction by_name{f.id, none, {{re, im, none}, {none, none, a}}, {{none, none, c}}};
  CallFunction by_handle{none, h, {}, {}};
  f << Call{rt::Alloc, {site, out, inout, text, numbers}, st, true} << by_name << by_handle
    << TakeAddress{h, f.id} << ParallelFor{t.id, b.i64(0), f.extent(a), {f[a].data}}
    << Launch{k.id, {f.extent(a, 1), b.i64(4)}, {{none, none, a}}, s};
  b.m.report.push_back("kernel k: no float64 on this device");
  EXPECT_EQ(print(b.m), R"(module test

task body(data: ptr) over [lo, hi) {
  loop {
    break
    continue
    exit
    store bool[data + 8] = false
  }
}

kernel kern(A: written f32[2]) over [j, i] {
}

entry f(re, im: complex f64, A: f32[2]) -> (A#1: complex i32[1]) {
  st = vr_rt_alloc(site 0, out A#1, inout A#1, "say \"x\"", [1, 2]) checked
  A#1 = call f((re, im), A)
  call *h()
  h = address of f
  parallel for [0, A.extent0) body(A.data)
  launch kern over [A.extent1, 4] (A) site 0
}

site 0: f
report: kernel k: no float64 on this device
)");
}

}  // namespace
}  // namespace vr::test
