// Compares the report about accelerated sections with what the runtime counted, for every program with sections in the
// tests, the examples and the benchmarks: no part of a section runs on the CPU without being reported, and nothing that
// ran on the device is reported as run on the CPU. Uses the machine's OpenCL device; CMakeLists runs it again on one
// without memory. Of the benchmarks' programs one of 32 runs, for PoCL takes minutes to compile all their
// kernels; all run with VR_TEST_LONG=1.
#include "lower/lower.hpp"
#include "loop/runtime_table.hpp"
#include "loop/walk.hpp"
#include "pipeline/loops.hpp"
#include "runtime/abi.h"
#include "tool/values.hpp"

#include <velociraptor/ir/text.hpp>
#include <velociraptor/ir/verify.hpp>
#include <velociraptor/ir/visit.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

namespace vr::tool {
namespace {

namespace fs = std::filesystem;

struct Program {
  std::string file;
  ir::ModulePtr module;
  std::string function;
  std::vector<std::string> args;  ///< as for `vrir run`
};

/// The arguments of `--fn` and `--args` in "; RUN: run --fn f --args 1 2 --precision 6".
void read_run_line(const std::string& line, Program& p) {
  std::istringstream words(line);
  bool args = false;
  for (std::string w; words >> w;) {
    if (w.rfind("--", 0) == 0) {
      args = w == "--args";
      if (w == "--fn") words >> p.function;
    } else if (args) {
      p.args.push_back(w);
    }
  }
}

/// Arguments that any function of this type accepts.
std::vector<std::string> some_arguments(const ir::Function& f) {
  std::vector<std::string> args;
  for (const ir::Type& t : f.type.components()) {
    if (!t.is_array()) {
      args.push_back(ir::is_float(t.elem) ? "0.5" : t.elem == ir::Elem::Bool ? "true" : "3");
      continue;
    }
    const std::string elem =
        t.complex ? "c" + std::to_string(16 * ir::elem_bytes(t.elem)) : ir::elem_info(t.elem).abbreviation;
    std::string text = std::string("ones:") + elem + ":8";
    for (int d = 1; d < t.rank; ++d) text += "x8";
    args.push_back(text);
  }
  return args;
}

/// The FNV-1a hash of a text, which is the same everywhere.
uint32_t fnv(const std::string& text) {
  uint32_t h = 2166136261u;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 16777619u;
  return h;
}

bool has_section(const ir::Module& m) {
  bool found = false;
  for (const ir::FunctionPtr& f : m.functions)
    ir::walk_stmts(f->body, [&](const ir::Stmt& s) {
      auto* l = ir::as<ir::StmtList>(&s);
      found = found || (l && l->on_gpu);
    });
  return found;
}

/// Every valid module with a section, together with the function to call: the one named in its RUN line, or the only
/// one.
std::vector<Program> programs() {
  std::vector<Program> all;
  for (const char* folder : {"tests/filetests", "tests/corpus", "tests/device", "tests/faults", "examples", "bench"})
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(VR_SOURCE_DIR) / folder)) {
      if (entry.path().extension() != ".vrir") continue;
      std::ifstream in(entry.path());
      std::stringstream text;
      text << in.rdbuf();
      if (text.str().find("onGpu") == std::string::npos) continue;
      Program p;
      p.file = fs::relative(entry.path(), VR_SOURCE_DIR).string();
      ir::ParseOptions o;
      o.file = p.file;
      auto parsed = ir::parse(text.str(), o);
      if (!parsed || !ir::verify(**parsed, ir::Conventions::numpy()).empty() || !has_section(**parsed)) continue;
      p.module = *parsed;
      const std::string first = text.str().substr(0, text.str().find('\n'));
      if (first.rfind("; RUN: run ", 0) == 0) read_run_line(first, p);
      if (p.function.empty()) p.function = p.module->functions.front()->name;
      const ir::Function* f = p.module->find(p.function);
      if (f && p.args.empty()) p.args = some_arguments(*f);
      all.push_back(std::move(p));
    }
  return all;
}

class SectionReport : public testing::Test {
 protected:
  void SetUp() override {
    options.target = Target::OpenCL;
    options.disk_cache = false;
    options.compile_budget = 0;  // a slow machine must not change a report
    options.opt_level = 0;       // nor must LLVM's level
    if (!Engine::create(options)) GTEST_SKIP() << "no OpenCL device";
  }
  Options options;
};

/// Statements in sections with work on elements that can run on the device: parallel loops, and assignments of
/// expressions of whole arrays. Their locations in the report, "FILE:LINE:COLUMN".
std::map<std::string, std::string> loops_of_sections(const ir::Module& m) {
  std::map<std::string, std::string> places;
  std::function<void(const ir::Body&, bool)> look = [&](const ir::Body& body, bool in_section) {
    for (const ir::StmtPtr& s : body) {
      const std::string in_file = Place{m.file, s->pos.line, s->pos.column}.text();
      const std::string place = s->loc.empty() ? in_file : s->loc;
      if (auto* l = ir::as<ir::StmtList>(s)) {
        look(l->stmts, in_section || l->on_gpu);
      } else if (auto* i = ir::as<ir::If>(s)) {
        look(i->then_body, in_section);
        look(i->else_body, in_section);
      } else if (auto* f = ir::as<ir::For>(s)) {
        look(f->body, in_section);
      } else if (auto* w = ir::as<ir::While>(s)) {
        look(w->body, in_section);
      } else if (ir::as<ir::PFor>(s)) {
        if (in_section) places.emplace(place, in_file);
      } else if (auto* a = ir::as<ir::Assign>(s); a && in_section) {
        bool work = false;
        ir::walk_exprs(a->value, [&](const ir::Expr& e) {
          const bool arithmetic = e.kind == ir::Kind::Plus || e.kind == ir::Kind::Minus || e.kind == ir::Kind::Mult ||
                                  e.kind == ir::Kind::Div || e.kind == ir::Kind::Negate;
          work = work || (arithmetic && e.type.is_array());
          if (auto* c = ir::as<ir::LibCall>(&e))
            for (const char* reduction : {"sum", "prod", "min", "max", "mean", "any", "all"})
              work = work || (c->func == reduction && !c->args.empty() && c->args[0]->type.is_array());
        });
        if (work) places.emplace(place, in_file);
      }
    }
  };
  for (const ir::FunctionPtr& f : m.functions) look(f->body, false);
  return places;
}

/// Locations at which something is sent to the device.
void places_on_device(const lower::Module& m, const lower::Block& b, int32_t place, std::set<std::string>& places) {
  for (const lower::Stmt& s : b) {
    const int32_t here = s.place == lower::none ? place : s.place;
    auto* call = std::get_if<lower::Call>(&s.node);
    if (here != lower::none && (std::holds_alternative<lower::Launch>(s.node) || (call && call->fn == lower::rt::GpuMmult)))
      places.insert(m.places[static_cast<size_t>(here)].text());
    for (const lower::Block* inner : lower::parts(s)) places_on_device(m, *inner, here, places);
  }
}

// Compilation: each loop over elements of a section is launched or reported.
TEST_F(SectionReport, NamesEachLoopWithoutAKernel) {
  size_t loops = 0, count = 0;
  for (const Program& p : programs()) {
    SCOPED_TRACE(p.file);
    const ir::Conventions c = p.module->attrs.resolve(ir::Conventions::numpy());
    auto passed = pipeline::run_passes(p.module, c, {});
    ASSERT_TRUE(passed) << passed.error().text();
    lower::LowerOptions o;
    o.parallel = o.kernels = o.device = o.places = true;
    auto lowered = pipeline::lower_and_run(**passed, c, o);
    ASSERT_TRUE(lowered) << lowered.error().text();
    std::set<std::string> there;
    for (const auto& f : (*lowered)->functions) places_on_device(**lowered, f->body, f->place, there);
    for (const auto& [where, in_file] : loops_of_sections(**passed)) {
      const std::string& place = where;
      const auto& report = (*lowered)->report;
      const bool told = std::any_of(report.begin(), report.end(),
                                    [&](const std::string& line) { return line.rfind(place + ": ", 0) == 0; });
      EXPECT_TRUE(there.count(place) || there.count(in_file) || told) << place << " has neither a kernel nor a line in the report";
      ++loops;
    }
    ++count;
  }
  EXPECT_GE(count, 90u);
  EXPECT_GE(loops, 150u);
}

// Execution: the kernels that the runtime counts as run on the CPU are exactly those in the report. A section that
// launched nothing states the reason, unless it had no work. Sections that launched something may leave parts to the
// CPU.
TEST_F(SectionReport, AgreesWithWhatTheRuntimeCounted) {
  const std::string gpu = "tests/filetests/gpu/";
  const std::set<std::string> nothing_to_do{
      gpu + "argmax-of-empty-array.vrir",
      gpu + "axis-maximum-of-nothing.vrir",
      gpu + "axis-reductions-empty.vrir",
      gpu + "complex-product-of-empty-array.vrir",
      gpu + "empty-section.vrir",
      gpu + "read-only-section-no-point.vrir",
      "bench/papers/more/heat_blocks.vrir",  // 8 numbers are no block
      "bench/papers/more/max_filter.vrir",   // 8 x 8 pixels are all at the border
      "bench/papers/more/wave3d.vrir",       // and so are 8 x 8 x 8 points
      "bench/papers/more/non_local_means.vrir",
  };
  const std::set<std::string> partly_on_the_cpu{
      gpu + "complex-scan-stays-on-the-cpu.vrir",
      gpu + "diagonal-between-kernels.vrir",
      gpu + "element-in-while-test-of-section.vrir",
      gpu + "function-that-stores-in-section.vrir",
      gpu + "jumps-out-of-sections.vrir",
      gpu + "left-on-the-cpu.vrir",
  };
  const bool room = !std::getenv("VR_DEVICE_MEMORY");
  const bool all = std::getenv("VR_TEST_LONG");
  int launched = 0, told = 0;
  for (const Program& p : programs()) {
    SCOPED_TRACE(p.file);
    if (!all && !nothing_to_do.count(p.file) && p.file.rfind("bench/", 0) == 0 && fnv(p.file) % 32 != 0) continue;
    auto engine = Engine::create(options);
    ASSERT_TRUE(engine);
    auto module = engine->load(p.module);
    ASSERT_TRUE(module) << module.error().text();
    auto function = module->function(p.function);
    ASSERT_TRUE(function) << function.error().text();
    std::ostringstream out, err;
    Io io{out, err, VR_SOURCE_DIR};
    auto args = parse_arguments(io, p.args, function->type(), 1);
    ASSERT_TRUE(args) << args.error().text();
    const bool fine = bool(function->call(*args));  // other tests check the results
    const DeviceUse use = engine->device_use();
    const std::vector<std::string> report = module->report();
    EXPECT_EQ(engine->report(), report);
    const auto ran_on_cpu = std::count_if(report.begin(), report.end(), [](const std::string& line) {
      return line.find(" ran on the CPU") != std::string::npos;
    });
    EXPECT_EQ(use.on_host > 0, ran_on_cpu > 0) << testing::PrintToString(report);
    if (room && use.launches > 0 && use.on_host == 0) {
      EXPECT_EQ(!report.empty(), partly_on_the_cpu.count(p.file) > 0) << testing::PrintToString(report);
    }
    if (fine && use.sections > 0 && use.launches == 0 && report.empty()) {
      EXPECT_TRUE(nothing_to_do.count(p.file) || loops_of_sections(*p.module).empty())
          << "its section launched nothing, and the report is silent";
    }
    launched += use.launches > 0;
    told += !report.empty();
  }
  EXPECT_GE(room ? launched : told, 60);
}

}  // namespace
}  // namespace vr::tool
