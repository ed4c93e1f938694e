// The programs of bench/programs on small arguments, as C through the system's compiler with all of its optimisation,
// and as objects: the interpreter's results. They have what random programs lack, loops long enough for vectors and
// lanes.
#include "batch.hpp"

#include "fuzz/vrsmith/judge.hpp"
#include "interp/interp.hpp"
#include "tool/commands.hpp"
#include "tool/values.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <iostream>
#include <memory>

namespace vr::ahead_of_time {
namespace {

struct Case {
  const char *file, *function;
  std::vector<std::string> args;
  bool any_order = false;  ///< sums may be added in another order
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {"sum", "sum_lib", {"rand:f64:1003"}, true},
      {"sum", "sum_lib", {"rand:f64:15"}, true},
      {"sum", "sum_lib", {"zeros:f64:0"}, true},
      {"prod", "prod_lib", {"rand:f64:67"}, true},
      {"min", "min_lib", {"randn:f64:1003"}},
      {"lud", "lud", {"rand:f64:37x37"}},
      {"matmul", "matmul", {"rand:f64:37x41", "rand:f64:41x35", "zeros:f64:37x35"}},
      {"matmul_f32", "matmul", {"rand:f32:37x41", "rand:f32:41x35", "zeros:f32:37x35"}},
      {"matmul_ikj", "matmul_ikj", {"rand:f64:37x41", "rand:f64:41x35", "rand:f64:37x35"}},
      {"rank_k", "rank_k", {"rand:f64:37x41", "rand:f64:37x37"}},
      {"matvec", "matvec", {"rand:f64:37x41", "rand:f64:41", "zeros:f64:37"}},
      {"transpose", "transpose", {"rand:f64:37x41", "zeros:f64:41x37"}},
      {"pairwise", "pairwise", {"rand:f64:37x3", "zeros:f64:37x37"}},
      {"nbody", "nbody", {"rand:f64:37x3", "rand:f64:37", "zeros:f64:37x3"}},
      {"nbody_f32", "nbody", {"rand:f32:37x3", "rand:f32:37", "zeros:f32:37x3"}},
      {"stencil5", "stencil5", {"rand:f64:33x35", "rand:f64:33x35", "3"}},
      {"srad",
       "srad",
       {"rand:f64:37x37", "zeros:f64:37x37", "zeros:f64:37x37", "zeros:f64:37x37", "zeros:f64:37x37", "zeros:f64:37x37",
        "arange:i64:37", "arange:i64:37", "arange:i64:37", "arange:i64:37", "0.5", "2"}},
      // A fault: the east neighbour of the last column is outside.
      {"srad",
       "srad",
       {"rand:f64:37x37", "zeros:f64:37x37", "zeros:f64:37x37", "zeros:f64:37x37", "zeros:f64:37x37", "zeros:f64:37x37",
        "arange:i64:37", "arange:i64:37", "arange:i64:38", "arange:i64:37", "0.5", "2"}},
      {"fft", "fft", {"rand:c128:64"}},
  };
  return all;
}

Result<std::vector<Value>> interpret(const Item& item) {
  return interp::run(*item.module, item.conventions, item.function, item.inputs);
}

/// All programs in one batch: the C's or the objects'.
void expect_the_interpreters_results(bool c, bool parallel) {
  tool::Io io{std::cout, std::cerr, VR_SOURCE_DIR "/bench/programs"};
  Batch batch({c, ""});
  std::vector<Item> wanted;
  for (const Case& k : cases()) {
    auto tree = tool::load_tree(io, std::string(k.file) + ".vrir", ir::Dialect::Vrir, true);
    ASSERT_TRUE(tree) << tree.error().text();
    Item item;
    item.module = tree->module;
    item.conventions = tree->conventions;
    item.function = k.function;
    if (parallel && item.module->find(item.function + "_par")) item.function += "_par";
    item.opt_level = 3;
    item.target = "native";
    item.parallel = item.openmp = parallel;
    const ir::Function* f = item.module->find(item.function);
    ASSERT_TRUE(f) << k.function;
    auto inputs = tool::parse_arguments(io, k.args, f->type, 1);
    ASSERT_TRUE(inputs) << k.file << ": " << inputs.error().text();
    item.inputs = *tool::copy_values(*inputs);
    wanted.push_back(item);
    item.inputs = *tool::copy_values(*inputs);
    batch.add(std::move(item));
  }
  const auto answers = batch.run();
  for (size_t n = 0; n < wanted.size(); ++n) {
    SCOPED_TRACE(wanted[n].function);
    const auto right = interpret(wanted[n]);
    ASSERT_EQ(bool(right), bool(answers[n])) << (right ? answers[n].error().text() : right.error().text());
    if (!right) {
      ASSERT_TRUE(answers[n].error().record && right.error().record);
      EXPECT_EQ(answers[n].error().record->code, right.error().record->code);
      EXPECT_EQ(answers[n].error().record->loc, right.error().record->loc);
      EXPECT_EQ(answers[n].error().record->index, right.error().record->index);
      continue;
    }
    // Machine code has vector versions of the C library's functions.
    const bool exact = !cases()[n].any_order && (c || wanted[n].function != "fft");
    for (size_t k = 0; k < right->size(); ++k) EXPECT_EQ(smith::difference((*answers[n])[k], (*right)[k], exact), "");
    for (size_t k = 0; k < wanted[n].inputs.size(); ++k)
      EXPECT_EQ(smith::difference(batch.item(n).inputs[k], wanted[n].inputs[k], exact), "");
  }
}

TEST(AheadOfTime, ProgramsAsC) { expect_the_interpreters_results(true, false); }
TEST(AheadOfTime, ProgramsAsCWithOpenMP) { expect_the_interpreters_results(true, true); }
TEST(AheadOfTime, ProgramsAsObjects) { expect_the_interpreters_results(false, false); }

}  // namespace
}  // namespace vr::ahead_of_time
