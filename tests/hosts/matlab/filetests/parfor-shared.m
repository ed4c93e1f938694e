% RUN: run --args "[3 1 2]"
function y = f(x)
  y = zeros(1, 3);
  parfor k = 1:3
    mcvm_shared(x, y);
    t = x(k) * 2;
    y(k) = t + 1;
  end
end
% EXPECT
% double 1x3 [7 3 5]
