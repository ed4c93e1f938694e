% Integer classes against the interpreter: octave-cli --norc integers.m PACKAGE. Every operator on all pairs of int8 and of
% uint8, and on the edges of the other classes, with integers, doubles, singles and logical values beside them; conversions
% between all classes. Compiled code has to answer each call, but for those listed as bailing out.
arguments = argv ();
addpath (arguments{1});
warning ('off', 'all');
more off
global failures calls
failures = calls = 0;

function check (may_bail, f, varargin)
  global failures calls
  calls += 1;
  c = vr.compare (f, varargin{:});
  if (! (strcmp (c.outcome, 'right') || (may_bail && ! strcmp (c.outcome, 'wrong'))))
    failures += 1;
    printf ("%s of %s: %s: %s\n", func2str (f), strjoin (cellfun (@class, varargin, 'UniformOutput', false), ', '), c.outcome, c.reason);
  end
end

function e = edges (cls)
  low = intmin (cls);
  high = intmax (cls);
  e = [low, low + 1, low + 2, low / 2, cast([-2 -1 0 1 2 3 7 10 100], cls), high / 2, high / 2 + 1, high / 3, high - 2, high - 1, high];
end

operators = {@(x, y) x + y, @(x, y) x - y, @(x, y) x .* y, @(x, y) x ./ y, @(x, y) max (x, y), @(x, y) min (x, y), ...
             @(x, y) x < y, @(x, y) x <= y, @(x, y) x > y, @(x, y) x >= y, @(x, y) x == y, @(x, y) x != y, ...
             @(x, y) bitand (x, y), @(x, y) bitor (x, y), @(x, y) bitxor (x, y), @(x, y) x & y, @(x, y) x | y};
maps = {@(x) -x, @(x) abs (x), @(x) sign (x), @(x) x .^ 2, @(x) x .^ 3, @(x) ! x, @(x) double (x), @(x) single (x), @(x) x', ...
        @(x) sort (x, 'descend'), @(x) sort (x), @(x) sum (x), @(x) max (x), @(x) min (x), @(x) cumsum (x), @(x) diff (x), ...
        @(x) any (x), @(x) x + 1, @(x) 1 - x, @(x) x * 2, @(x) x / 2, @(x) mod (x, 5), @(x) rem (x, 7), @(x) x == 3, @(x) [x, 2.5]};
classes = {'int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64'};

% All pairs of bytes.
for cls = {'int8', 'uint8'}
  all_values = cast(double (intmin (cls{1})):double (intmax (cls{1})), cls{1});
  [a, b] = meshgrid (all_values, all_values);
  for f = [operators, {@(x, y) mod(x, y), @(x, y) rem(x, y)}]
    check (false, f{1}, a(:).', b(:).');
  end
  for f = operators(1:12)
    check (false, f{1}, a(:).', double (b(:).') / 4);
    check (false, f{1}, double (b(:).') * 3, a(:).');
  end
  for f = maps
    check (false, f{1}, all_values);
  end
end

% The edges of the other classes, and numbers beside them.
for cls = classes
  wide = any (strcmp (cls{1}, {'int64', 'uint64'}));
  [a, b] = meshgrid (edges (cls{1}), edges (cls{1}));
  for f = operators
    check (false, f{1}, a(:).', b(:).');
    check (false, f{1}, a(3), b(4));
  end
  others = [-3 -1 0 0.5 1 2 2.5 1e3 1e9 -1e9 1e18 1e20 Inf -Inf NaN];
  [a, b] = meshgrid (edges (cls{1}), others);
  for f = operators(1:12)
    % 64-bit classes beside a fraction bail out; comparisons are exact.
    check (wide, f{1}, a(:).', b(:).');
    check (wide, f{1}, b(:).', a(:).');
    check (wide, f{1}, a(:).', single (b(:).'));
    check (false, f{1}, a(1, :), a(1, :) > 5);
    if (wide)
      check (false, f{1}, a(1, :), 3 + zeros (1, columns (a)));
    end
  end
  for f = maps
    check (false, f{1}, edges (cls{1}));
  end
  for to = [classes, {'double', 'single', 'logical'}]
    check (false, str2func (['@(x) ' to{1} ' (x)']), edges (cls{1}));
    check (false, str2func (['@(x) ' cls{1} ' (x)']), cast ([-1e30 -300 -129 -128.5 -0.5 0 0.49 0.5 1.5 2.5 127.5 255.5 65535.5 2^31 2^53 2^63 2^64 1e30], {to{1}, 'double'}{1 + strcmp (to{1}, 'logical')}));
  end
  % An array keeps its class; a matrix has that of its first integers.
  check (false, @(x) [x(1:3), 2.5, true], edges (cls{1}));
  check (false, @(x, y) [x, y; y, x], edges (cls{1}), edges ('int16'));
  check (false, @(x, n) x(n), edges (cls{1}), int8 ([1 3 2]));
end
printf ("integers: %d calls, %d wrong or not compiled\n", calls, failures);
exit (failures > 0);
