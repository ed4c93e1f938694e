% RUN: emit --args double
function r = f(x)
  if x
    r = 1;
% EXPECT
% syntax-unclosed-block.m:3:3: error: 'if' is never closed [syntax]
% exit 2
