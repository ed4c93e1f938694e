% Programs of the thesis (10.1) by Octave's interpreter and compiled: octave-cli examples/octave/demo.m PACKAGE.
% Compares the results and prints the times; fails when results differ.
arguments = argv ();
addpath (arguments{1});
addpath (fullfile (fileparts (mfilename ('fullpath')), '..'));
more off

function t = mandelbrot (n, limit)
  t = 0;
  for i = 1:n
    for j = 1:n
      re = -2 + 3 * j / n;
      im = -1.5 + 3 * i / n;
      x = 0;
      y = 0;
      k = 0;
      while (k < limit && x * x + y * y <= 4)
        z = x * x - y * y + re;
        y = 2 * x * y + im;
        x = z;
        k += 1;
      end
      t += k;
    end
  end
end

function f = heat (n, steps)
  f = zeros (n, n);
  f(1, :) = 1;
  for s = 1:steps
    g = f;
    for i = 2:n-1
      for j = 2:n-1
        g(i, j) = f(i, j) + 0.2 * (f(i-1, j) + f(i+1, j) + f(i, j-1) + f(i, j+1) - 4 * f(i, j));
      end
    end
    f = g;
  end
end

programs = {
  'capr', {0.65, 0.35, 1.84, 4.49, 20, 1e-13, 0.9, 60}
  'fiff', {2.5, 1.5, 0.5, 151, 200}
  'mandelbrot', {60, 100}
  'heat', {60, 20}
};
printf ("%-12s %12s %12s %10s\n", 'Octave', 'interpreted', 'compiled', 'faster by');
for k = 1:rows (programs)
  f = str2func (programs{k, 1});
  args = programs{k, 2};
  g = vr.jit (f);
  first = g (args{:});   % compiles
  __vr__ ('wait');
  tic;
  wanted = f (args{:});
  interpreted = toc;
  n = 0;
  tic;
  do
    got = g (args{:});
    n += 1;
  until (toc > 0.2)
  compiled = toc / n;
  for result = {first, got}
    why = vr.difference (result{1}, wanted);
    if (! isempty (why))
      error ('%s: %s', programs{k, 1}, why);
    end
  end
  printf ("%-12s %9.1f ms %9.3f ms %9.0fx\n", programs{k, 1}, interpreted * 1e3, compiled * 1e3, interpreted / compiled);
end
r = vr.report ();
if (any ([r.interpreted] > 0))
  vr.report
  error ('a call was left to the interpreter');
end
