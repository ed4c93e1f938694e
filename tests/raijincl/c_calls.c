/* Calls the C header, compiled as C. Returns 0, or the line of the first failure. */
#include <raijincl/raijincl.h>
#include <string.h>

int raijincl_c_calls(cl_context context, cl_device_id device, cl_command_queue queue);

#define CHECK(condition) \
  if (!(condition)) return __LINE__

int raijincl_c_calls(cl_context context, cl_device_id device, cl_command_queue queue) {
  float a[6] = {1, 2, 3, 4, 5, 6}, got[9] = {0}; /* 2 x 3 */
  const float one = 1, zero = 0, two = 2;
  const size_t extents[2] = {2, 3}, strides[2] = {1, 2};
  const raijincl_launch l = {queue, 0, NULL, NULL};
  raijincl_matrix ma = {NULL, 0, 3}, mc = {NULL, 0, 2};
  raijincl_vector x = {NULL, 0, 1}, y = {NULL, 0, 1};
  raijincl_context lib = NULL;
  cl_int err;
  CHECK(raijincl_create(NULL, device, NULL, &lib) != 0 && lib == NULL);
  CHECK(!strcmp(raijincl_status_name(1), "InvalidContext") && raijincl_last_error()[0]);
  CHECK(raijincl_create(context, device, "{", &lib) != 0);
  CHECK(raijincl_create(context, device, NULL, &lib) == 0);
  ma.buffer = x.buffer = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof a, a, &err);
  mc.buffer = y.buffer = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof got, got, &err);
  /* A A' */
  CHECK(raijincl_gemm(lib, &l, RAIJINCL_S, RAIJINCL_ROW_MAJOR, RAIJINCL_NONE, RAIJINCL_TRANSPOSE, 2, 2, 3, &one, &ma, &ma,
                      &zero, &mc, RAIJINCL_PLAIN) == 0);
  clEnqueueReadBuffer(queue, mc.buffer, CL_TRUE, 0, 16, got, 0, NULL, NULL);
  CHECK(got[0] == 14 && got[1] == 32 && got[2] == 32 && got[3] == 77);
  CHECK(raijincl_gemm(lib, &l, RAIJINCL_S, (raijincl_order)7, RAIJINCL_NONE, RAIJINCL_NONE, 2, 2, 2, &one, &ma, &ma, &zero,
                      &mc, RAIJINCL_PLAIN) != 0);
  CHECK(raijincl_gemm(lib, NULL, RAIJINCL_S, RAIJINCL_ROW_MAJOR, RAIJINCL_NONE, RAIJINCL_NONE, 2, 2, 2, &one, &ma, &ma,
                      &zero, &mc, RAIJINCL_PLAIN) != 0);
  CHECK(raijincl_gemm(lib, &l, (raijincl_precision)9, RAIJINCL_ROW_MAJOR, RAIJINCL_NONE, RAIJINCL_NONE, 2, 2, 2, &one, &ma,
                      &ma, &zero, &mc, RAIJINCL_PLAIN) != 0);
  /* A x with x = (1, 2, 3) */
  CHECK(raijincl_gemv(lib, &l, RAIJINCL_S, RAIJINCL_ROW_MAJOR, RAIJINCL_NONE, 2, 3, &two, &ma, &x, &zero, &y) == 0);
  clEnqueueReadBuffer(queue, mc.buffer, CL_TRUE, 0, 8, got, 0, NULL, NULL);
  CHECK(got[0] == 28 && got[1] == 64);
  CHECK(raijincl_transpose(lib, &l, RAIJINCL_S, 2, 3, &ma, &mc, 0) == 0);
  clEnqueueReadBuffer(queue, mc.buffer, CL_TRUE, 0, 24, got, 0, NULL, NULL);
  CHECK(got[1] == 4 && got[2] == 2 && got[5] == 6);
  /* The transposed result, used as A again. */
  CHECK(raijincl_reduce(lib, &l, RAIJINCL_S, RAIJINCL_SUM, 2, extents, strides, 1, mc.buffer, 0, mc.buffer, 6) == 0);
  CHECK(raijincl_reduce(lib, &l, RAIJINCL_S, RAIJINCL_MAX, 2, extents, NULL, RAIJINCL_ALL_AXES, ma.buffer, 0, mc.buffer,
                        8) == 0);
  clEnqueueReadBuffer(queue, mc.buffer, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL);
  CHECK(got[6] == 6 && got[7] == 15 && got[8] == 6);
  CHECK(raijincl_scale(lib, &l, RAIJINCL_S, 6, &two, &x) == 0);
  CHECK(raijincl_axpy(lib, &l, RAIJINCL_S, 6, &one, &x, &y) == 0);
  CHECK(raijincl_dot(lib, &l, RAIJINCL_S, 6, &x, &x, 0, mc.buffer, 8) == 0);
  clEnqueueReadBuffer(queue, mc.buffer, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL);
  CHECK(got[0] == 1 + 2 && got[8] == 4 * 91);
  clReleaseMemObject(ma.buffer);
  clReleaseMemObject(mc.buffer);
  raijincl_destroy(lib);
  raijincl_destroy(NULL);
  return 0;
}
