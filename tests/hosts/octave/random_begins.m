% Random functions with arrays that begin at a store in a loop: octave-cli --norc random_begins.m PACKAGE SEED COUNT. Compiled code,
% on the interpreter of VRIR, has to give the results of Octave's interpreter. The last line has the counts; fails when one is wrong.
1;
addpath (fileparts (mfilename ('fullpath')));
function s = any_of (l)
  s = l{ceil (rand * numel (l))};
end
function s = val (kind)
  switch kind
    case 1, s = any_of ({'k', 'k*2', 'n-k', 'x(1)', 'j+k', '0'});
    case 2, s = any_of ({'k > 2', 'x(1) > k', 'true', 'false'});
    case 3, s = any_of ({'int8(k)', 'int8(100+k)', 'int8(k)*2'});
    case 4, s = any_of ({'''a''', 'char(97+k)', 't(1)'});
    case 5, s = any_of ({'single(k)', 'single(k)/2', 'k'});
    otherwise, s = any_of ({'k+1i*n', 'k', 'complex(k,1)'});
  end
end
function s = store (kind)
  v = any_of ({'y', 'y', 'w'});
  r = ceil (rand * 9);
  switch r
    case {1, 2, 3}, s = sprintf ('%s(%s) = %s;', v, any_of ({'k', 'k', 'k+1', 'j', 'end+1', '1', 'n'}), val (kind));
    case {4, 5}, s = sprintf ('%s(%s,%s) = %s;', v, any_of ({'k', 'j', '1'}), any_of ({'j', 'k', '1', 'end+1'}), val (kind));
    case 6, s = sprintf ('%s(%s,:) = [%s, %s];', v, any_of ({'k', '1', 'k+1'}), val (kind), val (kind));
    case 7, s = sprintf ('%s(:,%s) = [%s; %s];', v, any_of ({'k', '1'}), val (kind), val (kind));
    case 8, s = sprintf ('c{%s} = %s;', any_of ({'k', 'end+1', 'k+1', 'j'}), any_of ({val(kind), '1:k', 't', 'x'}));
    otherwise, s = sprintf ('%s(k) += %s;', v, val (kind));
  end
end
function s = st (kind, depth)
  switch ceil (rand * 9)
    case {1, 2, 3}, s = store (kind);
    case 4, s = sprintf ('if %s, %s end', any_of ({'mod(k,2)', 'k > 1', 'x(1) > k'}), st (kind, depth + 1));
    case 5, s = sprintf ('if %s, %s end', any_of ({'k > 1', 'k == n'}), any_of ({'z = z + numel(y);', 'z = z + double(y(k-1));', 'z = z + numel(w);', 'break;', 'continue;', 'y = [];', 'z = z + numel(c);'}));
    case 6, if (depth < 2), s = sprintf ('for j = 1:%s, %s end', any_of ({'2', 'k', 'k-1'}), st (kind, depth + 1)); else, s = store (kind); end
    case 7, s = sprintf ('q = 0; while q < k, q++; %s end', store (kind));
    case 8, s = 'z = z + k;';
    otherwise, s = sprintf ('if k > 1, %s else, %s end', store (kind), store (kind));
  end
end
function [text, args] = program ()
  kind = ceil (rand * 6);
  b = ''; for i = 1:ceil (rand * 3), b = [b st(kind, 0) "\n"]; end
  first = any_of ({'y(k) = %s;', 'y(k) = %s;', 'y(j,k) = %s;', 'if k > 1, y(k) = %s; end', 'y(k,:) = [%s, k];', 'for j = 1:k, y(k,j) = %s; end', ...
                   'c{k} = %s;'});
  if (rand < 0.7), b = [sprintf(first, val (kind)) "\n" b]; end
  e = any_of ({'', '', '', 'z = z + numel(y);', store(kind), ['k = 1; ' store(kind)]});
  out = any_of ({'y', 'y', 'y', any_of({'w', 'c'})});
  if (first(1) == 'c'), out = 'c'; end
  text = sprintf ("function [r, z] = f(n, x, t)\nz = 0; j = 1;\nfor k = 1:n\n%send\n%s\nr = %s;\nend\n", b, e, out);
  args = {floor(rand * 5), round(rand (1, ceil (rand * 3)) * 9), 'hello'(1:ceil (rand * 5))};
end
random_programs (2, @program);
