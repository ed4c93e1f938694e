/* The programs of bench/pixels in C, the same algorithms. Compiled twice by run.py: T are pixels (uint8_t or uint16_t), A holds
 * sums of 25 and products with 256, S is signed and holds gradients. With -fopenmp they use OMP_NUM_THREADS threads. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifndef T
#define T uint8_t
#define A uint16_t
#define S int16_t
#endif

void gray(const T* restrict a, T* restrict out, int64_t h, int64_t w) {
#pragma omp parallel for
  for (int64_t i = 0; i < h; ++i)
    for (int64_t j = 0; j < w; ++j) {
      const T* p = a + 3 * (i * w + j);
      out[i * w + j] = (T)((p[0] * 9798u + p[1] * 19235u + p[2] * 3735u + 16384u) / 32768u);
    }
}

void threshold(const T* restrict a, T* restrict out, int64_t h, int64_t w, int64_t level) {
#pragma omp parallel for
  for (int64_t i = 0; i < h; ++i)
    for (int64_t j = 0; j < w; ++j) out[i * w + j] = a[i * w + j] > (T)level ? (T)-1 : 0;
}

void blend(const T* restrict a, const T* restrict b, T* restrict out, int64_t h, int64_t w, int64_t alpha) {
  const A p = (A)alpha, q = (A)(256 - alpha);
#pragma omp parallel for
  for (int64_t i = 0; i < h; ++i)
    for (int64_t j = 0; j < w; ++j) out[i * w + j] = (T)((A)(a[i * w + j] * p + b[i * w + j] * q + 128) / 256);
}

void resize(const T* restrict a, T* restrict out, int64_t h, int64_t w) { /* of out */
#pragma omp parallel for
  for (int64_t i = 0; i < h; ++i) {
    const T *p = a + 4 * i * w, *q = p + 2 * w;
    for (int64_t j = 0; j < w; ++j) out[i * w + j] = (T)((A)(p[2 * j] + p[2 * j + 1] + q[2 * j] + q[2 * j + 1] + 2) / 4);
  }
}

void sobel(const T* restrict a, T* restrict out, int64_t h, int64_t w) {
  const S most = (T)-1;
#pragma omp parallel for
  for (int64_t i = 1; i < h - 1; ++i) {
    const T *p = a + (i - 1) * w, *q = p + w, *r = q + w;
    for (int64_t j = 1; j < w - 1; ++j) {
      const S gx = (S)((p[j + 1] + 2 * q[j + 1] + r[j + 1]) - (p[j - 1] + 2 * q[j - 1] + r[j - 1]));
      const S gy = (S)((r[j - 1] + 2 * r[j] + r[j + 1]) - (p[j - 1] + 2 * p[j] + p[j + 1]));
      const S sum = (S)((gx < 0 ? -gx : gx) + (gy < 0 ? -gy : gy));
      out[i * w + j] = (T)(sum < most ? sum : most);
    }
  }
}

void blur(const T* restrict a, T* restrict out, int64_t h, int64_t w) {
#pragma omp parallel
  {
    A* restrict column = malloc((size_t)w * sizeof(A));
#pragma omp for
    for (int64_t i = 2; i < h - 2; ++i) {
      const T* p = a + i * w;
      for (int64_t j = 0; j < w; ++j) column[j] = (A)(p[j - 2 * w] + p[j - w] + p[j] + p[j + w] + p[j + 2 * w]);
      for (int64_t j = 2; j < w - 2; ++j)
        out[i * w + j] = (T)((A)(column[j - 2] + column[j - 1] + column[j] + column[j + 1] + column[j + 2] + 12) / 25);
    }
    free(column);
  }
}

void histogram(const T* restrict a, int64_t* restrict count, int32_t* restrict part, int64_t h, int64_t w, int64_t parts) {
  const int64_t bins = (int64_t)1 << 8 * sizeof(T), rows = h / parts;
#pragma omp parallel for
  for (int64_t q = 0; q < parts; ++q)
    for (int64_t k = q * rows * w; k < (q + 1) * rows * w; ++k) ++part[q * bins + a[k]];
  memset(count, 0, (size_t)bins * sizeof *count);
  for (int64_t q = 0; q < parts; ++q)
    for (int64_t x = 0; x < bins; ++x) count[x] += part[q * bins + x];
}
