// Every kernel family that the device can run, the parameter search, its resumption, and plots.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "fixture.hpp"
#include "routines/gemm_problem.hpp"
#include "tuning/measure.hpp"
#include "tuning/space.hpp"
#include "tuning/tune.hpp"

namespace raijincl {
const char* shipped_profile(const char* name);
}
namespace rj {
namespace {

#if defined(__x86_64__) || defined(__i386__)
constexpr bool kIsX86 = true;
#else
constexpr bool kIsX86 = false;
#endif

using namespace raijincl;

class Tuning : public RaijinTest {
 protected:
  std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("raijincl_test_" + std::to_string(std::random_device{}()));
  void SetUp() override {
    RaijinTest::SetUp();
    std::filesystem::create_directories(folder);
  }
  void TearDown() override {
    if (dev.context) clFinish(dev.queue);
    std::filesystem::remove_all(folder);
  }
  std::string file(const char* name) { return (folder / name).string(); }
  std::string read(const std::string& name) {
    std::ifstream in(name);
    return {std::istreambuf_iterator<char>(in), {}};
  }
};

// Random parameters of each family, in four layouts, on sizes that are not multiples of the tile sizes.
TEST_F(Tuning, RandomKernelsAreRight) {
  for (Precision p : {Precision::S, Precision::D, Precision::C, Precision::Z}) {
    if (is_double(p) && !lib().device().has_double) continue;
    const Space space(lib().device(), p, false, true);
    for (std::size_t family = 0; family < space.families(); ++family) {
      int done = 0;
      for (int i = 0; i < 20000 && done < (lib().device().is_cpu ? 1 : 2); ++i) {
        GemmConfig c;
        if (!space.config(space.random(family, random), c) || c.bm > 64 || c.bn > 64 || threads_of(c) > 128) continue;
        // A CPU's compiler takes seconds for large unrolled bodies.
        if (lib().device().is_cpu && c.tm * c.tn * c.bk > 256) continue;
        ++done;
        bool right = false;
        double worst = 0;
        const unsigned modes = 1u << (random() % 4);
        EXPECT_EQ(check_gemm(lib().impl(), dev.queue, c, p, 71, 69, 37, modes, right, worst), Status::Ok)
            << text_of(c) << last_error();
        EXPECT_TRUE(right) << name_of(p) << " " << text_of(c) << " error " << worst;
      }
      EXPECT_GT(done, 0) << name_of(p) << " family " << family;
    }
  }
}

// The six codelets with every way of storing operands.
TEST_F(Tuning, SixCodelets) {
  for (Precision p : {Precision::S, Precision::C}) {
    int number = 0;
    for (auto [a_k, b_k] : {std::pair{0, 0}, {1, 1}, {1, 0}}) {
      for (int consecutive : {0, 1}) {
        GemmConfig c;
        c.family = Family::Codelet;
        c.a_k = a_k, c.b_k = b_k, c.consecutive = consecutive;
        c.bm = c.bn = 16, c.tm = 4, c.tn = 4, c.bk = 4, c.vector = p == Precision::S ? 4 : 2;
        c.local_a = number & 1, c.local_b = number >> 1 & 1;
        c.image_a = lib().device().has_images && (number & 2), c.image_b = lib().device().has_images && (number & 1);
        ++number;
        ASSERT_EQ(check_config(c, p, lib().device()), Status::Ok) << last_error();
        bool right = false;
        double worst = 0;
        EXPECT_EQ(check_gemm(lib().impl(), dev.queue, c, p, 37, 41, 19, 0b0100, right, worst), Status::Ok)
            << last_error();
        EXPECT_TRUE(right) << name_of(p) << " " << text_of(c);
      }
    }
  }
}

// Long thin products: k is divided into slices, the last one shorter, and their sums are added.
TEST_F(Tuning, KIsCutIntoSlices) {
  for (Precision p : {Precision::S, Precision::Z}) {
    if (is_double(p) && !lib().device().has_double) continue;
    for (int kind = 0; kind < 3; ++kind) {  // panels, local memory, codelet
      GemmConfig c;
      c.local = kind == 1;
      c.vector = 2;
      if (kind == 2) c.family = Family::Codelet, c.vector = 1;
      c.fill = 64;
      GemmProblem g;
      g.m = 41, g.n = 43, g.k = 999;
      const Slices slices = slices_for(c, g, lib().device());
      ASSERT_GT(slices.count, 2u);
      EXPECT_EQ(slices.length % 32, 0u);
      EXPECT_LT((slices.count - 1) * slices.length, g.k);
      EXPECT_GE(slices.count * slices.length, g.k);
      bool right = false;
      double worst = 0;
      EXPECT_EQ(check_gemm(lib().impl(), dev.queue, c, p, g.m, g.n, g.k, 0b1111, right, worst), Status::Ok)
          << last_error();
      EXPECT_TRUE(right) << name_of(p) << " " << text_of(c) << " error " << worst;
      g.batch = 2;
      EXPECT_EQ(slices_for(c, g, lib().device()).count, 1u);
      g.batch = 1, g.k = 100;
      EXPECT_EQ(slices_for(c, g, lib().device()).count, 1u);
    }
  }
}

// The error that the check reports is measured: float sums are neither exact nor far from the exact value.
TEST_F(Tuning, CheckMeasuresTheError) {
  GemmConfig config;
  bool right = true;
  double worst = 0;
  ASSERT_EQ(check_gemm(lib().impl(), dev.queue, config, Precision::S, 33, 34, 35, 0b0110, right, worst), Status::Ok)
      << last_error();
  EXPECT_TRUE(right);
  EXPECT_LT(worst, 40);
  EXPECT_GT(worst, 0) << "float sums of 35 products are not exact";
}

// A source with instructions for one vendor's GPUs builds only with a driver whose programs are PTX.
TEST_F(Tuning, NewerTargetsAreRefusedWhereProgramsAreNoPtx) {
  if (lib().device().nvidia_capability) GTEST_SKIP() << "this driver's programs are PTX";
  Source s;
  s.define("PRECISION", 0).define("INSTRUCTION", "\"//@wgmma\"").file("precision").file("fill");
  Programs::Lease kernel;
  EXPECT_EQ(lib().impl().programs.get(s, "fill", kernel), Status::BuildFailed);
  EXPECT_NE(last_error().find("PTX"), std::string::npos) << last_error();
}

TEST_F(Tuning, UnmakeableParametersAreRefused) {
  GemmConfig c;
  c.tm = 3;  // does not divide 32
  EXPECT_EQ(check_config(c, Precision::S, lib().device()), Status::InvalidProfile);
  c = GemmConfig{};
  c.bm = c.bn = 4096, c.tm = c.tn = 4;
  EXPECT_EQ(check_config(c, Precision::S, lib().device()), Status::InvalidProfile);
  c = GemmConfig{};
  c.family = Family::Mma;
  DeviceInfo old = lib().device();
  old.nvidia_capability = 70;
  EXPECT_EQ(check_config(c, Precision::S, old), Status::InvalidProfile);
  // Three tiles cannot be divided among two groups of warps, and one instruction cannot process two tiles of floats.
  old.nvidia_capability = 90, old.max_work_group = 1024, old.local_bytes = 48 << 10;
  c.bm = c.bn = 64, c.warps_m = c.warps_n = c.warps_k = 2, c.deep = 2, c.stages = 4;
  EXPECT_EQ(check_config(c, Precision::D, old), Status::Ok) << last_error();
  c.deep = 3;
  EXPECT_EQ(check_config(c, Precision::D, old), Status::InvalidProfile);
  c.deep = 4, c.fold = 2;
  EXPECT_EQ(check_config(c, Precision::D, old), Status::Ok) << last_error();
  EXPECT_EQ(check_config(c, Precision::S, old), Status::InvalidProfile);
  // wgmma needs float elements, compute capability 9.0, and tiles that fit into local memory.
  c = GemmConfig{};
  c.family = Family::Wgmma, c.bm = c.bn = 128, c.stages = 4;
  EXPECT_EQ(check_config(c, Precision::S, old), Status::Ok) << last_error();
  EXPECT_EQ(check_config(c, Precision::D, old), Status::InvalidProfile);
  c.stages = 2;
  EXPECT_EQ(check_config(c, Precision::S, old), Status::InvalidProfile);
  c.stages = 8;
  EXPECT_EQ(check_config(c, Precision::S, old), Status::InvalidProfile);
  c.stages = 4, c.bn = 96;
  EXPECT_EQ(check_config(c, Precision::S, old), Status::InvalidProfile);
  c.bn = 128, old.nvidia_capability = 100;
  EXPECT_EQ(check_config(c, Precision::S, old), Status::InvalidProfile);
}

TEST_F(Tuning, SearchWritesAProfileResumesAndSkipsWhatHung) {
  TuneOptions o;
  o.what = "gemm";
  o.precisions = "S";
  o.sizes = {64};
  o.minutes = 0.02;
  o.quiet = true;
  o.profile = file("p.json");
  const std::string before = lib().profile();
  testing::internal::CaptureStdout();
  EXPECT_EQ(tune(lib(), dev.queue, o), 0) << last_error();
  const std::string said = testing::internal::GetCapturedStdout();
  EXPECT_NE(said.find("S 64: "), std::string::npos) << said;
  const std::string text = read(o.profile);
  EXPECT_EQ(lib().set_profile(text), Status::Ok) << last_error();
  EXPECT_NE(text.find("\"tuned\": true"), std::string::npos);
  // The time of the job is used up: another run tries nothing new and selects the same parameters.
  const auto count = [&](const char* what) {
    const std::string all = read(o.profile + ".state");
    std::size_t n = 0;
    for (std::size_t at = 0; (at = all.find(what, at)) != std::string::npos; ++at) ++n;
    return n;
  };
  const std::size_t once = count(" | trying ");
  EXPECT_GT(once, 0u);
  EXPECT_EQ(lib().set_profile(before), Status::Ok);
  testing::internal::CaptureStdout();
  EXPECT_EQ(tune(lib(), dev.queue, o), 0) << last_error();
  EXPECT_NE(testing::internal::GetCapturedStdout().find("S 64: "), std::string::npos);
  EXPECT_EQ(count(" | trying "), once);
  // A candidate that was being measured when the process died is recorded as failed.
  const std::string state = read(o.profile + ".state");
  std::istringstream lines(state);
  std::string tried;
  std::set<std::string> fine;
  for (std::string line; std::getline(lines, line);) {
    if (line.find(" | fine ") != std::string::npos) fine.insert(line.substr(0, line.rfind(" | ")));
  }
  ASSERT_FALSE(fine.empty());
  {
    std::ofstream out(o.profile + ".state");
    for (const std::string& f : fine) out << f << " | trying 0\n";
  }
  EXPECT_EQ(lib().set_profile(text), Status::Ok);
  testing::internal::CaptureStdout();
  tune(lib(), dev.queue, o);
  testing::internal::GetCapturedStdout();
  EXPECT_GE(count(" | hung "), 1u);
  EXPECT_EQ(lib().set_profile(before), Status::Ok);
}

// Tuning some sizes keeps the measurements of other sizes; defaults, which were never measured, are dropped.
TEST(Classes, ProfileClassesOfOtherSizesAreRetained) {
  const auto choice = [](std::size_t up_to, std::size_t at, int bm) {
    GemmChoice c;
    c.up_to = up_to, c.measured_at = at, c.config.bm = bm;
    return c;
  };
  const auto text = [](const std::vector<GemmChoice>& v) {
    std::string s;
    for (const GemmChoice& c : v)
      s += std::to_string(c.up_to) + "@" + std::to_string(c.measured_at) + "=" + std::to_string(c.config.bm) + " ";
    return s;
  };
  const std::vector<GemmChoice> before{choice(800, 512, 1), choice(1500, 1024, 2), choice(0, 4096, 3)};
  EXPECT_EQ(text(merge_classes(before, {choice(0, 256, 4)})), "362@256=4 800@512=1 1500@1024=2 0@4096=3 ");
  EXPECT_EQ(text(merge_classes(before, {choice(0, 1024, 5)})), "724@512=1 2048@1024=5 0@4096=3 ");
  EXPECT_EQ(text(merge_classes(before, {choice(0, 8192, 6)})), "800@512=1 1500@1024=2 5792@4096=3 0@8192=6 ");
  EXPECT_EQ(text(merge_classes({choice(0, 0, 7)}, {choice(0, 64, 8), choice(0, 256, 9)})), "128@64=8 0@256=9 ");
}

// A candidate that exceeds the time limit, while it is built or run, is recorded, and a new process is requested. If it
// finishes after the limit it is not selected.
TEST_F(Tuning, CandidatesPastTheirLimitCannotWin) {
  TuneOptions o;
  o.what = "gemm";
  o.precisions = "S";
  o.sizes = {64};
  o.minutes = 0.005;
  o.quiet = true;
  o.limit = 1e-9;
  o.profile = file("p.json");
  std::atomic<int> restarts{0};
  o.restart = [&] { ++restarts; };
  const std::string before = lib().profile();
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  EXPECT_EQ(tune(lib(), dev.queue, o), 0);
  testing::internal::GetCapturedStdout();
  EXPECT_NE(testing::internal::GetCapturedStderr().find("S 64: nothing that works was found"), std::string::npos);
  EXPECT_GE(restarts, 1);
  const std::string state = read(o.profile + ".state");
  EXPECT_NE(state.find(" | hung "), std::string::npos);
  EXPECT_EQ(state.find(" | fine "), std::string::npos);
  EXPECT_EQ(lib().set_profile(before), Status::Ok);
}

TEST_F(Tuning, ParametersAreReadAsTheyAreWritten) {
  for (Precision p : {Precision::S, Precision::Z}) {
    const Space space(lib().device(), p, false, true);
    for (std::size_t family = 0, done = 0; family < space.families(); ++family, done = 0) {
      while (done < 20) {
        GemmConfig c, back;
        if (!space.config(space.random(family, random), c)) continue;
        ++done;
        std::istringstream text(text_of(c));
        std::string error;
        EXPECT_TRUE(read_config(text, back, error)) << text_of(c) << ": " << error;
        EXPECT_EQ(back, c) << text_of(c);
      }
    }
  }
  for (const char* wrong : {"", "blok bm=8", "block bm=8 x=3"}) {
    std::istringstream text(wrong);
    GemmConfig c;
    std::string error;
    EXPECT_FALSE(read_config(text, c, error)) << wrong;
    EXPECT_FALSE(error.empty());
  }
}

// Every profile in the distribution can be parsed, has a kernel for every size, and only kernels that its device can
// run.
TEST_F(Tuning, ShippedProfilesAreSound) {
  for (const char* name : {"nvidia-h100", "nvidia-h200", "pocl-x86"}) {
    DeviceInfo d;
    d.max_work_group = 4096, d.local_bytes = 1 << 20, d.has_double = d.has_images = d.is_cpu = true;
    if (!std::strncmp(name, "nvidia", 6)) {
      d.max_work_group = 1024, d.local_bytes = 48 << 10, d.is_cpu = false, d.nvidia_capability = 90;
    }
    const char* text = shipped_profile(name);
    ASSERT_TRUE(text) << name;
    Profile p;
    ASSERT_EQ(Profile::from_json(text, p), Status::Ok) << name << last_error();
    EXPECT_TRUE(p.tuned && !p.device.empty() && !p.driver.empty()) << name;
    for (int i = 0; i < 4; ++i) {
      const auto check = [&](const std::vector<GemmChoice>& list) {
        for (std::size_t c = 0; c < list.size(); ++c) {
          EXPECT_EQ(check_config(list[c].config, static_cast<Precision>(i), d), Status::Ok) << name << last_error();
          EXPECT_EQ(list[c].up_to == 0, c + 1 == list.size()) << name;
          if (c && list[c].up_to) {
            EXPECT_GT(list[c].up_to, list[c - 1].up_to) << name;
          }
        }
      };
      EXPECT_FALSE(p.gemm[i].empty());
      check(p.gemm[i]);
      check(p.compensated[i]);
    }
  }
  if (kIsX86 && lib().device().version.find("PoCL") != std::string::npos) {
    EXPECT_NE(lib().profile().find("\"tuned\": true"), std::string::npos) << "the profile of PoCL is not in use";
  }
}

TEST_F(Tuning, PlotDrawsEveryCurve) {
  std::ofstream(file("a.txt")) << "S 512 100\nS 1024 200.5\nSc 1024 300\nD 512 7\n";
  std::ofstream(file("b.txt")) << "S 512 150\n";
  EXPECT_EQ(plot(file("o.svg"), "S", {{"ours", file("a.txt")}, {"a < b", file("b.txt")}}, "T"), 0);
  const std::string svg = read(file("o.svg"));
  EXPECT_EQ(svg.rfind("<svg", 0), 0u);
  std::size_t lines = 0;
  for (std::size_t at = 0; (at = svg.find("<polyline", at)) != std::string::npos; ++at) ++lines;
  EXPECT_EQ(lines, 3u);
  EXPECT_NE(svg.find("ours, compensated"), std::string::npos);
  EXPECT_NE(svg.find("a &lt; b"), std::string::npos);
  testing::internal::CaptureStderr();
  EXPECT_EQ(plot(file("o.svg"), "Z", {{"ours", file("a.txt")}}, "T"), 1);
  EXPECT_EQ(plot(file("o.svg"), "S", {{"ours", file("none")}}, "T"), 1);
  testing::internal::GetCapturedStderr();
}

}  // namespace
}  // namespace rj
