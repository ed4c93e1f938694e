// Trees: from text and to text, verified, walked.
#include "capi/handles.hpp"

#include <velociraptor/ir/text.hpp>
#include <velociraptor/ir/verify.hpp>
#include <velociraptor/ir/visit.hpp>

#include <optional>

namespace vr::capi {

namespace {

using ir::Kind;

// No default: a new line of nodes.def without a number in velociraptor.h is a warning here and an error below.
constexpr int32_t number_of(Kind k) {
  switch (k) {
    case Kind::Assign:
      return VR_KIND_ASSIGN;
    case Kind::StmtList:
      return VR_KIND_STMT_LIST;
    case Kind::For:
      return VR_KIND_FOR;
    case Kind::PFor:
      return VR_KIND_PFOR;
    case Kind::While:
      return VR_KIND_WHILE;
    case Kind::If:
      return VR_KIND_IF;
    case Kind::Break:
      return VR_KIND_BREAK;
    case Kind::Continue:
      return VR_KIND_CONTINUE;
    case Kind::Return:
      return VR_KIND_RETURN;
    case Kind::Raise:
      return VR_KIND_RAISE;
    case Kind::ExprStmt:
      return VR_KIND_EXPR_STMT;
    case Kind::Plus:
      return VR_KIND_PLUS;
    case Kind::Minus:
      return VR_KIND_MINUS;
    case Kind::Mult:
      return VR_KIND_MULT;
    case Kind::Div:
      return VR_KIND_DIV;
    case Kind::Lt:
      return VR_KIND_LT;
    case Kind::Leq:
      return VR_KIND_LEQ;
    case Kind::Gt:
      return VR_KIND_GT;
    case Kind::Geq:
      return VR_KIND_GEQ;
    case Kind::Eq:
      return VR_KIND_EQ;
    case Kind::Neq:
      return VR_KIND_NEQ;
    case Kind::And:
      return VR_KIND_AND;
    case Kind::Or:
      return VR_KIND_OR;
    case Kind::Not:
      return VR_KIND_NOT;
    case Kind::Negate:
      return VR_KIND_NEGATE;
    case Kind::Cast:
      return VR_KIND_CAST;
    case Kind::Name:
      return VR_KIND_NAME;
    case Kind::IntConst:
      return VR_KIND_INT_CONST;
    case Kind::FloatConst:
      return VR_KIND_FLOAT_CONST;
    case Kind::ComplexConst:
      return VR_KIND_COMPLEX_CONST;
    case Kind::Index:
      return VR_KIND_INDEX;
    case Kind::FnCall:
      return VR_KIND_FN_CALL;
    case Kind::FnHandle:
      return VR_KIND_FN_HANDLE;
    case Kind::LibCall:
      return VR_KIND_LIB_CALL;
    case Kind::Alloc:
      return VR_KIND_ALLOC;
    case Kind::Dim:
      return VR_KIND_DIM;
    case Kind::DimVec:
      return VR_KIND_DIM_VEC;
    case Kind::TupleExpr:
      return VR_KIND_TUPLE_EXPR;
    case Kind::TupleIndex:
      return VR_KIND_TUPLE_INDEX;
    case Kind::ComplexExpr:
      return VR_KIND_COMPLEX_EXPR;
    case Kind::RealExpr:
      return VR_KIND_REAL_EXPR;
    case Kind::ImagExpr:
      return VR_KIND_IMAG_EXPR;
    case Kind::Range:
      return VR_KIND_RANGE;
    case Kind::Domain:
      return VR_KIND_DOMAIN;
    case Kind::Xchange:
      return VR_KIND_XCHANGE;
  }
  return 0;
}
#define VR_EXPR(Name, word) static_assert(number_of(Kind::Name) != 0, "velociraptor.h has no VR_KIND_ for " #Name);
#define VR_STMT(Name, word) VR_EXPR(Name, word)
#include <velociraptor/ir/nodes.def>

std::optional<Kind> kind_of(int32_t number) {
#define VR_EXPR(Name, word) \
  if (number == number_of(Kind::Name)) return Kind::Name;
#define VR_STMT(Name, word) VR_EXPR(Name, word)
#include <velociraptor/ir/nodes.def>
  return {};
}

bool is_statement(Kind k) {
  switch (k) {
#define VR_STMT(Name, word) case Kind::Name:
#define VR_EXPR(Name, word)
#include <velociraptor/ir/nodes.def>
    return true;
    default:
      return false;
  }
}
const ir::Stmt& stmt(const vr_node* n) { return *static_cast<const ir::Stmt*>(unwrap(n)); }
const ir::Expr& expr(const vr_node* n) { return *static_cast<const ir::Expr*>(unwrap(n)); }

template <class F>
void each_child(const vr_node* node, F&& f) {
  const ir::ChildVisitor v{[&f](const ir::ExprPtr& e) { f(e.get()); }, [&f](const ir::StmtPtr& s) { f(s.get()); }};
  if (is_statement(unwrap(node)->kind))
    ir::for_each_child(stmt(node), v);
  else
    ir::for_each_child(expr(node), v);
}

Result<ir::ModulePtr> parse(const vr_engine* engine, const char* text, size_t length, const char* file) {
  if (!text) return null_argument("text");
  ir::ParseOptions o;
  o.dialect = dialect_of(engine);
  o.file = file ? file : "<text>";
  o.conventions = conventions_of(engine);
  return ir::parse(view_of(text, length), o);
}

/// The diagnostics of an engine about the tree: remarks on the dialect, then errors.
std::vector<Diagnostic> findings_of(const vr_engine* engine, ir::ModulePtr tree) {
  std::vector<Diagnostic> found;
  if (dialect_of(engine) == ir::Dialect::Mclab) {
    auto strict = ir::from_mclab(*tree, &found);
    if (!strict) {
      const Error& e = strict.error();
      found.insert(found.end(), e.diagnostics.begin(), e.diagnostics.end());
      if (e.diagnostics.empty()) {
        Diagnostic& d = found.emplace_back();
        d.path = "module";
        d.rule = "dialect";
        d.message = e.message;
      }
      return found;
    }
    tree = std::move(*strict);
  }
  std::vector<Diagnostic> faults = ir::verify(*tree, conventions_of(engine));
  found.insert(found.end(), faults.begin(), faults.end());
  return found;
}

Status judge(std::vector<Diagnostic> found, Code code, vr_diagnostics** findings) {
  std::vector<Diagnostic> errors;
  for (const Diagnostic& d : found)
    if (d.severity == Severity::Error) errors.push_back(d);
  if (findings) *findings = new vr_diagnostics(std::move(found));
  if (errors.empty()) return {};
  return Error{code, "", std::move(errors), {}};
}

const ir::Function* function_of(const vr_tree* tree, size_t k) {
  return tree && k < tree->module->functions.size() ? tree->module->functions[k].get() : nullptr;
}

}  // namespace
}  // namespace vr::capi

using namespace vr;
using namespace vr::capi;

extern "C" {

const char* vr_kind_name(int32_t kind) {
  auto k = kind_of(kind);
  return k ? ir::kind_name(*k) : "";
}
const char* vr_kind_word(int32_t kind) {
  auto k = kind_of(kind);
  return k ? ir::kind_word(*k) : "";
}

vr_status vr_tree_parse(const vr_engine* engine, const char* text, size_t length, const char* file, vr_tree** out,
                        vr_failure** failure) {
  return border(out, failure, [&]() -> Status {
    auto tree = parse(engine, text, length, file);
    if (!tree) return tree.error();
    *out = new vr_tree{std::move(*tree)};
    return {};
  });
}
void vr_tree_free(vr_tree* tree) { delete tree; }

vr_status vr_tree_verify(const vr_engine* engine, const vr_tree* tree, vr_diagnostics** findings,
                         vr_failure** failure) {
  if (findings) *findings = nullptr;
  return border(failure, [&]() -> Status {
    if (!tree) return null_argument("tree");
    return judge(findings_of(engine, tree->module), Code::Verify, findings);
  });
}
vr_status vr_text_verify(const vr_engine* engine, const char* text, size_t length, const char* file,
                         vr_diagnostics** findings, vr_failure** failure) {
  if (findings) *findings = nullptr;
  return border(failure, [&]() -> Status {
    auto tree = parse(engine, text, length, file);
    if (tree) return judge(findings_of(engine, std::move(*tree)), Code::Verify, findings);
    const Error& e = tree.error();
    if (e.diagnostics.empty()) return e;
    return judge(e.diagnostics, e.code, findings);
  });
}
vr_status vr_tree_print(const vr_tree* tree, char** out, vr_failure** failure) {
  return border(out, failure, [&]() -> Status {
    if (!tree) return null_argument("tree");
    *out = copy_text(ir::print(*tree->module));
    return {};
  });
}
int32_t vr_tree_equal(const vr_tree* a, const vr_tree* b) { return a && b && ir::equal(*a->module, *b->module); }

const char* vr_tree_name(const vr_tree* tree) { return tree ? tree->module->name.c_str() : ""; }
size_t vr_tree_function_count(const vr_tree* tree) { return tree ? tree->module->functions.size() : 0; }
const char* vr_tree_function_name(const vr_tree* tree, size_t function) {
  const ir::Function* f = function_of(tree, function);
  return f ? f->name.c_str() : "";
}
const vr_type* vr_tree_function_type(const vr_tree* tree, size_t function) {
  const ir::Function* f = function_of(tree, function);
  return f ? wrap(&f->type) : nullptr;
}
int32_t vr_tree_function_is_external(const vr_tree* tree, size_t function) {
  const ir::Function* f = function_of(tree, function);
  return f && f->external.has_value();
}
size_t vr_tree_statement_count(const vr_tree* tree, size_t function) {
  const ir::Function* f = function_of(tree, function);
  return f ? f->body.size() : 0;
}
const vr_node* vr_tree_statement(const vr_tree* tree, size_t function, size_t k) {
  return k < vr_tree_statement_count(tree, function) ? wrap(function_of(tree, function)->body[k].get()) : nullptr;
}

int32_t vr_node_kind(const vr_node* node) { return node ? number_of(unwrap(node)->kind) : 0; }
const vr_type* vr_node_type(const vr_node* node) {
  return node && !is_statement(unwrap(node)->kind) ? wrap(&expr(node).type) : nullptr;
}
int32_t vr_node_line(const vr_node* node) { return node ? unwrap(node)->pos.line : 0; }
int32_t vr_node_column(const vr_node* node) { return node ? unwrap(node)->pos.column : 0; }
size_t vr_node_child_count(const vr_node* node) {
  size_t n = 0;
  if (node) each_child(node, [&](const ir::Node*) { ++n; });
  return n;
}
const vr_node* vr_node_child(const vr_node* node, size_t k) {
  const ir::Node* found = nullptr;
  size_t n = 0;
  if (node)
    each_child(node, [&](const ir::Node* child) {
      if (n++ == k) found = child;
    });
  return wrap(found);
}
vr_status vr_node_print(const vr_node* node, char** out, vr_failure** failure) {
  return border(out, failure, [&]() -> Status {
    if (!node) return null_argument("node");
    *out = copy_text(is_statement(unwrap(node)->kind) ? ir::print(stmt(node)) : ir::print(expr(node)));
    return {};
  });
}

}  // extern "C"
