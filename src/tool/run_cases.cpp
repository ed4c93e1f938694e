// vrir run --cases: runs every case of a .cases.json file and compares the results. --case: takes the arguments of one
// case.
#include "interp/cases.hpp"
#include "tool/run.hpp"

#include <fmt/format.h>

#include <charconv>

namespace vr::tool {

namespace {

Result<interp::CaseFile> read_cases(const Io& io, const std::string& name) {
  auto text = read_file(io, name);
  if (!text) return text.error();
  return interp::parse_cases(*text, name);
}

/// The arguments of a case, converted to the function's parameter types.
Result<std::vector<Value>> fit_arguments(const interp::Case& c, const ir::Type& function) {
  const auto& params = function.components();
  if (c.args.size() != params.size()) {
    return make_error(Code::Type,
                      fmt::format("{} arguments for a function of type {}", c.args.size(), function.text()));
  }
  std::vector<Value> values;
  for (size_t k = 0; k < params.size(); ++k) {
    auto v = interp::fit_argument(c.args[k], params[k]);
    if (!v) return make_error(v.error().code, fmt::format("argument {}: {}", k + 1, v.error().text()));
    values.push_back(std::move(*v));
  }
  return values;
}

/// Empty if the case passes, otherwise a description of the difference.
std::string run_case(const Loaded& loaded, const Function& f, const interp::Case& c, double rtol) {
  auto args = fit_arguments(c, f.type());
  if (!args) return args.error().text();
  auto results = call(loaded, f, *args);
  if (!results) return results.error().text();
  if (results->size() != c.results.size())
    return fmt::format("{} results, wanted {}", results->size(), c.results.size());
  std::string differences;
  for (size_t k = 0; k < c.results.size(); ++k) {
    const std::string d =
        interp::compare(c.results[k], (*results)[k], rtol > 0 ? std::optional<double>(rtol) : std::optional<double>());
    if (!d.empty()) differences += fmt::format("{}result {}: {}", differences.empty() ? "" : "; ", k + 1, d);
  }
  return differences;
}

/// `FILE#N` -> the file's cases, and the one with that number.
struct OneCase {
  std::string function;
  interp::Case chosen;
};
Result<OneCase> find_case(const Io& io, const std::string& spec) {
  const size_t hash = spec.rfind('#');
  size_t number = 0;
  if (hash != std::string::npos) {
    const char* end = spec.data() + spec.size();
    auto [p, ec] = std::from_chars(spec.data() + hash + 1, end, number);
    if (ec != std::errc() || p != end) number = 0;
  }
  if (number == 0) {
    return make_error(Code::Usage, fmt::format("'{}' is not FILE.cases.json#N with N from 1", spec));
  }
  auto file = read_cases(io, spec.substr(0, hash));
  if (!file) return file.error();
  if (number > file->cases.size()) {
    return make_error(Code::NotFound, fmt::format("{}: error: there are {} cases, but the number is {}",
                                                  spec.substr(0, hash), file->cases.size(), number));
  }
  return OneCase{file->function, std::move(file->cases[number - 1])};
}

}  // namespace

Result<std::string> case_function(const Io& io, const std::string& spec) {
  auto one = find_case(io, spec);
  if (!one) return one.error();
  return one->function;
}

Result<std::vector<Value>> case_arguments(const Io& io, const std::string& spec, const ir::Type& function) {
  auto one = find_case(io, spec);
  if (!one) return one.error();
  return fit_arguments(one->chosen, function);
}

int run_cases(Io& io, const RunOptions& o) {
  auto file = read_cases(io, o.cases_file);
  if (!file) return fail(io, file.error());
  int passed = 0, failed = 0;
  for (const std::string& target : targets(o)) {
    auto loaded = load_for(io, o, target);
    auto f = loaded ? find_function(*loaded, o, o.function.empty() ? file->function : o.function) : loaded.error();
    if (!f) {  // Scripts read the last line, so all cases of a function that cannot be called count as failed.
      fail(io, f.error());
      failed += int(file->cases.size());
      continue;
    }
    for (size_t k = 0; k < file->cases.size() && !io.interrupted(); ++k) {
      const std::string wrong = run_case(*loaded, *f, file->cases[k], o.rtol);
      if (!wrong.empty()) io.out << fmt::format("{} case {} on {}: {}\n", o.cases_file, k + 1, target, wrong);
      ++(wrong.empty() ? passed : failed);
    }
    if (o.report) print_report(io, *loaded);
  }
  io.out << fmt::format("cases: {} passed, {} failed\n", passed, failed);
  return failed == 0 ? exit_ok : exit_bad;
}

}  // namespace vr::tool
