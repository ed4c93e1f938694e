// vrir build: what it writes, and that it writes nothing where it refuses. Libraries that run are in tests/package and
// vrsmith.
#include "tool/tool.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace vr::tool {
namespace {

using testing::HasSubstr;
using testing::Not;

/// A function that returns its argument.
std::string function(const std::string& name, const std::string& type, const std::string& body = "") {
  return "(function :name " + name + " (functype (intypes " + type + ") (outtypes " + type +
         ")) (arglist (arg :id 0)) (body " + (body.empty() ? "(returnstmt (exprs (name :id 0 " + type + ")))" : body) +
         ") (symtable (sym :id 0 :name x " + type + ")))";
}
std::string module(const std::string& functions, const std::string& attributes = "") {
  return "(module :name m " + attributes + " (fns " + functions + "))";
}
const std::string twice =
    function("twice", "(float64)",
             "(returnstmt (exprs (plus (float64) (lhs (name :id 0 (float64))) (rhs (name :id 0 (float64))))))");
const std::string matrix_type = "(arraytype :layout rowmajor :ndims 2 (float64))";

const std::string vector_type = "(arraytype :layout rowmajor :ndims 1 (float64))";
const std::string doubled =
    "(plus " + vector_type + " (lhs (name :id 0 " + vector_type + ")) (rhs (name :id 0 " + vector_type + ")))";
const std::string section = "(stmtlist :onGpu %1 (stmts (assignstmt (lhs (name :id 0 " + vector_type + ")) (rhs " +
                            doubled + ")))) (returnstmt (exprs (name :id 0 " + vector_type + ")))";

class Build : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("vr_build_test_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
    // Builds with sanitizers have no runtime library (runtime/aot).
    write(module(twice));
    if (build({"-o", "m.a"}) != exit_ok && output_.find("is not installed beside") != std::string::npos)
      GTEST_SKIP() << output_;
    std::filesystem::remove(folder_ / "m.a");
    std::filesystem::remove(folder_ / "m.vrir");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  void write(const std::string& text, const std::string& file = "m.vrir") { std::ofstream(folder_ / file) << text; }
  std::string content(const std::string& file) {
    std::stringstream s;
    s << std::ifstream(folder_ / file, std::ios::binary).rdbuf();
    return s.str();
  }
  int build(std::vector<std::string> args) {
    args.insert(args.begin(), {"build", "m.vrir"});
    std::ostringstream text;
    Io io{text, text, folder_};
    const int status = run_tool(args, io);
    output_ = text.str();
    return status;
  }
  /// The build fails with one line that contains `why`, and leaves no new file.
  void refused(std::vector<std::string> args, const std::string& why) {
    const int before = files();
    EXPECT_EQ(build(std::move(args)), exit_bad);
    EXPECT_THAT(output_, HasSubstr(why));
    EXPECT_EQ(std::count(output_.begin(), output_.end(), '\n'), 1) << output_;
    EXPECT_EQ(files(), before);
  }
  int files() const {
    return static_cast<int>(
        std::distance(std::filesystem::directory_iterator(folder_), std::filesystem::directory_iterator()));
  }
  std::filesystem::path folder_;
  std::string output_;
};

TEST_F(Build, WritesAnArchiveAndAHeader) {
  write(module(twice + function("same", matrix_type)));
  ASSERT_EQ(build({"-o", "libm.a", "--header", "m.h"}), exit_ok) << output_;
  EXPECT_TRUE(content("libm.a").starts_with("!<arch>\n"));
  EXPECT_THAT(content("m.h"), HasSubstr("int32_t twice(double x, double *result, vr_error *error);"));
  EXPECT_THAT(content("m.h"), HasSubstr("int32_t same(const vr_array *x, vr_array *result, vr_error *error);"));
  EXPECT_EQ(files(), 3);
}

TEST_F(Build, IsTheSameTwice) {
  write(module(twice));
  ASSERT_EQ(build({"-o", "a.o"}), exit_ok) << output_;
  ASSERT_EQ(build({"-o", "b.o"}), exit_ok) << output_;
  EXPECT_EQ(content("a.o"), content("b.o"));
  EXPECT_TRUE(
      content("a.o").starts_with("\x7f"
                                 "ELF"));
}

TEST_F(Build, ExportsTheRequestedFunctions) {
  write(module(twice + function("same", matrix_type)));
  ASSERT_EQ(build({"-o", "m.a", "--header", "m.h", "--function", "twice", "--prefix", "p_"}), exit_ok) << output_;
  EXPECT_THAT(content("m.h"), HasSubstr("int32_t p_twice("));
  EXPECT_THAT(content("m.h"), Not(HasSubstr("same")));
}

TEST_F(Build, JoinsSeveralModules) {
  write(module(twice));
  write(module(function("same", matrix_type)), "n.vrir");
  ASSERT_EQ(build({"n.vrir", "-o", "m.a", "--header", "m.h"}), exit_ok) << output_;
  EXPECT_THAT(content("m.h"), HasSubstr("int32_t same("));
  EXPECT_THAT(content("m.a"), HasSubstr("n.o/"));
}

TEST_F(Build, WritesC) {
  write(module(twice));
  ASSERT_EQ(build({"--c", "-o", "m.c", "--header", "m.h"}), exit_ok) << output_;
  EXPECT_THAT(content("m.c"), HasSubstr("x + x"));
  EXPECT_THAT(content("m.c"), HasSubstr("#include \"m.h\""));
  EXPECT_THAT(content("m.c"), Not(HasSubstr("#line")));
  ASSERT_EQ(build({"--c", "-g", "-o", "m.c"}), exit_ok) << output_;
  EXPECT_THAT(content("m.c"), HasSubstr("#line 1 \"m.vrir\""));
  refused({"--c", "-o", "m.o"}, "--c");
  refused({"-o", "n.c"}, "--c");
}

/// A counted loop over 0 <= variable < end.
std::string loop(int variable, const std::string& end, const std::string& body) {
  return "(forstmt (itervars " + std::to_string(variable) +
         ") (loopdomain (domain (domaintype :ndims 1 (int64)) (range :exclude %1 (start (realconst :ival 0 (int64))) "
         "(stop " +
         end + ")))) (body " + body + "))";
}

// The inner loop is unrolled: nothing uses its variable p any more, and a comment names a file of that name.
TEST_F(Build, DeclaresOnlyVariablesThatAreUsed) {
  auto number = [](int id) { return "(name :id " + std::to_string(id) + " (int64))"; };
  auto element = [&](int id) { return "(index :arrayid 0 (float64) (indices (index " + number(id) + ")))"; };
  const std::string add = "(assignstmt (lhs " + element(2) + ") (rhs (plus (float64) (lhs " + element(2) +
                          ") (rhs (cast (float64) " + number(3) + ")))))";
  const std::string last = "(assignstmt :loc \"p:1:1\" (lhs " + element(1) + ") (rhs (realconst :dval 0.0 (float64))))";
  write(module("(function :name f (functype (intypes " + vector_type +
               " (int64)) (outtypes (void))) "
               "(arglist (arg :id 0) (arg :id 1)) (body " +
               loop(2, number(1), loop(3, "(realconst :ival 2 (int64))", add)) + last +
               "(returnstmt)) (symtable (sym :id 0 :name x " + vector_type +
               ") (sym :id 1 :name k (int64)) (sym :id 2 :name i (int64)) (sym :id 3 :name p (int64))))"));
  ASSERT_EQ(build({"--c", "-o", "m.c"}), exit_ok) << output_;
  EXPECT_THAT(content("m.c"), HasSubstr("/* p:1:1, x axis 0 */"));
  EXPECT_THAT(content("m.c"), HasSubstr(" i = 0"));
  EXPECT_THAT(content("m.c"), Not(HasSubstr(" p = 0")));
}

// What compilers of C cannot know: that arrays are disjoint and iterations independent, which stores are overwritten,
// and that sums may be added in any order.
TEST_F(Build, SpellsOutWhatCCannotKnow) {
  auto number = [](int id) { return "(name :id " + std::to_string(id) + " (int64))"; };
  auto element = [&](int array, int id) {
    return "(index :arrayid " + std::to_string(array) + " (float64) (indices (index " + number(id) + ")))";
  };
  auto set = [](const std::string& to, const std::string& value) {
    return "(assignstmt (lhs " + to + ") (rhs " + value + "))";
  };
  const std::string twice_stored =
      set(element(1, 3), element(0, 3)) +
      set(element(1, 3), "(plus (float64) (lhs " + element(1, 3) + ") (rhs (realconst :dval 2.0 (float64))))");
  const std::string sum = "(libcall :libfunc sum (float64) (args (name :id 0 " + vector_type + ")))";
  write(module("(function :name f (functype (intypes " + vector_type + " " + vector_type +
               " (int64)) (outtypes (float64))) " + "(arglist (arg :id 0) (arg :id 1) (arg :id 2)) (body " +
               loop(3, number(2), twice_stored) + "(returnstmt (exprs " + sum + "))) (symtable (sym :id 0 :name x " +
               vector_type + ") (sym :id 1 :name y " + vector_type +
               ") (sym :id 2 :name n (int64)) (sym :id 3 :name i (int64))))"));
  ASSERT_EQ(build({"--c", "-o", "m.c"}), exit_ok) << output_;
  EXPECT_THAT(content("m.c"), HasSubstr("  VR_INDEPENDENT\n    for"));
  EXPECT_THAT(content("m.c"), HasSubstr("kept = vr_load_f64(x_data"));
  EXPECT_THAT(content("m.c"), HasSubstr(", kept + 2.0);"));
  EXPECT_THAT(content("m.c"), HasSubstr("sum_15 = sum_15 + "));
  EXPECT_THAT(content("m.c"), HasSubstr("sum = sum + sum_1;"));
}

// A load that is the same in each iteration is one load in front of the loop, if the loop stores to another array.
TEST_F(Build, LoadsOfCAreInvariantWhereArraysAreDisjoint) {
  auto number = [](int id) { return "(name :id " + std::to_string(id) + " (int64))"; };
  auto element = [&](int array, int id) {
    return "(index :arrayid " + std::to_string(array) + " (float64) (indices (index " + number(id) + ")))";
  };
  for (const int from : {0, 1}) {
    const std::string value = "(name :id 4 (float64))";
    const std::string body = "(assignstmt (lhs " + value + ") (rhs " + element(from, 2) + ")) (assignstmt (lhs " +
                             element(1, 3) + ") (rhs (plus (float64) (lhs " + element(0, 3) + ") (rhs " + value +
                             "))))";
    write(module("(function :name f (functype (intypes " + vector_type + " " + vector_type +
                 " (int64)) (outtypes (void))) (arglist (arg :id 0) (arg :id 1) (arg :id 2)) (body " +
                 loop(3, number(2), body) + ") (symtable (sym :id 0 :name x " + vector_type + ") (sym :id 1 :name y " +
                 vector_type +
                 ") (sym :id 2 :name n (int64)) (sym :id 3 :name i (int64)) (sym :id 4 :name t (float64))))"));
    ASSERT_EQ(build({"--c", "-o", "m.c"}), exit_ok) << output_;
    const std::string text = content("m.c"), loads = "  t = vr_load_f64(";
    const size_t at = text.find("  VR_INDEPENDENT\n");
    if (from == 1) {
      EXPECT_EQ(at, std::string::npos);  // t may be what another iteration stored
      continue;
    }
    ASSERT_NE(at, std::string::npos);
    EXPECT_NE(text.rfind(loads, at), std::string::npos);
    EXPECT_EQ(text.find(loads, at), std::string::npos);
  }
}

TEST_F(Build, CTakesExtremaInLanesOfAnArray) {
  write(module("(function :name f (functype (intypes " + vector_type +
               ") (outtypes (float64))) (arglist (arg :id 0)) (body " +
               "(returnstmt (exprs (libcall :libfunc min (float64) (args (name :id 0 " + vector_type +
               ")))))) (symtable (sym :id 0 :name x " + vector_type + ")))"));
  ASSERT_EQ(build({"--c", "-o", "m.c"}), exit_ok) << output_;
  EXPECT_THAT(content("m.c"), HasSubstr("for (lane = 0; lane < 64; ++lane) {"));
  EXPECT_THAT(content("m.c"), HasSubstr("vr_store_f64(lanes + "));
}

TEST_F(Build, RefusesTargetsAndNames) {
  write(module(twice));
  refused({"-o", "m.a", "--target", "foo"}, "'foo' is no target");
  refused({"-o", "m.a", "--target", ""}, "'' is no target");
  refused({"-o", "m.a", "--target", "aarch64:foo"}, "'aarch64:foo' is no target: there are generic");
  refused({"-o", "m.a", "--target", "aarch64:"}, "'aarch64:' is no target");
  refused({"-o", "m.a", "--target", "x86-64-v2,haswell"}, "'haswell': several targets in one library are levels");
  refused({"-o", "m.a", "--target", "x86-64-v2,aarch64"}, "'aarch64': several targets in one library are levels");
  refused({"-o", "m.a", "--target", "x86-64-v3,generic,x86-64-v3"}, "target 'x86-64-v3' is given twice");
  refused({"-o", "m.a", "--target", "x86-64-v3,"}, "'' is no target");
  refused({"--c", "-o", "m.c", "--target", "x86-64-v2,x86-64-v3"}, "C has one processor");
  refused({"-o", "m.exe"}, "ends with");
  refused({"-o", "m.a", "--function", "thrice"}, "no function 'thrice'");
  refused({"-o", "m.a", "--parts", "cpu"}, "'cpu' is no part");
  refused({"-o", "m.a", "--runtime", "."}, "no libvrrt");
  refused({"-o", "m.a", "--kernels", "cpu"}, "--kernels is for --on opencl");
  refused({"-o", "m.a", "--kernel-binaries"}, "--kernel-binaries is for --on opencl");
  refused({"-o", "m.a", "--prefix", "2"}, "--prefix '2'");
  refused({"-o", "no_folder/m.a"}, "cannot write");
  refused({"-o", "m.a", "--header", "no_folder/m.h"}, "cannot write");
  refused({"-o", "m.so", "--cc", "no_such_compiler"}, "cannot run 'no_such_compiler'");
}

TEST_F(Build, PutsKernelsOfSectionsIntoTheLibrary) {
  write(module(function("twice", vector_type, section)));
  if (build({"-o", "m.a", "--header", "m.h", "--on", "opencl"}) != exit_ok &&
      output_.find("not allowed") != std::string::npos)
    GTEST_SKIP() << output_;  // a build without OpenCL
  EXPECT_EQ(output_, "");
  EXPECT_THAT(content("m.a"), HasSubstr("__kernel void"));
  EXPECT_THAT(content("m.h"), HasSubstr("-lvrrt_opencl -lvrrt "));
  refused({"-o", "n.a", "--on", "opencl", "--parts", "library,blas"},
          "function 'twice' needs kernels of accelerated sections, of the part 'opencl' of the runtime");
  refused({"--c", "-o", "n.c", "--on", "opencl"}, "kernels of accelerated sections cannot be written in C yet");
  // On the CPU, which is reported.
  ASSERT_EQ(build({"-o", "cpu.a", "--header", "cpu.h"}), exit_ok) << output_;
  EXPECT_THAT(output_, HasSubstr("function 'twice': its accelerated section runs on the CPU"));
  EXPECT_THAT(content("cpu.a"), Not(HasSubstr("__kernel")));
  EXPECT_THAT(content("cpu.h"), Not(HasSubstr("-lvrrt_opencl")));
}

TEST_F(Build, NeedsNoDeviceForFunctionsWithoutSections) {
  write(module(twice));
  ASSERT_EQ(build({"-o", "m.a", "--header", "m.h", "--on", "opencl", "--kernel-binaries"}), exit_ok) << output_;
  EXPECT_THAT(content("m.h"), Not(HasSubstr("-lvrrt_opencl")));
  ASSERT_EQ(build({"--c", "-o", "m.c", "--on", "opencl"}), exit_ok) << output_;
}

TEST_F(Build, RefusesFilesThatAreInTheWay) {
  write(module(twice));
  std::filesystem::create_directory(folder_ / "folder.h");
  std::filesystem::create_directory(folder_ / "folder.a");
  refused({"-o", "m.a", "--header", "folder.h"}, "folder.h: cannot write: Is a directory");
  refused({"-o", "folder.a", "--header", "m.h"}, "folder.a: cannot write: Is a directory");
  refused({"-o", "m.a", "--header", "./m.a"}, "the library and the header are one file");
}

TEST_F(Build, BuildsForAnotherMachine) {
  write(module(twice));
  // Nothing is linked: only the list of the runtime's parts is needed.
  const std::string runtime = (std::filesystem::canonical("/proc/self/exe").parent_path() / "../lib").string();
  ASSERT_EQ(build({"-o", "m.o", "--target", "aarch64", "--runtime", runtime}), exit_ok) << output_;
  EXPECT_EQ(content("m.o")[18], '\xb7');  // e_machine: EM_AARCH64
  ASSERT_EQ(build({"-o", "m.a", "--target", "aarch64:cortex-a72", "--runtime", runtime}), exit_ok) << output_;
  refused({"-o", "m.so", "--target", "aarch64", "--runtime", runtime}, "libvrrt.so in this folder is not for aarch64");
}

TEST_F(Build, HoldsFormsForSeveralProcessors) {
  write(module(twice + function("same", matrix_type)));
  ASSERT_EQ(build({"-o", "m.o", "--header", "m.h", "--target", "x86-64-v3,x86-64"}), exit_ok) << output_;
  EXPECT_THAT(content("m.o"), HasSubstr("vr_rt_call_version"));
  EXPECT_THAT(content("m.h"), HasSubstr("int32_t twice(double x"));
  ASSERT_EQ(build({"-o", "n.o", "--target", "x86-64-v3"}), exit_ok) << output_;
  EXPECT_THAT(content("n.o"), Not(HasSubstr("vr_rt_call_version")));
}

TEST_F(Build, MakesVersionsForArguments) {
  write(module(twice + function("same", matrix_type)));
  ASSERT_EQ(build({"--c", "-o", "m.c", "--function", "same", "--regions", "x=[2,3]"}), exit_ok) << output_;
  EXPECT_THAT(content("m.c"), HasSubstr("= {{0, 0, INT64_C(2)}, {0, 1, INT64_C(3)}};"));
  // The other function has an argument of that name and another type.
  refused({"-o", "m.a", "--regions", "x=3"}, "--regions 'x=3' for function 'same'");
  ASSERT_EQ(build({"--c", "-o", "m.c", "--function", "twice", "--regions", "x=3", "--regions", "x=4"}), exit_ok)
      << output_;
  EXPECT_THAT(content("m.c"), HasSubstr("vr_guards_0_1[] = {{0, -1, INT64_C(4)}};"));
}

TEST_F(Build, RefusesVersionsThatNoCallCouldChoose) {
  write(module(function("same", matrix_type)));
  refused({"-o", "m.a", "--regions", "y=[2,3]"}, "--regions 'y=[2,3]': no exported function has such arguments");
  refused({"-o", "m.a", "--regions", ""}, "no exported function has such arguments");
  refused({"-o", "m.a", "--regions", "x=[2]"}, "--regions 'x=[2]' for function 'same'");
  refused({"-o", "m.a", "--regions", "x=[2,3]:24,8"}, "versions in libraries are for extents");
  refused({"-o", "m.a", "--regions", "x=@1"}, "versions in libraries are for extents");
}

TEST_F(Build, WritesAHeaderForCpp) {
  write(module(twice + function("same", matrix_type) + function("z", "(float64 :ctype 1)")));
  ASSERT_EQ(build({"-o", "m.a", "--header", "m.hpp"}), exit_ok) << output_;
  EXPECT_THAT(content("m.hpp"), HasSubstr("int32_t twice(double x, double *result, vr_error *error);"));
  EXPECT_THAT(content("m.hpp"), HasSubstr("inline double twice(double x) {"));
  EXPECT_THAT(content("m.hpp"),
              HasSubstr("inline ::vr::built::array<double, 2> same(const ::vr::built::view<double, 2> &x) {"));
  EXPECT_THAT(content("m.hpp"), HasSubstr("inline std::complex<double> z(std::complex<double> x) {"));
  ASSERT_EQ(build({"-o", "m.a", "--header", "m.h"}), exit_ok) << output_;
  EXPECT_THAT(content("m.h"), Not(HasSubstr("vrir {")));
}

TEST_F(Build, RefusesWhatCCannotSay) {
  write(module(function("f", "(int32 :ctype 1)")));
  refused({"-o", "m.a"}, "argument 1 ('x') is complex int32, and C has no complex integers");
  write(
      module("(function :name f (functype (intypes (functype (intypes (int64)) (outtypes (int64)))) (outtypes "
             "(int64))) (arglist (arg :id 0)) "
             "(body (returnstmt (exprs (realconst :ival 1 (int64))))) (symtable (sym :id 0 :name x (functype (intypes "
             "(int64)) (outtypes "
             "(int64))))))"));
  refused({"-o", "m.a"}, "argument 1 ('x') is f(int64) -> int64, which C cannot express");
}

TEST_F(Build, RefusesNamesThatClash) {
  write(module(function("exp", "(float64)")));
  refused({"-o", "m.a"}, "has a 'exp'");
  EXPECT_EQ(build({"-o", "m.a", "--prefix", "my_"}), exit_ok) << output_;
  write(module(function("while", "(float64)")));
  refused({"-o", "n.a"}, "'while' is no name in C");
  write(module(twice));
  write(module(twice), "n.vrir");
  refused({"n.vrir", "-o", "n.a"}, "two functions would be 'twice'");
}

TEST_F(Build, RefusesAPartThatIsNotThere) {
  write(module(function(
      "f", matrix_type,
      "(returnstmt (exprs (libcall :libfunc inv " + matrix_type + " (args (name :id 0 " + matrix_type + ")))))")));
  refused({"-o", "m.a", "--parts", "core,fft"}, "function 'f' needs inv, of the part 'blas'");
  ASSERT_EQ(build({"-o", "m.a", "--header", "m.h"}), exit_ok) << output_;
  EXPECT_THAT(content("m.h"), HasSubstr("-lvrrt_blas -lvrrt_library -lvrrt"));
}

TEST_F(Build, RefusesCollectedMemory) {
  write(module(twice, ":memory boehm"));
  refused({"-o", "m.a"}, "garbage collector");
}

}  // namespace
}  // namespace vr::tool
