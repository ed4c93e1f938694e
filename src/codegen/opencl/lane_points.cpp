#include "codegen/opencl/lane_points.hpp"

#include "loop/analysis/lane_access.hpp"

#include <fmt/format.h>

namespace vr::codegen::opencl {

using namespace lower;

static std::string lane_address(const KernelCode& code, const Lane& lane) {
  return fmt::format("{} + (long){} * {}L", code.name(code.f.arrays[lane.array].data), code.name(code.f.dims[0]),
                     scalar_bytes(lane.type));
}

std::string lanes_aligned(const KernelCode& code) {
  std::string all;
  for (const Lane& lane : code.f.lanes)
    all += fmt::format("{}((size_t){} & {}) == 0", all.empty() ? "" : " && ", code.name(code.f.arrays[lane.array].data),
                       most_lanes * scalar_bytes(lane.type) - 1);
  return all;
}

static std::string lane_value(const Lane& lane, const std::string& element) {
  return lane.type == Scalar::Bool ? element + " != 0" : element;
}

void lone_point(KernelCode& code) {
  std::vector<std::string> args;
  for (const Lane& lane : code.f.lanes) {
    const auto& [old_element, new_element] = code.names.lanes.at(&lane);
    if (lane.loaded)
      args.push_back(
          lane_value(lane, fmt::format("*(__global const {}*)({})", memory_type(lane.type), lane_address(code, lane))));
    if (!lane.stored) continue;
    code.out.line(fmt::format("{} {};", memory_type(lane.type), new_element));
    args.push_back("&" + new_element);
  }
  code.out.line(step(code, args));
  for (const Lane& lane : code.f.lanes)
    if (lane.stored)
      code.out.line(fmt::format("*(__global {}*)({}) = {};", memory_type(lane.type), lane_address(code, lane),
                                code.names.lanes.at(&lane).second));
}

void load_lanes(KernelCode& code, const std::string& suffix) {
  for (const Lane& lane : code.f.lanes)
    if (lane.loaded)
      code.out.line(fmt::format("const {0}{1} {2} = *(__global const {0}{1}*)({3});", memory_type(lane.type),
                                most_lanes, code.names.lanes.at(&lane).first + suffix, lane_address(code, lane)));
}

/// The variables for the new elements of most_lanes iterations.
static std::string new_elements(const KernelCode& code, const Lane& lane) {
  std::string list;
  for (int k = 0; k < most_lanes; ++k)
    list += fmt::format("{}{}{}", k ? ", " : "", code.names.lanes.at(&lane).second, k);
  return list;
}

void lane_steps(KernelCode& code, const std::string& suffix) {
  for (int k = 0; k < most_lanes; ++k) {
    std::vector<std::string> args;
    for (const Lane& lane : code.f.lanes) {
      const auto& [old_element, new_element] = code.names.lanes.at(&lane);
      if (lane.loaded) args.push_back(lane_value(lane, fmt::format("{}{}.s{}", old_element, suffix, k)));
      if (lane.stored) args.push_back(fmt::format("&{}{}", new_element, k));
    }
    code.out.line(step(code, args) + (k + 1 < most_lanes ? fmt::format(" ++{};", code.name(code.f.dims[0])) : ""));
  }
}

std::string write_points(KernelCode& code, const char* whole) {
  const std::string &i = code.name(code.f.dims[0]), &n = code.names.counts[0];
  code.out.line(fmt::format("{} {} = {} * ({})get_global_id(0);", whole, i, most_lanes, whole));
  code.out.open(fmt::format("if ({} <= {} - {} && {}) {{", i, n, most_lanes, lanes_aligned(code)));
  const std::string first = "vr_first";
  code.out.line(fmt::format("const {} {} = {};", whole, first, i));
  load_lanes(code, "");
  for (const Lane& lane : code.f.lanes)
    if (lane.stored) code.out.line(fmt::format("{} {};", memory_type(lane.type), new_elements(code, lane)));
  lane_steps(code, "");
  code.out.line(fmt::format("{} = {};", i, first));
  for (const Lane& lane : code.f.lanes)
    if (lane.stored)
      code.out.line(fmt::format("*(__global {0}{1}*)({2}) = ({0}{1})({3});", memory_type(lane.type), most_lanes,
                                lane_address(code, lane), new_elements(code, lane)));
  code.out.otherwise();
  code.out.open(
      fmt::format("for (const {0} vr_end = min({1}, {2} + {3}); {2} < vr_end; ++{2}) {{", whole, n, i, most_lanes));
  lone_point(code);
  for (int blocks = 3; blocks-- > 0;) code.out.close();
  return code.out.take();
}

}  // namespace vr::codegen::opencl
