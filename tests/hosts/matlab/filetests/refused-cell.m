% RUN: emit --args double
function r = f(x)
  c = cell(x, 2);
  r = numel(c);
end
% EXPECT
% refused-cell.m:3:7: error: a cell array of a size that is not known when the function is compiled [unsupported]
% exit 1
