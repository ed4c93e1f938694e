% RUN: run --args "[1 2 3]"
function y = f(x)
  gpu_begin();
  t = x .* x;
  y = t + 1;
  gpu_end();
end
% EXPECT
% double 1x3 [2 5 10]
