// raijincl.h: checks arguments for null and calls the C++ functions.
#include "raijincl/raijincl.h"

#include <new>

#include "core/error.hpp"
#include "raijincl/raijincl.hpp"

struct raijincl_context_s {
  std::unique_ptr<raijincl::Context> context;
};

namespace {

using namespace raijincl;

Launch of(const raijincl_launch& l) { return {l.queue, {l.wait, l.wait ? l.wait_count : 0}, l.event}; }
Matrix of(const raijincl_matrix& m) { return {m.buffer, m.offset, m.ld}; }
Vector of(const raijincl_vector& v) { return {v.buffer, v.offset, v.inc}; }
template <class T>
T number(const void* p) {
  return *static_cast<const T*>(p);
}
Op op_of(raijincl_op op) { return static_cast<Op>(op); }
Order order_of(raijincl_order o) { return static_cast<Order>(o); }

bool some(int value, int last) { return value >= 0 && value <= last; }

// Calls f<T>() with the element type. Arguments must not be null, and no exception (memory for a message, say) reaches
// C.
template <class F>
int with(raijincl_context c, raijincl_precision p, std::initializer_list<const void*> needed, F f) noexcept {
  try {
    if (!c) return static_cast<int>(fail(Status::InvalidContext, "no context"));
    for (const void* n : needed) {
      if (!n) return static_cast<int>(fail(Status::InvalidBuffer, "a null argument"));
    }
    switch (p) {
      case RAIJINCL_S:
        return static_cast<int>(f.template operator()<float>());
      case RAIJINCL_D:
        return static_cast<int>(f.template operator()<double>());
      case RAIJINCL_C:
        return static_cast<int>(f.template operator()<std::complex<float>>());
      case RAIJINCL_Z:
        return static_cast<int>(f.template operator()<std::complex<double>>());
    }
    return static_cast<int>(fail(Status::UnsupportedPrecision, "no such precision"));
  } catch (...) {
    return static_cast<int>(Status::OutOfMemory);
  }
}
int unknown(const char* what) noexcept {
  try {
    return static_cast<int>(fail(Status::Unsupported, std::string("no such ") + what));
  } catch (...) {
    return static_cast<int>(Status::OutOfMemory);
  }
}

}  // namespace

extern "C" {

int raijincl_create(cl_context c, cl_device_id d, const char* profile, raijincl_context* out) {
  try {
    if (!out) return static_cast<int>(fail(Status::InvalidContext, "a null argument"));
    Options options;
    if (profile) options.profile = profile;
    auto made = std::make_unique<raijincl_context_s>();
    const Status s = Context::create(c, d, made->context, options);
    *out = s == Status::Ok ? made.release() : nullptr;
    return static_cast<int>(s);
  } catch (...) {
    return static_cast<int>(Status::OutOfMemory);
  }
}
void raijincl_destroy(raijincl_context c) { delete c; }
const char* raijincl_status_name(int status) { return to_string(static_cast<Status>(status)); }
const char* raijincl_last_error(void) { return last_error().c_str(); }

int raijincl_gemm(raijincl_context c, const raijincl_launch* l, raijincl_precision p, raijincl_order order,
                  raijincl_op op_a, raijincl_op op_b, size_t m, size_t n, size_t k, const void* alpha,
                  const raijincl_matrix* a, const raijincl_matrix* b, const void* beta, const raijincl_matrix* to,
                  raijincl_product product) {
  if (!some(order, 1) || !some(op_a, 3) || !some(op_b, 3) || !some(product, 1)) return unknown("order, op or product");
  return with(c, p, {l, alpha, a, b, beta, to}, [&]<class T>() {
    return gemm<T>(*c->context, of(*l), order_of(order), op_of(op_a), op_of(op_b), m, n, k, number<T>(alpha), of(*a), of(*b),
                   number<T>(beta), of(*to), static_cast<Product>(product));
  });
}
int raijincl_gemv(raijincl_context c, const raijincl_launch* l, raijincl_precision p, raijincl_order order,
                  raijincl_op op, size_t m, size_t n, const void* alpha, const raijincl_matrix* a,
                  const raijincl_vector* x, const void* beta, const raijincl_vector* y) {
  if (!some(order, 1) || !some(op, 3)) return unknown("order or op");
  return with(c, p, {l, alpha, a, x, beta, y}, [&]<class T>() {
    return gemv<T>(*c->context, of(*l), order_of(order), op_of(op), m, n, number<T>(alpha), of(*a), of(*x), number<T>(beta),
                   of(*y));
  });
}
int raijincl_transpose(raijincl_context c, const raijincl_launch* l, raijincl_precision p, size_t rows, size_t columns,
                       const raijincl_matrix* src, const raijincl_matrix* dst, int conjugate) {
  return with(c, p, {l, src, dst}, [&]<class T>() {
    return transpose<T>(*c->context, of(*l), rows, columns, of(*src), of(*dst), conjugate != 0);
  });
}
int raijincl_reduce(raijincl_context c, const raijincl_launch* l, raijincl_precision p, raijincl_reduction op,
                    size_t rank, const size_t* extents, const size_t* strides, size_t axis, cl_mem in, size_t in_offset,
                    cl_mem out, size_t out_offset) {
  if (!some(op, 3)) return unknown("reduction");
  static const size_t none = 0;
  if (rank == 0) extents = &none;
  return with(c, p, {l, extents}, [&]<class T>() {
    const std::span<const size_t> shape(extents, rank);
    const auto which = static_cast<Reduction>(op);
    return strides ? reduce<T>(*c->context, of(*l), which, shape, {strides, rank}, axis, in, in_offset, out, out_offset)
                   : reduce<T>(*c->context, of(*l), which, shape, axis, in, in_offset, out, out_offset);
  });
}
int raijincl_scale(raijincl_context c, const raijincl_launch* l, raijincl_precision p, size_t n, const void* alpha,
                   const raijincl_vector* x) {
  return with(c, p, {l, alpha, x},
              [&]<class T>() { return scale<T>(*c->context, of(*l), n, number<T>(alpha), of(*x)); });
}
int raijincl_axpy(raijincl_context c, const raijincl_launch* l, raijincl_precision p, size_t n, const void* alpha,
                  const raijincl_vector* x, const raijincl_vector* y) {
  return with(c, p, {l, alpha, x, y},
              [&]<class T>() { return axpy<T>(*c->context, of(*l), n, number<T>(alpha), of(*x), of(*y)); });
}
int raijincl_dot(raijincl_context c, const raijincl_launch* l, raijincl_precision p, size_t n, const raijincl_vector* x,
                 const raijincl_vector* y, int conjugate, cl_mem result, size_t offset) {
  return with(c, p, {l, x, y}, [&]<class T>() {
    return dot<T>(*c->context, of(*l), n, of(*x), of(*y), conjugate != 0, result, offset);
  });
}

}  // extern "C"
