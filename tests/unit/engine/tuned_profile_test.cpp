// A profile that raijincl-tune wrote is used for products in accelerated sections (VR_RAIJINCL_PROFILE), if its file is
// trusted. The program that RaijinCL stores in the cache shows which codelet a product used.
#include <velociraptor/ir/builder.hpp>
#include <velociraptor/velociraptor.hpp>

#include <gtest/gtest.h>

#include <sys/stat.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace vr {
namespace {

namespace fs = std::filesystem;
using namespace vr::ir;

class TunedProfile : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = fs::temp_directory_path() / "vr-profile-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    setenv("VR_CACHE_DIR", (folder_ / "cache").c_str(), 1);
    options_.target = Target::OpenCL;
    auto engine = Engine::create(options_);
    if (!engine) GTEST_SKIP() << "no OpenCL device";
    // "NAME (PLATFORM): ..."
    const std::string text = engine->device_name();
    device_ = text.substr(0, text.find(" ("));
  }
  void TearDown() override {
    unsetenv("VR_CACHE_DIR");
    unsetenv("VR_RAIJINCL_PROFILE");
    fs::remove_all(folder_);
  }

  /// A profile with one codelet for products of float64 that no shipped profile has.
  void write_profile(const std::string& device, mode_t mode = 0600) {
    const fs::path file = folder_ / "my.json";
    std::ofstream(file) << R"({"raijincl_profile": 1, "device": ")" << device << R"(", "driver": "", "tuned": true, "gemm": {"D": [
      {"config": {"family": "codelet", "bm": 6, "bn": 10, "tm": 3, "tn": 5, "bk": 1, "vector": 1, "mad": 0}}]}})";
    ASSERT_EQ(chmod(file.c_str(), mode), 0);
    setenv("VR_RAIJINCL_PROFILE", file.c_str(), 1);
  }

  /// Multiplies on the device, checks the result, and returns whether a program with that codelet was built.
  bool tuned_codelet_in_use() {
    fs::remove_all(folder_ / "cache");
    ModuleBuilder m("m");
    FunctionBuilder& f = m.function("f", {f64_array(2)});
    E a = f.arg("a", f64_array(2)), b = f.arg("b", f64_array(2)), c = f.local("c", f64_array(2));
    f.gpu([&] { f.assign(c, f.lib("mmult", {a, b})); });
    f.return_({c});
    auto tree = m.finish();
    EXPECT_TRUE(tree) << (tree ? "" : tree.error().text());
    auto engine = Engine::create(options_);
    EXPECT_TRUE(engine);
    auto module = engine->load(*tree);
    EXPECT_TRUE(module) << (module ? "" : module.error().text());
    const int64_t n = 37;
    const int64_t extents[] = {n, n};
    std::vector<double> v(static_cast<size_t>(n * n)), w(v.size());
    for (size_t k = 0; k < v.size(); ++k) {
      v[k] = std::sin(static_cast<double>(k));
      w[k] = std::cos(static_cast<double>(k));
    }
    Array x = *Array::from(v, extents), y = *Array::from(w, extents);
    auto r = (*module->function("f"))(x, y);
    EXPECT_TRUE(r) << (r ? "" : r.error().text());
    const double* got = (*r)[0].array().data_as<double>();
    for (size_t i = 0; i < static_cast<size_t>(n); ++i)
      for (size_t j = 0; j < static_cast<size_t>(n); ++j) {
        double sum = 0;
        for (size_t k = 0; k < static_cast<size_t>(n); ++k) sum += v[i * n + k] * w[k * n + j];
        EXPECT_NEAR(got[i * n + j], sum, 1e-12 * n);
      }
    EXPECT_EQ(engine->device_use().launches, 1);
    EXPECT_TRUE(module->report().empty());
    bool found = false, any = false;
    for (const auto& entry : fs::directory_iterator(folder_ / "cache")) {
      std::ifstream in(entry.path(), std::ios::binary);
      std::stringstream text;
      text << in.rdbuf();
      any = any || text.str().find("RaijinCL\n") != std::string::npos;
      found = found || (text.str().find("#define TM 3\n") != std::string::npos &&
                        text.str().find("#define TN 5\n") != std::string::npos);
    }
    EXPECT_TRUE(any) << "no program of a product was kept: nothing can be told of it";
    return found;
  }

  Options options_;
  fs::path folder_;
  std::string device_;
};

TEST_F(TunedProfile, IsUsedForItsDevice) {
  EXPECT_FALSE(tuned_codelet_in_use());
  write_profile(device_);
  EXPECT_TRUE(tuned_codelet_in_use());
  unsetenv("VR_RAIJINCL_PROFILE");
  EXPECT_FALSE(tuned_codelet_in_use());
}

TEST_F(TunedProfile, ProfileOfAnotherDeviceIsIgnored) {
  write_profile("some other device");
  testing::internal::CaptureStderr();
  EXPECT_FALSE(tuned_codelet_in_use());
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("was made for 'some other device'"), std::string::npos) << said;
}

TEST_F(TunedProfile, FileWritableByOthersIsIgnored) {
  write_profile(device_, 0666);
  EXPECT_FALSE(tuned_codelet_in_use());
}

TEST_F(TunedProfile, MalformedFileIsIgnored) {
  write_profile(device_);
  std::ofstream(folder_ / "my.json") << "{";
  EXPECT_FALSE(tuned_codelet_in_use());
  setenv("VR_RAIJINCL_PROFILE", (folder_ / "none.json").c_str(), 1);
  EXPECT_FALSE(tuned_codelet_in_use());
}

}  // namespace
}  // namespace vr
