// Operators of the short syntax with their precedence; a larger number binds tighter.
#pragma once
#include <velociraptor/ir/nodes.hpp>

#include <string_view>

namespace vr::text::brief {

struct Operator {
  ir::Kind kind;
  std::string_view text;
  int precedence;
};

enum Precedence : int {
  loosest = 0,
  or_ = 1,
  and_ = 2,
  not_ = 3,
  comparison = 4,
  sum = 5,
  product = 6,
  sign = 7,
  primary = 8
};

constexpr Operator operators[] = {
    {ir::Kind::Or, "or", or_},         {ir::Kind::And, "and", and_},      {ir::Kind::Lt, "<", comparison},
    {ir::Kind::Leq, "<=", comparison}, {ir::Kind::Gt, ">", comparison},   {ir::Kind::Geq, ">=", comparison},
    {ir::Kind::Eq, "==", comparison},  {ir::Kind::Neq, "!=", comparison}, {ir::Kind::Plus, "+", sum},
    {ir::Kind::Minus, "-", sum},       {ir::Kind::Mult, "*", product},    {ir::Kind::Div, "/", product},
};

constexpr std::string_view atomic_ops[] = {"cas", "add", "sub", "min", "max", "and", "or", "swap"};  // as ir::AtomicOp
constexpr std::string_view alloc_names[] = {"zeros", "ones", "empty"};                               // as ir::AllocFunc

constexpr std::string_view subscript_words[] = {"unchecked", "nolower", "noupper", "negative", "grow", "nogrow"};

}  // namespace vr::text::brief
