// A HostBinding from a host given in C. The binding's functions differ in signature (ir::Layout), so each leads to its
// C twin through the Host that the binding has as its context.
#include "capi/handles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace vr::capi {

namespace {

static_assert(int(HostField::How::Fixed) == VR_FIELD_FIXED && int(HostField::How::Offset) == VR_FIELD_OFFSET &&
              int(HostField::How::Accessor) == VR_FIELD_ACCESSOR);
static_assert(int(StrideUnit::Bytes) == VR_STRIDES_BYTES && int(StrideUnit::Elements) == VR_STRIDES_ELEMENTS &&
              int(StrideUnit::None) == VR_STRIDES_NONE);
static_assert(int(ir::Layout::RowMajor) == VR_LAYOUT_ROW_MAJOR && int(ir::Layout::ColMajor) == VR_LAYOUT_COL_MAJOR &&
              int(ir::Layout::Strided) == VR_LAYOUT_STRIDED);

const vr_host& of(void* context) { return static_cast<const Host*>(context)->functions; }

template <vr_host_field vr_host::* F>
int64_t get_field(void* context, void* object, int32_t k) {
  const vr_host& h = of(context);
  return (h.*F).get(h.context, object, k);
}

template <vr_host_field vr_host::* F>
Status read_field(const vr_host& h, const char* name, HostField* out) {
  const vr_host_field& f = h.*F;
  switch (f.how) {
    case VR_FIELD_FIXED:
      *out = HostField::constant(f.fixed);
      return {};
    case VR_FIELD_OFFSET:
      if (f.width != 1 && f.width != 2 && f.width != 4 && f.width != 8)
        return usage(fmt::format("field '{}' of the host is {} bytes wide; 1, 2, 4 and 8 are possible", name, f.width));
      *out = HostField::at(f.offset, static_cast<uint8_t>(f.width), f.is_signed != 0, f.indirect != 0);
      return {};
    case VR_FIELD_ACCESSOR:
      if (!f.get) return usage(fmt::format("field '{}' of the host has no accessor function", name));
      *out = HostField::call(get_field<F>);
      return {};
    default:
      return usage(fmt::format("field '{}' of the host: {} is no VR_FIELD_...", name, f.how));
  }
}

int32_t elem_code(void* c, int64_t code) { return of(c).elem_code(of(c).context, code); }
void* allocate(void* c, int32_t elem, int32_t rank, const int64_t* extents, ir::Layout layout) {
  return of(c).allocate(of(c).context, elem, rank, extents, static_cast<int32_t>(layout));
}
void retain(void* c, void* object) { of(c).retain(of(c).context, object); }
void release(void* c, void* object) { of(c).release(of(c).context, object); }
void take_lock(void* c) { of(c).take_lock(of(c).context); }
void release_lock(void* c) { of(c).release_lock(of(c).context); }
void raise(void* c, const vr_error* error) { of(c).raise(of(c).context, error); }
void* view(void* c, void* base, const vr_array* shape) { return of(c).view(of(c).context, base, shape); }
int32_t describe(void* c, void* object, vr_array* out) { return of(c).describe(of(c).context, object, out); }
int32_t poll(void* c) { return of(c).poll(of(c).context); }

/// The size of the structure in ABI 2. For hosts compiled against it the members that follow are 0.
constexpr size_t least_size = offsetof(vr_host, interrupt);

/// The caller's structure, which may be of another version of the header.
Status copy_struct(const vr_host* from, vr_host* to) {
  if (!from) return null_argument("host");
  if (from->size < least_size)
    return usage(fmt::format("the host's size is {}; set it to sizeof(vr_host)", from->size));
  const auto* bytes = reinterpret_cast<const char*>(from);
  if (from->size > sizeof(vr_host) &&
      std::any_of(bytes + sizeof(vr_host), bytes + from->size, [](char b) { return b != 0; }))
    return make_error(Code::Unsupported, "the host uses fields that this version of the library does not know");
  *to = {};
  std::memcpy(to, from, std::min(from->size, sizeof(vr_host)));
  return {};
}

}  // namespace

Result<std::unique_ptr<const Host>> make_host(const vr_host* from) {
  auto host = std::make_unique<Host>();
  vr_host& h = host->functions;
  if (Status s = copy_struct(from, &h); !s) return s.error();
  host->name = h.name ? h.name : "host";
  HostBinding& b = host->binding;
  b.name = host->name.c_str();
  b.context = host.get();
  for (const Status& s :
       {read_field<&vr_host::data>(h, "data", &b.data), read_field<&vr_host::elem>(h, "elem", &b.elem),
        read_field<&vr_host::rank>(h, "rank", &b.rank), read_field<&vr_host::extents>(h, "extents", &b.extents),
        read_field<&vr_host::strides>(h, "strides", &b.strides),
        read_field<&vr_host::read_only>(h, "read_only", &b.read_only)})
    if (!s) return s.error();
  if (h.stride_unit < VR_STRIDES_BYTES || h.stride_unit > VR_STRIDES_NONE)
    return usage(fmt::format("{} is no VR_STRIDES_...", h.stride_unit));
  b.stride_unit = static_cast<StrideUnit>(h.stride_unit);
  if (h.layout != VR_LAYOUT_ROW_MAJOR && h.layout != VR_LAYOUT_COL_MAJOR)
    return usage(fmt::format("the host's layout is {}; row major and column major are possible", h.layout));
  b.layout = static_cast<ir::Layout>(h.layout);
  if (!h.allocate || !h.retain || !h.release) return usage("a host needs 'allocate', 'retain' and 'release'");
  if (!h.take_lock != !h.release_lock) return usage("'take_lock' and 'release_lock' must both be set or both be null");
  if (h.elem_code) b.elem_code = elem_code;
  b.allocate = allocate;
  b.retain = retain;
  b.release = release;
  if (h.take_lock) b.take_lock = take_lock, b.release_lock = release_lock;
  if (h.raise) b.raise = raise;
  if (h.view) b.view = view;
  b.interrupt = h.interrupt;
  if (h.poll && !h.interrupt) return usage("a host with 'poll' needs 'interrupt', which states when 'poll' is called");
  if (h.poll) b.poll = poll;
  if (h.describe) b.describe = describe;
  if (h.elements) b.elements = h.elements;
  if (h.conventions != VR_CONVENTIONS_NUMPY && h.conventions != VR_CONVENTIONS_MATLAB)
    return usage(fmt::format("{} is no VR_CONVENTIONS_...", h.conventions));
  if (h.attr_count < 0) return usage("the host's attr_count is negative");
  ir::ConventionAttrs attrs;
  if (Status s = read_attrs(h.attrs, static_cast<size_t>(h.attr_count), &attrs, nullptr); !s) return s.error();
  b.conventions =
      attrs.resolve(h.conventions == VR_CONVENTIONS_MATLAB ? ir::Conventions::matlab() : ir::Conventions::numpy());
  return std::unique_ptr<const Host>(std::move(host));
}

}  // namespace vr::capi

using namespace vr;
using namespace vr::capi;

extern "C" vr_status vr_host_check(const vr_host* host, vr_failure** failure) {
  return border(failure, [&]() -> Status {
    auto h = make_host(host);
    if (!h) return h.error();
    return check_binding((*h)->binding);
  });
}
