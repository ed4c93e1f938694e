#include "run.hpp"

#include "output.hpp"

#include <velociraptor/ir/text.hpp>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

namespace vr::matlab {

namespace {

std::string all_text(const std::vector<Diagnostic>& list) {
  std::string s;
  for (const Diagnostic& d : list) s += (s.empty() ? "" : "\n") + d.text();
  return s;
}

const Engine& engine(Target target, int opt_level) {
  static std::map<std::pair<Target, int>, Engine> engines;
  const std::pair<Target, int> key(target, opt_level);
  auto it = engines.find(key);
  if (it == engines.end()) {
    Options options;
    options.target = target;
    options.opt_level = opt_level;
    options.disk_cache = false;
    auto made = Engine::create(options);
    if (!made) throw std::runtime_error(made.error().text());
    it = engines.emplace(key, std::move(*made)).first;
  }
  return it->second;
}

UnitPtr unit_of(const std::string& path) {
  auto unit = parse(read_file(path), path);
  if (!unit) throw std::runtime_error(unit.error().text());
  return *unit;
}

// The command line after the command: file, options, and the arguments of the call.
struct Arguments {
  std::string file, function, cases, outcomes;
  int nargout = 1, part = 0, opt_level = 2;
  double tolerance = 1e-12;
  Target target = Target::CpuParallel;
  bool quiet = false, bless = false, all_right = false;
  std::vector<std::string> values;
  explicit Arguments(const std::vector<std::string>& args) {
    for (size_t k = 0; k < args.size(); ++k) {
      auto next = [&] {
        if (k + 1 >= args.size()) throw std::runtime_error(args[k] + " wants a value");
        return args[++k];
      };
      if (args[k] == "--fn")
        function = next();
      else if (args[k] == "--nargout")
        nargout = std::stoi(next());
      else if (args[k] == "--part")
        part = std::stoi(next());
      else if (args[k] == "--cases")
        cases = next();
      else if (args[k] == "--opt")
        opt_level = std::stoi(next());
      else if (args[k] == "--rtol")
        tolerance = std::stod(next());
      else if (args[k] == "--quiet")
        quiet = true;
      else if (args[k] == "--bless")
        bless = true;
      else if (args[k] == "--all-right")
        all_right = true;
      else if (args[k] == "--outcomes")
        outcomes = next();
      else if (args[k] == "--on") {
        const std::string t = next();
        bool found = false;
        for (Target x : {Target::Interp, Target::Cpu, Target::CpuParallel, Target::OpenCL})
          if (t == target_name(x)) target = x, found = true;
        if (!found) throw std::runtime_error("there is no target '" + t + "'");
      } else if (args[k] == "--args") {
        values.assign(args.begin() + static_cast<long>(k) + 1, args.end());
        break;
      } else if (file.empty())
        file = args[k];
      else
        throw std::runtime_error("what is '" + args[k] + "'?");
    }
    if (file.empty()) throw std::runtime_error("no file is named");
  }
};

// double:3x4, complex-single, 'text', or a number, which is a constant of the version.
Type signature_type(const std::string& s) {
  if (s.size() >= 2 && s.front() == '\'' && s.back() == '\'') return Type::string(s.substr(1, s.size() - 2));
  std::string name = s.substr(0, s.find(':'));
  const bool complex = name.rfind("complex-", 0) == 0;
  const std::optional<Cls> cls = class_named(complex ? name.substr(8) : name);
  if (!cls) throw std::runtime_error("'" + s + "' is no type: double:3x4, complex-single:?x1, 'text'");
  std::vector<int64_t> ext;
  if (s.find(':') != s.npos) {
    std::istringstream dims(s.substr(s.find(':') + 1));
    for (std::string d; std::getline(dims, d, 'x');)
      ext.push_back(d == "?" ? kAny : d == "N" ? kNotOne : std::stoll(d));
  }
  if (ext.size() < 2) ext.resize(2, 1);
  return Type::array(*cls, ext, complex);
}

// The unit, and the name of the function to call: that of the command line, else the first.
std::pair<UnitPtr, std::string> requested(const Arguments& a) {
  const UnitPtr unit = unit_of(a.file);
  const std::string function = a.function.empty() ? unit->functions[0]->name : a.function;
  if (a.part == 0) return {unit, function};
  return {with_part(*unit, function, a.part), "vr_part"};
}

Datum evaluate(const std::string& expression) {
  if (expression.size() >= 2 && expression.front() == '\'' && expression.back() == '\'') {
    Datum d;
    d.cls = Cls::Char;
    d.text = expression.substr(1, expression.size() - 2);
    return d;
  }
  auto unit = parse("function r = value()\nr = " + expression + ";\nend\n", "argument");
  if (!unit) throw std::runtime_error(unit.error().text());
  Outcome o = call(*unit, "value", {}, 1);
  if (o.kind != Outcome::Kind::Answered) throw std::runtime_error("argument " + expression + ": " + o.why);
  return o.results[0];
}

}  // namespace

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error(path + " cannot be read");
  std::ostringstream s;
  s << in.rdbuf();
  return s.str();
}

namespace {
Outcome call_once(const UnitPtr& unit, const std::string& function, const std::vector<Datum>& args, int nargout,
                  Target target, int opt_level, bool octave, bool complex) {
  Outcome o;
  Signature signature;
  signature.octave = octave;
  signature.complex = complex;
  signature.output = true;
  signature.nargout = nargout;
  for (const Datum& d : args) signature.args.push_back(type_of(d));
  auto compiled = compile(unit, function, signature);
  if (!compiled) {
    const bool ours = std::any_of(compiled.error().diagnostics.begin(), compiled.error().diagnostics.end(),
                                  [](const Diagnostic& d) { return d.rule != "unsupported" && d.rule != "arity"; });
    o.kind = ours ? Outcome::Kind::Failed : Outcome::Kind::Refused;
    o.why = compiled.error().text();
    return o;
  }
  if (const Status bound = bind_listing(engine(target, opt_level), *compiled); !bound) return o.why = bound.error().text(), o;
  auto module = engine(target, opt_level).load(compiled->module);
  if (!module) return o.why = module.error().text(), o;
  auto f = module->function(compiled->entry);
  if (!f) return o.why = f.error().text(), o;
  if (std::any_of(compiled->results.begin(), compiled->results.end(),
                  [](const ResultInfo& r) { return r.cls >= Cls::Cell; })) {
    o.kind = Outcome::Kind::Refused;
    o.why = "a result that is a cell array or a structure, which only a host makes";
    return o;
  }
  std::vector<Value> passed;
  for (const auto& p : compiled->passed) passed.push_back(argument(args[static_cast<size_t>(p.argument)]));
  auto results = f->call(passed);
  o.printed = take_listing();
  if (!results) {
    if (!results.error().record) return o.why = results.error().text(), o;
    o.kind = Outcome::Kind::Bailed;
    o.why = bail_reason(*compiled, *results.error().record);
    return o;
  }
  o.kind = Outcome::Kind::Answered;
  for (size_t k = 0; k < compiled->results.size(); ++k)
    o.results.push_back(result((*results)[k], compiled->results[k]));
  return o;
}
}  // namespace

Outcome call(const UnitPtr& unit, const std::string& function, const std::vector<Datum>& args, int nargout,
             Target target, int opt_level, bool octave) {
  Outcome o = call_once(unit, function, args, nargout, target, opt_level, octave, false);
  if (o.kind != Outcome::Kind::Bailed || !wants_complex(o.why)) return o;
  Outcome complex = call_once(unit, function, args, nargout, target, opt_level, octave, true);
  return complex.kind == Outcome::Kind::Refused ? o : complex;
}

int emit_command(const std::vector<std::string>& args, std::string& out) {
  const Arguments a(args);
  const auto [unit, function] = requested(a);
  Signature s;
  s.nargout = a.nargout;
  s.output = true;
  for (const std::string& v : a.values) s.args.push_back(signature_type(v));
  auto compiled = compile(unit, function, s);
  if (!compiled) {
    out += compiled.error().text() + "\n";
    return 1;
  }
  out += ir::print(*compiled->module);
  if (out.back() != '\n') out += '\n';
  for (size_t k = 0; k < compiled->results.size(); ++k)
    out += "; result " + std::to_string(k + 1) + ": " + compiled->results[k].text_form() + "\n";
  for (size_t k = 0; k < compiled->bail_reasons.size(); ++k)
    out += "; #" + std::to_string(k) + ": " + compiled->bail_reasons[k] + "\n";
  if (!compiled->remarks.empty()) out += "; " + all_text(compiled->remarks) + "\n";
  return 0;
}

int run_command(const std::vector<std::string>& args, std::string& out) {
  const Arguments a(args);
  const auto [unit, function] = requested(a);
  std::vector<Datum> values;
  for (const std::string& v : a.values) values.push_back(evaluate(v));
  const Outcome o = call(unit, function, values, a.nargout, a.target, a.opt_level);
  static const char* const words[] = {"", "bailed out: ", "refused: ", "failed: "};
  if (o.kind != Outcome::Kind::Answered) {
    out += words[static_cast<int>(o.kind)] + o.why + "\n";
    return 1;
  }
  out += o.printed;
  if (a.part > 0) out += part_text(*unit, o.results);
  for (const Datum& d : o.results)
    if (a.part == 0) out += text(d) + "\n";
  return 0;
}

// A file of cases: either of one function in a file (the corpus), or probes with their own text. Prints a line for each
// and the counts; fails when one is wrong, with --all-right when one is not answered, and with a file of outcomes when
// one is another than it was (--bless writes them).
int cases_command(const std::vector<std::string>& args, std::string& out) {
  const Arguments a(args);
  const bool probes = a.cases.empty();
  const auto j = nlohmann::json::parse(read_file(probes ? a.file : a.cases));
  std::map<std::string, int> counts;
  UnitPtr unit = probes ? nullptr : unit_of(a.file);
  int number = 0;
  std::string outcomes;
  for (const auto& c : j.at(probes ? "probes" : "cases")) {
    ++number;
    std::string name = probes ? c.at("name").get<std::string>() : "case " + std::to_string(number);
    Outcome o;
    std::vector<Datum> values, wanted;
    for (const auto& x : c.at("args")) values.push_back(datum(x));
    const bool error = c.contains("error");
    if (!error)
      for (const auto& x : c.at("results")) wanted.push_back(datum(x));
    const int nargout =
        c.contains("nargout") ? c.at("nargout").get<int>() : std::max(1, static_cast<int>(wanted.size()));
    if (probes) {
      auto parsed = parse(c.at("text").get<std::string>(), name);
      if (parsed)
        unit = *parsed;
      else
        o.why = parsed.error().text();
      if (!parsed) unit = nullptr;
    }
    if (unit)
      o = call(unit, probes ? unit->functions[0]->name : j.at("function").get<std::string>(), values, nargout, a.target,
               a.opt_level, j.contains("octave"));
    std::string status = o.kind == Outcome::Kind::Bailed    ? "bailed"
                         : o.kind == Outcome::Kind::Refused ? "refused"
                         : o.kind == Outcome::Kind::Failed  ? "wrong"
                                                            : "right";
    if (status == "right") {
      if (error) {
        status = "wrong";
        o.why = "answered " + (o.results.empty() ? "nothing" : text(o.results[0])) +
                " where there is an error: " + c.at("error").get<std::string>();
      } else if (wanted.size() > o.results.size()) {
        status = "wrong";
        o.why = "too few results";
      }
      for (size_t k = 0; status == "right" && k < wanted.size(); ++k) {
        o.why = difference(o.results[k], wanted[k], a.tolerance);
        if (!o.why.empty()) status = "wrong";
      }
    }
    ++counts[status];
    outcomes += name + ": " + status + "\n";
    if (!a.quiet || status == "wrong") out += name + ": " + status + (o.why.empty() ? "" : " (" + o.why + ")") + "\n";
  }
  out += "cases: " + std::to_string(counts["right"]) + " right, " + std::to_string(counts["bailed"]) + " bailed out, " +
         std::to_string(counts["refused"]) + " refused, " + std::to_string(counts["wrong"]) + " wrong\n";
  if (!a.outcomes.empty() && a.bless) {
    std::ofstream(a.outcomes, std::ios::binary) << outcomes;
  } else if (!a.outcomes.empty() && read_file(a.outcomes) != outcomes) {
    std::istringstream was(read_file(a.outcomes)), is(outcomes);
    for (std::string x, y; std::getline(was, x) && std::getline(is, y);)
      if (x != y) out += "another outcome: " + y + ", where it was " + x + "\n";
    out += "the outcomes are not those of " + a.outcomes + "\n";
    return 1;
  }
  return counts["wrong"] || (a.all_right && counts["right"] != number) ? 1 : 0;
}

}  // namespace vr::matlab
