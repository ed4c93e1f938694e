// Functions of the host that programs call (Engine::bind, thesis 4.1.1).
#include <velociraptor/velociraptor.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>

namespace vr {
namespace {

constexpr const char* vec = "(arraytype :layout strided :ndims 1 (float64))";

/// The host: records the calls that it gets, in order.
struct Log {
  std::string calls;
  int done = 0;
  int locked = 0, locks = 0;
  bool called_without_lock = false;
  bool read_only = false;
};
Log* at_work = nullptr;

Log& enter(void* data) {
  Log& log = *static_cast<Log*>(data);
  log.called_without_lock = log.called_without_lock || log.locked != 1;
  return log;
}
void count_done(void* data) { ++static_cast<Log*>(data)->done; }

/// (x) -> 2 x
int32_t twice(void* data, vr_external_call*, const vr_value* args, vr_value* results) {
  enter(data).calls += "t";
  results[0].f64 = 2 * args[0].f64;
  return 0;
}
/// (a, k) stores k to a[0]
int32_t put(void* data, vr_external_call* call, const vr_value* args, vr_value*) {
  Log& log = enter(data);
  log.calls += "p";
  log.read_only = args[0].array->flags & VR_ARRAY_READ_ONLY;
  if (log.read_only) return call->fail(call, 8, "cannot store");
  *static_cast<double*>(args[0].array->data) = args[1].f64;
  return 0;
}
/// (n) -> (0, 1, ..., n - 1), n as int32; fails below 0
int32_t count(void* data, vr_external_call* call, const vr_value* args, vr_value* results) {
  enter(data).calls += "c";
  const int64_t n = args[0].i64;
  if (n == -1) return call->fail(call, -5, "less than none");
  if (n == -2) return 1;
  if (n == -3) return 0;
  if (n == -4) {
    call->fail(call, 6, "said, and not returned");
    return 0;
  }
  vr_array* a = call->make(call, 0, &n);
  if (!a) return VR_HOST;
  for (int64_t k = 0; k < n; ++k) static_cast<double*>(a->data)[k] = static_cast<double>(k);
  results[1].i32 = static_cast<int32_t>(n);
  return 0;
}
/// (z) -> conj z
int32_t conjugate(void* data, vr_external_call*, const vr_value* args, vr_value* results) {
  enter(data).calls += "z";
  results[0].cf64[0] = args[0].cf64[0];
  results[0].cf64[1] = -args[0].cf64[1];
  return 0;
}

std::string name(int id, const std::string& t) { return "(name :id " + std::to_string(id) + " " + t + ")"; }
const std::string f64 = "(float64)", i64 = "(int64)", v = vec;
std::string number(int k) { return "(realconst :ival " + std::to_string(k) + " (int64))"; }
std::string call(const std::string& f, const std::string& t, const std::string& args) {
  return "(fncall :fnname " + f + " " + t + " (args " + args + "))";
}
std::string set(const std::string& to, const std::string& value) {
  return "(assignstmt (lhs " + to + ") (rhs " + value + "))";
}
std::string element(int id, const std::string& at) {
  return "(index :arrayid " + std::to_string(id) + " (float64) (indices (index " + at + ")))";
}

const std::string externs = R"(
 (extern twice (functype (intypes (float64)) (outtypes (float64))))
 (extern put (functype (intypes )" +
                            v + R"( (float64)) (outtypes (void))))
 (extern count :loc "host.c:9:1" (functype (intypes (int64)) (outtypes )" +
                            v + R"( (int32))))
 (extern conjugate (functype (intypes (float64 :ctype 1)) (outtypes (float64 :ctype 1)))))";

/// A module of one function f with these parameters (variables from 0), result, statements; variables 5 to 9 are x, i,
/// n (int32), z, y.
std::string module(const std::string& ins, int parameters, const std::string& outs, const std::string& body,
                   const std::string& attrs = "", const std::string& more = "") {
  std::string list, symbols;
  std::vector<std::string> types;
  for (size_t at = 0; at < ins.size();) {
    int depth = 0;
    size_t end = at;
    do depth += ins[end] == '(' ? 1 : ins[end] == ')' ? -1 : 0, ++end;
    while (depth > 0);
    types.push_back(ins.substr(at, end - at));
    at = end;
  }
  for (int k = 0; k < parameters; ++k) {
    list += std::to_string(k) + " ";
    symbols +=
        "(sym :id " + std::to_string(k) + " :name p" + std::to_string(k) + " " + types[static_cast<size_t>(k)] + ")";
  }
  return "(module :name m :vrir 1 :indexing 0 :exclude %1 " + attrs + " (fns " + externs + more +
         "(function :name f (functype (intypes " + ins + ") (outtypes " + outs + ")) (arglist " + list + ") (body " +
         body + ") (symtable " + symbols +
         "(sym :id 5 :name x (float64)) (sym :id 6 :name i (int64)) (sym :id 7 :name n (int32)) "
         "(sym :id 8 :name z (float64 :ctype 1)) (sym :id 9 :name y " +
         v + ")))))";
}
std::string loop(const std::string& kind, int n, const std::string& body) {
  return "(" + kind + " (itervars 6) (loopdomain (domain (domaintype :ndims 1 (int64)) (range :exclude %1 (start " +
         number(0) + ") (stop " + number(n) + ")))) (body " + body + "))";
}
const std::string one_more = "(plus (float64) (lhs (name :id 5 (float64))) (rhs ";

class External : public testing::TestWithParam<Target> {
 public:
  External() {
    at_work = &log;
    HostBinding b = builtin_binding();
    b.take_lock = [](void*) { ++at_work->locked, ++at_work->locks; };
    b.release_lock = [](void*) { --at_work->locked; };
    Options o;
    o.target = GetParam();
    o.disk_cache = false;
    o.threads = 2;
    auto made = Engine::create(o, b);
    engine.emplace(std::move(*made));
    using ir::Type;
    const Type d = Type::scalar(Elem::Float64), i = Type::scalar(Elem::Int64), z = Type::scalar(Elem::Float64, true);
    const Type a = Type::array(Elem::Float64, 1, ir::Layout::Strided);
    EXPECT_TRUE(engine->bind("twice", Type::function({d}, {d}), twice, &log, count_done).ok());
    EXPECT_TRUE(engine->bind("put", Type::function({a, d}, {}), put, &log, count_done).ok());
    EXPECT_TRUE(
        engine->bind("count", Type::function({i}, {a, Type::scalar(Elem::Int32)}), count, &log, count_done).ok());
    EXPECT_TRUE(engine->bind("conjugate", Type::function({z}, {z}), conjugate, &log, count_done).ok());
  }
  Result<std::vector<Value>> run(const std::string& text, std::vector<Value> args) {
    auto m = engine->load(text, "t.vrir");
    if (!m) return m.error();
    auto f = m->function("f");
    if (!f) return f.error();
    log.locked = 1;  // the host's lock, which it holds during the call
    auto r = f->call(args);
    EXPECT_EQ(log.locked, 1);
    EXPECT_FALSE(log.called_without_lock);
    log.locked = 0;
    return r;
  }
  Log log;
  std::optional<Engine> engine;
};
INSTANTIATE_TEST_SUITE_P(Targets, External, testing::Values(Target::Interp, Target::Cpu, Target::CpuParallel),
                         [](const auto& p) {
                           return std::string(target_name(p.param)) == "cpu-par" ? "cpu_par" : target_name(p.param);
                         });

TEST_P(External, Numbers) {
  auto r = run(module(f64, 1, f64 + "(float64 :ctype 1)",
                      set(name(8, "(float64 :ctype 1)"),
                          call("conjugate", "(float64 :ctype 1)",
                               "(complex (float64 :ctype 1) " + name(0, f64) + " " + name(0, f64) + ")")) +
                          "(returnstmt (exprs " + call("twice", f64, call("twice", f64, name(0, f64))) +
                          name(8, "(float64 :ctype 1)") + "))"),
               {Value(1.5)});
  ASSERT_TRUE(r.ok()) << r.error().text();
  EXPECT_EQ((*r)[0].raw().f64, 6);
  EXPECT_EQ((*r)[1].raw().cf64[0], 1.5);
  EXPECT_EQ((*r)[1].raw().cf64[1], -1.5);
  EXPECT_EQ(log.calls, "ztt");
}

TEST_P(External, Arrays) {
  auto r = run(
      module(v + f64 + i64, 3, v + "(int32)",
             "(exprstmt " + call("put", "(void)", name(0, v) + name(1, f64)) + ")" + "(assignstmt (lhs " + name(9, v) +
                 name(7, "(int32)") + ") (rhs " + call("count", "(tupletype " + v + " (int32))", name(2, i64)) + "))" +
                 "(returnstmt (exprs " + name(9, v) + name(7, "(int32)") + "))"),
      {Value(Array::from({1, 2, 3})), Value(7.0), Value(int64_t{4})});
  ASSERT_TRUE(r.ok()) << r.error().text();
  ASSERT_EQ((*r)[0].array().extent(0), 4);
  EXPECT_EQ((*r)[0].array().data_as<double>()[3], 3);
  EXPECT_EQ((*r)[1].raw().i32, 4);
}

TEST_P(External, StoresAreVisibleAndCallsAreNotReordered) {
  // x = a[0]; put(a, 9); return x + 10 a[0], and a itself: values read before the call stay, reads after it see the new
  // element.
  const Array a = Array::from({1, 2, 3});
  auto r = run(module(v + f64, 2, f64,
                      set(name(5, f64), element(0, number(0))) + "(exprstmt " +
                          call("put", "(void)", name(0, v) + name(1, f64)) + ")" +
                          "(returnstmt (exprs (plus (float64) (lhs " + name(5, f64) + ") (rhs (mult (float64) (lhs " +
                          element(0, number(0)) + ") (rhs (realconst :dval 10 (float64)))))))) "),
               {Value(a), Value(9.0)});
  ASSERT_TRUE(r.ok()) << r.error().text();
  EXPECT_EQ((*r)[0].raw().f64, 91);
  EXPECT_EQ(a.data_as<double>()[0], 9);
}

TEST_P(External, CallsAreNeitherDroppedNorRepeated) {
  // In a loop with identical iterations, an unused result and constant arguments.
  auto r =
      run(module(f64, 1, f64,
                 loop("forstmt", 3,
                      set(name(5, f64), call("twice", f64, name(0, f64))) + "(exprstmt " +
                          call("twice", f64, name(0, f64)) + ")") +
                     set(name(5, f64), call("twice", f64, name(0, f64))) + "(returnstmt (exprs " + name(0, f64) + "))"),
          {Value(1.0)});
  ASSERT_TRUE(r.ok()) << r.error().text();
  EXPECT_EQ(log.calls, "ttttttt");
}

TEST_P(External, FaultPrecedesALaterCall) {
  const Array a = Array::from({1, 2, 3});
  auto r =
      run(module(v + i64, 2, f64,
                 loop("forstmt", 5, "(exprstmt " + call("put", "(void)", name(0, v) + element(0, name(6, i64))) + ")") +
                     "(returnstmt (exprs " + element(0, number(0)) + "))"),
          {Value(a), Value(int64_t{0})});
  ASSERT_FALSE(r.ok());
  EXPECT_EQ(r.error().code, Code::OutOfBounds);
  EXPECT_EQ(log.calls, "ppp");
}

TEST_P(External, AFailureEndsTheCall) {
  const std::string text = module(v + i64, 2, v,
                                  "(assignstmt (lhs " + name(9, v) + name(7, "(int32)") + ") (rhs " +
                                      call("count", "(tupletype " + v + " (int32))", name(1, i64)) + "))" +
                                      set(element(0, number(0)), "(realconst :dval 5 (float64))") +
                                      "(returnstmt (exprs " + name(9, v) + "))");
  struct {
    int64_t n;
    int32_t raised;
    const char* message;
  } const cases[] = {{-1, -5, "count: less than none"},
                     {-2, 0, "count: the host's function failed"},
                     {-3, 0, "count: result 0 was not made"},
                     {-4, 6, "count: said, and not returned"}};
  for (const auto& c : cases) {
    const Array a = Array::from({1, 2, 3});
    auto r = run(text, {Value(a), Value(c.n)});
    ASSERT_FALSE(r.ok());
    ASSERT_TRUE(r.error().record);
    EXPECT_EQ(r.error().code, Code::Host);
    EXPECT_EQ(r.error().record->message, c.message);
    EXPECT_EQ(r.error().record->raised, c.raised);
    EXPECT_EQ(r.error().record->function, "count");
    EXPECT_EQ(r.error().record->loc, "host.c:9:1");
    EXPECT_EQ(a.data_as<double>()[0], 1) << "what follows does not happen";
    EXPECT_EQ(a.use_count(), 1);
  }
  auto bad = run(text, {Value(Array::from({1, 2, 3})), Value(int64_t{-9})});
  ASSERT_FALSE(bad.ok());
  EXPECT_EQ(bad.error().code, Code::Size) << bad.error().text();
}

TEST_P(External, ValueSemanticsGivesReadOnlyArrays) {
  const Array a = Array::from({1, 2, 3});
  auto r = run(module(v + f64, 2, f64,
                      "(exprstmt " + call("put", "(void)", name(0, v) + name(1, f64)) + ")(returnstmt (exprs " +
                          element(0, number(0)) + "))",
                      ":assign copy"),
               {Value(a), Value(9.0)});
  ASSERT_FALSE(r.ok());
  EXPECT_TRUE(log.read_only);
  EXPECT_EQ(a.data_as<double>()[0], 1);
}

TEST_P(External, HandlesAndParallelLoops) {
  const std::string body = loop("pforstmt", 100, set(element(0, name(6, i64)), call("safe", f64, name(6, i64)))) +
                           "(returnstmt (exprs " + name(0, v) + "))";
  const std::string safe = "(extern safe :parallel %1 (functype (intypes (float64)) (outtypes (float64))))";
  const ir::Type d = ir::Type::scalar(Elem::Float64);
  // Called by several threads at once.
  static std::atomic<int> calls;
  calls = 0;
  HostBinding b = builtin_binding();
  Options o;
  o.target = GetParam();
  o.disk_cache = false;
  o.threads = 2;
  auto open = Engine::create(o, b);
  for (const char* f : {"twice", "put", "count", "conjugate"}) {
    const auto nothing = [](void*, vr_external_call*, const vr_value*, vr_value*) -> int32_t { return 0; };
    const ir::Type a = ir::Type::array(Elem::Float64, 1, ir::Layout::Strided),
                   z = ir::Type::scalar(Elem::Float64, true);
    const std::map<std::string, ir::Type> types = {
        {"twice", ir::Type::function({d}, {d})},
        {"put", ir::Type::function({a, d}, {})},
        {"count", ir::Type::function({ir::Type::scalar(Elem::Int64)}, {a, ir::Type::scalar(Elem::Int32)})},
        {"conjugate", ir::Type::function({z}, {z})}};
    ASSERT_TRUE(open->bind(f, types.at(f), nothing).ok());
  }
  const auto half = [](void*, vr_external_call*, const vr_value* args, vr_value* results) -> int32_t {
    ++calls;
    results[0].f64 = args[0].f64 / 2;
    return 0;
  };
  ASSERT_TRUE(open->bind("safe", ir::Type::function({d}, {d}), half).ok());
  auto m = open->load(module(v, 1, v, body, "", safe), "t.vrir");
  ASSERT_TRUE(m.ok()) << m.error().text();
  std::vector<double> zeros(100);
  const int64_t extent = 100, stride = 8;
  const Array a = Array::borrow(zeros.data(), Elem::Float64, false, {&extent, 1}, {&stride, 1});
  auto r = (*m->function("f"))(Value(a));
  ASSERT_TRUE(r.ok()) << r.error().text();
  EXPECT_EQ(calls, 100);
  EXPECT_EQ(zeros[99], 49.5);
}

TEST_P(External, InvalidDeclarationsAndBindingsAreRefused) {
  auto rule = [&](const std::string& text) {
    auto m = engine->load(text, "t.vrir");
    if (m) return std::string("loaded");
    return m.error().diagnostics.empty() ? std::string(code_name(m.error().code)) + ": " + m.error().message
                                         : m.error().diagnostics[0].rule;
  };
  const std::string store = set(element(0, name(6, i64)), call("twice", f64, name(6, i64)));
  const std::string back = "(returnstmt (exprs " + name(0, v) + "))";
  EXPECT_EQ(rule(module(v, 1, v, loop("pforstmt", 5, store) + back)), "extern-in-pfor");
  EXPECT_EQ(rule(module(v, 1, v, "(stmtlist :onGpu %1 (stmts " + loop("pforstmt", 5, store) + "))" + back)),
            "extern-in-kernel");
  const std::string between =
      "(function :name g (functype (intypes (float64)) (outtypes (float64))) (arglist 0) (body (returnstmt (exprs " +
      call("twice", f64, name(0, f64)) + "))) (symtable (sym :id 0 :name x (float64))))";
  const std::string through = set(element(0, name(6, i64)), call("g", f64, name(6, i64)));
  EXPECT_EQ(rule(module(v, 1, v, loop("pforstmt", 5, through) + back, "", between)), "extern-in-pfor");
  EXPECT_EQ(rule(module(v, 1, v, loop("forstmt", 5, through) + back, "", between)), "loaded");
  // Through a variable of function type: any function of that type whose handle the module takes may be called.
  const auto by_handle = [&](const std::string& loop, const std::string& handle) {
    return rule(
        "extern twice(float64) -> float64\n"
        "def own(x: float64) -> float64:\n    return x + 1.0\n"
        "def other(x: float64) -> float64:\n    return twice(x)\n"
        "def call(h: fn(float64) -> float64, x: float64) -> float64:\n    return h(x)\n"
        "def each(h: fn(float64) -> float64, x: strided float64[:]):\n    " +
        loop + "\ndef f(x: strided float64[:]):\n    each(" + handle + ", x)\n");
  };
  const std::string in_pfor = "pfor i in range(x.shape[0]):\n        x[i] = h(x[i])",
                    in_callee = "pfor i in range(x.shape[0]):\n        x[i] = call(h, x[i])";
  for (const std::string& parallel : {in_pfor, in_callee}) {
    EXPECT_EQ(by_handle(parallel, "&twice"), "extern-in-pfor");
    EXPECT_EQ(by_handle(parallel, "&other"), "extern-in-pfor");
    EXPECT_EQ(by_handle(parallel, "&own"), "loaded");
  }
  EXPECT_EQ(by_handle(in_pfor.substr(1), "&twice"), "loaded");
  EXPECT_EQ(rule(module(v, 1, v, back, "", "(extern g (functype (intypes (tupletype (float64))) (outtypes)))")),
            "extern-type");
  EXPECT_EQ(rule(module(v, 1, v, back, "", "(extern nobody (functype (intypes) (outtypes)))")),
            "NOT_FOUND: module 'm': the host has no function 'nobody'");
  ASSERT_TRUE(engine->bind("other", ir::Type::function({}, {}), twice, &log, nullptr).ok());
  EXPECT_EQ(rule(module(v, 1, v, back, "", "(extern other (functype (intypes (int64)) (outtypes)))")).substr(0, 10),
            "NOT_FOUND:");
  EXPECT_EQ(engine->bind("x", ir::Type::scalar(Elem::Int64), twice).error().code, Code::Usage);
  EXPECT_EQ(engine->bind("x", ir::Type::function({}, {}), nullptr).error().code, Code::Usage);
  const ir::Type plain = ir::Type::function({}, {}), i = ir::Type::scalar(Elem::Int64);
  for (const ir::Type& t : {ir::Type::function({plain}, {}), ir::Type::function({}, {ir::Type::tuple({i})}),
                            ir::Type::function(std::vector<ir::Type>(17, i), {})})
    EXPECT_EQ(engine->bind("x", t, twice).error().code, Code::Usage) << t.text();
  EXPECT_TRUE(engine->bind("x", ir::Type::function(std::vector<ir::Type>(16, i), {ir::Type::void_()}), twice).ok());
}

TEST_P(External, DoneIsCalledWhenNoFunctionRefersToIt) {
  auto m = engine->load(module(f64, 1, f64, "(returnstmt (exprs " + call("twice", f64, name(0, f64)) + "))"), "t.vrir");
  ASSERT_TRUE(m.ok()) << m.error().text();
  std::optional<Function> f(*m->function("f"));
  ASSERT_TRUE(engine->bind("twice", ir::Type::function({}, {}), put, &log, count_done).ok());
  EXPECT_EQ(log.done, 0);
  log.locked = 1;
  auto r = (*f)(Value(2.0));
  log.locked = 0;
  ASSERT_TRUE(r.ok()) << r.error().text();
  EXPECT_EQ((*r)[0].raw().f64, 4);
  m = make_error(Code::Usage, "");
  f.reset();
  EXPECT_EQ(log.done, 1);
  engine.reset();
  EXPECT_EQ(log.done, 5);
}

}  // namespace
}  // namespace vr
