% RUN: run --part 4 --args 0 "[1 2 7]"
function r = f(x)
  r = {x};
  for k = 1:nargin
    r = k;
  end
end
% EXPECT
% 'nargin' in a part of a function
% exit 2
