% Loops outlined from functions that as a whole are not compiled: octave-cli --norc outline.m PACKAGE. Each program is run by
% the interpreter alone and with outlined loops; results, errors, output and how many loops ran compiled are compared.
1;

% ---- where it applies

function [s, c] = beside_cells (n)
  persistent stays  % no function with this is compiled
  c = {1, 'two'};
  s = 0;
  for k = 1:n
    s += k ^ 2;
  end
  c{end+1} = s;
end

function s = within_try (x)
  try
    s = 0;
    k = 0;
    while (true)
      k++;
      if (x(k) > 3)
        continue;
      end
      s += x(k);
      if (k == numel (x))
        break;
      end
    end
    error ('mine:id', 'sum %d', s);
  catch e
    s = [s, numel(e.message)];
  end
end

function r = of_structure (p)
  persistent stays  % no function with this is compiled
  x = p.x;
  r.total = 0;
  m = numel (x);
  t = zeros (m, m);
  for i = 1:m
    for j = i+1:m
      t(i,j) = x(i) * x(j);
    end
  end
  r.total = sum (t(:));
  r.last = [i, size(j)];
end

% The variable of a loop that never runs, and what no path has assigned.
function r = never_runs (n)
  persistent stays  % no function with this is compiled
  r = {};
  k = 7;
  found = false;
  for k = 1:n
    found = true;
    last = k;
  end
  r = {k, size(k), found, exist('last', 'var')};
end

function r = returns_from_loop (x, limit)
  persistent stays  % no function with this is compiled
  r = {x};
  s = 0;
  for k = 1:numel (x)
    s += x(k);
    if (s > limit)
      r = k;
      return;
    end
  end
  r = {s, k};
end

function r = returns_within (x, limit)
  persistent stays  % no function with this is compiled
  c = {x};
  r = -1;
  for k = 1:numel (x)
    r = k;
    if (x(k) > limit)
      return;
    end
  end
  r = numel (c);
end

function r = inner_of_writing (n)
  r = 0;
  for i = 1:n
    fprintf (stderr, "");
    for j = 1:i
      r += i * j;
    end
  end
end

function r = grows (n)
  persistent stays  % no function with this is compiled
  s = struct ('n', n);
  r = [];
  do
    r(end+1) = numel (r) ^ 2;
  until (numel (r) >= s.n)
end

function r = grows_too (n)
  persistent stays  % no function with this is compiled
  s = struct ('n', n);
  m = s.n;
  r = [];
  do
    r(end+1) = numel (r) ^ 2;
  until (numel (r) >= m)
end

function r = calls_others (n)
  persistent stays  % no function with this is compiled
  c = {};
  r = 0;
  for k = 1:n
    r += square_of (k);
  end
  c{1} = r;
end
function y = square_of (x)
  y = x * x;
end

function [r, s] = sums_in_parallel (x)
  persistent stays  % no function with this is compiled
  c = cell (1, 2);
  s = 0;
  r = zeros (size (x));
  parfor k = 1:numel (x)
    t = 2 * x(k);
    r(k) = t + 1;
    s += t;
  end
  c{1} = r;
end

function r = of_handle (f, n)
  persistent stays  % no function with this is compiled
  c = {f};
  r = 0;
  for k = 1:n
    r += f (k);
  end
end

function [r, a] = sets_ans (n)
  persistent stays  % no function with this is compiled
  c = {};
  for k = 1:n
    k + 1;
  end
  a = ans;
  r = k;
end

% ---- where it does not

function r = undefined_before (n)
  persistent stays  % no function with this is compiled
  c = {};
  for k = 1:n
    total = total + k;
  end
  r = total;
end

function r = evaluates (n)
  r = 0;
  for k = 1:n
    eval ('r = r + k;');
  end
end

function r = asks_for_its_arguments (n)
  persistent stays  % no function with this is compiled
  c = {};
  r = 0;
  for k = 1:n
    r += nargin;
  end
end

function r = asks_what_exists (n)
  persistent stays  % no function with this is compiled
  c = {};
  r = 0;
  extra = 1;
  for k = 1:n
    r += exist ('extra', 'var');
  end
end

function r = of_globals (n)
  global outline_total
  outline_total = 0;
  for k = 1:n
    outline_total += k;
  end
  r = outline_total;
end

function r = keeps_cells (n)
  persistent stays  % no function with this is compiled
  r = {};
  for k = 1:n
    r{k} = k;
  end
end

function r = prints (n)
  persistent stays  % no function with this is compiled
  c = {};
  r = 0;
  for k = 1:n
    r += k;
    if (k == 2)
      printf ("two\n");
    end
  end
end

function r = fails_in_loop (x, n)
  persistent stays  % no function with this is compiled
  c = {};
  r = 0;
  for k = 1:n
    r += x(k);
  end
end

function r = breaks_outwards (x)
  persistent stays  % no function with this is compiled
  c = {};
  r = 0;
  for i = 1:3
    for j = 1:3
      if (x{i}(j) > 4)
        break;
      end
      r += x{i}(j);
    end
    if (r > 10)
      break;
    end
  end
end

function r = text_in_loop (n)
  persistent stays  % no function with this is compiled
  c = {};
  r = 0;
  for k = 1:n
    r = numel (sprintf ('%g', r));
  end
end

function r = edited_between (n)
  persistent stays  % no function with this is compiled
  c = {};
  r = 0;
  for k = 1:n
    r += helper_of_outline (k);
  end
end

function e = error_of (f, varargin)
  e = [];
  try
    f (varargin{:});
  catch e
  end
end

% The results of a call both ways, and the parts that ran compiled.
function run (parts, f, varargin)
  n = max (1, nargout (f));
  g = vr.jit (f);
  wanted = cell (1, n);
  text = evalc ('[wanted{1:n}] = __vr__ ("interpret", g, n, varargin{:});');
  before = count_parts (func2str (f));
  now = cell (1, n);
  text_now = evalc ('[now{1:n}] = g (varargin{:});');
  ran = count_parts (func2str (f)) - before;
  if (! isequal (wanted, now) || ! isequal (cellfun (@class, wanted, 'UniformOutput', false), cellfun (@class, now, 'UniformOutput', false)))
    disp (wanted), disp (now)
    error ('outline: %s: other results', func2str (f));
  end
  if (! strcmp (text, text_now))
    error ('outline: %s: printed "%s" and not "%s"', func2str (f), text_now, text);
  end
  if (ran != parts)
    vr.report ();
    error ('outline: %s: %d parts ran compiled and not %d', func2str (f), ran, parts);
  end
end

function n = count_parts (name)
  n = 0;
  for u = vr.report ()'
    if (strcmp (u.function, name) && strncmp (u.arguments, 'loop at', 7))
      n += u.answered;
    end
  end
end

function yes = refused_for (name, reason)
  yes = false;
  for u = vr.report ()'
    yes = yes || (strcmp (u.function, name) && ! isempty (strfind (u.reason, reason)));
  end
end

addpath (argv (){1});
more off
vr.settings ('disk_cache', false);

run (1, @beside_cells, 10);
run (1, @beside_cells, 10);
run (1, @within_try, [1 5 2 3]);
run (1, @of_structure, struct ('x', 1:5));
run (1, @of_structure, struct ('x', 3));
run (1, @never_runs, 0);
run (1, @never_runs, 3);
run (1, @returns_within, [1 2 9 4], 5);
run (1, @returns_within, [1 2 9 4], 50);
run (3, @inner_of_writing, 3);
run (1, @grows_too, 6);
run (1, @calls_others, 5);
run (1, @sums_in_parallel, 1:9);
run (1, @of_handle, @(x) x / 2, 5);
run (1, @sets_ans, 4);
run (1, @returns_from_loop, 1:4, 5);
run (1, @returns_from_loop, 1:4, 50);

assert (error_of (@undefined_before, 3).message, error_of (vr.jit (@undefined_before), 3).message);
run (0, @evaluates, 4);
run (0, @asks_for_its_arguments, 3);
assert (refused_for ('asks_for_its_arguments', 'nargin'));
run (0, @asks_what_exists, 3);
run (0, @of_globals, 3);
assert (refused_for ('of_globals', 'a global variable'));
run (0, @keeps_cells, 3);
run (1, @grows, 6);
run (1, @prints, 1);
run (1, @prints, 3);
run (1, @breaks_outwards, {[1 2 3], [4 5 6], [7 8 9]});
run (1, @text_in_loop, 3);

% an error within has Octave's message, identifier and line
plain = error_of (@fails_in_loop, 1:3, 4);
jitted = error_of (vr.jit (@fails_in_loop), 1:3, 4);
assert (jitted.message, plain.message);
assert (jitted.identifier, plain.identifier);
assert ([jitted.stack(1).line, jitted.stack(1).column], [plain.stack(1).line, plain.stack(1).column]);

% what a loop calls may change
eval ("function y = helper_of_outline (x)\n y = x;\nend");
run (1, @edited_between, 3);
eval ("function y = helper_of_outline (x)\n y = 10 * x;\nend");
g = vr.jit (@edited_between);
assert (g (3), 60);

% a call that is not by a compiled handle runs no compiled parts
before = count_parts ('beside_cells');
beside_cells (10);
assert (count_parts ('beside_cells'), before);
vr.settings ('enabled', false);
g = vr.jit (@beside_cells);
g (10);
vr.settings ('enabled', true);
assert (count_parts ('beside_cells'), before);

% breakpoints are seen in outlined loops: there the interpreter runs them
c = vr.compare (@beside_cells, 5);
assert (c.outcome, 'in part');
assert (__vr__ ('live'), 0);
printf ("outline: ok\n");
