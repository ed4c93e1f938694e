% RUN: run --part 4 --args 2
function r = f(x)
  r = {x};
  for k = 1:x
    disp(k);
  end
end
% EXPECT
% disp double 1x1 [1]
% disp double 1x1 [2]
% ans: untouched
% k: double 1x1 [2]
