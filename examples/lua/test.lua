-- Tests of the Lua host; `...`: the target. Returns the number of checks that failed.
local target = ...
local vr = require "vr"
local checks, failed = 0, 0
local function check(what, ok, got)
  checks = checks + 1
  if not ok then failed = failed + 1; print("FAILED: " .. what, got ~= nil and tostring(got) or "") end
end
local function equal(what, a, b) check(what, a == b and math.type(a) == math.type(b), tostring(a) .. " instead of " .. tostring(b)) end
local function raises(what, field, value, f, ...)
  local ok, e = pcall(f, ...)
  if ok then return check(what .. ": no error", false) end
  if field == nil then return check(what, tostring(e):find(value, 1, true), e) end
  check(what, type(e) == "userdata" and e[field] == value, tostring(e) .. " | " .. (type(e) == "userdata" and tostring(e[field]) or type(e)))
  return e
end
local function values(a)
  local t = {}
  for i = 1, #a do t[i] = tostring(a:get(i)) end
  return table.concat(t, " ")
end
local E = vr.engine{target = target}

-- arrays
local a = vr.array("float64", {1, 2, 3})
equal("length", #a, 3)
equal("get", a:get(2), 2.0)
raises("get out of bounds", nil, "out of bounds", a.get, a, 4)
raises("get 0", nil, "out of bounds", a.get, a, 0)
raises("two subscripts", nil, "1 subscripts", a.get, a, 1, 1)
raises("float subscript", nil, "integer", a.get, a, 1.5)
raises("ragged", nil, "regular", vr.array, "int32", {{1, 2}, {3}})
raises("element type", nil, "unknown element type", vr.zeros, "float16", 3)
raises("int8 range", nil, "int8", vr.array, "int8", {128})
raises("uint8 range", nil, "uint8", vr.array, "uint8", {-1})
raises("bool", nil, "boolean", vr.array, "bool", {1})
raises("negative extent", nil, "negative", vr.zeros, "int8", -1)
raises("too large", nil, "no memory", vr.zeros, "float64", 1 << 40, 1 << 40)
local m2 = vr.array("int32", {{1, 2, 3}, {4, 5, 6}})
equal("transpose", m2:transpose():get(3, 1), 3)
equal("slice", values(a:slice(1, 3, 1, -2)), "3.0 1.0")
equal("empty slice", #a:slice(1, 3, 2), 0)

-- calls: every element type, numbers and arrays
local types = {"int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64"}
local text = {}
for _, t in ipairs(types) do
  text[#text + 1] = ("def double_%s(x: strided %s[:]) -> %s[:]:\n    return x + x\n"):format(t, t, t)
  text[#text + 1] = ("def one_%s(x: %s) -> %s:\n    return x\n"):format(t, t, t)
end
local m = E:load(table.concat(text, "\n"), "types.vrir")
for _, t in ipairs(types) do
  local x = vr.array(t, {1, 2, 3, 4, 5})
  local y = m["double_" .. t](x:slice(1, 5, 1, -2))
  equal("double " .. t, values(y), t:find("float") and "10.0 6.0 2.0" or "10 6 2")
  equal("elem " .. t, y:elem(), t)
  equal("one " .. t, m["one_" .. t](100), t:find("float") and 100.0 or 100)
  raises("number for array " .. t, "code", "TYPE", m["double_" .. t], 3)
  if t ~= "int8" then raises("other element type " .. t, "code", "TYPE", m["double_" .. t], vr.zeros("int8", 3)) end
end
raises("300 as uint8", "code", "TYPE", m.one_uint8, 300)
raises("-1 as uint64", "code", "TYPE", m.one_uint64, -1)
raises("1.5 as int64", "code", "TYPE", m.one_int64, 1.5)
equal("2.0 as int64", m.one_int64(2.0), 2)
equal("true as int64", pcall(m.one_int64, true) and m.one_int64(true) or 1, 1)
equal("int64 max", m.one_int64(math.maxinteger), math.maxinteger)
raises("uint64 above int64", "code", "TYPE", m.one_uint64, -9)
equal("a float parameter rounds", m.one_float64((1 << 53) + 1), 2.0^53)
raises("no argument", "code", "TYPE", m.one_int64)
raises("two arguments", "code", "TYPE", m.one_int64, 1, 2)
raises("string argument", nil, "expected", m.one_int64, "1")
raises("nil argument", nil, "expected", m.one_int64, nil)
raises("array for number", "code", "TYPE", m.one_int64, a)
raises("no such function", "code", "NOT_FOUND", function() return m.nothing end)

local m = E:load([[
def rank2(x: strided int32[:,:]) -> int64:
    return sum(x)
def contiguous(x: float64[:]) -> float64:
    return sum(x)
def flags(x: strided bool[:]) -> int64:
    n = 0
    for i in range(1, x.shape[1]):
        if x[i]:
            n = n + 1
    return n
def conj(z: complex float64) -> complex float64:
    return complex(z.real, -z.imag)
def element(x: strided float64[:], i: int64) -> float64:
    return x[i]
def store(x: strided float64[:], i: int64, v: float64):
    x[i] = v
def store2(x: strided float64[:], y: strided float64[:], v: float64):
    x[1] = v
    y[1] = v + 1.0
def same(x: strided float64[:]) -> strided float64[:]:
    return x
def tail(x: strided float64[:]) -> strided float64[:]:
    return x[2:]
def two(x: strided float64[:]) -> (strided float64[:], strided float64[:], int64):
    return x[1:2], x[2:], x.shape[1]
def fresh(n: int64) -> float64[:]:
    return zeros(n)
def add(x: strided float64[:], y: strided float64[:]) -> float64[:]:
    return x + y
def divide(a: int64, b: int64) -> int64:
    return a / b
def fail(k: int64):
    if k > 0:
        raise 42, "no {} allowed", k
def forever():
    k = 0
    while k >= 0:
        k = k * 1
def recurse(n: int64) -> int64:
    return 1 + recurse(n + 1)
def half(x: float16) -> float16:
    return x
def halves(n: int64) -> float16[:]:
    return zeros(float16, n)
def nine() -> float64[:,:,:,:,:,:,:,:,:]:
    return zeros(1, 1, 1, 1, 1, 1, 1, 1, 1)
def cube(x: strided float64[:,:,:]) -> float64:
    return x[1, 2, 3]
]], "more.vrir")
equal("rank 2", m.rank2(m2), 21)
equal("rank 2 transposed", m.rank2(m2:transpose()), 21)
raises("wrong rank", "code", "TYPE", m.rank2, vr.zeros("int32", 3))
raises("strided for contiguous", "code", "TYPE", m.contiguous, a:slice(1, 3, 1, -1))
equal("contiguous", m.contiguous(a), 6.0)
equal("flags", m.flags(vr.array("bool", {true, false, true})), 2)
equal("complex", m.conj({re = 1, im = 2}).im, -2.0)
raises("half a complex", nil, "re and im", m.conj, {re = 1})
equal("cube", m.cube(vr.array("float64", {{{1, 2, 3}, {4, 5, 6}}})), 6.0)
equal("element", m.element(a, 3), 3.0)
equal("element of a view", m.element(a:slice(1, 3, 1, -1), 3), 1.0)
local e = raises("out of bounds", "code", "OUT_OF_BOUNDS", m.element, a, 4)
equal("index", e.index, 4); equal("extent", e.extent, 3); equal("axis", e.axis, 1); equal("array", e.array, "x")
equal("fn", e.fn, "element"); equal("location", e.location:match("^more.vrir:%d+"), "more.vrir:14")
raises("index 0", "code", "OUT_OF_BOUNDS", m.element, a, 0)
raises("empty array", "code", "OUT_OF_BOUNDS", m.element, vr.zeros("float64", 0), 1)
m.store(a, 2, 20); equal("store", a:get(2), 20.0)
local frozen = a:freeze()
raises("store to read-only", "code", "READ_ONLY", m.store, frozen, 2, 1)
raises("store through a view of read-only", "code", "READ_ONLY", m.store, frozen:slice(1, 2, 3), 1, 1)
raises("result of read-only is read-only", "code", "READ_ONLY", m.store, m.same(frozen), 1, 1)
raises("view result of read-only", nil, "read-only", function() m.tail(frozen):set(1, 1) end)
raises("set of read-only", nil, "read-only", frozen.set, frozen, 1, 1)
equal("unchanged", a:get(2), 20.0)
local t = m.tail(a); t:set(7, 1); equal("result is a view", a:get(2), 7.0)
local s = m.same(a); s:set(8, 1); equal("result is the argument", a:get(1), 8.0)
local p, q, n = m.two(a)
equal("three results", values(p) .. "|" .. values(q) .. "|" .. n, "8.0 7.0|7.0 3.0|3")
m.store2(a, a, 5); equal("same array twice", a:get(1), 6.0)
equal("fresh", #m.fresh(5), 5)
equal("empty result", #m.fresh(0), 0)
raises("negative size", "code", "SIZE", m.fresh, -1)
raises("huge size", "code", "OUT_OF_MEMORY", m.fresh, 1 << 50)
raises("shapes", "code", "SHAPE_MISMATCH", m.add, a, vr.zeros("float64", 4))
raises("division", "code", "DIV_BY_ZERO", m.divide, 1, 0)
local e = raises("raise", "code", "RAISED", m.fail, 7)
equal("raised", e.raised, 42); equal("text", e.message, "no 7 allowed")
m.fail(0); check("goes on", true)
raises("recursion", "code", "STACK", m.recurse, 1)
raises("float16 number", nil, "element type", m.half, 1.0)
raises("float16 array", "code", "OUT_OF_MEMORY", m.halves, 3)
raises("rank 9", "code", "OUT_OF_MEMORY", m.nine)

-- invalid programs
raises("syntax", "code", "SYNTAX", E.load, E, "def f(:", "bad.vrir")
raises("syntax of the full form", "code", "SYNTAX", E.load, E, "(module", "bad.vrir")
raises("verify", "code", "VERIFY", E.load, E, "def f(x: float64[:]) -> int64:\n    return x[1, 2]\n")
raises("empty text", "code", "SYNTAX", E.load, E, "")
raises("NUL in the text", "code", "SYNTAX", E.load, E, "def f() -> int64:\n    return \0 1\n")
raises("unknown extern", "code", "NOT_FOUND", E.load, E, "extern nobody() -> int64\ndef f() -> int64:\n    return nobody()\n")

-- Lua functions that programs call
local kept
local functions = {
  rate = function(y)
    if y == 3 then error("no rate for year 3", 0) end
    if y == 4 then error({host = 17}) end
    if y == 5 then return "many" end
    if y == 6 then return nil end
    if y == 7 then coroutine.yield(1) end
    if y == 8 then return 8, "ignored" end
    return y * 0.5
  end,
  sum_of = function(x)
    kept = x
    local s = 0
    for i = 1, #x do s = s + x:get(i) end
    return s
  end,
  reversed = function(x) return x:slice(1, #x, 1, -1) end,
  wrong = function() return vr.zeros("int8", 2) end,
  flag = function(x) return x > 0, 3 end,
  nothing = function() end,
}
local programs = [[
extern rate(int64) -> float64
extern sum_of(strided float64[:]) -> float64
extern reversed(float64[:]) -> float64[:]
extern wrong() -> float64[:]
extern flag(float64) -> (bool, int64)
extern nothing(int64)
def year(y: int64) -> float64:
    return rate(y)
def years(n: int64) -> float64:
    s = 0.0
    for y in range(1, n):
        s = s + rate(y)
    return s
def summed(x: strided float64[:]) -> float64:
    return sum_of(x[2:])
def back(x: float64[:]) -> float64[:]:
    return reversed(x) + 1.0
def bad() -> float64[:]:
    return wrong()
def flags(x: float64) -> int64:
    b, n = flag(x)
    nothing(n)
    if b:
        return n
    return 0
]]
local h = E:load(programs, "host.vrir", functions)
equal("extern", h.year(2), 1.0)
equal("externs", h.years(2), 1.5)
raises("extern string error", nil, "no rate for year 3", h.years, 3)
local ok, e = pcall(h.year, 4); check("extern error object", type(e) == "table" and e.host == 17, e)
raises("extern result of another type", nil, "number expected", h.year, 5)
raises("extern without result", nil, "number expected", h.year, 6)
raises("extern yields", nil, "yield", h.year, 7)
equal("too many results", h.year(8), 8.0)
local co = coroutine.wrap(function() coroutine.yield(h.year(2)); return h.year(1) end)
equal("in a coroutine", co(), 1.0); equal("in a coroutine again", co(), 0.5)
raises("yield in a coroutine", nil, "yield", coroutine.wrap(function() return h.year(7) end))
equal("array argument", h.summed(a), 10.0)
collectgarbage(); equal("array kept by Lua", #kept, 2)
raises("array kept by Lua is read-only", nil, "read-only", kept.set, kept, 1, 1)
equal("array result", values(h.back(vr.array("float64", {1, 2, 3}))), "4.0 3.0 2.0")
raises("array result of another type", nil, "element type", h.bad)
equal("two results", h.flags(1), 3)
equal("nothing", h.flags(-1), 0)
local h2 = E:load("extern rate(int64) -> float64\ndef year(y: int64) -> float64:\n    return rate(y)\n", nil,
  {rate = function(y) return h.years(y) + 100 end})
equal("nested call", h2.year(2), 101.5)
equal("the old binding stays", h.year(2), 1.0)
raises("error through two calls", nil, "no rate for year 3", h2.year, 3)
local caught = E:load("extern rate(int64) -> float64\ndef year(y: int64) -> float64:\n    return rate(y)\n", nil,
  {rate = function(y) return pcall(h.years, y) and 1 or 2 end})
equal("error of an inner call that is caught", caught.year(3), 2.0)
raises("extern is missing in the table", nil, "'rate' is not in the table", E.load, E, programs, "host.vrir", {})
raises("extern is no function", nil, "'rate' is not in the table", E.load, E, programs, "host.vrir", {rate = 3})
raises("table is a function", nil, "table expected", E.load, E, programs, "host.vrir", print)
raises("17 parameters", nil, "", E.load, E, "extern f(" .. ("int64, "):rep(16) .. "int64)\n", nil, {f = print})
raises("extern with a function", nil, "", E.load, E, "extern f(fn(int64) -> int64)\n", nil, {f = print})
raises("extern in pfor", "code", "VERIFY", E.load, E,
  "extern par(int64) -> float64\ndef f(y: float64[:]):\n    pfor i in range(1, y.shape[1]):\n        y[i] = par(i)\n",
  nil, {par = print})
local par = E:load([[
extern par(int64) -> float64 parallel
def f(n: int64) -> float64[:]:
    y = zeros(n)
    pfor i in range(1, n):
        y[i] = par(i)
    return y
]], nil, {par = function(i) return i * 1.0 end})
local ok, r = pcall(par.f, 100000)
check("parallel extern works or is refused", ok and r:get(1000) == 1000.0 or tostring(r):find("several threads", 1, true), r)
local again
again = E:load("extern again(int64) -> int64\ndef f(n: int64) -> int64:\n    return again(n)\n", nil,
  {again = function(n) return again.f(n + 1) end})
raises("recursion through Lua", nil, "", function() return again.f(1) end)
equal("after deep recursion", m.divide(6, 3), 2)

-- life times
do
  local e = vr.engine{target = target, tiered = true}
  local f = e:load("def f(x: float64[:]) -> float64[:]:\n    return x * 2.0\n").f
  e = nil; collectgarbage(); collectgarbage()
  equal("function outlives engine and module", f(vr.array("float64", {1})):get(1), 2.0)
end
for k = 1, 30 do
  local e = vr.engine{target = target, tiered = true}
  local m = e:load(("def f%d(x: float64[:,:]) -> float64[:,:]:\n    y = x\n    for i in range(1, 10):\n        y = mmult(y, x) + y\n    return y\n"):format(k))
  if k % 3 == 0 then m["f" .. k](vr.zeros("float64", 3, 3)) end
  m = nil; if k % 2 == 0 then e = nil end
  collectgarbage()
end
check("collected during tiered compilation", true)
for k = 1, 1000 do m.fresh(100000) end
check("dropped results", true)
collectgarbage()
held = {E, m, h, h2, a, frozen, E:load("def g(x: int64) -> int64:\n    return x\n").g} -- until the state is closed
print(("%s: %d checks, %d failed"):format(tostring(target), checks, failed))
return failed
