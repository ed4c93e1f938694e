// Tree to text: the inverse of parse. A function per kind and no default, so that a new kind does not compile without
// one.
#include <text/layout.hpp>
#include <text/range_type.hpp>
#include <text/scanner.hpp>

#include <velociraptor/ir/text.hpp>
#include <velociraptor/ir/visit.hpp>

#include <fmt/format.h>

#include <bit>
#include <cmath>

namespace vr::ir {

namespace {

using Place = text::Layout::Place;

std::string word(std::string_view s) { return text::is_bare_word(s) ? std::string(s) : text::quote(s); }

// Shortest text that reads back as the same value; a NaN keeps its sign and payload.
std::string number(double x) {
  if (std::isnan(x)) {
    uint64_t bits = std::bit_cast<uint64_t>(x), payload = bits & ((uint64_t(1) << 52) - 1);
    std::string sign = bits >> 63 ? "-" : "";
    return payload == uint64_t(1) << 51 ? sign + "nan" : fmt::format("{}nan:0x{:x}", sign, payload);
  }
  return fmt::format("{}", x);  // "inf", "-0", "1e+300", "0.1"
}

/// Types and expressions.
class ExprPrinter {
 public:
  explicit ExprPrinter(text::Layout& out) : out_(out) {}

  // ---- types
  void type(const Type& t, Place place = Place::HeadLine) {
    switch (t.kind) {
      case TypeKind::Null:
        group("null", place);
        break;
      case TypeKind::Void:
        group("void", place);
        break;
      case TypeKind::Scalar:
        out_.open(elem_name(t.elem), place);
        if (t.complex) out_.attr(":ctype", 1);
        out_.close();
        break;
      case TypeKind::Array:
        out_.open("arraytype", place);
        out_.attr(":layout", layout_name(t.layout));
        out_.attr(":ndims", t.rank);
        type(t.element());
        out_.close();
        break;
      case TypeKind::Domain:
        out_.open("domaintype", place);
        out_.attr(":ndims", t.rank);
        for (const Type& p : t.components()) type(p);
        out_.close();
        break;
      case TypeKind::Tuple:
        out_.open("tupletype", place);
        for (const Type& p : t.components()) type(p);
        out_.close();
        break;
      case TypeKind::Function:
        out_.open("functype", place);
        out_.open("intypes");
        for (const Type& p : t.components()) type(p, Place::OwnLine);
        out_.close();
        out_.open("outtypes");
        for (const Type& p : t.outputs()) type(p, Place::OwnLine);
        if (t.outputs().empty()) type(Type::void_());
        out_.close();
        out_.close();
        break;
    }
  }

  // ---- expressions
  void expr(const Expr& e) {
    visit(e, [&](const auto& n) { print(n); });
  }
  void print(const Range& r) { range(r, text::operand_range_type(r)); }
  // The type is written if it differs from the one that parse() derives from the context.
  void range(const Range& r, const Type& expected) {
    out_.open("range");
    if (r.exclude) out_.attr(":exclude", *r.exclude);
    if (!(r.type == expected)) type(r.type);
    if (r.start) wrapped("start", *r.start);
    if (r.step) wrapped("step", *r.step);
    if (r.stop) wrapped("stop", *r.stop);
    out_.close();
  }
  template <Kind K>
  void print(const Binary<K>& n) {
    head(n);
    type(n.type);
    wrapped("lhs", *n.lhs);
    wrapped("rhs", *n.rhs);
    out_.close();
  }
  template <Kind K>
  void print(const Unary<K>& n) {
    head(n);
    type(n.type);
    expr(*n.operand);
    out_.close();
  }
  void print(const Name& n) { leaf(n, ":id", std::to_string(n.id)); }
  void print(const IntConst& n) { 
    leaf(n, ":ival", with_integer(n.value, n.type.elem, [](auto v) { return std::to_string(v); }));
   }
  void print(const FloatConst& n) { leaf(n, ":dval", number(n.value)); }
  void print(const ComplexConst& n) {
    head(n);
    out_.attr(":re", number(n.re));
    out_.attr(":im", number(n.im));
    type(n.type);
    out_.close();
  }
  void print(const Index& n) {
    head(n);
    out_.attr(":arrayid", n.array);
    if (n.copyslice) out_.attr(":copyslice", *n.copyslice);
    if (n.flatten) out_.attr(":flatten", *n.flatten);
    type(n.type);
    subscripts(n.subscripts);
    out_.close();
  }
  void print(const FnCall& n) { call(n, ":fnname", n.callee, n.args); }
  void print(const FnHandle& n) { leaf(n, ":fnname", word(n.callee)); }
  void print(const LibCall& n) { call(n, ":libfunc", n.func, n.args); }
  void print(const Alloc& n) {
    const char* func = n.func == AllocFunc::Zeros ? "zeros" : n.func == AllocFunc::Ones ? "ones" : "empty";
    call(n, ":func", func, n.args);
  }
  void print(const Dim& n) {
    head(n);
    out_.attr(":arrayid", n.array);
    out_.attr(":dimid", n.dim);
    type(n.type);
    out_.close();
  }
  void print(const DimVec& n) { leaf(n, ":id", std::to_string(n.array)); }
  void print(const TupleExpr& n) {
    head(n);
    type(n.type);
    exprs("elems", n.elems);
    out_.close();
  }
  void print(const TupleIndex& n) {
    head(n);
    out_.attr(":index", n.index);
    out_.attr(":tupleid", n.tuple);
    type(n.type);
    out_.close();
  }
  void print(const ComplexExpr& n) {
    head(n);
    type(n.type);
    expr(*n.re);
    expr(*n.im);
    out_.close();
  }
  void print(const RealExpr& n) { leaf(n, ":id", std::to_string(n.id)); }
  void print(const ImagExpr& n) { leaf(n, ":id", std::to_string(n.id)); }
  void print(const Domain& n) {
    head(n);
    type(n.type);
    for (size_t i = 0; i < n.ranges.size(); ++i) {
      const auto& parts = n.type.components();
      const Range* r = as<Range>(n.ranges[i]);
      if (r && i < parts.size())
        range(*r, Type::domain({parts[i]}));
      else
        expr(*n.ranges[i]);
    }
    out_.close();
  }
  void print(const Xchange& n) {
    head(n);
    out_.attr(":op", atomic_op_name(n.op));
    out_.attr(":arrayid", n.array);
    type(n.type);
    subscripts(n.subscripts);
    exprs("args", n.args);
    out_.close();
  }
  void wrapped(const char* name, const Expr& e) {
    out_.open(name);
    expr(e);
    out_.close();
  }
  void exprs(const char* name, const std::vector<ExprPtr>& list) {
    out_.open(name);
    for (const ExprPtr& e : list) expr(*e);
    out_.close();
  }

 private:
  void head(const Expr& e) { out_.open(kind_word(e.kind)); }
  void group(const char* name, Place place) {
    out_.open(name, place);
    out_.close();
  }
  void leaf(const Expr& e, const char* attr, const std::string& value) {
    head(e);
    out_.attr(attr, value);
    type(e.type);
    out_.close();
  }
  void call(const Expr& e, const char* attr, const std::string& callee, const std::vector<ExprPtr>& args) {
    head(e);
    out_.attr(attr, word(callee));
    type(e.type);
    exprs("args", args);
    out_.close();
  }
  void subscripts(const std::vector<Subscript>& list) {
    out_.open("indices");
    for (const Subscript& s : list) {
      out_.open("index");
      if (s.minbounds != s.maxbounds) {
        out_.attr(":minbounds", s.minbounds);
        out_.attr(":maxbounds", s.maxbounds);
      } else if (!s.minbounds) {
        out_.attr(":boundscheck", false);
      }
      if (s.negative) out_.attr(":negative", true);
      if (s.grow) out_.attr(":grow", *s.grow);
      if (const Range* r = as<Range>(s.value))
        range(*r, Type::null());
      else
        expr(*s.value);
      out_.close();
    }
    out_.close();
  }

  text::Layout& out_;
};

/// Statements, functions and modules.
class Printer {
 public:
  explicit Printer(text::Layout& out) : out_(out), exprs_(out) {}

  // ---- statements
  void stmt(const Stmt& s) {
    out_.open(kind_word(s.kind));
    if (!s.loc.empty()) out_.attr(":loc", text::quote(s.loc));
    visit(s, [&](const auto& n) { parts(n); });
    out_.close();
  }
  void parts(const Assign& s) {
    exprs_.exprs("lhs", s.targets);
    exprs_.wrapped("rhs", *s.value);
  }
  void parts(const StmtList& s) {
    if (s.on_gpu) out_.attr(":onGpu", true);
    body("stmts", s.stmts);
  }
  void parts(const For& s) {
    ids("itervars", s.itervars);
    exprs_.wrapped("loopdomain", *s.domain);
    body("body", s.body);
  }
  void parts(const PFor& s) {
    ids("itervars", s.itervars);
    exprs_.wrapped("loopdomain", *s.domain);
    if (s.shared) ids("shared", *s.shared);
    body("body", s.body);
  }
  void parts(const While& s) {
    exprs_.wrapped("test", *s.test);
    body("body", s.body);
  }
  void parts(const If& s) {
    exprs_.wrapped("test", *s.test);
    body("if", s.then_body);
    if (!s.else_body.empty()) body("else", s.else_body);
  }
  void parts(const Break&) {}
  void parts(const Continue&) {}
  void parts(const Return& s) {
    if (!s.exprs.empty()) exprs_.exprs("exprs", s.exprs);
  }
  void parts(const Raise& s) {
    out_.attr(":code", s.code);
    out_.attr(":text", text::quote(s.text));
    if (!s.args.empty()) exprs_.exprs("args", s.args);
  }
  void parts(const ExprStmt& s) { exprs_.expr(*s.expr); }

  // ---- functions and modules
  void function(const Function& f) {
    if (f.region) out_.comment(region(f));
    out_.open(f.external ? "extern" : "function");
    out_.atom(word(f.name));
    if (!f.loc.empty()) out_.attr(":loc", text::quote(f.loc));
    if (f.external && f.external->parallel) out_.attr(":parallel", true);
    exprs_.type(f.type, Place::OwnLine);
    if (f.external) return out_.close();
    out_.open("arglist");
    for (SymbolId a : f.args) {
      out_.open("arg");
      out_.attr(":id", a);
      out_.close();
    }
    out_.close();
    body("body", f.body);
    out_.open("symtable");
    for (const Symbol& s : f.symbols.all()) {
      out_.open("sym");
      out_.attr(":id", s.id);
      out_.attr(":name", word(s.name));
      exprs_.type(s.type);
      out_.close();
    }
    out_.close();
    out_.close();
  }
  void module(const Module& m) {
    out_.open("module");
    if (!m.name.empty()) out_.attr(":name", word(m.name));
    if (m.version) out_.attr(":vrir", *m.version);
    attributes(m.attrs);
    out_.open("fns");
    for (const FunctionPtr& f : m.functions) function(*f);
    out_.close();
    out_.close();
  }

 private:
  // Prints "; region, specialised on: shapes of A#0 B#1; values of n#2"
  static std::string region(const Function& f) {
    auto params = [&](const char* title, const std::vector<int>& list) {
      std::string s = title;
      for (int k : list) {
        const Symbol& x = f.symbols.at(f.args[static_cast<size_t>(k)]);
        s += fmt::format(" {}#{}", word(x.name), x.id);
      }
      return list.empty() ? s + " nothing" : s;
    };
    return "; region, specialised on: " + params("shapes of", f.region->shape_params) +
           params("; values of", f.region->value_params);
  }
  void ids(const char* name, const std::vector<SymbolId>& list) {
    out_.open(name);
    for (SymbolId i : list) out_.atom(std::to_string(i));
    out_.close();
  }
  void body(const char* name, const Body& list) {
    out_.open(name);
    for (const StmtPtr& s : list) stmt(*s);
    out_.close();
  }
  void attributes(const ConventionAttrs& a) {
    if (a.indexing) out_.attr(":indexing", *a.indexing);
    if (a.exclude) out_.attr(":exclude", *a.exclude);
    if (a.flatten) out_.attr(":flatten", *a.flatten);
    if (a.grow) out_.attr(":grow", *a.grow);
    if (a.assign) out_.attr(":assign", *a.assign == AssignMode::Share ? "share" : "copy");
    if (a.slices) out_.attr(":slices", *a.slices == SliceMode::View ? "view" : "copy");
    if (a.nan) out_.attr(":nan", *a.nan == NanMode::Propagate ? "propagate" : "omit");
    if (a.memory) out_.attr(":memory", *a.memory == MemoryMode::Refcount ? "refcount" : "boehm");
    if (a.mindims) out_.attr(":mindims", *a.mindims);
    if (a.fast_math) out_.attr(":fastmath", fast_math(*a.fast_math));
    if (a.broadcast) {
      const char* names[] = {"trailing", "leading", "none"};
      out_.attr(":broadcast", names[static_cast<int>(*a.broadcast)]);
    }
    if (a.promote) out_.attr(":promote", *a.promote == Promote::Vrir ? "vrir" : "numpy2");
    if (a.overflow) {
      const char* names[] = {"wrap", "saturate", "fault"};
      out_.attr(":overflow", names[static_cast<int>(*a.overflow)]);
    }
  }
  static std::string fast_math(uint8_t flags) {
    if (flags == fastmath::None) return "%0";
    if (flags == fastmath::All) return "%1";
    constexpr std::pair<uint8_t, const char*> names[] = {
        {fastmath::Reassoc, "reassoc"}, {fastmath::Contract, "contract"}, {fastmath::Arcp, "arcp"},
        {fastmath::Nnan, "nnan"},       {fastmath::Ninf, "ninf"},         {fastmath::Nsz, "nsz"},
        {fastmath::Afn, "afn"}};
    std::string s;
    for (auto [flag, name] : names)
      if (flags & flag) s += (s.empty() ? "" : " ") + std::string(name);
    return s;
  }

  text::Layout& out_;
  ExprPrinter exprs_;
};

}  // namespace

std::string print(const Module& m) {
  text::Layout out;
  Printer(out).module(m);
  return out.finish(true);
}
std::string print(const Function& f) {
  text::Layout out;
  Printer(out).function(f);
  return out.finish(false);
}
std::string print(const Stmt& s) {
  text::Layout out;
  Printer(out).stmt(s);
  return out.finish(false);
}
std::string print(const Expr& e) {
  text::Layout out;
  ExprPrinter(out).expr(e);
  return out.finish(false);
}
std::string print(const Type& t) {
  text::Layout out;
  ExprPrinter(out).type(t);
  return out.finish(false);
}

}  // namespace vr::ir
