% Run it with: octave-cli examples/octave/start.m build/release/octave
addpath (argv (){1});

function r = pi_sum (n)
  r = 0;
  for k = 1:n
    r += 1 / (k * k);
  end
end

% A compiled function.
g = vr.jit (@pi_sum);
printf ("%.6f %.6f\n", pi_sum (1000), g (1000));

% All calls by a name, those of interpreted functions too.
vr.on ('pi_sum');
printf ("%.6f\n", sqrt (6 * pi_sum (1e6)));
vr.off ('pi_sum');

% Errors are Octave's own.
third = vr.jit (@(x) x(3));
try
  third ([1 2]);
catch e
  printf ("%s: %s\n", e.identifier, e.message);
end

% Results are Octave's, also where they are complex.
root = vr.jit (@(x) sqrt (x));
printf ("%g %gi\n", root (4), imag (root (-4)));

% Run both ways and compare.
vr.compare (@(x) cumsum (x) / numel (x), [1 2 3 4]);
vr.compare (@(x) acos (x), 2);

% What happened, as a structure array; vr.report alone prints it.
for r = vr.report ()'
  printf ("%s (%s): %s, %d compiled, %d interpreted\n", r.function, r.arguments, r.state, r.answered, r.interpreted);
end
