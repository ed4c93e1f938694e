local vr = require "vr"
local engine = vr.engine {target = "cpu"}

local bank = engine:load ([[
extern rate(int64) -> float64

def invest(money: strided float64[:], n: int64) -> float64[:]:   ; adds n years of interest; returns the gains
    gain = zeros(money.shape[1])
    for year in range(1, n):
        r = rate(year)
        for i in range(1, money.shape[1]):
            gain[i] = gain[i] + money[i] * r
            money[i] = money[i] * (1.0 + r)
    return gain

def pick(x: strided float64[:], k: int64) -> float64:
    return x[k]
]], "bank.vrir", {
  rate = function (year)
    return ({0.1, 0.2, 0.5})[year] or error ({year = year})
  end,
})

local money = vr.array ("float64", {100, 10})
local gains = bank.invest (money, 2)
print (money:get (1), money:get (2), gains:get (1), gains:get (2))

print (bank.pick (money:slice (1, 2, 1, -1), 1))   -- a view with a negative stride

local function fails (f, ...) return select (2, pcall (f, ...)) end
print (fails (bank.pick, money, 3))
print (fails (bank.pick, vr.zeros ("int32", 2), 1))
print (fails (bank.invest, money:freeze (), 1))
print ("year", fails (bank.invest, money, 4).year)   -- the table that `rate` raised
