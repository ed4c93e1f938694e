% RUN: emit --args double
function r = f(x)
  if x
    r = 1;
% EXPECT
% syntax-unclosed-block.m:5:1: error: found the end of the text where 'endif' should be [syntax]
% exit 2
