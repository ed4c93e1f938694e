// Functions that the host runs for compiled code: functions that print, whose output the host records and writes after
// the call has succeeded, and functions on text.
#include "emit.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace vr::matlab {

using ir::E;

namespace {

constexpr size_t kMostValues = 16;  // of an external function

/// What the host needs to know about a value, and the values that are passed for it.
ResultInfo info_of(const Val& v, std::vector<E>& passed, Emitter& em, Pos pos) {
  if (v.t.cls == Cls::Handle) em.refuse(pos, "a function handle as an argument of a function of the host");
  if (!v.t.is_aggregate()) {
    const Val p = em.plain(v, pos);
    passed.push_back(em.convert(p, p.t.without_constant()));
    return {p.t.cls, p.t.complex};
  }
  if (v.t.cls == Cls::List) em.guard(em.elements(v.parts[1]) == E(0), "output of a cell array without cells");
  if (v.t.cls == Cls::Structs) em.refuse(pos, "output of an array of structures");
  ResultInfo r{v.t.cls};
  r.fields = v.t.fields;
  r.rows = v.t.ext[0];
  if (v.t.cls == Cls::Cell && v.parts.empty() && (v.t.ext[0] != 0 || v.t.ext[1] != 0))
    em.refuse(pos, "an empty cell array as an argument of a function of the host");
  for (const Val& p : v.parts) r.parts.push_back(info_of(p, passed, em, pos));
  return r;
}

bool has_special(const Type& t) {
  return t.special || t.cls == Cls::List || std::any_of(t.parts.begin(), t.parts.end(), has_special);
}

bool same(const ResultInfo& a, const ResultInfo& b) {
  return a.cls == b.cls && a.complex == b.complex && a.fields == b.fields && a.rows == b.rows &&
         std::equal(a.parts.begin(), a.parts.end(), b.parts.begin(), b.parts.end(), same);
}
bool same(const std::vector<HostCall::Argument>& a, const std::vector<HostCall::Argument>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.text == y.text && x.quotes == y.quotes && x.special == y.special && same(x.info, y.info) &&
           x.handle == y.handle && x.empty == y.empty && x.fields == y.fields && same(x.parts, y.parts);
  });
}
bool same(const HostCall& a, const HostCall& b) {
  if (a.lists != b.lists || a.function != b.function || a.name != b.name || !(a.type == b.type) ||
      a.args.size() != b.args.size() || a.columns != b.columns ||
      !std::equal(a.results.begin(), a.results.end(), b.results.begin(), b.results.end(),
                  [](const ResultInfo& x, const ResultInfo& y) { return same(x, y); }))
    return false;
  return same(a.args, b.args);
}

/// `handles`: the function may get some. Others would show them, with a text that is not the user's.
HostCall::Argument argument_of(Emitter& em, const Val& v, bool handles, std::vector<E>& passed, Pos pos) {
  if (!v.t.lost.empty()) em.refuse(pos, v.t.lost);
  if (v.t.closure && handles) {
    std::vector<Val> captured;
    HostCall::Argument a = handle_argument(em, *v.t.closure, captured, pos);
    for (const Val& held : captured) a.parts.push_back(argument_of(em, held, handles, passed, pos));
    return a;
  }
  HostCall::Argument a;
  a.special = has_special(v.t);
  if (v.t.cls == Cls::Struct) {
    a.fields = v.t.fields;
    for (const Val& p : v.parts) a.parts.push_back(argument_of(em, p, handles, passed, pos));
    return a;
  }
  a.empty = v.t.cls == Cls::Double && !v.t.complex && v.t.ext == std::vector<int64_t>{0, 0};
  if (a.empty) return a;
  a.text = v.t.text;
  a.quotes = v.t.quotes;
  if (!a.text) a.info = info_of(spelled(em, v), passed, em, pos);
  return a;
}
}  // namespace

Vals host_call(Emitter& em, HostCall c, const Vals& args, const std::vector<Type>& results, Pos pos) {
  only_serial(em);
  std::vector<E> passed;
  for (const Val& v : args) c.args.push_back(argument_of(em, v, c.solves, passed, pos));
  if (passed.size() > kMostValues)
    em.refuse(pos, "'" + c.function + "' with more than " + std::to_string(kMostValues) + " values");
  std::vector<ir::Type> in, out;
  for (E& e : passed) in.push_back(e.type());
  for (const Type& t : results) {
    c.results.push_back(ResultInfo{t.cls, t.complex});
    c.columns.push_back(t.is_column() && !t.is_scalar());
    out.push_back(storage(t));
  }
  c.type = ir::Type::function(in, out);
  auto& list = em.program.host_calls;
  auto it = std::find_if(list.begin(), list.end(), [&](const HostCall& x) { return same(x, c); });
  if (it == list.end()) {
    c.external = "vr__host_" + std::to_string(list.size() + 1);
    em.program.builder->external(c.external, in, out);
    it = list.insert(list.end(), std::move(c));
  }
  if (!em.version.calls_host) em.program.changed_here();
  em.version.calls_host = true;
  const E call = em.f->call(it->external, passed);
  if (results.empty()) return em.f->expr(call), Vals{};
  Vals given;
  std::vector<E> targets;
  for (size_t k = 0; k < results.size(); ++k) {
    given.push_back({results[k], em.temp("given", out[k])});
    targets.push_back(given.back().e);
  }
  if (targets.size() == 1)
    em.f->assign(targets[0], call);
  else
    em.f->assign(targets, call);
  return given;
}

namespace {

/// A template of printf and the like, and what it formats.
void check_format(Emitter& em, const std::string& name, const Vals& args, Pos pos) {
  if (args.empty() || args[0].t.cls != Cls::Char || !args[0].t.lost.empty())
    em.refuse(pos, "'" + name + "' without a template");
  const Type& t = args[0].t;
  if (t.text && t.quotes == Quotes::Unknown && t.text->find('\\') != std::string::npos)
    em.refuse(pos, "'" + name + "' with a backslash in a template whose quotes are not known");
  for (size_t k = 1; k < args.size(); ++k) {
    if (args[k].t.is_aggregate()) em.refuse(pos, "'" + name + "' of " + aggregate_name(args[k].t));
  }
}

/// Removes a stream in front: 1, or stdout. Others belong to the interpreter.
void drop_stream(Emitter& em, const std::string& name, Vals& args, bool needed, Pos pos) {
  if (!needed && !args.empty() && args[0].t.cls == Cls::Char) return;
  if (args.empty() || args[0].t.number != 1.0) em.refuse(pos, "'" + name + "' to another stream than stdout");
  args.erase(args.begin());
}

/// The functions of text, and what they return.
std::optional<Type> text_result(Emitter& em, const std::string& name, const Vals& args, Pos pos) {
  const size_t n = args.size();
  const Type text = Type::array(Cls::Char, {kAny, kAny}), line = Type::array(Cls::Char, {1, kAny});
  const bool one = n > 0 && args[0].t.is_scalar();
  auto is_char = [&](size_t k) { return k < n && args[k].t.cls == Cls::Char; };
  if (name == "sprintf") return check_format(em, name, args, pos), line;
  if (name == "num2str" && (n == 1 || n == 2) && args[0].t.cls != Cls::Char) return one ? line : text;
  if (name == "int2str" && n == 1) return one ? line : text;
  if (name == "mat2str" && n >= 1 && n <= 3) return line;
  if (name == "disp" && n == 1) return line;
  if ((name == "dec2hex" || name == "dec2bin") && (n == 1 || n == 2)) return one ? line : text;
  if (name == "dec2base" && (n == 2 || n == 3)) return one ? line : text;
  if ((name == "strrep" || name == "regexprep") && n == 3 && is_char(0) && is_char(1) && is_char(2)) return text;
  if ((name == "strjust" || name == "substr" || name == "deblank" || name == "strtrim" || name == "upper" ||
       name == "lower" || name == "toupper" || name == "tolower" || name == "do_string_escapes" ||
       name == "undo_string_escapes" || name == "untabify") &&
      is_char(0))
    return text;
  if (name == "blanks" && n == 1) return line;
  if (name == "strjoin" && (n == 1 || n == 2) && args[0].t.is_aggregate() && args[0].t.cls != Cls::Struct) return line;
  if ((name == "strfind" || name == "strtok") && name == "strfind" && n == 2 && is_char(0) && is_char(1))
    return Type::array(Cls::Double, {kAny, kAny});
  if ((name == "index" || name == "rindex") && n == 2 && is_char(0) && is_char(1)) return Type::scalar(Cls::Double);
  if ((name == "str2double" || name == "hex2dec" || name == "bin2dec") && n == 1 && is_char(0))
    return Type::scalar(Cls::Double);
  if (name == "base2dec" && n == 2 && is_char(0)) return Type::scalar(Cls::Double);
  return std::nullopt;
}

/// What a function of the host returns that computes a real matrix of real numbers; nothing if it is none of them, or
/// is compiled. The host checks that the result is of this class, real and no array of more dimensions.
std::optional<Type> matrix_result(const std::string& name, const Vals& args) {
  const size_t n = args.size();
  if (n == 0 || n > 7) return std::nullopt;
  bool numbers = true, method = false;
  for (size_t k = 0; k < n; ++k) {
    const Type& t = args[k].t;
    if (!t.lost.empty() || t.is_aggregate() || t.cls == Cls::Handle || t.complex) return std::nullopt;
    if (t.cls == Cls::Char && t.text && k > 0)
      method = true;
    else if (t.cls != Cls::Double && t.cls != Cls::Logical)
      return std::nullopt;
    numbers = numbers && t.is_scalar();
  }
  const Type matrix = Type::array(Cls::Double, {kAny, kAny});
  static const std::set<std::string> to_number = {"rcond", "normest"};
  if (to_number.count(name) && n == 1) return Type::scalar(Cls::Double);
  if (name == "cond" && n == 2) return Type::scalar(Cls::Double);
  static const std::set<std::string> mapped = {"expint", "betainc", "betaincinv", "ellipke", "gammaincinv", "erfcx",
                                               "erfi",   "dawson",  "psi",        "sinint",  "cosint"};
  if (mapped.count(name)) return numbers ? Type::scalar(Cls::Double) : matrix;
  static const std::set<std::string> to_matrix = {"rref",     "null",     "corrcoef", "cov",    "corr",  "repelems",
                                                  "sqrtm",    "logm",     "hess",     "spline", "pchip", "interp2",
                                                  "legendre", "skewness", "kurtosis", "iqr",    "del2",  "hankel",
                                                  "cplxpair", "spearman", "kendall",  "ranks"};
  if (to_matrix.count(name)) return matrix;
  // Forms that the compiler has not.
  if (name == "interp1" && method) return n == 4 && args[2].t.is_scalar() ? Type::scalar(Cls::Double) : matrix;
  if (name == "gradient" && !args[0].t.is_row() && !args[0].t.is_column()) return matrix;
  if (name == "nchoosek" && n == 2 && !args[0].t.is_scalar()) return matrix;
  return std::nullopt;
}

}  // namespace

void show_variable(Emitter& em, const std::string& name, Pos pos) {
  if (!em.program.signature.output) em.refuse(pos, "a statement that shows its value", "end it with a semicolon");
  HostCall c;
  c.function = "display";
  c.name = name;
  host_call(em, std::move(c), {em.read(name, pos)}, {}, pos);
}

bool prints(Emitter& em, const std::string& name, Vals& args, int nargout, Pos pos, Vals& out) {
  if (name == "stdout" && args.empty()) return out.push_back(em.number(1)), true;
  static const std::map<std::string, const char*> functions = {
      {"printf", "printf"}, {"fprintf", "printf"}, {"puts", "puts"},       {"fputs", "puts"},
      {"disp", "disp"},     {"fdisp", "disp"},     {"display", "display"}, {"fflush", "fflush"}};
  const auto it = functions.find(name);
  if (it == functions.end() || (name == "disp" && nargout > 0)) return false;
  if (!em.program.signature.output)
    em.refuse(pos, "'" + name + "', which does or asks more than compute", "call it outside of compiled functions");
  if (nargout > 0) em.refuse(pos, "'" + name + "' with a result");
  HostCall c;
  c.function = it->second;
  if (name == "fprintf") drop_stream(em, name, args, false, pos);
  if (name == "fputs" || name == "fdisp" || name == "fflush") drop_stream(em, name, args, true, pos);
  if (c.function == "printf") {
    check_format(em, name, args, pos);
  } else if (name == "fflush") {  // output is written in order, and at the end
    if (!args.empty()) em.refuse(pos, "'fflush' with these arguments");
    return out.push_back(em.number(0)), true;
  } else if (args.size() != 1) {
    em.refuse(pos, "'" + name + "' with these arguments");
  }
  if (c.function == "puts" && args[0].t.cls != Cls::Char) em.refuse(pos, "'" + name + "' of what is no text");
  if (c.function == "display") em.refuse(pos, "'display' as a function", "a statement without a semicolon");
  host_call(em, std::move(c), args, {}, pos);
  if (it->second == std::string("puts")) out.push_back(em.number(0));
  return true;
}

bool host_texts(Emitter& em, const std::string& name, Vals& args, int nargout, Pos pos, Vals& out) {
  if (!em.program.signature.text || nargout > 1) return false;
  std::optional<Type> result = matrix_result(name, args);
  if (!result) result = text_result(em, name, args, pos);
  if (!result) return false;
  HostCall c;
  c.function = name;
  out = host_call(em, std::move(c), args, {*result}, pos);
  return true;
}

bool host_clock(Emitter& em, const std::string& name, Vals& args, int nargout, Pos pos, Vals& out) {
  static const std::set<std::string> functions = {"tic", "toc", "time", "now", "cputime", "clock"};
  if (!em.program.signature.text || !functions.count(name) || nargout > 1) return false;
  if (args.size() > (name == "toc" ? 1 : 0)) return false;
  if (!args.empty() && (args[0].t.cls != Cls::Uint64 || !args[0].t.is_scalar())) return false;
  HostCall c;
  c.function = name;
  std::vector<Type> results;  // without one tic sets the clock that toc shows
  if (name == "clock")
    results = {Type::array(Cls::Double, {1, kNotOne})};
  else if ((name != "tic" && name != "toc") || nargout > 0)
    results = {Type::scalar(name == "tic" ? Cls::Uint64 : Cls::Double)};
  out = host_call(em, std::move(c), args, results, pos);
  return true;
}

bool host_lists(Emitter& em, const std::string& name, Vals& args, int nargout, Pos pos, Vals& out) {
  if (!em.program.signature.text || nargout > 1 || args.empty()) return false;
  const auto is_char = [](const Val& v) { return v.t.cls == Cls::Char && v.t.lost.empty(); };
  const bool texts = std::all_of(args.begin(), args.end(), is_char);
  const bool splits = (name == "strsplit" || name == "ostrsplit") && texts && args.size() <= 2;
  const bool matches = name == "regexp" && texts && args.size() == 3 && args[2].t.text == "match";
  const Type& t = args[0].t;
  bool cells = t.cls == Cls::List && t.ext[0] == 1 && args[0].parts[0].t.cls == Cls::Char;
  if (t.cls == Cls::Cell && t.ext[0] == 1 && !args[0].parts.empty())
    cells = std::all_of(args[0].parts.begin(), args[0].parts.end(), is_char);
  const bool orders = (name == "sort" || name == "unique") && cells && args.size() == 1;
  if (!splits && !matches && !orders) return false;
  HostCall c;
  c.function = name;
  c.lists = true;
  const Type row = Type::array(Cls::Double, {1, kAny});
  const Vals parts = host_call(em, std::move(c), args, {Type::array(Cls::Char, {1, kAny}), row, row}, pos);
  out.push_back(list_of(parts[0], parts[1], parts[2], {1, kAny}, {1, kAny}));
  return true;
}

bool host_random(Emitter& em, const std::string& name, Vals& args, int nargout, Pos pos, Vals& out) {
  static const std::set<std::string> functions = {"rand", "randn", "rande", "randi", "randperm"};
  if (!em.program.signature.text || !functions.count(name) || nargout > 1) return false;
  for (const Val& v : args)
    if (!v.t.lost.empty() || v.t.is_aggregate() || v.t.cls != Cls::Double || v.t.complex) return false;
  const size_t first = name == "randi" ? 1 : 0;  // the argument where the sizes begin
  if (args.size() < first || args.size() > first + 2) return false;
  Type t = Type::scalar(Cls::Double);
  auto extent = [](const Val& v) {
    return v.t.number && *v.t.number == std::floor(*v.t.number) && *v.t.number < kExact
               ? std::max<int64_t>(0, static_cast<int64_t>(*v.t.number))
               : kAny;
  };
  if (name == "randperm") {
    if (args.empty()) return false;
    t = Type::array(Cls::Double, {1, kAny});
  } else if (args.size() == first + 2) {
    if (!args[first].t.is_scalar() || !args[first + 1].t.is_scalar()) return false;
    t = Type::array(Cls::Double, {extent(args[first]), extent(args[first + 1])});
  } else if (args.size() == first + 1) {
    const bool square = args[first].t.is_scalar();
    const int64_t n = square ? extent(args[first]) : kAny;
    t = Type::array(Cls::Double, {n, n});
  }
  HostCall c;
  c.function = name;
  out = host_call(em, std::move(c), args, {t}, pos);
  return true;
}

}  // namespace vr::matlab
