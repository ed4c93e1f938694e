#include "coverage.hpp"

#include "ir/library.hpp"
#include "ir/typing.hpp"

#include <velociraptor/ir/visit.hpp>

#include <fmt/format.h>

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace vr::smith {

namespace {

using ir::Kind;
using Note = std::function<void(const std::string&)>;

// ---- attributes: fields of a node other than its children
std::string word(bool v) { return v ? "true" : "false"; }
std::string word(const std::optional<bool>& v) { return v ? word(*v) : "left out"; }
std::string word(ir::AllocFunc f) {
  return f == ir::AllocFunc::Ones ? "ones" : f == ir::AllocFunc::Zeros ? "zeros" : "empty";
}
std::string word(ir::AtomicOp op) {
  static constexpr const char* names[] = {"cas", "add", "sub", "min", "max", "and", "or", "swap"};
  return names[static_cast<int>(op)];
}
std::string word(const std::optional<std::vector<ir::SymbolId>>& list) { return list ? "list" : "auto"; }

using SharedList = std::optional<std::vector<ir::SymbolId>>;
template <class T>
constexpr bool is_attribute =
    std::is_same_v<T, bool> || std::is_same_v<T, std::optional<bool>> || std::is_same_v<T, ir::AllocFunc> ||
    std::is_same_v<T, ir::AtomicOp> || std::is_same_v<T, SharedList>;
template <class T>
std::vector<T> values();
template <>
std::vector<bool> values<bool>() {
  return {false, true};
}
template <>
std::vector<std::optional<bool>> values<std::optional<bool>>() {
  return {std::nullopt, false, true};
}
template <>
std::vector<ir::AllocFunc> values<ir::AllocFunc>() {
  return {ir::AllocFunc::Zeros, ir::AllocFunc::Ones, ir::AllocFunc::Empty};
}
template <>
std::vector<ir::AtomicOp> values<ir::AtomicOp>() {
  using A = ir::AtomicOp;
  return {A::Cas, A::Add, A::Sub, A::Min, A::Max, A::And, A::Or, A::Swap};
}
template <>
std::vector<SharedList> values<SharedList>() {
  return {std::nullopt, std::vector<ir::SymbolId>{}};
}

const char* node_name(Kind k) {
  switch (k) {
#define VR_EXPR(Name, text) \
  case Kind::Name:          \
    return #Name;
#define VR_STMT(Name, text) VR_EXPR(Name, text)
#include <velociraptor/ir/nodes.def>
  }
  return "";
}

template <class C, class M>
M member_type(M C::*);

template <class N>
void all_attributes(const Note& note) {
  std::apply(
      [&](auto... f) {
        [[maybe_unused]] auto one = [&](auto field) {
          using T = decltype(member_type(field.member));
          if constexpr (is_attribute<T>)
            for (const auto& v : values<T>())
              note(fmt::format("{}.{} {}", node_name(N::static_kind), field.name, word(T(v))));
        };
        (one(f), ...);
      },
      N::fields());
}

template <class N>
void attributes(const N& n, const Note& note) {
  std::apply(
      [&](auto... f) {
        [[maybe_unused]] auto one = [&](auto field) {
          using T = decltype(member_type(field.member));
          if constexpr (is_attribute<T>)
            note(fmt::format("{}.{} {}", node_name(N::static_kind), field.name, word(n.*(field.member))));
        };
        (one(f), ...);
      },
      N::fields());
}

void subscript(const ir::Subscript& s, const Note& note) {
  note("subscript.minbounds " + word(s.minbounds));
  note("subscript.maxbounds " + word(s.maxbounds));
  note("subscript.negative " + word(s.negative));
  note("subscript.grow " + word(s.grow));
  if (s.value->type.is_domain() && s.value->kind != Kind::Range) note("use: domain variable as subscript");
  if (s.value->type.is_array()) note(s.value->type.elem == ir::Elem::Bool ? "use: mask" : "use: array as subscript");
}

void type_of(const ir::Type& t, const Note& note) {
  if (t.is_numeric())
    note(fmt::format("type {}{} {}", t.complex ? "complex " : "", ir::elem_name(t.elem),
                     t.is_array() ? ir::layout_name(t.layout) : "number"));
}

void index(const ir::Index& i, const ir::Function& f, const ir::Conventions& conv, bool target, const Note& note) {
  const ir::Type& a = f.symbols.at(i.array).type;
  const bool slice = i.type.is_array();
  if (slice && static_cast<int>(i.subscripts.size()) < a.rank && i.flatten.value_or(conv.flatten))
    note(fmt::format("use: flattened slice of {}, {} subscripts, {}",
                     a.layout == ir::Layout::Strided ? "strided" : "contiguous",
                     i.subscripts.size() > 1 ? "several" : "one", target ? "stored to" : "read"));
}

const char* const uses[] = {"domain variable as subscript",
                            "mask",
                            "array as subscript",
                            "flattened slice of contiguous, one subscripts, read",
                            "flattened slice of contiguous, one subscripts, stored to",
                            "flattened slice of contiguous, several subscripts, read",
                            "flattened slice of contiguous, several subscripts, stored to",
                            "flattened slice of strided, one subscripts, read",
                            "flattened slice of strided, one subscripts, stored to",
                            "flattened slice of strided, several subscripts, read",
                            "flattened slice of strided, several subscripts, stored to",
                            "pfor in pfor",
                            "pfor in pfor, in a section",
                            "pfor over a triangle, in a section",
                            "views of one array in one pfor",
                            "views of one array in one pfor, one stored to",
                            "recursion",
                            "recursion with a tuple",
                            "recursion with a domain",
                            "tuple as parameter",
                            "domain as parameter",
                            "handle as parameter",
                            "tuple as result",
                            "domain as result",
                            "handle of a library function",
                            "handle of a module function"};

/// Node kinds that can state a type different from their natural one.
constexpr Kind stating[] = {
    Kind::Plus,  Kind::Minus,  Kind::Mult,     Kind::Div,      Kind::Lt,          Kind::Leq,       Kind::Gt,
    Kind::Geq,   Kind::Eq,     Kind::Neq,      Kind::And,      Kind::Or,          Kind::Not,       Kind::Negate,
    Kind::Index, Kind::FnCall, Kind::LibCall,  Kind::Dim,      Kind::DimVec,      Kind::TupleExpr, Kind::TupleIndex,
    Kind::Range, Kind::Domain, Kind::RealExpr, Kind::ImagExpr, Kind::ComplexExpr, Kind::Xchange};

void conventions(const ir::Conventions& c, const Note& note) {
  note(fmt::format("module.indexing {}", c.indexing));
  note("module.exclude " + word(c.exclude));
  note("module.flatten " + word(c.flatten));
  note("module.grow " + word(c.grow));
  note(std::string("module.assign ") + (c.assign == ir::AssignMode::Copy ? "copy" : "share"));
  note(std::string("module.slices ") + (c.slices == ir::SliceMode::Copy ? "copy" : "view"));
  note(std::string("module.nan ") + (c.nan == ir::NanMode::Omit ? "omit" : "propagate"));
  note(fmt::format("module.mindims {}", c.mindims));
  note(std::string("module.memory ") + (c.memory == ir::MemoryMode::Boehm ? "boehm" : "refcount"));
  note(fmt::format("module.broadcast {}", static_cast<int>(c.broadcast)));
}

}  // namespace

Coverage::Coverage() {
  const Note none = [&](const std::string& key) { counts_[key]; };
#define VR_EXPR(Name, text) none("node " #Name), all_attributes<ir::Name>(none);
#define VR_STMT(Name, text) VR_EXPR(Name, text)
#include <velociraptor/ir/nodes.def>
  for (bool b : {false, true})
    for (const char* what : {"minbounds", "maxbounds", "negative"}) none(fmt::format("subscript.{} {}", what, word(b)));
  for (const auto& v : values<std::optional<bool>>()) none("subscript.grow " + word(v));
  for (const ir::ElemInfo& e : ir::elem_table) {
    for (bool complex : {false, true}) {
      if (complex && ir::is_narrow_float(e.elem)) continue;
      type_of(ir::Type::scalar(e.elem, complex), none);
      for (ir::Layout l : {ir::Layout::RowMajor, ir::Layout::ColMajor, ir::Layout::Strided})
        type_of(ir::Type::array(e.elem, 1, l, complex), none);
    }
  }
#define VR_LIB(Id, name, ...) none(std::string("library ") + name);
#include "ir/library.def"
  for (const char* use : uses) none(std::string("use: ") + use);
  for (Kind k : stating) none(std::string("another type stated: ") + node_name(k));
  ir::Conventions other = ir::Conventions::matlab();
  conventions(ir::Conventions::numpy(), none);
  other.memory = ir::MemoryMode::Boehm;
  conventions(other, none);
  other.broadcast = ir::BroadcastMode::None;
  conventions(other, none);
}

namespace {

/// Counts parallel loops that access an array and a slice of it, or two slices.
void views(const ir::Function& f, const Note& note) {
  std::map<ir::SymbolId, ir::SymbolId> whole;  // maps a slice that shares elements to its array
  ir::walk_stmts(f.body, [&](const ir::Stmt& s) {
    auto* a = ir::as<ir::Assign>(&s);
    if (!a || a->targets.size() != 1) return;
    auto* to = ir::as<ir::Name>(a->targets[0]);
    auto* from = ir::as<ir::Index>(a->value);
    if (to && from && from->type.is_array() && from->copyslice == false) whole[to->id] = from->array;
  });
  if (whole.empty()) return;
  ir::walk_stmts(f.body, [&](const ir::Stmt& s) {
    auto* p = ir::as<ir::PFor>(&s);
    if (!p) return;
    std::map<ir::SymbolId, std::set<ir::SymbolId>> used;  // for each array, the slices of it that are used
    std::set<ir::SymbolId> stored;
    auto use = [&](ir::SymbolId id, bool write) {
      const auto it = whole.find(id);
      const ir::SymbolId all = it == whole.end() ? id : it->second;
      used[all].insert(id);
      if (write) stored.insert(all);
    };
    ir::walk_exprs(p->body, [&](const ir::Expr& e) {
      if (auto* i = ir::as<ir::Index>(&e)) use(i->array, false);
    });
    ir::walk_stmts(p->body, [&](const ir::Stmt& inner) {
      if (auto* a = ir::as<ir::Assign>(&inner))
        for (const ir::ExprPtr& t : a->targets)
          if (auto* i = ir::as<ir::Index>(t)) use(i->array, true);
    });
    for (const auto& [all, ids] : used)
      if (ids.size() > 1)
        note(stored.count(all) ? "use: views of one array in one pfor, one stored to" : "use: views of one array in one pfor");
  });
}

}  // namespace

void Coverage::add(const ir::Module& m) {
  std::set<std::string> seen;
  const Note note = [&](const std::string& key) { seen.insert(key); };
  const ir::Conventions conv = m.attrs.resolve(ir::Conventions::numpy());
  conventions(conv, note);
  for (const ir::FunctionPtr& f : m.functions) {
    bool recursive = false;
    auto expression = [&](const ir::Expr& e) {
      note(std::string("node ") + node_name(e.kind));
      type_of(e.type, note);
      if (!e.type.is_null() && !(e.type == ir::natural_type(e, {&m, f.get(), conv, nullptr}).type))
        note(std::string("another type stated: ") + node_name(e.kind));
      ir::visit(e, [&](const auto& n) { attributes(n, note); });
      if (auto* i = ir::as<ir::Index>(&e)) {
        for (const ir::Subscript& s : i->subscripts) subscript(s, note);
        index(*i, *f, conv, false, note);
      }
      if (auto* c = ir::as<ir::LibCall>(&e)) note("library " + c->func);
      if (auto* c = ir::as<ir::FnCall>(&e)) {
        if (!m.find(c->callee) && ir::find_library(c->callee)) note("library " + c->callee);
        recursive = recursive || c->callee == f->name;
      }
      if (auto* h = ir::as<ir::FnHandle>(&e))
        note(m.find(h->callee) ? "use: handle of a module function" : "use: handle of a library function");
    };
    ir::walk_exprs(f->body, expression);
    ir::walk_stmts(f->body, [&](const ir::Stmt& s) {
      note(std::string("node ") + node_name(s.kind));
      ir::visit(s, [&](const auto& n) { attributes(n, note); });
      if (auto* a = ir::as<ir::Assign>(&s))
        for (const ir::ExprPtr& t : a->targets)
          if (auto* i = ir::as<ir::Index>(t)) index(*i, *f, conv, true, note);
      if (auto* p = ir::as<ir::PFor>(&s))
        ir::walk_stmts(p->body, [&](const ir::Stmt& inner) {
          if (inner.kind == Kind::PFor) note("use: pfor in pfor");
        });
      if (auto* section = ir::as<ir::StmtList>(&s); section && section->on_gpu)
        ir::walk_stmts(section->stmts, [&](const ir::Stmt& outer) {
          auto* p = ir::as<ir::PFor>(&outer);
          if (!p) return;
          ir::walk_stmts(p->body, [&](const ir::Stmt& inner) {
            auto* q = ir::as<ir::PFor>(&inner);
            if (!q) return;
            note("use: pfor in pfor, in a section");
            auto* range = ir::as<ir::Range>(q->domain);
            for (const ir::ExprPtr& end : range ? std::vector{range->start, range->stop} : std::vector<ir::ExprPtr>{})
              if (auto* by = ir::as<ir::Name>(end))
                if (std::find(p->itervars.begin(), p->itervars.end(), by->id) != p->itervars.end())
                  note("use: pfor over a triangle, in a section");
          });
        });
    });
    views(*f, note);
    bool tuples = false, domains = false;
    for (const ir::Type& t : f->type.components()) {
      tuples = tuples || t.is_tuple();
      domains = domains || t.is_domain();
      if (t.is_function()) note("use: handle as parameter");
    }
    if (tuples) note("use: tuple as parameter");
    if (domains) note("use: domain as parameter");
    for (const ir::Type& t : f->type.outputs()) {
      if (t.is_tuple()) note("use: tuple as result");
      if (t.is_domain()) note("use: domain as result");
    }
    if (recursive) note("use: recursion");
    if (recursive && tuples) note("use: recursion with a tuple");
    if (recursive && domains) note("use: recursion with a domain");
  }
  ++programs_;
  for (const std::string& key : seen) ++counts_[key];
}

int Coverage::print() const {
  int never = 0;
  fmt::print("of {} programs, so many have:\n", programs_);
  for (const auto& [key, n] : counts_) {
    fmt::print("{:8}  {}\n", n, key);
    never += n == 0;
  }
  for (const auto& [key, n] : counts_)
    if (n == 0) fmt::print("never: {}\n", key);
  return never;
}

}  // namespace vr::smith
