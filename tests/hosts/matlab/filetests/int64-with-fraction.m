% RUN: run --args "int64(7)" 0.5
% Octave computes this in more than double.
function r = f(x, y)
  r = x * y;
end
% EXPECT
% bailed out: int64-with-fraction.m:4:3: arithmetic of int64 and a number that it cannot hold
% exit 1
