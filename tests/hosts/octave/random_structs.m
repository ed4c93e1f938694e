% Random functions with arrays of structures: octave-cli --norc random_structs.m PACKAGE SEED COUNT. Compiled code, on the
% interpreter of VRIR, has to give the results of Octave's interpreter. The last line has the counts; fails when one is wrong.
1;
addpath (fileparts (mfilename ('fullpath')));
function s = any_of (l)
  s = l{ceil (rand * numel (l))};
end
% A value for the field: a holds numbers, b rows, t text, p structures.
function s = val (field)
  switch field
    case 'a', l = {'k', 'k*2', 'n-k', 'x(1)', 'numel(s)'};
    case 'b', l = {'1:k', '[k n]', 'k', 'x', 'zeros(1,0)', 'ones(1,k)*k', '[]', '(1:k)'''};
    case 't', l = {'''ab''', 't', '[t ''y'']', 'repmat(''x'',1,k)', ''''''};
    otherwise, l = {'struct(''u'',k)', 'struct(''u'',n-k)'};
  end
  s = any_of (l);
end
function s = record ()
  s = sprintf ('struct(''a'',%s,''b'',%s,''t'',%s)', val ('a'), val ('b'), val ('t'));
  if (rand < 0.15)
    s = sprintf ('struct(''b'',%s,''a'',%s,''t'',%s)', val ('b'), val ('a'), val ('t'));
  end
  if (rand < 0.02)
    s = sprintf ('struct(''a'',%s,''b'',%s)', val ('a'), val ('b'));
  end
end
function s = st (depth)
  i = any_of ({'end', 'end+1', 'k', '1', 'n', 'end+1', 'numel(s)', 'max(1,k-1)', 'k+1'});
  f = any_of ({'a', 'b', 't', 'a', 'b', 'p'});
  switch ceil (rand * 22)
    case {1, 2, 3}, s = sprintf ('s(%s) = %s;', any_of ({'end+1', 'end+1', i}), record ());
    case {4, 5, 6}, s = sprintf ('s(%s).%s = %s;', i, f, val (f));
    case 7, s = sprintf ('z = z + numel(s(%s).%s);', i, any_of ({'a', 'b', 't'}));
    case 8, s = sprintf ('if mod(k,2), %s end', st (depth + 1));
    case 9, s = sprintf ('if k > 1, %s else, %s end', st (depth + 1), st (depth + 1));
    case 10, s = 'if numel(s) > 0, y = [s.a]; z = z + sum(y); end';
    case 11, s = sprintf ('d = s; d(end+1) = %s; z = z + numel(d);', record ());
    case 12, s = sprintf ('if numel(s) > 1, s(%s) = []; end', any_of ({'1', 'end', 'k', '[1 2]', '[s.a] > k'}));
    case 13, s = sprintf ('if numel(s) > 1, e = s(%s); z = z + numel(e); end', any_of ({'2:end', '[1 1]', '[s.a] > 1', 'end:-1:1', '1'}));
    case 14, s = 'for e = s, z = z + e.a; end';
    case 15, s = 'if numel(s) > 1, w = s(1); s(1) = s(end); s(end) = w; end';
    case 16, s = sprintf ('if numel(s) > 0, s(end).b(%s) = k; end', any_of ({'1', 'end+1', 'k'}));
    case 17, s = 'z = z + sum(arrayfun(@(e) e.a * 2, s));';
    case 18, s = sprintf ('z = z + isfield(s, ''%s'') + isempty(s) + isstruct(s);', any_of ({'a', 'q', 'p'}));
    case 19, s = sprintf ('s = [s, %s];', record ());
    case 20, s = sprintf ('s(%s).p.%s = k;', i, any_of ({'u', 'v'}));
    case 21, s = 'for j = 1:numel(s), s(j).a = s(j).a + j; end';
    otherwise, if (depth < 2), s = sprintf ('for j = 1:2, %s end', st (depth + 1)); else, s = 'z++;'; end
  end
end
function s = some_structures (m, down)
  s = struct ('a', {}, 'b', {}, 't', {});
  for k = 1:m
    s(k) = struct ('a', k, 'b', {any_of({1:k, k, zeros(1,0), [], [k; 1]})}, 't', any_of ({'ab', 'c', ''}));
  end
  if (rand < 0.3 && m > 0)
    [s.p] = deal (struct ('u', 4));
  end
  if (down == 2), s = s'; end
end
function [text, args] = program ()
  starts = {'', '', 's = [];', 's = struct(''a'', {}, ''b'', {}, ''t'', {});', 'k = 1; s = %s;', 'k = 1; s = repmat(%s, 1, n);', ...
            's = struct(''a'', {1, 2, 3}, ''b'', {[1 2], 3, [4 5 6]}, ''t'', ''q'');'};
  start = strrep (any_of (starts), '%s', record ());
  b = ''; for i = 1:ceil (rand * 3), b = [b st(0) "\n"]; end
  e = ''; for i = 1:floor (rand * 3), e = [e st(0) "\n"]; end
  if (rand < 0.5 || any (strcmp (start, {'', 's = [];'})))  % the usual way to fill one
    b = [any_of({'s(k).a = k; s(k).b = 1:k; s(k).t = t;', 's(end+1).a = k; s(end).b = k; s(end).t = t;'}) "\n" b];
  end
  given = rand < 0.3;
  if (given), start = ''; end
  text = sprintf ("function [s, z] = f(n, x, t, s)\nz = 0; k = 1;\n%s\nfor k = 1:n\n%send\nk = n;\n%s\nend\n", start, b, e);
  args = {ceil(rand * 4), round(rand (1, ceil (rand * 3)) * 9), 'hello'(1:ceil (rand * 5))};
  if (given)
    args{4} = some_structures (floor (rand * 5), any_of ({1, 2}));
  end
end
random_programs (2, @program);
