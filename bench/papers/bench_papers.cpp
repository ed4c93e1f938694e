// bench_papers: the programs of the GPU papers, and others, as loops in accelerated sections, beside OpenCL as an expert writes
// it in the same process. Results are compared after one repetition; then arrays stay on the device, and the time of a
// repetition is what many take more than few, for both sides alike. The ratio is the time by hand over ours.
#include "suite.hpp"
#include "timing.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

namespace papers {
namespace {

using bench::die;
using bench::median;
using bench::ms_of;

struct Options {
  bool quick = false, breakdown = false, regions = false;
  double budget = 1e9;  // seconds
  std::string json, only, at = VR_SOURCE_DIR "/bench/papers";
  std::vector<std::string> groups;
};

struct Row {
  const Case* of = nullptr;
  std::string status, unit;  // "yes", "NO: ...", "refused: ..."
  std::vector<std::string> elsewhere;  // what ran on the CPU: lines of the report
  bool launched = false, small = false;  // small: not at the size that was asked for
  double ours = 0, hand = 0, work = 0;
  double load = 0, first = 0, second = 0;  // ms: loading, the first call with its copies, another one
  int64_t bytes = 0;                       // moved by that other call
  bool equal() const { return status == "yes"; }
  bool counts() const { return equal() && ours > 0 && !small; }
};

std::string contents(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  if (!file || text.str().empty()) die("cannot read " + path);
  return text.str();
}

/// What precedes the first line "//@ NAME" of the peers' text, and the section of this name.
std::string section(const std::string& text, const std::string& name, const std::string& path) {
  const std::string head = "//@ " + name + "\n";
  const size_t common = text.find("//@ "), begin = text.find(head);
  if (begin == std::string::npos) die("no section '" + name + "' in " + path);
  const size_t end = text.find("\n//@ ", begin);
  return text.substr(0, common) + text.substr(begin, end == std::string::npos ? end : end - begin + 1);
}

std::string granted(std::string text, Grant grant, const std::string& path) {
  const size_t at = text.find(":fastmath afn");
  if (at == std::string::npos) die(path + " is not written with ':fastmath afn'");
  return grant == Grant::Fast ? text.replace(at, 13, ":fastmath %1") : text;
}

/// Milliseconds of a repetition: the difference of so many that it takes `target`, and few; {few, many} is left in `count`.
struct Count {
  int few = 1, many = 2;
};
Count counted(const std::function<void(int)>& run, double target) {
  const double one = ms_of([&] { run(1); });
  if (one > 1500) return {0, 1};  // a second call tells more than its difference would
  const double some = ms_of([&] { run(3); });
  double each = std::max((some - one) / 2, 1e-4);
  if (each < target / 20) {
    const double more = ms_of([&] { run(23); });
    each = std::max((more - one) / 22, 1e-4);
  }
  const int many = int(std::clamp(target / each, 2.0, 3000.0));
  return {std::max(1, many / 10), std::max(1, many / 10) + many};
}
double one_turn(const std::function<void(int)>& run, Count c) {
  const double a = c.few > 0 ? ms_of([&] { run(c.few); }) : 0, b = ms_of([&] { run(c.many); });
  // Where calls vary by more than the repetitions take, the difference says nothing.
  const double each = (b - a) / (c.many - c.few), whole = b / c.many;
  return each > whole / 10 ? each : whole;
}

class Runner {
 public:
  Runner(const Options& o, vr::Engine engine) : options_(o), engine_(std::move(engine)), peers_(engine_.device_name()) {}

  Row run(const Case& c) {
    Row row;
    row.of = &c;
    const std::string base = c.name.substr(0, c.name.find_first_of("@+"));
    const std::string path = options_.at + "/" + c.group + "/" + base + ".vrir";
    const std::string by_hand = options_.at + "/" + c.peers + ".cl";
    const std::string text = granted(contents(path), c.grant, path), source = section(contents(by_hand), c.section, by_hand);
    std::optional<vr::Module> module;
    std::optional<vr::Function> f;
    row.load = ms_of([&] {
      auto m = engine_.load(text, path);
      if (!m) {
        row.status = "refused: " + m.error().text();
        return;
      }
      auto found = m->function(base);
      if (!found)
        row.status = "refused: " + found.error().text();
      else
        f.emplace(*found);
      module.emplace(*m);
    });
    if (!f) return row;
    row.elsewhere = module->report();
    // What runs on the CPU in part may take minutes: it is called with little first.
    if (!row.elsewhere.empty() && !options_.quick) {
      const Row small = measured(row, c, source, *module, *f, true);
      const double full = amount(c, false) / amount(c, true) * small.first;
      if (!small.equal() || full > 2000) return small;
    }
    return measured(row, c, source, *module, *f, options_.quick);
  }

 private:
  /// Units of work in one repetition of this size.
  double amount(const Case& c, bool quick) {
    Setup s(peers_, quick);
    c.make(s);
    return s.work();
  }
  Row measured(Row row, const Case& c, const std::string& source, const vr::Module& module, const vr::Function& f, bool quick) {
    row.small = quick && !options_.quick;
    Setup setup(peers_, quick);
    c.make(setup);
    row.unit = setup.unit();
    row.work = setup.work();
    setup.begin(source, c.grant);
    std::string fault;
    std::vector<vr::Value> got;
    const auto call = [&](int times) {
      std::vector<vr::Value> args = setup.args();
      args.emplace_back(int64_t{times});
      auto r = f.call(args);
      if (!r)
        fault = r.error().text();
      else
        got = std::move(*r);
    };
    const int64_t launches = engine_.device_use().launches;
    row.first = ms_of([&] { call(1); });
    row.launched = engine_.device_use().launches > launches;
    if (!fault.empty()) {
      row.status = "refused: " + fault;
      return row;
    }
    row.elsewhere = module.report();
    setup.hand(1);
    const std::string differs = setup.differs(got);
    row.status = differs.empty() ? "yes" : "NO: " + differs;
    if (row.small) {
      row.first = ms_of([&] { call(1); });  // without what is built at the first call
      return row;
    }
    if (options_.breakdown) {
      const vr::DeviceUse before = engine_.device_use();
      row.second = ms_of([&] { call(1); });
      const vr::DeviceUse after = engine_.device_use();
      row.bytes = after.bytes_up + after.bytes_down - before.bytes_up - before.bytes_down;
    }
    time(row, setup, call);
    if (!fault.empty()) row.status = "refused: " + fault;
    return row;
  }

  void time(Row& row, Setup& setup, const std::function<void(int)>& call) {
    const std::vector<vr::Array> arrays = setup.kept();
    for (const vr::Array& a : arrays) need(engine_.keep_on_device(a));
    const double target = options_.quick ? 4 : 20;
    const auto hand = [&](int times) { setup.hand(times); };
    const Count ours = counted(call, target), theirs = counted(hand, target);
    std::vector<double> a, b;
    for (int turn = 0; turn < 3; ++turn) {
      a.push_back(one_turn(call, ours));
      b.push_back(one_turn(hand, theirs));
      if (a[0] * ours.many > 400) break;
    }
    row.ours = std::max(median(a), 1e-6);
    row.hand = std::max(median(b), 1e-6);
    for (const vr::Array& x : arrays) need(engine_.drop_from_device(x));
  }
  static void need(const vr::Status& s) {
    if (!s) die(s.error().text());
  }
  const Options& options_;
  vr::Engine engine_;
  bench::Peers peers_;
};

void print(const Row& r, bool breakdown) {
  const std::string name = r.of->group + "/" + r.of->name;
  std::printf("%-28s %10.4f %10.4f %7.2f %9.3f %-10s %-5s %s", name.c_str(), r.ours, r.hand, r.ours > 0 ? r.hand / r.ours : 0,
              r.ours > 0 ? r.work / r.ours * 1e-9 : 0, r.unit.c_str(), r.equal() ? "equal" : "WRONG",
              !r.launched ? "NOT ON THE DEVICE" : r.elsewhere.empty() ? "device" : "PARTLY ON THE CPU");
  if (breakdown)
    std::printf("  compile %.1f, copies %.2f (%.2f MB), kernels %.3f ms", r.load + std::max(r.first - r.second, 0.0),
                std::max(r.second - r.ours, 0.0), double(r.bytes) * 1e-6, r.ours);
  std::printf("\n");
  if (r.small) std::printf("  ran with little data only: the size that was asked for would take too long\n");
  if (!r.equal()) std::printf("  %s\n", r.status.c_str());
  for (const std::string& line : r.elsewhere) std::printf("  report: %s\n", line.c_str());
  std::fflush(stdout);
}

void summary(const std::string& name, const std::vector<const Row*>& rows) {
  double log_sum = 0, worst = 1e300;
  int count = 0, out = 0;
  for (const Row* r : rows) {
    if (!r->counts()) {
      ++out;
      continue;
    }
    log_sum += std::log(r->hand / r->ours);
    worst = std::min(worst, r->hand / r->ours);
    ++count;
  }
  std::printf("%s: geomean %.2f min %.2f over %d", name.c_str(), count > 0 ? std::exp(log_sum / count) : 0, count > 0 ? worst : 0, count);
  if (out > 0) std::printf(" (%d more: wrong, refused or too slow for their size)", out);
  std::printf("\n");
}

std::string quoted(const std::string& s) {
  std::string out = "\"";
  for (const char c : s)
    if (c == '"' || c == '\\')
      out += std::string("\\") + c;
    else
      out += static_cast<unsigned char>(c) < 32 ? ' ' : c;
  return out + "\"";
}

void write_json(const std::string& path, const std::string& device, const std::vector<Row>& rows) {
  std::ofstream out(path);
  out << "{\"device\":" << quoted(device) << ",\"programs\":[";
  for (size_t k = 0; k < rows.size(); ++k) {
    const Row& r = rows[k];
    out << (k ? ",\n" : "") << "{\"group\":" << quoted(r.of->group) << ",\"name\":" << quoted(r.of->name) << ",\"ms\":" << r.ours
        << ",\"hand_ms\":" << r.hand << ",\"ratio\":" << (r.ours > 0 ? r.hand / r.ours : 0)
        << ",\"rate\":" << (r.ours > 0 ? r.work / r.ours * 1e-9 : 0) << ",\"unit\":" << quoted(r.unit)
        << ",\"equal\":" << (r.equal() ? "true" : "false") << ",\"status\":" << quoted(r.status) << ",\"load_ms\":" << r.load
        << ",\"launched\":" << (r.launched ? "true" : "false") << ",\"first_call_ms\":" << r.first << ",\"second_call_ms\":" << r.second << ",\"bytes_moved\":" << r.bytes << ",\"not_on_device\":[";
    for (size_t j = 0; j < r.elsewhere.size(); ++j) out << (j ? "," : "") << quoted(r.elsewhere[j]);
    out << "]}";
  }
  out << "]}\n";
  if (!out) die("cannot write " + path);
}

const char* const usage =
    "usage: bench_papers [unpython|jit4opencl|tornado|lime|thesis|more ...] [--quick] [--only TEXT] [--breakdown] [--regions]\n"
    "                    [--json FILE] [--budget SECONDS] [--at FOLDER]\n"
    "  --quick      one small size of each program, which a CPU does in seconds\n"
    "  --only       programs whose GROUP/NAME contains the text\n"
    "  --breakdown  what compiling, copies and kernels of a call from host arrays take\n"
    "  --regions    versions of regions for the arguments\n"
    "  --budget     no program begins after so many seconds\n"
    "  --at         the folder with the programs and the kernels by hand (default: bench/papers of the source tree)\n";

Options parsed(int argc, char** argv) {
  Options o;
  for (int k = 1; k < argc; ++k) {
    const std::string a = argv[k];
    const auto next = [&]() -> std::string {
      if (k + 1 >= argc) die(a + " needs a value\n" + usage);
      return argv[++k];
    };
    if (a == "--quick")
      o.quick = true;
    else if (a == "--breakdown")
      o.breakdown = true;
    else if (a == "--regions")
      o.regions = true;
    else if (a == "--json")
      o.json = next();
    else if (a == "--only")
      o.only = next();
    else if (a == "--at")
      o.at = next();
    else if (a == "--budget")
      o.budget = std::atof(next().c_str());
    else if (a == "unpython" || a == "jit4opencl" || a == "tornado" || a == "lime" || a == "thesis" || a == "more")
      o.groups.push_back(a);
    else
      die(usage);
  }
  return o;
}

int run(const Options& o) {
  vr::Options settings;
  settings.target = vr::Target::OpenCL;
  if (o.regions) settings.regions = vr::RegionMode::Sync;
  auto engine = vr::Engine::create(settings);
  if (!engine) die(engine.error().text());
  const std::string device = engine->device_name();
  Table table;
  add_unpython(table);
  add_jit4opencl(table);
  add_tornado(table);
  add_lime(table);
  add_thesis(table);
  add_dense(table);
  add_images(table);
  add_rows(table);
  add_stencils(table);
  add_vectors(table);
  std::vector<const Case*> chosen;
  std::set<std::string> sizes;
  for (const Case& c : table.cases())
    if ((!o.quick || sizes.insert(c.group + c.name.substr(0, c.name.find('@')) + (c.grant == Grant::Fast ? "+" : "")).second) &&
        (o.groups.empty() || std::find(o.groups.begin(), o.groups.end(), c.group) != o.groups.end()) &&
        (c.group + "/" + c.name).find(o.only) != std::string::npos)
      chosen.push_back(&c);
  if (chosen.empty()) die("no program of that name");
  std::printf("device: %s; one repetition; reference: kernels by hand, same run\n", device.c_str());
  std::printf("%-28s %10s %10s %7s %9s %-10s\n", "program", "ours ms", "hand ms", "ratio", "rate", "");
  const auto start = std::chrono::steady_clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  Runner runner(o, *engine);
  std::vector<Row> rows;
  for (const Case* c : chosen) {
    if (elapsed() > o.budget) {
      std::printf("the budget is spent: %zu of %zu programs were run\n", rows.size(), chosen.size());
      break;
    }
    rows.push_back(runner.run(*c));
    print(rows.back(), o.breakdown);
  }
  std::map<std::string, std::vector<const Row*>> groups;
  std::vector<const Row*> all;
  bool wrong = false;
  for (const Row& r : rows) {
    groups[r.of->group].push_back(&r);
    all.push_back(&r);
    wrong = wrong || r.status.rfind("NO", 0) == 0;
  }
  std::printf("%.1f s\n", elapsed());
  if (groups.size() > 1)
    for (const auto& [name, of] : groups) summary("papers " + name, of);
  summary("papers", all);
  if (!o.json.empty()) write_json(o.json, device, rows);
  return wrong ? 1 : 0;
}

}  // namespace
}  // namespace papers

int main(int argc, char** argv) { return papers::run(papers::parsed(argc, argv)); }
