% RUN: run --part 4 --args 4 "[1 2 7]"
function r = f(x, limit)
  r = {x};
  for k = 1:numel(x)
    if x(k) > limit
      r = k;
      return;
    end
  end
end
% EXPECT
% returns
% k: double 1x1 [3]
% r: double 1x1 [3]
