// Calls of native entries with a state of the caller's (NativeContext).
#include <velociraptor/velociraptor.hpp>

#include <gtest/gtest.h>

#include <cstring>

namespace vr {
namespace {

constexpr const char* entry_text = R"(
def pick(x: float64[:], k: int64) -> float64:
    return x[k]
)";

vr_array described(double* values, int64_t n) {
  vr_array a;
  std::memset(&a, 0, sizeof a);
  a.data = values;
  a.elem = VR_FLOAT64;
  a.rank = 1;
  a.extent[0] = n;
  a.stride[0] = sizeof(double);
  return a;
}

TEST(NativeContext, CallsAnEntryAndRecordsItsFaults) {
  Options options;
  options.target = Target::Cpu;
  auto context = [&]() -> Result<std::pair<NativeContext, Function>> {
    auto engine = Engine::create(options);
    if (!engine) return engine.error();
    auto module = engine->load(entry_text);
    if (!module) return module.error();
    auto pick = module->function("pick");
    if (!pick) return pick.error();
    auto made = NativeContext::create(*pick);
    if (!made) return made.error();
    return std::pair(*made, *pick);
  }();  // neither engine nor module live on
  ASSERT_TRUE(context) << context.error().text();
  auto& [state, pick] = *context;
  double values[] = {1, 2, 3};
  vr_array a = described(values, 3);
  vr_value args[2], result;
  args[0].array = &a;
  args[1].i64 = 2;
  ASSERT_EQ(pick.entry()(state.get(), args, &result), VR_OK);
  EXPECT_EQ(result.f64, 3);
  EXPECT_EQ(state.error(), nullptr);
  args[1].i64 = 5;
  EXPECT_EQ(pick.entry()(state.get(), args, &result), VR_OUT_OF_BOUNDS);
  ASSERT_NE(state.error(), nullptr);
  EXPECT_EQ(state.error()->extent, 3);
  state.reset();
  EXPECT_EQ(state.error(), nullptr);
  args[1].i64 = 0;
  EXPECT_EQ(pick.entry()(state.get(), args, &result), VR_OK);
  EXPECT_EQ(result.f64, 1);
}

TEST(NativeContext, TheInterpreterHasNone) {
  Options options;
  options.target = Target::Interp;
  auto engine = Engine::create(options);
  ASSERT_TRUE(engine);
  auto module = engine->load(entry_text);
  ASSERT_TRUE(module) << module.error().text();
  auto context = NativeContext::create(*module->function("pick"));
  ASSERT_FALSE(context);
  EXPECT_EQ(context.error().code, Code::Unsupported);
}

}  // namespace
}  // namespace vr
