/* Arrays of the Lua host (docs/new-host.md, "A host in C"): counted objects with elements of any real or complex type
 * but float16, up to 8 dimensions, strides and views. Lua objects of class "vr.array" hold a pointer to one. */
#ifndef ARRAYS_H
#define ARRAYS_H
#include <lauxlib.h>
#include <lua.h>
#include <stdatomic.h>
#include <velociraptor/velociraptor.h>

// ---- [object]
enum { MAX_RANK = 8 };

typedef struct Array {
  atomic_int references; /* atomic: compiled code counts on any thread */
  int32_t elem, rank, frozen;
  int64_t extent[MAX_RANK], stride[MAX_RANK]; /* strides in bytes */
  char* data;
  struct Array* base; /* the array that owns the elements, retained; NULL: this one */
} Array;
// ---- [end]

/* Callbacks of vr_host. `context` is not used. */
void* array_allocate(void* context, int32_t elem, int32_t rank, const int64_t* extents, int32_t layout);
void array_retain(void* context, void* array);
void array_release(void* context, void* array); /* NULL is allowed */
void* array_view(void* context, void* base, const vr_array* shape);

vr_array array_describe(const Array* a);
/* Copies all elements; the target has the extents of `from`. */
void copy_elements(char* to, const int64_t* to_stride, const vr_array* from);

/* The functions below may raise Lua errors. */
Array** push_box(lua_State* L); /* pushes a Lua object without an array; the caller stores one */
Array* check_array(lua_State* L, int i);
void push_number(lua_State* L, int32_t elem, const void* at);
vr_value to_number(lua_State* L, int i, int32_t elem); /* the Lua value at index i */
void add_class(lua_State* L, const char* name, const luaL_Reg* meta, const luaL_Reg* methods);
void open_arrays(lua_State* L); /* adds `array` and `zeros` to the table on top of the stack */
#endif
