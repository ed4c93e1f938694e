/* Measures the memory that an OpenCL driver does not release after programs were built, run and released: builds one
 * program after another and prints the memory use of the process. With PoCL 3.1 it grows by 20 KiB per program, which
 * must be subtracted when looking for a leak of Velociraptor's.
 *   driver_memory [PROGRAMS]      200 programs, a line every 20 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static double rss_mib(void) {
  long all = 0, resident = 0;
  FILE* f = fopen("/proc/self/statm", "r");
  if (f) {
    if (fscanf(f, "%ld %ld", &all, &resident) != 2) resident = 0;
    fclose(f);
  }
  return (double)resident * (double)sysconf(_SC_PAGESIZE) / (1 << 20);
}

int main(int argc, char** argv) {
  const int programs = argc > 1 ? atoi(argv[1]) : 200;
  cl_platform_id platform;
  cl_device_id device;
  cl_int error = CL_SUCCESS;
  if (clGetPlatformIDs(1, &platform, NULL) || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL)) {
    printf("no OpenCL device\n");
    return 2;
  }
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  cl_command_queue queue = error ? NULL : clCreateCommandQueue(context, device, 0, &error);
  for (int k = 0; k < programs && !error; ++k) {
    char text[256];
    snprintf(text, sizeof text,
             "kernel void f(global float* a, int n) { int i = get_global_id(0); if (i < n) a[i] = a[i] * %d.0f; }", k);
    const char* source = text;
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
    if (!error) error = clBuildProgram(program, 1, &device, "", NULL, NULL);
    cl_kernel kernel = error ? NULL : clCreateKernel(program, "f", &error);
    cl_mem memory = error ? NULL : clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, &error);
    const cl_int n = 1000;
    const size_t items = 1024;
    if (!error) error = clSetKernelArg(kernel, 0, sizeof memory, &memory) || clSetKernelArg(kernel, 1, sizeof n, &n);
    if (!error) error = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL) || clFinish(queue);
    clReleaseMemObject(memory);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    if (k % 20 == 19) {
      malloc_trim(0);
      printf("%d programs: RSS %.1f MiB\n", k + 1, rss_mib());
      fflush(stdout);
    }
  }
  if (error) printf("OpenCL error %d\n", error);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return error != CL_SUCCESS;
}
