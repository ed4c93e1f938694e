// The mclab dialect: MATLAB's builtins, whether the client names them in a fncall or a libcall (private to mclab*.cpp).
#pragma once
#include "ir/mclab_builder.hpp"

namespace vr::ir::mclab {

ExprPtr builtin(Builder& out, const std::string& name, std::vector<ExprPtr> args, const Type& stated, TextPos pos);
/// zeros ones empty eye inf nan true false of sizes: scalars, or one vector of sizes.
ExprPtr new_array(Builder& out, const std::string& name, std::vector<ExprPtr> args, const Type& stated, TextPos pos);
/// Products, quotients, powers and reductions; null if `name` is none of these.
ExprPtr matrix_builtin(Builder& out, const std::string& name, std::vector<ExprPtr>& args, const Type& stated,
                       TextPos pos);
/// Builtins that return shapes or arrays of other shapes; null if `name` is none of these.
ExprPtr shape_builtin(Builder& out, const std::string& name, std::vector<ExprPtr>& args, const Type& stated,
                      TextPos pos);
/// The number of a dimension; a constant one as an integer, so that it counts as known.
ExprPtr axis(Builder& out, const ExprPtr& e);
/// A call that the client makes only for its output on the screen.
bool is_output(const std::string& name);

}  // namespace vr::ir::mclab
