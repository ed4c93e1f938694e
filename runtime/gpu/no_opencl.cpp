// Session of a build without OpenCL (VR_WITH_OPENCL=OFF): cannot be opened.
#include "runtime/gpu/cpu_library.hpp"
#include "runtime/gpu/measure.hpp"
#include "runtime/gpu/session.hpp"

#ifndef VR_HAVE_OPENCL

namespace vr::gpu {

struct Session::State {
  DeviceInfo info;
};

std::string DeviceInfo::text() const { return name + " (" + platform + ")"; }
std::string DeviceInfo::identity() const { return {}; }
std::vector<DeviceInfo> list_devices() { return {}; }
Result<std::vector<DeviceBinaries>> compile_programs(const std::vector<ProgramText>&) {
  return make_error(Code::Device, "this build of Velociraptor has no OpenCL support (VR_WITH_OPENCL=OFF)");
}

Result<Measurement> measure(const std::string&, const std::function<void(const std::string&)>&) {
  return make_error(Code::Device, "this build of Velociraptor has no OpenCL support (VR_WITH_OPENCL=OFF)");
}
Result<std::unique_ptr<Session>> Session::open(const std::string&, bool) {
  return make_error(Code::Device, "this build of Velociraptor has no OpenCL support (VR_WITH_OPENCL=OFF)");
}
Session::Session(std::unique_ptr<State> state) : state_(std::move(state)) {}
Session::~Session() = default;
const DeviceInfo& Session::device_info() const { return state_->info; }
bool Session::sections_open() const { return false; }
void Session::settle(vr_context*) {}
Stats Session::stats() const { return {}; }
Status Session::prepare(const std::string&, const std::string&) { return {}; }
int32_t Session::section_begin(vr_context*) { return VR_DEVICE; }
int32_t Session::launch(vr_context*, const vr_site*, const vr_kernel*, const int64_t*, const vr_value*, EventId*) {
  return VR_DEVICE;
}
int32_t Session::copy(vr_context*, const vr_array*, const vr_array*, EventId*) { return VR_DEVICE; }
int32_t Session::mark_dead(vr_context*, const vr_array*) { return VR_DEVICE; }
int32_t Session::wait(vr_context*, EventId) { return VR_DEVICE; }
int32_t Session::wait_all(vr_context*) { return VR_DEVICE; }
int32_t Session::need_host(vr_context*, const vr_array*, int32_t) { return VR_DEVICE; }
int32_t Session::section_end(vr_context*) { return VR_DEVICE; }
int32_t Session::section_leave(vr_context*) { return VR_DEVICE; }
int32_t Session::section_sync(vr_context*) { return VR_DEVICE; }
int32_t Session::close(vr_context*) { return VR_OK; }
Status Session::keep(const vr_array&) { return {}; }
Status Session::look(const vr_array&, bool) { return {}; }
Status Session::drop(const vr_array&) { return {}; }
int32_t Session::mmult(vr_context* context, const vr_site* site, const vr_array* a, const vr_array* b, vr_array* out,
                       int32_t layout, int32_t where) {
  return mmult_on_cpu(context, site, a, b, out, layout, where);
}
int32_t Session::scan(vr_context*, const vr_site*, const vr_array*, vr_array*, int32_t, int32_t, int32_t, int32_t,
                      int32_t) {
  return VR_DEVICE;
}
int32_t Session::sort(vr_context* context, const vr_site* site, const vr_array* a, vr_array* out, vr_array* index,
                      int32_t axis, int64_t base, int32_t layout, int32_t where) {
  return sort_on_cpu(context, site, a, out, index, axis, base, layout, where);
}
int32_t Session::fft(vr_context* context, const vr_site* site, const FftCall& call) {
  return fft_on_cpu(context, site, call);
}
int32_t Session::make_unique(vr_context* context, const vr_site* site, vr_array* a, int32_t layout, int32_t where,
                             bool) {
  return vr_rt_make_unique(context, site, a, layout, where);
}
void Session::release(vr_context*, vr_owner* owner) { vr_rt_release(owner); }
void Session::abandon(vr_context*) {}

}  // namespace vr::gpu

#endif
