#include "report.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>

namespace papers {

void Row::read(const std::vector<std::string>& report) {
  elsewhere.clear();
  notes.clear();
  for (const std::string& line : report)
    (line.find(" on the CPU") != std::string::npos ? elsewhere : notes).push_back(line);
}

void print(const Row& r, bool breakdown) {
  const std::string name = r.of->group + "/" + r.of->name;
  std::printf("%-28s %10.4f %10.4f %7.2f %9.3f %-10s %-5s %s", name.c_str(), r.ours, r.hand,
              r.ours > 0 ? r.hand / r.ours : 0, r.ours > 0 ? r.work / r.ours * 1e-9 : 0, r.unit.c_str(),
              r.equal()                      ? "equal"
              : r.status.rfind("NO", 0) == 0 ? "WRONG"
                                             : "FAILED",
              r.failed()            ? ""
              : !r.launched         ? "NOT ON THE DEVICE"
              : r.elsewhere.empty() ? "device"
                                    : "PARTLY ON THE CPU");
  if (breakdown)
    std::printf("  compile %.1f, copies %.2f (%.2f MB), kernels %.3f ms (%lld%s)",
                r.load + std::max(r.first - r.second, 0.0), std::max(r.second - r.ours, 0.0), double(r.bytes) * 1e-6,
                r.ours, (long long)r.launches,
                r.bytes_again ? (", each time " + std::to_string(r.bytes_again) + " bytes moved").c_str() : "");
  std::printf("\n");
  if (r.small) std::printf("  ran with little data only: the size that was asked for would take too long\n");
  if (!r.equal()) std::printf("  %s\n", r.status.c_str());
  for (const auto* lines : {&r.elsewhere, &r.notes})
    for (const std::string& line : *lines) std::printf("  report: %s\n", line.c_str());
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
  std::printf("%s: geomean %.2f min %.2f over %d", name.c_str(), count > 0 ? std::exp(log_sum / count) : 0,
              count > 0 ? worst : 0, count);
  if (out > 0) std::printf(" (%d more: wrong, refused or too slow for their size)", out);
  std::printf("\n");
}

namespace {

std::string quoted(const std::string& s) {
  std::string out = "\"";
  for (const char c : s)
    if (c == '"' || c == '\\')
      out += std::string("\\") + c;
    else
      out += static_cast<unsigned char>(c) < 32 ? ' ' : c;
  return out + "\"";
}

}  // namespace

void write_json(const std::string& path, const std::string& device, const std::vector<Row>& rows) {
  std::ofstream out(path);
  out << "{\"device\":" << quoted(device) << ",\"programs\":[";
  for (size_t k = 0; k < rows.size(); ++k) {
    const Row& r = rows[k];
    out << (k ? ",\n" : "") << "{\"group\":" << quoted(r.of->group) << ",\"name\":" << quoted(r.of->name)
        << ",\"ms\":" << r.ours << ",\"hand_ms\":" << r.hand << ",\"ratio\":" << (r.ours > 0 ? r.hand / r.ours : 0)
        << ",\"rate\":" << (r.ours > 0 ? r.work / r.ours * 1e-9 : 0) << ",\"unit\":" << quoted(r.unit)
        << ",\"equal\":" << (r.equal() ? "true" : "false") << ",\"status\":" << quoted(r.status)
        << ",\"load_ms\":" << r.load << ",\"launched\":" << (r.launched ? "true" : "false")
        << ",\"first_call_ms\":" << r.first << ",\"second_call_ms\":" << r.second << ",\"bytes_moved\":" << r.bytes
        << ",\"launches\":" << r.launches << ",\"bytes_moved_again\":" << r.bytes_again << ",\"not_on_device\":[";
    for (size_t j = 0; j < r.elsewhere.size(); ++j) out << (j ? "," : "") << quoted(r.elsewhere[j]);
    out << "]}";
  }
  out << "]}\n";
  if (!out) bench::die("cannot write " + path);
}

}  // namespace papers
