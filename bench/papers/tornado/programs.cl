// Reductions by hand: four elements a load, a group's parts joined in local memory, the groups' by one group.
#define PLUS(a, b) ((a) + (b))
#define TIMES(a, b) ((a) * (b))
#define REDUCE(name, A, T, start, join)                                                                                            \
  __kernel __attribute__((reqd_work_group_size(256, 1, 1))) void name(__global const A* restrict x, __global T* restrict parts, int n4) { \
    __local T all[256];                                                                                                                    \
    const int l = get_local_id(0);                                                                                                         \
    T s = start;                                                                                                                           \
    for (int i = get_global_id(0); i < n4; i += get_global_size(0)) {                                                                      \
      const A v = x[i];                                                                                                                    \
      s = join(s, join(join((T)v.x, (T)v.y), join((T)v.z, (T)v.w)));                                                                       \
    }                                                                                                                                      \
    all[l] = s;                                                                                                                            \
    for (int step = 128; step > 0; step /= 2) {                                                                                            \
      barrier(CLK_LOCAL_MEM_FENCE);                                                                                                        \
      if (l < step) all[l] = join(all[l], all[l + step]);                                                                                  \
    }                                                                                                                                      \
    if (l == 0) parts[get_group_id(0)] = all[0];                                                                                           \
  }

//@ add
REDUCE(parts, float4, double, 0, PLUS)
REDUCE(whole, double4, double, 0, PLUS)
__kernel void last(__global const double* restrict x, __global float* restrict out) { out[0] = x[0]; }

//@ multiply
REDUCE(parts, float4, double, 1, TIMES)
REDUCE(whole, double4, double, 1, TIMES)
__kernel void last(__global const double* restrict x, __global float* restrict out) { out[0] = x[0]; }

//@ least
REDUCE(parts, float4, float, INFINITY, fmin)
REDUCE(whole, float4, float, INFINITY, fmin)
__kernel void last(__global const float* restrict x, __global float* restrict out) { out[0] = x[0]; }
