#include <gtest/gtest.h>
#include <velociraptor/array.hpp>
#include <velociraptor/make_binding.hpp>

#include <fstream>
#include <string>
#include <vector>

#include "second_host.hpp"

namespace vr {
namespace {

using Shape = std::vector<int64_t>;

TEST(Binding, BuiltinReadsArrays) {
  Array a = Array::zeros(Elem::Int64, Shape{2, 5}, Layout::ColMajor).value();
  vr_array d = {};
  ASSERT_EQ(read_descriptor(builtin_binding(), a.object(), &d), VR_OK);
  EXPECT_EQ(d.data, a.data());
  EXPECT_EQ(d.elem, VR_INT64);
  EXPECT_EQ(d.rank, 2);
  EXPECT_EQ(d.extent[0], 2);
  EXPECT_EQ(d.extent[1], 5);
  EXPECT_EQ(d.stride[0], 8);
  EXPECT_EQ(d.stride[1], 16);
  EXPECT_EQ(d.owner, nullptr);
  Status status = check_binding(builtin_binding());
  EXPECT_TRUE(status.ok()) << (status.ok() ? "" : status.error().text());
}

TEST(Binding, BuiltinAllocatesCountsAndViews) {
  const HostBinding& b = builtin_binding();
  const int64_t extents[] = {4, 3};
  auto* object = static_cast<ArrayObject*>(b.allocate(b.context, VR_FLOAT64, 2, extents, Layout::RowMajor));
  ASSERT_NE(object, nullptr);
  b.retain(b.context, object);
  EXPECT_EQ(object->refs.load(), 2);
  b.release(b.context, object);
  vr_array d = {};
  ASSERT_EQ(read_descriptor(b, object, &d), VR_OK);
  std::swap(d.extent[0], d.extent[1]);
  std::swap(d.stride[0], d.stride[1]);
  auto* view = static_cast<ArrayObject*>(b.view(b.context, object, &d));
  EXPECT_EQ(view->base, object);
  EXPECT_EQ(view->extent[0], 3);
  EXPECT_FALSE(view->read_only);
  EXPECT_EQ(object->refs.load(), 2);
  b.release(b.context, view);
  d.flags = VR_ARRAY_READ_ONLY;
  view = static_cast<ArrayObject*>(b.view(b.context, object, &d));
  ASSERT_EQ(read_descriptor(b, view, &d), VR_OK);
  EXPECT_EQ(d.flags, VR_ARRAY_READ_ONLY);
  b.release(b.context, view);
  EXPECT_EQ(object->refs.load(), 1);
  b.release(b.context, object);
  const int64_t absurd[] = {INT64_MAX};
  EXPECT_EQ(b.allocate(b.context, VR_FLOAT64, 1, absurd, Layout::RowMajor), nullptr);
}

// One struct with dims and strides of every width at every offset; a field of each is read.
template <class T>
struct Inline {
  void* data;
  uint8_t type;
  T rank;
  T dims[4];
  T steps[4];
};
template <class T>
struct Indirect {
  T rank;
  T* dims;
  T* steps;
  int64_t type;
  double* data;
};

template <class T, class Object>
HostBinding describe(StrideUnit unit) {
  HostBinding b;
  b.data = VR_HOST_VALUE(Object, data);
  b.elem = VR_HOST_VALUE(Object, type);
  b.rank = VR_HOST_VALUE(Object, rank);
  b.extents = VR_HOST_VALUES(Object, dims);
  b.strides = VR_HOST_VALUES(Object, steps);
  b.stride_unit = unit;
  return b;
}

template <class T>
void read_both(StrideUnit unit, T step0, T step1) {
  double values[200];
  const int64_t scale = unit == StrideUnit::Elements ? 8 : 1;
  auto expect = [&](const vr_array& d) {
    EXPECT_EQ(d.data, values);
    EXPECT_EQ(d.elem, VR_FLOAT64);
    EXPECT_EQ(d.rank, 2);
    EXPECT_EQ(d.extent[0], 5);
    EXPECT_EQ(d.extent[1], 120);
    if (unit == StrideUnit::None) {
      EXPECT_EQ(d.stride[0], 960);
      EXPECT_EQ(d.stride[1], 8);
    } else {
      EXPECT_EQ(d.stride[0], step0 * scale);
      EXPECT_EQ(d.stride[1], step1 * scale);
    }
  };
  vr_array d = {};
  Inline<T> in{values, VR_FLOAT64, T(2), {T(5), T(120)}, {step0, step1}};
  ASSERT_EQ(read_descriptor(describe<T, Inline<T>>(unit), &in, &d), VR_OK);
  expect(d);
  T dims[] = {T(5), T(120)}, steps[] = {step0, step1};
  Indirect<T> out{T(2), dims, steps, VR_FLOAT64, values};
  d = {};
  ASSERT_EQ(read_descriptor(describe<T, Indirect<T>>(unit), &out, &d), VR_OK);
  expect(d);
}

TEST(Binding, FieldsOfAnyWidthSignAndPlace) {
  for (StrideUnit unit : {StrideUnit::Bytes, StrideUnit::Elements, StrideUnit::None}) {
    read_both<int8_t>(unit, -8, 127);
    read_both<uint8_t>(unit, 8, 255);
    read_both<int16_t>(unit, -3000, 8);
    read_both<uint16_t>(unit, 65535, 8);
    read_both<int32_t>(unit, INT32_MIN, 8);
    read_both<uint32_t>(unit, UINT32_MAX, 8);
    read_both<int64_t>(unit, -(int64_t{1} << 40), 8);
    read_both<uint64_t>(unit, 1u << 31, 8);
  }
}

struct Opaque {
  std::vector<int64_t> shape;
  std::vector<float> values;
  virtual ~Opaque() = default;  // no standard layout: accessors only
};
float* opaque_data(Opaque* o) { return o->values.data(); }
size_t opaque_rank(Opaque* o) noexcept { return o->shape.size(); }
int64_t opaque_extent(Opaque* o, int32_t k) { return o->shape[static_cast<size_t>(k)]; }

TEST(Binding, AccessorsAndConstants) {
  HostBinding b;
  b.data = host_accessor<&opaque_data>();
  b.elem = HostField::constant(VR_FLOAT32);
  b.rank = host_accessor<&opaque_rank>();
  b.extents = host_accessor<&opaque_extent>();
  b.stride_unit = StrideUnit::None;
  b.layout = Layout::ColMajor;
  Opaque o;
  o.shape = {2, 3};
  o.values.resize(6);
  vr_array d = {};
  ASSERT_EQ(read_descriptor(b, &o, &d), VR_OK);
  EXPECT_EQ(d.data, o.values.data());
  EXPECT_EQ(d.elem, VR_FLOAT32);
  EXPECT_EQ(d.extent[1], 3);
  EXPECT_EQ(d.stride[0], 4);
  EXPECT_EQ(d.stride[1], 8);
}

TEST(Binding, UnsupportedElementTypesAndRanksAreTypeFaults) {
  Inline<int32_t> o{nullptr, VR_FLOAT64, 2, {1, 1}, {8, 8}};
  HostBinding b = describe<int32_t, Inline<int32_t>>(StrideUnit::Bytes);
  vr_array d = {};
  EXPECT_EQ(read_descriptor(b, &o, &d), VR_OK);
  for (uint8_t bad : {uint8_t{13}, uint8_t{15}, uint8_t{27}, uint8_t{29}, uint8_t{200}}) {
    o.type = bad;
    EXPECT_EQ(read_descriptor(b, &o, &d), VR_TYPE) << int(bad);
  }
  o.type = VR_FLOAT64;
  for (int32_t bad : {0, -1, 17}) {
    o.rank = bad;
    EXPECT_EQ(read_descriptor(b, &o, &d), VR_TYPE) << bad;
  }
  o.rank = 1;
  o.dims[0] = -4;
  EXPECT_EQ(read_descriptor(b, &o, &d), VR_TYPE);
  o.dims[0] = 4;
  b.elem_code = [](void*, int64_t) { return int32_t{-1}; };
  EXPECT_EQ(read_descriptor(b, &o, &d), VR_TYPE);
}

TEST(Binding, SecondHostPassesCheckBinding) {
  HostBinding b = second::binding();
  Status status = check_binding(b);
  EXPECT_TRUE(status.ok()) << (status.ok() ? "" : status.error().text());
  EXPECT_EQ(second::live, 0);
  const int64_t extents[] = {2, 3};
  auto* m = static_cast<second::Matrix*>(b.allocate(b.context, VR_FLOAT64, 2, extents, Layout::ColMajor));
  vr_array d = {};
  ASSERT_EQ(read_descriptor(b, m, &d), VR_OK);
  EXPECT_EQ(d.stride[0], 8);
  EXPECT_EQ(d.stride[1], 16);
  EXPECT_EQ(d.data, m->values);
  EXPECT_EQ(b.conventions.indexing, 1);
  EXPECT_EQ(b.raise, nullptr);
  EXPECT_EQ(b.take_lock, nullptr);
  b.release(b.context, m);
  EXPECT_EQ(second::live, 0);
}

// Everything optional, with a context.
struct Interpreter {
  int locked = 0, locks = 0, raised = 0;
};
struct FullHost {
  using Object = ArrayObject;
  using Context = Interpreter;
  static constexpr const char* name = "full";
  static HostField data() { return builtin_binding().data; }
  static HostField elem() { return builtin_binding().elem; }
  static HostField rank() { return builtin_binding().rank; }
  static HostField extents() { return builtin_binding().extents; }
  static HostField strides() { return builtin_binding().strides; }
  static constexpr StrideUnit stride_unit = StrideUnit::Bytes;
  static int32_t elem_code(Interpreter&, int64_t code) { return static_cast<int32_t>(code); }
  static ArrayObject* allocate(Interpreter& in, int32_t elem, int32_t rank, const int64_t* extents, ir::Layout layout) {
    EXPECT_EQ(in.locked, 1);
    if (extents[0] == 0) throw std::bad_alloc();
    return static_cast<ArrayObject*>(builtin_binding().allocate(nullptr, elem, rank, extents, layout));
  }
  static void retain(Interpreter& in, ArrayObject* o) {
    EXPECT_EQ(in.locked, 1);
    builtin_binding().retain(nullptr, o);
  }
  static void release(Interpreter& in, ArrayObject* o) {
    EXPECT_EQ(in.locked, 1);
    builtin_binding().release(nullptr, o);
  }
  static void take_lock(Interpreter& in) { ++in.locked, ++in.locks; }
  static void release_lock(Interpreter& in) { --in.locked; }
  static void raise(Interpreter& in, const vr_error& e) { in.raised = e.code; }
  static ArrayObject* view(Interpreter&, ArrayObject* base, const vr_array& shape) {
    return static_cast<ArrayObject*>(builtin_binding().view(nullptr, base, &shape));
  }
  static ir::Conventions conventions() {
    ir::Conventions c;
    c.indexing = 1;
    return c;
  }
};

TEST(Binding, OptionalPartsAndContext) {
  Interpreter in;
  HostBinding b = make_binding<FullHost>(&in);
  Status status = check_binding(b);
  EXPECT_TRUE(status.ok()) << (status.ok() ? "" : status.error().text());
  EXPECT_GT(in.locks, 0);
  EXPECT_EQ(in.locked, 0);
  vr_error e = {};
  e.code = VR_SIZE;
  b.raise(b.context, &e);
  EXPECT_EQ(in.raised, VR_SIZE);
  EXPECT_EQ(b.conventions.indexing, 1);
  in.locked = 1;
  const int64_t nothing[] = {0};
  EXPECT_EQ(b.allocate(b.context, VR_FLOAT64, 1, nothing, Layout::RowMajor),
            nullptr);  // an exception means "no memory"
}

TEST(Binding, CheckBindingReportsInvalidBindings) {
  auto fault = [](auto&& damage) {
    HostBinding b = builtin_binding();
    damage(b);
    Status s = check_binding(b);
    return s.ok() ? std::string() : s.error().message;
  };
  EXPECT_EQ(fault([](HostBinding&) {}), "");
  EXPECT_NE(fault([](HostBinding& b) { b.retain = nullptr; }).find("retain"), std::string::npos);
  EXPECT_NE(fault([](HostBinding& b) { b.take_lock = [](void*) {}; }).find("release_lock"), std::string::npos);
  EXPECT_NE(fault([](HostBinding& b) { b.extents.width = 3; }).find("extents"), std::string::npos);
  EXPECT_NE(fault([](HostBinding& b) { b.extents = b.strides; }).find("extents"), std::string::npos);
  EXPECT_NE(fault([](HostBinding& b) { b.stride_unit = StrideUnit::Elements; }).find("contiguous"), std::string::npos);
  EXPECT_NE(fault([](HostBinding& b) { b.elem_code = [](void*, int64_t) { return int32_t{0}; }; }).find("element code"),
            std::string::npos);
  EXPECT_NE(fault([](HostBinding& b) {
              b.allocate = [](void*, int32_t, int32_t, const int64_t*, ir::Layout) -> void* { return nullptr; };
            }).find("no array"),
            std::string::npos);
}

// The template's example is this file, so that it stays correct.
TEST(Binding, TemplateExampleIsTheTestedHost) {
  std::ifstream in(VR_SOURCE_DIR "/include/velociraptor/vrbinding.hpp.in");
  ASSERT_TRUE(in);
  std::string line, example;
  bool inside = false;
  while (std::getline(in, line)) {
    if (line == "// example end") break;
    if (inside) {
      ASSERT_EQ(line.substr(0, 2), "//");
      example += (line.size() > 7 ? line.substr(7) : "") + "\n";
    }
    if (line == "// example begin") inside = true;
  }
  std::ifstream host(VR_SOURCE_DIR "/tests/unit/runtime/second_host.hpp");
  std::string text{std::istreambuf_iterator<char>(host), {}};
  EXPECT_FALSE(text.empty());
  EXPECT_EQ(example, text);
}

}  // namespace
}  // namespace vr
