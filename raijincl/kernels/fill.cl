// Numbers in [-1, 1) that depend only on position and seed: operands for the tuner, generated on the device.
INLINE R number(ulong i, uint seed) {
  ulong h = (i + 1) * 0x9e3779b97f4a7c15UL + seed * 0xbf58476d1ce4e5b9UL;
  h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9UL;
  h = (h ^ (h >> 27)) * 0x94d049bb133111ebUL;
  return (R)(uint)(h >> 40) / (R)(1 << 23) - 1;
}
kernel void fill(global R* dst, ulong count, uint seed) {
  for (ulong i = get_global_id(0); i < count; i += get_global_size(0)) dst[i] = number(i, seed);
}
