// Library functions that the runtime computes: the code that native programs call as well, on copies of the arguments.
#include "interp/elementwise.hpp"
#include "interp/library.hpp"
#include "ir/typing.hpp"

#include "runtime/library/call.hpp"

#include <algorithm>
#include <cstring>

namespace vr::interp {

namespace {

/// A number in memory, and the array of rank 0 that describes it.
struct Boxed {
  alignas(16) unsigned char bytes[16] = {};
  vr_array array{};
  explicit Boxed(const Scalar& v) {
    store(bytes, v);
    array.data = bytes;
    array.elem = static_cast<int32_t>(v.elem) | (v.complex ? VR_COMPLEX : 0);
  }
};

/// The runtime's results are released at the end of the call.
struct Results {
  std::vector<vr_array> arrays;
  ~Results() {
    for (vr_array& a : arrays) vr_rt_release(a.owner);
  }
};

Datum taken(Context& ctx, const vr_array& a, const ir::Type& t) {
  if (a.rank == 0) return load(a.data, t.elem, t.complex);
  const Extents extents(a.extent, a.extent + a.rank), strides(a.stride, a.stride + a.rank);
  ArrayRef from;
  from.array = Array::borrow(a.data, t.elem, t.complex, extents, strides);
  return copy_array(ctx, from, t.elem, t.complex, contiguous_layout(ctx, t.layout));
}

}  // namespace

Datum library_called(const LibraryCall& c) {
  std::vector<ir::ExprPtr> types;
  for (const Datum& d : c.args) types.push_back(std::make_shared<ir::Name>(d.type(), 0));
  const ir::Typing natural = ir::library_type(c.fn.name, types, c.stated, c.conv());
  if (!natural.ok()) fail(Code::Type, natural.error);
  const std::vector<ir::Type> wanted =
      natural.type.is_tuple() ? natural.type.components() : std::vector<ir::Type>{natural.type};

  std::vector<Boxed> numbers;
  std::vector<vr_array> arrays(c.args.size());
  std::vector<const vr_array*> in;
  numbers.reserve(c.args.size());
  for (size_t k = 0; k < c.args.size(); ++k) {
    if (const ArrayRef* a = c.args[k].array())
      in.push_back(&(arrays[k] = a->array.descriptor()));
    else
      in.push_back(&numbers.emplace_back(scalar_of(c.args[k], "an argument")).array);
  }
  Results results;
  std::vector<vr_array*> out;
  results.arrays.resize(wanted.size());
  for (size_t k = 0; k < wanted.size(); ++k) {
    results.arrays[k].elem = static_cast<int32_t>(wanted[k].elem) | (wanted[k].complex ? VR_COMPLEX : 0);
    results.arrays[k].rank = wanted[k].is_array() ? wanted[k].rank : 0;
    out.push_back(&results.arrays[k]);
  }
  int32_t conventions = 0;
  if (c.matlab()) conventions |= VR_LIBRARY_MATLAB | VR_LIBRARY_COLMAJOR;
  if (c.conv().indexing == 1) conventions |= VR_LIBRARY_BASE_ONE;
  vr_context context;
  const int32_t status =
      runtime::call_library(&context, nullptr, static_cast<int32_t>(c.fn.id), conventions, in, out);
  if (status != VR_OK) fail(static_cast<Code>(status), context.error.message);
  std::vector<Datum> values;
  for (size_t k = 0; k < wanted.size(); ++k) values.push_back(taken(c.ctx, results.arrays[k], wanted[k]));
  if (values.size() == 1) return values[0];
  return Datum::tuple(std::move(values));
}

}  // namespace vr::interp
