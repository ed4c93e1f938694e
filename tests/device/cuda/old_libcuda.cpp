// A library of CUDA as it was before the functions that the driver calls. VERSION: as CUDA counts.
extern "C" {
int cuInit(unsigned) { return 0; }
int cuDriverGetVersion(int* version) {
  *version = VERSION;
  return 0;
}
}
