% RUN: run --part 4 --args 2
function r = f(n)
  s = {};
  for k = 1:n
    for j = k+1:n
      t = j;
    end
  end
  r = {k, s};
end
% EXPECT
% j: empty range of double
% k: double 1x1 [2]
% t: double 1x1 [2]
