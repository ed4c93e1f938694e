/* velociraptor.h on its own compiles as C99, C11 and C++20 without a warning (CMakeLists.txt). */
#include <velociraptor/velociraptor.h>
#ifdef __cplusplus
#include <velociraptor/velociraptor.hpp> /* both headers can be included together */
#endif

const char* version_of_this(void);
const char* version_of_this(void) { return vr_version(); }

/* The frozen structures. */
#if defined(__cplusplus) || __STDC_VERSION__ >= 201112L
#ifndef __cplusplus
#define static_assert _Static_assert
#endif
static_assert(sizeof(vr_datum) == 24, "vr_datum");
static_assert(sizeof(vr_attr) == 8, "vr_attr");
static_assert(sizeof(vr_subscript) == 16, "vr_subscript");
static_assert(sizeof(vr_host_field) == 40, "vr_host_field");
#endif
