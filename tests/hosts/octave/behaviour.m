% What a user of compiled functions relies on: octave-cli --norc behaviour.m PACKAGE. Fails at the first that does not hold.
1;

function write_file (file, text)
  h = fopen (file, 'w');
  fputs (h, text);
  fclose (h);
  % Octave looks at the time of a file in whole seconds, and once for each prompt.
  rehash ();
end

function n = answered (name)
  n = 0;
  r = vr.report ();
  for k = 1:numel (r)
    if (strcmp (r(k).function, name))
      n += r(k).answered;
    end
  end
end

function r = apply_to (f, x)
  r = f (x);
end

function r = outer (x)
  r = inner (x) + 1;
end

function r = inner (x)
  r = 2 * x;
end

function r = integral_of (f, a, b, n)
  r = 0;
  h = (b - a) / n;
  for k = 1:n
    r = r + f (a + (k - 0.5) * h) * h;
  end
end

function r = fill_up (n)
  r = n;
  while (true)
    r = r + 1;
  end
end

function r = deep (n)
  r = deep (n + 1);
end

function x = changed (x)
  x(1) = 100;
end

function [a, b, c] = three (x)
  a = x;
  b = x + 1;
  if (nargout > 2)
    c = nargin;
  end
end

function r = with_default (x, varargin)
  r = x;
  for k = 1:numel (varargin)
    r = r + varargin{k};
  end
end

function r = mode_of (x, how)
  switch (how)
    case 'double'
      r = 2 * x;
    case {'half', 'halve'}
      r = x / 2;
    otherwise
      error ('mode_of:unknown', 'no way %s', how);
  end
end

function r = effects (x)
  global effects_count
  effects_count += 1;
  r = x(5);
end

addpath (argv (){1});
more off
folder = tempname ();
mkdir (folder);
addpath (folder);
unwind_protect

  % ---- errors are Octave's, with identifier and place
  g = vr.jit (@(x, k) x(k));
  assert (g ([1 2 3], 2), 2);
  try
    g ([1 2 3], 4);
    error ('behaviour:none', 'no error');
  catch e
    assert (e.identifier, 'Octave:index-out-of-bounds');
  end
  h = vr.jit (@(a, b) a + b);
  assert (h ([1 2], [3 4]), [4 6]);
  try
    h ([1 2], [1 2 3]);
    error ('behaviour:none', 'no error');
  catch e
    assert (e.identifier, 'Octave:nonconformant-args');
    assert (e.message, 'operator +: nonconformant arguments (op1 is 1x2, op2 is 1x3)');
  end
  m = vr.jit (@mode_of);
  assert ([m(3, 'double') m(3, 'half') m(3, 'halve')], [6 1.5 1.5]);
  try
    m (3, 'third');
    error ('behaviour:none', 'no error');
  catch e
    assert (e.identifier, 'mode_of:unknown');
    assert (e.message, 'no way third');
    assert (e.stack(1).name, 'mode_of');
  end

  % ---- functions with effects are never run twice
  global effects_count = 0
  g = vr.jit (@effects);
  fail ('g (1:3)', 'out of bound');
  assert (effects_count, 1);

  % ---- arguments are not changed, whatever the function does with its own
  x = [1 2 3];
  y = x;
  c = vr.jit (@changed);
  assert (c (x), [100 2 3]);
  assert (x, [1 2 3]);
  assert (y, [1 2 3]);
  z = c (x);
  z(2) = 7;
  assert (x, [1 2 3]);
  same = vr.jit (@(x) x);
  z = same (x);
  z(2) = 7;
  assert (x, [1 2 3]);
  assert (same (x), x);

  % ---- classes, shapes and numbers of arguments and results
  t = vr.jit (@three);
  [p, q, r] = t (1:3);
  assert ({p, q, r}, {1:3, 2:4, 1});
  [p, q] = t (5);
  assert ([p q], [5 6]);
  eval ('function r = vr_asks (x), r = x + nargout; end');
  n = vr.jit ('vr_asks');
  n (1);
  assert (ans, 1);
  assert (n (1), 2);
  n (1);
  assert (ans, 1);
  w = vr.jit (@with_default);
  assert ([w(1), w(1, 2), w(1, 2, 3)], [1 3 6]);
  a = vr.jit (@(x) x + x);
  for v = {1, 1:3, (1:3)', ones(2, 3, 2), single(2), true, int32([5 2^31-1]), 1i, [1i 2], zeros(0, 3), [], 'a', uint8(200), sparse([1 0 2]), {}}
    try
      wanted = v{1} + v{1};
    catch e
      wanted = e.message;
    end
    try
      got = a (v{1});
    catch e
      got = e.message;
    end
    assert (class (got), class (wanted));
    assert (got, wanted);
    assert (issparse (got), issparse (wanted));
  end
  assert (class (a (eye (2))), 'double');
  assert (a (eye (2)), 2 * eye (2));

  % ---- handles: of anonymous functions with variables, of named functions, to and from compiled functions
  integral = vr.jit (@integral_of);
  k = 2;
  before = answered ('integral_of');
  assert (integral (@(x) k * x, 0, 1, 1000), 1, 1e-6);
  k = 4;
  assert (integral (@(x) k * x, 0, 1, 1000), 2, 1e-6);
  assert (integral (@sin, 0, pi, 1000), 2, 1e-5);
  assert (integral (@inner, 0, 1, 1000), 1, 1e-6);
  assert (answered ('integral_of') - before, 4);
  assert (integral (vr.jit (@(x) x), 0, 1, 1000), 0.5, 1e-6);
  assert (integral (vr.jit (@(x) k * x), 0, 1, 1000), 2, 1e-6);
  assert (integral (vr.jit (@inner), 0, 1, 1000), 1, 1e-6);
  assert (integral (vr.jit ('inner'), 0, 1, 1000), 1, 1e-6);
  assert (answered ('integral_of') - before, 8);
  assert (apply_to (vr.jit (@inner), 4), 8);
  doubled = vr.jit (@inner);
  before = answered ('inner');
  assert (cellfun (doubled, {1, 2, 3}), [2 4 6]);
  assert (arrayfun (doubled, [1 2; 3 4]), [2 4; 6 8]);
  assert (feval (doubled, 5), 10);
  assert (answered ('inner') - before, 8);
  assert (nargin (doubled), 1);

  % ... which stay what they were
  f = @min;
  is_min = vr.jit (@(f) f == @min);
  integral (f, 0, 1, 10);
  assert (is_min (f));
  assert (f == @min);

  % ---- functions that functions call: another meaning of a name compiles them anew
  o = vr.jit (@outer);
  assert (o (3), 7);
  before = answered ('outer');
  assert (o (3), 7);
  assert (answered ('outer') - before, 1);
  eval ('function r = inner (x), r = 10 * x; end');
  assert (o (3), 31);
  eval ('function r = inner (x), r = 2 * x; end');
  assert (o (3), 7);
  u = vr.jit (@(x) abs (x));
  assert (u (-1), 1);
  eval ('function r = abs (x), r = 99; end');
  assert (u (-1), 99);
  clear -f abs
  assert (u (-1), 1);

  % ---- vr.on: interpreted callers, nested calls, clear
  vr.on ('inner');
  before = answered ('inner');
  assert (outer (3), 7);
  assert (answered ('inner') - before, 1);
  vr.on ('inner');
  vr.off ('inner');
  before = answered ('inner');
  assert (outer (3), 7);
  assert (answered ('inner'), before);

  % ---- files: edited ones compile anew, with subfunctions, private functions and scripts beside them
  file = fullfile (folder, 'vr_edited.m');
  write_file (file, "function r = vr_edited (x)\n  r = helper (x) + 1;\nend\nfunction r = helper (x)\n  r = 2 * x;\nend\n");
  e = vr.jit (@vr_edited);
  vr.on ('vr_edited');
  assert (e (1), 3);
  assert (vr_edited (1), 3);
  before = answered ('vr_edited');
  pause (1.1);
  write_file (file, "function r = vr_edited (x)\n  r = helper (x) + 1;\nend\nfunction r = helper (x)\n  r = 5 * x;\nend\n");
  clear -f helper
  assert (e (1), 6);
  assert (vr_edited (1), 6);
  assert (answered ('vr_edited') - before, 2);
  clear vr_edited
  before = answered ('vr_edited');
  assert (vr_edited (1), 6);
  assert (answered ('vr_edited'), before);
  assert (e (1), 6);
  % ... also where another compiled function calls one that is on
  write_file (fullfile (folder, 'vr_caller.m'), "function r = vr_caller (x)\n  r = 100 + vr_edited (x);\nend\n");
  vr.on ('vr_edited');
  caller = vr.jit (@vr_caller);
  assert (caller (1), 106);
  pause (1.1);
  write_file (file, "function r = vr_edited (x)\n  r = 9 * x;\nend\n");
  assert (caller (1), 109);
  assert (answered ('vr_caller'), 2);
  vr.off ('vr_edited');
  % ... and handles of one text from two files, which mean two functions
  for k = 1:2
    write_file (fullfile (folder, sprintf ('vr_handle%d.m', k)), sprintf ("function f = vr_handle%d ()\n  f = @(x) own (x);\nend\nfunction r = own (x)\n  r = %d * x;\nend\n", k, k));
  end
  with = vr.jit (@apply_to);
  assert ([with(vr_handle1 (), 3), with(vr_handle2 (), 3)], [3 6]);
  assert (answered ('apply_to'), 2);
  % ... and handles of functions that are local to a file, of one name in two files
  for k = 1:2
    write_file (fullfile (folder, sprintf ('vr_local%d.m', k)), sprintf ("function f = vr_local%d ()\n  f = @own;\nend\nfunction r = own (x)\n  r = %d * scaled (x);\nend\nfunction r = scaled (x)\n  r = 10 * x;\nend\n", k, k));
  end
  with = vr.jit (@apply_to);
  before = answered ('apply_to');
  assert ([with(vr_local1 (), 3), with(vr_local2 (), 3), with(vr_local1 (), 4)], [30 60 40]);
  assert (answered ('apply_to') - before, 3);
  % ... and functions that Octave cannot read, which is an error where they are called alone
  write_file (fullfile (folder, 'vr_unreadable.m'), "function r = vr_unreadable (x)\n  r = (x;\nend\n");
  write_file (fullfile (folder, 'vr_calls_it.m'), "function r = vr_calls_it (x)\n  r = x;\n  if (x > 1)\n    r = vr_unreadable (x);\n  end\nend\n");
  g = vr.jit (@vr_calls_it);
  assert (g (1), 1);
  fail ("g (2)", 'parse error');
  assert (g (1), 1);
  write_file (fullfile (folder, 'vr_script.m'), "1;\nvr_value = 3;\n");
  fail ("vr.jit ('vr_script')", 'is a script');
  fail ("vr.on ('vr_script')", 'is a script');
  write_file (fullfile (folder, 'vr_uses_script.m'), "function r = vr_uses_script ()\n  vr_script;\n  r = vr_value;\nend\n");
  g = vr.jit (@vr_uses_script);
  assert (g (), 3);
  mkdir (fullfile (folder, 'private'));
  write_file (fullfile (folder, 'private', 'vr_hidden.m'), "function r = vr_hidden (x)\n  r = 7 * x;\nend\n");
  write_file (fullfile (folder, 'vr_shows.m'), "function r = vr_shows (x)\n  r = vr_hidden (x);\nend\n");
  g = vr.jit (@vr_shows);
  assert (g (2), 14);
  assert (answered ('vr_shows'), 1);

  % ---- recursion without end is Octave's error
  g = vr.jit (@deep);
  try
    g (1);
    error ('behaviour:none', 'no error');
  catch e
    assert (! isempty (strfind (e.message, 'max_recursion_depth exceeded')));
  end

  % ---- clear all leaves what is held
  g = vr.jit (@(x) x + 1);
  assert (g (1), 2);
  save_g = g;
  clear -f all
  assert (save_g (1), 2);

  % ---- a condition with | stops at its left side, where a scalar decides
  g = vr.jit (@(x) 1);
  eval ('function r = vr_either (x, y), if (x | y), r = 1; else, r = 0; end, end');
  warning ('off', 'Octave:possible-matlab-short-circuit-operator');
  c = vr.compare ('vr_either', true, []);
  assert (c.outcome, 'right');
  assert (c.results, {1});

  % ---- what Octave computes in another way than MATLAB
  for x = {{5, Inf}, {-5, Inf}, {5, [Inf 2]}, {5, 3}}
    for f = {@(x, y) mod(x, y), @(x, y) rem(x, y)}
      c = vr.compare (f{1}, x{1}{:});
      assert (! strcmp (c.outcome, 'wrong'));
    end
  end
  c = vr.compare (@(x, y) x .^ y, int32 (5), int32 (-1));
  assert (! strcmp (c.outcome, 'wrong'));

  % ---- arrays of structures as arguments: elements of other classes, without elements, of other shapes
  eval ('function r = vr_halves (s), r = 0; for k = 1:numel (s), r = r + sum (s(k).a(:)) / 2; end, end');
  eval ('function r = vr_sizes (s), r = []; for k = 1:numel (s), r = [r, size(s(k).a)]; end, end');
  c = vr.compare ('vr_halves', struct ('a', {5, single(0.1)}));
  assert (c.outcome, 'refused');
  for a = {{5, [1 2 3]}, {[1 2], [1; 2; 3]}, {[1; 2], 7}}
    c = vr.compare ('vr_halves', struct ('a', a{1}));
    assert (c.outcome, 'right');
  end
  for a = {{[1 2], []}, {[], [1 2]}, {[1; 2], []}}
    c = vr.compare ('vr_sizes', struct ('a', a{1}));
    assert (! strcmp (c.outcome, 'wrong'));
  end

  % ---- the binding, and no lost references to arrays
  assert (__vr__ ('check'), '');
  assert (__vr__ ('live'), 0);
unwind_protect_cleanup
  confirm_recursive_rmdir (false, 'local');
  rmdir (folder, 's');
end_unwind_protect
printf ("all holds\n");
