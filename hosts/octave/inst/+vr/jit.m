% g = vr.jit (f)  A function that runs compiled.
%
% f is a function handle or the name of a function. g is a handle that takes the same arguments and gives the same
% results. It is compiled at the first call, anew for arguments of other classes and shapes, and anew when the
% function's file has changed. What cannot be compiled runs in Octave's interpreter; vr.report says which, and why.
%
%   g = vr.jit (@(x) sum (x .^ 2) / numel (x));
%   g (rand (1000, 1))
%
% A call of g whose compiled code would give an error, or a result other than Octave's, is run again by Octave's
% interpreter, which gives its own messages. Printed output, files and global variables are never touched twice: such
% functions are not compiled.
%
% See also: vr.on, vr.compare, vr.report, vr.settings

function g = jit (f)
  if (nargin != 1)
    error ("Octave:invalid-fun-call", "vr.jit: one function handle or name");
  end
  g = __vr__ ("jit", f);
end

%!test
%! g = vr.jit (@(x, y) x + 2 * y);
%! assert (g (1, 2), 5);
%! assert (g ([1 2 3], 1), [3 4 5]);
%! assert (g (single (1), 2), single (5));
%!test
%! a = 3;
%! g = vr.jit (@(x) a * x);
%! a = 4;
%! assert (g (2), 6);
%! assert (cellfun (g, {1, 2}), [3 6]);
%! assert (arrayfun (g, [1 2; 3 4]), [3 6; 9 12]);
%!error <built-in> vr.jit (@sin)
%!error <there is no function> vr.jit ("no_such_function_here")
%!error <a function handle> vr.jit (1)
%!error <one function handle> vr.jit ()
%!error <out of bound> g = vr.jit (@(x) x(4)); g ([1 2 3])
%!test
%! g = vr.jit (@(x, k) x(k));
%! try
%!   g ([1 2 3], 7);
%!   error ("no error");
%! catch e
%!   assert (e.identifier, "Octave:index-out-of-bounds");
   assert (! isempty (strfind (e.message, "index (7): out of bound 3")));
%! end_try_catch
%!test
%! g = vr.jit (@(x) sqrt (x));
%! assert (g (-4), 2i);
%! assert (g (4), 2);

%!demo
%! % The sum of the first n squares, interpreted and compiled.
%! f = @(n) sum ((1:n) .^ 2);
%! g = vr.jit (f);
%! f (1000)
%! g (1000)
%! vr.report
