% RUN: run --part 4 --args 0
function r = f(n)
  s = {};
  for k = 1:n
    for j = 1:k
      t = j;
    end
  end
  r = {k, s};
end
% EXPECT
% j: untouched
% k: empty range of double
% t: untouched
