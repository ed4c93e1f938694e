// lower::check: each rule has a module that breaks only it.
#include "loop/verify/check.hpp"

#include "build.hpp"

#include <functional>

namespace vr::test {
namespace {

Arg plain(ExprP e) {
  Arg a{Arg::Kind::Scalar};
  a.value = e;
  return a;
}

struct Wrong {
  const char* message;
  std::function<void(Builder&, Fn&)> make;
};

// Every function has: x int64, d float64, c bool, p pointer, array A (float64, rank 1).
struct Parts {
  VarId x, d, c, p;
  ArrayId a;
  explicit Parts(Fn& f)
      : x(f.var("x", Scalar::Int64)),
        d(f.var("d", Scalar::Float64)),
        c(f.var("c", Scalar::Bool)),
        p(f.var("p", Scalar::Ptr)),
        a(f.array("A", ir::Elem::Float64, 1)) {}
};

const Wrong wrong_modules[] = {
    {"used variable 'd' is float64, not int64",
     [](Builder& b, Fn& f) {
       Parts v(f);
       Expr e{Expr::Kind::Var, Scalar::Int64};
       e.var = v.d;
       f << SetVar{v.x, b.make(e)};
     }},
    {"assigned variable 'x' is int64, not float64", [](Builder& b, Fn& f) { f << SetVar{Parts(f).x, b.f64(1)}; }},
    {"an expression is missing", [](Builder&, Fn& f) { f << SetVar{Parts(f).x, nullptr}; }},
    {"operator '!' on int64", [](Builder& b, Fn& f) { f << SetVar{Parts(f).x, b.unary(Op::Not, b.i64(1))}; }},
    {"operator '+' is not unary", [](Builder& b, Fn& f) { f << SetVar{Parts(f).x, b.unary(Op::Add, b.i64(1))}; }},
    {"operator '!' is not binary",
     [](Builder& b, Fn& f) { f << SetVar{Parts(f).c, b.binary(Op::Not, b.boolean(true), b.boolean(true))}; }},
    {"operator '%' on float64",
     [](Builder& b, Fn& f) { f << SetVar{Parts(f).d, b.binary(Op::Rem, b.f64(1), b.f64(1))}; }},
    {"operator '&' on float64",
     [](Builder& b, Fn& f) { f << SetVar{Parts(f).d, b.binary(Op::And, b.f64(1), b.f64(1))}; }},
    {"operator '+' on bool",
     [](Builder& b, Fn& f) { f << SetVar{Parts(f).c, b.add(b.boolean(true), b.boolean(true))}; }},
    {"operator '+' on int64 and int32", [](Builder& b, Fn& f) { f << SetVar{Parts(f).x, b.add(b.i64(1), b.i32(1))}; }},
    {"a select on int64", [](Builder& b, Fn& f) { f << SetVar{Parts(f).x, b.select(b.i64(1), b.i64(1), b.i64(1))}; }},
    {"a select of int64 and float64",
     [](Builder& b, Fn& f) { f << SetVar{Parts(f).x, b.select(b.boolean(true), b.i64(1), b.f64(1))}; }},
    {"a conversion of pointer to int64",
     [](Builder& b, Fn& f) { f << SetVar{Parts(f).x, b.convert(b.null(), Scalar::Int64)}; }},
    {"a vector load outside of a kernel",
     [](Builder& b, Fn& f) {
       Parts v(f);
       f << LoadVector{{v.d, v.d}, f.get(v.p), b.i64(0)};
     }},
    {"a vector store of 3 elements",
     [](Builder& b, Fn& f) {
       Parts v(f);
       f.f.kind = Function::Kind::Kernel;
       f.f.dims = {v.x};
       f << StoreVector{{b.f64(1), b.f64(1), b.f64(1)}, f.get(v.p), b.i64(0)};
     }},
    {"a vector load of pointer",
     [](Builder& b, Fn& f) {
       Parts v(f);
       f.f.kind = Function::Kind::Kernel;
       f.f.dims = {v.x};
       f << LoadVector{{v.p, v.p}, f.get(v.p), b.i64(0)};
     }},
    {"an element of a vector is int64, not float64",
     [](Builder& b, Fn& f) {
       Parts v(f);
       f.f.kind = Function::Kind::Kernel;
       f.f.dims = {v.x};
       f << StoreVector{{b.f64(1), b.i64(1)}, f.get(v.p), b.i64(0)};
     }},
    {"a fence outside of a kernel", [](Builder&, Fn& f) { f << Fence{}; }},
    {"exp of type int64", [](Builder& b, Fn& f) { f << SetVar{Parts(f).x, b.math(MathFn::Exp, b.i64(1))}; }},
    {"an expression is missing", [](Builder& b, Fn& f) { f << SetVar{Parts(f).d, b.math(MathFn::Pow, b.f64(1))}; }},
    {"an address of int64 plus int64",
     [](Builder& b, Fn& f) { f << SetVar{Parts(f).d, b.load(Scalar::Float64, b.i64(1), b.i64(0))}; }},
    {"an integer constant of type float64",
     [](Builder& b, Fn& f) { f << SetVar{Parts(f).d, b.number(Scalar::Float64, 1)}; }},
    {"a condition is int64, not bool", [](Builder& b, Fn& f) { f << If{b.i64(1), {}, {}}; }},
    {"the base of a store is int64", [](Builder& b, Fn& f) { f << Store{b.i64(1), b.i64(0), b.i64(0), none}; }},
    {"a loop bound is float64", [](Builder& b, Fn& f) { f << CountedLoop{Parts(f).x, b.i64(0), b.f64(1), {}}; }},
    {"loop variable 'd' is float64", [](Builder& b, Fn& f) { f << CountedLoop{Parts(f).d, b.i64(0), b.i64(1), {}}; }},
    {"continue outside of a loop",
     [](Builder& b, Fn& f) { f << CountedLoop{Parts(f).x, b.i64(0), b.i64(1), {}} << Continue{}; }},
    {"fail with code 0", [](Builder& b, Fn& f) { f << Fail{b.site({}), VR_OK}; }},
    {"fail in a cleanup", [](Builder& b, Fn& f) { f.f.cleanup = block(Fail{b.site({}), VR_TYPE}); }},
    {"runtime function 999 does not exist", [](Builder&, Fn& f) { f << Call{999, {}, none, false}; }},
    {"vr_rt_release takes 1 arguments, not 0", [](Builder&, Fn& f) { f << Call{rt::Release, {}, none, false}; }},
    {"argument 0 of vr_rt_release does not fit its code 'p'",
     [](Builder& b, Fn& f) { f << Call{rt::Release, {plain(b.i64(1))}, none, false}; }},
    {"vr_rt_release has no status", [](Builder& b, Fn& f) { f << Call{rt::Release, {plain(b.null())}, none, true}; }},
    {"vr_rt_release has no result",
     [](Builder& b, Fn& f) { f << Call{rt::Release, {plain(b.null())}, Parts(f).x, false}; }},
    {"function 7 does not exist", [](Builder&, Fn& f) { f << CallFunction{7, none, {}, {}}; }},
    {"call of 'f' with 1 arguments instead of 0",
     [](Builder&, Fn& f) { f << CallFunction{f.id, none, {{Parts(f).x, none, none}}, {}}; }},
    {"handle variable 'x' is int64", [](Builder&, Fn& f) { f << CallFunction{none, Parts(f).x, {}, {}}; }},
    {"argument is neither a scalar nor an array",
     [](Builder&, Fn& f) { f << CallFunction{f.id, none, {{none, none, none}}, {}}; }},
    {"'f' is no task", [](Builder& b, Fn& f) { f << ParallelFor{f.id, b.i64(0), b.i64(1), {}}; }},
    {"'f' is no kernel", [](Builder& b, Fn& f) { f << Launch{f.id, {}, {}, b.site({})}; }},
    {"array 'A' has 0 extents and 1 strides",
     [](Builder&, Fn& f) {
       Parts v(f);
       f.f.arrays[static_cast<size_t>(v.a)].extent.clear();
     }},
    {"array 'A' has rank 17",
     [](Builder&, Fn& f) {
       Parts v(f);
       auto& a = f.f.arrays[static_cast<size_t>(v.a)];
       a.extent.resize(17, a.extent[0]);
     }},
    {"array extent variable 'd' is float64",
     [](Builder&, Fn& f) {
       Parts v(f);
       f[v.a].extent[0] = v.d;
     }},
    {"two functions are called 'f'", [](Builder& b, Fn&) { Fn(b, "f"); }},
    {"'a b' is no function name", [](Builder& b, Fn&) { Fn(b, "a b"); }},
    {"a task takes scalars only",
     [](Builder& b, Fn&) {
       Fn t(b, "t", Function::Kind::Task);
       t.array_param("A", ir::Elem::Bool, 1);
     }},
};

TEST(Check, NamesWhatIsWrong) {
  for (const Wrong& w : wrong_modules) {
    Builder b;
    auto f = std::make_unique<Fn>(b);
    w.make(b, *f);
    EXPECT_THAT(check(b.m), testing::HasSubstr(w.message));
  }
}

TEST(Check, NestedBlocksAreLimited) {
  Builder b;
  Fn f(b);
  Block inner;
  for (int i = 0; i < 5000; ++i) {
    Block outer;
    outer.push_back(Stmt{Loop{std::move(inner)}});
    inner = std::move(outer);
  }
  f.f.body = std::move(inner);
  EXPECT_THAT(check(b.m), testing::HasSubstr("nested too deeply"));
}

// Depth counts through shared nodes: a tree with few nodes may still be deep.
TEST(Check, DeepExpressionsAreFoundBehindSharedNodes) {
  Builder b;
  Fn f(b);
  VarId x = f.var("x", Scalar::Int64);
  ExprP e = b.i64(1);
  for (int k = 0; k < 5; ++k) {
    for (int i = 0; i < 600; ++i) e = b.add(e, b.i64(1));
    f << SetVar{x, e};
  }
  EXPECT_THAT(check(b.m), testing::HasSubstr("nested too deeply"));
}

}  // namespace
}  // namespace vr::test
