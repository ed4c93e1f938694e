// Random affine loop nests over arrays of approximately the extents that they need, specialised for their arguments and
// compared with the original function: a check or growth that was removed wrongly changes the result.
#include "transform/specialise.hpp"

#include "interp/interp.hpp"

#include <velociraptor/ir/builder.hpp>
#include <velociraptor/ir/text.hpp>
#include <velociraptor/ir/verify.hpp>

#include <gtest/gtest.h>

#include <random>

namespace vr::transform {
namespace {

using namespace vr::ir;

class Nests {
 public:
  explicit Nests(uint64_t seed) : random_(seed), matlab_(below(2)) {}

  struct Case {
    ModulePtr module;
    Conventions conventions;
    std::vector<Value> args;
    analysis::RegionFacts facts;
  };
  Case make() {
    ConventionAttrs attrs;
    attrs.indexing = matlab_;
    attrs.exclude = !matlab_;
    attrs.flatten = attrs.grow = matlab_;
    attrs.assign = matlab_ ? AssignMode::Copy : AssignMode::Share;
    attrs.slices = matlab_ ? SliceMode::Copy : SliceMode::View;
    attrs.mindims = matlab_ ? 2 : 1;
    attrs.broadcast = matlab_ ? BroadcastMode::Leading : BroadcastMode::Trailing;
    ModuleBuilder m("m", attrs);
    Case c;
    c.conventions = attrs.resolve(Conventions::numpy());
    const Type a = array_of(f64(), 2, matlab_ ? Layout::ColMajor : Layout::RowMajor);
    FunctionBuilder& f = m.function("f", {a, f64()});
    f_ = &f;
    // MATLAB's numbers are doubles.
    index_ = matlab_ && below(2) ? f64() : below(4) ? i64() : i32();
    const E array = f.arg("A", a), n = f.arg("n", index_);
    array_ = array.id();
    sum_ = f.local("sum", f64()).id();
    f.assign(f.name(sum_), E(0.0));
    nest(n, 0);
    f.return_({array, f.name(sum_)});
    auto built = m.finish();
    if (!built) {
      ADD_FAILURE() << built.error().text();
      return c;
    }
    c.module = *built;
    const std::vector<int64_t> extents = {below(9), below(9)};
    const int64_t value = below(7);
    Array given = Array::zeros(Elem::Float64, extents, a.layout).value();
    c.args = {given, index_.elem == Elem::Float64 ? Value(static_cast<double>(value))
                     : index_.elem == Elem::Int32 ? Value(static_cast<int32_t>(value))
                                                  : Value(value)};
    c.facts.parameters.resize(2);
    if (below(8)) c.facts.parameters[0].extents = extents;
    if (below(8)) c.facts.parameters[1].values = std::vector<int64_t>{value};
    return c;
  }

 private:
  int64_t below(int64_t n) { return static_cast<int64_t>(random_() % static_cast<uint64_t>(n)); }
  int64_t between(int64_t lo, int64_t hi) { return lo + below(hi - lo + 1); }
  E number(int64_t v) {
    return index_.elem == Elem::Float64 ? f_->float_const(static_cast<double>(v)) : f_->int_const(v, index_);
  }
  /// A small number, or one with variables of the enclosing loops.
  E affine(int64_t lo, int64_t hi) {
    E e = number(between(lo, hi));
    for (SymbolId v : loops_) switch (below(5)) {
        case 0:
          e = e + f_->name(v);
          break;
        case 1:
          e = e - f_->name(v);
          break;
        case 2:
          if (below(3) == 0) e = e + f_->name(v) * number(between(2, 3));
          break;
        default:
          break;
      }
    return e;
  }
  void nest(const E& n, int depth) {
    const E v = f_->local("i" + std::to_string(depth) + std::to_string(next_++), index_);
    // Most steps are positive.
    static constexpr int64_t steps[] = {1, 1, 1, 2, 3, -1, -2};
    const int64_t step = steps[below(7)];
    E from = affine(-1, 3), to = below(2) ? n + affine(-2, 2) : affine(2, 7);
    if (step < 0) std::swap(from, to);
    const auto loop = matlab_ ? range_to(from, number(step), to) : range(from, number(step), to);
    f_->for_(v, loop, [&] {
      loops_.push_back(v.id());
      for (int64_t k = between(1, 2); k > 0; --k) statement();
      if (depth < 2 && below(3)) nest(n, depth + 1);
      if (below(3) == 0) statement();
      loops_.pop_back();
    });
  }
  void statement() {
    const E t = f_->local("t" + std::to_string(next_++), index_);
    std::vector<Subscript> subs(2);
    for (Subscript& s : subs) {
      E e = affine(-1, 4);
      if (below(4) == 0) {
        f_->assign(t, e);
        e = t;
      }
      if (below(6) == 0) e = f_->lib("min2", {e, number(between(0, 6))});
      if (below(6) == 0) e = f_->lib("max2", {e, number(between(0, 2))});
      s.value = e.node();
      s.negative = !matlab_ && below(3) == 0;
    }
    const E array = f_->name(array_);
    auto access = [&] {
      const E at = f_->index(array, subs);
      if (below(matlab_ ? 6 : 2))
        f_->assign(at, f_->name(sum_) + E(1.0));
      else
        f_->assign(f_->name(sum_), f_->name(sum_) + at);
    };
    if (below(3) == 0) {
      const E x(subs[0].value, f_), limit = f_->dim(array, matlab_);
      f_->if_(matlab_ ? x <= limit && x >= number(1) : x < limit && x >= number(0), access);
    } else {
      access();
    }
  }

  std::mt19937_64 random_;
  bool matlab_;
  FunctionBuilder* f_ = nullptr;
  Type index_;
  SymbolId array_ = 0, sum_ = 0;
  std::vector<SymbolId> loops_;
  int next_ = 0;
};

std::string outcome(const Result<std::vector<Value>>& r) {
  if (r) {
    const Array& a = (*r)[0].array();
    std::string text = "sum " + std::to_string((*r)[1].as_double()) + " array";
    for (int64_t n : a.extents()) text += " " + std::to_string(n);
    for (int64_t i = 0; i < a.extent(0); ++i)
      for (int64_t j = 0; j < a.extent(1); ++j) {
        const int64_t at[] = {i, j};
        text += " " + std::to_string(*static_cast<const double*>(a.at(at)));
      }
    return text;
  }
  if (!r.error().record) return r.error().text();
  const ErrorRecord& e = *r.error().record;
  return e.text() + " axis " + std::to_string(e.axis) + " index " + std::to_string(e.index) + " extent " +
         std::to_string(e.extent);
}

TEST(Specialise, SpecialisedRandomNestsGiveEqualResults) {
  SpecialiseStatistics::Checks before, after;
  int faults = 0, limits = 0, growing = 0;
  analysis::ProgramStatistics programs;
  for (uint64_t seed = 1; seed <= 3000; ++seed) {
    Nests::Case c = Nests(seed).make();
    ASSERT_TRUE(c.module);
    SpecialiseStatistics s;
    auto made = std::make_shared<ir::Module>(*c.module);
    made->functions[0] = specialise(made->functions[0], *c.module, c.conventions, c.facts, &s);
    ASSERT_TRUE(verify(*made, c.conventions).empty()) << seed << "\n" << print(*made);
    auto add = [](SpecialiseStatistics::Checks& to, const SpecialiseStatistics::Checks& n) {
      to.lower += n.lower, to.upper += n.upper, to.negative += n.negative, to.growth += n.growth;
    };
    add(before, s.before);
    add(after, s.after);
    programs += s.programs;
    interp::InterpOptions options;
    options.step_limit = 20000;
    options.tell_broken_promises = true;
    auto run = [&](const ir::Module& m) {
      std::vector<Value> args = c.args;
      args[0] = Array::zeros(Elem::Float64, std::vector<int64_t>{args[0].array().extent(0), args[0].array().extent(1)},
                             c.module->functions[0]->type.components()[0].layout)
                    .value();
      return interp::run(m, c.conventions, "f", args, options);
    };
    const auto wanted = run(*c.module), got = run(*made);
    if (!wanted && wanted.error().code == Code::Interrupted) {
      ++limits;
      continue;
    }
    faults += !wanted;
    growing += wanted && (*wanted)[0].array().size() != c.args[0].array().size();
    ASSERT_EQ(outcome(got), outcome(wanted))
        << "seed " << seed << " facts " << c.facts.text(*c.module->functions[0]) << "\n"
        << print(*c.module) << print(*made);
  }
  // All of it happens.
  EXPECT_GT(faults, 300);
  EXPECT_LT(faults, 2700);
  EXPECT_LT(limits, 300);
  EXPECT_GT(growing, 60);
  EXPECT_GT(programs.by_elimination, 100);
  for (auto kind : {&SpecialiseStatistics::Checks::lower, &SpecialiseStatistics::Checks::upper,
                    &SpecialiseStatistics::Checks::negative, &SpecialiseStatistics::Checks::growth}) {
    EXPECT_GT(before.*kind - after.*kind, 100);
    EXPECT_GT(after.*kind, 100);
  }
}

}  // namespace
}  // namespace vr::transform
