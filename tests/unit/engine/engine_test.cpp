// The public API of the engine: results, errors, the native entry, threads, targets.
#include <velociraptor/velociraptor.hpp>

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <thread>

namespace vr {
namespace {

using ir::E, ir::f64, ir::f64_array, ir::FunctionBuilder, ir::i64, ir::ModuleBuilder, ir::ModulePtr, ir::range;

ModulePtr axpy_module() {
  ModuleBuilder m("axpy");
  FunctionBuilder& f = m.function("axpy", {f64_array(1)});
  E a = f.arg("a", f64()), x = f.arg("x", f64_array(1)), y = f.arg("y", f64_array(1));
  E i = f.local("i", i64());
  f.pfor({i}, {range(0, f.dim(x, 0))}, [&] { f.assign(y(i), a * x(i) + y(i)); });
  f.return_({y});
  auto r = m.finish();
  EXPECT_TRUE(r) << (r ? "" : r.error().text());
  return r ? *r : nullptr;
}

Function function_on(Target target, ModulePtr m, const std::string& name, int threads = 2) {
  Options o;
  o.target = target;
  o.threads = threads;
  auto engine = Engine::create(o);
  EXPECT_TRUE(engine) << (engine ? "" : engine.error().text());
  auto module = engine->load(std::move(m));
  EXPECT_TRUE(module) << (module ? "" : module.error().text());
  auto f = module->function(name);
  EXPECT_TRUE(f) << (f ? "" : f.error().text());
  return *f;
}

class OnTarget : public testing::TestWithParam<Target> {};
INSTANTIATE_TEST_SUITE_P(Targets, OnTarget, testing::Values(Target::Interp, Target::Cpu, Target::CpuParallel),
                         [](const auto& info) {
                           std::string s = target_name(info.param);
                           std::erase(s, '-');
                           return s;
                         });

TEST_P(OnTarget, WorksOnTheHostsOwnArray) {
  Function f = function_on(GetParam(), axpy_module(), "axpy");
  Array x = Array::from({1, 2, 3}), y = Array::from({10, 20, 30});
  auto r = f(2.0, x, y);
  ASSERT_TRUE(r) << r.error().text();
  // numpy conventions: y is shared, written in place, and returned as the same object
  EXPECT_EQ(y.data_as<double>()[2], 36);
  EXPECT_EQ((*r)[0].array().data(), y.data());
}

TEST_P(OnTarget, ReferencesBalance) {
  Function f = function_on(GetParam(), axpy_module(), "axpy");
  Array x = Array::from({1, 2, 3}), y = Array::from({10, 20, 30}), shorter = Array::from({1});
  for (int k = 0; k < 3; ++k) {
    ASSERT_TRUE(f(2.0, x, y));
    auto failed = f(2.0, x, shorter);
    ASSERT_FALSE(failed);
  }
  EXPECT_EQ(x.use_count(), 1);
  EXPECT_EQ(y.use_count(), 1);
  EXPECT_EQ(shorter.use_count(), 1);
}

TEST_P(OnTarget, ReportsTheFullRecordOfABadSubscript) {
  Function f = function_on(GetParam(), axpy_module(), "axpy");
  auto r = f(2.0, Array::from({1, 2, 3}), Array::from({10, 20}));
  ASSERT_FALSE(r);
  ASSERT_TRUE(r.error().record);
  const ErrorRecord& e = *r.error().record;
  EXPECT_EQ(e.code, Code::OutOfBounds);
  EXPECT_EQ(e.function, "axpy");
  EXPECT_EQ(e.array, "y");
  EXPECT_EQ(e.axis, 0);
  EXPECT_EQ(e.index, 2);
  EXPECT_EQ(e.extent, 2);
}

TEST_P(OnTarget, RefusesWhatDoesNotFit) {
  Function f = function_on(GetParam(), axpy_module(), "axpy");
  Array x = Array::from({1, 2, 3});
  auto code = [](const Result<std::vector<Value>>& r) { return r ? Code::Ok : r.error().code; };
  EXPECT_EQ(code(f(2.0, x)), Code::Type);                      // too few
  EXPECT_EQ(code(f(2.0, x, x, x)), Code::Type);                // too many
  EXPECT_EQ(code(f(x, x, x)), Code::Type);                     // an array for a number
  EXPECT_EQ(code(f(2.0, x, 3.0)), Code::Type);                 // a number for an array
  EXPECT_EQ(code(f(Value::complex(1, 2), x, x)), Code::Type);  // would lose its imaginary part
  const int64_t extents[] = {2, 2};
  EXPECT_EQ(code(f(2.0, x, *Array::zeros(Elem::Float64, extents))), Code::Type);  // rank
  const int64_t three[] = {3};
  EXPECT_EQ(code(f(2.0, x, *Array::zeros(Elem::Float32, three))), Code::Type);  // element type
  double storage[6] = {};
  const int64_t stride[] = {16};
  EXPECT_EQ(code(f(2.0, x, Array::borrow(storage, Elem::Float64, false, three, stride))),
            Code::Type);                           // not contiguous
  EXPECT_EQ(code(f(int32_t{2}, x, x)), Code::Ok);  // the conversion loses nothing
}

TEST_P(OnTarget, NumbersAreConvertedIfRepresentable) {
  struct Try {
    ir::Elem to;
    Value given;
    bool fits;
  };
  const double nan = std::nan(""), huge = 1e300;
  const Try tries[] = {
      {ir::Elem::Bool, int64_t{1}, true},
      {ir::Elem::Bool, int64_t{2}, false},
      {ir::Elem::Bool, int64_t{-1}, false},
      {ir::Elem::Int32, int64_t{INT32_MAX}, true},
      {ir::Elem::Int32, int64_t{INT32_MAX} + 1, false},
      {ir::Elem::Int32, int64_t{INT32_MIN}, true},
      {ir::Elem::Int32, int64_t{INT32_MIN} - 1, false},
      {ir::Elem::Int32, 7.0, true},
      {ir::Elem::Int32, 7.5, false},
      {ir::Elem::Int32, -2147483649.0, false},
      {ir::Elem::Int64, -0.5, false},
      {ir::Elem::Int64, 9223372036854775808.0, false},
      {ir::Elem::Int64, -9223372036854775808.0, true},
      {ir::Elem::Int64, nan, false},
      {ir::Elem::Int64, huge, false},
      {ir::Elem::Float64, int64_t{5}, true},
  };
  for (const Try& t : tries) {
    ModuleBuilder m("m");
    const ir::Type type = ir::Type::scalar(t.to);
    FunctionBuilder& f = m.function("f", {type});
    f.return_({f.arg("x", type)});
    auto built = m.finish();
    ASSERT_TRUE(built) << built.error().text();
    auto r = function_on(GetParam(), *built, "f")(t.given);
    EXPECT_EQ(r.ok(), t.fits) << type.text() << " of " << t.given.as_double();
    if (r.ok() && t.fits) {
      EXPECT_EQ((*r)[0].as_double(), t.given.as_double()) << type.text();
    }
  }
}

TEST_P(OnTarget, StridesOfExtentOneAreIgnored) {
  auto module = ir::parse(R"((module :name m :indexing 0 :flatten %1 (fns (function :name f
    (functype (intypes (arraytype :layout colmajor :ndims 3 (float64)) (int64) (int64)) (outtypes (float64))) (arglist 0 1 2)
    (body (returnstmt (exprs (index :arrayid 0 (float64) (indices (index (name :id 1 (int64))) (index (name :id 2 (int64))))))))
    (symtable (sym :id 0 :name a (arraytype :layout colmajor :ndims 3 (float64))) (sym :id 1 :name i (int64))
     (sym :id 2 :name k (int64)))))))");
  ASSERT_TRUE(module) << module.error().text();
  Function f = function_on(GetParam(), *module, "f");
  double data[] = {0, 1, 2, 3, 4, 5};
  const int64_t extents[] = {2, 1, 3}, strides[] = {8, 80000000, 16};
  auto r = f(Array::borrow(data, Elem::Float64, false, extents, strides), int64_t{1}, int64_t{2});
  ASSERT_TRUE(r) << r.error().text();
  EXPECT_EQ((*r)[0].as_double(), 5);
}

// Nodes are shared: a statement may occur twice in a tree, with different live variables after each occurrence.
TEST_P(OnTarget, StatementNodesMayBeShared) {
  auto parsed = ir::parse(R"((module :name m :assign copy :slices copy (fns (function :name f
    (functype (intypes (arraytype :layout rowmajor :ndims 1 (float64))) (outtypes (float64) (float64))) (arglist 0)
    (body
     (assignstmt (lhs (name :id 1 (arraytype :layout rowmajor :ndims 1 (float64))))
      (rhs (plus (arraytype :layout rowmajor :ndims 1 (float64)) (lhs (name :id 0 (arraytype :layout rowmajor :ndims 1 (float64))))
       (rhs (realconst :dval 1.0 (float64))))))
     (assignstmt (lhs (name :id 2 (arraytype :layout rowmajor :ndims 1 (float64))))
      (rhs (name :id 1 (arraytype :layout rowmajor :ndims 1 (float64)))))
     (assignstmt (lhs (index :arrayid 2 (float64) (indices (index (realconst :ival 0 (int64)))))) (rhs (realconst :dval 7.0 (float64))))
     (assignstmt (lhs (name :id 3 (float64))) (rhs (index :arrayid 2 (float64) (indices (index (realconst :ival 0 (int64)))))))
     (assignstmt (lhs (name :id 1 (arraytype :layout rowmajor :ndims 1 (float64))))
      (rhs (plus (arraytype :layout rowmajor :ndims 1 (float64)) (lhs (name :id 0 (arraytype :layout rowmajor :ndims 1 (float64))))
       (rhs (realconst :dval 2.0 (float64))))))
     (assignstmt (lhs (index :arrayid 2 (float64) (indices (index (realconst :ival 0 (int64)))))) (rhs (realconst :dval 100.0 (float64))))
     (returnstmt (exprs (index :arrayid 1 (float64) (indices (index (realconst :ival 0 (int64))))) (name :id 3 (float64)))))
    (symtable (sym :id 0 :name a (arraytype :layout rowmajor :ndims 1 (float64))) (sym :id 1 :name x (arraytype :layout rowmajor :ndims 1 (float64)))
     (sym :id 2 :name y (arraytype :layout rowmajor :ndims 1 (float64))) (sym :id 3 :name s (float64)))))))");
  ASSERT_TRUE(parsed) << parsed.error().text();
  auto module = std::make_shared<ir::Module>(**parsed);
  auto function = std::make_shared<ir::Function>(*module->functions[0]);
  function->body.insert(function->body.begin() + 5, function->body[1]);  // y = y + x a second time
  module->functions[0] = function;
  auto r = function_on(GetParam(), module, "f")(Array::from({0, 1, 2}));
  ASSERT_TRUE(r) << r.error().text();
  EXPECT_EQ((*r)[0].as_double(), 2);
  EXPECT_EQ((*r)[1].as_double(), 7);
}

TEST_P(OnTarget, ManyThreadsAtOnce) {
  Function f = function_on(GetParam(), axpy_module(), "axpy");
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int k = 0; k < 50; ++k) {
        const int64_t n[] = {257};
        Array x = *Array::zeros(Elem::Float64, n), y = *Array::zeros(Elem::Float64, n);
        for (int i = 0; i < 257; ++i) x.data_as<double>()[i] = i;
        auto r = f(double(k), x, y);
        if (!r) ++wrong;
        for (int i = 0; i < 257; ++i) wrong += y.data_as<double>()[i] != double(k) * i;
      }
    });
  for (auto& t : threads) t.join();
  EXPECT_EQ(wrong, 0);
}

TEST(Engine, NativeEntryFollowsItsConvention) {
  Function f = function_on(Target::Cpu, axpy_module(), "axpy");
  ASSERT_NE(f.entry(), nullptr);
  EXPECT_EQ(function_on(Target::Interp, axpy_module(), "axpy").entry(), nullptr);
}

TEST(Engine, FunctionKeepsItsModuleAlive) {
  auto f = [] { return function_on(Target::Cpu, axpy_module(), "axpy"); }();
  EXPECT_TRUE(f(1.0, Array::from({1}), Array::from({2})));
  EXPECT_EQ(f.name(), "axpy");
}

TEST(Engine, BadProgramsAndFiles) {
  auto engine = Engine::create();
  ASSERT_TRUE(engine);
  auto syntax = engine->load("(module :name m :indexing 0 (fns", "broken.vrir");
  ASSERT_FALSE(syntax);
  EXPECT_EQ(syntax.error().code, Code::Syntax);
  EXPECT_NE(syntax.error().text().find("broken.vrir:1:"), std::string::npos) << syntax.error().text();
  EXPECT_EQ(engine->load_file("/no/such/file.vrir").error().code, Code::NotFound);
  auto module = engine->load(axpy_module());
  ASSERT_TRUE(module);
  EXPECT_EQ(module->function("nobody").error().code, Code::NotFound);
  EXPECT_EQ(engine->load(ir::ModulePtr()).error().code, Code::Usage);
  Options o;
  o.opt_level = 9;
  EXPECT_EQ(Engine::create(o).error().code, Code::Usage);
}

TEST(Engine, NoSuchDeviceIsAnError) {
  Options o;
  o.target = Target::OpenCL;
  o.device = "a device that nobody has";
  auto engine = Engine::create(o);
  ASSERT_FALSE(engine);
  EXPECT_EQ(engine.error().code, Code::Device);
}

TEST(Engine, CallInAForkedChildReturnsForked) {
  Function f = function_on(Target::CpuParallel, axpy_module(), "axpy");
  ASSERT_TRUE(f(1.0, Array::from({1}), Array::from({2})));
  pid_t child = fork();
  if (child == 0) {
    auto r = f(1.0, Array::from({1}), Array::from({2}));
    _exit(!r && r.error().code == Code::Forked ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TEST(Engine, DumpsItsCode) {
  Options o;
  o.target = Target::Cpu;
  auto engine = Engine::create(o);
  auto module = engine->load(axpy_module());
  ASSERT_TRUE(module) << module.error().text();
  auto text = module->dump(Module::Dump::LlvmIr);
  ASSERT_TRUE(text) << text.error().text();
  EXPECT_NE(text->find("define"), std::string::npos);
  EXPECT_FALSE(module->dump(Module::Dump::OpenCl));
}

}  // namespace
}  // namespace vr
