% RUN: run --nargout 3 --args 4
function [n, v, t] = f(m)
  c = {};
  for k = 1:m
    c{end+1} = (1:k) * 10;
  end
  c{2} = 7;
  n = cellfun(@numel, c);
  v = [c{:}];
  t = c{m};
end
% EXPECT
% double 1x4 [1 1 3 4]
% double 1x9 [10 7 10 20 30 10 20 30 40]
% double 1x4 [10 20 30 40]
