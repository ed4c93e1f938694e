/* vr_module_build: what it writes, and what it refuses. (Programs that call built libraries: tests/package/ahead_of_time.sh.) */
#include <unistd.h>

#include "check.h"

static vr_build_options defaults(void) {
  vr_build_options o;
  memset(&o, 0, sizeof o);
  o.size = sizeof o;
  o.opt_level = 2;
  o.runtime = VR_RUNTIME_DIR;
  return o;
}

/* The file's beginning; "" without a file. */
static const char* begin_of(const char* file) {
  static char text[8192];
  FILE* f = fopen(file, "rb");
  size_t n = 0;
  if (f) {
    n = fread(text, 1, sizeof text - 1, f);
    fclose(f);
  }
  text[n] = 0;
  return text;
}

void test_build_library(void);
void test_build_library(void) {
  vr_engine* engine = engine_on(VR_TARGET_INTERP);
  vr_module *scale = loaded(engine, scale_text), *pick = loaded(engine, pick_text);
  const vr_module* const both[] = {scale, pick};
  vr_build_options options = defaults();
  char* report = NULL;
  CHECK_OK(vr_module_build(2, both, &options, "capi_built.a", "capi_built.h", &report, &failure));
  CHECK_TEXT(report, "");
  vr_string_free(report);
  CHECK_HAS(begin_of("capi_built.a"), "!<arch>");
  CHECK_HAS(begin_of("capi_built.h"), "int32_t scale(");
  CHECK_HAS(begin_of("capi_built.h"), "int32_t pick(");

  const char* const only[] = {"pick"};
  options.functions = only;
  options.function_count = 1;
  options.prefix = "my_";
  CHECK_OK(vr_module_build(1, &both[1], &options, "capi_built.c", "capi_built.h", &report, &failure));
  vr_string_free(report);
  CHECK_HAS(begin_of("capi_built.c"), "my_pick(");
  CHECK(strstr(begin_of("capi_built.h"), "scale(") == NULL);
  CHECK_OK(vr_module_build(2, both, &options, "capi_built.a", NULL, &report, &failure));
  vr_string_free(report);
  unlink("capi_built.a");
  unlink("capi_built.c");
  unlink("capi_built.h");
  vr_module_free(scale);
  vr_module_free(pick);
  vr_engine_free(engine);
}

void test_build_library_faults(void);
void test_build_library_faults(void) {
  vr_engine* engine = engine_on(VR_TARGET_INTERP);
  vr_module* scale = loaded(engine, scale_text);
  const vr_module* const one[] = {scale, NULL};
  const vr_module* const twice[] = {scale, scale};
  const char *const no_function[] = {"scales"}, *const no_part[] = {"fast"}, *const null[] = {NULL};
  vr_build_options o = defaults();
  char* report = NULL;
#define BUILD(count, modules, file) vr_module_build(count, modules, &o, file, NULL, &report, &failure)
  CHECK_FAILS(vr_module_build(1, one, NULL, "no.a", NULL, &report, &failure), VR_USAGE, "'options' is NULL");
  CHECK_FAILS(vr_module_build(1, one, &o, NULL, NULL, &report, &failure), VR_USAGE, "'library' is NULL");
  CHECK_FAILS(vr_module_build(1, one, &o, "no.a", NULL, NULL, &failure), VR_USAGE, "'out' is NULL");
  CHECK_FAILS(BUILD(1, NULL, "no.a"), VR_USAGE, "'modules' is NULL");
  CHECK_FAILS(BUILD(2, one, "no.a"), VR_USAGE, "'modules' is NULL");
  CHECK_FAILS(BUILD(0, NULL, "no.a"), VR_USAGE, "there is no function to export");
  CHECK_FAILS(BUILD(2, twice, "no.a"), VR_USAGE, "two functions would be 'scale' in C");
  CHECK_FAILS(BUILD(2, twice, "no.o"), VR_USAGE, "has one module");
  CHECK_FAILS(BUILD(1, one, "no.dll"), VR_USAGE, "ends with .o, .a, .so or .c");
  CHECK_FAILS(BUILD(1, one, "/nowhere/no.a"), VR_USAGE, "/nowhere");
  o.size = 8;
  CHECK_FAILS(BUILD(1, one, "no.a"), VR_USAGE, "'options.size' is 8");
  o = defaults();
  o.opt_level = 4;
  CHECK_FAILS(BUILD(1, one, "no.a"), VR_USAGE, "optimisation level 4");
  o = defaults();
  o.flags = 128;
  CHECK_FAILS(BUILD(1, one, "no.a"), VR_USAGE, "128 is no sum of VR_BUILD_");
  o.flags = VR_BUILD_KERNEL_BINARIES;
  CHECK_FAILS(BUILD(1, one, "no.a"), VR_USAGE, "VR_BUILD_KERNEL_BINARIES is for VR_BUILD_OPENCL");
  o = defaults();
  o.target = "z80-and-more";
  CHECK_FAILS(BUILD(1, one, "no.a"), VR_USAGE, "z80-and-more");
  o = defaults();
  o.runtime = "/nowhere";
  CHECK_FAILS(BUILD(1, one, "no.a"), VR_NOT_FOUND, "no libvrrt in this folder");
  o = defaults();
  o.function_count = 1;
  CHECK_FAILS(BUILD(1, one, "no.a"), VR_USAGE, "'options.functions' is NULL");
  o.functions = null;
  CHECK_FAILS(BUILD(1, one, "no.a"), VR_USAGE, "'options.functions' is NULL");
  o.functions = no_function;
  CHECK_FAILS(BUILD(1, one, "no.a"), VR_USAGE, "there is no function 'scales'");
  o = defaults();
  o.part_count = 1;
  o.parts = no_part;
  CHECK_FAILS(BUILD(1, one, "no.a"), VR_USAGE, "'fast' is no part");
  o = defaults();
  o.region_count = 1;
  CHECK_FAILS(BUILD(1, one, "no.a"), VR_USAGE, "'options.regions' is NULL");
  o.regions = no_part;
  CHECK_FAILS(BUILD(1, one, "no.a"), VR_USAGE, "--regions 'fast': no exported function has such arguments");
  o = defaults();
  o.linker = "no-such-compiler";
  CHECK_FAILS(BUILD(1, one, "no.so"), VR_USAGE, "no-such-compiler");
#undef BUILD
  CHECK(access("no.a", F_OK) != 0 && access("no.so", F_OK) != 0);
  vr_module_free(scale);
  vr_engine_free(engine);
}
