/* RaijinCL's C API. Each function does the same as the C++ function of that name, with the same rules for sizes, ownership, threads
 * and errors; status codes are those of status.hpp, in its order (0: success). Scalars are passed by address, in the precision
 * of the call: float, double, or two of them for a complex number. A launch without events: wait_count 0, wait and event NULL. */
#ifndef RAIJINCL_H
#define RAIJINCL_H
#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct raijincl_context_s* raijincl_context;
/* Integers rather than enumerations, so that the functions can check any value that a caller passes. */
typedef int raijincl_precision;
enum { RAIJINCL_S, RAIJINCL_D, RAIJINCL_C, RAIJINCL_Z };
typedef int raijincl_order;
enum { RAIJINCL_ROW_MAJOR, RAIJINCL_COLUMN_MAJOR };
typedef int raijincl_op;
enum { RAIJINCL_NONE, RAIJINCL_TRANSPOSE, RAIJINCL_CONJUGATE_TRANSPOSE, RAIJINCL_CONJUGATE };
typedef int raijincl_product;
enum { RAIJINCL_PLAIN, RAIJINCL_COMPENSATED };
typedef int raijincl_reduction;
enum { RAIJINCL_SUM, RAIJINCL_PRODUCT, RAIJINCL_MIN, RAIJINCL_MAX };
#define RAIJINCL_ALL_AXES ((size_t)-1)

typedef struct {
  cl_command_queue queue;
  cl_uint wait_count;
  const cl_event* wait;
  cl_event* event;
} raijincl_launch;
typedef struct { /* offset and ld count elements */
  cl_mem buffer;
  size_t offset, ld;
} raijincl_matrix;
typedef struct {
  cl_mem buffer;
  size_t offset, inc;
} raijincl_vector;

/* profile: JSON text, or NULL for the one that RaijinCL ships for the device. */
int raijincl_create(cl_context, cl_device_id, const char* profile, raijincl_context* out);
void raijincl_destroy(raijincl_context); /* NULL is allowed */
/* The name of a status, and the message of the last failed call on this thread, which is valid until the next call. */
const char* raijincl_status_name(int status);
const char* raijincl_last_error(void);

int raijincl_gemm(raijincl_context, const raijincl_launch*, raijincl_precision, raijincl_order, raijincl_op op_a,
                  raijincl_op op_b, size_t m, size_t n, size_t k, const void* alpha, const raijincl_matrix* a,
                  const raijincl_matrix* b, const void* beta, const raijincl_matrix* c, raijincl_product);
int raijincl_gemv(raijincl_context, const raijincl_launch*, raijincl_precision, raijincl_order, raijincl_op, size_t m,
                  size_t n, const void* alpha, const raijincl_matrix* a, const raijincl_vector* x, const void* beta,
                  const raijincl_vector* y);
int raijincl_transpose(raijincl_context, const raijincl_launch*, raijincl_precision, size_t rows, size_t columns,
                       const raijincl_matrix* src, const raijincl_matrix* dst, int conjugate);
/* strides: NULL for a dense row-major array. */
int raijincl_reduce(raijincl_context, const raijincl_launch*, raijincl_precision, raijincl_reduction, size_t rank,
                    const size_t* extents, const size_t* strides, size_t axis, cl_mem in, size_t in_offset, cl_mem out,
                    size_t out_offset);
int raijincl_scale(raijincl_context, const raijincl_launch*, raijincl_precision, size_t n, const void* alpha,
                   const raijincl_vector* x);
int raijincl_axpy(raijincl_context, const raijincl_launch*, raijincl_precision, size_t n, const void* alpha,
                  const raijincl_vector* x, const raijincl_vector* y);
int raijincl_dot(raijincl_context, const raijincl_launch*, raijincl_precision, size_t n, const raijincl_vector* x,
                 const raijincl_vector* y, int conjugate, cl_mem result, size_t offset);

#ifdef __cplusplus
}
#endif
#endif
