#include "lower/parse.hpp"

#include "lower/exprs.hpp"
#include "lower/runtime_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <limits>
#include <map>
#include <optional>

namespace vr::lower {

namespace {

struct Wrong {
  size_t at;
  std::string what;
};

// ---------------------------------------------------------------- words
class Words {
 public:
  explicit Words(std::string_view text) : text_(text) { next(); }

  bool end() const { return kind_ == Kind::End; }
  bool is(std::string_view word) const { return kind_ != Kind::Quoted && word_ == word; }
  bool is_number() const { return kind_ == Kind::Number; }
  bool is_name() const { return kind_ == Kind::Name || kind_ == Kind::Quoted; }
  bool accept(std::string_view word) {
    if (!is(word)) return false;
    take();
    return true;
  }
  void expect(std::string_view word) {
    if (!accept(word)) wrong(fmt::format("'{}' is expected", word));
  }
  /// A name, in quotes or plain.
  std::string name() {
    if (!is_name()) wrong("a name is expected");
    return take();
  }
  std::string quoted() {
    if (kind_ != Kind::Quoted) wrong("a text in quotes is expected");
    return take();
  }
  std::string take() {
    std::string w = word_;
    last_ = start_;
    next();
    return w;
  }
  int64_t integer() {
    const bool negative = accept("-");
    if (!is_number()) wrong("a number is expected");
    errno = 0;
    char* stop = nullptr;
    const std::string digits = (negative ? "-" : "") + word_;
    const long long v = std::strtoll(digits.c_str(), &stop, 10);
    if (*stop || errno) wrong("a whole number of 64 bits is expected");
    next();
    return v;
  }
  [[noreturn]] void wrong(const std::string& what) const { throw Wrong{start_, what}; }
  /// Of the word taken last.
  [[noreturn]] void was_wrong(const std::string& what) const { throw Wrong{last_, what}; }
  /// Whether this word and the one before it touch: the colon of `1:i32`, not that of `c ? 1 : 2`.
  bool touches() const { return glued_; }
  /// Whether this word and the one behind it touch: `f(`.
  bool touches_parenthesis() const { return at_ < text_.size() && text_[at_] == '('; }

 private:
  enum class Kind { Name, Quoted, Number, Sign, End };

  void next() {
    const size_t before = at_;
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    start_ = at_;
    glued_ = start_ == before;
    word_.clear();
    if (at_ == text_.size()) {
      kind_ = Kind::End;
      return;
    }
    const char c = text_[at_];
    auto rest = [&](auto belongs) {
      while (at_ < text_.size() && belongs(text_[at_])) word_ += text_[at_++];
    };
    auto in_name = [](char x) {
      return std::isalnum(static_cast<unsigned char>(x)) || x == '_' || x == '.' || x == '#';
    };
    if (c == '"') return text_in_quotes();
    if (std::isalpha(static_cast<unsigned char>(c)) || c == '_') {
      kind_ = Kind::Name;
      return rest(in_name);
    }
    if (std::isdigit(static_cast<unsigned char>(c))) {
      kind_ = Kind::Number;
      rest([](char x) { return std::isdigit(static_cast<unsigned char>(x)) || x == '.'; });
      if (at_ < text_.size() && text_[at_] == 'e') {
        word_ += text_[at_++];
        if (at_ < text_.size() && (text_[at_] == '-' || text_[at_] == '+')) word_ += text_[at_++];
        rest([](char x) { return std::isdigit(static_cast<unsigned char>(x)); });
      }
      return;
    }
    kind_ = Kind::Sign;
    for (const char* two : {"->", "==", "!=", "<=", ">="})
      if (text_.substr(at_, 2) == two) word_ = two;
    if (word_.empty()) word_ = c;
    at_ += word_.size();
  }
  void text_in_quotes() {
    kind_ = Kind::Quoted;
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) {
        ++at_;
        word_ += text_[at_] == 'n' ? '\n' : text_[at_];
      } else {
        word_ += text_[at_];
      }
    }
    if (at_ == text_.size()) throw Wrong{start_, "a text without its closing quote"};
    ++at_;
  }

  std::string_view text_;
  size_t at_ = 0, start_ = 0, last_ = 0;
  bool glued_ = false;
  Kind kind_ = Kind::End;
  std::string word_;
};

std::optional<Scalar> scalar_named(const Words& in) {
  static constexpr std::pair<const char*, Scalar> names[] = {{"bool", Scalar::Bool},   {"i32", Scalar::Int32},
                                                             {"i64", Scalar::Int64},   {"f32", Scalar::Float32},
                                                             {"f64", Scalar::Float64}, {"ptr", Scalar::Ptr}};
  for (const auto& [name, type] : names)
    if (in.is(name)) return type;
  return {};
}

ir::Elem elem_of(Scalar s, const Words& in) {
  for (ir::Elem e : {ir::Elem::Bool, ir::Elem::Int32, ir::Elem::Int64, ir::Elem::Float32, ir::Elem::Float64})
    if (scalar_of(e) == s) return e;
  in.wrong("elements are no addresses");
}

// ---------------------------------------------------------------- one function
class FunctionParser {
 public:
  FunctionParser(Words& in, Module& m, Function& f) : in_(in), m_(m), f_(f), x_(m) {}

  /// Behind the name.
  void run() {
    const auto params = names_of_params();
    in_.expect("->");
    const auto results = names_of_params();
    in_.expect("source");
    f_.source_name = in_.quoted();
    in_.expect("{");
    while (in_.is("var") || in_.is("array") || in_.is("is")) declaration();
    f_.params = declared(params);
    f_.results = declared(results);
    f_.body = block();
    if (in_.accept("join")) in_.expect("{"), f_.join = block();
    if (in_.accept("cleanup")) in_.expect("{"), f_.cleanup = block();
  }

 private:
  // ---- declarations
  struct NamedParam {
    std::vector<std::string> names;  ///< two of a complex scalar
    bool written = false, fresh = false;
  };
  std::vector<NamedParam> names_of_params() {
    std::vector<NamedParam> all;
    in_.expect("(");
    while (!in_.accept(")")) {
      if (!all.empty()) in_.expect(",");
      NamedParam p;
      if (in_.accept("(")) {
        p.names.push_back(in_.name());
        in_.expect(",");
        p.names.push_back(in_.name());
        in_.expect(")");
      } else {
        p.names.push_back(in_.name());
      }
      p.written = in_.accept("written");
      p.fresh = in_.accept("fresh");
      all.push_back(std::move(p));
    }
    return all;
  }
  std::vector<Param> declared(const std::vector<NamedParam>& names) {
    std::vector<Param> all;
    for (const NamedParam& n : names) {
      const Operand o = operand_named(n.names);
      all.push_back({o.var, o.im, o.array, n.written, n.fresh});
    }
    return all;
  }
  void declaration() {
    if (in_.accept("var")) {
      const std::string name = in_.name();
      if (!vars_.emplace(name, static_cast<VarId>(f_.vars.size())).second)
        in_.was_wrong(fmt::format("variable '{}' is declared twice", name));
      in_.expect(":");
      f_.vars.push_back({name, scalar()});
    } else if (in_.accept("array")) {
      ArrayVars a;
      a.name = in_.name();
      if (!arrays_.emplace(a.name, static_cast<ArrayId>(f_.arrays.size())).second)
        in_.was_wrong(fmt::format("array '{}' is declared twice", a.name));
      in_.expect(":");
      a.complex = in_.accept("complex");
      a.elem = elem_of(scalar(), in_);
      a.data = var();
      a.owner = maybe_var();
      a.flags = maybe_var();
      a.extent = vars();
      a.stride = vars();
      f_.arrays.push_back(std::move(a));
    } else {
      in_.expect("is");
      property();
    }
  }
  void property() {
    if (in_.accept("region")) {
      f_.region = true;
    } else if (in_.accept("fast")) {
      f_.fast_math = static_cast<uint8_t>(in_.integer());
    } else if (in_.accept("over")) {
      in_.expect("[");
      f_.lo_var = var();
      in_.expect(",");
      f_.hi_var = var();
      in_.expect(")");
    } else if (in_.accept("grid")) {
      f_.dims = vars();
      in_.expect("points");
      f_.points = static_cast<int32_t>(in_.integer());
      f_.disjoint = in_.accept("disjoint");
    } else if (in_.accept("on")) {
      in_.expect("host");
      f_.on_host = function();
    } else if (in_.accept("narrow")) {
      for (VarId v : vars()) f_.narrow.insert(v);
    } else if (in_.accept("fold")) {
      Fold r{var(), var(), nullptr, array()};
      r.neutral = expr();
      f_.folds.push_back(r);
    } else if (in_.accept("lane")) {
      Lane l{array(), scalar(), false, false};
      l.loaded = in_.accept("loaded");
      l.stored = in_.accept("stored");
      f_.lanes.push_back(l);
    } else {
      in_.wrong("no property of a function");
    }
  }

  // ---- names
  VarId var() {
    const std::string name = in_.name();
    auto it = vars_.find(name);
    if (it == vars_.end()) in_.was_wrong(fmt::format("'{}' is no variable", name));
    return it->second;
  }
  VarId maybe_var() { return in_.accept("-") ? none : var(); }
  std::vector<VarId> vars() {
    std::vector<VarId> all;
    in_.expect("[");
    while (!in_.accept("]")) {
      if (!all.empty()) in_.expect(",");
      all.push_back(var());
    }
    return all;
  }
  ArrayId array() {
    const std::string name = in_.name();
    auto it = arrays_.find(name);
    if (it == arrays_.end()) in_.was_wrong(fmt::format("'{}' is no array", name));
    return it->second;
  }
  int32_t function() {
    const std::string name = in_.name();
    for (size_t k = 0; k < m_.functions.size(); ++k)
      if (m_.functions[k]->name == name) return static_cast<int32_t>(k);
    in_.was_wrong(fmt::format("'{}' is no function", name));
  }
  Scalar scalar() {
    auto s = scalar_named(in_);
    if (!s) in_.wrong("a scalar type is expected");
    in_.take();
    return *s;
  }
  Operand operand_named(const std::vector<std::string>& names) {
    if (auto it = arrays_.find(names[0]); names.size() == 1 && it != arrays_.end()) return {none, none, it->second};
    Operand o;
    for (size_t k = 0; k < names.size(); ++k) {
      auto it = vars_.find(names[k]);
      if (it == vars_.end()) in_.was_wrong(fmt::format("'{}' is neither a variable nor an array", names[k]));
      (k == 0 ? o.var : o.im) = it->second;
    }
    return o;
  }
  Operand operand() {
    if (!in_.accept("(")) return operand_named({in_.name()});
    std::vector<std::string> names{in_.name()};
    in_.expect(",");
    names.push_back(in_.name());
    in_.expect(")");
    return operand_named(names);
  }

  // ---- expressions, the loosest operators first
  ExprP expr() {
    ExprP e = binary(0);
    if (!in_.accept("?")) return e;
    Expr n{Expr::Kind::Select, Scalar::Bool};
    n.a = e;
    n.b = binary(0);
    in_.expect(":");
    n.c = binary(0);
    n.type = n.b->type;
    return x_.make(n);
  }
  ExprP binary(size_t level) {
    static constexpr Op levels[][6] = {{Op::Or, Op::Xor, Op::Or, Op::Or, Op::Or, Op::Or},
                                       {Op::And, Op::And, Op::And, Op::And, Op::And, Op::And},
                                       {Op::Eq, Op::Ne, Op::Lt, Op::Le, Op::Gt, Op::Ge},
                                       {Op::Add, Op::Sub, Op::Add, Op::Add, Op::Add, Op::Add},
                                       {Op::Mul, Op::Div, Op::Rem, Op::Mul, Op::Mul, Op::Mul}};
    if (level == std::size(levels)) return prefix();
    ExprP e = binary(level + 1);
    for (bool again = true; again;) {
      again = false;
      for (Op op : levels[level]) {
        if (!in_.accept(op_name(op))) continue;
        ExprP right = binary(level + 1);
        const bool address = e->type == Scalar::Ptr && op == Op::Add;
        Expr n{address ? Expr::Kind::Offset : Expr::Kind::Binary, is_comparison(op) ? Scalar::Bool : e->type};
        n.op = op;
        n.a = e;
        n.b = right;
        e = x_.make(n);
        again = true;
        break;
      }
    }
    return e;
  }
  ExprP prefix() {
    const bool minus = in_.is("-");
    if (!minus && !in_.is("!")) return atom();
    in_.take();
    if (minus && (in_.is_number() || in_.is("inf"))) return number(true);
    Expr n{Expr::Kind::Unary, Scalar::Bool};
    n.op = minus ? Op::Neg : Op::Not;
    n.a = prefix();
    n.type = n.a->type;
    return x_.make(n);
  }
  ExprP number(bool negative) {
    Expr n{Expr::Kind::IntConst, Scalar::Int64};
    if (in_.is("inf") || in_.is("nan")) {
      n.kind = Expr::Kind::FloatConst;
      n.type = Scalar::Float64;
      n.fval = in_.is("nan") ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
      in_.take();
    } else {
      const std::string word = in_.take();
      if (word.find_first_of(".e") == std::string::npos) {
        errno = 0;
        n.ival = std::strtoll((negative ? "-" + word : word).c_str(), nullptr, 10);
        if (errno) in_.was_wrong("a number of more than 64 bits");
      } else {
        n.kind = Expr::Kind::FloatConst;
        n.type = Scalar::Float64;
        n.fval = std::strtod(word.c_str(), nullptr);
      }
    }
    if (negative && n.kind == Expr::Kind::FloatConst) n.fval = -n.fval;
    if (in_.is(":") && in_.touches()) {
      in_.take();
      n.type = scalar();
      if (is_float(n.type) != (n.kind == Expr::Kind::FloatConst)) in_.wrong("a constant of another type");
    }
    return x_.make(n);
  }
  ExprP atom() {
    if (in_.is_number() || in_.is("inf") || in_.is("nan")) return number(false);
    if (in_.accept("(")) {
      ExprP e = expr();
      in_.expect(")");
      return e;
    }
    if (in_.is("true") || in_.is("false")) return x_.bool_const(in_.take() == "true");
    if (in_.accept("null")) return x_.null();
    if (auto type = scalar_named(in_)) {
      in_.take();
      if (!in_.accept("(")) return load(*type);
      Expr n{Expr::Kind::Convert, *type};
      n.a = expr();
      in_.expect(")");
      return x_.make(n);
    }
    if (in_.is_name() && in_.touches_parenthesis()) return call();
    const VarId v = var();
    return x_.var(v, f_.vars[static_cast<size_t>(v)].type);
  }
  /// at(...), any(...), a maths function.
  ExprP call() {
    const std::string name = in_.name();
    in_.expect("(");
    if (name == "at") {
      ExprP at = subscripts(none, ")");
      return at;
    }
    ExprP a = expr();
    if (name == "any") {
      in_.expect(")");
      return x_.any_order(a);
    }
    for (int k = 0; k < math_count; ++k) {
      const auto fn = static_cast<MathFn>(k);
      if (name != math_name(fn)) continue;
      ExprP b = nullptr;
      if (math_arity(fn) == 2) in_.expect(","), b = expr();
      in_.expect(")");
      return x_.math(fn, a, b);
    }
    in_.was_wrong(fmt::format("'{}' is no maths function", name));
  }
  /// The subscripts of an array (none: of an address) up to `close`.
  ExprP subscripts(ArrayId of, std::string_view close) {
    std::vector<ExprP> index, stride;
    int64_t bytes = 0;
    while (!in_.accept(close)) {
      if (!index.empty()) in_.expect(",");
      index.push_back(expr());
      if (in_.accept("by")) {
        stride.push_back(binary(5));
      } else {
        const size_t axis = stride.size();
        if (of == none || axis >= f_.arrays[static_cast<size_t>(of)].stride.size())
          in_.wrong("a stride is expected: 'by BYTES'");
        stride.push_back(x_.var(f_.arrays[static_cast<size_t>(of)].stride[axis], Scalar::Int64));
      }
      if (in_.accept("part")) bytes = in_.integer();
    }
    if (index.empty()) in_.was_wrong("a subscript is expected");
    return x_.part(x_.at(index, stride), bytes);
  }
  struct Place {
    ExprP base, offset;
    int32_t alias_set = none;
  };
  /// [address], NAME[subscripts] or (address)[subscripts], and the alias set.
  Place place() {
    Place p{nullptr, nullptr};
    if (in_.accept("[")) {
      ExprP address = expr();
      in_.expect("]");
      const bool sum = address->kind == Expr::Kind::Offset;
      p.base = sum ? address->a : address;
      p.offset = sum ? address->b : x_.int_const(0);
    } else {
      ArrayId of = none;
      if (in_.accept("(")) {
        p.base = expr();
        in_.expect(")");
      } else {
        const std::string name = in_.name();
        if (auto it = arrays_.find(name); it != arrays_.end()) {
          of = it->second;
          p.base = x_.var(f_.arrays[static_cast<size_t>(of)].data, Scalar::Ptr);
        } else if (auto v = vars_.find(name); v != vars_.end()) {
          p.base = x_.var(v->second, f_.vars[static_cast<size_t>(v->second)].type);
        } else {
          in_.was_wrong(fmt::format("'{}' is neither an array nor a variable", name));
        }
      }
      in_.expect("[");
      p.offset = subscripts(of, "]");
    }
    if (in_.accept("@")) p.alias_set = static_cast<int32_t>(in_.integer());
    return p;
  }
  ExprP load(Scalar type) {
    const Place p = place();
    return x_.load(type, p.base, p.offset, p.alias_set);
  }

  // ---- statements
  Block block();  ///< up to and with the closing brace
  void statement(Block& b);
  void assignment(Block& b);
  void runtime_call(Block& b, VarId result);
  void function_call(Block& b, std::vector<Operand> results);
  Arg argument();
  std::vector<Operand> operands(std::string_view close) {
    std::vector<Operand> all;
    while (!in_.accept(close)) {
      if (!all.empty()) in_.expect(",");
      all.push_back(operand());
    }
    return all;
  }
  SiteId site() {
    in_.expect("site");
    return static_cast<SiteId>(in_.integer());
  }

  static constexpr int math_count = 0
#define VR_MATH(Name, c_name, opencl_name, arity, llvm_name) +1
#include "lower/math.def"
      ;

  Words& in_;
  Module& m_;
  Function& f_;
  Exprs x_;
  std::map<std::string, VarId> vars_;
  std::map<std::string, ArrayId> arrays_;
};

Block FunctionParser::block() {
  Block b;
  while (!in_.accept("}")) {
    if (in_.end()) in_.wrong("'}' is expected");
    statement(b);
  }
  return b;
}

void FunctionParser::statement(Block& b) {
  if (in_.accept("store")) {
    scalar();
    const Place p = place();
    in_.expect("=");
    b.push_back({Store{p.base, p.offset, expr(), p.alias_set}});
  } else if (in_.accept("alias")) {
    in_.expect("group");
    b.push_back({AliasGroup{static_cast<int32_t>(in_.integer())}});
  } else if (in_.accept("if")) {
    If n{nullptr, {}, {}, in_.accept("unlikely")};
    n.cond = expr();
    in_.expect("{");
    n.then_body = block();
    if (in_.accept("else")) in_.expect("{"), n.else_body = block();
    b.push_back({std::move(n)});
  } else if (in_.accept("for")) {
    CountedLoop n{var(), nullptr, nullptr, {}};
    in_.expect("in");
    in_.expect("[");
    n.lo = expr();
    in_.expect(",");
    n.hi = expr();
    in_.expect(")");
    n.independent = in_.accept("independent");
    n.fallback = in_.accept("fallback");
    n.across = in_.accept("across");
    n.element = in_.accept("element");
    n.chunks = in_.accept("chunks");
    in_.expect("{");
    n.body = block();
    b.push_back({std::move(n)});
  } else if (in_.accept("loop")) {
    in_.expect("{");
    b.push_back({Loop{block()}});
  } else if (in_.accept("break")) {
    b.push_back({Break{}});
  } else if (in_.accept("continue")) {
    b.push_back({Continue{}});
  } else if (in_.accept("exit")) {
    b.push_back({Exit{}});
  } else if (in_.accept("fail")) {
    const std::string code = in_.name();
    int number = -1;
    for (int k = 0; k < 64 && number < 0; ++k)
      if (code == code_name(static_cast<Code>(k))) number = k;
    if (number < 0) in_.was_wrong(fmt::format("'{}' is no error code", code));
    Fail n{site(), number};
    if (in_.accept("index")) n.index = expr();
    if (in_.accept("extent")) n.extent = expr();
    b.push_back({n});
  } else if (in_.accept("call")) {
    function_call(b, {});
  } else if (in_.accept("parallel")) {
    in_.expect("for");
    in_.expect("[");
    ParallelFor n{none, expr(), nullptr, {}};
    in_.expect(",");
    n.hi = expr();
    in_.expect(")");
    n.task = function();
    in_.expect("(");
    for (const Operand& o : operands(")")) n.captures.push_back(o.var);
    b.push_back({std::move(n)});
  } else if (in_.accept("launch")) {
    Launch n{function(), {}, {}, none};
    in_.expect("over");
    in_.expect("[");
    while (!in_.accept("]")) {
      if (!n.counts.empty()) in_.expect(",");
      n.counts.push_back(expr());
    }
    in_.expect("(");
    n.args = operands(")");
    n.site = site();
    b.push_back({std::move(n)});
  } else if (in_.is_name() && in_.touches_parenthesis()) {
    runtime_call(b, none);
  } else {
    assignment(b);
  }
}

void FunctionParser::assignment(Block& b) {
  std::vector<Operand> to{operand()};
  while (in_.accept(",")) to.push_back(operand());
  in_.expect("=");
  if (in_.accept("call")) return function_call(b, std::move(to));
  const VarId v = to[0].var;
  if (to.size() != 1 || v == none || to[0].im != none) in_.wrong("one scalar variable is assigned");
  if (in_.accept("atomic")) {
    Atomic n{ir::AtomicOp::Add, v, nullptr, nullptr, nullptr};
    const std::string op = in_.name();
    bool found = false;
    for (int k = 0; k <= static_cast<int>(ir::AtomicOp::Swap) && !found; ++k) {
      n.op = static_cast<ir::AtomicOp>(k);
      found = op == ir::atomic_op_name(n.op);
    }
    if (!found) in_.was_wrong(fmt::format("'{}' is no atomic operation", op));
    scalar();
    const Place p = place();
    n.base = p.base;
    n.offset = p.offset;
    in_.expect("with");
    n.value = expr();
    if (in_.accept(",")) n.expected = std::exchange(n.value, expr());
    b.push_back({n});
  } else if (in_.accept("scratch")) {
    in_.expect("of");
    b.push_back({Scratch{v, in_.integer()}});
    in_.expect("bytes");
  } else if (in_.accept("address")) {
    in_.expect("of");
    b.push_back({TakeAddress{v, function()}});
  } else if (in_.is_name() && in_.touches_parenthesis() && !scalar_named(in_)) {
    runtime_call(b, v);
  } else {
    b.push_back({SetVar{v, expr()}});
  }
}

/// A runtime function or, with a result, an expression that begins with a function.
void FunctionParser::runtime_call(Block& b, VarId result) {
  Call n{none, {}, result, false};
  for (int32_t k = 0; k < runtime_count; ++k)
    if (in_.is(runtime_table[k].symbol)) n.fn = k;
  if (n.fn == none) {
    if (result == none) in_.wrong("no function of the runtime");
    b.push_back({SetVar{result, expr()}});
    return;
  }
  in_.take();
  in_.expect("(");
  while (!in_.accept(")")) {
    if (!n.args.empty()) in_.expect(",");
    n.args.push_back(argument());
  }
  n.checked = in_.accept("checked");
  b.push_back({std::move(n)});
}

Arg FunctionParser::argument() {
  Arg a{Arg::Kind::Scalar};
  if (in_.is("site")) {
    a.kind = Arg::Kind::Site;
    a.site = site();
  } else if (in_.accept("text")) {
    a.kind = Arg::Kind::Text;
    a.text = in_.quoted();
  } else if (in_.accept("[")) {
    a.kind = Arg::Kind::Int64s;
    while (!in_.accept("]")) {
      if (!a.values.empty()) in_.expect(",");
      a.values.push_back(expr());
    }
  } else if (in_.is("array") || in_.is("out") || in_.is("inout")) {
    const std::string way = in_.take();
    a.kind = Arg::Kind::Array;
    a.out = way != "array";
    a.in = way != "out";
    a.array = array();
  } else {
    a.value = expr();
  }
  return a;
}

void FunctionParser::function_call(Block& b, std::vector<Operand> results) {
  CallFunction n{none, none, {}, std::move(results)};
  if (in_.accept("*"))
    n.handle = var();
  else
    n.callee = function();
  in_.expect("(");
  n.args = operands(")");
  b.push_back({std::move(n)});
}

// ---------------------------------------------------------------- the module
void module(Words& in, Module& m, std::string_view text) {
  in.expect("module");
  m.name = in.quoted();
  while (in.accept("site")) {
    Site s;
    s.function = in.quoted();
    s.loc = in.quoted();
    s.array = in.quoted();
    s.axis = static_cast<int32_t>(in.integer());
    s.message = in.quoted();
    m.sites.push_back(std::move(s));
  }
  // Functions may name those behind them: a first walk finds their names.
  static constexpr const char* kinds[] = {"entry", "task", "kernel"};
  for (size_t line = 0; line < text.size();) {
    const size_t end = std::min(text.find('\n', line), text.size());
    for (int k = 0; k < 3; ++k) {
      const std::string head = std::string(kinds[k]) + " ";
      if (text.substr(line, head.size()) != head) continue;
      auto f = std::make_unique<Function>();
      f->kind = static_cast<Function::Kind>(k);
      f->name = std::string(text.substr(line + head.size(), text.find('(', line) - line - head.size()));
      m.functions.push_back(std::move(f));
    }
    line = end + 1;
  }
  for (auto& f : m.functions) {
    in.expect(kinds[static_cast<int>(f->kind)]);
    if (in.name() != f->name) in.wrong("a function begins on a line of its own");
    FunctionParser(in, m, *f).run();
  }
  if (!in.end()) in.wrong("a function is expected");
}

}  // namespace

Result<std::unique_ptr<Module>> parse_loops(std::string_view text, const std::string& file) {
  auto m = std::make_unique<Module>();
  try {
    Words in(text);
    module(in, *m, text);
    return m;
  } catch (const Wrong& w) {
    const std::string_view before = text.substr(0, w.at);
    Diagnostic d;
    d.place = {file, 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n')),
               1 + static_cast<int>(w.at - (before.rfind('\n') + 1))};
    d.rule = "loop-form";
    d.message = w.what;
    return Error{Code::Syntax, "", {d}, {}};
  }
}

}  // namespace vr::lower
