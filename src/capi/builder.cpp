// Modules, functions, variables and statements under construction.
#include "capi/builder.hpp"

#include <velociraptor/ir/verify.hpp>

#include <fmt/format.h>

using namespace vr;
using namespace vr::capi;
using namespace vr::ir;

void vr_fn::error(std::string rule, std::string message, std::string hint) {
  std::string path = fmt::format("function {}", function->name);
  for (OpenBlock& b : blocks) path += fmt::format("/{}", b.current().size());
  builder->error(std::move(path), std::move(rule), std::move(message), std::move(hint));
}

namespace {

/// A step that adds to the function.
template <class F>
vr_status statement(vr_fn* f, F&& step) {
  return f && f->builder->attempt(step) ? f->builder->status() : vr_status{VR_USAGE};
}

/// An operand of a statement; it counts towards the module's size, once per use, as in a text.
ExprPtr part(vr_fn* f, const vr_expr* e, const char* what) {
  if (e) f->builder->nodes += e->size;
  return operand(f, e, what);
}
bool parts(vr_fn* f, size_t count, vr_expr* const* list, const char* what, std::vector<ExprPtr>* out) {
  for (size_t k = 0; list && k < count; ++k) f->builder->nodes += list[k] ? list[k]->size : 0;
  return operands(f, count, list, what, out);
}

template <class S, class... A>
std::shared_ptr<S> make(vr_fn* f, A&&... args) {
  auto s = std::make_shared<S>(std::forward<A>(args)...);
  s->loc = f->loc;
  return s;
}

void add(vr_fn* f, StmtPtr s) {
  if (++f->builder->nodes > max_nodes && f->builder->errors.empty())
    f->error("too-large", fmt::format("the module has more than {} nodes", max_nodes));
  f->blocks.back().current().push_back(std::move(s));
}

void open(vr_fn* f, OpenBlock block) {
  // Deeper modules are rejected by the verifier; this bounds the memory for them.
  if (f->blocks.size() > static_cast<size_t>(max_tree_depth) && f->builder->errors.empty())
    f->error("too-deep", fmt::format("'{}' is nested deeper than {}", f->function->name, max_tree_depth));
  block.loc = f->loc;
  f->blocks.push_back(std::move(block));
}

void open_test(vr_fn* f, Kind kind, const vr_expr* test) {
  OpenBlock b;
  b.kind = kind;
  b.head = part(f, test, kind_word(kind));
  open(f, std::move(b));
}

void open_loop(vr_fn* f, Kind kind, size_t count, vr_expr* const* vars, const vr_expr* domain, size_t shared_count,
               vr_expr* const* shared) {
  OpenBlock b;
  b.kind = kind;
  const char* word = kind_word(kind);
  variables(f, count, vars, word, &b.itervars);
  b.head = part(f, domain, word);
  // One range stands for the domain of one dimension.
  if (b.head && b.head->kind == Kind::Range)
    b.head = std::make_shared<Domain>(b.head->type, std::vector<ExprPtr>{b.head});
  if (shared) variables(f, shared_count, shared, "shared", &b.shared.emplace());
  open(f, std::move(b));
}

/// The statement of a block that ends; null if its condition or bounds had an error.
StmtPtr closed(OpenBlock b) {
  std::shared_ptr<Stmt> s;
  if (b.kind != Kind::StmtList && !b.head) return nullptr;
  switch (b.kind) {
    case Kind::For:
      s = std::make_shared<For>(std::move(b.itervars), std::move(b.head), std::move(b.body));
      break;
    case Kind::PFor:
      s = std::make_shared<PFor>(std::move(b.itervars), std::move(b.head), std::move(b.shared), std::move(b.body));
      break;
    case Kind::While:
      s = std::make_shared<While>(std::move(b.head), std::move(b.body));
      break;
    case Kind::If:
      s = std::make_shared<If>(std::move(b.head), std::move(b.body), std::move(b.else_body));
      break;
    default:
      s = std::make_shared<StmtList>(b.on_gpu, std::move(b.body));
      break;
  }
  s->loc = std::move(b.loc);
  return s;
}

vr_expr* declare(vr_fn* f, const char* name, const vr_type* type, bool parameter) {
  return expression(f, [&]() -> vr_expr* {
    if (!name || !type) {
      if (!name || f->builder->errors.empty())
        f->error("missing-part", fmt::format("a variable's {} is NULL", name ? "type" : "name"));
      return nullptr;
    }
    ir::Function& fn = *f->function;
    const Type& t = *unwrap(type);
    const SymbolId id = fn.symbols.fresh(name, t);
    if (parameter) {
      fn.args.push_back(id);
      std::vector<Type> ins = fn.type.components();
      ins.push_back(t);
      fn.type = Type::function(std::move(ins), fn.type.outputs());
    }
    return vr_expr_name(f, id);
  });
}

}  // namespace

extern "C" {

vr_status vr_builder_create(const char* name, size_t attr_count, const vr_attr* attrs, const vr_engine* engine,
                            vr_builder** out, vr_failure** failure) {
  return border(out, failure, [&]() -> Status {
    if (!name) return null_argument("name");
    auto b = std::make_unique<vr_builder>();
    b->module.name = name;
    if (Status s = read_attrs(attrs, attr_count, &b->module.attrs, &b->module.version); !s) return s;
    b->conventions = b->module.attrs.resolve(conventions_of(engine));
    *out = b.release();
    return {};
  });
}
void vr_builder_free(vr_builder* builder) { delete builder; }
vr_status vr_builder_status(const vr_builder* builder) { return builder ? builder->status() : vr_status{VR_USAGE}; }

vr_status vr_builder_finish(vr_builder* builder, vr_tree** out, vr_failure** failure) {
  return border(out, failure, [&]() -> Status {
    if (!builder) return null_argument("builder");
    if (builder->finished) return usage("the builder has finished already");
    if (builder->no_memory) throw std::bad_alloc();
    if (builder->broken) return make_error(static_cast<Code>(builder->broken), "building the module failed");
    builder->finished = true;
    for (vr_fn& f : builder->fns) {
      if (f.blocks.size() > 1)
        f.error("unclosed-block",
                fmt::format("{} block{} of '{}' {} not closed", f.blocks.size() - 1, f.blocks.size() == 2 ? "" : "s",
                            f.function->name, f.blocks.size() == 2 ? "is" : "are"),
                "vr_stmt_end closes the innermost one");
      f.function->body = std::move(f.blocks.front().body);
    }
    std::vector<Diagnostic> faults = builder->errors;
    // An expression with an error is missing where it was used; verify would only report the error again.
    auto module = std::make_shared<ir::Module>(std::move(builder->module));
    if (faults.empty()) faults = verify(*module, builder->conventions);
    if (!faults.empty()) return Error{Code::Verify, "", std::move(faults), {}};
    *out = new vr_tree{std::move(module)};
    return {};
  });
}

vr_status vr_builder_external(vr_builder* builder, const char* name, const vr_type* type, int32_t parallel) {
  if (!builder) return VR_USAGE;
  builder->attempt([&] {
    if (!name || !type)
      return builder->error("module", "missing-part", "a function of the host has no name or no type");
    auto function = std::make_shared<ir::Function>();
    function->name = name;
    function->type = *unwrap(type);
    function->external = External{parallel != 0};
    builder->module.functions.push_back(std::move(function));
  });
  return builder->status();
}

vr_fn* vr_builder_function(vr_builder* builder, const char* name, size_t result_count, const vr_type* const* results) {
  vr_fn* made = nullptr;
  if (!builder) return nullptr;
  builder->attempt([&] {
    if (!name || (result_count > 0 && !results))
      return builder->error("module", "missing-part",
                            name ? "a function's results are NULL" : "a function has no name");
    auto function = std::make_shared<ir::Function>();
    function->name = name;
    std::vector<Type> outs;
    for (size_t k = 0; k < result_count; ++k) {
      if (!results[k])
        return builder->error(fmt::format("function {}", name), "missing-part", "the type of a result is NULL");
      outs.push_back(*unwrap(results[k]));
    }
    function->type = Type::function({}, std::move(outs));
    vr_fn& f = builder->fns.emplace_back();
    f.builder = builder;
    f.function = function;
    f.blocks.emplace_back();
    builder->module.functions.push_back(std::move(function));
    made = &f;
  });
  return made;
}
vr_status vr_fn_set_location(vr_fn* f, const char* loc) {
  return statement(f, [&] { f->function->loc = loc ? loc : ""; });
}
vr_expr* vr_fn_parameter(vr_fn* f, const char* name, const vr_type* type) { return declare(f, name, type, true); }
vr_expr* vr_fn_variable(vr_fn* f, const char* name, const vr_type* type) { return declare(f, name, type, false); }

vr_status vr_stmt_location(vr_fn* f, const char* loc) {
  return statement(f, [&] { f->loc = loc ? loc : ""; });
}
vr_status vr_stmt_assign(vr_fn* f, const vr_expr* target, const vr_expr* value) {
  vr_expr* const targets[] = {const_cast<vr_expr*>(target)};
  return vr_stmt_assign_all(f, 1, targets, value);
}
vr_status vr_stmt_assign_all(vr_fn* f, size_t count, vr_expr* const* targets, const vr_expr* value) {
  return statement(f, [&] {
    std::vector<ExprPtr> to;
    const bool ok = parts(f, count, targets, "assignstmt", &to);
    ExprPtr v = part(f, value, "assignstmt");
    if (ok && v) add(f, make<Assign>(f, std::move(to), std::move(v)));
  });
}
vr_status vr_stmt_list_begin(vr_fn* f, int32_t on_gpu) {
  return statement(f, [&] {
    OpenBlock b;
    b.on_gpu = on_gpu != 0;
    open(f, std::move(b));
  });
}
vr_status vr_stmt_for_begin(vr_fn* f, size_t count, vr_expr* const* variables, const vr_expr* domain) {
  return statement(f, [&] { open_loop(f, Kind::For, count, variables, domain, 0, nullptr); });
}
vr_status vr_stmt_pfor_begin(vr_fn* f, size_t count, vr_expr* const* variables, const vr_expr* domain,
                             size_t shared_count, vr_expr* const* shared) {
  return statement(f, [&] { open_loop(f, Kind::PFor, count, variables, domain, shared_count, shared); });
}
vr_status vr_stmt_while_begin(vr_fn* f, const vr_expr* test) {
  return statement(f, [&] { open_test(f, Kind::While, test); });
}
vr_status vr_stmt_if_begin(vr_fn* f, const vr_expr* test) {
  return statement(f, [&] { open_test(f, Kind::If, test); });
}
vr_status vr_stmt_else(vr_fn* f) {
  return statement(f, [&] {
    OpenBlock& b = f->blocks.back();
    if (f->blocks.size() == 1 || b.kind != Kind::If || b.in_else)
      return f->error("no-open-block", "'else' outside an if", "it comes once, in the block of vr_stmt_if_begin");
    b.in_else = true;
  });
}
vr_status vr_stmt_end(vr_fn* f) {
  return statement(f, [&] {
    if (f->blocks.size() == 1) return f->error("no-open-block", "'end' without an open block");
    OpenBlock b = std::move(f->blocks.back());
    f->blocks.pop_back();
    if (StmtPtr s = closed(std::move(b))) add(f, std::move(s));
  });
}
vr_status vr_stmt_break(vr_fn* f) {
  return statement(f, [&] { add(f, make<Break>(f)); });
}
vr_status vr_stmt_continue(vr_fn* f) {
  return statement(f, [&] { add(f, make<Continue>(f)); });
}
vr_status vr_stmt_return(vr_fn* f, size_t count, vr_expr* const* values) {
  return statement(f, [&] {
    std::vector<ExprPtr> list;
    if (parts(f, count, values, "returnstmt", &list)) add(f, make<Return>(f, std::move(list)));
  });
}
vr_status vr_stmt_raise(vr_fn* f, int32_t code, const char* text, size_t count, vr_expr* const* numbers) {
  return statement(f, [&] {
    if (!text) return f->error("missing-part", "the text of 'raise' is NULL");
    std::vector<ExprPtr> list;
    if (parts(f, count, numbers, "raise", &list)) add(f, make<Raise>(f, code, std::string(text), std::move(list)));
  });
}
vr_status vr_stmt_expr(vr_fn* f, const vr_expr* e) {
  return statement(f, [&] {
    if (ExprPtr x = part(f, e, "exprstmt")) add(f, make<ExprStmt>(f, std::move(x)));
  });
}

}  // extern "C"
