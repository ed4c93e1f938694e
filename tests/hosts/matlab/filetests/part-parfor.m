% RUN: run --part 5 --args 0 "[1 2 7]"
function r = f(x)
  r = {x};
  s = 0;
  parfor k = 1:numel(x)
    t = 2 * x(k);
    s += t;
  end
  r{2} = s;
end
% EXPECT
% s: double 1x1 [20]
