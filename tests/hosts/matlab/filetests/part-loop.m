% RUN: run --part 5 --args 3 "[1 2 3]"
function r = f(x)
  c = {x};
  n = numel(x);
  for k = 1:n
    if x(k) > 1
      big = x(k);
      last = k;
    end
  end
  r = {big, last};
end
% EXPECT
% big: double 1x1 [3]
% k: double 1x1 [3]
% last: double 1x1 [3]
