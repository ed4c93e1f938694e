% RUN: emit --args double
function r = f(x)
  r = x;
  fprintf(2, '%g\n', x);
end
% EXPECT
% refused-printing.m:4:3: error: 'fprintf' to another stream than stdout [unsupported]
% exit 1
