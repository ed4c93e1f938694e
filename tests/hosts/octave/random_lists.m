% Random functions with cell arrays of unknown length: octave-cli --norc random_lists.m PACKAGE SEED COUNT. Compiled code, on the
% interpreter of VRIR, has to give the results of Octave's interpreter. The last line has the counts; fails when one is wrong.
1;
addpath (fileparts (mfilename ('fullpath')));
function s = val(kind)
  switch kind
    case 1, l = {'k', 'k*2', 'n-k', 'k/2'};
    case 2, l = {'1:k', 'ones(1,k)*k', '[k n]', 'k', 'zeros(1,0)', '[]', '(1:k)''', 'ones(2,k)', 'x', 'x(1:min(end,k))'};
    case 3, l = {'''ab''', 'repmat(''x'',1,k)', '''''', 't', 't(1:min(end,k))', '[t ''y'']'};
    case 4, l = {'k > 2', 'x > k', 'true'};
    otherwise, l = {'int8(k)', 'int8(x)', 'int8(1:k)'};
  end
  s = l{ceil(rand*numel(l))};
end
function s = st(kind, depth)
  r = ceil(rand*11);
  i = {'end','end+1','k','1','n','end+1','numel(c)', 'max(1,k-1)', 'k+1'}{ceil(rand*9)};
  switch r
    case {1,2,3}, s = sprintf('c{end+1} = %s;', val(kind));
    case 4, s = sprintf('c{%s} = %s;', i, val(kind));
    case 5, s = sprintf('z = z + numel(c{%s});', i);
    case 6, s = sprintf('if mod(k,2), %s end', st(kind, depth+1));
    case 7, s = sprintf('d = c; d{end+1} = %s; z = z + numel(d);', val(kind));
    case 8, s = sprintf('if numel(c) > 0, y = c{end}; z = z + sum(double(y(:))) + isempty(y); end');
    case 10, s = sprintf('c(end+1) = {%s};', val(kind));
    case 11, s = sprintf('if numel(c) > 0, c{end}(%s) = 1; z = z + numel(c{end}); end', {'1','end+1','k'}{ceil(rand*3)});
    case 9, if depth < 2, s = sprintf('for j = 1:2, %s end', st(kind, depth+1)); else s='z++;'; end
  end
end
function [t, args] = program ()
  kind = ceil(rand*5);
  init = {'c = {};','c = {};','c = cell(1,n);','c = cell(n,1);', sprintf('k=1; c = {%s};',val(kind)), sprintf('k=1; c = {%s,%s};',val(kind),val(kind))}{ceil(rand*6)};
  b = ''; for i=1:ceil(rand*3), b = [b st(kind,0) "\n"]; end
  e = ''; for i=1:floor(rand*3), e = [e st(kind,0) "\n"]; end
  t = sprintf("function [c, z] = f(n, x, t)\nz = 0; k = 1;\n%s\nfor k = 1:n\n%send\nk = n;\n%s\nend\n", init, b, e);
  args = {ceil(rand*4), round(rand(1,ceil(rand*3))*9), 'hello'(1:ceil(rand*5))};
end
random_programs (2, @program);
