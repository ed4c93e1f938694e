/* A host for Lua 5.4 in C (docs/new-host.md, "A host in C"). `require "vr"` gives
 *
 *   engine = vr.engine {target = "cpu", tiered = true}   -- "interp", "cpu", "cpu-par" (the default), "opencl"
 *   module = engine:load (TEXT, FILE, {rate = function (year) ... end})   -- the table: functions that TEXT declares by
 * extern module.grow (a, 2) a = vr.array ("float64", {{1, 2}, {3, 4}}), vr.zeros ("int32", 2, 3)   -- arrays.c has
 * their methods
 *
 * A call that fails raises an object with the fields code, message, raised, fn, location, array, axis, index and
 * extent. What a Lua function called by a program raises leaves the call unchanged. Each lua_State has engines of its
 * own. */
#include "arrays.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_VALUES = 16 };

// ---- [state]
/* What an engine's objects share, and the context of its callbacks. Lua collects them in any order, so they are
 * counted; only the thread that runs the lua_State counts. */
typedef struct Host {
  int references;
  vr_engine* engine;
  vr_failure* failure; /* the last one, until a Lua object holds it */
  lua_State* L;        /* the coroutine whose call is running, on `thread` */
  pthread_t thread;
  lua_State* main;
  int error, has_error; /* key in the registry: what a Lua function raised during the call */
  int32_t interrupt;    /* not 0: somebody wants a running call to poll */
} Host;

static void host_release(Host* h) {
  if (--h->references > 0) return;
  luaL_unref(h->main, LUA_REGISTRYINDEX, h->error);
  vr_failure_free(h->failure);
  free(h);
}
static vr_failure** failure_of(Host* h) {
  vr_failure_free(h->failure);
  h->failure = NULL;
  return &h->failure;
}
// ---- [end]

/* ---- errors: Lua objects that own a vr_failure */

static int raise_failure(lua_State* L, Host* h) {
  vr_failure** box = lua_newuserdatauv(L, sizeof *box, 0);
  *box = h->failure;
  h->failure = NULL;
  luaL_setmetatable(L, "vr.error");
  return lua_error(L);
}
static vr_failure** check_failure(lua_State* L) { return luaL_checkudata(L, 1, "vr.error"); }
static int failure_collect(lua_State* L) { return vr_failure_free(*check_failure(L)), 0; }
static int failure_text(lua_State* L) { return lua_pushstring(L, vr_failure_text(*check_failure(L))), 1; }
static int failure_field(lua_State* L) {
  const vr_failure* f = *check_failure(L);
  const char* key = luaL_checkstring(L, 2);
  const struct {
    const char *key, *text;
  } texts[] = {{"code", vr_status_name(vr_failure_code(f))},
               {"message", vr_failure_message(f)},
               {"fn", vr_failure_function(f)},
               {"location", vr_failure_location(f)},
               {"array", vr_failure_array(f)}};
  const struct {
    const char* key;
    int64_t number;
  } numbers[] = {{"axis", vr_failure_axis(f) + 1}, /* 0: the error is not about a subscript */
                 {"index", vr_failure_index(f)},
                 {"extent", vr_failure_extent(f)},
                 {"raised", vr_failure_raised(f)}};
  for (size_t k = 0; k < sizeof texts / sizeof texts[0]; ++k)
    if (!strcmp(texts[k].key, key)) return lua_pushstring(L, texts[k].text), 1;
  for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; ++k)
    if (!strcmp(numbers[k].key, key)) return lua_pushinteger(L, numbers[k].number), 1;
  return 0;
}

// ---- [protected]
/* Ends the protected call whose error is on top of L's stack; call_function raises it again. */
static void keep_error(Host* h, lua_State* L) {
  lua_rawseti(L, LUA_REGISTRYINDEX, h->error); /* the key exists, so this cannot raise an error */
  h->has_error = 1;
}

/* Runs the hooks that a signal handler has set with lua_sethook, as Lua's own interpreter does for Ctrl-C. */
static int nothing(lua_State* L) { return (void)L, 0; }
static int32_t host_poll(void* context) {
  Host* h = context;
  __atomic_store_n(&h->interrupt, 0, __ATOMIC_SEQ_CST);
  if (!lua_checkstack(h->L, 2)) return 1;
  lua_pushcfunction(h->L, nothing);
  if (lua_pcall(h->L, 0, 0, 0) == LUA_OK) return 0;
  keep_error(h, h->L);
  return 1;
}
// ---- [end]

/* ---- Lua functions that programs call */

typedef struct ValueType {
  int32_t elem, rank; /* rank 0: a number */
} ValueType;
typedef struct Extern {
  Host* host;
  int function; /* key in the registry */
  int in_count, out_count;
  ValueType in[MAX_VALUES], out[MAX_VALUES];
} Extern;
typedef struct Frame {
  const Extern* x;
  vr_external_call* call;
  const vr_value* args;
  vr_value* results;
} Frame;

/* In a protected call. Array arguments are read-only copies, because the program's memory must not be used after the
 * call. */
static int call_lua(lua_State* L) {
  const Frame* f = lua_touserdata(L, 1);
  const Extern* x = f->x;
  luaL_checkstack(L, x->in_count + x->out_count + 4, NULL);
  lua_rawgeti(L, LUA_REGISTRYINDEX, x->function);
  for (int k = 0; k < x->in_count; ++k) {
    if (x->in[k].rank == 0) {
      push_number(L, x->in[k].elem, &f->args[k]);
      continue;
    }
    const vr_array* from = f->args[k].array;
    Array** box = push_box(L);
    if (!(*box = array_allocate(NULL, from->elem, from->rank, from->extent, VR_LAYOUT_ROW_MAJOR)))
      return luaL_error(L, "argument %d is not an array of Lua, or there is no memory for it", k + 1);
    copy_elements((*box)->data, (*box)->stride, from);
    (*box)->frozen = 1;
  }
  lua_call(L, x->in_count, x->out_count);
  for (int k = 0, i = lua_gettop(L) - x->out_count + 1; k < x->out_count; ++k, ++i) {
    if (x->out[k].rank == 0) {
      f->results[k] = to_number(L, i, x->out[k].elem);
      continue;
    }
    const Array* a = check_array(L, i);
    if (a->elem != x->out[k].elem || a->rank != x->out[k].rank)
      return luaL_error(L, "result %d is an array of another element type or rank", k + 1);
    vr_array* to = f->call->make(f->call, k, a->extent);
    if (!to) return luaL_error(L, "no memory for result %d", k + 1);
    const vr_array from = array_describe(a);
    copy_elements(to->data, to->stride, &from);
  }
  return 0;
}

// ---- [extern]
static int32_t call_extern(void* data, vr_external_call* call, const vr_value* args, vr_value* results) {
  const Extern* x = data;
  Host* h = x->host;
  lua_State* L = h->L;
  Frame f = {x, call, args, results};
  if (!pthread_equal(h->thread, pthread_self())) /* declared `parallel`, and called in a parallel loop */
    return call->fail(call, 0, "Lua functions cannot be called on several threads");
  if (!lua_checkstack(L, 3)) return call->fail(call, 0, "Lua's stack is full");
  lua_pushcfunction(L, call_lua);
  lua_pushlightuserdata(L, &f);
  if (lua_pcall(L, 1, 0, 0) == LUA_OK) return 0;
  const int32_t status = call->fail(call, 0, lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "error in Lua");
  keep_error(h, L);
  return status;
}

/* The library calls this on the thread that frees the last object that could call the function, in a __gc here. */
static void extern_free(void* data) {
  Extern* x = data;
  luaL_unref(x->host->main, LUA_REGISTRYINDEX, x->function);
  host_release(x->host);
  free(x);
}
// ---- [end]

static ValueType value_type(const vr_type* t) {
  const int is_array = vr_type_kind(t) == VR_TYPE_ARRAY;
  return (ValueType){vr_type_elem(t), is_array ? vr_type_rank(t) : 0};
}

/* Binds the function on top of the stack, and pops it. */
static vr_status bind(lua_State* L, Host* h, const char* name, const vr_type* type) {
  const size_t in = vr_type_part_count(type), out = vr_type_result_count(type);
  Extern* x = in > MAX_VALUES || out > MAX_VALUES ? NULL : calloc(1, sizeof *x);
  if (!x) return luaL_error(L, "no memory for '%s', or it has too many parameters", name);
  for (size_t k = 0; k < in; ++k) x->in[k] = value_type(vr_type_part(type, k));
  for (size_t k = 0; k < out; ++k) x->out[k] = value_type(vr_type_result(type, k));
  x->in_count = (int)in;
  x->out_count = out == 1 && vr_type_kind(vr_type_result(type, 0)) == VR_TYPE_VOID ? 0 : (int)out;
  x->host = h;
  x->function = LUA_NOREF;
  ++h->references;
  const vr_status s = vr_engine_bind(h->engine, name, type, call_extern, x, extern_free, failure_of(h));
  if (s == VR_OK) x->function = luaL_ref(L, LUA_REGISTRYINDEX);
  return s;
}

/* ---- engines, modules and functions */

static int engine_new(lua_State* L) {
  static const char* const targets[] = {"interp", "cpu", "cpu-par", "opencl", NULL};
  static const vr_attr conventions[] = {{VR_ATTR_INDEXING, 1}, {VR_ATTR_EXCLUDE, 0}};
  lua_settop(L, 1);
  if (lua_isnil(L, 1)) lua_newtable(L), lua_replace(L, 1);
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_getfield(L, 1, "target"), lua_getfield(L, 1, "tiered");
  const int target = luaL_checkoption(L, 2, "cpu-par", targets), tiered = lua_toboolean(L, 3);

  Host **box = lua_newuserdatauv(L, sizeof *box, 0), *h = *box = calloc(1, sizeof *h);
  if (!h) return luaL_error(L, "no memory");
  h->references = 1;
  luaL_setmetatable(L, "vr.engine");
  lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_MAINTHREAD), h->main = lua_tothread(L, -1), lua_pop(L, 1);
  lua_pushboolean(L, 0), h->error = luaL_ref(L, LUA_REGISTRYINDEX);

  // ---- [host]
  const vr_host host = {
      .size = sizeof host,
      .name = "Lua",
      .context = h,
      .data = VR_HOST_POINTER(Array, data),
      .elem = VR_HOST_INTEGER(Array, elem),
      .rank = VR_HOST_INTEGER(Array, rank),
      .extents = VR_HOST_INTEGERS(Array, extent),
      .strides = VR_HOST_INTEGERS(Array, stride),
      .stride_unit = VR_STRIDES_BYTES,
      .read_only = VR_HOST_INTEGER(Array, frozen),
      .allocate = array_allocate,
      .retain = array_retain,
      .release = array_release,
      .view = array_view,
      .attrs = conventions,
      .attr_count = sizeof conventions / sizeof conventions[0],
      .interrupt = &h->interrupt,
      .poll = host_poll,
  };
  // ---- [end]
  vr_options* options = NULL;
  vr_status s = vr_options_create(&options, failure_of(h));
  if (s == VR_OK) s = vr_options_set_target(options, target, failure_of(h));
  if (s == VR_OK) s = vr_options_set_tiered(options, tiered, failure_of(h));
  if (s == VR_OK) s = vr_engine_create(options, &host, &h->engine, failure_of(h));
  vr_options_free(options);
  return s == VR_OK ? 1 : raise_failure(L, h);
}
static Host* check_engine(lua_State* L) { return *(Host**)luaL_checkudata(L, 1, "vr.engine"); }
static int engine_collect(lua_State* L) {
  Host* h = check_engine(L);
  vr_engine_free(h->engine);
  host_release(h);
  return 0;
}
/* For the program that embeds Lua: the address of the flag, to be set by another thread or a signal handler. */
static int engine_interrupt_flag(lua_State* L) { return lua_pushlightuserdata(L, &check_engine(L)->interrupt), 1; }

typedef struct Loaded {
  Host* host;
  vr_tree* tree; /* while a module is loaded */
  vr_module* module;
} Loaded;
typedef struct Function {
  Host* host;
  vr_function* function;
} Function;

static int engine_load(lua_State* L) {
  Host* h = check_engine(L);
  size_t length;
  const char *text = luaL_checklstring(L, 2, &length), *file = luaL_optstring(L, 3, "<text>");
  lua_settop(L, 4);
  if (!lua_isnil(L, 4)) luaL_checktype(L, 4, LUA_TTABLE);
  Loaded* m = lua_newuserdatauv(L, sizeof *m, 0);
  *m = (Loaded){h, NULL, NULL};
  ++h->references;
  luaL_setmetatable(L, "vr.module");
  if (vr_tree_parse(h->engine, text, length, file, &m->tree, failure_of(h)) != VR_OK) return raise_failure(L, h);
  for (size_t k = 0; k < vr_tree_function_count(m->tree) && !lua_isnil(L, 4); ++k) {
    const char* name = vr_tree_function_name(m->tree, k);
    if (!vr_tree_function_is_external(m->tree, k)) continue;
    if (lua_getfield(L, 4, name) != LUA_TFUNCTION) return luaL_error(L, "'%s' is not in the table of functions", name);
    if (bind(L, h, name, vr_tree_function_type(m->tree, k)) != VR_OK) return raise_failure(L, h);
  }
  if (vr_module_load_tree(h->engine, m->tree, &m->module, failure_of(h)) != VR_OK) return raise_failure(L, h);
  vr_tree_free(m->tree);
  m->tree = NULL;
  return 1;
}
static int module_collect(lua_State* L) {
  Loaded* m = luaL_checkudata(L, 1, "vr.module");
  vr_tree_free(m->tree);
  vr_module_free(m->module);
  host_release(m->host);
  return 0;
}

static int module_function(lua_State* L) {
  Loaded* m = luaL_checkudata(L, 1, "vr.module");
  const char* name = luaL_checkstring(L, 2);
  Function* f = lua_newuserdatauv(L, sizeof *f, 0);
  *f = (Function){m->host, NULL};
  ++m->host->references;
  luaL_setmetatable(L, "vr.function");
  if (vr_module_function(m->module, name, &f->function, failure_of(m->host)) != VR_OK) return raise_failure(L, m->host);
  if (vr_function_parameter_count(f->function) > MAX_VALUES || vr_function_result_count(f->function) > MAX_VALUES)
    return luaL_error(L, "'%s' has more than %d parameters or results", name, MAX_VALUES);
  return 1;
}
static int function_collect(lua_State* L) {
  Function* f = luaL_checkudata(L, 1, "vr.function");
  vr_function_free(f->function);
  host_release(f->host);
  return 0;
}

// ---- [call]
static vr_datum argument(lua_State* L, int i) {
  switch (lua_type(L, i)) {
    case LUA_TBOOLEAN:
      return vr_datum_bool(lua_toboolean(L, i));
    case LUA_TNUMBER:
      return lua_isinteger(L, i) ? vr_datum_i64(lua_tointeger(L, i)) : vr_datum_f64(lua_tonumber(L, i));
    case LUA_TTABLE:
      return vr_datum_scalar(VR_FLOAT64 | VR_COMPLEX, to_number(L, i, VR_FLOAT64 | VR_COMPLEX));
    default:
      return vr_datum_object(check_array(L, i));
  }
}

static int call_function(lua_State* L) {
  const Function* f = luaL_checkudata(L, 1, "vr.function");
  const vr_type* type = vr_function_type(f->function);
  const int count = lua_gettop(L) - 1, results = (int)vr_function_result_count(f->function);
  vr_datum in[MAX_VALUES], out[MAX_VALUES];
  Array** boxes[MAX_VALUES] = {NULL};
  luaL_argcheck(L, count <= MAX_VALUES, MAX_VALUES + 2, "too many arguments");
  luaL_checkstack(L, 2 * MAX_VALUES + 4, NULL);
  for (int k = 0; k < count; ++k) in[k] = argument(L, k + 2);
  for (int k = 0; k < results; ++k) /* before the call, so that a Lua error cannot lose a result */
    if (vr_type_kind(vr_type_result(type, (size_t)k)) == VR_TYPE_ARRAY) boxes[k] = push_box(L);
  int box = count + 2; /* where the first of them is on the stack */

  Host* h = f->host;
  const Host caller = *h; /* this may be a call within a call */
  h->L = L, h->thread = pthread_self(), h->has_error = 0;
  vr_failure* failure; /* not that of the host, which calls within this call use */
  const vr_status s = vr_function_call(f->function, (size_t)count, in, (size_t)results, out, &failure);
  const int has_error = h->has_error;
  h->L = caller.L, h->thread = caller.thread, h->has_error = caller.has_error;

  *failure_of(h) = failure;
  if (s != VR_OK && has_error) return lua_rawgeti(L, LUA_REGISTRYINDEX, h->error), lua_error(L);
  if (s != VR_OK) return raise_failure(L, h);
  for (int k = 0; k < results; ++k)
    if (boxes[k]) *boxes[k] = out[k].as.object;
  for (int k = 0; k < results; ++k) {
    if (boxes[k])
      lua_pushvalue(L, box++);
    else
      push_number(L, out[k].elem, &out[k].as.scalar);
  }
  return results;
}
// ---- [end]

int luaopen_vr(lua_State* L);
__attribute__((visibility("default"))) int luaopen_vr(lua_State* L) {
  static const luaL_Reg failure[] = {
      {"__gc", failure_collect}, {"__tostring", failure_text}, {"__index", failure_field}, {NULL, NULL}};
  static const luaL_Reg engine[] = {{"__gc", engine_collect}, {NULL, NULL}};
  static const luaL_Reg engine_methods[] = {
      {"load", engine_load}, {"interrupt_flag", engine_interrupt_flag}, {NULL, NULL}};
  static const luaL_Reg module[] = {{"__gc", module_collect}, {"__index", module_function}, {NULL, NULL}};
  static const luaL_Reg function[] = {{"__gc", function_collect}, {"__call", call_function}, {NULL, NULL}};
  static const luaL_Reg functions[] = {{"engine", engine_new}, {NULL, NULL}};
  add_class(L, "vr.error", failure, NULL);
  add_class(L, "vr.engine", engine, engine_methods);
  add_class(L, "vr.module", module, NULL);
  add_class(L, "vr.function", function, NULL);
  luaL_newlib(L, functions);
  open_arrays(L);
  return 1;
}
