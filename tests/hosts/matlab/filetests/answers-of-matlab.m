% RUN: run --args "[5 -5 0]" "[Inf Inf -Inf]" "int32([2 0])"
function r = f(k, y, i)
  r = [mod(k, y), rem(k, y), double(i .^ int32([-1 -2]))];
end
% EXPECT
% double 1x8 [5 inf -0 5 -5 0 1 2147483647]
