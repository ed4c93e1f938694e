// CLBlast, another OpenCL BLAS, if its library is installed (Debian: libclblast1). It is loaded at run time, so that no
// build needs it. Its functions are looked up by name, with the types of clblast_c.h.
#pragma once
#include <CL/cl.h>
#include <dlfcn.h>

#include <complex>
#include <cstring>
#include <string>

namespace bench {

class ClBlast {
 public:
  // The library is never unloaded, because drivers keep pointers into it.
  ClBlast() : library_(dlopen("libclblast.so.1", RTLD_NOW | RTLD_LOCAL)) {}
  explicit operator bool() const { return library_ != nullptr; }

  // Row-major n x n, C = A B. False: CLBlast does not support this device.
  template <class T>
  bool gemm(cl_command_queue q, std::size_t n, cl_mem a, cl_mem b, cl_mem c) const {
    using S = Scalar<T>;
    using F = int (*)(int, int, int, std::size_t, std::size_t, std::size_t, S, cl_mem, std::size_t, std::size_t, cl_mem,
                      std::size_t, std::size_t, S, cl_mem, std::size_t, std::size_t, cl_command_queue*, cl_event*);
    const auto f = find<F, T>("gemm");
    return f && f(kRows, kPlain, kPlain, n, n, n, one<T>(1), a, 0, n, b, 0, n, one<T>(0), c, 0, n, &q, nullptr) == 0;
  }
  // y = op(A) x
  template <class T>
  bool gemv(cl_command_queue q, bool turned, std::size_t n, cl_mem a, cl_mem x, cl_mem y) const {
    using S = Scalar<T>;
    using F = int (*)(int, int, std::size_t, std::size_t, S, cl_mem, std::size_t, std::size_t, cl_mem, std::size_t,
                      std::size_t, S, cl_mem, std::size_t, std::size_t, cl_command_queue*, cl_event*);
    const auto f = find<F, T>("gemv");
    return f &&
           f(kRows, turned ? kTurned : kPlain, n, n, one<T>(1), a, 0, n, x, 0, 1, one<T>(0), y, 0, 1, &q, nullptr) == 0;
  }
  template <class T>
  bool transpose(cl_command_queue q, std::size_t n, cl_mem a, cl_mem b) const {
    using F = int (*)(int, int, std::size_t, std::size_t, Scalar<T>, cl_mem, std::size_t, std::size_t, cl_mem,
                      std::size_t, std::size_t, cl_command_queue*, cl_event*);
    const auto f = find<F, T>("omatcopy");
    return f && f(kRows, kTurned, n, n, one<T>(1), a, 0, n, b, 0, n, &q, nullptr) == 0;
  }

 private:
  static constexpr int kRows = 101, kPlain = 111, kTurned = 112;
  template <class T>
  struct ScalarOf {
    using type = T;
  };
  template <class T>
  using Scalar = typename ScalarOf<T>::type;
  template <class T>
  static Scalar<T> one(float v) {
    Scalar<T> s;
    const T t(v);
    std::memcpy(&s, &t, sizeof s);
    return s;
  }
  template <class T>
  static char letter() {
    if constexpr (std::is_same_v<T, float>) return 'S';
    if constexpr (std::is_same_v<T, double>) return 'D';
    return sizeof(T) == 8 ? 'C' : 'Z';
  }
  template <class F, class T>
  F find(const char* name) const {
    const std::string whole = std::string("CLBlast") + letter<T>() + name;
    return library_ ? reinterpret_cast<F>(dlsym(library_, whole.c_str())) : nullptr;
  }
  void* library_;
};
template <>
struct ClBlast::ScalarOf<std::complex<float>> {
  using type = cl_float2;
};
template <>
struct ClBlast::ScalarOf<std::complex<double>> {
  using type = cl_double2;
};

}  // namespace bench
