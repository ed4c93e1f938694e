% RUN: emit --args double
function r = f(n)
  c = {};
  for k = 1:n
    c{end+1} = {k};
  end
  r = numel(c);
end
% EXPECT
% refused-list.m:5:5: error: 'c': it is a cell array of a size that is not known [unsupported]
% refused-list.m:7:13: error: 'c': it is a cell array of a size that is not known [unsupported]
% exit 1
