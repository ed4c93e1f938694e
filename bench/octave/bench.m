% Programs of the thesis (10.1.1) and of Julia's micro-benchmarks by Octave's interpreter and compiled:
% octave-cli bench/octave/bench.m PACKAGE. Results are compared before times are printed. The first call includes
% compilation without the cache on disk. The last lines have the times of a call and the geometric mean.
1;

function r = fib (n)
  if (n < 2)
    r = n;
  else
    r = fib (n - 1) + fib (n - 2);
  end
end

function r = pi_sum (n)
  r = 0;
  for k = 1:n
    r = r + 1 / (k * k);
  end
end

function a = quicksort (a, lo, hi)
  i = lo;
  j = hi;
  while (i < hi)
    p = a(floor ((lo + hi) / 2));
    while (i <= j)
      while (a(i) < p)
        i = i + 1;
      end
      while (a(j) > p)
        j = j - 1;
      end
      if (i <= j)
        t = a(i);
        a(i) = a(j);
        a(j) = t;
        i = i + 1;
        j = j - 1;
      end
    end
    if (lo < j)
      a = quicksort (a, lo, j);
    end
    lo = i;
    j = hi;
  end
end

function t = mandelbrot (n, limit)
  t = 0;
  for i = 1:n
    for j = 1:n
      c = complex (-2 + 3 * j / n, -1.5 + 3 * i / n);
      z = 0 * c;
      k = 0;
      while (k < limit && real (z) ^ 2 + imag (z) ^ 2 <= 4)
        z = z * z + c;
        k = k + 1;
      end
      t = t + k;
    end
  end
end

function [x, v] = nb1d (x, v, m, steps, dt)
  n = numel (x);
  for s = 1:steps
    f = zeros (1, n);
    for i = 1:n
      for j = 1:n
        if (i != j)
          d = x(j) - x(i);
          f(i) = f(i) + m(j) * d / (abs (d) ^ 3 + 0.01);
        end
      end
    end
    for i = 1:n
      v(i) = v(i) + dt * f(i);
      x(i) = x(i) + dt * v(i);
    end
  end
end

function b = clos (a)
  n = rows (a);
  b = a;
  k = 1;
  while (k < n)
    b = double (b * b + b > 0);
    k = 2 * k;
  end
end

function [e, h] = fdtd (n, steps)
  e = zeros (n, n);
  h = zeros (n, n);
  for t = 1:steps
    for i = 2:n
      for j = 2:n
        e(i, j) = e(i, j) + 0.5 * (h(i, j) - h(i-1, j) + h(i, j) - h(i, j-1));
      end
    end
    e(ceil (n / 2), ceil (n / 2)) = sin (0.1 * t);
    for i = 1:n-1
      for j = 1:n-1
        h(i, j) = h(i, j) - 0.5 * (e(i, j) - e(i+1, j) + e(i, j) - e(i, j+1));
      end
    end
  end
end

% The transform by Cooley and Tukey, as a loop. numel (re) is a power of 2.
function [re, im] = fftm (re, im)
  n = numel (re);
  j = 1;
  for i = 1:n-1
    if (i < j)
      t = re(j); re(j) = re(i); re(i) = t;
      t = im(j); im(j) = im(i); im(i) = t;
    end
    k = n / 2;
    while (k < j)
      j = j - k;
      k = k / 2;
    end
    j = j + k;
  end
  len = 2;
  while (len <= n)
    half = len / 2;
    for s = 1:half
      wr = cos (2 * pi * (s - 1) / len);
      wi = -sin (2 * pi * (s - 1) / len);
      for a = s:len:n
        b = a + half;
        tr = wr * re(b) - wi * im(b);
        ti = wr * im(b) + wi * re(b);
        re(b) = re(a) - tr;
        im(b) = im(a) - ti;
        re(a) = re(a) + tr;
        im(a) = im(a) + ti;
      end
    end
    len = 2 * len;
  end
end

function r = add (a, b, c)
  r = a * b + c;
end

function t = repeated (f, args, results)
  n = 1;
  out = cell (1, results);
  do
    tic;
    for k = 1:n
      [out{:}] = f (args{:});
    end
    t = toc;
    n = 2 * n;
  until (t > 0.3)
  t = t / (n / 2);
end

arguments = argv ();
addpath (arguments{1});
addpath (fullfile (fileparts (mfilename ('fullpath')), '..', '..', 'examples'));
vr.settings ('disk_cache', false);
more off
rand ('twister', 1);
values = rand (1, 2000);
programs = {
  'capr', {0.65, 0.35, 1.84, 4.49, 20, 1e-13, 0.9, 60}, 2
  'fiff', {2.5, 1.5, 0.5, 151, 200}, 1
  'nb1d', {rand(1, 40), zeros(1, 40), rand(1, 40), 20, 0.01}, 2
  'clos', {double(rand (200) < 0.01)}, 1
  'fdtd', {60, 20}, 2
  'fftm', {rand(1, 1024), zeros(1, 1024)}, 2
  'fib', {18}, 1
  'pi_sum', {1e5}, 1
  'quicksort', {values, 1, numel(values)}, 1
  'mandelbrot', {60, 80}, 1
};
g = vr.jit (@(x) x);
g (1);  % the engine starts
printf ("%-12s %14s %12s %12s %10s\n", 'octave', 'interpreted', 'compiled', 'first call', 'ratio');
ratios = [];
for k = 1:rows (programs)
  [name, args, n] = programs{k, :};
  f = str2func (name);
  g = vr.jit (f);
  got = wanted = cell (1, n);
  tic;
  [got{:}] = g (args{:});
  first = toc;
  __vr__ ('wait');
  [got{:}] = g (args{:});
  [wanted{:}] = f (args{:});
  for i = 1:n
    why = vr.difference (got{i}, wanted{i});
    if (! isempty (why))
      error ('%s: result %d: %s', name, i, why);
    end
  end
  interpreted = repeated (f, args, n);
  compiled = repeated (g, args, n);
  ratios(end + 1) = interpreted / compiled;
  printf ("%-12s %11.1f ms %9.3f ms %9.1f ms %10.0f\n", name, interpreted * 1e3, compiled * 1e3, first * 1e3, ratios(end));
end
r = vr.report ();
if (any ([r.interpreted] > 0))
  vr.report
  error ('a call was left to the interpreter');
end
g = vr.jit (@add);
g (1, 2, 3);
g ([1 2 3], 2, 3);
huge = zeros (7000);
at = vr.jit (@(x) x(end));
at (huge);
__vr__ ('wait');
n = 100000;
tic; for k = 1:n, add (1, 2, 3); end; t(1) = toc;
tic; for k = 1:n, g (1, 2, 3); end; t(2) = toc;
x = [1 2 3];
tic; for k = 1:n, g (x, 2, 3); end; t(3) = toc;
tic; for k = 1:n, at (huge); end; t(4) = toc;
printf ("a call: interpreted %.2f us, compiled %.2f us, of a row %.2f us, of a matrix of 392 MB %.2f us\n", t / n * 1e6);
printf ("octave: geomean %.0f min %.0f over %d\n", exp (mean (log (ratios))), min (ratios), numel (ratios));
