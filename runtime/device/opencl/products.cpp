#include "runtime/device/opencl/products.hpp"

#include "raijincl/gemm.hpp"
#include "raijincl/matrix.hpp"
#include "runtime/device/opencl/queue.hpp"
#include "support/file_cache.hpp"
#include "support/settings.hpp"
#include "support/trusted_file.hpp"
#include "support/warning.hpp"

#include <velociraptor/descriptor.h>

#include <complex>
#include <type_traits>

namespace vr::device::opencl {
namespace {

using raijincl::Op;
using raijincl::Order;

class ClProducts final : public Products {
 public:
  explicit ClProducts(FileCache cache) : cache_(std::move(cache)) {}

  bool open(cl_context context, cl_device_id device, size_t scratch_bytes) {
    raijincl::Options options;
    options.pool_bytes = scratch_bytes;
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
    auto create = [&] {
      if (raijincl::Context::create(context, device, context_, options) != raijincl::Status::Ok) context_.reset();
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
        if (text->empty() || !create())
          fault = tuned + " is not a device profile of RaijinCL: " + raijincl::last_error();
        else if (context_->profile_device() != context_->device().name)
          fault = tuned + " was made for '" + context_->profile_device() + "', and the device is '" +
                  context_->device().name + "'";
        else
          return true;
      }
      warn_once(Warning::RaijinclProfile, "VR_RAIJINCL_PROFILE is ignored: " + fault);
      context_.reset();
      options.profile.clear();
    }
    return create();
  }

  std::string matrix(Queue& queue, Waits waits, EventPtr* event, int32_t elem, size_t m, size_t n, size_t k,
                     const Matrix& a, const Matrix& b, const Vector& c) override {
    return run(queue, waits, event, elem, [&]<class T>(std::type_identity<T>, const raijincl::Launch& launch) {
      return raijincl::gemm<T>(*context_, launch, Order::RowMajor, op(a), op(b), m, n, k, T(1), of(a), of(b), T(0),
                               {handle(*c.buffer), c.offset, n});
    });
  }
  std::string vector(Queue& queue, Waits waits, EventPtr* event, int32_t elem, size_t m, size_t n, const Matrix& a,
                     const Vector& x, const Vector& y) override {
    // RaijinCL expects the extents of the matrix as it is stored.
    const size_t rows = a.transposed ? n : m, columns = a.transposed ? m : n;
    return run(queue, waits, event, elem, [&]<class T>(std::type_identity<T>, const raijincl::Launch& launch) {
      return raijincl::gemv<T>(*context_, launch, Order::RowMajor, op(a), rows, columns, T(1), of(a), of(x), T(0),
                               of(y));
    });
  }

 private:
  static Op op(const Matrix& a) { return a.transposed ? Op::Transpose : Op::None; }
  static raijincl::Matrix of(const Matrix& a) { return {handle(*a.buffer), a.offset, a.step}; }
  static raijincl::Vector of(const Vector& v) { return {handle(*v.buffer), v.offset, v.step}; }

  template <class Call>
  static std::string run(Queue& queue, Waits waits, EventPtr* event, int32_t elem, Call&& call) {
    EventOut out(event);
    std::vector<cl_event> list;
    for (const Event* e : waits) list.push_back(static_cast<const ClEvent*>(e)->get());
    const raijincl::Launch launch{static_cast<ClQueue&>(queue).get(), list, out.place()};
    auto status = raijincl::Status::Unsupported;
    const auto with = [&]<class T>(std::type_identity<T> real) {
      status = elem & VR_COMPLEX ? call(std::type_identity<std::complex<T>>{}, launch) : call(real, launch);
    };
    if ((elem & ~VR_COMPLEX) == VR_FLOAT32) with(std::type_identity<float>{});
    if ((elem & ~VR_COMPLEX) == VR_FLOAT64) with(std::type_identity<double>{});
    if (status != raijincl::Status::Ok) return raijincl::to_string(status);
    out.give();
    return "";
  }

  FileCache cache_;
  std::unique_ptr<raijincl::Context> context_;
};

}  // namespace

std::unique_ptr<Products> open_products(cl_context context, cl_device_id device, FileCache cache,
                                        size_t scratch_bytes) {
  auto products = std::make_unique<ClProducts>(std::move(cache));
  if (!products->open(context, device, scratch_bytes)) return nullptr;
  return products;
}

}  // namespace vr::device::opencl
