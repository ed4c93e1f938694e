// vrir device: the OpenCL devices of this machine.
#include "runtime/gpu/session.hpp"
#include "tool/commands.hpp"

#include <fmt/format.h>

namespace vr::tool {

namespace {

int list(Io& io) {
  const auto devices = gpu::list_devices();
  if (devices.empty()) return fail(io, "no OpenCL device was found");
  // A chosen device must be the one that the engine would open, so ask the session rather than guess.
  auto chosen = gpu::Session::open();
  const std::string in_use = chosen ? (*chosen)->device_info().text() : "";
  for (const auto& d : devices) {
    io.out << fmt::format("{}{}: {}, {}, {} compute units, {:.1f} GiB{}\n", d.text() == in_use ? "* " : "  ", d.text(),
                          d.version,
                          d.is_gpu   ? "GPU"
                          : d.is_cpu ? "CPU"
                                     : "accelerator",
                          d.compute_units, double(d.memory_bytes) / double(1 << 30), d.has_fp64 ? "" : ", no float64");
  }
  if (!chosen) return fail(io, chosen.error());
  return exit_ok;
}

}  // namespace

Command add_device(CLI::App& root) {
  CLI::App* app = root.add_subcommand("device", "List OpenCL devices; * is the one in use (VR_DEVICE chooses)");
  return {app, [](Io& io) { return list(io); }};
}

}  // namespace vr::tool
