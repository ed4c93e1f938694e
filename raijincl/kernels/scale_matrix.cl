// C = beta C for a batch of row-major matrices; C is not read when beta is 0. Launched over columns, rows, batches.
kernel void scale_matrix(T beta, global T* c, ulong offset, ulong ld, ulong stride) {
  global T* p = c + offset + get_global_id(2) * stride + get_global_id(1) * ld + get_global_id(0);
  *p = blend(ZERO, beta, p);
}
