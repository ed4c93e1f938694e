#include "loop/text/parse.hpp"

#include "loop/text/parse_stmts.hpp"

#include <algorithm>

namespace vr::lower {
namespace {

// ---------------------------------------------------------------- one function
class FunctionParser {
 public:
  FunctionParser(Lexer& in, Module& m, Function& f)
      : in_(in), f_(f), names_(in, m, f), exprs_(in, names_, m), stmts_(in, names_, exprs_) {}

  /// Called after the name. Parameters come before the declarations of their variables.
  void run() {
    const auto params = named_params();
    in_.expect("->");
    const auto results = named_params();
    in_.expect("source");
    f_.source_name = in_.quoted();
    in_.expect("{");
    while (in_.is("var") || in_.is("array") || in_.is("is")) declaration();
    f_.params = declared(params);
    f_.results = declared(results);
    f_.body = stmts_.block();
    if (in_.accept("join")) f_.join = stmts_.braces();
    if (in_.accept("cleanup")) f_.cleanup = stmts_.braces();
  }

 private:
  struct NamedParam {
    std::vector<std::string> names;
    bool written = false, fresh = false;
    std::string variable = {};
  };
  std::vector<NamedParam> named_params() {
    in_.expect("(");
    return in_.list(")", [&] {
      NamedParam p{names_.operand_names()};
      p.written = in_.accept("written");
      p.fresh = in_.accept("fresh");
      if (in_.accept("of")) p.variable = in_.quoted();
      return p;
    });
  }
  std::vector<Param> declared(const std::vector<NamedParam>& params) {
    std::vector<Param> all;
    for (const NamedParam& p : params) {
      const Operand o = names_.operand_named(p.names);
      all.push_back({o.var, o.im, o.array, p.written, p.fresh, p.variable});
    }
    return all;
  }
  void declaration() {
    if (in_.accept("var")) return names_.declare_var();
    if (in_.accept("array")) return names_.declare_array();
    in_.expect("is");
    property();
  }
  void property() {
    if (in_.accept("region")) {
      f_.region = true;
    } else if (in_.accept("constant")) {
      const VarId v = names_.var();
      f_.constants[v] = in_.integer();
    } else if (in_.accept("fast")) {
      f_.fast_math = static_cast<uint8_t>(in_.integer());
    } else if (in_.accept("over")) {
      in_.expect("[");
      f_.lo_var = names_.var();
      in_.expect(",");
      f_.hi_var = names_.var();
      in_.expect(")");
    } else if (in_.accept("grid")) {
      f_.dims = names_.vars();
      in_.expect("points");
      f_.points = static_cast<int32_t>(in_.integer());
      f_.disjoint = in_.accept("disjoint");
      f_.square = in_.accept("square");
    } else if (in_.accept("on")) {
      in_.expect("host");
      f_.on_host = names_.function();
    } else if (in_.accept("form")) {
      in_.expect("of");
      f_.form_of = names_.function();
    } else if (in_.accept("tile")) {
      in_.expect("of");
      f_.tile_of.kernel = names_.function();
      while (in_.accept("dim")) {
        const int64_t d = in_.integer();
        if (d < 0 || d > 2) in_.wrong("no dimension");
        const auto number = [&](const char* name) {
          in_.expect(name);
          return static_cast<int32_t>(in_.integer());
        };
        const auto at = static_cast<size_t>(d);
        f_.tile_of.size[at] = number("size");
        f_.tile_of.apart[at] = number("apart");
        f_.tile_of.count[at] = number("count");
      }
      if (in_.accept("members")) f_.tile_of.members = static_cast<int32_t>(in_.integer());
    } else if (in_.accept("narrow")) {
      for (VarId v : names_.vars()) f_.narrow.insert(v);
    } else if (in_.accept("fold")) {
      Fold r{names_.var(), names_.var(), nullptr, names_.array()};
      r.neutral = exprs_.expr();
      f_.folds.push_back(r);
    } else if (in_.accept("team")) {
      f_.team = static_cast<int32_t>(in_.integer());
      f_.cooperative = in_.accept("cooperative");
      f_.interleaved = f_.cooperative && in_.accept("interleaved");
    } else if (in_.accept("row")) {
      Row r{names_.var(), scalar(in_), static_cast<int32_t>(in_.integer()), false, 0};
      in_.expect("at");
      r.at = static_cast<int32_t>(in_.integer());
      r.common = in_.accept("common");
      r.across = in_.accept("across");
      r.loaded = in_.accept("loaded");
      r.stored = in_.accept("stored");
      if (in_.accept("times")) r.times = names_.var();
      f_.rows.push_back(r);
    } else if (in_.accept("group")) {
      f_.group = static_cast<int32_t>(in_.integer());
    } else if (in_.accept("shared")) {
      f_.shared.push_back({names_.var(), scalar(in_), static_cast<int32_t>(in_.integer())});
    } else if (in_.accept("lane")) {
      Lane l{names_.array(), scalar(in_), false, false};
      l.loaded = in_.accept("loaded");
      l.stored = in_.accept("stored");
      f_.lanes.push_back(l);
    } else {
      in_.wrong("no property of a function");
    }
  }

  Lexer& in_;
  Function& f_;
  Names names_;
  ExprParser exprs_;
  StmtParser stmts_;
};

// ---------------------------------------------------------------- the module
void module(Lexer& in, Module& m, std::string_view text) {
  in.expect("module");
  m.name = in.quoted();
  m.column_major = in.accept("column_major");
  while (in.accept("site")) {
    Site s;
    s.function = in.quoted();
    s.loc = in.quoted();
    s.array = in.quoted();
    s.axis = static_cast<int32_t>(in.integer());
    s.message = in.quoted();
    if (in.accept("raised")) s.raised = static_cast<int32_t>(in.integer());
    m.sites.push_back(std::move(s));
  }
  // Functions may name later functions: a first pass finds all names.
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
    Lexer in(text);
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
