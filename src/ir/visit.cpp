// Generic traversal, rewriting, comparison and hashing: each consists of a few overloads for the types of fields,
// applied to the fields() of every node.
#include <velociraptor/ir/visit.hpp>

#include <bit>
#include <type_traits>

namespace vr::ir {

namespace {

template <class N, class F>
void for_each_field(const N&, F&& f) {
  std::apply([&](auto... field) { (f(field.member), ...); }, N::fields());
}

// ---- children
void children(const ExprPtr& e, const ChildVisitor& v) {
  if (e && v.on_expr) v.on_expr(e);
}
void children(const StmtPtr& s, const ChildVisitor& v) {
  if (s && v.on_stmt) v.on_stmt(s);
}
void children(const Subscript& s, const ChildVisitor& v) { children(s.value, v); }
template <class T>
void children(const std::vector<T>& list, const ChildVisitor& v) {
  if constexpr (!std::is_arithmetic_v<T>)
    for (const T& x : list) children(x, v);
}
template <class T>
void children(const T&, const ChildVisitor&) {}

// ---- equality
bool same(const ExprPtr& a, const ExprPtr& b) { return a == b || (a && b && equal(*a, *b)); }
bool same(const StmtPtr& a, const StmtPtr& b) { return a == b || (a && b && equal(*a, *b)); }
bool same(const Subscript& a, const Subscript& b) {
  return same(a.value, b.value) && a.minbounds == b.minbounds && a.maxbounds == b.maxbounds &&
         a.negative == b.negative && a.grow == b.grow;
}
// Bitwise, so that NaN constants and the two zeros keep their identity.
bool same(double a, double b) { return std::bit_cast<uint64_t>(a) == std::bit_cast<uint64_t>(b); }
template <class T>
bool same(const T& a, const T& b) { return a == b; }
template <class T>
bool same(const std::vector<T>& a, const std::vector<T>& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i)
    if (!same(a[i], b[i])) return false;
  return true;
}

// ---- hash
void mix(size_t& h, size_t x) { h ^= x + 0x9e3779b97f4a7c15ull + (h << 6) + (h >> 2); }
void add(size_t& h, const ExprPtr& e) { mix(h, e ? hash(*e) : 0); }
void add(size_t& h, const StmtPtr& s) { mix(h, s ? hash(*s) : 0); }
void add(size_t& h, double d) { mix(h, std::bit_cast<uint64_t>(d)); }
void add(size_t& h, const std::string& s) { mix(h, std::hash<std::string>()(s)); }
template <class T>
void add(size_t& h, const std::optional<T>& o);
template <class T>
void add(size_t& h, const std::vector<T>& v);
void add(size_t& h, const Subscript& s) {
  add(h, s.value);
  mix(h, size_t(s.minbounds) | size_t(s.maxbounds) << 1 | size_t(s.negative) << 2 |
             size_t(s.grow ? 1 + *s.grow : 0) << 3);
}
template <class T>
void add(size_t& h, const T& x) { mix(h, static_cast<size_t>(x)); }
template <class T>
void add(size_t& h, const std::optional<T>& o) {
  mix(h, o.has_value());
  if (o) add(h, *o);
}
template <class T>
void add(size_t& h, const std::vector<T>& v) {
  mix(h, v.size());
  for (const T& x : v) add(h, x);
}
void add_type(size_t& h, const Type& t) {
  mix(h, size_t(t.kind) | size_t(t.elem) << 4 | size_t(t.complex) << 8 | size_t(t.layout) << 9 | size_t(t.rank) << 12);
  for (const Type& p : t.components()) add_type(h, p);
  for (const Type& p : t.outputs()) add_type(h, p);
}

// ---- rewrite
ExprPtr rewritten(const ExprPtr& e, const Rewriter& r) { return e ? rewrite(e, r) : e; }
Subscript rewritten(const Subscript& s, const Rewriter& r) {
  Subscript t = s;
  t.value = rewritten(s.value, r);
  return t;
}
template <class T>
std::vector<T> rewritten(const std::vector<T>& v, const Rewriter& r) {
  if constexpr (std::is_same_v<T, StmtPtr>) {
    return rewrite(v, r);
  } else if constexpr (std::is_arithmetic_v<T>) {
    return v;
  } else {
    std::vector<T> out;
    out.reserve(v.size());
    for (const T& x : v) out.push_back(rewritten(x, r));
    return out;
  }
}
template <class T>
T rewritten(const T& x, const Rewriter&) { return x; }

bool identical(const ExprPtr& a, const ExprPtr& b) { return a == b; }
bool identical(const StmtPtr& a, const StmtPtr& b) { return a == b; }
bool identical(const Subscript& a, const Subscript& b) { return a.value == b.value; }
// Attributes are never rewritten.
template <class T>
bool identical(const T&, const T&) { return true; }
template <class T>
bool identical(const std::vector<T>& a, const std::vector<T>& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i)
    if (!identical(a[i], b[i])) return false;
  return true;
}

// The node with rewritten children: the same pointer if no child changed.
template <class N, class P>
P rebuild(const N& n, const P& original, const Rewriter& r) {
  std::shared_ptr<N> copy;
  for_each_field(n, [&](auto member) {
    auto value = rewritten(n.*member, r);
    if (identical(value, n.*member)) return;
    if (!copy) copy = std::make_shared<N>(n);
    (*copy).*member = std::move(value);
  });
  return copy ? P(std::move(copy)) : original;
}

}  // namespace

void for_each_child(const Expr& e, const ChildVisitor& v) {
  visit(e, [&](const auto& n) { for_each_field(n, [&](auto member) { children(n.*member, v); }); });
}
void for_each_child(const Stmt& s, const ChildVisitor& v) {
  visit(s, [&](const auto& n) { for_each_field(n, [&](auto member) { children(n.*member, v); }); });
}

namespace {
void walk(const Expr& e, const std::function<void(const Expr&)>& f) {
  f(e);
  for_each_child(e, {[&](const ExprPtr& c) { walk(*c, f); }, {}});
}
}  // namespace

void walk_exprs(const ExprPtr& e, const std::function<void(const Expr&)>& f) {
  if (e) walk(*e, f);
}
void walk_exprs(const Body& body, const std::function<void(const Expr&)>& f) {
  for (const StmtPtr& s : body)
    for_each_child(*s, {[&](const ExprPtr& c) { walk(*c, f); }, [&](const StmtPtr& c) { walk_exprs(Body{c}, f); }});
}
void walk_stmts(const Body& body, const std::function<void(const Stmt&)>& f) {
  for (const StmtPtr& s : body) {
    f(*s);
    for_each_child(*s, {{}, [&](const StmtPtr& c) { walk_stmts({c}, f); }});
  }
}

ExprPtr rewrite(const ExprPtr& e, const Rewriter& r) {
  ExprPtr n = visit(*e, [&](const auto& node) { return rebuild(node, e, r); });
  return r.expr ? r.expr(n) : n;
}

Body rewrite(const Body& body, const Rewriter& r) {
  Body out;
  out.reserve(body.size());
  for (const StmtPtr& s : body) {
    StmtPtr n = visit(*s, [&](const auto& node) { return rebuild(node, s, r); });
    if (!r.stmt) {
      out.push_back(std::move(n));
      continue;
    }
    for (StmtPtr& t : r.stmt(n)) out.push_back(std::move(t));
  }
  return out;
}

bool equal(const Expr& a, const Expr& b) {
  if (a.kind != b.kind || !(a.type == b.type)) return false;
  return visit(a, [&](const auto& x) {
    const auto& y = static_cast<const std::decay_t<decltype(x)>&>(b);
    bool eq = true;
    for_each_field(x, [&](auto member) { eq = eq && same(x.*member, y.*member); });
    return eq;
  });
}
bool equal(const Stmt& a, const Stmt& b) {
  if (a.kind != b.kind || a.loc != b.loc) return false;
  return visit(a, [&](const auto& x) {
    const auto& y = static_cast<const std::decay_t<decltype(x)>&>(b);
    bool eq = true;
    for_each_field(x, [&](auto member) { eq = eq && same(x.*member, y.*member); });
    return eq;
  });
}
bool equal(const Body& a, const Body& b) { return same(a, b); }

bool equal(const Function& a, const Function& b) {
  if (a.name != b.name || !(a.type == b.type) || a.args != b.args || a.loc != b.loc || a.external != b.external)
    return false;
  const auto &s = a.symbols.all(), &t = b.symbols.all();
  if (s.size() != t.size()) return false;
  for (size_t i = 0; i < s.size(); ++i)
    if (s[i].id != t[i].id || s[i].name != t[i].name || !(s[i].type == t[i].type)) return false;
  return equal(a.body, b.body);
}

bool equal(const Module& a, const Module& b) {
  if (a.name != b.name || !(a.attrs == b.attrs) || a.version != b.version || a.functions.size() != b.functions.size())
    return false;
  for (size_t i = 0; i < a.functions.size(); ++i)
    if (!equal(*a.functions[i], *b.functions[i])) return false;
  return true;
}

size_t hash(const Expr& e) {
  size_t h = static_cast<size_t>(e.kind);
  add_type(h, e.type);
  visit(e, [&](const auto& n) { for_each_field(n, [&](auto member) { add(h, n.*member); }); });
  return h;
}
size_t hash(const Stmt& s) {
  size_t h = static_cast<size_t>(s.kind);
  add(h, s.loc);
  visit(s, [&](const auto& n) { for_each_field(n, [&](auto member) { add(h, n.*member); }); });
  return h;
}
size_t hash(const Module& m) {
  size_t h = std::hash<std::string>()(m.name);
  for (const FunctionPtr& f : m.functions) {
    add(h, f->name);
    add_type(h, f->type);
    mix(h, f->external ? 1 + size_t(f->external->parallel) : 0);
    add(h, f->args);
    for (const Symbol& s : f->symbols.all()) {
      add(h, s.id);
      add(h, s.name);
      add_type(h, s.type);
    }
    add(h, f->body);
  }
  return h;
}

}  // namespace vr::ir
