// The binding template, configured by CMake and with only the functions that it requires.
#include <gtest/gtest.h>
#include <velociraptor/descriptor.h>

#include <algorithm>
#include <cstdlib>

#include "template_vrbinding.hpp"

int32_t TemplateHost::elem_code(int64_t code) { return static_cast<int32_t>(code - 100); }
TemplateArray* TemplateHost::allocate(int32_t elem, int32_t rank, const int64_t* extents, vr::ir::Layout layout) {
  if (elem != VR_FLOAT64) return nullptr;
  auto* a = new TemplateArray{1, nullptr, elem + 100, rank, {}, {}, nullptr, false};
  std::copy_n(extents, rank, a->shape);
  int64_t step = 8;
  for (int32_t i = 0; i < rank; ++i) {
    int32_t k = layout == vr::ir::Layout::ColMajor ? i : rank - 1 - i;
    a->strides[k] = step;
    step *= std::max<int64_t>(extents[k], 1);
  }
  a->data = static_cast<double*>(std::malloc(static_cast<size_t>(step)));
  return a;
}
void TemplateHost::retain(TemplateArray* a) { ++a->refs; }
void TemplateHost::release(TemplateArray* a) {
  if (--a->refs > 0) return;
  if (a->base) {
    release(a->base);
  } else {
    std::free(a->data);
  }
  delete a;
}
void TemplateHost::take_lock() {}
void TemplateHost::release_lock() {}
void TemplateHost::raise(const vr_error&) {}
TemplateArray* TemplateHost::view(TemplateArray* base, const vr_array& shape) {
  auto* a = new TemplateArray(*base);
  a->refs = 1;
  a->base = base;
  a->frozen = shape.flags & VR_ARRAY_READ_ONLY;
  ++base->refs;
  a->data = static_cast<double*>(shape.data);
  std::copy_n(shape.extent, shape.rank, a->shape);
  std::copy_n(shape.stride, shape.rank, a->strides);
  return a;
}

namespace {

TEST(Template, FilledInItIsAWorkingHost) {
  vr::HostBinding b = vr::make_binding<TemplateHost>();
  EXPECT_STREQ(b.name, "Template");
  vr::Status status = vr::check_binding(b);
  EXPECT_TRUE(status.ok()) << (status.ok() ? "" : status.error().text());
  EXPECT_NE(b.view, nullptr);
  EXPECT_NE(b.raise, nullptr);
}

TEST(Template, ItsArraysMayBeReadOnly) {
  vr::HostBinding b = vr::make_binding<TemplateHost>();
  const int64_t extents[] = {3};
  auto* a = TemplateHost::allocate(VR_FLOAT64, 1, extents, vr::ir::Layout::RowMajor);
  vr_array d;
  for (bool frozen : {false, true}) {
    a->frozen = frozen;
    ASSERT_EQ(vr::read_descriptor(b, a, &d), VR_OK);
    EXPECT_EQ(d.flags, frozen ? VR_ARRAY_READ_ONLY : 0);
  }
  TemplateHost::release(a);
}

}  // namespace
