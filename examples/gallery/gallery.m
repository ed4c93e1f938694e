% Programs of the gallery in Octave, interpreted and compiled: octave-cli examples/gallery/gallery.m build/release/octave
% Fails if the results differ.
addpath (argv (){1});
addpath (fileparts (mfilename ('fullpath')));

programs = {@heat, [40, 60]; @mandelbrot, [48, 60]; @waves, [36, 50]};
for k = 1:rows (programs)
  [plain, sizes] = programs{k, :};
  compiled = vr.jit (plain);
  wanted = plain (sizes(1), sizes(2));
  got = compiled (sizes(1), sizes(2));
  if (! isequal (size (got), size (wanted)) || any (abs (got(:) - wanted(:)) > 1e-12))
    error ('%s: the compiled function gives another result', func2str (plain));
  end
  printf ("%s: %d x %d, sum %.6f\n", func2str (plain), sizes(1), sizes(1), sum (got(:)));
end
