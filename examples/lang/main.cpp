// lang FILE [--gpu]: runs a program. Functions are compiled; the statements outside of them are interpreted here.
#include "syntax.hpp"

#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>
#include <variant>

namespace {

using Value = std::variant<double, vr::Array>;

void print(const Value& v) {
  if (auto* number = std::get_if<double>(&v)) {
    std::printf("%g\n", *number);
    return;
  }
  const vr::Array& a = std::get<vr::Array>(v);
  for (int64_t k = 0; k < a.size(); ++k) std::printf("%s%g", k ? " " : "", a.data_as<double>()[k]);
  std::printf("\n");
}

// ---- [session] variables of the program, and how an expression is evaluated
class Session {
 public:
  Session(vr::Module functions, lang::Program program) : functions_(std::move(functions)), program_(std::move(program)) {}

  vr::Status run() {
    for (const lang::Stmt& s : program_.statements) {
      if (s.kind != lang::Stmt::Kind::Assign && s.kind != lang::Stmt::Kind::Print)
        return vr::make_error(vr::Code::Verify, "line " + std::to_string(s.line) + ": only in functions");
      auto value = evaluate(s.parts[0]);
      if (!value && s.kind == lang::Stmt::Kind::Assign) return value.error();
      if (s.kind == lang::Stmt::Kind::Assign)
        variables_.insert_or_assign(s.name, *value);
      else if (value)
        print(*value);
      else
        std::printf("%s\n", value.error().text().c_str());  // and the program continues
    }
    for (const std::string& line : functions_.report()) std::fprintf(stderr, "%s\n", line.c_str());
    return {};
  }

 private:
  // Values outside of functions are numbers and lists of numbers.
  vr::Result<Value> evaluate(const lang::Expr& e) {
    using Kind = lang::Expr::Kind;
    if (e.kind == Kind::Number) return Value(e.number);
    if (e.kind == Kind::Name && variables_.count(e.text)) return variables_.at(e.text);
    if (e.kind == Kind::Negate && e.parts[0].kind == Kind::Number) return Value(-e.parts[0].number);
    if (e.kind == Kind::List) {
      std::vector<double> numbers;
      for (const lang::Expr& p : e.parts) numbers.push_back(p.number);
      const auto n = static_cast<int64_t>(numbers.size());
      auto a = vr::Array::from(numbers, {&n, 1});
      if (!a) return a.error();
      return Value(*a);
    }
    if (e.kind != Kind::Call)
      return vr::make_error(vr::Code::Verify, "line " + std::to_string(e.line) + ": write this in a function");
    auto f = functions_.function(e.text);
    if (!f) return f.error();
    std::vector<vr::Value> args;
    for (const lang::Expr& p : e.parts) {
      auto v = evaluate(p);
      if (!v) return v.error();
      if (auto* number = std::get_if<double>(&*v))
        args.emplace_back(*number);
      else
        args.emplace_back(std::get<vr::Array>(*v));
    }
    auto results = f->call(args);
    if (!results) return results.error();
    const vr::Value& r = (*results)[0];
    return r.is_scalar() ? Value(r.as_double()) : Value(r.array());
  }

  vr::Module functions_;
  lang::Program program_;
  std::map<std::string, Value> variables_;
};

int fail(const vr::Error& e) {
  std::fprintf(stderr, "%s\n", e.text().c_str());
  return 1;
}

}  // namespace

// ---- [main]
int main(int argc, char** argv) {
  if (argc < 2) return std::fprintf(stderr, "usage: lang FILE [--gpu]\n"), 2;
  std::ostringstream text;
  text << std::ifstream(argv[1]).rdbuf();
  const std::string path = argv[1], file = path.substr(path.rfind('/') + 1);

  auto program = lang::parse(text.str());
  if (!program) return fail(program.error());
  auto tree = lang::compile(program->functions, file);
  if (!tree) return fail(tree.error());

  vr::Options options;
  options.target = argc > 2 && std::string(argv[2]) == "--gpu" ? vr::Target::OpenCL : vr::Target::CpuParallel;
  options.tiered = true;  // run the first calls before the optimiser has finished
  auto engine = vr::Engine::create(options);
  if (!engine) return fail(engine.error());
  auto module = engine->load(*tree);
  if (!module) return fail(module.error());
  if (auto s = Session(*module, *program).run(); !s) return fail(s.error());
}
