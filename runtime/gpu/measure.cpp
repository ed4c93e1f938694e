#include "runtime/gpu/measure.hpp"

#include "support/file_cache.hpp"

#include <cstdio>
#include <sstream>

namespace vr::gpu {
namespace {

/// Calls f(name, value) for every number of a measurement.
template <class M, class F>
void each(M& m, F&& f) {
  for (int type = 0; type < 2; ++type)
    for (int op = 0; op < 4; ++op)
      f(std::string("gflops.") + (type ? "f64." : "f32.") + peak_names[op], m.gflops[type][op]);
  f("copy_gbs", m.copy_gbs);
  f("up_gbs", m.up_gbs);
  f("up_pinned_gbs", m.up_pinned_gbs);
  f("down_gbs", m.down_gbs);
  f("launch_us", m.launch_us);
  f("wait_us", m.wait_us);
}

std::string key_of(const DeviceInfo& d) {
  return "OpenCL device\n" + d.platform + '\n' + d.name + '\n' + d.version + '\n' + d.driver;
}

}  // namespace

std::string Measurement::text() const {
  std::string out;
  each(*this, [&](const std::string& name, double value) {
    char number[40];
    std::snprintf(number, sizeof number, "%.4g", value);
    out += name + ' ' + number + '\n';
  });
  return out + "queues " + std::to_string(queues) + '\n';
}

Measurement Measurement::from(const std::string& text) {
  Measurement m;
  std::istringstream in(text);
  std::string name;
  double value = 0;
  while (in >> name >> value) {
    each(m, [&](const std::string& known, double& to) {
      if (known == name) to = value;
    });
    if (name == "queues" && value >= 1 && value <= 32) m.queues = int(value);
  }
  return m;
}

bool store(const DeviceInfo& device, const Measurement& m) {
  return FileCache::from_environment().store(key_of(device), m.text());
}

std::optional<Measurement> stored(const DeviceInfo& device) {
  const std::optional<std::string> text = FileCache::from_environment().find(key_of(device));
  if (!text) return {};
  return Measurement::from(*text);
}

}  // namespace vr::gpu
