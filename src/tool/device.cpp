// vrir device: the OpenCL devices of this machine and their measured performance.
#include "runtime/gpu/measure.hpp"
#include "runtime/gpu/session.hpp"
#include "tool/commands.hpp"

#include <fmt/format.h>

#include <memory>
#include <set>

namespace vr::tool {

namespace {

std::string table(const gpu::Measurement& m) {
  std::string out = fmt::format("{:<10}{:>10}{:>10}{:>10}{:>10}   GFLOP/s\n", "", "add", "mul", "mixed", "fma");
  for (int type = 0; type < 2; ++type) {
    if (m.gflops[type][0] == 0) continue;
    out += fmt::format("{:<10}", type ? "float64" : "float32");
    for (double g : m.gflops[type]) out += fmt::format("{:>10.1f}", g);
    out += '\n';
  }
  out += fmt::format("memory     {:.1f} GB/s copied on the device; {:.1f} to it ({:.1f} pinned), {:.1f} back\n",
                     m.copy_gbs, m.up_gbs, m.up_pinned_gbs, m.down_gbs);
  out += fmt::format("launch     {:.1f} us, {:.1f} us with a wait\n", m.launch_us, m.wait_us);
  return out + fmt::format("queues     {} concurrent\n", m.queues);
}

int list(Io& io) {
  const auto devices = gpu::list_devices();
  if (devices.empty()) return fail(io, "no OpenCL device was found");
  // A chosen device must be the one that the engine would open, so ask the session rather than guess.
  auto chosen = gpu::Session::open();
  std::set<std::string> in_use;
  if (chosen)
    for (const gpu::DeviceInfo& d : (*chosen)->devices()) in_use.insert(d.id);
  for (const auto& d : devices) {
    io.out << fmt::format("{}{} {}: {}, {}, {} compute units, {:.1f} GiB{}\n", in_use.count(d.id) ? "* " : "  ", d.id,
                          d.text(), d.version,
                          d.is_gpu   ? "GPU"
                          : d.is_cpu ? "CPU"
                                     : "accelerator",
                          d.compute_units, double(d.limits.memory_bytes) / double(1 << 30),
                          d.has_fp64 ? "" : ", no float64");
    if (const auto known = gpu::stored(d)) io.out << table(*known);
  }
  if (!chosen) return fail(io, chosen.error());
  return exit_ok;
}

int measure(Io& io) {
  auto chosen = gpu::Session::open();
  if (!chosen) return fail(io, chosen.error());
  const gpu::DeviceInfo info = (*chosen)->device_info();
  chosen->reset();
  io.out << info.text() << ", driver " << info.driver << std::endl;
  auto m = gpu::measure("", [&](const std::string& what) { io.err << "measuring: " << what << std::endl; });
  if (!m) return fail(io, m.error());
  io.out << table(*m);
  if (!gpu::store(info, *m)) return fail(io, "not stored: there is no cache directory (VR_CACHE_DIR)");
  return exit_ok;
}

}  // namespace

Command add_device(CLI::App& root) {
  CLI::App* app = root.add_subcommand(
      "device", "List OpenCL devices and their properties; * marks the one in use (VR_DEVICE selects it)");
  auto wanted = std::make_shared<bool>(false);
  app->add_flag(
      "--measure", *wanted,
      "Measure the device in use: peak rates, memory, launches, queues that run concurrently; the results are stored "
      "in the cache directory");
  return {app, [wanted](Io& io) { return *wanted ? measure(io) : list(io); }};
}

}  // namespace vr::tool
