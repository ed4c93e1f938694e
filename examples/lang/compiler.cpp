// Translates syntax trees of the language to VRIR, with the builder.
#include "syntax.hpp"

#include <map>

namespace lang {

using namespace vr::ir;

namespace {

const Type number = f64(), vector = f64_array(1);

struct CompileError {
  std::string message;
};

// ---- [function] one function under construction
class Compiler {
 public:
  Compiler(FunctionBuilder& f, std::string file) : f_(f), file_(std::move(file)) {}

  void function(const Function& source) {
    for (const Parameter& p : source.parameters) variables_.emplace(p.name, f_.arg(p.name, p.vector ? vector : number));
    for (const Stmt& s : source.body) statement(s);
  }

 private:
  // ---- [statements]
  void statement(const Stmt& s) {
    f_.at(file_ + ":" + std::to_string(s.line) + ":1");  // for error messages and debuggers
    const auto block = [&](const std::vector<Stmt>& body) {
      return [this, &body] {
        for (const Stmt& inner : body) statement(inner);
      };
    };
    switch (s.kind) {
      case Stmt::Kind::Assign: {
        const E value = expression(s.parts[0]);
        const E target = variable(s.name, value.type().is_array() ? vector : number);
        return f_.assign(target, value);
      }
      case Stmt::Kind::Store: {
        const E at = expression(s.parts[0]);
        return f_.assign(known(s.name, s.line)(at), expression(s.parts[1]));
      }
      case Stmt::Kind::For:
      case Stmt::Kind::ParFor: {
        const E from = f_.cast(expression(s.parts[0]), i64()), to = f_.cast(expression(s.parts[1]), i64());
        const E i = f_.local(s.name, i64());
        const auto outer = variables_;
        variables_.insert_or_assign(s.name, i);
        if (s.kind == Stmt::Kind::For)
          f_.for_(i, range_to(from, to), block(s.body));
        else
          f_.pfor({i}, {range_to(from, to)}, block(s.body));
        variables_ = outer;  // a variable that is first assigned in a loop's body is local to the loop
        return;
      }
      case Stmt::Kind::Gpu:
        return f_.gpu(block(s.body));
      case Stmt::Kind::While:
        return f_.while_(expression(s.parts[0]), block(s.body));
      case Stmt::Kind::If:
        return f_.if_(expression(s.parts[0]), block(s.body), block(s.other));
      case Stmt::Kind::Return:
        return f_.return_({expression(s.parts[0])});
      case Stmt::Kind::Error:
        return f_.raise(1, s.name);
      case Stmt::Kind::Print:
        break;
    }
    throw CompileError{"line " + std::to_string(s.line) + ": print stands outside of functions"};
  }

  // ---- [expressions]
  E expression(const Expr& e) {
    std::vector<E> parts;
    for (const Expr& p : e.parts) parts.push_back(expression(p));
    switch (e.kind) {
      case Expr::Kind::Number:
        return E(e.number);
      case Expr::Kind::Name:
        return known(e.text, e.line);
      case Expr::Kind::Index:
        return known(e.text, e.line).index(parts);
      case Expr::Kind::Negate:
        return -parts[0];
      case Expr::Kind::Binary:
        return f_.binary(operators.at(e.text), parts[0], parts[1]);
      case Expr::Kind::Call:
        return call(e, parts);
      case Expr::Kind::List: {
        const E list = f_.local("list", vector);
        f_.assign(list, f_.zeros(number, {E(static_cast<long>(parts.size()))}));
        for (size_t k = 0; k < parts.size(); ++k) f_.assign(list(static_cast<long>(k) + 1), parts[k]);
        return list;
      }
    }
    throw CompileError{"no such expression"};
  }

  E call(const Expr& e, const std::vector<E>& args) {
    if (e.text == "len" && args.size() == 1) return f_.lib("numel", args);
    if (e.text == "zeros" && args.size() == 1) return f_.zeros(number, args);
    if (library.count(e.text)) return f_.lib(library.at(e.text), args);
    return f_.call(e.text, args);  // a function of the program; the verifier reports errors in the call
  }

  E known(const std::string& name, int line) {
    auto it = variables_.find(name);
    if (it == variables_.end()) throw CompileError{"line " + std::to_string(line) + ": '" + name + "' has no value"};
    return it->second;
  }
  E variable(const std::string& name, const Type& type) {
    auto it = variables_.find(name);
    return it != variables_.end() ? it->second : variables_.emplace(name, f_.local(name, type)).first->second;
  }

  static inline const std::map<std::string, Kind> operators = {
      {"+", Kind::Plus}, {"-", Kind::Minus}, {"*", Kind::Mult}, {"/", Kind::Div},
      {"<", Kind::Lt},   {"<=", Kind::Leq},  {">", Kind::Gt},   {"==", Kind::Eq}};
  static inline const std::map<std::string, std::string> library = {
      {"sqrt", "sqrt"}, {"exp", "exp"}, {"abs", "abs"}, {"sum", "sum"}, {"least", "min"}, {"greatest", "max"}};

  FunctionBuilder& f_;
  std::string file_;
  std::map<std::string, E> variables_;
};

}  // namespace

// ---- [module]
vr::Result<ModulePtr> compile(const std::vector<Function>& functions, const std::string& file) {
  ConventionAttrs conventions;
  conventions.indexing = 1;             // x[1] is the first element
  conventions.assign = AssignMode::Copy;  // y = x makes a copy
  ModuleBuilder m(file, conventions);
  try {
    for (const Function& f : functions) {
      FunctionBuilder& built = m.function(f.name, {f.gives_vector ? vector : number});
      Compiler(built, file).function(f);
    }
  } catch (const CompileError& e) {
    return vr::make_error(vr::Code::Verify, e.message);
  }
  return m.finish();
}

}  // namespace lang
