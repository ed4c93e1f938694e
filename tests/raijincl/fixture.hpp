// A device, a queue, buffers with guard regions, and the bound on errors, for all tests of RaijinCL.
#pragma once
#include <gtest/gtest.h>
#include <raijincl/raijincl.hpp>

#include <complex>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

namespace rj {

using raijincl::Status;

template <class T>
struct RealOf {
  using type = T;
};
template <class T>
struct RealOf<std::complex<T>> {
  using type = T;
};
template <class T>
using Real = typename RealOf<T>::type;
template <class T>
constexpr bool is_complex = !std::is_same_v<T, Real<T>>;
template <class T>
constexpr double unit = std::numeric_limits<Real<T>>::epsilon() / 2;

template <class T>
T conj_of(T v) {
  if constexpr (is_complex<T>)
    return std::conj(v);
  else
    return v;
}

// VR_TEST_LONG=1: all sizes, where tests take a part.
inline bool long_form() { return std::getenv("VR_TEST_LONG") != nullptr; }

// One per process, so that PoCL's start and program builds are done once. VR_DEVICE selects a platform or device by a
// part of its name.
struct Device {
  cl_context context = nullptr;
  cl_device_id id = nullptr;
  cl_command_queue queue = nullptr;
  std::unique_ptr<raijincl::Context> lib;
  static Device& get();  // context stays null where there is no OpenCL device
};

struct RaijinTest : ::testing::Test {
  Device& dev = Device::get();
  std::mt19937 random{12345};
  void SetUp() override {
    if (!dev.context) GTEST_SKIP() << "no OpenCL device";
  }
  raijincl::Launch launch(cl_event* e = nullptr) const { return {dev.queue, {}, e}; }
  raijincl::Context& lib() const { return *dev.lib; }

  template <class T>
  T draw() {
    const auto one = [&] { return static_cast<Real<T>>(static_cast<double>(random()) / 4294967296.0 * 2 - 1); };
    if constexpr (is_complex<T>) {
      const Real<T> re = one();
      return T(re, one());
    } else {
      return one();
    }
  }
  template <class T>
  std::vector<T> draw_many(std::size_t n) {
    std::vector<T> v(n);
    for (T& x : v) x = draw<T>();
    return v;
  }
};

// A buffer with guard bytes before and behind its data; the first `offset` elements belong to the caller and count as
// data.
template <class T>
class Guarded {
 public:
  static constexpr std::size_t kGuard = 32;
  Guarded(Device& d, std::vector<T> data) : queue_(d.queue), size_(data.size()) {
    all_.assign(size_ + 2 * kGuard, canary());
    std::copy(data.begin(), data.end(), all_.begin() + kGuard);
    cl_int err;
    mem_ =
        clCreateBuffer(d.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, all_.size() * sizeof(T), all_.data(), &err);
    EXPECT_EQ(err, CL_SUCCESS);
  }
  ~Guarded() {
    read();
    clReleaseMemObject(mem_);
  }
  Guarded(const Guarded&) = delete;
  cl_mem mem() const { return mem_; }
  static constexpr std::size_t base() { return kGuard; }  // offset of the data in the buffer
  raijincl::Matrix matrix(std::size_t offset, std::size_t ld) const { return {mem_, kGuard + offset, ld}; }
  raijincl::Vector vector(std::size_t offset = 0, std::size_t inc = 1) const { return {mem_, kGuard + offset, inc}; }
  // Reads the data back from the device; fails the test if a guard byte has changed.
  std::vector<T> read() {
    std::vector<T> now(all_.size());
    EXPECT_EQ(clEnqueueReadBuffer(queue_, mem_, CL_TRUE, 0, now.size() * sizeof(T), now.data(), 0, nullptr, nullptr),
              CL_SUCCESS);
    const T c = canary();
    for (std::size_t i = 0; i < kGuard; ++i) {
      EXPECT_EQ(std::memcmp(&now[i], &c, sizeof c), 0) << "written before the buffer's data";
      EXPECT_EQ(std::memcmp(&now[now.size() - 1 - i], &c, sizeof c), 0) << "written behind the buffer's data";
    }
    return {now.begin() + kGuard, now.end() - kGuard};
  }

 private:
  static T canary() {
    T t;
    std::memset(static_cast<void*>(&t), 0xA5, sizeof t);
    return t;
  }
  cl_command_queue queue_;
  std::size_t size_;
  std::vector<T> all_;
  cl_mem mem_ = nullptr;
};

}  // namespace rj
