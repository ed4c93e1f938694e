// verify: module, functions and symbol tables; how faults are reported. Expressions: verify_expr.cpp, statements:
// verify_stmt.cpp, parallel loops and accelerated sections: verify_parallel.cpp.
#include "ir/verifier.hpp"

#include "ir/external_type.hpp"
#include "ir/falls_through.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace vr::ir {

namespace {

bool deep(const Expr& e, int left) {
  if (left == 0) return true;
  bool found = false;
  for_each_child(e, {[&](const ExprPtr& c) { found = found || deep(*c, left - 1); }, {}});
  return found;
}
bool deep(const Stmt& s, int left) {
  if (left == 0) return true;
  bool found = false;
  for_each_child(s, {[&](const ExprPtr& c) { found = found || deep(*c, left - 1); },
                     [&](const StmtPtr& c) { found = found || deep(*c, left - 1); }});
  return found;
}

}  // namespace

bool deeper_than(const Body& body, int limit) {
  for (const StmtPtr& s : body)
    if (s && deep(*s, limit)) return true;
  return false;
}

void Verifier::report(std::string rule, std::string message, std::string hint) {
  Diagnostic d;
  d.place = {module_.file, pos_.line, pos_.column};
  if (pos_.line == 0) {
    d.path = function_name_.empty() ? "module" : "function " + function_name_;
    for (const Step& s : path_) {
      d.path += fmt::format("/{}", s.name);
      if (s.index >= 0) d.path += fmt::format("/{}", s.index);
    }
  }
  d.rule = std::move(rule);
  d.message = std::move(message);
  d.hint = std::move(hint);
  out_.push_back(std::move(d));
}

void Verifier::module_attributes() {
  const ConventionAttrs& a = module_.attrs;
  if (a.indexing && *a.indexing != 0 && *a.indexing != 1)
    report("attribute-value", fmt::format("':indexing' is {}", *a.indexing), "it is 0 or 1");
  if (a.mindims && *a.mindims != 1 && *a.mindims != 2)
    report("attribute-value", fmt::format("':mindims' is {}", *a.mindims), "it is 1 or 2");
  if (a.fast_math && *a.fast_math > fastmath::All)
    report("attribute-value", "':fastmath' has unknown flags", "they are reassoc contract arcp nnan ninf nsz afn");
  if (module_.version && *module_.version != 1)
    report("version", fmt::format("the module asks for version {} of VRIR", *module_.version), "this is version 1");
}

std::vector<Diagnostic> Verifier::run() {
  module_attributes();
  std::unordered_map<std::string, TextPos> names;  // with the location of the first one of that name
  for (const FunctionPtr& f : module_.functions) {
    if (!f) {
      report("missing-part", "the module holds a null function");
      continue;
    }
    scope_.function = f.get();
    names_.set_function(*f);
    sharing_.reset();
    function_name_ = f->name;
    pos_ = f->pos;
    if (f->name.empty()) report("missing-part", "the function has no name");
    if (auto [first, fresh] = names.try_emplace(f->name, f->pos); !fresh) {
      const TextPos& p = first->second;
      report("duplicate-function", fmt::format("there are two functions '{}'", f->name),
             p.line > 0 ? fmt::format("the first is at {}:{}; rename one of them", p.line, p.column)
                        : "rename one of them");
    }
    function(*f);
  }
  return std::move(out_);
}

const char* narrow_float_fault(const Type& t) {
  if (t.is_numeric())
    return t.complex && is_narrow_float(t.elem) ? "there are complex numbers of float32 and float64" : "";
  if (t.is_domain())
    for (const Type& c : t.components())
      if (c.is_numeric() && is_narrow_float(c.elem)) return "a domain runs over integers, float32 or float64";
  if (t.is_tuple())
    for (const Type& c : t.components())
      if (const char* hint = narrow_float_fault(c); *hint) return hint;
  return "";
}

// A type that a variable, parameter or result may have: all except void and null.
void Verifier::value_type(const Type& t, const std::string& what) {
  if (const char* hint = narrow_float_fault(t); *hint)
    return report("narrow-float", fmt::format("{} is {}", what, t.text()), hint);
  switch (t.kind) {
    case TypeKind::Null:
      return report("no-type", fmt::format("{} has no type", what));
    case TypeKind::Void:
      return report("void-value", fmt::format("{} is void", what));
    case TypeKind::Scalar:
      return;
    case TypeKind::Array:
      if (t.rank < 1 || t.rank > 16)
        report("rank", fmt::format("{} has rank {}", what, t.rank), "arrays have 1 to 16 dimensions");
      else if (t.rank < scope_.conventions.mindims)
        report("rank",
               fmt::format("{} has rank {}, but the module's arrays have at least {} dimensions", what, t.rank,
                           scope_.conventions.mindims),
               "a vector is a matrix of one row or one column under ':mindims 2'");
      return;
    case TypeKind::Domain:
      if (t.rank < 1 || t.rank > 16 || t.components().size() != t.rank)
        report("rank",
               fmt::format("{} is a domain of {} dimensions with {} types", what, t.rank, t.components().size()),
               "a domain has 1 to 16 dimensions and a scalar type for each");
      for (const Type& c : t.components())
        if (!c.is_scalar() || c.complex || c.elem == Elem::Bool)
          report("domain-type", fmt::format("{} runs over {}", what, c.text()),
                 "a domain runs over integers or floats");
      return;
    case TypeKind::Tuple:
      for (const Type& c : t.components()) {
        if (c.is_tuple() || c.is_function() || c.is_domain())
          report("tuple-type", fmt::format("{} has an element of type {}", what, c.text()),
                 "a tuple's elements are numbers and arrays");
        else
          value_type(c, "an element of " + what);
      }
      return;
    case TypeKind::Function:
      for (const Type& c : t.components()) value_type(c, "a parameter of " + what);
      for (const Type& c : t.outputs()) {
        if (c.is_void() || c.is_function())
          report("function-type", fmt::format("a result of {} is {}", what, c.text()),
                 "results are values; a function without results has no result types");
        else
          value_type(c, "a result of " + what);
      }
      return;
  }
}

void Verifier::signature(const Function& f) {
  if (!f.type.is_function()) {
    report("function-type", fmt::format("the type of '{}' is {}, not a function type", f.name, f.type.text()));
    return;
  }
  value_type(f.type, fmt::format("'{}'", f.name));
  if (f.external) return external(f);
  const auto& params = f.type.components();
  if (params.size() != f.args.size())
    report("arg-count", fmt::format("'{}' has {} parameter type{} and {} argument{}", f.name, params.size(),
                                    params.size() == 1 ? "" : "s", f.args.size(), f.args.size() == 1 ? "" : "s"));
  std::unordered_set<SymbolId> seen;
  for (size_t k = 0; k < f.args.size(); ++k) {
    const Symbol* s = f.symbols.find(f.args[k]);
    if (!s) {
      report("unknown-id",
             fmt::format("argument {} of '{}' has id {}, which is not in the symbol table", k + 1, f.name, f.args[k]));
      continue;
    }
    if (!seen.insert(f.args[k]).second)
      report("duplicate-arg", fmt::format("'{}' is an argument of '{}' twice", s->name, f.name));
    if (k < params.size() && !(s->type == params[k]))
      report("arg-type",
             fmt::format("argument '{}' of '{}' is {} in the symbol table and {} in the function's type", s->name,
                         f.name, s->type.text(), params[k].text()),
             "make them the same");
  }
}

void Verifier::external(const Function& f) {
  if (!passes_only_values(f.type))
    report("extern-type",
           fmt::format("a parameter or result of the host's function '{}' is neither a number nor an array", f.name),
           "pass the parts of a tuple one by one");
  if (passes_more_than(f.type, max_external_values))
    report("extern-type",
           fmt::format("'{}' of the host has more than {} parameters or results", f.name, max_external_values));
  if (!f.args.empty() || !f.body.empty() || !f.symbols.all().empty())
    report("extern-type", fmt::format("'{}' of the host has a body", f.name));
}

void Verifier::function(const Function& f) {
  path_.clear();
  missing_.clear();
  loops_ = 0;
  signature(f);
  if (f.external) return;
  std::unordered_map<std::string, bool> names;  // name -> of function type
  for (const Symbol& s : f.symbols.all()) {
    value_type(s.type, fmt::format("variable '{}'", s.name));
    // Variables are identified by id, so two of one name are an error only if a call by that name could refer to
    // either.
    auto [it, fresh] = names.try_emplace(s.name, s.type.is_function());
    if (!fresh && s.type.is_function() && it->second)
      report("duplicate-symbol", fmt::format("two variables of function type are called '{}'", s.name),
             "rename one of them");
    if (s.id < 0) report("unknown-id", fmt::format("variable '{}' has id {}", s.name, s.id), "ids are 0 or more");
  }
  if (deeper_than(f.body, max_tree_depth)) {
    report("too-deep", fmt::format("'{}' is nested deeper than {}", f.name, max_tree_depth), "split the function");
    return;
  }
  {
    At at(*this, "body");
    body(f.body);
  }
  if (f.type.is_function() && !f.type.outputs().empty() && falls_through(f.body))
    report("missing-return", fmt::format("'{}' has results, but its end can be reached without 'returnstmt'", f.name),
           "end the body with a 'returnstmt'");
}

std::vector<Diagnostic> verify(const Module& m, const Conventions& host) { return Verifier(m, host).run(); }

}  // namespace vr::ir
