#include <velociraptor/binding.hpp>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "runtime/cpu/owner.hpp"
#include "runtime/cpu/sizes.hpp"

namespace vr {

namespace {

/// Empty when the field can be read.
std::string field_fault(const HostField& f, const char* name) {
  switch (f.how) {
    case HostField::How::Accessor:
      return f.get ? "" : std::string(name) + " has a null accessor";
    case HostField::How::Offset:
      if (f.width != 1 && f.width != 2 && f.width != 4 && f.width != 8) {
        return std::string(name) + " is " + std::to_string(f.width) + " bytes wide, not 1, 2, 4 or 8";
      }
      return f.offset < 0 ? std::string(name) + " has a negative offset" : "";
    case HostField::How::Fixed:
      break;
  }
  return "";
}

std::string static_fault(const HostBinding& b) {
  if (!b.name) return "name is null";
  if (!b.allocate || !b.retain || !b.release) return "allocate, retain and release are needed";
  if (!b.take_lock != !b.release_lock) return "take_lock and release_lock must both be set or both be null";
  if (b.stride_unit == StrideUnit::None && b.layout == ir::Layout::Strided)
    return "layout must be RowMajor or ColMajor";
  if (b.describe) return "";
  std::string fault = field_fault(b.data, "data");
  if (fault.empty()) fault = field_fault(b.elem, "elem");
  if (fault.empty()) fault = field_fault(b.rank, "rank");
  if (fault.empty()) fault = field_fault(b.extents, "extents");
  if (fault.empty() && b.stride_unit != StrideUnit::None) fault = field_fault(b.strides, "strides");
  if (fault.empty()) fault = field_fault(b.read_only, "read_only");
  return fault;
}

/// What is wrong with a new object that was requested with `elem` and `extents`; "" if it is right.
std::string object_fault(const HostBinding& b, void* object, int32_t elem, const std::vector<int64_t>& extents) {
  vr_array a = {};
  if (read_descriptor(b, object, &a) != VR_OK) return "its element type, rank or extents cannot be read";
  if (a.elem != elem) return "it has element code " + std::to_string(a.elem);
  if (a.rank != static_cast<int32_t>(extents.size())) return "it has rank " + std::to_string(a.rank);
  if (!std::equal(extents.begin(), extents.end(), a.extent)) return "it has other extents";
  int64_t width = runtime::element_bytes(elem);
  if (!runtime::is_contiguous(a.rank, a.extent, a.stride, width, false) &&
      !runtime::is_contiguous(a.rank, a.extent, a.stride, width, true)) {
    return "its elements are not contiguous";
  }
  if (a.flags & VR_ARRAY_READ_ONLY) return "it is read-only";
  int64_t n = runtime::element_count(a);
  if (n > 0 && !a.data) return "its data address is null";
  if (n > 0) std::memset(a.data, 1, static_cast<size_t>(n * width));
  return "";
}

}  // namespace

Status check_binding(const HostBinding& b) {
  std::string fault = static_fault(b);
  if (!fault.empty()) return make_error(Code::Usage, std::string("host '") + (b.name ? b.name : "") + "': " + fault);
  const std::vector<std::vector<int64_t>> shapes = {{3}, {2, 3}, {2, 3, 4}, {0, 2}, {1, 1}};
  int made = 0;
  for (int32_t code = 0; code < 2 * VR_COMPLEX; ++code) {
    if (runtime::element_bytes(code) == 0 || !(b.elements >> code & 1u)) continue;
    for (const std::vector<int64_t>& shape : shapes) {
      for (ir::Layout layout : {ir::Layout::RowMajor, ir::Layout::ColMajor}) {
        runtime::HostLock lock(b);
        void* object = b.allocate(b.context, code, static_cast<int32_t>(shape.size()), shape.data(), layout);
        if (!object) continue;  // the host does not have arrays of this kind
        ++made;
        fault = object_fault(b, object, code, shape);
        b.retain(b.context, object);
        b.release(b.context, object);
        vr_array again = {};
        if (fault.empty() && read_descriptor(b, object, &again) != VR_OK) fault = "it is gone after retain and release";
        b.release(b.context, object);
        if (!fault.empty()) {
          return make_error(Code::Usage, std::string("host '") + b.name + "': asked for element code " +
                                             std::to_string(code) + ", rank " + std::to_string(shape.size()) + ": " +
                                             fault);
        }
      }
    }
  }
  if (made == 0) return make_error(Code::Usage, std::string("host '") + b.name + "' made no array at all");
  return {};
}

}  // namespace vr
