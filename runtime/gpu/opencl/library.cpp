#include "runtime/gpu/opencl/library.hpp"

#include "raijincl/gemm.hpp"
#include "raijincl/matrix.hpp"
#include "runtime/cpu/sizes.hpp"
#include "support/settings.hpp"
#include "support/trace.hpp"
#include "support/trusted_file.hpp"
#include "support/warning.hpp"

#include <optional>

namespace vr::gpu {

namespace {

/// An array as RaijinCL sees it, in elements: row-major, to be transposed or not.
struct Factor {
  int64_t rows = 1, cols = 1;  // as the product has them
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
  // The stride of a dimension of one element counts for nothing.
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

/// Thrown by a task if RaijinCL rejects the call.
struct Refused {
  const char* why;
};

/// c = a * b. A column-major c is the transposed product of the transposed factors.
class Product final : public Task {
 public:
  Product(raijincl::Context& context, const vr_array& a, const vr_array& b, const vr_array& c) : context_(context) {
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
  void enqueue(cl_command_queue queue, const std::vector<cl_event>& wait, const std::vector<Place>& places,
               cl_event* event) override {
    const raijincl::Launch launch{queue, wait, event};
    const raijincl::Status status =
        runtime::visit_floating(elem_, raijincl::Status::Unsupported,
                       [&]<class T>(std::type_identity<T>) { return run<T>(launch, places); });
    if (status == raijincl::Status::Ok) return;
    trace::Span span("OpenCL", "product on the CPU");
    span.note("why", raijincl::to_string(status));
    throw Refused{raijincl::to_string(status)};
  }

 private:
  template <class T>
  raijincl::Status run(const raijincl::Launch& launch, const std::vector<Place>& places) {
    using raijincl::Op;
    using raijincl::Order;
    for (const Place& p : places)
      if (p.offset % sizeof(T) != 0) return raijincl::Status::Unsupported;
    auto matrix = [&](size_t place, const Factor& f) {
      return raijincl::Matrix{places[place].buffer, places[place].offset / sizeof(T), f.ld};
    };
    const auto m = static_cast<size_t>(x_.rows), n = static_cast<size_t>(y_.cols), k = static_cast<size_t>(x_.cols);
    const raijincl::Matrix a = matrix(swapped_ ? 1 : 0, x_), b = matrix(swapped_ ? 0 : 1, y_);
    auto op = [](bool transposed) { return transposed ? Op::Transpose : Op::None; };
    const size_t to = places[2].offset / sizeof(T);
    // A row times a matrix is the transposed matrix times that row.
    auto vector = [](const raijincl::Matrix& v, const Factor& f, bool row) {
      const bool along = row != f.transposed;  // unit stride
      return raijincl::Vector{v.buffer, v.offset, along ? size_t{1} : f.ld};
    };
    const raijincl::Vector y{places[2].buffer, to, 1};
    if (n == 1)
      return raijincl::gemv<T>(context_, launch, Order::RowMajor, op(x_.transposed), x_.transposed ? k : m,
                               x_.transposed ? m : k, T(1), a, vector(b, y_, false), T(0), y);
    if (m == 1)
      return raijincl::gemv<T>(context_, launch, Order::RowMajor, op(!y_.transposed), y_.transposed ? n : k,
                               y_.transposed ? k : n, T(1), b, vector(a, x_, true), T(0), y);
    return raijincl::gemm<T>(context_, launch, Order::RowMajor, op(x_.transposed), op(y_.transposed), m, n, k, T(1), a,
                             b, T(0), {places[2].buffer, to, n});
  }

  raijincl::Context& context_;
  int32_t elem_ = 0;
  Factor x_, y_;
  bool swapped_ = false;
};

}  // namespace

Library::Library(const Shared& shared, FileCache cache) : shared_(shared), cache_(std::move(cache)) {}
Library::~Library() = default;

raijincl::Context* Library::context() {
  std::lock_guard lock(mutex_);
  if (tried_) return context_.get();
  tried_ = true;
  raijincl::Options options;
  options.pool_bytes = static_cast<size_t>(shared_.device.memory_limit / 16);
  if (cache_.enabled()) {
    options.load_program = [this](const std::string& key, std::vector<unsigned char>& binary) {
      const auto found = cache_.find("RaijinCL\n" + key);
      if (found) binary.assign(found->begin(), found->end());
      return found.has_value();
    };
    options.store_program = [this](const std::string& key, const std::vector<unsigned char>& binary) {
      cache_.store("RaijinCL\n" + key, {reinterpret_cast<const char*>(binary.data()), binary.size()});
    };
  }
  const Device& device = shared_.device;
  auto open = [&] {
    if (raijincl::Context::create(device.context.get(), device.id, context_, options) != raijincl::Status::Ok)
      context_.reset();
    return context_ != nullptr;
  };
  const std::string tuned = settings::text(settings::Name::VR_RAIJINCL_PROFILE).value_or("");
  if (!tuned.empty()) {
    constexpr uint64_t most_bytes = 1 << 20;
    auto text = read_trusted_file(tuned, most_bytes);
    std::string fault;
    if (!text) {
      fault = text.error().message;
    } else {
      options.profile = *text;
      if (text->empty() || !open()) fault = tuned + " is no device profile of RaijinCL: " + raijincl::last_error();
      else if (context_->profile_device() != context_->device().name)
        fault = tuned + " was made for '" + context_->profile_device() + "', and the device is '" +
                context_->device().name + "'";
      else
        return context_.get();
    }
    warn_once(Warning::RaijinclProfile, "VR_RAIJINCL_PROFILE is left out: " + fault);
    context_.reset();
    options.profile.clear();
  }
  open();
  return context_.get();
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
  raijincl::Context* context = this->context();
  if (!context) return "RaijinCL does not open on this device";
  Product task(*context, a, b, c);
  try {
    section.run(task, {{&a}, {&b}, {&c, true, true}});
  } catch (const Refused& refused) {
    return std::string("RaijinCL refused it: ") + refused.why;
  }
  return "";
}

}  // namespace vr::gpu
