#include "arrays.h"

#include <stdlib.h>
#include <string.h>

static const struct Elem {
  const char* name;
  int32_t code, bytes;
  char kind; /* Bool, Int, Unsigned, Float, Complex */
} elems[] = {
    {"bool", VR_BOOL, 1, 'B'},
    {"int8", VR_INT8, 1, 'I'},
    {"int16", VR_INT16, 2, 'I'},
    {"int32", VR_INT32, 4, 'I'},
    {"int64", VR_INT64, 8, 'I'},
    {"uint8", VR_UINT8, 1, 'U'},
    {"uint16", VR_UINT16, 2, 'U'},
    {"uint32", VR_UINT32, 4, 'U'},
    {"uint64", VR_UINT64, 8, 'U'},
    {"float32", VR_FLOAT32, 4, 'F'},
    {"float64", VR_FLOAT64, 8, 'F'},
    {"complex64", VR_FLOAT32 | VR_COMPLEX, 8, 'C'},
    {"complex128", VR_FLOAT64 | VR_COMPLEX, 16, 'C'},
};

/* NULL: Lua has no such elements. */
static const struct Elem* find_elem(int32_t code) {
  for (size_t k = 0; k < sizeof elems / sizeof elems[0]; ++k)
    if (elems[k].code == code) return &elems[k];
  return NULL;
}
static size_t elem_size(int32_t code) { return (size_t)find_elem(code)->bytes; }
static int is_double(int32_t code) { return (code & ~VR_COMPLEX) == VR_FLOAT64; }

/* ---- what vr_host needs */

void array_retain(void* context, void* array) {
  (void)context;
  atomic_fetch_add(&((Array*)array)->references, 1);
}
void array_release(void* context, void* array) {
  Array* a = array;
  if (!a || atomic_fetch_sub(&a->references, 1) > 1) return;
  if (a->base)
    array_release(context, a->base);
  else
    free(a->data);
  free(a);
}

void* array_allocate(void* context, int32_t elem, int32_t rank, const int64_t* extents, int32_t layout) {
  (void)context;
  if (!find_elem(elem) || rank > MAX_RANK) return NULL;
  Array* a = calloc(1, sizeof *a);
  if (!a) return NULL;
  atomic_init(&a->references, 1);
  a->elem = elem, a->rank = rank;
  size_t bytes = elem_size(elem);
  int overflow = 0;
  for (int32_t k = 0; k < rank; ++k) {
    const int32_t axis = layout == VR_LAYOUT_COL_MAJOR ? k : rank - 1 - k;
    a->extent[axis] = extents[axis];
    a->stride[axis] = (int64_t)bytes;
    overflow |= __builtin_mul_overflow(bytes, (size_t)extents[axis], &bytes);
  }
  if (!overflow) a->data = calloc(bytes ? bytes : 1, 1);
  if (!a->data) return free(a), NULL;
  return a;
}

void* array_view(void* context, void* base, const vr_array* shape) {
  Array *a = calloc(1, sizeof *a), *owner = ((Array*)base)->base ? ((Array*)base)->base : base;
  if (!a || shape->rank > MAX_RANK) return free(a), NULL;
  atomic_init(&a->references, 1);
  a->elem = shape->elem, a->rank = shape->rank, a->frozen = shape->flags & VR_ARRAY_READ_ONLY;
  memcpy(a->extent, shape->extent, (size_t)a->rank * sizeof(int64_t));
  memcpy(a->stride, shape->stride, (size_t)a->rank * sizeof(int64_t));
  a->data = shape->data;
  array_retain(context, a->base = owner);
  return a;
}

vr_array array_describe(const Array* a) {
  vr_array d = {.data = a->data, .elem = a->elem, .rank = a->rank, .flags = a->frozen ? VR_ARRAY_READ_ONLY : 0};
  memcpy(d.extent, a->extent, (size_t)a->rank * sizeof(int64_t));
  memcpy(d.stride, a->stride, (size_t)a->rank * sizeof(int64_t));
  return d;
}

static void copy_axis(char* to, const int64_t* to_stride, const char* from, const vr_array* shape, int32_t axis) {
  if (axis == shape->rank) {
    memcpy(to, from, elem_size(shape->elem));
    return;
  }
  for (int64_t k = 0; k < shape->extent[axis]; ++k)
    copy_axis(to + k * to_stride[axis], to_stride, from + k * shape->stride[axis], shape, axis + 1);
}
void copy_elements(char* to, const int64_t* to_stride, const vr_array* from) {
  copy_axis(to, to_stride, from->data, from, 0);
}

/* ---- numbers */

static const struct Elem* need_elem(lua_State* L, int32_t code) {
  const struct Elem* e = find_elem(code);
  if (!e) luaL_error(L, "Lua has no numbers of element type %d", (int)code);
  return e;
}

void push_number(lua_State* L, int32_t code, const void* at) {
  const struct Elem* e = need_elem(L, code);
  if (e->kind == 'B') {
    lua_pushboolean(L, *(const uint8_t*)at);
  } else if (e->kind == 'I' || e->kind == 'U') {
    const int unused = 64 - 8 * e->bytes;
    uint64_t bits = 0;
    memcpy(&bits, at, (size_t)e->bytes); /* little endian */
    if (e->kind == 'I') bits = (uint64_t)((int64_t)(bits << unused) >> unused);
    lua_pushinteger(L, (lua_Integer)bits); /* uint64 from 2^63 on is negative, as everywhere in Lua */
  } else {
    const double re = is_double(code) ? ((const double*)at)[0] : ((const float*)at)[0];
    if (e->kind == 'F') {
      lua_pushnumber(L, re);
      return;
    }
    lua_createtable(L, 0, 2);
    lua_pushnumber(L, re), lua_setfield(L, -2, "re");
    lua_pushnumber(L, is_double(code) ? ((const double*)at)[1] : ((const float*)at)[1]), lua_setfield(L, -2, "im");
  }
}

vr_value to_number(lua_State* L, int i, int32_t code) {
  const struct Elem* e = need_elem(L, code);
  lua_Number part[2] = {0, 0};
  vr_value v = {.cu64 = {0, 0}};
  if (e->kind == 'B') {
    if (!lua_isboolean(L, i)) luaL_error(L, "boolean expected, got %s", luaL_typename(L, i));
    v.b = (uint8_t)lua_toboolean(L, i);
    return v;
  }
  if (e->kind == 'C' && lua_istable(L, i)) {
    i = lua_absindex(L, i);
    if (lua_getfield(L, i, "re") != LUA_TNUMBER || lua_getfield(L, i, "im") != LUA_TNUMBER)
      luaL_error(L, "a complex number is a table with the numbers re and im");
    part[0] = lua_tonumber(L, -2), part[1] = lua_tonumber(L, -1);
    lua_pop(L, 2);
  } else if (lua_type(L, i) != LUA_TNUMBER) {
    luaL_error(L, "number expected, got %s", luaL_typename(L, i));
  } else if (e->kind == 'I' || e->kind == 'U') {
    const int unused = 64 - 8 * e->bytes;
    int fits = 0;
    v.i64 = lua_tointegerx(L, i, &fits);
    if (e->kind == 'I')
      fits = fits && (int64_t)((uint64_t)v.i64 << unused) >> unused == v.i64;
    else if (unused)
      fits = fits && v.u64 >> (8 * e->bytes) == 0;
    if (!fits) luaL_error(L, "%s is not a number of type %s", luaL_tolstring(L, i, NULL), e->name);
    return v;
  } else {
    part[0] = lua_tonumber(L, i);
  }
  for (int k = 0; k < (e->kind == 'C' ? 2 : 1); ++k) {
    if (is_double(code))
      v.cf64[k] = part[k];
    else
      v.cf32[k] = (float)part[k];
  }
  return v;
}

/* ---- arrays in Lua. The Lua object is made before the array, so that a Lua error cannot lose an array. */

Array** push_box(lua_State* L) {
  Array** box = lua_newuserdatauv(L, sizeof *box, 0);
  *box = NULL;
  luaL_setmetatable(L, "vr.array");
  return box;
}
Array* check_array(lua_State* L, int i) { return *(Array**)luaL_checkudata(L, i, "vr.array"); }

static int collect(lua_State* L) {
  Array** box = luaL_checkudata(L, 1, "vr.array");
  array_release(NULL, *box);
  *box = NULL;
  return 0;
}

static int32_t check_elem(lua_State* L, int i) {
  const char* name = luaL_checkstring(L, i);
  for (size_t k = 0; k < sizeof elems / sizeof elems[0]; ++k)
    if (!strcmp(elems[k].name, name)) return elems[k].code;
  return luaL_argerror(L, i, "unknown element type");
}
static Array* push_new(lua_State* L, int32_t elem, int32_t rank, const int64_t* extents) {
  Array** box = push_box(L);
  if (!(*box = array_allocate(NULL, elem, rank, extents, VR_LAYOUT_ROW_MAJOR)))
    luaL_error(L, "no memory for the array");
  return *box;
}

static int zeros(lua_State* L) { /* vr.zeros ("int32", 2, 3) */
  const int32_t elem = check_elem(L, 1), rank = lua_gettop(L) - 1;
  int64_t extents[MAX_RANK];
  luaL_argcheck(L, rank >= 1 && rank <= MAX_RANK, 2, "1 to 8 extents expected");
  for (int k = 0; k < rank; ++k) {
    extents[k] = luaL_checkinteger(L, k + 2);
    luaL_argcheck(L, extents[k] >= 0, k + 2, "negative extent");
  }
  push_new(L, elem, rank, extents);
  return 1;
}

static void fill(lua_State* L, const Array* a, int32_t axis, char* to) { /* from the table on top of the stack */
  if (axis == a->rank) {
    const vr_value v = to_number(L, -1, a->elem);
    memcpy(to, &v, elem_size(a->elem));
    return;
  }
  if (!lua_istable(L, -1) || (int64_t)lua_rawlen(L, -1) != a->extent[axis])
    luaL_error(L, "the nested tables do not form a regular array");
  for (int64_t k = 0; k < a->extent[axis]; ++k) {
    lua_rawgeti(L, -1, k + 1);
    fill(L, a, axis + 1, to + k * a->stride[axis]);
    lua_pop(L, 1);
  }
}
static int from_table(lua_State* L) { /* vr.array ("float64", {{1, 2}, {3, 4}}) */
  const int32_t elem = check_elem(L, 1);
  int64_t extents[MAX_RANK];
  int32_t rank = 0;
  luaL_checktype(L, 2, LUA_TTABLE);
  lua_settop(L, 2);
  luaL_checkstack(L, 2 * MAX_RANK + 4, NULL);
  do { /* a table that begins with a table is a further dimension, unless that is a complex number */
    luaL_argcheck(L, rank < MAX_RANK, 2, "tables are nested too deep");
    extents[rank++] = (int64_t)lua_rawlen(L, -1);
    lua_rawgeti(L, -1, 1);
  } while (lua_istable(L, -1) && (!(elem & VR_COMPLEX) || lua_rawlen(L, -1) > 0));
  lua_settop(L, 2);
  const Array* a = push_new(L, elem, rank, extents);
  lua_pushvalue(L, 2);
  fill(L, a, 0, a->data);
  lua_pop(L, 1);
  return 1;
}

static char* element(lua_State* L, const Array* a,
                     int first) { /* the subscripts, from 1, are the arguments from `first` on */
  char* at = a->data;
  if (lua_gettop(L) - first + 1 != a->rank) luaL_error(L, "%d subscripts expected", (int)a->rank);
  for (int32_t k = 0; k < a->rank; ++k) {
    const lua_Integer i = luaL_checkinteger(L, first + k);
    luaL_argcheck(L, i >= 1 && i <= a->extent[k], first + k, "subscript out of bounds");
    at += (i - 1) * a->stride[k];
  }
  return at;
}
static int get(lua_State* L) { /* a:get (i, j) */
  const Array* a = check_array(L, 1);
  push_number(L, a->elem, element(L, a, 2));
  return 1;
}
static int set(lua_State* L) { /* a:set (value, i, j) */
  const Array* a = check_array(L, 1);
  if (a->frozen) return luaL_error(L, "the array is read-only");
  char* at = element(L, a, 3);
  const vr_value v = to_number(L, 2, a->elem);
  memcpy(at, &v, elem_size(a->elem));
  return 0;
}

static int push_view(lua_State* L, Array* a, const vr_array* shape) {
  Array** box = push_box(L);
  if (!(*box = array_view(NULL, a, shape))) return luaL_error(L, "no memory for the view");
  return 1;
}
static int slice(lua_State* L) { /* a:slice (axis, first, last, step): a view */
  Array* a = check_array(L, 1);
  const lua_Integer axis = luaL_checkinteger(L, 2) - 1, first = luaL_checkinteger(L, 3), last = luaL_checkinteger(L, 4),
                    step = luaL_optinteger(L, 5, 1);
  vr_array d = array_describe(a);
  luaL_argcheck(L, axis >= 0 && axis < a->rank, 2, "no such axis");
  luaL_argcheck(L, step != 0 && step > INT32_MIN && step < INT32_MAX, 5, "bad step");
  if (step > 0 ? last < first : last > first) {
    d.extent[axis] = 0;
  } else {
    luaL_argcheck(L, first >= 1 && first <= d.extent[axis], 3, "out of bounds");
    luaL_argcheck(L, last >= 1 && last <= d.extent[axis], 4, "out of bounds");
    d.data = a->data + (first - 1) * d.stride[axis];
    d.extent[axis] = (last - first) / step + 1;
    d.stride[axis] *= step;
  }
  return push_view(L, a, &d);
}
static int transpose(lua_State* L) { /* a:transpose (): a view */
  Array* a = check_array(L, 1);
  vr_array d = array_describe(a);
  for (int32_t k = 0; k < a->rank; ++k) {
    d.extent[k] = a->extent[a->rank - 1 - k];
    d.stride[k] = a->stride[a->rank - 1 - k];
  }
  return push_view(L, a, &d);
}
static int freeze(lua_State* L) { /* a:freeze (): a view that cannot be stored to */
  Array* a = check_array(L, 1);
  vr_array d = array_describe(a);
  d.flags = VR_ARRAY_READ_ONLY;
  return push_view(L, a, &d);
}
static int shape(lua_State* L) { /* a:shape () -> rows, columns */
  const Array* a = check_array(L, 1);
  for (int32_t k = 0; k < a->rank; ++k) lua_pushinteger(L, a->extent[k]);
  return a->rank;
}
static int length(lua_State* L) { return lua_pushinteger(L, check_array(L, 1)->extent[0]), 1; }
static int elem(lua_State* L) { return lua_pushstring(L, find_elem(check_array(L, 1)->elem)->name), 1; }

void add_class(lua_State* L, const char* name, const luaL_Reg* meta, const luaL_Reg* methods) {
  luaL_newmetatable(L, name);
  luaL_setfuncs(L, meta, 0);
  lua_pushboolean(L, 0), lua_setfield(L, -2, "__metatable"); /* Lua code must not call __gc */
  if (methods) {
    lua_newtable(L);
    luaL_setfuncs(L, methods, 0);
    lua_setfield(L, -2, "__index");
  }
  lua_pop(L, 1);
}

void open_arrays(lua_State* L) {
  static const luaL_Reg meta[] = {{"__gc", collect}, {"__len", length}, {NULL, NULL}};
  static const luaL_Reg methods[] = {{"get", get},       {"set", set},     {"slice", slice}, {"transpose", transpose},
                                     {"freeze", freeze}, {"shape", shape}, {"elem", elem},   {NULL, NULL}};
  static const luaL_Reg functions[] = {{"array", from_table}, {"zeros", zeros}, {NULL, NULL}};
  add_class(L, "vr.array", meta, methods);
  luaL_setfuncs(L, functions, 0);
}
