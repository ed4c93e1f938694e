// Subscripts, slices, ranges, extents and operands of any size: the engine has the same results or faults as the
// interpreter, and accesses nothing outside of an array. Tests all pairs or triples of numbers near the limits of int64
// and int32.
#include <velociraptor/velociraptor.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

namespace vr {
namespace {

constexpr int64_t least = INT64_MIN, most = INT64_MAX;
const std::vector<int64_t> many{0,
                                1,
                                -1,
                                2,
                                -2,
                                3,
                                4,
                                5,
                                -4,
                                -5,
                                1LL << 31,
                                -(1LL << 31),
                                INT32_MAX,
                                1LL << 32,
                                (1LL << 53) + 1,
                                most,
                                least,
                                least + 1,
                                most - 1,
                                1LL << 62,
                                -(1LL << 62),
                                1LL << 60,
                                (1LL << 62) + 1};
// Leaves out arrays that could fit in a machine's memory.
const std::vector<int64_t> extents{0, 1, -1, 3, 4, 5, 1LL << 60, 1LL << 62, (1LL << 62) + 1, most, least};
const std::vector<int64_t> few{0, 1, -1, 4, -5, most, least, 1LL << 62};
const std::vector<int64_t> steps{1, -1, 2, most, least, 0, 1LL << 62};
const std::vector<int64_t> any{1};

const std::string A = "(arraytype :layout rowmajor :ndims 1 (float64))";
const std::string A2 = "(arraytype :layout rowmajor :ndims 2 (float64))";
const std::string a = "(name :id 0 " + A + ")", x = "(name :id 1 (int64))", y = "(name :id 2 (int64))",
                  z = "(name :id 3 (int64))", k = "(name :id 4 (int64))", v = "(name :id 5 " + A + ")",
                  b = "(name :id 8 " + A2 + ")", t = "(name :id 10 (int64))";
std::string set(const std::string& to, const std::string& value) {
  return "(assignstmt (lhs " + to + ") (rhs " + value + "))";
}
std::string binary(const char* op, const std::string& l, const std::string& r, const char* type = "int64") {
  return "(" + std::string(op) + " (" + type + ") (lhs " + l + ") (rhs " + r + "))";
}
std::string library(const char* f, const std::string& args, const std::string& type = "(int64)") {
  return "(libcall :libfunc " + std::string(f) + " " + type + " (args " + args + "))";
}
std::string element(const std::string& subscript) {
  return "(index :arrayid 0 (float64) (indices (index " + subscript + ")))";
}
std::string range(const char* exclude) {
  return "(range :exclude " + std::string(exclude) + " (start " + x + ") (step " + z + ") (stop " + y + "))";
}
std::string slice(const std::string& subscript) {
  return "(index :arrayid 0 " + A + " (indices (index " + subscript + ")))";
}
std::string loop(const char* kind, const char* exclude, const std::string& body) {
  const bool parallel = kind[0] == 'p';
  return "(" + std::string(kind) + " (itervars 4) (loopdomain (domain (domaintype :ndims 1 (int64)) " + range(exclude) +
         "))" + (parallel ? " (shared auto)" : "") + " (body " + body + "))";
}
const std::string seven = "(realconst :dval 7 (float64))",
                  shape = "(dim :arrayid 8 :dimid 0 (int64)) (dim :arrayid 8 :dimid 1 (int64))",
                  length = "(dim :arrayid 5 :dimid 0 (int64))";

struct Program {
  std::string name, body, results, types;
  const std::vector<int64_t>&xs, &ys, &zs;
};

std::vector<Program> programs() {
  std::vector<Program> all;
  for (const char* type : {"int64", "int32"}) {
    const bool narrow = type[3] == '3';
    const std::string l = narrow ? "(name :id 6 (int32))" : x, r = narrow ? "(name :id 7 (int32))" : y;
    const std::string in = "(" + std::string(type) + ")";
    const std::string before = narrow ? set(l, "(cast (int32) " + x + ")") + set(r, "(cast (int32) " + y + ")") : "";
    for (const char* op : {"plus", "minus", "mult", "div"})
      all.push_back({op + in, before, binary(op, l, r, type), in, many, many, any});
    for (const char* f : {"mod", "rem", "pow", "min2", "max2"})
      all.push_back({f + in, before, library(f, l + " " + r, in), in, many, many, any});
    for (const char* f : {"abs", "sign"}) all.push_back({f + in, before, library(f, l, in), in, many, any, any});
    all.push_back({"negate" + in, before, "(negate " + in + " " + l + ")", in, many, any, any});
  }
  for (const char* f : {"", ":negative %1 ", ":negative %0 "}) {
    all.push_back({"element " + std::string(f), "", element(f + x), "(float64)", many, any, any});
    all.push_back(
        {"element of a sum " + std::string(f), "", element(f + binary("plus", x, y)), "(float64)", many, many, any});
    all.push_back({"slice " + std::string(f), "", slice(f + range("%1")), A, few, few, steps});
    all.push_back({"slice up to " + std::string(f), "", slice(f + range("%0")), A, few, few, steps});
    all.push_back(
        {"slice by step " + std::string(f), "", slice(f + std::string("(range (step ") + x + "))"), A, many, any, any});
    all.push_back({"store " + std::string(f), set(slice(f + range("%1")), seven), a, A, few, few, steps});
  }
  for (const char* exclude : {"%0", "%1"}) {
    const std::string count = set(t, binary("plus", t, "(realconst :ival 1 (int64))"));
    const std::string enough =
        "(ifstmt (test " + binary("gt", t, "(realconst :ival 5 (int64))", "bool") + ") (if (break)))";
    all.push_back({"points", set(t, "(realconst :ival 0 (int64))") + loop("forstmt", exclude, count + enough), t,
                   "(int64)", few, few, steps});
    for (const char* kind : {"forstmt", "pforstmt"}) {
      all.push_back({kind, loop(kind, exclude, set(element(k), seven)), a, A, few, few, steps});
      all.push_back({kind + std::string(" by 1024"),
                     loop(kind, exclude, set(element(binary("mult", k, "(realconst :ival 1024 (int64))")), seven)), a,
                     A, few, few, steps});
    }
  }
  all.push_back({"zeros", set(b, "(alloc :func zeros " + A2 + " (args " + x + " " + y + "))"), shape, "(int64) (int64)",
                 extents, extents, any});
  for (const char* f : {"eye", "reshape"})
    all.push_back({f, set(b, library(f, (f[0] == 'r' ? a + " " : "") + x + " " + y, A2)), shape, "(int64) (int64)",
                   extents, extents, any});
  for (const char* f : {"range", "colon", "linspace"})
    all.push_back({f, set(v, library(f, f[0] == 'c' ? x + " " + z + " " + y : x + " " + y + " " + z, A)), length,
                   "(int64)", few, few, steps});
  for (const char* f : {"sum", "max", "argmin"})
    all.push_back({f, "", library(f, a + " " + x, f[0] == 'a' ? "(int64)" : "(float64)"),
                   f[0] == 'a' ? "(int64)" : "(float64)", many, any, any});
  for (const char* f : {"sort", "cumsum"}) all.push_back({f, "", library(f, a + " " + x, A), A, many, any, any});
  return all;
}

struct Way {
  const char* name;
  Target target;
  RegionMode regions = RegionMode::Off;
};

void PrintTo(const Way& way, std::ostream* out) { *out << way.name; }

Result<Function> load(const Program& p, const Way& way) {
  const std::string body =
      way.target == Target::OpenCL && !p.body.empty() ? "(stmtlist :onGpu %1 (stmts " + p.body + "))" : p.body;
  const std::string text = "(module :name m :indexing 0 :exclude %1 (fns (function :name f (functype (intypes " + A +
                           " (int64) (int64) (int64)) (outtypes " + p.types + ")) (arglist 0 1 2 3) (body " + body +
                           "(returnstmt (exprs " + p.results + "))) (symtable (sym :id 0 :name a " + A +
                           ") (sym :id 1 :name x (int64)) (sym :id 2 :name y (int64)) "
                           "(sym :id 3 :name z (int64)) (sym :id 4 :name k (int64)) (sym :id 5 :name v " +
                           A +
                           ") (sym :id 6 :name q (int32)) "
                           "(sym :id 7 :name r (int32)) (sym :id 8 :name b " +
                           A2 + ") (sym :id 10 :name t (int64))))))";
  Options o;
  o.target = way.target;
  o.regions = way.regions;
  o.disk_cache = false;
  o.interp_memory_limit = 1 << 30;
  auto engine = Engine::create(o);
  EXPECT_TRUE(engine) << engine.error().text();
  auto m = engine->load(text, "m");
  if (!m) return m.error();
  return m->function("f");
}

/// One word for each result, or for the fault.
std::string outcome(const Function& f, int64_t x, int64_t y, int64_t z) {
  Array in = Array::from({0, 1, 2, 3});
  auto r = f(in, x, y, z);
  if (!r) return std::string("fault ") + code_name(r.error().code);
  std::string text;
  for (const Value& value : *r) {
    if (!value.is_object()) {
      const vr_value& raw = value.raw();
      const Elem elem = value.type().elem;
      text += (elem == Elem::Float64 ? std::to_string(raw.f64)
               : elem == Elem::Int32 ? std::to_string(raw.i32)
                                     : std::to_string(raw.i64)) +
              " ";
      continue;
    }
    const Array& array = value.array();
    text += "[";
    for (int64_t i = 0; i < array.extent(0); ++i) {
      const int64_t at[] = {i};
      double element = 0;
      std::memcpy(&element, array.at(at), sizeof element);
      text += std::to_string(element) + " ";
    }
    text += "]";
  }
  return text;
}

class ExtremeNumbers : public testing::TestWithParam<Way> {};

TEST_P(ExtremeNumbers, GiveWhatTheInterpreterGives) {
  Options there;
  there.target = GetParam().target;
  auto device = Engine::create(there);
  if (!device && there.target == Target::OpenCL) GTEST_SKIP() << device.error().text();
  for (const Program& p : programs()) {
    auto judge = load(p, {"judge", Target::Interp}), native = load(p, GetParam());
    ASSERT_TRUE(judge) << p.name << ": " << judge.error().text();
    ASSERT_TRUE(native) << p.name << ": " << native.error().text();
    int differences = 0;
    for (int64_t i : p.xs)
      for (int64_t j : p.ys)
        for (int64_t s : p.zs) {
          const std::string wanted = outcome(*judge, i, j, s), got = outcome(*native, i, j, s);
          if (got != wanted && ++differences <= 3)
            ADD_FAILURE() << p.name << " of " << i << ", " << j << ", " << s << ": " << got << " instead of " << wanted;
        }
  }
}

INSTANTIATE_TEST_SUITE_P(Ways, ExtremeNumbers,
                         testing::Values(Way{"cpu", Target::Cpu}, Way{"parallel", Target::CpuParallel},
                                         Way{"regions", Target::Cpu, RegionMode::Sync},
                                         Way{"sections", Target::OpenCL}),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace vr
