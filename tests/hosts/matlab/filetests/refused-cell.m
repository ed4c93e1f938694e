% RUN: emit --args double
function r = f(x)
  c = {x, 2};
  r = numel(c);
end
% EXPECT
% refused-cell.m:3:7: error: a cell array [unsupported]
% exit 1
