% RUN: run --args 3
function r = f(n)
  r = 0;
  parfor k = 1:n
    printf("%d\n", g(k));
    r = r + k;
  end
end
function y = g(k)
  y = k ^ 2;
end
% EXPECT
% printf "%d\n", double 1x1 [1]
% printf "%d\n", double 1x1 [4]
% printf "%d\n", double 1x1 [9]
% double 1x1 [6]
