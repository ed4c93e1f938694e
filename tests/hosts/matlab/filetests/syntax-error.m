% RUN: emit --args double
function r = f(x)
  r = (x + 1;
end
% EXPECT
% syntax-error.m:3:7: error: '(' is never closed [syntax]
% exit 2
