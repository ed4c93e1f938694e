% RUN: run --args "int64(9007199254740992)"
% 2^53 + 1 is no double.
function r = f(x)
  y = x + 1;
  r = y - x;
end
% EXPECT
% int64 1x1 [1]
