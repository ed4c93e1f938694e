% Accelerated sections of Octave functions on the OpenCL device: octave-cli --norc sections.m PACKAGE. Results, faults, early
% returns, what is reported. Left out where there is no device.
1;

function y = commented (x, a)
  %#vr gpu
  t = x .* x;
  y = a * t + 1;
  %#vr end
end

function y = thesis (x)
  gpu_begin ();
  y = sqrt (x) - x / 3;
  gpu_end ();
end

function [c, s] = several_arrays (a, b)
  %#vr gpu
  c = a * b;
  s = sum (c(:));
  %#vr end
  s = s + 1;
end

function y = in_parallel (x, n)
  y = zeros (1, n);
  %#vr gpu
  parfor k = 1:n
    y(k) = x(k) ^ 2 + k;
  end
  %#vr end
end

function y = with_shared (x, n)
  y = zeros (1, n);
  parfor k = 1:n
    mcvm_shared (x, y);
    t = x(k) * 2;
    y(k) = t + 1;
  end
end

function y = past_the_end (x, n)
  y = zeros (1, n);
  %#vr gpu
  parfor k = 1:n
    y(k) = x(k);
  end
  %#vr end
end

function y = returns_early (x)
  y = x;
  %#vr gpu
  y = y + 1;
  if (sum (y) > 10)
    return;
  end
  y = y * 2;
  %#vr end
  y = -y;
end

function y = fails (x)
  %#vr gpu
  y = x + 1;
  if (y(1) > 5)
    error ("sections:id", "too much: %d", y(1));
  end
  %#vr end
end

function y = in_loop (x, n)
  y = x;
  for k = 1:n
    %#vr gpu
    y = y + k * x;
    if (k == 3)
      break;
    end
    y(1) = k;
    %#vr end
    y(2) += 0.5;
  end
end

function y = in_branch (x, flag)
  if (flag)
    %#vr gpu
    y = cos (x);
    %#vr end
  else
    y = sin (x);
  end
end

function y = root (x)
  %#vr gpu
  y = sqrt (x);
  %#vr end
end

function y = arc (x)
  %#vr gpu
  y = acos (x);
  %#vr end
end

function y = open_ended (x)
  %#vr gpu
  y = x + 1;
end

function y = grows (x)
  %#vr gpu
  y = x * 2;
  y(end + 1) = 7;
  z = sort (y);
  y = z + numel (find (z > 3));
  %#vr end
end

function check (outcome, f, varargin)
  c = vr.compare (f, varargin{:});
  if (! strcmp (c.outcome, outcome))
    error ("%s: %s for %s: %s", func2str (f), c.outcome, outcome, c.reason);
  end
end

arguments = argv ();
addpath (arguments{1});
vr.settings ("target", "opencl", "disk_cache", false);
try
  first = vr.jit (@thesis);
  first (1:3);
catch e
  printf ("left out: %s\n", e.message);
  exit (77);
end
x = linspace (0, 4, 1000);

% Results, of several classes.
check ("right", @commented, x, 3);
check ("right", @commented, single (x), single (3));
check ("right", @commented, complex (x, 1 - x), 2);
check ("right", @commented, int32 (0:200), int32 (7));
check ("right", @commented, uint8 (0:255), uint8 (2));
check ("right", @commented, zeros (1, 0), 2);
check ("right", @thesis, x);
check ("right", @several_arrays, magic (8), ones (8, 3));
check ("right", @in_parallel, x, 500);
check ("right", @in_loop, x, 5);
check ("right", @in_loop, x, 0);
check ("right", @in_branch, x, true);
check ("right", @in_branch, x, false);
check ("right", @grows, x);
check ("right", @returns_early, 1:10);
check ("right", @returns_early, [1 2]);
check ("right", @with_shared, x, 300);

% Faults and complex results: the interpreter's, and arguments stay as they are.
check ("bailed out", @past_the_end, x, 1001);
check ("bailed out", @in_parallel, x, 1001);
check ("bailed out", @arc, x);
check ("right", @arc, x / 4);
check ("right", @root, x - 1);
check ("right", @root, x);
check ("right", @fails, x);
check ("bailed out", @fails, x + 7);
g = vr.jit (@fails);
try
  g (9);
  error ("no error");
catch e
  assert (e.identifier, "sections:id");
  assert (e.message, "too much: 10");
end
assert (x, linspace (0, 4, 1000));
check ("refused", @open_ended, x);

% Arrays that stay on the device from one call to the next.
g = vr.jit (@commented);
y = x;
for k = 1:5
  y = g (y, 0.5);
end
z = x;
for k = 1:5
  z = commented (z, 0.5);
end
assert (y, z, 1e-12);

% What did not run on the device is reported: find has no kernel.
found = "";
for r = vr.report ()'
  if (strcmp (r.function, "grows"))
    found = strjoin (r.remarks, "\n");
  end
end
if (isempty (strfind (found, "finding")))
  error ("the report says nothing of find: %s", found);
end
printf ("sections: right\n");
