#include "runtime/gpu/library.hpp"

#include "runtime/cpu/sizes.hpp"
#include "runtime/gpu/routine.hpp"
#include "support/trace.hpp"

#include <optional>

namespace vr::gpu {

namespace {

/// An array in the form that the library takes, in elements: row-major, possibly to be transposed.
struct Factor {
  int64_t rows = 1, cols = 1;  // extents in the product
  int64_t row_stride = 0, col_stride = 0;
  bool transposed = false;
  size_t ld = 0;
};

/// NumPy's matmul: a vector on the left is a row, on the right a column.
std::optional<Factor> factor_of(const vr_array& a, bool left) {
  const int64_t width = element_bytes(a.elem);
  if (a.rank < 1 || a.rank > 2) return {};
  for (int32_t d = 0; d < a.rank; ++d)
    if (a.extent[d] <= 0 || a.stride[d] % width != 0) return {};
  Factor f;
  if (a.rank == 1) {
    (left ? f.cols : f.rows) = a.extent[0];
    (left ? f.col_stride : f.row_stride) = a.stride[0] / width;
  } else {
    f.rows = a.extent[0];
    f.cols = a.extent[1];
    f.row_stride = a.stride[0] / width;
    f.col_stride = a.stride[1] / width;
  }
  // The stride of a dimension with one element has no meaning.
  auto lies = [](int64_t inner, int64_t inner_stride, int64_t outer, int64_t outer_stride) {
    return (inner == 1 || inner_stride == 1) && (outer == 1 || outer_stride >= inner);
  };
  if (lies(f.cols, f.col_stride, f.rows, f.row_stride)) {
    f.ld = static_cast<size_t>(f.rows == 1 ? f.cols : f.row_stride);
    return f;
  }
  if (lies(f.rows, f.row_stride, f.cols, f.col_stride)) {
    f.transposed = true;
    f.ld = static_cast<size_t>(f.cols == 1 ? f.rows : f.col_stride);
    return f;
  }
  return {};
}

/// c = a * b. A column-major c is the transposed product of the transposed factors.
class Product final : public Task {
 public:
  Product(device::Products& products, const vr_array& a, const vr_array& b, const vr_array& c) : products_(products) {
    name = "product";
    elem_ = a.elem;
    const bool column_major = c.rank == 2 && c.extent[1] > 1 && c.stride[1] != element_bytes(c.elem);
    x_ = *factor_of(a, true);
    y_ = *factor_of(b, false);
    swapped_ = column_major;
    if (swapped_) {
      std::swap(x_, y_);
      for (Factor* f : {&x_, &y_}) {
        std::swap(f->rows, f->cols);
        f->transposed = !f->transposed;
      }
    }
  }
  void enqueue(device::Queue& queue, device::Waits wait, const std::vector<Place>& places,
               device::EventPtr* event) override {
    const std::string why = run(queue, wait, places, event);
    if (why.empty()) return;
    trace::Span span("OpenCL", "product on the CPU");
    span.note("why", why.c_str());
    throw Refused{why};
  }

 private:
  std::string run(device::Queue& queue, device::Waits wait, const std::vector<Place>& places, device::EventPtr* event) {
    const auto width = size_t(element_bytes(elem_));
    for (const Place& p : places)
      if (p.offset % width != 0) return "its elements are not aligned in memory";
    auto matrix = [&](size_t place, const Factor& f) {
      return device::Products::Matrix{places[place].buffer, places[place].offset / width, f.ld, f.transposed};
    };
    const auto m = static_cast<size_t>(x_.rows), n = static_cast<size_t>(y_.cols), k = static_cast<size_t>(x_.cols);
    const device::Products::Matrix a = matrix(swapped_ ? 1 : 0, x_), b = matrix(swapped_ ? 0 : 1, y_);
    // A row times a matrix is the transposed matrix times that row.
    auto vector = [](const device::Products::Matrix& v, bool row) {
      const bool along = row != v.transposed;  // unit stride
      return device::Products::Vector{v.buffer, v.offset, along ? size_t{1} : v.step};
    };
    auto transpose = [](device::Products::Matrix v) {
      v.transposed = !v.transposed;
      return v;
    };
    const device::Products::Vector c{places[2].buffer, places[2].offset / width, 1};
    if (n == 1) return products_.vector(queue, wait, event, elem_, m, k, a, vector(b, false), c);
    if (m == 1) return products_.vector(queue, wait, event, elem_, n, k, transpose(b), vector(a, true), c);
    return products_.matrix(queue, wait, event, elem_, m, n, k, a, b, c);
  }

  device::Products& products_;
  int32_t elem_ = 0;
  Factor x_, y_;
  bool swapped_ = false;
};

}  // namespace

Library::Library(const Shared& shared, FileCache cache) : shared_(shared), cache_(std::move(cache)) {}
Library::~Library() = default;

device::Products* Library::products() {
  std::lock_guard lock(mutex_);
  if (!tried_) products_ = shared_.device.driver->open_products(cache_, size_t(shared_.device.memory_limit / 16));
  tried_ = true;
  return products_.get();
}

std::string Library::refuses(const vr_array& a, const vr_array& b) const {
  const int32_t part = a.elem & ~VR_COMPLEX;
  if (a.elem != b.elem) return "the factors have elements of two types";
  if (!runtime::is_float_code(part)) return "products on the device are those of floating elements";
  if (part == VR_FLOAT64 && !shared_.device.info.has_fp64) return "the device has no float64";
  const auto x = factor_of(a, true), y = factor_of(b, false);
  if (!x || !y) return "no dimension of a factor has unit stride, or it is empty";
  return x->cols == y->rows ? "" : "one factor scales the other";
}

std::string Library::product(Section& section, const vr_array& a, const vr_array& b, const vr_array& c) {
  device::Products* library = products();
  if (!library) return "RaijinCL does not open on this device";
  Product task(*library, a, b, c);
  try {
    section.run(task, {{&a}, {&b}, {&c, true, true}});
  } catch (const Refused& refused) {
    return "RaijinCL refused it: " + refused.why;
  }
  return "";
}

}  // namespace vr::gpu
