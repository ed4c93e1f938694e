// Calls: arrays by descriptor, the runtime, functions, handles, recursion, parallel loops, launches. The runtime is the
// real one.
#include "build.hpp"

#include <atomic>
#include <numeric>

namespace vr::test {
namespace {

Arg site_arg(SiteId s) {
  Arg a{Arg::Kind::Site};
  a.site = s;
  return a;
}
Arg scalar_arg(ExprP e) {
  Arg a{Arg::Kind::Scalar};
  a.value = e;
  return a;
}
Arg array_arg(ArrayId id, bool in, bool out) {
  Arg a{Arg::Kind::Array};
  a.array = id;
  a.in = in;
  a.out = out;
  return a;
}
Arg numbers_arg(std::vector<ExprP> values) {
  Arg a{Arg::Kind::Int64s};
  a.values = std::move(values);
  return a;
}
Call alloc(Builder& b, SiteId s, ArrayId a, ir::Elem elem, std::vector<ExprP> extents, int32_t fill = VR_FILL_ZERO) {
  const auto rank = static_cast<int32_t>(extents.size());
  return Call{rt::Alloc,
              {site_arg(s), array_arg(a, false, true), scalar_arg(b.i32(static_cast<int32_t>(elem))),
               scalar_arg(b.i32(rank)), numbers_arg(std::move(extents)), scalar_arg(b.i32(VR_ROWMAJOR)),
               scalar_arg(b.i32(fill)), scalar_arg(b.i32(VR_IN_ENGINE))},
              none,
              true};
}
Call retain(Fn& f, ArrayId a) { return Call{rt::Retain, {scalar_arg(f.get(f[a].owner))}, none, false}; }
Call release(Fn& f, ArrayId a) { return Call{rt::Release, {scalar_arg(f.get(f[a].owner))}, none, false}; }
CallFunction call_of(int32_t callee, std::vector<Operand> args, std::vector<Operand> results) {
  CallFunction c{};
  c.callee = callee;
  c.args = std::move(args);
  c.results = std::move(results);
  return c;
}
Operand scalar(VarId v) { return {v, none, none}; }
Operand complex(VarId re, VarId im) { return {re, im, none}; }
Operand whole(ArrayId a) { return {none, none, a}; }

// ---------------------------------------------------------------- descriptors
// sum of a rank-2 array with any strides.
TEST(Calls, ArrayParameterOfRank2) {
  for (int level : all_levels) {
    Builder b;
    Fn f(b);
    ArrayId a = f.array_param("A", ir::Elem::Float64, 2);
    VarId i = f.var("i", Scalar::Int64), j = f.var("j", Scalar::Int64), sum = f.result("sum", Scalar::Float64);
    ExprP at = b.add(b.mul(f.get(i), f.get(f[a].stride[0])), b.mul(f.get(j), f.get(f[a].stride[1])));
    f << CountedLoop{i, b.i64(0), f.extent(a, 0),
                     block(CountedLoop{j, b.i64(0), f.extent(a, 1),
                                       block(SetVar{sum, b.add(f.get(sum), b.load(Scalar::Float64, f.data(a), at))})})};
    auto m = compile(b, level);
    ASSERT_TRUE(m);
    std::vector<double> elements(12);
    std::iota(elements.begin(), elements.end(), 0.0);
    vr_array d{};  // rows in reverse order, every second column of a 3 x 4 array: {8 10; 4 6; 0 2}
    d.data = &elements[8];
    d.elem = VR_FLOAT64;
    d.rank = 2;
    d.extent[0] = 3;
    d.extent[1] = 2;
    d.stride[0] = -32;
    d.stride[1] = 16;
    EXPECT_EQ(call(m->entry("f"), {value(&d)}).results[0].f64, 30.0);
  }
}

// Every scalar type and complex numbers as parameters and results.
TEST(Calls, ScalarParametersAndResults) {
  for (int level : all_levels) {
    Builder b;
    Fn f(b);
    const Scalar types[] = {Scalar::Bool, Scalar::Int32, Scalar::Int64, Scalar::Float32, Scalar::Float64};
    for (Scalar t : types) {
      VarId re = f.var("re", t), im = f.var("im", t);
      f.f.params.push_back({re, im, none, false});
      f.f.results.push_back({im, re, none, false});  // parts swapped
      VarId alone = f.param("s", t);
      f.f.results.push_back({alone, none, none, false});
    }
    auto m = compile(b, level);
    ASSERT_TRUE(m);
    std::vector<vr_value> args(10);
    args[0].cb[0] = 1;
    args[0].cb[1] = 0;
    args[1].b = 1;
    args[2].ci32[0] = 3;
    args[2].ci32[1] = -4;
    args[3].i32 = 5;
    args[4].ci64[0] = 6;
    args[4].ci64[1] = -7;
    args[5].i64 = 8;
    args[6].cf32[0] = 1.5f;
    args[6].cf32[1] = -2.5f;
    args[7].f32 = 3.5f;
    args[8].cf64[0] = 0.25;
    args[8].cf64[1] = -0.5;
    args[9].f64 = 0.75;
    Outcome o = call(m->entry("f"), args, std::vector<vr_value>(10));
    EXPECT_EQ(o.results[0].cb[0], 0);
    EXPECT_EQ(o.results[0].cb[1], 1);
    EXPECT_EQ(o.results[1].b, 1);
    EXPECT_EQ(o.results[2].ci32[0], -4);
    EXPECT_EQ(o.results[2].ci32[1], 3);
    EXPECT_EQ(o.results[3].i32, 5);
    EXPECT_EQ(o.results[4].ci64[0], -7);
    EXPECT_EQ(o.results[4].ci64[1], 6);
    EXPECT_EQ(o.results[5].i64, 8);
    EXPECT_EQ(o.results[6].cf32[0], -2.5f);
    EXPECT_EQ(o.results[6].cf32[1], 1.5f);
    EXPECT_EQ(o.results[7].f32, 3.5f);
    EXPECT_EQ(o.results[8].cf64[0], -0.5);
    EXPECT_EQ(o.results[8].cf64[1], 0.25);
    EXPECT_EQ(o.results[9].f64, 0.75);
  }
}

// R = alloc(n), R[i] = i * i; its reference is passed to the caller.
int32_t add_squares(Builder& b, const std::string& name) {
  Fn f(b, name);
  SiteId s = b.site({name, "s.vrir:1:1", "R", -1, "allocation"});
  VarId n = f.param("n", Scalar::Int64), i = f.var("i", Scalar::Int64);
  ArrayId r = f.array("R", ir::Elem::Int64, 1);
  f.f.results.push_back({none, none, r, false});
  f << alloc(b, s, r, ir::Elem::Int64, {f.get(n)})
    << CountedLoop{i, b.i64(0), f.get(n), block(Store{f.data(r), f.at(r, f.get(i)), b.mul(f.get(i), f.get(i)), none})};
  return f.id;
}

TEST(Calls, ArrayResultThroughTheRuntimesAllocation) {
  for (int level : all_levels) {
    Builder b;
    add_squares(b, "squares");
    auto m = compile(b, level);
    ASSERT_TRUE(m);
    vr_array r{};
    Outcome o = call(m->entry("squares"), {value(int64_t{5})}, {value(&r)});
    ASSERT_EQ(o.status, VR_OK);
    EXPECT_EQ(r.elem, VR_INT64);
    EXPECT_EQ(r.rank, 1);
    ASSERT_EQ(r.extent[0], 5);
    EXPECT_EQ(r.stride[0], 8);
    ASSERT_NE(r.owner, nullptr);
    EXPECT_EQ(r.owner->refs.load(), 1);
    for (int64_t i = 0; i < 5; ++i) EXPECT_EQ(static_cast<int64_t*>(r.data)[i], i * i);
    vr_rt_release(r.owner);
  }
}

// If a checked call fails, the function leaves through its cleanup with that status, and the runtime's record is
// unchanged.
TEST(Calls, CheckedCallThatFails) {
  for (int level : all_levels) {
    Builder b;
    Fn f(b);
    SiteId s = b.site({"f", "f.vrir:2:2", "A", -1, ""});
    VarId n = f.param("n", Scalar::Int64), p = f.param("p", Scalar::Ptr), r = f.result("r", Scalar::Int64);
    ArrayId a = f.array("A", ir::Elem::Float32, 2);
    f << alloc(b, s, a, ir::Elem::Float32, {f.get(n), b.i64(3)}) << SetVar{r, f.extent(a, 0)};
    f.f.cleanup = block(release(f, a), Store{f.get(p), b.i64(0), f.extent(a, 0), none});
    auto m = compile(b, level);
    ASSERT_TRUE(m);
    int64_t seen = 77;
    vr_value memory{};
    memory.function = &seen;
    Outcome bad = call(m->entry("f"), {value(int64_t{-1}), memory}, {value(int64_t{55})});
    EXPECT_EQ(bad.status, VR_SIZE);
    EXPECT_EQ(bad.error.code, VR_SIZE);
    EXPECT_STREQ(bad.error.loc, "f.vrir:2:2");
    EXPECT_EQ(bad.results[0].i64, 55);
    EXPECT_EQ(seen, 0) << "fields of an out array are read back on success only";
    Outcome good = call(m->entry("f"), {value(int64_t{4}), memory});
    EXPECT_EQ(good.status, VR_OK);
    EXPECT_EQ(good.results[0].i64, 4);
    EXPECT_EQ(seen, 4);
  }
}

// in + out: the runtime replaces the array behind the descriptor.
TEST(Calls, InOutArray) {
  for (int level : all_levels) {
    Builder b;
    const int32_t squares = add_squares(b, "squares");
    Fn f(b);
    SiteId s = b.site({"f", "", "A", -1, ""});
    VarId n = f.var("n", Scalar::Int64), last = f.result("last", Scalar::Int64), size = f.result("size", Scalar::Int64);
    ArrayId a = f.array("A", ir::Elem::Int64, 1);
    f << SetVar{n, b.i64(4)} << call_of(squares, {scalar(n)}, {whole(a)})
      << Call{rt::Grow,
              {site_arg(s), array_arg(a, true, true), numbers_arg({b.i64(9)}), scalar_arg(b.i32(VR_ROWMAJOR)),
               scalar_arg(b.i32(VR_IN_ENGINE))},
              none,
              true}
      << Store{f.data(a), f.at(a, b.i64(8)), b.add(b.load(Scalar::Int64, f.data(a), f.at(a, b.i64(3))), b.i64(1)), none}
      << SetVar{last, b.load(Scalar::Int64, f.data(a), f.at(a, b.i64(8)))} << SetVar{size, f.extent(a)};
    f.f.cleanup = block(release(f, a));
    auto m = compile(b, level);
    ASSERT_TRUE(m);
    Outcome o = call(m->entry("f"), {});
    ASSERT_EQ(o.status, VR_OK);
    EXPECT_EQ(o.results[0].i64, 10);
    EXPECT_EQ(o.results[1].i64, 9);
  }
}

// Two arrays in one runtime call: A * B.
TEST(Calls, SeveralDescriptorsInOneCall) {
  Builder b;
  Fn f(b);
  SiteId s = b.site({"f", "", "", -1, ""});
  ArrayId x = f.array_param("X", ir::Elem::Float64, 2), y = f.array_param("Y", ir::Elem::Float64, 2);
  ArrayId r = f.array("R", ir::Elem::Float64, 2);
  f.f.results.push_back({none, none, r, false});
  f << Call{rt::Mmult,
            {site_arg(s), array_arg(x, true, false), array_arg(y, true, false), array_arg(r, false, true),
             scalar_arg(b.i32(VR_ROWMAJOR)), scalar_arg(b.i32(VR_IN_ENGINE))},
            none,
            true};
  auto m = compile(b);
  ASSERT_TRUE(m);
  std::vector<double> xs{1, 2, 3, 4}, ys{5, 6, 7, 8};
  auto square = [](std::vector<double>& v) {
    vr_array d = descriptor(v, VR_FLOAT64);
    d.rank = 2;
    d.extent[0] = d.extent[1] = 2;
    d.stride[0] = 16;
    d.stride[1] = 8;
    return d;
  };
  vr_array dx = square(xs), dy = square(ys), dr{};
  Outcome o = call(m->entry("f"), {value(&dx), value(&dy)}, {value(&dr)});
  ASSERT_EQ(o.status, VR_OK);
  const double* p = static_cast<double*>(dr.data);
  EXPECT_EQ(std::vector<double>(p, p + 4), (std::vector<double>{19, 22, 43, 50}));
  vr_rt_release(dr.owner);
}

TEST(Calls, ResultOfAnUncheckedCall) {
  Builder b;
  Fn f(b);
  VarId status = f.result("status", Scalar::Int32);
  SiteId s = b.site({"f", "", "", -1, ""});
  ArrayId a = f.array("A", ir::Elem::Int32, 1);
  Call c = alloc(b, s, a, ir::Elem::Int32, {b.i64(-5)});
  c.checked = false;
  c.result = status;
  f << c;
  auto m = compile(b);
  ASSERT_TRUE(m);
  Outcome o = call(m->entry("f"), {});
  EXPECT_EQ(o.status, VR_OK);
  EXPECT_EQ(o.results[0].i32, VR_SIZE);
}

// ---------------------------------------------------------------- functions
int32_t add_fibonacci(Builder& b) {
  Fn f(b, "fib");
  VarId n = f.param("n", Scalar::Int64), r = f.result("r", Scalar::Int64);
  VarId m = f.var("m", Scalar::Int64), x = f.var("x", Scalar::Int64), y = f.var("y", Scalar::Int64);
  f << If{b.binary(Op::Lt, f.get(n), b.i64(2)), block(SetVar{r, f.get(n)}, Exit{}), {}}
    << SetVar{m, b.sub(f.get(n), b.i64(1))} << call_of(f.id, {scalar(m)}, {scalar(x)})
    << SetVar{m, b.sub(f.get(n), b.i64(2))} << call_of(f.id, {scalar(m)}, {scalar(y)})
    << SetVar{r, b.add(f.get(x), f.get(y))};
  return f.id;
}

TEST(Calls, Recursion) {
  for (int level : all_levels) {
    Builder b;
    add_fibonacci(b);
    auto m = compile(b, level);
    ASSERT_TRUE(m);
    EXPECT_EQ(call(m->entry("fib"), {value(int64_t{15})}).results[0].i64, 610);
  }
}

// Scalars, complex numbers and arrays go in and come out in one call.
TEST(Calls, MixedArgumentsAndResults) {
  for (int level : all_levels) {
    Builder b;
    Fn g(b, "g");
    VarId re = g.var("re", Scalar::Float64), im = g.var("im", Scalar::Float64);
    ArrayId a = g.array("A", ir::Elem::Float64, 1);
    VarId flag = g.var("flag", Scalar::Bool);
    g.f.params = {{re, im, none, false}, {none, none, a, false}, {flag, none, none, false}};
    g.f.results = {{none, none, a, false}, {im, re, none, false}, {flag, none, none, false}};
    g << Store{g.data(a), b.i64(0), b.add(g.get(re), g.get(im)), none} << SetVar{flag, b.unary(Op::Not, g.get(flag))};

    Fn f(b);
    ArrayId x = f.array_param("X", ir::Elem::Float64, 1), y = f.array("Y", ir::Elem::Float64, 1);
    VarId p = f.var("p", Scalar::Float64), q = f.var("q", Scalar::Float64), c = f.var("c", Scalar::Bool);
    VarId r = f.result("r", Scalar::Float64), s = f.result("s", Scalar::Float64), t = f.result("t", Scalar::Bool);
    VarId n = f.result("n", Scalar::Int64);
    f << SetVar{p, b.f64(3)} << SetVar{q, b.f64(4)}
      << call_of(g.id, {complex(p, q), whole(x), scalar(c)}, {whole(y), complex(r, s), scalar(t)})
      << SetVar{s, b.add(f.get(s), b.load(Scalar::Float64, f.data(y), b.i64(0)))} << SetVar{n, f.extent(y)};
    auto m = compile(b, level);
    ASSERT_TRUE(m);
    std::vector<double> xs{0, 1, 2};
    vr_array d = descriptor(xs, VR_FLOAT64);
    Outcome o = call(m->entry("f"), {value(&d)});
    EXPECT_EQ(xs[0], 7);
    EXPECT_EQ(o.results[0].f64, 4);
    EXPECT_EQ(o.results[1].f64, 10);
    EXPECT_EQ(o.results[2].b, 1);
    EXPECT_EQ(o.results[3].i64, 3);
  }
}

// A fault in a nested call leaves every caller through its cleanup, with the record of its origin.
TEST(Calls, FaultPassesThroughCallers) {
  for (int level : all_levels) {
    Builder b;
    Fn g(b, "g");
    g << Fail{b.site({"g", "g.vrir:9:9", "", -1, "broken"}), VR_TYPE};
    Fn f(b);
    VarId p = f.param("p", Scalar::Ptr);
    f << call_of(g.id, {}, {}) << Store{f.get(p), b.i64(0), b.i64(1), none};
    f.f.cleanup = block(Store{f.get(p), b.i64(8), b.i64(2), none});
    auto m = compile(b, level);
    ASSERT_TRUE(m);
    int64_t memory[2] = {0, 0};
    vr_value arg{};
    arg.function = memory;
    Outcome o = call(m->entry("f"), {arg});
    EXPECT_EQ(o.status, VR_TYPE);
    EXPECT_STREQ(o.error.function, "g");
    EXPECT_EQ(memory[0], 0);
    EXPECT_EQ(memory[1], 2);
  }
}

TEST(Calls, FunctionHandles) {
  for (int level : all_levels) {
    Builder b;
    const int32_t fib = add_fibonacci(b);
    Fn twice(b, "twice");
    {
      VarId n = twice.param("n", Scalar::Int64), r = twice.result("r", Scalar::Int64);
      twice << SetVar{r, b.mul(b.i64(2), twice.get(n))};
    }
    // apply(h, n) = h(n); f(c, n) = apply(c ? fib : twice, n)
    Fn apply(b, "apply");
    {
      VarId h = apply.param("h", Scalar::Ptr), n = apply.param("n", Scalar::Int64),
            r = apply.result("r", Scalar::Int64);
      CallFunction c = call_of(none, {scalar(n)}, {scalar(r)});
      c.handle = h;
      apply << c;
    }
    Fn f(b);
    VarId c = f.param("c", Scalar::Bool), n = f.param("n", Scalar::Int64), r = f.result("r", Scalar::Int64);
    VarId h = f.var("h", Scalar::Ptr);
    f << If{f.get(c), block(TakeAddress{h, fib}), block(TakeAddress{h, twice.id})}
      << call_of(apply.id, {scalar(h), scalar(n)}, {scalar(r)});
    auto m = compile(b, level);
    ASSERT_TRUE(m);
    EXPECT_EQ(call(m->entry("f"), {value(true), value(int64_t{10})}).results[0].i64, 55);
    EXPECT_EQ(call(m->entry("f"), {value(false), value(int64_t{10})}).results[0].i64, 20);
    // A handle that was passed in: any vr_entry is valid.
    vr_value handle{};
    handle.function = reinterpret_cast<void*>(m->entry("fib"));
    EXPECT_EQ(call(m->entry("apply"), {handle, value(int64_t{9})}).results[0].i64, 34);
  }
}

// ---------------------------------------------------------------- parallel loops
// x[i] = c ? scale * i : 0; fails at i == bad.
TEST(Calls, ParallelFor) {
  for (int level : all_levels) {
    Builder b;
    Fn t(b, "body", Function::Kind::Task);
    {
      VarId data = t.param("data", Scalar::Ptr), scale = t.param("scale", Scalar::Float64),
            c = t.param("c", Scalar::Bool);
      VarId bad = t.param("bad", Scalar::Int64), i = t.var("i", Scalar::Int64);
      t.f.lo_var = t.var("lo", Scalar::Int64);
      t.f.hi_var = t.var("hi", Scalar::Int64);
      SiteId s = b.site({"f", "f.vrir:5:5", "x", 0, ""});
      t << CountedLoop{
          i, t.get(t.f.lo_var), t.get(t.f.hi_var),
          block(If{b.binary(Op::Eq, t.get(i), t.get(bad)),
                   block(Fail{s, VR_OUT_OF_BOUNDS, t.get(i), b.i64(7)}),
                   {},
                   true},
                Store{t.get(data), b.mul(t.get(i), b.i64(8)),
                      b.select(t.get(c), b.mul(t.get(scale), b.convert(t.get(i), Scalar::Float64)), b.f64(0)), none}),
          true};
    }
    Fn f(b);
    ArrayId x = f.array_param("x", ir::Elem::Float64, 1);
    VarId scale = f.param("scale", Scalar::Float64), bad = f.param("bad", Scalar::Int64), c = f.var("c", Scalar::Bool);
    f << SetVar{c, b.boolean(true)} << ParallelFor{t.id, b.i64(0), f.extent(x), {f[x].data, scale, c, bad}};
    auto m = compile(b, level);
    ASSERT_TRUE(m);
    EXPECT_EQ(m->entry("body"), nullptr) << "a task is no entry";
    std::vector<double> xs(1000, -1);
    vr_array d = descriptor(xs, VR_FLOAT64);
    for (int threads : {1, 4}) {
      vr_context context;
      context.threads = threads;
      vr_value args[3] = {value(&d), value(0.5), value(int64_t{-1})};
      std::fill(xs.begin(), xs.end(), -1);
      EXPECT_EQ(m->entry("f")(&context, args, nullptr), VR_OK);
      for (size_t k = 0; k < xs.size(); ++k) ASSERT_EQ(xs[k], 0.5 * static_cast<double>(k));
      args[2] = value(int64_t{617});
      EXPECT_EQ(m->entry("f")(&context, args, nullptr), VR_OUT_OF_BOUNDS);
      EXPECT_EQ(context.error.index, 617);
      EXPECT_STREQ(context.error.loc, "f.vrir:5:5");
    }
  }
}

// ---------------------------------------------------------------- kernels
Builder with_launch() {
  Builder b;
  Fn k(b, "scale_kernel", Function::Kind::Kernel);
  {
    ArrayId a = k.array("A", ir::Elem::Float32, 2, false);
    VarId factor = k.var("factor", Scalar::Float32), i = k.var("i", Scalar::Int64), j = k.var("j", Scalar::Int64);
    k.f.params = {{none, none, a, true}, {factor, none, none, false}};
    k.f.dims = {j, i};
  }
  Fn f(b);
  SiteId s = b.site({"f", "f.vrir:7:7", "", -1, ""});
  ArrayId a = f.array_param("A", ir::Elem::Float32, 2);
  VarId factor = f.param("factor", Scalar::Float32), log = f.param("log", Scalar::Ptr);
  f << Launch{k.id, {f.extent(a, 1), f.extent(a, 0)}, {whole(a), scalar(factor)}, s};
  f.f.cleanup = block(Store{f.get(log), b.i64(0), b.i64(1), none});
  return b;
}

TEST(Calls, LaunchDescribesTheKernel) {
  Builder b = with_launch();
  auto text = jit::emit_text(b.m, {{"__kernel void scale_kernel() {}", "-cl-std=CL1.2"}});
  ASSERT_TRUE(text.ok()) << text.error().text();
  auto has = [&](const char* part) { EXPECT_NE(text->find(part), std::string::npos) << part << "\n" << *text; };
  has("c\"scale_kernel\\00\"");
  has("c\"__kernel void scale_kernel() {}\\00\"");
  has("c\"-cl-std=CL1.2\\00\"");
  // kind, elem, rank, written: a written float32 array of rank 2, and a float32 scalar.
  has("{ i32, i32, i32, i32, ptr } { i32 1, i32 3, i32 2, i32 1, ptr @");
  has("{ i32, i32, i32, i32, ptr } { i32 0, i32 3, i32 0, i32 0, ptr @");
  has("call i32 @vr_gpu_launch");
  EXPECT_EQ(text->find("define {{.*}}scale_kernel"), std::string::npos);
}

TEST(Calls, LaunchWithoutADeviceFails) {
  Builder b = with_launch();
  auto m = compile(b, 2, false, {{"source", ""}});
  ASSERT_TRUE(m);
  std::vector<float> xs(6);
  vr_array d = descriptor(xs, VR_FLOAT32);
  d.rank = 2;
  d.extent[0] = 2;
  d.extent[1] = 3;
  d.stride[0] = 12;
  d.stride[1] = 4;
  int64_t cleaned = 0;
  vr_value log{};
  log.function = &cleaned;
  Outcome o = call(m->entry("f"), {value(&d), value(2.0f), log});
  EXPECT_EQ(o.status, VR_DEVICE);
  EXPECT_STREQ(o.error.loc, "f.vrir:7:7");
  EXPECT_EQ(cleaned, 1);
}

// Each argument is passed with one reference, which the callee owns; nothing leaks and nothing is freed too early.
TEST(Calls, ReferencesBalance) {
  Builder b;
  const int32_t squares = add_squares(b, "squares");
  Fn keep(b, "keep");  // takes over its argument and returns it
  {
    ArrayId a = keep.array_param("A", ir::Elem::Int64, 1);
    keep.f.results.push_back({none, none, a, false});
  }
  Fn f(b);
  ArrayId a = f.array("A", ir::Elem::Int64, 1), c = f.array("C", ir::Elem::Int64, 1);
  VarId n = f.var("n", Scalar::Int64), r = f.result("same", Scalar::Bool);
  f.f.results.push_back({none, none, c, false});
  f << SetVar{n, b.i64(3)} << call_of(squares, {scalar(n)}, {whole(a)}) << retain(f, a)
    << call_of(keep.id, {whole(a)}, {whole(c)}) << SetVar{r, b.binary(Op::Eq, f.data(a), f.data(c))};
  f.f.cleanup = block(release(f, a));
  for (int level : all_levels) {
    auto m = compile(b, level);
    ASSERT_TRUE(m);
    vr_array d{};
    Outcome o = call(m->entry("f"), {}, {vr_value{}, value(&d)});
    ASSERT_EQ(o.status, VR_OK);
    EXPECT_EQ(o.results[0].b, 1);
    EXPECT_EQ(d.owner->refs.load(), 1);
    vr_rt_release(d.owner);
  }
}

}  // namespace
}  // namespace vr::test
