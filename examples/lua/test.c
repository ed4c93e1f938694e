/* Tests the Lua host.
 *   vr_lua_test FILE.lua TARGET   runs the file in one state, then in two threads with a state each; interrupts a call
 * from another thread; closes states early; lets Lua's allocator fail at each of its allocations vr_lua_test FILE.lua
 * only runs the file */
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int luaopen_vr(lua_State* L);
static const char* target;
static int failures;

static void open_all(lua_State* L) {
  luaL_openlibs(L);
  luaL_requiref(L, "vr", luaopen_vr, 0);
  lua_settop(L, 0);
  if (target) lua_pushstring(L, target), lua_setglobal(L, "target");
}
static lua_State* fresh(void) {
  lua_State* L = luaL_newstate();
  open_all(L);
  return L;
}
static void failed(const char* what, lua_State* L) {
  printf("FAILED: %s: %s\n", what, luaL_tolstring(L, -1, NULL));
  __atomic_fetch_add(&failures, 1, __ATOMIC_SEQ_CST);
}
static void* run_test(void* path) {
  lua_State* L = fresh();
  if (luaL_loadfile(L, path) != LUA_OK) {
    failed("load", L);
  } else {
    lua_pushstring(L, target); /* pushes nil for NULL */
    if (lua_pcall(L, 1, 1, 0) != LUA_OK || lua_tointeger(L, -1)) failed("test.lua", L);
  }
  lua_close(L);
  return NULL;
}

static const char spin[] =
    "vr = require 'vr'\n"
    "e = vr.engine{target = target}\n"
    "m = e:load [[\n"
    "def forever():\n"
    "    k = 0\n"
    "    while k >= 0:\n"
    "        k = k * 1\n"
    "]]\n"
    "return e:interrupt_flag()\n";
static lua_State* signalled;
static void stop(lua_State* L, lua_Debug* ar) {
  (void)ar;
  lua_sethook(L, NULL, 0, 0);
  luaL_error(L, "interrupted!");
}
static void* interrupter(void* flag) {
  usleep(100000);
  lua_sethook(signalled, stop, LUA_MASKCALL | LUA_MASKRET | LUA_MASKLINE | LUA_MASKCOUNT, 1);
  __atomic_store_n((int32_t*)flag, 1, __ATOMIC_SEQ_CST);
  return NULL;
}
static void interrupted(void) {
  lua_State* L = fresh();
  pthread_t t;
  signalled = L;
  if (luaL_dostring(L, spin)) failed("spin", L);
  pthread_create(&t, NULL, interrupter, lua_touserdata(L, -1));
  if (luaL_dostring(L, "m.forever()") == LUA_OK || strcmp(luaL_tolstring(L, -1, NULL), "interrupted!"))
    failed("interrupt", L);
  pthread_join(t, NULL);
  lua_close(L);
}

static const char tiers[] =
    "vr = require 'vr'\n"
    "local e = vr.engine{tiered = true}\n"
    "f = e:load([[\n"
    "extern g(int64) -> float64\n"
    "def f(x: float64[:,:]) -> float64[:,:]:\n"
    "    y = x\n"
    "    for i in range(1, 10):\n"
    "        y = mmult(y, x) + g(i) + y * x - mmult(x, x)\n"
    "    return y\n"
    "]], 'tiers.vrir', {g = function(i) return 1.0 end}).f\n"
    "r = f(vr.zeros('float64', 4, 4))\n";
static void close_while_compiling(void) {
  for (int k = 0; k < 20; ++k) {
    lua_State* L = fresh();
    if (luaL_dostring(L, tiers)) failed("tiers", L);
    if (k % 2) usleep(k * 300);
    lua_close(L);
  }
}

/* Lua's allocator fails after n allocations: nothing may leak or crash. */
static long budget = -1;
static void* limited(void* ud, void* p, size_t old, size_t n) {
  (void)ud, (void)old;
  if (!n) return free(p), NULL;
  if ((!p || n > old) && budget >= 0) {
    if (budget == 0) return NULL;
    --budget;
  }
  return realloc(p, n);
}
static int scenario(lua_State* L) {
  if (luaL_dostring(L,
                    "local r = {pcall(m.element, a, 1), pcall(m.element, a, 9), pcall(m.two, a), pcall(m.call, 1), "
                    "pcall(m.call, 2), pcall(m.call, 3)}"))
    lua_error(L);
  return 0;
}
static const char memory[] =
    "vr = require 'vr'\n"
    "e = vr.engine{target = target}\n"
    "function g(i) if i == 2 then error({}) elseif i == 3 then return 5 end return vr.zeros('float64', 3) end\n"
    "m = e:load([[\n"
    "extern g(int64) -> float64[:]\n"
    "def element(x: strided float64[:], i: int64) -> float64:\n"
    "    return x[i]\n"
    "def two(x: strided float64[:]) -> (strided float64[:], float64[:]):\n"
    "    return x, x + 1.0\n"
    "def call(i: int64) -> float64[:]:\n"
    "    return g(i) + 1.0\n"
    "]], 'memory.vrir', {g = g})\n"
    "a = vr.zeros('float64', 3)\n";
static void no_memory(void) {
  for (long n = 0; n < 300; ++n) {
    budget = -1;
    lua_State* L = lua_newstate(limited, NULL);
    open_all(L);
    if (luaL_dostring(L, memory)) failed("memory", L);
    lua_gc(L, LUA_GCCOLLECT);
    lua_pushcfunction(L, scenario);
    budget = n;
    lua_pcall(L, 0, 0, 0);
    budget = -1;
    lua_settop(L, 0);
    if (luaL_dostring(L, "assert(m.element(a, 1) == 0); assert(#m.call(1) == 3)")) failed("after no memory", L);
    lua_close(L);
  }
}
int main(int argc, char** argv) {
  pthread_t a, b;
  if (argc < 2 || argc > 3) return fprintf(stderr, "usage: vr_lua_test FILE.lua [TARGET]\n"), 2;
  target = argc > 2 ? argv[2] : NULL;
  run_test(argv[1]);
  if (!target) return failures != 0;
  pthread_create(&a, NULL, run_test, argv[1]);
  pthread_create(&b, NULL, run_test, argv[1]);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  interrupted();
  close_while_compiling();
  no_memory();
  printf("%d failures\n", failures);
  return failures != 0;
}
