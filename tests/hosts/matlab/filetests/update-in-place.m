% RUN: run --args "[1 2 3]" "[1; 2]"
% Octave computes a += b in place, which cannot make `a` larger: an error there.
function a = f(a, b)
  a += b;
end
% EXPECT
% bailed out: update-in-place.m:4:3: an operation in place that changes the shape
% exit 1
