#include "tree_expr.hpp"

#include "parser.hpp"

#include <cmath>

namespace vr::octave_host {

using matlab::Expr;
using matlab::ExprKind;
using matlab::ExprPtr;
using matlab::Op;
using matlab::Pos;

Op binary_op(octave_value::binary_op op) {
  switch (op) {
    case octave_value::op_add: return Op::Plus;
    case octave_value::op_sub: return Op::Minus;
    case octave_value::op_mul: return Op::Mtimes;
    case octave_value::op_div: return Op::Mrdivide;
    case octave_value::op_pow: return Op::Mpower;
    case octave_value::op_ldiv: return Op::Mldivide;
    case octave_value::op_lt: return Op::Lt;
    case octave_value::op_le: return Op::Le;
    case octave_value::op_eq: return Op::Eq;
    case octave_value::op_ge: return Op::Ge;
    case octave_value::op_gt: return Op::Gt;
    case octave_value::op_ne: return Op::Ne;
    case octave_value::op_el_mul: return Op::Times;
    case octave_value::op_el_div: return Op::Rdivide;
    case octave_value::op_el_pow: return Op::Power;
    case octave_value::op_el_ldiv: return Op::Ldivide;
    case octave_value::op_el_and: return Op::And;
    case octave_value::op_el_or: return Op::Or;
    default: throw Untranslatable{"an operator that only the interpreter has"};
  }
}

Op unary_op(octave_value::unary_op op) {
  switch (op) {
    case octave_value::op_not: return Op::Not;
    case octave_value::op_uplus: return Op::Uplus;
    case octave_value::op_uminus: return Op::Uminus;
    case octave_value::op_transpose: return Op::Transpose;
    case octave_value::op_hermitian: return Op::Ctranspose;
    case octave_value::op_incr: return Op::Increment;
    case octave_value::op_decr: return Op::Decrement;
    default: throw Untranslatable{"an operator that only the interpreter has"};
  }
}

namespace {

std::shared_ptr<Expr> node(ExprKind kind, Pos pos) {
  auto e = std::make_shared<Expr>();
  e->kind = kind;
  e->pos = pos;
  return e;
}

bool valid_name(const std::string& s) {
  if (s.empty() || s.size() > 63 || (!std::isalpha(static_cast<unsigned char>(s[0])) && s[0] != '_')) return false;
  for (char c : s)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_') return false;
  return true;
}

/// Literals, and the constants that Octave's parser makes of matrices and ranges of literals.
ExprPtr from_text(const std::string& text) {
  auto unit = matlab::parse("function r = f ()\nr = " + text + ";\nend\n", "constant");
  if (!unit) throw Untranslatable{"an empty constant with rows or columns"};
  return (*unit)->functions[0]->body[0]->value;
}
ExprPtr constant(const octave_value& v, Pos pos, const std::string& text, std::set<std::string>& names) {
  if (v.is_magic_colon()) return node(ExprKind::Colon, pos);
  if (v.is_string()) {
    if (v.ndims() > 2 || v.rows() > 1) throw Untranslatable{"a string of several rows"};
    auto e = node(ExprKind::String, pos);
    e->text = v.string_value();
    e->double_quoted = v.is_dq_string();
    if (e->text.empty() && (v.rows() != 0 || v.columns() != 0))
      throw Untranslatable{"an empty string with rows or columns"};
    if (valid_name(e->text)) names.insert(e->text);
    return e;
  }
  if (v.iscell()) {
    const Cell c = v.cell_value();
    auto e = node(ExprKind::Cell, pos);
    for (octave_idx_type i = 0; i < c.rows(); ++i) {
      std::vector<ExprPtr> row;
      for (octave_idx_type j = 0; j < c.columns(); ++j) row.push_back(constant(c(i, j), pos, "", names));
      e->rows.push_back(std::move(row));
    }
    return e;
  }
  if (!v.is_double_type() || v.ndims() > 2) throw Untranslatable{"a constant of class " + v.class_name()};
  if (v.is_range() && v.numel() > 0) {
    const octave::range<double> r = v.range_value();
    auto e = node(ExprKind::Range, pos);
    e->args.push_back(ExprTranslator::number(r.base(), pos));
    if (r.increment() != 1) e->args.push_back(ExprTranslator::number(r.increment(), pos));
    e->args.push_back(ExprTranslator::number(r.limit(), pos));
    return e;
  }
  if (v.numel() > 10000) throw Untranslatable{"a constant with more than 10000 elements"};
  const ComplexMatrix m = v.complex_matrix_value();
  auto element = [&](octave_idx_type i, octave_idx_type j) -> ExprPtr {
    const Complex z = m(i, j);
    if (!v.iscomplex()) return ExprTranslator::number(z.real(), pos);
    if (z.real() == 0 && !std::signbit(z.real())) return ExprTranslator::number(z.imag(), pos, true);
    auto sum = node(ExprKind::Binary, pos);
    sum->op = Op::Plus;
    sum->args = {ExprTranslator::number(z.real(), pos), ExprTranslator::number(z.imag(), pos, true)};
    return sum;
  };
  if (m.rows() == 1 && m.columns() == 1) return element(0, 0);
  if (m.isempty() && (m.rows() != 0 || m.columns() != 0)) return from_text(text);  // 1:0
  auto e = node(ExprKind::Matrix, pos);
  for (octave_idx_type i = 0; i < m.rows(); ++i) {
    std::vector<ExprPtr> row;
    for (octave_idx_type j = 0; j < m.columns(); ++j) row.push_back(element(i, j));
    e->rows.push_back(std::move(row));
  }
  return e;
}

}  // namespace

ExprPtr ExprTranslator::number(double v, Pos pos, bool imaginary) {
  auto e = node(ExprKind::Number, pos);
  e->number = v;
  e->imaginary = imaginary;
  return e;
}

ExprPtr ExprTranslator::expr(octave::tree_expression* e) {
  made_ = nullptr;
  e->accept(*this);
  if (!made_) throw Untranslatable{"an expression that only the interpreter has"};
  return std::move(made_);
}


void ExprTranslator::name(const std::string& n) {
  out_.names.insert(n);
  if (n == "feval" || n == "arrayfun" || n == "cellfun" || n == "func2str" || n == "str2func") out_.calls_by_name = true;
}

ExprPtr ExprTranslator::unary(ExprKind kind, octave::tree_unary_expression& u, Op op) {
  auto e = node(kind, at(u));
  e->op = op;
  e->args = {expr(u.operand())};
  return e;
}
template <class List>
ExprPtr ExprTranslator::rows(ExprKind kind, List& m) {
  auto e = node(kind, at(m));
  for (octave::tree_argument_list* row : m) {
    std::vector<ExprPtr> list;
    for (octave::tree_expression* x : *row) list.push_back(expr(x));
    if (!list.empty()) e->rows.push_back(std::move(list));
  }
  return e;
}
ExprPtr ExprTranslator::target(octave::tree_expression* e) {
  ExprPtr t = expr(e);
  const Expr* base = t.get();
  while (base->kind == ExprKind::Index || base->kind == ExprKind::Brace || base->kind == ExprKind::Field)
    base = base->args[0].get();
  if (base->kind == ExprKind::Name) out_.assigned.insert(base->text);
  return t;
}


void ExprTranslator::visit_constant(octave::tree_constant& c) { made_ = constant(c.value(), at(c), c.original_text(), out_.names); }
void ExprTranslator::visit_identifier(octave::tree_identifier& id) {
  auto e = node(id.name() == "end" ? ExprKind::End : ExprKind::Name, at(id));
  if (id.is_black_hole()) throw Untranslatable{"'~' as a value"};
  e->text = id.name();
  if (e->kind == ExprKind::Name) name(e->text);
  made_ = e;
}
void ExprTranslator::visit_prefix_expression(octave::tree_prefix_expression& u) {
  made_ = unary(ExprKind::Unary, u, unary_op(u.op_type()));
}
void ExprTranslator::visit_postfix_expression(octave::tree_postfix_expression& u) {
  made_ = unary(ExprKind::Postfix, u, unary_op(u.op_type()));
}
void ExprTranslator::visit_binary_expression(octave::tree_binary_expression& b) {
  auto e = node(ExprKind::Binary, at(b));
  e->op = binary_op(b.op_type());
  e->args = {expr(b.lhs()), expr(b.rhs())};
  made_ = e;
}
void ExprTranslator::visit_compound_binary_expression(octave::tree_compound_binary_expression& b) {
  visit_binary_expression(b);  // A' * B: the operands with their transposes
}
void ExprTranslator::visit_boolean_expression(octave::tree_boolean_expression& b) {
  auto e = node(ExprKind::Binary, at(b));
  e->op = b.op_type() == octave::tree_boolean_expression::bool_and ? Op::AndAnd : Op::OrOr;
  e->args = {expr(b.lhs()), expr(b.rhs())};
  made_ = e;
}
void ExprTranslator::visit_colon_expression(octave::tree_colon_expression& c) {
  auto e = node(ExprKind::Range, at(c));
  e->args.push_back(expr(c.base()));
  if (c.increment()) e->args.push_back(expr(c.increment()));
  e->args.push_back(expr(c.limit()));
  made_ = e;
}
void ExprTranslator::visit_matrix(octave::tree_matrix& m) { made_ = rows(ExprKind::Matrix, m); }
void ExprTranslator::visit_cell(octave::tree_cell& c) { made_ = rows(ExprKind::Cell, c); }
void ExprTranslator::visit_index_expression(octave::tree_index_expression& x) {
  if (x.is_word_list_cmd()) throw Untranslatable{"a command"};
  ExprPtr base = expr(x.expression());
  const std::string types = x.type_tags();
  auto lists = x.arg_lists();
  auto fields = x.arg_names();
  auto computed = x.dyn_fields();
  auto name = computed.begin();
  auto list = lists.begin();
  auto field = fields.begin();
  for (size_t k = 0; k < types.size(); ++k, ++list, ++field, ++name) {
    auto e = node(types[k] == '(' ? ExprKind::Index : types[k] == '{' ? ExprKind::Brace : ExprKind::Field, base->pos);
    e->args.push_back(base);
    if (types[k] != '.') {
      if (*list)
        for (octave::tree_expression* a : **list) e->args.push_back(expr(a));
    } else if (field->numel() > 0 && !(*field)(0).empty()) {  // of s.(name) it is empty
      e->text = (*field)(0);
    } else {
      e->text = "()";
      if (!*name) throw Untranslatable{"a field whose name is computed"};
      e->args.push_back(expr(*name));
    }
    base = e;
  }
  made_ = base;
}
void ExprTranslator::visit_anon_fcn_handle(octave::tree_anon_fcn_handle& h) {
  made_ = lambda(h.parameter_list(), h.expression(), at(h));
}
void ExprTranslator::visit_fcn_handle(octave::tree_fcn_handle& h) {
  auto e = node(ExprKind::Handle, at(h));
  e->text = h.name();
  if (e->text.find('.') != e->text.npos) throw Untranslatable{"a handle of a package's function"};
  name(e->text);
  made_ = e;
}
void ExprTranslator::visit_simple_assignment(octave::tree_simple_assignment& a) {
  if (a.op_type() != octave_value::op_asn_eq) throw Untranslatable{"an assignment with an operator within an expression"};
  auto e = node(ExprKind::Assign, at(a));
  e->args = {target(a.left_hand_side()), expr(a.right_hand_side())};
  made_ = e;
}
void ExprTranslator::visit_multi_assignment(octave::tree_multi_assignment&) {
  throw Untranslatable{"an assignment of several results within an expression"};
}

ExprPtr ExprTranslator::lambda(octave::tree_parameter_list* list, octave::tree_expression* body, Pos pos) {
  auto e = node(ExprKind::Lambda, pos);
  if (list) {
    if (list->takes_varargs()) throw Untranslatable{"an anonymous function with varargin"};
    for (octave::tree_decl_elt* p : *list) {
      if (p->expression()) throw Untranslatable{"an anonymous function with a default"};
      e->names.push_back(p->ident()->is_black_hole() ? "~" : p->name());
    }
  }
  if (!body) throw Untranslatable{"an anonymous function without an expression"};
  e->args = {expr(body)};
  return e;
}

}  // namespace vr::octave_host
