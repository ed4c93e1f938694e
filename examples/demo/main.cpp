// The demo: two programs that a MATLAB compiler emitted and a heat stencil, each on one CPU thread, on all of them, and
// with accelerated sections on OpenCL. Every result is checked against plain C++ and, at small size, against GNU
// Octave.
#include "expected.hpp"
#include "picture.hpp"
#include "reference_cases.hpp"

#include <velociraptor/engine.hpp>
#include <velociraptor/ir/visit.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;
double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

constexpr double tolerance = 1e-12;
constexpr int repeats = 3;

struct Program {
  std::string name, file, function, cases, size;
  vr::ir::Dialect dialect;
  std::function<std::vector<vr::Value>()> arguments;
  /// Relative error of the results.
  std::function<double(const std::vector<vr::Value>&)> error;
};

bool has_accelerated_section(const vr::ir::Module& m) {
  bool found = false;
  for (const auto& f : m.functions) {
    vr::ir::walk_stmts(f->body, [&](const vr::ir::Stmt& s) {
      if (s.kind == vr::ir::Kind::StmtList) found |= static_cast<const vr::ir::StmtList&>(s).on_gpu;
    });
  }
  return found;
}

void row(const std::string& program, const std::string& where, const std::string& compile, const std::string& run,
         const std::string& checked) {
  std::printf("%-24s %-34s %11s %11s  %s\n", program.c_str(), where.c_str(), compile.c_str(), run.c_str(),
              checked.c_str());
  std::fflush(stdout);
}

std::string fixed(double v) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", v);
  return text;
}

std::string short_name(std::string s, size_t most) {
  if (s.size() > most) s = s.substr(0, most - 3) + "...";
  return s;
}

/// Loads, runs and checks the program on one target; prints its row. False when anything is wrong. `keep` gets the
/// results.
bool run_program(const Program& p, vr::Target target, std::vector<vr::Value>* keep) {
  auto give_up = [&](const std::string& why) {
    row(p.name + " " + p.size, vr::target_name(target), "", "", "FAILED: " + why);
    return false;
  };
  vr::Options options;
  options.target = target;
  options.dialect = p.dialect;
  auto engine = vr::Engine::create(options);
  if (!engine) return give_up(engine.error().text());
  const auto start = Clock::now();
  auto module = engine->load_file(p.file);
  if (!module) return give_up(module.error().text());
  auto function = module->function(p.function);
  if (!function) return give_up(function.error().text());
  const double compile_ms = ms_since(start);

  double best = std::numeric_limits<double>::infinity(), error = 0;
  for (int k = 0; k < repeats; ++k) {
    const auto arguments = p.arguments();
    const auto begin = Clock::now();
    auto results = function->call(arguments);
    best = std::min(best, ms_since(begin));
    if (!results) return give_up(results.error().text());
    error = std::max(error, p.error(*results));
    *keep = std::move(*results);
  }
  const std::string octave = p.cases.empty() ? "" : demo::check_cases(*module, p.cases, tolerance);

  std::string where = vr::target_name(target);
  if (target == vr::Target::OpenCL) {
    where =
        has_accelerated_section(module->ir()) ? "opencl: " + engine->device_name() : "opencl: no section, so cpu-par";
  }
  const bool good = error <= tolerance && octave.empty();
  char checked[160];
  std::snprintf(checked, sizeof checked, "%s: C++ within %.0e%s", good ? "ok" : "WRONG", error,
                p.cases.empty()  ? ""
                : octave.empty() ? ", Octave's small case too"
                                 : (", Octave: " + octave).c_str());
  row(p.name + " " + p.size, short_name(where, 34), fixed(compile_ms), fixed(best), checked);
  for (const std::string& line : module->report()) std::printf("    not where asked: %s\n", line.c_str());
  return good;
}

double scalar_error(double got, double wanted) {
  const double e = std::abs(got - wanted) / std::abs(wanted);
  return std::isnan(e) ? std::numeric_limits<double>::infinity() : e;
}

double matrix_error(const vr::Value& got, const demo::Matrix& wanted) {
  if (!got.array()) return std::numeric_limits<double>::infinity();
  return demo::relative_error(got.array(), wanted.values.data(), wanted.rows, wanted.columns, wanted.row_major);
}

double at(const vr::Array& a, int64_t i, int64_t j) {
  const int64_t index[] = {i, j};
  return *static_cast<const double*>(a.at(index));
}

/// The potential of one quarter of the line's cross-section, mirrored to the whole. Its fourth root, because after so
/// few sweeps most of it is close to zero.
bool draw_capr(const vr::Array& f, const std::string& path) {
  const int64_t n = f.extent(0) - 1, m = f.extent(1) - 1;
  return demo::write_png(path, 2 * n + 1, 2 * m + 1, 0, 1, [&](int64_t i, int64_t j) {
    return std::sqrt(std::sqrt(at(f, std::abs(i - n), std::abs(j - m))));
  });
}

/// The plate at half the resolution.
bool draw_heat(const vr::Array& u, const std::string& path) {
  return demo::write_png(path, u.extent(0) / 2, u.extent(1) / 2, 0, 1, [&](int64_t i, int64_t j) {
    return 0.25 *
           (at(u, 2 * i, 2 * j) + at(u, 2 * i + 1, 2 * j) + at(u, 2 * i, 2 * j + 1) + at(u, 2 * i + 1, 2 * j + 1));
  });
}

std::string size_text(int64_t a, int64_t b) { return std::to_string(a) + "x" + std::to_string(b); }

}  // namespace

int main(int argc, char** argv) {
  bool quick = false;
  std::string out = "out";
  for (int k = 1; k < argc; ++k) {
    if (std::strcmp(argv[k], "--quick") == 0) {
      quick = true;
    } else if (std::strcmp(argv[k], "--out") == 0 && k + 1 < argc) {
      out = argv[++k];
    } else {
      std::fprintf(stderr, "usage: vr_demo [--quick] [--out DIR]\n");
      return 2;
    }
  }
  std::error_code ec;
  std::filesystem::create_directories(out, ec);
  if (ec) {
    std::fprintf(stderr, "%s: error: %s\n", out.c_str(), ec.message().c_str());
    return 1;
  }

  const std::string examples = VR_EXAMPLES_DIR "/";
  // The error never falls below a tolerance of 0, so that capr runs all its sweeps.
  const double a = 0.6514926, b = 0.3493735, c = 1.8418078, d = 4.489778931, rel = 0.9;
  const int64_t capr_n = quick ? 40 : 400, sweeps = quick ? 10 : 100;
  const int64_t fiff_n = quick ? 200 : 2000, fiff_m = quick ? 400 : 4000;
  const int64_t heat_n = quick ? 128 : 2048, steps = quick ? 10 : 100;
  const double alpha = 0.2;

  std::printf("Computing the expected values in C++ ...\n");
  const demo::Capr capr = demo::capr(a, b, c, d, capr_n, 0.0, rel, sweeps);
  const demo::Matrix fiff = demo::fiff(2.5, 1.5, 0.5, fiff_n, fiff_m);
  const demo::Matrix plate = demo::plate(heat_n);
  const demo::Matrix heat = demo::heat(plate, steps, alpha);
  const int64_t heat_extents[] = {heat_n, heat_n};
  auto field = vr::Array::from(plate.values, heat_extents);
  if (!field) {
    std::fprintf(stderr, "error: %s\n", field.error().text().c_str());
    return 1;
  }

  const Program programs[] = {
      {"capr", examples + "capr.vrir", "capr", examples + "capr.cases.json", "n=" + std::to_string(capr_n),
       vr::ir::Dialect::Mclab,
       [&] { return std::vector<vr::Value>{a, b, c, d, double(capr_n), 0.0, rel, double(sweeps)}; },
       [&](const std::vector<vr::Value>& r) {
         return std::max(scalar_error(r[0].as_double(), capr.capacitance), matrix_error(r[1], capr.potential));
       }},
      {"fiff", examples + "fiff.vrir", "fiff", examples + "fiff.cases.json", size_text(fiff_n, fiff_m),
       vr::ir::Dialect::Mclab, [&] { return std::vector<vr::Value>{2.5, 1.5, 0.5, double(fiff_n), double(fiff_m)}; },
       [&](const std::vector<vr::Value>& r) { return matrix_error(r[0], fiff); }},
      {"heat", examples + "heat.vrir", "heat", "", size_text(heat_n, heat_n), vr::ir::Dialect::Vrir,
       [&] { return std::vector<vr::Value>{*field, steps, alpha}; },
       [&](const std::vector<vr::Value>& r) { return matrix_error(r[0], heat); }},
  };

  row("program", "where it ran", "compile ms", "run ms", "checked");
  int wrong = 0;
  for (const Program& p : programs) {
    std::vector<vr::Value> results;
    for (vr::Target t : {vr::Target::Cpu, vr::Target::CpuParallel, vr::Target::OpenCL})
      wrong += !run_program(p, t, &results);
    if (results.empty()) continue;
    const std::string path = out + "/" + p.name + ".png";
    const bool drawn = p.name == "capr"   ? draw_capr(results[1].array(), path)
                       : p.name == "heat" ? draw_heat(results[0].array(), path)
                                          : true;
    wrong += !drawn;
  }
  if (wrong > 0) {
    std::fprintf(stderr, "error: %d of the results above are wrong or missing\n", wrong);
    return 1;
  }
  std::printf("Pictures: %s/capr.png (potential around the conductor), %s/heat.png (the plate after %lld steps)\n",
              out.c_str(), out.c_str(), static_cast<long long>(steps));
  return 0;
}
