// bench_papers: the programs of the GPU papers, and others, as loops in accelerated sections, beside OpenCL as an
// expert writes it in the same process. Results are compared after one repetition; then arrays stay on the device, and
// the time of a repetition is what many take more than few, for both sides alike. The ratio is the time by hand over
// ours.
#include "report.hpp"
#include "suite.hpp"
#include "timing.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <sstream>

namespace papers {
namespace {

using bench::die;
using bench::median;
using bench::ms_of;

struct Options {
  bool quick = false, check = false, breakdown = false, regions = false;
  double budget = 1e9;  // seconds
  std::string json, only, at = VR_SOURCE_DIR "/bench/papers";
  std::vector<std::string> groups;
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

/// Milliseconds of a repetition: the difference of so many that it takes `target`, and few; {few, many} is left in
/// `count`.
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
  explicit Runner(const Options& o) : options_(o), engine_(made()), peers_(std::in_place, engine_.device_name()) {}

  std::string device() const { return engine_.device_name(); }
  /// What fails, on either side, is the row's status. A device may be of no use after that, so that both sides begin
  /// anew.
  Row run(const Case& c) {
    Row row;
    try {
      row = tried(c);
    } catch (const std::exception& e) {
      row.status = std::string("by hand: ") + e.what();
    }
    row.of = &c;
    if (row.failed()) {
      peers_.reset();
      engine_ = made();
      peers_.emplace(engine_.device_name());
    }
    return row;
  }

 private:
  vr::Engine made() const {
    vr::Options settings;
    settings.target = vr::Target::OpenCL;
    if (options_.regions) settings.regions = vr::RegionMode::Sync;
    auto engine = vr::Engine::create(settings);
    if (!engine) die(engine.error().text());
    return *engine;
  }
  Row tried(const Case& c) {
    Row row;
    const std::string base = c.name.substr(0, c.name.find_first_of("@+"));
    const std::string path = options_.at + "/" + c.group + "/" + base + ".vrir";
    const std::string by_hand = options_.at + "/" + c.peers + ".cl";
    const std::string text = granted(contents(path), c.grant, path),
                      source = section(contents(by_hand), c.section, by_hand);
    std::optional<vr::Module> module;
    std::optional<vr::Function> f;
    const auto load = [&] {
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
    };
    // Rented devices cost by the second: the data are made while the program is compiled, but where that is timed.
    auto loading =
        std::async(options_.breakdown ? std::launch::deferred : std::launch::async, [&] { row.load = ms_of(load); });
    if (options_.breakdown) loading.wait();
    std::unique_ptr<Setup> setup = prepared(c, source, options_.quick);
    loading.get();
    if (!f) return row;
    row.read(module->report());
    // What runs on the CPU in part may take minutes: it is called with little first.
    if (!row.elsewhere.empty() && !options_.quick) {
      const std::unique_ptr<Setup> little = prepared(c, source, true);
      const Row small = measured(row, *little, *module, *f, true);
      if (!small.equal() || setup->work() / little->work() * small.first > 2000) return small;
    }
    return measured(row, *setup, *module, *f, false);
  }
  std::unique_ptr<Setup> prepared(const Case& c, const std::string& source, bool quick) {
    auto s = std::make_unique<Setup>(*peers_, quick);
    c.make(*s);
    s->begin(source, c.grant);
    return s;
  }
  static int64_t moved(const vr::DeviceUse& u) { return u.bytes_up + u.bytes_down; }
  /// small: with little data, of which the first call alone is wanted.
  Row measured(Row row, Setup& setup, const vr::Module& module, const vr::Function& f, bool small) {
    row.small = small;
    row.unit = setup.unit();
    row.work = setup.work();
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
    row.read(module.report());
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
      const vr::DeviceUse one = engine_.device_use();
      call(2);
      const vr::DeviceUse two = engine_.device_use();
      row.bytes = moved(one) - moved(before);
      row.launches = (two.launches - one.launches) - (one.launches - before.launches);
      row.bytes_again = (moved(two) - moved(one)) - row.bytes;
    }
    if (!options_.check) time(row, setup, call);
    if (!fault.empty()) row.status = "refused: " + fault;
    return row;
  }

  /// The arrays of a program stay on the device while this lives.
  struct Resident {
    const vr::Engine& engine;
    std::vector<vr::Array> arrays;
    Resident(const vr::Engine& e, const std::vector<vr::Array>& all) : engine(e) {
      for (const vr::Array& a : all) {
        if (auto s = engine.keep_on_device(a); !s) die(s.error().text());
        arrays.push_back(a);
      }
    }
    ~Resident() {
      for (const vr::Array& a : arrays) (void)engine.drop_from_device(a);
    }
    Resident(const Resident&) = delete;
  };
  void time(Row& row, Setup& setup, const std::function<void(int)>& call) {
    const Resident resident(engine_, setup.kept());
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
  }
  const Options& options_;
  vr::Engine engine_;
  std::optional<bench::Peers> peers_;
};

const char* const usage =
    "usage: bench_papers [unpython|jit4opencl|tornado|lime|thesis|more ...] [--quick] [--only TEXT] [--breakdown] "
    "[--regions]\n"
    "                    [--breakdown] [--regions] [--json FILE] [--budget SECONDS] [--at FOLDER]\n"
    "  --quick      one small size of each program, which a CPU does in seconds\n"
    "  --check      compares results without timing\n"
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
    else if (a == "--check")
      o.check = true;
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
  Table table;
  add_dense(table);
  add_images(table);
  add_rows(table);
  add_stencils(table);
  add_vectors(table);
  add_nets(table);
  add_mixed(table);
  add_batches(table);
  add_polybench(table);
  add_rodinia(table);
  add_hecbench(table);
  add_blind(table);
  add_common(table);
  add_groups(table);
  add_samples(table);
  add_unpython(table);
  add_jit4opencl(table);
  add_tornado(table);
  add_lime(table);
  add_thesis(table);
  std::vector<const Case*> chosen;
  std::set<std::string> sizes;
  for (const Case& c : table.cases())
    if ((!o.quick ||
         sizes.insert(c.group + c.name.substr(0, c.name.find('@')) + (c.grant == Grant::Fast ? "+" : "")).second) &&
        (o.groups.empty() || std::find(o.groups.begin(), o.groups.end(), c.group) != o.groups.end()) &&
        (c.group + "/" + c.name).find(o.only) != std::string::npos)
      chosen.push_back(&c);
  if (chosen.empty()) die("no program of that name");
  Runner runner(o);
  const std::string device = runner.device();
  std::printf("device: %s; one repetition; reference: kernels by hand, same run\n", device.c_str());
  std::printf("%-28s %10s %10s %7s %9s %-10s\n", "program", "ours ms", "hand ms", "ratio", "rate", "");
  const auto start = std::chrono::steady_clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  std::vector<Row> rows;
  for (const Case* c : chosen) {
    if (elapsed() > o.budget) {
      std::printf("the budget is spent: %zu of %zu programs were run\n", rows.size(), chosen.size());
      break;
    }
    rows.push_back(runner.run(*c));
    print(rows.back(), o.breakdown);
    if (!o.json.empty()) write_json(o.json, device, rows);  // after each, for a run that is stopped
  }
  std::map<std::string, std::vector<const Row*>> groups;
  std::vector<const Row*> all;
  bool wrong = false;
  for (const Row& r : rows) {
    groups[r.of->group].push_back(&r);
    all.push_back(&r);
    wrong = wrong || !r.equal();
  }
  std::printf("%.1f s\n", elapsed());
  if (groups.size() > 1 && !o.check)
    for (const auto& [name, of] : groups) summary("papers " + name, of);
  if (!o.check) summary("papers", all);
  return wrong ? 1 : 0;
}

}  // namespace
}  // namespace papers

int main(int argc, char** argv) try {
  return papers::run(papers::parsed(argc, argv));
} catch (const std::exception& e) {
  std::fprintf(stderr, "bench_papers: %s\n", e.what());
  return 1;
}
