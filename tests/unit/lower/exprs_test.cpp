// What Exprs simplifies while it makes expressions.
#include "loop/exprs.hpp"

#include <gtest/gtest.h>

namespace vr::lower {
namespace {

class ExprsOfConditions : public testing::Test {
 protected:
  Module module_;
  Exprs x{module_};
  const ExprP a = x.var(0, Scalar::Int64), b = x.var(1, Scalar::Int64), zero = x.int_const(0);
};

TEST_F(ExprsOfConditions, NotZeroAndOfOneSignIsTheSign) {
  const ExprP negative = x.lt(a, zero), positive = x.gt(a, zero);
  EXPECT_TRUE(same(x.both(x.ne(a, zero), negative), negative));
  EXPECT_TRUE(same(x.both(negative, x.ne(a, zero)), negative));
  EXPECT_TRUE(same(x.both(x.ne(a, zero), positive), positive));
}

TEST_F(ExprsOfConditions, TheSignOfAnotherNumberIsAnotherCondition) {
  for (const ExprP other : {x.lt(b, zero), x.le(a, zero), x.lt(a, x.int_const(1))}) {
    const ExprP both = x.both(x.ne(a, zero), other);
    EXPECT_EQ(both->kind, Expr::Kind::Binary);
    EXPECT_EQ(both->op, Op::And);
  }
}

TEST_F(ExprsOfConditions, ComparedWithATruthValueAreTheyOrTheirOpposites) {
  const ExprP less = x.lt(a, b), more = x.not_(less);
  for (const bool truth : {false, true}) {
    const ExprP value = x.bool_const(truth);
    EXPECT_TRUE(same(x.eq(less, value), truth ? less : more));
    EXPECT_TRUE(same(x.eq(value, less), truth ? less : more));
    EXPECT_TRUE(same(x.ne(less, value), truth ? more : less));
    EXPECT_TRUE(same(x.ne(value, less), truth ? more : less));
  }
}

}  // namespace
}  // namespace vr::lower
