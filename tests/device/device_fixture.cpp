#include "device/device_fixture.hpp"

#include "loop/analysis/footprint.hpp"
#include "loop/analysis/team_memory.hpp"
#include "runtime/cpu/sizes.hpp"

#include <cstdio>
#include <cstdlib>
#include <sstream>

namespace vr::test {

void (*know_program)(const std::string& source, std::shared_ptr<const Module> module) = nullptr;
std::unique_ptr<device::Device> (*open_host_device)() = nullptr;

namespace {

std::unique_ptr<gpu::Session> the_session;
std::string why_not;

/// HOST_DEVICES=1,3: on two in-process devices, of which the second one gets three quarters of the iterations.
Result<std::unique_ptr<gpu::Session>> open_session() {
  const char* several = std::getenv("HOST_DEVICES");
  if (!open_host_device) return gpu::Session::open();
  if (!several) return gpu::Session::open_on(open_host_device());
  std::vector<gpu::Session::Share> devices;
  std::istringstream shares(several);
  for (std::string share; std::getline(shares, share, ',');) devices.push_back({open_host_device(), std::stod(share)});
  return gpu::Session::open_on(std::move(devices));
}

/// Opens the session before the first test and closes it before main ends (drivers unload early).
class SessionEnvironment : public ::testing::Environment {
 public:
  void SetUp() override {
    auto opened = open_session();
    if (!opened) {
      why_not = opened.error().text();
      // The in-process device is always there.
      if (know_program) ADD_FAILURE() << why_not;
      return;
    }
    the_session = std::move(opened).value();
    std::printf("device: %s%s\n", the_session->device_info().text().c_str(),
                the_session->device_info().zero_copy ? ", in place" : "");
  }
  void TearDown() override { the_session.reset(); }
};
const auto* const registered = ::testing::AddGlobalTestEnvironment(new SessionEnvironment);

}  // namespace

Program::Program(Module& taken) {
  const auto module = std::make_shared<const Module>(std::move(taken));
  const Module& m = *module;
  auto made = codegen::opencl::emit_programs(m);
  EXPECT_TRUE(made.ok()) << (made.ok() ? "" : made.error().text());
  if (!made) return;
  programs_ = std::move(made).value();
  site_texts_ = m.sites;
  for (const Site& s : site_texts_)
    sites_.push_back({s.function.c_str(), s.loc.c_str(), s.array.c_str(), s.message.c_str(), s.axis, s.raised});
  for (size_t k = 0; k < m.functions.size(); ++k) {
    const auto& f = m.functions[k];
    if (f->kind != lower::Function::Kind::Kernel) continue;
    const codegen::opencl::Program& program = programs_[k];
    if (know_program) know_program(program.source, module);
    auto& [name, params] = *params_.try_emplace(f->name).first;
    for (const Param& p : f->params) {
      if (p.array != none) {
        const ArrayVars& a = f->arrays[size_t(p.array)];
        params.push_back({VR_PARAM_ARRAY, int32_t(a.elem) | (a.complex ? VR_COMPLEX : 0), int32_t(a.extent.size()),
                          p.written ? p.fresh ? VR_WRITTEN_FRESH : 1 : 0, ""});
        continue;
      }
      const Scalar type = f->vars[size_t(p.var)].type;
      const int32_t elem = type == Scalar::Ptr ? VR_FLOAT64 : int32_t(elem_of(type));
      params.push_back({VR_PARAM_SCALAR, elem | (p.im != none ? VR_COMPLEX : 0), 0, 0, ""});
    }
    kernels_[name] = {name.c_str(),
                      program.source.c_str(),
                      program.options.c_str(),
                      int32_t(f->dims.size()),
                      int32_t(params.size()),
                      params.data(),
                      int32_t(sites_.size()),
                      !f->narrow.empty(),
                      sites_.data(),
                      -1,
                      f->team != 0         ? group_iterations(*f)
                      : adds_to_slices(*f) ? VR_POINTS_SLICES
                      : !f->rows.empty()   ? VR_POINTS_PRIVATE
                                           : f->points,
                      0,
                      f->team,
                      nullptr,
                      (accesses_[name] = footprint(m, int32_t(k)).words()).data(),
                      nullptr};
  }
}

vr_array describe(void* data, int32_t elem, std::vector<int64_t> extents) {
  vr_array a = {};
  a.data = data;
  a.elem = elem;
  a.rank = int32_t(extents.size());
  int64_t stride = runtime::element_bytes(elem);
  for (int d = a.rank - 1; d >= 0; --d) {
    a.extent[d] = extents[size_t(d)];
    a.stride[d] = stride;
    stride *= extents[size_t(d)];
  }
  return a;
}

vr_value value(vr_array& a) {
  vr_value v = {};
  v.array = &a;
  return v;
}
vr_value value(double x) {
  vr_value v = {};
  v.f64 = x;
  return v;
}
vr_value value(float x) {
  vr_value v = {};
  v.f32 = x;
  return v;
}
vr_value value(int32_t x) {
  vr_value v = {};
  v.i32 = x;
  return v;
}
vr_value value(int64_t x) {
  vr_value v = {};
  v.i64 = x;
  return v;
}
vr_value value(bool x) {
  vr_value v = {};
  v.b = x;
  return v;
}

gpu::Session& DeviceTest::session() { return *the_session; }

void DeviceTest::SetUp() {
  if (!the_session) GTEST_SKIP() << why_not;
  context.gpu = the_session.get();
}

void DeviceTest::TearDown() {
  if (the_session) the_session->abandon(&context);
}

int32_t DeviceTest::run(const vr_kernel* kernel, std::vector<int64_t> counts, std::vector<vr_value> args) {
  if (int32_t code = vr_gpu_section_begin(&context)) return code;
  if (int32_t code = vr_gpu_launch(&context, nullptr, kernel, counts.data(), args.data())) return code;
  return vr_gpu_section_end(&context);
}

}  // namespace vr::test
