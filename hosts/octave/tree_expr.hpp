// Expressions of Octave's parse trees; private to tree.
#pragma once
#include "tree.hpp"

#include <octave/pt-all.h>

#include <algorithm>

namespace vr::octave_host {

/// Thrown for a construct that only the interpreter can execute. Its text follows "refused: ".
struct Untranslatable {
  std::string what;
};

matlab::Op binary_op(octave_value::binary_op op);
matlab::Op unary_op(octave_value::unary_op op);
inline matlab::Pos at(const octave::tree& t) { return {std::max(0, t.line()), std::max(0, t.column())}; }

/// Visits one expression and translates it. Throws Untranslatable.
class ExprTranslator : public octave::tree_walker {
 public:
  explicit ExprTranslator(Translated& out) : out_(out) {}
  matlab::ExprPtr expr(octave::tree_expression* e);
  /// Translates the target of an assignment.
  matlab::ExprPtr target(octave::tree_expression* e);
  matlab::ExprPtr lambda(octave::tree_parameter_list* list, octave::tree_expression* body, matlab::Pos pos);
  static matlab::ExprPtr number(double v, matlab::Pos pos, bool imaginary = false);

  void visit_constant(octave::tree_constant&) override;
  void visit_identifier(octave::tree_identifier&) override;
  void visit_prefix_expression(octave::tree_prefix_expression&) override;
  void visit_postfix_expression(octave::tree_postfix_expression&) override;
  void visit_binary_expression(octave::tree_binary_expression&) override;
  void visit_compound_binary_expression(octave::tree_compound_binary_expression&) override;
  void visit_boolean_expression(octave::tree_boolean_expression&) override;
  void visit_colon_expression(octave::tree_colon_expression&) override;
  void visit_matrix(octave::tree_matrix&) override;
  void visit_cell(octave::tree_cell&) override;
  void visit_index_expression(octave::tree_index_expression&) override;
  void visit_anon_fcn_handle(octave::tree_anon_fcn_handle&) override;
  void visit_fcn_handle(octave::tree_fcn_handle&) override;
  void visit_simple_assignment(octave::tree_simple_assignment&) override;
  void visit_multi_assignment(octave::tree_multi_assignment&) override;

 protected:
  Translated& out_;

 private:
  void name(const std::string& n);
  matlab::ExprPtr unary(matlab::ExprKind kind, octave::tree_unary_expression& u, matlab::Op op);
  template <class List>
  matlab::ExprPtr rows(matlab::ExprKind kind, List& m);

  matlab::ExprPtr made_;
};

}  // namespace vr::octave_host
