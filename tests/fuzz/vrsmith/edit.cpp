#include "edit.hpp"

#include "generator.hpp"
#include "ir/sharing.hpp"

#include <velociraptor/ir/visit.hpp>

#include <cstring>

namespace vr::smith {

namespace {

Program with_module(const Program& p, ir::Module m) {
  Program q = p;
  q.module = std::make_shared<const ir::Module>(std::move(m));
  return q;
}

/// Calls f for each statement. f returns the statements that replace it, or nullopt to visit its children.
using Edit = std::function<std::optional<ir::Body>(int index, const StmtPtr&)>;

ir::Body edited(const ir::Body& body, int& index, const Edit& f) {
  ir::Body out;
  for (const StmtPtr& s : body) {
    const int here = index++;
    if (auto r = f(here, s)) {
      out.insert(out.end(), r->begin(), r->end());
      // Its children have numbers too.
      ir::walk_stmts({s}, [&](const ir::Stmt& x) { index += &x != s.get(); });
      continue;
    }
    auto copy = [&](auto node) {
      auto n = std::make_shared<std::decay_t<decltype(node)>>(node);
      return n;
    };
    if (auto* n = ir::as<ir::StmtList>(s)) {
      auto c = copy(*n);
      c->stmts = edited(n->stmts, index, f);
      out.push_back(c);
    } else if (auto* n = ir::as<ir::For>(s)) {
      auto c = copy(*n);
      c->body = edited(n->body, index, f);
      out.push_back(c);
    } else if (auto* n = ir::as<ir::PFor>(s)) {
      auto c = copy(*n);
      c->body = edited(n->body, index, f);
      out.push_back(c);
    } else if (auto* n = ir::as<ir::While>(s)) {
      auto c = copy(*n);
      c->body = edited(n->body, index, f);
      out.push_back(c);
    } else if (auto* n = ir::as<ir::If>(s)) {
      auto c = copy(*n);
      c->then_body = edited(n->then_body, index, f);
      c->else_body = edited(n->else_body, index, f);
      out.push_back(c);
    } else {
      out.push_back(s);
    }
  }
  return out;
}

Program edited(const Program& p, const Edit& f) {
  ir::Module m = *p.module;
  int index = 0;
  for (ir::FunctionPtr& fn : m.functions) {
    auto copy = std::make_shared<ir::Function>(*fn);
    copy->body = edited(fn->body, index, f);
    fn = copy;
  }
  return with_module(p, std::move(m));
}

std::vector<ir::Body> bodies_of(const StmtPtr& s) {
  if (auto* n = ir::as<ir::StmtList>(s)) return {n->stmts};
  if (auto* n = ir::as<ir::For>(s)) return {n->body};
  if (auto* n = ir::as<ir::PFor>(s)) return {n->body};
  if (auto* n = ir::as<ir::While>(s)) return {n->body};
  if (auto* n = ir::as<ir::If>(s)) return {n->then_body, n->else_body};
  return {};
}

int64_t nodes(const ir::Expr& e) {
  int64_t n = 0;
  ir::walk_exprs(std::shared_ptr<const ir::Expr>(std::shared_ptr<void>(), &e), [&](const ir::Expr& x) {
    n += x.kind == Kind::Name || x.kind == Kind::IntConst || x.kind == Kind::FloatConst || x.kind == Kind::ComplexConst
             ? 2
             : 4;
    if (x.kind == Kind::Cast) n -= 1;
    if (x.kind == Kind::FnCall) n += 1;
    if (auto* i = ir::as<ir::IntConst>(&x)) n += i->value != 0;
    if (auto* i = ir::as<ir::FloatConst>(&x)) n += i->value != 0;
    if (auto* i = ir::as<ir::Index>(&x)) {
      n += i->copyslice.has_value() + i->flatten.has_value();
      for (const ir::Subscript& s : i->subscripts) n += s.negative + !s.minbounds + !s.maxbounds + s.grow.has_value();
    }
  });
  return n;
}

std::vector<ExprPtr> simpler_forms(const ExprPtr& e) {
  std::vector<ExprPtr> out;
  const Type& t = e->type;
  if (t.is_scalar()) {
    if (t.complex) {
      out.push_back(std::make_shared<ir::ComplexConst>(t, 0, 0));
    } else {
      out.push_back(std::make_shared<ir::IntConst>(t, 0));
      out.push_back(std::make_shared<ir::IntConst>(t, 1));
    }
  }
  ir::for_each_child(*e, {[&](const ExprPtr& c) {
                            if (c->type.kind != t.kind || !t.is_numeric()) return;
                            if (t.is_array() && c->type.rank != t.rank) return;
                            if (c->type.elem == t.elem && c->type.complex == t.complex) return out.push_back(c);
                            if (e->kind != Kind::Cast || c->kind == Kind::Name)
                              out.push_back(std::make_shared<ir::Cast>(t, c));
                          },
                          {}});
  if (auto* n = ir::as<ir::Index>(e)) {
    auto change = [&](const std::function<void(ir::Index&)>& f) {
      auto c = std::make_shared<ir::Index>(*n);
      f(*c);
      out.push_back(c);
    };
    if (n->copyslice) change([](ir::Index& x) { x.copyslice.reset(); });
    if (n->flatten) change([](ir::Index& x) { x.flatten.reset(); });
    for (size_t k = 0; k < n->subscripts.size(); ++k) {
      change([&](ir::Index& x) { x.subscripts[k].negative = false; });
      change([&](ir::Index& x) { x.subscripts[k].minbounds = x.subscripts[k].maxbounds = true; });
      change([&](ir::Index& x) { x.subscripts[k].grow.reset(); });
      auto* r = ir::as<ir::Range>(n->subscripts[k].value);
      if (r && (r->start || r->stop || r->step))
        change([&](ir::Index& x) {
          x.subscripts[k].value = std::make_shared<ir::Range>(Type::null(), std::nullopt, nullptr, nullptr, nullptr);
        });
    }
  }
  if (auto* n = ir::as<ir::FnCall>(e)) out.push_back(std::make_shared<ir::LibCall>(n->type, n->callee, n->args));
  if (auto* n = ir::as<ir::Alloc>(e))
    if (n->func == ir::AllocFunc::Ones) out.push_back(std::make_shared<ir::Alloc>(t, ir::AllocFunc::Zeros, n->args));
  std::vector<ExprPtr> smaller;
  for (const ExprPtr& x : out)
    if (nodes(*x) < nodes(*e)) smaller.push_back(x);
  return smaller;
}

}  // namespace

int statements(const ir::Module& m) {
  int n = 0;
  for (const auto& f : m.functions) ir::walk_stmts(f->body, [&](const ir::Stmt&) { ++n; });
  return n;
}

Program without_statements(const Program& p, int first, int count) {
  return edited(p, [&](int k, const StmtPtr&) {
    return k >= first && k < first + count ? std::optional(ir::Body{}) : std::nullopt;
  });
}

std::optional<Program> unwrapped(const Program& p, int statement, int which) {
  bool done = false;
  Program q = edited(p, [&](int k, const StmtPtr& s) -> std::optional<ir::Body> {
    if (k != statement) return {};
    const auto bodies = bodies_of(s);
    if (which >= static_cast<int>(bodies.size())) return {};
    done = true;
    return bodies[static_cast<size_t>(which)];
  });
  if (!done) return {};
  return q;
}

int expressions(const ir::Module& m) {
  int n = 0;
  for (const auto& f : m.functions)
    ir::rewrite(f->body, ir::Rewriter{[&](const ExprPtr& e) {
                                        ++n;
                                        return e;
                                      },
                                      {}});
  return n;
}

std::optional<Program> simplified(const Program& p, int expression, int which) {
  ir::Module m = *p.module;
  int index = 0;
  bool done = false;
  for (ir::FunctionPtr& f : m.functions) {
    auto copy = std::make_shared<ir::Function>(*f);
    copy->body = ir::rewrite(f->body, ir::Rewriter{[&](const ExprPtr& e) {
                                                     if (index++ != expression) return e;
                                                     auto forms = simpler_forms(e);
                                                     if (which >= static_cast<int>(forms.size())) return e;
                                                     done = true;
                                                     return forms[static_cast<size_t>(which)];
                                                   },
                                                   {}});
    f = copy;
  }
  if (!done) return {};
  return with_module(p, std::move(m));
}

Program without_function(const Program& p, size_t k) {
  ir::Module m = *p.module;
  m.functions.erase(m.functions.begin() + static_cast<std::ptrdiff_t>(k));
  return with_module(p, std::move(m));
}

std::optional<Program> without_parameter(const Program& p, size_t function, size_t k) {
  ir::Module m = *p.module;
  auto f = std::make_shared<ir::Function>(*m.functions[function]);
  std::vector<Type> ins = f->type.components(), outs = f->type.outputs();
  if (k >= ins.size()) return {};
  const auto at = static_cast<std::ptrdiff_t>(k);
  ins.erase(ins.begin() + at);
  f->args.erase(f->args.begin() + at);
  f->type = Type::function(ins, outs);
  const std::string name = f->name;
  m.functions[function] = f;
  for (ir::FunctionPtr& g : m.functions) {
    auto copy = std::make_shared<ir::Function>(*g);
    copy->body = ir::rewrite(g->body, ir::Rewriter{[&](const ExprPtr& e) -> ExprPtr {
                                                     auto* c = ir::as<ir::FnCall>(e);
                                                     if (!c || c->callee != name || k >= c->args.size()) return e;
                                                     auto n = std::make_shared<ir::FnCall>(*c);
                                                     n->args.erase(n->args.begin() + at);
                                                     return n;
                                                   },
                                                   {}});
    g = copy;
  }
  Program q = with_module(p, std::move(m));
  if (name == p.entry) {
    for (const Input& in : q.inputs)
      if (in.same_as >= 0 || in.follows >= 0) return {};
    q.inputs.erase(q.inputs.begin() + at);
  }
  return q;
}

std::optional<Program> without_result(const Program& p, size_t function, size_t k) {
  ir::Module m = *p.module;
  auto f = std::make_shared<ir::Function>(*m.functions[function]);
  std::vector<Type> ins = f->type.components(), outs = f->type.outputs();
  if (k >= outs.size()) return {};
  const auto at = static_cast<std::ptrdiff_t>(k);
  outs.erase(outs.begin() + at);
  f->type = Type::function(ins, outs);
  const std::string name = f->name;
  f->body = ir::rewrite(f->body, ir::Rewriter{{}, [&](const StmtPtr& s) -> ir::Body {
                                                auto* r = ir::as<ir::Return>(s);
                                                if (!r || k >= r->exprs.size()) return {s};
                                                auto n = std::make_shared<ir::Return>(*r);
                                                n->exprs.erase(n->exprs.begin() + at);
                                                return {n};
                                              }});
  m.functions[function] = f;
  const Type result = outs.empty() ? Type::void_() : outs.size() == 1 ? outs[0] : Type::tuple(outs);
  for (ir::FunctionPtr& g : m.functions) {
    auto copy = std::make_shared<ir::Function>(*g);
    auto call = [&](const ExprPtr& e) -> ExprPtr {
      auto* c = ir::as<ir::FnCall>(e);
      if (!c || c->callee != name) return e;
      auto n = std::make_shared<ir::FnCall>(*c);
      n->type = result;
      return n;
    };
    auto stmt = [&](const StmtPtr& s) -> ir::Body {
      auto* a = ir::as<ir::Assign>(s);
      auto* c = a ? ir::as<ir::FnCall>(a->value) : nullptr;
      if (!c || c->callee != name) return {s};
      if (outs.empty()) return {std::make_shared<ir::ExprStmt>(a->value)};
      auto n = std::make_shared<ir::Assign>(*a);
      if (k < n->targets.size() && n->targets.size() > 1) n->targets.erase(n->targets.begin() + at);
      return {n};
    };
    copy->body = ir::rewrite(g->body, ir::Rewriter{call, stmt});
    g = copy;
  }
  Program q = with_module(p, std::move(m));
  if (name == p.entry && k < q.exact.size()) q.exact.erase(q.exact.begin() + at);
  return q;
}

Program without_unused_symbols(const Program& p) {
  ir::Module m = *p.module;
  for (ir::FunctionPtr& f : m.functions) {
    std::set<SymbolId> used(f->args.begin(), f->args.end());
    std::set<std::string> called;
    ir::walk_stmts(f->body, [&](const ir::Stmt& s) {
      if (auto* n = ir::as<ir::For>(&s)) used.insert(n->itervars.begin(), n->itervars.end());
      if (auto* n = ir::as<ir::PFor>(&s)) {
        used.insert(n->itervars.begin(), n->itervars.end());
        if (n->shared) used.insert(n->shared->begin(), n->shared->end());
      }
    });
    ir::walk_exprs(f->body, [&](const ir::Expr& x) {
      if (auto id = ir::named_variable(x)) used.insert(*id);
      if (auto* n = ir::as<ir::FnCall>(&x)) called.insert(n->callee);
    });
    auto copy = std::make_shared<ir::Function>(*f);
    copy->symbols = {};
    for (const ir::Symbol& s : f->symbols.all())
      if (used.count(s.id) || (s.type.is_function() && called.count(s.name))) copy->symbols.add(s);
    f = copy;
  }
  return with_module(p, std::move(m));
}

Program without_places(const Program& p) {
  ir::Module m = *p.module;
  for (ir::FunctionPtr& f : m.functions) {
    auto copy = std::make_shared<ir::Function>(*f);
    copy->loc.clear();
    copy->body = ir::rewrite(f->body, ir::Rewriter{{}, [](const StmtPtr& s) -> ir::Body {
                                                     if (s->loc.empty()) return {s};
                                                     return {ir::visit(*s, [](const auto& n) -> StmtPtr {
                                                       auto c = std::make_shared<std::decay_t<decltype(n)>>(n);
                                                       c->loc.clear();
                                                       return c;
                                                     })};
                                                   }});
    f = copy;
  }
  return with_module(p, std::move(m));
}

std::optional<Program> without_attribute(const Program& p, int which) {
  ir::Module m = *p.module;
  int k = 0;
  bool done = false, more = false;
  auto each = [&](auto& attribute) {
    more = more || k >= which;
    if (k++ == which && attribute) {
      attribute.reset();
      done = true;
    }
  };
  ir::ConventionAttrs& a = m.attrs;
  each(a.indexing), each(a.exclude), each(a.flatten), each(a.grow), each(a.assign), each(a.slices), each(a.nan);
  each(a.mindims), each(a.fast_math), each(a.broadcast);
  if (!more) return {};
  return done ? with_module(p, std::move(m)) : p;
}

namespace {

void fill(Input& in, const std::function<int64_t(int64_t)>& value) {
  const size_t width = static_cast<size_t>(ir::elem_bytes(in.type.elem)), parts = in.type.complex ? 2 : 1;
  for (size_t k = 0; k < in.bytes.size() / width; ++k) {
    const int64_t v = k % parts ? 0 : value(static_cast<int64_t>(k / parts));
    uint8_t* p = in.bytes.data() + k * width;
    ir::visit_elem(in.type.elem, [&](auto tag) {
      using T = typename decltype(tag)::type;
      const T x = tag.kind == ir::ElemKind::Logical ? T(v != 0) : static_cast<T>(v);
      std::memcpy(p, &x, sizeof x);
    });
  }
}

}  // namespace

std::optional<Program> simpler_input(const Program& p, size_t k, int which) {
  Program q = p;
  Input& in = q.inputs[k];
  if (in.type.is_scalar()) {
    if (which > 2) return {};
    Input one = in;
    one.bytes.assign(sizeof(vr_value), 0);
    one.bytes.resize(static_cast<size_t>(ir::elem_bytes(in.type.elem)) * (in.type.complex ? 2 : 1));
    fill(one, [&](int64_t) { return which; });
    in.scalar = {};
    std::memcpy(&in.scalar, one.bytes.data(), one.bytes.size());
    return q;
  }
  switch (which) {
    case 0:
      if (in.same_as >= 0) {
        in.bytes = q.inputs[static_cast<size_t>(in.same_as)].bytes;
        in.steps.clear();
        in.same_as = -1;
      }
      in.follows = in.window = -1;
      return q;
    case 1:
      in.steps.clear();
      in.column = false;
      return q;
    case 2:
      fill(in, [](int64_t) { return 0; });
      return q;
    case 3:
      fill(in, [](int64_t i) { return i; });
      return q;
    case 4:
      fill(in, [](int64_t) { return 1; });
      return q;
    default:
      return {};
  }
}

std::optional<Program> baked_input(const Program& p, size_t k) {
  const Input& in = p.inputs[k];
  if (!in.type.is_array() || in.same_as >= 0 || in.overlaps() || count(in.extents) > 100) return {};
  for (const Input& x : p.inputs)
    if (x.same_as >= 0 || x.follows >= 0) return {};
  ir::Module m = *p.module;
  const ir::Conventions conv = m.attrs.resolve(ir::Conventions::numpy());
  for (ir::FunctionPtr& f : m.functions) {
    if (f->name != p.entry) continue;
    auto copy = std::make_shared<ir::Function>(*f);
    std::vector<Type> ins = f->type.components();
    const SymbolId id = f->args[k];
    ins.erase(ins.begin() + static_cast<std::ptrdiff_t>(k));
    copy->args.erase(copy->args.begin() + static_cast<std::ptrdiff_t>(k));
    copy->type = Type::function(ins, f->type.outputs());
    ir::Body body;
    std::vector<ExprPtr> extents;
    for (int64_t n : in.extents) extents.push_back(std::make_shared<ir::IntConst>(Type::scalar(Elem::Int64), n));
    Type made = in.type;
    if (made.layout == Layout::Strided) made.layout = Layout::RowMajor;
    auto assign = [&](ExprPtr target, ExprPtr value) {
      body.push_back(std::make_shared<ir::Assign>(std::vector<ExprPtr>{std::move(target)}, std::move(value)));
    };
    assign(std::make_shared<ir::Name>(in.type, id), std::make_shared<ir::Alloc>(made, ir::AllocFunc::Zeros, extents));
    const size_t width = static_cast<size_t>(ir::elem_bytes(in.type.elem)), parts = in.type.complex ? 2 : 1;
    Shape at(in.extents.size(), 0);
    const Type t = in.type.element();
    for (int64_t n = 0; n < count(in.extents); ++n) {
      const uint8_t* b = in.bytes.data() + static_cast<size_t>(n) * width * parts;
      double number[2] = {0, 0};
      int64_t whole = 0;
      bool zero = true;
      for (size_t i = 0; i < width * parts; ++i) zero = zero && b[i] == 0;
      for (size_t i = 0; i < parts; ++i) {
        const uint8_t* x = b + i * width;
        ir::visit_elem(in.type.elem, [&](auto tag) {
          typename decltype(tag)::type v;
          std::memcpy(&v, x, sizeof v);
          number[i] = static_cast<double>(v);
          if (i == 0) whole = tag.kind == ir::ElemKind::Floating ? 0 : static_cast<int64_t>(v);
        });
      }
      if (!zero) {
        std::vector<ir::Subscript> subs;
        for (int64_t i : at) {
          ir::Subscript s;
          s.value = std::make_shared<ir::IntConst>(Type::scalar(Elem::Int64), i + conv.indexing);
          subs.push_back(s);
        }
        ExprPtr v;
        if (in.type.complex)
          v = std::make_shared<ir::ComplexConst>(t, number[0], number[1]);
        else if (ir::is_float(t.elem))
          v = std::make_shared<ir::FloatConst>(t, number[0]);
        else
          v = std::make_shared<ir::IntConst>(t, whole);
        assign(std::make_shared<ir::Index>(t, id, std::move(subs)), v);
      }
      for (size_t d = at.size(); d-- > 0;) {
        if (++at[d] < in.extents[d]) break;
        at[d] = 0;
      }
    }
    body.insert(body.end(), f->body.begin(), f->body.end());
    copy->body = std::move(body);
    f = copy;
  }
  Program q = with_module(p, std::move(m));
  q.inputs.erase(q.inputs.begin() + static_cast<std::ptrdiff_t>(k));
  return q;
}

int64_t cost(const Program& p) {
  int64_t n = 0;
  for (const auto& f : p.module->functions) {
    n += 20 + 4 * static_cast<int64_t>(f->args.size() + f->type.outputs().size()) +
         static_cast<int64_t>(f->symbols.all().size());
    ir::walk_stmts(f->body, [&](const ir::Stmt& s) {
      n += 6;
      if (!s.loc.empty()) ++n;
      if (auto* x = ir::as<ir::StmtList>(&s)) n += x->on_gpu;
      if (s.kind == Kind::PFor) n += 3;
      ir::for_each_child(s, {[&](const ExprPtr& e) { n += nodes(*e); }, {}});
    });
  }
  const ir::ConventionAttrs& a = p.module->attrs;
  n += a.indexing.has_value() + a.exclude.has_value() + a.flatten.has_value() + a.grow.has_value() +
       a.assign.has_value() + a.slices.has_value() + a.nan.has_value() + a.mindims.has_value() +
       a.fast_math.has_value() + a.broadcast.has_value();
  return n;
}

}  // namespace vr::smith
