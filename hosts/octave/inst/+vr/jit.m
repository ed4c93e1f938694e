% g = vr.jit (f)  A function that runs compiled.
%
% f is a function handle or the name of a function. g is a handle that takes the same arguments and gives the same
% results. It is compiled at the first call, and again for arguments of other classes and shapes, and when the
% function's file has changed. Functions that cannot be compiled run in Octave's interpreter; vr.report shows which, and
% why.
%
%   g = vr.jit (@(x) sum (x .^ 2) / numel (x));
%   g (rand (1000, 1))
%
% If compiled code would raise an error, or give a result other than Octave's, Octave's interpreter runs the call again
% and gives its own messages. Functions that print, access files or use global variables are not compiled, so that no
% effect happens twice.
%
% See also: vr.on, vr.compare, vr.report, vr.settings

function g = jit (f)
  if (nargin != 1)
    error ("Octave:invalid-fun-call", "vr.jit: expected one function handle or name");
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
